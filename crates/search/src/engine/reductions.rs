//! Late move reductions, by depth and move number.

use std::sync::LazyLock;

use super::parameters::{LATE_REDUCTION_BASE, LATE_REDUCTION_DIVISOR};

const DEPTHS: usize = 64;
const NUMBERS: usize = 64;

static PLIES: LazyLock<[[i8; NUMBERS]; DEPTHS]> = LazyLock::new(|| {
    std::array::from_fn(|depth| {
        std::array::from_fn(|number| {
            let logarithms = (depth.max(1) as f64).ln() * (number.max(1) as f64).ln();
            (LATE_REDUCTION_BASE + logarithms / LATE_REDUCTION_DIVISOR) as i8
        })
    })
});

/// The reduction in plies for the move with this number, from 0.
#[inline]
pub(super) fn late_reduction(depth: i32, number: usize) -> i32 {
    let depth = depth.clamp(0, DEPTHS as i32 - 1) as usize;
    i32::from(PLIES[depth][number.min(NUMBERS - 1)])
}
