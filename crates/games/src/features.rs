//! The features of an evaluation: numbers for the code, names for the weights file.

/// Declares an enum `Feature`, whose numbers are the features' numbers, and `NAMES`, their names
/// in the same order. Both come from one list, so that they cannot disagree.
macro_rules! features {
    ($($feature:ident = $name:literal,)+) => {
        /// What the evaluation `tuned` counts.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        enum Feature {
            $($feature,)+
        }

        /// The names of the features in the weights file.
        const NAMES: [&str; [$(Feature::$feature),+].len()] = [$($name),+];
    };
}

pub(crate) use features;
