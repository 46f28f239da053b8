//! Extractors for requests, with understandable errors.

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
        // serde would read a list as an object without field names.
        if !json.is_object() {
            return Err(ApiError::bad("bad request body: expected an object"));
        }
        serde_json::from_value(json)
            .map(Body)
            .map_err(|error| ApiError::bad(format!("bad request body: {error}")))
    }
}

fn explained(rejection: &JsonRejection) -> ApiError {
    match rejection {
        JsonRejection::JsonSyntaxError(error) => {
            ApiError::bad(format!("bad JSON: {}", innermost(error)))
        }
        JsonRejection::MissingJsonContentType(_) => {
            ApiError::bad("expected JSON with Content-Type: application/json")
        }
        other if other.status() == axum::http::StatusCode::PAYLOAD_TOO_LARGE => {
            ApiError::new(Code::TooLarge, "the request is too large")
        }
        other => ApiError::bad(other.body_text()),
    }
}

/// The root cause of an error.
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

/// The query parameters.
pub struct Params<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Params<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Params<T>, ApiError> {
        let found: Result<Query<T>, QueryRejection> = Query::from_request_parts(parts, state).await;
        found.map(|Query(params)| Params(params)).map_err(|error| ApiError::bad(error.body_text()))
    }
}
