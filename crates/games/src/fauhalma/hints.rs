//! Hints for searches.

use agon_core::hints::judge_each;
use agon_core::{Evaluate, Evaluation, Evaluator, Hints, PerSeat, Seat, Slot, Square, Tables};

use super::board::{INDICES, SPACES, Space, distance, mirrored};
use super::{Fauhalma, Move};

/// How many spaces the star has.
const CELLS: usize = 72;
/// A step, in hundredths.
const STEP: i32 = 100;
/// Coming home is worth more than any distance.
const COMING_HOME: i32 = 10_000;
/// With this many pegs at home a player may be in zugzwang.
const NEARLY_HOME: u32 = 4;
/// With this few moves left until the limit, a null move would hide the end from the search.
const LAST_MOVES: u16 = 30;
/// The scale of the evaluation `race` for three players, from two-player games between players who
/// look one move ahead with it: 430 with the exact table, 240 without. For two players it is in the
/// unit of `tuned`.
const RACE_SCALE: i32 = 400;

impl<const SEATS: usize> Hints for Fauhalma<SEATS> {
    const SCALE: i32 = 784;
    const WAYS: usize = CELLS * CELLS;
    const PLACES: usize = CELLS;

    fn scale(evaluation: &str) -> i32 {
        if evaluation == "race" && SEATS > 2 { RACE_SCALE } else { Self::SCALE }
    }

    fn evaluator(&self, evaluation: Evaluation<Self>, tables: &Tables) -> Evaluator<Self> {
        let evaluator = Evaluator::new(evaluation, tables);
        match (self.model(evaluation.name, tables, None), tables.get(self.board.table)) {
            (Some(model), _) => evaluator.by_model(model),
            (None, Some(table)) if evaluation.name == "race" => {
                evaluator.by_table(table.clone(), |it, seat, table| it.race(seat, Some(table)))
            }
            _ => evaluator,
        }
    }

    /// Computes everybody's distance once, not once for each seat that is compared with it.
    fn judge_all(&self, evaluator: &Evaluator<Self>) -> PerSeat<i32> {
        let table = evaluator.table();
        let to_go = |seat| match evaluator.name() {
            "race" => self.race_to_go(seat, table),
            _ => self.way_to_go(seat),
        };
        if !matches!((evaluator.name(), SEATS), ("simple", _) | ("race", 3..)) {
            return judge_each(self, evaluator);
        }
        let mut ways = PerSeat::filled(SEATS, 0);
        for seat in Seat::all(SEATS).filter(|&seat| self.is_playing(seat)) {
            ways[seat] = to_go(seat);
        }
        let mut judged = PerSeat::filled(SEATS, 0);
        for seat in Seat::all(SEATS) {
            judged[seat] = self.points_now(seat) + self.lead_by(seat, |other| ways[other]);
        }
        judged
    }

    #[inline]
    fn slot(&self, mv: Move) -> Slot {
        let (from, place) = (number(mv.from), number(mv.to));
        Slot { way: from * CELLS + place, place }
    }

    /// Swaps by how much more the mover gains than the guest; coming home before everything.
    #[inline]
    fn urgency(&self, mv: Move) -> Option<i32> {
        let (mover, me) = (self.turn, self.turn.index());
        // Only at home there are swaps, and places to complete.
        if !Self::HOMES[me].contains(mv.to) {
            return None;
        }
        let mut pegs = self.pegs[me];
        pegs.remove(mv.from);
        pegs.insert(mv.to);
        if pegs == Self::HOMES[me] {
            return Some(COMING_HOME);
        }
        if !self.occupied().contains(mv.to) {
            return None;
        }
        let guest = Seat::all(SEATS).find(|seat| self.pegs[seat.index()].contains(mv.to))?;
        let pushed = Move { from: mv.to, to: mv.from };
        Some(STEP * (Self::gain(mover, mv) - Self::gain(guest, pushed)))
    }

    /// Where each side's pegs stand.
    #[inline]
    fn structures(&self) -> [u64; 2] {
        [self.pegs[0].hashed(), self.pegs[1].hashed()]
    }

    /// Progress: most moves lead backwards, and hardly any of those are good.
    #[inline]
    fn bias(&self, mv: Move) -> i32 {
        STEP * Self::gain(self.turn, mv)
    }

    /// Finished and blocked players have no turn.
    fn with_turn(&self, seat: Seat) -> Option<Self> {
        if self.over || !self.is_playing(seat) || !self.can_move(seat) {
            return None;
        }
        let mut other = *self;
        other.set_turn(seat);
        Some(other)
    }

    /// A place, once decided, is final.
    #[inline]
    fn secured(&self, seat: Seat) -> Option<u8> {
        Self::points_for(self.standings[seat.index()])
    }

    /// A player who leads and runs undisturbed only has to keep going. One who is behind had better
    /// search for a way to disturb the others.
    fn race_move(&self, tables: &Tables) -> Option<Move> {
        let table = (**tables.get(self.board.table)?).as_ref();
        if self.leads_race(table) { self.run_home(table) } else { None }
    }

    /// In a race moving is always good, until the home is nearly full.
    fn pass(&self) -> Option<Self> {
        if SEATS != 2 || self.over {
            return None;
        }
        let (me, other) = (self.turn.index(), self.turn.next(SEATS));
        let at_home = (self.pegs[me] & Self::HOMES[me]).len();
        let near_limit = self.moves_made.iter().any(|made| made + LAST_MOVES >= self.limit);
        if at_home >= NEARLY_HOME || near_limit || !self.can_move(other) {
            return None;
        }
        let mut passed = *self;
        passed.set_turn(other);
        Some(passed)
    }

    /// For two players, both halves of the board are alike: the line between the tips of their
    /// homes mirrors each home onto itself. For three, the image would be another player's home.
    fn canonical_key(&self) -> u64 {
        if SEATS != 2 {
            return self.key;
        }
        let image = Fauhalma { pegs: self.pegs.map(mirrored), ..*self }.with_key();
        self.key.min(image.key)
    }
}

impl<const SEATS: usize> Fauhalma<SEATS> {
    /// How many steps a move brings a seat's peg closer to the outermost space of its home.
    #[inline]
    fn gain(seat: Seat, mv: Move) -> i32 {
        let tip = Self::TIPS[seat.index()];
        distance(tip, mv.from) - distance(tip, mv.to)
    }
}

/// The number of a space among all of them.
#[inline]
fn number(square: Square) -> usize {
    usize::from(NUMBERS[square.index()])
}

static NUMBERS: [u8; INDICES] = numbers();

const fn numbers() -> [u8; INDICES] {
    let mut numbers = [0; INDICES];
    let (mut index, mut cells) = (0, 0);
    while index < INDICES {
        numbers[index] = cells;
        let Space { x, y } = SPACES[index];
        // Indices that are not cells have the centre's coordinates, and share its number or the
        // next cell's; no move goes there.
        cells += (x != 0 || y != 0) as u8;
        index += 1;
    }
    numbers
}
