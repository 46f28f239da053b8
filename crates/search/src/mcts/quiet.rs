//! Quiescence: evaluating positions that are not quiet, in two-player games.
//!
//! An evaluation cannot be trusted in the middle of an exchange. So before a position is evaluated,
//! noisy moves are searched a few plies deep, and either side may stand pat.

use agon_core::{Evaluator, Hints, MoveList, Outcome, Seat, Status, Which};

use crate::score::Score;

/// The maximum depth.
const DEEPEST: u32 = 4;
/// After this many plies only noisy moves are searched, even where the side to move is under
/// pressure.
const PRESSURE: u32 = 2;

/// Resolves exchanges and evaluates what is left.
pub(super) struct Quiet<'a, G: Hints> {
    pub(super) evaluation: &'a Evaluator<G>,
    pub(super) moves: &'a mut MoveList<G::Move>,
    /// Moves played.
    pub(super) nodes: u64,
    /// Positions evaluated.
    pub(super) evaluations: u64,
}

impl<G: Hints> Quiet<'_, G> {
    /// The value of a position that is not over, for the side to move.
    pub(super) fn judge(&mut self, position: &G, mover: Seat) -> i32 {
        self.moves.clear();
        self.value(position, mover, 0, (Score::LOWEST.value(), Score::HIGHEST.value()))
    }

    fn value(&mut self, position: &G, mover: Seat, ply: u32, (mut alpha, beta): (i32, i32)) -> i32 {
        let is_tense = position.is_tense() && ply < PRESSURE;
        let mut best = Score::LOWEST.value();
        if !is_tense || ply == DEEPEST {
            self.evaluations += 1;
            best = self.evaluation.judge(position, mover);
            if best >= beta || ply == DEEPEST {
                return best;
            }
            alpha = alpha.max(best);
        }
        let from = self.moves.len();
        let which = if is_tense { Which::All } else { Which::Noisy };
        let _ = position.generate(which, self.moves);
        if is_tense && self.moves.len() == from {
            return result(&position.when_stuck(), mover, ply);
        }
        while let Some(mv) = self.most_urgent(position, from) {
            let mut after = position.clone();
            after.play(mv);
            self.nodes += 1;
            let value = match after.status() {
                Status::Over(outcome) => result(&outcome, mover, ply),
                Status::ToMove(next) => -self.value(&after, next, ply + 1, (-beta, -alpha)),
            };
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        self.moves.truncate(from);
        best
    }

    /// Takes the most urgent move out of the list from index `from` on.
    fn most_urgent(&mut self, position: &G, from: usize) -> Option<G::Move> {
        let moves = &self.moves[from..];
        let urgency = |index: &usize| position.urgency(moves[*index]).unwrap_or(i32::MIN);
        let chosen = (0..moves.len()).max_by_key(urgency)?;
        let last = self.moves.len() - 1;
        self.moves.swap(from + chosen, last);
        let mv = self.moves[last];
        self.moves.truncate(last);
        Some(mv)
    }
}

fn result(outcome: &Outcome, mover: Seat, ply: u32) -> i32 {
    Score::of(outcome, mover, ply).value()
}
