//! The guidance for a player: the setup, forced captures, rising again, and threats.

use super::table;
use crate::battery::pages::threats;
use crate::open;

fn guide(position: &str) -> Option<String> {
    table(position).guide()
}

fn says(position: &str, part: &str) {
    let text = guide(position).unwrap_or_default();
    assert!(text.contains(part), "{text:?} of {position}");
}

#[test]
fn the_setup_is_guided_turn_by_turn() {
    let mut table = open(&"fenix".parse().unwrap()).unwrap();
    let mut told = Vec::new();
    for mv in ["a7b7", "h1g1", "c7b7", "f1g1", "d6d5"] {
        told.push(table.guide().unwrap());
        table.play(mv).unwrap();
    }
    let general = "put a soldier on a soldier beside it to make a general";
    let either = format!("{general}, or on a general to make the king");
    assert_eq!(told[0], format!("Setup, turn 1 of 5: {general}."));
    assert_eq!(told[1], told[0]);
    assert_eq!(told[2], format!("Setup, turn 2 of 5: {either}."));
    assert_eq!(told[3], told[2]);
    assert_eq!(told[4], format!("Setup, turn 3 of 5: {general}."));
}

#[test]
fn the_setup_warns_of_the_trap_and_asks_for_the_king_alone_at_the_end() {
    let trap = "SSSSSS2/SSSSS2s/SS1S2ss/S1G2ssg/1G2ss1s/G2sss1g/2ssss1g 6 0 w 00";
    // No soldier stands beside a general yet, so the king cannot be made in this turn.
    says(trap, "turn 4 of 5: put a soldier on a soldier beside it to make a general.");
    says(trap, "After a fourth general a soldier must stand beside one of them");
    let four = "SSSSSS2/SSSSS2s/SSSG2ss/S1G2ssg/1G2ss1s/G2sss1g/2ssss1g 8 0 w 00";
    let king = "Setup, turn 5 of 5: put a soldier on a general beside it to make the king.";
    assert_eq!(guide(four).as_deref(), Some(king));
}

#[test]
fn forced_captures_are_announced_and_ordinary_turns_are_not() {
    says("K6k/8/3g4/3S4/8/8/Ss1s4 30 0 w 00", "You must capture");
    assert_eq!(guide("8/1K4s1/8/3G4/8/1S4k1/8 30 0 w 00"), None);
}

#[test]
fn a_king_or_general_that_can_rise_again_is_announced_for_one_turn() {
    let mut king = table("SG6/8/8/8/3Ks3/8/7k 31 0 b 00");
    king.play("e3c3xd3").unwrap();
    assert!(king.guide().unwrap().contains("Make a new one now"));
    king.play("a7b7").unwrap();
    assert_eq!(king.guide(), None);
    let mut general = table("SSK5/8/8/8/2Gs4/8/7k 31 0 b 00");
    general.play("d3b3xc3").unwrap();
    assert!(general.guide().unwrap().contains("may you make a new one"));
    for mv in ["c7d7", "b3b2"] {
        general.play(mv).unwrap();
        assert_eq!(general.guide(), None);
    }
}

#[test]
fn a_king_that_cannot_rise_again_is_announced_as_the_end() {
    says("SS3k2/SG6/8/3Ss3/8/8/S6S 30 0 w 01", "Captures come first");
    says("S7/8/8/8/8/1G6/7k 30 0 w 01", "no king and cannot make one");
}

#[test]
fn threats_are_what_the_other_side_would_capture_after_the_setup() {
    let danger = "8/8/2S5/3K4/3s4/3s4/7k 30 0 w 00";
    assert_eq!(threats(&*table(danger)), ["d3b5xc5,d4 takes d4 c5 wins"]);
    let chain = "8/1kS5/2G5/2S1S3/5S2/8/7K 20 0 w 00";
    assert_eq!(threats(&*table(chain)), ["b6f2xc4,c5,c6,e4,f3 takes f3 c4 e4 c5 c6"]);
    assert!(open(&"fenix".parse().unwrap()).unwrap().threats().is_empty());
}
