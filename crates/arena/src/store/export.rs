//! Stored games as text for other programs: PGN-style, JSON lines and CSV; and the crosstable of a
//! series.

pub mod crosstable;
mod csv;
mod jsonl;
pub mod pgn;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::str::FromStr;

use agon_core::Seat;

use super::{Entrant, Filter, GameId, Series, SeriesId, Store, StoreError, StoredGame};

/// A way to write games.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// Tags and numbered moves, for people and game viewers.
    Pgn,
    /// One JSON object a line, with everything that is known of a game.
    Jsonl,
    /// One line a game with the numbers a statistician wants, without the moves.
    Csv,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 3] = [Format::Pgn, Format::Jsonl, Format::Csv];

    /// The name of the format, which is also how names of its files end.
    pub fn name(self) -> &'static str {
        match self {
            Format::Pgn => "pgn",
            Format::Jsonl => "jsonl",
            Format::Csv => "csv",
        }
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(text: &str) -> Result<Format, String> {
        let found = Format::ALL.into_iter().find(|format| format.name() == text);
        found.ok_or_else(|| format!("bad format {text:?}: expected pgn, jsonl or csv"))
    }
}

/// Why games could not be exported.
#[derive(thiserror::Error, Debug)]
pub enum ExportError {
    /// They could not be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// They could not be written.
    #[error("the games cannot be written: {0}")]
    Output(#[source] io::Error),
}

impl From<io::Error> for ExportError {
    fn from(error: io::Error) -> Self {
        ExportError::Output(error)
    }
}

/// Writes the games that fit and returns how many they were. `seat_names` says what a variant
/// calls its seats; the store knows no game.
pub fn export(
    store: &Store,
    filter: &Filter,
    format: Format,
    seat_names: &dyn Fn(&str) -> Vec<String>,
    out: &mut dyn Write,
) -> Result<u64, ExportError> {
    let (_, seats) = store.count_games(filter)?;
    let mut known = Known::new(store, seat_names);
    let mut count = 0;
    if format == Format::Csv {
        out.write_all(csv::header(seats).as_bytes())?;
    }
    for found in store.games(filter)? {
        let (series, game) = found?;
        let entry = known.entry(series, &game)?;
        let text = match format {
            Format::Pgn => pgn::PgnGame::from(&entry).to_string(),
            Format::Jsonl => entry.json()? + "\n",
            Format::Csv => csv::line(&entry, seats),
        };
        out.write_all(text.as_bytes())?;
        count += 1;
    }
    out.flush()?;
    Ok(count)
}

/// What is known about series and variants, looked up once.
pub struct Known<'a> {
    store: &'a Store,
    find_seat_names: &'a dyn Fn(&str) -> Vec<String>,
    series: BTreeMap<SeriesId, Series>,
    seat_names: BTreeMap<String, Vec<String>>,
}

impl<'a> Known<'a> {
    /// Nothing yet. `seat_names` says what a variant calls its seats.
    pub fn new(store: &'a Store, seat_names: &'a dyn Fn(&str) -> Vec<String>) -> Known<'a> {
        let (series, names) = (BTreeMap::new(), BTreeMap::new());
        Known { store, find_seat_names: seat_names, series, seat_names: names }
    }

    /// A game with what is to be known about it.
    pub fn entry<'b>(
        &'b mut self,
        series: SeriesId,
        game: &'b StoredGame,
    ) -> Result<ExportedGame<'b>, StoreError> {
        // To the series of the pages, entrants are added while others look.
        let newcomer = game.seats.as_slice().iter().max().map_or(0, |&last| last as usize);
        if self.series.get(&series).is_none_or(|known| newcomer >= known.entrants.len()) {
            self.series.insert(series, self.store.series(series)?);
        }
        let series = &self.series[&series];
        let names = self.seat_names.entry(game.variant.clone());
        let seat_names = names.or_insert_with(|| (self.find_seat_names)(&game.variant));
        Ok(ExportedGame { series, game, seat_names })
    }
}

/// A game with what is to be known about it.
#[derive(Clone, Copy, Debug)]
pub struct ExportedGame<'a> {
    /// The series it belongs to.
    pub series: &'a Series,
    /// The game.
    pub game: &'a StoredGame,
    /// What its seats are called.
    pub seat_names: &'a [String],
}

impl<'a> ExportedGame<'a> {
    /// Which game it is.
    pub fn id(&self) -> GameId {
        GameId { series: self.series.id, number: self.game.number }
    }

    /// The game as one object of JSON in one line, with everything that is known of it.
    pub fn json(&self) -> io::Result<String> {
        jsonl::object(self)
    }

    /// The seats by their names and those who sat there.
    pub fn table(&self) -> Vec<(String, &'a Entrant)> {
        let entrants = &self.series.entrants;
        let seats = self.game.seats.iter();
        // The store keeps no game without its entrants.
        seats
            .filter_map(|(seat, &entrant)| {
                Some((self.seat_name(seat), entrants.get(entrant as usize)?))
            })
            .collect()
    }

    /// What a seat is called, or its number if nobody knows.
    pub fn seat_name(&self, seat: Seat) -> String {
        let number = || (seat.index() + 1).to_string();
        self.seat_names.get(seat.index()).cloned().unwrap_or_else(number)
    }

    /// The seat of who did something wrong, or gave up.
    pub fn offender(&self) -> Option<String> {
        self.game.offender.map(|seat| self.seat_name(seat))
    }
}
