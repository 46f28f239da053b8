//! The evaluations, checked by hand on the smallest board.

use agon_core::Evaluate;

use super::super::{ADVERSARY, AGENT};
use super::*;

/// The value of the evaluation for the agent.
fn agent(name: &str, position: &str) -> i32 {
    let position = small(position);
    let judge = Wumpus::<u64>::evaluation(name).unwrap().judge;
    assert_eq!(judge(&position, ADVERSARY), -judge(&position, AGENT));
    judge(&position, AGENT)
}

#[test]
fn nobody_is_ahead_at_the_start() {
    // In `tuned` the right to move has a fitted value.
    for evaluation in Wumpus::<u64>::evaluations().iter().filter(|other| other.name != "tuned") {
        assert_eq!(agent(evaluation.name, "WHM/3/whm adversary"), 0, "{}", evaluation.name);
    }
}

/// A wumpus beside its prey, with its hunter two steps away.
const MEETING: &str = "W2/1m1/2h agent";

#[test]
fn a_piece_is_worth_what_it_beats() {
    // One against two, and each side has one pair to win and one to lose.
    assert_eq!(agent("matchup", MEETING), 100 - 200);
    assert_eq!(agent("material", MEETING), 100 - 200);
    // The wumpus beats every enemy and every enemy beats the mage.
    assert_eq!(agent("matchup", "W2/3/2m agent"), 150 - 50);
    assert_eq!(agent("material", "W2/3/2m agent"), 0);
    // Each wumpus loses to the only enemy; the hero beats all of its enemies.
    assert_eq!(agent("matchup", "3/WhW/3 agent"), (200 - 2 * 50) - (100 + 50));
    // Half of the enemies, rounded: 50 · 1 / 2, and 50 · 1 / 1 for the other side.
    assert_eq!(agent("matchup", "W2/3/w1m agent"), (100 + 25) - (200 - 50));
}

#[test]
fn the_metric_for_leaves_sees_a_little_of_everything() {
    // The match-up, safe steps as in mobility, and nearness as in distance, below: two safe steps
    // against six, and the wumpus is a step nearer to its prey than the hero to its own.
    assert_eq!(agent("simple", MEETING), -100 + 2 * (2 - 6) + 3);
    // Two safe steps each, and the pit in the middle keeps the wumpus away from its prey.
    assert_eq!(agent("simple", "W2/1O1/2m agent"), 100);
}

#[test]
fn prey_beside_its_hunter_is_threatened() {
    assert_eq!(agent("threat", MEETING), -100 + 40);
    assert_eq!(agent("threat", "3/WhW/3 agent"), -50 - 2 * 40);
    assert_eq!(agent("threat", "3/WwW/3 agent"), agent("matchup", "3/WwW/3 agent"));
}

#[test]
fn steps_beside_a_hunter_are_not_safe() {
    // The wumpus has 1,2 and 2,1; taking the mage brings it beside the hero. The mage has four
    // cells that are not beside the wumpus, the hero two.
    assert_eq!(agent("mobility", MEETING), -100 + 3 * (2 - 6));
    // Nobody steps into a pit: two steps each.
    assert_eq!(agent("mobility", "W2/1O1/2w agent"), 0);
    assert_eq!(agent("mobility", "W2/1O1/W1w agent"), agent("matchup", "W2/3/W1w agent") + 3 * 2);
}

#[test]
fn hunters_walk_around_pits() {
    // On a board of three: the wumpus is one step from its prey, the hero two.
    assert_eq!(agent("distance", MEETING), -100 + 4 * 2 - 4);
    assert_eq!(agent("distance", "W2/3/2m agent"), 100 + 4);
    assert_eq!(agent("distance", "W2/1O1/2m agent"), 100);
    assert_eq!(agent("distance", "WO1/OO1/2m agent"), 100);
}

#[test]
fn who_moves_strikes_first() {
    assert_eq!(agent("tempo", MEETING), -100 + 90);
    // The adversary saves its mage.
    assert_eq!(agent("tempo", "W2/1m1/2h adversary"), -100);
    // The hero takes one of two wumpuses, or one is left after the other has gone; and no step of
    // theirs is safe.
    assert_eq!(agent("tempo", "3/WhW/3 adversary"), -50 - 90);
    assert_eq!(agent("tempo", "3/WhW/3 agent"), -50 - 90 - 60);
    // Not threatened, but every step leads beside a hero.
    assert_eq!(agent("tempo", "W1h/3/h2 agent"), (100 - 50) - (200 + 2 * 50) - 90);
}
