//! Signs of life: who is there, and what they do.

use std::collections::BTreeMap;
use std::time::Instant;

use agon_arena::fleet::{Fleet, RunStatus, WorkerStatus};
use async_nats::Message;

use super::names::{GONE, LARGEST_SIGN, LONGEST_TEXT, is_token};

/// The most that are remembered: anybody can say that they are there.
const MOST: usize = 5000;
/// The most games at a time that a worker is believed to play.
const MOST_SLOTS: usize = 4096;

/// Everyone who has been heard lately.
#[derive(Debug)]
pub(crate) struct Signs {
    /// Until when nobody could be heard.
    deaf_until: Instant,
    workers: BTreeMap<String, (Instant, WorkerStatus)>,
    runs: BTreeMap<String, (Instant, RunStatus)>,
    /// Messages that were no signs of life.
    pub refused: u64,
}

impl Default for Signs {
    fn default() -> Signs {
        let (workers, runs) = (BTreeMap::new(), BTreeMap::new());
        Signs { deaf_until: Instant::now(), workers, runs, refused: 0 }
    }
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
        if payload.len() > LARGEST_SIGN {
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
            && status.slots <= MOST_SLOTS;
        if !fits || (self.workers.len() >= MOST && !self.workers.contains_key(id)) {
            return None;
        }
        let known = self.workers.insert(id.to_string(), (Instant::now(), status.clone()));
        Some(known.is_none().then_some(status))
    }

    /// Forgets those who have not been heard for a while, of the time in which they could have been.
    pub fn forget_gone(&mut self, can_hear: bool) {
        if !can_hear {
            self.deaf_until = Instant::now();
            return;
        }
        let deaf_until = self.deaf_until;
        let is_there = |heard: &Instant| (*heard).max(deaf_until).elapsed() < GONE;
        self.runs.retain(|_, (heard, _)| is_there(heard));
        self.workers.retain(|_, (heard, _)| is_there(heard));
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
