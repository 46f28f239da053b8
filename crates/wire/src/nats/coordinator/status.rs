//! What a coordinator says about its run, on the broker and to Prometheus.

use std::sync::{Arc, Mutex, PoisonError};

use agon_arena::fleet::RunStatus;
use async_nats::jetstream::Context;
use futures_util::StreamExt;

use super::super::NatsError;
use super::super::broker::refused;
use super::super::lock::host_name;
use super::super::metrics::Metric;
use super::super::names::{PING, SIGN_OF_LIFE, short};

/// How many warnings are kept.
const MOST_WARNINGS: usize = 20;

/// The status of a run, kept up to date by whoever plays it.
pub(super) struct Board(Mutex<RunStatus>);

impl Board {
    pub fn new(run: &str, name: &str) -> Board {
        let coordinator = format!("{}, process {}", host_name(), std::process::id());
        let (id, name) = (run.to_string(), short(name));
        Board(Mutex::new(RunStatus { id, name, coordinator, ..RunStatus::default() }))
    }

    /// Changes it.
    pub fn update(&self, change: impl FnOnce(&mut RunStatus)) {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }

    pub fn warn(&self, text: &str) {
        self.update(|status| {
            status.warnings.push(short(text));
            if status.warnings.len() > MOST_WARNINGS {
                status.warnings.remove(0);
            }
        });
    }

    fn now(&self) -> RunStatus {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub fn metrics(&self) -> Vec<Metric> {
        let it = self.now();
        let of_run = |name, help, counts, value: f64| Metric {
            name,
            help,
            counts,
            values: vec![(vec![("run", it.name.clone())], value)],
        };
        vec![
            of_run("agon_run_games_done", "Games that have been counted.", true, it.done as f64),
            of_run("agon_run_games", "Games of the run at most.", false, it.games as f64),
            of_run(
                "agon_run_games_waiting",
                "Games that are queued or being played.",
                false,
                it.waiting as f64,
            ),
            of_run(
                "agon_run_workers",
                "Workers that have returned games.",
                false,
                it.workers as f64,
            ),
            of_run(
                "agon_run_messages_refused",
                "Messages that were forged, damaged or not what the rules say.",
                true,
                it.refused as f64,
            ),
        ]
    }
}

/// Publishes the status every few seconds, and whenever somebody asks.
pub(super) async fn announce(broker: &Context, board: &Arc<Board>) -> Result<(), NatsError> {
    let (client, board) = (broker.client(), board.clone());
    let mut pings = client.subscribe(PING).await.map_err(refused("listen to questions"))?;
    tokio::spawn(async move {
        let subject = format!("agon.runs.{}", board.now().id);
        let mut tick = tokio::time::interval(SIGN_OF_LIFE);
        loop {
            tokio::select! {
                _ = tick.tick() => {}
                ping = pings.next() => if ping.is_none() { return },
            }
            let text = serde_json::to_vec(&board.now()).unwrap_or_default();
            // If the broker is away, nobody can hear it.
            let _ = client.publish(subject.clone(), text.into()).await;
        }
    });
    Ok(())
}
