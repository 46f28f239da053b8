//! Seats with owners: the friend's link, each side's view, and that of somebody who watches.

use serde_json::{Value, json};

use crate::common::{Answer, id, moves, ply};
use crate::harness::Visit;
use crate::page::BOARD;

/// Starts a game with a friend on the form, and returns its id and the friend's link.
fn invite(visit: &Visit, game: &str) -> (String, String) {
    visit.open(&format!("/new?game={game}"));
    visit.arrive("new");
    visit.click("[data-seat='1'] input[value=friend]");
    visit.says("[data-note]", "link");
    visit.click("[data-action=start]");
    visit.arrive("game");
    visit.ready();
    let name = visit.ask("location.pathname.split('/').pop()");
    let link = visit.ask("document.querySelector('[data-link=\"1\"]').value");
    (name.as_str().unwrap().to_string(), link.as_str().unwrap().to_string())
}

/// Another person's browser knows nothing of this one.
fn another_person(visit: &Visit) {
    visit.open("/records");
    visit.ask("localStorage.clear()");
}

/// The friend acts, without a page.
fn friend(visit: &Visit, name: &str, link: &str, what: &str, body: &Value) -> Answer {
    let token = link.split("#seat=").last().unwrap();
    let headers = [("content-type", "application/json"), ("x-agon-seat", token)];
    visit.client.post_with(&format!("/api/games/{name}/{what}"), &headers, &body.to_string())
}

#[test]
fn a_friend_plays_by_link_and_others_watch() {
    let visit = Visit::new();
    let (name, link) = invite(&visit, "congo");
    assert!(link.starts_with(&format!("{}/play/{name}#seat=", visit.origin)), "{link}");
    visit.cells(&["d2", "d3"]);
    visit.until("white's move", || (visit.ply() == 1).then_some(()));
    visit.says("[data-status=turn]", "Black to move");
    assert_eq!(visit.starts(), [""; 0], "black's pieces are not mine");
    friend(&visit, &name, &link, "moves", &json!({"move": "d6d5", "ply": 1})).ok();
    visit.at_ply(2);
    visit.says("[data-status=turn]", "Your turn");

    another_person(&visit);
    visit.open(&format!("/play/{name}"));
    visit.arrive("game");
    visit.says("[data-seats=watching]", "You are watching");
    assert_eq!(visit.starts(), [""; 0]);
    for action in ["undo", "resign", "draw", "branch"] {
        let hidden = format!("document.querySelector('[data-action={action}]').hidden");
        assert_eq!(visit.ask(&hidden), true, "{action}");
    }

    // The friend opens the link: black is at the bottom, and the token leaves the address.
    visit.open(&link[visit.origin.len()..]);
    visit.gone("[data-seats=watching]");
    assert_eq!(visit.ask("location.hash"), "");
    let top = |cell: &str| {
        let place = format!(
            "document.querySelector('{BOARD} [data-cell={cell}]').getBoundingClientRect().top"
        );
        visit.ask(&place).as_f64().unwrap()
    };
    assert!(top("d7") > top("d1"), "black sits at the bottom");
    visit.says(".players [data-seat='1']", "you");
    assert_eq!(visit.starts(), [""; 0], "it is white's turn");
    // A reload keeps the seat.
    visit.runtime.block_on(visit.driver.refresh()).expect("a reload");
    visit.says(".players [data-seat='1']", "you");
    visit.click("[data-action=resign]");
    visit.click("dialog [data-action=confirm]");
    let result = visit.text("[data-result]");
    assert!(result.starts_with("You lost") && result.contains("black resigned"), "{result}");
    // The friend's token plays the rematch, too, now as white.
    visit.click("[data-action=rematch]");
    visit.ready();
    visit.cells(&["c2", "c3"]);
    visit.until("the first move", || (visit.ply() == 1).then_some(()));
}

#[test]
fn a_draw_is_offered_and_declined_then_accepted() {
    let visit = Visit::new();
    let (name, link) = invite(&visit, "breakthrough");
    visit.click("[data-action=draw]");
    visit.says("[data-action=draw]", "Draw offered");
    friend(&visit, &name, &link, "draw", &json!({"ply": 0, "decline": true})).ok();
    visit.says("[data-message]", "declined");
    friend(&visit, &name, &link, "draw", &json!({"ply": 0})).ok();
    visit.says("[data-message]", "offers a draw");
    visit.says("[data-action=draw]", "Accept draw");
    visit.click("[data-action=decline]");
    visit.says("[data-action=draw]", "Offer draw");
    friend(&visit, &name, &link, "draw", &json!({"ply": 0})).ok();
    visit.says("[data-action=draw]", "Accept draw");
    visit.click("[data-action=draw]");
    assert!(visit.text("[data-result]").contains("draw agreed"));
}

#[test]
fn people_at_one_board_agree_on_a_draw_at_once() {
    let visit = Visit::new();
    visit.sit_down("congo", None, &["", ""]);
    visit.ready();
    visit.click("[data-action=draw]");
    visit.click("dialog [data-action=confirm]");
    assert!(visit.text("[data-result]").contains("draw agreed"));
}

#[test]
fn whoever_started_the_game_deletes_it_from_home() {
    let visit = Visit::new();
    let (name, _) = invite(&visit, "congo");
    visit.open("/");
    let own = format!("[data-list=own] [data-game='{name}']");
    visit.click(&format!("{own} [data-action=delete]"));
    visit.click("dialog [data-action=confirm]");
    visit.gone(&own);
    assert_eq!(visit.client.get(&format!("/api/games/{name}")).status, 404);
}

/// A game against an agent that has a clock, where nobody moves before the person says so.
fn with_clock(visit: &Visit) -> (String, String) {
    let human = json!({"kind": "human"});
    let new = json!({"variant": "congo", "seats": [human, human], "friends": [0], "time": "9m"});
    let game = visit.client.post("/api/games", &new).ok();
    let token = |seat: u64| {
        let tokens = game["tokens"].as_array().unwrap();
        let found = tokens.iter().find(|token| token["seat"] == seat).unwrap();
        found["token"].as_str().unwrap().to_string()
    };
    visit.open(&format!("/play/{}#seat={}", id(&game), token(1)));
    visit.arrive("game");
    visit.wait("can be moved later", &format!("document.querySelector('{BOARD} .can-later')"));
    (id(&game).to_string(), format!("#seat={}", token(0)))
}

#[test]
fn a_move_is_entered_for_later_and_played_when_it_is_legal() {
    let visit = Visit::new();
    let (name, white) = with_clock(&visit);
    let arrow = format!("{BOARD} .arrow-later");
    // It is given up by Escape.
    visit.cells(&["d6", "d5"]);
    visit.says("[data-message]", "d6–d5 will be played");
    assert_eq!(visit.count(&arrow), 1);
    visit.press(thirtyfour::Key::Escape);
    visit.gone(&arrow);
    // It is played after white's move.
    visit.cells(&["d6", "d5"]);
    assert_eq!(visit.truth(&name)["played"], json!([]), "nothing is sent before");
    friend(&visit, &name, &white, "moves", &json!({"move": "d2d3", "ply": 0})).ok();
    visit.until("both moves", || (visit.ply() == 2).then_some(()));
    assert_eq!(visit.truth(&name)["played"][1]["text"], "d6d5");
    visit.gone(&arrow);
    // One that is not legal then is dropped, with a note.
    visit.cells(&["d5", "a1"]);
    friend(&visit, &name, &white, "moves", &json!({"move": "c2c3", "ply": 2})).ok();
    visit.says("[data-message]", "d5–a1 is not possible now");
    let game = visit.truth(&name);
    assert_eq!((ply(&game), moves(&game).is_empty()), (3, false));
    visit.at_ply(3);
}
