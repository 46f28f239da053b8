//! Boards as rows of letters and numbers of empty squares, the way chess positions are written.

use crate::text::{Reader, TextError};

/// Reads `height` rows of `width` squares from the top, separated by `/`; a number is a run of
/// empty squares, and a `.` is a single one. Every other character goes to `place` with its column
/// (from the left) and row (from the top); `place` returns whether it is a known letter.
pub fn read_rows(
    reader: &mut Reader<'_>,
    width: usize,
    height: usize,
    letters: &str,
    mut place: impl FnMut(usize, usize, char) -> bool,
) -> Result<(), TextError> {
    for row in 0..height {
        let row_start = reader.at();
        let mut column = 0;
        while column < width {
            let start = reader.at();
            match reader.peek() {
                Some(c) if c.is_ascii_digit() => {
                    let expected = format!("a run of 1 to {} empty squares", width - column);
                    let run = reader.number((width - column) as u32, &expected)?;
                    if run == 0 {
                        return Err(reader.error_since(start, expected));
                    }
                    column += run as usize;
                }
                Some(c) if place(column, row, c) => {
                    reader.take();
                    column += 1;
                }
                Some('.') => {
                    reader.take();
                    column += 1;
                }
                Some('/' | ' ') | None => {
                    let expected =
                        format!("{width} squares in row {} from the top, not {column}", row + 1);
                    return Err(reader.error_since(row_start, expected));
                }
                Some(_) => {
                    return Err(
                        reader.error_here(format!("one of {letters} or a number of empty squares"))
                    );
                }
            }
        }
        let last = row + 1 == height;
        if !last && !reader.take_if('/') {
            let expected = format!("'/' after the {width} squares of row {} from the top", row + 1);
            return Err(reader.error_here(expected));
        }
        if last && reader.peek().is_some_and(|c| c != ' ') {
            let expected = format!("a blank after the last of {height} rows of {width} squares");
            return Err(reader.error_here(expected));
        }
    }
    Ok(())
}

/// Where the square at a column (from the left) and row (from the top) is written in a text that
/// begins with rows, as [`write_rows`] writes them; `None` if it is empty or not there.
pub fn place_of(rows: &str, column: usize, row: usize) -> Option<usize> {
    let line = rows.split('/').nth(row)?;
    let start: usize = rows.split('/').take(row).map(|line| line.len() + 1).sum();
    let (mut at, mut run) = (0, 0);
    for (offset, letter) in line.char_indices() {
        match letter.to_digit(10) {
            Some(digit) => run = 10 * run + digit as usize,
            None if letter.is_whitespace() => return None,
            None => {
                at += std::mem::take(&mut run);
                if at == column && letter != '.' {
                    return Some(start + offset);
                }
                at += 1;
            }
        }
    }
    None
}

/// Writes rows the way [`read_rows`] reads them. `piece` returns what stands at a column (from the
/// left) and row (from the top).
pub fn write_rows(
    width: usize,
    height: usize,
    piece: impl Fn(usize, usize) -> Option<char>,
) -> String {
    let mut text = String::with_capacity((width + 1) * height);
    for row in 0..height {
        if row > 0 {
            text.push('/');
        }
        let mut run = 0;
        for column in 0..width {
            match piece(column, row) {
                None => run += 1,
                Some(letter) => {
                    push_run(&mut text, &mut run);
                    text.push(letter);
                }
            }
        }
        push_run(&mut text, &mut run);
    }
    text
}

fn push_run(text: &mut String, run: &mut usize) {
    if *run > 0 {
        text.push_str(&run.to_string());
        *run = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<(usize, usize, char)>, String> {
        let mut found = Vec::new();
        let mut reader = Reader::new("game", "position", text);
        let place = |x, y, c| {
            c == 'a' && {
                found.push((x, y, c));
                true
            }
        };
        read_rows(&mut reader, 12, 2, "a", place).map_err(|e| e.to_string())?;
        Ok(found)
    }

    #[test]
    fn squares_are_found_in_their_rows() {
        let rows = "3p/P10k/.2q w 1 2";
        for (column, row, expected) in [
            (3, 0, Some(1)),
            (2, 0, None),
            (0, 1, Some(3)),
            (11, 1, Some(6)),
            (3, 2, Some(10)),
            (0, 2, None),
            (4, 2, None),
            (0, 3, None),
        ] {
            assert_eq!(place_of(rows, column, row), expected, "{column}, {row}");
        }
    }

    #[test]
    fn two_digit_runs_are_read_and_written() {
        assert_eq!(read("11a/a11").unwrap(), [(11, 0, 'a'), (0, 1, 'a')]);
        assert_eq!(read("9..a/12").unwrap(), [(11, 0, 'a')]);
        assert_eq!(write_rows(12, 1, |x, _| (x == 11).then_some('a')), "11a");
        assert_eq!(write_rows(12, 1, |_, _| None), "12");
        assert_eq!(write_rows(3, 3, |x, y| (x == y).then_some('a')), "a2/1a1/2a");
    }

    #[test]
    fn errors_say_what_is_wrong() {
        assert!(read("13/12").unwrap_err().contains("a run of 1 to 12 empty squares"));
        assert!(read("0a/12").unwrap_err().contains("a run of 1 to 12"));
        assert!(read("5/12").unwrap_err().contains("12 squares in row 1 from the top, not 5"));
        assert!(read("12/12/").unwrap_err().contains("a blank after the last of 2 rows"));
        assert!(read("12a/12").unwrap_err().contains("'/' after the 12 squares"));
        assert!(read("b/12").unwrap_err().contains("one of a or a number"));
        assert!(read("").unwrap_err().contains("not 0"));
        assert!(read("a11a/12").unwrap_err().contains("'/' after the 12 squares of row 1"));
        assert!(read("aa11/12").unwrap_err().contains("a run of 1 to 10 empty squares"));
    }

    #[test]
    fn a_row_that_is_too_short_is_marked() {
        let marks = |text| read(text).unwrap_err().lines().last().unwrap().to_string();
        assert_eq!(marks("5/12"), "  ^");
        assert_eq!(marks("12/a5"), "     ^^");
        assert_eq!(marks("12/"), "     ^");
        assert_eq!(marks("12/ "), "     ^");
    }
}
