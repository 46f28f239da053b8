//! The evaluation whose weights are fitted.

use agon_core::Tunable;

use super::Fauhalma;

impl<const SEATS: usize> Tunable for Fauhalma<SEATS> {}
