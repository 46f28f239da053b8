//! Judging a position: the units of both armies, and how safe their kings are.

use agon_core::tuning::Reweighted;
use agon_core::{Evaluate, Evaluation, Seat, Square, Tables};

use super::board::{BOARD, DIAGONAL, ORTHOGONAL, Squares};
use super::moves::setup_targets;
use super::tuned::FEATURES;
use super::{Fenix, PLIES_OF_SETUP, PieceKind};

/// A unit: a soldier is one, a general two, a king three.
const UNIT: i32 = 100;
/// An own piece beside the king, in any of the eight directions: no enemy can jump from there,
/// and none can land there.
const GUARD: i32 = 10;
/// A soldier beside a general: they can become the new king if the king falls.
const HEIR: i32 = 40;
/// The king can be jumped, but its owner moves first.
const KING_ATTACKED: i32 = 50;
/// The king can be jumped by the side to move, and there is an heir: its units are practically
/// lost, but the game is not.
const KING_FALLS: i32 = 300;
/// The same without an heir. Not quite lost: the enemy may be forced to capture more elsewhere.
const LAST_KING_FALLS: i32 = 2000;
/// The king has fallen and will be replaced: this costs a ply and the heir.
const INTERREGNUM: i32 = 50;
/// This side loses with its next ply.
const DOOMED: i32 = 10_000;

impl Evaluate for Fenix {
    type Model = Reweighted<{ FEATURES }>;

    fn evaluations() -> &'static [Evaluation<Fenix>] {
        const ALL: [Evaluation<Fenix>; 2] = [
            Evaluation {
                name: "simple",
                about: "soldiers 100, generals 200, kings 300, and the safety of the kings: \
                        guards, attackers and heirs",
                judge: |position, seat| {
                    position.standing(seat) - position.standing(seat.opponent())
                },
            },
            Evaluation {
                name: "tuned",
                about: "fitted weights: units, the kings and their heirs, what can be jumped, \
                        open lines and freedom",
                judge: Fenix::judge_tuned,
            },
        ];
        &ALL
    }

    fn model(&self, evaluation: &str, _: &Tables, weights: Option<&[i32]>) -> Option<Self::Model> {
        weights.filter(|_| evaluation == "tuned").and_then(Reweighted::new)
    }
}

impl Fenix {
    /// The value of one side.
    fn standing(&self, seat: Seat) -> i32 {
        let units = |kind: PieceKind| {
            i32::from(kind.height()) * self.pieces[seat.index()][kind as usize].len() as i32
        };
        let units: i32 = PieceKind::ALL.into_iter().map(units).sum();
        UNIT * units + self.safety(seat)
    }

    /// How safe the king is, or how likely it is that there will be one.
    fn safety(&self, seat: Seat) -> i32 {
        let [soldiers, generals, kings] = self.pieces[seat.index()];
        let has_heir = soldiers.meets(beside(generals));
        let heir = if has_heir { HEIR } else { 0 };
        if kings.is_empty() {
            return heir - self.price_of_no_king(seat);
        }
        // A loop, although no side ever has two in a game.
        let each = kings.into_iter().map(|king| {
            let guards = (around(king) & self.army(seat)).len() as i32;
            let danger = match self.can_be_jumped(seat, king) {
                false => 0,
                true if seat == self.mover() => KING_ATTACKED,
                true if has_heir => KING_FALLS,
                true => LAST_KING_FALLS,
            };
            GUARD * guards - danger
        });
        heir + each.sum::<i32>()
    }

    /// Zero in the setup, unless the last chance to make a king is gone. After the setup the king
    /// has fallen: its owner makes a new one at once or loses.
    fn price_of_no_king(&self, seat: Seat) -> i32 {
        if self.turn < PLIES_OF_SETUP {
            let is_stuck = setup_targets(self.pieces[seat.index()]).count() == 0;
            return if is_stuck { DOOMED } else { 0 };
        }
        if seat == self.mover() && self.can_crown() { INTERREGNUM } else { DOOMED }
    }

    /// Whether an enemy piece could jump over the king on this square, with the first jump of its
    /// move. There are no captures in the setup.
    fn can_be_jumped(&self, seat: Seat, king: Square) -> bool {
        let [_, generals, kings] = self.pieces[seat.opponent().index()];
        let (enemies, occupied) = (self.army(seat.opponent()), self.occupied());
        let at = Squares::from(king);
        let in_line = ORTHOGONAL.into_iter().any(|ahead| {
            let back = ahead.opposite();
            let jumper = back.first_met(king, occupied).map_or(Squares::EMPTY, Squares::from);
            let jumpers = generals | (enemies & back.step(at));
            jumper.meets(jumpers) && ahead.step(at).meets(BOARD - occupied)
        });
        let diagonally = || {
            DIAGONAL.into_iter().any(|ahead| {
                ahead.opposite().step(at).meets(kings) && ahead.step(at).meets(BOARD - occupied)
            })
        };
        self.turn >= PLIES_OF_SETUP && (in_line || diagonally())
    }
}

/// The orthogonal neighbours of a set.
fn beside(set: Squares) -> Squares {
    ORTHOGONAL.into_iter().fold(Squares::EMPTY, |all, direction| all | direction.step(set))
}

/// All neighbours of a square.
fn around(square: Square) -> Squares {
    let all = ORTHOGONAL.into_iter().chain(DIAGONAL);
    all.fold(Squares::EMPTY, |all, direction| all | direction.step(square.into()))
}
