//! Answers that many ask for again and again: made once a second at most, and sent to those only
//! who do not have them.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex as BlockingMutex, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::http::header::{CACHE_CONTROL, CONNECTION, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, HeaderName, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use tokio::sync::Mutex;

use crate::error::ApiError;

/// For how long an answer is good.
const FRESH: Duration = Duration::from_secs(1);

/// An answer as it is sent.
#[derive(Clone)]
pub struct Kept {
    tag: String,
    body: Bytes,
}

impl Kept {
    fn new(value: &impl Serialize) -> Result<Kept, ApiError> {
        let body = serde_json::to_vec(value).map_err(ApiError::failed)?;
        Ok(Kept { tag: tag(&body), body: body.into() })
    }

    /// The answer, or that nothing has changed for who says what it has.
    pub fn to(&self, headers: &HeaderMap) -> Response {
        match knows(headers, &self.tag) {
            true => unchanged(&self.tag),
            false => sent(&self.tag, self.body.clone()),
        }
    }
}

/// Where an answer is kept, and made by one at a time.
type Place = Arc<Mutex<Option<(Instant, Kept)>>>;

/// The answers that are kept, by name.
#[derive(Default)]
pub struct Answers(BlockingMutex<HashMap<String, Place>>);

impl Answers {
    /// The answer of this name, made anew if it is old. There have to be few names.
    pub async fn get<T: Serialize>(
        &self,
        name: String,
        make: impl Future<Output = Result<T, ApiError>>,
    ) -> Result<Kept, ApiError> {
        let place = {
            let mut places = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            places.entry(name).or_default().clone()
        };
        let mut kept = place.lock().await;
        if let Some((made, kept)) = &*kept
            && made.elapsed() < FRESH
        {
            return Ok(kept.clone());
        }
        let fresh = Kept::new(&make.await?)?;
        *kept = Some((Instant::now(), fresh.clone()));
        Ok(fresh)
    }
}

/// A tag that changes with what is tagged.
pub fn tag(of: &(impl Hash + ?Sized)) -> String {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    format!("\"{:016x}\"", hasher.finish())
}

/// Whether who asks has what this tag stands for.
pub fn knows(headers: &HeaderMap, tag: &str) -> bool {
    let known = headers.get(IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    // A server in between that packs answers makes the tags weak.
    known
        .is_some_and(|known| known.split(',').any(|one| one.trim().trim_start_matches("W/") == tag))
}

/// Nothing new.
pub fn unchanged(tag: &str) -> Response {
    (StatusCode::NOT_MODIFIED, headers(tag)).into_response()
}

/// JSON with its tag.
pub fn sent(tag: &str, body: impl Into<Bytes>) -> Response {
    (headers(tag), [(CONTENT_TYPE, "application/json")], body.into()).into_response()
}

/// A page that is open for hours asks every two seconds. It must not keep a connection all the time:
/// there is a limited number of them, and agents need some.
fn headers(tag: &str) -> [(HeaderName, &str); 3] {
    [(ETAG, tag), (CACHE_CONTROL, "no-cache"), (CONNECTION, "close")]
}
