//! What can be set: `engine:tt=off,lmr=off,hash=64,threads=2,eval=simple`.

use agon_core::Hints;
use agon_core::nearest::nearest;

pub(crate) use super::parameters::DEFAULT_HASH;
use super::parameters::{Parameter, Parameters};
use crate::at_hand::WEIGHTS;
use crate::spec::{AgentError, AgentSpec, OptionInfo, Role};
use crate::switches::switches;

const DEPTH: OptionInfo = OptionInfo::new(
    "depth",
    "1 to 200",
    "maximum depth in plies; by default as deep as the budget allows",
)
.role(Role::Depth);
const EVAL: OptionInfo =
    OptionInfo::new("eval", "NAME", "the evaluation of positions; by default the game's strongest");
const LEVEL: OptionInfo =
    OptionInfo::new("level", "1 to 10", "playing strength; default 10, the strongest")
        .role(Role::Level);
const LINES: OptionInfo = OptionInfo::new(
    "lines",
    "1 to 100",
    "number of best moves to find, each with its line; default 1",
)
.role(Role::Lines);
const HASH: OptionInfo = OptionInfo::new(
    "hash",
    "1 to 1048576",
    "maximum size of the transposition table in MiB; default 64",
)
.role(Role::Memory);
const THREADS: OptionInfo =
    OptionInfo::new("threads", "1 to 256", "search threads; default 1").role(Role::Threads);
const METHOD: OptionInfo = OptionInfo::new(
    "method",
    "NAME",
    "with three players, the search: paranoid, maxn, brs, brs+ or mcts (default); \
            the switches below are for two",
);
const EXACT: OptionInfo = OptionInfo::new(
    "exact",
    "on, off",
    "the exact value of a fixed-depth search, with all unsound pruning off; default off",
)
.for_at_most(2);
const BOOK: OptionInfo = OptionInfo::new(
    "book",
    "on, off, FILE",
    "opening book: that of the variant, or a file; by default off in matches, in play one that helps",
)
.role(Role::Book)
.for_at_most(2);
const SET: OptionInfo = OptionInfo::new(
    "set",
    "NAME:VALUE+…",
    "parameters of the search, such as set=null_base:4+window:20; agon tune --search finds better ones",
)
.for_at_most(2);

switches! {
    [DEPTH, EVAL, WEIGHTS, LEVEL, LINES, HASH, THREADS, EXACT, BOOK, METHOD, SET];
    2;
    tt: "transposition table",
    pvs: "principal variation search: all moves but the first with a null window",
    aspiration: "start with a narrow window around the last score",
    quiescence: "resolve exchanges before evaluating (quiescence search)",
    killers: "killer moves: try moves early that caused cut-offs in sibling positions",
    counters: "counter-moves: try the reply early that refuted the last move before",
    history: "order quiet moves by how often they caused cut-offs",
    continuation: "and by how often they did so after the preceding moves",
    nullmove: "null-move pruning: cut off where even passing would be good enough",
    lmr: "late move reductions: search late moves less deeply",
    pruning: "futility pruning: skip hopeless moves and good enough positions near the leaves",
    skipping: "late move pruning: skip late quiet moves near the leaves",
    singular: "singular extensions: search a move deeper that is much better than all others",
    corrections: "learn how evaluations err in similar positions, and correct them",
    iir: "internal iterative reductions: search positions without a table move less deeply",
    extensions: "search forced moves and attacked positions deeper",
    foresight: "use forced results that game knowledge proves without a search",
    solving: "solve small positions outright",
    tablebase: "use exact results from endgame tables, where they are at hand",
}

/// Improvements that have not been shown to help in any game: off unless asked for.
const UNPROVEN: &[&str] = &["singular", "corrections"];

/// The highest level.
const STRONGEST: u32 = 10;

/// How an engine is set up.
#[derive(Clone, Debug)]
pub struct Options {
    /// The maximum depth.
    pub depth: Option<u32>,
    /// The playing strength, from 1 to 10, the strongest.
    pub level: u32,
    /// How many best moves to find.
    pub lines: usize,
    /// The table's size in MiB.
    pub hash: u32,
    /// How many threads search.
    pub threads: usize,
    /// Whether the value has to be that of a minimax search to the same depth.
    pub exact: bool,
    /// The improvements that are on.
    pub switches: Switches,
    /// How selective the search is.
    pub parameters: Parameters,
}

impl Options {
    /// The best settings measured for a game.
    pub fn best<G: Hints>() -> Options {
        let mut switches = Switches::all(true);
        for name in UNPROVEN.iter().chain(G::UNHELPFUL) {
            let known = switches.set(name, false);
            debug_assert!(known, "{name} is not a switch of the engine");
        }
        let mut parameters = Parameters::default();
        for &(name, value) in G::PARAMETERS {
            let known = parameters.set(name, value);
            debug_assert!(known, "{name} is not a parameter of the engine");
        }
        Options {
            depth: None,
            level: STRONGEST,
            lines: 1,
            hash: DEFAULT_HASH,
            threads: 1,
            exact: false,
            switches,
            parameters,
        }
    }

    /// The best settings for a game, overridden by an agent's text.
    pub fn read<G: Hints>(spec: &AgentSpec) -> Result<Options, AgentError> {
        let mut options = Options::best::<G>();
        options.depth = spec.number("depth", 1..=200)?;
        options.level = spec.number("level", 1..=STRONGEST)?.unwrap_or(options.level);
        options.lines = spec.number("lines", 1..=100)?.map_or(options.lines, |n| n as usize);
        options.hash = spec.number("hash", 1..=1 << 20)?.unwrap_or(options.hash);
        options.threads = spec.number("threads", 1..=256)?.map_or(options.threads, |n| n as usize);
        options.exact = spec.switch("exact")?.unwrap_or(options.exact);
        options.switches.read(spec)?;
        options.parameters.read(spec)?;
        Ok(options)
    }
}

impl Parameters {
    /// Sets what an agent's text says.
    fn read(&mut self, spec: &AgentSpec) -> Result<(), AgentError> {
        let Some(text) = spec.option("set") else { return Ok(()) };
        for part in text.split('+') {
            let wrong = |problem: String| AgentError::new(spec, problem);
            let Some((name, value)) = part.split_once(':') else {
                let problem = format!("expected set=NAME:VALUE+…, found {part:?}");
                return Err(wrong(problem));
            };
            let known = Parameters::ALL.iter().find(|parameter| parameter.name == name);
            let Some(Parameter { least, most, .. }) = known else {
                let names: Vec<_> = Parameters::ALL.iter().map(|known| known.name).collect();
                let hint = nearest(name, &names).map_or_else(
                    || format!("the parameters are {}", names.join(", ")),
                    |near| format!("did you mean {near:?}?"),
                );
                return Err(wrong(format!("no parameter {name:?}; {hint}")));
            };
            let number = value.parse().ok().filter(|number| (least..=most).contains(&number));
            let expected = || format!("expected {name}:{least} to {most}, found {name}:{value}");
            self.set(name, number.ok_or_else(|| wrong(expected()))?);
        }
        Ok(())
    }
}

impl Switches {
    /// The switches as an agent's text sets them, whatever the game.
    pub(crate) fn for_spec(spec: &AgentSpec) -> Result<Switches, AgentError> {
        let mut switches = Switches::all(true);
        switches.read(spec)?;
        Ok(switches)
    }

    /// Sets what an agent's text says.
    fn read(&mut self, spec: &AgentSpec) -> Result<(), AgentError> {
        let exact = spec.switch("exact")?.unwrap_or(false);
        if exact {
            *self = Switches::EXACT;
        }
        // A weaker level is not meant to be perfect anywhere.
        let level = spec.number("level", 1..=STRONGEST)?.unwrap_or(STRONGEST);
        self.tablebase &= level == STRONGEST;
        for name in Switches::NAMES {
            if let Some(on) = spec.switch(name)? {
                if on && exact && !Switches::EXACT.is_on(name) {
                    let problem = format!("exact=on does not allow {name}=on");
                    return Err(AgentError::new(spec, problem));
                }
                self.set(name, on);
            }
        }
        Ok(())
    }

    /// The switches that never change the value of a fixed-depth search.
    pub const EXACT: Switches = Switches {
        tt: true,
        pvs: true,
        aspiration: true,
        killers: true,
        counters: true,
        history: true,
        continuation: true,
        ..Switches::all(false)
    };
}
