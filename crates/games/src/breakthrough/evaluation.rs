//! Evaluations: who is closer to the far row.

use agon_core::{Bitboard, Evaluate, Evaluation, Seat, Tables};

use super::board::Cells;
use super::tuned::{Tuned, tuned};
use super::{BLACK, Breakthrough, RuleSet, WHITE};

/// The constant that the course adds for white. In a search it only shifts all values by the same
/// amount.
const FOR_WHITE: i32 = 50;

impl<W: Cells, R: RuleSet> Evaluate for Breakthrough<W, R> {
    type Model = Tuned;

    fn evaluations() -> &'static [Evaluation<Self>] {
        &const {
            [
                Evaluation {
                    name: "simple",
                    about: "the course's: 50, less the rows white's most advanced pawn has to go, \
                            plus those of black's; for black the same with the sign changed",
                    judge: simple,
                },
                Evaluation {
                    name: "tuned",
                    about: "pawns by the rows they have to go, their formation, runners and races, \
                            with fitted weights",
                    judge: tuned,
                },
            ]
        }
    }

    fn model(&self, evaluation: &str, _: &Tables, weights: Option<&[i32]>) -> Option<Tuned> {
        (evaluation == "tuned").then(|| Tuned::of(self, weights))
    }
}

/// 50 − (rows from white's most advanced pawn to row H) + (rows from black's to row 1) for white,
/// the negation for black. It sees the race but not what stands in the way.
fn simple<W: Cells, R: RuleSet>(position: &Breakthrough<W, R>, seat: Seat) -> i32 {
    let for_white = FOR_WHITE - rows_to_go(position, WHITE) + rows_to_go(position, BLACK);
    if seat == WHITE { for_white } else { -for_white }
}

/// How many rows the most advanced pawn of a side is away from the far row; the height of the
/// board, one more than any pawn can be, for a side without pawns.
fn rows_to_go<W: Cells, R>(position: &Breakthrough<W, R>, seat: Seat) -> i32 {
    let (board, pawns) = (position.board, position.pawns[seat.index()]);
    let far = board.goal[seat.index()];
    let row = |rows: usize| -> Bitboard<W> {
        let squares = (rows * board.width) as u32;
        if seat == WHITE { far >> squares } else { far << squares }
    };
    (0..board.height).find(|&rows| row(rows).meets(pawns)).unwrap_or(board.height) as i32
}
