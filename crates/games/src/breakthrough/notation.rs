//! Texts: `breakthrough:8x8,classic`, `pppp/pppp/4/PPPP/PPPP w 0 1`, `b2b3`.

use agon_core::text::Reader;
use agon_core::{
    Bitboard, Game, Invalid, Notation, Seat, Square, Status, TextError, Variant, fen, notation,
};

use super::board::{Board, Cells, HEIGHTS, WIDTHS};
use super::{BLACK, Breakthrough, Move, RuleSet, WHITE};

const NAME: &str = "breakthrough";

/// The two counters have no effect; this keeps them in range.
pub(super) const LARGEST_COUNTER: u32 = 1_000_000;

/// A parsed variant.
pub(super) struct Setup {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) classic: bool,
}

impl Setup {
    /// The canonical text.
    pub(super) fn variant(&self) -> Variant {
        let rules = if self.classic { ",classic" } else { "" };
        Variant::new(NAME, &format!("{}x{}{rules}", self.width, self.height))
    }
}

/// Reads `WxH`, `WxH,classic`, `classic` or nothing.
pub(super) fn read_setup(variant: &Variant) -> Result<Setup, TextError> {
    let mut setup = Setup { width: 8, height: 8, classic: false };
    for part in variant.setup().split(',').filter(|_| !variant.setup().is_empty()) {
        let size = part.split_once('x').and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
        match (part, size) {
            ("classic", _) => setup.classic = true,
            ("course", _) => setup.classic = false,
            (_, Some((width, height))) if WIDTHS.contains(&width) && HEIGHTS.contains(&height) => {
                (setup.width, setup.height) = (width, height);
            }
            _ => {
                let expected = "a size from 2x4 to 10x10 (columns x rows), and `,classic` for the \
                                classic rules: breakthrough:8x8 or breakthrough:6x5,classic";
                return Err(variant.error(part, expected));
            }
        }
    }
    Ok(setup)
}

impl<W: Cells, R: RuleSet> Notation for Breakthrough<W, R> {
    fn seat_name(&self, seat: Seat) -> &str {
        ["white", "black"][seat.index()]
    }

    fn position_text(&self) -> String {
        let rows = fen::write_rows(self.board.width, self.board.height, |column, from_top| {
            let square = self.board.square(column, self.board.height - 1 - from_top);
            let stands = |seat: Seat| self.pawns[seat.index()].contains(square);
            if stands(WHITE) { Some('P') } else { stands(BLACK).then_some('p') }
        });
        let side = if self.turn() == WHITE { 'w' } else { 'b' };
        let (quiet, number) =
            (self.quiet.min(LARGEST_COUNTER), (self.clock / 2).min(LARGEST_COUNTER));
        format!("{rows} {side} {quiet} {number}")
    }

    fn read_position(&self, text: &str) -> Result<Self, TextError> {
        let (width, height) = (self.board.width, self.board.height);
        let mut reader = Reader::new(NAME, "position", text);
        let mut pawns = [Bitboard::EMPTY; 2];
        fen::read_rows(&mut reader, width, height, "P p", |column, from_top, letter| {
            let seat = match letter {
                'P' => WHITE,
                'p' => BLACK,
                _ => return false,
            };
            pawns[seat.index()].insert(self.board.square(column, height - 1 - from_top));
            true
        })?;
        reader.blanks("the side to move, w or b")?;
        let turn = match reader.take() {
            Some('w' | 'W') => WHITE,
            Some('b' | 'B') => BLACK,
            _ => {
                return Err(
                    reader.error_since(reader.at().saturating_sub(1), "the side to move, w or b")
                );
            }
        };
        let mut counter = |default: u32| -> Result<u32, TextError> {
            if reader.rest().is_empty() || !reader.clone().more() {
                return Ok(default);
            }
            reader.blanks("a counter")?;
            reader.number(LARGEST_COUNTER, "a counter, 0 to 1000000")
        };
        let (quiet, number) = (counter(0)?, counter(1)?);
        reader.end()?;
        let clock = 2 * number + turn.index() as u32;
        let position = Breakthrough { pawns, clock, quiet, ..*self }.with_key();
        let whole = |invalid: Invalid| reader.error_at(0..text.len(), invalid.expected);
        position.validate().map(|()| position).map_err(whole)
    }

    fn validate(&self) -> Result<(), Invalid> {
        let is_home = |seat: usize| self.pawns[seat].meets(self.board.goal[seat]);
        match is_home(0) && is_home(1) {
            true => Err(Invalid::new("at most one side on its far row")),
            false => Ok(()),
        }
    }

    fn move_text(&self, mv: Move) -> String {
        format!("{}{}", square_name(self.board, mv.from), square_name(self.board, mv.to))
    }

    fn has_one_text(_: Move) -> bool {
        true
    }

    fn read_move(&self, text: &str) -> Result<Move, TextError> {
        let mut reader = Reader::new(NAME, "move", text);
        let mv = Move {
            from: read_square(self.board, &mut reader)?,
            to: read_square(self.board, &mut reader)?,
        };
        reader.end()?;
        let over = matches!(self.status(), Status::Over(_));
        if over || !self.is_legal(mv) {
            return Err(notation::not_legal(NAME, self, text));
        }
        Ok(mv)
    }
}

/// The name of a square, such as `a1` or `j10`.
pub(super) fn square_name<W: Cells>(board: &Board<W>, square: Square) -> String {
    let (column, row) = board.place(square);
    format!("{}{}", (b'a' + column as u8) as char, row + 1)
}

fn read_square<W: Cells>(board: &Board<W>, reader: &mut Reader<'_>) -> Result<Square, TextError> {
    let last = square_name(board, board.square(board.width - 1, board.height - 1));
    let expected = format!("a square a1 to {last}");
    let start = reader.at();
    let column = match reader.take() {
        Some(letter @ 'a'..='j') => usize::from(letter as u8 - b'a'),
        _ => return Err(reader.error_since(start, expected)),
    };
    let row = reader.number(board.height as u32, &expected)? as usize;
    if column >= board.width || row == 0 {
        return Err(reader.error_since(start, expected));
    }
    Ok(board.square(column, row - 1))
}
