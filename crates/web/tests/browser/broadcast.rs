//! The page of a game that another process plays.

use agon_core::scene::{Cell, Piece};
use serde_json::{Value, json};

use crate::common::elsewhere::{Elsewhere, NAMES};
use crate::driver::Setup;
use crate::harness::Visit;
use crate::page::BOARD;

/// A visit to a server whose folder has a game that is played elsewhere.
fn visit() -> (Visit, Elsewhere) {
    let mut elsewhere = None;
    let begin = |folder: &std::path::Path| {
        elsewhere = Some(Elsewhere::begin(folder, "breakthrough:5x5"));
    };
    let visit = Visit::with(Setup::default(), begin);
    (visit, elsewhere.expect("a game was begun"))
}

/// The visible buttons and fields beside the board and in the headline.
fn buttons(visit: &Visit) -> Value {
    visit.ask(
        "[...document.querySelectorAll('main :is(button, input)[data-action], main [data-field]')]
            .filter((one) => one.checkVisibility())
            .map((one) => one.dataset.action ?? one.dataset.field).sort()",
    )
}

/// Waits until the board shows the pieces of the game.
fn sees_board(visit: &Visit, elsewhere: &Elsewhere) {
    let table = elsewhere.session().table();
    let scene = table.scene();
    let said = |(index, cell): (usize, &Cell)| {
        let piece = scene.pieces.iter().find(|piece| piece.cell == index);
        let seat = |piece: &Piece| format!("{} {}", table.seat_name(piece.owner), piece.name);
        format!("{}, {}", cell.name, piece.map_or("empty".to_string(), seat))
    };
    let cells: Vec<String> = scene.cells.iter().enumerate().map(said).collect();
    let look = format!(
        "arguments[0].every((words, at) => document.querySelector(
            `{BOARD} [data-index='${{at}}']`)?.ariaLabel.startsWith(words))"
    );
    visit.until("the board is as it is elsewhere", || {
        (visit.ask_about(&look, vec![json!(cells)]) == true).then_some(())
    });
}

#[test]
fn a_game_that_is_played_elsewhere_is_watched_to_its_end_and_the_next_one_too() {
    let (visit, mut elsewhere) = visit();
    visit.open("/");
    visit.wait("it is listed", "document.querySelector('[data-list=watched] [data-game]')");
    assert_eq!(visit.count("[data-list=own]"), 0, "it is nobody's own game");
    visit.click("[data-list=watched] a.title");
    visit.arrive("game");
    visit.says("[data-elsewhere]", "Played elsewhere and shown here live");
    for (seat, name) in NAMES.iter().enumerate() {
        visit.says(&format!(".player[data-seat='{seat}'] strong"), name);
    }
    // One can look back and ask for advice; nothing here changes the game.
    let quiet = json!([
        "analyse",
        "back",
        "coordinates",
        "copy-game",
        "copy-position",
        "evaluate",
        "first",
        "flip",
        "forward",
        "hint",
        "last",
        "sounds",
        "threats"
    ]);
    for ply in 1..=4 {
        visit.says("[data-status=turn]", &format!("{} to move", NAMES[(ply - 1) % 2]));
        elsewhere.play();
        visit.until("the move is in the list", || (visit.ply() == ply).then_some(()));
        sees_board(&visit, &elsewhere);
        assert_eq!(buttons(&visit), quiet);
    }
    // Their keyboard shortcuts do nothing, either.
    for key in ["u", "h", "p"] {
        visit.press(key);
    }
    assert_eq!(visit.ask("document.querySelector('[data-message]').textContent"), "");
    elsewhere.finish();
    let outcome = &visit.truth(elsewhere.id())["position"]["outcome"];
    visit.says("[data-result]", outcome["sentence"].as_str().expect("the game is over"));
    visit.says("[data-elsewhere]", "If another game follows");
    sees_board(&visit, &elsewhere);
    assert_eq!(buttons(&visit), quiet);
    elsewhere.next_game("congo", ["other", "players"]);
    visit.says("h1", "Congo");
    visit.says(".player[data-seat='1'] strong", "players");
    visit.gone("[data-result]");
    elsewhere.play();
    visit.until("the move is in the list", || (visit.ply() == 1).then_some(()));
    sees_board(&visit, &elsewhere);
    assert!(visit.text("[data-elsewhere]").contains("Last update"));
}
