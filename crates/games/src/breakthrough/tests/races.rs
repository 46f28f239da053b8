//! Foreseen results against an exhaustive search.

use std::collections::HashMap;

use agon_core::{Bitboard, Foreseen, Game, Hints, Notation, Rng, Square};

use super::super::board::Cells;
use super::super::{Breakthrough, Classic, Course, RuleSet};
use super::{mirror_position, swap_position};

/// The value for the side to move, 1, 0 or −1, and in how many plies it can be forced.
type Exact = (i8, u32);

/// Searches exhaustively.
fn solve<R: RuleSet>(
    position: &Breakthrough<u64, R>,
    seen: &mut HashMap<[Bitboard<u64>; 3], Exact>,
) -> Exact {
    let whose = Bitboard(u64::from(position.clock & 1));
    let state = [position.pawns[0], position.pawns[1], whose];
    if let Some(&exact) = seen.get(&state) {
        return exact;
    }
    let exact = match position.outcome() {
        Some(outcome) => ((outcome.points()[position.turn()] as i8 - 50) / 50, 0),
        None => {
            let replies = position.moves().into_iter().map(|mv| {
                let mut child = *position;
                child.play(mv);
                let (value, plies) = solve(&child, seen);
                (-value, plies + 1)
            });
            // Win soon, lose late.
            let merit = |&(value, plies): &Exact| (value, -i64::from(value) * i64::from(plies));
            replies.max_by_key(merit).expect("a game that goes on has a move")
        }
    };
    seen.insert(state, exact);
    exact
}

/// Compares with the exhaustive search; returns whether a result was foreseen.
fn check<R: RuleSet>(
    position: &Breakthrough<u64, R>,
    seen: &mut HashMap<[Bitboard<u64>; 3], Exact>,
) -> bool {
    let Some(foreseen) = position.foreseen() else { return false };
    let (value, plies) = solve(position, seen);
    let fits = match foreseen {
        Foreseen::Win(within) => value == 1 && plies <= within,
        Foreseen::Loss(within) => value == -1 && plies <= within,
        Foreseen::Draw => value == 0,
        Foreseen::AtLeastDraw => value >= 0,
        Foreseen::AtMostDraw => value <= 0,
    };
    assert!(fits, "{foreseen:?} but {value} in {plies}: {}", position.position_text());
    true
}

/// A position from a number for every square: 0 empty, 1 white, 2 black.
fn placed<W: Cells, R: RuleSet>(
    start: &Breakthrough<W, R>,
    mut on: impl FnMut(usize) -> u64,
    black_to_move: bool,
) -> Breakthrough<W, R> {
    let mut pawns = [Bitboard::EMPTY; 2];
    for index in 0..start.board.width * start.board.height {
        match on(index) {
            1 => pawns[0].insert(Square::new(index)),
            2 => pawns[1].insert(Square::new(index)),
            _ => {}
        }
    }
    Breakthrough { pawns, clock: 2 + u32::from(black_to_move), ..*start }.with_key()
}

/// Every position of a board that is not over.
fn check_all<R: RuleSet>(width: usize, height: usize) {
    let start = Breakthrough::<u64, R>::start(width, height);
    let mut seen = HashMap::new();
    let (mut all, mut foreseen) = (0, 0);
    for code in 0..3_u64.pow((width * height) as u32) {
        for black_to_move in [false, true] {
            let on = |index: usize| code / 3_u64.pow(index as u32) % 3;
            let position = placed(&start, on, black_to_move);
            if position.to_move().is_some() {
                all += 1;
                foreseen += usize::from(check(&position, &mut seen));
            }
        }
    }
    assert!(foreseen * 4 > all, "only {foreseen} of {all} on {width}x{height}");
}

/// Random positions, few and many pawns alike.
fn check_some<R: RuleSet>(width: usize, height: usize, count: usize) {
    let start = Breakthrough::<u64, R>::start(width, height);
    let (mut rng, mut foreseen) = (Rng::new(7), 0);
    for _ in 0..count * crate::battery::soak() {
        // Few enough pawns for an exhaustive search.
        let sparsity = 4 + rng.below(12);
        let on = |_| rng.below(sparsity).min(3);
        let position = placed(&start, on, foreseen % 2 == 0);
        if position.to_move().is_some() && (position.pawns[0] | position.pawns[1]).len() <= 8 {
            foreseen += usize::from(check(&position, &mut HashMap::new()));
        }
    }
    assert!(foreseen > count / 100, "only {foreseen} of {count}");
}

#[test]
fn races_on_tiny_boards_are_always_called_right() {
    check_all::<Course>(2, 4);
    check_all::<Classic>(2, 4);
    check_all::<Course>(2, 5);
    check_all::<Course>(3, 4);
    check_all::<Classic>(3, 4);
}

#[test]
fn races_on_larger_boards_are_called_right() {
    for (width, height) in [(3, 6), (4, 5), (5, 5), (4, 7), (6, 6)] {
        check_some::<Course>(width, height, 1500);
        check_some::<Classic>(width, height, 100);
    }
}

#[test]
fn images_share_a_key_and_others_do_not() {
    fn run<W: Cells>(width: usize, height: usize) {
        let start = Breakthrough::<W, Course>::start(width, height);
        let mut rng = Rng::new(3);
        let mut keys = HashMap::new();
        for _ in 0..500 {
            let black_to_move = rng.below(2) == 1;
            let position = placed(&start, |_| rng.below(3), black_to_move);
            let text = position.position_text();
            let key = position.canonical_key();
            let image = |text: &str| start.read_position(text).map(|p| p.canonical_key());
            for other in [mirror_position(&text), swap_position(&text)] {
                // A position with two winners is rejected.
                assert!(image(&other).is_err() || image(&other) == Ok(key), "{text} {other}");
            }
            assert!(keys.insert(key, text.clone()).is_none(), "{text}");
        }
    }
    run::<u64>(4, 5);
    run::<u64>(8, 8);
    run::<u64>(5, 7);
    run::<u128>(9, 9);
    run::<u128>(10, 10);
}
