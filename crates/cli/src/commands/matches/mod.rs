//! `agon match`: agents against each other.

mod report;

use std::io::IsTerminal;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use agon_arena::contest::whole_groups;
use agon_arena::{AnyRecord, Contest, Registry, Standings};
use agon_search::AgentSpec;
use indicatif::{ProgressBar, ProgressStyle};

use crate::args::MatchArgs;
use crate::draw::palette::BOLD;
use crate::draw::styled;
use crate::failure::bad_input;
use crate::interrupt;
use report::Report;

/// Plays a match.
pub(crate) fn run(args: &MatchArgs) -> anyhow::Result<()> {
    let cores = available_parallelism().map_or(1, usize::from);
    let contest = Contest {
        variant: args.variant.parse()?,
        agents: agents(&args.agents)?,
        games: whole_groups(args.games, args.agents.len()),
        pace: args.budget.pace(),
        openings: args.openings.clone(),
        seed: args.seed,
        concurrency: args.concurrency.map_or(cores, |threads| threads as usize),
    };
    let stop = interrupt::stop_flag();
    let started = Instant::now();
    let mut progress = Progress::new(&contest);
    let played = contest.play(&Registry::built_in(), &stop, &mut |record, standings| {
        // Not before the first game: then nothing is wrong with the match.
        progress.started(args, cores);
        progress.show(record, standings);
    });
    progress.finish();
    let standings = played.map_err(|error| bad_input(error.to_string()))?;
    let report = Report {
        contest: &contest,
        standings: &standings,
        time: started.elapsed(),
        stopped: standings.games < contest.games,
        seat_names: progress.seat_names,
    };
    if args.json { report.print_json() } else { report.print_table() }
}

fn agents(texts: &[String]) -> anyhow::Result<Vec<AgentSpec>> {
    let parse = |text: &String| text.parse().map_err(|error| bad_input(format!("{error}")));
    texts.iter().map(parse).collect()
}

/// The bar with the running score, in a terminal.
struct Progress {
    bar: Option<ProgressBar>,
    begun: bool,
    shown: Instant,
    agents: Vec<String>,
    /// Known from the first game on.
    seat_names: Vec<&'static str>,
}

impl Progress {
    /// Often enough to look alive, too seldom to cost anything.
    const INTERVAL: Duration = Duration::from_millis(100);

    fn new(contest: &Contest) -> Progress {
        let terminal = std::io::stderr().is_terminal();
        let bar = terminal.then(|| progress_bar(contest.games));
        let agents = contest.agents.iter().map(ToString::to_string).collect();
        Progress { bar, begun: false, shown: Instant::now(), agents, seat_names: Vec::new() }
    }

    /// Says, once, what is not quite as it was asked for.
    fn started(&mut self, args: &MatchArgs, cores: usize) {
        if std::mem::replace(&mut self.begun, true) {
            return;
        }
        let games = whole_groups(args.games, args.agents.len());
        if games != args.games {
            let every = if args.agents.len() == 2 { "pairs" } else { "rotations of the seats" };
            self.note(&format!("note: {games} games instead of {}: whole {every}", args.games));
        }
        if args.concurrency.is_some_and(|threads| threads as usize > cores) {
            self.note(&format!(
                "warning: more games at a time than processors ({cores}): \
                 times are those of a crowded machine"
            ));
        }
    }

    /// Puts a line above the bar.
    fn note(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| anstream::eprintln!("{text}")),
            None => anstream::eprintln!("{text}"),
        }
    }

    fn show(&mut self, record: &dyn AnyRecord, standings: &Standings) {
        if self.seat_names.is_empty() {
            let seats = record.summary().seating;
            self.seat_names = seats.iter().map(|(seat, _)| record.seat_name(seat)).collect();
        }
        let Some(bar) = &self.bar else { return };
        if self.shown.elapsed() >= Self::INTERVAL {
            self.shown = Instant::now();
            bar.set_position(standings.games);
            bar.set_message(score_line(&self.agents, standings));
        }
    }

    fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// "greedy 12, random 3": wins and half the draws of two, points of more.
fn score_line(agents: &[String], standings: &Standings) -> String {
    let score = |(name, agent): (&String, &agon_arena::standings::AgentStanding)| {
        format!("{} {}", name, styled(BOLD, &(agent.points as f64 / 100.0).to_string()))
    };
    agents.iter().zip(&standings.agents).map(score).collect::<Vec<_>>().join("  ")
}

fn progress_bar(games: u64) -> ProgressBar {
    let template = "{msg}  {wide_bar} {human_pos}/{human_len} {per_sec} {eta}";
    let style = ProgressStyle::with_template(template);
    ProgressBar::new(games).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
