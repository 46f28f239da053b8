//! Advice to searches.

use agon_core::Hints;

use super::Wumpus;
use super::board::Cells;

/// Beyond so many positions nobody can collect them all.
const MOST_POSITIONS: u64 = 1 << 32;

impl<W: Cells> Hints for Wumpus<W> {
    /// The positions that can be reached, all of which are needed: every piece may be on any cell
    /// that is no pit, or gone.
    fn effort(&self) -> Option<u64> {
        let free = u64::from((self.board.cells - self.pits).len());
        let pieces = u64::from((self.sides[0] | self.sides[1]).len());
        let places = (0..pieces).map(|taken| (free + 1).saturating_sub(taken).max(1));
        let placings = places.fold(2_u64, u64::saturating_mul);
        // Equal pieces of one side can change places.
        let alike =
            self.sides.into_iter().flat_map(|side| self.kinds.map(|kind| (side & kind).len()));
        let orders = alike.map(|count| (1..=u64::from(count)).product::<u64>());
        let positions = placings / orders.product::<u64>();
        (placings < u64::MAX && positions <= MOST_POSITIONS).then_some(positions)
    }
}
