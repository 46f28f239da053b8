//! `agon solve`: the exact value of a position.

use std::io::{IsTerminal, Write};
use std::path::Path;

use agon_arena::files::{read_text, shown};
use agon_core::Variant;
use agon_games::{Catalog, Table};
use agon_search::solver::text::{Answer, Question, SolveError, solve};
use agon_search::solver::{Options, Progress, Solution, Unknown};
use agon_search::{Budget, Time, proof};
use anyhow::{Context, anyhow};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::args::SolveArgs;
use crate::data::Data;
use crate::draw::palette::{BOLD, DIM};
use crate::draw::styled;
use crate::failure::bad_input;
use crate::output::{print_json, thousands};
use crate::{interrupt, setup};

/// The maximum number of claims in a proof file.
const MOST_CLAIMS: usize = 5_000_000;

/// Solves a position, or checks a proof.
pub(crate) fn run(args: &SolveArgs, data: &Data) -> anyhow::Result<()> {
    if let Some(file) = &args.check {
        return check(data.catalog(), file, args.json);
    }
    let variant: Variant = args.variant.as_deref().unwrap_or_default().parse()?;
    let table =
        setup::opened(data.catalog(), &variant, args.position.as_deref(), args.moves.as_deref())?;
    let question = Question {
        all_moves: args.all,
        proof: args.proof.as_ref().map(|_| MOST_CLAIMS),
        games: args.verify,
    };
    let options = Options { hash_mib: args.hash as usize, threads: args.threads as usize };
    let budget = Budget {
        time: args.time.map(Time::PerMove),
        nodes: args.nodes,
        stop: interrupt::stop_flag(),
        ..Budget::default()
    };
    let bar = std::io::stderr().is_terminal().then(spinner);
    let mut observe = |progress: &Progress| {
        if let Some(bar) = &bar {
            bar.set_message(state_of(progress));
            bar.tick();
        }
    };
    let answer = solve(&*table, &budget, &options, question, &mut observe);
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    let answer = answer.map_err(|error| match error {
        SolveError::Input(problem) => bad_input(problem),
        SolveError::Memory(problem) => anyhow!(problem),
    })?;
    if args.json {
        print_json(&AnswerJson::new(&*table, &answer, args))?;
    } else {
        print(&*table, &answer, args)?;
    }
    if let Some(file) = &args.proof {
        write_proof(file, &answer)?;
    }
    if answer.solution.value.is_some() && answer.reached < args.verify {
        return Err(anyhow!(
            "{} of {} games did not reach the value",
            args.verify - answer.reached,
            args.verify
        ));
    }
    Ok(())
}

fn write_proof(file: &Path, answer: &Answer) -> anyhow::Result<()> {
    let text = answer.proof.as_ref().ok_or_else(|| {
        anyhow!("no proof: the value is unknown, the proof too large, or positions can repeat")
    })?;
    std::fs::write(file, text).with_context(|| format!("cannot write {}", shown(file)))
}

#[derive(Serialize)]
struct CheckJson {
    variant: String,
    position: String,
    value: String,
    claims: usize,
    proven: bool,
}

/// The maximum size of a proof file, in bytes.
const LARGEST_PROOF: u64 = 4 << 30;

/// Checks a written proof.
fn check(catalog: &Catalog, file: &Path, json: bool) -> anyhow::Result<()> {
    let text = read_text(file, LARGEST_PROOF)
        .map_err(|error| bad_input(format!("cannot read {}: {error}", shown(file))))?;
    let proven = proof::check(catalog, &text)
        .map_err(|error| anyhow!("{}: the proof does not hold: {error}", shown(file)))?;
    let proof::Proven { variant, position, value, claims } = proven;
    if json {
        let (variant, value) = (variant.to_string(), value.to_string());
        print_json(&CheckJson { variant, position, value, claims, proven: true })?;
    } else {
        let claims = thousands(claims as u64);
        let mut out = anstream::stdout();
        writeln!(out, "{} {variant}, {position}", styled(BOLD, &value.to_string()))?;
        writeln!(out, "{}", styled(DIM, &format!("proven: all {claims} claims hold")))?;
    }
    Ok(())
}

fn spinner() -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {elapsed} {msg}");
    ProgressBar::new_spinner()
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
}

fn state_of(progress: &Progress) -> String {
    let Progress { nodes, states, table, .. } = *progress;
    let used = (table * 100.0) as u32;
    match states {
        Some(states) => format!("{} positions, {used} % of the memory", thousands(states)),
        None => format!("{} nodes, {used} % of the table", thousands(nodes)),
    }
}

/// The value as a word.
fn word<M>(solution: &Solution<M>) -> String {
    solution.value.map_or("unknown".to_string(), |value| value.to_string())
}

/// Why there is no value, and what would help.
fn why(unknown: Unknown) -> &'static str {
    match unknown {
        Unknown::Nodes => "the node limit was reached; --nodes allows more",
        Unknown::Time => "the time is up; --time allows more",
        Unknown::Memory => "more positions than fit into the memory; --hash allows more",
        Unknown::Stopped => "it was stopped",
        Unknown::Rules => "a rule on repetition or length may end the game earlier",
    }
}

fn print(table: &dyn Table, answer: &Answer, args: &SolveArgs) -> std::io::Result<()> {
    let mut out = anstream::stdout();
    let solution = &answer.solution;
    let mover = table.status().to_move();
    let to_move = mover.map_or("the player without a move", |seat| table.seat_label(seat));
    let distance = solution.distance.map_or(String::new(), |plies| format!(" in {plies} plies"));
    let why = solution.unknown.map_or(String::new(), |unknown| format!(": {}", why(unknown)));
    writeln!(out, "{}{distance} for {to_move}{why}", styled(BOLD, &word(solution)))?;
    if let Some(best) = &solution.best {
        let label = if solution.value.is_some() { "best" } else { "unproven" };
        let line = styled(DIM, &solution.line.join(" "));
        writeln!(out, "{label} {}  {line}", styled(BOLD, best))?;
    }
    for (mv, solution) in &answer.moves {
        let distance = solution.distance.map_or(String::new(), |n| format!(" in {n} plies"));
        writeln!(out, "  {mv:<12} {}{distance}", word(solution))?;
    }
    if args.verify > 0 {
        writeln!(
            out,
            "{} of {} games against random replies reached this value",
            answer.reached, args.verify
        )?;
    }
    let states = solution.states.map_or(String::new(), |n| format!("{} positions, ", thousands(n)));
    let (nodes, seconds) = (thousands(solution.nodes), solution.time.as_secs_f64());
    writeln!(out, "{}", styled(DIM, &format!("{states}{nodes} nodes, {seconds:.3} s")))
}

#[derive(Serialize)]
struct AnswerJson {
    variant: String,
    position: String,
    to_move: Option<String>,
    value: String,
    /// Why the value is unknown; the best move is then unproven.
    #[serde(skip_serializing_if = "Option::is_none")]
    unknown: Option<&'static str>,
    best: Option<String>,
    distance: Option<u32>,
    line: Vec<String>,
    nodes: u64,
    states: Option<u64>,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<MoveJson>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    verified: Option<VerifiedJson>,
}

#[derive(Serialize)]
struct MoveJson {
    #[serde(rename = "move")]
    mv: String,
    value: String,
    distance: Option<u32>,
}

#[derive(Serialize)]
struct VerifiedJson {
    games: u32,
    reached: u32,
}

impl AnswerJson {
    fn new(table: &dyn Table, answer: &Answer, args: &SolveArgs) -> AnswerJson {
        let solution = &answer.solution;
        let moves = answer.moves.iter().map(|(mv, solution)| MoveJson {
            mv: mv.clone(),
            value: word(solution),
            distance: solution.distance,
        });
        let verified = VerifiedJson { games: args.verify, reached: answer.reached };
        AnswerJson {
            variant: table.variant().to_string(),
            position: table.position(),
            to_move: table.to_move().map(str::to_string),
            value: word(solution),
            unknown: solution.unknown.map(Unknown::code),
            best: solution.best.clone(),
            distance: solution.distance,
            line: solution.line.clone(),
            nodes: solution.nodes,
            states: solution.states,
            seconds: solution.time.as_secs_f64(),
            moves: args.all.then(|| moves.collect()),
            verified: (args.verify > 0).then_some(verified),
        }
    }
}
