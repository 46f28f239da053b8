//! The players of a game.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use agon_core::{Game, Seat};
use agon_games::Table;
use agon_search::{Adviser, Budget, Score, Source, Statistics, Strategy};

use crate::clock::{Clock, Pace};
use crate::disturbance::thinking;
use crate::session::{Board, Ply, Session, TypedBoard};
use crate::verdict::Fault;

/// What a player does when asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action<M> {
    /// Plays this move; the referee checks whether it is legal.
    Play(M),
    /// Resigns.
    Resign,
}

/// A player's answer and what it cost.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer<M> {
    /// The action.
    pub action: Action<M>,
    /// How many nodes it searched, if reported.
    pub nodes: u64,
    /// How deep it searched, in plies; 0 if not reported.
    pub depth: u32,
    /// How long it took, if that was measured closer to the player than the referee can: at the
    /// pipe of a program.
    pub time: Option<Duration>,
    /// How much of that time the player does not account for: the latency of request and answer.
    pub latency: Duration,
    /// How long its thread waited for a processor, if known.
    pub waited: Duration,
    /// Its evaluation of the position, if reported.
    pub score: Option<Score>,
    /// Its principal variation, if reported.
    pub line: Vec<M>,
    /// Where the move comes from, if reported.
    pub source: Source,
    /// The exchange with a program whose answer is late, with a line break before every line.
    pub exchange: String,
}

impl<M> Answer<M> {
    /// An answer whose time is what the referee measures.
    pub fn new(action: Action<M>, nodes: u64) -> Answer<M> {
        let (time, latency, waited) = (None, Duration::ZERO, Duration::ZERO);
        Answer {
            action,
            nodes,
            depth: 0,
            time,
            latency,
            waited,
            score: None,
            line: Vec::new(),
            source: Source::default(),
            exchange: String::new(),
        }
    }
}

/// A fault of a player. Whatever it is, it loses the game.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
#[error("{}: {evidence}", .fault.reason())]
pub struct Breach {
    /// The kind of fault.
    pub fault: Fault,
    /// The evidence in words, with the last lines of a program.
    pub evidence: String,
}

impl Breach {
    /// A fault and its evidence.
    pub fn new(fault: Fault, evidence: impl Into<String>) -> Breach {
        Breach { fault, evidence: evidence.into() }
    }

    /// Adds the position to the evidence on its own line, but before the exchange.
    pub(crate) fn add_position(&mut self, position: &str) {
        let marks = ["\nsent: ", "\nout: ", "\nerr: "].iter();
        let end = marks.filter_map(|mark| self.evidence.find(mark)).min();
        let end = end.unwrap_or(self.evidence.len());
        self.evidence.insert_str(end, &format!("\nposition: {position}"));
    }
}

/// The operating system refused a resource: a process, a thread, a file. None of the players is to
/// blame, so the game is void.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
#[error("{0}")]
pub struct SystemTrouble(pub String);

/// Why a player gave no answer.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
#[error(transparent)]
pub enum NoAnswer {
    /// It committed a fault, which loses the game.
    Breach(#[from] Breach),
    /// It could not be asked, through no fault of its own.
    System(#[from] SystemTrouble),
}

/// What a player is told when it is its turn.
#[derive(Debug)]
pub struct Turn<'a, B: Board> {
    /// The game, which is not over and has a legal move.
    pub board: &'a B,
    /// The budget for this move.
    pub budget: &'a Budget,
    /// Who is asked.
    pub seat: Seat,
    /// The moves so far.
    pub plies: &'a [Ply<B::Move>],
    /// The clocks of all seats.
    pub clocks: &'a [Clock],
    /// The limits of the players in this game.
    pub pace: &'a Pace,
}

/// A player that can be asked for a move. A [`Strategy`] always has one; a player may also resign,
/// and may commit faults.
pub trait Player<B: Board>: Send {
    /// A game is about to begin, with this budget for the first move. No clock runs yet.
    fn game_begins(&mut self, _budget: &Budget) {}

    /// Answers in a position that is not over and has a legal move.
    fn answer(&mut self, turn: &Turn<'_, B>) -> Result<Answer<B::Move>, NoAnswer>;

    /// The game is over or was abandoned.
    fn game_over(&mut self, _session: &Session<B>) {}
}

/// A strategy never resigns.
impl<G: Game> Player<TypedBoard<G>> for Box<dyn Strategy<G>> {
    fn game_begins(&mut self, budget: &Budget) {
        self.prepare(budget);
    }

    fn answer(&mut self, turn: &Turn<'_, TypedBoard<G>>) -> Result<Answer<G::Move>, NoAnswer> {
        let choose = || self.choose(turn.board.root(), turn.budget, &mut |_| {});
        let (choice, waited) = thinking(turn.budget, choose);
        let Statistics { nodes, depth, .. } = choice.statistics;
        let answer = Answer::new(Action::Play(choice.mv), nodes);
        Ok(Answer { depth, waited, score: choice.score, ..answer })
    }
}

/// The same, for games on a table.
impl Player<Box<dyn Table>> for Box<dyn Adviser> {
    fn answer(&mut self, turn: &Turn<'_, Box<dyn Table>>) -> Result<Answer<String>, NoAnswer> {
        let choice = self.choose(&**turn.board, turn.budget, &mut |_| {});
        let choice = choice.ok_or_else(|| Breach::new(Fault::Crash, "it has no move"))?;
        let Statistics { nodes, depth, source, .. } = choice.statistics;
        let answer = Answer::new(Action::Play(choice.mv), nodes);
        Ok(Answer { depth, score: choice.score, line: choice.pv, source, ..answer })
    }
}

impl<B: Board> Player<B> for Box<dyn Player<B>> {
    fn game_begins(&mut self, budget: &Budget) {
        (**self).game_begins(budget);
    }

    fn answer(&mut self, turn: &Turn<'_, B>) -> Result<Answer<B::Move>, NoAnswer> {
        (**self).answer(turn)
    }

    fn game_over(&mut self, session: &Session<B>) {
        (**self).game_over(session);
    }
}

/// A player's answer, and how long it took.
pub type Heard<M> = (Result<Answer<M>, NoAnswer>, Duration);

/// Asks a player; a panic counts as its crash.
pub fn ask<B: Board>(player: &mut impl Player<B>, turn: &Turn<'_, B>) -> Heard<B::Move> {
    let asked = Instant::now();
    let answer = catch_unwind(AssertUnwindSafe(|| player.answer(turn)));
    let measured = asked.elapsed();
    let crash = |panic: Box<dyn Any + Send>| Breach::new(Fault::Crash, panic_message(&*panic));
    (answer.unwrap_or_else(|panic| Err(crash(panic).into())), measured)
}

/// The message of a panic.
fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_string());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "panic".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_position_comes_before_all_that_was_said() {
        let with_position = |evidence: &str| {
            let mut breach = Breach::new(Fault::Stalled, evidence);
            breach.add_position("4/4 w");
            breach.evidence
        };
        for mark in ["sent", "out", "err"] {
            let said = format!("{mark}: a\nout: b\nsent: c");
            let expected = format!("no answer\nposition: 4/4 w\n{said}");
            assert_eq!(with_position(&format!("no answer\n{said}")), expected);
        }
        assert_eq!(with_position("no answer"), "no answer\nposition: 4/4 w");
    }
}
