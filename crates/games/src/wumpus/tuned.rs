//! The evaluation whose weights are fitted.

use agon_core::Tunable;

use super::Wumpus;
use super::board::Cells;

impl<W: Cells> Tunable for Wumpus<W> {}
