//! The evaluation with fitted weights, for two players.
//!
//! Both players are treated alike: the board is rotated so that the home is at the top. Every
//! feature is the first player's count minus the second's. What is small when things go well (steps
//! to go, the last peg's distance, gaps) is counted negatively, so that its weight is positive. What
//! only depends on where each peg stands is kept and updated with each move.

use agon_core::tuning::{Weighted, Weights, read_weights};
use agon_core::{Bitboard, Model, Seat, Square, Step, TableBytes, Tally, Tunable};

use super::Fauhalma;
use super::board::{CENTRE, DISTANCES, INDICES, SPACES, STEPS, Set, Space, homes, opposite};
use super::evaluation::{MOST_PEGS, steps, steps_to_nearest, tips};

/// The features by name.
const NAMES: [&str; 30] = [
    "step",
    "late_step",
    "race_step",
    "race_tempo",
    "tempo",
    "rear",
    "home",
    "gap",
    "guest",
    "hop_ahead",
    "hop_twice",
    "hop_aside",
    "stuck",
    "alone",
    "side1",
    "side2",
    "side3",
    "row0",
    "row1",
    "row2",
    "row3",
    "row4",
    "row5",
    "row6",
    "row7",
    "row8",
    "row9",
    "row10",
    "row11",
    "row12",
];

/// The steps of all pegs to the outermost space.
const STEP: usize = 0;
/// The same, growing as the steps left for both players shrink: a lead counts more later.
const LATE_STEP: usize = 1;
/// The same once the players have passed each other and it is a pure race.
const RACE_STEP: usize = 2;
/// Having the move in that case.
const RACE_TEMPO: usize = 3;
/// Having the move at all.
const TEMPO: usize = 4;
/// The steps of the last peg.
const REAR: usize = 5;
/// Pegs at home.
const HOME: usize = 6;
/// For a player who is nearly home, the steps of the pegs outside to the nearest gap.
const GAP: usize = 7;
/// For a player who is nearly home, the steps a guest has to be pushed out.
const GUEST: usize = 8;
/// Pegs that can hop ahead, for either direction.
const HOP_AHEAD: usize = 9;
/// Spaces that two hops ahead lead to.
const HOP_TWICE: usize = 10;
/// Hops to the side.
const HOP_ASIDE: usize = 11;
/// Pegs outside the home that can neither step nor hop ahead.
const STUCK: usize = 12;
/// Pegs without another peg beside them.
const ALONE: usize = 13;
/// Pegs away from the middle, by how far.
const SIDE: usize = 14;
/// Pegs by row, from the outermost space of the home.
const ROW: usize = 17;

/// The rows of the star.
const ROWS: i32 = 13;
/// Two players have passed each other when their last rows, each from its own home, add up to less.
pub(super) const ROWS_TO_PASS: i32 = ROWS - 1;
/// The steps of one player at the start, all to the outermost space.
const WHOLE_WAY: i32 = 64;
/// What [`LATE_STEP`] is divided by, so that its weight is of the same order as the others.
const LATENESS: i32 = 16;

const WEIGHTS: &[i32; NAMES.len()] = &read_weights(include_str!("tuned.txt"), &NAMES);

impl<const SEATS: usize> Tunable for Fauhalma<SEATS> {
    const FEATURES: &'static [&'static str] = if SEATS == 2 { &NAMES } else { &[] };
    const WEIGHTS: &'static [i32] = if SEATS == 2 { WEIGHTS } else { &[] };

    #[inline]
    fn tally<T: Tally>(&self, tally: &mut T) {
        if SEATS != 2 {
            return;
        }
        let [first, second] = self.views();
        let ways = [first.count_pegs(tally, 1), second.count_pegs(tally, -1)];
        self.tally_rest([first, second], ways, tally);
    }
}

impl<const SEATS: usize> Fauhalma<SEATS> {
    /// The board from the points of view of two players.
    #[inline]
    fn views(&self) -> [View; 2] {
        let (pegs, spaces) = ([self.pegs[0], self.pegs[1]], self.board.spaces);
        let first = View { mine: pegs[0], theirs: pegs[1], spaces };
        let second = View { mine: opposite(pegs[1]), theirs: opposite(pegs[0]), spaces };
        [first, second]
    }

    /// All features but those of single pegs.
    #[inline]
    fn tally_rest<T: Tally>(&self, [first, second]: [View; 2], ways: [Way; 2], tally: &mut T) {
        first.count(tally, 1);
        second.count(tally, -1);
        let [ours, others] = ways;
        let lead = others.steps - ours.steps;
        tally.add(STEP, lead);
        tally.add(REAR, others.rear - ours.rear);
        tally.add(LATE_STEP, lead * (2 * WHOLE_WAY - ours.steps - others.steps) / LATENESS);
        let turn = if self.turn == Seat::FIRST { 1 } else { -1 };
        tally.add(TEMPO, turn);
        if have_passed(ways) {
            tally.add(RACE_STEP, lead);
            tally.add(RACE_TEMPO, turn);
        }
    }
}

/// The position's value by the fitted weights.
#[inline(never)]
pub(super) fn judge<const SEATS: usize>(position: &Fauhalma<SEATS>, seat: Seat) -> i32 {
    let mut sum = Weighted::new(WEIGHTS);
    position.tally(&mut sum);
    if seat == Seat::FIRST { sum.sum() } else { -sum.sum() }
}

/// Whether each player's last row is past the other's, from both sides.
#[inline]
fn have_passed([first, second]: [Way; 2]) -> bool {
    first.last_row + second.last_row < ROWS_TO_PASS
}

/// The evaluations `tuned` and, for two players, `race`, with what is known of single pegs kept.
pub struct Tuned {
    weights: Weights<{ NAMES.len() }>,
    /// What a peg of each player on each space is worth, for the first.
    worths: [[i32; 128]; 2],
    /// Whether players who have passed each other race home, by this table or a guess.
    race: bool,
    table: Option<TableBytes>,
}

impl Tuned {
    pub(super) fn new(weights: Option<&[i32]>) -> Tuned {
        let weights = Weights::new(WEIGHTS, weights);
        let mut worths = [[0; 128]; 2];
        for (index, &place) in PLACES[..INDICES].iter().enumerate() {
            let worth = weights.sum(|sum| place.tally(sum, 1));
            worths[0][index] = worth;
            worths[1][INDICES - 1 - index] = -worth;
        }
        Tuned { weights, worths, race: false, table: None }
    }

    pub(super) fn for_race(weights: Option<&[i32]>, table: Option<&TableBytes>) -> Tuned {
        Tuned { race: true, table: table.cloned(), ..Tuned::new(weights) }
    }

    fn table(&self) -> Option<&[u8]> {
        self.table.as_ref().map(|table| (**table).as_ref())
    }
}

/// What is kept for a position: sums over the pegs.
#[derive(Clone, Copy, Default, Debug)]
pub struct Sums {
    /// The worth of all pegs.
    worth: i32,
    /// For each player, how many pegs are so many steps from the outermost space, four bits for every
    /// number of steps.
    by_steps: [u64; 2],
    /// The same for the row of the last peg.
    by_row: [u64; 2],
    /// The steps of all pegs of each player.
    steps: [i32; 2],
}

impl Sums {
    /// Adds or removes a peg.
    #[inline]
    fn count<const ADD: bool>(&mut self, worths: &[[i32; 128]; 2], player: usize, peg: Square) {
        let index = peg.index() & 127;
        let seen = if player == 0 { index } else { (INDICES - 1).wrapping_sub(index) & 127 };
        let Place { steps, row, .. } = PLACES[seen];
        let sign = if ADD { 1 } else { -1 };
        self.worth += sign * worths[player][index];
        self.steps[player] += sign * i32::from(steps);
        let (by_steps, by_row) = (1 << (4 * steps), 1 << (4 * row));
        if ADD {
            self.by_steps[player] += by_steps;
            self.by_row[player] += by_row;
        } else {
            self.by_steps[player] -= by_steps;
            self.by_row[player] -= by_row;
        }
    }

    #[inline]
    fn ways(&self) -> [Way; 2] {
        [0, 1].map(|player| Way {
            steps: self.steps[player],
            rear: highest(self.by_steps[player]),
            last_row: highest(self.by_row[player]),
        })
    }
}

/// The highest group of four bits with a bit set; 0 without any.
#[inline]
fn highest(counts: u64) -> i32 {
    ((counts | 1).ilog2() / 4) as i32
}

impl<const SEATS: usize> Model<Fauhalma<SEATS>> for Tuned {
    type State = Sums;

    #[inline(never)]
    fn judge(&self, position: &Fauhalma<SEATS>, seat: Seat) -> i32 {
        if self.race && position.have_passed() {
            return position.race(seat, self.table());
        }
        self.weights.judge(0, seat, |sum| position.tally(sum))
    }

    #[inline(never)]
    fn judge_kept(&self, position: &Fauhalma<SEATS>, seat: Seat, line: &mut [Sums]) -> i32 {
        let kept = line.last().copied().unwrap_or_default();
        let ways = kept.ways();
        if self.race && have_passed(ways) {
            return position.race(seat, self.table());
        }
        let rest = |sum: &mut Weighted<'_, _>| position.tally_rest(position.views(), ways, sum);
        self.weights.judge(kept.worth, seat, rest)
    }

    fn refresh(&self, position: &Fauhalma<SEATS>, state: &mut Sums) {
        *state = Sums::default();
        for (player, pegs) in position.pegs.into_iter().take(2).enumerate() {
            pegs.into_iter().for_each(|peg| state.count::<true>(&self.worths, player, peg));
        }
    }

    #[inline(never)]
    fn advance(&self, step: Step<'_, Fauhalma<SEATS>>, before: &Sums, after: &mut Sums) {
        let mut sums = *before;
        for player in [0, 1] {
            let [old, new] = [step.before, step.after].map(|it| it.pegs[player]);
            (old - new).into_iter().for_each(|peg| sums.count::<false>(&self.worths, player, peg));
            (new - old).into_iter().for_each(|peg| sums.count::<true>(&self.worths, player, peg));
        }
        *after = sums;
    }
}

/// The board from one player's point of view, moving up.
#[derive(Clone, Copy)]
struct View {
    mine: Set,
    theirs: Set,
    spaces: Set,
}

/// How far a player has got.
#[derive(Clone, Copy)]
struct Way {
    /// The steps of all pegs.
    steps: i32,
    /// The steps of the last one.
    rear: i32,
    /// The row of the last one, from the outermost space.
    last_row: i32,
}

const HOMES: [Set; 2] = homes::<2>();
const HOME_AT_TOP: Set = HOMES[0];
const TIP: Square = tips(HOMES)[0];

impl View {
    /// Counts the pegs of one player, and returns how far it has got.
    #[inline]
    fn count_pegs<T: Tally>(&self, tally: &mut T, sign: i32) -> Way {
        let mut way = Way { steps: 0, rear: 0, last_row: 0 };
        for peg in self.mine {
            let place = PLACES[peg.index()];
            way.steps += i32::from(place.steps);
            way.rear = way.rear.max(i32::from(place.steps));
            way.last_row = way.last_row.max(i32::from(place.row));
            place.tally(tally, sign);
        }
        way
    }

    /// Counts what else concerns one player alone.
    #[inline]
    fn count<T: Tally>(&self, tally: &mut T, sign: i32) {
        self.count_hops(tally, sign);
        let at_home = (self.mine & HOME_AT_TOP).len();
        tally.add(HOME, sign * at_home as i32);
        if at_home >= MOST_PEGS {
            self.count_last_steps(tally, sign);
        }
    }

    /// What delays a player who is nearly home: gaps out of reach, guests that stay.
    fn count_last_steps<T: Tally>(&self, tally: &mut T, sign: i32) {
        let (outside, gaps) = (self.mine - HOME_AT_TOP, HOME_AT_TOP - self.mine);
        tally.add(GAP, -sign * steps_to_nearest(outside, gaps));
        let guests = self.theirs & HOME_AT_TOP;
        // Out of the home it is three steps from the outermost space.
        tally.add(GUEST, sign * (steps(guests, TIP) - 3 * guests.len() as i32));
    }

    /// Hops, and pegs that cannot get ahead.
    #[inline]
    fn count_hops<T: Tally>(&self, tally: &mut T, sign: i32) {
        let [east, north_east, north_west] = STEPS;
        let pegs = self.mine | self.theirs;
        let landing = (self.spaces - pegs) | (self.theirs & HOME_AT_TOP);
        let hurdles = pegs | CENTRE;
        let behind = |by: u32| (hurdles << by) & landing;
        let (right, left) = (behind(north_east), behind(north_west));
        let ahead =
            |from: Set| [(from << (2 * north_east)) & right, (from << (2 * north_west)) & left];
        let [once_right, once_left] = ahead(self.mine);
        tally.add(HOP_AHEAD, sign * (once_right.len() + once_left.len()) as i32);
        let [twice_right, twice_left] = ahead((once_right | once_left) - self.theirs);
        tally.add(HOP_TWICE, sign * (twice_right | twice_left).len() as i32);
        let aside = ((self.mine << (2 * east)) & behind(east)).len()
            + ((self.mine >> (2 * east)) & (hurdles >> east) & landing).len();
        tally.add(HOP_ASIDE, sign * aside as i32);
        let can_step = (landing >> north_east) | (landing >> north_west);
        let can_hop = (once_right >> (2 * north_east)) | (once_left >> (2 * north_west));
        let stuck = self.mine - HOME_AT_TOP - can_step - can_hop;
        tally.add(STUCK, sign * stuck.len() as i32);
        let beside = STEPS
            .into_iter()
            .fold(Bitboard::EMPTY, |beside, by| beside | (pegs << by) | (pegs >> by));
        tally.add(ALONE, sign * (self.mine - beside).len() as i32);
    }
}

/// What the evaluation knows about a space, from the view with the home at the top.
#[derive(Clone, Copy)]
struct Place {
    /// Steps to the outermost space.
    steps: u8,
    /// The row, from the outermost space.
    row: u8,
    /// How far it is from the middle: 0 for the middle, up to 3.
    side: u8,
}

impl Place {
    /// Counts a peg on it.
    #[inline]
    fn tally<T: Tally>(self, tally: &mut T, sign: i32) {
        tally.add(ROW + usize::from(self.row), sign);
        if self.side > 0 {
            tally.add(SIDE + usize::from(self.side) - 1, sign);
        }
    }
}

/// An entry more than there are indices, so that lookups by seven bits need no bounds check.
static PLACES: [Place; INDICES + 1] = places();

const fn places() -> [Place; INDICES + 1] {
    let mut places = [Place { steps: 0, row: 0, side: 0 }; INDICES + 1];
    let mut index = 0;
    while index < INDICES {
        let Space { x, y } = SPACES[index];
        // Half spaces from the line between the two outermost spaces.
        let aside = (2 * x + y).unsigned_abs();
        let side = if aside < 2 {
            0
        } else if aside < 4 {
            1
        } else if aside < 6 {
            2
        } else {
            3
        };
        let steps = DISTANCES[TIP.index()][index];
        places[index] = Place { steps, row: (6 - y) as u8, side };
        index += 1;
    }
    places
}
