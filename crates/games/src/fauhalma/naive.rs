//! The naive twin of FAUhalma.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::battery::Naive;
use crate::battery::plain::sorted;

const SEATS: [&str; 3] = ["A", "B", "C"];

/// The six neighbours of a space, counterclockwise from east.
const DIRECTIONS: [Space; 6] = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)];

/// A's start corner; a home is always the start corner negated.
const START_A: [Space; 6] = [(3, -6), (2, -5), (3, -5), (1, -4), (2, -4), (3, -4)];

/// The default limit: the game stops after this many moves by one player.
const MOVE_LIMIT: u32 = 300;

/// Axial hexagonal coordinates x, y.
type Space = (i32, i32);

/// A position.
#[derive(Clone)]
pub(crate) struct Fauhalma {
    rhombus: bool,
    /// The game stops after this many moves by one player.
    limit: u32,
    /// Each player's pegs.
    pegs: Vec<Vec<Space>>,
    /// Who is to move; once the game is over, who would have been.
    turn: usize,
    /// Players that have filled their homes, in that order.
    finished: Vec<usize>,
    /// Players that could not move on their turn, in that order.
    out: Vec<usize>,
    /// Moves made by each player.
    moves_made: Vec<u32>,
}

/// Rotation by 120°: maps A's corner to B's, B's to C's and C's to A's.
fn rotate((x, y): Space) -> Space {
    (-x - y, x)
}

fn negate((x, y): Space) -> Space {
    (-x, -y)
}

/// The start corner of a player in a game of `seats` players.
fn start_corner(seat: usize, seats: usize) -> Vec<Space> {
    let corner = START_A.into_iter();
    match (seats, seat) {
        (_, 0) => corner.collect(),
        (2, _) => corner.map(negate).collect(),
        (_, 1) => corner.map(rotate).collect(),
        _ => corner.map(|space| rotate(rotate(space))).collect(),
    }
}

fn home(seat: usize, seats: usize) -> Vec<Space> {
    start_corner(seat, seats).into_iter().map(negate).collect()
}

/// The total number of moves of a position object, split by player: an equal share for everyone,
/// and the remainder for the seats right before the one to move.
fn regular_moves(total: u32, seats: usize, turn: usize) -> Vec<u32> {
    let mut moves_made = vec![total / seats as u32; seats];
    for back in 1..=total as usize % seats {
        moves_made[(turn + seats - back) % seats] += 1;
    }
    moves_made
}

impl Fauhalma {
    /// Opens `star3`, `star2` or `rhombus2`, perhaps with `,limit=N`, at a position object, or at
    /// the start.
    pub fn open(setup: &str, position: Option<&str>) -> Self {
        let (setup, limit) = setup.split_once(",limit=").unwrap_or((setup, ""));
        let seats = if setup.ends_with('3') { 3 } else { 2 };
        let mut game = Fauhalma {
            rhombus: setup.starts_with("rhombus"),
            limit: limit.parse().unwrap_or(MOVE_LIMIT),
            pegs: (0..seats).map(|seat| start_corner(seat, seats)).collect(),
            turn: 0,
            finished: Vec::new(),
            out: Vec::new(),
            moves_made: vec![0; seats],
        };
        if let Some(text) = position {
            game.read(&serde_json::from_str(text).expect("a JSON object"));
        }
        game
    }

    /// Reads a position object. Who has finished follows from the pegs; their order is given if it
    /// is not seat order.
    fn read(&mut self, object: &Value) {
        let seat_of = |name: &Value| SEATS.iter().position(|&seat| name == seat).expect("a seat");
        let seats_in = |list: &Value| -> Vec<usize> {
            list.as_array().map_or(Vec::new(), |names| names.iter().map(seat_of).collect())
        };
        let seats = self.pegs.len();
        for seat in 0..seats {
            self.pegs[seat] = read_spaces(&object[SEATS[seat]]);
        }
        self.turn = seat_of(&object["turn"]);
        self.out = seats_in(&object["out"]);
        self.finished = seats_in(&object["finished"]);
        self.moves_made = match &object["moves"] {
            Value::Array(counts) => counts.iter().map(read_count).collect(),
            Value::Null => vec![0; seats],
            total => regular_moves(read_count(total), seats, self.turn),
        };
        self.note_finished(0);
        self.find_mover(self.turn);
    }

    /// Star: max(x,y,z) ≤ 3 or min(x,y,z) ≥ −3. Rhombus: also |x| ≤ 3 and |x+y| ≤ 3. The centre
    /// is blocked.
    fn is_space(&self, (x, y): Space) -> bool {
        let z = -x - y;
        let star = x.max(y).max(z) <= 3 || x.min(y).min(z) >= -3;
        let rhombus = x.abs() <= 3 && (x + y).abs() <= 3;
        star && (rhombus || !self.rhombus) && (x, y) != (0, 0)
    }

    fn peg_owner(&self, space: Space) -> Option<usize> {
        (0..self.pegs.len()).find(|&seat| self.pegs[seat].contains(&space))
    }

    /// All moves of a player: the shortest path, as the spaces visited, to every final space.
    /// Steps go to a neighbour, chains hop over pegs or the centre; the two do not mix.
    fn paths(&self, seat: usize) -> Vec<Vec<Space>> {
        let mut paths = Vec::new();
        for &start in &self.pegs[seat] {
            for (dx, dy) in DIRECTIONS {
                let to = (start.0 + dx, start.1 + dy);
                if self.is_space(to) && (self.peg_owner(to).is_none() || self.swaps(seat, to)) {
                    paths.push(vec![start, to]);
                }
            }
            paths.extend(self.chains(seat, start));
        }
        paths
    }

    /// Swap: the final space may be one of the mover's home that holds an opponent's peg.
    fn swaps(&self, seat: usize, to: Space) -> bool {
        let opponents = self.peg_owner(to).is_some_and(|owner| owner != seat);
        opponents && home(seat, self.pegs.len()).contains(&to)
    }

    /// All chains of hops from `start`, one for each final space, found by breadth-first search. Of
    /// the chains of equal length to a space the smallest is kept; extending it gives the smallest
    /// again, because chains are compared lexicographically.
    fn chains(&self, seat: usize, start: Space) -> Vec<Vec<Space>> {
        let mut found: BTreeMap<Space, Vec<Space>> = BTreeMap::from([(start, vec![start])]);
        let mut ends: Vec<Vec<Space>> = Vec::new();
        let mut longest = vec![vec![start]];
        while !longest.is_empty() {
            let mut round: BTreeMap<Space, Vec<Space>> = BTreeMap::new();
            for path in &longest {
                let here = path[path.len() - 1];
                if self.peg_owner(here).is_some() && here != start {
                    continue; // A swap ends the chain.
                }
                for to in self.hops(seat, start, here) {
                    if !found.contains_key(&to) {
                        let longer = [&path[..], &[to]].concat();
                        let best = round.entry(to).or_insert(longer.clone());
                        *best = longer.min(best.clone());
                    }
                }
            }
            longest = round.values().cloned().collect();
            ends.extend(longest.clone());
            found.extend(round);
        }
        ends
    }

    /// Where one hop leads: straight over an adjacent peg or the centre to the space right behind,
    /// which is empty (as is the start, whose peg is moving) or a swap.
    fn hops(&self, seat: usize, start: Space, here: Space) -> Vec<Space> {
        let mut landings = Vec::new();
        for (dx, dy) in DIRECTIONS {
            let over = (here.0 + dx, here.1 + dy);
            let to = (here.0 + 2 * dx, here.1 + 2 * dy);
            let hurdle = over == (0, 0) || (self.peg_owner(over).is_some() && over != start);
            let empty = self.peg_owner(to).is_none() || to == start;
            if hurdle && self.is_space(to) && (empty || self.swaps(seat, to)) {
                landings.push(to);
            }
        }
        landings
    }

    /// Neither finished nor out.
    fn is_active(&self, seat: usize) -> bool {
        !self.finished.contains(&seat) && !self.out.contains(&seat)
    }

    fn active(&self) -> Vec<usize> {
        (0..self.pegs.len()).filter(|&seat| self.is_active(seat)).collect()
    }

    /// The last player left takes the place left; the move limit stops the game at once.
    fn is_over(&self) -> bool {
        self.active().len() <= 1 || self.moves_made.iter().any(|&made| made >= self.limit)
    }

    /// Seats in turn order, beginning with one of them.
    fn seats_from(&self, first: usize) -> Vec<usize> {
        (0..self.pegs.len()).map(|offset| (first + offset) % self.pegs.len()).collect()
    }

    /// Records the players whose six home spaces hold their own pegs, beginning with the mover.
    fn note_finished(&mut self, mover: usize) {
        for seat in self.seats_from(mover) {
            let full = home(seat, self.pegs.len()).iter().all(|s| self.pegs[seat].contains(s));
            if full && self.is_active(seat) {
                self.finished.push(seat);
            }
        }
    }

    /// Gives the turn to the first player from `first` on that can move. Finished players and
    /// those out are skipped; one that is stuck on its turn is out. Once the game is over nobody is
    /// put out any more, and the turn goes to the next player still active, if there is one.
    fn find_mover(&mut self, first: usize) {
        for seat in self.seats_from(first) {
            if self.is_active(seat) && !self.is_over() {
                if !self.paths(seat).is_empty() {
                    self.turn = seat;
                    return;
                }
                self.out.push(seat);
            }
        }
        let next = self.seats_from(first).into_iter().find(|&seat| self.is_active(seat));
        self.turn = next.unwrap_or(first);
    }
}

impl Naive for Fauhalma {
    fn position(&self) -> String {
        let names = |seats: &[usize]| {
            let names: Vec<String> = seats.iter().map(|&s| format!("\"{}\"", SEATS[s])).collect();
            names.join(",")
        };
        let mut fields = Vec::new();
        for (seat, pegs) in self.pegs.iter().enumerate() {
            let mut pegs = pegs.clone();
            pegs.sort();
            fields.push(format!("\"{}\":{}", SEATS[seat], write_spaces(&pegs)));
        }
        fields.push(format!("\"turn\":{}", names(&[self.turn])));
        if !self.out.is_empty() {
            fields.push(format!("\"out\":[{}]", names(&self.out)));
        }
        if !self.finished.is_sorted() {
            fields.push(format!("\"finished\":[{}]", names(&self.finished)));
        }
        let total: u32 = self.moves_made.iter().sum();
        if regular_moves(total, self.pegs.len(), self.turn) != self.moves_made {
            let counts: Vec<String> = self.moves_made.iter().map(u32::to_string).collect();
            fields.push(format!("\"moves\":[{}]", counts.join(",")));
        } else if total > 0 {
            fields.push(format!("\"moves\":{total}"));
        }
        format!("{{{}}}", fields.join(","))
    }

    fn to_move(&self) -> Option<&'static str> {
        (!self.is_over()).then_some(SEATS[self.turn])
    }

    fn outcome(&self) -> Option<Vec<u8>> {
        self.outcome_without_history()
    }

    /// Points: the finished take the first places in order, those out the last places in order,
    /// and all others share what is left.
    fn outcome_without_history(&self) -> Option<Vec<u8>> {
        if !self.is_over() {
            return None;
        }
        let mut places = if self.pegs.len() == 2 { vec![100, 0] } else { vec![100, 50, 0] };
        let mut points = vec![0; self.pegs.len()];
        for &seat in &self.finished {
            points[seat] = places.remove(0);
        }
        for &seat in &self.out {
            points[seat] = places.pop().expect("a place for everyone");
        }
        for seat in self.active() {
            points[seat] = places.iter().sum::<u8>() / places.len() as u8;
        }
        Some(points)
    }

    fn moves(&self) -> Vec<String> {
        if self.is_over() {
            return Vec::new();
        }
        sorted(self.paths(self.turn).iter().map(|path| write_spaces(path)).collect())
    }

    /// The peg goes from the first to the last space; one that stood there takes its place.
    fn play(&mut self, mv: &str) {
        let path = read_spaces(&serde_json::from_str(mv).expect("a list of spaces"));
        let (from, to) = (path[0], path[path.len() - 1]);
        let mover = self.turn;
        for peg in self.pegs.iter_mut().flatten() {
            if *peg == from {
                *peg = to;
            } else if *peg == to {
                *peg = from;
            }
        }
        self.moves_made[mover] += 1;
        self.note_finished(mover);
        self.find_mover((mover + 1) % self.pegs.len());
    }
}

/// Reads `[[x,y],…]`.
fn read_spaces(list: &Value) -> Vec<Space> {
    let number = |value: &Value| value.as_i64().expect("a number") as i32;
    let spaces = list.as_array().expect("a list of spaces").iter();
    spaces.map(|space| (number(&space[0]), number(&space[1]))).collect()
}

fn write_spaces(spaces: &[Space]) -> String {
    let texts: Vec<String> = spaces.iter().map(|(x, y)| format!("[{x},{y}]")).collect();
    format!("[{}]", texts.join(","))
}

fn read_count(value: &Value) -> u32 {
    value.as_u64().expect("a number of moves") as u32
}
