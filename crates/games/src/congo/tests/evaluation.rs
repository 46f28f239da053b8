//! The evaluations, checked by hand, and the course's own searches with them.

use agon_core::{Evaluate, Evaluation, Game, Seat};

use super::super::{BLACK, WHITE};
use super::*;
use course::{CourseCongo, LION_CAPTURED};

const FIRST: &str = "3l2z/ppppppp/7/7/7/PPP1PPP/3L2Z w 4";
const SECOND: &str = "1z5/pPp1lP1/5sp/4P1s/4L1p/2p2pP/7 b 12";
const THIRD: &str = "1z5/pPp1lP1/5sp/4P1s/4L1p/2p2pP/7 w 35";

fn judge(name: &str, position: &str, seat: Seat) -> i32 {
    (Congo::evaluation(name).unwrap().judge)(&read(position), seat)
}

#[test]
fn the_men_count() {
    assert_eq!(judge("simple", "gmelecz/ppppppp/7/7/7/PPPPPPP/GMELECZ w 0", WHITE), 0);
    assert_eq!(judge("simple", FIRST, WHITE), -100);
    assert_eq!(judge("simple", FIRST, BLACK), 100);
    // Giraffe, elephant and superpawn against monkey, crocodile and zebra.
    assert_eq!(judge("simple", "m2l2c/6z/7/7/7/7/GE1L2S b 0", WHITE), 950 - 1050);
}

#[test]
fn moves_and_captures_count_for_both_sides() {
    // White's lion has 5 steps and sees the other; its elephant goes to a2, a3, b1 and c1. Black's
    // lion has 5 steps and sees as well; its pawn on a3 goes to a2, b2, and back to a4 and a5.
    // Elephant takes pawn: one attack. Lions: 11 each.
    let lions = "3l3/7/7/7/p6/7/E2L3 w 0";
    assert_eq!(judge("course", lions, WHITE), 200 - 100 + (6 + 4 + 1 + 11) - (6 + 4 + 11));
    // White's monkey steps to a2 and b2 and takes the pawn, its lion has 5 steps. Black's lion in
    // the corner has 3 steps, and its pawn goes back to b2 and b3.
    let monkey = "4l2/7/7/7/7/7/Mp1L3 w 0";
    assert_eq!(judge("course", monkey, WHITE), 300 - 100 + (2 + 1 + 1 + 5) - (3 + 2));
}

#[test]
fn the_course_s_examples_hold() {
    for (fen, simple, advanced) in [(FIRST, -100, -102), (SECOND, 1200, 1214)] {
        assert_eq!(course::evaluate(fen, false, true).unwrap(), simple, "{fen}");
        assert_eq!(course::evaluate(fen, true, true).unwrap(), advanced, "{fen}");
        let position = read(fen);
        assert_eq!(judge("simple", fen, position.turn), simple);
        assert_eq!(judge("course", fen, position.turn), advanced);
    }
    assert!(course::evaluate("3l3 w", true, true).is_err());
}

#[test]
fn bare_lions_and_missing_lions_have_fixed_values() {
    for (fen, expected) in [
        ("3l3/7/7/7/7/7/3L3 w 0", 0),
        ("3l3/7/7/7/7/7/P6 w 0", -LION_CAPTURED),
        ("3l3/7/7/7/7/7/P6 b 0", LION_CAPTURED),
        ("p6/7/7/7/7/7/3L3 b 0", -LION_CAPTURED),
        ("3L3/7/7/7/7/7/4p2 w 0", LION_CAPTURED),
    ] {
        for advanced in [false, true] {
            assert_eq!(course::evaluate(fen, advanced, true).unwrap(), expected, "{fen}");
        }
    }
}

#[test]
fn the_worths_can_be_changed() {
    let position = CourseCongo::read("m2l3/7/7/7/7/7/3L2C w 0", true).unwrap();
    assert_eq!(position.value(WHITE, false), 150);
    let changed =
        position.with_worth(PieceKind::Monkey, 250).with_worth(PieceKind::Crocodile, 5000);
    assert_eq!(changed.value(WHITE, false), 750);
    assert_eq!(changed.with_worth(PieceKind::Crocodile, -1).value(WHITE, false), -250);
}

#[test]
fn the_course_s_game_ends_with_a_captured_lion_only() {
    let mut bare = CourseCongo::read("3l3/7/7/7/7/7/3L3 w 0", true).unwrap();
    assert_eq!(bare.to_move(), Some(WHITE));
    let across = bare.congo().read_move_anyway("d1d7").unwrap();
    assert!(bare.is_legal(across));
    bare.play(across);
    assert_eq!(bare.outcome().unwrap().points().as_slice(), [100, 0]);
    assert!(bare.moves().is_empty());
    let crowd = "3l3/7/ppppppp/ppppppp/MMMMMMM/MMMMMMM/MMLMMMM w 0";
    let stuck = CourseCongo::read(crowd, true).unwrap();
    assert_eq!(stuck.to_move(), Some(WHITE));
    assert!(stuck.moves().is_empty());
    assert_eq!(bare.history_rules(), agon_core::HistoryRules::NONE);
}

/// The course's alpha-beta: a captured lion and a side without a move are judged like any leaf.
fn search(position: &CourseCongo, depth: u32, mut alpha: i32, beta: i32, eval: &Leaf) -> i32 {
    let moves = if depth == 0 { Default::default() } else { position.moves() };
    if moves.is_empty() {
        return (eval.judge)(position, position.turn());
    }
    for mv in moves {
        let mut child = *position;
        child.play(mv);
        alpha = alpha.max(-search(&child, depth - 1, -beta, -alpha, eval));
        if alpha >= beta {
            break;
        }
    }
    alpha
}

type Leaf = Evaluation<CourseCongo>;

#[test]
fn the_course_s_searches_give_its_values() {
    for (fen, minimax, alphabeta) in
        [(FIRST, -100, -105), (SECOND, 750, 1020), (THIRD, -1200, -669)]
    {
        let position = CourseCongo::read(fen, true).unwrap();
        for (name, depth, expected) in [("simple", 2, minimax), ("course", 4, alphabeta)] {
            let eval = CourseCongo::evaluation(name).unwrap();
            let value = search(&position, depth, -LION_CAPTURED, LION_CAPTURED, &eval);
            assert_eq!(value, expected, "{name} at depth {depth} in {fen}");
        }
    }
}
