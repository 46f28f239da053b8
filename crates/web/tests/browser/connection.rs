//! Reloads, two tabs, and restarts of the server.

use serde_json::Value;
use thirtyfour::WindowHandle;

use crate::harness::Visit;
use crate::page::{BOARD, PERSON};

/// The labels of all cells.
fn board(visit: &Visit) -> Value {
    visit.ask(&format!(
        "[...document.querySelectorAll('{BOARD} [data-cell]')].map((cell) => cell.ariaLabel).join('; ')"
    ))
}

#[test]
fn a_reload_in_the_middle_shows_the_same() {
    let visit = Visit::new();
    visit.sit_down("congo", None, &[PERSON, "random"]);
    visit.ready();
    visit.cells(&["d2", "d3"]);
    visit.at_ply(2);
    let before = board(&visit);
    visit.runtime.block_on(visit.driver.refresh()).expect("a reload");
    visit.at_ply(2);
    assert_eq!(board(&visit), before);
    visit.cells(&["c2", "c3"]);
    visit.at_ply(4);
}

#[test]
fn a_half_entered_move_survives_an_update_that_changes_nothing() {
    let visit = Visit::new();
    visit.sit_down("congo", None, &[PERSON, "random"]);
    visit.ready();
    visit.cell("d2");
    visit.stop_server();
    visit.says("[data-banner]", "Connection lost");
    visit.excuse("ERR_CONNECTION_REFUSED");
    visit.start_server();
    visit.wait("the banner is gone", "document.querySelector('[data-banner]').hidden");
    assert!(visit.is_entering());
    visit.cell("d3");
    visit.at_ply(2);
}

fn go_to(visit: &Visit, tab: &WindowHandle) {
    visit.runtime.block_on(visit.driver.switch_to_window(tab.clone())).expect("the tab is there");
}

#[test]
fn two_tabs_on_one_game_agree() {
    let visit = Visit::new();
    let id = visit.sit_down("breakthrough:5x5", None, &[PERSON, PERSON]);
    let first = visit.runtime.block_on(visit.driver.window()).expect("a tab");
    let second = visit.runtime.block_on(visit.driver.new_tab()).expect("another tab");
    go_to(&visit, &second);
    visit.open(&format!("/play/{id}"));
    visit.ready();
    // One plays white, the other black.
    for (at, (tab, cells)) in
        [(&first, ["c2", "c3"]), (&second, ["b4", "b3"])].into_iter().enumerate()
    {
        go_to(&visit, tab);
        visit.at_ply(at);
        visit.cells(&cells);
        visit.at_ply(at + 1);
    }
    let seen = [&first, &second].map(|tab| {
        go_to(&visit, tab);
        visit.at_ply(2);
        board(&visit)
    });
    assert_eq!(seen[0], seen[1]);
}

#[test]
fn the_page_reconnects_to_the_server() {
    let visit = Visit::new();
    let id = visit.sit_down("breakthrough:5x5", None, &[PERSON, PERSON]);
    visit.ready();
    visit.cells(&["c2", "c3"]);
    visit.at_ply(1);
    visit.excuse("ERR_CONNECTION_REFUSED");
    visit.stop_server();
    visit.says("[data-banner]", "Connection lost");
    visit.start_server();
    // Somebody else plays first; the page must show that once it has reconnected.
    let body = serde_json::json!({"move": "b4b3", "ply": 1});
    visit.client.post(&format!("/api/games/{id}/moves"), &body).ok();
    visit.wait("the banner is gone", "document.querySelector('[data-banner]').hidden");
    visit.at_ply(2);
    visit.becomes("b3", "black pawn");
    visit.cells(&["a2", "b3"]);
    visit.at_ply(3);
    visit.becomes("b3", "white pawn");
}

#[test]
fn a_move_that_cannot_be_sent_is_reported() {
    let visit = Visit::new();
    visit.sit_down("breakthrough:5x5", None, &[PERSON, PERSON]);
    visit.ready();
    visit.excuse("ERR_CONNECTION_REFUSED");
    visit.stop_server();
    visit.says("[data-banner]", "Connection lost");
    visit.cells(&["c2", "c3"]);
    let trouble = visit.text("[data-message] .error");
    assert!(trouble.contains("server"), "{trouble}");
    visit.start_server();
    visit.wait("the banner is gone", "document.querySelector('[data-banner]').hidden");
    visit.becomes("c2", "white pawn");
    visit.cells(&["c2", "c3"]);
    visit.at_ply(1);
}

#[test]
fn a_deleted_game_says_so() {
    let visit = Visit::new();
    visit.excuse("the server responded with a status of 404");
    let id = visit.sit_down("congo", None, &[PERSON, PERSON]);
    visit.ready();
    visit.client.delete(&format!("/api/games/{id}"));
    visit.says("[data-message]", "deleted");
    assert_eq!(visit.starts(), [""; 0]);
}
