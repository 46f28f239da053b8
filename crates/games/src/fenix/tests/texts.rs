//! Error messages for bad texts.

use super::{FIGURE_4, read, table};
use crate::open;
use agon_core::{Game, Notation};

use super::super::Fenix;

fn position_error(text: &str) -> String {
    Fenix::start().read_position(text).unwrap_err().to_string()
}

#[test]
fn a_setup_is_refused() {
    let error = open(&"fenix:8x8".parse().unwrap()).err().unwrap();
    assert_eq!(
        error.to_string(),
        "fenix: bad variant: expected no setup: the game has one variant, fenix\n  fenix:8x8\n        ^^^"
    );
    assert!(open(&"fenix:".parse().unwrap()).is_ok());
}

#[test]
fn bad_positions_are_explained() {
    assert_eq!(
        position_error("K6k/8/8/8/8/8/8 30 0 b 00"),
        "fenix: bad position: expected w: red moves on ply 30, as on every even one\n  K6k/8/8/8/8/8/8 30 0 b 00\n                       ^"
    );
    assert_eq!(
        position_error("K6k/8/8/8/8/8/8 30 0 w 02"),
        "fenix: bad position: expected 0 or 1: whether the mover may create a king\n  K6k/8/8/8/8/8/8 30 0 w 02\n                          ^"
    );
    let cases = [
        ("", "8 squares in row 1 from the top, not 0"),
        ("K6k/8/8/8/8/8 30 0 w 00", "'/' after the 8 squares of row 6 from the top"),
        ("K6p/8/8/8/8/8/8 30 0 w 00", "one of S G K s g k or a number of empty squares"),
        ("K6k/8/8/8/8/8/8", "a blank and then the ply"),
        ("K6k/8/8/8/8/8/8 x", "the ply, 0 to 1000000"),
        ("K6k/8/8/8/8/8/8 99999999999999999999 0 w 00", "the ply, 0 to 1000000"),
        ("K6k/8/8/8/8/8/8 30", "a blank and then the plies since the last capture"),
        ("K6k/8/8/8/8/8/8 30 65536 w 00", "the plies since the last capture, 0 to 65535"),
        ("K6k/8/8/8/8/8/8 30 0 w", "a blank and then the flags"),
        ("K6k/8/8/8/8/8/8 31 0 ö 00", "b: black moves on ply 31"),
        ("K6k/8/8/8/8/8/8 30 0 w 0", "whether the mover may create a king"),
        ("K6k/8/8/8/8/8/8 30 0 w 00 1", "nothing more"),
        ("SSSSSSSS/SSSSSSSS/SSSSSS2/8/8/8/7k 10 0 w 00", "at most 21 red pieces, not 22"),
        ("ssssssss/ssssssss/ssssss2/8/8/8/7K 10 0 w 00", "at most 21 black pieces, not 22"),
    ];
    for (text, expected) in cases {
        let error = position_error(text);
        assert!(error.contains(expected), "{text}: {error}");
    }
}

#[test]
fn bad_moves_are_explained() {
    let table = &mut *table("K6k/8/8/8/8/8/Ss1s4 30 0 w 00");
    let mut error = |text: &str| table.play(text).unwrap_err().to_string();
    assert_eq!(
        error("a1c1xb1"),
        "fenix: bad move: expected a legal move: a1e1xb1,d1\n  a1c1xb1\n  ^^^^^^^"
    );
    assert_eq!(error("a1e8"), "fenix: bad move: expected a square a1 to h7\n  a1e8\n    ^^");
    for (text, expected) in [
        ("", "a square a1 to h7"),
        ("a", "a square a1 to h7"),
        ("äö", "a square a1 to h7"),
        ("a1e1x", "a square a1 to h7"),
        ("a1e1xb1,", "a square a1 to h7"),
        ("a1e1xb1,b1", "every captured square once"),
        ("a1e1xb1,d1 d2", "nothing more"),
    ] {
        assert!(error(text).contains(expected), "{text}: {}", error(text));
    }
    assert_eq!(table.play("a1e1xd1,b1").unwrap(), "a1e1xb1,d1");
}

#[test]
fn moves_of_a_finished_game_are_refused() {
    let over = read("K6k/8/8/8/8/8/8 30 50 w 00");
    let error = over.read_move("a7a6").unwrap_err();
    assert_eq!(error.expected(), "no move: the game is over");
    assert!(over.moves().is_empty());
    assert!(read(FIGURE_4).read_move("h1h2").is_err());
}
