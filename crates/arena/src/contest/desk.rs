//! The runs of one account: which ones it is asked about, and what its answers do.

use std::collections::BTreeMap;

use agon_core::rng::mix;
use agon_search::AgentError;
use serde_json::Value;

use super::environment::Environment;
use super::rating::Rating;
use super::run::{Refused, Run};
use crate::store::{RunChange, StoredRun, now};
use crate::venue::derived;

/// The open runs of an account, and its rating. Changes have to be stored before they are reported
/// to anybody.
pub struct Desk {
    environment: String,
    agent: String,
    runs: BTreeMap<u64, Open>,
    rating: Rating,
    /// The random seed of its runs.
    seed: u64,
    changes: Vec<serde_json::Result<RunChange>>,
}

struct Open {
    run: Run,
    asked: bool,
    changed: bool,
}

/// The result of an action.
#[derive(Clone, PartialEq, Debug)]
pub enum Acted {
    /// It was made, and the run goes on.
    Accepted,
    /// It was made and ended the run, with this outcome.
    Finished(f64),
    /// It refers to another state of the run.
    WrongNumber,
    /// The account has no open run of this number.
    NotOpen,
    /// It is illegal; the reason, in one line.
    Illegal(String),
}

/// A request for an action.
#[derive(Clone, PartialEq, Debug)]
pub struct ActionRequest {
    /// The run.
    pub run: u64,
    /// How many actions the agent has made in it.
    pub act_no: u64,
    /// What the agent sees.
    pub percept: Value,
}

impl Desk {
    /// The desk of an account as it was stored. All random choices in its runs follow from the seed
    /// and the account, not from what other accounts do meanwhile.
    pub fn open(
        environment: &Environment,
        agent: &str,
        stored: &[StoredRun],
        rating: Rating,
        seed: u64,
    ) -> Result<Desk, String> {
        let mut runs = BTreeMap::new();
        for stored in stored {
            let run = Run::read(&environment.catalog, &stored.document)
                .map_err(|why| format!("run {}: {why}", stored.id))?;
            runs.insert(stored.id, Open { run, asked: stored.asked, changed: false });
        }
        let (environment, agent) = (environment.id.clone(), agent.to_string());
        let seed = [&environment, &agent].iter().fold(mix(seed), |seed, name| {
            name.bytes().chain([0xFF]).fold(seed, |seed, byte| mix(seed ^ u64::from(byte)))
        });
        Ok(Desk { environment, agent, runs, rating, seed, changes: Vec::new() })
    }

    /// The rating now.
    pub fn rating(&self) -> &Rating {
        &self.rating
    }

    /// The numbers of all open runs.
    pub fn open_runs(&self) -> impl Iterator<Item = u64> {
        self.runs.keys().copied()
    }

    /// Makes an action, if it refers to the current state of the run.
    pub fn act(
        &mut self,
        environment: &Environment,
        id: u64,
        act_no: u64,
        action: &Value,
    ) -> Acted {
        let Some(open) = self.runs.get_mut(&id) else { return Acted::NotOpen };
        if open.run.acts() != act_no {
            return Acted::WrongNumber;
        }
        match open.run.act(environment, action) {
            Err(Refused::Illegal(why)) => return Acted::Illegal(why),
            Err(Refused::Over) => return Acted::NotOpen,
            Ok(()) => {}
        }
        (open.asked, open.changed) = (false, true);
        match open.run.outcome(environment) {
            Some(outcome) => {
                self.finish(id, outcome);
                Acted::Finished(outcome)
            }
            None => Acted::Accepted,
        }
    }

    /// Abandons a run and returns its outcome; `None` if it is not open.
    pub fn abandon(&mut self, environment: &Environment, id: u64) -> Option<f64> {
        self.runs.contains_key(&id).then(|| {
            self.finish(id, environment.worst());
            environment.worst()
        })
    }

    fn finish(&mut self, id: u64, outcome: f64) {
        let Some(open) = self.runs.remove(&id) else { return };
        self.rating.add(outcome);
        let best = self.rating.best();
        let run = self.stored(id, &open).map(|run| StoredRun { outcome: Some(outcome), ..run });
        self.changes.push(run.map(|run| RunChange::Finish { run, best }));
    }

    fn stored(&self, id: u64, open: &Open) -> serde_json::Result<StoredRun> {
        Ok(StoredRun {
            id,
            environment: self.environment.clone(),
            agent: self.agent.clone(),
            acts: open.run.acts(),
            asked: open.asked,
            document: open.run.document()?,
            outcome: None,
            updated_at: now(),
        })
    }

    /// The runs that the agent is asked about, at most `most`: those it has not answered yet; if
    /// there are none, new runs are started until `most` are open. `begin` returns a new run's
    /// number.
    pub fn schedule(
        &mut self,
        environment: &Environment,
        most: usize,
        begin: &mut dyn FnMut() -> u64,
    ) -> Result<Vec<ActionRequest>, AgentError> {
        if !self.runs.values().any(|open| open.asked) {
            while self.runs.len() < most {
                let begun = self.rating.finished() + self.runs.len() as u64;
                let run = Run::begin(environment, derived(self.seed, begun, 0))?;
                self.runs.insert(begin(), Open { run, asked: false, changed: true });
            }
            for open in self.runs.values_mut().take(most) {
                (open.asked, open.changed) = (true, true);
            }
        }
        let asked = self.runs.iter().filter(|(_, open)| open.asked).take(most);
        let request = |(id, open): (&u64, &Open)| ActionRequest {
            run: *id,
            act_no: open.run.acts(),
            percept: open.run.percept(),
        };
        Ok(asked.map(request).collect())
    }

    /// The changes since the last call, in the order in which they have to be stored. If one of
    /// them cannot be serialised, nothing may be stored, and the desk has to be read again.
    pub fn take_changes(&mut self) -> serde_json::Result<Vec<RunChange>> {
        let changed: Vec<u64> =
            self.runs.iter().filter(|(_, open)| open.changed).map(|(id, _)| *id).collect();
        for id in changed {
            if let Some(open) = self.runs.get(&id) {
                let stored = self.stored(id, open);
                self.changes.push(stored.map(RunChange::Put));
            }
            if let Some(open) = self.runs.get_mut(&id) {
                open.changed = false;
            }
        }
        std::mem::take(&mut self.changes).into_iter().collect()
    }
}
