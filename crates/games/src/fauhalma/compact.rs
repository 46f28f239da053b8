//! Positions in one short line: `B/BB/BBB/10/9/8/3x3/8/9/10/AAA/AA/A A - 0`.
//!
//! The rows of the board from the top, each from left to right, with the seats' letters, numbers
//! for runs of empty spaces (dots are accepted too) and `x` for the centre; who is to move; who is
//! out, in order, or `-`; the moves made in total, or by each player as `4,3,4`; and the order in
//! which players came home, if it is not seat order.

use agon_core::text::Reader;
use agon_core::{Seat, TextError};

use super::board::Space;
use super::json::Placed;
use super::notation::{NAME, SEAT_NAMES, seat_named};
use super::position::{Draft, MovesMade, most_moves, validate_pegs};
use super::{Fauhalma, HIGHEST_LIMIT};

impl<const SEATS: usize> Fauhalma<SEATS> {
    /// This position in one short line, which can be read back just like the JSON.
    #[cfg(test)]
    pub(crate) fn compact_text(&self) -> String {
        let rows: Vec<String> = self.board.rows().map(|row| self.row_text(&row)).collect();
        let letters = |seats: &mut dyn Iterator<Item = Seat>| -> String {
            seats.map(|seat| SEAT_NAMES[seat.index()]).collect()
        };
        let out = match letters(&mut self.out_order()) {
            none if none.is_empty() => "-".to_string(),
            some => some,
        };
        let moves = match self.regular_total() {
            Some(total) => total.to_string(),
            None => self.moves_made.map(|made| made.to_string()).join(","),
        };
        let home = match self.has_odd_home_order() {
            true => format!(" {}", letters(&mut self.home_order())),
            false => String::new(),
        };
        format!("{} {} {out} {moves}{home}", rows.join("/"), SEAT_NAMES[self.turn.index()])
    }

    #[cfg(test)]
    fn row_text(&self, row: &[Space]) -> String {
        let mut text = String::new();
        let mut run = 0;
        for &space in row {
            let letter = match self.board.square(space) {
                Some(square) => {
                    let owner = self.pegs.iter().position(|pegs| pegs.contains(square));
                    owner.map(|seat| SEAT_NAMES[seat])
                }
                None => Some("x"),
            };
            run += usize::from(letter.is_none());
            if let Some(letter) = letter {
                push_run(&mut text, &mut run);
                text.push_str(letter);
            }
        }
        push_run(&mut text, &mut run);
        text
    }

    /// Reads the short form.
    pub(super) fn read_compact(&self, text: &str) -> Result<Self, TextError> {
        let mut reader = Reader::new(NAME, "position", text);
        let mut draft = Draft::new();
        reader.more();
        self.read_rows(&mut reader, &mut draft)?;
        let to_move = format!("the seat to move, one of {}", SEAT_NAMES[..SEATS].join(", "));
        reader.blanks(&to_move)?;
        draft.turn = read_letter::<SEATS>(&mut reader, &to_move)?.value;
        let mut more =
            |next: &str, read: &mut dyn FnMut(&mut Reader<'_>) -> Result<(), TextError>| {
                if !reader.clone().more() {
                    return Ok(());
                }
                reader.blanks(next)?;
                read(&mut reader)
            };
        more("who is out, or -", &mut |reader| {
            if !reader.take_if('-') {
                draft.out = read_letters::<SEATS>(reader, "the seats that are out, or -")?;
            }
            Ok(())
        })?;
        more("the moves made", &mut |reader| {
            draft.moves = read_moves_made(reader)?;
            Ok(())
        })?;
        more("the seats that are home", &mut |reader| {
            draft.finished = read_letters::<SEATS>(reader, "the seats that are home, in order")?;
            Ok(())
        })?;
        reader.end()?;
        self.settle(&draft, &reader)
    }

    fn read_rows(
        &self,
        reader: &mut Reader<'_>,
        draft: &mut Draft<SEATS>,
    ) -> Result<(), TextError> {
        let start = reader.at();
        for (nth, row) in self.board.rows().enumerate() {
            if nth > 0 && !reader.take_if('/') {
                let expected = format!("'/' and row {} of 13 from the top", nth + 1);
                return Err(reader.error_here(expected));
            }
            self.read_row(reader, nth, &row, draft)?;
        }
        let mut seats = Seat::all(SEATS).zip(draft.pegs);
        let checked = seats.try_for_each(|(seat, pegs)| validate_pegs(pegs, seat));
        checked.map_err(|invalid| reader.error_since(start, invalid.expected))
    }

    fn read_row(
        &self,
        reader: &mut Reader<'_>,
        nth: usize,
        row: &[Space],
        draft: &mut Draft<SEATS>,
    ) -> Result<(), TextError> {
        let mut rest = row;
        while let Some(&space) = rest.first() {
            let free = rest.iter().position(|&space| space == Space::CENTRE).unwrap_or(rest.len());
            let taken = match reader.peek() {
                Some('x') if space == Space::CENTRE => reader.take().map_or(0, |_| 1),
                _ if space == Space::CENTRE => return Err(reader.error_here("x for the centre")),
                Some('.') => reader.take().map_or(0, |_| 1),
                Some(c) if c.is_ascii_digit() => {
                    let start = reader.at();
                    let expected = format!("a run of 1 to {free} empty spaces");
                    match reader.number(free as u32, &expected)? as usize {
                        0 => return Err(reader.error_since(start, expected)),
                        run => run,
                    }
                }
                _ => {
                    let letters = SEAT_NAMES[..SEATS].join(", ");
                    let expected = format!(
                        "{letters} or a number of empty spaces: row {} from the top has {} cells",
                        nth + 1,
                        row.len()
                    );
                    let seat = read_letter::<SEATS>(reader, &expected)?.value;
                    if let Some(square) = self.board.square(space) {
                        draft.pegs[seat.index()].insert(square);
                    }
                    1
                }
            };
            rest = &rest[taken..];
        }
        Ok(())
    }
}

#[cfg(test)]
fn push_run(text: &mut String, run: &mut usize) {
    if *run > 0 {
        text.push_str(&run.to_string());
        *run = 0;
    }
}

fn read_letter<const SEATS: usize>(
    reader: &mut Reader<'_>,
    expected: &str,
) -> Result<Placed<Seat>, TextError> {
    let start = reader.at();
    let mut name = [0; 4];
    match reader.peek().and_then(|c| seat_named::<SEATS>(c.encode_utf8(&mut name))) {
        Some(value) => {
            reader.take();
            Ok(Placed { value, at: start..reader.at() })
        }
        None => Err(reader.error_here(expected)),
    }
}

fn read_letters<const SEATS: usize>(
    reader: &mut Reader<'_>,
    expected: &str,
) -> Result<Vec<Placed<Seat>>, TextError> {
    let mut seats = vec![read_letter::<SEATS>(reader, expected)?];
    while reader.peek().is_some_and(|c| c != ' ') {
        seats.push(read_letter::<SEATS>(reader, expected)?);
    }
    Ok(seats)
}

fn read_moves_made<const SEATS: usize>(
    reader: &mut Reader<'_>,
) -> Result<MovesMade<SEATS>, TextError> {
    let start = reader.at();
    let most = most_moves(SEATS);
    let total = format!("the moves made, 0 to {most}, or each player's, separated by commas");
    let first = reader.number(most, &total)?;
    if reader.peek() != Some(',') {
        return Ok(MovesMade::Total(first));
    }
    let expected = format!("the moves of each of {SEATS} players, 0 to {HIGHEST_LIMIT}");
    let mut each = vec![first];
    while reader.take_if(',') {
        each.push(reader.number(u32::from(HIGHEST_LIMIT), &expected)?);
    }
    let counts = each.iter().filter(|&&n| n <= u32::from(HIGHEST_LIMIT)).map(|&n| n as u16);
    match <[u16; SEATS]>::try_from(counts.collect::<Vec<u16>>()) {
        Ok(counts) if each.len() == SEATS => Ok(MovesMade::Each(counts)),
        _ => Err(reader.error_since(start, expected)),
    }
}
