//! The results of a match as a text table.

use std::io::Write;

use agon_arena::course_rating::top_points;
use agon_arena::tournament::ledger::AgentTotals;
use agon_arena::words;
use agon_core::{printable, printable_lines};

use super::report::{Offence, Report, verdict_text};
use crate::draw::palette::{BOLD, DIM, ERROR, HEADING};
use crate::draw::styled;
use crate::output::thousands;
use crate::table::{
    NOTHING, course_points_text, disturbed_text, elo_text, rate_text, rating_texts, short_time,
    speed_text, write_aligned,
};

/// The headings of places.
const PLACES: [&str; 4] = ["1st", "2nd", "3rd", "4th"];

/// The indentation of continuation lines.
const INDENT: &str = "\n          ";

impl Report<'_> {
    /// Prints the table and the facts below it.
    pub(crate) fn print_table(&self) -> anyhow::Result<()> {
        let mut out = anstream::stdout().lock();
        let (setup, ledger) = (self.setup, &self.run.ledger);
        let seconds = self.time.as_secs_f64();
        let rate = rate_text(ledger.games(), seconds);
        let stopped = if !self.run.is_over { " (stopped)" } else { "" };
        writeln!(
            out,
            "{}  {} games{stopped} in {seconds:.1} s ({rate} a second)",
            styled(HEADING, &setup.variant.to_string()),
            thousands(ledger.games()),
        )?;
        let settings = format!(
            "{}, openings {}, seed {}, {} at a time\n",
            setup.pace, setup.openings, setup.seed, setup.concurrency
        );
        writeln!(out, "{}", styled(DIM, &settings))?;
        if ledger.games() == 0 {
            return Ok(());
        }
        if let Some(warning) = disturbed_text(ledger, setup.replay_disturbed) {
            writeln!(out, "{} {warning}\n", styled(ERROR, "disturbed"))?;
        }
        write_aligned(&mut out, &[0], &self.rows())?;
        writeln!(out)?;
        for (label, text) in self.facts() {
            writeln!(out, "{} {text}", styled(BOLD, &format!("{label:<9}")))?;
        }
        for (index, (reason, count)) in ledger.reasons().into_iter().enumerate() {
            let label = if index == 0 { "ends" } else { "" };
            let label = styled(BOLD, &format!("{label:<9}"));
            writeln!(out, "{label} {}: {}", printable(reason), thousands(count))?;
        }
        for Offence { game, agent, entry, seat, what } in &self.notes.offences {
            let label = styled(ERROR, &format!("{:<9}", "fault"));
            let name = self.notes.names.get(*entry).unwrap_or(agent);
            let what = printable_lines(what).replace('\n', INDENT);
            writeln!(out, "{label} game {}, {name} as {seat}: {what}", game + 1)?;
        }
        Ok(())
    }

    fn players(&self) -> usize {
        self.setup.agents.len()
    }

    /// The headings and a row for every agent. Two agents are compared by wins, more by places and
    /// the points of the FAUhalma course.
    fn rows(&self) -> Vec<Vec<String>> {
        let players = self.players();
        let results = match players {
            2 => ["wins", "draws", "losses", "score", "Elo"].map(String::from).to_vec(),
            _ => {
                let of_top = format!("points of {}", top_points(players));
                let rest = [&of_top, "last 50", "best 50", "Elo"];
                let places = PLACES.iter().take(players);
                places.copied().chain(rest).map(String::from).collect()
            }
        };
        let row = |name: &str, results: Vec<String>, costs: [String; 5]| {
            [vec![name.to_string()], results, costs.to_vec()].concat()
        };
        let headings =
            ["faults", "time a move", "nodes a move", "nodes/s", "depth"].map(String::from);
        let mut rows = vec![row("agent", results, headings)];
        for (name, agent) in self.notes.names.iter().zip(self.run.ledger.agents()) {
            let results = if players == 2 { by_wins(agent) } else { by_places(agent, players) };
            let costs = [
                agent.results.faults.to_string(),
                short_time(agent.effort.seconds_per_move()),
                thousands(agent.effort.nodes_per_move().round() as u64),
                speed_text(agent.effort.nodes_per_second()),
                agent.effort.mean_depth().map_or(NOTHING.into(), |depth| format!("{depth:.1}")),
            ];
            rows.push(row(name, results, costs));
        }
        rows
    }

    /// Lines below the table.
    fn facts(&self) -> Vec<(&'static str, String)> {
        let ledger = &self.run.ledger;
        let mut facts = Vec::new();
        if let Some(conclusion) = self.conclusion() {
            facts.push(("verdict", styled(BOLD, &conclusion.sentence(&self.notes.names))));
        }
        if self.players() == 2 {
            let sums = ["0", "½", "1", "1½", "2"].iter().zip(ledger.pairs);
            let sums: Vec<String> =
                sums.map(|(sum, count)| format!("{sum}: {}", thousands(count))).collect();
            facts.push(("pairs", format!("{} (of the first agent)", sums.join("  "))));
        }
        if let (Some(state), Some(sprt)) = (self.run.sprt, self.setup.sprt) {
            let text = format!(
                "{sprt}: {} (log-likelihood ratio {:.2}, from {:.2} to {:.2})",
                verdict_text(state.verdict),
                state.log_ratio,
                state.lower,
                state.upper
            );
            facts.push(("test", text));
        }
        facts.push(("seats", self.seats()));
        let (plies, lengths) = (ledger.mean_plies(), ledger.lengths);
        facts.push(("length", format!("{plies:.1} plies, {} to {}", lengths.least, lengths.most)));
        facts
    }

    /// The results by seat: the score of two players, the course's points of more.
    fn seats(&self) -> String {
        let ledger = &self.run.ledger;
        let top = top_points(self.players());
        let seat = |(seat, points): (&String, u64)| {
            let share = points as f64 / (100 * ledger.games().max(1)) as f64;
            match self.players() {
                2 => format!("{seat} {}", words::percent(share)),
                _ => format!("{seat} {:.2}", share * top),
            }
        };
        let seats = self.notes.seat_labels.iter().zip(ledger.seat_points);
        let seats: Vec<String> = seats.map(seat).collect();
        match self.players() {
            2 => seats.join("  "),
            _ => format!("{} points of {top} a game", seats.join("  ")),
        }
    }
}

fn by_wins(agent: &AgentTotals) -> Vec<String> {
    let score = agent.mean_points().map_or(NOTHING.into(), words::score);
    let counts = [agent.results.wins, agent.results.draws, agent.results.losses].map(thousands);
    [&counts[..], &[score, elo_text(agent.elo())]].concat()
}

fn by_places(agent: &AgentTotals, players: usize) -> Vec<String> {
    let points = course_points_text(agent.mean_course_points());
    let ratings = rating_texts(&agent.rating);
    let places = agent.places.iter().take(players).map(|count| thousands(*count));
    places.chain([points]).chain(ratings).chain([elo_text(agent.elo())]).collect()
}
