//! `agon match` as people and scripts use it.

mod common;
#[cfg(target_os = "linux")]
mod events;

use std::fs;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;

use agon_arena::store::{Filter, Store};
use common::agon;
use serde_json::{Value, json};

/// Runs a match and reads the JSON it must print.
fn played(arguments: &[&str]) -> Value {
    common::json(&[&["match"], arguments, &["--json"]].concat())
}

/// The answer without what differs between runs.
fn without_times(mut answer: Value) -> Value {
    for key in ["seconds", "games_per_second", "concurrency"] {
        assert!(answer.as_object_mut().unwrap().remove(key).is_some(), "{key}");
    }
    for agent in answer["agents"].as_array_mut().unwrap() {
        for key in ["seconds", "nodes_per_second"] {
            agent.as_object_mut().unwrap().remove(key);
        }
    }
    answer
}

#[test]
fn the_json_has_all_fields() {
    let answer = played(&["breakthrough:5x5", "greedy", "random", "--games", "20", "--seed", "3"]);
    assert_eq!(answer["games"], 20);
    assert_eq!(answer["variant"], "breakthrough:5x5");
    let agents = answer["agents"].as_array().unwrap();
    assert_eq!(agents.len(), 2);
    assert_eq!(agents[0]["agent"], "greedy");
    for agent in agents {
        let number = |key: &str| agent[key].as_u64().unwrap_or_else(|| panic!("{key} in {agent}"));
        assert_eq!(number("wins") + number("draws") + number("losses"), 20);
        assert_eq!(number("points"), 100 * number("wins") + 50 * number("draws"));
        assert_eq!(number("faults"), 0);
        let (elo, error) = (agent["elo"].as_f64().unwrap(), agent["error"].as_f64().unwrap());
        assert!(elo.abs() < 2000.0 && error > 0.0);
    }
    assert_eq!(agents[0]["elo"].as_f64(), agents[1]["elo"].as_f64().map(|elo| -elo));
    let sum = |values: &Value, key: &str| -> u64 {
        values.as_array().unwrap().iter().map(|value| value[key].as_u64().unwrap()).sum()
    };
    assert_eq!(sum(&answer["reasons"], "games"), 20);
    assert_eq!(sum(&answer["seats"], "points"), 2000);
    assert_eq!(answer["seats"][0]["seat"], "white");
    assert_eq!(answer["offences"], json!([]));
    assert_eq!(answer["stopped"], false);
    assert!(answer["mean_plies"].as_f64().unwrap() > 4.0);
    assert!(answer["seconds"].as_f64().unwrap() > 0.0);
}

#[test]
fn the_same_seed_gives_the_same_match_whatever_the_concurrency() {
    let matches: &[&[&str]] = &[
        &["breakthrough:6x6", "alphabeta", "ordered", "--nodes", "500", "--games", "12"],
        &["wumpus:6", "minimax", "greedy", "--depth", "2", "--games", "8"],
        &["fauhalma:star3", "random", "greedy", "random", "--games", "6"],
        &["congo", "alphabeta:depth=2", "random", "--games", "6", "--openings", "random:3"],
    ];
    for arguments in matches {
        let with = |concurrency: &'static str, seed: &'static str| {
            let more = ["--concurrency", concurrency, "--oversubscribe", "--seed", seed];
            without_times(played(&[arguments, &more[..]].concat()))
        };
        let alone = with("1", "7");
        assert_eq!(alone, with("2", "7"), "{arguments:?}");
        assert_eq!(alone, with("5", "7"), "{arguments:?}");
        assert_ne!(alone["signature"], with("1", "8")["signature"], "{arguments:?}");
    }
}

#[test]
fn three_agents_take_all_seats_and_the_number_of_games_is_rounded() {
    let arguments = ["match", "fauhalma:star3", "greedy", "random", "random", "--games", "7"];
    let run = agon(&[&arguments[..], &["--json"]].concat());
    let answer: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(answer["games"], 12);
    assert!(run.err.contains("12 games instead of 7"), "{}", run.err);
    assert_eq!(answer["agents"].as_array().unwrap().len(), 3);
    let places = answer["agents"][0]["places"].as_array().unwrap();
    assert_eq!(places.iter().map(|count| count.as_u64().unwrap()).sum::<u64>(), 12);
    assert!(answer["agents"][0]["mean_points"].as_f64().unwrap() > 50.0);
    assert_eq!(answer.get("pairs"), None);
}

#[test]
fn three_agents_have_the_ratings_of_the_course() {
    let few = played(&["fauhalma:star3", "greedy", "random", "random", "--games", "6"]);
    for agent in few["agents"].as_array().unwrap() {
        assert_eq!(agent["rating"]["games"], 6);
        assert_eq!(agent["rating"]["best"], Value::Null, "before 50 games");
        let course = agent["course_points"].as_f64().unwrap();
        assert!((course - agent["mean_points"].as_f64().unwrap() / 50.0).abs() < 1e-9);
        assert!((course - agent["rating"]["last_50"].as_f64().unwrap()).abs() < 1e-9);
    }
    let many = played(&["fauhalma:star3", "greedy", "random", "random", "--games", "54"]);
    let mut sum = 0.0;
    for agent in many["agents"].as_array().unwrap() {
        let rating = |key: &str| agent["rating"][key].as_f64().unwrap();
        assert_eq!(rating("games"), 50.0);
        assert!(rating("best") >= rating("last_50"), "{agent}");
        sum += rating("last_50");
        let places = agent["places"].as_array().unwrap();
        assert_eq!(places.len(), 3);
    }
    assert!((sum - 3.0).abs() < 1e-9, "2, 1 and 0 in every game: {sum}");
    assert!(many["agents"][0]["rating"]["last_50"].as_f64().unwrap() > 1.5);
}

#[test]
fn the_table_of_three_has_places_and_numbers_duplicates() {
    let arguments = ["match", "fauhalma:star3", "random", "greedy", "greedy", "--games", "6"];
    let table = agon(&arguments).out;
    for words in
        ["1st", "2nd", "3rd", "points of 2", "last 50", "best 50", "greedy #1", "greedy #2"]
    {
        assert!(table.contains(words), "{words:?} in {table}");
    }
    assert!(!table.contains("random #"), "{table}");
    let json = played(&arguments[1..]);
    assert_eq!(json["agents"][1]["agent"], json["agents"][2]["agent"]);
}

#[test]
fn greedy_beats_random_beyond_doubt() {
    let answer = played(&["breakthrough:6x6", "greedy", "random", "--games", "100"]);
    let greedy = &answer["agents"][0];
    let (elo, error) = (greedy["elo"].as_f64().unwrap(), greedy["error"].as_f64().unwrap());
    assert!(elo - error > 50.0, "{greedy}");
}

#[test]
fn the_table_shows_who_is_better_and_why_games_ended() {
    let run = agon(&["match", "breakthrough:6x6", "greedy", "random", "--games", "50"]);
    assert_eq!(run.code, 0);
    let table = run.out;
    for words in [
        "breakthrough:6x6  50 games",
        "Elo",
        "greedy",
        "a white pawn reached the far row: ",
        "openings random:4",
        "plies",
    ] {
        assert!(table.contains(words), "{words:?} in {table}");
    }
    assert!(!table.contains('\x1b'), "no colour in a pipe");
    assert!(run.err.is_empty(), "{}", run.err);
}

#[test]
fn a_match_ends_with_a_verdict_in_words_and_scores_within_their_bounds() {
    let run = agon(&["match", "breakthrough:6x6", "greedy", "random", "--games", "60"]);
    assert!(run.out.contains("verdict   greedy is better (more than 99.9 %)"), "{}", run.out);
    let few =
        agon(&["match", "breakthrough:5x5", "engine", "random", "--depth", "3", "--games", "2"]);
    assert!(few.out.contains("100.0 % (") && few.out.contains("–100.0)"), "{}", few.out);
    assert!(!few.out.contains("100.0 ±"), "{}", few.out);
    let open = agon(&["match", "breakthrough:5x5", "random", "random", "--games", "20"]);
    assert!(open.out.contains(" more games for ±20 Elo"), "{}", open.out);
    let three = ["fauhalma:star3", "greedy", "random", "random", "--games", "24"];
    let table = agon(&[&["match"], &three[..]].concat()).out;
    assert!(table.contains("verdict   greedy is the best ("), "{table}");
    let verdict = played(&three)["verdict"].as_str().unwrap().to_string();
    assert!(table.contains(&verdict), "{verdict} in {table}");
    let tested = ["breakthrough:6x6", "greedy", "random", "--games", "400", "--sprt", "50,100"];
    let verdict = played(&tested)["verdict"].as_str().unwrap().to_string();
    assert_eq!(verdict, "greedy is at least 50 Elo better, with 5 % risk of error");
}

#[test]
fn clocks_are_kept() {
    let clock = ["--time", "300ms+5ms", "--per-move", "30ms", "--concurrency", "1"];
    let arguments = ["breakthrough:5x5", "alphabeta", "ordered", "--games", "2"];
    let answer = played(&[&arguments[..], &clock].concat());
    assert_eq!(answer["offences"], json!([]));
    assert!(answer["agents"][0]["nodes"].as_u64().unwrap() > 0);
}

#[test]
fn openings_come_from_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("openings.txt");
    let name = file.to_str().unwrap();
    fs::write(&file, "# one that is nearly won\n1pppp/P1ppp/5/1PPPP/1PPPP w # by white\n").unwrap();
    let arguments = ["breakthrough:5x5", "greedy", "greedy", "--games", "4", "--openings"];
    let answer = played(&[&arguments[..], &[name]].concat());
    assert_eq!(
        answer["seats"],
        json!([{"seat": "white", "points": 400}, {"seat": "black", "points": 0}])
    );
    assert_eq!(answer["pairs"], json!([0, 0, 2, 0, 0]));
    let with_prefix = played(&[&arguments[..], &[&format!("file:{name}")]].concat());
    assert_eq!(answer["signature"], with_prefix["signature"]);

    fs::write(&file, "moves b2b3\nmoves b2b3 b2b3\n").unwrap();
    let run = agon(&[&["match"], &arguments[..], &[name]].concat());
    assert_eq!(run.code, 2);
    assert!(run.err.contains("openings.txt, line 2: "), "{}", run.err);
}

#[test]
fn mistakes_are_reported_before_the_first_game() {
    let cases: &[(&[&str], &[&str])] = &[
        (&["chess", "random", "random"], &["bad variant", "a game: "]),
        (&["breaktrough:6x6", "random", "random"], &["did you mean breakthrough:6x6?"]),
        (&["congo", "random"], &["AGENT"]),
        (&["congo", "random", "random", "random"], &["congo is for 2 agents, not 3"]),
        (&["fauhalma:star3", "random", "random"], &["fauhalma:star3 is for 3 agents, not 2"]),
        (&["congo", "random", "mnimax"], &["mnimax", "did you mean minimax"]),
        (&["congo", "random", "alphabeta:dept=3"], &["did you mean depth"]),
        (&["congo", "random", "greedy:eval=foo"], &["foo", "simple"]),
        (&["congo", "random", "human"], &["human", "agon play"]),
        (&["congo", "random", ""], &["bad agent"]),
        (&["fauhalma:star3", "random", "random", "alphabeta"], &["for two-player games"]),
        (&["congo", "random", "random", "--time", "0s"], &["at least 1ms"]),
        (&["congo", "random", "random", "--time", "5"], &["such as 5m"]),
        (&["congo", "random", "random", "--per-move", "soon"], &["such as 5m"]),
        (&["congo", "random", "random", "--depth", "0"], &["--depth"]),
        (&["congo", "random", "random", "--nodes", "0"], &["--nodes"]),
        (&["congo", "random", "random", "--games", "0"], &["--games"]),
        (&["congo", "random", "random", "--openings", "random:x"], &["such as random:4"]),
        (&["congo", "random", "random", "--openings", "strat"], &["strat", "start, random:N"]),
        (
            &["breakthrough:2x4", "random", "random", "--openings", "random:500"],
            &["no opening of 500 random plies"],
        ),
    ];
    for (arguments, words) in cases {
        let run = agon(&[&["match"], *arguments].concat());
        let error = run.err;
        assert_eq!(run.code, 2, "{arguments:?}: {error}");
        assert!(run.out.is_empty(), "{arguments:?}");
        for word in *words {
            assert!(error.contains(word), "{word:?} in {error}");
        }
    }
}

#[test]
fn help_has_examples() {
    let run = agon(&["match", "--help"]);
    assert!(run.out.contains("Examples:"));
}

#[cfg(unix)]
#[test]
fn a_log_has_the_whole_conversation_and_programs_know_the_data_folder() {
    let folder = tempfile::tempdir().unwrap();
    let [log, data] =
        ["talk.log", "data"].map(|name| folder.path().join(name).display().to_string());
    // A program that records the data folder it is given, and otherwise is Agon.
    let note = folder.path().join("note").display().to_string();
    let command = format!(
        "ugi:/bin/sh -c 'echo $AGON_DATA > \"{note}\"; exec \"{}\" ugi --agent greedy'",
        env!("CARGO_BIN_EXE_agon")
    );
    let arguments = ["match", "breakthrough:5x5", &command, "random", "--games", "2", "--no-store"];
    let run = agon(&[&arguments[..], &["--log", &log, "--data", &data]].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(fs::read_to_string(note).unwrap().trim(), data);
    let talk = fs::read_to_string(&log).unwrap();
    let marks =
        |mark: &str| talk.lines().filter(|line| line.split(' ').nth(2) == Some(mark)).count();
    assert!(marks(">") > 10 && marks("<") > 10, "{talk}");
    for words in
        ["> ugi", "< ugiok", "> position startpos moves ", "> go ", "< bestmove ", "> quit"]
    {
        assert!(talk.contains(words), "{words} in {talk}");
    }
    let nowhere = agon(&[&arguments[..], &["--log", "/nowhere/at/all"]].concat());
    assert!(nowhere.code == 1 && nowhere.err.contains("/nowhere/at/all"), "{}", nowhere.err);
}

#[test]
fn depth_and_speed_are_shown_for_all_agents_that_search() {
    let arguments = ["breakthrough:5x5", "alphabeta", "random", "--depth", "3", "--games", "2"];
    let answer = played(&arguments);
    let [searcher, random] = [&answer["agents"][0], &answer["agents"][1]];
    let depth = searcher["mean_depth"].as_f64().unwrap();
    assert!(depth > 1.0 && depth <= 3.0, "{depth}");
    assert!(searcher["nodes_per_second"].as_u64().unwrap() > 0);
    assert_eq!((&random["mean_depth"], &random["nodes_per_second"]), (&Value::Null, &Value::Null));
    let table = agon(&[&["match"], &arguments[..]].concat()).out;
    let heading = table.lines().find(|line| line.starts_with("agent")).unwrap();
    assert!(heading.contains("nodes/s") && heading.contains("depth"), "{table}");
}

/// Interrupts a match that would take forever.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_match_shows_the_results_so_far_and_that_it_was_stopped() {
    let data = tempfile::tempdir().unwrap();
    let child = Command::new(env!("CARGO_BIN_EXE_agon"))
        .args(["match", "breakthrough:5x5", "random", "random", "--json"])
        .args(["--games", "1000000000", "--concurrency", "1"])
        .env("AGON_DATA", data.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let stored = || {
        let store = Store::open_read_only(data.path());
        store.and_then(|store| store.count_games(&Filter::default())).map_or(0, |(games, _)| games)
    };
    events::wait_until("a game is stored", || stored() > 0);
    events::interrupt(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["stopped"], true);
    assert_eq!(answer["games"], stored(), "what was played is stored");
}

#[test]
fn an_agent_that_never_starts_ends_the_match_with_an_error() {
    let run = agon(&["match", "congo", "ugi:false", "random", "--games", "100"]);
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(run.out.contains("3 games (stopped)"), "{}", run.out);
    let error = &run.err;
    assert!(error.contains("ugi:false could not be started three times in a row"), "{error}");
    assert!(!run.out.contains("verdict"), "{}", run.out);
}

#[test]
fn two_agents_that_never_start_do_not_hide_each_other() {
    let run = agon(&["match", "congo", "ugi:false", "ugi:false", "--games", "100"]);
    assert_eq!(run.code, 1, "{}", run.err);
    // Each of them as white, which is asked first, in every second game.
    assert!(run.out.contains("5 games (stopped)"), "{}", run.out);
}

#[test]
fn a_short_match_without_a_game_fails() {
    let run = agon(&["match", "congo", "ugi:false", "random", "--games", "2"]);
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(run.out.contains("congo  2 games in"), "{}", run.out);
    assert!(run.err.contains("ugi:false could not be started: ended with status 1"), "{}", run.err);
}

/// Keeps all cores busy until it is dropped.
struct Busy(Arc<AtomicBool>);

impl Busy {
    fn new() -> Busy {
        let done = Arc::new(AtomicBool::new(false));
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            let done = done.clone();
            thread::spawn(move || {
                while !done.load(Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        Busy(done)
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

#[test]
fn on_a_busy_machine_no_built_in_agent_loses_on_time() {
    let times = std::env::var("AGON_SOAK").ok().and_then(|times| times.parse().ok());
    let games = times.map_or(4, |times: u32| 4 * times).to_string();
    let _busy = Busy::new();
    let agents = ["breakthrough:5x5", "engine", "engine:lmr=off", "--per-move", "30ms"];
    let rest = ["--games", &games, "--concurrency", "2", "--no-store"];
    let report = played(&[&agents[..], &rest].concat());
    assert_eq!(report["offences"], json!([]));
    assert!(report["disturbed"].as_u64().unwrap() <= report["games"].as_u64().unwrap());
}
