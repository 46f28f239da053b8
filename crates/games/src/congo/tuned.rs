//! The evaluation whose weights are fitted.

use agon_core::Tunable;

use super::Congo;

impl Tunable for Congo {}
