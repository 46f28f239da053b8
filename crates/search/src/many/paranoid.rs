//! Paranoid: all others play against the root player.

use super::window::Manner;

/// The root player maximises its value, all others minimise it. That turns a multi-player game into
/// a two-player game, with all of alpha-beta's cut-offs. The value is what the player can secure
/// whatever the others do; as they hardly ever all play against one, it is too pessimistic.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paranoid;

impl Manner for Paranoid {}
