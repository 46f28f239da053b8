//! The tools beside the board.

use serde_json::{Value, json};

use crate::common::id;
use crate::harness::Visit;
use crate::page::{BOARD, PERSON};

const MESSAGE: &str = "[data-message]";

/// A game of Congo after a move of each side.
fn begun(visit: &Visit) -> String {
    let id = visit.sit_down("congo", None, &[PERSON, "random"]);
    visit.ready();
    visit.cells(&["d2", "d3"]);
    visit.at_ply(2);
    id
}

#[test]
fn a_move_is_taken_back() {
    let visit = Visit::new();
    begun(&visit);
    visit.click("[data-action=undo]");
    visit.at_ply(0);
    visit.becomes("d2", "white pawn");
    visit.says("[data-announce]", "Move taken back");
    assert_eq!(visit.ask("document.querySelector('[data-action=undo]').disabled"), true);
    visit.cells(&["c2", "c3"]);
    visit.at_ply(2);
}

#[test]
fn a_hint_is_an_arrow_and_a_line() {
    let visit = Visit::new();
    visit.sit_down("breakthrough:5x5", Some("5/3p1/2P2/5/5 w"), &[PERSON, "random"]);
    visit.ready();
    visit.click("[data-action=hint]");
    visit.wait("an arrow", &format!("document.querySelector('{BOARD} .arrow-hint')"));
    let words = visit.text(MESSAGE);
    assert!(words.starts_with("c3") && words.contains("for white"), "{words}");
    // The arrow is only for this position.
    visit.cells(&["c3", "c4"]);
    visit.gone(&format!("{BOARD} .arrow-hint"));
}

#[test]
fn threats_are_shown_and_hidden() {
    let visit = Visit::new();
    let position = "2l4/7/7/7/1p5/P1P4/3L3 w 0";
    visit.sit_down("congo", Some(position), &[PERSON, PERSON]);
    visit.ready();
    visit.click("[data-action=threats]");
    visit.says(MESSAGE, "2 threats are shown");
    assert_eq!(visit.count(&format!("{BOARD} .arrow-threat")), 2);
    assert_eq!(visit.ask("document.querySelector('[data-action=threats]').ariaPressed"), "true");
    visit.click("[data-action=threats]");
    visit.gone(&format!("{BOARD} .arrow-threat"));
    visit.sit_down("breakthrough:5x5", Some("pppp1/5/5/p2PP/3PP w"), &[PERSON, PERSON]);
    visit.ready();
    visit.click("[data-action=threats]");
    visit.says(MESSAGE, "One threat is shown: it wins");
    assert_eq!(visit.count(&format!("{BOARD} .arrow-threat")), 1);
}

/// How far down a cell is on the screen.
fn height(visit: &Visit, cell: &str) -> f64 {
    let top =
        format!("document.querySelector('{BOARD} [data-cell={cell}]').getBoundingClientRect().top");
    visit.ask(&top).as_f64().unwrap_or_default()
}

#[test]
fn the_board_turns_and_its_coordinates_can_be_hidden() {
    let visit = Visit::new();
    begun(&visit);
    assert!(height(&visit, "d1") > height(&visit, "d7"), "white sits at the bottom");
    visit.click("[data-action=flip]");
    assert!(height(&visit, "d1") < height(&visit, "d7"));
    visit.cells(&["c2", "c3"]);
    visit.at_ply(4);
    visit.click("[data-action=flip]");
    assert!(height(&visit, "d1") > height(&visit, "d7"));
    let names = format!("{BOARD} .names text");
    assert!(visit.count(&names) >= 14, "{}", visit.count(&names));
    visit.click("[data-action=coordinates]");
    visit.gone(&names);
    visit.runtime.block_on(visit.driver.refresh()).expect("a reload");
    visit.ready();
    assert_eq!(visit.count(&names), 0, "the browser remembers it");
    visit.click("[data-action=coordinates]");
    visit.wait("names", &format!("document.querySelector('{names}')"));
}

#[test]
fn one_can_look_back_and_return() {
    let visit = Visit::new();
    begun(&visit);
    visit.click("[data-moves] [data-ply='1']");
    visit.says("[data-status=looking]", "move 1");
    visit.becomes("d3", "white pawn");
    assert_eq!(visit.starts(), [""; 0], "the past cannot be changed");
    visit.click("h1");
    visit.press(thirtyfour::Key::Left);
    visit.says("[data-status=looking]", "the start");
    visit.becomes("d2", "white pawn");
    visit.click("[data-action=now]");
    visit.gone("[data-status=looking]");
    visit.ready();
    visit.becomes("d3", "white pawn");
    visit.cells(&["c2", "c3"]);
    visit.at_ply(4);
}

#[test]
fn resigning_asks_first_and_offers_a_rematch() {
    let visit = Visit::new();
    let first = begun(&visit);
    visit.click("[data-action=resign]");
    visit.click("dialog [data-action=cancel]");
    visit.gone("dialog");
    assert_eq!(visit.count("[data-result]"), 0);
    visit.click("[data-action=resign]");
    visit.says("dialog", "You lose the game");
    visit.click("dialog [data-action=confirm]");
    let result = visit.text("[data-result]");
    assert!(result.starts_with("You lost") && result.contains("Black wins"), "{result}");
    visit.click("[data-action=rematch]");
    visit.until("another game", || {
        (!visit.ask("location.pathname").as_str()?.ends_with(&first)).then_some(())
    });
    // The seats are swapped: the agent moves first, and black is at the bottom.
    visit.at_ply(1);
    assert!(height(&visit, "d1") < height(&visit, "d7"));
    assert!(visit.words("d6").contains("can move") || visit.words("c6").contains("can move"));
    visit.open("/");
    visit.wait(
        "both games",
        "document.querySelectorAll('[data-list=own] [data-game]').length === 2",
    );
}

#[test]
fn games_are_deleted_from_home() {
    let visit = Visit::new();
    let id = begun(&visit);
    visit.open("/");
    let own = format!("[data-list=own] [data-game='{id}']");
    visit.click(&format!("{own} [data-action=delete]"));
    visit.click("dialog [data-action=confirm]");
    visit.gone(&own);
    assert_eq!(visit.client.get(&format!("/api/games/{id}")).status, 404);
}

/// What is on the clipboard.
fn clipboard(visit: &Visit) -> String {
    visit.ask("navigator.clipboard.readText()").as_str().unwrap_or_default().to_string()
}

#[test]
fn a_game_can_be_copied_and_saved() {
    let visit = Visit::new();
    let id = begun(&visit);
    let allowed = json!({"origin": visit.origin, "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]});
    visit.tool("Browser.grantPermissions", allowed);
    let position = visit.truth(&id)["position"]["position"].clone();
    visit.click("[data-action=copy-position]");
    visit.says("[data-action=copy-position]", "Copied");
    assert_eq!(Value::from(clipboard(&visit)), position);
    visit.click("[data-action=copy-game]");
    visit.says("[data-action=copy-game]", "Copied");
    let text = clipboard(&visit);
    assert!(text.contains("d2d3"), "{text}");
    for (action, kind) in [("save-text", "text/plain"), ("save-json", "application/json")] {
        let answer = visit.ask(&format!(
            "fetch(document.querySelector('[data-action={action}]').href).then(async (answer) =>
                [answer.status, answer.headers.get('content-type'),
                 answer.headers.get('content-disposition'), await answer.text()])"
        ));
        assert_eq!(answer[0], 200);
        assert!(answer[1].as_str().is_some_and(|found| found.starts_with(kind)), "{answer}");
        assert!(answer[2].as_str().is_some_and(|how| how.starts_with("attachment")), "{answer}");
        assert!(answer[3].as_str().is_some_and(|text| text.contains("d2d3")), "{answer}");
    }
}

#[test]
fn the_clock_runs_and_ends_the_game() {
    let visit = Visit::new();
    let seats = json!([{"kind": "human"}, {"kind": "human"}]);
    let wanted = json!({"variant": "breakthrough:5x5", "seats": seats, "time": "3s"});
    let game = visit.client.post("/api/games", &wanted).ok();
    visit.open(&format!("/play/{}", id(&game)));
    visit.ready();
    visit.cells(&["c2", "c3"]);
    let result = visit.text("[data-result]");
    assert!(result.contains("time"), "{result}");
}
