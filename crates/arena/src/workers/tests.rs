use std::path::Path;
use std::sync::atomic::AtomicU32;

use super::*;
use crate::player::NoAnswer;
use crate::registry::Registry;
use crate::remote::{Outside, Question, Remote, Reply};
use crate::store::{Filter, Store};
use crate::tournament::read;
use crate::tournament::run::{Run, RunError, run_on};
use agon_core::Variant;

const CUP: &str = "
format = \"round-robin\"
games = 4
variant = [\"breakthrough:5x5\", \"breakthrough:6x6\"]
agents = [\"random\", \"greedy\", { agent = \"random\", name = \"other\" }]
";

fn cup(folder: &Path) -> Tournament {
    let file = folder.join("cup.toml");
    std::fs::write(&file, CUP).unwrap();
    read(&file, &Registry::built_in()).unwrap()
}

/// A program that the system refuses to start this many times. Then it resigns at once.
#[derive(Debug)]
struct Refused(AtomicU32);

impl Outside for Refused {
    fn check(&self, _: &Variant) -> Result<(), String> {
        Ok(())
    }

    fn start(&self, _: &Variant) -> Result<Box<dyn Remote>, NoAnswer> {
        match self.0.fetch_update(Relaxed, Relaxed, |times| times.checked_sub(1)) {
            Ok(_) => Err(SystemTrouble("cannot start another process: try later".into()).into()),
            Err(_) => Ok(Box::new(Refused(0.into()))),
        }
    }
}

impl Remote for Refused {
    fn new_game(&mut self, _: Seat) -> Result<(), NoAnswer> {
        Ok(())
    }

    fn ask(&mut self, _: &Question<'_>) -> Result<Reply, NoAnswer> {
        Ok(Reply::silent("resign".into(), Duration::ZERO))
    }

    fn last_lines(&self) -> String {
        String::new()
    }
}

/// Plays a tournament in which the system refuses this many games, and returns the stored games.
fn refused(times: u32) -> (Result<Run, RunError>, Vec<FinishedGame>) {
    let folder = tempfile::tempdir().unwrap();
    let tournament = cup(folder.path());
    let open = |tournament: &Tournament| -> Result<Box<dyn Workers>, RunError> {
        let mut workers = LocalWorkers::open(tournament, 2)?;
        workers.agents[0] = Agent::outside("refused:", 1, Box::new(Refused(times.into())));
        Ok(Box::new(workers))
    };
    let store = Store::open(folder.path()).unwrap();
    let run = run_on(&open, &tournament, Some(&store), &StopFlag::default(), &mut |_| {});
    let series = store.find_tournament("cup").unwrap().unwrap();
    assert_eq!(series.finished_at.is_some(), run.is_ok());
    let games = store.games(&Filter::of(series.id)).unwrap();
    (run, games.map(|game| FinishedGame::from_store(game.unwrap().1)).collect())
}

#[test]
fn a_game_that_the_system_refused_is_played_again_and_nobody_is_charged() {
    let (run, games) = refused(3);
    let run = run.unwrap();
    assert!(run.is_over);
    assert_eq!((run.ledger.games(), games.len()), (24, 24));
    assert!(run.ledger.agents().iter().all(|agent| agent.results.faults == 0));
}

#[test]
fn where_the_system_goes_on_refusing_the_run_stops_and_says_what_to_do() {
    let (run, games) = refused(u32::MAX);
    let error = run.unwrap_err();
    assert!(matches!(error, RunError::System { .. }));
    let words = ["cannot start another process", "are stored", "again", "--concurrency"];
    assert!(words.iter().all(|word| error.to_string().contains(word)), "{error}");
    assert!(games.iter().all(|game| game.summary.offence().is_none()), "{games:?}");
}

/// Workers that get everything as text.
struct Far(LocalWorkers);

impl Workers for Far {
    fn play(&self, jobs: &Jobs<'_>, stop: &StopFlag, desk: Desk<'_>) -> Result<(), VenueError> {
        let mut guests = self.0.new_guests();
        while let Some(job) = jobs.take() {
            let letter = serde_json::to_string(&job).unwrap();
            let job = serde_json::from_str(&letter).unwrap();
            if let Some(game) = self.0.play_one(&job, &mut guests, stop)? {
                // All that comes back is a stored game.
                let game = *game.stored.unwrap();
                assert!(desk(vec![FinishedGame::from_store(game)]).is_continue());
            }
        }
        Ok(())
    }
}

#[test]
fn games_can_be_played_by_whoever_reads_text() {
    let play = |far: bool| {
        let folder = tempfile::tempdir().unwrap();
        let tournament = cup(folder.path());
        let open = |tournament: &Tournament| -> Result<Box<dyn Workers>, RunError> {
            let local = LocalWorkers::open(tournament, 2)?;
            Ok(if far { Box::new(Far(local)) } else { Box::new(local) })
        };
        let store = Store::open(folder.path()).unwrap();
        let stop = StopFlag::default();
        let run = run_on(&open, &tournament, Some(&store), &stop, &mut |_| {}).unwrap();
        assert!(run.is_over);
        (run.ledger.signature, run.ledger.games(), run.ledger.pairs, run.ledger.seat_points)
    };
    assert_eq!(play(true), play(false));
}

/// A game that was disturbed or not.
fn game(disturbed: bool) -> FinishedGame {
    let summary = crate::tournament::ledger::tests::game(0, &[0, 1], &[100, 0]);
    FinishedGame { summary: crate::GameSummary { disturbed, ..summary }, stored: None }
}

#[test]
fn disturbed_games_are_played_again_but_not_for_ever() {
    let played = |replays: u32, games: &[Option<bool>]| {
        let mut next = games.iter();
        let last = undisturbed(replays, || Ok::<_, ()>(next.next().unwrap().map(game))).unwrap();
        (last.map(|game| game.summary.disturbed), games.len() - next.len())
    };
    let (quiet, busy) = (Some(false), Some(true));
    assert_eq!(played(3, &[quiet]), (quiet, 1));
    assert_eq!(played(3, &[busy, busy, quiet, busy]), (quiet, 3));
    assert_eq!(played(3, &[busy; 5]), (busy, 4));
    assert_eq!(played(0, &[busy, quiet]), (busy, 1), "nobody asked for it");
    assert_eq!(played(3, &[None]), (None, 1), "stopped");
    assert_eq!(played(3, &[busy, None, quiet]), (busy, 2), "the game before counts");
}
