//! The solo race: against a naive search, and in games.

mod games;
mod plain;

use std::ops::ControlFlow::{Break, Continue};
use std::sync::OnceLock;

use agon_core::{Bitboard, Rng, Square};

use super::super::board::{Board, STAR, Set, mirrored, opposite};
use super::super::moves::Ground;
use super::*;
use crate::fauhalma::PEGS;
use crate::tables::Stopped;

/// How many placements need 0, 1, 2 … moves.
const RHOMBUS_LEVELS: [u64; 21] = [
    1, 10, 81, 500, 2799, 13193, 49878, 151117, 371946, 752449, 1279139, 1839102, 2213094, 2186802,
    1729682, 1056868, 468809, 133900, 20650, 1456, 36,
];
const STAR_LEVELS: [u64; 28] = [
    1, 10, 89, 632, 3940, 20309, 85086, 292892, 846551, 2082657, 4415726, 8124180, 13011724,
    18184644, 22215175, 23650224, 21836113, 17387661, 11847161, 6860465, 3358128, 1377612, 468733,
    131782, 30539, 5930, 877, 67,
];

const START: Set = opposite(HOME);

/// A board with its table.
struct Known {
    board: &'static Board,
    table: Vec<u8>,
}

impl Known {
    fn new(board: &'static Board) -> Known {
        Known { board, table: build(board, 2, &mut |_| Continue(())).unwrap() }
    }

    fn moves_of(&self, pegs: Set) -> u8 {
        self.table[self.board.ranking.rank(pegs)]
    }
}

fn rhombus() -> &'static Known {
    static KNOWN: OnceLock<Known> = OnceLock::new();
    KNOWN.get_or_init(|| Known::new(&RHOMBUS))
}

/// Calls `look` with all placements in the order of their ranks.
fn for_all(board: &Board, mut look: impl FnMut(Set)) {
    let mut pegs = Bitboard::first_squares(PEGS);
    let numbers: Vec<Square> = board.spaces.into_iter().collect();
    let count = board.ranking.count();
    for _ in 0..count {
        look(pegs.into_iter().map(|number| numbers[number.index()]).collect());
        // The next larger number with the same number of bits set.
        let bits: u128 = pegs.0;
        let low = bits & bits.wrapping_neg();
        let ripple = bits + low;
        pegs = Bitboard(ripple | (((bits ^ ripple) >> 2) / low));
    }
}

fn random_placement(board: &Board, rng: &mut Rng) -> Set {
    let spaces: Vec<Square> = board.spaces.into_iter().collect();
    let mut pegs = Bitboard::EMPTY;
    while (pegs.len() as usize) < PEGS {
        pegs.insert(*rng.choose(&spaces).unwrap());
    }
    pegs
}

#[test]
fn ranks_count_placements_one_by_one() {
    let mut next = 0;
    for_all(&RHOMBUS, |pegs| {
        assert_eq!(RHOMBUS.ranking.rank(pegs), next);
        next += 1;
    });
    assert_eq!(next, 12_271_512);
    assert_eq!(
        TABLES.iter().map(|table| (table.entries)()).collect::<Vec<_>>(),
        [next, 156_238_908]
    );
}

#[test]
fn a_moving_peg_changes_the_rank_as_it_should() {
    let mut rng = Rng::new(1);
    for _ in 0..20_000 {
        let pegs = random_placement(&STAR, &mut rng);
        let list: Vec<Square> = pegs.into_iter().collect();
        let list: [Square; PEGS] = list.try_into().unwrap();
        let moving = rng.below(PEGS as u64) as usize;
        let others = STAR.ranking.without(&list, moving);
        for to in (STAR.spaces - pegs) | list[moving].into() {
            let after = others.pegs | to.into();
            assert_eq!(STAR.ranking.with(&others, to), STAR.ranking.rank(after));
        }
    }
}

#[test]
fn the_rhombus_is_known() {
    let (known, board) = (rhombus(), &RHOMBUS);
    let mut levels = [0; RHOMBUS_LEVELS.len()];
    for_all(board, |pegs| {
        let moves = known.moves_of(pegs);
        levels[usize::from(moves)] += 1;
        assert!(bound::bound(pegs) <= moves, "{pegs:?} needs {moves}");
    });
    assert_eq!(levels, RHOMBUS_LEVELS);
    assert_eq!((known.moves_of(HOME), known.moves_of(START)), (0, 16));
    let mut rng = Rng::new(1);
    for _ in 0..20_000 {
        let pegs = random_placement(board, &mut rng);
        let moves = known.moves_of(pegs);
        assert_eq!(moves, known.moves_of(mirrored(pegs)));
        let ground = Ground::alone(board.spaces, pegs);
        let after = |from, to| known.moves_of(pegs ^ (Bitboard::from(from) | Bitboard::from(to)));
        let next = pegs
            .into_iter()
            .flat_map(|from| ground.targets(from).into_iter().map(move |to| after(from, to)));
        let nearest = next.inspect(|&near| assert!(near.abs_diff(moves) <= 1)).min();
        assert!(moves == 0 || nearest == Some(moves - 1));
    }
    plain::compare(known, 10, 40);
}

/// Takes a minute on two cores: `cargo xtask soak`.
#[test]
fn the_star_is_known() {
    if std::env::var_os("AGON_SOAK").is_none() {
        return;
    }
    let known = &Known::new(&STAR);
    let mut levels = [0; STAR_LEVELS.len()];
    for_all(&STAR, |pegs| {
        let moves = known.moves_of(pegs);
        levels[usize::from(moves)] += 1;
        assert!(bound::bound(pegs) <= moves, "{pegs:?} needs {moves}");
    });
    assert_eq!(levels, STAR_LEVELS);
    assert_eq!((known.moves_of(HOME), known.moves_of(START)), (0, 16));
    plain::compare(known, 10, 40);
}

#[test]
fn a_build_tells_how_far_it_is_and_can_be_stopped() {
    let (mut last, mut told) = (0, 0);
    let stopped = build(&STAR, 2, &mut |progress| {
        assert!(progress.settled >= last && progress.of == 156_238_908);
        (last, told) = (progress.settled, told + 1);
        if told == 100 { Break(()) } else { Continue(()) }
    });
    assert_eq!((stopped, told), (Err(Stopped), 100));
}

#[test]
fn guesses_are_near_the_truth_and_home_is_no_guess() {
    assert_eq!((bound::bound(HOME), bound::estimate(HOME)), (0, 0));
    assert_eq!(bound::bound(START), 16);
    assert!((1500..=1700).contains(&bound::estimate(START)));
    let (mut errors, mut count) = (0, 0);
    games::for_placements(&RHOMBUS, 100, |pegs| {
        errors += (bound::estimate(pegs) - MOVE * i32::from(rhombus().moves_of(pegs))).abs();
        count += 1;
    });
    assert!(count > 5_000 && errors / count < 80, "{} over {count}", errors / count);
}
