//! The options: `paranoid:depth=4,tt=off`, `brs:plus=on,hash=16`.

use crate::at_hand::WEIGHTS;
use crate::spec::{AgentError, AgentSpec, OptionInfo, Role};

/// The settings of a search for several players. No switch changes the value of a fixed-depth
/// search.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The maximum depth.
    pub depth: Option<u32>,
    /// The table's size in MiB.
    pub hash: u32,
    /// Use a transposition table.
    pub tt: bool,
    /// Search all moves but the first with a null window.
    pub pvs: bool,
    /// Try moves early that the game's hints favour.
    pub ordering: bool,
    /// Try killer moves early.
    pub killers: bool,
    /// Try moves early that often caused cut-offs elsewhere.
    pub history: bool,
}

const DEEPEST: u32 = 200;
const DEFAULT_HASH: u32 = 32;

impl Default for Options {
    fn default() -> Self {
        Options {
            depth: None,
            hash: DEFAULT_HASH,
            tt: true,
            pvs: true,
            ordering: true,
            killers: true,
            history: true,
        }
    }
}

impl Options {
    /// The defaults, overridden by an agent's text.
    pub fn read(spec: &AgentSpec) -> Result<Options, AgentError> {
        let standard = Options::default();
        Ok(Options {
            depth: spec.number("depth", 1..=DEEPEST)?,
            hash: spec.number("hash", 1..=65_536)?.unwrap_or(standard.hash),
            tt: spec.switch("tt")?.unwrap_or(standard.tt),
            pvs: spec.switch("pvs")?.unwrap_or(standard.pvs),
            ordering: spec.switch("ordering")?.unwrap_or(standard.ordering),
            killers: spec.switch("killers")?.unwrap_or(standard.killers),
            history: spec.switch("history")?.unwrap_or(standard.history),
        })
    }
}

const DEPTH: OptionInfo = OptionInfo::new(
    "depth",
    "1 to 200",
    "maximum depth in plies; by default as deep as the budget allows, else the game's \
            default",
)
.role(Role::Depth);
const EVAL: OptionInfo =
    OptionInfo::new("eval", "NAME", "the evaluation of positions; by default the game's strongest");
const HASH: OptionInfo = OptionInfo::new(
    "hash",
    "1 to 65536",
    "maximum size of the transposition table in MiB; default 32",
)
.role(Role::Memory);
const TT: OptionInfo = OptionInfo::new("tt", "on, off", "transposition table");
const PVS: OptionInfo = OptionInfo::new(
    "pvs",
    "on, off",
    "principal variation search: all moves but the first with a null window",
);
const ORDERING: OptionInfo =
    OptionInfo::new("ordering", "on, off", "try moves early that the game's hints favour");
const KILLERS: OptionInfo = OptionInfo::new(
    "killers",
    "on, off",
    "killer moves: try moves early that caused cut-offs in sibling positions",
);
const HISTORY: OptionInfo =
    OptionInfo::new("history", "on, off", "try moves early that often caused cut-offs elsewhere");
const PLUS: OptionInfo = OptionInfo::new(
    "plus",
    "on, off",
    "BRS+: the other opponents play their best-ranked move instead of passing; default off",
);

/// The options of the agent `paranoid`.
pub(crate) const PARANOID: &[OptionInfo] =
    &[DEPTH, EVAL, WEIGHTS, HASH, TT, PVS, ORDERING, KILLERS, HISTORY];
/// The options of the agent `maxn`.
pub(crate) const MAXN: &[OptionInfo] =
    &[DEPTH, EVAL, WEIGHTS, HASH, TT, ORDERING, KILLERS, HISTORY];
/// The options of the agent `brs`.
pub(crate) const BRS: &[OptionInfo] =
    &[PLUS, DEPTH, EVAL, WEIGHTS, HASH, TT, PVS, ORDERING, KILLERS, HISTORY];
