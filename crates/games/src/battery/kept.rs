//! Evaluations that keep something for every position of a line agree with those from scratch.

use agon_core::{Evaluator, LineEvaluator, Progress, Seat, Tables};

use crate::catalog::Playable;

/// All evaluations of a game that have a model, with the weights of the program and with others, going
/// along with one game.
pub(crate) struct Evaluations<G: Playable>(Vec<Along<G>>);

struct Along<G: Playable> {
    line: LineEvaluator<G>,
    /// What the values are compared with.
    fresh: Evaluator<G>,
}

impl<G: Playable> Evaluations<G> {
    /// At the beginning of a game.
    pub(crate) fn of(start: &G) -> Self {
        let none = &Tables::default();
        let others: Vec<i32> = G::WEIGHTS.iter().map(|weight| 7 - 3 * weight).collect();
        let evaluations = G::evaluations().iter().flat_map(|&evaluation| {
            let plain = Evaluator::new(evaluation, none);
            let with = |weights| start.model(evaluation.name, none, weights);
            let own = with(None).map(|model| (plain.clone().by_model(model), plain.clone()));
            let other = || (!others.is_empty()).then(|| with(Some(&others))).flatten();
            let reweighted = other()
                .zip(other())
                .map(|(kept, fresh)| (plain.clone().by_model(kept), plain.clone().by_model(fresh)));
            own.into_iter().chain(reweighted)
        });
        let along = |(kept, fresh)| {
            let mut line = LineEvaluator::new(kept);
            line.start(start);
            Along { line, fresh }
        };
        Evaluations(evaluations.map(along).collect())
    }

    /// Plays a move, and looks at all others and at a null move before.
    pub(crate) fn play(&mut self, position: &mut G, mv: G::Move) -> Progress {
        let others = position.moves().into_iter().map(|mv| {
            let mut after = position.clone();
            after.play(mv);
            (Some(mv), after)
        });
        let passed = if position.is_tense() { None } else { position.pass() };
        let steps: Vec<_> = others.chain(passed.map(|passed| (None, passed))).collect();
        let before = position.clone();
        let progress = position.play(mv);
        for along in &mut self.0 {
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
            let (kept, fresh) = (self.line.judge(position, seat), self.fresh.judge(position, seat));
            let text = position.position_text();
            assert_eq!(kept, fresh, "{}: {text}", self.line.evaluator().name());
        }
    }
}
