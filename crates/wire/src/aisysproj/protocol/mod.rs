//! What is said: requests and responses of both versions, each read and written here alone.
//!
//! A body is read in two steps, first as JSON and then as what it says: of a repeated key the last
//! counts, unknown fields are ignored, and a byte order mark does no harm. Nothing here has a size
//! limit of its own; whoever takes bytes from the network limits them.

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
    /// Reads a body. The version is what it says it is.
    pub fn read(body: &[u8]) -> Result<Request, Malformed> {
        let json = json(body)?;
        match version(&json)? {
            0 => Ok(Request::V0(typed(json)?)),
            _ => Ok(Request::V1(typed(json)?)),
        }
    }

    /// The body, password included.
    pub fn body(&self) -> String {
        match self {
            Request::V0(request) => text(request),
            Request::V1(request) => text(request),
        }
    }

    /// The body for people to look at: without the password.
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
    /// Reads a body. The versions are told apart by the names of the fields.
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
    /// What is wrong, for people.
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

/// Why a body cannot be read, in words. The body itself is never quoted: it may hold a password.
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
        .map_err(|error| Malformed(format!("no JSON at column {}", error.column())))?;
    match value {
        Value::Object(_) => Ok(value),
        _ => Err(Malformed("a JSON object is expected".into())),
    }
}

/// What a JSON object says. Errors of the library may quote values, so only their place and their
/// kind are told.
fn typed<T: DeserializeOwned>(json: Value) -> Result<T, Malformed> {
    serde_path_to_error::deserialize(json).map_err(|error| {
        let (path, told) = (error.path().to_string(), error.inner().to_string());
        let whole = path == ".";
        Malformed(match told.strip_prefix("missing field ") {
            Some(field) if whole => format!("the field {field} is missing"),
            Some(field) => format!("the field {field} is missing in {path}"),
            None if whole => "a field is not of the kind that it should be".into(),
            None => format!("the field {path} is not of the kind that it should be"),
        })
    })
}

/// Which version a request is of: none or 0 is version 0; `1.0` and `true` are 1, too.
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

/// A value as JSON. What is written here has no maps with odd keys and cannot fail.
fn text(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
