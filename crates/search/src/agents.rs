//! The agents of this crate by their texts.

use std::any::Any;

use agon_core::{Evaluator, Hints, Rng, Variant};
use agon_games::{Catalog, Playable, Visitor};

use crate::alphabeta::AlphaBeta;
use crate::at_hand::{AtHand, WEIGHTS};
use crate::book::shelf::{self, Chosen};
use crate::deepening::Deepening;
use crate::engine::Engine;
use crate::engine::options::{DEFAULT_HASH, OPTIONS, Options, Switches};
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
use crate::spec::{AgentError, AgentInfo, AgentSpec, Manner, OptionInfo, Role};
use crate::strategy::Strategy;

const DEPTH: OptionInfo = OptionInfo::new(
    "depth",
    "1 to 100",
    "plies to search; by default as deep as the clock allows, else the game's default depth",
)
.role(Role::Depth);

const EVAL: OptionInfo = OptionInfo::new(
    "eval",
    "NAME",
    "the evaluation of positions: simple, or another of the game's",
);

const H: OptionInfo =
    OptionInfo::new("h", "NAME", "the evaluation that orders the moves: simple, or another");

const EVAL_OR_H: OptionInfo =
    OptionInfo::new("eval", "NAME", "the evaluation of positions: by default h itself");

const HASH: OptionInfo = OptionInfo::new(
    "hash",
    "1 to 65536",
    "size of the table of proven positions in MiB; default 256",
)
.role(Role::Memory);

const THREADS: OptionInfo =
    OptionInfo::new("threads", "1 to 256", "search threads; default 1").role(Role::Threads);

/// Agents for two players, and for any number of players.
const FOR_TWO: &[usize] = &[2];
const FOR_ALL: &[usize] = &[2, 3, 4];

/// All agents of this crate.
pub const AGENTS: &[AgentInfo] = &[
    AgentInfo {
        name: "random",
        about: "plays a random legal move",
        seats: FOR_ALL,
        options: &[],
        manner: Manner::ByChance,
    },
    AgentInfo {
        name: "greedy",
        about: "plays the move with the best evaluation one ply ahead",
        seats: FOR_ALL,
        options: &[EVAL, WEIGHTS],
        manner: Manner::AtOnce,
    },
    AgentInfo {
        name: "minimax",
        about: "full-width search, for two players",
        seats: FOR_TWO,
        options: &[DEPTH, EVAL, WEIGHTS],
        manner: Manner::ToDepth,
    },
    AgentInfo {
        name: "alphabeta",
        about: "minimax that prunes branches that cannot change the result",
        seats: FOR_TWO,
        options: &[DEPTH, EVAL, WEIGHTS],
        manner: Manner::ToDepth,
    },
    AgentInfo {
        name: "ordered",
        about: "alpha-beta with the most promising moves first",
        seats: FOR_TWO,
        options: &[DEPTH, H, EVAL_OR_H, WEIGHTS],
        manner: Manner::ToDepth,
    },
    AgentInfo {
        name: "engine",
        about: "the strongest, for two players and for three",
        seats: FOR_ALL,
        options: OPTIONS,
        manner: Manner::Anytime,
    },
    AgentInfo {
        name: "mcts",
        about: "Monte Carlo tree search, for any number of players",
        seats: FOR_ALL,
        options: mcts_options::OPTIONS,
        manner: Manner::Anytime,
    },
    AgentInfo {
        name: "solver",
        about: "perfect play where the game can be solved, for two players",
        seats: FOR_TWO,
        options: &[HASH, THREADS],
        manner: Manner::Anytime,
    },
    AgentInfo {
        name: "paranoid",
        about: "alpha-beta that treats all others as one opponent",
        seats: FOR_ALL,
        options: many::options::PARANOID,
        manner: Manner::Anytime,
    },
    AgentInfo {
        name: "maxn",
        about: "max^n: every player maximises its own result",
        seats: FOR_ALL,
        options: many::options::MAXN,
        manner: Manner::Anytime,
    },
    AgentInfo {
        name: "brs",
        about: "best-reply search: only the most dangerous opponent replies",
        seats: FOR_ALL,
        options: many::options::BRS,
        manner: Manner::Anytime,
    },
];

/// The agent of this crate with this name.
pub fn info(name: &str) -> Option<&'static AgentInfo> {
    AGENTS.iter().find(|info| info.name == name)
}

/// Whether an agent looks at endgame tables where there are some.
pub fn uses_endgames(spec: &AgentSpec) -> bool {
    match spec.name.as_str() {
        "solver" => true,
        "engine" => Switches::for_spec(spec).is_ok_and(|switches| switches.tablebase),
        _ => false,
    }
}

/// The value that an agent's text gives to its option with this role.
pub fn value_of(spec: &AgentSpec, role: Role) -> Option<&str> {
    let option = info(&spec.name)?.options.iter().find(|option| option.role == role)?;
    spec.option(option.name)
}

/// The file that an agent's text names, and what it is for. Whoever gets the text from somebody else
/// must not let it choose what is read here.
pub fn file_of(spec: &AgentSpec) -> Option<(Role, &str)> {
    let book = value_of(spec, Role::Book).filter(|book| !["on", "off"].contains(book));
    let weights = value_of(spec, Role::Weights).map(|file| (Role::Weights, file));
    book.map(|file| (Role::Book, file)).or(weights)
}

/// How much memory an agent may use for its tables, in MiB.
pub fn memory(spec: &AgentSpec) -> u32 {
    let given = value_of(spec, Role::Memory).and_then(|text| text.parse().ok());
    given.unwrap_or_else(|| match spec.name.as_str() {
        "engine" => DEFAULT_HASH,
        "mcts" => mcts_options::Options::plain().memory,
        "solver" => u32::try_from(solver::Options::default().hash_mib).unwrap_or(u32::MAX),
        "paranoid" | "maxn" | "brs" => many::options::Options::default().hash,
        _ => 0,
    })
}

/// Makes an agent for the variant of this position, without tables and without a book. The seed is
/// for agents that play at random.
pub fn build<G: Hints>(
    spec: &AgentSpec,
    position: &G,
    seed: u64,
) -> Result<Box<dyn Strategy<G>>, AgentError> {
    build_with(spec, position, &AtHand::default(), seed)
}

/// The same with what is at hand.
pub fn build_with<G: Hints>(
    spec: &AgentSpec,
    position: &G,
    at_hand: &AtHand,
    seed: u64,
) -> Result<Box<dyn Strategy<G>>, AgentError> {
    let Some(info) = info(&spec.name) else {
        let names: Vec<&str> = AGENTS.iter().map(|info| info.name).collect();
        return Err(spec.unknown("agent", &spec.name, &names));
    };
    spec.check_options(info)?;
    check_seats(spec, info, position.seats())?;
    let at_hand = &Bound { position, at_hand };
    let best = G::best_evaluation().name;
    if info.name == "engine" {
        return if position.seats() == 2 {
            engine(spec, at_hand, seed)
        } else {
            engine_for_many(spec, at_hand, seed)
        };
    }
    if info.name == "mcts" {
        return mcts(spec, at_hand, seed);
    }
    let evaluator = |option: &str, default: &str| evaluator(spec, at_hand, option, default);
    if let Some(assumption) = assumption(spec)? {
        let evaluation = evaluator("eval", best)?;
        let built = many::build(assumption, many::options::Options::read(spec)?, evaluation);
        return built.map_err(|error| AgentError::new(spec, error.to_string()));
    }
    let depth = spec.number("depth", 1..=100)?;
    Ok(match info.name {
        "random" => Box::new(Random::new(seed)),
        "greedy" => Box::new(Greedy::new(evaluator("eval", "simple")?, seed)),
        "minimax" => {
            let search = Minimax { evaluation: evaluator("eval", "simple")? };
            Box::new(Deepening { depth, search })
        }
        "alphabeta" => {
            let search = AlphaBeta { evaluation: evaluator("eval", "simple")? };
            Box::new(Deepening { depth, search })
        }
        "solver" => {
            let defaults = solver::Options::default();
            let hash = spec.number("hash", 1..=65_536)?.map_or(defaults.hash_mib, |n| n as usize);
            let threads = spec.number("threads", 1..=256)?.map_or(defaults.threads, |n| n as usize);
            let options = solver::Options { hash_mib: hash, threads };
            let exact = Exact::new(&options, &at_hand.at_hand.tables);
            Box::new(exact.map_err(|error| AgentError::new(spec, error.to_string()))?)
        }
        _ => {
            let heuristic = evaluator("h", "simple")?;
            let evaluation = evaluator("eval", heuristic.name())?;
            Box::new(Deepening { depth, search: Ordered { heuristic, evaluation } })
        }
    })
}

/// Makes an agent for a variant, whose positions must be of type `G`.
///
/// The same as [`build`], but the searches are compiled in this crate and not again in the
/// caller's: they are by far the most code.
pub fn strategy<G: Hints>(
    catalog: &Catalog,
    variant: &Variant,
    spec: &AgentSpec,
    seed: u64,
) -> Result<Box<dyn Strategy<G>>, AgentError> {
    let built = boxed(catalog, variant, spec, seed)?.downcast::<Box<dyn Strategy<G>>>();
    let other_game = || AgentError::new(spec, format!("it was built for {variant}"));
    built.map(|strategy| *strategy).map_err(|_| other_game())
}

/// A boxed `Box<dyn Strategy<G>>` for the type `G` of the variant's positions.
fn boxed(
    catalog: &Catalog,
    variant: &Variant,
    spec: &AgentSpec,
    seed: u64,
) -> Result<Box<dyn Any>, AgentError> {
    let at_hand = &AtHand::of(catalog, variant, spec)?;
    let book = shelf::chosen(catalog, variant, spec)?;
    let opened = catalog.with_game(variant, Boxing { spec, at_hand, book, seed });
    opened.map_err(|error| AgentError::new(spec, error.to_string()))?
}

struct Boxing<'a> {
    spec: &'a AgentSpec,
    at_hand: &'a AtHand,
    book: Option<Chosen>,
    seed: u64,
}

impl Visitor for Boxing<'_> {
    type Output = Result<Box<dyn Any>, AgentError>;

    fn visit<G: Playable>(self, _: Variant, start: G) -> Self::Output {
        let built = build_with(self.spec, &start, self.at_hand, self.seed)?;
        Ok(Box::new(with_book(built, self.book, self.seed)))
    }
}

/// The same agent, playing by a book as long as it can if there is one.
pub(crate) fn with_book<G: Hints>(
    agent: Box<dyn Strategy<G>>,
    book: Option<Chosen>,
    seed: u64,
) -> Box<dyn Strategy<G>> {
    match book {
        Some(book) => book.before(agent, seed),
        None => agent,
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
    at_hand: &Bound<'_, G>,
    seed: u64,
) -> Result<Box<dyn Strategy<G>>, AgentError> {
    const KNOWN: &[&str] = &["depth", "eval", "level", "lines", "hash", "threads", "method"];
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
    let evaluation = evaluator(spec, at_hand, "eval", G::best_evaluation().name)?;
    let mut give = |name: &str, value: &str| inner.options.push((name.into(), value.into()));
    if method.ends_with('+') {
        give("plus", "on");
    }
    give("eval", evaluation.name());
    for (name, value) in &spec.options {
        match name.as_str() {
            "depth" if !is_mcts => give(name, value),
            "hash" => give(if is_mcts { "memory" } else { "hash" }, value),
            "threads" | "lines" if is_mcts => give(name, value),
            "lines" if value != "1" => {
                return Err(AgentError::new(spec, "several lines require method=mcts"));
            }
            "threads" if value != "1" => {
                return Err(AgentError::new(spec, "several threads require method=mcts"));
            }
            _ => {}
        }
    }
    let level = spec.number("level", 1..=10)?.unwrap_or(10);
    let (search, method) =
        (build_with(&inner, at_hand.position, at_hand.at_hand, seed)?, inner.to_string());
    Ok(Box::new(Strongest { search, method, evaluation, level, rng: Rng::new(seed) }))
}

/// The engine, built from its text.
fn engine<G: Hints>(
    spec: &AgentSpec,
    at_hand: &Bound<'_, G>,
    seed: u64,
) -> Result<Box<dyn Strategy<G>>, AgentError> {
    if spec.option("method").is_some() {
        return Err(AgentError::new(spec, "method is for three-player games"));
    }
    let evaluation = evaluator(spec, at_hand, "eval", G::best_evaluation().name)?;
    let engine = Engine::new(Options::read::<G>(spec)?, evaluation, seed);
    Ok(Box::new(engine.map_err(|error| AgentError::new(spec, error.to_string()))?))
}

/// A Monte Carlo search, built from its text.
fn mcts<G: Hints>(
    spec: &AgentSpec,
    at_hand: &Bound<'_, G>,
    seed: u64,
) -> Result<Box<dyn Strategy<G>>, AgentError> {
    let evaluation = evaluator(spec, at_hand, "eval", G::best_evaluation().name)?;
    Ok(Box::new(Mcts::new(mcts_options::Options::read::<G>(spec)?, evaluation, seed)))
}

/// What evaluations are bound to: a position of the variant, and what is at hand.
struct Bound<'a, G> {
    position: &'a G,
    at_hand: &'a AtHand,
}

/// The evaluation an option names, or the default.
fn evaluator<G: Hints>(
    spec: &AgentSpec,
    at_hand: &Bound<'_, G>,
    option: &str,
    default: &str,
) -> Result<Evaluator<G>, AgentError> {
    let name = spec.option(option).unwrap_or(default);
    let evaluation = G::evaluation(name).ok_or_else(|| {
        let names: Vec<&str> = G::evaluations().iter().map(|evaluation| evaluation.name).collect();
        spec.unknown("evaluation", name, &names)
    })?;
    let Bound { position, at_hand: AtHand { tables, weights } } = at_hand;
    let evaluator = position.evaluator(evaluation, tables);
    let Some(weights) = weights else { return Ok(evaluator) };
    if G::FEATURES.is_empty() {
        return Err(AgentError::new(spec, "this game has no evaluation with weights"));
    }
    let values = weights.values(spec, G::FEATURES)?;
    match position.model(name, tables, Some(&values)) {
        Some(model) => Ok(evaluator.by_model(model)),
        // What orders the moves may be another evaluation than the one at the leaves.
        None if option == "h" => Ok(evaluator),
        None => {
            let problem =
                format!("weights are for the evaluation tuned, not for {name}: eval=tuned");
            Err(AgentError::new(spec, problem))
        }
    }
}
