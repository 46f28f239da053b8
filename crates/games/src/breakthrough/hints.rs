//! Advice to searches.

use agon_core::{Foreseen, Hints};

use super::board::Cells;
use super::{Breakthrough, RuleSet};

impl<W: Cells, R: RuleSet> Hints for Breakthrough<W, R> {
    #[inline]
    fn foreseen(&self) -> Option<Foreseen> {
        self.race()
    }

    #[inline]
    fn canonical_key(&self) -> u64 {
        self.image_key()
    }

    fn effort(&self) -> Option<u64> {
        self.solving_effort()
    }
}
