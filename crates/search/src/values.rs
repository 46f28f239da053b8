//! The value of every legal move: exact where it can be known, estimated elsewhere, better and better
//! the longer it takes.
//!
//! In rounds: first what is known at once (the game ends, endgame tables), then a quick search of
//! every move, then attempts to solve what is still open, each with ten times the nodes of the last.
//! One round is over for all moves before the next begins, so that something is known of every move
//! early on.

use agon_core::{Foreseen, History, Outcome, Seat, Status, Tables, Variant};
use agon_games::{Playable, Table, Visitor};

use crate::adviser::replay;
use crate::agents;
use crate::budget::Budget;
use crate::expected::shares_of_line;
use crate::report::Choice;
use crate::score::{Forced, Score};
use crate::solver::{self, Solver, Value};
use crate::spec::{AgentError, AgentSpec};
use crate::strategy::{Root, Strategy};
use crate::tabled;

/// What a move is worth to the player who makes it.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveValue {
    /// The move.
    pub mv: String,
    /// Its score.
    pub score: Score,
    /// The expected share of a win, from 0 to 1.
    pub share: f64,
    /// Whether it is proven: by the rules, by tables or by the solver.
    pub exact: bool,
    /// Whether a forced result has its true distance, and not only that of one way to reach it.
    pub has_distance: bool,
}

/// The nodes of the quick searches of a move, round by round.
const QUICK: [u64; 2] = [2_000, 20_000];
/// The nodes of the attempts to solve a move.
const SOLVE: [u64; 5] = [3_000, 30_000, 300_000, 3_000_000, 30_000_000];
/// How often an attempt may be interrupted before it is given up: one that cannot go on where it
/// stopped would never end.
const MOST_INTERRUPTIONS: u32 = 40;
/// The solver's memory, in MiB.
const SOLVER_MIB: usize = 64;
/// The memory of the quick searches, in MiB.
const SEARCH_MIB: &str = "16";

/// Finds the values of the moves of one position, in as many calls as it takes.
pub trait Valuer: Send {
    /// Reports what is known without a search.
    fn at_once(&mut self, report: &mut dyn FnMut(&MoveValue));

    /// Goes on until the budget's flag is set or nothing more can be found, and reports whatever is
    /// learnt. Returns whether there is nothing more to find.
    fn go_on(&mut self, budget: &Budget, report: &mut dyn FnMut(&MoveValue)) -> bool;
}

/// A valuer of the moves in the position on a table.
///
/// ```
/// use agon_search::{Budget, values};
/// let table = agon_games::open(&"breakthrough:3x5".parse().unwrap()).unwrap();
/// let mut found = std::collections::BTreeMap::new();
/// let mut valuer = values::valuer(&*table).unwrap();
/// while !valuer.go_on(&Budget::default(), &mut |it| drop(found.insert(it.mv.clone(), it.exact))) {}
/// assert_eq!(found.len(), table.moves().len());
/// assert!(found.values().all(|&exact| exact));
/// ```
pub fn valuer(table: &dyn Table) -> Result<Box<dyn Valuer>, AgentError> {
    let spec = format!("engine:hash={SEARCH_MIB}").parse()?;
    let opened = table.catalog().with_game(table.variant(), Builder { table, spec: &spec });
    opened.map_err(|error| AgentError::new(&spec, error.to_string()))?
}

struct Builder<'a> {
    table: &'a dyn Table,
    /// The agent of the quick searches.
    spec: &'a AgentSpec,
}

impl Visitor for Builder<'_> {
    type Output = Result<Box<dyn Valuer>, AgentError>;

    fn visit<G: Playable>(self, _: Variant, start: G) -> Self::Output {
        let spec = self.spec;
        let no_memory = |problem: &dyn ToString| AgentError::new(spec, problem.to_string());
        let Some((position, history)) = replay(&start, self.table) else {
            return Err(no_memory(&"the game on the table cannot be replayed"));
        };
        let tables = self.table.catalog().tables(self.table.variant());
        let options = solver::Options { hash_mib: SOLVER_MIB, threads: 1 };
        let solver = Solver::new(&options).map_err(|error| no_memory(&error))?;
        let engine = agents::build_with(spec, &start, &tables.clone().into(), 0)?;
        let me = history.status(&position).to_move();
        let branches = me.map_or_else(Vec::new, |_| Branch::all(&position, &history));
        Ok(Box::new(TypedValuer {
            table: self.table.fork(),
            me: me.unwrap_or(Seat::FIRST),
            solver: solver.with_tables(&tables),
            tables,
            engine,
            branches,
            place: (0, 0),
            interruptions: 0,
        }))
    }
}

/// A move and where it leads to.
struct Branch<G> {
    mv: String,
    position: G,
    history: History,
    /// Who moves then; how the game ended, if it did.
    status: Status,
    is_exact: bool,
}

impl<G: Playable> Branch<G> {
    fn all(position: &G, history: &History) -> Vec<Branch<G>> {
        let branch = |mv: G::Move| {
            let text = position.move_text(mv);
            let (mut position, mut history) = (position.clone(), history.clone());
            let progress = position.play(mv);
            history.push(&position, progress);
            let status = match history.turn(&position) {
                Ok(seat) => Status::ToMove(seat),
                Err(ended) => Status::Over(ended.outcome),
            };
            Branch { mv: text, position, history, status, is_exact: false }
        };
        position.moves().into_iter().map(branch).collect()
    }

    fn root(&self) -> Root<'_, G> {
        Root { position: &self.position, history: &self.history }
    }
}

struct TypedValuer<G: Playable> {
    table: Box<dyn Table>,
    me: Seat,
    solver: Solver<G>,
    tables: Tables,
    engine: Box<dyn Strategy<G>>,
    branches: Vec<Branch<G>>,
    /// The round and the move that come next.
    place: (usize, usize),
    interruptions: u32,
}

/// What one attempt came to.
enum Found {
    Value(MoveValue),
    Nothing,
    /// The budget's flag was set.
    Interrupted,
}

impl<G: Playable> Valuer for TypedValuer<G> {
    fn at_once(&mut self, report: &mut dyn FnMut(&MoveValue)) {
        for at in 0..self.branches.len() {
            if let Found::Value(value) = self.known(at) {
                report(&value);
            }
        }
    }

    fn go_on(&mut self, budget: &Budget, report: &mut dyn FnMut(&MoveValue)) -> bool {
        let rounds = 1 + QUICK.len() + SOLVE.len();
        while self.place.0 < rounds && self.branches.iter().any(|branch| !branch.is_exact) {
            let (round, at) = self.place;
            let Some(branch) = self.branches.get(at) else {
                self.place = (round + 1, 0);
                continue;
            };
            if !branch.is_exact {
                if budget.stop.is_set() {
                    return false;
                }
                match self.attempt(round, at, budget) {
                    Found::Interrupted if self.interruptions < MOST_INTERRUPTIONS => {
                        self.interruptions += 1;
                        return false;
                    }
                    Found::Value(value) => {
                        self.branches[at].is_exact = value.exact;
                        report(&value);
                    }
                    Found::Interrupted | Found::Nothing => {}
                }
            }
            self.interruptions = 0;
            self.place = (round, at + 1);
        }
        true
    }
}

impl<G: Playable> TypedValuer<G> {
    fn attempt(&mut self, round: usize, at: usize, budget: &Budget) -> Found {
        let nodes = |nodes: u64| Budget { nodes: Some(nodes), ..budget.clone() };
        match round.checked_sub(1) {
            None => self.known(at),
            Some(round) => match QUICK.get(round) {
                Some(&quick) => self.search(at, &nodes(quick)),
                None => self.solve(at, &nodes(SOLVE[round - QUICK.len()])),
            },
        }
    }

    /// What is known without a search.
    fn known(&self, at: usize) -> Found {
        let branch = &self.branches[at];
        let next = match &branch.status {
            Status::Over(outcome) => return Found::Value(self.result(branch, outcome)),
            Status::ToMove(next) => *next,
        };
        match tabled::verdict(&branch.position, &branch.history, &self.tables) {
            Some(foreseen) if self.table.seats() == 2 => {
                let score = match foreseen {
                    Foreseen::Win(plies) => Score::win_in(plies),
                    Foreseen::Loss(plies) => Score::loss_in(plies),
                    _ => Score::DRAW,
                };
                Found::Value(self.proven(branch, self.turned(score, next), true))
            }
            _ => Found::Nothing,
        }
    }

    /// A move that ends the game.
    fn result(&self, branch: &Branch<G>, outcome: &Outcome) -> MoveValue {
        let share = f64::from(outcome.points()[self.me]) / 100.0;
        let score = Score::of(outcome, self.me, 1);
        MoveValue { mv: branch.mv.clone(), score, share, exact: true, has_distance: true }
    }

    /// What a search finds.
    fn search(&mut self, at: usize, budget: &Budget) -> Found {
        let branch = &self.branches[at];
        let Status::ToMove(next) = branch.status else { return Found::Nothing };
        let Choice { score, pv, .. } = self.engine.choose(branch.root(), budget, &mut |_| {});
        let Some(score) = score else { return Found::Nothing };
        if budget.stop.is_set() {
            return Found::Interrupted;
        }
        let share = match self.table.seats() {
            2 => self.turned(score, next).share(G::SCALE),
            _ => self.share_of_many(branch, score, &pv),
        };
        // With more than two players, the score of another says nothing about the mover's.
        let score = match self.table.seats() {
            2 => self.turned(score, next),
            _ => Score::units(crate::expected::lead(share as f32, G::SCALE)),
        };
        let mv = branch.mv.clone();
        Found::Value(MoveValue { mv, score, share, exact: false, has_distance: false })
    }

    fn share_of_many(&self, branch: &Branch<G>, score: Score, pv: &[G::Move]) -> f64 {
        let line = crate::adviser::line_text(&branch.position, pv);
        let mut after = self.table.fork();
        if after.play(&branch.mv).is_err() {
            return 0.5;
        }
        shares_of_line(&*after, score, &line).get(self.me.index()).copied().unwrap_or(0.5)
    }

    /// What the solver can prove.
    fn solve(&mut self, at: usize, budget: &Budget) -> Found {
        let branch = &self.branches[at];
        let Status::ToMove(next) = branch.status else { return Found::Nothing };
        if self.table.seats() != 2 {
            return Found::Nothing;
        }
        let solution = self.solver.solve(branch.root(), budget, &mut |_| {});
        let Some(value) = solution.value else {
            return if budget.stop.is_set() { Found::Interrupted } else { Found::Nothing };
        };
        let plies = solution.distance.unwrap_or(solution.line.len() as u32);
        let score = match value {
            Value::Win => Score::win_in(plies),
            Value::Draw => Score::DRAW,
            Value::Loss => Score::loss_in(plies),
        };
        let has_distance = solution.distance.is_some();
        Found::Value(self.proven(&self.branches[at], self.turned(score, next), has_distance))
    }

    fn proven(&self, branch: &Branch<G>, score: Score, has_distance: bool) -> MoveValue {
        let share = score.share(G::SCALE);
        MoveValue { mv: branch.mv.clone(), score, share, exact: true, has_distance }
    }

    /// A score after the move, for whoever moves then, as one before it for the mover.
    fn turned(&self, score: Score, next: Seat) -> Score {
        let own = if next == self.me { score } else { -score };
        match own.forced() {
            Some(Forced::WinIn(plies)) => Score::win_in(plies + 1),
            Some(Forced::LossIn(plies)) => Score::loss_in(plies + 1),
            None => own,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::budget::StopFlag;
    use crate::solver::text::{Question, solve};

    fn all(table: &dyn Table) -> BTreeMap<String, MoveValue> {
        let mut found = BTreeMap::new();
        let mut valuer = valuer(table).unwrap();
        while !valuer
            .go_on(&Budget::default(), &mut |it| drop(found.insert(it.mv.clone(), it.clone())))
        {
        }
        found
    }

    #[test]
    fn exact_values_are_the_solvers() {
        for (variant, moves) in
            [("breakthrough:3x5", &[][..]), ("wumpus:3", &[]), ("breakthrough:4x5", &["b2b3"])]
        {
            let table = agon_games::open_at(&variant.parse().unwrap(), None, moves).unwrap();
            let question = Question { all_moves: true, ..Question::default() };
            let options = solver::Options::default();
            let answer = solve(&*table, &Budget::default(), &options, question, &mut |_| {});
            let found = all(&*table);
            for (mv, solution) in answer.unwrap().moves {
                let value = &found[&mv];
                assert!(value.exact, "{variant} {mv}");
                let wanted = match solution.value.unwrap() {
                    Value::Win => 1.0,
                    Value::Draw => 0.5,
                    Value::Loss => 0.0,
                };
                assert_eq!(value.share, wanted, "{variant} {mv}");
            }
        }
    }

    #[test]
    fn tables_are_asked_first_and_ends_are_seen() {
        let variant = "congo".parse().unwrap();
        let table = agon_games::open_at::<&str>(&variant, Some("3l3/7/7/7/7/3P3/3L3 w 0"), &[]);
        let table = table.unwrap();
        let stop = StopFlag::default();
        let budget = Budget { stop: stop.clone(), ..Budget::default() };
        let mut found = Vec::new();
        let done = valuer(&*table).unwrap().go_on(&budget, &mut |it| {
            found.push(it.clone());
            if found.len() == table.moves().len() {
                stop.stop();
            }
        });
        assert!(done && found.iter().all(|it| it.exact), "{found:?}");
    }

    #[test]
    fn it_goes_on_where_it_was_interrupted() {
        let table = agon_games::open(&"breakthrough:8x8".parse().unwrap()).unwrap();
        let mut valuer = valuer(&*table).unwrap();
        let mut seen = Vec::new();
        for _ in 0..table.moves().len() {
            let stop = StopFlag::default();
            let budget = Budget { stop: stop.clone(), ..Budget::default() };
            let done = valuer.go_on(&budget, &mut |it| {
                seen.push(it.mv.clone());
                stop.stop();
            });
            assert!(!done);
        }
        seen.sort();
        assert_eq!(seen, table.moves());
    }

    #[test]
    fn with_three_players_the_movers_share_counts() {
        let table = agon_games::open(&"fauhalma:star3".parse().unwrap()).unwrap();
        let mut valuer = valuer(&*table).unwrap();
        let (stop, mut found) = (StopFlag::default(), Vec::new());
        let budget = Budget { stop: stop.clone(), ..Budget::default() };
        valuer.go_on(&budget, &mut |it| {
            found.push(it.clone());
            if found.len() == 5 {
                stop.stop();
            }
        });
        assert!(found.iter().all(|it| (0.2..0.8).contains(&it.share) && !it.exact), "{found:?}");
    }
}
