//! Congo as the course's own searches see it.

use agon_core::{
    Evaluate, Evaluation, Flow, Game, NoModel, Outcome, Progress, Seat, Sink, Status, TextError,
    Which,
};

use super::super::evaluation::Worths;
use super::super::{Congo, Move, PieceKind};
use super::read;

/// The value of a captured lion, for the side that captured it. No other position comes close.
pub const LION_CAPTURED: i32 = 10_000;

/// A position for the course's own searches: the moves are the same, but only a captured lion
/// ends the game. There are no draws, and no rule depends on earlier positions.
///
/// ```
/// use agon_core::Game;
/// use agon_games::congo::course::CourseCongo;
/// let bare = CourseCongo::read("3l3/7/7/7/7/7/3L3 w 4", true).unwrap();
/// assert_eq!(bare.count_moves(), 6);
/// assert_eq!(bare.value(bare.turn(), true), 0);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CourseCongo {
    position: Congo,
    worths: Worths,
}

impl CourseCongo {
    /// Reads a position in the course's notation. Without `promotion` a pawn on the last rank
    /// stays a pawn.
    pub fn read(fen: &str, promotion: bool) -> Result<CourseCongo, TextError> {
        Ok(CourseCongo { position: read(fen, promotion)?, worths: Worths::COURSE })
    }

    /// The same position with another value for this kind, from 0 to 1000. The course gives no
    /// values for the monkey (300 here) and the crocodile (450).
    pub fn with_worth(mut self, kind: PieceKind, worth: i32) -> CourseCongo {
        self.worths = self.worths.with(kind, worth);
        self
    }

    /// The position by all of Congo's rules.
    pub fn congo(&self) -> &Congo {
        &self.position
    }

    /// The side to move, even when the game is over.
    pub fn turn(&self) -> Seat {
        self.position.turn
    }

    /// The course's static value for a side: 0 if only the lions are left, ±10000 if one of them
    /// is missing, otherwise the men and, in the advanced form, what they can do.
    pub fn value(&self, seat: Seat, advanced: bool) -> i32 {
        match self.position.without_lion() {
            Some(loser) if loser == seat => -LION_CAPTURED,
            Some(_) => LION_CAPTURED,
            None if self.position.to_move().is_none() => 0,
            None if advanced => self.position.judge_advanced(seat, &self.worths),
            None => self.position.material(seat, &self.worths),
        }
    }
}

impl Game for CourseCongo {
    type Move = Move;

    fn seats(&self) -> usize {
        2
    }

    fn status(&self) -> Status {
        match self.position.without_lion() {
            None => Status::ToMove(self.position.turn),
            Some(_) => self.position.status(),
        }
    }

    fn generate<S: Sink<Move>>(&self, which: Which, into: &mut S) -> Flow {
        self.position.generate(which, into)
    }

    /// The course has no result for a side without a move: its searches take the static value.
    fn when_stuck(&self) -> Outcome {
        Outcome::draw(2, self.position.when_stuck().reason())
    }

    fn count_moves(&self) -> u64 {
        self.position.count_moves()
    }

    fn play(&mut self, mv: Move) -> Progress {
        self.position.play(mv)
    }

    fn key(&self) -> u64 {
        self.position.key()
    }
}

/// The static values of [`CourseCongo::value`], which are also defined after the end of the game.
impl Evaluate for CourseCongo {
    type Model = NoModel;

    fn evaluations() -> &'static [Evaluation<CourseCongo>] {
        const ALL: [Evaluation<CourseCongo>; 2] = [
            Evaluation {
                name: "simple",
                about: "the men",
                judge: |position, seat| position.value(seat, false),
            },
            Evaluation {
                name: "course",
                about: "the men, the moves and the captures of both sides",
                judge: |position, seat| position.value(seat, true),
            },
        ];
        &ALL
    }
}
