//! The evaluation, checked by hand, and the effect of swapping the sides.

use agon_core::{Evaluate, Game, Rng};

use super::*;

type Small = Breakthrough<u64, Course>;

fn simple(width: usize, height: usize, position: &str) -> [i32; 2] {
    let start = Small::start(width, height);
    let position = start.read_position(position).unwrap_or_else(|error| panic!("{error}"));
    let judge = Small::evaluation("simple").unwrap().judge;
    [judge(&position, WHITE), judge(&position, BLACK)]
}

#[test]
fn the_most_advanced_pawns_count() {
    // Both have 6 rows to go.
    assert_eq!(simple(8, 8, "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w"), [50, -50]);
    // White's b5 has 1 row to go, black's c5 has 4.
    assert_eq!(simple(3, 6, "3/1Pp/3/P2/3/3 b"), [53, -53]);
    // White's a2 has 4, black's b2 has 1; who is to move makes no difference.
    assert_eq!(simple(3, 6, "p2/3/3/3/Pp1/3 w"), [47, -47]);
    assert_eq!(simple(3, 6, "p2/3/3/3/Pp1/3 b"), [47, -47]);
}

#[test]
fn a_side_without_pawns_has_the_whole_height_to_go() {
    // White's a2 has 3 rows to go, black counts 5.
    assert_eq!(simple(3, 5, "3/3/3/P2/3 b"), [52, -52]);
    assert_eq!(simple(3, 5, "3/3/p2/3/3 w"), [47, -47]);
}

#[test]
fn a_finished_game_has_no_value() {
    let mut table = table("breakthrough:3x5");
    table.set_position("3/P2/p2/3/3 w").unwrap();
    assert_eq!(table.evaluate("simple"), Some(51));
    table.play("a4a5").unwrap();
    assert_eq!(table.evaluate("simple"), None);
}

/// The constant for white is the only asymmetry between the sides.
#[test]
fn a_position_and_its_exchanged_twin_add_up_to_twice_the_constant() {
    let judge = Small::evaluation("simple").unwrap().judge;
    let mut rng = Rng::new(1);
    for _ in 0..20 {
        let mut position = Small::start(5, 6);
        while position.to_move().is_some() {
            let swapped = position.read_position(&swap_position(&position.position_text()));
            assert_eq!(judge(&position, WHITE) + judge(&swapped.unwrap(), WHITE), 100);
            let Some(&mv) = rng.choose(&position.moves()) else { break };
            position.play(mv);
        }
    }
}
