//! Fixed searches on fixed positions of all games: the same nodes on every run.
//!
//! The number of nodes is a signature of the rules, the evaluations and the searches together: a
//! change that should not affect behaviour leaves it as it is. The time measures the speed.

use std::time::{Duration, Instant};

use agon_core::{Rng, Variant};
use agon_games::{GAMES, Table, open};

use crate::adviser::adviser;
use crate::budget::Budget;
use crate::spec::AgentSpec;

/// The searches of all games: a variant, and an agent with its depth.
pub fn searches() -> impl Iterator<Item = (&'static str, &'static str)> {
    GAMES.iter().flat_map(|game| game.bench.iter().copied())
}

/// What the searches of this version count: a line for each, checked by the tests.
pub const SIGNATURE: &str = include_str!("../bench-signature.txt");

/// How many plies of random play lead to the positions of each variant.
const PLIES: [usize; 4] = [0, 12, 18, 24];

/// The result of one search of the bench.
#[derive(Clone, Debug)]
pub struct Measure {
    /// The variant.
    pub variant: &'static str,
    /// The agent.
    pub agent: &'static str,
    /// Nodes over all positions.
    pub nodes: u64,
    /// Positions whose moves were generated.
    pub expanded: u64,
    /// The time it took.
    pub time: Duration,
}

/// Runs one search on its positions.
///
/// # Panics
/// If the texts are invalid; those of [`searches`] never are.
pub fn run(variant: &'static str, agent: &'static str) -> Measure {
    let mut measure = Measure { variant, agent, nodes: 0, expanded: 0, time: Duration::ZERO };
    for table in positions(variant) {
        let spec: AgentSpec = agent.parse().expect("an agent of the bench");
        let mut agent = adviser(&*table, &spec, 0).expect("an agent of the bench");
        if let Some(choice) = agent.choose(&*table, &Budget::default(), &mut |_| {}) {
            measure.nodes += choice.statistics.nodes;
            measure.expanded += choice.statistics.expanded;
            measure.time += choice.statistics.time;
        }
    }
    measure
}

/// The bench positions of a variant.
fn positions(variant: &str) -> Vec<Box<dyn Table>> {
    let variant: Variant = variant.parse().expect("a variant of the bench");
    let after = |plies: usize| {
        let mut table = open(&variant).expect("a variant of the bench");
        let mut rng = Rng::new(plies as u64);
        for _ in 0..plies {
            match table.random_move(&mut rng) {
                Some(mv) => table.play(&mv).map(drop).expect("a legal move"),
                None => break,
            }
        }
        table
    };
    PLIES.into_iter().map(after).collect()
}

/// How many nodes of each position a short run searches, and for how long it is repeated.
const SHORT: u64 = 25_000;
const REPEATED: Duration = Duration::from_secs(1);

/// What a short run of the engines' searches says about this program and this machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Short {
    /// What the searches found: another text where they are not the same.
    pub found: String,
    /// Nodes a second on one core.
    pub speed: u64,
}

/// Runs the engines' searches on all positions, each for a few nodes, until about a second has
/// passed. The fastest time counts: others can only slow a machine down. The clock should be that of
/// this thread's processor time, for which others do not count either.
pub fn short(clock: impl Fn() -> Duration) -> Short {
    let engines: Vec<_> =
        searches().filter(|(_, agent)| agent.starts_with("engine:")).flat_map(opened).collect();
    let (mut found, mut speed, begun) = (String::new(), 0, Instant::now());
    while speed == 0 || begun.elapsed() < REPEATED {
        found = SIGNATURE.to_string();
        let (mut nodes, mut time) = (0, Duration::ZERO);
        for (table, spec) in &engines {
            let mut agent = adviser(&**table, spec, 0).expect("an agent of the bench");
            let before = clock();
            let Some(choice) = agent.choose(&**table, &Budget::nodes(SHORT), &mut |_| {}) else {
                continue;
            };
            time += clock().saturating_sub(before);
            let it = choice.statistics;
            nodes += it.nodes;
            let line = (&choice.mv, choice.score, it.nodes, it.expanded);
            found.push_str(&format!("{line:?}\n"));
        }
        speed = speed.max((nodes as f64 / time.as_secs_f64().max(1e-6)) as u64);
    }
    Short { found, speed: speed.max(1) }
}

fn opened((variant, agent): (&str, &str)) -> Vec<(Box<dyn Table>, AgentSpec)> {
    let spec: AgentSpec = agent.parse().expect("an agent of the bench");
    positions(variant).into_iter().map(|table| (table, spec.clone())).collect()
}
