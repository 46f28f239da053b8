//! The engine's lines, read and written.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use agon_core::text::split_moves;
use agon_search::report::per_second;
use agon_search::{Forced, Iteration, Score};

use super::split_word;
use crate::problem::{LineProblem, quoted};

/// A line from the engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EngineLine {
    /// `id name …`
    Name(String),
    /// `id author …`
    Author(String),
    /// `option …`: an option.
    Option(OptionLine),
    /// `ugiok`: the end of the introduction.
    UgiOk,
    /// `readyok`: everything before has been processed.
    ReadyOk,
    /// `info …` about the search.
    Info(Info),
    /// `info string …`: text for people.
    Note(String),
    /// `bestmove …`; `none` in a finished game.
    BestMove(Option<String>),
    /// `response …` to a query.
    Response(String),
}

/// An option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionLine {
    /// Its name.
    pub name: String,
    /// Its type.
    pub kind: OptionKind,
}

/// The type of an option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionKind {
    /// Any text.
    Text {
        /// The default.
        default: String,
    },
    /// A whole number.
    Number {
        /// The default.
        default: i64,
        /// The minimum.
        min: i64,
        /// The maximum.
        max: i64,
    },
    /// On or off.
    Switch {
        /// The default.
        default: bool,
    },
    /// One of several choices.
    Choice {
        /// The default.
        default: String,
        /// The choices.
        choices: Vec<String>,
    },
    /// A button: setting it triggers an action.
    Button,
}

/// The progress of a search. Engines leave out what they do not know.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Info {
    /// The depth in plies.
    pub depth: Option<u32>,
    /// The rank of this line (MultiPV), from 1.
    pub multipv: Option<u32>,
    /// The score for the side to move.
    pub score: Option<Score>,
    /// The nodes searched so far.
    pub nodes: Option<u64>,
    /// Nodes per second.
    pub nps: Option<u64>,
    /// The time so far.
    pub time: Option<Duration>,
    /// The principal variation.
    pub pv: Vec<String>,
}

impl From<&Iteration<String>> for Info {
    fn from(iteration: &Iteration<String>) -> Info {
        Info {
            depth: Some(iteration.depth),
            multipv: u32::try_from(iteration.rank + 1).ok(),
            score: Some(iteration.score),
            nodes: Some(iteration.nodes),
            nps: Some(per_second(iteration.nodes, iteration.time)),
            time: Some(iteration.time),
            pv: iteration.pv.clone(),
        }
    }
}

/// How an empty text is written.
const EMPTY: &str = "<empty>";

/// What `bestmove` says in a finished game.
const NO_MOVE: &str = "none";

impl fmt::Display for EngineLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineLine::Name(name) => write!(f, "id name {name}"),
            EngineLine::Author(author) => write!(f, "id author {author}"),
            EngineLine::Option(option) => write!(f, "option {option}"),
            EngineLine::UgiOk => f.write_str("ugiok"),
            EngineLine::ReadyOk => f.write_str("readyok"),
            EngineLine::Info(info) => write!(f, "info{info}"),
            EngineLine::Note(text) => write!(f, "info string {text}"),
            EngineLine::BestMove(mv) => {
                write!(f, "bestmove {}", mv.as_deref().unwrap_or(NO_MOVE))
            }
            EngineLine::Response(text) => write!(f, "response {text}"),
        }
    }
}

impl fmt::Display for OptionLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "name {} type ", self.name)?;
        let or_empty = |text: &'_ str| if text.is_empty() { EMPTY } else { text }.to_string();
        match &self.kind {
            OptionKind::Text { default } => write!(f, "string default {}", or_empty(default)),
            OptionKind::Number { default, min, max } => {
                write!(f, "spin default {default} min {min} max {max}")
            }
            OptionKind::Switch { default } => write!(f, "check default {default}"),
            OptionKind::Choice { default, choices } => {
                write!(f, "combo default {}", or_empty(default))?;
                choices.iter().try_for_each(|choice| write!(f, " var {choice}"))
            }
            OptionKind::Button => f.write_str("button"),
        }
    }
}

impl fmt::Display for Info {
    /// Everything that is known, each preceded by a space.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(depth) = self.depth {
            write!(f, " depth {depth}")?;
        }
        if let Some(place) = self.multipv {
            write!(f, " multipv {place}")?;
        }
        if let Some(score) = self.score {
            match score.forced() {
                None => write!(f, " score cp {}", score.value())?,
                Some(Forced::WinIn(plies)) => write!(f, " score win {plies}")?,
                Some(Forced::LossIn(plies)) => write!(f, " score loss {plies}")?,
            }
        }
        if let Some(nodes) = self.nodes {
            write!(f, " nodes {nodes}")?;
        }
        if let Some(nps) = self.nps {
            write!(f, " nps {nps}")?;
        }
        if let Some(time) = self.time {
            write!(f, " time {}", time.as_millis())?;
        }
        if !self.pv.is_empty() {
            f.write_str(" pv")?;
        }
        self.pv.iter().try_for_each(|mv| write!(f, " {mv}"))
    }
}

impl FromStr for EngineLine {
    type Err = LineProblem;

    fn from_str(line: &str) -> Result<EngineLine, LineProblem> {
        let (word, rest) = split_word(line);
        Ok(match (word, split_word(rest)) {
            ("id", ("name", name)) => EngineLine::Name(name.to_string()),
            ("id", ("author", author)) => EngineLine::Author(author.to_string()),
            ("option", _) => EngineLine::Option(rest.parse()?),
            ("ugiok", ("", _)) => EngineLine::UgiOk,
            ("readyok", ("", _)) => EngineLine::ReadyOk,
            ("info", ("string", text)) => EngineLine::Note(text.to_string()),
            ("info", _) => EngineLine::Info(rest.parse()?),
            // Anything else that engines add, such as a move to ponder on, is ignored.
            ("bestmove", _) => match split_moves(rest).first() {
                Some(&NO_MOVE) => EngineLine::BestMove(None),
                Some(mv) => EngineLine::BestMove(Some(mv.to_string())),
                None => return Err(LineProblem::new("bestmove: expected a move, found nothing")),
            },
            ("response", _) => EngineLine::Response(rest.to_string()),
            _ => {
                return Err(LineProblem::new(format!(
                    "unknown line {} of an engine",
                    quoted(line)
                )));
            }
        })
    }
}

impl FromStr for OptionLine {
    type Err = LineProblem;

    fn from_str(text: &str) -> Result<OptionLine, LineProblem> {
        let bad = |expected: &str| {
            LineProblem::new(format!("option: expected {expected}, found {}", quoted(text)))
        };
        let fields = option_fields(text);
        let find = |word: &str| {
            let found = fields.iter().find(|(field, _)| *field == word);
            found.map(|(_, value)| value.as_str())
        };
        let number = |word: &str| {
            let number = find(word).and_then(|text| text.parse().ok());
            number.ok_or_else(|| bad(&format!("a number after {word}")))
        };
        let default = || find("default").filter(|text| *text != EMPTY).unwrap_or("").to_string();
        let name = find("name").filter(|name| !name.is_empty()).ok_or_else(|| bad("name NAME"))?;
        let kind = match find("type") {
            Some("string") => OptionKind::Text { default: default() },
            Some("spin") => OptionKind::Number {
                default: number("default")?,
                min: number("min")?,
                max: number("max")?,
            },
            Some("check") => OptionKind::Switch { default: default() == "true" },
            Some("combo") => {
                let choices = fields.iter().filter(|(field, _)| *field == "var");
                let choices = choices.map(|(_, value)| value.clone()).collect();
                OptionKind::Choice { default: default(), choices }
            }
            Some("button") => OptionKind::Button,
            _ => return Err(bad("type string, spin, check, combo or button")),
        };
        Ok(OptionLine { name: name.to_string(), kind })
    }
}

/// The fields of an option, each word with the words up to the next field.
fn option_fields(text: &str) -> Vec<(&str, String)> {
    const FIELDS: &[&str] = &["name", "type", "default", "min", "max", "var"];
    let mut fields: Vec<(&str, String)> = Vec::new();
    for word in text.split_whitespace() {
        match fields.last_mut() {
            _ if FIELDS.contains(&word) => fields.push((word, String::new())),
            Some((_, value)) => {
                if !value.is_empty() {
                    value.push(' ');
                }
                value.push_str(word);
            }
            None => {}
        }
    }
    fields
}

impl FromStr for Info {
    type Err = LineProblem;

    /// Unknown words are skipped: engines say many things.
    fn from_str(text: &str) -> Result<Info, LineProblem> {
        let mut info = Info::default();
        let (mut word, mut rest) = split_word(text);
        while !word.is_empty() {
            let (value, after) = split_word(rest);
            match word {
                "depth" => info.depth = Some(number(word, value)?),
                "multipv" => info.multipv = Some(number(word, value)?),
                "nodes" => info.nodes = Some(number(word, value)?),
                "nps" => info.nps = Some(number(word, value)?),
                "time" => info.time = Some(Duration::from_millis(number(word, value)?)),
                "score" => info.score = read_score(value, split_word(after).0)?,
                "pv" => {
                    info.pv = split_moves(rest).into_iter().map(str::to_string).collect();
                    break;
                }
                // The rest of the line is for people.
                "string" => break,
                _ => {}
            }
            (word, rest) = split_word(rest);
        }
        Ok(info)
    }
}

/// Reads the number that belongs to a word.
fn number<T: FromStr>(word: &str, text: &str) -> Result<T, LineProblem> {
    let bad = || LineProblem::new(format!("info: expected a number after {word}, found {text:?}"));
    text.parse().map_err(|_| bad())
}

/// Reads a score; `mate` counts moves of a player where the others count plies.
fn read_score(kind: &str, value: &str) -> Result<Option<Score>, LineProblem> {
    Ok(Some(match kind {
        "cp" => Score::units(number(kind, value)?),
        "win" => Score::win_in(number(kind, value)?),
        "loss" => Score::loss_in(number(kind, value)?),
        "mate" => match number::<i32>(kind, value)? {
            moves if moves > 0 => Score::win_in(moves.unsigned_abs().saturating_mul(2) - 1),
            moves => Score::loss_in(moves.unsigned_abs().saturating_mul(2)),
        },
        _ => return Ok(None),
    }))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Lines in the form in which they are written.
    pub const EXAMPLES: &[&str] = &[
        "id name Agon 1.0",
        "id author somebody and others",
        "ugiok",
        "readyok",
        "option name Agent type string default engine",
        "option name Path type string default <empty>",
        "option name Hash type spin default 64 min 1 max 65536",
        "option name Own Book type check default true",
        "option name Style type combo default Solid var Solid var Very Wild",
        "option name Clear type button",
        "info depth 7 multipv 2 score cp -31 nodes 1000 nps 50000 time 20 pv a2a3 b4a3",
        "info depth 3 score win 5 pv [[1,2],[3,4]] [[0,1],[0,2]]",
        "info score loss 4",
        "info string the book is empty",
        "bestmove b5b3d3f5",
        "bestmove none",
        "response p1win",
    ];

    fn read(line: &str) -> EngineLine {
        line.parse().unwrap_or_else(|problem| panic!("{line}: {problem}"))
    }

    #[test]
    fn what_is_written_is_read_back() {
        for line in EXAMPLES {
            assert_eq!(read(line).to_string(), *line);
        }
    }

    #[test]
    fn what_other_engines_add_is_skipped() {
        let line = "info depth 5 seldepth 9 score cp 12 lowerbound hashfull 3 nodes 10 pv a1a2";
        assert_eq!(read(line).to_string(), "info depth 5 score cp 12 nodes 10 pv a1a2");
        assert_eq!(read("bestmove none"), EngineLine::BestMove(None));
        assert_eq!(read("bestmove none ponder b1b2"), EngineLine::BestMove(None));
        assert_eq!(read("bestmove a1a2 ponder b1b2"), EngineLine::BestMove(Some("a1a2".into())));
        assert_eq!(read("info depth 1 string depth x").to_string(), "info depth 1");
        assert_eq!(read("info score mate 2").to_string(), "info score win 3");
        assert_eq!(read("info score mate -2").to_string(), "info score loss 4");
        // The player to move is already mated.
        assert_eq!(read("info score mate 0").to_string(), "info score loss 0");
    }

    /// Copying the words so far for each word would take a minute here.
    #[test]
    fn an_option_of_very_many_words_is_read_at_once() {
        let default = "x ".repeat(500_000);
        let line = format!("option name Book type string default {}", default.trim());
        assert_eq!(read(&line).to_string(), line);
    }

    #[test]
    fn a_line_that_means_nothing_is_told_what_would() {
        for (line, word) in [
            ("", "unknown line"),
            ("hello", "unknown line"),
            ("ugiok now", "unknown line"),
            ("bestmove", "expected a move"),
            ("info depth x", "number after depth"),
            ("info depth", "number after depth"),
            ("info score cp", "number after cp"),
            ("option name X", "type string"),
            ("option type button", "name NAME"),
            ("option name X type spin default 1", "after min"),
        ] {
            let problem = line.parse::<EngineLine>().unwrap_err().to_string();
            assert!(problem.contains(word), "{line}: {problem}");
        }
    }
}
