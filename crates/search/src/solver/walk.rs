//! From values to moves: the line of optimal play.

use agon_core::{Foreseen, Hints, Status};

use super::Value;
use super::forward::Forward;
use super::shared::Halt;

/// The best line from a position of known value, as far as the budget lets it be found.
pub(super) fn line<G: Hints>(
    search: &mut Forward<'_, G>,
    position: &G,
    value: Value,
) -> Vec<G::Move> {
    let (mut position, mut value) = (position.clone(), value);
    let mut line = Vec::new();
    while let Ok(Some(mv)) = best_move(search, &position, value) {
        line.push(mv);
        position.play(mv);
        if position.to_move().is_none() {
            break;
        }
        value = -value;
    }
    line
}

/// A move after which a position, which is not over and worth at least this, still is; `None` if
/// there is no move.
pub(super) fn best_move<G: Hints>(
    search: &mut Forward<'_, G>,
    position: &G,
    value: Value,
) -> Result<Option<G::Move>, Halt> {
    let Status::ToMove(me) = position.status() else { return Ok(None) };
    let moves = position.moves();
    if value == Value::Loss {
        return Ok(longest(position));
    }
    // First what is known without a search, as searching is more expensive.
    for is_searched in [false, true] {
        for &mv in moves.iter() {
            let mut child = position.clone();
            child.play(mv);
            let keeps = match child.status() {
                Status::Over(outcome) => Value::of(&outcome, me) >= value,
                Status::ToMove(_) if is_searched => search.is_at_most(&child, -value)?,
                Status::ToMove(_) => search.known(&child).upper <= -value,
            };
            if keeps {
                return Ok(Some(mv));
            }
        }
    }
    Ok(moves.first().copied())
}

/// A move in a lost position after which no quick end is foreseen, if there is one.
fn longest<G: Hints>(position: &G) -> Option<G::Move> {
    let delay = |mv: &G::Move| {
        let mut child = position.clone();
        child.play(*mv);
        match (child.status(), child.foreseen()) {
            (Status::Over(_), _) => 0,
            (_, Some(Foreseen::Win(plies))) => plies,
            _ => u32::MAX,
        }
    };
    position.moves().into_iter().max_by_key(delay)
}
