//! Plain boards and texts for the naive twins: rows of characters, everything computed from scratch
//! each time. Malformed input panics.

/// A board as rows of characters from the top; `.` is an empty cell.
pub(crate) type Board = Vec<Vec<char>>;

/// Row from the top and column from the left, both from 0; may lie off the board.
pub(crate) type Cell = (i32, i32);

/// The four orthogonal directions.
pub(crate) const ORTHOGONAL: [Cell; 4] = [(-1, 0), (1, 0), (0, -1), (0, 1)];

/// All eight directions.
pub(crate) const ALL_AROUND: [Cell; 8] =
    [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1)];

/// The cell `distance` steps from `cell` in a direction.
pub(crate) fn step(cell: Cell, direction: Cell, distance: i32) -> Cell {
    (cell.0 + distance * direction.0, cell.1 + distance * direction.1)
}

/// What stands on a cell, `None` off the board.
pub(crate) fn at(board: &Board, cell: Cell) -> Option<char> {
    let row = board.get(usize::try_from(cell.0).ok()?)?;
    row.get(usize::try_from(cell.1).ok()?).copied()
}

/// Puts a character on a cell of the board.
pub(crate) fn put(board: &mut Board, cell: Cell, what: char) {
    board[cell.0 as usize][cell.1 as usize] = what;
}

/// All cells of a board, row by row.
pub(crate) fn cells(board: &Board) -> Vec<Cell> {
    let (height, width) = (board.len() as i32, board[0].len() as i32);
    (0..height).flat_map(|row| (0..width).map(move |column| (row, column))).collect()
}

/// How many cells hold `what`.
pub(crate) fn count(board: &Board, what: char) -> usize {
    board.iter().flatten().filter(|&&c| c == what).count()
}

/// Reads rows from the top, separated by `/`; a number is a run of empty cells.
pub(crate) fn read_rows(text: &str) -> Board {
    text.split('/').map(read_row).collect()
}

pub(crate) fn read_row(text: &str) -> Vec<char> {
    let mut row = Vec::new();
    let mut run = 0;
    for c in text.chars() {
        if let Some(digit) = c.to_digit(10) {
            run = 10 * run + digit;
        } else {
            row.extend((0..run).map(|_| '.'));
            run = 0;
            row.push(c);
        }
    }
    row.extend((0..run).map(|_| '.'));
    row
}

/// Writes what [`read_rows`] reads.
pub(crate) fn write_rows(board: &Board) -> String {
    let rows: Vec<String> = board.iter().map(|row| write_row(row)).collect();
    rows.join("/")
}

pub(crate) fn write_row(row: &[char]) -> String {
    let mut text = String::new();
    let mut run = 0;
    for &c in row {
        if c == '.' {
            run += 1;
            continue;
        }
        if run > 0 {
            text += &run.to_string();
            run = 0;
        }
        text.push(c);
    }
    if run > 0 {
        text += &run.to_string();
    }
    text
}

/// A square's name: the file's letter, then the rank, counted from 1 at the bottom.
pub(crate) fn square_name(board: &Board, cell: Cell) -> String {
    let file = (b'a' + cell.1 as u8) as char;
    format!("{file}{}", board.len() as i32 - cell.0)
}

/// Reads squares written one after the other, like `b5b3d3` or `j10j9`.
pub(crate) fn read_squares(board: &Board, text: &str) -> Vec<Cell> {
    let starts: Vec<usize> =
        text.char_indices().filter(|(_, c)| c.is_ascii_lowercase()).map(|(i, _)| i).collect();
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let read = |(start, end): (&usize, usize)| {
        let file = text.as_bytes()[*start] - b'a';
        let rank: i32 = text[start + 1..end].parse().expect("a rank");
        (board.len() as i32 - rank, i32::from(file))
    };
    starts.iter().zip(ends).map(read).collect()
}

/// The moves as [`Naive`](super::Naive) returns them: sorted, without duplicates.
pub(crate) fn sorted(mut moves: Vec<String>) -> Vec<String> {
    moves.sort();
    moves.dedup();
    moves
}

/// Points of a two-player game won by the seat with this number.
pub(crate) fn win(seat: usize) -> Vec<u8> {
    if seat == 0 { vec![100, 0] } else { vec![0, 100] }
}

/// Points of a two-player game that nobody won.
pub(crate) fn draw() -> Vec<u8> {
    vec![50, 50]
}

/// How often the latest entry of a history occurs in it.
pub(crate) fn occurrences(history: &[String]) -> usize {
    history.iter().filter(|&entry| Some(entry) == history.last()).count()
}
