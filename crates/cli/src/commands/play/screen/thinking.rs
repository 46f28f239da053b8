//! An agent that thinks while the screen stays alive.

use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use agon_arena::player::Heard;
use agon_arena::session::TableSession;
use agon_search::StopFlag;
use anyhow::{Context, anyhow};

use super::super::agents::Agent;

/// What is thought about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    /// A move of the player to move.
    Move,
    /// A move to advise.
    Hint,
}

/// A thought in another thread.
pub(super) struct Thinking {
    pub(super) purpose: Purpose,
    started: Instant,
    stop: StopFlag,
    worker: JoinHandle<Heard<String>>,
}

impl Thinking {
    /// Lets an agent think about a copy of the game.
    pub(super) fn start(
        agent: &Agent,
        session: TableSession,
        purpose: Purpose,
    ) -> anyhow::Result<Thinking> {
        let (agent, stop) = (agent.clone(), StopFlag::default());
        let told = stop.clone();
        let worker = thread::Builder::new().spawn(move || agent.answer(&session, told));
        let worker = worker.context("cannot start a thread to think in")?;
        Ok(Thinking { purpose, started: Instant::now(), stop, worker })
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    pub(super) fn is_done(&self) -> bool {
        self.worker.is_finished()
    }

    /// The answer; waits for it if it is not there yet.
    pub(super) fn answer(self) -> anyhow::Result<Heard<String>> {
        self.worker.join().map_err(|_| anyhow!("the thread of the agent broke down"))
    }

    /// Nobody wants the answer any more.
    pub(super) fn forget(self) {
        self.stop.stop();
    }
}
