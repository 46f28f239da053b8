//! Moves that place a piece: by click, key, touch, and from the supply beside the board.

use serde_json::{Value, json};
use thirtyfour::{By, Key};

use crate::harness::Visit;
use crate::keyboard::{arrows_to, tab_to};
use crate::page::{BOARD, PERSON};
use crate::phone::{fits, tap};

const PEOPLE: [&str; 2] = [PERSON, PERSON];
/// The supply of the player to move.
const SUPPLY: &str = "[data-board=live] button.supply";
const MESSAGE: &str = "[data-message]";

/// Where on the page the centre of this element is, once there is one.
fn centre(visit: &Visit, selector: &str) -> (f64, f64) {
    let place = visit.wait(
        selector,
        &format!(
            "(({{x, y, width, height}} = {{}}) => width && [x + width / 2, y + height / 2])
                (document.querySelector('{selector}')?.getBoundingClientRect())"
        ),
    );
    (place[0].as_f64().unwrap_or_default(), place[1].as_f64().unwrap_or_default())
}

/// Whether the centre of what this selector names is on a cell.
fn is_on(visit: &Visit, selector: &str, cell: &str) -> bool {
    let (x, y) = centre(visit, selector);
    let (cell_x, cell_y) = centre(visit, &format!("{BOARD} [data-cell=\"{cell}\"]"));
    (x - cell_x).abs() < 6.0 && (y - cell_y).abs() < 6.0
}

fn hover(visit: &Visit, cell: &str) {
    let place = format!("{BOARD} [data-cell=\"{cell}\"]");
    let found = visit.runtime.block_on(visit.driver.find(By::Css(place))).expect("the cell");
    let moved = visit.driver.action_chain().move_to_element_center(&found);
    visit.runtime.block_on(moved.perform()).expect("the mouse can be moved");
}

#[test]
fn a_click_anywhere_in_a_column_drops_a_disc() {
    let visit = Visit::new();
    visit.sit_down("connect4:5x4", None, &PEOPLE);
    visit.ready();
    visit.becomes("4,2", "empty, place disc on 1,2");
    visit.becomes("1,2", "empty, place disc here");
    hover(&visit, "3,2");
    assert!(is_on(&visit, ".ghost", "1,2"), "the ghost is where the disc would land");
    visit.cell("3,2");
    visit.at_ply(1);
    visit.becomes("1,2", "x disc");
    assert!(is_on(&visit, ".mark-last", "1,2"));
    assert_eq!(visit.count(".mark-last"), 1);
    visit.says("[data-piece=X][data-owner=\"0\"] .supply-count", "9");
    // A disc in the column stands for it, too.
    visit.cell("1,2");
    visit.at_ply(2);
    visit.becomes("2,2", "o disc");
    visit.cells(&["4,2"]);
    visit.at_ply(3);
    visit.cells(&["4,2"]);
    visit.at_ply(4);
    visit.cell("4,2");
    visit.says(&format!("{MESSAGE} .error"), "Nothing can be placed there.");
    assert_eq!(visit.ply(), 4);
    hover(&visit, "1,2");
    visit.gone(".ghost");
    assert!(!visit.words("1,2").contains("place"), "{}", visit.words("1,2"));
}

#[test]
fn the_last_move_and_earlier_positions_are_marked() {
    let visit = Visit::new();
    visit.sit_down("connect4", None, &PEOPLE);
    visit.ready();
    for (ply, cell) in [(1, "1,4"), (2, "1,4"), (3, "1,3")] {
        visit.cell(cell);
        visit.at_ply(ply);
    }
    visit.click("[data-moves] [data-ply=\"2\"]");
    visit.becomes("1,3", "empty");
    assert!(is_on(&visit, ".mark-last", "2,4"));
    visit.says("[data-piece=X][data-owner=\"0\"] .supply-count", "20");
}

#[test]
fn a_game_is_played_to_its_end_by_keyboard() {
    let visit = Visit::new();
    visit.sit_down("connect4", None, &PEOPLE);
    visit.ready();
    tab_to(&visit, &format!("{BOARD} [data-cell]"));
    assert_eq!(visit.ask("document.activeElement.dataset.cell"), "1,4", "the middle column");
    assert!(is_on(&visit, ".ghost", "1,4"), "the focus has a ghost, too");
    for (ply, column) in [4, 3, 4, 3, 4, 3, 4].into_iter().enumerate() {
        arrows_to(&visit, &format!("6,{column}"));
        let landing = format!("{},{column}", ply / 2 + 1);
        assert!(is_on(&visit, ".ghost", &landing), "{landing}");
        visit.press(Key::Enter);
        visit.at_ply(ply + 1);
    }
    let words = visit.text("[data-result]");
    assert!(words.contains("four in a row"), "{words}");
    visit.gone(".ghost");
    visit.press("?");
    visit.says("dialog[open]", "place a piece");
    let turning = visit.ask("document.querySelector('dialog').textContent.includes('Turn the')");
    assert_eq!(turning, false, "an upright board is not turned");
}

#[test]
fn a_disc_is_dragged_from_the_supply() {
    let visit = Visit::with_motion();
    visit.sit_down("connect4", None, &PEOPLE);
    visit.ready();
    let find = |selector: &str| {
        visit.runtime.block_on(visit.driver.find(By::Css(selector))).expect("it is there")
    };
    let top = find(&format!("{BOARD} [data-cell=\"6,3\"]"));
    let held = visit
        .driver
        .action_chain()
        .click_and_hold_element(&find(SUPPLY))
        .move_to_element_center(&top);
    visit.runtime.block_on(held.perform()).expect("the mouse can be moved");
    assert_eq!(visit.count(".mark-dot"), 7, "the targets are shown");
    assert!(is_on(&visit, ".ghost", "1,3"));
    assert!(is_on(&visit, ".layer-hand .piece", "6,3"), "the disc is in the hand");
    let dropped = visit.driver.action_chain().release();
    visit.runtime.block_on(dropped.perform()).expect("the button can be released");
    visit.at_ply(1);
    visit.becomes("1,3", "x disc");
    visit.gone(".layer-hand .piece");
    // Let go of far from the board, it goes back.
    let away = find("h1");
    let lost = visit.driver.action_chain().drag_and_drop_element(&find(SUPPLY), &away);
    visit.runtime.block_on(lost.perform()).expect("the mouse can be moved");
    visit.gone(".layer-hand .piece");
    visit.gone(".mark-dot");
    assert_eq!(visit.ply(), 1);
    // Above a column is as good as in it.
    let (x, y) = centre(&visit, &format!("{BOARD} [data-cell=\"6,5\"]"));
    let step = y - centre(&visit, &format!("{BOARD} [data-cell=\"5,5\"]")).1;
    let above = visit
        .driver
        .action_chain()
        .click_and_hold_element(&find(SUPPLY))
        .move_to(x as i64, (y + step) as i64)
        .release();
    visit.runtime.block_on(above.perform()).expect("the mouse can be moved");
    visit.at_ply(2);
    visit.becomes("1,5", "o disc");
}

#[test]
fn the_supply_is_used_by_keyboard_and_by_click() {
    let visit = Visit::new();
    visit.sit_down("connect4", None, &PEOPLE);
    visit.ready();
    assert_eq!(visit.count(SUPPLY), 1, "only the own discs can be taken");
    tab_to(&visit, SUPPLY);
    let label = visit.ask("document.activeElement.ariaLabel");
    assert_eq!(label, "Place a piece: x disc, 21 left");
    visit.press(Key::Enter);
    assert_eq!(visit.targets().len(), 7);
    assert_eq!(visit.ask("document.activeElement.dataset.cell"), "1,1", "the first target");
    visit.press(Key::Escape);
    assert_eq!(visit.targets(), [""; 0]);
    visit.click(SUPPLY);
    assert_eq!(visit.ask(&format!("document.querySelector('{SUPPLY}').ariaPressed")), "true");
    visit.cell("3,6");
    visit.at_ply(1);
    visit.becomes("1,6", "x disc");
    assert_eq!(visit.ask(&format!("document.querySelector('{SUPPLY}').dataset.piece")), "O");
}

#[test]
fn hints_and_threats_are_rings_on_their_cells() {
    let visit = Visit::new();
    visit.sit_down("connect4", Some("7/7/7/7/1OO4/1XXX3 o"), &[PERSON, PERSON]);
    visit.ready();
    visit.click("[data-action=threats]");
    visit.wait("threats", "document.querySelector('.arrow-threat .arrow-ring')");
    assert_eq!(visit.count(".arrow-threat .arrow-ring"), 2, "X wins on both sides");
    visit.click("[data-action=hint]");
    visit.wait("a hint", "document.querySelector('.arrow-hint .arrow-ring')");
}

#[test]
fn a_disc_falls_where_motion_is_welcome() {
    let visit = Visit::with_motion();
    let falls = "window.fallen = [];
        const animate = Element.prototype.animate;
        Element.prototype.animate = function (frames, timing) {
            if (this.closest('.layer-pieces')) window.fallen.push(frames.map((one) => one.transform));
            return animate.call(this, frames, timing);
        }";
    visit.sit_down("connect4", None, &[PERSON, "random"]);
    visit.ready();
    visit.runtime.block_on(visit.driver.execute(falls, Vec::new())).expect("a script runs");
    visit.cell("1,4");
    visit.at_ply(2);
    let fallen = visit.ask("window.fallen");
    assert_eq!(fallen.as_array().map(Vec::len), Some(2), "the own disc and the answer: {fallen}");
    let height = |frame: &Value| {
        let text = frame.as_str().unwrap_or_default().to_string();
        text.split([' ', 'p']).nth(2).and_then(|y| y.parse::<f64>().ok()).unwrap_or_default()
    };
    // Six rows of 100 and one more above the board.
    let fall = height(&fallen[0][1]) - height(&fallen[0][0]);
    assert_eq!(fall, 600.0, "{fallen}");
}

#[test]
fn discs_are_placed_with_a_finger() {
    let visit = Visit::by_phone();
    visit.sit_down("connect4", None, &PEOPLE);
    visit.ready();
    fits(&visit, "the game");
    tap(&visit, "5,2");
    visit.at_ply(1);
    visit.becomes("1,2", "x disc");
    // From the supply, which must not scroll the page.
    let scrolled = visit.ask("scrollY");
    let (from, to) =
        (centre(&visit, SUPPLY), centre(&visit, &format!("{BOARD} [data-cell=\"4,6\"]")));
    let touch = |kind: &str, points: &[(f64, f64)]| {
        let points: Vec<Value> = points.iter().map(|(x, y)| json!({"x": x, "y": y})).collect();
        visit.tool("Input.dispatchTouchEvent", json!({"type": kind, "touchPoints": points}));
    };
    touch("touchStart", &[from]);
    for part in 1..=8 {
        let share = f64::from(part) / 8.0;
        let way = |from: f64, to: f64| from + (to - from) * share;
        touch("touchMove", &[(way(from.0, to.0), way(from.1, to.1))]);
    }
    touch("touchEnd", &[]);
    visit.at_ply(2);
    visit.becomes("1,6", "o disc");
    assert_eq!(visit.ask("scrollY"), scrolled);
    fits(&visit, "the game after two moves");
}

#[test]
fn games_without_supplies_have_no_room_for_them() {
    let visit = Visit::new();
    visit.sit_down("congo", None, &PEOPLE);
    visit.ready();
    assert_eq!(visit.count(".board-supplies"), 0);
}
