//! What the API answers when something is wrong: a status, a code for programs and a sentence for
//! people.

use std::fmt;

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

/// A request that was not done, and why. Nothing was changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ApiError {
    code: Code,
    message: String,
}

/// What kind of problem.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Code {
    /// The request makes no sense.
    BadRequest,
    /// It may not be made from there.
    Forbidden,
    /// There is no such thing.
    NotFound,
    /// There is something there, but it takes other requests.
    NotAllowed,
    /// The game has gone on meanwhile.
    Stale,
    /// Too much in one request.
    TooLarge,
    /// Against the rules of the game.
    Illegal,
    /// There are too many of these already.
    TooMany,
    /// It took too long.
    TooSlow,
    /// Something here does not work.
    Failed,
    /// Try again later.
    Busy,
}

impl Code {
    fn status(self) -> StatusCode {
        match self {
            Code::BadRequest => StatusCode::BAD_REQUEST,
            Code::Forbidden => StatusCode::FORBIDDEN,
            Code::NotFound => StatusCode::NOT_FOUND,
            Code::NotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Code::Stale => StatusCode::CONFLICT,
            Code::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Code::Illegal => StatusCode::UNPROCESSABLE_ENTITY,
            Code::TooMany => StatusCode::TOO_MANY_REQUESTS,
            Code::TooSlow => StatusCode::REQUEST_TIMEOUT,
            Code::Failed => StatusCode::INTERNAL_SERVER_ERROR,
            Code::Busy => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Code::BadRequest => "bad_request",
            Code::Forbidden => "forbidden",
            Code::NotFound => "not_found",
            Code::NotAllowed => "not_allowed",
            Code::Stale => "stale",
            Code::TooLarge => "too_large",
            Code::Illegal => "illegal",
            Code::TooMany => "too_many",
            Code::TooSlow => "too_slow",
            Code::Failed => "failed",
            Code::Busy => "busy",
        }
    }
}

impl ApiError {
    /// A problem of this kind, in words.
    pub fn new(code: Code, message: impl fmt::Display) -> ApiError {
        ApiError { code, message: message.to_string() }
    }

    /// A request that makes no sense.
    pub fn bad(message: impl fmt::Display) -> ApiError {
        ApiError::new(Code::BadRequest, message)
    }

    /// There is no such thing.
    pub fn not_found(message: impl fmt::Display) -> ApiError {
        ApiError::new(Code::NotFound, message)
    }

    /// Something here does not work; it is told to who runs the server, too.
    pub fn failed(message: impl fmt::Display) -> ApiError {
        let problem = ApiError::new(Code::Failed, message);
        tracing::error!("{}", problem.message);
        problem
    }

    /// What kind of problem.
    pub fn code(&self) -> Code {
        self.code
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ApiError {}

/// An error as JSON.
#[derive(Serialize, ToSchema)]
pub struct ErrorBody {
    error: ErrorDetail,
}

/// What went wrong.
#[derive(Serialize, ToSchema)]
pub struct ErrorDetail {
    /// One word for programs.
    #[schema(example = "stale")]
    code: &'static str,
    /// A sentence for people.
    message: String,
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let error = ErrorDetail { code: self.code.name(), message: self.message };
        (self.code.status(), Json(ErrorBody { error })).into_response()
    }
}
