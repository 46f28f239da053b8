use std::fs;

use super::*;
use crate::agent::Agent;

/// Reads this text as a file, in a folder with two programs.
fn reading(text: &str) -> Result<Tournament, FileError> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("spring.toml");
    fs::write(&file, text).unwrap();
    read(&file, &Registry::built_in())
}

const PLAIN: &str = "\
format = \"round-robin\"
variant = \"breakthrough:5x5\"
agents = [\"random\", \"greedy\", \"alphabeta:depth=2\"]
";

#[test]
fn a_short_file_is_enough() {
    let tournament = reading(PLAIN).unwrap();
    assert_eq!(tournament.name, "spring");
    assert_eq!(tournament.format, Format::RoundRobin);
    let names: Vec<&str> = tournament.entrants.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["random", "greedy", "alphabeta:depth=2"]);
    assert_eq!((tournament.games, tournament.seats, tournament.seed), (2, 2, 0));
    assert_eq!(tournament.terms.len(), 1);
    assert_eq!(tournament.terms[0].pace, Pace::default());
}

#[test]
fn everything_can_be_said() {
    let tournament = reading(
        "name = \"Autumn cup\"
         format = \"contest\"
         rounds = 12
         settled = 7.5
         groups = 3
         games = 3
         seed = 42
         concurrency = 1
         [[terms]]
         variant = [\"breakthrough:5x5\", \"breakthrough:6x6\"]
         per_move = [\"1s\", \"250ms\"]
         openings = \"random:2\"
         [[terms]]
         variant = \"breakthrough:8x8,classic\"
         time = \"10s+100ms\"
         depth = 4
         [[agents]]
         name = \"mine\"
         agent = \"engine\"
         options = { level = 3, threads = \"2\", tt = false }
         memory_mib = 100
         processes = 3
         cpu = \"10m\"
         file_mib = 1
         open_files = 16
         [[agents]]
         agent = \"random\"
         [[agents]]
         agent = \"random\"",
    )
    .unwrap();
    assert_eq!(tournament.name, "Autumn cup");
    assert_eq!(tournament.format, Format::Contest { rounds: 12, settled: 7.5, groups: 3 });
    assert_eq!((tournament.games, tournament.seed, tournament.concurrency), (4, 42, Some(1)));
    let terms: Vec<String> =
        tournament.terms.iter().map(|it| format!("{} {}", it.variant, it.pace)).collect();
    assert_eq!(
        terms,
        [
            "breakthrough:5x5 1s a move",
            "breakthrough:6x6 1s a move",
            "breakthrough:5x5 250ms a move",
            "breakthrough:6x6 250ms a move",
            "breakthrough:8x8,classic 10s+100ms a game, depth 4",
        ]
    );
    let names: Vec<&str> = tournament.entrants.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["mine", "random", "random #2"]);
    assert_eq!(tournament.entrants[0].agent.text(), "engine:level=3,threads=2,tt=off");
    assert_eq!(tournament.entrants[0].agent.threads(), 2);
    assert_eq!(tournament.concurrency_on(8, None), 1, "the file says so");
}

#[test]
fn games_at_a_time_fit_the_processors() {
    assert_eq!(fitting_of(8, 1, None, false), 8);
    assert_eq!(fitting_of(8, 2, None, false), 4);
    assert_eq!(fitting_of(8, 2, Some(3), false), 3);
    assert_eq!(fitting_of(8, 2, Some(20), false), 4);
    assert_eq!(fitting_of(8, 2, Some(20), true), 20);
    assert_eq!(fitting_of(2, 16, None, false), 1);
}

fn fitting_of(processors: usize, threads: usize, wanted: Option<usize>, forced: bool) -> usize {
    let spec = format!("engine:threads={threads}").parse().unwrap();
    super::super::fitting(processors, &[Agent::built_in(spec)], wanted, forced)
}

#[test]
fn a_mistake_is_shown_with_its_line_and_what_would_be_right() {
    let with = |line: &str| format!("{PLAIN}{line}\n");
    let instead = |key: &str, line: &str| -> String {
        let lines = PLAIN.lines().map(|old| if old.starts_with(key) { line } else { old });
        lines.collect::<Vec<_>>().join("\n")
    };
    let cases: &[(String, usize, &[&str])] = &[
        (with("formt = \"swiss\""), 4, &["unknown key \"formt\"", "did you mean format"]),
        (with("seed = -1"), 4, &["expected a number from 0"]),
        (with("games = \"two\""), 4, &["expected the games of a meeting from 1"]),
        (with("games = 0"), 4, &["from 1 to"]),
        (
            with("games = 1000000").replace("\"random\",", &"\"random\", ".repeat(50)),
            4,
            &["games are too many"],
        ),
        (with("per_move = \"0s\""), 4, &["bad time \"0s\"", "at least 1ms"]),
        (with("per_move = \"5\""), 4, &["such as 5m"]),
        (with("time = \"1s+\""), 4, &["bad time"]),
        (with("openings = \"random:9999\""), 4, &["random:N"]),
        (with("openings = \"nowhere.txt\""), 2, &["cannot read openings", "nowhere.txt"]),
        (with("x = = 1"), 4, &["spring.toml, line 4"]),
        (instead("format", "format = \"swis\""), 1, &["unknown format", "did you mean swiss"]),
        (instead("format", ""), 1, &["format is missing", "round-robin"]),
        (instead("variant", "variant = \"breakthru:5x5\""), 2, &["bad variant"]),
        (
            "format = \"swiss\"\nagents = [\"gredy\"]\nvariant = \"breakthru:5x5\"".into(),
            2,
            &["did you mean greedy"],
        ),
        (instead("variant", "variant = 5"), 2, &["expected a variant, found integer"]),
        (instead("variant", "variant = [\"congo\", \"fauhalma:star3\"]"), 2, &["for 3 players"]),
        (instead("agents", "agents = [\"random\", \"greeedy\"]"), 3, &["did you mean greedy"]),
        (instead("agents", "agents = [\"random\"]"), 3, &["1 agents are too few", "at least 2"]),
        (instead("agents", "agents = [\"random\", \"human\"]"), 3, &["agon play"]),
        (instead("agents", "agents = [\"random\", \"minimax:depht=2\"]"), 3, &["depth"]),
        (instead("agents", "agents = [\"random\", { agnt = \"x\" }]"), 3, &["did you mean agent"]),
        (
            instead("agents", "agents = [\"random\", { agent = \"greedy\", nmae = \"x\" }]"),
            3,
            &["unknown key \"nmae\"", "did you mean name"],
        ),
        (
            instead(
                "agents",
                "agents = [{ agent = \"random\", name = \"x\" }, { agent = \"greedy\", name = \"x\" }]",
            ),
            3,
            &["the name \"x\" is given twice"],
        ),
    ];
    for (text, line, words) in cases {
        let error = reading(text).map(|_| ()).unwrap_err();
        assert_eq!(error.line(), Some(*line), "{text}\n{error}");
        let shown = error.to_string();
        assert!(words.iter().all(|word| shown.contains(word)), "{text}\n{shown}");
        assert!(shown.contains('^'), "{shown}");
    }
}

#[test]
fn three_players_need_agents_for_three() {
    let text = PLAIN.replace("breakthrough:5x5", "fauhalma:star3");
    let error = reading(&text).map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("alphabeta is for two-player games"), "{error}");
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let error = read(Path::new("no such.toml"), &Registry::built_in()).map(|_| ()).unwrap_err();
    assert!(error.to_string().contains("no such.toml: cannot read the tournament"));
}

#[test]
fn names_that_nobody_gave_get_numbers() {
    let text = PLAIN.replace(
        "[\"random\", \"greedy\",",
        "[{ agent = \"engine\", options = { level = 1 } }, { agent = \"engine\", options = \
         { level = 2 } }, { agent = \"random\", name = \"engine #2\" },",
    );
    let tournament = reading(&text).unwrap();
    let names: Vec<&str> = tournament.entrants.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["engine", "engine #3", "engine #2", "alphabeta:depth=2"]);
}

#[test]
fn a_file_of_openings_is_known_by_what_is_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("spring.toml");
    fs::write(&file, format!("{PLAIN}openings = \"book.txt\"\n")).unwrap();
    let plan = |moves: &str| {
        fs::write(folder.path().join("book.txt"), moves).unwrap();
        let plan = read(&file, &Registry::built_in()).unwrap().plan();
        plan["terms"].to_string()
    };
    let one = plan("moves a2a3\n");
    assert!(one.contains("file:book.txt "), "{one}");
    assert!(!one.contains(&folder.path().display().to_string()), "wherever it is");
    assert_ne!(one, plan("moves b2b3\n"));
    assert_eq!(one, plan("moves a2a3\n"));
}
