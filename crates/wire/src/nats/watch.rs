//! Sees who is there.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use agon_arena::fleet::{Fleet, Lookout};
use async_nats::connection::State;
use async_nats::jetstream::Context;
use futures_util::StreamExt;
use tokio::runtime::Runtime;
use tokio::time::sleep;

use super::access::{Access, Link};
use super::broker::refused;
use super::names::{ALL_RUNS, ALL_STATUSES, PING};
use super::signs::Signs;
use super::{NatsError, runtime};

/// How long those who are there may take to say so.
const ANSWERS: Duration = Duration::from_millis(800);
/// How often somebody who watches for long forgets those who are gone.
const LOOK: Duration = Duration::from_secs(1);

/// Watches workers and runs for as long as it lives.
pub struct Watch {
    access: Access,
    signs: Arc<Mutex<Signs>>,
    broker: Context,
    /// Until it is dropped.
    runtime: Option<Runtime>,
}

impl Watch {
    /// Connects, and waits a moment for everyone who is there to say so.
    pub fn open(access: &Access) -> Result<Watch, NatsError> {
        let runtime = runtime()?;
        let signs: Arc<Mutex<Signs>> = Arc::default();
        let broker = runtime.block_on(async {
            let refusal: Arc<Mutex<Option<String>>> = Arc::default();
            let noted = refusal.clone();
            let note = move |link| {
                if let Link::Refused(problem) = link {
                    *noted.lock().unwrap_or_else(PoisonError::into_inner) = Some(problem);
                }
            };
            let broker = access.connect("agon workers", note).await?;
            listen(&broker, signs.clone()).await?;
            sleep(ANSWERS).await;
            let refused = refusal.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some(problem) = refused {
                let what = "show its workers to this user".to_string();
                return Err(NatsError::Broker { what, problem });
            }
            Ok::<_, NatsError>(broker)
        })?;
        Ok(Watch { access: access.clone(), signs, broker, runtime: Some(runtime) })
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        // Whoever drops it may not wait for its threads: it may be a thread of another runtime.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl Lookout for Watch {
    fn fleet(&self) -> Result<Fleet, String> {
        if self.broker.client().connection_state() != State::Connected {
            return Err(format!("the broker at {} cannot be reached", self.access.shown()));
        }
        Ok(self.signs.lock().unwrap_or_else(PoisonError::into_inner).fleet())
    }
}

/// Listens to signs of life from now on, and asks for them.
pub(crate) async fn listen(broker: &Context, signs: Arc<Mutex<Signs>>) -> Result<(), NatsError> {
    let client = broker.client();
    let mut workers = client.subscribe(ALL_STATUSES).await.map_err(refused("listen to workers"))?;
    let mut runs = client.subscribe(ALL_RUNS).await.map_err(refused("listen to runs"))?;
    client.publish(PING, "".into()).await.map_err(refused("ask who is there"))?;
    client.flush().await.map_err(refused("ask who is there"))?;
    tokio::spawn(async move {
        let mut tick = tokio::time::interval(LOOK);
        loop {
            let message = tokio::select! {
                message = workers.next() => message,
                message = runs.next() => message,
                _ = tick.tick() => {
                    // Nobody is gone only because the broker is away.
                    let is_there = client.connection_state() == State::Connected;
                    signs.lock().unwrap_or_else(PoisonError::into_inner).forget_gone(is_there);
                    continue;
                }
            };
            let Some(message) = message else { return };
            signs.lock().unwrap_or_else(PoisonError::into_inner).hear(&message);
        }
    });
    Ok(())
}
