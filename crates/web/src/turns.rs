//! Requests that compute something wait for the others of the same client, so that those of other
//! clients have only a few before them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::clients::Client;
use crate::error::ApiError;
use crate::limits;

/// The requests of each client that are being answered.
#[derive(Clone, Default)]
pub(crate) struct Turns(Arc<Mutex<HashMap<Client, Arc<Semaphore>>>>);

impl Turns {
    /// Waits until this client has few enough other requests.
    async fn wait(&self, client: Client) -> Result<OwnedSemaphorePermit, ApiError> {
        let places = {
            let mut clients = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if clients.len() >= limits::CONNECTIONS {
                clients.retain(|_, places| Arc::strong_count(places) > 1);
            }
            let new = || Arc::new(Semaphore::new(limits::WORKING_FOR_ONE));
            clients.entry(client).or_insert_with(new).clone()
        };
        places.acquire_owned().await.map_err(ApiError::failed)
    }
}

/// Lets a client's requests take turns. What happens in a game is not computed here, and may have to
/// wait for an agent.
pub(crate) async fn take(
    State(turns): State<Turns>,
    client: Client,
    request: Request,
    next: Next,
) -> Response {
    if request.uri().path().starts_with("/games/") {
        return next.run(request).await;
    }
    match turns.wait(client).await {
        Ok(_turn) => next.run(request).await,
        Err(problem) => problem.into_response(),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::clients::Clients;

    #[tokio::test]
    async fn a_client_waits_for_its_own_requests_alone() {
        let (turns, clients) = (Turns::default(), Clients::new(false));
        let client = |number: u32| clients.at(std::net::Ipv4Addr::from_bits(number).into());
        let mut busy = Vec::new();
        for _ in 0..limits::WORKING_FOR_ONE {
            busy.push(turns.wait(client(1)).await.unwrap());
        }
        let waits = async |number| {
            let waiting = turns.wait(client(number));
            tokio::time::timeout(Duration::from_millis(20), waiting).await.is_err()
        };
        assert!(waits(1).await && !waits(2).await);
        busy.pop();
        assert!(!waits(1).await);
        for number in 3..3000 {
            assert!(!waits(number).await);
        }
        let known = turns.0.lock().unwrap().len();
        assert!(known <= limits::CONNECTIONS + 1, "idle clients are forgotten: {known}");
    }
}
