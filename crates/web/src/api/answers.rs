//! Cached answers to polling pages: computed once a second at most, and sent only to those who do
//! not have them yet.

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

/// How long an answer stays fresh.
const FRESH: Duration = Duration::from_secs(1);

/// Beyond so many answers, those that are stale are forgotten.
const MOST: usize = 64;

/// A cached answer.
#[derive(Clone)]
pub struct Kept {
    tag: String,
    body: Bytes,
}

impl Kept {
    /// The answer with this body.
    pub fn new(value: &impl Serialize) -> Result<Kept, ApiError> {
        let body = serde_json::to_vec(value).map_err(ApiError::failed)?;
        Ok(Kept { tag: tag(&body), body: body.into() })
    }

    /// The answer, or "not modified" if the client has it.
    pub fn to(&self, headers: &HeaderMap) -> Response {
        match knows(headers, &self.tag) {
            true => unchanged(&self.tag),
            false => sent(&self.tag, self.body.clone()),
        }
    }
}

/// A cached answer, computed by one request at a time.
type Place = Arc<Mutex<Option<(Instant, Kept)>>>;

/// The cached answers, by name.
#[derive(Default)]
pub struct Answers(BlockingMutex<HashMap<String, Place>>);

impl Answers {
    /// The answer with this name, computed again if it is stale.
    pub async fn get<T: Serialize>(
        &self,
        name: String,
        make: impl Future<Output = Result<T, ApiError>>,
    ) -> Result<Kept, ApiError> {
        let place = {
            let mut places = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if places.len() >= MOST {
                places.retain(|_, place| Arc::strong_count(place) > 1 || !is_stale(place));
            }
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

impl Answers {
    /// Forgets all answers, because something was changed.
    pub fn forget(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

/// Whether an answer would be computed again.
fn is_stale(place: &Place) -> bool {
    let Ok(kept) = place.try_lock() else { return false };
    kept.as_ref().is_none_or(|(made, _)| made.elapsed() >= FRESH)
}

/// An ETag for a value.
pub fn tag(of: &(impl Hash + ?Sized)) -> String {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    format!("\"{:016x}\"", hasher.finish())
}

/// Whether the client has the version with this tag.
pub fn knows(headers: &HeaderMap, tag: &str) -> bool {
    let known = headers.get(IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    // A proxy that compresses answers makes the tags weak.
    known
        .is_some_and(|known| known.split(',').any(|one| one.trim().trim_start_matches("W/") == tag))
}

/// "Not modified".
pub(crate) fn unchanged(tag: &str) -> Response {
    (StatusCode::NOT_MODIFIED, headers(tag)).into_response()
}

/// JSON with its tag.
pub fn sent(tag: &str, body: impl Into<Bytes>) -> Response {
    (headers(tag), [(CONTENT_TYPE, "application/json")], body.into()).into_response()
}

/// A page that is open for hours polls every two seconds. It must not hold a connection all the time:
/// their number is limited, and agents need some.
fn headers(tag: &str) -> [(HeaderName, &str); 3] {
    [(ETAG, tag), (CACHE_CONTROL, "no-cache"), (CONNECTION, "close")]
}
