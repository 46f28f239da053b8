//! The pages on a phone: taps, and no horizontal overflow.

use serde_json::{Value, json};

use crate::common::contest::second_week;
use crate::common::workers::{Post, fleet};
use crate::contest;
use crate::driver::Setup;
use crate::harness::Visit;
use crate::lab;
use crate::page::{BOARD, PERSON};
use crate::watching;

/// Taps on a cell with a finger.
pub fn tap(visit: &Visit, cell: &str) {
    let place = visit.ask(&format!(
        "(() => {{
            const cell = document.querySelector('{BOARD} [data-cell=\"{cell}\"]');
            cell.scrollIntoView({{block: 'center', behavior: 'instant'}});
            const {{x, y, width, height}} = cell.getBoundingClientRect();
            return {{x: x + width / 2, y: y + height / 2}};
        }})()"
    ));
    visit.tool("Input.dispatchTouchEvent", json!({"type": "touchStart", "touchPoints": [place]}));
    visit.tool("Input.dispatchTouchEvent", json!({"type": "touchEnd", "touchPoints": []}));
}

/// Checks that nothing overflows horizontally.
pub fn fits(visit: &Visit, what: &str) {
    let widths = visit.ask("[document.scrollingElement.scrollWidth, innerWidth]");
    let width = |at: usize| widths[at].as_u64().unwrap_or_default();
    assert!(width(0) <= width(1) && width(1) == 390, "{what}: {widths}");
}

#[test]
fn a_move_is_tapped() {
    let visit = Visit::by_phone();
    visit.open("/");
    fits(&visit, "home");
    visit.click("[data-action=play][data-game=congo]");
    visit.arrive("game");
    visit.ready();
    fits(&visit, "the game");
    tap(&visit, "d2");
    visit.becomes("d2", "selected");
    tap(&visit, "d3");
    visit.at_ply(2);
    visit.becomes("d3", "white pawn");
    fits(&visit, "the game after a move");
    let touches = visit.ask("matchMedia('(pointer: coarse)').matches");
    assert_eq!(touches, Value::Bool(true), "this is a touch screen");
}

#[test]
fn nothing_is_wider_than_a_phone() {
    let mut contest = Vec::new();
    let visit = Visit::with(Setup { phone: true, ..Setup::default() }, |folder| {
        watching::store_games(folder);
        second_week(folder);
        lab::experiments(folder);
        contest = contest::paths(folder);
    });
    visit.stop_server();
    visit.start_server_with(|options| options.lookout = Some(Post::new(fleet())));
    visit.excuse("the server responded with a status of 404");
    let games = ["breakthrough", "congo", "fenix", "wumpus", "fauhalma", "connect4"];
    let mut paths: Vec<String> =
        ["/", "/watch", "/records", "/replay/1.0", "/workers", "/nowhere"].map(String::from).into();
    paths.extend(
        games.iter().flat_map(|game| [format!("/new?game={game}"), format!("/rules/{game}")]),
    );
    paths.extend(contest);
    paths.extend(lab::PATHS.map(String::from));
    for path in &paths {
        visit.open(path);
        visit.wait(path, "document.querySelector('main h1')");
        fits(&visit, path);
    }
    for variant in ["breakthrough:10x10", "wumpus:15", "fenix", "connect4:9x8", "fauhalma:star3"] {
        let rivals = if variant.ends_with('3') { 2 } else { 1 };
        visit.sit_down(variant, None, &[[PERSON].as_slice(), &vec!["random"; rivals]].concat());
        visit.ready();
        fits(&visit, variant);
    }
}
