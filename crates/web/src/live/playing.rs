//! A game in memory: its table, its clocks, and what can be done with it.

use std::time::{Duration, Instant};

use agon_arena::Verdict;
use agon_arena::clock::Clock;
use agon_arena::player::Breach;
use agon_arena::store::now;
use agon_arena::verdict::Fault;
use agon_core::{Seat, Status, Variant};
use agon_games::Table;
use agon_search::StopFlag;

use super::document::{Document, End, Played};
use crate::problem::{Code, Problem};
use crate::view::{self, LastMove, OutcomeView};

/// A game in memory.
pub struct Playing {
    /// All that is kept of it.
    pub document: Document,
    /// The game itself.
    pub table: Box<dyn Table>,
    /// The last move as it was drawn.
    pub last: Option<LastMove>,
    /// When the turn began, for the clock.
    pub turn_began: Instant,
    /// The search or pause that goes on for the player to move.
    pub job: Option<Job>,
    /// The next job's number.
    pub next_job: u64,
    /// A game to watch plays one move although it is paused.
    pub step: bool,
}

/// A search or a pause that ends with a move.
pub struct Job {
    /// Its number: whoever comes back with another is too late.
    pub number: u64,
    /// Stops it.
    pub stop: StopFlag,
}

impl Playing {
    /// Opens a game and plays it up to where it stands.
    pub fn open(document: Document) -> Result<Playing, String> {
        let opened = || -> Result<_, agon_core::TextError> {
            let variant: Variant = document.variant.parse()?;
            let mut table = agon_games::open(&variant)?;
            if let Some(start) = &document.start {
                table.set_position(start)?;
            }
            let mut last = None;
            for played in &document.played {
                last = Some(view::play(&mut *table, &played.text)?);
            }
            Ok((table, last))
        };
        let (table, last) = opened().map_err(|error| error.to_string())?;
        if document.seats.len() != table.seats() {
            return Err(format!("{} seats instead of {}", document.seats.len(), table.seats()));
        }
        let turn_began = Instant::now();
        Ok(Playing { document, table, last, turn_began, job: None, next_job: 0, step: false })
    }

    /// Whose turn it is, unless the game is over for whatever reason.
    pub fn to_move(&self) -> Option<Seat> {
        match self.table.status() {
            Status::ToMove(seat) if self.document.end.is_none() => Some(seat),
            _ => None,
        }
    }

    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        self.to_move().is_none()
    }

    /// How it ended, if it has.
    pub fn outcome(&self) -> Option<OutcomeView> {
        let names = view::seat_names(&*self.table);
        let seats = self.table.seats();
        let name = |seat: usize| names.get(seat).map_or("", String::as_str);
        let ended = |verdict: Verdict, reason: String| {
            Some(OutcomeView::new(&verdict.outcome, &reason, &names))
        };
        match &self.document.end {
            None => {
                self.table.outcome().map(|outcome| OutcomeView::by_rules(&outcome, &*self.table))
            }
            Some(End::Resigned { seat }) => {
                let verdict = Verdict::resignation(seats, Seat::new(*seat));
                ended(verdict, format!("{} resigned", name(*seat)))
            }
            Some(End::Fault { seat, code, evidence }) => {
                let fault = Fault::from_code(code).unwrap_or(Fault::Crash);
                let verdict = Verdict::fault(seats, Seat::new(*seat), fault, evidence.clone());
                ended(verdict, fault_in_words(fault, name(*seat), evidence))
            }
        }
    }

    /// Makes sure that the asker sees the game as it is.
    pub fn check_ply(&self, ply: usize) -> Result<(), Problem> {
        let played = self.document.played.len();
        if ply == played {
            return Ok(());
        }
        let message =
            format!("the game has gone on: {played} moves have been played, not {ply}; look again");
        Err(Problem::new(Code::Stale, message))
    }

    /// Plays a move for whoever is to move, after so much time.
    pub fn play(&mut self, text: &str, took: Duration) -> Result<(), Problem> {
        let Some(seat) = self.to_move() else {
            return Err(Problem::new(Code::Illegal, "no move: the game is over"));
        };
        if self.document.is_full() {
            return Err(Problem::new(Code::TooLarge, "this game is too long to go on"));
        }
        let last = view::play(&mut *self.table, text)
            .map_err(|error| Problem::new(Code::Illegal, error))?;
        let ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        self.document.played.push(Played { text: last.mv.text.clone(), seat: seat.index(), ms });
        self.last = Some(last);
        self.changed();
        Ok(())
    }

    /// Takes back to the last position where a person was to move.
    pub fn undo(&mut self) -> Result<(), Problem> {
        if !self.can_undo() {
            let message = "there is nothing to take back";
            return Err(Problem::new(Code::Illegal, message));
        }
        let mut document = self.document.clone();
        document.played.truncate(self.undone().unwrap_or(0));
        let reopened = Playing::open(document).map_err(Problem::failed)?;
        let next_job = self.next_job;
        self.cancel();
        *self = Playing { next_job, ..reopened };
        self.changed();
        Ok(())
    }

    /// Whether a person has a move to take back.
    pub fn can_undo(&self) -> bool {
        self.document.end.is_none() && self.undone().is_some()
    }

    /// How many moves would be left after taking back: all before a person's last.
    fn undone(&self) -> Option<usize> {
        let by_person =
            |played: &Played| self.document.seats.get(played.seat).is_some_and(|s| s.is_human());
        self.document.played.iter().rposition(by_person)
    }

    /// Ends the game: this seat gives up.
    pub fn resign(&mut self, seat: usize) -> Result<(), Problem> {
        if self.is_over() {
            return Err(Problem::new(Code::Illegal, "the game is over already"));
        }
        self.end(End::Resigned { seat });
        Ok(())
    }

    /// Ends the game: this seat did something wrong.
    pub fn fault(&mut self, seat: usize, breach: Breach) {
        let Breach { fault, evidence } = breach;
        self.end(End::Fault { seat, code: fault.code().to_string(), evidence });
    }

    fn end(&mut self, end: End) {
        self.document.end = Some(end);
        self.changed();
    }

    /// Whatever was being thought about is not the question any more.
    pub fn changed(&mut self) {
        self.cancel();
        self.turn_began = Instant::now();
        self.document.version += 1;
        self.document.updated_at = now();
    }

    /// Stops the search that goes on.
    pub fn cancel(&mut self) {
        if let Some(job) = self.job.take() {
            job.stop.stop();
        }
    }

    /// How long the player to move has been thinking, as far as the clock counts it: before the
    /// first move it stands still.
    pub fn turn_time(&self) -> Duration {
        if self.document.played.is_empty() { Duration::ZERO } else { self.turn_began.elapsed() }
    }

    /// What is left on the clock of who is to move, if there is one that runs.
    pub fn time_left(&self) -> Option<Duration> {
        let seat = self.to_move()?;
        let left = self.document.clocks().get(seat.index()).and_then(Clock::remaining)?;
        (!self.document.played.is_empty()).then(|| left.saturating_sub(self.turn_time()))
    }
}

/// What somebody did wrong, as people would say it.
fn fault_in_words(fault: Fault, name: &str, evidence: &str) -> String {
    match fault {
        Fault::ClockOver | Fault::MoveTooSlow => format!("{name} ran out of time"),
        Fault::IllegalMove => format!("{name} played a move that is not legal, {evidence}"),
        _ => format!("{name} failed ({}: {evidence})", fault.reason()),
    }
}
