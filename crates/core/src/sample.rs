//! Two tiny games for examples and tests.

use crate::game::{Game, Progress, Which};
use crate::history::{HistoryRules, Limit};
use crate::outcome::{Outcome, Status};
use crate::rng::mix;
use crate::seat::Seat;
use crate::sink::{Flow, GO_ON, Sink};

/// Nim with one heap: take one, two or three; whoever takes the last one wins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Nim {
    heap: u32,
    turn: Seat,
}

impl Nim {
    /// A heap of this size.
    pub fn new(heap: u32) -> Nim {
        Nim { heap, turn: Seat::FIRST }
    }
}

impl Game for Nim {
    type Move = u32;

    fn seats(&self) -> usize {
        2
    }

    fn status(&self) -> Status {
        match self.heap {
            0 => Status::Over(Outcome::win(self.turn.opponent(), "took the last one")),
            _ => Status::ToMove(self.turn),
        }
    }

    fn generate<S: Sink<u32>>(&self, which: Which, into: &mut S) -> Flow {
        for take in 1..=self.heap.min(3) {
            if which == Which::All || take == self.heap {
                into.push(take)?;
            }
        }
        GO_ON
    }

    fn when_stuck(&self) -> Outcome {
        Outcome::loss(self.turn, "nothing to take")
    }

    fn play(&mut self, take: u32) -> Progress {
        self.heap -= take;
        self.turn = self.turn.opponent();
        Progress::Irreversible
    }

    fn key(&self) -> u64 {
        mix(u64::from(self.heap) << 1 | self.turn.index() as u64)
    }
}

/// Two players walk one stone up and down a line for ever: only history ends it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Walk {
    at: i32,
    turn: Seat,
}

impl Walk {
    /// The stone in the middle.
    pub fn new() -> Walk {
        Walk { at: 0, turn: Seat::FIRST }
    }
}

impl Default for Walk {
    fn default() -> Self {
        Walk::new()
    }
}

impl Game for Walk {
    type Move = i32;

    fn seats(&self) -> usize {
        2
    }

    fn status(&self) -> Status {
        Status::ToMove(self.turn)
    }

    fn generate<S: Sink<i32>>(&self, _: Which, into: &mut S) -> Flow {
        into.push(1)?;
        into.push(-1)
    }

    fn when_stuck(&self) -> Outcome {
        Outcome::draw(2, "never happens")
    }

    fn play(&mut self, step: i32) -> Progress {
        self.at += step;
        self.turn = self.turn.opponent();
        Progress::Reversible
    }

    fn key(&self) -> u64 {
        mix(self.at as u64) ^ self.turn.index() as u64
    }

    fn history_rules(&self) -> HistoryRules {
        HistoryRules {
            repetition: Some(Limit::new(3, "third occurrence")),
            plies: Some(Limit::new(100, "a hundred plies")),
        }
    }
}
