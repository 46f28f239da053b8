//! The agents of this crate by their texts.

use std::any::Any;

use agon_core::{Evaluate, Evaluation, Hints, Rng, Variant};
use agon_games::{Playable, Visitor, with_game};

use crate::alphabeta::AlphaBeta;
use crate::deepening::Deepening;
use crate::engine::Engine;
use crate::engine::options::{OPTIONS, Options};
use crate::greedy::Greedy;
use crate::many::strongest::{self, Strongest};
use crate::many::{self, Assumption};
use crate::mcts::Mcts;
use crate::mcts::options as mcts_options;
use crate::minimax::Minimax;
use crate::ordered::Ordered;
use crate::random::Random;
use crate::solver;
use crate::solver::agent::Exact;
use crate::spec::{AgentError, AgentInfo, AgentSpec, OptionInfo};
use crate::strategy::Strategy;

const DEPTH: OptionInfo = OptionInfo {
    name: "depth",
    values: "1 to 100",
    about: "plies to search; by default as deep as the clock allows, else the game's default depth",
};

const EVAL: OptionInfo = OptionInfo {
    name: "eval",
    values: "NAME",
    about: "the evaluation of positions: simple, or another of the game's",
};

const H: OptionInfo = OptionInfo {
    name: "h",
    values: "NAME",
    about: "the evaluation that orders the moves: simple, or another",
};

const EVAL_OR_H: OptionInfo = OptionInfo {
    name: "eval",
    values: "NAME",
    about: "the evaluation of positions: by default h itself",
};

const HASH: OptionInfo = OptionInfo {
    name: "hash",
    values: "1 to 65536",
    about: "size of the table of proven positions in MiB; default 256",
};

const THREADS: OptionInfo =
    OptionInfo { name: "threads", values: "1 to 256", about: "search threads; default 1" };

/// Agents for two players, and for any number of players.
const FOR_TWO: &[usize] = &[2];
const FOR_ALL: &[usize] = &[2, 3, 4];

/// All agents of this crate.
pub const AGENTS: &[AgentInfo] = &[
    AgentInfo { name: "random", about: "plays a random legal move", seats: FOR_ALL, options: &[] },
    AgentInfo {
        name: "greedy",
        about: "plays the move with the best evaluation one ply ahead",
        seats: FOR_ALL,
        options: &[EVAL],
    },
    AgentInfo {
        name: "minimax",
        about: "full-width search, for two players",
        seats: FOR_TWO,
        options: &[DEPTH, EVAL],
    },
    AgentInfo {
        name: "alphabeta",
        about: "minimax that prunes branches that cannot change the result",
        seats: FOR_TWO,
        options: &[DEPTH, EVAL],
    },
    AgentInfo {
        name: "ordered",
        about: "alpha-beta with the most promising moves first",
        seats: FOR_TWO,
        options: &[DEPTH, H, EVAL_OR_H],
    },
    AgentInfo {
        name: "engine",
        about: "the strongest, for two players and for three",
        seats: FOR_ALL,
        options: OPTIONS,
    },
    AgentInfo {
        name: "mcts",
        about: "Monte Carlo tree search, for any number of players",
        seats: FOR_ALL,
        options: mcts_options::OPTIONS,
    },
    AgentInfo {
        name: "solver",
        about: "perfect play where the game can be solved, for two players",
        seats: FOR_TWO,
        options: &[HASH, THREADS],
    },
    AgentInfo {
        name: "paranoid",
        about: "alpha-beta that treats all others as one opponent",
        seats: FOR_ALL,
        options: many::options::PARANOID,
    },
    AgentInfo {
        name: "maxn",
        about: "max^n: every player maximises its own result",
        seats: FOR_ALL,
        options: many::options::MAXN,
    },
    AgentInfo {
        name: "brs",
        about: "best-reply search: only the most dangerous opponent replies",
        seats: FOR_ALL,
        options: many::options::BRS,
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
    check_seats(spec, info, position.seats())?;
    if info.name == "engine" {
        return if position.seats() == 2 {
            engine(spec, seed)
        } else {
            engine_for_many(spec, position, seed)
        };
    }
    if info.name == "mcts" {
        return mcts(spec, seed);
    }
    if let Some(assumption) = assumption(spec)? {
        let evaluation = evaluation(spec, "eval", best_evaluation::<G>())?;
        let built = many::build(assumption, many::options::Options::read(spec)?, evaluation);
        return built.map_err(|error| AgentError::new(spec, error.to_string()));
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
            let defaults = solver::Options::default();
            let hash = spec.number("hash", 1..=65_536)?.map_or(defaults.hash_mib, |n| n as usize);
            let threads = spec.number("threads", 1..=256)?.map_or(defaults.threads, |n| n as usize);
            let exact = Exact::new(&solver::Options { hash_mib: hash, threads });
            Box::new(exact.map_err(|error| AgentError::new(spec, error.to_string()))?)
        }
        _ => {
            let heuristic: Evaluation<G> = evaluation(spec, "h", "simple")?;
            let evaluation = evaluation(spec, "eval", heuristic.name)?;
            Box::new(Deepening { depth, search: Ordered { heuristic, evaluation } })
        }
    })
}

/// Makes an agent for a variant, whose positions must be of type `G`.
///
/// The same as [`build`], but the searches are compiled in this crate and not again in the
/// caller's: they are by far the most code.
pub fn strategy<G: Hints>(
    variant: &Variant,
    spec: &AgentSpec,
    seed: u64,
) -> Result<Box<dyn Strategy<G>>, AgentError> {
    let built = boxed(variant, spec, seed)?.downcast::<Box<dyn Strategy<G>>>();
    let other_game = || AgentError::new(spec, format!("it was built for {variant}"));
    built.map(|strategy| *strategy).map_err(|_| other_game())
}

/// A boxed `Box<dyn Strategy<G>>` for the type `G` of the variant's positions.
fn boxed(variant: &Variant, spec: &AgentSpec, seed: u64) -> Result<Box<dyn Any>, AgentError> {
    let opened = with_game(variant, Boxing { spec, seed });
    opened.map_err(|error| AgentError::new(spec, error.to_string()))?
}

struct Boxing<'a> {
    spec: &'a AgentSpec,
    seed: u64,
}

impl Visitor for Boxing<'_> {
    type Output = Result<Box<dyn Any>, AgentError>;

    fn visit<G: Playable>(self, _: Variant, start: G) -> Self::Output {
        Ok(Box::new(build(self.spec, &start, self.seed)?))
    }
}

/// Checks that an agent supports this number of players.
fn check_seats(spec: &AgentSpec, info: &AgentInfo, seats: usize) -> Result<(), AgentError> {
    if info.seats.contains(&seats) {
        return Ok(());
    }
    let fitting = AGENTS.iter().filter(|other| other.seats.contains(&seats));
    let names: Vec<&str> = fitting.map(|other| other.name).collect();
    let numbers: Vec<&str> = info.seats.iter().map(|&seats| number_name(seats)).collect();
    let problem = format!(
        "{} is for {}-player games; with {} players there are: {}",
        info.name,
        numbers.join(" or "),
        number_name(seats),
        names.join(", ")
    );
    Err(AgentError::new(spec, problem))
}

/// A number of players in words.
fn number_name(seats: usize) -> &'static str {
    match seats {
        2 => "two",
        3 => "three",
        _ => "four",
    }
}

/// What a search for several players assumes, if the agent is one.
fn assumption(spec: &AgentSpec) -> Result<Option<Assumption>, AgentError> {
    Ok(match spec.name.as_str() {
        "paranoid" => Some(Assumption::Paranoid),
        "maxn" => Some(Assumption::MaxN),
        "brs" if spec.switch("plus")? == Some(true) => Some(Assumption::BestReplyPlus),
        "brs" => Some(Assumption::BestReply),
        _ => None,
    })
}

/// The engine for more than two players, built from its text.
fn engine_for_many<G: Hints>(
    spec: &AgentSpec,
    position: &G,
    seed: u64,
) -> Result<Box<dyn Strategy<G>>, AgentError> {
    const KNOWN: &[&str] = &["depth", "eval", "level", "hash", "threads", "method"];
    if let Some((option, _)) = spec.options.iter().find(|(name, _)| !KNOWN.contains(&&**name)) {
        let problem = format!("{option} is for two-player games; there are: {}", KNOWN.join(", "));
        return Err(AgentError::new(spec, problem));
    }
    let method = spec.option("method").unwrap_or(strongest::BEST_METHOD);
    if !strongest::METHODS.contains(&method) {
        return Err(spec.unknown("method", method, strongest::METHODS));
    }
    let is_mcts = method == "mcts";
    let mut inner = AgentSpec { name: method.trim_end_matches('+').to_string(), options: vec![] };
    let evaluation = evaluation(spec, "eval", best_evaluation::<G>())?;
    let mut give = |name: &str, value: &str| inner.options.push((name.into(), value.into()));
    if method.ends_with('+') {
        give("plus", "on");
    }
    give("eval", evaluation.name);
    for (name, value) in &spec.options {
        match name.as_str() {
            "depth" if !is_mcts => give(name, value),
            "hash" => give(if is_mcts { "memory" } else { "hash" }, value),
            "threads" if is_mcts => give(name, value),
            "threads" if value != "1" => {
                return Err(AgentError::new(spec, "several threads require method=mcts"));
            }
            _ => {}
        }
    }
    let level = spec.number("level", 1..=10)?.unwrap_or(10);
    let (search, method) = (build(&inner, position, seed)?, inner.to_string());
    Ok(Box::new(Strongest { search, method, evaluation, level, rng: Rng::new(seed) }))
}

/// The engine, built from its text.
fn engine<G: Hints>(spec: &AgentSpec, seed: u64) -> Result<Box<dyn Strategy<G>>, AgentError> {
    if spec.option("method").is_some() {
        return Err(AgentError::new(spec, "method is for three-player games"));
    }
    let evaluation = evaluation(spec, "eval", best_evaluation::<G>())?;
    let engine = Engine::new(Options::read::<G>(spec)?, evaluation, seed);
    Ok(Box::new(engine.map_err(|error| AgentError::new(spec, error.to_string()))?))
}

/// A Monte Carlo search, built from its text.
fn mcts<G: Hints>(spec: &AgentSpec, seed: u64) -> Result<Box<dyn Strategy<G>>, AgentError> {
    let evaluation = evaluation(spec, "eval", best_evaluation::<G>())?;
    Ok(Box::new(Mcts::new(mcts_options::Options::read::<G>(spec)?, evaluation, seed)))
}

/// The name of the game's strongest evaluation.
fn best_evaluation<G: Evaluate>() -> &'static str {
    let has = |name: &&str| G::evaluation(name).is_some();
    ["race", "tuned"].into_iter().find(has).unwrap_or("simple")
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
