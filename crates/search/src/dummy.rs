//! A game that is nothing but a tree written down, to test searches against known values.

use agon_core::rng::mix;
use agon_core::sink::GO_ON;
use agon_core::{
    Evaluate, Evaluation, Flow, Game, Hints, Outcome, PerSeat, Progress, Seat, Sink, Status, Which,
};

/// A node of the tree.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Node {
    /// Moves lead on; the number is the static evaluation for the first player.
    Inner(i32, Vec<Node>),
    /// The game is over with these points.
    End([u8; 2]),
}

/// A place in a tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Dummy {
    node: &'static Node,
    turn: Seat,
    path: u64,
}

impl Dummy {
    /// The root of a tree, the first player to move.
    pub(crate) fn new(root: Node) -> Dummy {
        Dummy { node: Box::leak(Box::new(root)), turn: Seat::FIRST, path: 0 }
    }
}

impl Game for Dummy {
    type Move = usize;

    fn seats(&self) -> usize {
        2
    }

    fn status(&self) -> Status {
        match self.node {
            Node::Inner(..) => Status::ToMove(self.turn),
            Node::End(points) => {
                Status::Over(Outcome::with_points(PerSeat::from_slice(points), "a leaf"))
            }
        }
    }

    fn generate<S: Sink<usize>>(&self, _: Which, into: &mut S) -> Flow {
        if let Node::Inner(_, children) = self.node {
            for index in 0..children.len() {
                into.push(index)?;
            }
        }
        GO_ON
    }

    fn when_stuck(&self) -> Outcome {
        Outcome::loss(self.turn, "a twig")
    }

    fn play(&mut self, index: usize) -> Progress {
        if let Node::Inner(_, children) = self.node {
            self.node = &children[index];
        }
        self.turn = self.turn.opponent();
        self.path = mix(self.path ^ (index as u64 + 1));
        Progress::Irreversible
    }

    fn key(&self) -> u64 {
        self.path
    }
}

impl Evaluate for Dummy {
    fn evaluations() -> &'static [Evaluation<Self>] {
        &[Evaluation {
            name: "simple",
            about: "what is written at the node",
            judge: |dummy, seat| match (dummy.node, seat) {
                (Node::Inner(value, _), Seat::FIRST) => *value,
                (Node::Inner(value, _), _) => -value,
                (Node::End(_), _) => 0,
            },
        }]
    }
}

impl Hints for Dummy {}
