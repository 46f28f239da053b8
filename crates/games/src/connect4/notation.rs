//! Texts: `connect4:7x6`, `7/7/7/7/3O3/3X3 x`, `4`.

use agon_core::text::Reader;
use agon_core::{
    Bitboard, Game, Invalid, Notation, Seat, Square, TextError, Variant, fen, notation,
};

use super::board::{Board, Cells, HEIGHTS, WIDTHS};
use super::moves::has_four;
use super::scene::cell_id;
use super::{Connect4, Move, O, X};

const NAME: &str = "connect4";

/// A parsed variant.
pub(super) struct Setup {
    pub(super) width: usize,
    pub(super) height: usize,
}

impl Setup {
    /// The canonical text.
    pub(super) fn variant(&self) -> Variant {
        Variant::new(NAME, &format!("{}x{}", self.width, self.height))
    }
}

/// Reads `WxH` or nothing.
pub(super) fn read_setup(variant: &Variant) -> Result<Setup, TextError> {
    let text = variant.setup();
    if text.is_empty() {
        return Ok(Setup { width: 7, height: 6 });
    }
    let size = text.split_once('x').and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
    match size {
        Some((width, height)) if WIDTHS.contains(&width) && HEIGHTS.contains(&height) => {
            Ok(Setup { width, height })
        }
        _ => Err(variant.error(text, "a size from 4x4 to 9x8 (columns x rows): connect4:7x6")),
    }
}

impl<W: Cells> Notation for Connect4<W> {
    fn seat_name(&self, seat: Seat) -> &str {
        ["x", "o"][seat.index()]
    }

    fn position_text(&self) -> String {
        let board = self.board;
        let (x, o) = (self.discs(X), self.discs(O));
        let rows = fen::write_rows(board.width, board.height, |column, from_top| {
            let square = board.square(column, board.height - 1 - from_top);
            if x.contains(square) { Some('X') } else { o.contains(square).then_some('O') }
        });
        format!("{rows} {}", self.seat_name(self.turn))
    }

    fn read_position(&self, text: &str) -> Result<Self, TextError> {
        let board = self.board;
        let mut reader = Reader::new(NAME, "position", text);
        let mut discs = [Bitboard::EMPTY; 2];
        fen::read_rows(&mut reader, board.width, board.height, "X O", |column, row, letter| {
            let seat = match letter {
                'X' | 'x' => X,
                'O' | 'o' => O,
                _ => return false,
            };
            discs[seat.index()].insert(board.square(column, board.height - 1 - row));
            true
        })?;
        reader.blanks("the side to move, x or o")?;
        let start = reader.at();
        let turn = match reader.take() {
            Some('x' | 'X') => X,
            Some('o' | 'O') => O,
            _ => return Err(reader.error_since(start, "the side to move, x or o")),
        };
        reader.end()?;
        let position =
            Connect4 { mine: discs[turn.index()], all: discs[0] | discs[1], board, turn };
        let marked = |Invalid { expected, cell }| {
            let place = |cell| {
                fen::place_of(text, cell / board.height, board.height - 1 - cell % board.height)
            };
            let at = cell.and_then(place).map_or(0..text.len(), |at| at..at + 1);
            reader.error_at(at, expected)
        };
        position.validate().map(|()| position).map_err(marked)
    }

    /// A game may look like this: every disc lies on another one or on the bottom, the players took
    /// turns, and the game went on until the last disc.
    fn validate(&self) -> Result<(), Invalid> {
        let (board, all, turn) = (self.board, self.all, self.turn);
        let refuse = |expected: &str| Err(Invalid::new(expected));
        if let Some(hanging) = (all - (all << 1 | board.bottom)).first() {
            return Err(Invalid::at(cell_id(board, hanging), "no empty cell below a disc"));
        }
        match (self.discs(X).len().checked_sub(self.discs(O).len()), turn) {
            (Some(0), X) | (Some(1), O) => {}
            (Some(0), _) => return refuse("x to move, as there are as many discs of X as of O"),
            (Some(1), _) => return refuse("o to move, as X has one disc more"),
            _ => return refuse("as many discs of X as of O, or one more"),
        }
        if has_four(board, self.mine) {
            return refuse("four in a row at most for the side that has just moved");
        }
        let last = self.theirs();
        // The last disc, on top of its column, completed whatever is complete.
        let tops = Bitboard(all.0 + board.bottom.0) >> 1 & last;
        if has_four(board, last) && !tops.into_iter().any(|s| !has_four(board, last - s.into())) {
            return refuse("four in a row that a single disc completes");
        }
        Ok(())
    }

    fn move_text(&self, mv: Move) -> String {
        (self.board.place(mv.to).0 + 1).to_string()
    }

    fn has_one_text(_: Move) -> bool {
        true
    }

    fn read_move(&self, text: &str) -> Result<Move, TextError> {
        let mut reader = Reader::new(NAME, "move", text);
        let expected = format!("a column, 1 to {}", self.board.width);
        let start = reader.at();
        let number = reader.number(self.board.width as u32, &expected)?;
        let Some(column) = number.checked_sub(1) else {
            return Err(reader.error_since(start, expected));
        };
        reader.end()?;
        let cells = self.board.left << (column * self.board.stride() as u32);
        match (self.to_move(), (self.playable() & cells).first()) {
            (Some(_), Some(to)) => Ok(Move { to }),
            _ => Err(notation::not_legal(NAME, self, text)),
        }
    }
}

/// The name of a cell: its row, counted from the bottom, and its column, which moves name.
pub(super) fn cell_name<W: Cells>(board: &Board<W>, square: Square) -> String {
    let (column, row) = board.place(square);
    format!("{},{}", row + 1, column + 1)
}
