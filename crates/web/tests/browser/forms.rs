//! The form for a new game: its fields, its preview and its error messages.

use crate::harness::Visit;
use crate::page::BOARD;

const PREVIEW: &str = "[data-board=preview]";

/// The label of the previewed board.
fn preview(visit: &Visit) -> String {
    let words = format!("document.querySelector('{PREVIEW} svg')?.getAttribute('aria-label')");
    visit.ask(&words).as_str().unwrap_or_default().to_string()
}

/// Waits for a different preview.
fn new_preview(visit: &Visit, old: &str) -> String {
    visit.until("another preview", || Some(preview(visit)).filter(|now| now != old))
}

/// Starts Breakthrough on a board of this size through the form, and makes a move.
fn play_on(width: u32, height: u32, from: &str, to: &str) {
    let visit = Visit::new();
    visit.open("/");
    visit.click("[data-game=breakthrough] [data-action=options]");
    visit.arrive("new");
    let old = preview(&visit);
    visit.fill("[data-field=width]", &width.to_string());
    visit.fill("[data-field=height]", &height.to_string());
    new_preview(&visit, &old);
    visit.click("[data-seat='1'] input[value=text]");
    visit.fill("[data-seat='1'] [data-field=agent]", "random");
    visit.click("[data-action=start]");
    visit.arrive("game");
    visit.ready();
    assert_eq!(visit.count(&format!("{BOARD} [data-cell]")), (width * height) as usize);
    visit.cells(&[from, to]);
    visit.at_ply(2);
    // The piece may have been taken by now, but the cell it left stays empty.
    visit.becomes(from, "empty");
}

#[test]
fn breakthrough_starts_on_a_small_board() {
    play_on(5, 5, "c2", "c3");
}

#[test]
fn breakthrough_starts_on_the_largest_board() {
    play_on(10, 10, "j2", "j3");
}

#[test]
fn the_preview_shows_the_pits_of_a_seed() {
    let visit = Visit::new();
    visit.open("/new?game=wumpus");
    visit.arrive("new");
    let places = format!(
        "[...document.querySelectorAll('{PREVIEW} .pit-rim')]
            .map((pit) => [pit.getAttribute('cx'), pit.getAttribute('cy')].join()).join(' ')"
    );
    let pits = || visit.ask(&places);
    visit.until("pits are in the picture", || (pits() != "").then_some(()));
    let first = pits();
    visit.fill("[data-field=seed]", "7");
    visit.until("other pits", || (pits() != first).then_some(()));
    let seventh = pits();
    visit.click("[data-action=dice]");
    visit.until("other pits again", || (pits() != seventh).then_some(()));
    visit.fill("[data-field=seed]", "7");
    visit.until("the pits of seven again", || (pits() == seventh).then_some(()));
    visit.click("[data-seat='1'] input[value=text]");
    visit.fill("[data-seat='1'] [data-field=agent]", "random");
    visit.click("[data-action=start]");
    visit.arrive("game");
    visit.ready();
    assert!(visit.text(".table-head").contains("wumpus:6,seed=7"), "{}", visit.text(".table-head"));
}

#[test]
fn the_number_of_seats_follows_the_board() {
    let visit = Visit::new();
    visit.open("/new?game=fauhalma");
    visit.wait("three seats", "document.querySelectorAll('[data-seat]').length === 3");
    visit.choose("[data-field=board]", "star2");
    visit.wait("two seats", "document.querySelectorAll('[data-seat]').length === 2");
}

#[test]
fn errors_are_shown_at_their_fields() {
    let visit = Visit::new();
    visit.excuse("the server responded with a status of 4");
    visit.open("/new?game=breakthrough");
    visit.arrive("new");
    visit.click("[data-seat='1'] input[value=text]");
    visit.fill("[data-seat='1'] [data-field=agent]", "nobody:depth=3");
    visit.click("[data-action=start]");
    visit.says("[data-seat='1'] [data-error=agent]", "nobody");
    visit.fill("[data-seat='1'] [data-field=agent]", "random");
    visit.choose("[data-field=time]", "other");
    visit.fill("[data-field=other-time]", "soon");
    visit.click("[data-action=start]");
    visit.says("[data-error=time]", "soon");
    visit.fill("[data-field=other-time]", "2m+1s");
    visit.click("details:has([data-field=position]) summary");
    visit.fill("[data-field=position]", "pawns everywhere");
    visit.says("[data-error=position]", "pawns");
    visit.fill("[data-field=position]", "5/3p1/2P2/5/5 w");
    visit.says("[data-error=position]", "5/3p1");
    visit.fill("[data-field=width]", "5");
    visit.fill("[data-field=height]", "5");
    visit.wait("no mistake", "document.querySelector('[data-error=position]').textContent === ''");
    visit.click("[data-action=start]");
    visit.arrive("game");
    visit.ready();
    visit.becomes("c3", "white pawn");
    assert!(visit.text(".clock").contains(':'), "{}", visit.text(".clock"));
}

#[test]
fn the_printed_address_tells_the_browser_the_secret() {
    let visit = Visit::new();
    visit.excuse("the server responded with a status of 403");
    visit.excuse("ERR_CONNECTION_REFUSED");
    visit.stop_server();
    let start = || {
        visit.start_server_with(|options| {
            options.registry = agon_wire::registry(None);
            options.allow_programs = true;
        })
    };
    let secret = start().unwrap();
    let choose_program = || {
        visit.open("/new?game=congo");
        visit.arrive("new");
        visit.click("[data-seat='1'] input[value=text]");
        visit.fill("[data-seat='1'] [data-field=agent]", "ugi:true");
    };
    let is_asked = "!document.querySelector('.field:has([data-field=secret])').hidden";
    let known = "localStorage.getItem('agon.secret')";
    // Without the secret the page asks for it.
    choose_program();
    visit.wait("the field", is_asked);
    visit.click("[data-action=start]");
    visit.says(".setup-form", "needs the secret");
    // The address that the server prints is opened once.
    visit.open(&format!("/#secret={secret}"));
    visit.arrive("home");
    assert_eq!(visit.ask("location.href"), format!("{}/", visit.origin), "it is not left there");
    assert_eq!(visit.ask(known), secret);
    choose_program();
    assert_eq!(visit.ask(is_asked), false);
    visit.click("[data-action=start]");
    visit.arrive("game");
    // A server that starts again has another one.
    visit.stop_server();
    let secret = start().unwrap();
    choose_program();
    visit.click("[data-action=start]");
    visit.says(".setup-form", "wrong secret");
    visit.wait("the field", is_asked);
    visit.fill("[data-field=secret]", &secret);
    visit.click("[data-action=start]");
    visit.arrive("game");
    assert_eq!(visit.ask(known), secret);
}
