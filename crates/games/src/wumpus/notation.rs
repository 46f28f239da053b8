//! Texts: `wumpus:6,seed=3`, `WHM/3/whm adversary 0`, `3,2-2,1`.

use agon_core::text::Reader;
use agon_core::{Bitboard, Game, Notation, Seat, Square, TextError, Variant, fen, notation};

use super::board::{Board, Cells, SIZES};
use super::{ADVERSARY, AGENT, Move, PieceKind, Wumpus};

const NAME: &str = "wumpus";
const SEATS: [&str; 2] = ["adversary", "agent"];

/// A parsed variant.
pub(super) struct Setup {
    pub(super) size: usize,
    pits: Pits,
}

/// Where the pits come from.
enum Pits {
    Seed(u64),
    /// Rows and columns from 0, sorted.
    Given(Vec<(usize, usize)>),
}

impl Setup {
    /// The canonical text.
    pub(super) fn variant(&self) -> Variant {
        let pits = match &self.pits {
            Pits::Seed(0) => String::new(),
            Pits::Seed(seed) => format!(",seed={seed}"),
            Pits::Given(pits) if pits.is_empty() => ",pits=none".to_string(),
            Pits::Given(pits) => {
                let names = pits.iter().map(|(row, column)| format!("{}.{}", row + 1, column + 1));
                format!(",pits={}", names.collect::<Vec<_>>().join("+"))
            }
        };
        Variant::new(NAME, &format!("{}{pits}", self.size))
    }

    /// The start position, in a word that the size fits.
    pub(super) fn start<W: Cells>(&self) -> Wumpus<W> {
        let board = W::boards().get(self.size);
        let pits = match &self.pits {
            Pits::Seed(seed) => board.pits_of_seed(*seed),
            Pits::Given(pits) => {
                pits.iter().map(|&(row, column)| board.square(row, column)).collect()
            }
        };
        Wumpus::start(board, pits)
    }
}

/// Reads `SIZE`, `SIZE,seed=N`, `SIZE,pits=ROW.COLUMN+…`, or nothing.
pub(super) fn read_setup(variant: &Variant) -> Result<Setup, TextError> {
    let (mut size, mut seed, mut list) = (None, None, None);
    for part in variant.setup().split(',').filter(|_| !variant.setup().is_empty()) {
        let (name, value) = part.split_once('=').unwrap_or(("", part));
        let again = match name {
            "" => size.replace(read_size(variant, part)?).is_some(),
            "seed" => {
                let number = digits(value);
                let expected = "seed=N with a number from 0 to 18446744073709551615";
                seed.replace(number.ok_or_else(|| variant.error(value, expected))?).is_some()
            }
            "pits" => list.replace(value).is_some(),
            _ => return Err(variant.error(part, "seed=N or pits=ROW.COLUMN+ROW.COLUMN…")),
        };
        if again {
            return Err(variant.error(part, "a size, a seed or pits only once"));
        }
        if seed.is_some() && list.is_some() {
            return Err(variant.error(part, "either seed=N or pits=…, not both"));
        }
    }
    let size = size.unwrap_or(6);
    let pits = match list {
        Some(list) => Pits::Given(read_pits(variant, size, list)?),
        None => Pits::Seed(seed.unwrap_or(0)),
    };
    Ok(Setup { size, pits })
}

fn read_size(variant: &Variant, part: &str) -> Result<usize, TextError> {
    let expected = "a size 3, 6, 9, 12 or 15, and `,seed=N` or `,pits=…` for the pits: \
                    wumpus:6,seed=3 or wumpus:6,pits=2.2+3.5+4.1+5.3";
    let size = digits(part).and_then(|size| SIZES.into_iter().find(|&s| s as u64 == size));
    size.ok_or_else(|| variant.error(part, expected))
}

/// Reads `2.2+3.5`, `none` or nothing.
fn read_pits(variant: &Variant, size: usize, list: &str) -> Result<Vec<(usize, usize)>, TextError> {
    let mut pits = Vec::new();
    for item in list.split('+').filter(|_| !list.is_empty() && list != "none") {
        let numbers = item.split_once('.').and_then(|(r, c)| Some((digits(r)?, digits(c)?)));
        let fits = |&(row, column): &(u64, u64)| {
            (2..size as u64).contains(&row) && (1..=size as u64).contains(&column)
        };
        let Some((row, column)) = numbers.filter(fits) else {
            let expected = format!(
                "a pit as row.column, row 2 to {} and column 1 to {size}, or `none`",
                size - 1
            );
            return Err(variant.error(item, expected));
        };
        let pit = (row as usize - 1, column as usize - 1);
        if pits.contains(&pit) {
            return Err(variant.error(item, "every pit only once"));
        }
        pits.push(pit);
    }
    pits.sort_unstable();
    Ok(pits)
}

/// A number made only of digits.
fn digits(text: &str) -> Option<u64> {
    text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok())?
}

/// The letter of a piece.
pub(super) fn letter(seat: Seat, kind: PieceKind) -> char {
    let letter = ['w', 'h', 'm'][kind.index()];
    if seat == AGENT { letter.to_ascii_uppercase() } else { letter }
}

/// The piece of a letter.
fn piece(letter: char) -> Option<(Seat, PieceKind)> {
    let pieces = Seat::all(2).flat_map(|seat| PieceKind::ALL.map(|kind| (seat, kind)));
    pieces.into_iter().find(|&(seat, kind)| self::letter(seat, kind) == letter)
}

impl<W: Cells> Notation for Wumpus<W> {
    fn seat_name(&self, seat: Seat) -> &str {
        SEATS[seat.index()]
    }

    /// Whoever plays a game here is an agent, unless it is a person: the side of that name is told
    /// apart from them.
    fn seat_label(&self, seat: Seat) -> &str {
        if seat == AGENT { "agent side" } else { self.seat_name(seat) }
    }

    fn position_text(&self) -> String {
        let size = self.board.size;
        let rows = fen::write_rows(size, size, |column, row| {
            let square = self.board.square(row, column);
            let owner = Seat::all(2).find(|seat| self.sides[seat.index()].contains(square));
            let pit = self.pits.contains(square).then_some('O');
            owner.map(|seat| letter(seat, self.kind_at(square))).or(pit)
        });
        format!("{rows} {} {}", self.seat_name(self.turn), self.quiet)
    }

    fn read_position(&self, text: &str) -> Result<Self, TextError> {
        let size = self.board.size;
        let mut reader = Reader::new(NAME, "position", text);
        let mut position = Wumpus {
            sides: [Bitboard::EMPTY; 2],
            kinds: [Bitboard::EMPTY; 3],
            pits: Bitboard::EMPTY,
            ..*self
        };
        fen::read_rows(&mut reader, size, size, "W H M w h m O", |column, row, letter| {
            let square = self.board.square(row, column);
            match (letter, piece(letter)) {
                (_, Some((seat, kind))) => position.toggle(seat, kind, square),
                ('O', _) => position.pits.insert(square),
                _ => return false,
            }
            true
        })?;
        position.turn = read_side(&mut reader)?;
        position.quiet = read_quiet(&mut reader)?;
        reader.end()?;
        Ok(position.with_key())
    }

    fn move_text(&self, mv: Move) -> String {
        format!("{}-{}", cell_name(self.board, mv.from), cell_name(self.board, mv.to))
    }

    fn has_one_text(_: Move) -> bool {
        true
    }

    fn read_move(&self, text: &str) -> Result<Move, TextError> {
        let mut reader = Reader::new(NAME, "move", text);
        let from = read_cell(self.board, &mut reader)?;
        if !reader.take_if('-') {
            return Err(reader.error_here("'-' and then the cell to go to"));
        }
        let mv = Move { from, to: read_cell(self.board, &mut reader)? };
        reader.end()?;
        if self.is_legal(mv) { Ok(mv) } else { Err(notation::not_legal(NAME, self, text)) }
    }
}

fn read_side(reader: &mut Reader<'_>) -> Result<Seat, TextError> {
    let expected = "the side to move, adversary or agent";
    reader.blanks(expected)?;
    let start = reader.at();
    match reader.take_while(|c| c != ' ') {
        "adversary" => Ok(ADVERSARY),
        "agent" => Ok(AGENT),
        _ => Err(reader.error_since(start, expected)),
    }
}

/// Reads the plies without a loss, 0 if there is nothing.
fn read_quiet(reader: &mut Reader<'_>) -> Result<u16, TextError> {
    if !reader.more() {
        return Ok(0);
    }
    let expected = "the plies without a loss, 0 to 65535";
    Ok(reader.number(u32::from(u16::MAX), expected)? as u16)
}

/// The name of a cell, such as `1,1` or `15,2`.
pub(super) fn cell_name<W: Cells>(board: &Board<W>, square: Square) -> String {
    let (row, column) = board.place(square);
    format!("{},{}", row + 1, column + 1)
}

fn read_cell<W: Cells>(board: &Board<W>, reader: &mut Reader<'_>) -> Result<Square, TextError> {
    let size = board.size;
    let expected = format!("a cell 1,1 to {size},{size} (row,column)");
    let start = reader.at();
    let row = reader.number(size as u32, &expected)? as usize;
    if !reader.take_if(',') {
        return Err(reader.error_here(format!("',' and then a column 1 to {size}")));
    }
    let column = reader.number(size as u32, &expected)? as usize;
    if row == 0 || column == 0 {
        return Err(reader.error_since(start, expected));
    }
    Ok(board.square(row - 1, column - 1))
}
