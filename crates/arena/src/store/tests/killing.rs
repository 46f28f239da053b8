//! A process that stores games is killed again and again.

use std::env;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::thread;

use agon_core::Rng;

use super::*;

/// The environment variable that tells this test to be the process that is killed, and where the
/// store is.
const VICTIM: &str = "AGON_TEST_STORE_TO_KILL";
const ROUNDS: u64 = 24;

/// Stores games for ever and prints the number of each after it is stored.
fn be_killed(folder: &Path) -> ! {
    let store = Store::open(folder).unwrap();
    // Often, so that some are killed during a checkpoint.
    store.connection.pragma_update(None, "wal_autocheckpoint", 20).unwrap();
    let series = match store.find_tournament("victim").unwrap() {
        Some(series) => series.id,
        None => store.begin_series(&new_series(SeriesKind::Tournament, Some("victim"))).unwrap(),
    };
    let _lock = store.lock_series(series).unwrap();
    let next = store.finished_numbers(series).unwrap().last().map_or(0, |last| last + 1);
    let mut out = std::io::stdout();
    for number in next.. {
        store.put(series, &game(number)).unwrap();
        writeln!(out, "\nstored {number}").and_then(|()| out.flush()).unwrap();
    }
    unreachable!("there are always more numbers");
}

/// Lets a process store this many games and kills it a little later. Returns the last number it
/// printed.
fn kill_one(folder: &Path, games: usize, later: Duration) -> Option<u64> {
    let (_, test) = module_path!().split_once("::").unwrap();
    let mut victim = Command::new(env::current_exe().unwrap())
        .args(["--exact", &format!("{test}::killed_processes_lose_nothing"), "--nocapture"])
        .env(VICTIM, folder)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(victim.stdout.take().unwrap()).lines().map_while(Result::ok);
    let mut told = lines.filter_map(|line| line.strip_prefix("stored ")?.parse().ok());
    let heard = told.by_ref().take(games).last();
    thread::sleep(later);
    victim.kill().unwrap();
    let status = victim.wait().unwrap();
    assert_eq!(status.code(), None, "it ended before it was killed");
    told.last().or(heard)
}

#[test]
fn killed_processes_lose_nothing() {
    if let Some(folder) = env::var_os(VICTIM) {
        be_killed(Path::new(&folder));
    }
    let folder = tempfile::tempdir().unwrap();
    let mut rng = Rng::new(u64::from(std::process::id()));
    let mut told = None;
    for round in 0..ROUNDS {
        // Every third is killed before its first game.
        let games = if round % 3 == 0 { 0 } else { 1 + rng.below(200) as usize };
        let later = Duration::from_micros(rng.below(if games == 0 { 30_000 } else { 1000 }));
        told = kill_one(folder.path(), games, later).or(told);
        let store = Store::open(folder.path()).unwrap();
        store.check().unwrap();
        let Some(series) = store.find_tournament("victim").unwrap() else { continue };
        store.lock_series(series.id).unwrap();
        let stored = store.finished_numbers(series.id).unwrap();
        assert_eq!(stored, (0..stored.len() as u64).collect::<Vec<_>>(), "in round {round}");
        let promised = told.map_or(0, |last| last + 1);
        assert!(stored.len() as u64 >= promised, "{} of {promised} in round {round}", stored.len());
        let last = stored.last().map(|&number| store.game(GameId { series: series.id, number }));
        assert!(last.is_none_or(|last| last.unwrap() == game(stored.len() as u64 - 1)));
    }
    assert!(told > Some(ROUNDS), "they hardly stored anything");
}
