//! Values that may be written in several ways.

use serde::de::Error;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// A boolean, also as 1 or 0, `"true"` or `"yes"` and their opposites.
pub(super) fn boolean<'de, D: Deserializer<'de>>(from: D) -> Result<bool, D::Error> {
    match Value::deserialize(from)? {
        Value::Bool(value) => Ok(value),
        Value::Number(number) if number.as_f64() == Some(1.0) => Ok(true),
        Value::Number(number) if number.as_f64() == Some(0.0) => Ok(false),
        Value::String(text) if ["true", "yes"].contains(&text.as_str()) => Ok(true),
        Value::String(text) if ["false", "no"].contains(&text.as_str()) => Ok(false),
        _ => Err(D::Error::custom("expected a boolean")),
    }
}

/// A whole number, also as `1.0` or `"1"`.
pub(super) fn whole<'de, D: Deserializer<'de>>(from: D) -> Result<i64, D::Error> {
    /// Every whole number up to here is exactly representable as a float.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let number = match Value::deserialize(from)? {
        Value::Number(number) => number.as_i64().or_else(|| {
            let float = number.as_f64()?;
            (float.fract() == 0.0 && float.abs() <= EXACT).then_some(float as i64)
        }),
        Value::String(text) => text.parse().ok(),
        _ => None,
    };
    number.ok_or_else(|| D::Error::custom("expected a whole number"))
}

/// The version, which has already been checked.
pub(super) fn one<'de, D: Deserializer<'de>>(from: D) -> Result<u8, D::Error> {
    Value::deserialize(from).map(|_| 1)
}
