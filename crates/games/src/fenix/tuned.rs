//! The evaluation with fitted weights: units, kings and their heirs, pieces under attack, and
//! mobility.
//!
//! The rules have no forward and backward, so neither do the features. Every feature is red's count
//! minus black's, and all pieces of a kind are counted together, as sets.

use agon_core::tuning::{Weighted, read_weights};
use agon_core::{Seat, Tally, Tunable};

use super::board::{BOARD, DIAGONAL, Direction, ORTHOGONAL, Squares};
use super::moves::{Reach, setup_targets};
use super::{BLACK, Fenix, PLIES_OF_SETUP, RED};
use crate::features::{Tapered, features};

features! {
    tapered
    Soldier = "soldier",
    General = "general",
    King = "king",
    Fading = "lead-fades-before-draw",
    Drawish = "lead-in-soldiers-without-generals",
    SetupGeneral = "general-in-setup",
    SetupKing = "king-in-setup",
    KingGuards = "king-guards-beside",
    KingCorners = "king-guards-diagonal",
    KingExposed = "king-open-directions",
    KingEdge = "king-on-edge",
    KingEnemies = "enemies-around-king",
    KingBorneOn = "squares-around-king-attacked",
    KingMoves = "king-moves",
    KingCorner = "king-in-corner",
    KingStormed = "king-open-directions-in-reach",
    KingBesieged = "enemies-within-two-of-king",
    KingCourt = "own-within-two-of-king",
    Succession = "an-heir",
    Heirs = "generals-beside-soldiers",
    Recruits = "soldiers-beside-soldiers",
    SoldierMoves = "soldier-moves",
    GeneralMoves = "general-moves",
    SoldierCentre = "soldier-in-centre",
    GeneralCentre = "general-in-centre",
    SoldierEdge = "soldier-on-edge",
    GeneralEdge = "general-on-edge",
    SoldierLoose = "soldier-open-lines",
    GeneralLoose = "general-open-lines",
    SoldierAlone = "soldier-alone",
    MoverKingAttacked = "movers-king-attacked",
    WaiterKingAttacked = "waiters-king-attacked",
    WaiterLastKingAttacked = "waiters-last-king-attacked",
    MoverSoldierAttacked = "movers-soldier-attacked",
    MoverGeneralAttacked = "movers-general-attacked",
    MoverMoreAttacked = "movers-more-attacked",
    WaiterSoldierAttacked = "waiters-soldier-attacked",
    WaiterGeneralAttacked = "waiters-general-attacked",
    WaiterMoreAttacked = "waiters-more-attacked",
    Interregnum = "interregnum",
    Doomed = "doomed",
    Tempo = "tempo",
}

/// How many features there are.
pub(super) const FEATURES: usize = NAMES.len();
const WEIGHTS: [i32; FEATURES] = read_weights(include_str!("tuned.txt"), &NAMES);

/// All squares but the outermost.
const INNER: Squares = agon_core::Bitboard(0x0000_7E7E_7E7E_7E00);
/// Pieces here cannot be jumped: there is no square behind them.
const CORNERS: Squares = agon_core::Bitboard(0x0081_0000_0000_0081);
/// c3 to f5.
const CENTRE: Squares = agon_core::Bitboard(0x0000_003C_3C3C_0000);

/// So many units more on the board are an earlier stage of the game.
const UNITS_OF_STAGE: i32 = 6;

/// The number of quiet plies from which a lead in units counts less.
const FADING_FROM: i32 = 20;
/// With no general on the board, a lead of this many soldiers is not enough as a rule. By the endgame
/// tables, king and soldier against king is a draw, and with two soldiers only a third of the wins are
/// shorter than fifty plies; with three nearly all are.
const TOO_FEW_SOLDIERS: i32 = 2;
/// The feature grows by the lead in units with every so many further quiet plies.
const FADING_STEP: i32 = 3;

impl Tunable for Fenix {
    const FEATURES: &'static [&'static str] = &NAMES;
    const WEIGHTS: &'static [i32] = &WEIGHTS;

    #[inline]
    fn tally<T: Tally>(&self, tally: &mut T) {
        let armies = [Army::of(self, RED), Army::of(self, BLACK)];
        let units = armies[0].units() + armies[1].units();
        let tally =
            &mut Tapered { tally, features: NAMES.len() / 2, stage: units / UNITS_OF_STAGE };
        let mut sum = Sum { tally, armies: [&armies[0], &armies[1]] };
        if self.turn < PLIES_OF_SETUP {
            sum.setup();
        } else {
            sum.units(i32::from(self.quiet));
        }
        sum.kings();
        sum.structure();
        let [red, black] = &armies;
        let mut add = |feature: Feature, count| tally.add(feature as usize, count);
        if self.mover() == RED {
            self.turns(red, black, add);
        } else {
            self.turns(black, red, |feature, count| add(feature, -count));
        }
    }
}

impl Fenix {
    /// The weighted sum of all features for a seat.
    pub(super) fn judge_tuned(&self, seat: Seat) -> i32 {
        let mut sum = Weighted::new(&WEIGHTS);
        self.tally(&mut sum);
        if seat == RED { sum.sum() } else { -sum.sum() }
    }

    /// The features that differ between the side to move and the other, counted for the side to
    /// move.
    #[inline(always)]
    fn turns(&self, mover: &Army, waiter: &Army, mut add: impl FnMut(Feature, i32)) {
        use Feature::*;
        add(Tempo, 1);
        if self.turn < PLIES_OF_SETUP {
            add(Doomed, i32::from(mover.is_stuck()) - i32::from(waiter.is_stuck()));
            return;
        }
        if mover.kings.is_empty() {
            add(if self.can_crown() { Interregnum } else { Doomed }, 1);
        }
        add(Doomed, -i32::from(waiter.kings.is_empty()));
        let [soldiers, generals, kings, more] = mover.attacked_by(waiter);
        add(MoverKingAttacked, kings);
        add(MoverSoldierAttacked, soldiers);
        add(MoverGeneralAttacked, generals);
        add(MoverMoreAttacked, more);
        let [soldiers, generals, kings, more] = waiter.attacked_by(mover);
        let heir = waiter.generals.meets(waiter.beside_soldiers);
        add(if heir { WaiterKingAttacked } else { WaiterLastKingAttacked }, -kings);
        add(WaiterSoldierAttacked, -soldiers);
        add(WaiterGeneralAttacked, -generals);
        add(WaiterMoreAttacked, -more);
    }
}

/// One side's pieces, where they stand and what they reach.
struct Army {
    soldiers: Squares,
    generals: Squares,
    kings: Squares,
    all: Squares,
    empty: Squares,
    reach: Reach,
    beside_soldiers: Squares,
    beside_king: Squares,
    around_king: Squares,
}

impl Army {
    #[inline(always)]
    fn of(position: &Fenix, seat: Seat) -> Army {
        let [soldiers, generals, kings] = position.pieces[seat.index()];
        let beside_king = around(ORTHOGONAL, kings);
        Army {
            soldiers,
            generals,
            kings,
            all: soldiers | generals | kings,
            empty: BOARD - position.occupied(),
            reach: position.reach(seat),
            beside_soldiers: around(ORTHOGONAL, soldiers),
            beside_king,
            around_king: beside_king | around(DIAGONAL, kings),
        }
    }

    /// How many men there are, in all stacks.
    #[inline(always)]
    fn units(&self) -> i32 {
        count(self.soldiers) + 2 * count(self.generals) + 3 * count(self.kings)
    }

    /// Whether nothing can be stacked any more and there is no king.
    #[inline(always)]
    fn is_stuck(&self) -> bool {
        self.kings.is_empty()
            && setup_targets([self.soldiers, self.generals, self.kings]).count() == 0
    }

    /// Whether a soldier, a general and a king of this army can be jumped, and how many further
    /// pieces.
    #[inline(always)]
    fn attacked_by(&self, enemy: &Army) -> [i32; 4] {
        let prey = enemy.reach.prey();
        let kinds = [self.soldiers, self.generals, self.kings];
        let [soldiers, generals, kings] = kinds.map(|kind| i32::from(kind.meets(prey)));
        [soldiers, generals, kings, count(prey) - soldiers - generals - kings]
    }

    /// Where a piece of this army stands or could go with a quiet move, except for the king's
    /// diagonal steps.
    #[inline(always)]
    fn can_be_next(&self) -> Squares {
        let slides = self.reach.slides.into_iter().fold(self.beside_king, |all, set| all | set);
        self.all | ((slides | self.beside_soldiers) & self.empty)
    }

    /// The squares at most two steps from the king in each direction, including its own.
    #[inline(always)]
    fn near_king(&self) -> Squares {
        let near = self.around_king;
        near | around(ORTHOGONAL, near) | around(DIAGONAL, near)
    }

    /// The squares on which a piece of this army could be jumped in this direction, now or once an
    /// enemy comes: no own piece in front of it, an empty square behind it.
    #[inline(always)]
    fn open(&self, direction: Direction) -> Squares {
        let back = direction.opposite();
        direction.step(BOARD - self.all) & back.step(self.empty)
    }

    /// How many steps the soldiers can make.
    #[inline(always)]
    fn soldier_steps(&self) -> i32 {
        let steps = |direction: Direction| count(direction.step(self.soldiers) & self.empty);
        ORTHOGONAL.into_iter().map(steps).sum()
    }
}

#[inline(always)]
fn count(set: Squares) -> i32 {
    set.len() as i32
}

/// All squares one step away in one of these directions.
#[inline(always)]
fn around(directions: [Direction; 4], set: Squares) -> Squares {
    directions.into_iter().fold(Squares::EMPTY, |all, direction| all | direction.step(set))
}

/// Adds red's counts minus black's.
struct Sum<'a, T> {
    tally: &'a mut T,
    armies: [&'a Army; 2],
}

impl<T: Tally> Sum<'_, T> {
    /// Adds the difference of `number` between the sides; it gets a side and its opponent.
    #[inline(always)]
    fn add(&mut self, feature: Feature, number: impl Fn(&Army, &Army) -> i32) {
        let [red, black] = self.armies;
        self.tally.add(feature as usize, number(red, black) - number(black, red));
    }

    /// In the setup both sides have the same units, and how far they are stacked only depends on
    /// the order.
    #[inline(always)]
    fn setup(&mut self) {
        self.add(Feature::SetupGeneral, |army, _| count(army.generals));
        self.add(Feature::SetupKing, |army, _| count(army.kings));
    }

    #[inline(always)]
    fn units(&mut self, quiet: i32) {
        self.add(Feature::Soldier, |army, _| count(army.soldiers));
        self.add(Feature::General, |army, _| count(army.generals));
        self.add(Feature::King, |army, _| count(army.kings));
        let [red, black] = self.armies;
        if (red.generals | black.generals).is_empty() {
            let lead = count(red.soldiers) - count(black.soldiers);
            if lead.abs() <= TOO_FEW_SOLDIERS {
                self.tally.add(Feature::Drawish as usize, lead);
            }
        }
        if quiet > FADING_FROM {
            let fading = (quiet - FADING_FROM) / FADING_STEP;
            self.add(Feature::Fading, |army, _| fading * army.units());
        }
    }

    #[inline(always)]
    fn kings(&mut self) {
        self.add(Feature::KingGuards, |army, _| count(army.beside_king & army.all));
        self.add(Feature::KingCorners, |army, _| count(around(DIAGONAL, army.kings) & army.all));
        self.add(Feature::KingExposed, |army, _| {
            ORTHOGONAL.into_iter().map(|ahead| count(army.open(ahead) & army.kings)).sum()
        });
        self.add(Feature::KingStormed, |army, enemy| {
            let from = enemy.can_be_next();
            let open = |ahead: Direction| army.open(ahead) & ahead.step(from) & army.kings;
            ORTHOGONAL.into_iter().map(|ahead| count(open(ahead))).sum()
        });
        self.add(Feature::KingEdge, |army, _| count(army.kings - INNER));
        self.add(Feature::KingCorner, |army, _| count(army.kings & CORNERS));
        self.add(Feature::KingEnemies, |army, enemy| count(army.around_king & enemy.all));
        self.add(Feature::KingBorneOn, |army, enemy| {
            let near = army.beside_king;
            enemy.reach.slides.into_iter().map(|slides| count(slides & near)).sum()
        });
        self.add(Feature::KingMoves, |army, _| count(army.around_king & army.empty));
        self.add(Feature::KingBesieged, |army, enemy| count(army.near_king() & enemy.all));
        self.add(Feature::KingCourt, |army, _| count(army.near_king() & army.all));
        self.add(Feature::Succession, |army, _| {
            i32::from(army.generals.meets(army.beside_soldiers))
        });
        self.add(Feature::Heirs, |army, _| count(army.generals & army.beside_soldiers));
        self.add(Feature::Recruits, |army, _| count(army.soldiers & army.beside_soldiers));
    }

    #[inline(always)]
    fn structure(&mut self) {
        self.add(Feature::SoldierMoves, |army, _| army.soldier_steps());
        self.add(Feature::GeneralMoves, |army, _| army.reach.slides.into_iter().map(count).sum());
        self.add(Feature::SoldierCentre, |army, _| count(army.soldiers & CENTRE));
        self.add(Feature::GeneralCentre, |army, _| count(army.generals & CENTRE));
        self.add(Feature::SoldierEdge, |army, _| count(army.soldiers - INNER));
        self.add(Feature::GeneralEdge, |army, _| count(army.generals - INNER));
        let lines = |army: &Army, pieces: Squares| {
            let [east, north, west, south] = ORTHOGONAL.map(|ahead| army.open(ahead));
            count((east | west) & pieces) + count((north | south) & pieces)
        };
        self.add(Feature::SoldierLoose, |army, _| lines(army, army.soldiers));
        self.add(Feature::GeneralLoose, |army, _| lines(army, army.generals));
        self.add(Feature::SoldierAlone, |army, _| {
            count(army.soldiers - around(ORTHOGONAL, army.all))
        });
    }
}
