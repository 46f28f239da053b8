//! How games begin.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use agon_core::rng::mix;
use agon_core::text::split_moves;
use agon_core::{Ended, Game, History, MoveList, Notation, Rng, TextError};

use crate::files::{read_text, shown};

/// Where the openings of a match come from: `start`, `random:N`, `file:PATH` or just a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Openings {
    /// Every game begins at the variant's start.
    Start,
    /// This many random plies from the start, different for every pair or rotation of seats.
    Random(u32),
    /// A file with one opening per line; see [`Book::read`].
    File(PathBuf),
}

/// The size limit of files, in bytes.
const LARGEST_FILE: u64 = 64 << 20;

/// The maximum number of random plies.
const MOST_PLIES: u32 = 1000;

/// An opening that cannot be played, and why.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
#[error("{0}")]
pub struct OpeningError(String);

impl FromStr for Openings {
    type Err = OpeningError;

    fn from_str(text: &str) -> Result<Openings, OpeningError> {
        match text.split_once(':') {
            Some(("random", plies)) => match plies.parse() {
                Ok(plies) if plies <= MOST_PLIES => Ok(Openings::Random(plies)),
                _ => Err(OpeningError(format!(
                    "bad openings {text:?}: expected random:N with 0 to {MOST_PLIES} plies, \
                     such as random:4"
                ))),
            },
            Some(("file", path)) => Ok(Openings::File(path.into())),
            _ if text == "start" => Ok(Openings::Start),
            _ => Ok(Openings::File(text.into())),
        }
    }
}

impl fmt::Display for Openings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Openings::Start => f.write_str("start"),
            Openings::Random(plies) => write!(f, "random:{plies}"),
            Openings::File(path) => write!(f, "file:{}", shown(path)),
        }
    }
}

/// A start position and the moves that were made before the players are asked. The game is not over
/// after them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening<G: Game> {
    start: G,
    /// Whether that is not the variant's start.
    custom: bool,
    moves: Vec<G::Move>,
}

impl<G: Game> Opening<G> {
    /// No moves, only the start of the variant.
    pub fn at(start: G) -> Opening<G> {
        Opening { start, custom: false, moves: Vec::new() }
    }

    /// The position before the moves.
    pub fn start(&self) -> &G {
        &self.start
    }

    /// The moves, all legal.
    pub fn moves(&self) -> &[G::Move] {
        &self.moves
    }

    /// The position after the moves, and the history that led to it.
    pub fn board(&self) -> (G, History) {
        let mut position = self.start.clone();
        let mut history = History::new(&position);
        for &mv in &self.moves {
            let progress = position.play(mv);
            history.push(&position, progress);
        }
        (position, history)
    }

    /// This many random plies that do not end the game, or `None` if they did in many tries.
    fn random(start: &G, plies: u32, rng: &mut Rng) -> Option<Opening<G>> {
        const TRIES: u32 = 200;
        let mut scratch = MoveList::new();
        (0..TRIES).find_map(|_| Self::random_try(start, plies, rng, &mut scratch))
    }

    fn random_try(
        start: &G,
        plies: u32,
        rng: &mut Rng,
        scratch: &mut MoveList<G::Move>,
    ) -> Option<Opening<G>> {
        let mut position = start.clone();
        let mut history = History::new(start);
        let mut moves = Vec::with_capacity(plies as usize);
        while history.turn(&position).is_ok() {
            if moves.len() == plies as usize {
                return Some(Opening { moves, ..Opening::at(start.clone()) });
            }
            let mv = position.sample(rng, scratch)?;
            let progress = position.play(mv);
            history.push(&position, progress);
            moves.push(mv);
        }
        None
    }
}

impl<G: Notation> Opening<G> {
    /// The position before the moves, if it is not the variant's start.
    pub fn custom_start(&self) -> Option<String> {
        self.custom.then(|| self.start.position_text())
    }

    /// Reads a position, or takes the variant's start, and plays these moves. The game must not be
    /// over before or after any of them.
    pub fn read(
        variant_start: &G,
        position: Option<&str>,
        moves: &[&str],
    ) -> Result<Opening<G>, OpeningError> {
        let unreadable = |error: TextError| OpeningError(error.to_string());
        let start = match position {
            Some(text) => variant_start.read_position(text).map_err(unreadable)?,
            None => variant_start.clone(),
        };
        let custom = start != *variant_start;
        let mut opening = Opening { custom, ..Opening::at(start) };
        let (mut position, mut history) = opening.board();
        for text in moves {
            goes_on(&position, &history)?;
            let mv = position.read_move(text).map_err(unreadable)?;
            let progress = position.play(mv);
            history.push(&position, progress);
            opening.moves.push(mv);
        }
        goes_on(&position, &history)?;
        Ok(opening)
    }
}

/// The openings of a match, ready to be played.
#[derive(Clone, Debug)]
pub struct Book<G: Game> {
    start: G,
    source: Source<G>,
}

#[derive(Clone, Debug)]
enum Source<G: Game> {
    /// In turn, and again from the first.
    Listed(Vec<Opening<G>>),
    /// This many random plies, from a seed.
    Random { plies: u32, seed: u64 },
}

impl<G: Notation> Book<G> {
    /// Finds the openings for games that begin with `start`. Fails if a file cannot be read, or if
    /// all random games end within that many plies.
    pub fn new(openings: &Openings, start: &G, seed: u64) -> Result<Book<G>, OpeningError> {
        let source = match openings {
            Openings::Start => Source::Listed(vec![Opening::at(start.clone())]),
            Openings::File(path) => return Book::read(path, start),
            &Openings::Random(plies) => {
                if Opening::random(start, plies, &mut Rng::new(seed)).is_none() {
                    return Err(OpeningError(format!(
                        "no opening of {plies} random plies: games end earlier; \
                         try random:{} or start",
                        plies / 2
                    )));
                }
                Source::Random { plies, seed }
            }
        };
        Ok(Book { start: start.clone(), source })
    }

    /// Reads a file with one opening per line: a position in the game's notation, or `moves` and
    /// moves from the start. What follows a `#` at the start of a line or after a space is a
    /// comment.
    pub fn read(path: &Path, start: &G) -> Result<Book<G>, OpeningError> {
        let name = shown(path);
        let text = read_text(path, LARGEST_FILE).map_err(|error| {
            OpeningError(format!(
                "cannot read openings from {name}: {error} (expected start, random:N or a file)"
            ))
        })?;
        let mut openings = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let line = without_comment(line);
            if line.is_empty() {
                continue;
            }
            let opening = read_opening(line, start);
            openings.push(opening.map_err(|problem| {
                OpeningError(format!("{name}, line {}: {problem}", index + 1))
            })?);
        }
        if openings.is_empty() {
            return Err(OpeningError(format!(
                "no openings in {name}: expected a position or moves m1 m2 … on a line"
            )));
        }
        Ok(Book { start: start.clone(), source: Source::Listed(openings) })
    }

    /// The opening of a pair or rotation of seats, always the same for the same number. Should
    /// random games keep ending early, it is shorter than requested.
    pub fn opening(&self, group: u64) -> Opening<G> {
        let found = match &self.source {
            Source::Listed(openings) => {
                let index = group % (openings.len().max(1) as u64);
                openings.get(index as usize).cloned()
            }
            &Source::Random { plies, seed } => {
                let mut rng = Rng::new(mix(mix(seed) ^ group));
                let mut lengths =
                    std::iter::successors(Some(plies), |&plies| (plies > 0).then_some(plies / 2));
                lengths.find_map(|plies| Opening::random(&self.start, plies, &mut rng))
            }
        };
        found.unwrap_or_else(|| Opening::at(self.start.clone()))
    }
}

fn without_comment(line: &str) -> &str {
    let is_comment = |at: &usize| line[..*at].chars().next_back().is_none_or(char::is_whitespace);
    let comment = line.match_indices('#').map(|(at, _)| at).find(is_comment);
    line[..comment.unwrap_or(line.len())].trim()
}

fn read_opening<G: Notation>(line: &str, start: &G) -> Result<Opening<G>, String> {
    let moves_text = line
        .strip_prefix("moves")
        .filter(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace));
    match moves_text {
        Some(text) => Opening::read(start, None, &split_moves(text)),
        None => Opening::read(start, Some(line), &[]),
    }
    .map_err(|OpeningError(problem)| problem)
}

fn goes_on<G: Game>(position: &G, history: &History) -> Result<(), OpeningError> {
    let over = |ended: Ended| {
        let reason = position.reason_text(&ended.outcome);
        OpeningError(format!("the game is over there: {reason}"))
    };
    history.turn(position).map(drop).map_err(over)
}

#[cfg(test)]
mod tests;
