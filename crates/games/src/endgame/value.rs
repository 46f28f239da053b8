//! Exact values, and how they are stored in a byte.
//!
//! | byte | meaning |
//! |---|---|
//! | 0 | draw |
//! | 1–126 | win |
//! | 127 | no such position |
//! | 128–254 | loss |
//!
//! The number of plies is the byte, or the byte less 128 for a loss. In games in which the winner
//! always makes the last move, wins take an odd number of plies and losses an even one, so halves are
//! stored: a win in 2n − 1, a loss in 2n.

use std::cmp::Ordering;

use agon_core::outcome::WIN;
use agon_core::{Foreseen, Outcome, Seat};

use super::Tabulated;

/// The value of a position for the side to move, with the plies to the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exact {
    /// A win within this many plies.
    Win(u32),
    /// Nobody can win.
    Draw,
    /// A loss that takes this many plies.
    Loss(u32),
}

impl Exact {
    /// The value of a finished game for a seat.
    pub fn of(outcome: &Outcome, seat: Seat) -> Exact {
        match outcome.points()[seat] {
            WIN => Exact::Win(0),
            0 => Exact::Loss(0),
            _ => Exact::Draw,
        }
    }

    /// The value for the player whose move led to a position with this one.
    #[must_use]
    pub fn a_ply_earlier(self) -> Exact {
        match self {
            Exact::Win(plies) => Exact::Loss(plies + 1),
            Exact::Draw => Exact::Draw,
            Exact::Loss(plies) => Exact::Win(plies + 1),
        }
    }

    /// The plies to the end; `None` for a draw.
    pub fn plies(self) -> Option<u32> {
        match self {
            Exact::Win(plies) | Exact::Loss(plies) => Some(plies),
            Exact::Draw => None,
        }
    }

    /// Larger is better for the side to move.
    fn merit(self) -> i64 {
        const FAR: i64 = 1 << 32;
        match self {
            Exact::Win(plies) => FAR - i64::from(plies),
            Exact::Draw => 0,
            Exact::Loss(plies) => i64::from(plies) - FAR,
        }
    }
}

impl From<Exact> for Foreseen {
    #[inline]
    fn from(exact: Exact) -> Foreseen {
        match exact {
            Exact::Win(plies) => Foreseen::Win(plies),
            Exact::Draw => Foreseen::Draw,
            Exact::Loss(plies) => Foreseen::Loss(plies),
        }
    }
}

/// Bounds are not exact.
impl TryFrom<Foreseen> for Exact {
    type Error = ();

    fn try_from(foreseen: Foreseen) -> Result<Exact, ()> {
        match foreseen {
            Foreseen::Win(plies) => Ok(Exact::Win(plies)),
            Foreseen::Draw => Ok(Exact::Draw),
            Foreseen::Loss(plies) => Ok(Exact::Loss(plies)),
            Foreseen::AtLeastDraw | Foreseen::AtMostDraw => Err(()),
        }
    }
}

/// By what the side to move prefers: short wins, draws, long losses.
impl Ord for Exact {
    fn cmp(&self, other: &Exact) -> Ordering {
        self.merit().cmp(&other.merit())
    }
}

impl PartialOrd for Exact {
    fn partial_cmp(&self, other: &Exact) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

pub(super) const DRAW: u8 = 0;
/// Where there is no position.
pub(super) const NOWHERE: u8 = 127;
const LOSS: u8 = 128;
/// The largest number that is stored.
const LARGEST: u32 = 126;

/// The byte for a win in this many plies; `None` if that is too many.
pub(super) fn win<G: Tabulated>(plies: u32) -> Option<u8> {
    let stored = if G::WINNER_MOVES_LAST { plies.div_ceil(2) } else { plies };
    debug_assert!(plies > 0 && (!G::WINNER_MOVES_LAST || plies % 2 == 1));
    (stored <= LARGEST).then_some(stored as u8)
}

/// The byte for a loss in this many plies; `None` if that is too many.
pub(super) fn loss<G: Tabulated>(plies: u32) -> Option<u8> {
    let stored = if G::WINNER_MOVES_LAST { plies / 2 } else { plies };
    debug_assert!(!G::WINNER_MOVES_LAST || plies.is_multiple_of(2));
    (stored <= LARGEST).then_some(stored as u8 + LOSS)
}

/// What a byte means; `None` if there is no such position.
#[inline]
pub(super) fn decode<G: Tabulated>(byte: u8) -> Option<Exact> {
    match byte {
        DRAW => Some(Exact::Draw),
        NOWHERE | u8::MAX => None,
        1..NOWHERE if G::WINNER_MOVES_LAST => Some(Exact::Win(2 * u32::from(byte) - 1)),
        1..NOWHERE => Some(Exact::Win(u32::from(byte))),
        _ if G::WINNER_MOVES_LAST => Some(Exact::Loss(2 * u32::from(byte - LOSS))),
        _ => Some(Exact::Loss(u32::from(byte - LOSS))),
    }
}
