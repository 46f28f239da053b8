//! A game in memory: its table, its clocks, and what can be done with it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use agon_arena::Verdict;
use agon_arena::clock::Clock;
use agon_arena::player::Breach;
use agon_arena::store::now;
use agon_arena::verdict::Fault;
use agon_core::{Outcome, Seat, Status, Variant};
use agon_games::Table;
use agon_search::StopFlag;
use tokio::task::AbortHandle;

use super::document::{Document, End, Played};
use super::game::GameView;
use crate::problem::{Code, Problem};
use crate::rivals::Rivals;
use crate::view::{self, LastMove, OutcomeView};

/// How many steps of a game to watch can be asked for ahead.
const STEPS: u32 = 100;

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
    /// The search, the pause or the clock that goes on for the player to move.
    pub job: Option<Job>,
    /// The next job's number.
    pub next_job: u64,
    /// How many moves a game to watch plays although it is paused.
    pub steps: u32,
    /// It was deleted; whoever still holds it can do nothing with it.
    pub gone: bool,
    /// The game as pages got it last, by its version.
    told: Option<(u64, Arc<str>)>,
}

/// Something that goes on for the player to move.
pub struct Job {
    /// Its number: whoever comes back with another is too late.
    pub number: u64,
    /// Stops it.
    pub stop: StopFlag,
    /// When an agent was asked.
    pub asked: Option<Instant>,
    /// What waits for a clock to run out.
    pub timer: Option<AbortHandle>,
}

/// What a change can be taken back to.
pub struct Memento {
    document: Document,
    turn_began: Instant,
    steps: u32,
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
            if let Some((final_move, before)) = document.played.split_last() {
                for played in before {
                    table.play(&played.text)?;
                }
                last = Some(view::play(&mut *table, &final_move.text)?);
            }
            Ok((table, last))
        };
        let (table, last) = opened().map_err(|error| error.to_string())?;
        if document.seats.len() != table.seats() {
            return Err(format!("{} seats instead of {}", document.seats.len(), table.seats()));
        }
        Ok(Playing {
            document,
            table,
            last,
            turn_began: Instant::now(),
            job: None,
            next_job: 0,
            steps: 0,
            gone: false,
            told: None,
        })
    }

    /// What a change can be taken back to.
    pub(super) fn memento(&self) -> Memento {
        let (document, turn_began, steps) = (self.document.clone(), self.turn_began, self.steps);
        Memento { document, turn_began, steps }
    }

    /// Takes back a change that could not be kept. The clock has gone on meanwhile.
    pub(super) fn restore(&mut self, before: Memento) {
        let Memento { document, turn_began, steps } = before;
        // It was open a moment ago, so it opens now.
        if let Ok(reopened) = Playing::open(document) {
            let (next_job, job) = (self.next_job, self.job.take());
            *self = Playing { next_job, turn_began, steps, job, ..reopened };
        }
    }

    /// The game as pages get it. Without clocks it is made once for all of them.
    pub fn json(&mut self, id: &str, rivals: &Rivals) -> Arc<str> {
        let version = self.document.version;
        if let Some((told, json)) = &self.told
            && *told == version
        {
            return json.clone();
        }
        let view = GameView::of(id, self, rivals);
        let json: Arc<str> = serde_json::to_string(&view).unwrap_or_default().into();
        if view.clock.is_none() {
            self.told = Some((version, json.clone()));
        }
        json
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

    /// Whether a game to watch waits to be told.
    pub fn is_paused(&self) -> bool {
        self.document.watch.is_some_and(|watch| watch.paused) && self.steps == 0
    }

    /// Why the agent to move cannot be asked here, if it cannot.
    pub fn obstacle(&self, id: &str, rivals: &Rivals) -> Option<String> {
        let agent = self.document.agent_at(self.to_move()?)?;
        rivals.trusted(agent, id).err().map(|problem| problem.to_string())
    }

    /// How it ended, if it has.
    pub fn outcome(&self) -> Option<OutcomeView> {
        let names = view::seat_names(&*self.table);
        let seats = self.table.seats();
        let name = |seat: usize| names.get(seat).map_or("", String::as_str);
        let ended =
            |outcome: Outcome, reason: String| Some(OutcomeView::new(&outcome, &reason, &names));
        match &self.document.end {
            None => {
                self.table.outcome().map(|outcome| OutcomeView::by_rules(&outcome, &*self.table))
            }
            Some(End::Resigned { seat }) => {
                let verdict = Verdict::resignation(seats, Seat::new(*seat));
                ended(verdict.outcome, format!("{} resigned", name(*seat)))
            }
            Some(End::Fault { seat, code, evidence }) => {
                let fault = Fault::from_code(code).unwrap_or(Fault::Crash);
                let verdict = Verdict::fault(seats, Seat::new(*seat), fault, evidence.clone());
                ended(verdict.outcome, fault_in_words(fault, name(*seat), evidence))
            }
            Some(End::TooLong {}) => {
                let moves = self.document.played.len();
                ended(Outcome::draw(seats, ""), format!("{moves} moves are enough"))
            }
        }
    }

    /// Makes sure that the asker sees the game as it is.
    pub fn check_seen(&self, ply: usize, position: Option<&str>) -> Result<(), Problem> {
        let played = self.document.played.len();
        let message = if ply != played {
            format!("the game has gone on: {played} moves have been played, not {ply}; look again")
        } else if position.is_some_and(|seen| seen != self.table.position()) {
            "the game has gone on: the position is another one now; look again".to_string()
        } else {
            return Ok(());
        };
        Err(Problem::new(Code::Stale, message))
    }

    /// Plays a move for whoever is to move, after so much time. Who is too late has lost.
    pub fn play_in_time(&mut self, text: &str, took: Duration) -> Result<(), Problem> {
        let Some(seat) = self.to_move() else {
            return Err(Problem::new(Code::Illegal, "no move: the game is over"));
        };
        // Before the first move all clocks stand still.
        let took = if self.document.played.is_empty() { Duration::ZERO } else { took };
        let clock = self.document.clocks().get(seat.index()).copied();
        if let Some(late) = clock.and_then(|mut clock| clock.spend(took).err()) {
            self.fault(seat.index(), Breach::new(late.fault, late.to_string()));
            return Ok(());
        }
        let last = view::play(&mut *self.table, text)
            .map_err(|error| Problem::new(Code::Illegal, error))?;
        let ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        self.document.played.push(Played { text: last.mv.text.clone(), seat: seat.index(), ms });
        self.last = Some(last);
        if self.document.is_full() && !self.is_over() {
            self.document.end = Some(End::TooLong {});
        }
        self.changed();
        Ok(())
    }

    /// Takes back to the last position where a person was to move.
    pub fn undo(&mut self) -> Result<(), Problem> {
        let Some(left) = self.undone().filter(|_| self.document.end.is_none()) else {
            let message = "there is nothing to take back";
            return Err(Problem::new(Code::Illegal, message));
        };
        let mut document = self.document.clone();
        document.played.truncate(left);
        document.rematch = None;
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

    /// Plays one move more of a game that is paused.
    pub fn step(&mut self) {
        self.steps = (self.steps + 1).min(STEPS);
    }

    /// Whatever was being thought about is not the question any more.
    pub fn changed(&mut self) {
        self.cancel();
        self.turn_began = Instant::now();
        self.touched();
    }

    /// Pages should look again, though the position is the same.
    pub fn touched(&mut self) {
        self.document.version += 1;
        self.document.updated_at = now();
    }

    /// Stops what goes on for the player to move.
    pub fn cancel(&mut self) {
        if let Some(job) = self.job.take() {
            job.stop.stop();
            if let Some(timer) = job.timer {
                timer.abort();
            }
        }
    }

    /// How long the player to move has been thinking, as far as the clock counts it: before the
    /// first move it stands still, and an agent's runs from when it was asked.
    pub fn turn_time(&self) -> Duration {
        let agent = self.to_move().and_then(|seat| self.document.agent_at(seat));
        match &self.job {
            _ if self.document.played.is_empty() => Duration::ZERO,
            Some(Job { asked: Some(asked), .. }) if agent.is_some() => asked.elapsed(),
            _ if agent.is_some() => Duration::ZERO,
            _ => self.turn_began.elapsed(),
        }
    }

    /// Whether the clock of who is to move runs.
    pub fn clock_runs(&self) -> bool {
        let asked = self.job.as_ref().is_some_and(|job| job.asked.is_some());
        let waits = |seat| self.document.agent_at(seat).is_some() && !asked;
        !self.document.played.is_empty() && self.to_move().is_some_and(|seat| !waits(seat))
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
