//! The evaluation, checked by hand.

use agon_core::Evaluate;

use super::super::{BLACK, RED};
use super::*;

fn red(position: &str) -> i32 {
    let position = read(position);
    let judge = Fenix::evaluation("simple").unwrap().judge;
    assert_eq!(judge(&position, BLACK), -judge(&position, RED));
    judge(&position, RED)
}

#[test]
fn the_setup_prefers_generals_with_heirs_and_sees_its_trap() {
    assert_eq!(red(&Fenix::start().position_text()), 0);
    let general = "1GSSSS2/SSSSS2s/SSSS2ss/SSS2sss/SS2ssss/S2sssss/2ssssss 1 0 b 00";
    assert_eq!(red(general), 40);
    // Four generals and no soldier beside one of them: eight units, but no way left to make a king.
    assert_eq!(red("G1G1G1G1/8/8/8/8/8/2k5 8 0 w 00"), 800 - 10_000 - 300);
}

#[test]
fn units_and_guards_count() {
    // The soldier c4 guards the king d4: e4 cannot jump it.
    assert_eq!(red("8/8/8/2SKs3/8/8/k7 30 0 w 00"), (100 + 300 + 10) - (100 + 300));
    assert_eq!(red("8/8/8/2GK4/8/8/ks6 30 0 w 00"), (200 + 300 + 10) - (100 + 300 + 10));
}

#[test]
fn kings_that_can_be_jumped_are_in_danger() {
    // A soldier beside the king and an empty square behind it; who is to move decides. Both
    // sides have a king and a soldier.
    assert_eq!(red("8/8/8/3Ks3/8/8/k6S 31 0 b 00"), -2000);
    assert_eq!(red("8/8/8/3Ks3/8/8/k6S 30 0 w 00"), -50);
    // With an heir, a soldier beside a general, a new king can be made.
    assert_eq!(red("GS6/8/8/3Ks3/8/8/k6S 31 0 b 00"), 300 + 40 - 300);
    // A general jumps from afar, unless a piece is in between.
    assert_eq!(red("8/8/8/3K3g/8/8/k7 31 0 b 00"), 300 - 2000 - 500);
    assert_eq!(red("8/8/8/3K1S1g/8/8/k7 31 0 b 00"), 400 - 500);
    // Diagonally only kings jump, here both.
    assert_eq!(red("8/8/4s3/3K4/8/8/k7 31 0 b 00"), 300 - 400);
    assert_eq!(red("8/8/4k3/3K4/8/8/8 31 0 b 00"), -2000 + 50);
}

#[test]
fn a_fallen_king_is_terrible_unless_it_can_be_made_anew() {
    assert_eq!(red("SS3k2/SG6/8/8/8/8/S6S 30 0 w 11"), 700 + 40 - 50 - 300);
    // No right to.
    assert_eq!(red("SS3k2/SG6/8/8/8/8/S6S 30 0 w 10"), 700 + 40 - 10_000 - 300);
    // No general left.
    assert_eq!(red("SS3k2/SS6/8/8/8/8/S6S 30 0 w 11"), 600 - 10_000 - 300);
    // The general has to capture.
    assert_eq!(red("SS3k2/SGs5/8/8/8/8/S6S 30 0 w 11"), 700 + 40 - 10_000 - 400);
}
