//! Advice to searches.

use agon_core::Hints;

use super::Fenix;

impl Hints for Fenix {}
