//! The evaluation `tuned` and the hints for searches.

use agon_core::tuning::Features;
use agon_core::{Evaluate, Hints, Tunable, Variant, hints};

use super::super::{ADVERSARY, AGENT};
use super::*;
use crate::{Playable, Visitor, with_game};

/// Boards of every word.
const VARIANTS: [&str; 5] =
    ["wumpus:3", "wumpus:6", "wumpus:6,seed=3", "wumpus:9", "wumpus:15,seed=2"];

/// Plays random games and checks every position on the way.
struct Walk;

impl Visitor for Walk {
    type Output = ();

    fn visit<G: Playable>(self, _: Variant, start: G) {
        let mut rng = Rng::new(7);
        for _ in 0..10 {
            let mut position = start.clone();
            while position.to_move().is_some() {
                check_sum(&position);
                hints::check(&position);
                let Some(&mv) = rng.choose(&position.moves()) else { break };
                position.play(mv);
            }
        }
    }
}

/// Features times weights are the evaluation.
fn check_sum<G: Playable>(position: &G) {
    let mut features = Features::default();
    position.tally(&mut features);
    assert_eq!(features.0.len(), G::FEATURES.len());
    let products = features.0.iter().zip(G::WEIGHTS).map(|(count, weight)| count * weight);
    let judge = G::evaluation("tuned").unwrap().judge;
    assert_eq!(products.sum::<i32>(), judge(position, ADVERSARY), "{}", position.position_text());
}

#[test]
fn features_and_hints_fit_every_position() {
    for variant in VARIANTS {
        with_game(&variant.parse().unwrap(), Walk).unwrap();
    }
}

/// The count of a feature for the agent.
fn agent(name: &str, position: &str) -> i32 {
    let mut features = Features::default();
    small(position).tally(&mut features);
    let all = Wumpus::<u64>::FEATURES;
    -features.0[all.iter().position(|&other| other == name).unwrap()]
}

/// A wumpus beside its prey, with its hunter two steps away.
const MEETING: &str = "W2/1m1/2h agent";

#[test]
fn pieces_are_worth_what_they_beat() {
    assert_eq!(agent("pieces", MEETING), -1);
    assert_eq!(agent("lead", MEETING), -64 / 3);
    // The wumpus beats the mage and the hero beats the wumpus.
    assert_eq!(agent("pairs", MEETING), 0);
    // Two wumpuses beat the mage, and the hero beats both of them; nothing else beats the mage.
    let many = "W1W/3/h1m agent";
    assert_eq!(agent("pairs", many), 0);
    assert_eq!(agent("pairs", "W1W/3/2m agent"), 2);
    assert_eq!(agent("share", "W1W/3/2m agent"), 16 * 2 * 3 / 2);
    assert_eq!(agent("unbeaten", "W1W/3/2m agent"), 2);
    assert_eq!(agent("toothless", "W1W/3/2m agent"), -1);
}

#[test]
fn the_mover_strikes_what_is_not_guarded() {
    assert_eq!(agent("threats", MEETING), 1);
    // The hero takes back.
    assert_eq!((agent("strike", MEETING), agent("trade", MEETING)), (0, 1));
    let free = "W2/1m1/3 agent";
    assert_eq!((agent("strike", free), agent("trade", free)), (1, 0));
    // The side not to move only threatens, and two threats are a fork.
    let waiting = "W2/1m1/3 adversary";
    assert_eq!((agent("strike", waiting), agent("forks", waiting)), (0, 0));
    assert_eq!(agent("forks", "mWm/3/3 adversary"), 1);
    assert_eq!(agent("forks", "mWm/3/3 agent"), 0);
}

#[test]
fn room_is_where_nothing_is_lost() {
    // 1,2 and 2,1 for the wumpus; four cells for the mage, and two of them for the hero.
    assert_eq!(agent("room", MEETING), 2 - 6);
    assert_eq!(agent("cornered", MEETING), 0);
    // Heroes everywhere around, and the pieces of the adversary have room.
    let squeezed = "W1h/3/h2 agent";
    assert_eq!(agent("cornered", squeezed), 1);
    assert_eq!(agent("trapped", squeezed), 0);
    assert_eq!(agent("squeezed_moving", squeezed), 1);
    assert_eq!(agent("squeezed_waiting", "W1h/3/h2 adversary"), 1);
    // Beside a hero and with pits around.
    assert_eq!(agent("trapped", "WhO/OO1/3 agent"), 1);
}

#[test]
fn hunters_walk_around_pits_to_their_prey() {
    assert_eq!(agent("closeness", MEETING), 2 - 1);
    assert_eq!(agent("near_2", MEETING), -1);
    assert_eq!(agent("closeness", "W2/1O1/2m agent"), 0);
    assert_eq!(agent("edge", "W2/1m1/3 agent"), 1);
    assert_eq!(agent("beside_pit", "W2/1O1/2m agent"), 0);
    assert_eq!(agent("beside_pit", "WO1/3/2m agent"), 1);
}

#[test]
fn a_free_strike_is_worth_most_of_a_piece() {
    let judge = Wumpus::<u64>::evaluation("tuned").unwrap().judge;
    let judged = |position: &str| judge(&small(position), AGENT);
    // Against two pieces, one of which falls at once; only if it is the agent's turn.
    assert!(judged("W1H/1m1/m2 agent") > judged("W1H/1m1/m2 adversary") + 30);
    assert!(judged("WH1/3/m2 agent") > 50);
    assert!(judged("WHM/3/hm1 agent") > 50);
}

#[test]
fn won_battles_come_first_and_lost_ones_last() {
    let position = small("3/hWm/1w1 agent");
    let urgency = |mv: &str| position.urgency(position.read_move(mv).unwrap());
    let (won, tied, lost) = (urgency("2,2-2,3"), urgency("2,2-3,2"), urgency("2,2-2,1"));
    assert!(won > tied && tied > lost && lost < Some(0));
    assert_eq!(urgency("2,2-1,1"), None);
    let last = small("3/1Wm/O2 agent");
    let urgency = |mv: &str| last.urgency(last.read_move(mv).unwrap());
    assert!(urgency("2,2-2,3") > won, "it ends the game");
    assert!(urgency("2,2-3,1") < Some(0), "a pit");
}
