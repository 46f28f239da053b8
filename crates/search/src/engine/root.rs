//! The root of the search: iterations, windows, and the best lines so far.

use agon_core::{Hints, Seat};

use super::parameters as p;
use super::searcher::{HIGHEST, LOWEST, Question, Searcher, is_forced};
use super::solving::Knowledge;
use super::timing::Mood;
use crate::budget::Stopped;
use crate::score::{Forced, Score};

/// A move at the root and what is known about it.
#[derive(Clone, Debug)]
pub(super) struct RootMove<M> {
    pub(super) mv: M,
    /// The value in this iteration; [`LOWEST`] if it is no better than another move, or unknown.
    pub(super) value: i32,
    /// The value in the iteration before.
    pub(super) previous: i32,
    /// The line that begins with it.
    pub(super) line: Vec<M>,
}

/// What a search found so far.
#[derive(Clone, Debug)]
pub(super) struct Findings<M> {
    /// The moves at the root, best first.
    pub(super) moves: Vec<RootMove<M>>,
    /// The last complete iteration.
    pub(super) depth: u32,
    /// Its nodes.
    pub(super) last_nodes: u64,
}

/// The settings for the iterations of one thread.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    /// The deepest iteration.
    pub(super) deepest: u32,
    /// How many best moves to find.
    pub(super) lines: usize,
    /// Added to every depth: helper threads search ahead of the main thread.
    pub(super) ahead: u32,
    /// Whether to save time where there is no choice.
    pub(super) thrifty: bool,
}

impl<G: Hints> Searcher<'_, G> {
    /// Deepens iteratively as long as the limits allow, and reports every iteration.
    pub(super) fn deepen(
        &mut self,
        position: &G,
        known: Option<&Knowledge<G::Move>>,
        plan: Plan,
        report: &mut dyn FnMut(&Findings<G::Move>, &Self),
    ) -> Findings<G::Move> {
        self.evaluation.start(position);
        let worth_a_look = |mv: &G::Move| known.is_none_or(|known| known.moves.contains(mv));
        let moves = position.moves().into_iter().filter(worth_a_look).map(|mv| RootMove {
            mv,
            value: LOWEST,
            previous: LOWEST,
            line: vec![mv],
        });
        let mut findings = Findings { moves: moves.collect(), depth: 0, last_nodes: 0 };
        let lines = plan.lines.clamp(1, findings.moves.len().max(1));
        let mut mood = Mood::default();
        for depth in 1..=plan.deepest {
            let nodes_before = self.statistics.nodes;
            let best_before = findings.moves.first().map(|best| (best.mv, best.value));
            self.iteration = (depth + plan.ahead).min(p::DEEPEST) as usize;
            // Whatever the budget, at least one iteration is completed.
            self.may_stop = depth > 1;
            for best in &mut findings.moves {
                (best.previous, best.value) = (best.value, LOWEST);
            }
            let result =
                (0..lines).try_for_each(|rank| self.line_of_rank(position, &mut findings, rank));
            if result.is_err() {
                findings.restore();
                self.rewind();
                break;
            }
            // Every line had its own search, and a later one may have found more.
            findings.moves[..lines].sort_by_key(|best| std::cmp::Reverse(best.value));
            (findings.depth, findings.last_nodes) = (depth, self.statistics.nodes - nodes_before);
            report(&findings, self);
            let best = &findings.moves[0];
            if let Some((mv, value)) = best_before {
                mood.note(mv != best.mv, value.saturating_sub(best.value));
            }
            let nothing_to_choose = plan.thrifty && findings.moves.len() == 1;
            if nothing_to_choose || is_final(best.value, depth) || self.watch.is_enough(&mood) {
                break;
            }
        }
        findings
    }

    /// Finds the best of the moves from index `rank` on and moves it there.
    fn line_of_rank(
        &mut self,
        position: &G,
        findings: &mut Findings<G::Move>,
        rank: usize,
    ) -> Result<(), Stopped> {
        let guess = findings.moves[rank].previous;
        let narrow = self.switches.aspiration
            && self.iteration >= p::ASPIRATION_DEPTH as usize
            && !is_forced(guess)
            && guess != LOWEST;
        let mut margin = p::scaled::<G>(self.parameters.window);
        let (mut alpha, mut beta) =
            if narrow { (guess - margin, guess + margin) } else { (LOWEST, HIGHEST) };
        loop {
            let value = self.root(position, &mut findings.moves[rank..], alpha, beta)?;
            findings.moves[rank..].sort_by_key(|best| std::cmp::Reverse(best.value));
            margin = margin * self.parameters.window_growth / 100 + 1;
            let is_wide = margin > p::scaled::<G>(p::ASPIRATION_WIDEST);
            if value <= alpha && alpha > LOWEST {
                alpha = if is_wide { LOWEST } else { value.saturating_sub(margin).max(LOWEST) };
            } else if value >= beta && beta < HIGHEST {
                beta = if is_wide { HIGHEST } else { value.saturating_add(margin).min(HIGHEST) };
            } else {
                return Ok(());
            }
        }
    }

    /// Searches the root's moves within a window. Those that improve on `alpha` get a value.
    fn root(
        &mut self,
        position: &G,
        moves: &mut [RootMove<G::Move>],
        mut alpha: i32,
        beta: i32,
    ) -> Result<i32, Stopped> {
        let me = position.to_move().unwrap_or(Seat::FIRST);
        let mut best = LOWEST;
        for (number, root_move) in moves.iter_mut().enumerate() {
            let child = self.play(position, (root_move.mv, position.slot(root_move.mv)), 0)?;
            let below = Question {
                position: &child,
                me: me.opponent(),
                alpha: -beta,
                beta: -alpha,
                depth: self.iteration as i32 - 1,
                ply: 1,
                cut: false,
            };
            let value = self.child_value::<true>(below, number == 0, 0)?;
            self.undo();
            if number == 0 || value > alpha {
                // A first move that fails low keeps its place, with its upper bound as value.
                root_move.value = value;
                root_move.line.truncate(1);
                root_move.line.extend_from_slice(self.line(1));
            }
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        Ok(best)
    }
}

impl<M> Findings<M> {
    /// After an aborted iteration: moves that proved better than the previous best come first; the
    /// others keep their old order.
    fn restore(&mut self) {
        self.moves.sort_by_key(|best| std::cmp::Reverse(best.value));
        for best in self.moves.iter_mut().filter(|best| best.value == LOWEST) {
            best.value = best.previous;
        }
    }
}

/// Whether a deeper search cannot change a forced result.
fn is_final(value: i32, depth: u32) -> bool {
    match Score::from_value(value).forced() {
        Some(Forced::WinIn(plies) | Forced::LossIn(plies)) => plies <= depth,
        None => false,
    }
}
