//! `agon tune`: fits the weights of evaluations to games.

mod report;
mod search;

use std::io::{IsTerminal, Write};
use std::path::Path;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use agon_arena::files::{read_text, shown};
use agon_core::Variant;
use agon_search::tune::regression::Options;
use agon_search::tune::selfplay::Plan;
use agon_search::tune::{Material, Subject, Tallies, TuneError, fit, play, positions};
use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};

use crate::args::TuneArgs;
use crate::data::Data;
use crate::failure::bad_input;
use crate::files::write_whole;
use crate::interrupt;
use report::Report;

/// Plays, fits and shows the result.
pub(crate) fn run(args: &TuneArgs, data: &Data) -> anyhow::Result<()> {
    let started = Instant::now();
    let variants: Vec<Variant> =
        args.variants.iter().map(|text| text.parse()).collect::<Result<_, _>>()?;
    if args.search {
        return search::run(args, &variants, data);
    }
    let subject = Subject::of(data.catalog(), &variants).map_err(explained)?;
    let material = match &args.positions {
        Some(file) => read(&subject, file)?,
        None => played(args, &subject)?,
    };
    if let (Some(file), Some(text)) = (&args.save, &material.text) {
        write_whole(file, text)?;
    }
    let options = Options { blend: args.blend, leeway: f64::from(args.leeway) };
    let stop = interrupt::stop_flag();
    let fit = fit(&subject, &material.samples, &options, &stop).map_err(explained)?;
    let time = started.elapsed();
    let report = Report { args, subject: &subject, material: &material, fit: &fit, time };
    if let Some(file) = &args.out {
        write_whole(file, &report.weights_file())?;
    }
    if args.json {
        return report.print_json();
    }
    match args.out {
        Some(_) => report.write_table(&mut anstream::stdout().lock())?,
        // The table is for people, the weights for a file: `agon tune … > tuned.txt`.
        None => {
            report.write_table(&mut anstream::stderr().lock())?;
            std::io::stdout().write_all(report.weights_file().as_bytes())?;
        }
    }
    Ok(())
}

fn played(args: &TuneArgs, subject: &Subject) -> anyhow::Result<Material> {
    let cores = available_parallelism().map_or(1, usize::from);
    let plan = Plan {
        agent: args.agent.parse()?,
        nodes: Some(args.nodes),
        games: args.games,
        random_plies: args.random_plies / 2..=args.random_plies,
        seed: args.seed,
        threads: args.threads.map_or(cores, |threads| threads as usize),
    };
    let stop = interrupt::stop_flag();
    let mut progress = Progress::new(args.games * subject.variants.len() as u64);
    let material =
        play(subject, &plan, args.save.is_some(), &stop, &mut |tallies| progress.show(tallies));
    progress.finish();
    material.map_err(explained)
}

/// The maximum size of a file of positions, in bytes.
const LARGEST_FILE: u64 = 4 << 30;

fn read(subject: &Subject, file: &Path) -> anyhow::Result<Material> {
    let text =
        read_text(file, LARGEST_FILE).with_context(|| format!("cannot read {}", shown(file)));
    let material = positions::read(subject, &text?);
    material.map_err(|error| explained(error).context(format!("in {}", shown(file))))
}

/// All errors but a stop are about the input.
fn explained(error: TuneError) -> anyhow::Error {
    match error {
        TuneError::Stopped => anyhow::anyhow!("stopped; nothing was written"),
        TuneError::Nothing(problem) => bad_input(problem),
        other => bad_input(other.to_string()),
    }
}

/// The progress bar, in a terminal.
struct Progress {
    bar: Option<ProgressBar>,
    shown: Instant,
}

impl Progress {
    /// How often the bar is updated: often enough to look alive, rarely enough to cost nothing.
    const INTERVAL: Duration = Duration::from_millis(100);

    fn new(games: u64) -> Progress {
        let bar = std::io::stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template(
                "games  {msg}  {wide_bar} {human_pos}/{human_len} {eta}",
            );
            let bar = ProgressBar::new(games);
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar.enable_steady_tick(Duration::from_millis(250));
            bar
        });
        Progress { bar, shown: Instant::now() }
    }

    fn show(&mut self, tallies: &Tallies) {
        let Some(bar) = &self.bar else { return };
        if self.shown.elapsed() >= Self::INTERVAL {
            self.shown = Instant::now();
            bar.set_position(tallies.games);
            let Tallies { wins, draws, losses, .. } = tallies;
            bar.set_message(format!("+{wins} ={draws} −{losses}"));
        }
    }

    fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
