//! A match for every fault.

use std::fs;

use agon_arena::remote::Settings;
use agon_arena::verdict::Fault;
use agon_arena::{Agent, Ledger, Match, News, Openings, Registry};
use agon_search::StopFlag;
use agon_wire::congo::CongoAgents;
use agon_wire::ugi::UgiAgents;

use crate::hostile::hostile;
use crate::rows::{self, Row};
use crate::stage::{Stage, children, status_number};

/// How much our own memory may grow in a match, whatever the program prints.
const MOST_GROWTH: u64 = 16 * 1024;

pub fn registry() -> Registry {
    Registry::built_in().with(UgiAgents).with(CongoAgents)
}

/// The text of an agent for the hostile program.
pub fn agent_text(protocol: &str, arguments: &str) -> String {
    let program = hostile().to_str().unwrap();
    format!("{protocol}:{} {arguments}", shell_words::quote(program))
}

/// Plays a match of the hostile program, which comes first, against others, and checks every game
/// and what is left.
fn check(variant: &str, protocol: &str, row: &Row, others: &[&str]) -> Ledger {
    let stage = Stage::enter();
    let folder = tempfile::tempdir().unwrap();
    let settings = Settings { folder: Some(folder.path().into()), ..row.settings.clone() };
    let text = agent_text(protocol, row.arguments);
    let mut agents = vec![registry().agent(&text, &settings).unwrap()];
    let other = |text: &&str| registry().agent(text, &Settings::default()).unwrap();
    agents.extend(others.iter().map(other));
    let before = fresh_peak();
    let ledger = play(variant, row, agents);
    let after = status_number("/proc/self/status", "VmHWM");
    let growth = after.saturating_sub(before);
    assert!(growth < MOST_GROWTH, "{}: memory grew by {growth} KiB", row.arguments);
    stage.leave();
    ledger
}

/// Our peak memory since now, in KiB; since the start if the system cannot reset it.
fn fresh_peak() -> u64 {
    let _ = fs::write("/proc/self/clear_refs", "5");
    status_number("/proc/self/status", "VmHWM")
}

fn play(variant: &str, row: &Row, agents: Vec<Agent>) -> Ledger {
    let it = Match {
        catalog: agon_games::Catalog::built_in(),
        variant: variant.parse().unwrap(),
        agents,
        games: 4,
        pace: row.pace,
        openings: Openings::Start,
        seed: 1,
        concurrency: row.concurrency,
        sprt: None,
        replay_disturbed: false,
        reference_speed: None,
    };
    let mut games = 0;
    let run = it.play(None, &StopFlag::default(), &mut |news| {
        if let News::Game { game, .. } = news {
            games += 1;
            let summary = &game.summary;
            let blamed = summary.offence().map(|(seat, fault)| (summary.seating[seat], fault));
            let told = format!("{} in game {games}: {}", row.arguments, summary.ending());
            assert_eq!(blamed, row.fault.map(|fault| (0, fault)), "{told}");
            for words in row.words {
                assert!(summary.evidence.as_ref().unwrap().contains(words), "{told}");
            }
        }
    });
    let run = run.unwrap();
    let ledger = run.ledger;
    // A match against a program that never starts is aborted.
    let never_starts = row.fault == Some(Fault::NoStart);
    let expected = if never_starts { 3 } else { it.games() };
    assert_eq!((games, ledger.games()), (expected, expected), "{}", row.arguments);
    assert_eq!((run.is_over, run.given_up.is_some()), (!never_starts, never_starts));
    let faults: Vec<u64> = ledger.agents().iter().map(|agent| agent.results.faults).collect();
    let expected = if row.fault.is_some() { games } else { 0 };
    assert!(faults[0] == expected && faults[1..].iter().all(|&faults| faults == 0), "{faults:?}");
    ledger
}

/// A match of two for every row.
fn check_all(variant: &str, protocol: &str, rows: &[Row]) {
    for (row, other) in rows.iter().zip(["greedy", "random"].into_iter().cycle()) {
        let ledger = check(variant, protocol, row, &[other]);
        if row.fault.is_some() {
            let points = 100 * ledger.games();
            assert_eq!(ledger.agent(1).results.points, points, "{}", row.arguments);
        }
    }
}

#[test]
fn every_fault_costs_its_own_games_and_is_told_apart() {
    check_all("breakthrough:5x5", "ugi", &rows::ugi());
}

#[test]
fn who_is_only_a_nuisance_loses_nothing_by_fault() {
    check_all("breakthrough:5x5", "ugi", &rows::honest());
}

#[test]
fn the_congo_protocol_tells_faults_apart_as_well() {
    check_all("congo", "congo", &rows::congo());
}

#[test]
fn with_three_players_the_other_two_share() {
    use agon_arena::verdict::Fault::{Crash, Flood, Stalled};
    for row in [
        rows::bad("crash", Crash, &["SIGABRT"]),
        rows::bad("hang", Stalled, &["no answer in"]),
        rows::bad("flood", Flood, &["out: info string flood"]).patiently(),
        rows::good("nothing --game fauhalma:star3,limit=8"),
    ] {
        let ledger = check("fauhalma:star3,limit=8", "ugi", &row, &["greedy", "random"]);
        let points: Vec<u64> = ledger.agents().iter().map(|agent| agent.results.points).collect();
        if row.fault.is_some() {
            assert_eq!(points, [0, 6 * 75, 6 * 75], "{}", row.arguments);
        }
    }
}

#[test]
fn whoever_wants_no_more_does_not_wait_for_a_program_that_thinks() {
    let stage = Stage::enter();
    let texts = [agent_text("ugi", "hang"), "random".to_string()];
    let agents = texts.map(|text| registry().agent(&text, &Settings::default()).unwrap());
    let stop = StopFlag::default();
    let it = Match {
        catalog: agon_games::Catalog::built_in(),
        variant: "breakthrough:5x5".parse().unwrap(),
        agents: agents.to_vec(),
        games: 2,
        pace: Default::default(),
        openings: Openings::Start,
        seed: 1,
        concurrency: 1,
        sprt: None,
        replay_disturbed: false,
        reference_speed: None,
    };
    let started = std::time::Instant::now();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while children().is_empty() {
                std::thread::sleep(std::time::Duration::from_millis(5));
            }
            stop.stop();
        });
        let run = it.play(None, &stop, &mut |_| {}).unwrap();
        assert_eq!(run.ledger.games(), 0, "it was given up, and nobody is charged");
    });
    // It would have been allowed to think for a minute.
    assert!(started.elapsed() < std::time::Duration::from_secs(30));
    stage.leave();
}
