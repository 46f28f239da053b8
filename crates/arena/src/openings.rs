//! How games begin.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use agon_core::rng::mix;
use agon_core::text::split_moves;
use agon_core::{Ended, Game, History, MoveList, Notation, Rng, TextError, Variant};
use agon_games::Catalog;
use agon_search::book::lines::{even_lines, even_margin, shuffled};
use agon_search::book::shelf;
use agon_search::book::tree::Tree;

use crate::files::{read_text, shown};

/// Where the openings of a match come from: `start`, `random:N`, `book:N`, `balanced`, `file:PATH`
/// or just a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Openings {
    /// Every game begins at the variant's start.
    Start,
    /// This many random plies from the start, different for every pair or rotation of seats.
    Random(u32),
    /// Even lines of so many plies from the opening book of the variant.
    Book(u32),
    /// The set of even openings of the variant that comes with the program.
    Balanced,
    /// A file with one opening per line; see [`Book::read`].
    File(PathBuf),
}

/// The size limit of files, in bytes.
const LARGEST_FILE: u64 = 64 << 20;

/// The maximum number of openings in a file. Each takes about 100 bytes in memory, however short it
/// is in the file.
const MOST_OPENINGS: usize = 1_000_000;

/// The maximum number of random plies.
const MOST_PLIES: u32 = 1000;

/// What openings can be, for errors.
const EXPECTED: &str = "expected start, random:N, book:N, balanced or a file";

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
            Some(("book", plies)) => match plies.parse() {
                Ok(plies) if (1..=MOST_PLIES).contains(&plies) => Ok(Openings::Book(plies)),
                _ => Err(OpeningError(format!(
                    "bad openings {text:?}: expected book:N with 1 to {MOST_PLIES} plies, \
                     such as book:6"
                ))),
            },
            Some(("file", path)) => Ok(Openings::File(path.into())),
            _ if text == "start" => Ok(Openings::Start),
            _ if text == "balanced" => Ok(Openings::Balanced),
            _ => Ok(Openings::File(text.into())),
        }
    }
}

impl fmt::Display for Openings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Openings::Start => f.write_str("start"),
            Openings::Random(plies) => write!(f, "random:{plies}"),
            Openings::Book(plies) => write!(f, "book:{plies}"),
            Openings::Balanced => f.write_str("balanced"),
            Openings::File(path) => write!(f, "file:{}", shown(path)),
        }
    }
}

impl Openings {
    /// The lines of a variant, given in its canonical text, if they come with its book or with the
    /// program: one a line, and a name for errors.
    fn lines(
        &self,
        catalog: &Catalog,
        variant: &Variant,
    ) -> Result<Option<(String, String)>, OpeningError> {
        match self {
            Openings::Book(plies) => {
                let lines = book_lines(catalog, variant, *plies as usize).map_err(OpeningError)?;
                Ok(Some((format!("the book of {variant}"), lines)))
            }
            Openings::Balanced => {
                let known = shelf::variants_with_openings().join(", ");
                let text = shelf::openings(variant).ok_or_else(|| {
                    OpeningError(format!(
                        "no balanced openings for {variant}, only for {known}; agon book balanced \
                         {variant} --out FILE finds some"
                    ))
                })?;
                Ok(Some((format!("the balanced openings of {variant}"), text.to_string())))
            }
            _ => Ok(None),
        }
    }

    /// What they are made of besides their text: the checksum of a book, if they come from one.
    pub fn origin(&self, catalog: &Catalog, variant: &Variant) -> Option<u32> {
        // A bad variant is reported by those who play it.
        let canonical = || catalog.open(variant).ok().map(|table| table.variant().clone());
        match self {
            Openings::Book(_) => shelf::find(catalog, &canonical()?).map(|book| book.checksum()),
            Openings::Balanced => {
                shelf::openings(&canonical()?).map(|text| crc32fast::hash(text.as_bytes()))
            }
            _ => None,
        }
    }
}

/// The even lines of the book of a variant, one a line.
fn book_lines(catalog: &Catalog, variant: &Variant, plies: usize) -> Result<String, String> {
    let table = catalog.open(variant).map_err(|error| error.to_string())?;
    let book = shelf::find(catalog, variant)
        .ok_or_else(|| format!("no openings from a book: {}", shelf::no_book(catalog, variant)))?;
    let tree = Tree::grow(&*table, &book);
    let tree = tree.map_err(|error| format!("the book of {variant} cannot be used: {error}"))?;
    let lines = even_lines(&tree, plies, even_margin(&*table));
    let lines = lines.map_err(|error| error.to_string())?;
    Ok(lines.iter().map(|line| format!("{line}\n")).collect())
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
    /// Finds the openings for games of a variant, given in its canonical text, that begin with
    /// `start`. Fails if a file cannot be read, if there is no book, or if all random games end
    /// within that many plies.
    pub fn find(
        openings: &Openings,
        (catalog, variant): (&Catalog, &Variant),
        start: &G,
        seed: u64,
    ) -> Result<Book<G>, OpeningError> {
        let Some((name, lines)) = openings.lines(catalog, variant)? else {
            return Book::new(openings, start, seed);
        };
        let listed = shuffled(read_openings(&name, &lines, start)?, seed);
        Ok(Book { start: start.clone(), source: Source::Listed(listed) })
    }

    /// The same for openings that need nothing but the start.
    fn new(openings: &Openings, start: &G, seed: u64) -> Result<Book<G>, OpeningError> {
        let source = match openings {
            Openings::Start | Openings::Book(_) | Openings::Balanced => {
                Source::Listed(vec![Opening::at(start.clone())])
            }
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
            OpeningError(format!("cannot read openings from {name}: {error} ({EXPECTED})"))
        })?;
        let source = Source::Listed(read_openings(&name, &text, start)?);
        Ok(Book { start: start.clone(), source })
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

/// Reads openings, one a line. The name is for errors.
fn read_openings<G: Notation>(
    name: &str,
    text: &str,
    start: &G,
) -> Result<Vec<Opening<G>>, OpeningError> {
    let mut openings = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = without_comment(line);
        if line.is_empty() {
            continue;
        }
        if openings.len() == MOST_OPENINGS {
            return Err(OpeningError(format!("more than {MOST_OPENINGS} openings in {name}")));
        }
        let opening = read_opening(line, start);
        openings.push(
            opening.map_err(|problem| {
                OpeningError(format!("{name}, line {}: {problem}", index + 1))
            })?,
        );
    }
    if openings.is_empty() {
        return Err(OpeningError(format!(
            "no openings in {name}: expected a position or moves m1 m2 … on a line"
        )));
    }
    Ok(openings)
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
mod fuzz;
#[cfg(test)]
mod tests;
