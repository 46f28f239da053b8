//! What can be set: `engine:tt=off,lmr=off,hash=64,threads=2,eval=simple`.

use agon_core::Hints;

use super::parameters::DEFAULT_HASH;
use crate::spec::{AgentError, AgentSpec, OptionInfo};
use crate::switches::switches;

const DEPTH: OptionInfo = OptionInfo {
    name: "depth",
    values: "1 to 200",
    about: "plies to search at most; without it as deep as the budget allows",
};
const EVAL: OptionInfo = OptionInfo {
    name: "eval",
    values: "NAME",
    about: "what judges positions: race or tuned where the game has it, else simple",
};
const LEVEL: OptionInfo = OptionInfo {
    name: "level",
    values: "1 to 10",
    about: "how well it plays; 10, as well as it can, if not given",
};
const LINES: OptionInfo = OptionInfo {
    name: "lines",
    values: "1 to 100",
    about: "how many best moves to find with their lines; 1 if not given",
};
const HASH: OptionInfo = OptionInfo {
    name: "hash",
    values: "1 to 1048576",
    about: "the table's size in MiB; 64 if not given",
};
const THREADS: OptionInfo = OptionInfo {
    name: "threads",
    values: "1 to 256",
    about: "how many threads search together; 1 if not given",
};
const METHOD: OptionInfo = OptionInfo {
    name: "method",
    values: "NAME",
    about: "with three players, how it searches: paranoid, maxn, brs, brs+, or mcts if not given; \
            the switches below are for two",
};
const EXACT: OptionInfo = OptionInfo {
    name: "exact",
    values: "on, off",
    about: "the very value of a search of fixed depth, with every shortcut off; off if not given",
};

switches! {
    [DEPTH, EVAL, LEVEL, LINES, HASH, THREADS, EXACT, METHOD];
    tt: "remember positions in a table",
    pvs: "search all moves but the first with a null window",
    aspiration: "begin with a narrow window around the last score",
    quiescence: "play exchanges out before judging",
    killers: "try moves early that cut off beside this position",
    counters: "try the move early that answered the last one before",
    history: "order quiet moves by how often they cut off",
    continuation: "and by how often they did after the moves before",
    nullmove: "cut off where even a pass would be good enough",
    lmr: "search late moves less deep",
    pruning: "skip hopeless moves near the leaves, and positions that are good enough",
    skipping: "skip late quiet moves near the leaves",
    iir: "search positions without a remembered move less deep",
    extensions: "search forced moves and attacked positions deeper",
    foresight: "use what the game's rules tell about sure wins",
    solving: "solve small positions outright",
}

/// How an engine is set up.
#[derive(Clone, Debug)]
pub struct Options {
    /// No deeper than this.
    pub depth: Option<u32>,
    /// From 1 to 10, which is as well as it can.
    pub level: u32,
    /// How many best moves to find.
    pub lines: usize,
    /// The table's size in MiB.
    pub hash: u32,
    /// How many threads search.
    pub threads: usize,
    /// Whether the value has to be that of a plain search of the same depth.
    pub exact: bool,
    /// The improvements that are on.
    pub switches: Switches,
}

impl Options {
    /// The best for a game, as far as it was measured.
    pub fn best<G: Hints>() -> Options {
        let mut switches = Switches::all(true);
        for name in G::UNHELPFUL {
            let known = switches.set(name, false);
            debug_assert!(known, "{name} is no improvement of the engine");
        }
        Options {
            depth: None,
            level: 10,
            lines: 1,
            hash: DEFAULT_HASH,
            threads: 1,
            exact: false,
            switches,
        }
    }

    /// The best for a game, with what an agent's text sets otherwise.
    pub fn read<G: Hints>(spec: &AgentSpec) -> Result<Options, AgentError> {
        let mut options = Options::best::<G>();
        options.depth = spec.number("depth", 1..=200)?;
        options.level = spec.number("level", 1..=10)?.unwrap_or(options.level);
        options.lines = spec.number("lines", 1..=100)?.map_or(options.lines, |n| n as usize);
        options.hash = spec.number("hash", 1..=1 << 20)?.unwrap_or(options.hash);
        options.threads = spec.number("threads", 1..=256)?.map_or(options.threads, |n| n as usize);
        options.exact = spec.switch("exact")?.unwrap_or(options.exact);
        if options.exact {
            options.switches = Switches::EXACT;
        }
        for name in Switches::NAMES {
            if let Some(on) = spec.switch(name)? {
                if on && options.exact && !Switches::EXACT.is_on(name) {
                    let problem = format!("exact=on leaves no room for {name}=on");
                    return Err(AgentError::new(spec, problem));
                }
                options.switches.set(name, on);
            }
        }
        Ok(options)
    }
}

impl Switches {
    /// What never changes the value of a search of fixed depth.
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
