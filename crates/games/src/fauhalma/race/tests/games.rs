//! The race in games: evaluations that lead home, and players who run alone.

use std::sync::Arc;

use agon_core::{Evaluate, Evaluator, Game, Hints, Rng, Seat, TableBytes, Tables, hints};

use super::*;
use crate::fauhalma::board::in_first_frame;
use crate::fauhalma::{Fauhalma, Move};

/// A player who looks one move ahead with an evaluation, and now and then plays a random move.
fn greedy<const SEATS: usize>(
    position: &Fauhalma<SEATS>,
    evaluator: &Evaluator<Fauhalma<SEATS>>,
    rng: &mut Rng,
) -> Move {
    let mover = position.to_move().unwrap();
    let mut value = |mv| {
        let mut after = *position;
        after.play(mv);
        let value =
            if after.to_move().is_some() { evaluator.judge(&after, mover) } else { i32::MAX };
        (value, rng.next_u64())
    };
    position.moves().into_iter().max_by_key(|&mv| value(mv)).unwrap()
}

/// Plays games between greedy players after a few random moves, and returns how many were finished.
fn play<const SEATS: usize>(
    board: &'static Board,
    games: u64,
    (evaluation, tables): (&str, &Tables),
    mut look: impl FnMut(&Fauhalma<SEATS>),
) -> u64 {
    const RANDOM_PLIES: usize = 6;
    let evaluation = Fauhalma::evaluation(evaluation).unwrap();
    let evaluator = Fauhalma::start(board, 100).evaluator(evaluation, tables);
    let mut ended = 0;
    for seed in 0..games {
        let (mut position, mut rng) = (Fauhalma::<SEATS>::start(board, 100), Rng::new(seed));
        for ply in 0.. {
            if position.to_move().is_none() {
                break;
            }
            look(&position);
            let mv = match ply < RANDOM_PLIES {
                true => *rng.choose(&position.moves()).unwrap(),
                false => greedy(&position, &evaluator, &mut rng),
            };
            position.play(mv);
        }
        ended += u64::from(position.home_order().count() == SEATS - 1);
    }
    ended
}

/// Calls `look` with the placements of both players in games, in the first seat's frame.
pub(super) fn for_placements(board: &'static Board, games: u64, mut look: impl FnMut(Set)) {
    play::<2>(board, games, ("simple", &Tables::default()), |position| {
        for seat in Seat::all(2) {
            look(in_first_frame::<2>(position.pegs[seat.index()], seat));
        }
    });
}

#[test]
fn greedy_players_get_home_without_the_table() {
    let race = ("race", &Tables::default());
    assert!(play::<2>(&STAR, 40, race, |_| {}) >= 39);
    assert!(play::<2>(&RHOMBUS, 40, race, |_| {}) >= 39);
    assert!(play::<3>(&STAR, 40, race, |_| {}) >= 39);
}

/// Checks what a player that runs undisturbed can do, and what the next one can do to it.
fn check_field<const SEATS: usize>(position: &Fauhalma<SEATS>) -> bool {
    let seat = position.to_move().unwrap();
    if !position.runs_alone(seat) {
        return false;
    }
    let field = position.field(seat);
    let ground = Ground::alone(field, position.framed(seat));
    for from in position.framed(seat) {
        for to in ground.targets(from) {
            let mv = Fauhalma::<SEATS>::move_meant_by(seat, Move { from, to });
            assert!(position.is_legal(mv));
            let mut after = *position;
            after.play(mv);
            let next = after.to_move().filter(|&next| next != seat);
            for reply in next.map_or(Vec::new(), |_| after.moves().to_vec()) {
                let mut disturbed = after;
                disturbed.play(reply);
                let others = Seat::all(SEATS).filter(|&other| other != seat);
                let pegs = others.map(|other| disturbed.pegs[other.index()]);
                let all = pegs.fold(Set::EMPTY, |all, pegs| all | pegs);
                assert!(!in_first_frame::<SEATS>(all, seat).meets(field), "{disturbed:?}");
            }
        }
    }
    true
}

#[test]
fn who_runs_alone_is_not_disturbed() {
    let race = ("race", &Tables::default());
    let (mut two, mut small, mut three) = (0, 0, 0);
    play::<2>(&STAR, 20, race, |position| two += u32::from(check_field(position)));
    play::<2>(&RHOMBUS, 20, race, |position| small += u32::from(check_field(position)));
    play::<3>(&STAR, 20, race, |position| three += u32::from(check_field(position)));
    assert!(two > 40 && small > 40 && three > 40, "{two} {small} {three}");
    assert!(!Fauhalma::<2>::start(&STAR, 100).runs_alone(Seat::FIRST));
    assert_eq!(Fauhalma::<2>::start(&STAR, 100).race_move(&Tables::default()), None);
}

#[test]
fn with_the_table_greedy_players_get_home_and_runs_are_exact() {
    let (mut alone, mut runs) = (0, 0);
    let table = &rhombus().table[..];
    let tables = Tables::new([Some(Arc::new(table) as TableBytes)]);
    let ended = play::<2>(&RHOMBUS, 40, ("race", &tables), |position| {
        let seat = position.to_move().unwrap();
        let before = position.exact_moves_to_go(seat, table);
        assert!(position.least_moves_to_go(seat) <= before);
        alone += u32::from(position.runs_alone(seat));
        if let Some(mv) = position.run_home(table) {
            runs += 1;
            assert!(position.is_legal(mv) && position.runs_alone(seat));
            let mut after = *position;
            after.play(mv);
            assert_eq!(after.exact_moves_to_go(seat, table), before - 1);
        }
        hints::check_with(position, &tables);
        let run = position.run_home(table);
        assert!(position.race_move(&tables).is_none_or(|mv| run == Some(mv)));
    });
    assert!(ended >= 39, "{ended}");
    assert!(runs > 40 && 10 * runs >= 9 * alone, "{runs} of {alone}");
}

/// A player alone on the board who follows the evaluation, in which the distance in steps counts as
/// well, needs hardly more moves than the table says.
#[test]
fn a_greedy_player_alone_takes_a_short_way() {
    let start = Fauhalma::<2>::start(&RHOMBUS, 100);
    let mut rng = Rng::new(3);
    for _ in 0..20 {
        let mut position = start;
        position.pegs = [random_placement(&RHOMBUS, &mut rng), HOME];
        let (mut pegs, mut moves) = (position.framed(Seat::FIRST), 0);
        let expected = rhombus().moves_of(pegs);
        while pegs != HOME {
            let ground = Ground::alone(RHOMBUS.spaces, pegs);
            let after = |from, to| pegs ^ (Set::from(from) | Set::from(to));
            let next = pegs
                .into_iter()
                .flat_map(|from| ground.targets(from).into_iter().map(move |to| after(from, to)));
            let value = |pegs: &Set| {
                position.pegs[0] = *pegs;
                position.race_to_go(Seat::FIRST, Some(&rhombus().table))
            };
            pegs = next.min_by_key(value).unwrap();
            moves += 1;
            assert!(moves <= expected + 2, "{moves} instead of {expected}");
        }
    }
}
