//! What a check concludes from what it saw.

use std::time::Duration;

use agon_core::Seat;
use agon_games::{Scenario, Task};

use super::Mark;
use crate::clock::Pace;
use crate::game_summary::{Effort, FinishedGame};
use crate::session::TableSession;
use crate::verdict::{Fault, Verdict};
use crate::words::thousands;

/// A mark and the reason for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Found {
    pub(super) mark: Mark,
    pub(super) detail: String,
}

pub(super) fn passed(detail: impl Into<String>) -> Found {
    Found { mark: Mark::Passed, detail: detail.into() }
}

pub(super) fn failed(detail: impl Into<String>) -> Found {
    Found { mark: Mark::Failed, detail: detail.into() }
}

pub(super) fn skipped(detail: impl Into<String>) -> Found {
    Found { mark: Mark::Skipped, detail: detail.into() }
}

/// A game of the agent against random agents.
#[derive(Clone, Debug)]
pub(super) struct Trial {
    /// The agent's seat.
    seat: String,
    /// How many moves it made.
    moves: usize,
    /// The longest it took for one.
    slowest: Duration,
    /// What it did wrong, with the evidence.
    offence: Option<(Fault, String)>,
}

impl Trial {
    /// The game from the agent's side.
    pub(super) fn new(game: &FinishedGame, seat: Seat, name: String) -> Trial {
        let FinishedGame { summary, stored } = game;
        let offence = summary.offence().filter(|(offender, _)| *offender == seat);
        let moves = stored.iter().flat_map(|game| game.movers.iter().zip(&game.times));
        let times: Vec<Duration> =
            moves.filter(|(mover, _)| **mover == seat).map(|(_, time)| *time).collect();
        Trial {
            seat: name,
            moves: times.len(),
            slowest: times.iter().max().copied().unwrap_or_default(),
            offence: offence.map(|(_, fault)| (fault, summary.ending())),
        }
    }

    /// What it did wrong, other than being late.
    fn violation(&self) -> Option<String> {
        let (fault, evidence) = self.offence.as_ref()?;
        (!is_late(*fault)).then(|| format!("as {}: {evidence}", self.seat))
    }

    /// Whether it never answered.
    pub(super) fn stalled(&self) -> bool {
        matches!(self.offence, Some((Fault::Stalled, _)))
    }

    /// How it was late, if it was.
    fn delay(&self) -> Option<String> {
        let (fault, evidence) = self.offence.as_ref()?;
        let too_long = is_late(*fault) || *fault == Fault::Stalled;
        too_long.then(|| format!("as {}: {evidence}", self.seat))
    }
}

fn is_late(fault: Fault) -> bool {
    matches!(fault, Fault::MoveTooSlow | Fault::ClockOver)
}

/// Whether all games were complete and every move was legal.
pub(super) fn by_the_rules(games: &[Trial]) -> Found {
    let violations: Vec<String> = games.iter().filter_map(Trial::violation).collect();
    if !violations.is_empty() {
        return failed(violations.join("\n"));
    }
    if games.iter().any(|game| game.offence.is_some()) {
        return skipped("it was too slow to complete a game from every seat");
    }
    let seats: Vec<&str> = games.iter().map(|game| &*game.seat).collect();
    let moves: usize = games.iter().map(|game| game.moves).sum();
    passed(format!("a complete game as {}, {moves} moves", seats.join(" and as ")))
}

/// Whether no game was lost on time.
pub(super) fn in_time(games: &[Trial], pace: &Pace) -> Found {
    let delays: Vec<String> = games.iter().filter_map(Trial::delay).collect();
    let moves: usize = games.iter().map(|game| game.moves).sum();
    if !delays.is_empty() {
        return failed(delays.join("\n"));
    }
    if moves == 0 {
        return skipped("it made no move");
    }
    let slowest = games.iter().map(|game| game.slowest).max().unwrap_or_default();
    passed(format!("{pace}: {moves} moves, the slowest took {}", seconds(slowest)))
}

/// Whether a program that has played a game can play another.
pub(super) fn goes_on(first: &Trial, second: &Trial) -> Found {
    if let Some(violation) = first.violation() {
        return skipped(format!("the first game was not completed; {violation}"));
    }
    match second.violation() {
        Some(violation) => failed(format!("in the second game of the same process, {violation}")),
        None => passed("the same process played two games"),
    }
}

/// Whether an agent that was asked for its first move responds at all.
pub(super) fn answered(game: &TableSession) -> Found {
    let fault = game.verdict().and_then(Verdict::offence).map(|(_, fault)| fault);
    match (game.plies().first(), fault) {
        (Some(ply), _) => passed(format!("its first move took {}", seconds(ply.time))),
        (
            None,
            Some(
                Fault::NoStart
                | Fault::NotReady
                | Fault::Crash
                | Fault::Disconnected
                | Fault::ClosedPipe,
            ),
        ) => failed(ending(game)),
        (None, _) => passed("it runs"),
    }
}

/// How fast it searches in fixed positions, as far as it reports that.
pub(super) fn fast(effort: Effort) -> Found {
    if effort.moves == 0 {
        return skipped("it made no legal move in these positions");
    }
    let Some(speed) = effort.nodes_per_second() else {
        return skipped("it does not report its nodes");
    };
    let depth = effort.mean_depth();
    let depth = depth.map_or(String::new(), |depth| format!(", mean depth {depth:.1} plies"));
    let (speed, positions) = (thousands(speed), effort.moves);
    passed(format!("{speed} nodes a second in {positions} fixed positions{depth}"))
}

/// Whether the answer solves the scenario.
pub(super) fn solved(scenario: &Scenario, game: &TableSession) -> Found {
    // The position goes below what was wrong, and the exchange below that.
    let wrong = |what: String| {
        let (first, rest) = what.split_once('\n').unwrap_or((&what, ""));
        let place = if rest.contains("position: ") { String::new() } else { asked(scenario) };
        let rest = if rest.is_empty() { String::new() } else { format!("\n{rest}") };
        failed(format!("{first}. {}{place}{rest}", scenario.about))
    };
    match (game.plies().first(), game.verdict().and_then(Verdict::offence)) {
        (None, _) | (_, Some(_)) => wrong(ending(game)),
        (Some(ply), _) if scenario.task.accepts(&ply.mv) => {
            passed(format!("{} in {}", ply.mv, seconds(ply.time)))
        }
        (Some(ply), _) => {
            let hint = match scenario.task {
                Task::Find { moves, .. } => format!("expected {}", moves.join(" or ")),
                Task::Avoid { .. } | Task::Legal { .. } => "expected any other".to_string(),
            };
            wrong(format!("it played {}, {hint}", ply.mv))
        }
    }
}

/// The position that the agent was asked about, on its own line.
fn asked(scenario: &Scenario) -> String {
    let position = scenario.position.unwrap_or("the start");
    match scenario.moves {
        [] => format!("\nposition: {position}"),
        moves => format!("\nposition: {position}, then {}", moves.join(" ")),
    }
}

fn ending(game: &TableSession) -> String {
    game.verdict().map(Verdict::to_string).unwrap_or_default()
}

fn seconds(time: Duration) -> String {
    format!("{:.3} s", time.as_secs_f64())
}
