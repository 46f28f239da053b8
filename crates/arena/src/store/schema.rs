//! The database schema and its migrations.

use std::thread;
use std::time::{Duration, Instant};

use rusqlite::{Connection, TransactionBehavior};

use super::error::StoreProblem;

/// The migrations from each version to the next. A released one never changes.
pub(super) const MIGRATIONS: &[&str] = &[
    VERSION_1, VERSION_2, VERSION_3, VERSION_4, VERSION_5, VERSION_6, VERSION_7, VERSION_8,
    VERSION_9, VERSION_10,
];

/// The application id in the file's header: `Agon` in letters.
const APPLICATION: u32 = u32::from_be_bytes(*b"Agon");

/// Words are texts that occur again and again. Times are milliseconds since 1970; 64-bit numbers
/// are stored as signed. Entrants sit at `seat_1`…, and get `points_1`….
const VERSION_1: &str = "
    CREATE TABLE series (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        kind TEXT NOT NULL CHECK (kind IN ('match', 'tournament')),
        name TEXT NOT NULL,
        plan TEXT NOT NULL,
        seed INTEGER NOT NULL,
        started INTEGER NOT NULL,
        finished INTEGER
    ) STRICT;
    CREATE UNIQUE INDEX tournament_names ON series (name) WHERE kind = 'tournament';

    CREATE TABLE entrants (
        series INTEGER NOT NULL REFERENCES series,
        number INTEGER NOT NULL,
        name TEXT NOT NULL,
        agent TEXT NOT NULL,
        PRIMARY KEY (series, number)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE words (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT;

    CREATE TABLE games (
        series INTEGER NOT NULL,
        number INTEGER NOT NULL CHECK (number >= 0),
        round INTEGER NOT NULL,
        pairing INTEGER NOT NULL,
        leg INTEGER NOT NULL,
        variant INTEGER NOT NULL REFERENCES words,
        pace INTEGER NOT NULL REFERENCES words,
        reason INTEGER NOT NULL REFERENCES words,
        ended INTEGER NOT NULL REFERENCES words,
        seat_1 INTEGER NOT NULL,
        seat_2 INTEGER,
        seat_3 INTEGER,
        seat_4 INTEGER,
        points_1 INTEGER NOT NULL CHECK (points_1 BETWEEN 0 AND 100),
        points_2 INTEGER CHECK (points_2 BETWEEN 0 AND 100),
        points_3 INTEGER CHECK (points_3 BETWEEN 0 AND 100),
        points_4 INTEGER CHECK (points_4 BETWEEN 0 AND 100),
        offender INTEGER,
        signature INTEGER NOT NULL,
        finished INTEGER NOT NULL,
        start TEXT,
        opening TEXT NOT NULL,
        moves TEXT NOT NULL,
        movers BLOB NOT NULL,
        times BLOB NOT NULL,
        nodes BLOB NOT NULL,
        latencies BLOB NOT NULL,
        evidence TEXT,
        PRIMARY KEY (series, number),
        FOREIGN KEY (series, seat_1) REFERENCES entrants,
        FOREIGN KEY (series, seat_2) REFERENCES entrants,
        FOREIGN KEY (series, seat_3) REFERENCES entrants,
        FOREIGN KEY (series, seat_4) REFERENCES entrants
    ) STRICT, WITHOUT ROWID;

    CREATE VIEW played AS
    SELECT
        series.name AS series_name, games.series || '.' || games.number AS game,
        games.round, variants.text AS variant, paces.text AS pace,
        first.name AS entrant_1, second.name AS entrant_2,
        third.name AS entrant_3, fourth.name AS entrant_4,
        points_1, points_2, points_3, points_4,
        reasons.text AS reason, ends.text AS ended, offender, evidence,
        opening, moves, datetime(games.finished / 1000, 'unixepoch') AS finished
    FROM games
    JOIN series ON series.id = games.series
    JOIN words AS variants ON variants.id = games.variant
    JOIN words AS paces ON paces.id = games.pace
    JOIN words AS reasons ON reasons.id = games.reason
    JOIN words AS ends ON ends.id = games.ended
    JOIN entrants AS first ON (first.series, first.number) = (games.series, seat_1)
    LEFT JOIN entrants AS second ON (second.series, second.number) = (games.series, seat_2)
    LEFT JOIN entrants AS third ON (third.series, third.number) = (games.series, seat_3)
    LEFT JOIN entrants AS fourth ON (fourth.series, fourth.number) = (games.series, seat_4);
";

/// Games that people play or watch.
const VERSION_2: &str = "
    CREATE TABLE sittings (
        id TEXT PRIMARY KEY,
        document TEXT NOT NULL,
        open INTEGER NOT NULL CHECK (open IN (0, 1)),
        public INTEGER NOT NULL CHECK (public IN (0, 1)),
        updated INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX sittings_listed ON sittings (open DESC, updated DESC);
";

/// Games of the web pages are stored like others: `record` is the number of a sitting's game in
/// their series, kept while a move of it is taken back. The table of series is recreated for its
/// check constraint, but numbers are still never reused.
const VERSION_3: &str = "
    PRAGMA defer_foreign_keys = ON;
    CREATE TABLE old_series AS SELECT * FROM series;
    CREATE TABLE old_sequence AS SELECT * FROM sqlite_sequence;
    DROP TABLE series;
    CREATE TABLE series (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        kind TEXT NOT NULL CHECK (kind IN ('match', 'tournament', 'pages')),
        name TEXT NOT NULL,
        plan TEXT NOT NULL,
        seed INTEGER NOT NULL,
        started INTEGER NOT NULL,
        finished INTEGER
    ) STRICT;
    INSERT INTO series (id, kind, name, plan, seed, started, finished)
    SELECT id, kind, name, plan, seed, started, finished FROM old_series;
    DELETE FROM sqlite_sequence;
    INSERT INTO sqlite_sequence SELECT * FROM old_sequence;
    DROP TABLE old_series;
    DROP TABLE old_sequence;
    CREATE UNIQUE INDEX tournament_names ON series (name) WHERE kind = 'tournament';
    CREATE UNIQUE INDEX pages_once ON series (kind) WHERE kind = 'pages';

    ALTER TABLE games ADD COLUMN rated INTEGER NOT NULL DEFAULT 1 CHECK (rated IN (0, 1));
    ALTER TABLE sittings ADD COLUMN record INTEGER;
    CREATE UNIQUE INDEX sittings_recorded ON sittings (record) WHERE record IS NOT NULL;
";

/// Agents that play over the network, and their runs. `place` numbers an agent's finished runs in the
/// order in which they ended, from 1; open runs have none.
const VERSION_4: &str = "
    CREATE TABLE accounts (
        environment TEXT NOT NULL,
        name TEXT NOT NULL,
        hash BLOB NOT NULL CHECK (length(hash) = 32),
        blocked INTEGER NOT NULL DEFAULT 0 CHECK (blocked IN (0, 1)),
        finished INTEGER NOT NULL DEFAULT 0,
        best REAL,
        created INTEGER NOT NULL,
        PRIMARY KEY (environment, name)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE runs (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        environment TEXT NOT NULL,
        agent TEXT NOT NULL,
        acts INTEGER NOT NULL,
        asked INTEGER NOT NULL CHECK (asked IN (0, 1)),
        document TEXT NOT NULL,
        outcome REAL,
        place INTEGER CHECK ((place IS NULL) = (outcome IS NULL)),
        updated INTEGER NOT NULL,
        FOREIGN KEY (environment, agent) REFERENCES accounts ON DELETE CASCADE
    ) STRICT;
    CREATE INDEX runs_open ON runs (environment, agent, id) WHERE place IS NULL;
    CREATE UNIQUE INDEX runs_finished ON runs (environment, agent, place) WHERE place IS NOT NULL;
    CREATE INDEX runs_results ON runs (environment, agent, place, outcome, updated)
    WHERE place IS NOT NULL;
";

/// Games in which an agent had to wait too long for a processor are marked.
const VERSION_5: &str = "
    ALTER TABLE games ADD COLUMN disturbed INTEGER NOT NULL DEFAULT 0 CHECK (disturbed IN (0, 1));
";

/// What the agents used besides their own code, by its checksum.
const VERSION_6: &str = "
    ALTER TABLE games ADD COLUMN resources TEXT;
";

/// Experiments: their comparisons are series, their measurements without games are documents. The
/// table of series is recreated for its check constraint, as before.
const VERSION_7: &str = "
    PRAGMA defer_foreign_keys = ON;
    CREATE TABLE old_series AS SELECT * FROM series;
    CREATE TABLE old_sequence AS SELECT * FROM sqlite_sequence;
    DROP TABLE series;
    CREATE TABLE series (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        kind TEXT NOT NULL CHECK (kind IN ('match', 'tournament', 'pages', 'experiment')),
        name TEXT NOT NULL,
        plan TEXT NOT NULL,
        seed INTEGER NOT NULL,
        started INTEGER NOT NULL,
        finished INTEGER
    ) STRICT;
    INSERT INTO series (id, kind, name, plan, seed, started, finished)
    SELECT id, kind, name, plan, seed, started, finished FROM old_series;
    DELETE FROM sqlite_sequence;
    INSERT INTO sqlite_sequence SELECT * FROM old_sequence;
    DROP TABLE old_series;
    DROP TABLE old_sequence;
    CREATE UNIQUE INDEX tournament_names ON series (name) WHERE kind = 'tournament';
    CREATE UNIQUE INDEX experiment_names ON series (name) WHERE kind = 'experiment';
    CREATE UNIQUE INDEX pages_once ON series (kind) WHERE kind = 'pages';

    CREATE TABLE experiments (
        name TEXT PRIMARY KEY,
        folder TEXT NOT NULL,
        text TEXT NOT NULL,
        started INTEGER NOT NULL,
        updated INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE measurements (
        name TEXT PRIMARY KEY,
        document TEXT NOT NULL,
        made INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
";

/// Tournaments on pages: a series keeps the file it was started from, and whether a server plays it.
/// An entrant has the checksum of its program, the round in which it joined, and the round from
/// which it is retired. Games have the depths and scores of their moves. A sitting knows which client began
/// it, and when: one that has not changed since then has the same time twice.
const VERSION_8: &str = "
    ALTER TABLE series ADD COLUMN file TEXT;
    ALTER TABLE series ADD COLUMN hosting TEXT CHECK (hosting IN ('running', 'paused'));
    ALTER TABLE entrants ADD COLUMN fingerprint TEXT;
    ALTER TABLE entrants ADD COLUMN joined INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE entrants ADD COLUMN retired INTEGER;
    ALTER TABLE games ADD COLUMN depths BLOB;
    ALTER TABLE games ADD COLUMN scores BLOB;
    ALTER TABLE sittings ADD COLUMN client TEXT;
    ALTER TABLE sittings ADD COLUMN begun INTEGER;
    CREATE INDEX sittings_of_client ON sittings (open, client, updated, begun);
";

/// Games that were played on another machine: its worker, its speed, and how its clocks were scaled.
const VERSION_9: &str = "
    ALTER TABLE games ADD COLUMN worker TEXT;
    ALTER TABLE games ADD COLUMN speed INTEGER;
    ALTER TABLE games ADD COLUMN scale REAL;
";

/// Analyses that people made, and reviews of games.
const VERSION_10: &str = "
    CREATE TABLE analyses (
        id TEXT PRIMARY KEY,
        document TEXT NOT NULL,
        version INTEGER NOT NULL,
        owner TEXT NOT NULL,
        client TEXT NOT NULL,
        updated INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX analyses_by_client ON analyses (client, updated);
    CREATE TABLE reviews (
        id TEXT PRIMARY KEY,
        document TEXT NOT NULL,
        made INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX reviews_by_age ON reviews (made);
";

/// Refuses files that this program must not touch.
pub(super) fn check(connection: &Connection, migrations: &[&str]) -> Result<(), StoreProblem> {
    let (found, known) = (version(connection)?, migrations.len() as u32);
    let tables: u32 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    let application: u32 = pragma(connection, "application_id")?;
    match () {
        () if found == 0 && application == 0 && tables == 0 => Ok(()),
        () if application != APPLICATION => Err(StoreProblem::Foreign),
        () if found > known => Err(StoreProblem::Newer { found, known }),
        () => Ok(()),
    }
}

/// Refuses files that this program cannot read.
pub(super) fn check_to_read(
    connection: &Connection,
    migrations: &[&str],
) -> Result<(), StoreProblem> {
    check(connection, migrations)?;
    match version(connection)? {
        0 => Err(StoreProblem::Missing),
        found if (found as usize) < migrations.len() => Err(StoreProblem::Older),
        _ => Ok(()),
    }
}

/// Migrates a file to the newest version. Each step is atomic, and done by one process only: the
/// second one finds it done.
pub(super) fn migrate(
    connection: &mut Connection,
    migrations: &[&str],
) -> Result<(), StoreProblem> {
    while (version(connection)? as usize) < migrations.len() {
        let step = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let done = version(&step)? as usize;
        if let Some(migration) = migrations.get(done) {
            step.execute_batch(migration)?;
            step.pragma_update(None, "application_id", APPLICATION)?;
            step.pragma_update(None, "user_version", done as u32 + 1)?;
        }
        step.commit()?;
    }
    Ok(())
}

/// Uses a write-ahead log, so that readers and a writer do not wait for each other. The setting is
/// stored in the file. SQLite does not wait for others when it is changed, so this does.
pub(super) fn use_log(connection: &Connection, patience: Duration) -> Result<(), StoreProblem> {
    let begun = Instant::now();
    loop {
        let mode: rusqlite::Result<String> =
            connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0));
        match mode.map_err(StoreProblem::from) {
            Err(StoreProblem::Busy) if begun.elapsed() < patience => {
                thread::sleep(Duration::from_millis(5));
            }
            Err(problem) => return Err(problem),
            Ok(mode) if mode == "wal" => return Ok(()),
            Ok(_) => return Err(StoreProblem::NoLog),
        }
    }
}

/// Checks the whole file.
pub(super) fn check_integrity(connection: &Connection) -> Result<(), StoreProblem> {
    let found: String = connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
    let stray = connection.prepare("PRAGMA foreign_key_check")?.exists([])?;
    match found.as_str() {
        "ok" if stray => Err(StoreProblem::Damaged("a row refers to nothing".into())),
        "ok" => Ok(()),
        _ => Err(StoreProblem::Damaged(found)),
    }
}

fn version(connection: &Connection) -> Result<u32, StoreProblem> {
    pragma(connection, "user_version")
}

/// A number from the file's header. It may be any 32-bit value.
fn pragma(connection: &Connection, name: &str) -> Result<u32, StoreProblem> {
    let number: i64 = connection.pragma_query_value(None, name, |row| row.get(0))?;
    Ok(number as u32)
}
