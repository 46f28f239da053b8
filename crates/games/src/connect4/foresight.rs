//! What can be proven without a search: forced replies, lines that are closed, and the end of a
//! game in which one side answers every disc with one in the same column.

use agon_core::{Bitboard, Foreseen};

use super::Connect4;
use super::board::{Board, Cells};
use super::moves::{completions, has_four};

/// Who gets which empty cell if one side always plays on top of the other's last disc.
struct FollowUp<W> {
    /// The cells of the side to move.
    leader: Bitboard<W>,
    /// The cells of the other side, right above them.
    follower: Bitboard<W>,
}

/// What a side that follows up is certain of.
enum Followed {
    Wins,
    Holds,
}

impl<W: Cells> FollowUp<W> {
    #[inline]
    fn from(board: &Board<W>, playable: Bitboard<W>) -> Self {
        let (mut leader, mut follower) = (playable, Bitboard::EMPTY);
        let mut last = playable;
        while last.any() {
            last = last << 1 & board.cells;
            follower |= last;
            last = last << 1 & board.cells;
            leader |= last;
        }
        FollowUp { leader, follower }
    }
}

impl<W: Cells> Connect4<W> {
    /// The moves after which the opponent does not win with its next disc, if the side to move
    /// cannot win with this one; `wins` are the empty cells that complete four for the opponent.
    #[inline]
    pub(super) fn safe(&self, wins: Bitboard<W>) -> Bitboard<W> {
        let playable = self.playable();
        let forced = playable & wins;
        let below = wins >> 1;
        match forced.len() {
            0 => playable - below,
            1 => forced - below,
            _ => Bitboard::EMPTY,
        }
    }

    /// The moves of which one is best: those that win, or else those that are safe, if any is.
    #[inline]
    pub(super) fn sensible(&self) -> Bitboard<W> {
        let playable = self.playable();
        let winning = playable & completions(self.board, self.mine);
        if winning.any() {
            return winning;
        }
        let safe = self.safe(completions(self.board, self.theirs()) - self.all);
        if safe.any() { safe } else { playable }
    }

    /// What is certain about the value for the side to move. The game must not be over.
    #[inline]
    pub(super) fn foresight(&self) -> Option<Foreseen> {
        let (board, playable) = (self.board, self.playable());
        if playable.meets(completions(board, self.mine)) {
            return Some(Foreseen::Win(1));
        }
        let wins = completions(board, self.theirs()) - self.all;
        if self.safe(wins).is_empty() {
            return Some(Foreseen::Loss(2));
        }
        let empty = board.cells - self.all;
        let can_lose = has_four(board, self.theirs() | empty);
        let can_win = match self.following(playable, wins) {
            Some(Followed::Wins) => return Some(Foreseen::Loss(empty.len())),
            Some(Followed::Holds) => false,
            None => has_four(board, self.mine | empty),
        };
        match (can_win, can_lose) {
            (false, false) => Some(Foreseen::Draw),
            (true, false) => Some(Foreseen::AtLeastDraw),
            (false, true) => Some(Foreseen::AtMostDraw),
            (true, true) => None,
        }
    }

    /// What the other side gets by following up: it answers every disc with one on top of it, until
    /// it wins. `wins` are the empty cells that complete four for it now.
    ///
    /// A column with an odd number of empty cells ends before its last answer. Two of them make a
    /// pair: a disc in one is answered by one in the other, after which both are even. It does not
    /// matter for the proof which of the two cells the leader takes; it is given both. And an odd
    /// column is no problem if the follower wins in it before it is full. The leader can then avoid
    /// it only as long as there are other columns.
    #[inline]
    fn following(&self, playable: Bitboard<W>, wins: Bitboard<W>) -> Option<Followed> {
        let board = self.board;
        let FollowUp { leader, follower } = FollowUp::from(board, playable);
        let mut odd = leader & board.top;
        let mut never = Bitboard::EMPTY;
        let is_odd = odd.len() % 2 == 1;
        if is_odd {
            let win = (wins & follower & board.columns(odd)).first()?;
            let win = W::bit(win.index() as u32);
            // The top of its column is the first of the odd ones above it.
            let top = W::bit((odd - Bitboard(win - W::bit(0))).0.lowest());
            odd -= Bitboard(top);
            never = Bitboard((top << 1) - win);
        }
        let paired = board.columns(odd);
        let led = (leader - paired - never) | (paired & (playable | follower));
        if has_four(board, self.mine | led) {
            return None;
        }
        let followed = (follower - paired) | (paired & (leader - playable));
        let wins = is_odd || has_four(board, self.theirs() | followed);
        Some(if wins { Followed::Wins } else { Followed::Holds })
    }
}
