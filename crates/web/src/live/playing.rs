//! A game in memory: the session, and what pages know about it besides.

use std::sync::Arc;
use std::time::{Duration, Instant};

use agon_arena::player::{Answer, NoAnswer};
use agon_arena::session::TableSession;
use agon_arena::store::{Entrant, PageGame, SittingChange, StoredGame, now};
use agon_core::Seat;
use agon_games::Table;
use agon_search::StopFlag;
use tokio::task::AbortHandle;

use super::document::{Details, Document, Holder};
use super::game::Told;
use crate::error::{ApiError, Code};
use crate::limits;
use crate::rivals::Rivals;
use crate::view::{OutcomeView, Part};

/// How many steps of a game to watch can be asked for ahead.
const STEPS: u32 = 100;

/// A game in memory.
pub struct Playing {
    /// The game itself.
    pub session: TableSession,
    /// What pages know about it besides.
    pub details: Details,
    /// When the position last changed.
    pub changed_at: Instant,
    /// The search, the pause or the clock that goes on for the player to move.
    pub job: Option<Job>,
    /// The next job's number.
    next_job: u64,
    /// How many moves a game to watch plays although it is paused.
    pub steps: u32,
    /// Why the agent to move could not be asked, though nobody is to blame.
    pub trouble: Option<String>,
    /// It was deleted; whoever still holds it can do nothing with it.
    pub gone: bool,
    /// The game as pages got it last.
    pub(super) told: Told,
}

/// Something that goes on for the player to move.
pub struct Job {
    /// Its number: whoever comes back with another is too late.
    pub number: u64,
    /// Stops it.
    pub stop: StopFlag,
    /// Whether an agent was asked.
    pub asked: bool,
    /// What waits for a clock to run out.
    pub timer: Option<AbortHandle>,
}

/// What a change can be taken back to.
pub struct Memento {
    session: TableSession,
    details: Details,
    steps: u32,
}

impl Playing {
    /// Opens a game where it stands.
    pub fn open(document: Document) -> Result<Playing, String> {
        let Document { session, details, .. } = document;
        let session = TableSession::resume(&session)?.ending_after(limits::PLIES);
        let (wanted, given) = (session.table().seats(), details.seats.len());
        if given != wanted {
            return Err(format!("{given} seats instead of {wanted}"));
        }
        Ok(Playing {
            session,
            details,
            changed_at: Instant::now(),
            job: None,
            next_job: 0,
            steps: 0,
            trouble: None,
            gone: false,
            told: Told::default(),
        })
    }

    /// The same game as another process has left it. What goes on for it goes on.
    pub(super) fn become_newer(&mut self, newer: Playing) {
        let Playing { session, details, .. } = newer;
        (self.session, self.details, self.told) = (session, details, Told::default());
        self.changed_at = Instant::now();
    }

    /// The game as it is kept.
    pub fn document(&self) -> Document {
        Document::new(self.session.stored(), self.details.clone())
    }

    /// The change that keeps the game as it is now; with its record, if it is over.
    pub(super) fn kept_as(&self, id: &str) -> Result<SittingChange, ApiError> {
        let sitting = self.document().sitting(id, self.is_over()).map_err(ApiError::failed)?;
        let Some(game) = self.session.record() else { return Ok(SittingChange::Put(sitting)) };
        let entrant = |holder: &Holder| holder.agent().map_or_else(Entrant::person, Entrant::agent);
        let players = self.details.seats.iter().map(entrant).collect();
        let game = StoredGame { rated: !self.details.taken_back, ..game };
        Ok(SittingChange::Finish(sitting, Box::new(PageGame { players, game })))
    }

    /// The table.
    pub fn table(&self) -> &dyn Table {
        self.session.table()
    }

    /// What a change can be taken back to.
    pub(super) fn memento(&self) -> Memento {
        let (session, details) = (self.session.fork(), self.details.clone());
        Memento { session, details, steps: self.steps }
    }

    /// Takes back a change that could not be kept.
    pub(super) fn restore(&mut self, before: Memento) {
        let Memento { session, details, steps } = before;
        (self.session, self.details, self.steps, self.told) =
            (session, details, steps, Told::default());
    }

    /// The game as pages get it.
    pub fn json(&mut self, id: &str, rivals: &Rivals, part: Part) -> Arc<str> {
        Told::json(id, self, rivals, part)
    }

    /// Whose turn it is, unless the game is over for whatever reason.
    pub fn to_move(&self) -> Option<Seat> {
        self.session.to_move()
    }

    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        self.to_move().is_none()
    }

    /// The agent to move, if it is one's turn.
    pub fn agent_to_move(&self) -> Option<&str> {
        self.details.agent_at(self.to_move()?)
    }

    /// Whether a game to watch waits to be told.
    pub fn is_paused(&self) -> bool {
        self.details.watch.is_some_and(|watch| watch.paused) && self.steps == 0
    }

    /// Why the agent to move may not be asked here, if it may not.
    pub fn obstacle(&self, id: &str, rivals: &Rivals) -> Option<String> {
        let agent = self.agent_to_move()?;
        rivals.trusted(agent, id).err().map(|problem| problem.to_string())
    }

    /// How it ended, if it has.
    pub fn outcome(&self) -> Option<OutcomeView> {
        self.session.verdict().map(|verdict| OutcomeView::of(verdict, self.table()))
    }

    /// Makes sure that the asker sees the game as it is.
    pub fn check_seen(&self, ply: usize, position: Option<&str>) -> Result<(), ApiError> {
        let played = self.session.plies().len();
        let message = if ply != played {
            format!("the game has gone on: {played} plies have been played, not {ply}; look again")
        } else if position.is_some_and(|seen| seen != self.table().position()) {
            "the game has gone on: the position is another one now; look again".to_string()
        } else {
            return Ok(());
        };
        Err(ApiError::new(Code::Stale, message))
    }

    /// Plays a person's move.
    pub fn play(&mut self, text: &str) -> Result<(), ApiError> {
        if self.agent_to_move().is_some() {
            return Err(ApiError::new(Code::Illegal, "it is not a person's turn"));
        }
        let took = self.session.turn_time();
        let played = self.session.play(text.to_string(), took);
        played.map_err(|why| ApiError::new(Code::Illegal, why))?;
        self.changed();
        Ok(())
    }

    /// Takes an agent's answer. Before the first move all clocks stand still.
    pub fn hear(
        &mut self,
        mut answer: Result<Answer<String>, NoAnswer>,
        took: Duration,
    ) -> Result<(), ApiError> {
        let first = self.session.plies().is_empty();
        if let Ok(answer) = &mut answer
            && first
        {
            answer.time = Some(Duration::ZERO);
        }
        self.session.hear(answer, took).map_err(ApiError::failed)?;
        self.steps = self.steps.saturating_sub(1);
        self.trouble = None;
        self.changed();
        Ok(())
    }

    /// Takes back to the last position where a person was to move.
    pub fn undo(&mut self) -> Result<(), ApiError> {
        let taken_back = self.undone().is_some_and(|left| self.session.take_back_to(left));
        if !taken_back {
            return Err(ApiError::new(Code::Illegal, "there is nothing to take back"));
        }
        self.details.rematch = None;
        self.details.taken_back = true;
        self.changed();
        Ok(())
    }

    /// Whether a person has a move to take back.
    pub fn can_undo(&self) -> bool {
        self.session.may_take_back() && self.undone().is_some()
    }

    /// How many moves would be left after taking back: all before a person's last.
    fn undone(&self) -> Option<usize> {
        self.session.plies().iter().rposition(|ply| self.details.is_person(ply.seat))
    }

    /// Ends the game, or may end it, as a player wishes.
    pub fn wish(
        &mut self,
        wish: impl FnOnce(&mut TableSession) -> Result<(), &'static str>,
    ) -> Result<(), ApiError> {
        wish(&mut self.session).map_err(|message| ApiError::new(Code::Illegal, message))?;
        match self.is_over() {
            true => self.changed(),
            false => self.touched(),
        }
        Ok(())
    }

    /// Plays one move more of a game that is paused.
    pub fn step(&mut self) {
        self.steps = (self.steps + 1).min(STEPS);
    }

    /// Whatever was being thought about is not the question any more.
    pub fn changed(&mut self) {
        self.cancel();
        self.changed_at = Instant::now();
        self.touched();
    }

    /// Pages should look again, though the position is the same.
    pub fn touched(&mut self) {
        self.details.version += 1;
        self.details.updated_at = now();
    }

    /// Notes that something goes on for the player to move.
    pub(super) fn begin(&mut self) -> &mut Job {
        self.next_job += 1;
        let (number, stop) = (self.next_job, StopFlag::default());
        self.job.insert(Job { number, stop, asked: false, timer: None })
    }

    /// Stops what goes on for the player to move. An agent that is asked again has all its time.
    pub fn cancel(&mut self) {
        let Some(job) = self.job.take() else { return };
        job.stop.stop();
        if let Some(timer) = job.timer {
            timer.abort();
        }
        if job.asked {
            self.session.restart_turn();
        }
    }
}
