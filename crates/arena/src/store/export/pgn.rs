//! PGN-style text: tags, then numbered moves with comments, then the result. [`read_pgn`] reads it
//! back.
//!
//! ```text
//! [Event "spring"]
//! [Variant "fenix"]
//! [Red "engine"]
//! [Black "mcts"]
//! [Result "1-0"]
//! [Points "100-0"]
//!
//! 1. b6c6 {[%eval 0.35,9] [%emt 0:00:01.5]} f2e2 2. c6d6 e2d2 1-0
//! ```
//!
//! A number precedes every second move with two seats, every third with three. PGN has results for
//! two players only: with three the result is `*`, and the points say how the game ended.

use std::fmt;

use super::{ExportedGame, comments};
use crate::dates::{pgn_date, pgn_time};
use crate::game_text::{Words, read_points, read_tag, tag_name, write_tag};
use crate::store::PlayedBy;

pub use crate::game_text::{UNKNOWN, points_text, result_text};

/// A game in PGN.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PgnGame {
    /// Names and values, in order. Names are letters, digits and `_`.
    pub tags: Vec<(String, String)>,
    /// All moves, including those of the opening. No move contains a space.
    pub moves: Vec<String>,
    /// The comment after each move, empty where there is none; no comments at all may be left out.
    pub comments: Vec<String>,
    /// The points of every seat; there is at least one.
    pub points: Vec<u8>,
}

impl PgnGame {
    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }
}

impl From<&ExportedGame<'_>> for PgnGame {
    fn from(entry: &ExportedGame<'_>) -> PgnGame {
        let game = entry.game;
        let mut tags = Vec::new();
        let mut tag = |name: &str, value: String| tags.push((tag_name(name), value));
        tag("Event", entry.series.name.clone());
        tag("Game", entry.id().to_string());
        tag("Date", pgn_date(game.finished_at));
        tag("UTCTime", pgn_time(game.finished_at));
        tag("Round", format!("{}.{}.{}", game.round, game.pairing, game.leg));
        tag("Variant", game.variant.clone());
        for (seat, entrant) in entry.table() {
            tag(&seat, entrant.name.clone());
            if entrant.agent != entrant.name {
                tag(&format!("{seat}Agent"), entrant.agent.clone());
            }
        }
        let points = game.points.as_slice().to_vec();
        tag("Result", result_text(&points).into());
        tag("Points", points_text(&points));
        tag("Termination", game.reason.clone());
        if let Some(offender) = entry.offender() {
            tag("Offender", offender);
        }
        if let Some(evidence) = &game.evidence {
            tag("Evidence", evidence.clone());
        }
        tag("TimeControl", game.pace.clone());
        if !game.rated {
            tag("Rated", "no".into());
        }
        if game.disturbed {
            tag("Disturbed", "yes".into());
        }
        if let Some(resources) = &game.resources {
            tag("Resources", resources.clone());
        }
        if let Some(PlayedBy { worker, speed, scale }) = &game.played_by {
            tag("Worker", worker.clone());
            tag("WorkerSpeed", speed.to_string());
            tag("ClockScale", scale.to_string());
        }
        if let Some(start) = &game.start {
            tag("Start", start.clone());
        }
        let opening = game.opening_moves().count();
        if opening > 0 {
            tag("OpeningPlies", opening.to_string());
        }
        let moves = game.opening_moves().chain(game.played_moves()).map(String::from).collect();
        let comments = comments::of(game);
        PgnGame { tags, moves, comments, points }
    }
}

impl fmt::Display for PgnGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.tags {
            write_tag(f, name, value)?;
        }
        let seats = self.points.len().max(1);
        let mut words = Words::default();
        for (ply, text) in self.moves.iter().enumerate() {
            if ply % seats == 0 {
                words.write(f, &format!("{}.", ply / seats + 1))?;
            }
            words.write(f, text)?;
            let comment = self.comments.get(ply).filter(|comment| !comment.is_empty());
            for part in comment.iter().flat_map(|comment| comment.split_whitespace()) {
                words.write(f, part)?;
            }
        }
        words.write(f, result_text(&self.points))?;
        f.write_str("\n\n")
    }
}

/// A text that is not PGN as this program writes it.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
#[error("line {line}: expected {expected}")]
pub struct PgnError {
    /// The line, from 1.
    pub line: usize,
    /// What should have been there.
    pub expected: String,
}

/// Reads games from text that was written here.
pub fn read_pgn(text: &str) -> Result<Vec<PgnGame>, PgnError> {
    let mut games = Vec::new();
    let mut lines = text.lines().zip(1..).peekable();
    let blank = |line: &str| line.trim().is_empty();
    loop {
        while lines.next_if(|(line, _)| blank(line)).is_some() {}
        if lines.peek().is_none() {
            return Ok(games);
        }
        let (mut tags, mut at) = (Vec::new(), 1);
        while let Some((line, number)) = lines.next_if(|(line, _)| line.starts_with('[')) {
            at = number;
            tags.push(read_tag(line).ok_or_else(|| PgnError {
                line: number,
                expected: "a tag such as [Variant \"fenix\"]".into(),
            })?);
        }
        while lines.next_if(|(line, _)| blank(line)).is_some() {}
        let mut words = Vec::new();
        while let Some((line, number)) = lines.next_if(|(line, _)| !blank(line)) {
            words.extend(line.split_whitespace().map(|word| (word, number)));
        }
        let points = tags.iter().find(|(name, _)| name == "Points");
        let points = points.map(|(_, points)| points.as_str());
        let game = read_moves(&words, points, at)?;
        games.push(PgnGame { tags, ..game });
    }
}

/// Reads words that are numbers, moves, comments and the result, after the line `at`. Any word can be
/// a move: its position decides. `points` are those of the tags; without them the result has to be
/// points, as it was once written.
fn read_moves(
    words: &[(&str, usize)],
    points: Option<&str>,
    at: usize,
) -> Result<PgnGame, PgnError> {
    let error = |line, expected: &str| PgnError { line, expected: expected.to_string() };
    let Some(((last, last_line), rest)) = words.split_last() else {
        return Err(error(at, "moves and the result"));
    };
    let points = read_points(points.unwrap_or(last));
    let points = points.filter(|points| [result_text(points), &points_text(points)].contains(last));
    let points = points.ok_or_else(|| {
        error(*last_line, "a result such as 1-0 after the moves, and the tag Points \"100-0\"")
    })?;
    let (mut moves, mut comments) = (Vec::new(), Vec::new());
    let mut numbered = false;
    let mut words = rest.iter().copied();
    while let Some((word, line)) = words.next() {
        if let Some(comment) = comments.last_mut().filter(|_| word.starts_with('{') && !numbered) {
            *comment = read_comment(word, &mut words)
                .ok_or_else(|| error(line, "a comment that ends with }"))?;
        } else if moves.len() % points.len() == 0 && !numbered {
            let number = format!("{}.", moves.len() / points.len() + 1);
            if word != number {
                return Err(error(line, &format!("the number {number}")));
            }
            numbered = true;
        } else {
            moves.push(word.to_string());
            comments.push(String::new());
            numbered = false;
        }
    }
    if numbered {
        return Err(error(*last_line, "a move after its number"));
    }
    if comments.iter().all(String::is_empty) {
        comments.clear();
    }
    Ok(PgnGame { tags: Vec::new(), moves, comments, points })
}

/// Reads a comment to its end.
fn read_comment<'a>(
    first: &str,
    words: &mut impl Iterator<Item = (&'a str, usize)>,
) -> Option<String> {
    let mut comment = first.to_string();
    while !comment.ends_with('}') {
        comment.push(' ');
        comment.push_str(words.next()?.0);
    }
    Some(comment)
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;
    use crate::game_text::WIDTH;

    fn any_game() -> impl Strategy<Value = PgnGame> {
        let tags = vec(("[A-Z][A-Za-z0-9_]{0,8}", any::<String>()), 0..5);
        let word =
            prop_oneof!["[a-h][1-8]", "[0-9]{1,3}\\.", "[0-9]+-[0-9]+", "[\\[\\],0-9]{1,30}"];
        let comment = prop_oneof![Just(String::new()), "\\{[a-z%.:]{1,9}( [a-z]{1,9}){0,3}\\}"];
        let commented = vec((word, comment), 0..80);
        (tags, commented, vec(0..=100_u8, 1..=4)).prop_map(|(mut tags, moves, points)| {
            tags.push(("Points".into(), points_text(&points)));
            let (moves, mut comments): (Vec<String>, Vec<String>) = moves.into_iter().unzip();
            if comments.iter().all(String::is_empty) {
                comments.clear();
            }
            PgnGame { tags, moves, comments, points }
        })
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(games in vec(any_game(), 0..4)) {
            let text: String = games.iter().map(PgnGame::to_string).collect();
            prop_assert_eq!(read_pgn(&text), Ok(games));
        }

        #[test]
        fn moves_stay_within_the_width(game in any_game()) {
            let text = PgnGame { tags: Vec::new(), ..game }.to_string();
            prop_assert!(text.lines().all(|line| line.chars().count() <= WIDTH));
        }

        #[test]
        fn any_text_is_read_without_a_panic(text: String) {
            let _ = read_pgn(&text);
        }
    }

    #[test]
    fn mistakes_are_shown_with_their_line() {
        let problem = |text: &str| read_pgn(text).unwrap_err().to_string();
        assert_eq!(
            problem("\n[Event spring]\n"),
            "line 2: expected a tag such as [Variant \"fenix\"]"
        );
        assert_eq!(
            problem("[Event \"a\"b\"]\n"),
            "line 1: expected a tag such as [Variant \"fenix\"]"
        );
        assert_eq!(problem("[Event \"x\"]\n"), "line 1: expected moves and the result");
        let result = "expected a result such as 1-0 after the moves, and the tag Points \"100-0\"";
        assert_eq!(problem("1. a b\n2. c d"), format!("line 2: {result}"));
        assert_eq!(problem("[Points \"100-0\"]\n\n1. a b 0-1"), format!("line 3: {result}"));
        assert_eq!(problem("1. a {b 50-50"), "line 1: expected a comment that ends with }");
        assert_eq!(problem("1. a b\n3. c d 50-50"), "line 2: expected the number 2.");
        assert_eq!(problem("1. a b 2. 50-50"), "line 1: expected a move after its number");
        assert_eq!(problem("1. a 101-0"), format!("line 1: {result}"));
    }

    #[test]
    fn results_are_those_of_pgn() {
        for (points, result) in [
            (&[100, 0][..], "1-0"),
            (&[0, 100], "0-1"),
            (&[50, 50], "1/2-1/2"),
            (&[40, 60], "0-1"),
            (&[0, 0], "*"),
            (&[75, 75, 0], "*"),
        ] {
            assert_eq!(result_text(points), result, "{points:?}");
        }
        // As it was once written.
        let old = &read_pgn("[Result \"75-75-0\"]\n\n1. a b c 2. d 75-75-0").unwrap()[0];
        assert_eq!((old.moves.len(), &old.points[..]), (4, &[75, 75, 0][..]));
    }
}
