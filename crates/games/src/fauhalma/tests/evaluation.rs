//! The evaluation, checked by hand, and players who use nothing else.

use agon_core::tuning::Features;
use agon_core::{Evaluate, Game, Hints, Rng, Tunable, hints};

use super::*;

fn values<const SEATS: usize>(start: Fauhalma<SEATS>, position: &str) -> Vec<i32> {
    let position = start.read_position(position).unwrap_or_else(|error| panic!("{error}"));
    let judge = Fauhalma::<SEATS>::evaluation("simple").unwrap().judge;
    Seat::all(SEATS).map(|seat| judge(&position, seat)).collect()
}

#[test]
fn the_whole_way_is_the_same_for_all() {
    // To the outermost space 12 + 2 · 11 + 3 · 10 steps minus 8; to the gaps 10 + 2 · 9 + 3 · 8.
    assert_eq!(star2().way_to_go(A), 56 * 100 + 52 * 25);
    assert_eq!(rhombus2().way_to_go(B), 56 * 100 + 52 * 25);
    assert_eq!([A, B, C].map(|seat| star3().way_to_go(seat)), [6900; 3]);
    assert_eq!(values(star2(), &star2().position_text()), [0, 0]);
}

#[test]
fn steps_home_count_and_guests_do_for_who_is_nearly_home() {
    let one_step = "B/BB/BBB/10/9/8/3x3/8/9/7A2/1AA/AA/A B - 1";
    assert_eq!(values(star2(), one_step), [125, -125]);
    // A's pegs are 1 + 1 + 2 + 2 + 3 + 3 steps from the outermost space, 8 of which remain; two
    // are a step from the gap, and the guest has to be pushed three steps. B's are 0 + 1 + 1 + 2 +
    // 2 + 12 steps from theirs, and the last is 10 from the gap.
    let guest = "B/AA/A1A/4AA4/9/8/3x3/8/9/10/B1B/BB/B B - 60";
    let (a, b) = (4 * 100 + 2 * 25 + 3 * 20, 10 * 100 + 10 * 25);
    assert_eq!(values(star2(), guest), [b - a, a - b]);
}

#[test]
fn of_three_players_those_on_their_way_are_compared() {
    let step_of_b = "1/2/3/CCC3B1BB/CC5BB/C6B/3x3/8/9/10/AAA/AA/A A - 0";
    // B is 125 ahead; the others are half of that, rounded, behind the mean.
    assert_eq!(values(star3(), step_of_b), [-63, 125, -63]);
    // A is home and has 100 points; B and C would share 50.
    let a_home = "A/AA/AAA/CCC3B1BB/CC5BB/C6B/3x3/8/9/10/3/2/1 B - 60";
    assert_eq!(values(star3(), a_home), [5000, -2500 + 125, -2500 - 125]);
    // C is out with no points; the others would share 150.
    let c_out = "1/2/3/CCC3B1BB/CC5BB/C6B/3x3/8/9/10/AAA/AA/A A C 0";
    assert_eq!(values(star3(), c_out), [2500 - 125, 2500 + 125, -5000]);
}

/// Plays the best move by the evaluation after one ply, the first of equals; false if nobody came
/// home.
fn greedy_game<const SEATS: usize>(start: Fauhalma<SEATS>, seed: u64) -> bool {
    const RANDOM_PLIES: usize = 6;
    let judge = Fauhalma::<SEATS>::evaluation("simple").unwrap().judge;
    let (mut position, mut rng) = (start, Rng::new(seed));
    for ply in 0.. {
        let Some(mover) = position.to_move() else { break };
        let value = |mv: &Move| {
            let mut after = position;
            after.play(*mv);
            // A finished game has no evaluation: here it means that somebody came home.
            if after.to_move().is_some() { judge(&after, mover) } else { i32::MAX }
        };
        let moves = position.moves();
        let best = moves.iter().rev().max_by_key(|mv| value(mv));
        let chosen = if ply < RANDOM_PLIES { rng.choose(&moves) } else { best };
        position.play(*chosen.unwrap());
    }
    position.home_order().count() == SEATS - 1
}

#[test]
fn greedy_players_come_home() {
    for seed in 0..20 {
        assert!(greedy_game(star2(), seed), "star for two, seed {seed}");
        assert!(greedy_game(rhombus2(), seed), "rhombus, seed {seed}");
        assert!(greedy_game(star3(), seed), "star for three, seed {seed}");
    }
}

/// Calls `look` with positions of games that mostly run home.
fn for_many<const SEATS: usize>(
    start: Fauhalma<SEATS>,
    games: u64,
    mut look: impl FnMut(&Fauhalma<SEATS>),
) {
    for seed in 0..games {
        let (mut position, mut rng) = (start, Rng::new(seed));
        while position.to_move().is_some() {
            look(&position);
            let moves = position.moves();
            let best = moves.iter().map(|&mv| position.bias(mv)).max().unwrap();
            let wanted = if rng.below(3) == 0 { -200 } else { best };
            let fitting: Vec<Move> =
                moves.iter().copied().filter(|&mv| position.bias(mv) >= wanted).collect();
            position.play(*rng.choose(&fitting).unwrap());
        }
    }
}

#[test]
fn features_and_weights_make_the_tuned_evaluation() {
    let judge = Fauhalma::<2>::evaluation("tuned").unwrap().judge;
    assert_eq!(Fauhalma::<2>::FEATURES.len(), Fauhalma::<2>::WEIGHTS.len());
    let mut seen = vec![false; Fauhalma::<2>::FEATURES.len()];
    let mut check = |position: &Fauhalma<2>| {
        let mut features = Features::default();
        position.tally(&mut features);
        let weighted = features.0.iter().zip(Fauhalma::<2>::WEIGHTS);
        let sum: i32 = weighted.map(|(count, weight)| count * weight).sum();
        assert_eq!((sum, -sum), (judge(position, A), judge(position, B)));
        seen.iter_mut().zip(&features.0).for_each(|(seen, &count)| *seen |= count != 0);
    };
    for_many(star2(), 20, &mut check);
    for_many(rhombus2(), 20, &mut check);
    assert!(seen.iter().all(|seen| *seen), "a feature that never occurs: {seen:?}");
}

#[test]
fn three_players_have_nothing_to_tune() {
    assert!(Fauhalma::<3>::FEATURES.is_empty() && Fauhalma::<3>::WEIGHTS.is_empty());
    assert!(Fauhalma::<3>::evaluation("tuned").is_none());
    assert!(Fauhalma::<2>::evaluation("tuned").is_some());
}

/// A feature's count, by name.
fn feature(position: &str, name: &str) -> i32 {
    let mut features = Features::default();
    star2().read_position(position).unwrap().tally(&mut features);
    let number = Fauhalma::<2>::FEATURES.iter().position(|feature| *feature == name).unwrap();
    features.0.get(number).copied().unwrap_or(0)
}

#[test]
fn features_count_what_they_say() {
    let start = "B/BB/BBB/10/9/8/3x3/8/9/10/AAA/AA/A A - 0";
    assert_eq!((feature(start, "step"), feature(start, "tempo")), (0, 1));
    let one_step = "B/BB/BBB/10/9/8/3x3/8/9/7A2/1AA/AA/A B - 1";
    assert_eq!((feature(one_step, "step"), feature(one_step, "tempo")), (1, -1));
    assert_eq!((feature(one_step, "row9"), feature(one_step, "row10")), (1, -1));
    assert_eq!(feature(one_step, "race_step"), 0);
    // The last pegs are 12 and 3 steps from the outermost spaces, which are the gaps; A's last is
    // B's guest there.
    let late = "1/AA/AAA/10/9/8/3x3/8/9/4B5/BBB/BB/A A - 60";
    assert_eq!((feature(late, "rear"), feature(late, "gap")), (3 - 12, 3 - 12));
    assert_eq!((feature(late, "guest"), feature(late, "home")), (3, 0));
    assert_eq!((feature(late, "race_tempo"), feature(late, "alone")), (0, 0));
    let passed = "1/AA/AAA/4A5/9/8/3x3/8/9/1B8/BBB/BB/1 A - 60";
    assert_eq!((feature(passed, "race_tempo"), feature(passed, "race_step")), (1, 2));
    // Both can hop to their outermost space from two places, and A over the centre as well. B's
    // peg outside can only go sideways.
    let hops = "1/AA/AAA/10/9/8/3x3/4A3/9/4B5/BBB/BB/1 A - 60";
    assert_eq!((feature(hops, "hop_ahead"), feature(hops, "hop_twice")), (1, 0));
    assert_eq!((feature(hops, "alone"), feature(hops, "stuck")), (1, -1));
}

#[test]
fn hints_fit_the_game() {
    let (mut passes, mut swaps) = (0, 0);
    for_many(star2(), 20, |position| {
        hints::check(position);
        if let Some(passed) = position.pass() {
            passes += 1;
            assert_eq!(passed, passed.with_key());
            assert!(passed.pass().is_none_or(|twice| twice == *position));
        }
        swaps += position.moves().iter().filter(|&&mv| position.urgency(mv).is_some()).count();
    });
    assert!(passes > 100 && swaps > 10, "{passes} {swaps}");
    for_many(star3(), 5, hints::check);
    let short = Fauhalma::<2>::start(&RHOMBUS, 25);
    for_many(short, 5, |position| assert_eq!(position.pass(), None));
}
