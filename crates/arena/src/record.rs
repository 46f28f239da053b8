//! What is kept of a game.

use std::sync::Arc;
use std::time::Duration;

use agon_core::{Notation, PerSeat, Seat, Variant};

use crate::fixture::Fixture;
use crate::openings::Opening;
use crate::session::{Played, Ply};
use crate::verdict::Verdict;

/// One player's effort in one game.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Effort {
    /// Moves made after the opening.
    pub moves: u32,
    /// The time they took.
    pub time: Duration,
    /// The nodes that were searched for them.
    pub nodes: u64,
}

/// A game in numbers: all that standings need.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Summary {
    /// The number of the game in its match, from 0.
    pub game: u64,
    /// Which agent sat where: its number in the match.
    pub seating: PerSeat<u16>,
    /// How many moves were made, those of the opening included.
    pub plies: u32,
    /// What each seat's player spent.
    pub effort: PerSeat<Effort>,
    /// How it ended.
    pub verdict: Verdict,
    /// A hash of all positions: two games with the same one had the same moves.
    pub signature: u64,
}

/// A game with its moves, in its own type.
#[derive(Clone, Debug)]
pub struct Record<G: Notation> {
    variant: Arc<Variant>,
    fixture: Fixture,
    opening: Opening<G>,
    plies: Vec<Ply<G::Move>>,
    summary: Summary,
}

impl<G: Notation> Record<G> {
    /// Puts the record of a game together.
    pub fn new(variant: Arc<Variant>, fixture: Fixture, played: Played<G>) -> Record<G> {
        let Fixture { number: game, seating, .. } = fixture;
        let mut effort = PerSeat::filled(seating.seats(), Effort::default());
        for ply in &played.plies {
            let Effort { moves, time, nodes } = &mut effort[ply.seat];
            *moves += 1;
            *time += ply.time;
            *nodes = nodes.saturating_add(ply.nodes);
        }
        let Played { opening, plies: made, verdict, signature } = played;
        let plies = (opening.moves().len() + made.len()) as u32;
        let summary = Summary { game, seating, plies, effort, verdict, signature };
        Record { variant, fixture, opening, plies: made, summary }
    }

    /// The opening.
    pub fn opening(&self) -> &Opening<G> {
        &self.opening
    }

    /// The moves after the opening.
    pub fn plies(&self) -> &[Ply<G::Move>] {
        &self.plies
    }
}

/// A move as text, and what it cost.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveText {
    /// Who made it.
    pub seat: Seat,
    /// The move in the game's notation.
    pub text: String,
    /// How long it took.
    pub time: Duration,
    /// How many nodes were searched.
    pub nodes: u64,
    /// How much of the time the player does not account for, where it says how long it took.
    pub latency: Duration,
}

/// A record whose type does not matter. Its texts are made when they are asked for.
pub trait AnyRecord: Send {
    /// Where it stands in the schedule.
    fn fixture(&self) -> &Fixture;
    /// The variant.
    fn variant(&self) -> &Variant;
    /// The game in numbers.
    fn summary(&self) -> &Summary;
    /// The name of a seat.
    fn seat_name(&self, seat: Seat) -> &'static str;
    /// The position the game began with, if it is not the variant's own start.
    fn start(&self) -> Option<String>;
    /// The moves of the opening.
    fn opening_moves(&self) -> Vec<String>;
    /// The moves the players made.
    fn moves(&self) -> Vec<MoveText>;
    /// Puts another verdict in the place of the referee's.
    fn overrule(&mut self, verdict: Verdict);
}

impl<G: Notation> AnyRecord for Record<G> {
    fn fixture(&self) -> &Fixture {
        &self.fixture
    }

    fn variant(&self) -> &Variant {
        &self.variant
    }

    fn summary(&self) -> &Summary {
        &self.summary
    }

    fn seat_name(&self, seat: Seat) -> &'static str {
        self.opening.start().seat_name(seat)
    }

    fn start(&self) -> Option<String> {
        self.opening.custom_start()
    }

    fn opening_moves(&self) -> Vec<String> {
        let mut position = self.opening.start().clone();
        let text = |&mv| {
            let text = position.move_text(mv);
            position.play(mv);
            text
        };
        self.opening.moves().iter().map(text).collect()
    }

    fn moves(&self) -> Vec<MoveText> {
        let (mut position, _) = self.opening.board();
        let text = |&Ply { seat, mv, time, nodes, latency }: &Ply<G::Move>| {
            let text = position.move_text(mv);
            position.play(mv);
            MoveText { seat, text, time, nodes, latency }
        };
        self.plies.iter().map(text).collect()
    }

    fn overrule(&mut self, verdict: Verdict) {
        self.summary.verdict = verdict;
    }
}
