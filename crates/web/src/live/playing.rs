//! A game in memory: the session, and what the pages know about it besides.

use std::sync::Arc;
use std::time::{Duration, Instant};

use agon_arena::Registry;
use agon_arena::player::{Answer, NoAnswer};
use agon_arena::resources::{self, Occupant};
use agon_arena::session::TableSession;
use agon_arena::store::{Entrant, PageGame, SittingChange, StoredGame, now};
use agon_core::Seat;
use agon_games::{Catalog, Table};
use agon_search::{AgentSpec, StopFlag};
use tokio::task::AbortHandle;

use super::document::{Details, Document, Holder};
use super::game::JsonCache;
use super::owners::Tokens;
use crate::error::{ApiError, Code};
use crate::limits;
use crate::rivals::Rivals;
use crate::view::{OutcomeView, Part};

/// How many steps of a paused game can be requested in advance.
const STEPS: u32 = 100;

/// A game in memory.
pub struct Playing {
    /// The game itself.
    pub session: TableSession,
    /// What the pages know about it besides.
    pub details: Details,
    /// When the position last changed.
    pub changed_at: Instant,
    /// The current job for the player to move: a search, a pause or a clock.
    pub job: Option<Job>,
    /// The next job's number.
    next_job: u64,
    /// How many moves to play although the game is paused.
    pub steps: u32,
    /// Why the agent to move could not be asked, if the fault is the server's.
    pub trouble: Option<String>,
    /// It was deleted and cannot be changed any more.
    pub gone: bool,
    /// The latest JSON for the pages.
    pub(super) cache: JsonCache,
}

/// A job for the player to move.
pub struct Job {
    /// Its number: a result with another number is outdated.
    pub number: u64,
    /// Stops it.
    pub stop: StopFlag,
    /// Whether an agent was asked.
    pub asked: bool,
    /// The timer of a running clock.
    pub timer: Option<AbortHandle>,
}

/// The state before a change, for a rollback.
pub(crate) struct Memento {
    session: TableSession,
    details: Details,
    steps: u32,
}

impl Playing {
    /// Opens a game at its current position.
    pub fn open(catalog: &Catalog, document: Document) -> Result<Playing, String> {
        let Document { session, details, .. } = document;
        let session = TableSession::resume(catalog, &session)?.ending_after(limits::PLIES);
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
            cache: JsonCache::default(),
        })
    }

    /// Takes over the state that another process has stored. The current job continues.
    pub(super) fn become_newer(&mut self, newer: Playing) {
        let Playing { session, details, .. } = newer;
        (self.session, self.details, self.cache) = (session, details, JsonCache::default());
        self.changed_at = Instant::now();
    }

    /// The game as it is stored.
    pub fn document(&self) -> Document {
        Document::new(self.session.stored(), self.details.clone())
    }

    /// The change that stores the game as it is now, with its record if it is over.
    pub(super) fn kept_as(&self, id: &str, registry: &Registry) -> Result<SittingChange, ApiError> {
        let sitting = self.document().sitting(id, self.is_over()).map_err(ApiError::failed)?;
        let Some(game) = self.session.record() else { return Ok(SittingChange::Put(sitting)) };
        let entrant = |holder: &Holder| holder.agent().map_or_else(Entrant::person, Entrant::agent);
        let spec = |holder: &Holder| holder.agent().and_then(|agent| agent.parse().ok());
        let players = self.details.seats.iter().map(entrant).collect();
        let specs: Vec<Option<AgentSpec>> = self.details.seats.iter().map(spec).collect();
        let table = self.session.table();
        let occupants = self.details.seats.iter().zip(&specs).map(|(holder, spec)| match spec {
            _ if holder.agent().is_some_and(|agent| registry.is_program(agent)) => {
                Occupant::Program(registry.isolation())
            }
            Some(spec) => Occupant::BuiltIn(spec),
            None => Occupant::Other,
        });
        let resources = resources::in_use(table.catalog(), table.variant(), occupants);
        let game = StoredGame { rated: !self.details.taken_back, resources, ..game };
        Ok(SittingChange::Finish(sitting, Box::new(PageGame { players, game })))
    }

    /// The table.
    pub fn table(&self) -> &dyn Table {
        self.session.table()
    }

    /// The current state, for a rollback.
    pub(super) fn memento(&self) -> Memento {
        let (session, details) = (self.session.fork(), self.details.clone());
        Memento { session, details, steps: self.steps }
    }

    /// Rolls back a change that could not be stored.
    pub(super) fn restore(&mut self, before: Memento) {
        let Memento { session, details, steps } = before;
        (self.session, self.details, self.steps, self.cache) =
            (session, details, steps, JsonCache::default());
    }

    /// The game as JSON for the pages.
    pub fn json(&mut self, id: &str, rivals: &Rivals, part: Part, tokens: &Tokens) -> Arc<str> {
        JsonCache::json(id, self, rivals, part, tokens)
    }

    /// Whose turn it is, unless the game is over.
    pub fn to_move(&self) -> Option<Seat> {
        self.session.to_move()
    }

    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        self.to_move().is_none()
    }

    /// The agent to move, if it is an agent's turn.
    pub fn agent_to_move(&self) -> Option<&str> {
        self.details.agent_at(self.to_move()?)
    }

    /// Whether the game is paused, with no steps left to play.
    pub(crate) fn is_paused(&self) -> bool {
        self.details.watch.is_some_and(|watch| watch.paused) && self.steps == 0
    }

    /// Why the agent to move may not be asked on this server, if it may not.
    pub(crate) fn obstacle(&self, id: &str, rivals: &Rivals) -> Option<String> {
        let agent = self.agent_to_move()?;
        rivals.trusted(agent, id).err().map(|problem| problem.to_string())
    }

    /// The outcome, once the game is over.
    pub fn outcome(&self) -> Option<OutcomeView> {
        self.session.verdict().map(|verdict| OutcomeView::of(verdict, self.table()))
    }

    /// Checks that the client has seen the current position.
    pub(crate) fn check_seen(&self, ply: usize, position: Option<&str>) -> Result<(), ApiError> {
        if ply != self.session.plies().len() {
            return Err(self.stale(ply));
        }
        check_position(self.table(), position)
    }

    /// The table as it was after this many moves, which may be all.
    pub(crate) fn table_at(&self, ply: usize) -> Result<Box<dyn Table>, ApiError> {
        let mut table = self.table().fork();
        if ply > table.played().len() {
            return Err(self.stale(ply));
        }
        while table.played().len() > ply && table.undo() {}
        Ok(table)
    }

    fn stale(&self, ply: usize) -> ApiError {
        let played = self.session.plies().len();
        let message =
            format!("the game has changed: {played} plies have been played, not {ply}; reload it");
        ApiError::new(Code::Stale, message)
    }

    /// Checks that a client with these tokens may play this seat.
    pub(crate) fn check_owner(&self, seat: Seat, tokens: &Tokens) -> Result<(), ApiError> {
        let owners = &self.details.owners;
        if !owners.has(seat.index()) || owners.seats(tokens).any(|own| own == seat.index()) {
            return Ok(());
        }
        let name = self.table().seat_name(seat);
        let message = format!("only the link of {name} plays {name}");
        Err(ApiError::new(Code::Forbidden, message))
    }

    /// Checks that a client with these tokens plays any seat, or that nobody owns one.
    pub(crate) fn check_player(&self, tokens: &Tokens) -> Result<(), ApiError> {
        let owners = &self.details.owners;
        if owners.is_empty() || owners.seats(tokens).next().is_some() {
            return Ok(());
        }
        Err(ApiError::new(Code::Forbidden, "only its players may do that: open the link of a seat"))
    }

    /// Plays a person's move.
    pub fn play(&mut self, text: &str, tokens: &Tokens) -> Result<(), ApiError> {
        if self.agent_to_move().is_some() {
            return Err(ApiError::new(Code::Illegal, "it is not a person's turn"));
        }
        if let Some(seat) = self.to_move() {
            self.check_owner(seat, tokens)?;
        }
        let took = self.session.turn_time();
        let played = self.session.play(text.to_string(), took);
        played.map_err(|why| ApiError::new(Code::Illegal, why))?;
        self.changed();
        Ok(())
    }

    /// Applies an agent's answer. Clocks start after the first move.
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

    /// Takes back moves to the last position where a person was to move. Where seats have owners,
    /// everybody takes back only their own last move, before another person has moved, and not after
    /// the end.
    pub fn undo(&mut self, tokens: &Tokens) -> Result<(), ApiError> {
        self.check_player(tokens)?;
        if let Some(last) = self.last_by_person()
            && !self.details.owners.is_empty()
        {
            if self.is_over() {
                let message = "the game is over: nothing can be taken back";
                return Err(ApiError::new(Code::Illegal, message));
            }
            let name = self.table().seat_name(last);
            self.check_owner(last, tokens).map_err(|_| {
                let message = format!("the last move is not yours: only {name} can take it back");
                ApiError::new(Code::Forbidden, message)
            })?;
        }
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
        let ended = !self.details.owners.is_empty() && self.is_over();
        !ended && self.session.may_take_back() && self.undone().is_some()
    }

    /// The person who moved last.
    pub(crate) fn last_by_person(&self) -> Option<Seat> {
        self.undone().map(|ply| self.session.plies()[ply].seat)
    }

    /// How many plies would be left after taking back: all before a person's last move.
    fn undone(&self) -> Option<usize> {
        self.session.plies().iter().rposition(|ply| self.details.is_person(ply.seat))
    }

    /// A player resigns, or offers or accepts a draw.
    pub(crate) fn resign_or_draw(
        &mut self,
        act: impl FnOnce(&mut TableSession) -> Result<(), &'static str>,
    ) -> Result<(), ApiError> {
        act(&mut self.session).map_err(|message| ApiError::new(Code::Illegal, message))?;
        match self.is_over() {
            true => self.changed(),
            false => self.touched(),
        }
        Ok(())
    }

    /// Plays one more move of a paused game.
    pub fn step(&mut self) {
        self.steps = (self.steps + 1).min(STEPS);
    }

    /// The position has changed: cancels the current job.
    pub fn changed(&mut self) {
        self.cancel();
        self.changed_at = Instant::now();
        self.touched();
    }

    /// Something besides the position has changed, which the pages should see.
    pub fn touched(&mut self) {
        self.details.version += 1;
        self.details.updated_at = now();
    }

    /// Starts a job for the player to move.
    pub(super) fn begin(&mut self) -> &mut Job {
        self.next_job += 1;
        let (number, stop) = (self.next_job, StopFlag::default());
        self.job.insert(Job { number, stop, asked: false, timer: None })
    }

    /// Cancels the current job. An agent that is asked again gets its full time.
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

/// Checks that the client has seen this position, if it says what it has seen.
pub(crate) fn check_position(table: &dyn Table, seen: Option<&str>) -> Result<(), ApiError> {
    if seen.is_none_or(|seen| seen == table.position()) {
        return Ok(());
    }
    let message = "the game has changed: the position is a different one now; reload it";
    Err(ApiError::new(Code::Stale, message))
}
