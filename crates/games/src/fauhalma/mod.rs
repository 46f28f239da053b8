//! FAUhalma: six pegs each across a star with a blocked centre, for two or three players.
//!
//! A peg steps to a neighbour or hops in chains over pegs and the centre; a move may end on an
//! opponent's peg in the mover's own home, which then goes to where the move began. Whoever fills
//! its home first wins, and a player who cannot move takes the last place still open.

mod arrange;
mod board;
mod compact;
mod evaluation;
mod hints;
mod json;
mod moves;
mod notation;
mod paths;
mod play;
mod position;
mod race;
mod rules;
mod scenarios;
mod scene;
mod tuned;
mod view;

#[cfg(test)]
mod naive;
#[cfg(test)]
mod tests;

use agon_core::outcome::WIN;
use agon_core::{
    Flow, Game, MoveList, Outcome, PerSeat, Progress, Rng, Seat, Sink, Square, Status, TextError,
    Variant, Which, zobrist,
};

use crate::books::ShippedOpenings;
use crate::catalog::Visitor;
use crate::form::{Field, FieldKind, Form};
use crate::info::{GameInfo, KnownPerft, VariantInfo};
use crate::tables::TableInfo;
pub use board::Space;
use board::{Board, INDICES, Set, homes, opposite};

/// How many pegs a player has: as many as a home has spaces.
const PEGS: usize = 6;

/// The most seats any variant has.
const MOST_SEATS: usize = 3;

/// The default limit: the game stops after this many moves by one player.
const DEFAULT_LIMIT: u16 = 300;

/// The highest limit a variant can set.
const HIGHEST_LIMIT: u16 = 10_000;

const SEED: u64 = 0x4641_5548;
static PEG_KEYS: [[u64; INDICES]; MOST_SEATS] = zobrist::table(SEED);
static TURN_KEYS: [[u64; MOST_SEATS]; 1] = zobrist::table(SEED + 1);
static HOME_KEYS: [[u64; MOST_SEATS]; MOST_SEATS] = zobrist::table(SEED + 2);
static OUT_KEYS: [[u64; MOST_SEATS]; MOST_SEATS] = zobrist::table(SEED + 3);

/// A position, for two or three players.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Fauhalma<const SEATS: usize> {
    pegs: [Set; SEATS],
    key: u64,
    board: &'static Board,
    /// How many moves each player has made.
    moves_made: [u16; SEATS],
    /// The game stops when a player has made this many moves.
    limit: u16,
    standings: [Standing; SEATS],
    /// Who moves; in a finished game, the next player still on its way, if there is one.
    turn: Seat,
    over: bool,
}

/// The state of a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Standing {
    /// Still on its way.
    Playing,
    /// Filled its home after `after` others had.
    Home { after: u8 },
    /// Could not move on its turn, after `after` others could not.
    Out { after: u8 },
}

/// A peg's move; its route makes no difference.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Move {
    /// Where the peg stands.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
}

impl<const SEATS: usize> Fauhalma<SEATS> {
    /// Where each seat wants to get to.
    const HOMES: [Set; SEATS] = homes::<SEATS>();

    fn start(board: &'static Board, limit: u16) -> Self {
        let position = Fauhalma {
            pegs: Self::HOMES.map(opposite),
            key: 0,
            board,
            moves_made: [0; SEATS],
            limit,
            standings: [Standing::Playing; SEATS],
            turn: Seat::FIRST,
            over: false,
        };
        position.with_key()
    }

    /// The same position with its key computed from scratch.
    fn with_key(mut self) -> Self {
        self.key = TURN_KEYS[0][self.turn.index()];
        for seat in Seat::all(SEATS) {
            self.key ^= standing_key(seat, self.standings[seat.index()]);
            for square in self.pegs[seat.index()] {
                self.key ^= PEG_KEYS[seat.index()][square.index()];
            }
        }
        self
    }

    /// The seats in turn order, from `first` round to the one before it.
    fn seats_from(first: Seat) -> impl Iterator<Item = Seat> {
        (0..SEATS).map(move |offset| Seat::new((first.index() + offset) % SEATS))
    }

    #[inline]
    fn is_playing(&self, seat: Seat) -> bool {
        self.standings[seat.index()] == Standing::Playing
    }

    /// Those who filled their homes, in that order.
    fn home_order(&self) -> impl Iterator<Item = Seat> {
        self.order(|after| Standing::Home { after })
    }

    /// Those who could not move, in that order.
    fn out_order(&self) -> impl Iterator<Item = Seat> {
        self.order(|after| Standing::Out { after })
    }

    fn order(&self, standing: impl Fn(u8) -> Standing) -> impl Iterator<Item = Seat> {
        let standings = self.standings;
        let holder = move |standing| Seat::all(SEATS).find(|s| standings[s.index()] == standing);
        (0..SEATS as u8).map_while(move |after| holder(standing(after)))
    }

    fn set_standing(&mut self, seat: Seat, standing: Standing) {
        self.key ^= standing_key(seat, standing);
        self.standings[seat.index()] = standing;
    }

    fn set_home(&mut self, seat: Seat) {
        let after = self.home_order().count() as u8;
        self.set_standing(seat, Standing::Home { after });
    }

    fn set_out(&mut self, seat: Seat) {
        let after = self.out_order().count() as u8;
        self.set_standing(seat, Standing::Out { after });
    }

    #[inline]
    fn set_turn(&mut self, seat: Seat) {
        self.key ^= TURN_KEYS[0][self.turn.index()] ^ TURN_KEYS[0][seat.index()];
        self.turn = seat;
    }

    /// Records who has filled its home, the mover before the others.
    fn note_finished(&mut self, mover: Seat) {
        for seat in Self::seats_from(mover) {
            let at_home = self.pegs[seat.index()] == Self::HOMES[seat.index()];
            if at_home && self.is_playing(seat) {
                self.set_home(seat);
            }
        }
    }

    /// Whether at most one player is still on its way, or one has used up its moves.
    fn is_decided(&self) -> bool {
        let playing = self.standings.iter().filter(|&&s| s == Standing::Playing).count();
        playing <= 1 || self.moves_made.iter().any(|&made| made >= self.limit)
    }

    /// Gives the turn to the first player from `first` on who can move; a player who is stuck on
    /// its turn is out. Once the game is over this no longer applies.
    fn find_mover(&mut self, first: Seat) {
        self.over = self.is_decided();
        for seat in Self::seats_from(first) {
            if self.over {
                break;
            }
            if self.is_playing(seat) {
                if self.can_move(seat) {
                    self.set_turn(seat);
                    return;
                }
                self.set_out(seat);
                self.over = self.is_decided();
            }
        }
        let next = Self::seats_from(first).find(|&seat| self.is_playing(seat));
        self.set_turn(next.unwrap_or(first));
    }

    /// The points: those at home have the first places, those out the last ones, and the others
    /// share what lies between.
    fn result(&self) -> Outcome {
        let shared = self.home_order().count()..SEATS - self.out_order().count();
        let sum: usize = shared.clone().map(|place| usize::from(Self::points_of(place))).sum();
        let points = self.standings.map(|standing| {
            Self::points_for(standing).unwrap_or_else(|| (sum / shared.len()) as u8)
        });
        Outcome::with_points(PerSeat::from_slice(&points), self.reason())
    }

    /// The points of a place, from 0.
    fn points_of(place: usize) -> u8 {
        WIN - (place * usize::from(WIN) / (SEATS - 1)) as u8
    }

    /// The points of a player who is no longer on its way.
    #[inline]
    fn points_for(standing: Standing) -> Option<u8> {
        match standing {
            Standing::Playing => None,
            Standing::Home { after } => Some(Self::points_of(usize::from(after))),
            Standing::Out { after } => Some(Self::points_of(SEATS - 1 - usize::from(after))),
        }
    }

    fn reason(&self) -> &'static str {
        let mut home = self.home_order().map(Seat::index);
        let mut out = self.out_order().map(Seat::index);
        match (home.next(), home.next(), out.next(), out.next()) {
            _ if self.standings.iter().filter(|&&s| s == Standing::Playing).count() > 1 => {
                "a player has made as many moves as the limit allows"
            }
            (Some(winner), _, _, _) if SEATS == 2 => CAME_HOME[winner],
            (Some(first), Some(second), _, _) => CAME_HOME_TWO[first][second],
            (Some(first), None, Some(out), _) => CAME_HOME_AND_STUCK[first][out],
            (None, _, Some(last), Some(second_last)) => BOTH_STUCK[last][second_last],
            (None, _, Some(last), None) => STUCK[last],
            _ => "at most one player was left",
        }
    }
}

#[inline]
fn standing_key(seat: Seat, standing: Standing) -> u64 {
    match standing {
        Standing::Playing => 0,
        Standing::Home { after } => HOME_KEYS[seat.index()][usize::from(after)],
        Standing::Out { after } => OUT_KEYS[seat.index()][usize::from(after)],
    }
}

const CAME_HOME: [&str; 2] = ["A came home first", "B came home first"];
const STUCK: [&str; 3] = ["A could not move", "B could not move", "C could not move"];
const CAME_HOME_TWO: [[&str; 3]; 3] = [
    ["", "A came home first, B second", "A came home first, C second"],
    ["B came home first, A second", "", "B came home first, C second"],
    ["C came home first, A second", "C came home first, B second", ""],
];
const CAME_HOME_AND_STUCK: [[&str; 3]; 3] = [
    ["", "A came home and B could not move", "A came home and C could not move"],
    ["B came home and A could not move", "", "B came home and C could not move"],
    ["C came home and A could not move", "C came home and B could not move", ""],
];
const BOTH_STUCK: [[&str; 3]; 3] = [
    ["", "A could not move, then B could not", "A could not move, then C could not"],
    ["B could not move, then A could not", "", "B could not move, then C could not"],
    ["C could not move, then A could not", "C could not move, then B could not", ""],
];

impl<const SEATS: usize> Game for Fauhalma<SEATS> {
    type Move = Move;

    fn seats(&self) -> usize {
        SEATS
    }

    #[inline]
    fn status(&self) -> Status {
        if self.over { Status::Over(self.result()) } else { Status::ToMove(self.turn) }
    }

    #[inline]
    fn generate<S: Sink<Move>>(&self, which: Which, into: &mut S) -> Flow {
        self.emit(which, into)
    }

    /// Never called: [`play`](Game::play) skips a player who cannot move. It would be out, and the
    /// others would share the rest.
    fn when_stuck(&self) -> Outcome {
        let mut after = *self;
        after.set_out(self.turn);
        after.result()
    }

    #[inline]
    fn count_moves(&self) -> u64 {
        self.count()
    }

    #[inline]
    fn play(&mut self, mv: Move) -> Progress {
        let (after, progress) = self.after(mv);
        *self = after;
        progress
    }

    #[inline(always)]
    fn after(&self, mv: Move) -> (Self, Progress) {
        match self.turn {
            Seat::FIRST => self.advanced::<0>(mv),
            Seat::SECOND => self.advanced::<1>(mv),
            _ => self.advanced::<2>(mv),
        }
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    #[inline]
    fn counters(&self) -> u64 {
        self.moves_made.iter().fold(0, |packed, &made| packed << 16 | u64::from(made))
    }

    #[inline]
    fn sample(&self, rng: &mut Rng, _: &mut MoveList<Move>) -> Option<Move> {
        self.sample_move(rng)
    }

    fn is_legal(&self, mv: Move) -> bool {
        let mine = self.pegs[self.turn.index()];
        !self.over
            && mine.contains(mv.from)
            && self.ground(self.turn).targets(mv.from).contains(mv.to)
    }
}

/// FAUhalma in the catalog.
pub struct Family;

impl crate::catalog::Family for Family {
    const INFO: GameInfo<'static> = GameInfo {
        name: "fauhalma",
        title: "FAUhalma",
        summary: "Six pegs each step and hop across a star: the first to fill its home wins.",
        seats: &["A", "B", "C"],
        variants: &[
            VariantInfo { text: "fauhalma:star3", about: "three players on the star" },
            VariantInfo { text: "fauhalma:star2", about: "two players on the star" },
            VariantInfo {
                text: "fauhalma:rhombus2",
                about: "two players on the star without its side corners",
            },
            VariantInfo {
                text: "fauhalma:rhombus2,limit=25",
                about: "stops after 25 moves of one player instead of 300",
            },
        ],
        form: FORM,
        rules: rules::RULES,
        position_notation: "JSON with the spaces of every player's pegs and who is to move, \
                            {\"A\":[[1,-4],…],\"B\":[…],\"C\":[…],\"turn\":\"A\"}, where needed \
                            with \"out\":[\"C\"], \"finished\":[\"B\",\"A\"] and \"moves\":n; or \
                            rows from the top, who is to move, who is out and the moves made: \
                            B/BB/BBB/10/9/8/3x3/8/9/10/AAA/AA/A A - 0",
        move_notation: "JSON list of the spaces visited: [[2,-2],[2,-3]], \
                        [[-1,2],[1,0],[3,-2],[3,-4]]",
        perft: PERFT,
        scenarios: scenarios::SCENARIOS,
        bench: BENCH,
    };

    const TABLES: &'static [TableInfo] = race::TABLES;

    const OPENINGS: &'static [ShippedOpenings] = &[ShippedOpenings {
        variant: "fauhalma:star2",
        book: Some(include_bytes!("openings/star2.book")),
        book_helps: false,
        balanced: Some(include_str!("openings/star2.txt")),
    }];

    fn open<V: Visitor>(variant: &Variant, visitor: V) -> Result<V::Output, TextError> {
        let setup = notation::read_setup(variant)?;
        let canonical = setup.variant();
        Ok(match setup.seats {
            notation::Seats::Two => {
                visitor.visit(canonical, Fauhalma::<2>::start(setup.board, setup.limit))
            }
            notation::Seats::Three => {
                visitor.visit(canonical, Fauhalma::<3>::start(setup.board, setup.limit))
            }
        })
    }
}

const FORM: Form = Form {
    template: "{board}",
    fields: &[Field {
        name: "board",
        label: "Board and players",
        kind: FieldKind::Choice {
            choices: &[
                ("star3", "Star, three players"),
                ("star2", "Star, two players"),
                ("rhombus2", "Rhombus, two players"),
            ],
        },
    }],
};

/// The searches of the benchmark.
const BENCH: &[(&str, &str)] = &[
    ("fauhalma:star2", "minimax:depth=4"),
    ("fauhalma:star2", "alphabeta:depth=5"),
    ("fauhalma:star2", "ordered:depth=5"),
    ("fauhalma:star2", "engine:depth=15,hash=8"),
    ("fauhalma:star3", "greedy"),
    ("fauhalma:star3", "mcts:plain=on,iterations=300"),
    ("fauhalma:star3", "mcts:iterations=2000,eval=simple"),
    ("fauhalma:star3", "paranoid:depth=5,eval=simple,hash=8"),
    ("fauhalma:star3", "maxn:depth=3,eval=simple,hash=8"),
    ("fauhalma:star3", "brs:depth=5,eval=simple,hash=8"),
    ("fauhalma:star3", "brs:plus=on,depth=5,eval=simple,hash=8"),
];

const fn known(variant: &'static str, counts: &'static [u64]) -> KnownPerft {
    KnownPerft { variant, position: None, counts }
}

#[rustfmt::skip]
const PERFT: &[KnownPerft] = &[
    known("fauhalma:star3", &[10, 100, 1000, 18000, 324120, 5838480, 115093128, 2274162533]),
    known("fauhalma:star2", &[10, 100, 1800, 32400, 638136, 12591490, 284503004, 6451730320]),
    known("fauhalma:rhombus2", &[10, 100, 1720, 29584, 549616, 10233540, 217917096, 4662222370]),
];
