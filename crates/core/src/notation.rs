//! Positions and moves as text, in both directions.

use crate::game::Game;
use crate::scene::CellId;
use crate::seat::Seat;
use crate::text::TextError;

/// The texts of a game. Everything printed can be read back; nothing read can panic.
pub trait Notation: Game {
    /// The name of a seat, as in `red`, `adversary` or `A`.
    fn seat_name(&self, seat: Seat) -> &str;

    /// The name of a seat in texts for people, if its plain name could mean something else there.
    fn seat_label(&self, seat: Seat) -> &str {
        self.seat_name(seat)
    }

    /// This position as text.
    fn position_text(&self) -> String;

    /// Whether the rules can be applied to this position, or why not. Whatever is read from a text
    /// is validated, and whatever moves lead to from there is valid. Games in which any pieces
    /// anywhere are a position have nothing to reject.
    fn validate(&self) -> Result<(), Invalid> {
        Ok(())
    }

    /// Reads a position of the same variant (board size, rule set, number of players) as `self`.
    fn read_position(&self, text: &str) -> Result<Self, TextError>;

    /// A legal move of this position as text.
    fn move_text(&self, mv: Self::Move) -> String;

    /// Whether a move has the same text in all positions of its variant in which it is legal.
    /// Return `true` only where this is certain.
    fn has_one_text(_mv: Self::Move) -> bool {
        false
    }

    /// Reads a move and checks that it is legal here.
    fn read_move(&self, text: &str) -> Result<Self::Move, TextError>;

    /// This position as JSON from a seat's point of view, in games where each player has one: in
    /// some, everybody sits at the bottom of the board.
    fn percept(&self, _seat: Seat) -> Option<String> {
        None
    }

    /// Reads a move written from a seat's point of view.
    fn read_move_of(&self, _seat: Seat, text: &str) -> Result<Self::Move, TextError> {
        self.read_move(text)
    }
}

/// Why a position is not valid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invalid {
    /// What would be right, as in "at most one lion".
    pub expected: String,
    /// The cell of the drawing that is wrong, if it is a single one.
    pub cell: Option<CellId>,
}

impl Invalid {
    /// A position that is wrong as a whole.
    pub fn new(expected: impl Into<String>) -> Invalid {
        Invalid { expected: expected.into(), cell: None }
    }

    /// A position in which what stands on a cell is wrong.
    pub fn at(cell: CellId, expected: impl Into<String>) -> Invalid {
        Invalid { expected: expected.into(), cell: Some(cell) }
    }
}

/// The error for a well-formed move that is not legal, with a few that are.
pub fn not_legal<G: Notation>(game: &str, position: &G, text: &str) -> TextError {
    const SHOWN: usize = 8;
    let mut legal: Vec<String> =
        position.moves().iter().map(|&mv| position.move_text(mv)).collect();
    legal.sort();
    let expected = match legal.len() {
        0 => "no move: the game is over".to_string(),
        n if n <= SHOWN => format!("a legal move: {}", legal.join(" ")),
        n => format!("one of {n} legal moves, such as {}", legal[..SHOWN].join(" ")),
    };
    TextError::new(game, "move", text, 0..text.len(), expected)
}
