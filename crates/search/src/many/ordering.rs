//! The order in which moves are searched.
//!
//! The remembered move goes first, then moves that cut off beside this position, then the others
//! by what the game's hints say of them and by how often they cut off elsewhere. Every part can be
//! switched off; with all of them off the order is that of generation. No order changes a value.

use agon_core::sink::GO_ON;
use agon_core::{Flow, Hints, MAX_SEATS, Seat, Sink, Which};

use super::options::Options;

/// A move that waits for its turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate<M> {
    pub(super) mv: M,
    /// Who makes it.
    pub(super) seat: Seat,
    /// Its number in the order of generation.
    pub(super) number: u16,
    /// How early it should come.
    rank: i32,
}

/// The moves of one position, in a list that is used again and again.
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
    /// Begins anew.
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

    /// Puts the move with this number before all others.
    #[inline]
    pub(super) fn favour(&mut self, number: Option<u16>) {
        let remembered = number.and_then(|number| self.0.get_mut(usize::from(number)));
        if let Some(candidate) = remembered {
            candidate.rank = i32::MAX;
        }
    }

    /// Drops all moves but the one with this number. None must have been picked yet.
    pub(super) fn keep_only(&mut self, number: u16) {
        self.0.retain(|candidate| candidate.number == number);
    }

    /// The best of those from place `at` on, now at that place; those before were picked. Among
    /// equals the one that comes first.
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

    /// The number of the move a player makes without thinking: the best by the game's hints alone,
    /// among equals the first. None must have been picked yet.
    pub(super) fn instinct<G: Hints<Move = M>>(&self, position: &G) -> Option<u16> {
        let worth = |candidate: &&Candidate<M>| worth(position, candidate.mv);
        self.0.iter().rev().max_by_key(worth).map(|candidate| candidate.number)
    }

    /// The first so many, which were picked.
    pub(super) fn picked(&self, count: usize) -> &[Candidate<M>] {
        &self.0[..count.min(self.0.len())]
    }
}

/// What the game's hints say of a move, in hundredths of its unit.
#[inline]
pub(super) fn worth<G: Hints>(position: &G, mv: G::Move) -> i32 {
    position.urgency(mv).unwrap_or_else(|| position.bias(mv))
}

/// A killer comes before everything but the remembered move.
const KILLER: i32 = 1 << 28;
/// What a hundredth of the hints weighs beside experience.
const WORTH_WEIGHT: i32 = 16;
/// Hints beyond this say no more.
const MOST_WORTH: i32 = 100_000;
/// Experience stays within this.
const EXPERIENCE_LIMIT: i32 = 16_384;
/// What a cut-off adds for each ply below it, and at most.
const BONUS: i32 = 140;
const BONUS_LIMIT: i32 = 1600;

/// What was learned about moves: which of them cut off elsewhere.
#[derive(Clone, Debug)]
pub(super) struct Experience<M> {
    ways: usize,
    /// By seat and way.
    by_way: Vec<i16>,
    /// By ply, the latest first.
    killers: Vec<[Option<M>; 2]>,
}

impl<M: Copy + Eq> Experience<M> {
    /// Nothing yet.
    pub(super) fn new<G: Hints<Move = M>>() -> Self {
        Experience { ways: G::WAYS, by_way: vec![0; MAX_SEATS * G::WAYS], killers: Vec::new() }
    }

    /// Before another search: what was learned counts half, and killers are of no use.
    pub(super) fn fade(&mut self) {
        self.by_way.iter_mut().for_each(|value| *value /= 2);
        self.killers.clear();
    }

    /// How early a move of `position`, which is `seat`'s turn, should come at this ply.
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

    /// The last of these moves cut off at this ply, the others did not.
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

    /// Moves a counter towards the bonus, the less the nearer it is to its limit.
    #[inline]
    fn nudge<G: Hints<Move = M>>(&mut self, position: &G, about: &Candidate<M>, bonus: i32) {
        let way = about.seat.index() * self.ways + position.slot(about.mv).way;
        let old = i32::from(self.by_way[way]);
        self.by_way[way] = (old + bonus - old * bonus.abs() / EXPERIENCE_LIMIT) as i16;
    }
}
