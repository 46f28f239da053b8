//! Development tasks: `cargo xtask COMMAND`.

mod mutants;
mod python;
mod setup;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

use anyhow::{Context, Result, bail};

const USAGE: &str = "\
usage: cargo xtask COMMAND

  test [PART …] [--isolation]
                run all checks and tests, or only these parts: lints (formatting and clippy),
                scripts (of the pages), rust (all tests in Rust), docs (documentation and its
                examples), python (the Python package). Installs the browser and the tools that the
                tests of the pages need, if missing (and asks before it uses sudo), and creates a
                virtual environment for the tests of the Python package. With --isolation, a level of
                isolation that this machine cannot give is a failure, not only a remark
  mutants [FILE …] [-OPTION …]
                mutation testing with cargo-mutants: the share of mutants that the tests catch in
                these files, or in the most critical ones; takes its options, such as --shard=1/8
  wheel         build a wheel of the Python package into target/wheels
  perft [GAME]  check the known perft counts of all games, or of one
  ladder        greedy against random, deeper against shallower, in every game, with intervals
  improvements [VARIANT …] [agent=mcts] [only=SWITCH] [games=N] [data=DIR] [positions=FILE]
                measure each improvement of the engine, or of the Monte Carlo search, in matches of
                on against off; positions=FILE writes the endings from which endgame tables are
                measured
  methods [VARIANT] [agent=TEXT …] [games=N] [time=50ms] [seed=N] [data=DIR]
                play the searches for three players in every mix of three, and print a table
  pictures DIR  take screenshots of every page in the light and dark theme and on a phone
  soak [TIMES]  run the random tests TIMES as long (default 60): over 100,000 positions per game
                compared with its reference implementation, over a million hostile inputs for each
                parser of what others send (positions and moves of every game, output of engines,
                commands, the protocols, tournaments, openings, saved games, tables and books),
                simulated tournaments of known strength, all endgame tables of up to four men built and
                verified, 2,000 won endings of each game with them played to the end within their
                distance, tournaments of 500 games that are killed 50 times, tournaments over a
                broker of which every part is killed,
                500 games of hostile agents in Python, over 500 games of programs in sandboxes, ten of
                them hostile, killed and resumed, and whole GGP matches with one-second clocks
                while all cores are busy";

/// The default factor of `soak`.
const SOAK: &str = "60";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match arguments.as_slice() {
        ["test", parts @ ..] if parts.iter().all(|part| is_part(part)) => test(parts),
        ["mutants", rest @ ..] => mutants::run(rest),
        ["wheel"] => python::wheel(),
        ["perft", games @ ..] => perft(games),
        ["ladder"] => example("ladder", &[]),
        ["improvements", rest @ ..] => example("improvements", rest),
        ["methods", rest @ ..] => example("methods", rest),
        ["pictures", folder] => pictures(folder),
        ["soak"] => soak(SOAK),
        ["soak", times] if times.parse::<u32>().is_ok() => soak(times),
        ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\n{error:#}");
            ExitCode::FAILURE
        }
    }
}

/// The parts of the tests, in the order in which they run.
const PARTS: &[&str] = &["scripts", "lints", "rust", "docs", "python"];

/// The option with which a level of isolation that is not available fails the tests.
const ISOLATION: &str = "--isolation";

fn is_part(word: &str) -> bool {
    word == ISOLATION || PARTS.contains(&word)
}

/// Runs these parts of the tests; all of them if none is named.
fn test(words: &[&str]) -> Result<()> {
    let isolation = if words.contains(&ISOLATION) { "required" } else { "" };
    let parts: Vec<&str> = words.iter().copied().filter(|word| *word != ISOLATION).collect();
    if parts.is_empty() || parts.iter().any(|part| !["lints", "docs"].contains(part)) {
        setup::install()?;
    }
    for part in PARTS.iter().filter(|part| parts.is_empty() || parts.contains(part)) {
        match *part {
            "scripts" => setup::check_scripts()?,
            "lints" => lints()?,
            "rust" => rust_tests(isolation)?,
            "docs" => docs()?,
            _ => python::Environment::with_package()?.test()?,
        }
    }
    Ok(())
}

fn lints() -> Result<()> {
    cargo(&["fmt", "--all", "--check"], &[])?;
    cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"], &[])
}

fn rust_tests(isolation: &str) -> Result<()> {
    // Some tests play against agents in Python, which need an interpreter with the package.
    let interpreter = python::Environment::with_package()?.interpreter();
    let python = ("AGON_PYTHON", &*interpreter.to_string_lossy());
    let variables = [python, ("AGON_ISOLATION", isolation)];
    if has_nextest() {
        cargo(&["nextest", "run", "--workspace"], &variables)
    } else {
        cargo(&["test", "--workspace", "--lib", "--bins", "--tests"], &variables)
    }
}

fn docs() -> Result<()> {
    // The comments of the command line's arguments are its help text, not documentation.
    let doc = ["doc", "--workspace", "--exclude", "agon", "--no-deps"];
    cargo(&doc, &[("RUSTDOCFLAGS", "-D warnings")])?;
    cargo(&["test", "--workspace", "--doc"], &[])
}

fn perft(games: &[&str]) -> Result<()> {
    let run = ["run", "--release", "--package", "agon-games", "--example", "perft_table", "--"];
    cargo(&[&run, games].concat(), &[])
}

fn example(name: &str, arguments: &[&str]) -> Result<()> {
    let run = ["run", "--release", "--package", "xtask", "--example", name, "--"];
    cargo(&[&run, arguments].concat(), &[])
}

fn pictures(folder: &str) -> Result<()> {
    setup::install()?;
    let folder = std::path::absolute(folder)?.to_string_lossy().into_owned();
    let tests = ["test", "--package", "agon-web", "--test", "browser", "looks", "--", "--ignored"];
    cargo(&tests, &[("AGON_SCREENSHOTS", &folder)])
}

fn soak(times: &str) -> Result<()> {
    let tests = ["test", "--package", "agon-games", "--package", "agon-search", "--lib", "--tests"];
    cargo(&tests, &[("AGON_SOAK", times)])?;
    let arena = ["test", "--package", "agon-arena", "--lib", "--", "statistics", "fuzz"];
    cargo(&arena, &[("AGON_SOAK", times)])?;
    let protocols = ["test", "--package", "agon-wire", "--lib", "fuzz"];
    cargo(&protocols, &[("AGON_SOAK", times)])?;
    // One test at a time: only the load that a test creates itself should disturb its clocks.
    let wire = ["test", "--package", "agon-wire", "--test", "ggp", "--", "--test-threads", "1"];
    cargo(&wire, &[("AGON_SOAK", times)])?;
    let killed = ["test", "--package", "agon", "--test", "tournament_command", "--test", "lab"];
    cargo(&killed, &[("AGON_SOAK", times)])?;
    let isolated = ["test", "--package", "agon", "--test", "isolated_tournament"];
    cargo(&isolated, &[("AGON_SOAK", times), ("AGON_ISOLATION", "required")])?;
    let machines =
        ["test", "--package", "agon", "--test", "many_machines", "--", "--test-threads", "1"];
    cargo(&machines, &[("AGON_SOAK", times)])?;
    let clocks = ["test", "--package", "agon", "--test", "match_command", "busy_machine"];
    cargo(&clocks, &[("AGON_SOAK", times)])?;
    let attacks =
        ["test", "--package", "agon-web", "--test", "fairness", "--", "--test-threads", "1"];
    cargo(&attacks, &[("AGON_SOAK", times)])?;
    let course = ["test", "--package", "agon", "--test", "aisysproj_server"];
    cargo(&course, &[("AGON_SOAK", times)])?;
    let interpreter = python::Environment::with_package()?.interpreter();
    let agents = ["test", "--package", "agon", "--test", "python_agents"];
    let python = ("AGON_PYTHON", &*interpreter.to_string_lossy());
    cargo(&agents, &[("AGON_SOAK", times), python])
}

/// The target folder.
fn target() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => setup::root().join(folder),
        None => setup::root().join("target"),
    }
}

fn has_nextest() -> bool {
    let version = Command::new(env!("CARGO")).args(["nextest", "--version"]).output();
    version.is_ok_and(|output| output.status.success())
}

fn cargo(arguments: &[&str], environment: &[(&str, &str)]) -> Result<()> {
    run(Command::new(env!("CARGO")).args(arguments).envs(environment.iter().copied()))
}

/// Runs a command, prints it and its time, and fails if it fails.
fn run(command: &mut Command) -> Result<()> {
    let line = line(command);
    println!("\n==> {line}");
    let started = Instant::now();
    let status = command.status().with_context(|| format!("cannot start {line}"))?;
    if !status.success() {
        bail!("failed: {line}");
    }
    println!("==> done in {:.1} s: {line}", started.elapsed().as_secs_f64());
    Ok(())
}

/// A command as it would be typed, with absolute paths shortened to file names.
fn line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let short = |word: &std::ffi::OsStr| {
        let name = Path::new(word).file_name().filter(|_| Path::new(word).is_absolute());
        name.unwrap_or(word).to_string_lossy().into_owned()
    };
    words.map(short).collect::<Vec<_>>().join(" ")
}
