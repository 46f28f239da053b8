//! `agon tournament run`.

use std::thread::available_parallelism;

use agon_arena::agent::AgentKind;
use agon_arena::files::shown;
use agon_arena::tournament::forecast::forecast;
use agon_arena::tournament::run::{News, RunError, run as play, run_on};
use agon_arena::tournament::summary::TournamentSummary;
use agon_arena::tournament::{Changed, Changes, Entrant, Format, Tournament, changes, read};
use agon_core::printable;
use agon_isolation::Level;
use agon_wire::nats::Orders;
use anyhow::anyhow;

use super::question;
use super::report::Report;
use crate::args::TournamentRunArgs;
use crate::data::Data;
use crate::draw::palette::{ERROR, HEADING};
use crate::draw::styled;
use crate::elsewhere;
use crate::failure::bad_input;
use crate::interrupt;
use crate::output::{rough_time, thousands};
use crate::progress::Progress;
use crate::registry::{isolation_words, open_log, registry_for_strangers, warn_about};

/// Plays or resumes a tournament.
pub(super) fn run(args: &TournamentRunArgs, data: &Data) -> anyhow::Result<()> {
    let log = open_log(args.log.as_deref())?;
    let registry = registry_for_strangers(&args.programs, data).with_log(log.clone());
    let tournament = read(&args.file, &registry);
    let mut tournament = tournament.map_err(|error| bad_input(error.to_string()))?;
    tournament.replay_disturbed = args.replay_disturbed;
    tournament.changed = args.changed.unwrap_or_default();
    let cores = available_parallelism().map_or(1, usize::from);
    let wanted = args.concurrency.map(|n| n as usize);
    let concurrency = tournament.concurrency_on(cores, wanted);
    let mut progress = Progress::new();
    let orders = elsewhere::orders(&args.elsewhere, progress.voice())?;
    announce(&tournament, concurrency, orders.as_ref());
    if args.dry_run {
        return preview(&tournament, data);
    }
    let limits = wanted.or(tournament.concurrency).filter(|_| orders.is_none());
    if limits.is_some_and(|wanted| wanted > concurrency) {
        anstream::eprintln!(
            "note: {concurrency} games at a time, the most for {cores} cores; \
             oversubscribe = true in the file allows more"
        );
    }
    let store = data.games()?;
    if tournament.changed == Changed::Ask && !question::decide(&mut tournament, &store)? {
        return Err(anyhow!("nothing was changed or played"));
    }
    let stop = interrupt::stop_flag();
    let mut listener = |news: News<'_>| match news {
        News::Changed(changes) => say(changes, tournament.changed),
        News::Begins { games, done } => {
            if done > 0 {
                anstream::eprintln!("resuming after {} games", thousands(done));
            }
            progress.begin(games, done);
        }
        News::Game { game, ledger } => {
            progress.show(ledger.games(), || format!("round {}", game.summary.round + 1));
        }
        News::KeepsDying { times, agents } => {
            let entrants = &tournament.entrants;
            let suspects = agents.iter().filter_map(|&agent| entrants.get(usize::from(agent)));
            let suspects: Vec<&Entrant> = suspects.collect();
            anstream::eprintln!("warning: {}", cut_off(times, &suspects));
        }
        News::Withdrawn { name, .. } => {
            let (fault, name) = (styled(ERROR, "fault"), printable(name));
            progress.say(&format!("{fault} {name} is withdrawn after three faults in a row"));
        }
    };
    let played = match &orders {
        None => play(&tournament, Some(&store), concurrency, &stop, &mut listener),
        Some(orders) => {
            let hire = |tournament: &Tournament| elsewhere::hire(orders, tournament);
            run_on(&hire, &tournament, Some(&store), &stop, &mut listener)
        }
    };
    progress.finish();
    warn_about(log.as_ref());
    let is_over = played.map_err(classified)?.is_over;
    if let Some(series) = store.find_tournament(&tournament.name)? {
        let summary = TournamentSummary::of(&store, series)?;
        let report = Report(&summary);
        if args.json { report.print_json()? } else { report.print_table()? }
    }
    if !is_over {
        anstream::eprintln!("stopped; agon tournament run {} resumes it", shown(&args.file));
    }
    Ok(())
}

/// A changed file is bad input, anything else is a failure.
pub(super) fn classified(error: RunError) -> anyhow::Error {
    match error {
        RunError::Changed { .. } | RunError::Refused { .. } | RunError::ProgramChanged { .. } => {
            bad_input(error.to_string())
        }
        other => anyhow::Error::new(other),
    }
}

/// Prints what is new in the file, and refuses what would be refused.
fn preview(tournament: &Tournament, data: &Data) -> anyhow::Result<()> {
    // Without a store nothing has begun, and none is created.
    let Ok(store) = data.games_to_read() else { return Ok(()) };
    if let Some(changes) = changes(tournament, &store).map_err(classified)? {
        say(&changes, tournament.changed);
    }
    Ok(())
}

/// Prints what is new in the file.
fn say(changes: &Changes, decision: Changed) {
    for line in changes.lines(decision) {
        anstream::eprintln!("{}", printable(&line));
    }
}

/// Prints the number of games and a rough estimate of the time.
fn announce(tournament: &Tournament, concurrency: usize, elsewhere: Option<&Orders>) {
    let forecast = forecast(tournament);
    let at_most = matches!(tournament.format, Format::Contest { .. });
    let time = match forecast.at_a_time(concurrency) {
        Some(time) => format!("at most about {}", rough_time(time)),
        None => "no time limit".to_string(),
    };
    let place = match elsewhere {
        None => format!("{concurrency} at a time, {time}"),
        Some(orders) => format!("on the workers of {}", orders.access.shown()),
    };
    anstream::eprintln!(
        "{}  {} of {} agents: {}{} games, {place}",
        styled(HEADING, &tournament.name),
        tournament.format.name(),
        tournament.entrants.len(),
        if at_most { "up to " } else { "" },
        thousands(forecast.games),
    );
    if let Some(words) = isolation_words(tournament.entrants.iter().map(|it| &it.agent)) {
        anstream::eprintln!("{words}");
    }
}

/// That earlier runs were killed, who was playing every time, and what may have been the reason.
fn cut_off(times: u32, suspects: &[&Entrant]) -> String {
    let names: Vec<String> = suspects.iter().map(|it| printable(&it.name).to_string()).collect();
    let could_kill = suspects.iter().any(|it| match it.agent.kind() {
        AgentKind::Outside(outside) => outside.isolation() == Level::None,
        AgentKind::BuiltIn(_) => false,
    });
    let reason = match could_kill {
        true => "a program that is not isolated can kill the arena: isolation = \"sandbox\"",
        false => "isolated programs cannot kill the arena: perhaps the machine ran out of memory",
    };
    let names = names.join(" and ");
    format!("this tournament was killed {times} times, each time while {names} played; {reason}")
}
