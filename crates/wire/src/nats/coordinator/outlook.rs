//! Everything that is not games: who is there, what is lost, what people are told.

use std::time::{Duration, Instant};

use agon_arena::fleet::{Refusal, WorkerStatus};
use agon_arena::workers::Jobs;
use agon_core::printable;

use super::super::names::short;
use super::super::requirement::Kind;
use super::super::{NatsError, broker};
use super::{Coordinator, Notice, State};

/// How often the queue is compared with the books.
const AUDIT: Duration = Duration::from_secs(5);
/// How long to wait for workers before saying that there are none, and before saying it again.
const LONELY: Duration = Duration::from_secs(5);
const STILL_LONELY: Duration = Duration::from_secs(55);
/// How many workers are greeted.
const MOST_SEEN: usize = 200;

impl Coordinator {
    /// How many games can be played at a time, as far as workers are known.
    pub(super) fn slots(&self, state: &State) -> usize {
        let signs = self.signs.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let cannot = |worker: &WorkerStatus| {
            let refuses = |class: &String| worker.refused.iter().any(|it| it.run == **class);
            let unprepared = worker.refused.iter().any(|it| it.run == self.brief_sum);
            worker.leaving
                || unprepared
                || (!state.classes.is_empty() && state.classes.values().all(refuses))
        };
        signs.workers().filter(|worker| !cannot(worker)).map(|worker| worker.slots).sum()
    }

    pub(super) async fn look_around(&self, state: &mut State, jobs: &Jobs<'_>) {
        let slots = self.slots(state);
        let left = jobs.most() + state.books.waiting();
        let (all, waiting, workers) =
            (jobs.batch.first() + jobs.batch.games(), state.books.waiting(), state.players.len());
        let seconds_left = state.packing.seconds(left, slots);
        self.board.update(|status| {
            status.done = all.saturating_sub(left);
            (status.waiting, status.workers, status.seconds_left) =
                (waiting, workers, seconds_left);
        });
        self.name_workers(state);
        if slots > 0 || waiting == 0 {
            state.lonely_since = None;
        } else if state.lonely_since.get_or_insert_with(Instant::now).elapsed() > LONELY {
            state.lonely_since = Some(Instant::now() + STILL_LONELY);
            let there = self.signs.lock().map_or(0, |signs| signs.workers().count());
            let text = match there {
                0 => {
                    let url = self.orders.access.shown();
                    format!("no worker can play these games yet; agon worker --nats {url}")
                }
                _ => format!("no worker can play these games yet: not one of the {there} there"),
            };
            self.notice(Notice::Remark(text));
        }
        if state.last_audit.is_none_or(|last| last.elapsed() > AUDIT) {
            state.last_audit = Some(Instant::now());
            if let Err(error) = self.audit(state).await {
                self.complain(state, &error);
            }
        }
    }

    /// Says who has come, and names workers that cannot play our games.
    fn name_workers(&self, state: &mut State) {
        let signs = self.signs.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let ours = |it: &&Refusal| {
            it.run == self.brief_sum || state.classes.values().any(|class| *class == it.run)
        };
        let mut notices = Vec::new();
        for worker in signs.workers() {
            let name = printable(&worker.name);
            if state.seen.len() < MOST_SEEN && state.seen.insert(worker.id.clone()) {
                notices.push(Notice::Remark(greeting(worker, &name)));
            }
            if let Some(refusal) = worker.refused.iter().find(ours)
                && state.named.len() < MOST_SEEN
                && state.named.insert(worker.id.clone())
            {
                let reason = short(&refusal.reason);
                let text = format!("worker {name} is not used: {}", printable(&reason));
                notices.push(Notice::Warning(text));
            }
        }
        drop(signs);
        notices.into_iter().for_each(|notice| self.notice(notice));
    }

    /// Compares the queue with the books: what is neither queued, nor being played, nor on its way
    /// back has been lost, and is sent again.
    async fn audit(&self, state: &mut State) -> Result<(), NatsError> {
        let there = match self.units_there().await {
            Ok(there) => there,
            Err(_) => {
                // Perhaps the streams are gone; perhaps the broker is, and then this fails, too.
                broker::prepare(&self.broker, self.orders.replicas).await?;
                0
            }
        };
        let out = state.books.units.values().filter(|out| out.sent).count();
        // A unit is in neither queue for a moment.
        if there >= out || !std::mem::replace(&mut state.missing_before, true) {
            state.missing_before = there < out;
            return Ok(());
        }
        state.missing_before = false;
        self.send_all_again(state).await
    }

    /// How many units are queued or being played, and how many messages have come back.
    async fn units_there(&self) -> Result<usize, NatsError> {
        let queued = broker::queued(&self.broker, &self.run).await?;
        let info = self.results.clone().info().await.cloned();
        let info = info.map_err(broker::refused("count the results"))?;
        Ok(queued + usize::try_from(info.num_pending).unwrap_or(0) + info.num_ack_pending)
    }

    /// Sends everything again that is out, with all that it needs.
    async fn send_all_again(&self, state: &mut State) -> Result<(), NatsError> {
        let text = "the broker has lost units; they are sent again".to_string();
        self.notice(Notice::Warning(text));
        state.incoming = None;
        broker::results_consumer(&self.broker, &self.run, &self.id).await?;
        self.brief.send(&self.broker, &self.parcels, &mut |_| {}).await?;
        // The consumers of the classes may be gone as well.
        state.classes.clear();
        let kinds: Vec<Kind> =
            state.books.fixtures().map(|it| Kind::of(&self.tournament, &self.brief, it)).collect();
        for kind in kinds {
            self.class_of(state, kind).await?;
        }
        state.sends += 1;
        state.books.send_all_again();
        Ok(())
    }
}

fn greeting(worker: &WorkerStatus, name: &str) -> String {
    let (slots, speed) = (worker.slots, worker.abilities.speed as f64 / 1e6);
    format!("worker {name}: {slots} slots, {speed:.2} million nodes/s")
}
