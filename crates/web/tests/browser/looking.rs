//! Looking back: the buttons and keys, advice in any position, playing on from there, missing men; and
//! the board stays where it is.

use serde_json::{Value, json};
use thirtyfour::Key;

use crate::common::{id, ply};
use crate::harness::Visit;
use crate::page::{BOARD, PERSON};

const LOOKING: &str = "[data-status=looking]";

/// Plays these moves for two people at one board, and opens the page.
fn played(visit: &Visit, variant: &str, position: Option<&str>, moves: &[&str]) -> String {
    let human = json!({"kind": "human"});
    let new = json!({"variant": variant, "position": position, "seats": [human, human]});
    let game = visit.client.post("/api/games", &new).ok();
    let path = format!("/api/games/{}/moves", id(&game));
    for (ply, mv) in moves.iter().enumerate() {
        visit.client.post(&path, &json!({"move": mv, "ply": ply})).ok();
    }
    visit.open(&format!("/play/{}", id(&game)));
    visit.arrive("game");
    visit.at_ply(moves.len());
    id(&game).to_string()
}

#[test]
fn buttons_and_keys_go_through_the_game() {
    let visit = Visit::new();
    played(&visit, "congo", None, &["d2d3", "d6d5", "c2c3"]);
    let disabled = |action: &str| {
        visit.ask(&format!("document.querySelector('[data-action={action}]').disabled"))
    };
    assert_eq!((disabled("last"), disabled("first")), (json!(true), json!(false)));
    visit.click("[data-action=first]");
    visit.says(LOOKING, "the start");
    assert_eq!((disabled("last"), disabled("first")), (json!(false), json!(true)));
    visit.click("[data-action=forward]");
    visit.says(LOOKING, "move 1");
    visit.click("[data-action=last]");
    visit.gone(LOOKING);
    visit.click("[data-action=back]");
    visit.says(LOOKING, "move 2");
    visit.click("h1");
    visit.press(Key::Home);
    visit.says(LOOKING, "the start");
    visit.press(Key::Right);
    visit.says(LOOKING, "move 1");
    visit.press(Key::End);
    visit.gone(LOOKING);
    visit.ready();
    // On the board, the arrow keys move the cursor.
    crate::keyboard::tab_to(&visit, &format!("{BOARD} [data-cell]"));
    visit.press(Key::Left);
    assert_eq!(visit.count(LOOKING), 0);
}

#[test]
fn advice_is_given_in_every_position_and_each_has_its_line() {
    let visit = Visit::new();
    played(&visit, "breakthrough:5x5", Some("5/3p1/2P2/5/5 w"), &["c3c4", "d4d3", "c4c5"]);
    visit.text("[data-result]");
    visit.click("[data-action=back]");
    visit.says(LOOKING, "move 2");
    visit.click("[data-action=hint]");
    visit.says("[data-line=hint]", "c4");
    assert_eq!(visit.count(&format!("{BOARD} .arrow-hint")), 1);
    visit.click("[data-action=threats]");
    visit.says("[data-line=threats]", "threat");
    visit.says("[data-line=hint]", "c4");
    visit.click("[data-action=evaluate]");
    visit.says("[data-line=evaluation]", "White is winning");
    assert_eq!(visit.ask("document.querySelector('meter').value"), 1);
    visit.says("[data-line=threats]", "threat");
    // Another position, other words.
    visit.click("[data-action=back]");
    visit.says(LOOKING, "move 1");
    visit.wait("no hint", "document.querySelector('[data-line=hint]').textContent === ''");
    visit.says("[data-line=threats]", "threat");
    visit.click("[data-action=evaluate]");
    visit.says("[data-line=evaluation]", "White is winning (loss in 2 plies for black)");
}

#[test]
fn a_new_game_begins_at_an_earlier_position() {
    let visit = Visit::new();
    let first = played(&visit, "congo", None, &["d2d3", "d6d5", "c2c3"]);
    assert_eq!(visit.ask("document.querySelector('[data-action=branch]').hidden"), true);
    visit.click("[data-action=back]");
    visit.says(LOOKING, "move 2");
    visit.click("[data-action=branch]");
    visit.until("another game", || {
        (!visit.ask("location.pathname").as_str()?.ends_with(&first)).then_some(())
    });
    visit.at_ply(2);
    visit.becomes("d5", "black pawn");
    visit.cells(&["e2", "e3"]);
    visit.at_ply(3);
    assert_eq!(visit.truth(&first)["played"][2]["text"], "c2c3", "the old game stays");
}

#[test]
fn missing_men_are_shown_for_the_position_on_the_board() {
    let visit = Visit::new();
    let start = "7/7/2p1l2/3P3/7/7/2L4 w 0";
    let id = played(&visit, "congo", Some(start), &[]);
    assert_eq!(visit.count("[data-lost] .lost-kind"), 0);
    let taking = json!({"move": "d4c5", "ply": 0});
    visit.client.post(&format!("/api/games/{id}/moves"), &taking).ok();
    let taken = "[data-lost] .lost-kind[data-owner=\"1\"]";
    visit.wait("a missing man", &format!("document.querySelector('{taken}')"));
    visit.click("[data-action=first]");
    visit.gone("[data-lost] .lost-kind");
    // Where nothing is taken, nothing is missing.
    visit.sit_down("connect4", None, &[PERSON, PERSON]);
    visit.ready();
    assert_eq!(visit.ask("document.querySelector('[data-lost]').hidden"), true);
}

#[test]
fn sounds_are_off_until_switched_on_and_then_remembered() {
    let visit = Visit::new();
    played(&visit, "congo", None, &[]);
    let pressed = "document.querySelector('[data-action=sounds]').ariaPressed";
    assert_eq!(visit.ask(pressed), "false");
    visit.click("[data-action=sounds]");
    assert_eq!(visit.ask(pressed), "true");
    visit.cells(&["d2", "d3"]);
    visit.at_ply(1);
    visit.runtime.block_on(visit.driver.refresh()).expect("a reload");
    visit.ready();
    assert_eq!(visit.ask(pressed), "true");
}

/// Notes where the board is at every frame.
const WATCH: &str = "
(() => {
    window.places = new Set();
    const look = () => {
        const board = document.querySelector('[data-board=live] svg');
        const { left, top, width } = board.getBoundingClientRect();
        places.add([left, top + scrollY, width].map(Math.round).join());
        requestAnimationFrame(look);
    };
    look();
})()";

#[test]
fn the_board_stays_where_it_is_on_a_phone() {
    let visit = Visit::by_phone();
    for (variant, rivals, rounds) in [
        ("fenix", 1, 6),
        ("breakthrough:8x8", 1, 4),
        ("congo", 1, 4),
        ("wumpus:6", 1, 2),
        ("fauhalma:star3", 2, 3),
        ("connect4", 1, 3),
    ] {
        visit.sit_down(variant, None, &[[PERSON].as_slice(), &vec!["random"; rivals]].concat());
        visit.ready();
        visit.ask(WATCH);
        let name = visit.ask("location.pathname.split('/').pop()");
        let name = name.as_str().unwrap().to_string();
        // The guide, the result of clicks, looking back, advice and the end all change the texts.
        for _ in 0..rounds {
            let game = visit.truth(&name);
            let mv = game["position"]["moves"][0].clone();
            visit.enter(&mv, &game["position"]["scene"]);
            let before = ply(&game);
            let is_over = |game: &Value| !game["position"]["outcome"].is_null();
            let rests = |game: &Value| {
                is_over(game) || ply(game) > before && game["position"]["to_move"] == 0
            };
            let game = visit.client.wait(&name, "my turn", rests);
            assert!(!is_over(&game), "{variant}: {}", game["position"]["outcome"]);
            visit.at_ply(ply(&game) as usize);
        }
        visit.click("[data-action=first]");
        visit.says(LOOKING, "the start");
        visit.click("[data-action=last]");
        visit.gone(LOOKING);
        visit.ready();
        visit.click("[data-action=resign]");
        visit.click("dialog [data-action=confirm]");
        visit.text("[data-result]");
        let places = visit.ask("[...places]");
        assert_eq!(places.as_array().map(Vec::len), Some(1), "{variant}: {places}");
    }
}
