//! Searches for several players: `paranoid`, `maxn`, `brs`.
//!
//! With more than two players there is no single answer to what the others will do, and each of
//! these searches makes a different assumption: [`paranoid`] that all others play against the root
//! player, [`maxn`] that everybody maximises its own result, [`brs`] that only the most dangerous
//! opponent replies. With two players all of them are alpha-beta, which the tests verify.
//!
//! - `options`: the options.
//! - `driver`: iterative deepening.
//! - `window`: alpha-beta for one against all, which `paranoid` and `brs` share.
//! - `ordering`: move ordering and the history heuristics behind it.
//! - `stakes`: which places are decided, and what the others can expect.
//! - `strongest`: the engine for several players: one of these or Monte Carlo.
//! - `table`: the transposition table of `maxn`, with the points of all seats; the others use the
//!   engine's.

pub mod brs;
mod driver;
pub mod maxn;
pub mod options;
mod ordering;
pub mod paranoid;
mod stakes;
pub mod strongest;
mod table;
mod window;

#[cfg(test)]
mod tests;

use agon_core::{Evaluator, Hints};

use crate::memory::OutOfMemory;
use crate::strategy::Strategy;
use brs::{BestReply, BestReplyPlus};
use driver::Driver;
use maxn::MaxN;
use options::Options;
use paranoid::Paranoid;
use window::Window;

/// What a search assumes about the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Assumption {
    /// All others play against the root player.
    Paranoid,
    /// Everybody maximises its own result.
    MaxN,
    /// One of them replies, the others pass.
    BestReply,
    /// One of them replies, the others play the move their ordering ranks best.
    BestReplyPlus,
}

/// A search with its tables.
pub fn build<G: Hints>(
    assumption: Assumption,
    options: Options,
    evaluation: Evaluator<G>,
) -> Result<Box<dyn Strategy<G>>, OutOfMemory> {
    let depth = options.depth;
    Ok(match assumption {
        Assumption::Paranoid => {
            let search = Window::<G, Paranoid>::new(options, evaluation)?;
            Box::new(Driver { depth, search })
        }
        Assumption::MaxN => Box::new(Driver { depth, search: MaxN::new(options, evaluation)? }),
        Assumption::BestReply => {
            let search = Window::<G, BestReply>::new(options, evaluation)?;
            Box::new(Driver { depth, search })
        }
        Assumption::BestReplyPlus => {
            let search = Window::<G, BestReplyPlus>::new(options, evaluation)?;
            Box::new(Driver { depth, search })
        }
    })
}
