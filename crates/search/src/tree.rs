//! The bookkeeping shared by all searches: nodes, limits, history, the best line.

use agon_core::{
    Evaluate, Evaluator, Game, History, MoveList, Outcome, Progress, Seat, Status, Which,
};

use crate::budget::{Budget, Limits, Stopped};
use crate::report::Statistics;
use crate::score::Score;
use crate::strategy::Root;

/// The bookkeeping of one search.
#[derive(Debug)]
pub struct Tree<G: Game> {
    /// The statistics so far.
    pub statistics: Statistics,
    limits: Limits,
    history: History,
    /// Plies below the root.
    ply: usize,
    /// The best line found from every ply on.
    lines: Vec<Vec<G::Move>>,
    /// Move lists that are not in use.
    spare: Vec<MoveList<G::Move>>,
}

impl<G: Game> Tree<G> {
    /// Starts a search and its clock.
    pub fn new(root: Root<'_, G>, budget: &Budget) -> Tree<G> {
        Tree {
            statistics: Statistics::default(),
            limits: Limits::start(budget),
            history: root.history.clone(),
            ply: 0,
            lines: Vec::new(),
            spare: Vec::new(),
        }
    }

    /// Returns to the root after an interrupted search.
    pub fn rewind(&mut self) {
        while self.ply > 0 {
            self.undo();
        }
    }

    /// How many plies below the root.
    #[inline]
    pub fn ply(&self) -> usize {
        self.ply
    }

    /// The history of the game and the current line.
    #[inline]
    pub fn history(&self) -> &History {
        &self.history
    }

    /// Whether the time is up.
    pub(crate) fn is_out_of_time(&self) -> bool {
        self.limits.is_over()
    }

    /// The value of a position where the game is over, for `seat`. A player without a move shows up
    /// when generating; see [`stuck`](Tree::stuck).
    pub fn settled(&self, position: &G, seat: Seat) -> Option<Score> {
        match self.history.status(position) {
            Status::Over(outcome) => Some(Score::of(&outcome, seat, self.ply as u32)),
            Status::ToMove(_) => None,
        }
    }

    /// How the game ended, if it has; this includes a player without a move, by generating moves.
    pub fn outcome(&self, position: &G) -> Option<Outcome> {
        self.history.status(position).outcome().or_else(|| position.outcome())
    }

    /// The value, for `seat`, of a position whose player has no move.
    pub fn stuck(&self, position: &G, seat: Seat) -> Score {
        Score::of(&position.when_stuck(), seat, self.ply as u32)
    }

    /// The evaluation of a position for `seat`.
    pub fn evaluate(&mut self, position: &G, evaluation: &Evaluator<G>, seat: Seat) -> Score
    where
        G: Evaluate,
    {
        self.statistics.evaluations += 1;
        Score::units(evaluation.judge(position, seat))
    }

    /// The moves of a position, in a list to be returned with `recycle`. Clears
    /// the best line from here on.
    pub fn moves(&mut self, position: &G) -> MoveList<G::Move> {
        let mut moves = self.spare.pop().unwrap_or_default();
        moves.clear();
        let _ = position.generate(Which::All, &mut moves);
        self.expand();
        moves
    }

    /// Counts an expansion whose moves are generated elsewhere. Clears the best line from here on.
    pub fn expand(&mut self) {
        self.statistics.expanded += 1;
        self.clear_line();
    }

    /// Keeps a list for reuse.
    pub(crate) fn recycle(&mut self, moves: MoveList<G::Move>) {
        self.spare.push(moves);
    }

    /// Plays a move and goes down to the position after it: one node. Every call is followed by
    /// [`undo`](Tree::undo).
    pub fn play(&mut self, position: &G, mv: G::Move) -> Result<G, Stopped> {
        let (child, progress) = self.look(position, mv)?;
        self.enter(&child, progress);
        Ok(child)
    }

    /// Plays a move without descending: also one node.
    pub fn look(&mut self, position: &G, mv: G::Move) -> Result<(G, Progress), Stopped> {
        self.limits.check(self.statistics.nodes)?;
        self.statistics.nodes += 1;
        Ok(position.after(mv))
    }

    /// Descends to a position from [`look`](Tree::look). Every call is followed by
    /// [`undo`](Tree::undo).
    pub fn enter(&mut self, child: &G, progress: Progress) {
        self.history.push(child, progress);
        self.ply += 1;
        self.clear_line();
    }

    /// Takes the last move back.
    pub fn undo(&mut self) {
        self.history.pop();
        self.ply -= 1;
    }

    /// Sets the best line from here on to this move and the best line after it.
    pub(crate) fn improve(&mut self, mv: G::Move) {
        let (above, below) = self.lines.split_at_mut(self.ply + 1);
        let line = &mut above[self.ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(below.first().map_or(&[], Vec::as_slice));
    }

    /// The best line from here on.
    pub fn line(&self) -> &[G::Move] {
        self.lines.get(self.ply).map_or(&[], Vec::as_slice)
    }

    /// Counts a cut-off after the move with this number, from 0.
    pub fn cut(&mut self, move_number: usize) {
        self.statistics.cutoffs += 1;
        self.statistics.first_move_cutoffs += u64::from(move_number == 0);
    }

    fn clear_line(&mut self) {
        if self.lines.len() <= self.ply {
            self.lines.resize_with(self.ply + 1, Vec::new);
        }
        self.lines[self.ply].clear();
    }
}
