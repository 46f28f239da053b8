//! What can be set: `mcts:plain=on,iterations=5000`, `mcts:priors=off,threads=2`.

use agon_core::Hints;

use crate::spec::{AgentError, AgentSpec, OptionInfo};
use crate::switches::switches;

const PLAIN: OptionInfo = OptionInfo {
    name: "plain",
    values: "on, off",
    about: "the textbook: UCT with random play-outs and none of the improvements; off if not given",
};
const ITERATIONS: OptionInfo = OptionInfo {
    name: "iterations",
    values: "NUMBER",
    about: "how many times to go down the tree at most; without it as often as the budget allows",
};
const EVAL: OptionInfo = OptionInfo {
    name: "eval",
    values: "NAME",
    about: "what judges positions: race or tuned where the game has it, else simple",
};
const MEMORY: OptionInfo = OptionInfo {
    name: "memory",
    values: "1 to 65536",
    about: "MiB for the tree, which forgets what it visits least when they are full; 256 if not \
            given",
};
const THREADS: OptionInfo = OptionInfo {
    name: "threads",
    values: "1 to 256",
    about: "how many threads search together; 1 if not given",
};
const EXPLORE: OptionInfo = OptionInfo {
    name: "explore",
    values: "1 to 1000",
    about: "how much it looks at moves that seem worse, in hundredths",
};
const PLIES: OptionInfo = OptionInfo {
    name: "plies",
    values: "0 to 1000",
    about: "how long a play-out is before it is judged, with cutoff=on",
};

switches! {
    [PLAIN, ITERATIONS, EVAL, MEMORY, THREADS, EXPLORE, PLIES];
    solver: "proven results count for certain, and are passed up the tree",
    cutoff: "judge play-outs after a few plies by an evaluation instead of playing to the end",
    quiet: "play exchanges out before judging, in games of two",
    minimax: "mix what evaluations say, backed up as by minimax, into the values",
    priors: "look first and longer at moves that the evaluation and the game's hints like",
    history: "look at moves longer that were good elsewhere in the tree",
    reuse: "keep what is still of use of the tree from move to move",
}

/// How a Monte Carlo search is set up.
#[derive(Clone, Debug)]
pub struct Options {
    /// Go down the tree no more often than this.
    pub iterations: Option<u64>,
    /// Memory for the tree, in MiB.
    pub memory: u32,
    /// How many threads search.
    pub threads: usize,
    /// The weight of exploration.
    pub explore: f32,
    /// Plies of a play-out before it is judged.
    pub plies: u32,
    /// The improvements that are on.
    pub switches: Switches,
}

/// The weight of exploration in the textbook, for values from 0 to 1.
const PLAIN_EXPLORATION: f32 = 0.7;
/// The same with priors.
const EXPLORATION: f32 = 0.5;

impl Options {
    /// The textbook.
    pub fn plain() -> Options {
        Options {
            iterations: None,
            memory: 256,
            threads: 1,
            explore: PLAIN_EXPLORATION,
            plies: 0,
            switches: Switches::all(false),
        }
    }

    /// The best, as far as it was measured: beside priors, history was never found to help, and
    /// in one game to hurt.
    pub fn best<G: Hints>() -> Options {
        let switches = Switches { history: false, ..Switches::all(true) };
        Options { explore: EXPLORATION, switches, ..Options::plain() }
    }

    /// The best, with what an agent's text sets otherwise.
    pub fn read<G: Hints>(spec: &AgentSpec) -> Result<Options, AgentError> {
        let plain = spec.switch("plain")?.unwrap_or(false);
        let mut options = if plain { Options::plain() } else { Options::best::<G>() };
        options.iterations = spec.number("iterations", 1..=1_000_000_000)?.map(u64::from);
        options.memory = spec.number("memory", 1..=65_536)?.unwrap_or(options.memory);
        options.threads = spec.number("threads", 1..=256)?.map_or(options.threads, |n| n as usize);
        options.plies = spec.number("plies", 0..=1000)?.unwrap_or(options.plies);
        if let Some(hundredths) = spec.number("explore", 1..=1000)? {
            options.explore = hundredths as f32 / 100.0;
        }
        for name in Switches::NAMES {
            if let Some(on) = spec.switch(name)? {
                options.switches.set(name, on);
            }
        }
        Ok(options)
    }
}
