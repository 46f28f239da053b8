//! Errors of the API: a status, a code for programs and a sentence for people.

use std::fmt;

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

/// Why a request failed. Nothing was changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ApiError {
    code: Code,
    message: String,
}

/// The kind of error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Code {
    /// The request is malformed.
    BadRequest,
    /// The client may not do this.
    Forbidden,
    /// There is no such thing.
    NotFound,
    /// The path exists, but not with this method.
    NotAllowed,
    /// The game has changed in the meantime.
    Stale,
    /// Something has changed, and the client has to say what to do.
    Changed,
    /// Somebody else has changed it in the meantime.
    Conflict,
    /// The request is too large.
    TooLarge,
    /// The head of the request is too large.
    HeadTooLarge,
    /// Against the rules of the game.
    Illegal,
    /// There are too many of these already.
    TooMany,
    /// The request timed out.
    TooSlow,
    /// An internal error.
    Failed,
    /// Try again later.
    Busy,
    /// Something that this server needs for the answer cannot be reached now.
    Away,
}

impl Code {
    fn status(self) -> StatusCode {
        match self {
            Code::BadRequest => StatusCode::BAD_REQUEST,
            Code::Forbidden => StatusCode::FORBIDDEN,
            Code::NotFound => StatusCode::NOT_FOUND,
            Code::NotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Code::Stale | Code::Changed | Code::Conflict => StatusCode::CONFLICT,
            Code::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Code::HeadTooLarge => StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
            Code::Illegal => StatusCode::UNPROCESSABLE_ENTITY,
            Code::TooMany => StatusCode::TOO_MANY_REQUESTS,
            Code::TooSlow => StatusCode::REQUEST_TIMEOUT,
            Code::Failed => StatusCode::INTERNAL_SERVER_ERROR,
            Code::Busy | Code::Away => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Code::BadRequest => "bad_request",
            Code::Forbidden => "forbidden",
            Code::NotFound => "not_found",
            Code::NotAllowed => "not_allowed",
            Code::Stale => "stale",
            Code::Changed => "changed",
            Code::Conflict => "conflict",
            Code::TooLarge | Code::HeadTooLarge => "too_large",
            Code::Illegal => "illegal",
            Code::TooMany => "too_many",
            Code::TooSlow => "too_slow",
            Code::Failed => "failed",
            Code::Busy => "busy",
            Code::Away => "away",
        }
    }
}

impl ApiError {
    /// An error of this kind, with its message.
    pub fn new(code: Code, message: impl fmt::Display) -> ApiError {
        ApiError { code, message: message.to_string() }
    }

    /// A malformed request.
    pub fn bad(message: impl fmt::Display) -> ApiError {
        ApiError::new(Code::BadRequest, message)
    }

    /// There is no such thing.
    pub fn not_found(message: impl fmt::Display) -> ApiError {
        ApiError::new(Code::NotFound, message)
    }

    /// An internal error, which is logged, too.
    pub fn failed(message: impl fmt::Display) -> ApiError {
        let problem = ApiError::new(Code::Failed, message);
        tracing::error!("{}", problem.message);
        problem
    }

    /// The kind of error.
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
pub(crate) struct ErrorBody {
    error: ErrorDetail,
}

/// What went wrong.
#[derive(Serialize, ToSchema)]
pub(crate) struct ErrorDetail {
    /// A code for programs.
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
