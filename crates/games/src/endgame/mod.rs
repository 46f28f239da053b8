//! Endgame tables: the exact value of every position with few men.
//!
//! What a game has to tell is in `Tabulated`: its men, its board with its symmetries, and which
//! positions a quiet move could have come from. The rest is the same for all games.
//!
//! - `material`: which men there are, as `LG-LE`, and in which order tables are built.
//! - `layout`: where the value of a position is in the table of its material.
//! - `value`: values as bytes.
//! - `build`: retrograde analysis of one material.
//! - `verify`: a check of every position against its successors, by the rules.
//! - `parallel`: the threads of both, which share nothing else.
//! - `family`: all of this for the command line, without the game's type.
//!
//! A value is that of the board alone. Rules on repetition and on the length of a game can only turn
//! wins into draws; a search has to take them into account.

mod build;
mod family;
mod layout;
mod material;
mod parallel;
mod value;
mod verify;

#[cfg(test)]
mod tests;

use agon_core::{Foreseen, Game, Seat, Square, Status, Tables};

pub use build::NotBuilt;
pub use family::{EndgameFamily, EndgameStats, Endgames, Extreme, SideStats, embedded_tables};
pub(crate) use layout::{Board, Layouts};
pub(crate) use material::Kinds;
pub use material::Material;
pub use value::Exact;
pub use verify::Mistake;

/// The most men that a table can be built for.
pub const MOST_MEN: usize = 5;
/// The same without the two that are always there.
const MOST_OTHERS: usize = MOST_MEN - 2;

/// A man besides the royal pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Man {
    pub(crate) owner: Seat,
    /// The number of its kind in `Kinds::others`.
    pub(crate) kind: usize,
    pub(crate) square: Square,
}

/// The men of a position in which each side has one royal piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Men {
    pub(crate) turn: Seat,
    /// Where the royal pieces are, by seat.
    pub(crate) royals: [Square; 2],
    others: [Man; MOST_OTHERS],
    count: usize,
}

impl Men {
    /// Only the royal pieces.
    #[inline]
    pub(crate) fn new(turn: Seat, royals: [Square; 2]) -> Men {
        let nobody = Man { owner: Seat::FIRST, kind: 0, square: Square::new(0) };
        Men { turn, royals, others: [nobody; MOST_OTHERS], count: 0 }
    }

    /// Adds a man; `None` if there are too many.
    #[inline]
    pub(crate) fn add(&mut self, man: Man) -> Option<()> {
        *self.others.get_mut(self.count)? = man;
        self.count += 1;
        Some(())
    }

    /// The men besides the royal pieces.
    #[inline]
    pub(crate) fn others(&self) -> &[Man] {
        &self.others[..self.count.min(MOST_OTHERS)]
    }

    /// The same men on other squares.
    #[inline]
    fn moved(mut self, to: impl Fn(Square) -> Square) -> Men {
        self.royals = self.royals.map(&to);
        for man in &mut self.others[..self.count] {
            man.square = to(man.square);
        }
        self
    }

    /// The same with the sides exchanged, on other squares.
    #[inline]
    fn swapped(self, to: impl Fn(Square) -> Square) -> Men {
        let mut men = self.moved(to);
        men.royals.swap(0, 1);
        men.turn = men.turn.opponent();
        for man in &mut men.others[..men.count] {
            man.owner = man.owner.opponent();
        }
        men
    }
}

/// A game whose endgames can be tabulated: each side has one royal piece and a few other men.
pub(crate) trait Tabulated: Game + Copy {
    /// The kinds of men.
    const KINDS: Kinds;
    /// Whether the winner always makes the last move of a won game, so that wins take an odd number
    /// of plies.
    const WINNER_MOVES_LAST: bool;

    /// All materials and the layouts of their tables.
    fn layouts() -> &'static Layouts;
    /// How many men there are.
    fn man_count(&self) -> u32;
    /// The men, if the position is one of those in the tables and the game is not over.
    fn men(&self) -> Option<Men>;
    /// The position with these men.
    fn compose(men: &Men) -> Self;
    /// Passes on every position from which a move leads here that takes, loses and promotes nothing,
    /// unless it is not in the tables.
    fn retreats(&self, each: impl FnMut(Self));
}

/// The value of a position by the tables at hand, if it is in them.
#[inline]
pub(crate) fn probe<G: Tabulated>(position: &G, tables: &Tables) -> Option<Exact> {
    if position.man_count() > tables.most_men() {
        return None;
    }
    look_up(position, tables)
}

#[inline(never)]
fn look_up<G: Tabulated>(position: &G, tables: &Tables) -> Option<Exact> {
    let men = position.men()?;
    let (number, index) = G::layouts().find(&men)?;
    let byte = *tables.endgame(number)?.get(index)?;
    value::decode::<G>(byte)
}

/// The same as a search wants it.
#[inline]
pub(crate) fn foreseen<G: Tabulated>(position: &G, tables: &Tables) -> Option<Foreseen> {
    probe(position, tables).map(Foreseen::from)
}

/// How many plies may lie between a position and those in the tables: a right to create that lasts
/// for one ply.
const PLIES_OUTSIDE: u32 = 2;

/// The value for `me`, to move if the game goes on, of a position that is over, in the tables, or a
/// ply away from such positions; `None` if a table is missing.
fn resolve<G: Tabulated>(position: &G, me: Seat, tables: &Tables) -> Option<Exact> {
    resolve_within(position, me, tables, PLIES_OUTSIDE)
}

fn resolve_within<G: Tabulated>(
    position: &G,
    me: Seat,
    tables: &Tables,
    plies: u32,
) -> Option<Exact> {
    if let Status::Over(outcome) = position.status() {
        return Some(Exact::of(&outcome, me));
    }
    if position.men().is_some() {
        return look_up(position, tables);
    }
    let plies = plies.checked_sub(1)?;
    best_of_moves(position, me, |child| resolve_within(child, me.opponent(), tables, plies))
}

/// The best that `me` can do, by the values of the positions after its moves for the opponent.
fn best_of_moves<G: Tabulated>(
    position: &G,
    me: Seat,
    mut value: impl FnMut(&G) -> Option<Exact>,
) -> Option<Exact> {
    let mut best = None;
    for mv in position.moves() {
        let mut child = *position;
        child.play(mv);
        best = best.max(Some(value(&child)?.a_ply_earlier()));
    }
    Some(best.unwrap_or_else(|| Exact::of(&position.when_stuck(), me)))
}
