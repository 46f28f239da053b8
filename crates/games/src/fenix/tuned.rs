//! The evaluation whose weights are fitted.

use agon_core::Tunable;

use super::Fenix;

impl Tunable for Fenix {}
