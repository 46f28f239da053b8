//! The client's lines, read and written.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use agon_core::Seat;
use agon_core::seat::MAX_SEATS;
use agon_search::{Budget, Time};

use super::split_word;
use crate::problem::{LineProblem, quoted};

/// A line from the client. Texts are slices of that line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Command<'a> {
    /// `ugi`: introduce yourself and list your options.
    Ugi,
    /// `isready`: report when everything before has been processed.
    IsReady,
    /// `uginewgame`: the next position belongs to another game.
    NewGame,
    /// `setoption name NAME [value VALUE]`
    SetOption {
        /// The option's name.
        name: &'a str,
        /// The value; buttons have none.
        value: Option<&'a str>,
    },
    /// `position startpos|fen TEXT [moves …]`
    Position {
        /// Where the game began.
        start: Start<'a>,
        /// The moves since then, separated by spaces.
        moves: &'a str,
    },
    /// `go …`: think, and end with `bestmove`.
    Go(Go),
    /// `stop`: send `bestmove` now.
    Stop,
    /// `query …`: a question about the game.
    Query(Query),
    /// `quit`: leave.
    Quit,
}

/// Where a game began.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Start<'a> {
    /// At the start of the variant.
    Variant,
    /// At a position, in the game's notation.
    Text(&'a str),
}

/// A question about the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Query {
    /// Is it over?
    GameOver,
    /// Is it this seat's turn?
    Turn(Seat),
    /// Who has won?
    Result,
    /// How many points has everybody got?
    Points,
}

/// The time of one seat.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct GoClock {
    /// The time left, if limited.
    pub time: Option<Duration>,
    /// The time added after every move.
    pub increment: Option<Duration>,
}

/// The limits of a search.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Go {
    /// The clocks, by seat.
    pub clocks: [GoClock; MAX_SEATS],
    /// The time for this move.
    pub movetime: Option<Duration>,
    /// The maximum depth in plies.
    pub depth: Option<u32>,
    /// The maximum number of nodes.
    pub nodes: Option<u64>,
    /// No answer before `stop`.
    pub infinite: bool,
}

impl<'a> Command<'a> {
    /// Reads a line; an empty one is no command.
    pub fn parse(line: &'a str) -> Result<Option<Command<'a>>, LineProblem> {
        let (word, rest) = split_word(line);
        let command = match word {
            "" => return Ok(None),
            "setoption" => return set_option(rest).map(Some),
            "position" => return position(rest).map(Some),
            "go" => Command::Go(rest.parse()?),
            "query" => Command::Query(rest.parse()?),
            "ugi" => Command::Ugi,
            "isready" => Command::IsReady,
            "uginewgame" => Command::NewGame,
            "stop" => Command::Stop,
            "quit" => Command::Quit,
            _ => {
                return Err(LineProblem::new(format!(
                    "unknown command {}; there are: ugi, setoption, isready, uginewgame, \
                     position, go, stop, query, quit",
                    quoted(word)
                )));
            }
        };
        let takes_more = matches!(command, Command::Go(_) | Command::Query(_));
        if !takes_more && !rest.is_empty() {
            return Err(LineProblem::new(format!(
                "expected nothing after {word}, found {}",
                quoted(rest)
            )));
        }
        Ok(Some(command))
    }
}

fn set_option(rest: &str) -> Result<Command<'_>, LineProblem> {
    let expected = || {
        let form = "setoption name NAME value VALUE";
        LineProblem::new(format!("expected {form}, found {}", quoted(rest)))
    };
    let ("name", named) = split_word(rest) else { return Err(expected()) };
    let (name, value) = match split_at_word(named, "value") {
        Some((name, value)) => (name, Some(value)),
        None => (named, None),
    };
    if name.is_empty() { Err(expected()) } else { Ok(Command::SetOption { name, value }) }
}

fn position(rest: &str) -> Result<Command<'_>, LineProblem> {
    let expected = || {
        let form = "startpos or fen TEXT, and then moves … if there were any";
        LineProblem::new(format!("position: expected {form}, found {}", quoted(rest)))
    };
    let (word, rest) = split_word(rest);
    let (text, moves) = split_at_word(rest, "moves").unwrap_or((rest, ""));
    let start = match word {
        "startpos" if text.is_empty() => Start::Variant,
        "fen" if !text.is_empty() => Start::Text(text),
        _ => return Err(expected()),
    };
    Ok(Command::Position { start, moves })
}

/// What precedes and follows the first `wanted` that is a word of its own.
fn split_at_word<'a>(text: &'a str, wanted: &str) -> Option<(&'a str, &'a str)> {
    let is_word = |at: usize| {
        let (before, after) = (&text[..at], &text[at + wanted.len()..]);
        before.chars().next_back().is_none_or(char::is_whitespace)
            && after.chars().next().is_none_or(char::is_whitespace)
    };
    let (at, _) = text.match_indices(wanted).find(|(at, _)| is_word(*at))?;
    Some((text[..at].trim(), text[at + wanted.len()..].trim()))
}

/// Reads `p2time` as the second seat, if the end of the word is `time`.
fn seat_word(word: &str, end: &str) -> Option<Seat> {
    let number: usize = word.strip_prefix('p')?.strip_suffix(end)?.parse().ok()?;
    (1..=MAX_SEATS).contains(&number).then(|| Seat::new(number - 1))
}

impl FromStr for Query {
    type Err = LineProblem;

    fn from_str(text: &str) -> Result<Query, LineProblem> {
        match text.trim() {
            "gameover" => Ok(Query::GameOver),
            "result" => Ok(Query::Result),
            "points" => Ok(Query::Points),
            other => seat_word(other, "turn").map(Query::Turn).ok_or_else(|| {
                let words = "gameover, p1turn (or p2turn, p3turn, p4turn), result or points";
                LineProblem::new(format!("query: expected {words}, found {}", quoted(other)))
            }),
        }
    }
}

impl FromStr for Go {
    type Err = LineProblem;

    fn from_str(text: &str) -> Result<Go, LineProblem> {
        let mut go = Go::default();
        let mut words = text.split_whitespace();
        while let Some(word) = words.next() {
            if word == "infinite" {
                go.infinite = true;
                continue;
            }
            go.set(word, words.next())?;
        }
        Ok(go)
    }
}

/// Longer times are cut to this one, which nobody will see the end of.
const LONGEST: Duration = Duration::from_secs(365 * 24 * 3600);

impl Go {
    /// Sets the limit with this name.
    fn set(&mut self, word: &str, value: Option<&str>) -> Result<(), LineProblem> {
        let bad = |expected: &str| {
            let found = value.map_or("nothing".to_string(), quoted);
            LineProblem::new(format!("go: expected {expected} after {word}, found {found}"))
        };
        // A clock that somebody else keeps may be below zero.
        let time = || match value.and_then(|text| text.parse::<i64>().ok()) {
            Some(millis) => Ok(Some(Duration::from_millis(millis.max(0) as u64).min(LONGEST))),
            None => Err(bad("milliseconds")),
        };
        if let Some(seat) = seat_word(word, "time") {
            self.clocks[seat.index()].time = time()?;
        } else if let Some(seat) = seat_word(word, "inc") {
            self.clocks[seat.index()].increment = time()?;
        } else {
            match word {
                "movetime" => self.movetime = time()?,
                "depth" => {
                    let depth = value.and_then(|text| text.parse().ok()).filter(|&n| n > 0);
                    self.depth = Some(depth.ok_or_else(|| bad("a number of plies from 1"))?);
                }
                "nodes" => {
                    let nodes = value.and_then(|text| text.parse().ok()).filter(|&n| n > 0);
                    self.nodes = Some(nodes.ok_or_else(|| bad("a number of nodes from 1"))?);
                }
                _ => {
                    return Err(LineProblem::new(format!(
                        "go: unknown limit {}; there are: p1time, p1inc (and so for p2, p3, p4), \
                         movetime, depth, nodes, infinite",
                        quoted(word)
                    )));
                }
            }
        }
        Ok(())
    }

    /// The budget for a search by the seat to move. Of two time limits, the one that leaves less
    /// for this move counts.
    pub fn budget(&self, to_move: Seat) -> Result<Budget, LineProblem> {
        let clock = self.clocks[to_move.index()];
        if clock.time.is_none() && self.clocks.iter().any(|clock| clock.time.is_some()) {
            let number = to_move.index() + 1;
            return Err(LineProblem::new(format!(
                "go: p{number} is to move: expected p{number}time among the clocks"
            )));
        }
        let increment = clock.increment.unwrap_or_default();
        let clock = clock.time.map(|remaining| Time::Clock { remaining, increment });
        let times = [clock, self.movetime.map(Time::PerMove)];
        let time = times.into_iter().flatten().min_by_key(|time| time.allotment());
        let mut budget = Budget { time, depth: self.depth, nodes: self.nodes, ..Budget::default() };
        if self.infinite {
            budget.time = None;
        }
        // With any limit on nodes, even an unreachable one, a search uses iterative deepening.
        if self.infinite || self.depth.is_some() {
            budget.nodes.get_or_insert(u64::MAX);
        }
        Ok(budget)
    }
}

impl fmt::Display for Command<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Ugi => f.write_str("ugi"),
            Command::IsReady => f.write_str("isready"),
            Command::NewGame => f.write_str("uginewgame"),
            Command::Stop => f.write_str("stop"),
            Command::Quit => f.write_str("quit"),
            Command::SetOption { name, value: None } => write!(f, "setoption name {name}"),
            Command::SetOption { name, value: Some(value) } => {
                write!(f, "setoption name {name} value {value}")
            }
            Command::Position { start, moves } => {
                match start {
                    Start::Variant => f.write_str("position startpos")?,
                    Start::Text(text) => write!(f, "position fen {text}")?,
                }
                if moves.is_empty() { Ok(()) } else { write!(f, " moves {moves}") }
            }
            Command::Go(go) => write!(f, "go{go}"),
            Command::Query(Query::GameOver) => f.write_str("query gameover"),
            Command::Query(Query::Turn(seat)) => write!(f, "query p{}turn", seat.index() + 1),
            Command::Query(Query::Result) => f.write_str("query result"),
            Command::Query(Query::Points) => f.write_str("query points"),
        }
    }
}

impl fmt::Display for Go {
    /// Every limit preceded by a space.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, clock) in self.clocks.iter().enumerate() {
            let number = index + 1;
            if let Some(time) = clock.time {
                write!(f, " p{number}time {}", time.as_millis())?;
            }
            if let Some(increment) = clock.increment {
                write!(f, " p{number}inc {}", increment.as_millis())?;
            }
        }
        if let Some(time) = self.movetime {
            write!(f, " movetime {}", time.as_millis())?;
        }
        if let Some(depth) = self.depth {
            write!(f, " depth {depth}")?;
        }
        if let Some(nodes) = self.nodes {
            write!(f, " nodes {nodes}")?;
        }
        f.write_str(if self.infinite { " infinite" } else { "" })
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Commands in the form in which they are written.
    pub const EXAMPLES: &[&str] = &[
        "ugi",
        "isready",
        "uginewgame",
        "stop",
        "quit",
        "setoption name Hash value 64",
        "setoption name Own Book value a b c",
        "setoption name Clear",
        "position startpos",
        "position startpos moves a2a3 b4a3",
        "position fen 3l3/7/7/7/7/6P/3L3 w 0",
        "position fen {\"A\": [[0, 1]], \"turn\": 2} moves [[0, 1], [0, 2]] [[1,1],[1,2]]",
        "go",
        "go infinite",
        "go p1time 1000 p1inc 10 p2time 2000 p2inc 20 p3time 3000",
        "go p4time 0 movetime 50 depth 3 nodes 18446744073709551615",
        "query gameover",
        "query result",
        "query points",
        "query p1turn",
        "query p4turn",
    ];

    fn read(line: &str) -> Command<'_> {
        Command::parse(line).unwrap_or_else(|problem| panic!("{line}: {problem}")).unwrap()
    }

    #[test]
    fn what_is_written_is_read_back() {
        for line in EXAMPLES {
            assert_eq!(read(line).to_string(), *line);
        }
    }

    #[test]
    fn blanks_do_not_matter() {
        assert_eq!(read("  isready \r"), Command::IsReady);
        assert_eq!(
            read("position\tfen  a b  moves   x y "),
            Command::Position { start: Start::Text("a b"), moves: "x y" }
        );
        assert_eq!(Command::parse("  \t "), Ok(None));
    }

    #[test]
    fn only_a_word_of_its_own_ends_the_position() {
        let Command::Position { start, moves } = read("position fen xmoves moves: moves a moves b")
        else {
            panic!("a position");
        };
        assert_eq!((start, moves), (Start::Text("xmoves moves:"), "a moves b"));
    }

    #[test]
    fn nonsense_is_told_what_would_be_right() {
        for (line, word) in [
            ("hello", "there are: ugi"),
            ("UGI", "there are: ugi"),
            ("isready now", "nothing after isready"),
            ("setoption", "name NAME value"),
            ("setoption Hash 3", "name NAME value"),
            ("setoption name value 3", "name NAME value"),
            ("position", "startpos or fen"),
            ("position fen", "startpos or fen"),
            ("position fen moves a1a2", "startpos or fen"),
            ("position startpos a1a2", "startpos or fen"),
            ("position a1a2", "startpos or fen"),
            ("query", "gameover, p1turn"),
            ("query p5turn", "gameover, p1turn"),
            ("query p0turn", "gameover, p1turn"),
            ("go fast", "there are: p1time"),
            ("go p5time 3", "there are: p1time"),
            ("go depth", "plies from 1 after depth, found nothing"),
            ("go depth 0", "plies from 1"),
            ("go depth -3", "plies from 1"),
            ("go nodes 1e9", "nodes from 1"),
            ("go nodes 0", "nodes from 1"),
            ("go movetime 1.5", "milliseconds after movetime"),
            ("go p1time 99999999999999999999", "milliseconds after p1time"),
        ] {
            let problem = Command::parse(line).unwrap_err().to_string();
            assert!(problem.contains(word), "{line}: {problem}");
        }
    }

    fn budget(line: &str, seat: Seat) -> Budget {
        let Command::Go(go) = read(line) else { panic!("{line}") };
        go.budget(seat).unwrap()
    }

    #[test]
    fn everybody_plays_by_his_own_clock() {
        let line = "go p1time 1000 p2time 2000 p2inc 10 p3time -5";
        let ms = Duration::from_millis;
        let clock = |remaining, increment| {
            Some(Time::Clock { remaining: ms(remaining), increment: ms(increment) })
        };
        assert_eq!(budget(line, Seat::FIRST).time, clock(1000, 0));
        assert_eq!(budget(line, Seat::SECOND).time, clock(2000, 10));
        assert_eq!(budget(line, Seat::THIRD).time, clock(0, 0));
        let Command::Go(go) = read("go p1time 1000") else { panic!() };
        assert!(go.budget(Seat::SECOND).unwrap_err().to_string().contains("expected p2time"));
    }

    #[test]
    fn of_two_times_the_shorter_counts_and_none_without_end() {
        let time = |line| budget(line, Seat::FIRST).time;
        let per_move = Some(Time::PerMove(Duration::from_millis(10)));
        assert_eq!(time("go p1time 60000 movetime 10"), per_move);
        assert!(matches!(time("go p1time 60 movetime 10000"), Some(Time::Clock { .. })));
        assert_eq!(time("go infinite movetime 10"), None);
        let year = Time::PerMove(Duration::from_secs(31_536_000));
        assert_eq!(time("go movetime 9223372036854775807"), Some(year));
        assert_eq!(time("go"), None);
    }

    #[test]
    fn a_search_with_another_end_than_time_deepens_step_by_step() {
        let limits = |line| {
            let budget = budget(line, Seat::FIRST);
            (budget.depth, budget.nodes)
        };
        assert_eq!(limits("go"), (None, None));
        assert_eq!(limits("go movetime 10"), (None, None));
        assert_eq!(limits("go nodes 500"), (None, Some(500)));
        assert_eq!(limits("go depth 3 nodes 500"), (Some(3), Some(500)));
        assert_eq!(limits("go depth 3"), (Some(3), Some(u64::MAX)));
        assert_eq!(limits("go infinite"), (None, Some(u64::MAX)));
    }
}
