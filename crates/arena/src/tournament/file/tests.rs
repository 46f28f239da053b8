use std::fs;
use std::time::Duration;

use agon_search::AgentError;
use agon_search::spec::AgentInfo;

use super::*;
use crate::agent::Agent;
use crate::player::{Breach, NoAnswer};
use crate::remote::{Limits, Outside, OutsideKind, Remote, Settings};
use crate::tournament::entries::{folder_of, read_entry};
use crate::verdict::Fault;

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
fn a_text_is_read_as_if_it_were_a_file() {
    let file = Path::new("nowhere/spring.toml");
    let tournament = read_text(PLAIN, file, &Registry::built_in()).unwrap();
    assert_eq!((tournament.name.as_str(), tournament.source.as_deref()), ("spring", Some(PLAIN)));
    let error = read_text("formt = 1", file, &Registry::built_in()).unwrap_err().to_string();
    assert!(error.starts_with("nowhere/spring.toml, line 1: unknown key"), "{error}");
    let large = "#".repeat(LARGEST_FILE as usize + 1);
    let error = read_text(&large, file, &Registry::built_in()).unwrap_err().to_string();
    assert!(error.contains("too many for a tournament"), "{error}");
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

#[test]
fn a_format_has_its_own_keys() {
    for (format, keys) in [
        ("round-robin", &[][..]),
        ("gauntlet", &["champions"]),
        ("swiss", &["rounds"]),
        ("contest", &["rounds", "settled", "groups"]),
    ] {
        for key in ["champions", "rounds", "settled", "groups"] {
            let value = if key == "settled" { "1.5" } else { "1" };
            let text = PLAIN.replace("round-robin", format) + &format!("{key} = {value}\n");
            let told = reading(&text).map(drop).map_err(|error| error.to_string());
            let unknown = told.is_err_and(|error| error.contains("unknown key"));
            assert_eq!(!unknown, keys.contains(&key), "{key} in {format}");
        }
    }
}

#[test]
fn champions_need_others() {
    let with = |champions: usize| {
        let text = PLAIN.replace("round-robin", "gauntlet") + &format!("champions = {champions}\n");
        reading(&text).map(drop).map_err(|error| error.to_string())
    };
    assert_eq!(with(2), Ok(()));
    assert!(with(3).unwrap_err().contains("3 agents are too few: at least 4"));
}

#[test]
fn a_name_fits_on_one_line() {
    for good in ["x", " x ", &"é".repeat(100)] {
        assert_eq!(checked_name(good).as_deref(), Ok(good.trim()));
    }
    for bad in ["", "  ", &"x".repeat(101), "two\nlines", "\u{1b}[2J"] {
        assert!(checked_name(bad).is_err(), "{bad:?}");
    }
}

#[test]
fn what_a_tournament_can_hold_is_limited() {
    let told = |text: String| reading(&text).map(drop).map_err(|error| error.to_string());
    let refused = |text: String, word: &str| {
        let error = told(text).unwrap_err();
        assert!(error.contains(word), "{error}");
    };
    let games = |others: usize| {
        let agents = "\"random\", ".repeat(others + 1);
        format!(
            "format = \"gauntlet\"\nvariant = \"breakthrough:5x5\"\nagents = [{agents}]\n\
             games = 1000000\n"
        )
    };
    assert_eq!(told(games(20)), Ok(()));
    refused(games(21), "21000000 games are too many");
    let variants = |count: usize| {
        PLAIN.replace(
            "\"breakthrough:5x5\"",
            &format!("[{}]", "\"breakthrough:5x5\", ".repeat(count)),
        )
    };
    assert_eq!(told(variants(1000)), Ok(()));
    refused(variants(1001), "more than 1000 variants and clocks");
    // Not all with the same name, as each double is given a number.
    let agents = |count: usize| {
        let texts = (0..count).map(|number| format!("\"minimax:depth={}\"", number % 40 + 1));
        let list = texts.collect::<Vec<_>>().join(", ");
        format!("format = \"gauntlet\"\nvariant = \"breakthrough:5x5\"\nagents = [{list}]\n")
    };
    assert_eq!(told(agents(2000)), Ok(()));
    refused(agents(2001), "more than 2000 agents");
}

#[test]
fn openings_are_looked_for_beside_the_file() {
    let file = Path::new("cups/spring.toml");
    let found = |path: &str| beside(file, Openings::File(path.into()));
    assert_eq!(found("book.txt"), Openings::File("cups/book.txt".into()));
    let absolute = std::env::temp_dir().join("book.txt");
    assert_eq!(beside(file, Openings::File(absolute.clone())), Openings::File(absolute));
    assert_eq!(beside(file, Openings::Random(3)), Openings::Random(3));
}

/// The settings of an agent with these keys in a file `cups/spring.toml`.
fn settings_of(keys: &str) -> Settings {
    let (file, text) = (Path::new("cups/spring.toml"), format!("a = {{ agent = \"x\", {keys} }}"));
    let document = Document { file, text: &text };
    let parsed = document.parse().unwrap();
    let section = Section::new(&document, parsed.get_ref(), 0..0);
    read_entry(&section.require("a", "a").unwrap(), file).unwrap().2
}

#[test]
fn a_program_has_the_limits_of_its_table_and_runs_beside_the_file() {
    let plain = settings_of("");
    assert_eq!((plain.folder, plain.limits), (Some("cups".into()), Limits::default()));
    let set = settings_of(
        "memory_mib = 100, processes = 3, cpu = \"10m\", file_mib = 2, open_files = 16, \
         threads = 2, patience = \"7s\", start = \"3s\"",
    );
    let limits = Limits {
        memory: 104_857_600,
        processes: 3,
        cpu: Some(Duration::from_secs(600)),
        file_size: 2_097_152,
        open_files: 16,
        ..Limits::default()
    };
    assert_eq!((set.limits, set.threads), (limits, Some(2)));
    assert_eq!((set.patience, set.start), (Duration::from_secs(7), Duration::from_secs(3)));
    // The greatest that can be set.
    let most = settings_of("memory_mib = 1048576, file_mib = 1048576, open_files = 1048576");
    assert_eq!((most.limits.memory, most.limits.open_files), (1 << 40, 1 << 20));
    assert_eq!(folder_of(Path::new("spring.toml")), None, "the current folder");
}

/// Programs that only run beside a tournament's file, and never start.
#[derive(Debug)]
struct Beside;

impl OutsideKind for Beside {
    fn info(&self) -> AgentInfo {
        AgentInfo {
            name: "beside",
            about: "runs beside the file",
            seats: &[2],
            options: &[],
            manner: agon_search::spec::Manner::Anytime,
        }
    }

    fn outside(&self, command: &str, settings: &Settings) -> Result<Box<dyn Outside>, AgentError> {
        match &settings.folder {
            Some(folder) if folder.join(command).is_file() => Ok(Box::new(Beside)),
            _ => Err(AgentError::new(command.to_string(), "not here".to_string())),
        }
    }
}

impl Outside for Beside {
    fn check(&self, _: &Variant) -> Result<(), String> {
        Ok(())
    }

    fn start(&self, _: &Variant) -> Result<Box<dyn Remote>, NoAnswer> {
        Err(Breach::new(Fault::NoStart, "never").into())
    }
}

#[test]
fn programs_found_by_a_pattern_are_told_apart_by_their_files() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("spring.toml");
    fs::create_dir(folder.path().join("bots")).unwrap();
    for bot in ["a", "b"] {
        fs::write(folder.path().join("bots").join(bot), "").unwrap();
    }
    let agents = "[\"beside:bots/*\", { agent = \"beside:bots/*\", name = \"team\" }, \
                  { agent = \"beside:bots/[a]\", name = \"alone\" }]";
    let list = "[\"random\", \"greedy\", \"alphabeta:depth=2\"]";
    fs::write(&file, PLAIN.replace(list, agents)).unwrap();
    let tournament = read(&file, &Registry::built_in().with(Beside)).unwrap();
    let names: Vec<&str> = tournament.entrants.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["bots/a", "bots/b", "team bots/a", "team bots/b", "alone"]);
}
