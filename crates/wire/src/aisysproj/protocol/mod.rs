//! The protocol: requests and responses of both versions, each read and written only here.
//!
//! A body is parsed in two steps, first as JSON and then into its type: of a repeated key the last
//! counts, unknown fields are ignored, and a byte order mark does no harm. There are no size limits
//! here; whoever reads from the network limits the bytes.

mod lenient;
mod password;
pub mod v0;
pub mod v1;

#[cfg(test)]
mod tests;

use std::fmt;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use password::Password;

/// A request, in one of the versions.
#[derive(Clone, PartialEq, Debug)]
pub enum Request {
    /// Version 0: no version is named.
    V0(v0::Request),
    /// Version 1.
    V1(v1::Request),
}

impl Request {
    /// Reads a body of either version.
    pub fn read(body: &[u8]) -> Result<Request, Malformed> {
        let json = json(body)?;
        match version(&json)? {
            0 => Ok(Request::V0(typed(json)?)),
            _ => Ok(Request::V1(typed(json)?)),
        }
    }

    /// The body, including the password.
    pub fn body(&self) -> String {
        match self {
            Request::V0(request) => text(request),
            Request::V1(request) => text(request),
        }
    }

    /// The body for display, without the password.
    pub fn shown(&self) -> String {
        let mut shown = self.clone();
        match &mut shown {
            Request::V0(request) => request.pwd = Password::hidden(),
            Request::V1(request) => request.pwd = Password::hidden(),
        }
        shown.body()
    }
}

/// A response to a request that was understood.
#[derive(Clone, PartialEq, Debug)]
pub enum Response {
    /// Of version 0.
    V0(v0::Response),
    /// Of version 1.
    V1(v1::Response),
}

impl Response {
    /// Reads a body. The versions differ in the names of the fields.
    pub fn read(body: &[u8]) -> Result<Response, Malformed> {
        let json = json(body)?;
        match json.get("action_requests") {
            Some(_) => Ok(Response::V1(typed(json)?)),
            None => Ok(Response::V0(typed(json)?)),
        }
    }

    /// The body, with the newline at its end.
    pub fn body(&self) -> String {
        let body = match self {
            Response::V0(response) => text(response),
            Response::V1(response) => text(response),
        };
        body + "\n"
    }
}

/// The body that comes with a status other than 200.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct Refusal {
    /// The status again.
    pub errorcode: u16,
    /// Its name.
    pub errorname: String,
    /// The description, for people.
    pub description: String,
}

impl Refusal {
    /// Reads a body; `None` if it is something else, such as a page of HTML.
    pub fn read(body: &[u8]) -> Option<Refusal> {
        typed(json(body).ok()?).ok()
    }

    /// The body.
    pub fn body(&self) -> String {
        text(self)
    }
}

/// Why a body cannot be read, in words. The body itself is never quoted: it may contain a password.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Malformed(String);

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Malformed {}

/// The JSON of a body.
fn json(body: &[u8]) -> Result<Value, Malformed> {
    let body = body.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(body);
    let value: Value = serde_json::from_slice(body)
        .map_err(|error| Malformed(format!("invalid JSON at column {}", error.column())))?;
    match value {
        Value::Object(_) => Ok(value),
        _ => Err(Malformed("expected a JSON object".into())),
    }
}

/// Parses a JSON object. Errors of the library may quote values, so only their path and kind are
/// reported.
fn typed<T: DeserializeOwned>(json: Value) -> Result<T, Malformed> {
    serde_path_to_error::deserialize(json).map_err(|error| {
        let (path, told) = (error.path().to_string(), error.inner().to_string());
        let whole = path == ".";
        Malformed(match told.strip_prefix("missing field ") {
            Some(field) if whole => format!("the field {field} is missing"),
            Some(field) => format!("the field {field} is missing in {path}"),
            None if whole => "a field has the wrong type".into(),
            None => format!("the field {path} has the wrong type"),
        })
    })
}

/// The version of a request: none or 0 is version 0; `1.0` and `true` count as 1.
fn version(json: &Value) -> Result<u8, Malformed> {
    let told = match json.get("protocol_version") {
        None => Some(0.0),
        Some(Value::Bool(told)) => Some(f64::from(u8::from(*told))),
        Some(Value::Number(number)) => number.as_f64(),
        Some(_) => None,
    };
    match told {
        Some(0.0) => Ok(0),
        Some(1.0) => Ok(1),
        _ => Err(Malformed("protocol_version has to be 0 or 1".into())),
    }
}

/// A value as JSON. The types here have no maps with non-text keys, so this cannot fail.
fn text(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
