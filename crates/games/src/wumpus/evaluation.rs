//! Evaluations: a metric for the leaves of a search, and heuristics to order moves by.
//!
//! - `simple` is the metric for the leaves: a little of `matchup`, `mobility` and `distance`. The
//!   most expensive; helps anywhere, as it knows what to win and where to go for it.
//! - `tuned` combines all of this, each term with its own weight; see `tuned.rs`.
//! - `matchup` counts the pieces, worth more the more enemies they beat and the fewer beat them.
//!   Twelve popcounts; the base of the others.
//! - `material` counts the pieces. Half the cost; the baseline for the others, and never wrong
//!   about a trade that has been made.
//! - `threat` counts pieces beside one that beats them. Three neighbour sets per side; helps in the
//!   middle of a fight, and to search attacks and escapes first.
//! - `mobility` counts the steps that lose nothing at once. Eight shifts for each kind and side;
//!   helps among pits and in corners, where a player who must move runs out of good steps.
//! - `distance` measures how far hunters have to walk to their prey, around the pits. A flood fill
//!   from every kind of prey; helps in the opening and the endgame, when nothing is within reach.
//! - `tempo` looks at who gets to strike first and who is forced to give up a piece. The sets of
//!   `threat` and half of those of `mobility`; helps at the leaves of a shallow search, as it
//!   amounts to two plies of search.
//!
//! `threat` to `tempo` add their term to `matchup`. All of them are differences, one side's value
//! minus the other's, in hundredths of a piece, and symmetric in top and bottom.

use agon_core::tuning::Reweighted;
use agon_core::{Bitboard, Evaluate, Evaluation, Seat, Tables};

use super::board::Cells;
use super::tuned::{FEATURES, tuned};
use super::{PieceKind, Wumpus};

/// A piece that beats as many enemies as beat it.
const PIECE: i32 = 100;
/// The bonus of a piece that beats all enemies, and the malus of one that all of them beat.
const MATCHUP: i32 = 50;
/// An enemy beside a piece that beats it: less than half a piece, as it may escape.
const THREAT: i32 = 40;
/// A step that loses nothing at once. A piece in the open has eight.
const STEP: i32 = 3;
/// Steps and nearness where they only help to choose between equal pieces.
const SIMPLE_STEP: i32 = 2;
const SIMPLE_CLOSER: i32 = 3;
/// A hunter one step nearer to its prey: crossing a board of six is worth less than a piece.
const CLOSER: i32 = 4;
/// A piece that can be taken at once: nearly all of it.
const STRIKE: i32 = 90;
/// A piece that can be taken after the next move: the mover may still find a defence.
const STRIKE_BACK: i32 = 60;

impl<W: Cells> Evaluate for Wumpus<W> {
    type Model = Reweighted<{ FEATURES }>;

    fn evaluations() -> &'static [Evaluation<Self>] {
        &const {
            [
                Evaluation {
                    name: "simple",
                    about: "a little of everything: matchup, mobility and distance",
                    judge: simple,
                },
                Evaluation {
                    name: "tuned",
                    about: "pieces and what they beat, threats, room and hunts, each with its weight",
                    judge: tuned,
                },
                Evaluation {
                    name: "matchup",
                    about: "the pieces, each worth more the more enemies it beats and the fewer \
                            beat it",
                    judge: matchup,
                },
                Evaluation { name: "material", about: "the number of pieces", judge: material },
                Evaluation {
                    name: "threat",
                    about: "matchup, and the pieces that stand beside one that beats them",
                    judge: threat,
                },
                Evaluation {
                    name: "mobility",
                    about: "matchup, and the steps that lose nothing at once",
                    judge: mobility,
                },
                Evaluation {
                    name: "distance",
                    about: "matchup, and how near hunters are to their prey, around the pits",
                    judge: distance,
                },
                Evaluation {
                    name: "tempo",
                    about: "matchup, and who strikes first or is forced to give up a piece",
                    judge: tempo,
                },
            ]
        }
    }

    fn model(&self, evaluation: &str, _: &Tables, weights: Option<&[i32]>) -> Option<Self::Model> {
        weights.filter(|_| evaluation == "tuned").and_then(Reweighted::new)
    }

    /// The course limits the depth of its searches by the size of the board.
    fn default_depth(&self) -> u32 {
        self.board.size as u32
    }
}

/// The metric for the leaves of a search: `matchup`, with a little of `mobility` and of `distance`.
/// With the pieces alone, two careful players would wait for each other until the game is drawn;
/// this gives them a direction and a reason to stay mobile.
fn simple<W: Cells>(position: &Wumpus<W>, seat: Seat) -> i32 {
    difference(position, seat, |side| {
        side.worth() + SIMPLE_STEP * side.safe_steps() + SIMPLE_CLOSER * side.closeness()
    })
}

/// A piece is worth 100, up to 50 more by the share of the enemies that it beats, and up to 50 less
/// by the share that beat it: the last hero is priceless among wumpuses and in danger among mages.
fn matchup<W: Cells>(position: &Wumpus<W>, seat: Seat) -> i32 {
    difference(position, seat, |side| side.worth())
}

/// The number of pieces, of any kind. The cheapest, and never swayed by positional terms; but all
/// trades look the same to it.
fn material<W: Cells>(position: &Wumpus<W>, seat: Seat) -> i32 {
    difference(position, seat, |side| PIECE * count(&side.mine))
}

/// `matchup`, and 40 for each enemy piece with a piece beside it that beats it. It makes a search
/// look at attacks and escapes first, and drives pieces at each other that would otherwise wait.
fn threat<W: Cells>(position: &Wumpus<W>, seat: Seat) -> i32 {
    difference(position, seat, |side| side.worth() + THREAT * side.threats())
}

/// `matchup`, and 3 for each step that neither enters a pit, nor a battle that is not won, nor a
/// cell beside a piece that would win. Passing is not allowed, so a side without such steps has to
/// give pieces away: this sees it coming.
fn mobility<W: Cells>(position: &Wumpus<W>, seat: Seat) -> i32 {
    difference(position, seat, |side| side.worth() + STEP * side.safe_steps())
}

/// `matchup`, and 4 for each step that a piece is nearer to the nearest enemy it beats, walking
/// around the pits. It gives a direction when nothing is within reach; without it a side with more
/// pieces does not know how to win.
fn distance<W: Cells>(position: &Wumpus<W>, seat: Seat) -> i32 {
    difference(position, seat, |side| side.worth() + CLOSER * side.closeness())
}

/// `matchup`, and what the next two plies will bring. The player to move takes a piece if it can,
/// or else gets one of its own out of danger; then the other takes a piece if one is still in
/// danger. A player who can neither strike nor step safely has to give up a piece.
fn tempo<W: Cells>(position: &Wumpus<W>, seat: Seat) -> i32 {
    let mover = Side::of(position, position.turn);
    let waiting = Side::of(position, position.turn.opponent());
    let strikes = mover.threats() > 0;
    let still_in_danger = waiting.threats() - i32::from(!strikes) > 0;
    let is_squeezed = !strikes && mover.safe_steps() == 0;
    let next = STRIKE * (i32::from(strikes) - i32::from(is_squeezed))
        - STRIKE_BACK * i32::from(still_in_danger);
    let value = mover.worth() - waiting.worth() + next;
    if seat == position.turn { value } else { -value }
}

/// The `term` of `seat` minus that of the opponent.
fn difference<W: Cells>(
    position: &Wumpus<W>,
    seat: Seat,
    term: impl Fn(&Side<'_, W>) -> i32,
) -> i32 {
    term(&Side::of(position, seat)) - term(&Side::of(position, seat.opponent()))
}

impl PieceKind {
    /// The kind that this one beats.
    pub(super) const fn prey(self) -> PieceKind {
        PieceKind::ALL[(self.index() + 2) % 3]
    }

    /// The kind that beats this one.
    pub(super) const fn hunter(self) -> PieceKind {
        PieceKind::ALL[(self.index() + 1) % 3]
    }
}

/// A position as one side sees it: the pieces by their kinds.
struct Side<'a, W: Cells> {
    position: &'a Wumpus<W>,
    mine: [Bitboard<W>; 3],
    theirs: [Bitboard<W>; 3],
}

impl<'a, W: Cells> Side<'a, W> {
    fn of(position: &'a Wumpus<W>, seat: Seat) -> Self {
        let pieces = |seat: Seat| position.kinds.map(|kind| kind & position.sides[seat.index()]);
        Side { position, mine: pieces(seat), theirs: pieces(seat.opponent()) }
    }

    /// What the pieces are worth against those of the enemy.
    fn worth(&self) -> i32 {
        let pairs = |of: fn(PieceKind) -> PieceKind| -> i32 {
            let meetings =
                |kind: PieceKind| len(self.mine[kind.index()]) * len(self.theirs[of(kind).index()]);
            PieceKind::ALL.into_iter().map(meetings).sum()
        };
        let enemies = count(&self.theirs).max(1);
        let matchup = MATCHUP * (pairs(PieceKind::prey) - pairs(PieceKind::hunter)) / enemies;
        PIECE * count(&self.mine) + matchup
    }

    /// How many enemy pieces have a piece beside them that beats them.
    fn threats(&self) -> i32 {
        let beaten = |kind: PieceKind| {
            self.position.around(self.mine[kind.index()]) & self.theirs[kind.prey().index()]
        };
        PieceKind::ALL.into_iter().map(|kind| len(beaten(kind))).sum()
    }

    /// How many steps lose nothing at once.
    fn safe_steps(&self) -> i32 {
        let all = |pieces: &[Bitboard<W>; 3]| pieces[0] | pieces[1] | pieces[2];
        let open = self.position.board.cells - (self.position.pits | all(&self.mine));
        let steps = |kind: PieceKind| -> i32 {
            let lost = all(&self.theirs) - self.theirs[kind.prey().index()];
            let safe = open - (lost | self.position.around(self.theirs[kind.hunter().index()]));
            let pieces = self.mine[kind.index()];
            let entered = |by: u32| len((pieces << by) & safe) + len((pieces >> by) & safe);
            W::STEPS.into_iter().map(entered).sum()
        };
        PieceKind::ALL.into_iter().map(steps).sum()
    }

    /// For each piece, the size of the board minus the steps to its prey; zero for a piece without
    /// prey, or with pits all around it.
    fn closeness(&self) -> i32 {
        let size = self.position.board.size as i32;
        let mut total = 0;
        for kind in PieceKind::ALL {
            let mut hunters = self.mine[kind.index()];
            let mut reached = self.theirs[kind.prey().index()];
            for steps in 1..size {
                if hunters.is_empty() || reached.is_empty() {
                    break;
                }
                reached = self.position.around(reached) - self.position.pits;
                total += (size - steps) * len(hunters & reached);
                hunters -= reached;
            }
        }
        total
    }
}

fn len<W: Cells>(set: Bitboard<W>) -> i32 {
    set.len() as i32
}

fn count<W: Cells>(pieces: &[Bitboard<W>; 3]) -> i32 {
    pieces.iter().map(|&kind| len(kind)).sum()
}
