//! Paranoid: everybody is against me.

use super::window::Manner;

/// The root player makes its value as large as it can, all others make it as small as they can.
/// That turns a game of several into one of two sides, with all of alpha-beta's cut-offs. The
/// value is what the player is sure of, whatever the others do: they hardly ever do all they could
/// against one, so it is too careful.
#[derive(Clone, Copy, Debug)]
pub struct Paranoid;

impl Manner for Paranoid {}
