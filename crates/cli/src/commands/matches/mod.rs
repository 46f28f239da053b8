//! `agon match`: agents against each other.

mod report;
mod table;

use std::io::IsTerminal;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use agon_arena::contest::Finished;
use agon_arena::course_rating::top_points;
use agon_arena::fixture::whole_groups;
use agon_arena::record::Summary;
use agon_arena::remote::Settings;
use agon_arena::statistics::SprtVerdict;
use agon_arena::tournament::fitting;
use agon_arena::{Agent, AnyRecord, Contest, ContestError, Event, Standings};
use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};

use crate::args::MatchArgs;
use crate::data::Data;
use crate::draw::palette::BOLD;
use crate::draw::styled;
use crate::failure::bad_input;
use crate::interrupt;
use crate::registry::agents;
use report::{Offence, Report};

/// What to do where there is no store.
const NOT_KEPT: &str = "the games cannot be kept; --no-store plays without";

/// Plays a match.
pub(crate) fn run(args: &MatchArgs, data: &Data) -> anyhow::Result<()> {
    let cores = available_parallelism().map_or(1, usize::from);
    let settings = Settings { patience: args.patience, ..Settings::default() };
    let mut contest = Contest {
        variant: args.variant.parse()?,
        agents: agents(&args.agents, &settings)?,
        games: whole_groups(args.games, args.agents.len()),
        pace: args.budget.pace(),
        openings: args.openings.clone(),
        seed: args.seed,
        concurrency: 1,
        sprt: args.sprt,
    };
    let threads = contest.agents.iter().map(Agent::threads).max().unwrap_or(1);
    let wanted = args.concurrency.map(|wanted| wanted as usize);
    contest.concurrency = fitting(cores, threads, wanted, args.oversubscribe);
    if contest.sprt.is_some() && contest.agents.len() != 2 {
        return Err(bad_input("--sprt is for matches of two"));
    }
    let store = match args.no_store {
        true => None,
        false => Some(data.games().context(NOT_KEPT)?),
    };
    data.prepare(&contest.variant);
    let stop = interrupt::stop_flag();
    let started = Instant::now();
    let mut progress = Progress::new(&contest);
    let played = contest.play_into(store.as_ref(), &stop, &mut |event| match event {
        Event::Begins { seat_names, .. } => {
            say_what_differs(args, &contest, cores);
            progress.begin(seat_names);
        }
        Event::Game { record, standings } => progress.show(record, standings),
    });
    progress.finish();
    let Finished { standings, sprt } = played.map_err(|error| match error {
        ContestError::Store(error) => anyhow::Error::new(error).context(NOT_KEPT),
        other => bad_input(other.to_string()),
    })?;
    let decided = sprt.is_some_and(|state| state.verdict != SprtVerdict::Continue);
    let report = Report {
        contest: &contest,
        standings: &standings,
        time: started.elapsed(),
        stopped: standings.games < contest.games && !decided,
        sprt,
        names: progress.names,
        seat_names: progress.seat_names,
        offences: progress.offences,
    };
    if args.json { report.print_json() } else { report.print_table() }
}

/// Says what is not quite as it was asked for.
fn say_what_differs(args: &MatchArgs, contest: &Contest, cores: usize) {
    let games = whole_groups(args.games, args.agents.len());
    if games != args.games {
        let every = if args.agents.len() == 2 { "pairs" } else { "rotations of the seats" };
        anstream::eprintln!("note: {games} games instead of {}: whole {every}", args.games);
    }
    match args.concurrency.map(|wanted| wanted as usize) {
        Some(wanted) if wanted > contest.concurrency => anstream::eprintln!(
            "note: {} games at a time, as many as {cores} processors bear; --oversubscribe allows \
             more",
            contest.concurrency
        ),
        Some(wanted) if wanted > cores => anstream::eprintln!(
            "warning: more games at a time than processors ({cores}): times are those of a \
             crowded machine"
        ),
        _ => {}
    }
}

/// The agents' names, with a number behind those that are given more than once.
fn numbered(agents: &[String]) -> Vec<String> {
    let number = |(index, name): (usize, &String)| {
        let same = |names: &[String]| names.iter().filter(|other| *other == name).count();
        match same(agents) {
            1 => name.clone(),
            _ => format!("{name} #{}", same(&agents[..=index])),
        }
    };
    agents.iter().enumerate().map(number).collect()
}

/// The bar with the running score, in a terminal, and what is noted on the way.
struct Progress {
    bar: Option<ProgressBar>,
    games: u64,
    shown: Instant,
    agents: Vec<String>,
    /// The same, all different.
    names: Vec<String>,
    seat_names: Vec<&'static str>,
    offences: Vec<Offence>,
}

impl Progress {
    /// Often enough to look alive, too seldom to cost anything.
    const INTERVAL: Duration = Duration::from_millis(100);
    /// How many faults are told one by one.
    const OFFENCES: usize = 10;

    fn new(contest: &Contest) -> Progress {
        let agents: Vec<String> = contest.agents.iter().map(ToString::to_string).collect();
        Progress {
            bar: None,
            games: contest.games,
            shown: Instant::now(),
            names: numbered(&agents),
            agents,
            seat_names: Vec::new(),
            offences: Vec::new(),
        }
    }

    fn begin(&mut self, seat_names: Vec<&'static str>) {
        self.seat_names = seat_names;
        self.bar = std::io::stderr().is_terminal().then(|| progress_bar(self.games));
    }

    fn show(&mut self, record: &dyn AnyRecord, standings: &Standings) {
        let Summary { game, seating, verdict, .. } = record.summary();
        if let Some((seat, _)) = verdict.offence()
            && self.offences.len() < Self::OFFENCES
        {
            let entry = usize::from(seating[seat]);
            let agent = self.agents.get(entry).cloned().unwrap_or_default();
            let (seat, what) = (record.seat_name(seat), verdict.to_string());
            self.offences.push(Offence { game: *game, agent, entry, seat, what });
        }
        let Some(bar) = &self.bar else { return };
        if self.shown.elapsed() >= Self::INTERVAL {
            self.shown = Instant::now();
            bar.set_position(standings.games);
            bar.set_message(score_line(&self.names, standings));
        }
    }

    fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// "greedy 12  random 3": wins and half the draws of two; "greedy 1.85  random 0.58  of 2": mean
/// points of more.
fn score_line(names: &[String], standings: &Standings) -> String {
    let players = names.len();
    let mut parts: Vec<String> = Vec::with_capacity(players + 1);
    for (name, agent) in names.iter().zip(&standings.agents) {
        let score = match agent.mean_course_points() {
            Some(mean) if players > 2 => format!("{:.2}", mean.value),
            _ => (agent.points as f64 / 100.0).to_string(),
        };
        parts.push(format!("{name} {}", styled(BOLD, &score)));
    }
    if players > 2 {
        parts.push(format!("of {}", top_points(players)));
    }
    parts.join("  ")
}

fn progress_bar(games: u64) -> ProgressBar {
    let template = "{msg}  {wide_bar} {human_pos}/{human_len} {eta}";
    let style = ProgressStyle::with_template(template);
    let bar = ProgressBar::new(games);
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    // Shown at once and kept going, however long the first game takes.
    bar.enable_steady_tick(Duration::from_millis(250));
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_are_numbered() {
        let names =
            |texts: &[&str]| numbered(&texts.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert_eq!(names(&["engine", "greedy"]), ["engine", "greedy"]);
        assert_eq!(names(&["greedy", "engine", "greedy"]), ["greedy #1", "engine", "greedy #2"]);
    }
}
