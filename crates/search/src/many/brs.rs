//! Best-reply search: only the most dangerous opponent replies.

use agon_core::{Hints, Seat};

use super::window::Manner;

/// After a move of the root player only one opponent replies, with the move that hurts most, and
/// the others pass. So the root player moves every second ply and the search looks further ahead
/// than a paranoid one, which has to consider all combinations of replies. The price: the tree
/// contains positions that the rules do not allow, as passing is illegal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BestReply;

impl Manner for BestReply {
    fn others<G: Hints>(position: &G, root: Seat, mut each: impl FnMut(&G, Seat)) {
        let mover = position.to_move();
        let may_answer = |&seat: &Seat| seat != root && Some(seat) != mover;
        if mover != Some(root) {
            for seat in Seat::all(position.seats()).filter(may_answer) {
                if let Some(turn) = position.with_turn(seat) {
                    each(&turn, seat);
                }
            }
        }
    }

    /// The other opponents pass. A root player who cannot move waits for another reply.
    fn after_move<G: Hints>(child: G, seat: Seat, root: Seat) -> G {
        match child.to_move() {
            Some(next) if seat != root && next != root => child.with_turn(root).unwrap_or(child),
            _ => child,
        }
    }
}

/// BRS+: the opponents that do not reply freely play the move their ordering ranks best instead of
/// passing, so that every position in the tree can arise. It is a paranoid search in which only one
/// opponent per round may deviate from that move; a round of opponents counts as one ply.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BestReplyPlus;

impl Manner for BestReplyPlus {
    const ONE_CHOOSES: bool = true;
}
