//! Follows a controller where the rules do not, by editing the text of the position.

use agon_core::Seat;

/// The position after a move, regardless of the rules: the pawn is removed from its square, if
/// there was one, and put on its target; the other side is to move. `None` if the position or the
/// squares are invalid.
pub(super) fn moved(position: &str, seat: Seat, mv: &str) -> Option<String> {
    let (from, to) = squares(mv)?;
    let mut board = Board::read(position)?;
    board.set(from, '.')?;
    board.set(to, pawn(seat))?;
    board.to_move = if seat == Seat::FIRST { 'b' } else { 'w' };
    Some(board.text())
}

/// The same position with this seat to move.
pub(super) fn with_turn(position: &str, seat: Seat) -> Option<String> {
    let mut board = Board::read(position)?;
    board.to_move = if seat == Seat::FIRST { 'w' } else { 'b' };
    Some(board.text())
}

/// The position without the pawn that this move would have moved, if this seat has one there.
pub(super) fn without(position: &str, seat: Seat, mv: &str) -> Option<String> {
    let (from, _) = squares(mv)?;
    let mut board = Board::read(position)?;
    let square = board.square(from)?;
    if *square != pawn(seat) {
        return None;
    }
    *square = '.';
    Some(board.text())
}

fn pawn(seat: Seat) -> char {
    if seat == Seat::FIRST { 'P' } else { 'p' }
}

/// Column and row, both from 0.
type Place = (usize, usize);

/// The two squares of a move such as `j10j9`.
fn squares(mv: &str) -> Option<(Place, Place)> {
    let second = mv.char_indices().skip(1).find(|(_, c)| c.is_ascii_lowercase())?.0;
    let (from, to) = mv.split_at_checked(second)?;
    let place = |text: &str| {
        let (file, rank) = text.split_at_checked(1)?;
        let x = file.bytes().next()?.checked_sub(b'a')?;
        Some((usize::from(x), rank.parse::<usize>().ok()?.checked_sub(1)?))
    };
    Some((place(from)?, place(to)?))
}

/// A board, parsed from its text.
struct Board {
    /// Rows from the top.
    rows: Vec<Vec<char>>,
    to_move: char,
}

impl Board {
    fn read(text: &str) -> Option<Board> {
        let mut words = text.split_whitespace();
        let rows = words.next()?.split('/').map(expanded).collect();
        Some(Board { rows, to_move: words.next()?.chars().next()? })
    }

    fn square(&mut self, (x, y): Place) -> Option<&mut char> {
        let row = self.rows.len().checked_sub(y + 1)?;
        self.rows.get_mut(row)?.get_mut(x)
    }

    fn set(&mut self, place: Place, piece: char) -> Option<()> {
        self.square(place).map(|square| *square = piece)
    }

    fn text(&self) -> String {
        let rows: Vec<String> = self.rows.iter().map(|row| compact(row)).collect();
        format!("{} {}", rows.join("/"), self.to_move)
    }
}

/// `p2P` as `p..P`. Numbers may have two digits.
fn expanded(row: &str) -> Vec<char> {
    let (mut squares, mut run) = (Vec::new(), 0);
    for c in row.chars() {
        match c.to_digit(10) {
            Some(digit) => run = (run * 10 + digit as usize).min(100),
            None => {
                squares.resize(squares.len() + run, '.');
                squares.push(c);
                run = 0;
            }
        }
    }
    squares.resize(squares.len() + run, '.');
    squares
}

fn compact(row: &[char]) -> String {
    let mut text = String::new();
    for run in row.chunk_by(|a, b| *a == '.' && *b == '.') {
        match run {
            ['.', ..] => text += &run.len().to_string(),
            _ => text.extend(run),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_forced_position_is_one_that_can_be_read() {
        let variant = "breakthrough:10x10".parse().unwrap();
        let mut table = agon_games::open(&variant).unwrap();
        for (seat, mv) in [(Seat::FIRST, "j2j3"), (Seat::SECOND, "j10j9"), (Seat::SECOND, "a10e2")]
        {
            let after = moved(&table.position(), seat, mv).unwrap();
            table.set_position(&after).unwrap();
            assert_eq!(table.to_move(), Some(if seat == Seat::FIRST { "black" } else { "white" }));
        }
        // One of black's pawns moved to an occupied square, and one of white's was captured.
        assert_eq!(table.pieces().len(), 40 - 2);
        let fewer = without(&table.position(), Seat::FIRST, "b2b3").unwrap();
        table.set_position(&fewer).unwrap();
        assert_eq!(table.pieces().len(), 40 - 3);
        assert_eq!(without(&table.position(), Seat::FIRST, "b2b3"), None);
    }

    #[test]
    fn a_legal_move_that_is_forced_is_that_move() {
        let variant = "breakthrough:6x6".parse().unwrap();
        let mut rng = agon_core::Rng::new(3);
        let mut table = agon_games::open(&variant).unwrap();
        while let Some(mv) = table.random_move(&mut rng) {
            let seat = table.turn().unwrap();
            let forced = moved(&table.position(), seat, &mv).unwrap();
            table.play(&mv).unwrap();
            let played = table.position();
            let board = |text: &str| text.split(' ').take(2).collect::<Vec<_>>().join(" ");
            assert_eq!(board(&forced), board(&played), "{mv}");
        }
    }

    #[test]
    fn nonsense_is_no_position() {
        for (position, mv) in [("", "a1a2"), ("5/5 w", "a1a9"), ("5/5 w", "a0a1"), ("5/5 w", "aa")]
        {
            assert_eq!(moved(position, Seat::FIRST, mv), None, "{position:?} {mv:?}");
        }
        assert!(moved("99999999999999999999/5 w", Seat::FIRST, "a1a2").is_some());
    }
}
