//! A data folder of the previous version, whose server was killed: every game is there and resumes.

mod common;

use std::fs;
use std::path::Path;

use common::{Running, moves, ply};
use serde_json::{Value, json};

const OLD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../arena/tests/data/version-2");

#[test]
fn games_of_the_previous_version_resume() {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(Path::new(OLD).join("games.db"), folder.path().join("games.db")).unwrap();
    let text = fs::read_to_string(Path::new(OLD).join("pages.json")).unwrap();
    let old: Value = serde_json::from_str(&text).unwrap();
    let server = Running::start(folder.path());
    let client = server.client();
    let listed = client.get("/api/games").ok();
    assert_eq!(listed["games"].as_array().unwrap().len(), old.as_object().unwrap().len());
    let path = |name: &str| format!("/api/games/{}", old[name]["id"].as_str().unwrap());
    for (name, old) in old.as_object().unwrap() {
        let mut game = client.get(&path(name)).ok();
        // Seats have names for people now.
        for player in game["players"].as_array_mut().unwrap() {
            assert!(player.as_object_mut().unwrap().remove("label").is_some());
        }
        for what in ["played", "players", "watch", "can_undo"] {
            assert_eq!(game[what], old[what], "{what} of {name}");
        }
        assert_eq!(game["position"]["position"], old["position"], "{name}");
        // The reason is the arena's now; what people read is the same.
        for what in ["points", "places", "sentence"] {
            let (now, then) = (&game["position"]["outcome"][what], &old["outcome"][what]);
            assert_eq!(now, then, "{what} of {name}");
        }
        assert_eq!(game["clock"]["control"], old["clock"]["control"], "{name}");
        if old["outcome"].is_object() {
            assert_eq!(game["clock"]["remaining_ms"], old["clock"]["remaining_ms"], "{name}");
        }
    }
    // The clock of the player to move runs from the moment the game is opened.
    let clock = &client.get(&path("clock")).ok()["clock"];
    let (now, then) = (&clock["remaining_ms"], &old["clock"]["clock"]["remaining_ms"]);
    let spent = then[0].as_u64().unwrap().checked_sub(now[0].as_u64().unwrap());
    assert!(spent.is_some_and(|spent| spent < 30_000), "{clock}");
    assert_eq!((&now[1], &clock["running"]), (&then[1], &json!(0)));
    for (name, plies) in [("clock", 2), ("three", 3), ("taken_back", 2)] {
        let game = client.get(&path(name)).ok();
        let made = json!({"move": moves(&game)[0], "ply": ply(&game)});
        client.post(&(path(name) + "/moves"), &made).ok();
        let id = game["id"].as_str().unwrap();
        client.wait(id, "answered", |now| ply(now) == ply(&game) + plies);
    }
    let paused = old["paused"]["id"].as_str().unwrap();
    client.post(&(path("paused") + "/watch"), &json!({"step": true})).ok();
    client.wait(paused, "one move on", |now| ply(now) == 6);
}
