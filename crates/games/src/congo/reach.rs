//! The reach of the men: all men of a kind at once by shifting whole sets; and attacks on the lion,
//! found by looking outwards from it.

use agon_core::sink::GO_ON;
use agon_core::{Flow, Seat, Square};

use super::board::{
    BOARD, ELEPHANT, FAR, JUMPABLE, LONG_STEPS, PieceKind, SIGHT, SIZE, Set, ZEBRA, behind,
    between_lions, crocodile, ranks,
};
use super::jumps::Jumps;
use super::moves::Walker;
use super::{Congo, Move, WHITE};

const BOTTOM: Set = ranks(0, 0);
const BOTTOM_TWO: Set = ranks(0, 1);
const TOP: Set = ranks(SIZE - 1, SIZE - 1);
const TOP_TWO: Set = ranks(SIZE - 2, SIZE - 1);

/// The set shifted one square up and down its files.
#[inline(always)]
fn one_along(men: Set) -> Set {
    ((men - TOP) << 1) | ((men - BOTTOM) >> 1)
}

/// The set shifted two squares up and down its files.
#[inline(always)]
fn two_along(men: Set) -> Set {
    ((men - TOP_TWO) << 2) | ((men - BOTTOM_TWO) >> 2)
}

/// The set shifted some files to either side; what leaves the board has to be masked off.
#[inline(always)]
fn sideways(men: Set, files: usize) -> Set {
    let by = (files * SIZE) as u32;
    (men << by) | (men >> by)
}

/// One step in eight directions.
#[inline(always)]
pub(super) fn steps(men: Set) -> Set {
    let along = one_along(men);
    (along | sideways(men | along, 1)) & BOARD
}

/// Two squares in eight directions: what giraffes can capture.
#[inline(always)]
pub(super) fn giraffes(men: Set) -> Set {
    let along = two_along(men);
    (along | sideways(men | along, 2)) & BOARD
}

/// Where elephants go.
#[inline(always)]
pub(super) fn elephants(men: Set) -> Set {
    (one_along(men) | two_along(men) | sideways(men, 1) | sideways(men, 2)) & BOARD
}

/// Where zebras go.
#[inline(always)]
pub(super) fn zebras(men: Set) -> Set {
    (sideways(two_along(men), 1) | sideways(one_along(men), 2)) & BOARD
}

/// Where crocodiles go.
#[inline(always)]
pub(super) fn crocodiles(men: Set, occupied: Set) -> Set {
    men.into_iter().fold(Set::EMPTY, |all, from| all | crocodile(from, occupied))
}

/// Where pawns of this side go forward, and superpawns as well.
#[inline(always)]
pub(super) fn pawns(owner: Seat, men: Set) -> Set {
    let men = men - FAR[owner.index()];
    let ahead = if owner == WHITE { men << 1 } else { men >> 1 };
    (ahead | sideways(ahead, 1)) & BOARD
}

/// Where superpawns of this side can capture.
#[inline(always)]
pub(super) fn superpawns(owner: Seat, men: Set) -> Set {
    pawns(owner, men) | (sideways(men, 1) & BOARD)
}

/// The prey that monkeys can capture with a first jump.
#[inline(always)]
pub(super) fn monkey_prey(monkeys: Set, prey: Set, empty: Set) -> Set {
    let mut reached = Set::EMPTY;
    for at in monkeys {
        for over in JUMPABLE.at(at) & prey {
            if empty.contains(behind(at, over)) {
                reached.insert(over);
            }
        }
    }
    reached
}

impl Congo {
    /// Whether `hunter`, if it were to move, could capture the other lion with this move.
    pub(super) fn can_take_lion(&self, hunter: Seat) -> bool {
        let prey = self.men(hunter.opponent(), PieceKind::Lion);
        let Some(lion) = prey.first() else { return false };
        let hunters = |kind: PieceKind| self.men(hunter, kind);
        // Pawns capture forwards, so those that can are one step back.
        let behind_lion = pawns(hunter.opponent(), prey);
        let pawns = behind_lion & (hunters(PieceKind::Pawn) | hunters(PieceKind::Superpawn));
        let leapers = (ZEBRA.at(lion) & hunters(PieceKind::Zebra))
            | (ELEPHANT.at(lion) & hunters(PieceKind::Elephant))
            | (LONG_STEPS.at(lion) & hunters(PieceKind::Giraffe))
            | (sideways(prey, 1) & hunters(PieceKind::Superpawn));
        (pawns | leapers).any()
            || crocodiles(hunters(PieceKind::Crocodile), self.occupied()).meets(prey)
            || self.lions_see_each_other(lion, hunters(PieceKind::Lion))
            || self.monkey_takes_lion(hunter, prey)
    }

    #[inline]
    fn lions_see_each_other(&self, lion: Square, other: Set) -> bool {
        match (SIGHT.at(lion) & other).first() {
            Some(at) => !between_lions(lion, at).meets(self.occupied()),
            None => false,
        }
    }

    /// Whether a monkey can jump over the lion, with its first jump or at the end of a chain.
    #[inline]
    fn monkey_takes_lion(&self, hunter: Seat, lion: Set) -> bool {
        let (monkeys, enemies) =
            (self.men(hunter, PieceKind::Monkey), self.sides[1 - hunter.index()]);
        if !steps(monkeys).meets(enemies) {
            return false;
        }
        let mut over = JumpsOver { lion };
        let position = Congo { turn: hunter, ..*self };
        monkeys.into_iter().any(|from| Jumps::new(&position, from).walk(&mut over).is_break())
    }
}

/// Stops at the first capture of the lion.
struct JumpsOver {
    lion: Set,
}

impl Walker for JumpsOver {
    fn stride(&mut self, _: PieceKind, _: i32, _: Set) -> Flow {
        GO_ON
    }

    fn man(&mut self, _: PieceKind, _: Square, _: Set) -> Flow {
        GO_ON
    }

    #[inline]
    fn jump(&mut self, mv: Move) -> Flow {
        if mv.jumped().meets(self.lion) { Flow::Break(()) } else { GO_ON }
    }
}

#[cfg(test)]
mod tests {
    use super::super::board::STEPS;
    use super::*;

    /// The same from the tables, man by man.
    fn by_table(men: Set, reach: impl Fn(Square) -> Set) -> Set {
        men.into_iter().fold(Set::EMPTY, |all, from| all | reach(from))
    }

    #[test]
    fn whole_sets_reach_what_their_members_reach() {
        let mut rng = agon_core::Rng::new(0x5E75);
        for _ in 0..2000 {
            let men = Set::from_iter(BOARD.into_iter().filter(|_| rng.below(8) == 0));
            assert_eq!(steps(men), by_table(men, |from| STEPS.at(from)));
            assert_eq!(giraffes(men), by_table(men, |from| LONG_STEPS.at(from)));
            assert_eq!(elephants(men), by_table(men, |from| ELEPHANT.at(from)));
            assert_eq!(zebras(men), by_table(men, |from| ZEBRA.at(from)));
            for owner in [WHITE, WHITE.opponent()] {
                let one = |from: Square| pawns(owner, from.into());
                assert_eq!(pawns(owner, men), by_table(men, one));
                let one = |from: Square| superpawns(owner, from.into());
                assert_eq!(superpawns(owner, men), by_table(men, one));
            }
        }
    }
}
