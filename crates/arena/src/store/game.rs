//! A finished game as it is stored.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use agon_core::outcome::WIN;
use agon_core::{MAX_SEATS, Outcome, PerSeat, Seat};
use agon_search::Score;
use rusqlite::types::{FromSql, Type};
use rusqlite::{Error as SqlError, Row, Statement};

use super::packed::{pack, pack_movers, pack_scores, unpack, unpack_movers, unpack_scores};
use super::series::SeriesId;
use crate::clock::{Pace, clocks_after};
use crate::game_summary::{Effort, FAULT};

/// A game's id: its series, and its number there. As text `7.120`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GameId {
    /// The series.
    pub series: SeriesId,
    /// The number of the game in it.
    pub number: u64,
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.series, self.number)
    }
}

impl FromStr for GameId {
    type Err = String;

    fn from_str(text: &str) -> Result<GameId, String> {
        let read = || {
            let (series, number) = text.split_once('.')?;
            Some(GameId { series: series.parse().ok()?, number: number.parse().ok()? })
        };
        let expected = "expected a series and a number in it, such as 7.120";
        read().ok_or_else(|| format!("bad game {text:?}: {expected}"))
    }
}

/// A finished game.
#[derive(Clone, PartialEq, Debug)]
pub struct StoredGame {
    /// Its place in the schedule of its series, from 0.
    pub number: u64,
    /// The round it belongs to.
    pub round: u32,
    /// Which entrants meet in it, by the number of their pairing.
    pub pairing: u32,
    /// Which of the games of that pairing it is.
    pub leg: u32,
    /// The variant.
    pub variant: String,
    /// The limits of the players.
    pub pace: String,
    /// Who sat where: numbers of entrants.
    pub seats: PerSeat<u32>,
    /// Where it began, if not at the variant's start.
    pub start: Option<String>,
    /// The moves of the opening, separated by spaces.
    pub opening: String,
    /// The moves the players made, separated by spaces.
    pub moves: String,
    /// Who made each of these moves.
    pub movers: Vec<Seat>,
    /// How long each of them took, stored to the microsecond.
    pub times: Vec<Duration>,
    /// How many nodes were searched for each.
    pub nodes: Vec<u64>,
    /// How much of its time each move's player does not account for, if it reports how long it
    /// took; stored to the microsecond.
    pub latencies: Vec<Duration>,
    /// The depth in plies that each move's player reports; 0 if none.
    pub depths: Vec<u32>,
    /// Each player's evaluation of the position in which it moved, if it reports one.
    pub scores: Vec<Option<Score>>,
    /// The points of every seat.
    pub points: PerSeat<u8>,
    /// Why it ended, in words.
    pub reason: String,
    /// Which rule ended it: `board`, `no-move`, `history`, `resignation` or `fault:KIND`.
    pub end: String,
    /// Who committed a fault, or resigned.
    pub offender: Option<Seat>,
    /// The evidence of a fault.
    pub evidence: Option<String>,
    /// A hash of all positions.
    pub signature: u64,
    /// When it ended, in milliseconds since 1970.
    pub finished_at: i64,
    /// Whether it counts when agents are rated.
    pub rated: bool,
    /// Whether a player had to wait too long for a processor: see [`crate::disturbance`].
    pub disturbed: bool,
    /// What the agents used besides their own code: see [`crate::resources`].
    pub resources: Option<String>,
    /// Where it was played, if that is known.
    pub played_by: Option<PlayedBy>,
}

/// Where a game was played, and with what clocks.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayedBy {
    /// The name of the worker.
    pub worker: String,
    /// Nodes a second of its bench on one core.
    pub speed: u64,
    /// By how much its clocks were longer than the pace says; 1 if they were not scaled.
    pub scale: f64,
}

impl StoredGame {
    /// The moves of the opening one by one.
    pub fn opening_moves(&self) -> impl Iterator<Item = &str> {
        self.opening.split_whitespace()
    }

    /// The players' moves one by one.
    pub fn played_moves(&self) -> impl Iterator<Item = &str> {
        self.moves.split_whitespace()
    }

    /// How many moves there were, those of the opening included.
    pub fn plies(&self) -> usize {
        self.opening_moves().count() + self.played_moves().count()
    }

    /// The places by points, from 1.
    pub fn places(&self) -> PerSeat<u8> {
        Outcome::with_points(self.points, "").places()
    }

    /// Whether a fault ended it.
    pub fn is_fault(&self) -> bool {
        self.end.starts_with(FAULT)
    }

    /// The effort of each seat.
    pub fn effort(&self) -> PerSeat<Effort> {
        let moves = self.movers.iter().zip(&self.times).zip(&self.nodes).zip(&self.depths);
        let moves = moves.map(|(((&seat, &time), &nodes), &depth)| (seat, time, nodes, depth));
        Effort::of_seats(self.seats.seats(), moves)
    }

    /// What each mover had left on its clock after its move, if the whole game was limited.
    pub fn clocks(&self) -> Vec<Option<Duration>> {
        let pace: Pace = self.pace.parse().unwrap_or_default();
        let pace = pace.scaled(self.played_by.as_ref().map_or(1.0, |it| it.scale));
        clocks_after(pace.time, self.movers.iter().copied().zip(self.times.iter().copied()))
    }

    /// Checks that this is a valid game.
    pub(crate) fn check(&self) -> Result<(), String> {
        let (seats, moves) = (self.seats.seats(), self.played_moves().count());
        let [times, latencies] = [&self.times, &self.latencies].map(Vec::len);
        let (nodes, depths, scores) = (self.nodes.len(), self.depths.len(), self.scores.len());
        let lists = [self.movers.len(), times, nodes, latencies, depths, scores];
        let at_table = |seat: Seat| seat.index() < seats;
        let problem = match () {
            () if i64::try_from(self.number).is_err() => "its number is too large",
            () if seats == 0 => "it has no players",
            () if self.points.seats() != seats => "it needs points for every seat",
            () if self.points.iter().any(|(_, points)| *points > WIN) => "points go up to 100",
            () if lists != [moves; 6] => {
                "it needs movers, times and nodes for every move, depths and scores too"
            }
            () if !self.movers.iter().copied().chain(self.offender).all(at_table) => {
                "there is no such seat"
            }
            () => return Ok(()),
        };
        Err(format!("game {} cannot be stored: {problem}", self.number))
    }

    /// Binds the columns to a statement in the order of [`COLUMNS`], words as their numbers.
    pub(super) fn bind(
        &self,
        statement: &mut Statement<'_>,
        series: SeriesId,
        words: [i64; 4],
    ) -> rusqlite::Result<()> {
        let micros = |time: &Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        let movers: Vec<u8> = self.movers.iter().map(|seat| seat.index() as u8).collect();
        let mut column = 0;
        let mut next = || {
            column += 1;
            column
        };
        statement.raw_bind_parameter(next(), series.0)?;
        statement.raw_bind_parameter(next(), self.number as i64)?;
        for number in [self.round, self.pairing, self.leg] {
            statement.raw_bind_parameter(next(), number)?;
        }
        for word in words {
            statement.raw_bind_parameter(next(), word)?;
        }
        for seat in 0..MAX_SEATS {
            statement.raw_bind_parameter(next(), self.seats.as_slice().get(seat))?;
        }
        for seat in 0..MAX_SEATS {
            statement.raw_bind_parameter(next(), self.points.as_slice().get(seat))?;
        }
        statement.raw_bind_parameter(next(), self.offender.map(|seat| seat.index() as u8))?;
        statement.raw_bind_parameter(next(), self.signature as i64)?;
        statement.raw_bind_parameter(next(), self.finished_at)?;
        statement.raw_bind_parameter(next(), &self.start)?;
        statement.raw_bind_parameter(next(), &self.opening)?;
        statement.raw_bind_parameter(next(), &self.moves)?;
        statement.raw_bind_parameter(next(), pack_movers(&movers, self.seats.seats()))?;
        let times: Vec<u64> = self.times.iter().map(micros).collect();
        let latencies: Vec<u64> = self.latencies.iter().map(micros).collect();
        statement.raw_bind_parameter(next(), pack(&times))?;
        statement.raw_bind_parameter(next(), pack(&self.nodes))?;
        statement.raw_bind_parameter(next(), pack(&latencies))?;
        statement.raw_bind_parameter(next(), &self.evidence)?;
        statement.raw_bind_parameter(next(), self.rated)?;
        statement.raw_bind_parameter(next(), self.disturbed)?;
        statement.raw_bind_parameter(next(), &self.resources)?;
        let depths: Vec<u64> = self.depths.iter().copied().map(u64::from).collect();
        statement.raw_bind_parameter(next(), some(pack(&depths)))?;
        statement.raw_bind_parameter(next(), some(pack_scores(&self.scores)))?;
        let place = self.played_by.as_ref();
        statement.raw_bind_parameter(next(), place.map(|it| &it.worker))?;
        statement.raw_bind_parameter(next(), place.map(|it| it.speed as i64))?;
        statement.raw_bind_parameter(next(), place.map(|it| it.scale))
    }

    /// The words of a game that are stored once, in the order of their columns.
    pub(super) fn words(&self) -> [&str; 4] {
        [&self.variant, &self.pace, &self.reason, &self.end]
    }

    /// Reads a row of [`selected`] columns.
    pub(super) fn read(row: &Row<'_>) -> rusqlite::Result<(SeriesId, StoredGame)> {
        let mut cells = Cells { row, next: 0 };
        let series = SeriesId(cells.take()?);
        // In the order of the columns.
        let mut game = StoredGame {
            number: cells.take()?,
            round: cells.take()?,
            pairing: cells.take()?,
            leg: cells.take()?,
            variant: cells.take()?,
            pace: cells.take()?,
            reason: cells.take()?,
            end: cells.take()?,
            seats: cells.per_seat()?,
            points: cells.per_seat()?,
            offender: cells.seat()?,
            signature: cells.take::<i64>()? as u64,
            finished_at: cells.take()?,
            start: cells.take()?,
            opening: cells.take()?,
            moves: cells.take()?,
            movers: Vec::new(),
            times: Vec::new(),
            nodes: Vec::new(),
            latencies: Vec::new(),
            depths: Vec::new(),
            scores: Vec::new(),
            evidence: None,
            rated: true,
            disturbed: false,
            resources: None,
            played_by: None,
        };
        let (seats, count) = (game.seats.seats(), game.played_moves().count());
        let movers = cells.unpacked(|bytes| unpack_movers(bytes, count, seats))?;
        game.movers = movers.into_iter().map(|seat| Seat::new(usize::from(seat))).collect();
        let durations = |micros: Vec<u64>| micros.into_iter().map(Duration::from_micros).collect();
        game.times = durations(cells.unpacked(|bytes| unpack(bytes, count))?);
        game.nodes = cells.unpacked(|bytes| unpack(bytes, count))?;
        game.latencies = durations(cells.unpacked(|bytes| unpack(bytes, count))?);
        (game.evidence, game.rated, game.disturbed) = (cells.take()?, cells.take()?, cells.take()?);
        game.resources = cells.take()?;
        let depth = |depth: u64| u32::try_from(depth).ok();
        let depths = |bytes: &[u8]| unpack(bytes, count)?.into_iter().map(depth).collect();
        game.depths = cells.unpacked(depths)?;
        game.scores = cells.unpacked(|bytes| unpack_scores(bytes, count))?;
        game.played_by = cells.place()?;
        game.check().map_err(|problem| odd(0, Type::Integer, problem))?;
        Ok((series, game))
    }
}

/// The columns of a game in the order of [`StoredGame::bind`].
pub(super) const COLUMNS: &str = "series, number, round, pairing, leg, \
    variant, pace, reason, ended, seat_1, seat_2, seat_3, seat_4, \
    points_1, points_2, points_3, points_4, offender, signature, finished, \
    start, opening, moves, movers, times, nodes, latencies, evidence, rated, disturbed, \
    resources, depths, scores, worker, speed, scale";

/// How many columns there are.
pub(super) const COLUMN_COUNT: usize = 36;

/// The columns of a game with its words as texts.
pub(super) fn selected() -> String {
    let column = |column: &str| match column {
        "variant" | "pace" | "reason" | "ended" => {
            format!("(SELECT text FROM words WHERE id = games.{column}) AS {column}")
        }
        other => format!("games.{other}"),
    };
    COLUMNS.split(", ").map(column).collect::<Vec<_>>().join(", ")
}

/// Reads the columns of a row in order; looking up names would be slower.
struct Cells<'a, 'row> {
    row: &'a Row<'row>,
    next: usize,
}

impl Cells<'_, '_> {
    fn take<T: FromSql>(&mut self) -> rusqlite::Result<T> {
        self.next += 1;
        self.row.get(self.next - 1)
    }

    /// One column per seat, for as many seats as there are.
    fn per_seat<T: Copy + Default + FromSql>(&mut self) -> rusqlite::Result<PerSeat<T>> {
        let cells: rusqlite::Result<Vec<Option<T>>> = (0..MAX_SEATS).map(|_| self.take()).collect();
        Ok(PerSeat::from_slice(&cells?.into_iter().map_while(|cell| cell).collect::<Vec<T>>()))
    }

    /// A seat, if there is one.
    fn seat(&mut self) -> rusqlite::Result<Option<Seat>> {
        match self.take::<Option<usize>>()? {
            Some(seat) if seat >= MAX_SEATS => {
                Err(odd(self.next - 1, Type::Integer, format!("there is no seat {seat}")))
            }
            seat => Ok(seat.map(Seat::new)),
        }
    }

    /// Where it was played, if that is known.
    fn place(&mut self) -> rusqlite::Result<Option<PlayedBy>> {
        let worker: Option<String> = self.take()?;
        let (speed, scale): (Option<i64>, Option<f64>) = (self.take()?, self.take()?);
        let speed = u64::try_from(speed.unwrap_or(0)).unwrap_or(0);
        let scale = scale.filter(|scale| scale.is_finite()).unwrap_or(1.0);
        Ok(worker.map(|worker| PlayedBy { worker, speed, scale }))
    }

    /// A packed list; older games have fewer of them, which are empty then.
    fn unpacked<T>(&mut self, unpack: impl FnOnce(&[u8]) -> Option<T>) -> rusqlite::Result<T> {
        self.next += 1;
        let bytes = self.row.get_ref(self.next - 1)?.as_blob_or_null()?.unwrap_or_default();
        let problem = "the list does not fit the moves";
        unpack(bytes).ok_or_else(|| odd(self.next - 1, Type::Blob, problem.into()))
    }
}

/// A packed list, if there is anything in it.
fn some(packed: Vec<u8>) -> Option<Vec<u8>> {
    (!packed.is_empty()).then_some(packed)
}

/// A value that was never written.
fn odd(column: usize, kind: Type, problem: String) -> SqlError {
    SqlError::FromSqlConversionFailure(column, kind, problem.into())
}
