//! Max^n: every player maximises its own result.
//!
//! A value is a vector with the expected points of every seat, and the player to move chooses the
//! line with the most points for itself. Ties are broken by the fewest points for the next player,
//! then the one after: a rule that depends only on the values, so that neither move ordering nor
//! pruning can change the result.
//!
//! **Shallow pruning.** The points of all players never exceed a known sum. If the player to move
//! already has so many that the previous player cannot get what it has elsewhere, the previous
//! player will not come here, and the remaining moves do not matter. The argument only works for
//! the previous player: it does not carry over further up the tree, as a change in one player's
//! choice may have any effect on another. That is why max^n searches less deeply than alpha-beta.
//!
//! **Distances.** A result loses one unit of value for every ply until it is reached if it is the
//! best place left, and gains one if it is the worst. Units are counted on the way up, so that
//! values do not depend on where the search started.

use agon_core::rng::mix;
use agon_core::{Evaluator, Hints, HistoryRules, Seat, Status};

use super::driver::Search;
use super::options::Options;
use super::ordering::{Candidates, Experience};
use super::stakes::{FARTHEST, FULL, POINT, Points, Stakes, exact, expectations, total};
use super::table::{Known, PointsTable};
use crate::budget::{Budget, Stopped};
use crate::engine::table::growth;
use crate::expected::lead;
use crate::memory::OutOfMemory;
use crate::score::{Forced, Score};
use crate::strategy::Root;
use crate::tree::Tree;

/// Max^n with shallow pruning.
pub(super) struct MaxN<G: Hints> {
    options: Options,
    evaluation: Evaluator<G>,
    table: PointsTable,
    experience: Experience<G::Move>,
    spare: Vec<Candidates<G::Move>>,
    /// Whether there are history rules.
    has_memory: bool,
    /// Whether something was evaluated or taken from the table, so that a deeper search may find
    /// more.
    is_open: bool,
}

/// What the previous player already has elsewhere.
type Elsewhere = Option<(Seat, i32)>;

/// The findings of a node so far.
struct Findings {
    points: Points,
    best: u16,
    is_cut: bool,
}

/// Whether `seat` prefers `new` to `old`.
#[inline]
pub(super) fn prefers(seat: Seat, new: &Points, old: &Points) -> bool {
    if new[seat] != old[seat] {
        return new[seat] > old[seat];
    }
    let mut other = seat.next(new.seats());
    while other != seat {
        if new[other] != old[other] {
            return new[other] < old[other];
        }
        other = other.next(new.seats());
    }
    false
}

/// The points of a line, from the position before its first move.
#[inline]
pub(super) fn one_ply_up(stakes: &Stakes, mut points: Points) -> Points {
    for seat in Seat::all(points.seats()) {
        if stakes.secured[seat].is_none() {
            if points[seat] >= stakes.high - FARTHEST {
                points[seat] -= 1;
            } else if points[seat] <= stakes.low + FARTHEST {
                points[seat] += 1;
            }
        }
    }
    points
}

/// The most that `seat` can get if `mover` gets at least `sure`.
#[inline]
fn most_for(seat: Seat, mover: Seat, sure: i32, stakes: &Stakes) -> i32 {
    let seats = stakes.secured.seats();
    let others = Seat::all(seats).filter(|&other| other != seat && other != mover);
    let theirs: i32 = others
        .map(|other| stakes.secured[other].map_or(stakes.low, |points| i32::from(points) * POINT))
        .sum();
    total(seats) - sure - theirs
}

impl<G: Hints> MaxN<G> {
    /// A search with its table.
    pub(super) fn new(options: Options, evaluation: Evaluator<G>) -> Result<Self, OutOfMemory> {
        // It grows once the budget is known: see `fit_table`.
        let mib = usize::from(options.tt);
        Ok(MaxN {
            options,
            evaluation,
            table: PointsTable::new(mib)?,
            experience: Experience::new::<G>(),
            spare: Vec::new(),
            has_memory: false,
            is_open: false,
        })
    }

    /// Grows the table to what this budget can use, up to the allowed size. A table that grows
    /// starts out empty; if memory is short, the old one is kept.
    fn fit_table(&mut self, budget: &Budget) {
        if self.options.tt
            && let Some(mib) = growth(self.table.mib(), budget, 1, self.options.hash)
            && let Ok(table) = PointsTable::for_budget(mib, budget)
        {
            self.table = table;
        }
    }

    /// What every seat gets in the root position.
    pub(super) fn points(
        &mut self,
        tree: &mut Tree<G>,
        position: &G,
        depth: u32,
        first: Option<G::Move>,
    ) -> Result<Points, Stopped> {
        self.is_open = false;
        let seat = position.to_move().unwrap_or(Seat::FIRST);
        let place = first.and_then(|mv| position.moves().iter().position(|&other| other == mv));
        let remembered = place.and_then(|place| u16::try_from(place).ok());
        let found = self.moves(tree, position, seat, depth, (None, remembered))?;
        Ok(found.map_or_else(|| exact(position.when_stuck().points()), |found| found.points))
    }

    /// The table key of a position: everything its value can depend on.
    #[inline]
    fn key(&self, tree: &Tree<G>, position: &G) -> u64 {
        let past = if self.has_memory { mix(tree.history().digest()) } else { 0 };
        position.key() ^ mix(position.counters()) ^ past
    }

    /// The points of every seat if all maximise their own. A node that was cut off gives the
    /// previous player less than it has elsewhere.
    fn node(
        &mut self,
        tree: &mut Tree<G>,
        position: &G,
        depth: u32,
        elsewhere: Elsewhere,
    ) -> Result<Points, Stopped> {
        let seat = match tree.history().status(position) {
            Status::Over(outcome) => return Ok(exact(outcome.points())),
            Status::ToMove(seat) => seat,
        };
        if depth == 0 {
            self.is_open = true;
            tree.statistics.evaluations += 1;
            return Ok(expectations(position, &self.evaluation));
        }
        let key = self.key(tree, position);
        let known = self.options.tt.then(|| self.table.probe(key)).flatten();
        let same_depth = known.filter(|known| u32::from(known.depth) == depth);
        if let Some(points) = same_depth.and_then(|known| known.points) {
            self.is_open = true;
            return Ok(points);
        }
        let remembered = known.map(|known| known.best);
        let Some(found) = self.moves(tree, position, seat, depth, (elsewhere, remembered))? else {
            return Ok(exact(position.when_stuck().points()));
        };
        if self.options.tt {
            let points = (!found.is_cut).then_some(found.points);
            let depth = depth.min(u32::from(u8::MAX)) as u8;
            self.table.store(key, &Known { points, depth, best: found.best });
        }
        Ok(found.points)
    }

    /// Searches the moves of a node; `None` if there are none.
    fn moves(
        &mut self,
        tree: &mut Tree<G>,
        position: &G,
        seat: Seat,
        depth: u32,
        (elsewhere, remembered): (Elsewhere, Option<u16>),
    ) -> Result<Option<Findings>, Stopped> {
        tree.expand();
        let stakes = Stakes::of(position);
        let elsewhere = elsewhere.filter(|&(before, _)| before != seat);
        let mut list = self.gather(tree.ply(), position, seat, remembered);
        let mut found: Option<Findings> = None;
        let mut searched = 0;
        while let Some(candidate) = list.pick(searched) {
            let child = tree.play(position, candidate.mv)?;
            let sure = found.as_ref().map(|found| (seat, found.points[seat]));
            let points = one_ply_up(&stakes, self.node(tree, &child, depth - 1, sure)?);
            tree.undo();
            searched += 1;
            let is_better =
                found.as_ref().is_none_or(|found| prefers(seat, &points, &found.points));
            if !is_better {
                continue;
            }
            tree.improve(candidate.mv);
            let is_cut = elsewhere
                .is_some_and(|(before, sure)| most_for(before, seat, points[seat], &stakes) < sure);
            found = Some(Findings { points, best: candidate.number, is_cut });
            if is_cut {
                tree.cut(searched - 1);
                let ply = tree.ply();
                let turn_of = |_| position.clone();
                self.experience.learn(turn_of, list.picked(searched), (depth, ply));
                break;
            }
        }
        self.spare.push(list);
        Ok(found)
    }

    /// The moves of a position, ranked.
    fn gather(
        &mut self,
        ply: usize,
        position: &G,
        seat: Seat,
        remembered: Option<u16>,
    ) -> Candidates<G::Move> {
        let mut list = self.spare.pop().unwrap_or_default();
        list.clear();
        let (options, experience) = (&self.options, &self.experience);
        list.add(position, seat, |mv| experience.rank(options, position, (seat, ply), mv));
        list.favour(remembered);
        list
    }
}

/// Points as a score: results with their distance, expectations as the corresponding lead.
pub(super) fn score(points: i32, scale: i32) -> Score {
    match points {
        _ if points >= FULL - FARTHEST => Score::win_in((FULL - points) as u32),
        _ if points <= FARTHEST => Score::loss_in(points.max(0) as u32),
        _ => Score::units(lead(points as f32 / FULL as f32, scale)),
    }
}

impl<G: Hints> Search<G> for MaxN<G> {
    fn prepare(&mut self, budget: &Budget) {
        self.fit_table(budget);
    }

    fn begin(&mut self, root: &Root<'_, G>, budget: &Budget) {
        self.fit_table(budget);
        self.has_memory = root.position.history_rules() != HistoryRules::NONE;
        self.table.grow_older();
        self.experience.fade();
    }

    fn search(
        &mut self,
        tree: &mut Tree<G>,
        position: &G,
        depth: u32,
        first: Option<G::Move>,
    ) -> Result<Score, Stopped> {
        let points = self.points(tree, position, depth, first)?;
        let seat = position.to_move().unwrap_or(Seat::FIRST);
        Ok(score(points[seat], G::scale(self.evaluation.name())))
    }

    /// The others' choices change with the depth, so only a win with the next move is certain.
    fn is_done(&self, score: Score) -> bool {
        score.forced() == Some(Forced::WinIn(1)) || !self.is_open
    }
}
