//! An agent that thinks in the background, so that the screen stays responsive.

use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use agon_arena::player::Heard;
use agon_arena::session::TableSession;
use agon_search::StopFlag;
use anyhow::{Context, anyhow};

use super::super::agents::Agent;

/// The purpose of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    /// A move for the player to move.
    Move,
    /// A hint.
    Hint,
}

/// A search in another thread.
pub(super) struct Thinking {
    pub(super) purpose: Purpose,
    started: Instant,
    stop: StopFlag,
    worker: JoinHandle<Heard<String>>,
}

impl Thinking {
    /// Starts an agent on a copy of the game.
    pub(super) fn start(
        agent: &Agent,
        session: TableSession,
        purpose: Purpose,
    ) -> anyhow::Result<Thinking> {
        let (agent, stop) = (agent.clone(), StopFlag::default());
        let flag = stop.clone();
        let worker = thread::Builder::new().spawn(move || agent.answer(&session, flag));
        let worker = worker.context("cannot start a search thread")?;
        Ok(Thinking { purpose, started: Instant::now(), stop, worker })
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    pub(super) fn is_done(&self) -> bool {
        self.worker.is_finished()
    }

    /// Waits for the answer.
    pub(super) fn answer(self) -> anyhow::Result<Heard<String>> {
        self.worker.join().map_err(|_| anyhow!("the agent's thread crashed"))
    }

    /// Stops the search and drops its answer.
    pub(super) fn cancel(self) {
        self.stop.stop();
    }
}
