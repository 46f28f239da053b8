//! What a request says, read with errors that people understand.

use axum::Json;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::{ApiError, Code};

/// The body of a request, as JSON.
pub struct Body<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Body<T>, ApiError> {
        let json = Json::<Value>::from_request(request, state).await;
        let Json(json) = json.map_err(|rejection| explained(&rejection))?;
        // A list would be read as an object without names.
        if !json.is_object() {
            return Err(ApiError::bad("this is not what is asked for here: expected an object"));
        }
        serde_json::from_value(json)
            .map(Body)
            .map_err(|error| ApiError::bad(format!("this is not what is asked for here: {error}")))
    }
}

fn explained(rejection: &JsonRejection) -> ApiError {
    match rejection {
        JsonRejection::JsonSyntaxError(error) => {
            ApiError::bad(format!("this is not JSON: {}", innermost(error)))
        }
        JsonRejection::MissingJsonContentType(_) => {
            ApiError::bad("say Content-Type: application/json and send JSON")
        }
        other if other.status() == axum::http::StatusCode::PAYLOAD_TOO_LARGE => {
            ApiError::new(Code::TooLarge, "the request is too large")
        }
        other => ApiError::bad(other.body_text()),
    }
}

/// What lies at the bottom of an error.
fn innermost(error: &dyn std::error::Error) -> String {
    let mut deepest = error;
    while let Some(source) = deepest.source() {
        deepest = source;
    }
    deepest.to_string()
}

/// A name in the path.
pub struct Name(pub String);

impl<S: Send + Sync> FromRequestParts<S> for Name {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Name, ApiError> {
        let found: Result<Path<String>, PathRejection> =
            Path::from_request_parts(parts, state).await;
        found.map(|Path(name)| Name(name)).map_err(|error| ApiError::bad(error.body_text()))
    }
}

/// Two names in the path.
pub struct Names(pub String, pub String);

impl<S: Send + Sync> FromRequestParts<S> for Names {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Names, ApiError> {
        let found: Result<Path<(String, String)>, PathRejection> =
            Path::from_request_parts(parts, state).await;
        let names = found.map(|Path((one, other))| Names(one, other));
        names.map_err(|error| ApiError::bad(error.body_text()))
    }
}

/// What follows the question mark of the address.
pub struct Asked<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Asked<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Asked<T>, ApiError> {
        let found: Result<Query<T>, QueryRejection> = Query::from_request_parts(parts, state).await;
        found.map(|Query(asked)| Asked(asked)).map_err(|error| ApiError::bad(error.body_text()))
    }
}
