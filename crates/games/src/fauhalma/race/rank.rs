//! Ranking placements of six pegs: the index into the tables.
//!
//! The spaces of a board are numbered in the order of their squares. A placement's rank is the sum
//! of C(number of its lowest peg, 1), C(number of the next, 2) and so on: every placement has its
//! own rank, from 0 without gaps, and where only the lowest peg moves, ranks are close together.

use agon_core::{Bitboard, Square};

use super::super::PEGS;
use super::super::board::{INDICES, Set};

/// The binomial coefficients of one board.
#[derive(Debug)]
pub(in super::super) struct Ranking {
    /// For each peg from the lowest, what it adds to the rank on every square.
    shares: [[u32; INDICES]; PEGS],
    /// How many placements there are.
    count: u32,
}

impl Ranking {
    /// The ranking of placements on these spaces.
    pub(in super::super) const fn of(spaces: Set) -> Ranking {
        let mut shares = [[0; INDICES]; PEGS];
        let (mut index, mut number) = (0, 0);
        while index < INDICES {
            let mut peg = 0;
            while peg < PEGS {
                shares[peg][index] = binomial(number, peg as u32 + 1);
                peg += 1;
            }
            number += (spaces.0 >> index & 1) as u32;
            index += 1;
        }
        Ranking { shares, count: binomial(number, PEGS as u32) }
    }

    /// How many placements there are.
    pub(in super::super) fn count(&self) -> usize {
        self.count as usize
    }

    /// The rank of a placement.
    #[inline]
    pub(in super::super) fn rank(&self, pegs: Set) -> usize {
        let shares = pegs.into_iter().zip(&self.shares).map(|(peg, shares)| shares[peg.index()]);
        shares.sum::<u32>() as usize
    }

    /// The rank of the first placement with these two highest pegs.
    pub(super) fn first_rank(&self, high: Square, highest: Square) -> usize {
        (self.shares[PEGS - 2][high.index()] + self.shares[PEGS - 1][highest.index()]) as usize
    }

    /// The common part of all placements that differ from `pegs`, given from the lowest, in the
    /// place of one peg only.
    #[inline]
    pub(super) fn without(&self, pegs: &[Square; PEGS], moving: usize) -> Others {
        let share = |peg: usize, place: usize| self.shares[place][pegs[peg].index()];
        let all: u32 = (0..PEGS).map(|peg| share(peg, peg)).sum();
        let mut sums = [all - share(moving, moving); PEGS];
        // A peg that the moving one ends up below counts one place higher …
        for place in (0..moving).rev() {
            sums[place] = sums[place + 1] - share(place, place) + share(place, place + 1);
        }
        // … and one that it ends up above, one lower.
        for place in moving + 1..PEGS {
            sums[place] = sums[place - 1] - share(place, place) + share(place, place - 1);
        }
        let others = pegs.iter().enumerate().filter(|(peg, _)| *peg != moving);
        Others { pegs: others.map(|(_, &peg)| peg).collect(), sums }
    }

    /// The rank of a placement of these pegs and one more.
    #[inline]
    pub(super) fn with(&self, others: &Others, peg: Square) -> usize {
        let below = Bitboard((1 << peg.index()) - 1);
        let place = (others.pegs & below).len() as usize % PEGS;
        (others.sums[place] + self.shares[place][peg.index()]) as usize
    }
}

/// Five pegs that stay where they are while the sixth moves.
pub(super) struct Others {
    /// Where they stand.
    pub(super) pegs: Set,
    /// What they add to the rank, by how many of them the sixth peg stands above.
    sums: [u32; PEGS],
}

/// How many ways there are to choose `taken` of `all`.
const fn binomial(all: u32, taken: u32) -> u32 {
    let (mut ways, mut factor) = (1u64, 0);
    while factor < taken {
        if factor >= all {
            return 0;
        }
        // After each step this is a binomial coefficient itself, so the division is exact.
        ways = ways * (all - factor) as u64 / (factor as u64 + 1);
        factor += 1;
    }
    ways as u32
}
