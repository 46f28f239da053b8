//! What game texts in the style of PGN have in common: tags, lines of words, and evaluations.

use std::cmp::Ordering;
use std::fmt;

use agon_core::outcome::WIN;
use agon_core::{Seat, printable};
use agon_search::{Forced, Score};

/// The result of a game that is not over, or that PGN has no word for.
pub const UNKNOWN: &str = "*";

/// The line width, in characters.
pub(crate) const WIDTH: usize = 100;

/// The result in the words of PGN, which has none for more than two players.
pub fn result_text(points: &[u8]) -> &'static str {
    match points {
        [0, 0] => UNKNOWN,
        [first, second] => match first.cmp(second) {
            Ordering::Greater => "1-0",
            Ordering::Less => "0-1",
            Ordering::Equal => "1/2-1/2",
        },
        _ => UNKNOWN,
    }
}

/// All points: `75-75-0`.
pub fn points_text(points: &[u8]) -> String {
    points.iter().map(u8::to_string).collect::<Vec<_>>().join("-")
}

/// Reads what [`points_text`] wrote.
pub(crate) fn read_points(text: &str) -> Option<Vec<u8>> {
    let points: Option<Vec<u8>> = text.split('-').map(|points| points.parse().ok()).collect();
    points.filter(|points| points.iter().all(|&points| points <= WIN))
}

/// Turns a text into the name of a tag: only allowed characters, starting with a capital.
pub(crate) fn tag_name(text: &str) -> String {
    let fits = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let mut name: String = text.chars().map(fits).collect();
    if let Some(first) = name.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    name
}

/// A tag on its line, from which [`read_tag`] reads it back.
pub(crate) fn write_tag(f: &mut impl fmt::Write, name: &str, value: &str) -> fmt::Result {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    writeln!(f, "[{name} \"{}\"]", printable(&value))
}

/// Reads `[Name "value"]`.
pub(crate) fn read_tag(line: &str) -> Option<(String, String)> {
    let (name, rest) = line.strip_prefix('[')?.split_once(" \"")?;
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if name.is_empty() || !name.chars().all(fits) {
        return None;
    }
    let value = read_value(rest.trim_end().strip_suffix("\"]")?)?;
    Some((name.to_string(), value))
}

/// Reads a value in which quotes and backslashes are escaped, and whatever [`printable`] escapes.
pub(crate) fn read_value(text: &str) -> Option<String> {
    let mut value = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['"', '\\']) {
        value.push_str(&rest[..at]);
        let escape = rest[at..].strip_prefix('\\')?;
        let (c, after) = read_escape(escape).or_else(|| {
            let c = escape.chars().next().filter(|c| matches!(c, '"' | '\\'))?;
            Some((c, &escape[1..]))
        })?;
        value.push(c);
        rest = after;
    }
    value.push_str(rest);
    Some(value)
}

/// Reads what [`printable`] makes of a character, after the backslash; and gives what follows.
pub(crate) fn read_escape(text: &str) -> Option<(char, &str)> {
    let rest = text.get(1..)?;
    match text.chars().next()? {
        't' => Some(('\t', rest)),
        'n' => Some(('\n', rest)),
        'r' => Some(('\r', rest)),
        'u' => {
            // No number of a character is longer, and nobody should look for its end in vain.
            let inside = rest.strip_prefix('{')?;
            let end = inside.bytes().take(8).position(|byte| byte == b'}')?;
            let code = u32::from_str_radix(&inside[..end], 16).ok()?;
            Some((char::from_u32(code)?, &inside[end + 1..]))
        }
        _ => None,
    }
}

/// Writes words, separated by blanks and line breaks.
#[derive(Default)]
pub(crate) struct Words {
    column: usize,
}

impl Words {
    /// Writes one more, on a new line if this one is full.
    pub(crate) fn write(&mut self, f: &mut impl fmt::Write, word: &str) -> fmt::Result {
        let width = word.chars().count();
        let fits = self.column > 0 && self.column + 1 + width <= WIDTH;
        f.write_char(if fits { ' ' } else { '\n' })?;
        self.column = if fits { self.column + 1 + width } else { width };
        f.write_str(word)
    }
}

/// `[%eval 0.35,9]`: a score with its depth, 0 if that is not known. The score is that of the position
/// in which `seat` moved, for `seat`.
pub(crate) fn evaluation(score: Score, depth: u32, seat: Seat, seats: usize) -> String {
    let depth = if depth > 0 { format!(",{depth}") } else { String::new() };
    format!("[%eval {}{depth}]", score_text(score, seat, seats))
}

/// A score in units; a forced result in moves of a player. PGN has it from the point of view of the
/// first player; with more than two players, it is the mover's.
pub(crate) fn score_text(score: Score, seat: Seat, seats: usize) -> String {
    let turned = is_turned(seat, seats);
    let moves = |plies: u32| plies.div_ceil(seats.max(1) as u32);
    let sign = |negative: bool| if negative != turned { "-" } else { "" };
    match score.forced() {
        Some(Forced::WinIn(plies)) => format!("#{}{}", sign(false), moves(plies)),
        Some(Forced::LossIn(plies)) => format!("#{}{}", sign(true), moves(plies)),
        None => {
            let value = if turned { -score.value() } else { score.value() };
            format!("{:.2}", f64::from(value) / 100.0)
        }
    }
}

fn is_turned(seat: Seat, seats: usize) -> bool {
    seats == 2 && seat != Seat::FIRST
}

/// Reads what [`score_text`] wrote. Moves become plies as in games in which players take turns.
pub(crate) fn read_score(text: &str, seat: Seat, seats: usize) -> Option<Score> {
    let turned = is_turned(seat, seats);
    if let Some(moves) = text.strip_prefix('#') {
        let (negative, moves) = unsigned(moves)?;
        let (moves, seats): (u32, u32) = (moves.parse().ok()?, seats.try_into().ok()?);
        let plies = moves.max(1).checked_mul(seats).filter(|&plies| plies <= LONGEST_FORCED)?;
        return Some(match negative != turned {
            true => Score::loss_in(plies),
            false => Score::win_in(plies - (seats - 1)),
        });
    }
    let (negative, number) = unsigned(text)?;
    let plain = number.chars().all(|c| c.is_ascii_digit() || c == '.');
    let number: f64 = number.parse().ok().filter(|_| plain)?;
    let hundredths = (number * 100.0).round() as i32;
    Some(Score::units(if negative != turned { -hundredths } else { hundredths }))
}

/// The most plies to a forced result.
pub(crate) const LONGEST_FORCED: u32 = 100_000;

/// Whether there is a minus, and what follows the sign.
fn unsigned(text: &str) -> Option<(bool, &str)> {
    let negative = text.starts_with('-');
    let rest = text.strip_prefix(['-', '+']).unwrap_or(text);
    rest.starts_with(|c: char| c.is_ascii_digit()).then_some((negative, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_those_of_the_first_of_two_players() {
        let text = |score, seat, seats| score_text(score, seat, seats);
        assert_eq!(text(Score::units(-35), Seat::FIRST, 2), "-0.35");
        assert_eq!(text(Score::units(-35), Seat::SECOND, 2), "0.35");
        assert_eq!(text(Score::units(-35), Seat::SECOND, 3), "-0.35");
        assert_eq!(text(Score::win_in(3), Seat::FIRST, 2), "#2");
        assert_eq!(text(Score::win_in(3), Seat::SECOND, 2), "#-2");
        assert_eq!(text(Score::loss_in(4), Seat::FIRST, 2), "#-2");
        assert_eq!(text(Score::loss_in(4), Seat::SECOND, 2), "#2");
    }

    #[test]
    fn scores_are_read_back() {
        let forced = (1..40).flat_map(|plies| [Score::win_in(plies), Score::loss_in(plies)]);
        let scores: Vec<Score> = [-100_000, -35, 0, 7, 99_999].map(Score::units).to_vec();
        for score in scores.into_iter().chain(forced) {
            for (seat, seats) in [(Seat::FIRST, 2), (Seat::SECOND, 2), (Seat::SECOND, 3)] {
                let text = score_text(score, seat, seats);
                let read = read_score(&text, seat, seats).unwrap();
                assert_eq!(score_text(read, seat, seats), text);
                let one_ply = match score.forced() {
                    Some(Forced::WinIn(plies)) => plies as usize % seats == 1,
                    Some(Forced::LossIn(plies)) => (plies as usize).is_multiple_of(seats),
                    None => true,
                };
                assert!(!one_ply || read == score, "{text}");
            }
        }
        for bad in ["", "#", "#x", "--1", "1e9", "nan", "inf", "#99999999999", "#60000", "1.2.3"] {
            assert_eq!(read_score(bad, Seat::FIRST, 2), None, "{bad}");
        }
    }

    #[test]
    fn names_of_seats_become_names_of_tags() {
        assert_eq!(tag_name("red"), "Red");
        assert_eq!(tag_name("the 2nd"), "The_2nd");
        assert_eq!(tag_name("ä"), "_");
        assert_eq!(tag_name(""), "");
    }
}
