//! The client's files, embedded in the program.

use std::borrow::Cow;

use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use rust_embed::{EmbeddedFile, RustEmbed};

use crate::error::{ApiError, Code};

/// The files. Debug builds read them from the folder, so that a change is seen at the next reload.
#[derive(RustEmbed)]
#[folder = "client/"]
struct Files;

/// The page for every address outside the API; its scripts route by the address.
const PAGE: &str = "index.html";
/// Where the other files are.
const FOLDER: &str = "/client/";

/// Which pages the server offers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Frame {
    /// All pages but that of workers on other machines.
    Workbench,
    /// All pages.
    WithWorkers,
    /// Only the contest.
    Contest,
}

impl Frame {
    /// What the page's root element says about it, in `data-frame`.
    fn mark(self) -> &'static str {
        match self {
            Frame::Workbench => "workbench",
            Frame::WithWorkers => "workbench workers",
            Frame::Contest => "contest",
        }
    }
}

/// How the page in the folder is marked.
const MARK: &str = "data-frame=\"workbench\"";

/// Answers everything that is not the API.
pub async fn serve(request: Request, frame: Frame) -> Response {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return ApiError::new(Code::NotAllowed, "pages can only be read").into_response();
    }
    let path = request.uri().path();
    let name = match path.strip_prefix(FOLDER) {
        Some(name) => name,
        None if path == "/favicon.ico" => "favicon.svg",
        None if path == "/api" || path.starts_with("/api/") => {
            return ApiError::not_found(
                "there is nothing here; /api/openapi.json describes the API",
            )
            .into_response();
        }
        None => PAGE,
    };
    let (Some(kind), Some(mut file)) = (kind(name), Files::get(name)) else {
        return ApiError::not_found(format!("there is no file {name:?}")).into_response();
    };
    let mut tag = tag(&file);
    if name == PAGE && frame != Frame::Workbench {
        let mark = frame.mark();
        let page = String::from_utf8_lossy(&file.data);
        let page = page.replace(MARK, &format!("data-frame=\"{mark}\""));
        file.data = Cow::Owned(page.into_bytes());
        tag.insert_str(1, &format!("{}-", mark.replace(' ', "-")));
    }
    let known = request.headers().get(IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    let headers = [(ETAG, tag.as_str()), (CACHE_CONTROL, "no-cache")];
    if known == Some(tag.as_str()) {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    let body = match file.data {
        Cow::Borrowed(bytes) => Body::from(bytes),
        Cow::Owned(bytes) => Body::from(bytes),
    };
    (headers, [(CONTENT_TYPE, kind)], body).into_response()
}

/// An ETag that changes with the file's contents.
fn tag(file: &EmbeddedFile) -> String {
    let hash = file.metadata.sha256_hash();
    let start: String = hash.iter().take(12).map(|byte| format!("{byte:02x}")).collect();
    format!("\"{start}\"")
}

/// The content type of a file, if it is meant for browsers: types and tests are in the same folder.
fn kind(name: &str) -> Option<&'static str> {
    match name.rsplit_once('.')?.1 {
        _ if name.starts_with("tests/") => None,
        "html" => Some("text/html; charset=utf-8"),
        "js" => Some("text/javascript; charset=utf-8"),
        "css" => Some("text/css; charset=utf-8"),
        "svg" => Some("image/svg+xml"),
        _ => None,
    }
}
