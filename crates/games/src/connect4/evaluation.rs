//! Evaluations: what lines are still open, and which of them lack one disc.

use agon_core::tuning::Reweighted;
use agon_core::{Bitboard, Evaluate, Evaluation, Seat, Tables};

use super::board::Cells;
use super::moves::{completions, lines_within};
use super::tuned::{FEATURES, tuned};
use super::{Connect4, O, X};

/// An empty cell that completes four in a row, in lines of four that can still be filled.
const THREAT: i32 = 10;

impl<W: Cells> Evaluate for Connect4<W> {
    type Model = Reweighted<{ FEATURES }>;

    fn evaluations() -> &'static [Evaluation<Self>] {
        &const {
            [
                Evaluation {
                    name: "simple",
                    about: "the lines of four that a side can still fill, and 10 for each empty \
                            cell that completes one; less the same of the other side",
                    judge: simple,
                },
                Evaluation {
                    name: "tuned",
                    about: "open lines by their discs, and the cells each side waits for by their \
                            rows, with fitted weights",
                    judge: tuned,
                },
            ]
        }
    }

    fn model(&self, evaluation: &str, _: &Tables, weights: Option<&[i32]>) -> Option<Self::Model> {
        weights.filter(|_| evaluation == "tuned").and_then(Reweighted::new)
    }
}

fn simple<W: Cells>(position: &Connect4<W>, seat: Seat) -> i32 {
    let empty = position.board.cells - position.all;
    let side = |discs: Bitboard<W>| {
        let threats = (completions(position.board, discs) & empty).len();
        lines_within(position.board, discs | empty) as i32 + THREAT * threats as i32
    };
    let for_x = side(position.discs(X)) - side(position.discs(O));
    if seat == X { for_x } else { -for_x }
}
