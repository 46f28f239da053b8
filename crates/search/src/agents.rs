//! The agents of this crate by their texts.

use agon_core::{Evaluate, Evaluation, Hints};

use crate::alphabeta::AlphaBeta;
use crate::deepening::Deepening;
use crate::greedy::Greedy;
use crate::minimax::Minimax;
use crate::ordered::Ordered;
use crate::random::Random;
use crate::solver::Options;
use crate::solver::agent::Exact;
use crate::spec::{AgentError, AgentInfo, AgentSpec, OptionInfo};
use crate::strategy::Strategy;

const DEPTH: OptionInfo = OptionInfo {
    name: "depth",
    values: "1 to 100",
    about: "plies to search; without it as deep as the clock allows, or the game's default",
};

const EVAL: OptionInfo = OptionInfo {
    name: "eval",
    values: "NAME",
    about: "what judges positions: simple, or another of the game's",
};

const H: OptionInfo = OptionInfo {
    name: "h",
    values: "NAME",
    about: "the evaluation that orders the moves: simple, or another",
};

const EVAL_OR_H: OptionInfo = OptionInfo {
    name: "eval",
    values: "NAME",
    about: "what judges positions: h itself, or another",
};

const HASH: OptionInfo = OptionInfo {
    name: "hash",
    values: "1 to 65536",
    about: "MiB of memory for what is proven; 256 if not given",
};

const THREADS: OptionInfo = OptionInfo {
    name: "threads",
    values: "1 to 256",
    about: "threads to search with; 1 if not given",
};

/// The agents there are.
pub const AGENTS: &[AgentInfo] = &[
    AgentInfo { name: "random", about: "any legal move, all equally likely", options: &[] },
    AgentInfo {
        name: "greedy",
        about: "the move that looks best right after it",
        options: &[EVAL],
    },
    AgentInfo {
        name: "minimax",
        about: "looks at everything, for two players",
        options: &[DEPTH, EVAL],
    },
    AgentInfo {
        name: "alphabeta",
        about: "minimax that cuts off what cannot matter",
        options: &[DEPTH, EVAL],
    },
    AgentInfo {
        name: "ordered",
        about: "alpha-beta, the most promising moves first",
        options: &[DEPTH, H, EVAL_OR_H],
    },
    AgentInfo {
        name: "solver",
        about: "exact play where the game can be seen to its end, for two players",
        options: &[HASH, THREADS],
    },
];

/// Makes an agent for the game of this position. The seed is for agents that play at random.
pub fn build<G: Hints>(
    spec: &AgentSpec,
    position: &G,
    seed: u64,
) -> Result<Box<dyn Strategy<G>>, AgentError> {
    let Some(info) = AGENTS.iter().find(|info| info.name == spec.name) else {
        let names: Vec<&str> = AGENTS.iter().map(|info| info.name).collect();
        return Err(spec.unknown("agent", &spec.name, &names));
    };
    spec.check_options(info)?;
    let for_two = matches!(info.name, "minimax" | "alphabeta" | "ordered" | "solver");
    if for_two && position.seats() != 2 {
        let problem = format!(
            "{} is for games of two; with {} players there are random and greedy",
            info.name,
            position.seats()
        );
        return Err(AgentError::new(spec, problem));
    }
    let depth = spec.number("depth", 1..=100)?;
    Ok(match info.name {
        "random" => Box::new(Random::new(seed)),
        "greedy" => Box::new(Greedy::new(evaluation(spec, "eval", "simple")?, seed)),
        "minimax" => {
            let search = Minimax { evaluation: evaluation(spec, "eval", "simple")? };
            Box::new(Deepening { depth, search })
        }
        "alphabeta" => {
            let search = AlphaBeta { evaluation: evaluation(spec, "eval", "simple")? };
            Box::new(Deepening { depth, search })
        }
        "solver" => {
            let defaults = Options::default();
            let hash = spec.number("hash", 1..=65_536)?.map_or(defaults.hash_mib, |n| n as usize);
            let threads = spec.number("threads", 1..=256)?.map_or(defaults.threads, |n| n as usize);
            let exact = Exact::new(position, &Options { hash_mib: hash, threads });
            Box::new(exact.map_err(|error| AgentError::new(spec, error.to_string()))?)
        }
        _ => {
            let heuristic: Evaluation<G> = evaluation(spec, "h", "simple")?;
            let evaluation = evaluation(spec, "eval", heuristic.name)?;
            Box::new(Deepening { depth, search: Ordered { heuristic, evaluation } })
        }
    })
}

/// The evaluation an option names, or the default.
fn evaluation<G: Evaluate>(
    spec: &AgentSpec,
    option: &str,
    default: &str,
) -> Result<Evaluation<G>, AgentError> {
    let name = spec.option(option).unwrap_or(default);
    G::evaluation(name).ok_or_else(|| {
        let names: Vec<&str> = G::evaluations().iter().map(|evaluation| evaluation.name).collect();
        spec.unknown("evaluation", name, &names)
    })
}
