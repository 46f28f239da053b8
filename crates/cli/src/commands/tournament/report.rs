//! The standings of a tournament, as text and as JSON.

use std::io::Write;

use agon_arena::statistics::Counts;
use agon_arena::tournament::ledger::AgentTotals;
use agon_arena::tournament::pairs::{Pair, PairTotals};
use agon_arena::tournament::summary::TournamentSummary;
use agon_arena::tournament::tables::{Place, tenths};
use agon_core::Seat;
use serde::Serialize;

use crate::draw::palette::{BOLD, DIM, ERROR, HEADING};
use crate::draw::styled;
use crate::output::{print_json, thousands};
use crate::table::{
    disturbed_text, elo_text, likelihood_text, rating_texts, short_time, speed_text, write_aligned,
};

/// The standings.
pub(super) struct Report<'a>(pub(super) &'a TournamentSummary);

#[derive(Serialize)]
struct TournamentJson {
    name: String,
    format: String,
    finished: bool,
    games: u64,
    planned: u64,
    rounds: u32,
    /// Why a finished tournament has fewer games than planned, or games that were not played.
    #[serde(skip_serializing_if = "Option::is_none")]
    shortfall: Option<String>,
    /// The ranking rule.
    ranking: &'static str,
    /// Games in which a built-in agent waited too long for a core.
    disturbed: u64,
    mean_plies: f64,
    /// The Elo advantage of the first seat, in two-player games.
    first_seat_elo: Option<f64>,
    first_seat_error: Option<f64>,
    agents: Vec<Place>,
    pairs: Vec<PairJson>,
}

/// Two agents against each other, by their ranks.
#[derive(Serialize)]
struct PairJson {
    agents: [String; 2],
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    points: [u64; 2],
    mean_plies: f64,
    seconds: [f64; 2],
    faults: [u64; 2],
    /// Complete pairs of games in which the first scored 0, ½, 1, 1½ and 2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pentanomial: Option<[u64; 5]>,
    /// The difference in Elo by the joint fit.
    elo: Option<f64>,
    error: Option<f64>,
    superiority: Option<f64>,
}

impl Report<'_> {
    /// Prints one JSON object.
    pub(super) fn print_json(&self) -> anyhow::Result<()> {
        let summary = self.0;
        let seat = self.first_seat();
        print_json(&TournamentJson {
            name: summary.series.name.clone(),
            format: summary.format.clone(),
            finished: summary.series.finished_at.is_some(),
            games: summary.ledger.games(),
            planned: summary.planned,
            rounds: summary.rounds,
            shortfall: summary.shortfall(),
            ranking: summary.ranking_rule(),
            disturbed: summary.ledger.disturbed,
            mean_plies: summary.ledger.mean_plies(),
            first_seat_elo: seat.map(|elo| tenths(elo.value)),
            first_seat_error: seat.map(|elo| tenths(elo.error())),
            agents: summary.places(),
            pairs: summary.pairs.iter().map(|(pair, it)| self.pair_json(pair, it)).collect(),
        })?;
        Ok(())
    }

    fn pair_json(&self, (first, second): Pair, totals: &PairTotals) -> PairJson {
        let (fit, results) = (&self.0.fit, self.0.ledger.results());
        let (one, other) = (u32::from(first), u32::from(second));
        let elo = fit.difference(one, other);
        PairJson {
            agents: [first, second].map(|agent| self.name(agent)),
            games: totals.games(),
            wins: totals.wins,
            draws: totals.draws,
            losses: totals.losses,
            points: totals.points,
            mean_plies: totals.mean_plies(),
            seconds: totals.time.map(|time| time.as_secs_f64()),
            faults: totals.faults,
            pentanomial: match Counts::between(results, one, other) {
                Counts::Pairs(pairs) => Some(pairs),
                Counts::Games(_) => None,
            },
            elo: elo.map(|elo| tenths(elo.value)),
            error: elo.map(|elo| tenths(elo.error())),
            superiority: fit.likelihood_of_superiority(one, other),
        }
    }

    fn name(&self, agent: u16) -> String {
        let entrant = self.0.series.entrants.get(usize::from(agent));
        entrant.map_or(String::new(), |entrant| entrant.name.clone())
    }

    /// Prints the result of every pairing.
    pub(super) fn print_pairs(&self) -> anyhow::Result<()> {
        let headings =
            ["agents", "games", "wins", "draws", "losses", "pairs 0–2", "Elo", "better", "plies"];
        let more = ["faults", "time"];
        let mut rows = vec![headings.iter().chain(&more).map(ToString::to_string).collect()];
        for (pair, totals) in self.0.pairs.iter() {
            let json = self.pair_json(pair, totals);
            let counts = json.pentanomial.map(|counts| counts.map(|it| it.to_string()).join(" "));
            let elo = self.0.fit.difference(u32::from(pair.0), u32::from(pair.1));
            let better = likelihood_text(json.superiority);
            let mut row = vec![json.agents.join(" – ")];
            row.extend([json.games, json.wins, json.draws, json.losses].map(thousands));
            row.extend([counts.unwrap_or_default(), elo_text(elo), better]);
            row.push(format!("{:.1}", json.mean_plies));
            row.push(json.faults.map(|it| it.to_string()).join("–"));
            row.push(json.seconds.map(short_time).join("–"));
            rows.push(row);
        }
        Ok(write_aligned(&mut anstream::stdout().lock(), &[0], &rows)?)
    }

    /// The advantage of the first seat, in two-player games.
    fn first_seat(&self) -> Option<agon_arena::estimate::Estimate> {
        let seats = self.0.seats;
        (seats == 2).then(|| self.0.fit.seat_advantage(seats, Seat::FIRST, Seat::SECOND)).flatten()
    }

    /// Prints the leaderboard, the crosstable and the facts below them.
    pub(super) fn print_table(&self) -> anyhow::Result<()> {
        let summary = self.0;
        let mut out = anstream::stdout().lock();
        let state = if summary.series.finished_at.is_some() { "finished" } else { "unfinished" };
        writeln!(
            out,
            "{}  {}, {state}: {} of {} games, round {}\n",
            styled(HEADING, &summary.series.name),
            summary.format,
            thousands(summary.ledger.games()),
            thousands(summary.planned),
            summary.rounds,
        )?;
        if summary.ledger.games() == 0 {
            return Ok(());
        }
        if let Some(warning) = disturbed_text(&summary.ledger, false) {
            writeln!(out, "{} {warning}\n", styled(ERROR, "disturbed"))?;
        }
        let ranking = summary.ranking();
        let mut rows = vec![self.headings()];
        let mut group = None;
        for (place, &agent) in ranking.iter().enumerate() {
            if summary.group(place) != group {
                group = summary.group(place);
                let name = group.map_or(String::new(), |group| format!("group {}", group + 1));
                rows.push(vec![name]);
            }
            rows.push(self.row(place, agent, &ranking));
        }
        write_aligned(&mut out, &[0], &rows)?;
        writeln!(out)?;
        let names: Vec<String> =
            summary.series.entrants.iter().map(|entrant| entrant.name.clone()).collect();
        if names.len() <= 16 {
            writeln!(out, "{}", summary.crosstable.text(&names, &ranking))?;
        }
        self.print_facts(&mut out)
    }

    fn print_facts(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let summary = self.0;
        let mut fact = |label: &str, text: String| {
            writeln!(out, "{} {text}", styled(BOLD, &format!("{label:<9}")))
        };
        fact("ranking", summary.ranking_rule().to_string())?;
        if let Some(joined) = self.late() {
            fact("joined", joined)?;
        }
        if let Some(retired) = self.retired() {
            fact("retired", retired)?;
        }
        if let Some(byes) = self.byes() {
            fact("byes", byes)?;
        }
        if let Some(reason) = summary.shortfall() {
            fact("games", reason)?;
        }
        let speeds = self.speeds();
        if speeds.len() > 1 {
            fact("nodes/s", speeds.join("  "))?;
        }
        fact("length", format!("{:.1} plies on average", summary.ledger.mean_plies()))?;
        if let Some(elo) = self.first_seat() {
            fact("seats", format!("the first seat is worth {} Elo", elo_text(Some(elo))))?;
        }
        if summary.fit.components().len() > 1 {
            let note =
                "no chain of games connects some of the agents: their Elo cannot be compared";
            fact("note", styled(DIM, note))?;
        }
        Ok(())
    }

    fn headings(&self) -> Vec<String> {
        let mut headings = vec!["agent"];
        if self.0.format == "contest" {
            headings.push("rating");
        }
        headings.extend(["points", "games", "wins", "draws", "losses", "Elo", "better"]);
        if self.0.seats > 2 {
            headings.extend(["last 50", "best 50"]);
        }
        headings.extend(["faults", "time a move", "nodes/s"]);
        headings.into_iter().map(String::from).collect()
    }

    fn row(&self, place: usize, agent: u16, ranking: &[u16]) -> Vec<String> {
        let summary = self.0;
        let totals = summary.ledger.agent(agent);
        let entrant = &summary.series.entrants[usize::from(agent)];
        let mut row = vec![format!("{}. {}", place + 1, entrant.name)];
        if let Some(rating) = summary.rating(agent) {
            row.push(format!("{:.0} ± {:.0}", rating.value, 1.96 * rating.deviation));
        }
        row.push((summary.points(agent) as f64 / 100.0).to_string());
        row.extend(
            [
                totals.results.games,
                totals.results.wins,
                totals.results.draws,
                totals.results.losses,
            ]
            .map(thousands),
        );
        row.push(elo_text(summary.fit.elo(u32::from(agent))));
        row.push(likelihood_text(summary.superiority(place, ranking)));
        if summary.seats > 2 {
            row.extend(rating_texts(&totals.rating));
        }
        let gone = if summary.ledger.is_withdrawn(agent) { " (withdrawn)" } else { "" };
        row.push(format!("{}{gone}", totals.results.faults));
        row.push(short_time(totals.effort.seconds_per_move()));
        row.push(speed_text(totals.effort.nodes_per_second()));
        row
    }

    /// Who joined late.
    fn late(&self) -> Option<String> {
        let late = |agent: u16| {
            let (name, joined) = (self.name(agent), self.0.joined(agent)?);
            Some(if self.0.has_rounds() { format!("{name} (round {joined})") } else { name })
        };
        let late: Vec<String> = self.0.ranking().into_iter().filter_map(late).collect();
        (!late.is_empty()).then(|| format!("after the start: {}", late.join(", ")))
    }

    /// Who has retired.
    fn retired(&self) -> Option<String> {
        let ranking = self.0.ranking().into_iter();
        let retired = ranking.filter(|&agent| self.0.has_retired(agent));
        let names: Vec<String> = retired.map(|agent| self.name(agent)).collect();
        (!names.is_empty()).then(|| format!("their games so far count: {}", names.join(", ")))
    }

    /// Who had byes: their points are more than those of their games.
    fn byes(&self) -> Option<String> {
        let summary = self.0;
        let agents = summary.ranking().into_iter().filter(|&agent| summary.byes(agent) > 0);
        let bye = |agent: u16| match summary.byes(agent) {
            1 => self.name(agent),
            byes => format!("{} ({byes})", self.name(agent)),
        };
        let byes: Vec<String> = agents.map(bye).collect();
        let points = (summary.bye_points as f64 / 100.0).to_string();
        (!byes.is_empty())
            .then(|| format!("{points} points each, as for a win: {}", byes.join(", ")))
    }

    /// The agents that report their nodes, the fastest first.
    fn speeds(&self) -> Vec<String> {
        let agents = (0..).zip(self.0.ledger.agents());
        let speed = |(agent, totals): (u16, &AgentTotals)| {
            Some((totals.effort.nodes_per_second()?, self.name(agent)))
        };
        let mut speeds: Vec<(u64, String)> = agents.filter_map(speed).collect();
        speeds.sort_by(|(one, _), (other, _)| other.cmp(one));
        let place = |(place, (speed, name)): (usize, (u64, String))| {
            format!("{}. {name} {}", place + 1, thousands(speed))
        };
        speeds.into_iter().enumerate().map(place).collect()
    }
}
