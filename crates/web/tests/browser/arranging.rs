//! Setting up a position by hand on the page of analyses: by drag, by click, by key and by finger.

use serde_json::{Value, json};
use thirtyfour::{By, Key};

use crate::harness::Visit;
use crate::keyboard::tab_to;
use crate::phone::fits;

/// The board on which it is set up, and the one of the page.
const BOARD: &str = "[data-board=arrange]";
const PAGE: &str = "[data-board=analysis]";
const VERDICT: &str = "[data-verdict]";
const DONE: &str = "[data-action=arranged]";
const TEXT: &str = "[data-part=arranger] [data-position]";
const ACCEPTED: &str = "The rules accept this position.";

/// Opens the page and begins to set up.
fn begin(visit: &Visit, variant: &str) {
    visit.open(&format!("/analyse?variant={variant}"));
    visit.arrive("analysis");
    visit.click("[data-action=arrange]");
    visit.says(VERDICT, ACCEPTED);
}

fn on(cell: &str) -> String {
    format!("{BOARD} [data-cell=\"{cell}\"]")
}

fn piece(letter: &str) -> String {
    format!("[data-piece={letter}]")
}

fn drag(visit: &Visit, from: &str, to: &str) {
    let find = |selector: &str| {
        let found = visit.driver.find(By::Css(selector));
        visit.runtime.block_on(found).unwrap_or_else(|error| panic!("{selector}: {error}"))
    };
    let dragged = visit.driver.action_chain().drag_and_drop_element(&find(from), &find(to));
    visit.runtime.block_on(dragged.perform()).expect("the mouse can be moved");
}

/// The label of a cell.
fn words(visit: &Visit, board: &str, cell: &str) -> String {
    let look = "document.querySelector(arguments[0])?.getAttribute('aria-label')";
    let selector = format!("{board} [data-cell=\"{cell}\"]");
    visit.ask_about(look, vec![json!(selector)]).as_str().unwrap_or_default().to_string()
}

fn becomes(visit: &Visit, board: &str, cell: &str, wanted: &str) {
    visit.until(&format!("{cell} is {wanted}"), || {
        words(visit, board, cell).contains(wanted).then_some(())
    });
}

/// Waits until the accepted position has this text.
fn reads(visit: &Visit, position: &str) {
    let text = format!("document.querySelector('{TEXT}').value");
    visit.until(position, || (visit.ask(&text) == position).then_some(()));
}

fn is_disabled(visit: &Visit, selector: &str) -> bool {
    visit.ask(&format!("document.querySelector('{selector}').disabled")) == true
}

#[test]
fn pieces_are_dragged_on_about_and_off_the_board() {
    let visit = Visit::new();
    begin(&visit, "congo");
    reads(&visit, "gmelecz/ppppppp/7/7/7/PPPPPPP/GMELECZ w 0");
    visit.click("[data-action=clear-board]");
    visit.says(VERDICT, "Expected at least one lion.");
    assert!(is_disabled(&visit, DONE));
    drag(&visit, &piece("L"), &on("d1"));
    drag(&visit, &piece("l"), &on("d7"));
    drag(&visit, &piece("Z"), &on("a4"));
    reads(&visit, "3l3/7/7/Z6/7/7/3L3 w 0");
    drag(&visit, &on("a4"), &on("c3"));
    reads(&visit, "3l3/7/7/7/2Z4/7/3L3 w 0");
    // Onto another piece, which goes.
    drag(&visit, &piece("c"), &on("c3"));
    reads(&visit, "3l3/7/7/7/2c4/7/3L3 w 0");
    drag(&visit, &on("c3"), "main h1");
    visit.says(VERDICT, "The game is over in this position: only the two lions are left.");
    visit.click("[data-action=undo-arranging]");
    reads(&visit, "3l3/7/7/7/2c4/7/3L3 w 0");
    visit.click("[data-field=to-move][value=\"1\"]");
    reads(&visit, "3l3/7/7/7/2c4/7/3L3 b 0");
    visit.click(DONE);
    visit.gone(BOARD);
    becomes(&visit, PAGE, "c3", "black crocodile");
    becomes(&visit, PAGE, "d1", "white lion");
    becomes(&visit, PAGE, "a2", "empty");
}

#[test]
fn what_the_rules_refuse_is_marked_with_the_reason() {
    let visit = Visit::new();
    begin(&visit, "congo");
    drag(&visit, &on("d1"), &on("a4"));
    visit.says(VERDICT, "At a4: expected white's lion in its castle, c1 to e3.");
    becomes(&visit, BOARD, "a4", "not accepted here");
    assert_eq!(visit.count(&format!("{BOARD} .mark-cell-threat")), 1);
    assert!(is_disabled(&visit, DONE));
    let shown = visit.ask(&format!("document.querySelector('{TEXT}').checkVisibility()"));
    assert_eq!(shown, false, "there is no text of what is no position");
    drag(&visit, &on("a4"), &on("d3"));
    reads(&visit, "gmelecz/ppppppp/7/7/3L3/PPPPPPP/GME1ECZ w 0");
    assert_eq!(visit.count(&format!("{BOARD} .mark-cell-threat")), 0);
    // A counter that is out of range is refused at once, and by its name.
    visit.fill("[data-counter=number]", "-5");
    visit.says(VERDICT, "Expected a number from 0 to 4294967295 for \"Move number\".");
    assert!(is_disabled(&visit, DONE));
    visit.fill("[data-counter=number]", "12");
    reads(&visit, "gmelecz/ppppppp/7/7/3L3/PPPPPPP/GME1ECZ w 12");
    visit.click("[data-action=start-position]");
    reads(&visit, "gmelecz/ppppppp/7/7/7/PPPPPPP/GMELECZ w 0");
    visit.click("[data-action=cancel-arranging]");
    visit.gone(BOARD);
    becomes(&visit, PAGE, "d1", "white lion");
}

/// The arrow key that leads closer to a cell named by column and row.
fn walk(visit: &Visit, to: &str) {
    let place = |name: &str| {
        let mut bytes = name.bytes().map(i32::from);
        (bytes.next().unwrap_or_default(), bytes.next().unwrap_or_default())
    };
    for _ in 0..20 {
        let here = visit.ask("document.activeElement.dataset.cell");
        let here = here.as_str().unwrap_or_else(|| panic!("the focus is not on a cell: {here}"));
        if here == to {
            return;
        }
        let ((x, y), (to_x, to_y)) = (place(here), place(to));
        visit.press(match () {
            () if to_x > x => Key::Right,
            () if to_x < x => Key::Left,
            () if to_y > y => Key::Up,
            () => Key::Down,
        });
    }
    panic!("{to} is not reached");
}

#[test]
fn a_position_is_set_up_by_keyboard() {
    let visit = Visit::new();
    begin(&visit, "congo");
    tab_to(&visit, "[data-action=clear-board]");
    visit.press(Key::Enter);
    visit.says(VERDICT, "Expected at least one lion.");
    for (letter, cell, words) in
        [("L", "e2", "white lion"), ("l", "c6", "black lion"), ("p", "g7", "black pawn")]
    {
        tab_to(&visit, &piece(letter));
        visit.press(Key::Enter);
        let pressed = format!("document.querySelector('{}').ariaPressed", piece(letter));
        assert_eq!(visit.ask(&pressed), "true");
        walk(&visit, cell);
        visit.press(Key::Enter);
        becomes(&visit, BOARD, cell, words);
    }
    reads(&visit, "6p/2l4/7/7/7/4L2/7 w 0");
    // The same piece again takes it away, and again brings it back.
    visit.press(Key::Enter);
    becomes(&visit, BOARD, "g7", "empty");
    visit.press(Key::Enter);
    becomes(&visit, BOARD, "g7", "black pawn");
    visit.press(Key::Escape);
    assert_eq!(visit.count("[data-piece][aria-pressed=true]"), 0);
    // Without a piece in hand: choose one, and say where it goes.
    visit.press(Key::Enter);
    becomes(&visit, BOARD, "g7", "chosen");
    walk(&visit, "g5");
    visit.press(Key::Enter);
    reads(&visit, "7/2l4/6p/7/7/4L2/7 w 0");
    visit.press(Key::Delete);
    visit.says(VERDICT, "only the two lions are left");
    tab_to(&visit, "[data-action=erase]");
    visit.press(Key::Enter);
    walk(&visit, "c6");
    visit.press(" ");
    visit.says(VERDICT, "black's lion was captured");
    reads(&visit, "7/7/7/7/7/4L2/7 w 0");
    tab_to(&visit, DONE);
    visit.press(Key::Enter);
    visit.gone(BOARD);
    becomes(&visit, PAGE, "e2", "white lion");
    becomes(&visit, PAGE, "c6", "empty");
}

#[test]
fn every_game_can_be_set_up_with_its_own_pieces_and_counters() {
    let visit = Visit::new();
    begin(&visit, "fenix");
    drag(&visit, &on("a7"), "main h1");
    visit.says(VERDICT, ACCEPTED);
    drag(&visit, &piece("K"), &on("a7"));
    visit.click("[data-part=counters] summary");
    visit.fill("[data-counter=rounds]", "20");
    visit.click("[data-counter=king]");
    visit.click("[data-field=to-move][value=\"1\"]");
    visit.wait(
        "the flags and the ply",
        &format!("document.querySelector('{TEXT}').value.endsWith(' 41 0 b 01')"),
    );
    begin(&visit, "connect4");
    assert_eq!(visit.count("[data-part=counters]"), 0);
    drag(&visit, &piece("X"), &on("3,3"));
    visit.says(VERDICT, "At 3,3: expected no empty cell below a disc.");
    drag(&visit, &on("3,3"), &on("1,3"));
    visit.says(VERDICT, "Expected o to move, as X has one disc more.");
    visit.click("[data-field=to-move][value=\"1\"]");
    visit.says(VERDICT, ACCEPTED);
    begin(&visit, "fauhalma:star3");
    drag(&visit, &on("1,-4"), &on("1,0"));
    visit.says(VERDICT, ACCEPTED);
    drag(&visit, &on("1,0"), &on("0,0"));
    visit.says(VERDICT, "At 0,0: expected no piece here (centre).");
}

#[test]
fn a_position_is_set_up_with_a_finger() {
    let visit = Visit::by_phone();
    begin(&visit, "congo");
    fits(&visit, "setting up a position");
    let centre = |selector: &str| {
        let place = visit.ask_about(
            "(({x, y, width, height}) => [x + width / 2, y + height / 2])
                (document.querySelector(arguments[0]).getBoundingClientRect())",
            vec![json!(selector)],
        );
        (place[0].as_f64().unwrap_or_default(), place[1].as_f64().unwrap_or_default())
    };
    let touch = |kind: &str, points: &[(f64, f64)]| {
        let points: Vec<Value> = points.iter().map(|(x, y)| json!({"x": x, "y": y})).collect();
        visit.tool("Input.dispatchTouchEvent", json!({"type": kind, "touchPoints": points}));
    };
    let scrolled = visit.ask("scrollY");
    for (from, to) in [(piece("Z"), on("a4")), (on("b2"), on("b3"))] {
        let (start, end) = (centre(&from), centre(&to));
        touch("touchStart", &[start]);
        for part in 1..=8 {
            let way = |from: f64, to: f64| from + (to - from) * f64::from(part) / 8.0;
            touch("touchMove", &[(way(start.0, end.0), way(start.1, end.1))]);
        }
        touch("touchEnd", &[]);
    }
    reads(&visit, "gmelecz/ppppppp/7/Z6/1P5/P1PPPPP/GMELECZ w 0");
    assert_eq!(visit.ask("scrollY"), scrolled, "dragging does not scroll");
}
