//! Three players in explicit trees.

use agon_core::Seat;

use super::{ALL, choose};
use crate::budget::Budget;
use crate::dummy::{Dummy, Node};
use crate::many::Assumption;
use crate::many::options::Options;
use crate::score::{Forced, Score};

/// An inner node that evaluates equally for all.
fn inner(children: Vec<Node<3>>) -> Node<3> {
    Node::Stage(None, [0; 3], children)
}

/// A node that is evaluated, with nothing below that matters.
fn judged(values: [i32; 3]) -> Node<3> {
    Node::Stage(None, values, vec![Node::End([50, 50, 50])])
}

fn ask(assumption: Assumption, tree: Node<3>, depth: u32) -> (usize, Option<Score>) {
    let choice = choose(assumption, Options::default(), &Dummy::new(tree), &Budget::depth(depth));
    (choice.mv, choice.score)
}

#[test]
fn each_search_has_its_own_idea_of_the_others() {
    // The second player decides between a line that is best for itself and fair to the first, and
    // one that hurts both: only a paranoid first player is afraid of that.
    let tree = || {
        let risky = inner(vec![judged([500, 900, -700]), judged([-900, -900, 900])]);
        let safe = inner(vec![judged([100, 0, 0])]);
        inner(vec![risky, safe])
    };
    assert_eq!(ask(Assumption::Paranoid, tree(), 2), (1, Some(Score::units(100))));
    assert_eq!(ask(Assumption::MaxN, tree(), 2).0, 0);
    assert_eq!(ask(Assumption::BestReply, tree(), 2).0, 1);
}

#[test]
fn a_sure_first_place_is_never_given_away() {
    let first = || Node::End([100, 50, 0]);
    let later = || inner(vec![inner(vec![inner(vec![first()])])]);
    let tempting = || judged([90_000, -90_000, -90_000]);
    for assumption in ALL {
        for depth in 1..6 {
            let tree = inner(vec![later(), tempting(), first()]);
            let (mv, score) = ask(assumption, tree, depth);
            let forced = score.and_then(Score::forced);
            assert_eq!((mv, forced), (2, Some(Forced::WinIn(1))), "{assumption:?} {depth}");
        }
    }
}

#[test]
fn second_is_better_than_third() {
    let (second, third) = (|| Node::End([50, 100, 0]), || Node::End([0, 100, 50]));
    let only = |node: Node<3>| inner(vec![node]);
    for assumption in ALL {
        for depth in 1..4 {
            let (mv, score) = ask(assumption, inner(vec![third(), second(), third()]), depth);
            assert_eq!((mv, score), (1, Some(Score::DRAW)), "{assumption:?} {depth}");
        }
        // And if it has to be the third place, then late.
        let tree = inner(vec![only(third()), only(only(third())), third()]);
        let (mv, score) = ask(assumption, tree, 4);
        let forced = score.and_then(Score::forced);
        assert_eq!(mv, 1, "{assumption:?}");
        assert_eq!(forced, Some(Forced::LossIn(3)), "{assumption:?}");
    }
}

#[test]
fn who_is_skipped_is_skipped() {
    // The second player is finished: the turn goes from the first to the third and back.
    let turn = |seat, children| Node::Stage(Some(seat), [0; 3], children);
    let end = |mine: u8| Node::End([mine, 100, 50 - mine]);
    let mine = |ends: [u8; 2]| turn(Seat::FIRST, ends.map(end).into());
    let theirs = |a, b| turn(Seat::THIRD, vec![mine(a), mine(b)]);
    for assumption in ALL {
        let tree = turn(Seat::FIRST, vec![theirs([50, 0], [0, 0]), theirs([0, 50], [50, 0])]);
        assert_eq!(ask(assumption, tree, 3), (1, Some(Score::DRAW)), "{assumption:?}");
    }
}
