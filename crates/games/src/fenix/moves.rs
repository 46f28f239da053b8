//! Move generation: one set of target squares per direction holds all moves that do not capture.

use agon_core::sink::{ForEach, GO_ON};
use agon_core::{Flow, Game, Rng, Seat, Sink, Square, Which};

use super::board::{BOARD, DIAGONAL, Direction, ORTHOGONAL, Squares};
use super::chains::Captures;
use super::{Fenix, Move, PLIES_OF_SETUP, QUIET_LIMIT};

/// The moves that do not capture, as the squares entered in each direction. The piece that enters a
/// square is the first one in the opposite direction, so no square can be entered twice from the
/// same direction.
#[derive(Clone, Copy)]
pub(super) struct Targets {
    orthogonal: [Squares; 4],
    diagonal: [Squares; 4],
}

/// The kind of move a player may make.
enum Choice {
    Quiet(Targets),
    /// Captures are possible, and so mandatory, for the pieces on these squares.
    Capture(Squares),
}

/// How far the pieces of one side reach.
#[derive(Clone, Copy)]
pub(super) struct Reach {
    /// The squares that generals slide to, in each orthogonal direction.
    pub(super) slides: [Squares; 4],
    /// The enemies that can be captured by the first jump of a move, in each direction.
    over_orthogonal: [Squares; 4],
    over_diagonal: [Squares; 4],
}

impl Reach {
    /// All enemies that can be captured by the first jump of a move.
    #[inline(always)]
    pub(super) fn prey(&self) -> Squares {
        let any = |sets: [Squares; 4]| sets[0] | sets[1] | sets[2] | sets[3];
        any(self.over_orthogonal) | any(self.over_diagonal)
    }
}

/// The enemies, and the squares behind them on which a jump can land.
#[derive(Clone, Copy)]
struct Jumpable {
    enemies: Squares,
    empty: Squares,
}

impl Jumpable {
    /// The enemies that can be jumped in this direction from these squares.
    #[inline(always)]
    fn from(self, direction: Direction, squares: Squares) -> Squares {
        let landings = direction.step(direction.step(squares) & self.enemies) & self.empty;
        direction.opposite().step(landings)
    }
}

/// The same for each direction. Unlike the `map` of arrays it is sure to be compiled with the
/// directions as constants, which makes of every step a shift and a mask.
#[inline(always)]
fn each(directions: [Direction; 4], set: impl Fn(Direction) -> Squares) -> [Squares; 4] {
    let [first, second, third, fourth] = directions;
    [set(first), set(second), set(third), set(fourth)]
}

/// Soldiers step onto `onto`, whatever stands there.
#[inline(always)]
pub(super) fn stackings(soldiers: Squares, onto: Squares) -> Targets {
    Targets {
        orthogonal: each(ORTHOGONAL, |direction| direction.step(soldiers) & onto),
        diagonal: [Squares::EMPTY; 4],
    }
}

/// The stackings an army may choose from in the setup.
#[inline(always)]
pub(super) fn setup_targets([soldiers, generals, kings]: [Squares; 3]) -> Targets {
    let mut onto = Squares::EMPTY;
    if generals.len() < 4 {
        onto |= soldiers;
    }
    if kings.is_empty() {
        onto |= generals;
    }
    stackings(soldiers, onto)
}

impl Fenix {
    /// How far the pieces of a seat reach, as if it were to move after the setup.
    #[inline(always)]
    pub(super) fn reach(&self, seat: Seat) -> Reach {
        let [soldiers, generals, kings] = self.pieces[seat.index()];
        let army = soldiers | generals | kings;
        let enemies = self.army(seat.opponent());
        let empty = BOARD - (army | enemies);
        let slides = each(ORTHOGONAL, |direction| direction.slide(generals, empty));
        let [east, north, west, south] = slides.map(|slide| army | slide);
        let over = Jumpable { enemies, empty };
        Reach {
            slides,
            over_orthogonal: [
                over.from(Direction::East, east),
                over.from(Direction::North, north),
                over.from(Direction::West, west),
                over.from(Direction::South, south),
            ],
            over_diagonal: each(DIAGONAL, |direction| over.from(direction, kings)),
        }
    }

    /// What the mover may do after the setup.
    #[inline(always)]
    fn choice(&self) -> Choice {
        let [soldiers, generals, kings] = self.pieces[self.mover().index()];
        let empty = BOARD - self.occupied();
        let reach = self.reach(self.mover());
        if reach.prey().any() {
            let orthogonal = self.sources(ORTHOGONAL, reach.over_orthogonal);
            return Choice::Capture(orthogonal | self.sources(DIAGONAL, reach.over_diagonal));
        }
        let mut onto = empty;
        if self.may_create_general {
            onto |= soldiers;
        }
        if self.may_create_king {
            onto |= generals;
        }
        let steps = each(ORTHOGONAL, |direction| {
            (direction.step(soldiers) & onto) | (direction.step(kings) & empty)
        });
        Choice::Quiet(Targets {
            orthogonal: std::array::from_fn(|i| reach.slides[i] | steps[i]),
            diagonal: each(DIAGONAL, |direction| direction.step(kings) & empty),
        })
    }

    /// The pieces that reach the given squares in the given directions.
    fn sources(&self, directions: [Direction; 4], reached: [Squares; 4]) -> Squares {
        let occupied = self.occupied();
        let reached = directions.into_iter().zip(reached);
        reached
            .flat_map(|(direction, set)| set.into_iter().map(move |to| (direction, to)))
            .filter_map(|(direction, to)| direction.opposite().first_met(to, occupied))
            .collect()
    }

    #[inline(always)]
    fn all_choices(&self) -> Choice {
        if self.turn < PLIES_OF_SETUP {
            Choice::Quiet(setup_targets(self.pieces[self.mover().index()]))
        } else {
            self.choice()
        }
    }

    #[inline]
    pub(super) fn emit_moves<S: Sink<Move>>(&self, which: Which, into: &mut S) -> Flow {
        match self.all_choices() {
            Choice::Capture(starts) => Captures::find(self, starts).emit(into),
            Choice::Quiet(_) if which == Which::Noisy => {
                self.coronations().emit(self.occupied(), into)
            }
            Choice::Quiet(targets) => targets.emit(self.occupied(), into),
        }
    }

    /// The moves that make a new king, unless a capture is mandatory: without one of them the game
    /// is lost, so they are never quiet.
    #[inline(always)]
    fn coronations(&self) -> Targets {
        let [soldiers, generals, _] = self.pieces[self.mover().index()];
        let may_crown = self.may_create_king && self.turn >= PLIES_OF_SETUP;
        stackings(soldiers, if may_crown { generals } else { Squares::EMPTY })
    }

    #[inline]
    pub(super) fn move_count(&self) -> u64 {
        match self.all_choices() {
            Choice::Capture(starts) => Captures::find(self, starts).len() as u64,
            Choice::Quiet(targets) => u64::from(targets.count()),
        }
    }

    /// Whether the mover has no king after the setup and none of its moves makes one: it loses
    /// whatever it plays. Requires that it has a move, and none that draws.
    pub(super) fn is_doomed(&self) -> bool {
        let [_, generals, kings] = self.pieces[self.mover().index()];
        if kings.any() || self.turn < PLIES_OF_SETUP {
            return false;
        }
        match self.choice() {
            Choice::Capture(_) => true,
            Choice::Quiet(targets) => {
                let crowns = targets.orthogonal.iter().any(|set| set.meets(generals));
                !crowns && targets.count() > 0 && self.quiet + 1 < QUIET_LIMIT
            }
        }
    }

    /// Whether the mover can make a king with this move.
    pub(super) fn can_crown(&self) -> bool {
        let [_, generals, _] = self.pieces[self.mover().index()];
        match self.all_choices() {
            Choice::Capture(_) => false,
            Choice::Quiet(targets) => targets.orthogonal.iter().any(|set| set.meets(generals)),
        }
    }

    #[inline]
    pub(super) fn random_move(&self, rng: &mut Rng) -> Option<Move> {
        match self.all_choices() {
            Choice::Capture(starts) => {
                let captures = Captures::find(self, starts);
                captures.get(rng.below(captures.len() as u64) as usize)
            }
            Choice::Quiet(targets) => targets.sample(self.occupied(), rng),
        }
    }
}

impl Targets {
    #[inline(always)]
    fn by_direction(self) -> impl Iterator<Item = (Direction, Squares)> {
        let orthogonal = ORTHOGONAL.into_iter().zip(self.orthogonal);
        orthogonal.chain(DIAGONAL.into_iter().zip(self.diagonal))
    }

    #[inline(always)]
    pub(super) fn count(self) -> u32 {
        let total = |sets: [Squares; 4]| sets.iter().map(|set| set.len()).sum::<u32>();
        total(self.orthogonal) + total(self.diagonal)
    }

    #[inline]
    pub(super) fn emit<S: Sink<Move>>(self, occupied: Squares, into: &mut S) -> Flow {
        for (direction, targets) in self.by_direction() {
            for to in targets {
                if let Some(from) = direction.opposite().first_met(to, occupied) {
                    into.push(Move::step(from, to))?;
                }
            }
        }
        GO_ON
    }

    /// One of the moves, chosen uniformly.
    #[inline]
    fn sample(self, occupied: Squares, rng: &mut Rng) -> Option<Move> {
        let mut left = rng.below(u64::from(self.count())) as u32;
        for (direction, targets) in self.by_direction() {
            if left < targets.len() {
                let to = targets.nth(left);
                let from: Option<Square> = direction.opposite().first_met(to, occupied);
                return from.map(|from| Move::step(from, to));
            }
            left -= targets.len();
        }
        None
    }
}

/// How many sequences of `plies` setup turns one army has; there are at most five such turns.
///
/// The armies do not interact during the setup, so the number of move sequences of `d` ≤ 10 plies
/// from the start is the product of this number for ⌈d/2⌉ and for ⌊d/2⌋.
///
/// ```
/// use agon_games::fenix::setup_sequences;
/// assert_eq!(setup_sequences(2) * setup_sequences(1), 185_400);
/// ```
pub fn setup_sequences(plies: u32) -> u64 {
    if 2 * u64::from(plies) > u64::from(PLIES_OF_SETUP) {
        return 0;
    }
    red_alone(&Fenix::start(), plies)
}

/// Counts as if black passed: red is to move again after every turn.
fn red_alone(position: &Fenix, plies: u32) -> u64 {
    match plies {
        0 => 1,
        1 => position.move_count(),
        _ => {
            let mut total = 0;
            let mut descend = ForEach(|mv| {
                let mut after = *position;
                after.play(mv);
                after.turn = position.turn;
                total += red_alone(&after, plies - 1);
            });
            let _ = position.emit_moves(Which::All, &mut descend);
            total
        }
    }
}
