//! What can be set: `paranoid:depth=4,tt=off`, `brs:plus=on,hash=16`.

use crate::spec::{AgentError, AgentSpec, OptionInfo};

/// How a search for several players is set up. No switch changes the value of a search of fixed
/// depth.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// No deeper than this.
    pub depth: Option<u32>,
    /// The table's size in MiB.
    pub hash: u32,
    /// Remember positions in a table.
    pub tt: bool,
    /// Search all moves but the first with a null window.
    pub pvs: bool,
    /// Try moves early that the game's hints speak for.
    pub ordering: bool,
    /// Try moves early that cut off beside this position.
    pub killers: bool,
    /// Try moves early that often cut off elsewhere.
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
    /// The defaults, with what an agent's text sets otherwise.
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

const DEPTH: OptionInfo = OptionInfo {
    name: "depth",
    values: "1 to 200",
    about: "plies to search at most; without it as deep as the budget allows, or the game's \
            default",
};
const EVAL: OptionInfo = OptionInfo {
    name: "eval",
    values: "NAME",
    about: "what judges positions: race or tuned where the game has it, else simple",
};
const HASH: OptionInfo = OptionInfo {
    name: "hash",
    values: "1 to 65536",
    about: "the table's size in MiB; 32 if not given",
};
const TT: OptionInfo =
    OptionInfo { name: "tt", values: "on, off", about: "remember positions in a table" };
const PVS: OptionInfo = OptionInfo {
    name: "pvs",
    values: "on, off",
    about: "search all moves but the first with a null window",
};
const ORDERING: OptionInfo = OptionInfo {
    name: "ordering",
    values: "on, off",
    about: "try moves early that the game's hints speak for",
};
const KILLERS: OptionInfo = OptionInfo {
    name: "killers",
    values: "on, off",
    about: "try moves early that cut off beside this position",
};
const HISTORY: OptionInfo = OptionInfo {
    name: "history",
    values: "on, off",
    about: "try moves early that often cut off elsewhere",
};
const PLUS: OptionInfo = OptionInfo {
    name: "plus",
    values: "on, off",
    about: "opponents that do not choose play what looks best instead of passing; off if not given",
};

/// The options of the agent `paranoid`.
pub const PARANOID: &[OptionInfo] = &[DEPTH, EVAL, HASH, TT, PVS, ORDERING, KILLERS, HISTORY];
/// The options of the agent `maxn`.
pub const MAXN: &[OptionInfo] = &[DEPTH, EVAL, HASH, TT, ORDERING, KILLERS, HISTORY];
/// The options of the agent `brs`.
pub const BRS: &[OptionInfo] = &[PLUS, DEPTH, EVAL, HASH, TT, PVS, ORDERING, KILLERS, HISTORY];
