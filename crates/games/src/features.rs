//! The features of an evaluation: numbers for the code, names for the weights file.

use agon_core::Tally;

/// Declares an enum `Feature`, whose numbers are the features' numbers, and `NAMES`, their names
/// in the same order. Both come from one list, so that they cannot disagree.
///
/// With `tapered`, every feature has a second weight, for [`Tapered`].
macro_rules! features {
    (tapered $($feature:ident = $name:literal,)+) => {
        $crate::features::features!(@kinds $($feature)+);

        /// The names of the features in the weights file.
        const NAMES: [&str; 2 * [$(Feature::$feature),+].len()] =
            [$($name,)+ $(concat!($name, "-early"),)+];
    };
    ($($feature:ident = $name:literal,)+) => {
        $crate::features::features!(@kinds $($feature)+);

        /// The names of the features in the weights file.
        const NAMES: [&str; [$(Feature::$feature),+].len()] = [$($name),+];
    };
    (@kinds $($feature:ident)+) => {
        /// What the evaluation `tuned` counts.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        enum Feature {
            $($feature,)+
        }
    };
}

pub(crate) use features;

/// Counts every feature twice: as it is, and times the stage of the game, which falls to zero. So a
/// weight changes from the opening to the ending, in a straight line.
#[derive(Debug)]
pub(crate) struct Tapered<'a, T> {
    pub(crate) tally: &'a mut T,
    /// How many features there are, each counted twice.
    pub(crate) features: usize,
    /// How much of the game is left.
    pub(crate) stage: i32,
}

impl<T: Tally> Tally for Tapered<'_, T> {
    #[inline(always)]
    fn add(&mut self, feature: usize, count: i32) {
        self.tally.add(feature, count);
        self.tally.add(self.features + feature, count * self.stage);
    }
}
