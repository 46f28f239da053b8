//! Everything works without a mouse.

use serde_json::Value;
use thirtyfour::Key;

use crate::harness::Visit;
use crate::page::BOARD;

/// No page has more tab stops than this.
const MOST_STOPS: usize = 150;

/// Presses Tab until the focus is on what this selector names.
pub fn tab_to(visit: &Visit, selector: &str) {
    let here = format!("document.activeElement?.matches('{selector}') === true");
    for _ in 0..MOST_STOPS {
        if visit.ask(&here) == true {
            return;
        }
        visit.press(Key::Tab);
    }
    panic!("Tab never reaches {selector}");
}

/// Moves the focus on the board to a cell with the arrow keys.
pub fn arrows_to(visit: &Visit, cell: &str) {
    let place = |selector: &str| -> (f64, f64) {
        let place = visit.ask(&format!(
            "(({{x, y, width, height}}) => [x + width / 2, y + height / 2])
                (document.querySelector('{selector}').getBoundingClientRect())"
        ));
        (place[0].as_f64().unwrap_or_default(), place[1].as_f64().unwrap_or_default())
    };
    let goal = place(&format!("{BOARD} [data-cell=\"{cell}\"]"));
    for _ in 0..40 {
        let (x, y) = place(&format!("{BOARD} [data-cell]:focus"));
        let (right, down) = (goal.0 - x, goal.1 - y);
        if right.abs() < 2.0 && down.abs() < 2.0 {
            return;
        }
        let key = match right.abs() > down.abs() {
            true if right > 0.0 => Key::Right,
            true => Key::Left,
            false if down > 0.0 => Key::Down,
            false => Key::Up,
        };
        visit.press(key);
    }
    panic!("the arrow keys never reach {cell}");
}

/// Enters a move with the arrow keys and Enter.
fn enter(visit: &Visit, cells: &[&str]) {
    for cell in cells {
        arrows_to(visit, cell);
        visit.press(Key::Enter);
    }
}

#[test]
fn a_game_is_played_from_home_to_its_end_without_a_mouse() {
    let visit = Visit::new();
    visit.open("/");
    tab_to(&visit, "[data-game=breakthrough] [data-action=options]");
    visit.press(Key::Enter);
    visit.arrive("new");
    for field in ["width", "height"] {
        tab_to(&visit, &format!("[data-field={field}]"));
        visit.press("5");
    }
    // The second seat gets an agent by its text.
    tab_to(&visit, "[data-seat=\"1\"] input[value=level]");
    visit.press(Key::Right);
    tab_to(&visit, "[data-seat=\"1\"] [data-field=agent]");
    visit.press("random");
    visit.press(Key::Enter);
    visit.arrive("game");
    tab_to(&visit, &format!("{BOARD} [data-cell]"));
    while visit.ready() {
        let ply = visit.ply();
        let (from, to) = farthest_move(&visit);
        enter(&visit, &[&from, &to]);
        visit.until("the move is in the list", || (visit.ply() > ply).then_some(()));
    }
    assert!(visit.text("[data-result]").contains("wins"), "{}", visit.text("[data-result]"));
}

/// A move of the pawn that is farthest ahead.
fn farthest_move(visit: &Visit) -> (String, String) {
    let id = visit.ask("location.pathname.split('/').pop()");
    let game = visit.truth(id.as_str().unwrap_or_default());
    let position = &game["position"];
    let name = |cell: &Value| {
        let cell = cell.as_u64().unwrap_or_default() as usize;
        position["scene"]["cells"][cell]["name"].as_str().unwrap_or_default().to_string()
    };
    let moves = position["moves"].as_array().into_iter().flatten();
    let ways = moves.map(|mv| (name(&mv["routes"][0][0]), name(&mv["routes"][0][1])));
    ways.max_by_key(|way| way.1[1..].parse().unwrap_or(0)).expect("there is a move")
}

#[test]
fn keys_do_what_the_buttons_do() {
    let visit = Visit::new();
    visit.sit_down("congo", None, &[crate::page::PERSON, "random"]);
    visit.ready();
    visit.press("?");
    visit.says("dialog[open]", "Turn the board");
    visit.press(Key::Escape);
    visit.gone("dialog");
    tab_to(&visit, &format!("{BOARD} [data-cell]"));
    enter(&visit, &["d2"]);
    assert!(visit.is_entering());
    visit.press(Key::Escape);
    assert!(!visit.is_entering(), "Escape deselects the piece");
    enter(&visit, &["d2", "d3"]);
    visit.at_ply(2);
    visit.press("u");
    visit.at_ply(0);
    visit.press("c");
    visit.wait(
        "no names",
        "document.querySelector('[data-action=coordinates]').ariaPressed === 'false'",
    );
    visit.press("n");
    visit.arrive("new");
    assert_eq!(
        visit.ask("document.activeElement.tagName"),
        "H1",
        "screen readers announce the new page"
    );
}
