//! Alpha-beta for one against all: the search of `paranoid` and `brs`.
//!
//! Values are the root player's: maximised on its turns, minimised on all others. The [`Manner`]
//! determines who chooses among which moves.

use std::marker::PhantomData;

use agon_core::rng::mix;
use agon_core::{Evaluator, Hints, HistoryRules, MAX_SEATS, Seat};

use super::driver::Search;
use super::options::Options;
use super::ordering::{Candidate, Candidates, Experience};
use super::stakes::outlook;
use crate::budget::{Budget, Stopped};
use crate::engine::searcher::{from_table, to_table};
use crate::engine::table::{Bound, Entry, TranspositionTable, growth};
use crate::memory::OutOfMemory;
use crate::score::Score;
use crate::strategy::Root;
use crate::tree::Tree;

/// How the root player's opponents reply.
pub(super) trait Manner: Send + 'static {
    /// Whether in each round of opponents only one chooses its move, while the others play their
    /// best-ranked one. Such a round is one ply of depth.
    const ONE_CHOOSES: bool = false;

    /// Calls `each` with the position of every seat that may move here although it is not its turn.
    fn others<G: Hints>(position: &G, root: Seat, each: impl FnMut(&G, Seat)) {
        let _ = (position, root, each);
    }

    /// The position that is searched after a move of `seat`.
    fn after_move<G: Hints>(child: G, seat: Seat, root: Seat) -> G {
        let _ = (seat, root);
        child
    }
}

/// A position to search, with the window in the root player's values.
struct Question<'a, G> {
    position: &'a G,
    depth: u32,
    alpha: i32,
    beta: i32,
    /// Whether nobody of this round has chosen yet; see [`Manner::ONE_CHOOSES`].
    free: bool,
}

/// The findings of a node while its moves are searched, in the values of the side that chooses.
struct Findings {
    alpha: i32,
    beta: i32,
    best: i32,
    best_number: Option<u16>,
}

/// Alpha-beta by one player's values.
pub(super) struct Window<G: Hints, M> {
    options: Options,
    evaluation: Evaluator<G>,
    table: TranspositionTable,
    experience: Experience<G::Move>,
    spare: Vec<Candidates<G::Move>>,
    root: Seat,
    /// Whether there are history rules.
    has_memory: bool,
    /// Whether something was evaluated or taken from the table, so that a deeper search may find
    /// more.
    is_open: bool,
    manner: PhantomData<M>,
}

impl<G: Hints, M: Manner> Window<G, M> {
    /// A search with its table.
    pub(super) fn new(
        options: Options,
        evaluation: Evaluator<G>,
    ) -> Result<Window<G, M>, OutOfMemory> {
        // It grows once the budget is known: see `fit_table`.
        let mib = usize::from(options.tt);
        Ok(Window {
            options,
            evaluation,
            table: TranspositionTable::new(mib)?,
            experience: Experience::new::<G>(),
            spare: Vec::new(),
            root: Seat::FIRST,
            has_memory: false,
            is_open: false,
            manner: PhantomData,
        })
    }

    /// Grows the table to what this budget can use, up to the allowed size. A table that grows
    /// starts out empty; if memory is short, the old one is kept.
    fn fit_table(&mut self, budget: &Budget) {
        if self.options.tt
            && let Some(mib) = growth(self.table.mib(), budget, 1, self.options.hash)
            && let Ok(table) = TranspositionTable::for_budget(mib, budget)
        {
            self.table = table;
        }
    }

    /// The value of a position where the root player's place is decided.
    #[inline]
    fn settled(&self, tree: &Tree<G>, position: &G) -> Option<i32> {
        let secured = || Some(Score::of_points(position.secured(self.root)?, tree.ply() as u32));
        tree.settled(position, self.root).or_else(secured).map(Score::value)
    }

    /// The table key of a position: everything its value can depend on.
    #[inline]
    fn key(&self, tree: &Tree<G>, position: &G, free: bool) -> u64 {
        let past = if self.has_memory { mix(tree.history().digest()) } else { 0 };
        let view = (self.root.index() as u64) << 1 | u64::from(free);
        position.key() ^ mix(position.counters()) ^ past ^ mix(!view)
    }

    /// The value of a position for the root player.
    fn node(&mut self, tree: &mut Tree<G>, question: Question<'_, G>) -> Result<i32, Stopped> {
        let Question { position, depth, .. } = question;
        if let Some(value) = self.settled(tree, position) {
            return Ok(value);
        }
        if depth == 0 {
            self.is_open = true;
            tree.statistics.evaluations += 1;
            return Ok(outlook(position, &self.evaluation, self.root).value());
        }
        let key = self.key(tree, position, question.free);
        let known = self.options.tt.then(|| self.table.probe(key)).flatten();
        let (alpha, beta) = self.turned(position, question.alpha, question.beta);
        if let Some(entry) = known.filter(|entry| u32::from(entry.depth) == depth) {
            let entry = Entry { value: from_table(entry.value, tree.ply()), ..entry };
            if entry.answers(alpha, beta) {
                self.is_open = true;
                return Ok(self.turned(position, entry.value, entry.value).0);
            }
        }
        let remembered = known.and_then(|entry| entry.best);
        let findings = Findings { alpha, beta, best: Score::LOWEST.value(), best_number: None };
        let Some(findings) = self.moves(tree, &question, remembered, findings)? else {
            return Ok(tree.stuck(position, self.root).value());
        };
        if self.options.tt {
            self.memorise(key, tree.ply(), depth, beta, &findings);
        }
        Ok(self.turned(position, findings.best, findings.best).0)
    }

    fn memorise(&self, key: u64, ply: usize, depth: u32, beta: i32, findings: &Findings) {
        let bound = match findings.best_number {
            _ if findings.best >= beta => Bound::Lower,
            Some(_) => Bound::Exact,
            None => Bound::Upper,
        };
        let value = to_table(findings.best, ply);
        let (depth, best) = (depth.min(u32::from(u8::MAX)) as u8, findings.best_number);
        self.table.store(key, Entry { value, evaluation: None, depth, bound, best });
    }

    /// A window of the root player's values in those of the side that chooses, or the reverse.
    #[inline]
    fn turned(&self, position: &G, alpha: i32, beta: i32) -> (i32, i32) {
        if position.to_move() == Some(self.root) { (alpha, beta) } else { (-beta, -alpha) }
    }

    /// The moves of a position, ranked.
    fn gather(&mut self, ply: usize, position: &G, remembered: Option<u16>) -> Candidates<G::Move> {
        let mut list = self.spare.pop().unwrap_or_default();
        list.clear();
        let mover = position.to_move().unwrap_or(self.root);
        let (options, experience) = (&self.options, &self.experience);
        let mut add = |turn: &G, seat: Seat| {
            list.add(turn, seat, |mv| experience.rank(options, turn, (seat, ply), mv));
        };
        add(position, mover);
        M::others(position, self.root, add);
        list.favour(remembered);
        list
    }

    /// Searches the moves of a node; `None` if there are none.
    fn moves(
        &mut self,
        tree: &mut Tree<G>,
        question: &Question<'_, G>,
        remembered: Option<u16>,
        mut findings: Findings,
    ) -> Result<Option<Findings>, Stopped> {
        let Question { position, depth, free, .. } = *question;
        tree.expand();
        let mut list = self.gather(tree.ply(), position, remembered);
        let obvious = self.obvious(position, &list);
        if let Some(number) = obvious.filter(|_| !free) {
            list.keep_only(number);
        }
        let mut searched = 0;
        while let Some(candidate) = list.pick(searched) {
            let is_obvious = obvious.is_none_or(|number| number == candidate.number);
            let next_free = free && is_obvious;
            let value = self.try_move(tree, question, candidate, next_free, &findings, searched)?;
            searched += 1;
            if value > findings.best {
                findings.best = value;
                if value > findings.alpha {
                    (findings.alpha, findings.best_number) = (value, Some(candidate.number));
                    tree.improve(candidate.mv);
                }
            }
            if findings.alpha >= findings.beta {
                tree.cut(searched - 1);
                let turn_of = |seat| turn(position, seat).unwrap_or_else(|| position.clone());
                self.experience.learn(turn_of, list.picked(searched), (depth, tree.ply()));
                break;
            }
        }
        self.spare.push(list);
        Ok((searched > 0).then_some(findings))
    }

    /// The index of the move an opponent plays if it is not the one that chooses.
    fn obvious(&self, position: &G, list: &Candidates<G::Move>) -> Option<u16> {
        let is_opponent = position.to_move() != Some(self.root);
        if M::ONE_CHOOSES && is_opponent { list.instinct(position) } else { None }
    }

    /// The value of a move for the side that chooses: first with a null window, then in full, if
    /// necessary.
    fn try_move(
        &mut self,
        tree: &mut Tree<G>,
        question: &Question<'_, G>,
        candidate: Candidate<G::Move>,
        next_free: bool,
        findings: &Findings,
        searched: usize,
    ) -> Result<i32, Stopped> {
        let Candidate { mv, seat, .. } = candidate;
        let Question { position, depth, .. } = *question;
        let (child, change) = tree.look(turn(position, seat).as_ref().unwrap_or(position), mv)?;
        let child = M::after_move(child, seat, self.root);
        tree.enter(&child, change);
        let goes_on = M::ONE_CHOOSES && self.round_goes_on(seat, child.to_move());
        let (depth, free) = if goes_on { (depth, next_free) } else { (depth - 1, true) };
        let Findings { alpha, beta, .. } = *findings;
        let narrow = self.options.pvs && searched > 0 && beta - alpha > 1;
        let mut ask = |tree: &mut Tree<G>, low, high| {
            let (alpha, beta) = self.turned(position, low, high);
            let below = Question { position: &child, depth, alpha, beta, free };
            let value = self.node(tree, below)?;
            Ok(self.turned(position, value, value).0)
        };
        let mut value = ask(tree, alpha, if narrow { alpha + 1 } else { beta })?;
        if narrow && value > alpha && value < beta {
            value = ask(tree, alpha, beta)?;
        }
        tree.undo();
        Ok(value)
    }

    /// Whether the round of opponents that `seat` has moved in goes on: the next one sits between
    /// it and the root player.
    fn round_goes_on(&self, seat: Seat, next: Option<Seat>) -> bool {
        let place = |seat: Seat| (MAX_SEATS + seat.index() - self.root.index()) % MAX_SEATS;
        seat != self.root && next.is_some_and(|next| place(next) > place(seat))
    }
}

/// The position as if it were this seat's turn.
#[inline]
fn turn<G: Hints>(position: &G, seat: Seat) -> Option<G> {
    if position.to_move() == Some(seat) { None } else { position.with_turn(seat) }
}

impl<G: Hints, M: Manner> Search<G> for Window<G, M> {
    fn prepare(&mut self, budget: &Budget) {
        self.fit_table(budget);
    }

    fn begin(&mut self, root: &Root<'_, G>, budget: &Budget) {
        self.fit_table(budget);
        self.root = root.position.to_move().unwrap_or(Seat::FIRST);
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
        self.is_open = false;
        // Only the root player's moves can be chosen, in generation order.
        let place = first.and_then(|mv| position.moves().iter().position(|&other| other == mv));
        let remembered = place.and_then(|place| u16::try_from(place).ok());
        let (alpha, beta) = (Score::LOWEST.value(), Score::HIGHEST.value());
        let question = Question { position, depth, alpha, beta, free: true };
        let nothing = Findings { alpha, beta, best: alpha, best_number: None };
        let found = self.moves(tree, &question, remembered, nothing)?;
        Ok(found
            .map_or_else(|| tree.stuck(position, self.root), |found| Score::from_value(found.best)))
    }

    fn is_done(&self, score: Score) -> bool {
        score.forced().is_some() || !self.is_open
    }
}
