//! What a request says, read with errors that people understand.

use axum::Json;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use crate::problem::{Code, Problem};

/// The body of a request, as JSON.
pub struct Body<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Body<T>, Problem> {
        match Json::<T>::from_request(request, state).await {
            Ok(Json(body)) => Ok(Body(body)),
            Err(rejection) => Err(explained(&rejection)),
        }
    }
}

fn explained(rejection: &JsonRejection) -> Problem {
    match rejection {
        JsonRejection::JsonDataError(error) => {
            Problem::bad(format!("this is not what is asked for here: {}", innermost(error)))
        }
        JsonRejection::JsonSyntaxError(error) => {
            Problem::bad(format!("this is not JSON: {}", innermost(error)))
        }
        JsonRejection::MissingJsonContentType(_) => {
            Problem::bad("say Content-Type: application/json and send JSON")
        }
        other if other.status() == axum::http::StatusCode::PAYLOAD_TOO_LARGE => {
            Problem::new(Code::TooLarge, "the request is too large")
        }
        other => Problem::bad(other.body_text()),
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
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Name, Problem> {
        let found: Result<Path<String>, PathRejection> =
            Path::from_request_parts(parts, state).await;
        found.map(|Path(name)| Name(name)).map_err(|error| Problem::bad(error.body_text()))
    }
}

/// What follows the question mark of the address.
pub struct Asked<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Asked<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Asked<T>, Problem> {
        let found: Result<Query<T>, QueryRejection> = Query::from_request_parts(parts, state).await;
        found.map(|Query(asked)| Asked(asked)).map_err(|error| Problem::bad(error.body_text()))
    }
}
