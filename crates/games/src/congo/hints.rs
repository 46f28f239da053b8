//! Advice to searches.

use agon_core::Hints;

use super::Congo;

impl Hints for Congo {}
