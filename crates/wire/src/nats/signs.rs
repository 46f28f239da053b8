//! Signs of life: who is there, and what they do.

use std::collections::BTreeMap;
use std::time::Instant;

use agon_arena::fleet::{Fleet, RunStatus, WorkerStatus};
use async_nats::Message;

use super::names::{GONE, LARGEST_MESSAGE, LONGEST_TEXT, is_token};

/// The most that are remembered: anybody can say that they are there.
const MOST: usize = 20_000;

/// Everyone who has been heard lately.
#[derive(Debug, Default)]
pub(crate) struct Signs {
    workers: BTreeMap<String, (Instant, WorkerStatus)>,
    runs: BTreeMap<String, (Instant, RunStatus)>,
    /// Messages that were no signs of life.
    pub refused: u64,
}

impl Signs {
    /// Takes a message on one of the subjects of signs. Returns the worker who is new, if one is.
    pub fn hear(&mut self, message: &Message) -> Option<WorkerStatus> {
        let heard = self.try_hear(&message.subject, &message.payload);
        heard.unwrap_or_else(|| {
            self.refused += 1;
            None
        })
    }

    fn try_hear(&mut self, subject: &str, payload: &[u8]) -> Option<Option<WorkerStatus>> {
        let id = subject.rsplit('.').next().filter(|id| is_token(id))?;
        if payload.len() > LARGEST_MESSAGE {
            return None;
        }
        if subject.starts_with("agon.runs.") {
            let status: RunStatus = serde_json::from_slice(payload).ok()?;
            let fits = status.id == id && status.name.len() <= LONGEST_TEXT;
            if !fits || (self.runs.len() >= MOST && !self.runs.contains_key(id)) {
                return None;
            }
            self.runs.insert(id.to_string(), (Instant::now(), status));
            return Some(None);
        }
        let status: WorkerStatus = serde_json::from_slice(payload).ok()?;
        let fits = status.id == id
            && status.name.len() <= LONGEST_TEXT
            && status.games_per_hour.is_finite()
            && status.slots <= 65_536;
        if !fits || (self.workers.len() >= MOST && !self.workers.contains_key(id)) {
            return None;
        }
        let known = self.workers.insert(id.to_string(), (Instant::now(), status.clone()));
        Some(known.is_none().then_some(status))
    }

    /// Forgets those who have not been heard for a while, and returns the workers among them.
    pub fn forget_gone(&mut self) -> Vec<WorkerStatus> {
        let is_gone = |since: &Instant| since.elapsed() > GONE;
        self.runs.retain(|_, (since, _)| !is_gone(since));
        let gone = self.workers.extract_if(.., |_, (since, _)| is_gone(since));
        gone.map(|(_, (_, status))| status).collect()
    }

    /// The workers that are there.
    pub fn workers(&self) -> impl Iterator<Item = &WorkerStatus> {
        self.workers.values().map(|(_, status)| status)
    }

    /// Everyone.
    pub fn fleet(&self) -> Fleet {
        let mut workers: Vec<WorkerStatus> = self.workers().cloned().collect();
        workers.sort_by(|one, other| (&one.name, &one.id).cmp(&(&other.name, &other.id)));
        let mut runs: Vec<RunStatus> = self.runs.values().map(|(_, run)| run.clone()).collect();
        runs.sort_by(|one, other| (&one.name, &one.id).cmp(&(&other.name, &other.id)));
        Fleet { workers, runs }
    }
}
