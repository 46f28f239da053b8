//! `agon book build`: the opening book of a variant.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use agon_arena::books::{self, BookFolder};
use agon_arena::files::{shown, write_whole};
use agon_core::Variant;
use agon_games::Table;
use agon_search::book::build::{Builder, Progress, Step};
use agon_search::book::{BookError, Recipe};
use anyhow::{Context, anyhow};
use cpu_time::ProcessTime;
use indicatif::{ProgressBar, ProgressStyle};

use super::threads;
use crate::args::BookBuildArgs;
use crate::data::Data;
use crate::draw::palette::{BOLD, DIM};
use crate::draw::styled;
use crate::failure::bad_input;
use crate::interrupt;
use crate::output::thousands;

/// How often the book is saved.
const SAVED_EVERY: Duration = Duration::from_secs(10);
/// The positions of a book if neither their number nor a time is given.
const POSITIONS: usize = 1000;

/// Builds a book, or goes on with it.
pub(super) fn run(args: &BookBuildArgs, data: &Data) -> anyhow::Result<()> {
    let variant: Variant = args.variant.parse()?;
    let start = data.catalog().open(&variant)?;
    let place = match &args.out {
        Some(file) => Place::File(file.clone()),
        None => Place::Folder(data.books()?, start.variant().clone()),
    };
    let recipe = Recipe { seed: args.seed, nodes: args.nodes, lines: args.lines };
    let mut builder = begin(&*start, recipe, &place, args.force)?;
    let before = builder.progress().positions;
    let (started, cpu_started) = (Instant::now(), ProcessTime::now());
    let most = args.positions.map(|positions| positions as usize);
    let limits =
        Limits { positions: most.or(args.time.is_none().then_some(POSITIONS)), time: args.time };
    let step = expand(&mut builder, &limits, threads(args.threads), &place)?;
    let Progress { positions, plies } = builder.progress();
    let (wall, cpu) = (started.elapsed().as_secs_f64(), cpu_started.elapsed().as_secs_f64());
    let new = thousands((positions - before) as u64);
    let effort = format!(
        "{} positions up to {plies} plies from the start, {new} of them new, in {wall:.1} s, \
         {cpu:.1} s of CPU time",
        thousands(positions as u64)
    );
    let name = styled(BOLD, &shown(&place.file()));
    let mut out = anstream::stdout();
    writeln!(out, "{name}  {}", styled(DIM, &effort))?;
    match step {
        Step::Grown => {}
        Step::Complete => writeln!(out, "complete: there is nothing left to expand")?,
        Step::Stopped => writeln!(out, "stopped; the same command goes on with it")?,
    }
    Ok(())
}

/// Where the book is kept.
enum Place {
    File(PathBuf),
    Folder(BookFolder, Variant),
}

impl Place {
    fn file(&self) -> PathBuf {
        match self {
            Place::File(file) => file.clone(),
            Place::Folder(folder, variant) => folder.file(variant),
        }
    }

    fn write(&self, bytes: &[u8]) -> anyhow::Result<()> {
        let written = match self {
            Place::File(file) => write_whole(file, &[bytes]),
            Place::Folder(folder, variant) => folder.write(variant, bytes),
        };
        written.with_context(|| format!("cannot write {}", shown(&self.file())))
    }
}

/// Begins a book, or goes on with the one that is there.
fn begin(start: &dyn Table, recipe: Recipe, place: &Place, force: bool) -> anyhow::Result<Builder> {
    let explained = |error: BookError| bad_input(error.to_string());
    if force {
        return Builder::new(start, recipe).map_err(explained);
    }
    let file = place.file();
    match books::open(&file) {
        Ok(book) => Builder::resume(start, &book, recipe).map_err(|error| existing(&file, &error)),
        Err(books::Unusable::Missing) => Builder::new(start, recipe).map_err(explained),
        Err(problem @ books::Unusable::Unreadable(_)) => Err(anyhow!("{} {problem}", shown(&file))),
        Err(problem) => Err(existing(&file, &problem)),
    }
}

fn existing(file: &Path, problem: &dyn std::fmt::Display) -> anyhow::Error {
    let advice = "--force starts over, --out writes another file";
    bad_input(format!("cannot go on with {}: {problem}; {advice}", shown(file)))
}

/// When to stop.
struct Limits {
    positions: Option<usize>,
    time: Option<Duration>,
}

impl Limits {
    fn are_reached(&self, positions: usize, time: Duration) -> bool {
        self.positions.is_some_and(|most| positions >= most)
            || self.time.is_some_and(|most| time >= most)
    }
}

/// Expands the book until a limit is reached, and saves it.
fn expand(
    builder: &mut Builder,
    limits: &Limits,
    threads: usize,
    place: &Place,
) -> anyhow::Result<Step> {
    let stop = interrupt::stop_flag();
    let bar = std::io::stderr().is_terminal().then(|| progress_bar(limits));
    let started = Instant::now();
    let mut saved_at = Instant::now();
    let mut last = Step::Grown;
    while last == Step::Grown {
        let Progress { positions, plies } = builder.progress();
        if let Some(bar) = &bar {
            match limits.positions {
                Some(_) => bar.set_position(positions as u64),
                None => bar.set_position(started.elapsed().as_secs()),
            }
            let positions = thousands(positions as u64);
            bar.set_message(format!("{positions} positions, {plies} plies"));
        }
        if limits.are_reached(positions, started.elapsed()) {
            break;
        }
        last = builder.step(threads, &stop).map_err(|error| bad_input(error.to_string()))?;
        if saved_at.elapsed() >= SAVED_EVERY {
            place.write(&builder.encode())?;
            saved_at = Instant::now();
        }
    }
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    // Stopped before the first batch, there is nothing to keep.
    if builder.progress().positions > 0 {
        place.write(&builder.encode())?;
    }
    Ok(last)
}

fn progress_bar(limits: &Limits) -> ProgressBar {
    let (length, unit) = match (limits.positions, limits.time) {
        (Some(positions), _) => (positions as u64, ""),
        (None, time) => (time.unwrap_or_default().as_secs(), " s"),
    };
    let template = format!("{{msg}}  {{wide_bar}} {{human_pos}}/{{human_len}}{unit} {{eta}}");
    let style = ProgressStyle::with_template(&template);
    let bar = ProgressBar::new(length);
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.enable_steady_tick(Duration::from_millis(250));
    bar
}
