//! Searches for games of several players: `paranoid`, `maxn`, `brs`.
//!
//! With more than two players there is no single answer to what the others will do, and each of
//! these searches assumes something else: [`paranoid`] that all are against the one who asks,
//! [`maxn`] that everybody plays for itself, [`brs`] that only the most dangerous one answers. In
//! a game of two all of them are alpha-beta, and the tests hold them to it.
//!
//! - `options`: what can be set.
//! - `driver`: one ply deeper as long as there is time.
//! - `window`: alpha-beta for one against all, which `paranoid` and `brs` share.
//! - `ordering`: the order of moves and what it is learned from.
//! - `stakes`: which places are taken, and what the others can expect.
//! - `strongest`: the engine for several, which is one of these or Monte Carlo.
//! - `table`: positions seen before, with the points of all seats; the others use the engine's.

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

use agon_core::{Evaluation, Hints};

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
    /// All are against the one who asks.
    Paranoid,
    /// Everybody plays for itself.
    MaxN,
    /// One of them answers, the others pass.
    BestReply,
    /// One of them answers, the others make the move that looks best.
    BestReplyPlus,
}

/// A search with its tables.
pub fn build<G: Hints>(
    assumption: Assumption,
    options: Options,
    evaluation: Evaluation<G>,
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
