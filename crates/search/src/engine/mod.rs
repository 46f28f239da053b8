//! The engine for two-player games: iterative deepening of a principal variation search with a
//! transposition table, move ordering, quiescence search and selective depth. [`mod@search`]
//! explains how it works.
//!
//! - `options`: the options; every improvement has a switch.
//! - `parameters`: every number, by name.
//! - `root`: iterations, windows, several best lines.
//! - `searcher`: the state of one thread.
//! - `search`, `selectivity`, `quiescence`: the recursive search.
//! - `picker`, `experience`: move ordering and the history heuristics behind it.
//! - `reductions`, `corrections`: how much less deeply late moves are searched, and how evaluations err.
//! - `table`: the transposition table, shared by all threads.
//! - `timing`: when to stop.
//! - `solving`: small positions are solved, and only moves that keep the result are searched.
//! - `level`: playing weaker on purpose.

mod corrections;
mod experience;
pub(crate) mod level;
pub mod options;
pub mod parameters;
mod picker;
mod quiescence;
mod reductions;
mod root;
pub mod search;
pub(crate) mod searcher;
mod selectivity;
mod solving;
pub(crate) mod table;
mod timing;

#[cfg(test)]
mod tests;

use agon_core::{Evaluator, Hints, LineEvaluator, Rng};

use crate::budget::Budget;
use crate::memory::OutOfMemory;
use crate::report::{Choice, Iteration, Source, Statistics};
use crate::solver::Solver;
use crate::strategy::{Reporter, Root, Strategy, race_move};
use crate::tabled::{self, Known};
use crate::threads;
use experience::Experience;
use options::Options;
use reductions::Reductions;
use root::{Findings, Plan, RootMove};
use searcher::Searcher;
use solving::Knowledge;
use table::TranspositionTable;
use timing::Watch;

/// The engine, with the state it keeps from move to move.
pub struct Engine<G: Hints> {
    options: Options,
    reductions: Reductions,
    evaluation: Evaluator<G>,
    table: TranspositionTable,
    /// One for each thread.
    experiences: Vec<Experience<G::Move>>,
    /// Created on first use.
    solver: Option<Solver<G>>,
    rng: Rng,
}

impl<G: Hints> Engine<G> {
    /// An engine with its table. The seed is for levels below the highest, which choose among
    /// good moves.
    pub fn new(
        options: Options,
        evaluation: Evaluator<G>,
        seed: u64,
    ) -> Result<Engine<G>, OutOfMemory> {
        let table = TranspositionTable::new(0)?;
        let experiences = (0..options.threads).map(|_| Experience::new::<G>()).collect();
        let rng = Rng::new(seed);
        let reductions = Reductions::new(&options.parameters);
        Ok(Engine { options, reductions, evaluation, table, experiences, solver: None, rng })
    }

    /// Grows the table to what this budget can use, up to the allowed size. A table that grows
    /// starts out empty; one that is too large is kept.
    fn fit_table(&mut self, budget: &Budget) {
        let Options { threads, hash, .. } = self.options;
        // If memory is short, keep the old table.
        if self.options.switches.tt
            && let Some(mib) = table::growth(self.table.mib(), budget, threads, hash)
            && let Ok(table) = TranspositionTable::for_budget(mib, budget)
        {
            self.table = table;
        }
    }

    /// The plan of the main thread.
    fn plan(&self, budget: &Budget, lines: usize) -> Plan {
        let limit = [self.options.depth, budget.depth].into_iter().flatten().min();
        let deepest = match limit {
            Some(depth) => depth.clamp(1, parameters::DEEPEST),
            None if budget.is_open_ended() => parameters::DEEPEST,
            None => parameters::DEFAULT_DEPTH,
        };
        Plan { deepest, lines, ahead: 0, thrifty: budget.time.is_some() && lines == 1 }
    }

    /// What endgame tables know about the root.
    fn tabled(&self, root: Root<'_, G>) -> Option<Known<G::Move>> {
        let wanted = self.options.switches.tablebase;
        if wanted { tabled::known(root, self.evaluation.tables()) } else { None }
    }

    /// Searches on all threads; the main one decides.
    fn search(
        &mut self,
        root: Root<'_, G>,
        watch: &Watch,
        plan: Plan,
        known: Option<&Knowledge<G::Move>>,
        report: Reporter<'_, G::Move>,
    ) -> (Findings<G::Move>, Statistics) {
        self.table.grow_older();
        let (table, evaluation, options) = (&self.table, &self.evaluation, &self.options);
        let selectivity = (&options.parameters, &self.reductions);
        let (first, others) = self.experiences.split_at_mut(1);
        let searcher = |experience| {
            Searcher::new(
                options.switches,
                options.exact,
                selectivity,
                LineEvaluator::new(evaluation.clone()),
                (table, watch),
                experience,
                root.history,
            )
        };
        let tell = &mut |findings: &Findings<G::Move>, searcher: &Searcher<'_, G>| {
            for (rank, best) in findings.moves.iter().take(plan.lines).enumerate() {
                report(&Iteration {
                    depth: findings.depth,
                    rank,
                    score: solving::score(best, known),
                    pv: best.line.clone(),
                    nodes: searcher.statistics.nodes,
                    expanded: searcher.statistics.expanded,
                    time: watch.elapsed(),
                });
            }
        };
        std::thread::scope(|scope| {
            let helpers: Vec<_> = others
                .iter_mut()
                .enumerate()
                .filter_map(|(index, experience)| {
                    let mut helper = searcher(experience);
                    // Half of the helper threads search one ply deeper.
                    let ahead = (index as u32 + 1) % 2;
                    let plan = Plan { deepest: parameters::DEEPEST, ahead, thrifty: false, ..plan };
                    threads::helper(scope, move || {
                        helper.deepen(root.position, known, plan, &mut |_, _| {});
                        helper.statistics
                    })
                })
                .collect();
            let mut main = searcher(&mut first[0]);
            let findings = main.deepen(root.position, known, plan, tell);
            watch.halt();
            let mut statistics = main.statistics;
            for helper in helpers.into_iter().filter_map(|helper| helper.join().ok()) {
                statistics.add(&helper);
            }
            (findings, statistics)
        })
    }
}

impl<G: Hints> Strategy<G> for Engine<G> {
    fn prepare(&mut self, budget: &Budget) {
        let weaker = level::Handicap::of(self.options.level);
        let budget = weaker.map_or_else(|| budget.clone(), |weaker| weaker.limit(budget));
        self.fit_table(&budget);
        // Half of nothing is nothing, but it has been touched.
        self.experiences.iter_mut().for_each(Experience::fade);
    }

    fn choose(
        &mut self,
        root: Root<'_, G>,
        budget: &Budget,
        report: Reporter<'_, G::Move>,
    ) -> Choice<G::Move> {
        let weaker = level::Handicap::of(self.options.level);
        if weaker.is_none()
            && self.options.lines == 1
            && self.options.switches.foresight
            && let Some(choice) = race_move(root, &self.evaluation, report)
        {
            return choice;
        }
        let tabled = self.tabled(root).filter(|_| weaker.is_none());
        if let Some(known) = &tabled
            && self.options.lines == 1
            && let Some(choice) = tabled::choice(root, known, self.evaluation.tables(), report)
        {
            return choice;
        }
        let budget = weaker.map_or_else(|| budget.clone(), |weaker| weaker.limit(budget));
        let lines = weaker.map_or(self.options.lines, |weaker| weaker.lines());
        let watch = Watch::start(&budget, self.options.threads);
        self.fit_table(&budget);
        self.experiences.iter_mut().for_each(Experience::fade);
        let plan = self.plan(&budget, lines);
        let source = match &tabled {
            Some(known) if known.verdict.is_some() => Source::Table,
            _ => Source::Search,
        };
        let known = match tabled {
            Some(known) => (lines == 1).then(|| Knowledge::tabled(known)),
            None if weaker.is_none() => self.solve(root, &budget),
            None => None,
        };
        let known = known.as_ref();
        let source = match known {
            Some(known) if source == Source::Search && known.is_proven() => Source::Proof,
            _ => source,
        };
        let (findings, mut statistics) = self.search(root, &watch, plan, known, report);
        statistics.nodes += known.map_or(0, |known| known.nodes);
        statistics.source = source;
        statistics.depth = findings.depth;
        statistics.last_nodes = findings.last_nodes;
        statistics.time = watch.elapsed();
        let chosen = weaker.map_or(0, |weaker| weaker.pick::<G>(&findings.moves, &mut self.rng));
        let best = findings.moves.into_iter().nth(chosen).expect("a root has a legal move");
        let score = solving::score(&best, known);
        let RootMove { mv, line, .. } = best;
        Choice { mv, score: Some(score), pv: line, statistics }
    }
}
