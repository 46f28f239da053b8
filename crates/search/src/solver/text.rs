//! Type-erased solving: the game on any table, with moves as text.

use std::fmt;

use agon_core::{History, MoveList, Rng, Seat, Status, Variant};
use agon_games::{Playable, Table, Visitor};

use crate::adviser::{line_text, replay};
use crate::budget::Budget;
use crate::strategy::Root;

use super::{Observer, Options, Solution, Solver, Value};

/// What to compute besides the value.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Question {
    /// The value of every move.
    pub all_moves: bool,
    /// A proof with at most this many claims.
    pub proof: Option<usize>,
    /// How many games to play against random replies, to verify that the value is reached.
    pub games: u32,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The solution.
    pub solution: Solution<String>,
    /// The value of every move, if it was asked for.
    pub moves: Vec<(String, Solution<String>)>,
    /// The proof, if it was asked for and there is one.
    pub proof: Option<String>,
    /// How many games reached the value.
    pub reached: u32,
}

/// Why a position cannot be solved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SolveError {
    /// The question is invalid.
    Input(String),
    /// There is not enough memory.
    Memory(String),
}

impl fmt::Display for SolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SolveError::Input(problem) | SolveError::Memory(problem) => f.write_str(problem),
        }
    }
}

impl std::error::Error for SolveError {}

/// Solves the game on a table for the player to move.
///
/// ```
/// use agon_search::Budget;
/// use agon_search::solver::{Options, Value, text};
/// let table = agon_games::open(&"breakthrough:3x5".parse().unwrap()).unwrap();
/// let question = text::Question { all_moves: true, ..Default::default() };
/// let answer =
///     text::solve(&*table, &Budget::default(), &Options::default(), question, &mut |_| {}).unwrap();
/// assert_eq!(answer.solution.value, Some(Value::Draw));
/// assert_eq!(answer.moves.len(), 3);
/// ```
pub fn solve(
    table: &dyn Table,
    budget: &Budget,
    options: &Options,
    question: Question,
    observe: Observer<'_>,
) -> Result<Answer, SolveError> {
    let job = Job { table, budget, options, question, observe };
    table
        .catalog()
        .with_game(table.variant(), job)
        .map_err(|error| SolveError::Input(error.to_string()))?
}

struct Job<'a> {
    table: &'a dyn Table,
    budget: &'a Budget,
    options: &'a Options,
    question: Question,
    observe: Observer<'a>,
}

impl Visitor for Job<'_> {
    type Output = Result<Answer, SolveError>;

    fn visit<G: Playable>(self, variant: Variant, start: G) -> Self::Output {
        let Job { table, budget, options, question, observe } = self;
        let input = |problem: String| Err(SolveError::Input(problem));
        if start.seats() != 2 {
            return input(format!(
                "only two-player games can be solved; {variant} has {}",
                start.seats()
            ));
        }
        let Some((position, history)) = replay(&start, table) else {
            return input("the game on the table cannot be replayed".to_string());
        };
        if let Status::Over(outcome) = history.status(&position) {
            let reason = position.reason_text(&outcome);
            return input(format!("nothing to solve: the game is over ({reason})"));
        }
        let solver = Solver::new(options).map_err(|error| SolveError::Memory(error.to_string()))?;
        let tables = table.catalog().tables(&variant);
        let mut solver = solver.with_tables(&tables);
        let root = Root { position: &position, history: &history };
        let solution = solver.solve(root, budget, observe);
        let moves = match question.all_moves {
            true => solver.solve_moves(root, &budget.less(solution.time), observe),
            false => Vec::new(),
        };
        let value = solution.value;
        let proof = question
            .proof
            .zip(value)
            .filter(|_| solution.states.is_none() && position.tabled(&tables).is_none())
            .and_then(|(most, value)| solver.prove(&variant, &position, value, most, budget));
        let reached = value.map_or(0, |value| {
            (0..question.games)
                .map(|seed| u32::from(reaches(&mut solver, root, value, seed, budget)))
                .sum()
        });
        let named = |(mv, solution)| (position.move_text(mv), in_text(&position, solution));
        Ok(Answer {
            solution: in_text(&position, solution),
            moves: moves.into_iter().map(named).collect(),
            proof,
            reached,
        })
    }
}

/// A solution with its moves as text.
fn in_text<G: Playable>(position: &G, solution: Solution<G::Move>) -> Solution<String> {
    let Solution { value, unknown, best, distance, line, nodes, states, time } = solution;
    let best = best.map(|mv| position.move_text(mv));
    let line = line_text(position, &line);
    Solution { value, unknown, best, distance, line, nodes, states, time }
}

/// Plays a game from the root: the solver for one side, which must reach the value, and random
/// moves for the other. The sides alternate from game to game.
fn reaches<G: Playable>(
    solver: &mut Solver<G>,
    root: Root<'_, G>,
    value: Value,
    seed: u32,
    budget: &Budget,
) -> bool {
    let mut rng = Rng::new(u64::from(seed));
    let (mut position, mut history): (G, History) = (root.position.clone(), root.history.clone());
    let Some(first) = position.to_move() else { return true };
    // A win can only be shown by the winner.
    let solver_first = match value {
        Value::Win => true,
        Value::Loss => false,
        Value::Draw => seed.is_multiple_of(2),
    };
    let (exact, goal): (Seat, Value) =
        if solver_first { (first, value) } else { (first.opponent(), -value) };
    let mut scratch = MoveList::new();
    loop {
        let seat = match history.status(&position) {
            Status::Over(outcome) => return Value::of(&outcome, exact) >= goal,
            Status::ToMove(seat) => seat,
        };
        let mv = if seat == exact {
            let root = Root { position: &position, history: &history };
            solver.solve(root, budget, &mut |_| {}).best
        } else {
            position.sample(&mut rng, &mut scratch)
        };
        let Some(mv) = mv else { return Value::of(&position.when_stuck(), exact) >= goal };
        let progress = position.play(mv);
        history.push(&position, progress);
    }
}
