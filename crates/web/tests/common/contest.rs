//! Accounts with real runs, for the contest's pages.

use agon_arena::contest::{Environment, Environments, Rating, Run};
use agon_arena::store::{RunChange, Store, StoredRun, now};
use agon_core::{Rng, Variant};
use agon_search::{Budget, adviser};
use agon_wire::aisysproj::protocol::Password;
use serde_json::{Value, json};

pub const PASSWORD: &str = "open sesame";
/// An environment for two and one for three players, both against opponents with a shallow search.
pub const TWO: &str = "ws2223-2.3-medium-2-player";
pub const THREE: &str = "ws2223-2.6-medium-3-player";

/// An agent that wins most games there; random moves win none.
const STRONG: &str = "mcts:eval=simple,minimax=off,iterations=600";

/// The duration of a run, in milliseconds; the last one has just ended.
const APART: i64 = 40_000;

/// The answer to a percept, chosen by a built-in agent.
pub fn answer(variant: &Variant, percept: &Value, agent: &str, seed: u64) -> Value {
    let mut position = percept.clone();
    position["turn"] = json!("A");
    let table = agon_games::open_at::<&str>(variant, Some(&position.to_string()), &[]).unwrap();
    let mut agent = adviser(&*table, &agent.parse().unwrap(), seed).unwrap();
    let chosen = agent.choose(&*table, &Budget::default(), &mut |_| {}).unwrap();
    serde_json::from_str(&chosen.mv).unwrap()
}

/// A run that a built-in agent has played to its end, or for `most` moves.
pub fn played(environment: &Environment, agent: &str, seed: u64, most: u64) -> Run {
    let mut run = Run::begin(environment, seed).unwrap();
    while run.outcome(environment).is_none() && run.acts() < most {
        let action = answer(&environment.variant, &run.percept(), agent, seed + run.acts());
        run.act(environment, &action).unwrap();
    }
    run
}

/// Puts accounts and runs into a store.
pub struct Registrar {
    pub store: Store,
    pub environment: Environment,
    /// Some games, with their scores.
    games: Vec<(f64, u64, String)>,
    next: u64,
}

impl Registrar {
    pub fn new(folder: &std::path::Path, environment: &str) -> Registrar {
        let store = Store::open(folder).unwrap();
        let next = store.next_run().unwrap();
        let environment = Environments::built_in(&agon_games::Catalog::built_in())
            .unwrap()
            .find(environment)
            .unwrap()
            .clone();
        let game = |seed: u64| {
            let agent = if seed.is_multiple_of(2) { STRONG } else { "random" };
            let run = played(&environment, agent, seed, 400);
            let outcome = run.outcome(&environment)?;
            Some((outcome, run.acts(), run.document().unwrap()))
        };
        let games: Vec<_> = (0..8).filter_map(game).collect();
        Registrar { store, environment, games, next }
    }

    pub fn account(&self, name: &str) {
        let hash = Password::new(PASSWORD).sha256();
        self.store.add_account(&self.environment.id, name, &hash).unwrap();
    }

    fn run(&mut self, agent: &str, acts: u64, document: String) -> StoredRun {
        self.next += 1;
        StoredRun {
            id: self.next - 1,
            environment: self.environment.id.clone(),
            agent: agent.to_string(),
            acts,
            asked: false,
            document,
            outcome: None,
            updated_at: now() - (750 - self.next as i64).max(0) * APART,
        }
    }

    /// An account with this many finished runs, whose chance of a good game grows from `from` to
    /// `to`.
    pub fn finished(&mut self, name: &str, runs: usize, from: f64, to: f64) {
        self.account(name);
        let mut rating = Rating::new(self.environment.window, &[], 0, None);
        let mut rng = Rng::new(name.len() as u64 + runs as u64);
        let mut changes = Vec::new();
        for at in 0..runs {
            let chance = from + (to - from) * at as f64 / runs as f64;
            let good = (rng.below(1000) as f64) < 1000.0 * chance;
            let fitting: Vec<_> =
                self.games.iter().filter(|(outcome, ..)| (*outcome > 0.0) == good).collect();
            let (outcome, acts, document) =
                rng.choose(&fitting).copied().or(self.games.first()).unwrap().clone();
            rating.add(outcome);
            let run = StoredRun { outcome: Some(outcome), ..self.run(name, acts, document) };
            changes.push(RunChange::Finish { run, best: rating.best() });
        }
        self.store.change_runs(&changes).unwrap();
    }

    /// Opens runs of an existing account.
    pub fn open(&mut self, name: &str, runs: u64) -> Vec<u64> {
        let open = |at: u64| {
            let run = played(&self.environment, "greedy", 100 + at, 3 + 2 * at);
            let run = self.run(name, run.acts(), run.document().unwrap());
            self.store.change_runs(&[RunChange::Put(run.clone())]).unwrap();
            run.id
        };
        (0..runs).map(open).collect()
    }

    /// A run that its agent abandoned.
    pub fn abandoned(&mut self, name: &str) -> u64 {
        let run = played(&self.environment, "greedy", 100, 3);
        let run = self.run(name, run.acts(), run.document().unwrap());
        let (id, run) = (run.id, StoredRun { outcome: Some(0.0), ..run });
        let best = self.store.account(&self.environment.id, name).unwrap().unwrap().best;
        self.store.change_runs(&[RunChange::Finish { run, best }]).unwrap();
        id
    }
}

/// A contest with a few agents, as a teacher would see it in the second week.
pub fn second_week(folder: &std::path::Path) {
    let mut two = Registrar::new(folder, TWO);
    for (name, runs, from, to) in [
        ("Ann", 140, 0.3, 0.8),
        ("deep_thought", 260, 0.2, 0.62),
        ("Bob's team", 55, 0.4, 0.45),
        ("<b>Mallory</b>", 75, 0.1, 0.3),
        ("HAL (9000)", 60, 0.5, 0.5),
        ("Newcomer", 12, 0.5, 0.6),
        ("100% #1/2?", 30, 0.2, 0.4),
    ] {
        two.finished(name, runs, from, to);
    }
    two.open("Ann", 5);
    two.abandoned("Bob's team");
    two.account("Only begun");
    two.open("Only begun", 2);
    two.account("Never seen");
    let mut three = Registrar::new(folder, THREE);
    three.finished("Ann", 90, 0.3, 0.7);
    three.finished("deep_thought", 20, 0.3, 0.7);
    three.open("Ann", 2);
}
