//! The searches whose switches can be measured.

use agon_core::{Rng, Variant};
use agon_games::{Playable, Visitor, open, with_game};
use agon_search::{AgentSpec, Budget, adviser, engine, mcts};

use super::Failure;

/// Nodes of the trial searches that show whether a switch has any effect.
const TRIAL_NODES: u64 = 30_000;
/// The numbers of random plies before a trial.
const TRIAL_PLIES: [u64; 7] = [0, 10, 20, 30, 40, 50, 60];
/// How many moves of a game are searched in a row: what a search keeps between moves matters from
/// the second on.
const TRIAL_MOVES: usize = 2;
/// MiB for a table or a tree in trials and in matches.
const TRIAL_MEMORY: u32 = 4;
const MATCH_MEMORY: u32 = 16;

/// The switches that are not measured from random openings.
pub(crate) const BOOK: &str = "book";
pub(crate) const TABLEBASE: &str = "tablebase";

/// A search with switches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Subject {
    /// The engine.
    Engine,
    /// The Monte Carlo search.
    Mcts,
}

impl Subject {
    /// The search of an agent's name.
    pub(crate) fn named(name: &str) -> Result<Subject, Failure> {
        match name {
            "engine" => Ok(Subject::Engine),
            "mcts" => Ok(Subject::Mcts),
            _ => Err(format!("agent={name}: expected engine or mcts").into()),
        }
    }

    /// The names of its switches; a book is no part of a search, but can be switched on and off
    /// like one.
    pub(crate) fn switches(self) -> Vec<&'static str> {
        match self {
            Subject::Engine => [engine::options::Switches::NAMES, &[BOOK]].concat(),
            Subject::Mcts => mcts::options::Switches::NAMES.to_vec(),
        }
    }

    /// Whether it has a switch of this name.
    pub(crate) fn has(self, name: &str) -> bool {
        self.switches().contains(&name)
    }

    /// The agent for a match with a switch on or off.
    pub(crate) fn with(self, name: &str, on: bool) -> Result<AgentSpec, Failure> {
        self.agent(name, on, MATCH_MEMORY)
    }

    fn agent(self, name: &str, on: bool, memory: u32) -> Result<AgentSpec, Failure> {
        let state = if on { "on" } else { "off" };
        let text = match self {
            Subject::Engine => format!("engine:hash={memory},{name}={state}"),
            Subject::Mcts => format!("mcts:memory={memory},{name}={state}"),
        };
        Ok(text.parse()?)
    }

    /// Whether a switch is on by default in a game, in a word.
    pub(crate) fn default(self, variant: &Variant, name: &str) -> Result<&'static str, Failure> {
        if name == BOOK {
            return Ok("in play");
        }
        let is_on = with_game(variant, IsOn { subject: self, name })?;
        Ok(if is_on { "on" } else { "off" })
    }

    /// Whether it searches the same trees with and without an improvement.
    pub(crate) fn ignores(self, variant: &Variant, name: &str) -> Result<bool, Failure> {
        for plies in TRIAL_PLIES {
            let with = self.trial(variant, &self.agent(name, true, TRIAL_MEMORY)?, plies)?;
            let without = self.trial(variant, &self.agent(name, false, TRIAL_MEMORY)?, plies)?;
            if with != without {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Moves, values and tree sizes of a few moves after random plies.
    fn trial(
        self,
        variant: &Variant,
        agent: &AgentSpec,
        plies: u64,
    ) -> Result<Vec<impl PartialEq + use<>>, Failure> {
        let mut table = open(variant)?;
        let mut rng = Rng::new(plies);
        let mut searched = Vec::new();
        let mut searcher = adviser(&*table, agent, 0)?;
        let mut random_plies = plies as usize;
        for _ in 0..TRIAL_MOVES {
            for _ in 0..random_plies {
                let Some(mv) = table.random_move(&mut rng) else { return Ok(searched) };
                table.play(&mv)?;
            }
            let budget = Budget::nodes(TRIAL_NODES);
            let Some(choice) = searcher.choose(&*table, &budget, &mut |_| {}) else { break };
            table.play(&choice.mv)?;
            searched.push((choice.pv, choice.score, choice.statistics.expanded));
            // Then the others move, until it is its turn again.
            random_plies = table.seats() - 1;
        }
        Ok(searched)
    }
}

/// Finds the default state of a switch.
struct IsOn<'a> {
    subject: Subject,
    name: &'a str,
}

impl Visitor for IsOn<'_> {
    type Output = bool;

    fn visit<G: Playable>(self, _: Variant, _: G) -> bool {
        match self.subject {
            Subject::Engine => engine::options::Options::best::<G>().switches.is_on(self.name),
            Subject::Mcts => {
                let switches = mcts::options::Options::best::<G>().switches;
                let mut on = switches;
                on.set(self.name, true) && on == switches
            }
        }
    }
}
