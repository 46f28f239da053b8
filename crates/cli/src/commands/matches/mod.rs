//! `agon match`: agents against each other.

mod report;
mod table;

use std::thread::available_parallelism;
use std::time::Instant;

use agon_arena::course_rating::top_points;
use agon_arena::fixture::whole_groups;
use agon_arena::remote::Settings;
use agon_arena::tournament::run::NeverStarts;
use agon_arena::tournament::{Tournament, fitting};
use agon_arena::venue::VenueError;
use agon_arena::{GameSummary, Ledger, Match, News, RunError};
use agon_core::Seat;
use agon_games::Table;
use anyhow::{Context, anyhow};

use crate::args::MatchArgs;
use crate::commands::records::seat_names;
use crate::data::Data;
use crate::draw::palette::BOLD;
use crate::draw::styled;
use crate::elsewhere;
use crate::failure::bad_input;
use crate::interrupt;
use crate::progress::Progress;
use crate::registry::{agents, isolation_words, open_log, registry, warn_about};
use report::{Offence, Report};

/// Advice if there is no store.
const NOT_KEPT: &str = "the games cannot be stored; --no-store plays without storing them";

/// Plays a match.
pub(crate) fn run(args: &MatchArgs, data: &Data) -> anyhow::Result<()> {
    let cores = available_parallelism().map_or(1, usize::from);
    let settings = Settings { patience: args.patience, ..Settings::default() };
    let log = open_log(args.log.as_deref())?;
    let registry = registry(&args.programs, data).with_log(log.clone());
    let mut setup = Match {
        catalog: data.catalog().clone(),
        variant: args.variant.parse()?,
        agents: agents(&args.agents, &settings, &registry)?,
        games: whole_groups(args.games, args.agents.len()),
        pace: args.budget.pace(),
        openings: args.openings.clone(),
        seed: args.seed,
        concurrency: 1,
        sprt: args.sprt,
        replay_disturbed: args.replay_disturbed,
        reference_speed: args.reference_speed,
    };
    let mut progress = Progress::new();
    let orders = elsewhere::orders(&args.elsewhere, progress.voice())?;
    let wanted = args.concurrency.map(|wanted| wanted as usize);
    setup.concurrency = fitting(cores, &setup.agents, wanted, args.oversubscribe);
    if setup.sprt.is_some() && setup.agents.len() != 2 {
        return Err(bad_input("--sprt is for matches of two agents"));
    }
    let store = match args.no_store {
        true => None,
        false => Some(data.games().context(NOT_KEPT)?),
    };
    let stop = interrupt::stop_flag();
    let started = Instant::now();
    let mut notes = Notes::new(&setup);
    let mut listener = |news: News<'_>| match news {
        News::Begins { games, done } => {
            if orders.is_none() {
                note_adjustments(args, &setup, cores);
            }
            isolation_words(&setup.agents).iter().for_each(|words| anstream::eprintln!("{words}"));
            progress.begin(games, done);
        }
        News::Game { game, ledger } => {
            notes.take(&game.summary);
            progress.show(ledger.games(), || score_line(&notes.names, ledger));
        }
        News::Withdrawn { .. } | News::Changed(_) | News::KeepsDying { .. } => {}
    };
    let played = match &orders {
        None => setup.play(store.as_ref(), &stop, &mut listener),
        Some(orders) => {
            let hire = |tournament: &Tournament| elsewhere::hire(orders, tournament);
            setup.play_on(&hire, store.as_ref(), &stop, &mut listener)
        }
    };
    progress.finish();
    warn_about(log.as_ref());
    let run = played.map_err(|error| match error {
        RunError::Store(error) => anyhow::Error::new(error).context(NOT_KEPT),
        RunError::System { .. } | RunError::Venue(VenueError::Elsewhere(_)) => error.into(),
        other => bad_input(other.to_string()),
    })?;
    let report = Report { setup: &setup, run: &run, time: started.elapsed(), notes };
    if args.json {
        report.print_json()?;
    } else {
        report.print_table()?;
    }
    match &run.given_up {
        Some(NeverStarts { agent, evidence }) => {
            let agent = setup.agents.get(usize::from(*agent)).map(ToString::to_string);
            let agent = agent.unwrap_or_default();
            let times = if run.is_over { "" } else { " three times in a row" };
            Err(anyhow!("{agent} could not be started{times}: {evidence}"))
        }
        None => Ok(()),
    }
}

/// Prints what was adjusted in the requested match.
fn note_adjustments(args: &MatchArgs, setup: &Match, cores: usize) {
    let games = whole_groups(args.games, args.agents.len());
    if games != args.games {
        let every = if args.agents.len() == 2 { "pairs" } else { "rotations of the seats" };
        anstream::eprintln!("note: {games} games instead of {}: whole {every}", args.games);
    }
    let one = setup.agents.iter().find(|agent| agent.plays_one_game());
    match args.concurrency.map(|wanted| wanted as usize) {
        Some(wanted)
            if wanted > 1
                && let Some(agent) = one =>
        {
            anstream::eprintln!("note: 1 game at a time, as {agent} can play only one");
        }
        Some(wanted) if wanted > setup.concurrency => anstream::eprintln!(
            "note: {} games at a time, the most for {cores} cores; --oversubscribe allows more",
            setup.concurrency
        ),
        Some(wanted) if wanted > cores => anstream::eprintln!(
            "warning: more games at a time than cores ({cores}): time losses and times per move are \
             not reliable"
        ),
        _ => {}
    }
}

/// The agents' names, numbered if they are given more than once.
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

/// How many faults are shown in detail.
const OFFENCES: usize = 10;

/// Names, and the first faults.
struct Notes {
    /// The agents' names, all different.
    names: Vec<String>,
    seat_names: Vec<String>,
    /// The names of the seats for people.
    seat_labels: Vec<String>,
    agents: Vec<String>,
    /// The first faults.
    offences: Vec<Offence>,
}

impl Notes {
    fn new(setup: &Match) -> Notes {
        let shown: Vec<String> = setup.agents.iter().map(ToString::to_string).collect();
        let agents = setup.agents.iter().map(|agent| agent.text().to_string()).collect();
        let (names, seat_names) =
            (numbered(&shown), seat_names(&setup.catalog, &setup.variant.to_string()));
        let table = setup.catalog.open(&setup.variant).ok();
        let labels = |table: Box<dyn Table>| {
            Seat::all(table.seats()).map(|seat| table.seat_label(seat).to_string()).collect()
        };
        let seat_labels = table.map_or_else(Vec::new, labels);
        Notes { names, seat_names, seat_labels, agents, offences: Vec::new() }
    }

    fn take(&mut self, game: &GameSummary) {
        if let Some((seat, _)) = game.offence()
            && self.offences.len() < OFFENCES
        {
            let entry = usize::from(game.seating[seat]);
            let agent = self.agents.get(entry).cloned().unwrap_or_default();
            let seat = self.seat_names.get(seat.index()).cloned().unwrap_or_default();
            let what = game.ending();
            self.offences.push(Offence { game: game.number, agent, entry, seat, what });
        }
    }
}

/// "greedy 12  random 3": wins and half the draws, for two; "greedy 1.85  random 0.58  of 2": mean
/// points, for more.
fn score_line(names: &[String], ledger: &Ledger) -> String {
    let players = names.len();
    let mut parts: Vec<String> = Vec::with_capacity(players + 1);
    for (name, agent) in names.iter().zip(ledger.agents()) {
        let score = match agent.mean_course_points() {
            Some(mean) if players > 2 => format!("{:.2}", mean.value),
            _ => (agent.results.points as f64 / 100.0).to_string(),
        };
        parts.push(format!("{name} {}", styled(BOLD, &score)));
    }
    if players > 2 {
        parts.push(format!("of {}", top_points(players)));
    }
    parts.join("  ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn duplicates_are_numbered() {
        let names =
            |texts: &[&str]| numbered(&texts.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert_eq!(names(&["engine", "greedy"]), ["engine", "greedy"]);
        assert_eq!(names(&["greedy", "engine", "greedy"]), ["greedy #1", "engine", "greedy #2"]);
    }
}
