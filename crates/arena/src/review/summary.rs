//! What a review says about players, moves and parts of the game.

use serde::{Deserialize, Serialize};

use super::ReviewedPly;

/// What a bad move is called.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Judgement {
    /// It lost a little.
    Inaccuracy,
    /// It lost a good deal.
    Mistake,
    /// It may have lost the game.
    Blunder,
}

impl Judgement {
    /// All of them, with the least expected share that each costs.
    pub const ALL: [(Judgement, f64); 3] =
        [(Judgement::Blunder, 0.2), (Judgement::Mistake, 0.1), (Judgement::Inaccuracy, 0.05)];

    /// What a move with this loss is called, if it has a name.
    pub fn of(loss: f64) -> Option<Judgement> {
        Judgement::ALL.iter().find(|(_, least)| loss >= *least).map(|(name, _)| *name)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Judgement::Inaccuracy => "inaccuracy",
            Judgement::Mistake => "mistake",
            Judgement::Blunder => "blunder",
        }
    }

    /// Its sign behind a move.
    pub fn sign(self) -> &'static str {
        match self {
            Judgement::Inaccuracy => "?!",
            Judgement::Mistake => "?",
            Judgement::Blunder => "??",
        }
    }
}

/// How fast accuracy falls: a move that costs a tenth of a win has 64 %, one that costs half of one 11 %.
const STEEPNESS: f64 = 4.5;

/// The accuracy of a move with this loss, from 0 to 100.
pub(super) fn accuracy(loss: f64) -> f64 {
    to_tenths(100.0 * (-STEEPNESS * loss).exp())
}

fn to_tenths(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

/// How a player did.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PlayerReview {
    /// The seat.
    pub seat: usize,
    /// The mean accuracy of the moves that were a choice; none if there were none.
    pub accuracy: Option<f64>,
    /// How many these are.
    pub moves: usize,
    /// How many inaccuracies there are among them.
    pub inaccuracies: usize,
    /// How many mistakes.
    pub mistakes: usize,
    /// How many blunders.
    pub blunders: usize,
}

pub(super) fn players(plies: &[ReviewedPly], seats: usize) -> Vec<PlayerReview> {
    let player = |seat: usize| {
        let own = || plies.iter().filter(move |ply| ply.seat == Some(seat));
        let count = |name| own().filter(|ply| ply.judgement == Some(name)).count();
        PlayerReview {
            seat,
            accuracy: mean_accuracy(plies, seat),
            moves: own().filter(|ply| ply.accuracy.is_some()).count(),
            inaccuracies: count(Judgement::Inaccuracy),
            mistakes: count(Judgement::Mistake),
            blunders: count(Judgement::Blunder),
        }
    };
    (0..seats).map(player).collect()
}

fn mean_accuracy(plies: &[ReviewedPly], seat: usize) -> Option<f64> {
    let own = plies.iter().filter(|ply| ply.seat == Some(seat));
    let (mut sum, mut count) = (0.0, 0);
    for accuracy in own.filter_map(|ply| ply.accuracy) {
        (sum, count) = (sum + accuracy, count + 1);
    }
    (count > 0).then(|| to_tenths(sum / f64::from(count)))
}

/// A part of a game: a third of its moves.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Phase {
    /// Its name.
    pub name: PhaseName,
    /// The number of its first move, from 1.
    pub from: usize,
    /// The number of its last move.
    pub to: usize,
    /// The accuracy of every seat in it.
    pub accuracy: Vec<Option<f64>>,
}

/// The names of the parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PhaseName {
    /// The first third.
    Opening,
    /// The second.
    Middle,
    /// The last.
    End,
}

impl PhaseName {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            PhaseName::Opening => "opening",
            PhaseName::Middle => "middle game",
            PhaseName::End => "end",
        }
    }
}

/// The shortest game that has parts.
const WITH_PARTS: usize = 9;

/// No rule tells where the opening of any game ends, so the moves are divided into thirds.
pub(super) fn phases(plies: &[ReviewedPly], seats: usize) -> Vec<Phase> {
    let moves = plies.len().saturating_sub(1);
    if moves < WITH_PARTS {
        return Vec::new();
    }
    let ends = [0, moves.div_ceil(3), (2 * moves).div_ceil(3), moves];
    let names = [PhaseName::Opening, PhaseName::Middle, PhaseName::End];
    let phase = |(name, ends): (PhaseName, &[usize])| {
        let (from, to) = (ends[0] + 1, ends[1]);
        let accuracy = (0..seats).map(|seat| mean_accuracy(&plies[from..=to], seat)).collect();
        Phase { name, from, to, accuracy }
    };
    names.into_iter().zip(ends.windows(2)).map(phase).collect()
}

/// The share from which on a player is clearly ahead.
const CLEARLY: f64 = 0.85;

/// The first position from which on the winner was always clearly ahead. Without a winner there is none.
pub(super) fn decided_at(plies: &[ReviewedPly]) -> Option<usize> {
    let last = plies.last().filter(|ply| ply.opinion.best.is_none())?;
    let winner = last.opinion.shares.iter().position(|&share| share >= 1.0)?;
    let ahead = |ply: &ReviewedPly| ply.opinion.shares.get(winner).is_some_and(|&it| it >= CLEARLY);
    let since = plies.iter().rposition(|ply| !ahead(ply)).map_or(0, |at| at + 1);
    (since < plies.len()).then_some(since)
}
