//! Stored games as text for other programs: PGN-style, JSON lines and CSV; and the crosstable of a
//! series.

mod comments;
pub mod crosstable;
pub mod csv;
mod jsonl;
pub mod pgn;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::str::FromStr;

use agon_core::Seat;

use super::{Entrant, Filter, GameId, Series, SeriesId, Store, StoreError, StoredGame};

/// A format of exported games.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// Tags and numbered moves, for people and game viewers.
    Pgn,
    /// One JSON object per line, with everything that is known about a game.
    Jsonl,
    /// One line per game with the numbers for statistics, without the moves.
    Csv,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 3] = [Format::Pgn, Format::Jsonl, Format::Csv];

    /// The name of the format, which is also its file extension.
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

/// Writes the matching games and returns their number. `seat_names` returns the names of a
/// variant's seats, which the store does not know.
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

/// Series and seat names, looked up once.
pub struct Known<'a> {
    store: &'a Store,
    find_seat_names: &'a dyn Fn(&str) -> Vec<String>,
    series: BTreeMap<SeriesId, Series>,
    seat_names: BTreeMap<String, Vec<String>>,
}

impl<'a> Known<'a> {
    /// Nothing is looked up yet. `seat_names` returns the names of a variant's seats.
    pub fn new(store: &'a Store, seat_names: &'a dyn Fn(&str) -> Vec<String>) -> Known<'a> {
        let (series, names) = (BTreeMap::new(), BTreeMap::new());
        Known { store, find_seat_names: seat_names, series, seat_names: names }
    }

    /// A game with its series and seat names.
    pub fn entry<'b>(
        &'b mut self,
        series: SeriesId,
        game: &'b StoredGame,
    ) -> Result<ExportedGame<'b>, StoreError> {
        // Entrants may be added to the series of the web pages meanwhile.
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

/// A game with its series and seat names.
#[derive(Clone, Copy, Debug)]
pub struct ExportedGame<'a> {
    /// The series it belongs to.
    pub series: &'a Series,
    /// The game.
    pub game: &'a StoredGame,
    /// The names of its seats.
    pub seat_names: &'a [String],
}

impl<'a> ExportedGame<'a> {
    /// The game's id.
    pub fn id(&self) -> GameId {
        GameId { series: self.series.id, number: self.game.number }
    }

    /// The game as one JSON object on one line, with everything that is known about it.
    pub fn json(&self) -> io::Result<String> {
        jsonl::object(self)
    }

    /// The names of the seats and their entrants.
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

    /// The name of a seat, or its number if that is unknown.
    pub fn seat_name(&self, seat: Seat) -> String {
        let number = || (seat.index() + 1).to_string();
        self.seat_names.get(seat.index()).cloned().unwrap_or_else(number)
    }

    /// The seat that committed a fault, or resigned.
    pub fn offender(&self) -> Option<String> {
        self.game.offender.map(|seat| self.seat_name(seat))
    }
}
