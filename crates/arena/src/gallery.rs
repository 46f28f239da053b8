//! The games that are being played now, for those who watch: in this process, or in any other that
//! uses the same data folder.
//!
//! Workers hang their games in a [`Gallery`]. While a series is played, a herald writes what is
//! there beside the store, a few times a second, into a file that is replaced as a whole. Nothing
//! depends on it: if it cannot be written, nobody can watch, and the games go on.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use agon_core::Variant;
use serde::{Deserialize, Serialize};

use crate::files::{PART, read_whole};
use crate::fixture::Fixture;
use crate::store::now;

/// How often a game in the gallery changes at the most.
const GLANCE: Duration = Duration::from_millis(250);
/// How often a game is hung at the most.
const HANGING: Duration = Duration::from_millis(20);
/// How often the file is written if something has changed, and if nothing has.
const WRITING: Duration = Duration::from_millis(400);
const HEARTBEAT_MS: i64 = 2000;
/// A file that is older than this was left by a process that was killed.
const STALE_MS: i64 = 6000;
/// Files are small; anything larger is not ours.
const LARGEST_FILE: u64 = 8 << 20;
/// How many games are written: nobody watches more at a time.
const MOST_GAMES: usize = 64;

/// A game in progress.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GameNow {
    /// Its number in the series.
    pub number: u64,
    /// Its round, from 0.
    pub round: u32,
    /// The variant.
    pub variant: String,
    /// Who sits where: the numbers of the entrants.
    pub seats: Vec<u16>,
    /// The start, if it is not the variant's own.
    pub start: Option<String>,
    /// The moves so far, those of the opening included, separated by spaces.
    pub moves: String,
    /// Whose turn it is.
    pub to_move: Option<usize>,
    /// The time on every clock when the last move was made, in milliseconds.
    pub clocks: Vec<Option<u64>>,
    /// When it began, in milliseconds since 1970.
    pub began_at: i64,
}

/// What is played in a series right now.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct NowPlaying {
    /// The process that plays it.
    pub process: u32,
    /// When it began to, in milliseconds since 1970.
    pub since: i64,
    /// When this was written.
    pub written_at: i64,
    /// How many games had been played before.
    pub done_before: u64,
    /// The games, by number.
    pub games: Vec<GameNow>,
}

impl NowPlaying {
    /// What a process has written last, even if it no longer exists.
    pub(crate) fn left(file: &Path) -> Option<NowPlaying> {
        serde_json::from_slice(&read_whole(file, LARGEST_FILE).ok()?).ok()
    }

    /// Reads what a process has written; `None` if nothing is played, as far as one can tell.
    pub(crate) fn read(file: &Path) -> Option<NowPlaying> {
        let found = NowPlaying::left(file)?;
        let age = now().saturating_sub(found.written_at);
        (-STALE_MS..=STALE_MS).contains(&age).then_some(found)
    }
}

/// The games that this process plays of a series.
#[derive(Debug, Default)]
pub struct Gallery {
    games: Mutex<BTreeMap<u64, GameNow>>,
    /// From when on the next game may be hung.
    calm_from: Mutex<Option<Instant>>,
    version: AtomicU64,
}

impl Gallery {
    /// A place for a game that begins.
    pub(crate) fn hang<'a>(&'a self, fixture: &'a Fixture, variant: &'a Variant) -> Frame<'a> {
        Frame { gallery: self, fixture, variant, shown: None }
    }

    /// The games, by number.
    pub fn games(&self) -> Vec<GameNow> {
        self.lock().values().take(MOST_GAMES).cloned().collect()
    }

    fn change(&self, change: impl FnOnce(&mut BTreeMap<u64, GameNow>)) {
        change(&mut self.lock());
        self.version.fetch_add(1, Relaxed);
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<u64, GameNow>> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a game may be hung now. Games that last a moment cannot be watched anyway, and must not
    /// pay for it.
    fn is_calm(&self) -> bool {
        let mut calm_from = self.calm_from.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        let calm = calm_from.is_none_or(|from| now >= from);
        if calm {
            *calm_from = Some(now + HANGING);
        }
        calm
    }
}

/// The place of a game, until this is dropped.
pub struct Frame<'a> {
    gallery: &'a Gallery,
    fixture: &'a Fixture,
    variant: &'a Variant,
    /// When it was last shown, and when it began.
    shown: Option<(Instant, i64)>,
}

impl Frame<'_> {
    /// Shows the game as it is now, unless that was done a moment ago.
    pub(crate) fn show(&mut self, change: impl FnOnce(&mut GameNow)) {
        let may_show = match self.shown {
            Some((shown, _)) => shown.elapsed() >= GLANCE,
            None => self.gallery.is_calm(),
        };
        if !may_show {
            return;
        }
        let began_at = self.shown.map_or_else(now, |(_, began_at)| began_at);
        self.shown = Some((Instant::now(), began_at));
        let mut game = GameNow {
            number: self.fixture.number,
            round: self.fixture.round,
            variant: self.variant.to_string(),
            seats: self.fixture.seating.as_slice().to_vec(),
            start: None,
            moves: String::new(),
            to_move: None,
            clocks: Vec::new(),
            began_at,
        };
        change(&mut game);
        self.gallery.change(|games| drop(games.insert(game.number, game)));
    }
}

impl Drop for Frame<'_> {
    fn drop(&mut self) {
        if self.shown.is_some() {
            self.gallery.change(|games| drop(games.remove(&self.fixture.number)));
        }
    }
}

/// Writes a gallery to its file until this is dropped; then the file is removed.
pub(crate) struct Herald {
    file: PathBuf,
    done: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Herald {
    /// Begins to write. `done_before` games of the series have been played.
    pub(crate) fn begin(gallery: Arc<Gallery>, file: PathBuf, done_before: u64) -> Herald {
        let (done, ends) = channel();
        let path = file.clone();
        let since = now();
        let work = move || {
            let (mut version, mut written_at) = (u64::MAX, 0);
            loop {
                let found = gallery.version.load(Relaxed);
                if found != version || now() - written_at >= HEARTBEAT_MS {
                    let games = gallery.games();
                    version = found;
                    written_at = now();
                    let process = std::process::id();
                    write(&path, &NowPlaying { process, since, written_at, done_before, games });
                }
                if ends.recv_timeout(WRITING) != Err(RecvTimeoutError::Timeout) {
                    break;
                }
            }
        };
        let thread = thread::Builder::new().name("herald".into()).spawn(work).ok();
        Herald { file, done: Some(done), thread }
    }
}

/// Replaces the file. No game waits for the disk, and a failure has no consequence.
fn write(file: &Path, now: &NowPlaying) {
    let Ok(text) = serde_json::to_vec(now) else { return };
    let part = file.with_extension(format!("live{PART}"));
    if fs::write(&part, text).and_then(|()| fs::rename(&part, file)).is_err() {
        let _ = fs::remove_file(&part);
    }
}

impl Drop for Herald {
    fn drop(&mut self) {
        self.done = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        let _ = fs::remove_file(&self.file);
    }
}

#[cfg(test)]
mod tests {
    use agon_core::PerSeat;

    use super::*;

    #[test]
    fn others_see_the_games_until_they_end() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("series-1.live");
        let gallery = Arc::new(Gallery::default());
        let herald = Herald::begin(gallery.clone(), file.clone(), 7);
        let fixture = Fixture::alone(12, PerSeat::from_slice(&[1, 0]));
        let variant = "congo".parse().unwrap();
        let mut frame = gallery.hang(&fixture, &variant);
        frame.show(|game| game.moves = "d2d3".into());
        // Too soon for those who watch, and not worth the time.
        frame.show(|game| game.moves = "d2d3 d6d5".into());
        let seen = |file: &Path| NowPlaying::read(file).filter(|now| !now.games.is_empty());
        let until = Instant::now() + Duration::from_secs(60);
        while seen(&file).is_none() && Instant::now() < until {
            thread::sleep(Duration::from_millis(10));
        }
        let now = seen(&file).unwrap();
        assert_eq!((now.process, now.done_before), (std::process::id(), 7));
        assert_eq!((&*now.games[0].moves, &now.games[0].seats[..]), ("d2d3", &[1, 0][..]));
        drop(frame);
        assert!(gallery.games().is_empty());
        drop(herald);
        assert!(!file.exists());
    }

    #[test]
    fn what_a_killed_process_left_is_not_played() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("series-1.live");
        let written = |written_at| {
            let (since, games) = (0, Vec::new());
            write(&file, &NowPlaying { process: 1, since, written_at, done_before: 0, games });
            NowPlaying::read(&file).is_some()
        };
        assert!(written(now()));
        assert!(!written(now() - 60_000));
        assert!(!written(now() + 60_000), "the clock was changed");
        fs::write(&file, "garbage").unwrap();
        assert!(NowPlaying::read(&file).is_none());
    }
}
