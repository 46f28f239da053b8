//! Advice to searches.

use agon_core::Hints;

use super::Wumpus;
use super::board::Cells;

impl<W: Cells> Hints for Wumpus<W> {}
