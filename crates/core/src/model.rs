//! Evaluations that are more than a function: those with numbers of their own (weights, a net), which
//! may keep something for every position of a line and update it with each move.

use crate::evaluate::{Evaluate, Evaluator};
use crate::game::Game;
use crate::seat::Seat;

/// The evaluations of a game that are more than a function, as one type: a search calls them without
/// an indirection, and is compiled once for all of them.
///
/// What they keep for a position is its *state*, and a search has a stack of states, one for each
/// position of the line it is in. A state may be exact at once, such as a sum over the pieces; or
/// [`advance`](Model::advance) only notes what has changed, and [`judge_kept`](Model::judge_kept)
/// makes up for it where a value is wanted: most positions of a search are never judged.
pub trait Model<G: Game>: Send + Sync + 'static {
    /// What is kept for a position. States are made once and then overwritten, so they may be large.
    type State: Default + Send + 'static;

    /// How good a position that is not over is for a seat, from scratch; see
    /// [`Evaluation::judge`](crate::Evaluation::judge).
    fn judge(&self, position: &G, seat: Seat) -> i32;

    /// The same by the states of a line that ends with this position.
    fn judge_kept(&self, position: &G, seat: Seat, line: &mut [Self::State]) -> i32;

    /// Sets the state of a position from scratch: a line begins with it.
    fn refresh(&self, position: &G, state: &mut Self::State);

    /// Sets the state of the position after a step from that before it.
    fn advance(&self, step: Step<'_, G>, before: &Self::State, after: &mut Self::State);
}

/// What leads from one position of a line to the next.
#[derive(Debug)]
pub struct Step<'a, G: Game> {
    /// The position before.
    pub before: &'a G,
    /// The move; `None` for a null move.
    pub mv: Option<G::Move>,
    /// The position after.
    pub after: &'a G,
}

/// For games all of whose evaluations are functions. There is none, so nothing is ever kept, and
/// the compiler leaves everything out that would.
#[derive(Debug)]
pub enum NoModel {}

impl<G: Game> Model<G> for NoModel {
    type State = ();

    fn judge(&self, _: &G, _: Seat) -> i32 {
        match *self {}
    }

    fn judge_kept(&self, _: &G, _: Seat, _: &mut [()]) -> i32 {
        match *self {}
    }

    fn refresh(&self, _: &G, _: &mut ()) {
        match *self {}
    }

    fn advance(&self, _: Step<'_, G>, _: &(), _: &mut ()) {
        match *self {}
    }
}

/// What the model of a game keeps for a position.
type StateOf<G> = <<G as Evaluate>::Model as Model<G>>::State;

/// An evaluation that goes along with the line of a search.
pub struct LineEvaluator<G: Evaluate> {
    evaluator: Evaluator<G>,
    /// The states of the line, and below them those of earlier lines that were longer.
    states: Vec<StateOf<G>>,
    /// How many steps the line has.
    steps: usize,
}

impl<G: Evaluate> LineEvaluator<G> {
    /// Whether there is anything to keep.
    const KEEPS: bool = size_of::<StateOf<G>>() > 0;

    /// An evaluation without a line yet.
    pub fn new(evaluator: Evaluator<G>) -> Self {
        LineEvaluator { evaluator, states: Vec::new(), steps: 0 }
    }

    /// The evaluation.
    #[inline]
    pub fn evaluator(&self) -> &Evaluator<G> {
        &self.evaluator
    }

    /// Begins a line with a position.
    pub fn start(&mut self, root: &G) {
        if let Some(model) = self.evaluator.model() {
            self.steps = 0;
            if self.states.is_empty() {
                self.states.push(Default::default());
            }
            model.refresh(root, &mut self.states[0]);
        }
    }

    /// Goes on to the position after a move, or after a null move.
    #[inline]
    pub fn play(&mut self, before: &G, mv: Option<G::Move>, after: &G) {
        if Self::KEEPS
            && let Some(model) = self.evaluator.model()
        {
            if self.states.len() == self.steps + 1 {
                lengthen(&mut self.states);
            }
            if let [.., parent, state] = &mut self.states[..self.steps + 2] {
                model.advance(Step { before, mv, after }, parent, state);
            }
            self.steps += 1;
        }
    }

    /// Goes back by one step.
    #[inline]
    pub fn undo(&mut self) {
        if Self::KEEPS && self.evaluator.model().is_some() {
            self.steps -= 1;
        }
    }

    /// Goes back to the beginning of the line.
    pub fn rewind(&mut self) {
        self.steps = 0;
    }

    /// How good the last position of the line is for a seat.
    #[inline]
    pub fn judge(&mut self, position: &G, seat: Seat) -> i32 {
        let Some(model) = self.evaluator.model() else {
            return self.evaluator.judge(position, seat);
        };
        let value = model.judge_kept(position, seat, &mut self.states[..=self.steps]);
        debug_assert_eq!(value, model.judge(position, seat), "kept and from scratch");
        value
    }
}

/// Makes room for lines that are longer than all before.
#[cold]
fn lengthen<S: Default>(states: &mut Vec<S>) {
    states.push(S::default());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::Evaluation;
    use crate::sample::Nim;
    use crate::tables::Tables;

    /// How many moves the player to move has, kept in a net's way: what was taken is noted, and added
    /// up where a value is wanted.
    pub struct Lazy;

    #[derive(Default)]
    pub struct Noted {
        heap: Option<u32>,
        taken: u32,
    }

    impl Evaluate for Nim {
        type Model = Lazy;

        fn evaluations() -> &'static [Evaluation<Nim>] {
            &[Evaluation { name: "simple", about: "", judge: |nim, seat| Lazy.judge(nim, seat) }]
        }

        fn model(&self, _: &str, _: &Tables, _: Option<&[i32]>) -> Option<Lazy> {
            Some(Lazy)
        }
    }

    fn value(nim: &Nim, heap: u32, seat: Seat) -> i32 {
        let moves = heap.min(3) as i32;
        if nim.to_move() == Some(seat) { moves } else { -moves }
    }

    impl Model<Nim> for Lazy {
        type State = Noted;

        fn judge(&self, nim: &Nim, seat: Seat) -> i32 {
            value(nim, nim.moves().len() as u32, seat)
        }

        fn judge_kept(&self, nim: &Nim, seat: Seat, line: &mut [Noted]) -> i32 {
            let known = line.iter().rposition(|noted| noted.heap.is_some()).expect("a root");
            for at in known + 1..line.len() {
                line[at].heap = Some(line[at - 1].heap.unwrap_or(0) - line[at].taken);
            }
            value(nim, line.last().and_then(|last| last.heap).unwrap_or(0), seat)
        }

        fn refresh(&self, nim: &Nim, state: &mut Noted) {
            let mut rest = nim.clone();
            let taken = std::iter::from_fn(|| rest.moves().first().map(|&mv| rest.play(mv)));
            *state = Noted { heap: Some(taken.count() as u32), taken: 0 };
        }

        fn advance(&self, step: Step<'_, Nim>, _: &Noted, after: &mut Noted) {
            *after = Noted { heap: None, taken: step.mv.unwrap_or(0) };
        }
    }

    #[test]
    fn states_go_along_with_a_line() {
        let root = Nim::new(9);
        let evaluator = Evaluator::from(Nim::best_evaluation()).by_model(Lazy);
        let mut evaluation = LineEvaluator::new(evaluator);
        for _ in 0..2 {
            evaluation.start(&root);
            let mut line = vec![root.clone()];
            for taken in [3, 1, 2] {
                let mut next = line[line.len() - 1].clone();
                next.play(taken);
                evaluation.play(&line[line.len() - 1], Some(taken), &next);
                line.push(next);
            }
            while let Some(position) = line.pop().filter(|_| !line.is_empty()) {
                evaluation.judge(&position, Seat::FIRST);
                evaluation.undo();
            }
        }
        evaluation.rewind();
        evaluation.judge(&root, Seat::FIRST);
    }
}
