//! Move ordering.
//!
//! The table move goes first, then killer moves, then the others by the game's hints and by how
//! often they caused cut-offs elsewhere. Every part can be switched off; with all of them off the
//! moves are searched in generation order. The order never changes a value.

use agon_core::sink::GO_ON;
use agon_core::{Flow, Hints, MAX_SEATS, Seat, Sink, Which};

use super::options::Options;

/// A move to be searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate<M> {
    pub(super) mv: M,
    /// The player who makes it.
    pub(super) seat: Seat,
    /// Its index in generation order.
    pub(super) number: u16,
    /// How early it should come.
    rank: i32,
}

/// The moves of one position, in a reusable list.
#[derive(Clone, Debug)]
pub(super) struct Candidates<M>(Vec<Candidate<M>>);

impl<M> Default for Candidates<M> {
    fn default() -> Self {
        Candidates(Vec::new())
    }
}

/// Appends the moves of one seat.
struct Appending<'a, M>(&'a mut Vec<Candidate<M>>, Seat);

impl<M> Sink<M> for Appending<'_, M> {
    #[inline]
    fn push(&mut self, mv: M) -> Flow {
        let number = self.0.len().min(usize::from(u16::MAX)) as u16;
        self.0.push(Candidate { mv, seat: self.1, number, rank: 0 });
        GO_ON
    }
}

impl<M: Copy + Eq> Candidates<M> {
    /// Removes all moves.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Adds the moves of a position, ranked by `rank`.
    #[inline]
    pub(super) fn add<G: Hints<Move = M>>(
        &mut self,
        position: &G,
        seat: Seat,
        rank: impl Fn(M) -> i32,
    ) {
        let first = self.0.len();
        let _ = position.generate(Which::All, &mut Appending(&mut self.0, seat));
        for candidate in &mut self.0[first..] {
            candidate.rank = rank(candidate.mv);
        }
    }

    /// Puts the move with this index before all others.
    #[inline]
    pub(super) fn favour(&mut self, number: Option<u16>) {
        let remembered = number.and_then(|number| self.0.get_mut(usize::from(number)));
        if let Some(candidate) = remembered {
            candidate.rank = i32::MAX;
        }
    }

    /// Drops all moves but the one with this index. None must have been picked yet.
    pub(super) fn keep_only(&mut self, number: u16) {
        self.0.retain(|candidate| candidate.number == number);
    }

    /// Moves the best candidate from index `at` on to that index and returns it; those before have
    /// been picked. The first among equals.
    #[inline]
    pub(super) fn pick(&mut self, at: usize) -> Option<Candidate<M>> {
        let waiting = self.0.get_mut(at..).filter(|waiting| !waiting.is_empty())?;
        let mut best = 0;
        for place in 1..waiting.len() {
            if waiting[place].rank > waiting[best].rank {
                best = place;
            }
        }
        waiting.swap(0, best);
        Some(waiting[0])
    }

    /// The index of the best move by the game's hints alone, the first among equals. None must have
    /// been picked yet.
    pub(super) fn instinct<G: Hints<Move = M>>(&self, position: &G) -> Option<u16> {
        let worth = |candidate: &&Candidate<M>| worth(position, candidate.mv);
        self.0.iter().rev().max_by_key(worth).map(|candidate| candidate.number)
    }

    /// The first `count` candidates, which have been picked.
    pub(super) fn picked(&self, count: usize) -> &[Candidate<M>] {
        &self.0[..count.min(self.0.len())]
    }
}

/// The value of a move by the game's hints, in hundredths of its unit.
#[inline]
pub(super) fn worth<G: Hints>(position: &G, mv: G::Move) -> i32 {
    position.urgency(mv).unwrap_or_else(|| position.bias(mv))
}

/// A killer comes before everything but the table move.
const KILLER: i32 = 1 << 28;
/// The weight of a hundredth of the hints relative to history.
const WORTH_WEIGHT: i32 = 16;
/// Hints are clamped to this.
const MOST_WORTH: i32 = 100_000;
/// The bound of every history counter.
const EXPERIENCE_LIMIT: i32 = 16_384;
/// The bonus for a cut-off per ply of depth, and its maximum.
const BONUS: i32 = 140;
const BONUS_LIMIT: i32 = 1600;

/// The history heuristics: which moves caused cut-offs elsewhere.
#[derive(Clone, Debug)]
pub(super) struct Experience<M> {
    ways: usize,
    /// Butterfly history: by seat and from–to pair.
    by_way: Vec<i16>,
    /// By ply, the latest first.
    killers: Vec<[Option<M>; 2]>,
}

impl<M: Copy + Eq> Experience<M> {
    /// Empty tables.
    pub(super) fn new<G: Hints<Move = M>>() -> Self {
        Experience { ways: G::WAYS, by_way: vec![0; MAX_SEATS * G::WAYS], killers: Vec::new() }
    }

    /// Before another search: halves the history and clears the killers.
    pub(super) fn fade(&mut self) {
        self.by_way.iter_mut().for_each(|value| *value /= 2);
        self.killers.clear();
    }

    /// The ordering score of a move of `position`, where it is `seat`'s turn, at this ply.
    #[inline]
    pub(super) fn rank<G: Hints<Move = M>>(
        &self,
        options: &Options,
        position: &G,
        (seat, ply): (Seat, usize),
        mv: M,
    ) -> i32 {
        let mut rank = 0;
        if options.ordering {
            rank += WORTH_WEIGHT * worth(position, mv).clamp(-MOST_WORTH, MOST_WORTH);
        }
        if options.history {
            rank += i32::from(self.by_way[seat.index() * self.ways + position.slot(mv).way]);
        }
        let killers = self.killers.get(ply).filter(|_| options.killers);
        let is_killer = killers.is_some_and(|killers| killers.contains(&Some(mv)));
        if is_killer { rank + KILLER } else { rank }
    }

    /// Rewards the last of these moves, which caused a cut-off at this ply, and penalises the
    /// others.
    pub(super) fn learn<G: Hints<Move = M>>(
        &mut self,
        turn_of: impl Fn(Seat) -> G,
        tried: &[Candidate<M>],
        (depth, ply): (u32, usize),
    ) {
        let Some((last, before)) = tried.split_last() else { return };
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [None; 2]);
        }
        let killers = &mut self.killers[ply];
        if killers[0] != Some(last.mv) {
            *killers = [Some(last.mv), killers[0]];
        }
        let bonus = (BONUS * depth as i32).min(BONUS_LIMIT);
        let position = turn_of(last.seat);
        self.nudge(&position, last, bonus);
        for candidate in before.iter().filter(|tried| tried.seat == last.seat) {
            self.nudge(&position, candidate, -bonus);
        }
    }

    /// Moves a counter towards the bonus, by less the closer it is to its limit (history gravity).
    #[inline]
    fn nudge<G: Hints<Move = M>>(&mut self, position: &G, about: &Candidate<M>, bonus: i32) {
        let way = about.seat.index() * self.ways + position.slot(about.mv).way;
        let old = i32::from(self.by_way[way]);
        self.by_way[way] = (old + bonus - old * bonus.abs() / EXPERIENCE_LIMIT) as i16;
    }
}
