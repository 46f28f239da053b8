//! A game being played, type-erased: everything goes in and out as text.

mod typed;

use std::borrow::Cow;

use agon_core::arrange::{Dial, Draft, Stock};
use agon_core::scene::{Piece, Supply, Trace};
use agon_core::{Ended, Invalid, Outcome, Perft, Rng, Scene, Seat, Status, TextError, Variant};

use crate::catalog::Catalog;
pub(crate) use typed::TypedTable;

/// The move that led to the position on a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LastMove<'t> {
    /// The move in canonical text.
    pub text: &'t str,
    /// Who made it.
    pub seat: Seat,
    /// The move as it was drawn in the position before.
    pub trace: &'t Trace,
}

/// A move that somebody could make if the player to move did nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Threat {
    /// The move in canonical text.
    pub text: String,
    /// The move as a drawing; [`Trace::removes`] holds only what the player to move would lose.
    pub trace: Trace,
    /// Whether it wins the game, or a place for good where others play on.
    pub wins: bool,
}

/// A game being played: the position, its history, and a way back. Everything goes in and out as
/// text and is checked; the rules of history are applied.
///
/// Whatever is asked about a position, its moves are generated at most twice: once to count them
/// and once to list them. The list is cached while the position is the current one, the count until
/// the position is undone. Positions that are only played through never list their moves.
pub trait Table: Send + Sync {
    /// The catalog that it was opened from.
    fn catalog(&self) -> &Catalog;
    /// The variant in its canonical text.
    fn variant(&self) -> &Variant;
    /// How many players there are.
    fn seats(&self) -> usize;
    /// The name of a seat, in notations and in JSON.
    fn seat_name(&self, seat: Seat) -> &str;
    /// The name of a seat in texts for people.
    fn seat_label(&self, seat: Seat) -> &str;
    /// The current position as text.
    fn position(&self) -> String;
    /// Who has to move and can, or how the game ended and by which rule.
    fn turn(&self) -> Result<Seat, Ended>;
    /// The legal moves as text, sorted; none when the game is over.
    fn moves(&self) -> Vec<String>;
    /// The legal moves with the positions they lead to, sorted by move.
    fn successors(&self) -> Vec<(String, String)>;
    /// A key that the position shares with those symmetric to it; see
    /// [`Hints::canonical_key`](agon_core::Hints::canonical_key).
    fn canonical_key(&self) -> u64;
    /// The legal moves, sorted, each with the canonical key of the position it leads to.
    fn keyed_moves(&self) -> Vec<(String, u64)>;
    /// The scale of the game's best evaluation; see [`Hints::SCALE`](agon_core::Hints::SCALE).
    fn scale(&self) -> i32;
    /// The canonical text of a legal move, from any spelling that can be read.
    fn read_move(&self, text: &str) -> Result<String, TextError>;
    /// The position as JSON from a seat's point of view, in games where each player has one.
    ///
    /// ```
    /// let table = agon_games::open(&"fauhalma:star2".parse().unwrap()).unwrap();
    /// let second = agon_core::Seat::SECOND;
    /// assert!(table.percept(second).unwrap().starts_with(r#"{"A":[[1,-4],"#));
    /// let mv = table.moves().remove(0);
    /// assert_eq!(table.read_move_of(agon_core::Seat::FIRST, &mv).unwrap(), mv);
    /// ```
    fn percept(&self, seat: Seat) -> Option<String>;
    /// The canonical text of a legal move, from any spelling that can be read, written from a
    /// seat's point of view.
    fn read_move_of(&self, seat: Seat, text: &str) -> Result<String, TextError>;
    /// Plays a move and gives its canonical text.
    fn play(&mut self, text: &str) -> Result<String, TextError>;
    /// Takes back the last move without replaying the others; `false` if there is none.
    fn undo(&mut self) -> bool;
    /// The moves played so far, in canonical text.
    fn played(&self) -> &[String];
    /// A hash of all positions so far: games with the same signature had the same moves.
    fn signature(&self) -> u64;
    /// Who made the move with this number, from 0, of those played.
    fn mover(&self, ply: usize) -> Option<Seat>;
    /// The last move, as it was drawn; `None` if none was played.
    ///
    /// ```
    /// let variant = "congo".parse().unwrap();
    /// let table = agon_games::open_at(&variant, None, &["d2d3"]).unwrap();
    /// let last = table.last().unwrap();
    /// assert_eq!((last.text, last.seat), ("d2d3", table.mover(0).unwrap()));
    /// let cells = table.scene().cells;
    /// assert_eq!(cells[last.trace.routes[0][1]].name, "d3");
    /// ```
    fn last(&self) -> Option<LastMove<'_>>;
    /// An independent copy of the whole game, including its history, for instance to search in
    /// another thread. Copy-on-write: it costs nothing until one of the two changes.
    ///
    /// ```
    /// let mut table = agon_games::open(&"congo".parse().unwrap()).unwrap();
    /// table.play("d2d3").unwrap();
    /// let mut copy = table.fork();
    /// assert!(copy.undo() && !copy.undo());
    /// assert_eq!(table.played(), ["d2d3"]);
    /// ```
    fn fork(&self) -> Box<dyn Table>;
    /// Starts over from this position, with no history.
    fn set_position(&mut self, text: &str) -> Result<(), TextError>;
    /// The position the game began with, if it is not the variant's own start.
    fn custom_start(&self) -> Option<&str>;
    /// The evaluations of this game: the name and the description of each.
    fn evaluations(&self) -> Vec<(&'static str, &'static str)>;
    /// The value of the evaluation with this name in the current position for the seat to move;
    /// `None` if there is no such evaluation or the game is over.
    ///
    /// ```
    /// let mut table = agon_games::open(&"breakthrough:5x5".parse().unwrap()).unwrap();
    /// assert_eq!(table.evaluations()[0].0, "simple");
    /// assert_eq!(table.evaluate("simple"), Some(50));
    /// table.play("b2b3").unwrap();
    /// assert_eq!(table.evaluate("simple"), Some(-51));
    /// assert_eq!(table.evaluate("none"), None);
    /// ```
    fn evaluate(&self, name: &str) -> Option<i32>;
    /// A legal move chosen at random.
    fn random_move(&self, rng: &mut Rng) -> Option<String>;
    /// The current position as a drawing.
    fn scene(&self) -> Scene;
    /// What stands on the board: all of the drawing that moves change.
    fn pieces(&self) -> Vec<Piece>;
    /// What waits beside the board to be placed; moves change it, too.
    fn supplies(&self) -> Vec<Supply>;
    /// The legal moves as text and as drawings, sorted by text; none when the game is over. Faster
    /// than calling [`trace`](Table::trace) for each.
    ///
    /// ```
    /// let table = agon_games::open(&"congo".parse().unwrap()).unwrap();
    /// for (text, trace) in table.drawn_moves() {
    ///     assert_eq!(table.trace(&text).unwrap(), trace);
    /// }
    /// ```
    fn drawn_moves(&self) -> Vec<(String, Trace)>;
    /// How many legal moves there are; none when the game is over.
    fn count_moves(&self) -> u64;
    /// A move of the current position as a drawing.
    fn trace(&self, text: &str) -> Result<Trace, TextError>;
    /// The pieces with which a position can be set up by hand; none where it cannot.
    fn palette(&self) -> Vec<Stock>;
    /// The counters that belong to a position, with their values in the current one.
    fn dials(&self) -> Vec<Dial>;
    /// The current position as a draft, to be changed by hand.
    fn draft(&self) -> Draft;
    /// The text of the position that a draft describes, or what would be right; what is fixed, such
    /// as pits, is that of the current position.
    ///
    /// ```
    /// let table = agon_games::open(&"congo".parse().unwrap()).unwrap();
    /// let mut draft = table.draft();
    /// assert_eq!(table.arranged(&draft), Ok(table.position()));
    /// draft.pieces.retain(|(_, letter)| !"lL".contains(*letter));
    /// assert_eq!(table.arranged(&draft).unwrap_err().expected, "at least one lion");
    /// ```
    fn arranged(&self, draft: &Draft) -> Result<String, Invalid>;
    /// What the player to move is asked to do where it is not an ordinary turn; `None` when the
    /// game is over.
    fn guide(&self) -> Option<String>;
    /// Whether players can threaten each other in this game at all.
    fn has_threats(&self) -> bool;
    /// What the others could take or win if the player to move did nothing, sorted by move.
    ///
    /// ```
    /// let variant = "breakthrough:5x5".parse().unwrap();
    /// let table = agon_games::open_at::<&str>(&variant, Some("5/3p1/2P2/5/5 w"), &[]).unwrap();
    /// let threats = table.threats();
    /// assert_eq!(threats.len(), 1);
    /// assert_eq!(threats[0].text, "d4c3");
    /// assert_eq!(table.scene().cells[threats[0].trace.removes[0]].name, "c3");
    /// ```
    fn threats(&self) -> Vec<Threat>;
    /// Why a game of this kind ended as it did, in words.
    fn reason_text(&self, outcome: &Outcome) -> Cow<'static, str>;
    /// Counts move sequences from the current position, apart for every first move.
    fn perft(
        &self,
        perft: &Perft,
        depth: u32,
        progress: &(dyn Fn(usize, usize) + Sync),
    ) -> Vec<(String, u64)>;

    /// Whose turn it is, or how the game ended, including by a player without a move or a history
    /// rule.
    fn status(&self) -> Status {
        self.turn().map_or_else(|ended| Status::Over(ended.outcome), Status::ToMove)
    }

    /// The name of the seat to move, `None` when the game is over.
    fn to_move(&self) -> Option<&str> {
        self.status().to_move().map(|seat| self.seat_name(seat))
    }

    /// Why the game ended, in words; `None` while it goes on.
    fn reason(&self) -> Option<Cow<'static, str>> {
        self.outcome().map(|outcome| self.reason_text(&outcome))
    }

    /// How the game ended, if it has.
    fn outcome(&self) -> Option<Outcome> {
        self.status().outcome()
    }
}

#[cfg(test)]
mod tests;
