//! Storing and reading games.

use std::collections::VecDeque;

use rusqlite::types::Value;
use rusqlite::{Connection, ErrorCode, ffi, params_from_iter};

use super::Store;
use super::error::{StoreError, StoreProblem};
use super::filter::Filter;
use super::game::{COLUMN_COUNT, COLUMNS, GameId, StoredGame, selected};
use super::series::SeriesId;

/// How many games are read at a time. Between pages nobody waits for a reader.
const PAGE: usize = 256;

/// What changes when a stored game is replaced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stamp {
    /// When it ended, in milliseconds since 1970.
    pub finished_at: i64,
    end: i64,
    disturbed: bool,
}

impl Store {
    /// Stores a finished game. When this returns, the game is stored, whatever happens to this
    /// process. A game that is already stored is an error.
    pub fn put(&self, series: SeriesId, game: &StoredGame) -> Result<(), StoreError> {
        self.at(self.insert("INSERT", series, game))
    }

    /// Stores finished games in one transaction. If that fails, as many of them as possible, one by
    /// one.
    pub(crate) fn put_all(
        &self,
        series: SeriesId,
        games: &[&StoredGame],
    ) -> Result<(), StoreError> {
        let one_by_one = || games.iter().try_for_each(|game| self.put(series, game));
        if games.len() <= 1 || games.iter().any(|game| game.check().is_err()) {
            return one_by_one();
        }
        let all = self.together(|connection| {
            games
                .iter()
                .try_for_each(|game| self.insert_with_words(connection, "INSERT", series, game))
        });
        match all {
            // These were stored, though not where anybody finds them.
            Err(problem @ StoreProblem::Gone) => self.at(Err(problem)),
            Err(_) => one_by_one(),
            Ok(()) => Ok(()),
        }
    }

    /// Stores a game, replacing the one with its number, if there is one.
    pub fn replace(&self, series: SeriesId, game: &StoredGame) -> Result<(), StoreError> {
        self.at(self.insert("INSERT OR REPLACE", series, game))
    }

    fn insert(&self, how: &str, series: SeriesId, game: &StoredGame) -> Result<(), StoreProblem> {
        game.check().map_err(StoreProblem::Refused)?;
        let known = game.words().map(|word| self.words.borrow().known(word));
        let inserted = match known {
            // One statement is a transaction of its own.
            [Some(a), Some(b), Some(c), Some(d)] => {
                let inserted = self.insert_row(how, series, game, [a, b, c, d]);
                inserted.and_then(|()| self.is_still_there())
            }
            // The first game with a new word also stores the word.
            _ => self.together(|connection| self.insert_with_words(connection, how, series, game)),
        };
        inserted.map_err(|problem| self.explain(series, game, problem))
    }

    /// To be called inside a transaction.
    pub(super) fn insert_with_words(
        &self,
        connection: &Connection,
        how: &str,
        series: SeriesId,
        game: &StoredGame,
    ) -> Result<(), StoreProblem> {
        let mut words = [0; 4];
        for (id, word) in words.iter_mut().zip(game.words()) {
            *id = self.words.borrow_mut().learn(connection, word)?;
        }
        self.insert_row(how, series, game, words)
    }

    fn insert_row(
        &self,
        how: &str,
        series: SeriesId,
        game: &StoredGame,
        words: [i64; 4],
    ) -> Result<(), StoreProblem> {
        let places = ["?"; COLUMN_COUNT].join(", ");
        let sql = format!("{how} INTO games ({COLUMNS}) VALUES ({places})");
        let mut statement = self.connection.prepare_cached(&sql)?;
        game.bind(&mut statement, series, words)?;
        statement.raw_execute()?;
        Ok(())
    }

    /// Explains which constraint of the file a game violates.
    fn explain(&self, series: SeriesId, game: &StoredGame, problem: StoreProblem) -> StoreProblem {
        let StoreProblem::Other(error) = &problem else { return problem };
        if error.sqlite_error_code() != Some(ErrorCode::ConstraintViolation) {
            return problem;
        }
        let number = game.number;
        match error.sqlite_error().map(|error| error.extended_code) {
            Some(ffi::SQLITE_CONSTRAINT_PRIMARYKEY) => {
                StoreProblem::Stored(GameId { series, number })
            }
            Some(ffi::SQLITE_CONSTRAINT_FOREIGNKEY) => match self.find_series(series) {
                Ok(None) => StoreProblem::NoSeries(series),
                Err(problem) => problem,
                Ok(Some(_)) => StoreProblem::Refused(format!(
                    "game {number} cannot be stored: series {series} has no such entrants"
                )),
            },
            _ => problem,
        }
    }

    /// A game.
    pub fn game(&self, id: GameId) -> Result<StoredGame, StoreError> {
        let sql = format!(
            "SELECT {} FROM games WHERE games.series = ?1 AND games.number = ?2",
            selected()
        );
        let read = || {
            let number = i64::try_from(id.number).map_err(|_| StoreProblem::NoGame(id))?;
            let found = self.row(&sql, (id.series.0, number), StoredGame::read)?;
            found.map(|(_, game)| game).ok_or(StoreProblem::NoGame(id))
        };
        self.at(read())
    }

    /// The stored games before and after this one in its series.
    pub fn neighbours(&self, id: GameId) -> Result<[Option<GameId>; 2], StoreError> {
        let Ok(number) = i64::try_from(id.number) else { return Ok([None, None]) };
        let sql = "SELECT (SELECT max(number) FROM games WHERE series = ?1 AND number < ?2), \
            (SELECT min(number) FROM games WHERE series = ?1 AND number > ?2)";
        let read = |row: &rusqlite::Row<'_>| Ok([row.get(0)?, row.get(1)?]);
        let found = self.row(sql, (id.series.0, number), read);
        let named = |number: Option<i64>| {
            number.map(|number| GameId { series: id.series, number: number as u64 })
        };
        self.at(found.map(|found| found.unwrap_or_default().map(named)))
    }

    /// The numbers of all stored games of a series, in order.
    pub fn finished_numbers(&self, series: SeriesId) -> Result<Vec<u64>, StoreError> {
        let sql = "SELECT number FROM games WHERE series = ?1 ORDER BY number";
        self.at(self.rows(sql, [series.0], |row| Ok(row.get::<_, i64>(0)? as u64)))
    }

    /// What identifies the stored games of a series, in order: enough to notice those that are new,
    /// replaced or gone, without reading them.
    pub(crate) fn stamps(&self, series: SeriesId) -> Result<Vec<(u64, Stamp)>, StoreError> {
        let sql = "SELECT number, finished, ended, disturbed FROM games \
                   WHERE series = ?1 ORDER BY number";
        let read = |row: &rusqlite::Row<'_>| {
            let stamp =
                Stamp { finished_at: row.get(1)?, end: row.get(2)?, disturbed: row.get(3)? };
            Ok((row.get::<_, i64>(0)? as u64, stamp))
        };
        self.at(self.rows(sql, [series.0], read))
    }

    /// The matching games, in the order of series and numbers. They are read page by page: games
    /// stored meanwhile are included if they come later in that order.
    pub fn games(&self, filter: &Filter) -> Result<Games<'_>, StoreError> {
        let sql = "SELECT id FROM series WHERE ?1 IS NULL OR id = ?1 ORDER BY id";
        let asked = filter.series.map(|id| id.0);
        let series = self.at(self.rows(sql, [asked], |row| row.get(0).map(SeriesId)))?.into();
        let (filter, page) = (filter.clone(), VecDeque::new());
        Ok(Games { store: self, filter, series, after: -1, page })
    }

    /// Some of the matching games: those of the web pages first, as their series never ends, then
    /// the newest series; in each the last game first.
    pub fn list_games(
        &self,
        filter: &Filter,
        limit: usize,
        offset: usize,
    ) -> Result<Vec<(SeriesId, StoredGame)>, StoreError> {
        let number = |count| Value::Integer(i64::try_from(count).unwrap_or(i64::MAX));
        let list = |which: &str, limit: usize, offset: usize| {
            let (condition, mut values) = filter.condition();
            let order = "ORDER BY games.series DESC, games.number DESC LIMIT ? OFFSET ?";
            values.extend([limit, offset].map(number));
            self.select(&format!("{condition} AND games.series {which} {order}"), values)
        };
        let list_all = || {
            let Some(pages) = self.find_pages()? else { return list("IS NOT NULL", limit, offset) };
            let mut listed = list(&format!("= {pages}"), limit, offset)?;
            if listed.len() < limit {
                let (condition, values) = filter.condition();
                let of_pages = format!("{condition} AND games.series = {pages}");
                let (first, _) = self.count(&of_pages, values)?;
                let passed = offset.saturating_sub(usize::try_from(first).unwrap_or(usize::MAX));
                listed.extend(list(&format!("<> {pages}"), limit - listed.len(), passed)?);
            }
            Ok(listed)
        };
        self.at(list_all())
    }

    fn select(
        &self,
        condition: &str,
        values: Vec<Value>,
    ) -> Result<Vec<(SeriesId, StoredGame)>, StoreProblem> {
        let sql = format!("SELECT {} FROM games WHERE {condition}", selected());
        self.rows(&sql, params_from_iter(values), StoredGame::read)
    }

    /// How many games match, and how many seats the largest table has.
    pub fn count_games(&self, filter: &Filter) -> Result<(u64, usize), StoreError> {
        let (condition, values) = filter.condition();
        self.at(self.count(&condition, values))
    }

    /// How many games of a series at least one of these entrants has played.
    pub(crate) fn count_games_of(
        &self,
        series: SeriesId,
        entrants: &[u32],
    ) -> Result<u64, StoreError> {
        let numbers: Vec<String> = entrants.iter().map(ToString::to_string).collect();
        let numbers = numbers.join(", ");
        let seats = ["seat_1", "seat_2", "seat_3", "seat_4"];
        let sits = seats.map(|seat| format!("ifnull({seat} IN ({numbers}), 0)")).join(" OR ");
        let values = vec![Value::Integer(series.0)];
        let (games, _) = self.at(self.count(&format!("series = ? AND ({sits})"), values))?;
        Ok(games)
    }

    fn count(&self, condition: &str, values: Vec<Value>) -> Result<(u64, usize), StoreProblem> {
        let seats = "1 + (seat_2 IS NOT NULL) + (seat_3 IS NOT NULL) + (seat_4 IS NOT NULL)";
        let sql = format!("SELECT count(*), ifnull(max({seats}), 0) FROM games WHERE {condition}");
        let read = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?));
        Ok(self.connection.query_row(&sql, params_from_iter(values), read)?)
    }

    /// Deletes the games of a series from this number on; the series is then no longer finished.
    /// Returns how many there were.
    pub(crate) fn delete_from(&self, series: SeriesId, number: u64) -> Result<u64, StoreError> {
        let from = i64::try_from(number).unwrap_or(i64::MAX);
        self.delete_games(series, &format!("number >= {from}"))
    }

    /// Deletes the games of a series that were [disturbed](crate::disturbance), so that they are
    /// played again when it is resumed. Returns how many there were.
    pub fn delete_disturbed(&self, series: SeriesId) -> Result<u64, StoreError> {
        self.delete_games(series, "disturbed = 1")
    }

    fn delete_games(&self, series: SeriesId, which: &str) -> Result<u64, StoreError> {
        self.at(self.together(|connection| {
            let sql = format!("DELETE FROM games WHERE series = ?1 AND {which}");
            let deleted = connection.execute(&sql, [series.0])?;
            if deleted > 0 {
                let sql = "UPDATE series SET finished = NULL WHERE id = ?1";
                connection.execute(sql, [series.0])?;
            }
            Ok(deleted as u64)
        }))
    }
}

/// Stored games one after another. An error is the last item.
#[derive(Debug)]
pub struct Games<'a> {
    store: &'a Store,
    filter: Filter,
    /// The series that have not been read completely.
    series: VecDeque<SeriesId>,
    /// The number of the last game that was read from the first of them.
    after: i64,
    page: VecDeque<(SeriesId, StoredGame)>,
}

impl Games<'_> {
    fn turn_page(&mut self, series: SeriesId) -> Result<(), StoreProblem> {
        let filter = Filter { series: Some(series), ..self.filter.clone() };
        let (condition, mut values) = filter.condition();
        values.push(Value::Integer(self.after));
        let end = format!("{condition} AND games.number > ? ORDER BY games.number LIMIT {PAGE}");
        self.page = self.store.select(&end, values)?.into();
        match self.page.back() {
            Some((_, game)) => self.after = game.number as i64,
            None => {
                self.series.pop_front();
                self.after = -1;
            }
        }
        Ok(())
    }
}

impl Iterator for Games<'_> {
    type Item = Result<(SeriesId, StoredGame), StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.page.is_empty() {
            let series = *self.series.front()?;
            let turned = self.turn_page(series);
            if let Err(error) = self.store.at(turned) {
                self.series.clear();
                return Some(Err(error));
            }
        }
        self.page.pop_front().map(Ok)
    }
}
