//! The evaluation whose weights are fitted.

use agon_core::Tunable;

use super::board::Cells;
use super::{Breakthrough, RuleSet};

impl<W: Cells, R: RuleSet> Tunable for Breakthrough<W, R> {}
