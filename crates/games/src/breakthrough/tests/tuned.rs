//! The evaluation `tuned` and the hints for searches.

use agon_core::tuning::Features;
use agon_core::{Evaluate, Hints, MoveList, Rng, Tunable, Variant, Which, hints};

use super::super::board::MOST_ROWS;
use super::*;
use crate::{Playable, Visitor, with_game};

type Small = Breakthrough<u64, Course>;
type Old = Breakthrough<u64, Classic>;

/// Sizes of either word and both rule sets.
const VARIANTS: [&str; 8] = [
    "breakthrough:8x8",
    "breakthrough:5x6",
    "breakthrough:2x4",
    "breakthrough:10x10",
    "breakthrough:10x4",
    "breakthrough:8x8,classic",
    "breakthrough:2x10,classic",
    "breakthrough:9x9,classic",
];

/// Plays random games and visits every position on the way.
struct Walk<F>(F);

impl<F: Fn(&dyn Seen)> Visitor for Walk<F> {
    type Output = ();

    fn visit<G: Playable>(self, _: Variant, start: G) {
        let mut rng = Rng::new(7);
        for _ in 0..20 {
            let mut position = start.clone();
            while position.to_move().is_some() {
                (self.0)(&position);
                let Some(&mv) = rng.choose(&position.moves()) else { break };
                position.play(mv);
            }
        }
    }
}

/// The checks on a position of any size and rule set.
trait Seen {
    /// Features times weights, and the value of `tuned` for the first seat.
    fn sums(&self) -> (i32, i32);
    /// The value of `tuned` for the first seat here, and for the second with the sides swapped.
    fn exchanged(&self) -> (i32, i32);
    /// Panics if a hint does not fit the position.
    fn check_hints(&self);
    /// Panics if a noisy move that captures nothing does not win.
    fn check_noisy_steps(&self);
}

fn tuned<G: Evaluate>(position: &G, seat: agon_core::Seat) -> i32 {
    (G::evaluation("tuned").unwrap().judge)(position, seat)
}

fn has_won<G: Game>(position: &G, mv: G::Move) -> bool {
    let mut next = position.clone();
    next.play(mv);
    next.to_move().is_none()
}

impl<G: Playable> Seen for G {
    fn sums(&self) -> (i32, i32) {
        let mut features = Features::default();
        self.tally(&mut features);
        assert_eq!(features.0.len(), G::FEATURES.len());
        let products = features.0.iter().zip(G::WEIGHTS).map(|(count, weight)| count * weight);
        (products.sum(), tuned(self, WHITE))
    }

    fn exchanged(&self) -> (i32, i32) {
        let swapped = self.read_position(&swap_position(&self.position_text())).unwrap();
        (tuned(self, WHITE), tuned(&swapped, BLACK))
    }

    fn check_hints(&self) {
        hints::check(self);
    }

    fn check_noisy_steps(&self) {
        let mut noisy = MoveList::new();
        let _ = self.generate(Which::Noisy, &mut noisy);
        let captures = |mv: &G::Move| !self.trace(*mv).removes.is_empty();
        for mv in self.moves().iter().filter(|mv| captures(mv) || has_won(self, **mv)) {
            let text = self.position_text();
            assert!(noisy.contains(mv), "{mv:?} is a capture or wins in {text}");
        }
        for &mv in noisy.iter().filter(|mv| !captures(mv) && !has_won(self, **mv)) {
            let mut next = self.clone();
            next.play(mv);
            let answers = next.moves();
            let is_lost = answers.iter().any(|&answer| has_won(&next, answer));
            let wins_after = |answer: &G::Move| {
                let mut last = next.clone();
                last.play(*answer);
                last.moves().iter().any(|&mv| has_won(&last, mv))
            };
            let text = self.position_text();
            assert!(is_lost || answers.iter().all(wins_after), "{mv:?} in {text}");
        }
    }
}

fn walk(look: impl Fn(&dyn Seen) + Copy) {
    for variant in VARIANTS {
        with_game(&variant.parse().unwrap(), Walk(look)).unwrap();
    }
}

#[test]
fn features_times_weights_are_the_evaluation() {
    walk(|position| {
        let (sum, judged) = position.sums();
        assert_eq!(sum, judged);
    });
}

#[test]
fn neither_side_is_preferred() {
    walk(|position| {
        let (here, exchanged) = position.exchanged();
        assert_eq!(here, exchanged);
    });
}

#[test]
fn hints_fit_every_position() {
    walk(|position| position.check_hints());
}

#[test]
fn a_noisy_step_wins_with_the_next() {
    walk(|position| position.check_noisy_steps());
}

/// The weight of a feature.
fn weight<G: Tunable>(name: &str) -> i32 {
    G::WEIGHTS[G::FEATURES.iter().position(|&other| other == name).unwrap()]
}

#[test]
fn no_height_is_left_out_of_the_weights() {
    fn check<G: Tunable>(rules: &str) {
        for kind in ["rows", "runner"] {
            let weights: Vec<i32> =
                (5..MOST_ROWS).map(|rows| weight::<G>(&format!("{kind}_{rows}"))).collect();
            let (pawn, steps) = (weights[0], weights.windows(2));
            // Far from the goal, a row more or less changes little, and never as much as this.
            for (row, step) in steps.enumerate() {
                let gain = (step[0] - step[1]).abs();
                assert!(gain <= pawn / 4, "{rules}: {kind}_{} is {gain} off", row + 6);
                assert_ne!(step[0], step[1], "{rules}: {kind}_{} was never set", row + 6);
            }
        }
    }
    check::<Small>("course");
    check::<Old>("classic");
}

/// What feature `name` counts for white.
fn feature<G: Playable>(start: &G, position: &str, name: &str) -> i32 {
    let mut features = Features::default();
    start.read_position(position).unwrap().tally(&mut features);
    features.0[G::FEATURES.iter().position(|&other| other == name).unwrap()]
}

#[test]
fn a_runner_has_nobody_ahead_in_three_columns() {
    let course = |position: &str, name: &str| feature(&Small::start(4, 7), position, name);
    // b4 has three rows to go and nothing stops it; d6 is too far aside.
    assert_eq!(course("4/3p/4/1P2/4/4/4 w", "runner_3"), 1);
    assert_eq!(course("4/3p/4/1P2/4/4/4 w", "race"), 1);
    // An enemy ahead, or aside and ahead, stops it.
    assert_eq!(course("4/1p2/4/1P2/4/4/4 w", "runner_3"), 0);
    assert_eq!(course("4/2p1/4/1P2/4/4/4 w", "runner_3"), 0);
    // Past c5 if it is white's turn; black would take it.
    assert_eq!(course("4/4/2p1/1P2/4/4/4 w", "runner_3"), 1);
    assert_eq!(course("4/4/2p1/1P2/4/4/4 b", "runner_3"), 0);
    // Black's own runners count the other way.
    assert_eq!(course("4/4/4/1P1p/4/4/4 b", "runner_3"), 0);
    assert_eq!(course("4/4/4/4/3p/P3/4 b", "runner_2"), -1);
}

#[test]
fn under_classic_rules_an_enemy_comes_nearer() {
    let classic = |position: &str, name: &str| feature(&Old::start(6, 8), position, name);
    // Two columns aside: d8 meets b4 on b6, but comes late when it is four rows ahead of a
    // pawn on a4.
    assert_eq!(classic("3p2/6/6/6/1P4/6/6/6 w", "runner_4"), 0);
    assert_eq!(classic("3p2/6/6/6/P5/6/6/6 w", "runner_4"), 1);
    assert_eq!(classic("3p2/6/6/6/P5/6/6/6 b", "runner_4"), 1);
    assert_eq!(classic("6/3p2/6/6/P5/6/6/6 w", "runner_4"), 1);
    assert_eq!(classic("6/3p2/6/6/1P4/6/6/6 w", "runner_4"), 1);
    assert_eq!(classic("6/3p2/6/6/1P4/6/6/6 b", "runner_4"), 0);
}

#[test]
fn the_first_to_arrive_wins_the_race() {
    let race = |position: &str| feature(&Small::start(5, 8), position, "race");
    let level = "5/5/5/P4/4p/5/5/5";
    assert_eq!(race(&format!("{level} w")), 1);
    assert_eq!(race(&format!("{level} b")), -1);
    assert_eq!(race("5/5/P4/5/4p/5/5/5 b"), 1);
    assert_eq!(race("pppp1/5/5/5/5/5/5/PPPP1 b"), 0);
}

#[test]
fn pawns_are_counted_where_they_stand() {
    let count = |position: &str, name: &str| feature(&Small::start(4, 6), position, name);
    let start = "pppp/pppp/4/4/PPPP/PPPP w";
    for name in ["rows_4", "rows_5", "phalanx", "stacked", "holes", "home", "steps", "reserve"] {
        assert_eq!(count(start, name), 0, "{name}");
    }
    // White alone: a1 and b1 hold or protect a2, b2 and c2 of the second row.
    let two = "4/4/4/4/4/PP2 w";
    assert_eq!(count(two, "rows_5"), 2);
    assert_eq!(count(two, "home"), 2);
    assert_eq!(count(two, "phalanx"), 1);
    assert_eq!(count(two, "edge"), 1);
    // Black holds nothing of its second and third row.
    assert_eq!(count(two, "holes"), 1 - 4);
    assert_eq!(count(two, "far_holes"), 4 - 4);
    assert_eq!(count(two, "steps"), 2);
    assert_eq!(count(two, "reserve"), 10);
    assert_eq!(count(two, "open"), 2);
}

#[test]
fn who_is_attacked_more_than_protected_is_loose() {
    let count = |position: &str, name: &str| feature(&Small::start(4, 6), position, name);
    // c4 attacks b3, which nothing protects: white may save it or lose it; white can take, too.
    assert_eq!(count("4/4/2p1/1P2/4/4 w", "loose_moving"), 1);
    assert_eq!(count("4/4/2p1/1P2/4/4 w", "loose_waiting"), -1);
    // Protected by a2: an exchange.
    assert_eq!(count("4/4/2p1/1P2/P3/4 b", "loose_waiting"), 0);
    assert_eq!(count("4/4/2p1/1P2/P3/4 b", "tension"), 1);
    // Attacked twice and protected once.
    assert_eq!(count("4/4/p1p1/1P2/P3/4 b", "loose_waiting"), 1);
}

#[test]
fn a_blocked_pawn_has_no_steps_to_wait_with() {
    let count = |position: &str, name: &str| feature(&Small::start(3, 8), position, name);
    assert_eq!(count("3/3/3/p2/P2/3/3/3 w", "reserve"), 0);
    assert_eq!(count("3/3/3/p2/P1P/3/3/3 w", "reserve"), 4);
    assert_eq!(count("3/3/3/p2/P2/3/3/3 w", "open"), 0);
}

#[test]
fn a_runner_that_cannot_be_caught_outweighs_two_pawns() {
    let start = Small::start(6, 8);
    let judged = |text: &str| tuned(&start.read_position(text).unwrap(), WHITE);
    let stopped = judged("pp1ppp/6/6/2P3/6/6/6/3PPP w");
    assert!(stopped < 0, "{stopped}");
    let free = judged("p3pp/4pp/6/2P3/6/6/6/3PP1 w");
    assert!(free > stopped + 400, "{free} and {stopped}");
    // The same pawns, and black's turn: its runner comes first.
    let blacks_turn = judged("6/6/2P3/6/6/5p/6/P5 b");
    let whites_turn = judged("6/6/2P3/6/6/5p/6/P5 w");
    assert!(whites_turn > blacks_turn + 400, "{whites_turn} and {blacks_turn}");
}

#[test]
fn wins_come_first_and_captures_near_home_before_others() {
    let start = Small::start(5, 7);
    let position = start.read_position("5/P4/5/2p2/1P3/1p3/P1P2 w").unwrap();
    let urgency = |mv: &str| position.urgency(position.read_move(mv).unwrap());
    let (win, near, far) = (urgency("a6a7"), urgency("a1b2"), urgency("b3c4"));
    assert!(win > near && near > far && far.is_some());
    assert_eq!(urgency("c1c2"), None);
    // Nothing can take on b6, from where the pawn wins.
    let position = start.read_position("3p1/5/1P3/5/5/5/5 w").unwrap();
    assert!(position.urgency(position.read_move("b5b6").unwrap()) > near);
    let position = start.read_position("2p2/5/1P3/5/5/5/5 w").unwrap();
    assert_eq!(position.urgency(position.read_move("b5b6").unwrap()), None);
}
