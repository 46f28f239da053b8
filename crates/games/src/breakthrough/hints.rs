//! Advice to searches.

use agon_core::Hints;

use super::board::Cells;
use super::{Breakthrough, RuleSet};

impl<W: Cells, R: RuleSet> Hints for Breakthrough<W, R> {}
