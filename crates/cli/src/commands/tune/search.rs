//! `agon tune --search`: tunes the parameters of the engine's search by games.

use std::io::{IsTerminal, Write};
use std::thread::available_parallelism;
use std::time::Duration;

use agon_core::Variant;
use agon_search::Budget;
use agon_search::tune::spsa::{Plan, Tuned, option_text, tune};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use super::explained;
use crate::args::TuneArgs;
use crate::data::Data;
use crate::failure::bad_input;
use crate::files::write_whole;
use crate::interrupt;
use crate::output::print_json;

/// Plays, and shows where the parameters went.
pub(super) fn run(args: &TuneArgs, variants: &[Variant], data: &Data) -> anyhow::Result<()> {
    let [variant] = variants else {
        return Err(bad_input("--search tunes for one variant at a time"));
    };
    let cores = available_parallelism().map_or(1, usize::from);
    let plan = Plan {
        agent: args.agent.parse()?,
        only: args.only.clone(),
        budget: Budget::nodes(args.nodes),
        pairs: args.games.div_ceil(2),
        random_plies: args.random_plies,
        seed: args.seed,
        threads: args.threads.map_or(cores, |threads| threads as usize),
    };
    let stop = interrupt::stop_flag();
    let bar = progress(plan.pairs);
    let tuned =
        tune(data.catalog(), variant, &plan, &stop, &mut |pairs, _| bar.set_position(pairs));
    bar.finish_and_clear();
    let tuned = tuned.map_err(explained)?;
    if let Some(file) = &args.out {
        write_whole(file, &table(&tuned))?;
    }
    if args.json {
        print_json(&Answer::of(variant, &plan, &tuned))?;
        return Ok(());
    }
    let mut out = anstream::stdout().lock();
    write!(out, "{}", table(&tuned))?;
    writeln!(out, "{}", advice(variant, &tuned))?;
    Ok(())
}

/// A line for each parameter: its name, its value before, and its value now.
fn table(tuned: &[Tuned]) -> String {
    let row =
        |it: &Tuned| format!("{:<22} {:>6} {:>6}\n", it.parameter.name, it.before, it.value());
    tuned.iter().map(row).collect()
}

/// What to do with the result.
fn advice(variant: &Variant, tuned: &[Tuned]) -> String {
    match option_text(tuned).as_str() {
        "" => "all parameters kept their defaults".to_string(),
        set => format!("agon match {variant} engine:set={set} engine --per-move 20ms --games 400"),
    }
}

fn progress(pairs: u64) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("pairs {wide_bar} {human_pos}/{human_len} {eta}");
    let bar = ProgressBar::new(pairs);
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.enable_steady_tick(Duration::from_millis(250));
    bar
}

#[derive(Serialize)]
struct Answer<'a> {
    variant: String,
    games: u64,
    parameters: Vec<Row<'a>>,
    agent: String,
}

#[derive(Serialize)]
struct Row<'a> {
    name: &'a str,
    before: i32,
    after: i32,
}

impl<'a> Answer<'a> {
    fn of(variant: &Variant, plan: &Plan, tuned: &'a [Tuned]) -> Answer<'a> {
        let row =
            |it: &'a Tuned| Row { name: it.parameter.name, before: it.before, after: it.value() };
        let agent = match option_text(tuned).as_str() {
            "" => "engine".to_string(),
            set => format!("engine:set={set}"),
        };
        let parameters = tuned.iter().map(row).collect();
        Answer { variant: variant.to_string(), games: 2 * plan.pairs, parameters, agent }
    }
}
