//! Evaluations that keep something for every position of a line agree with those from scratch.

use agon_core::{LineEvaluator, Progress, Seat, Tables};

use crate::catalog::Playable;

/// All evaluations of a game, going along with one game.
pub(crate) struct Evaluations<G: Playable>(Vec<Along<G>>);

struct Along<G: Playable> {
    line: LineEvaluator<G>,
    judge: fn(&G, Seat) -> i32,
}

impl<G: Playable> Evaluations<G> {
    /// At the beginning of a game.
    pub(crate) fn of(start: &G) -> Self {
        let along = |evaluation: &agon_core::Evaluation<G>| {
            let evaluator = start.evaluator(*evaluation, &Tables::default());
            let mut line = LineEvaluator::new(evaluator);
            line.start(start);
            Along { line, judge: evaluation.judge }
        };
        Evaluations(G::evaluations().iter().map(along).collect())
    }

    /// Plays a move, and looks at all others and at a null move before.
    pub(crate) fn play(&mut self, position: &mut G, mv: G::Move) -> Progress {
        let others = position.moves().into_iter().map(|mv| {
            let mut after = position.clone();
            after.play(mv);
            (Some(mv), after)
        });
        let steps: Vec<_> = others.chain(position.pass().map(|passed| (None, passed))).collect();
        let before = position.clone();
        let progress = position.play(mv);
        for along in self.0.iter_mut().filter(|along| along.line.evaluator().model().is_some()) {
            for (mv, after) in &steps {
                along.line.play(&before, *mv, after);
                along.check(after);
                along.line.undo();
            }
            along.line.play(&before, Some(mv), position);
            along.check(position);
        }
        progress
    }
}

impl<G: Playable> Along<G> {
    fn check(&mut self, position: &G) {
        if position.to_move().is_none() {
            return;
        }
        for seat in Seat::all(position.seats()) {
            let (kept, fresh) = (self.line.judge(position, seat), (self.judge)(position, seat));
            let text = position.position_text();
            assert_eq!(kept, fresh, "{}: {text}", self.line.evaluator().name());
        }
    }
}
