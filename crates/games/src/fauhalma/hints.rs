//! Advice to searches.

use agon_core::Hints;

use super::Fauhalma;

impl<const SEATS: usize> Hints for Fauhalma<SEATS> {}
