//! Best-reply search: only the most dangerous opponent answers.

use agon_core::{Hints, Seat};

use super::window::Manner;

/// After a move of the root player one opponent answers, the one with the reply that hurts most,
/// and the others pass. So the root player moves every second ply and the search sees further
/// ahead of its own moves than a paranoid one, which has to look at all combinations of replies.
/// The price: positions in the tree that the rules do not allow, as nobody may pass.
#[derive(Clone, Copy, Debug)]
pub struct BestReply;

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

    /// The other opponents pass. A root player who could not move has to wait for another reply.
    fn after_move<G: Hints>(child: G, seat: Seat, root: Seat) -> G {
        match child.to_move() {
            Some(next) if seat != root && next != root => child.with_turn(root).unwrap_or(child),
            _ => child,
        }
    }
}

/// BRS+: the opponents that do not answer play the move that looks best to them instead of
/// passing, so that every position in the tree is one that can arise. It is a paranoid search in
/// which only one opponent in each round may do anything but the obvious; a round of opponents
/// counts as one ply.
#[derive(Clone, Copy, Debug)]
pub struct BestReplyPlus;

impl Manner for BestReplyPlus {
    const ONE_CHOOSES: bool = true;
}
