//! The pieces of work of an experiment, each named by its contents.
//!
//! A name is made from everything that determines the result (agents with the files they are made
//! of, variant, budget, openings, seed) and from the build that made it. So results are found again
//! whatever the experiment is called, and a change to one agent reruns only what it touches. The
//! number of games is not part of the name: more games continue where fewer ended.

use std::fmt;

use agon_arena::agent::AgentKind;
use agon_arena::clock::TimeControl;
use agon_arena::fingerprint;
use agon_arena::fixture::{Terms, group_size};
use agon_arena::resources;
use agon_arena::resources::Occupant;
use agon_arena::tournament::plan::terms_json;
use agon_arena::tournament::{Changed, Entrant, Format, Tournament};
use agon_search::bench;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::experiment::{Comparison, Experiment, Measure, MeasureKind, Meeting};

/// The beginning of all names.
const PREFIX: &str = "lab";

/// How many digits of a hash are used: enough for billions of results.
const DIGITS: usize = 20;

/// The version of the program and what it plays, as far as one game is concerned.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Build {
    /// The version.
    pub version: String,
    /// A hash of the node counts of the bench.
    pub signature: u32,
}

impl Build {
    /// This program, for this game. The cheapest search of the bench is run, so that a program whose
    /// search was changed is not taken for the one that the signature describes.
    pub fn here(game: &str) -> Build {
        let of_game = |variant: &str| variant.split(':').next() == Some(game);
        let known: Vec<&str> = bench::SIGNATURE.lines().filter(|line| of_game(line)).collect();
        let nodes = |line: &&str| line.rsplit(' ').next().and_then(|text| text.parse::<u64>().ok());
        let is_engine = |line: &&&str| line.contains(" engine:");
        let cheapest = known.iter().filter(is_engine).min_by_key(|line| nodes(line));
        let mut texts: Vec<String> = known.iter().map(ToString::to_string).collect();
        if let Some(line) = cheapest {
            let mut searches = bench::searches();
            let run =
                searches.find(|(variant, agent)| line.starts_with(&format!("{variant} {agent} ")));
            texts.extend(run.map(|(variant, agent)| bench::run(variant, agent).nodes.to_string()));
        }
        let hash = Sha256::digest(texts.join("\n"));
        let signature = hash.iter().take(4).fold(0, |sum, byte| sum << 8 | u32::from(*byte));
        Build { version: env!("CARGO_PKG_VERSION").to_string(), signature }
    }

    /// The build in the name of a result, if it has one.
    pub fn of(name: &str) -> Option<Build> {
        let (rest, signature) = name.rsplit_once('-')?;
        let version = rest.splitn(3, '-').nth(2)?;
        let signature = u32::from_str_radix(signature, 16).ok()?;
        Some(Build { version: version.to_string(), signature })
    }
}

impl fmt::Display for Build {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{:08x}", self.version, self.signature)
    }
}

/// A piece of work.
#[derive(Clone, Debug)]
pub struct Unit {
    /// What its name begins with, whichever build makes it: ends with a dash.
    pub key: String,
    /// The work.
    pub work: Work,
}

/// What is to be done.
#[derive(Clone, Debug)]
pub enum Work {
    /// Games between two agents.
    Games {
        /// The index of the comparison.
        comparison: usize,
        /// The index of the terms in it.
        terms: usize,
        /// Who meets whom.
        meeting: Meeting,
    },
    /// Searches of positions.
    Search {
        /// The index of the measurement.
        measure: usize,
        /// The index of the terms in it.
        terms: usize,
        /// The agent.
        agent: usize,
    },
    /// The solution of a variant's start.
    Solve {
        /// The index of the measurement.
        measure: usize,
        /// The index of the terms in it.
        terms: usize,
    },
}

impl Unit {
    /// What it is played or measured on.
    pub fn terms<'e>(&self, experiment: &'e Experiment) -> &'e Terms {
        match self.work {
            Work::Games { comparison, terms, .. } => {
                &experiment.comparisons[comparison].terms[terms]
            }
            Work::Search { measure, terms, .. } | Work::Solve { measure, terms } => {
                &experiment.measures[measure].terms[terms]
            }
        }
    }

    /// The name of its result by this build.
    pub fn name(&self, build: &Build) -> String {
        format!("{}{build}", self.key)
    }
}

/// All pieces of work, in the order of the report. What two comparisons share is there twice, with
/// the same key.
pub fn units(experiment: &Experiment) -> Vec<Unit> {
    let mut units = Vec::new();
    for (index, comparison) in experiment.comparisons.iter().enumerate() {
        for (number, terms) in comparison.terms.iter().enumerate() {
            for &meeting in &comparison.meetings {
                let key = key_of_games(experiment, terms, meeting, comparison.seats);
                let work = Work::Games { comparison: index, terms: number, meeting };
                units.push(Unit { key, work });
            }
        }
    }
    for (index, measure) in experiment.measures.iter().enumerate() {
        for (number, terms) in measure.terms.iter().enumerate() {
            units.extend(measured(experiment, (index, measure), (number, terms)));
        }
    }
    units
}

fn measured(
    experiment: &Experiment,
    (index, measure): (usize, &Measure),
    (number, terms): (usize, &Terms),
) -> Vec<Unit> {
    let seed = experiment.seed;
    if measure.kind == MeasureKind::Solve {
        let key = key(&json!({ "solve": terms_json(terms) }));
        return vec![Unit { key, work: Work::Solve { measure: index, terms: number } }];
    }
    let unit = |&agent: &usize| {
        let entrant = &experiment.agents[agent];
        let key = key(&json!({
            "search": agent_json(entrant, terms),
            "terms": terms_json(terms),
            "positions": measure.positions,
            "seed": seed,
        }));
        Unit { key, work: Work::Search { measure: index, terms: number, agent } }
    };
    measure.agents.iter().map(unit).collect()
}

fn key_of_games(experiment: &Experiment, terms: &Terms, meeting: Meeting, seats: usize) -> String {
    let agent = |agent: usize| agent_json(&experiment.agents[agent], terms);
    key(&json!({
        "games": [agent(meeting.agent), agent(meeting.opponent)],
        "seats": seats,
        "terms": terms_json(terms),
        "seed": experiment.seed,
    }))
}

fn key(contents: &Value) -> String {
    let hash = fingerprint::checksum(contents.to_string().as_bytes());
    format!("{PREFIX}-{}-", &hash[..DIGITS])
}

/// Everything that determines what an agent plays: its text, its settings, the books and tables it
/// uses, and the files of a program.
fn agent_json(entrant: &Entrant, terms: &Terms) -> Value {
    let agent = &entrant.agent;
    let used = match agent.kind() {
        AgentKind::BuiltIn(spec) => {
            resources::in_use(&terms.catalog, &terms.variant, [Occupant::BuiltIn(spec)])
        }
        AgentKind::Outside(_) => None,
    };
    json!({
        "agent": agent.text(),
        "options": entrant.options,
        "uses": used,
        "files": fingerprint::checksums(agent).iter().map(|it| &it[..DIGITS]).collect::<Vec<_>>(),
    })
}

/// The match that plays a meeting, for the runner of the arena.
pub fn tournament(
    experiment: &Experiment,
    comparison: &Comparison,
    terms: &Terms,
    meeting: Meeting,
    name: String,
) -> Tournament {
    let seats = comparison.seats;
    let mut entrants = vec![experiment.agents[meeting.agent].clone()];
    entrants.resize(seats, experiment.agents[meeting.opponent].clone());
    Tournament {
        name,
        format: Format::Match { rounds: comparison.games / group_size(seats) },
        entrants,
        terms: vec![terms.clone()],
        seats,
        games: group_size(seats),
        seed: experiment.seed,
        concurrency: experiment.concurrency,
        oversubscribe: false,
        sprt: comparison.sprt,
        // Without a clock it does not matter how long a player waited.
        replay_disturbed: terms.pace.time != TimeControl::default(),
        reference_speed: None,
        source: None,
        changed: Changed::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_build_is_read_from_the_name_of_a_result() {
        let build = Build { version: "0.1.0-beta".into(), signature: 0x00ab_cdef };
        let unit = Unit { key: key(&json!({})), work: Work::Solve { measure: 0, terms: 0 } };
        assert_eq!(Build::of(&unit.name(&build)), Some(build));
        assert_eq!(Build::of("lab-12"), None);
        assert_eq!(Build::of("lab-12-0.1.0-xyz"), None);
    }
}
