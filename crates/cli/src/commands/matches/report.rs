//! The standings of a match, for people and programs.

use std::io::Write;
use std::time::Duration;

use agon_arena::rating::Estimate;
use agon_arena::standings::AgentStanding;
use agon_arena::{Contest, Standings};
use agon_search::AgentSpec;
use serde::Serialize;

use crate::draw::palette::{BOLD, DIM, ERROR, HEADING};
use crate::draw::styled;
use crate::output::{print_json, thousands};

/// A match that was played.
pub(crate) struct Report<'a> {
    pub(crate) contest: &'a Contest,
    pub(crate) standings: &'a Standings,
    /// How long it took, start to end.
    pub(crate) time: Duration,
    /// Whether games are missing because somebody wanted no more.
    pub(crate) stopped: bool,
    pub(crate) seat_names: Vec<&'static str>,
    /// The first faults.
    pub(crate) offences: Vec<Offence>,
}

/// What an agent did wrong, with the evidence.
#[derive(Serialize)]
pub(crate) struct Offence {
    pub(crate) game: u64,
    pub(crate) agent: String,
    pub(crate) seat: &'static str,
    pub(crate) what: String,
}

#[derive(Serialize)]
struct MatchJson<'a> {
    variant: String,
    games: u64,
    agents: Vec<AgentJson>,
    /// Of two agents: pairs with 0, ½, 1, 1½ and 2 for the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pairs: Option<[u64; 5]>,
    seats: Vec<SeatJson>,
    reasons: Vec<ReasonJson>,
    offences: &'a [Offence],
    mean_plies: f64,
    min_plies: u32,
    max_plies: u32,
    openings: String,
    seed: u64,
    concurrency: usize,
    stopped: bool,
    signature: String,
    seconds: f64,
    games_per_second: f64,
}

#[derive(Serialize)]
struct AgentJson {
    agent: String,
    wins: u64,
    draws: u64,
    losses: u64,
    points: u64,
    elo: Option<f64>,
    error: Option<f64>,
    elo_low: Option<f64>,
    elo_high: Option<f64>,
    faults: u64,
    mean_points: Option<f64>,
    mean_points_error: Option<f64>,
    places: Vec<u64>,
    moves: u64,
    nodes: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct SeatJson {
    seat: &'static str,
    points: u64,
}

#[derive(Serialize)]
struct ReasonJson {
    reason: &'static str,
    games: u64,
}

impl Report<'_> {
    /// Prints one JSON object.
    pub(crate) fn print_json(&self) -> anyhow::Result<()> {
        let Standings { games, pairs, lengths, .. } = *self.standings;
        let seconds = self.time.as_secs_f64();
        let seats = self.seat_names.iter().zip(self.standings.seat_points.as_slice());
        let reasons = self.standings.reasons().into_iter();
        print_json(&MatchJson {
            variant: self.contest.variant.to_string(),
            games,
            agents: self.agents().map(|(spec, agent)| self.agent_json(spec, agent)).collect(),
            pairs: (self.contest.agents.len() == 2).then_some(pairs),
            seats: seats.map(|(&seat, &points)| SeatJson { seat, points }).collect(),
            reasons: reasons.map(|(reason, games)| ReasonJson { reason, games }).collect(),
            offences: &self.offences,
            mean_plies: self.standings.mean_plies(),
            min_plies: lengths.least,
            max_plies: lengths.most,
            openings: self.contest.openings.to_string(),
            seed: self.contest.seed,
            concurrency: self.contest.concurrency,
            stopped: self.stopped,
            signature: format!("{:016x}", self.standings.signature),
            seconds,
            games_per_second: games as f64 / seconds.max(1e-9),
        })?;
        Ok(())
    }

    fn agents(&self) -> impl Iterator<Item = (&AgentSpec, &AgentStanding)> {
        self.contest.agents.iter().zip(&self.standings.agents)
    }

    fn agent_json(&self, spec: &AgentSpec, agent: &AgentStanding) -> AgentJson {
        let (elo, points) = (agent.elo(), agent.mean_points());
        // Zero has no sign.
        let tenths = |value: f64| (value * 10.0).round() / 10.0 + 0.0;
        AgentJson {
            agent: spec.to_string(),
            wins: agent.wins,
            draws: agent.draws,
            losses: agent.losses,
            points: agent.points,
            elo: elo.map(|elo| tenths(elo.value)),
            error: elo.map(|elo| tenths(elo.error())),
            elo_low: elo.map(|elo| tenths(elo.low)),
            elo_high: elo.map(|elo| tenths(elo.high)),
            faults: agent.faults,
            mean_points: points.map(|points| points.value),
            mean_points_error: points.map(|points| points.half_width()),
            places: agent.places[..self.contest.agents.len()].to_vec(),
            moves: agent.effort.moves,
            nodes: agent.effort.nodes,
            seconds: agent.effort.time.as_secs_f64(),
        }
    }

    /// Prints a table and what else is worth knowing.
    pub(crate) fn print_table(&self) -> anyhow::Result<()> {
        let mut out = anstream::stdout().lock();
        let standings = self.standings;
        let contest = self.contest;
        let seconds = self.time.as_secs_f64();
        let rate = thousands((standings.games as f64 / seconds.max(1e-9)).round() as u64);
        let stopped = if self.stopped { " (stopped)" } else { "" };
        writeln!(
            out,
            "{}  {} games{stopped} in {seconds:.1} s ({rate} a second)",
            styled(HEADING, &contest.variant.to_string()),
            thousands(standings.games),
        )?;
        let settings = format!(
            "{}, openings {}, seed {}, {} at a time\n",
            contest.pace, contest.openings, contest.seed, contest.concurrency
        );
        writeln!(out, "{}", styled(DIM, &settings))?;
        if standings.games == 0 {
            return Ok(());
        }
        self.write_agents(&mut out)?;
        writeln!(out)?;
        for (label, text) in self.facts() {
            writeln!(out, "{} {text}", styled(BOLD, &format!("{label:<9}")))?;
        }
        for (index, (reason, count)) in standings.reasons().into_iter().enumerate() {
            let label = if index == 0 { "ends" } else { "" };
            let label = styled(BOLD, &format!("{label:<9}"));
            writeln!(out, "{label} {reason}: {}", thousands(count))?;
        }
        for Offence { game, agent, seat, what } in &self.offences {
            let label = styled(ERROR, &format!("{:<9}", "fault"));
            writeln!(out, "{label} game {}, {agent} as {seat}: {what}", game + 1)?;
        }
        Ok(())
    }

    fn write_agents(&self, out: &mut impl Write) -> std::io::Result<()> {
        let names: Vec<String> = self.agents().map(|(spec, _)| spec.to_string()).collect();
        let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(5);
        let header = format!(
            "{:<width$} {:>8} {:>8} {:>8} {:>13} {:>14} {:>7} {:>12} {:>12}",
            "agent",
            "wins",
            "draws",
            "losses",
            "points",
            "Elo",
            "faults",
            "time a move",
            "nodes a move"
        );
        writeln!(out, "{}", styled(BOLD, &header))?;
        for (name, (_, agent)) in names.iter().zip(self.agents()) {
            let points = agent.mean_points().map_or(String::new(), |points| {
                format!("{:.1} ± {:.1}", points.value, points.half_width())
            });
            writeln!(
                out,
                "{name:<width$} {:>8} {:>8} {:>8} {points:>13} {:>14} {:>7} {:>12} {:>12}",
                thousands(agent.wins),
                thousands(agent.draws),
                thousands(agent.losses),
                agent.elo().map_or(String::new(), elo_text),
                agent.faults,
                short_time(agent.effort.seconds_per_move()),
                thousands(agent.effort.nodes_per_move().round() as u64),
            )?;
        }
        Ok(())
    }

    /// Lines below the table.
    fn facts(&self) -> Vec<(&'static str, String)> {
        let standings = self.standings;
        let mut facts = Vec::new();
        if self.contest.agents.len() == 2 {
            let sums = ["0", "½", "1", "1½", "2"].iter().zip(standings.pairs);
            let sums: Vec<String> =
                sums.map(|(sum, count)| format!("{sum}: {}", thousands(count))).collect();
            facts.push(("pairs", format!("{} (of the first agent)", sums.join("  "))));
        }
        let games = standings.games.max(1) as f64;
        let seats = self.seat_names.iter().zip(standings.seat_points.as_slice());
        let seats: Vec<String> =
            seats.map(|(seat, points)| format!("{seat} {:.1}", *points as f64 / games)).collect();
        facts.push(("seats", format!("{} points a game", seats.join("  "))));
        let lengths = standings.lengths;
        facts.push((
            "length",
            format!("{:.1} plies, {} to {}", standings.mean_plies(), lengths.least, lengths.most),
        ));
        facts
    }
}

fn elo_text(elo: Estimate) -> String {
    // Zero has no sign.
    let value = if elo.value.abs() < 0.5 { "0".into() } else { format!("{:+.0}", elo.value) };
    format!("{value} ± {:.0}", elo.error())
}

/// A time in the unit that suits it.
fn short_time(seconds: f64) -> String {
    match seconds {
        s if s < 1e-6 => format!("{:.0} ns", s * 1e9),
        s if s < 1e-3 => format!("{:.1} µs", s * 1e6),
        s if s < 1.0 => format!("{:.1} ms", s * 1e3),
        s => format!("{s:.1} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_short() {
        for (seconds, text) in
            [(5e-8, "50 ns"), (1.25e-5, "12.5 µs"), (0.01, "10.0 ms"), (2.0, "2.0 s")]
        {
            assert_eq!(short_time(seconds), text);
        }
    }
}
