//! The options: `mcts:plain=on,iterations=5000`, `mcts:priors=off,threads=2`.

use agon_core::Hints;

use crate::at_hand::WEIGHTS;
use crate::spec::{AgentError, AgentSpec, OptionInfo, Role};
use crate::switches::switches;

const PLAIN: OptionInfo = OptionInfo::new(
    "plain",
    "on, off",
    "the textbook version: UCT with random play-outs and no improvements; default off",
);
const ITERATIONS: OptionInfo = OptionInfo::new(
    "iterations",
    "NUMBER",
    "maximum number of iterations; by default as many as the budget allows",
);
const EVAL: OptionInfo =
    OptionInfo::new("eval", "NAME", "the evaluation of positions; by default the game's strongest");
const MEMORY: OptionInfo = OptionInfo::new(
    "memory",
    "1 to 65536",
    "memory for the tree in MiB; when it is full, the least visited nodes are \
            dropped; default 256",
)
.role(Role::Memory);
const LINES: OptionInfo = OptionInfo::new(
    "lines",
    "1 to 100",
    "number of moves to report, the best first, each with its line; default 1",
)
.role(Role::Lines);
const THREADS: OptionInfo =
    OptionInfo::new("threads", "1 to 256", "search threads; default 1").role(Role::Threads);
const EXPLORE: OptionInfo = OptionInfo::new(
    "explore",
    "1 to 1000",
    "exploration constant in hundredths: larger explores weaker moves more",
);
const PLIES: OptionInfo = OptionInfo::new(
    "plies",
    "0 to 1000",
    "plies of a play-out before it is evaluated, with cutoff=on",
);

switches! {
    [PLAIN, ITERATIONS, EVAL, WEIGHTS, MEMORY, LINES, THREADS, EXPLORE, PLIES];
    agon_core::MAX_SEATS;
    solver: "back up proven results as bounds (MCTS-Solver)",
    cutoff: "evaluate play-outs after a few plies instead of playing to the end",
    quiet: "resolve exchanges before evaluating, in two-player games",
    minimax: "mix evaluations, backed up as in minimax, into the values (implicit minimax)",
    priors: "explore moves favoured by the evaluation and the game's hints first and longer",
    history: "explore moves longer that did well elsewhere in the tree (progressive history)",
    reuse: "keep the relevant subtree from move to move",
}

/// The settings of a Monte Carlo search.
#[derive(Clone, Debug)]
pub struct Options {
    /// The maximum number of iterations.
    pub iterations: Option<u64>,
    /// Memory for the tree, in MiB.
    pub memory: u32,
    /// How many moves are reported with their lines.
    pub lines: usize,
    /// How many threads search.
    pub threads: usize,
    /// The exploration constant.
    pub explore: f32,
    /// Plies of a play-out before it is evaluated.
    pub plies: u32,
    /// The improvements that are on.
    pub switches: Switches,
}

/// The exploration constant of the textbook version, for values from 0 to 1.
const PLAIN_EXPLORATION: f32 = 0.7;
/// The same with priors.
const EXPLORATION: f32 = 0.5;

impl Options {
    /// The textbook version.
    pub fn plain() -> Options {
        Options {
            iterations: None,
            memory: 256,
            lines: 1,
            threads: 1,
            explore: PLAIN_EXPLORATION,
            plies: 0,
            switches: Switches::all(false),
        }
    }

    /// The best settings measured: in combination with priors, history never helped, and hurt in
    /// one game.
    pub fn best<G: Hints>() -> Options {
        let switches = Switches { history: false, ..Switches::all(true) };
        Options { explore: EXPLORATION, switches, ..Options::plain() }
    }

    /// The best settings, overridden by an agent's text.
    pub fn read<G: Hints>(spec: &AgentSpec) -> Result<Options, AgentError> {
        let plain = spec.switch("plain")?.unwrap_or(false);
        let mut options = if plain { Options::plain() } else { Options::best::<G>() };
        options.iterations = spec.number("iterations", 1..=1_000_000_000)?.map(u64::from);
        options.memory = spec.number("memory", 1..=65_536)?.unwrap_or(options.memory);
        options.threads = spec.number("threads", 1..=256)?.map_or(options.threads, |n| n as usize);
        options.lines = spec.number("lines", 1..=100)?.map_or(options.lines, |n| n as usize);
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
