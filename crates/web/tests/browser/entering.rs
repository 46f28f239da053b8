//! Entering complex moves: chains of captures, choices, swaps, battles, drowning.

use crate::harness::Visit;
use crate::page::{BOARD, PERSON};

/// Two people at one board: nothing happens without a click.
const PEOPLE: [&str; 2] = [PERSON; 2];
const MESSAGE: &str = "[data-message]";
const SAID: &str = "[data-announce]";

/// Waits until a move is the last in the list and was announced.
fn played(visit: &Visit, ply: usize, label: &str) {
    visit.at_ply(ply);
    let item = visit.text(&format!("[data-moves] [data-ply=\"{ply}\"]"));
    assert_eq!(item, label);
    visit.says(SAID, label);
}

#[test]
fn fenix_guides_through_the_setup() {
    let visit = Visit::new();
    visit.sit_down("fenix", None, &PEOPLE);
    let first = visit.text("[data-status=guide]");
    assert!(first.contains("general"), "{first}");
    visit.cells(&["a7", "b7"]);
    visit.at_ply(1);
    visit.becomes("b7", "red general");
    visit.becomes("a7", "empty");
    // Black is guided, too; then red puts a third soldier on the general.
    assert!(visit.text("[data-status=guide]").contains("general"));
    visit.cells(&["h1", "g1"]);
    visit.at_ply(2);
    visit.cells(&["c7", "b7"]);
    visit.at_ply(3);
    visit.becomes("b7", "red king");
}

/// A general that can take two in three ways.
const FENIX: &str = "8/8/5s2/G2s4/8/6s1/K6k 30 0 w 00";

#[test]
fn a_capture_is_entered_stop_by_stop() {
    let visit = Visit::new();
    visit.sit_down("fenix", Some(FENIX), &PEOPLE);
    visit.says(MESSAGE, "You must take 2: a4");
    visit.cell("a1");
    assert!(!visit.is_entering(), "the king may not move while the general can take");
    visit.says(&format!("{MESSAGE} .error"), "You must take 2: a4");
    visit.cells(&["a4", "f4"]);
    assert!(visit.words("f6").contains("target") && visit.words("f7").contains("target"));
    visit.cell("f7");
    played(&visit, 1, "a4f7xd4,f5");
    visit.becomes("f7", "red general");
    visit.becomes("d4", "empty");
    visit.becomes("f5", "empty");
    visit.becomes("g2", "black soldier");
}

#[test]
fn a_capture_is_entered_by_its_end() {
    let visit = Visit::with_motion();
    visit.sit_down("fenix", Some(FENIX), &PEOPLE);
    visit.ready();
    visit.cells(&["a4", "g1"]);
    played(&visit, 1, "a4g1xd4,g2");
    visit.becomes("g1", "red general");
    visit.becomes("g2", "empty");
    visit.becomes("f5", "black soldier");
}

#[test]
fn a_piece_is_dragged() {
    let visit = Visit::with_motion();
    visit.sit_down("breakthrough:5x5", None, &PEOPLE);
    visit.ready();
    visit.drag("c2", "c5");
    visit.becomes("c2", "white pawn");
    assert_eq!(visit.ply(), 0, "it goes back after an illegal drop");
    visit.press(thirtyfour::Key::Escape);
    visit.drag("c2", "c3");
    played(&visit, 1, "c2c3");
    visit.becomes("c3", "white pawn");
}

/// A monkey with two routes to the same square, and further captures beyond.
const MONKEY: &str = "2l4/7/7/2p1p2/7/2p1p2/3ML2 w 0";

#[test]
fn a_monkey_takes_a_chain() {
    let visit = Visit::new();
    visit.sit_down("congo", Some(MONKEY), &PEOPLE);
    visit.ready();
    visit.cells(&["d1", "b3", "d5", "f3", "f3"]);
    played(&visit, 1, "d1b3d5f3");
    visit.becomes("f3", "white monkey");
    for taken in ["c2", "c4", "e4"] {
        visit.becomes(taken, "empty");
    }
    visit.becomes("e2", "black pawn");
}

#[test]
fn several_routes_to_one_square_offer_a_choice() {
    let visit = Visit::new();
    visit.sit_down("congo", Some(MONKEY), &PEOPLE);
    visit.ready();
    visit.cells(&["d1", "d5", "d5"]);
    let labels =
        visit.ask("[...document.querySelectorAll('[data-choice]')].map((one) => one.textContent)");
    assert_eq!(labels.as_array().map(Vec::len), Some(2), "{labels}");
    assert!(labels[1].as_str().is_some_and(|label| label.contains("takes e2, e4")), "{labels}");
    visit.click("[data-choice=d1f3d5]");
    visit.gone("[data-choice]");
    played(&visit, 1, "d1f3d5");
    visit.becomes("e4", "empty");
    visit.becomes("c4", "black pawn");
}

#[test]
fn a_choice_can_be_cancelled() {
    let visit = Visit::new();
    visit.sit_down("congo", Some(MONKEY), &PEOPLE);
    visit.ready();
    visit.cells(&["d1", "d5", "d5"]);
    visit.press(thirtyfour::Key::Escape);
    visit.gone("[data-choice]");
    assert!(!visit.is_entering());
    visit.cells(&["d1", "d2"]);
    played(&visit, 1, "d1d2");
}

#[test]
fn a_piece_that_stays_in_the_river_drowns() {
    let visit = Visit::with_motion();
    visit.sit_down("congo", Some("4l2/7/7/E2P3/7/7/2L4 w 0"), &PEOPLE);
    visit.ready();
    visit.becomes("d4", "white pawn, river");
    visit.cell("a4");
    assert!(visit.words("c4").contains("the piece is lost there"), "{}", visit.words("c4"));
    assert!(!visit.words("a5").contains("lost"), "{}", visit.words("a5"));
    visit.cell("a5");
    played(&visit, 1, "a4a5");
    visit.becomes("a5", "white elephant");
    visit.becomes("d4", "empty");
}

/// A ladder of hops for a peg of A; below, a peg of B in A's home.
const LADDER: &str = r#"{"A":[[1,-4],[1,-1],[2,-5],[2,-4],[2,-2],[3,-5]],
    "B":[[1,3],[2,2],[2,3],[3,1],[3,2],[3,3]],
    "C":[[-6,3],[-5,2],[-5,3],[-4,1],[-4,2],[-4,3]],"turn":"A"}"#;
const GUEST: &str = r#"{"A":[[-2,4],[-1,2],[-1,3],[1,-4],[2,-4],[3,-5]],
    "B":[[-1,4],[1,3],[2,2],[2,3],[3,1],[3,2]],
    "C":[[-6,3],[-5,2],[-5,3],[-4,1],[-4,2],[-4,3]],"turn":"A"}"#;

#[test]
fn a_peg_hops_in_a_chain_among_three_players() {
    let visit = Visit::new();
    visit.sit_down("fauhalma:star3", Some(LADDER), &[PERSON; 3]);
    visit.ready();
    visit.cells(&["2,-5", "2,-3", "2,-1", "0,-1", "0,1"]);
    if visit.is_entering() {
        visit.cell("0,1");
    }
    visit.at_ply(1);
    visit.says(SAID, "2,-5 → 2,-3 → 2,-1 → 0,-1 → 0,1");
    visit.becomes("0,1", "A peg");
    visit.becomes("2,-5", "empty");
    // Three in turn: the next are B and C, and the list has a column for each.
    visit.cells(&["2,2", "1,2"]);
    visit.at_ply(2);
    visit.cells(&["-4,2", "-3,1"]);
    visit.at_ply(3);
    let movers = visit.ask(
        "[...document.querySelectorAll('[data-moves] [data-ply]')].map((one) => one.ariaLabel.match(/, (.):/)[1]).join('')",
    );
    assert_eq!(movers, "ABC");
}

#[test]
fn pegs_are_swapped_at_home() {
    let visit = Visit::with_motion();
    visit.sit_down("fauhalma:star3", Some(GUEST), &[PERSON; 3]);
    visit.ready();
    visit.becomes("-1,4", "B peg");
    visit.cells(&["-1,3", "-1,4"]);
    if visit.is_entering() {
        visit.cell("-1,4");
    }
    played(&visit, 1, "-1,3 → -1,4");
    visit.becomes("-1,4", "A peg");
    visit.becomes("-1,3", "B peg");
}

#[test]
fn battles_and_pits_take_pieces_off_the_board() {
    let visit = Visit::with_motion();
    let position = "W5/1h4/2O3/3M2/3w1m/6 adversary 0";
    visit.sit_down("wumpus:6,pits=3.3", Some(position), &PEOPLE);
    visit.ready();
    assert!(visit.words("3,3").contains("pit"), "{}", visit.words("3,3"));
    // The hero would be lost in the pit, and beats the wumpus.
    visit.cell("2,2");
    assert!(visit.words("3,3").contains("the piece is lost there"), "{}", visit.words("3,3"));
    visit.cell("1,1");
    played(&visit, 1, "2,2-1,1");
    visit.becomes("1,1", "adversary hero");
    // The mage attacks the wumpus and loses.
    visit.cell("4,4");
    assert!(visit.words("5,4").contains("the piece is lost there"), "{}", visit.words("5,4"));
    visit.cell("5,4");
    visit.at_ply(2);
    assert!(
        visit.text("[data-result]").contains("Adversary wins"),
        "{}",
        visit.text("[data-result]")
    );
    visit.gone(&format!("{BOARD} [aria-label*='agent']"));
}
