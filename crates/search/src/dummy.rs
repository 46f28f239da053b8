//! A game that is just an explicit tree, to test searches against known values.

use agon_core::outcome::WIN;
use agon_core::rng::mix;
use agon_core::sink::GO_ON;
use agon_core::{
    Evaluate, Evaluation, Flow, Game, Hints, NoModel, Outcome, PerSeat, Progress, Seat, Sink,
    Status, Tunable, Which,
};

/// A node of the tree of a game with `SEATS` seats.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Node<const SEATS: usize = 2> {
    /// Has children; the number is the static evaluation for the first player, negated for each of
    /// the others.
    Inner(i32, Vec<Node<SEATS>>),
    /// Has children, for several players: the evaluation of every seat, and whose turn it is if it
    /// is not the next player's.
    Stage(Option<Seat>, [i32; SEATS], Vec<Node<SEATS>>),
    /// The game is over with these points.
    End([u8; SEATS]),
}

impl<const SEATS: usize> Node<SEATS> {
    /// The nodes that moves lead to.
    fn children(&self) -> &[Node<SEATS>] {
        match self {
            Node::Inner(_, children) | Node::Stage(_, _, children) => children,
            Node::End(_) => &[],
        }
    }

    /// Whose turn it explicitly is.
    fn turn(&self) -> Option<Seat> {
        if let Node::Stage(turn, ..) = self { *turn } else { None }
    }
}

/// A position in a tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Dummy<const SEATS: usize = 2> {
    node: &'static Node<SEATS>,
    turn: Seat,
    path: u64,
}

impl<const SEATS: usize> Dummy<SEATS> {
    /// The root of a tree, with the first player to move unless stated otherwise.
    pub(crate) fn new(root: Node<SEATS>) -> Dummy<SEATS> {
        let turn = root.turn().unwrap_or(Seat::FIRST);
        Dummy { node: Box::leak(Box::new(root)), turn, path: 0 }
    }
}

impl<const SEATS: usize> Game for Dummy<SEATS> {
    type Move = usize;

    fn seats(&self) -> usize {
        SEATS
    }

    fn status(&self) -> Status {
        match self.node {
            Node::End(points) => {
                Status::Over(Outcome::with_points(PerSeat::from_slice(points), "a leaf"))
            }
            _ => Status::ToMove(self.turn),
        }
    }

    fn generate<S: Sink<usize>>(&self, _: Which, into: &mut S) -> Flow {
        for index in 0..self.node.children().len() {
            into.push(index)?;
        }
        GO_ON
    }

    /// No points for a player who is stuck; the others share the total that every result gives.
    fn when_stuck(&self) -> Outcome {
        let shared = SEATS * usize::from(WIN) / 2 / (SEATS - 1);
        let mut points = PerSeat::filled(SEATS, shared as u8);
        points[self.turn] = 0;
        Outcome::with_points(points, "a twig")
    }

    fn play(&mut self, index: usize) -> Progress {
        if let Some(child) = self.node.children().get(index) {
            self.node = child;
        }
        self.turn = self.node.turn().unwrap_or(self.turn.next(SEATS));
        self.path = mix(self.path ^ (index as u64 + 1));
        Progress::Irreversible
    }

    fn key(&self) -> u64 {
        self.path
    }
}

impl<const SEATS: usize> Evaluate for Dummy<SEATS> {
    type Model = NoModel;

    fn evaluations() -> &'static [Evaluation<Self>] {
        &const {
            [Evaluation {
                name: "simple",
                about: "what is written at the node",
                judge: |dummy: &Self, seat| match (dummy.node, seat) {
                    (Node::Inner(value, _), Seat::FIRST) => *value,
                    (Node::Inner(value, _), _) => -value,
                    (Node::Stage(_, values, _), seat) => values[seat.index()],
                    (Node::End(_), _) => 0,
                },
            }]
        }
    }
}

impl<const SEATS: usize> Hints for Dummy<SEATS> {}

impl<const SEATS: usize> Tunable for Dummy<SEATS> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_rotate_or_are_stated() {
        let stage = |turn, children| Node::Stage(turn, [1, 2, 3], children);
        let last = stage(Some(Seat::SECOND), vec![Node::End([50, 100, 0])]);
        let mut dummy = Dummy::new(stage(None, vec![stage(None, vec![last])]));
        for (turn, wanted) in [Seat::FIRST, Seat::SECOND, Seat::SECOND].into_iter().enumerate() {
            assert_eq!(dummy.to_move(), Some(wanted), "turn {turn}");
            assert_eq!((Dummy::evaluations()[0].judge)(&dummy, Seat::THIRD), 3);
            dummy.play(0);
        }
        assert_eq!(dummy.outcome().unwrap().winner(), Some(Seat::SECOND));
        let stuck = Dummy::new(stage(Some(Seat::THIRD), Vec::new()));
        assert_eq!(stuck.outcome().unwrap().points().as_slice(), [75, 75, 0]);
    }
}
