//! Late move reductions, by depth and move number.

use super::parameters::Parameters;

const DEPTHS: usize = 64;
const NUMBERS: usize = 64;

/// Hundredths of a ply.
pub(super) const PLY: i32 = 100;

/// The reductions of late moves before anything else is known about them.
#[derive(Clone, Debug)]
pub(super) struct Reductions(Box<[[i16; NUMBERS]; DEPTHS]>);

impl Reductions {
    pub(super) fn new(parameters: &Parameters) -> Reductions {
        let base = f64::from(parameters.reduction_base);
        let divisor = f64::from(parameters.reduction_divisor) / 100.0;
        let of = |depth: usize, number: usize| {
            let logarithms = (depth.max(1) as f64).ln() * (number.max(1) as f64).ln();
            (base + f64::from(PLY) * logarithms / divisor) as i16
        };
        Reductions(Box::new(std::array::from_fn(|depth| {
            std::array::from_fn(|number| of(depth, number))
        })))
    }

    /// The reduction for the move with this number, from 0, in hundredths of a ply.
    #[inline]
    pub(super) fn of(&self, depth: i32, number: usize) -> i32 {
        let depth = depth.clamp(0, DEPTHS as i32 - 1) as usize;
        i32::from(self.0[depth][number.min(NUMBERS - 1)])
    }
}
