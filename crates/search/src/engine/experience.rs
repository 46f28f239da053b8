//! The history heuristics of one thread: which moves caused cut-offs elsewhere.

use agon_core::{Hints, Seat, Slot};

use super::corrections::Corrections;
use super::parameters::HISTORY_LIMIT;

/// The history of moves across all positions. Kept from one search of a game to the next.
#[derive(Clone, Debug)]
pub(super) struct Experience<M> {
    ways: usize,
    places: usize,
    /// Butterfly history: by seat and from–to pair.
    by_way: Vec<i16>,
    /// Continuation history: by seat, the place of an earlier move, and the place of this one.
    by_context: [Vec<i16>; CONTEXTS],
    /// Counter-moves: the reply that refuted a move, by seat and place of that move.
    answers: Vec<Option<M>>,
    /// How static evaluations err.
    pub(super) corrections: Corrections,
}

/// The earlier moves taken into account: the opponent's last one, and one's own before it.
pub(super) const CONTEXTS: usize = 2;

/// The moves that led to a position, the latest first.
pub(super) type Context = [Option<Slot>; CONTEXTS];

/// Which of the heuristics are in use.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lessons {
    pub(super) history: bool,
    pub(super) continuation: bool,
    pub(super) counters: bool,
}

impl<M: Copy> Experience<M> {
    /// Empty tables.
    pub(super) fn new<G: Hints<Move = M>>() -> Self {
        let (ways, places) = (G::WAYS, G::PLACES);
        Experience {
            ways,
            places,
            by_way: vec![0; 2 * ways],
            by_context: std::array::from_fn(|_| vec![0; 2 * places * places]),
            answers: vec![None; 2 * places],
            corrections: Corrections::new::<G>(),
        }
    }

    #[inline]
    fn way(&self, seat: Seat, slot: Slot) -> usize {
        seat.index() % 2 * self.ways + slot.way
    }

    #[inline]
    fn pair(&self, seat: Seat, before: Slot, slot: Slot) -> usize {
        (seat.index() % 2 * self.places + before.place) * self.places + slot.place
    }

    /// The history score of a quiet move of `seat`.
    #[inline]
    pub(super) fn score(&self, lessons: Lessons, seat: Seat, context: &Context, slot: Slot) -> i32 {
        let mut score = 0;
        if lessons.history {
            score += i32::from(self.by_way[self.way(seat, slot)]);
        }
        if lessons.continuation {
            for (table, before) in self.by_context.iter().zip(context) {
                if let Some(before) = before {
                    score += i32::from(table[self.pair(seat, *before, slot)]);
                }
            }
        }
        score
    }

    /// The counter-move: the reply that last refuted the move before this position.
    #[inline]
    pub(super) fn answer(&self, lessons: Lessons, seat: Seat, context: &Context) -> Option<M> {
        let before = context[0].filter(|_| lessons.counters)?;
        self.answers[seat.index() % 2 * self.places + before.place]
    }

    /// Rewards a quiet move that caused a cut-off by a bonus, or penalises one searched before it by
    /// a negative one.
    pub(super) fn learn(&mut self, seat: Seat, context: &Context, slot: Slot, bonus: i32) {
        let way = self.way(seat, slot);
        nudge(&mut self.by_way[way], bonus);
        for (index, before) in context.iter().enumerate() {
            if let Some(before) = before {
                let pair = self.pair(seat, *before, slot);
                nudge(&mut self.by_context[index][pair], bonus);
            }
        }
    }

    /// Stores the counter-move to the previous move.
    pub(super) fn learn_answer(&mut self, seat: Seat, context: &Context, mv: M) {
        if let Some(before) = context[0] {
            self.answers[seat.index() % 2 * self.places + before.place] = Some(mv);
        }
    }

    /// Halves all scores before another search of the same game.
    pub(super) fn fade(&mut self) {
        let tables = self.by_context.iter_mut().flatten().chain(&mut self.by_way);
        tables.for_each(|value| *value /= 2);
    }
}

/// Moves a counter towards the bonus, by less the closer it is to its limit (history gravity).
#[inline]
fn nudge(value: &mut i16, bonus: i32) {
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / HISTORY_LIMIT) as i16;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The largest bonus that can be set.
    const BONUS: i32 = 4000;

    #[test]
    fn counters_stay_within_their_limit() {
        let mut value = 0i16;
        for _ in 0..10_000 {
            nudge(&mut value, BONUS);
            assert!(i32::from(value) <= HISTORY_LIMIT);
        }
        assert!(i32::from(value) > HISTORY_LIMIT * 9 / 10);
        for _ in 0..10_000 {
            nudge(&mut value, -BONUS);
            assert!(i32::from(value) >= -HISTORY_LIMIT);
        }
    }
}
