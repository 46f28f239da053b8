//! Evaluations: the men, and what they can do.

use agon_core::evaluate::EVALUATION_LIMIT;
use agon_core::sink::GO_ON;
use agon_core::{Evaluate, Evaluation, Flow, Seat, Square, Tables, Which};

use super::board::{PieceKind, Set};
use super::moves::Walker;
use super::tuned::Tuned;
use super::{Congo, Move};

/// The value of a man of each kind, in hundredths of a pawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Worths([i32; PieceKind::ALL.len()]);

impl Worths {
    /// The maximum value of a kind: a board full of men stays below the limit of evaluations.
    const HIGHEST: i32 = 1000;

    /// The course's values where it has them. It gives none for the monkey and the crocodile: in
    /// self-play a monkey is worth as much as a zebra, and a crocodile a little more than a
    /// giraffe. The lion counts nothing, as both sides have theirs until the game is over.
    pub(super) const COURSE: Worths = {
        let mut worths = [0; PieceKind::ALL.len()];
        worths[PieceKind::Pawn as usize] = 100;
        worths[PieceKind::Elephant as usize] = 200;
        worths[PieceKind::Zebra as usize] = 300;
        worths[PieceKind::Monkey as usize] = 300;
        worths[PieceKind::Superpawn as usize] = 350;
        worths[PieceKind::Giraffe as usize] = 400;
        worths[PieceKind::Crocodile as usize] = 450;
        Worths(worths)
    };

    /// The same with another value for one kind, clamped to 0 to 1000.
    pub(super) fn with(mut self, kind: PieceKind, worth: i32) -> Worths {
        self.0[kind as usize] = worth.clamp(0, Self::HIGHEST);
        self
    }
}

/// The value of a move of either side: mobility.
const MOVE: u32 = 1;
/// The extra value of a capture.
const ATTACK: u32 = 1;
/// The further extra value of capturing the lion, which is also a capture: 11 attacks in all.
const LION_ATTACK: u32 = 10;

impl Evaluate for Congo {
    type Model = Tuned;

    fn evaluations() -> &'static [Evaluation<Congo>] {
        const ALL: [Evaluation<Congo>; 3] = [
            Evaluation {
                name: "simple",
                about: "the men: pawn 100, elephant 200, zebra and monkey 300, superpawn 350, \
                        giraffe 400, crocodile 450",
                judge: |position, seat| position.material(seat, &Worths::COURSE),
            },
            Evaluation {
                name: "tuned",
                about: "fitted weights: the men and their places, what they attack, the lions' \
                        safety, the river",
                judge: Congo::judge_tuned,
            },
            Evaluation {
                name: "course",
                about: "the course's advanced one: the men, one point for each move a side would \
                        have, one more if it captures, eleven more if it captures the lion",
                judge: |position, seat| position.judge_advanced(seat, &Worths::COURSE),
            },
        ];
        &ALL
    }

    fn model(&self, evaluation: &str, _: &Tables, weights: Option<&[i32]>) -> Option<Tuned> {
        (evaluation == "tuned").then(|| Tuned::new(weights))
    }
}

impl Congo {
    /// The material of `seat` minus that of its opponent.
    pub(super) fn material(&self, seat: Seat, worths: &Worths) -> i32 {
        let men = |seat: Seat, kind: PieceKind| self.men(seat, kind).len() as i32;
        let balance = |kind| men(seat, kind) - men(seat.opponent(), kind);
        PieceKind::ALL.into_iter().map(|kind| worths.0[kind as usize] * balance(kind)).sum()
    }

    /// [`material`](Congo::material) and the difference of what both sides could do if they were
    /// to move. It distinguishes positions with equal material, and costs one move generation per
    /// side.
    ///
    /// In real games there are few moves. On artificial boards a monkey can have a huge number of
    /// captures, so the sum is clamped to the range of evaluations.
    pub(super) fn judge_advanced(&self, seat: Seat, worths: &Worths) -> i32 {
        let activity = i64::from(self.activity(seat)) - i64::from(self.activity(seat.opponent()));
        let limit = i64::from(EVALUATION_LIMIT) - 1;
        (i64::from(self.material(seat, worths)) + activity).clamp(-limit, limit) as i32
    }

    /// The value of the moves of `seat`, as if it were to move.
    fn activity(&self, seat: Seat) -> u32 {
        let prey = seat.opponent();
        let mut activity = Activity {
            prey: self.sides[prey.index()],
            lion: self.men(prey, PieceKind::Lion),
            points: 0,
        };
        let _ = Congo { turn: seat, ..*self }.walk(Which::All, &mut activity);
        activity.points
    }
}

/// Counts moves and captures, whole sets at a time.
struct Activity {
    prey: Set,
    lion: Set,
    points: u32,
}

impl Activity {
    #[inline]
    fn add(&mut self, targets: Set) -> Flow {
        self.points += MOVE * targets.len()
            + ATTACK * (targets & self.prey).len()
            + LION_ATTACK * (targets & self.lion).len();
        GO_ON
    }
}

impl Walker for Activity {
    #[inline]
    fn stride(&mut self, _: PieceKind, _: i32, targets: Set) -> Flow {
        self.add(targets)
    }

    #[inline]
    fn man(&mut self, _: PieceKind, _: Square, targets: Set) -> Flow {
        self.add(targets)
    }

    /// A monkey's chain counts as one capture, however many men it jumps over.
    #[inline]
    fn jump(&mut self, mv: Move) -> Flow {
        let lion = if mv.jumped().meets(self.lion) { LION_ATTACK } else { 0 };
        self.points += MOVE + ATTACK + lion;
        GO_ON
    }
}
