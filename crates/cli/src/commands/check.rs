//! `agon check`: whether an agent plays correctly.

use std::io::Write;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use agon_arena::RunError;
use agon_arena::check::{CheckError, CheckOptions, Line, Mark, check};
use agon_arena::remote::Settings;
use agon_arena::venue::VenueError;
use agon_core::Variant;
use agon_core::printable_lines;
use anyhow::anyhow;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::args::CheckArgs;
use crate::data::Data;
use crate::draw::palette::{BOLD, DIM, ERROR, GOOD};
use crate::draw::styled;
use crate::failure::{AlreadyReported, bad_input};
use crate::interrupt;
use crate::output::print_json;
use crate::registry::{isolation_words, open_log, registry, warn_about};

/// The length of the longest name of a scenario.
const WIDTH: usize = 43;

#[derive(Serialize)]
struct CheckJson<'a> {
    variant: String,
    agent: &'a str,
    passed: bool,
    checks: Vec<LineJson<'a>>,
}

#[derive(Serialize)]
struct LineJson<'a> {
    name: &'a str,
    verdict: &'static str,
    detail: &'a str,
    seconds: f64,
}

/// A spinner, in a terminal: some checks take minutes.
fn spinner() -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} checking, {elapsed}");
    let sign = ProgressBar::new_spinner();
    sign.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    sign.enable_steady_tick(Duration::from_millis(200));
    sign
}

/// Checks an agent, and fails if it fails.
pub(crate) fn run(args: &CheckArgs, data: &Data) -> anyhow::Result<()> {
    let variant: Variant = args.variant.parse()?;
    // Opened here as well, because this error shows the position of the mistake.
    let variant = data.catalog().open(&variant)?.variant().clone();
    let settings =
        Settings { patience: args.patience, start: args.patience, ..Settings::default() };
    let log = open_log(args.log.as_deref())?;
    let registry = registry(&args.programs, data).with_log(log.clone());
    let agent = registry.agent(&args.agent, &settings)?;
    let options = CheckOptions {
        catalog: data.catalog().clone(),
        per_move: args.per_move,
        game: args.time,
        games: args.games,
        concurrency: args
            .concurrency
            .map_or_else(|| default_concurrency(agent.threads()), |n| n as usize),
        seed: args.seed,
    };
    isolation_words([&agent]).iter().for_each(|words| anstream::eprintln!("{words}"));
    let began = Instant::now();
    let stop = interrupt::stop_flag();
    let mut lines = Vec::new();
    let mut printed = Ok(());
    let busy = spinner();
    let passed = check(&variant, &agent, &options, &stop, &mut |line| {
        if !args.json && printed.is_ok() {
            printed = busy.suspend(|| print_line(line));
            if printed.is_err() {
                // The output was closed.
                stop.stop();
            }
        }
        lines.push(line.clone());
    });
    busy.finish_and_clear();
    warn_about(log.as_ref());
    printed?;
    let passed = passed.map_err(|error| match error {
        CheckError::Stopped
        | CheckError::Run(RunError::System { .. } | RunError::Venue(VenueError::System(_))) => {
            anyhow!("{error}")
        }
        CheckError::Run(_) => bad_input(error.to_string()),
    })?;
    if args.json {
        let checks = lines.iter().map(line_json).collect();
        print_json(&CheckJson {
            variant: variant.to_string(),
            agent: agent.text(),
            passed,
            checks,
        })?;
    } else {
        print_closing(&agent.to_string(), &variant, &lines, began.elapsed().as_secs_f64())?;
    }
    if passed { Ok(()) } else { Err(AlreadyReported.into()) }
}

/// A number of games at a time that leaves cores for whatever else the agents and the machine do.
fn default_concurrency(threads: usize) -> usize {
    let cores = available_parallelism().map_or(1, usize::from);
    (cores / 2 / threads.max(1)).max(1)
}

fn line_json(line: &Line) -> LineJson<'_> {
    LineJson {
        name: &line.name,
        verdict: line.verdict.word(),
        detail: &line.detail,
        seconds: line.time.as_secs_f64(),
    }
}

fn print_line(line: &Line) -> std::io::Result<()> {
    let mut out = anstream::stdout().lock();
    let (mark, detail) = match line.verdict {
        Mark::Passed => (styled(GOOD, "✓"), styled(DIM, &line.detail)),
        Mark::Failed => (styled(ERROR, "✗"), printable_lines(&line.detail).into_owned()),
        Mark::Skipped => (styled(DIM, "–"), styled(DIM, &format!("skipped: {}", line.detail))),
    };
    let mut lines = detail.lines();
    let first = lines.next().unwrap_or_default();
    writeln!(out, "{mark} {}  {first}", styled(BOLD, &format!("{:<WIDTH$}", line.name)))?;
    // What was sent to a program, and what came back.
    lines.try_for_each(|line| writeln!(out, "    {line}"))?;
    out.flush()
}

/// The result in a sentence.
fn print_closing(
    agent: &str,
    variant: &Variant,
    lines: &[Line],
    seconds: f64,
) -> std::io::Result<()> {
    let count = |mark| lines.iter().filter(|line| line.verdict == mark).count();
    let (passed, failed) = (count(Mark::Passed), count(Mark::Failed));
    let result = match failed {
        0 => styled(GOOD, &format!("is fit to play {variant}")),
        _ => styled(ERROR, &format!("failed {failed} of {} checks", passed + failed)),
    };
    let skipped = match count(Mark::Skipped) {
        0 => String::new(),
        skipped => format!(", {skipped} skipped"),
    };
    writeln!(
        anstream::stdout().lock(),
        "\n{agent} {result} ({passed} passed{skipped}, {seconds:.1} s)"
    )
}
