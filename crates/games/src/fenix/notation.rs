//! Texts: `fenix`, `SSSSSS2/…/2ssssss 0 0 w 00`, `a7b7`, `a7c5xb7,c6`.

use agon_core::text::Reader;
use agon_core::{Game, Notation, Seat, Square, Status, TextError, Variant, fen, notation};

use super::board::{HEIGHT, Squares, WIDTH, place, square};
use super::{BLACK, Fenix, Move, PieceKind, RED};

const NAME: &str = "fenix";
const LETTERS: [[char; 3]; 2] = [['S', 'G', 'K'], ['s', 'g', 'k']];

/// High enough for any game, low enough to keep counting from there.
pub(super) const LAST_TURN: u32 = 1_000_000;

/// How many men a side has. More pieces are rejected: on a full board there can be too many
/// captures to enumerate.
const ARMY: u32 = 21;

/// Checks that there is nothing to set up.
pub(super) fn read_setup(variant: &Variant) -> Result<(), TextError> {
    match variant.setup() {
        "" => Ok(()),
        setup => Err(variant.error(setup, "no setup: the game has one variant, fenix")),
    }
}

/// The letter of a piece.
pub(super) fn letter(seat: Seat, kind: PieceKind) -> char {
    LETTERS[seat.index()][kind as usize]
}

impl Notation for Fenix {
    fn seat_name(&self, seat: Seat) -> &str {
        ["red", "black"][seat.index()]
    }

    fn position_text(&self) -> String {
        let rows = fen::write_rows(WIDTH, HEIGHT, |column, from_top| {
            let square = square(column, from_top);
            let owner = [RED, BLACK].into_iter().find(|seat| self.army(*seat).contains(square))?;
            Some(letter(owner, self.kind_of(owner, square)))
        });
        let side = if self.mover() == RED { 'w' } else { 'b' };
        let flags = [self.may_create_general, self.may_create_king].map(u8::from);
        format!("{rows} {} {} {side} {}{}", self.turn, self.quiet, flags[0], flags[1])
    }

    fn read_position(&self, text: &str) -> Result<Self, TextError> {
        let mut reader = Reader::new(NAME, "position", text);
        let pieces = read_pieces(&mut reader)?;
        reader.blanks("the ply, the plies since the last capture, the side and the flags")?;
        let turn = reader.number(LAST_TURN, &format!("the ply, 0 to {LAST_TURN}"))?;
        reader.blanks("the plies since the last capture, the side and the flags")?;
        let expected = "the plies since the last capture, 0 to 65535";
        let quiet = reader.number(u32::from(u16::MAX), expected)? as u16;
        reader.blanks("the side to move and the flags")?;
        read_side(&mut reader, turn)?;
        reader.blanks("the flags, such as 00")?;
        let expected = "0 or 1: whether the mover may create";
        let may_create_general = read_flag(&mut reader, &format!("{expected} a general"))?;
        let may_create_king = read_flag(&mut reader, &format!("{expected} a king"))?;
        reader.end()?;
        let position =
            Fenix { pieces, pieces_key: 0, turn, quiet, may_create_general, may_create_king };
        Ok(position.with_key())
    }

    fn move_text(&self, mv: Move) -> String {
        let mut captured: Vec<String> = mv.captured.into_iter().map(square_name).collect();
        captured.sort();
        let steps = square_name(mv.from) + &square_name(mv.to);
        if captured.is_empty() { steps } else { format!("{steps}x{}", captured.join(",")) }
    }

    fn has_one_text(_: Move) -> bool {
        true
    }

    fn read_move(&self, text: &str) -> Result<Move, TextError> {
        let mut reader = Reader::new(NAME, "move", text);
        let (from, to) = (read_square(&mut reader)?, read_square(&mut reader)?);
        let captured = read_captured(&mut reader)?;
        reader.end()?;
        let mv = Move { from, to, captured };
        let over = matches!(self.status(), Status::Over(_));
        if over || !self.is_legal(mv) {
            return Err(notation::not_legal(NAME, self, text));
        }
        Ok(mv)
    }
}

fn read_pieces(reader: &mut Reader<'_>) -> Result<[[Squares; 3]; 2], TextError> {
    let mut pieces = [[Squares::EMPTY; 3]; 2];
    fen::read_rows(reader, WIDTH, HEIGHT, "S G K s g k", |column, from_top, found| {
        for seat in [RED, BLACK] {
            for kind in PieceKind::ALL {
                if letter(seat, kind) == found {
                    pieces[seat.index()][kind as usize].insert(square(column, from_top));
                    return true;
                }
            }
        }
        false
    })?;
    for (army, name) in pieces.iter().zip(["red", "black"]) {
        let count: u32 = army.iter().map(|set| set.len()).sum();
        if count > ARMY {
            let expected = format!("at most {ARMY} {name} pieces, not {count}");
            return Err(reader.error_at(0..reader.at(), expected));
        }
    }
    Ok(pieces)
}

fn read_side(reader: &mut Reader<'_>, turn: u32) -> Result<(), TextError> {
    let expected = match turn % 2 {
        0 => format!("w: red moves on ply {turn}, as on every even one"),
        _ => format!("b: black moves on ply {turn}, as on every odd one"),
    };
    let start = reader.at();
    let side = reader.take_while(|c| c != ' ');
    let fits = side == if turn.is_multiple_of(2) { "w" } else { "b" };
    if fits { Ok(()) } else { Err(reader.error_since(start, expected)) }
}

fn read_flag(reader: &mut Reader<'_>, expected: &str) -> Result<bool, TextError> {
    match reader.peek() {
        Some(flag @ ('0' | '1')) => {
            reader.take();
            Ok(flag == '1')
        }
        _ => Err(reader.error_here(expected)),
    }
}

/// Reads `xb7,c6` in any order, or nothing.
fn read_captured(reader: &mut Reader<'_>) -> Result<Squares, TextError> {
    let mut captured = Squares::EMPTY;
    if !reader.take_if('x') {
        return Ok(captured);
    }
    loop {
        let start = reader.at();
        let square = read_square(reader)?;
        if captured.contains(square) {
            return Err(reader.error_since(start, "every captured square once"));
        }
        captured.insert(square);
        if !reader.take_if(',') {
            return Ok(captured);
        }
    }
}

/// The name of a square, `a1` to `h7`.
pub(super) fn square_name(square: Square) -> String {
    let (file, rank) = place(square);
    format!("{}{}", (b'a' + file as u8) as char, rank + 1)
}

fn read_square(reader: &mut Reader<'_>) -> Result<Square, TextError> {
    let start = reader.at();
    let file = reader.take().filter(|c| ('a'..='h').contains(c));
    let rank = file.and_then(|_| reader.take()).filter(|c| ('1'..='7').contains(c));
    match (file, rank) {
        (Some(file), Some(rank)) => {
            let (column, rank) = (file as usize - 'a' as usize, rank as usize - '1' as usize);
            Ok(square(column, HEIGHT - 1 - rank))
        }
        _ => Err(reader.error_since(start, "a square a1 to h7")),
    }
}
