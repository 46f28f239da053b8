//! Games that another process plays, on the pages of the same data folder.

mod common;

use agon_arena::store::{SittingChange, Store};
use common::elsewhere::{Elsewhere, NAMES};
use common::page::Page;
use common::{Running, moves, ply};
use serde_json::{Value, json};

const VARIANT: &str = "breakthrough:5x5";

/// The page shows the game that is played.
fn check(seen: &Value, elsewhere: &Elsewhere) {
    let session = elsewhere.session();
    assert_eq!(seen["position"]["position"], session.table().position());
    let played = seen["played"].as_array().unwrap().iter().map(|mv| mv["text"].as_str().unwrap());
    let plies: Vec<&str> = session.plies().iter().map(|ply| ply.mv.as_str()).collect();
    assert_eq!(played.collect::<Vec<_>>(), plies);
    assert_eq!(seen["position"]["outcome"].is_null(), session.to_move().is_some());
}

#[test]
fn a_game_that_is_played_elsewhere_is_shown_up_to_date() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Running::start(folder.path());
    let mut elsewhere = Elsewhere::begin(folder.path(), VARIANT);
    for plies in 0..6 {
        // A server that begins in the middle of the game shows the same.
        if plies == 3 {
            drop(server);
            server = Running::start(folder.path());
        }
        let game = server.client().get(&elsewhere.path()).ok();
        check(&game, &elsewhere);
        let players = game["players"].as_array().unwrap();
        for (player, name) in players.iter().zip(NAMES) {
            assert_eq!((&player["kind"], &player["name"]), (&json!("elsewhere"), &json!(name)));
        }
        let quiet = ["watch", "clock", "waiting", "rematch"].map(|key| game[key].is_null());
        assert_eq!((quiet, &game["thinking"]), ([true; 4], &json!(false)));
        assert_eq!(moves(&game), elsewhere.session().table().moves());
        elsewhere.play();
    }
    // Its record is up to date, too.
    let record = server.client().get(&format!("{}/record", elsewhere.path())).text;
    let last = elsewhere.session().plies().last().unwrap();
    assert!(record.contains(&last.mv) && record.contains(NAMES[0]), "{record}");
    elsewhere.finish();
    let over = server.client().get(&elsewhere.path()).ok();
    check(&over, &elsewhere);
    assert_eq!(over["position"]["moves"], json!([]));
    let records = server.client().get("/api/records").ok();
    assert_eq!(records["total"], 0, "nothing is recorded");
}

#[test]
fn an_open_page_gets_every_move_the_result_and_the_next_game() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path());
    let mut elsewhere = Elsewhere::begin(folder.path(), VARIANT);
    let first = server.client().get(&elsewhere.path()).ok();
    let mut page = Page::open_with(server.address, &first);
    let mut version = first["version"].as_u64().unwrap();
    let mut newer = |seen: &Value| {
        let before = std::mem::replace(&mut version, seen["version"].as_u64().unwrap());
        assert!(version > before, "versions never go down");
    };
    for at in 1..=4 {
        elsewhere.play();
        let seen = page.next().unwrap();
        assert_eq!(ply(&seen), at);
        check(&seen, &elsewhere);
        newer(&seen);
    }
    elsewhere.finish();
    let over = page.wait(|game| !game["position"]["outcome"].is_null());
    check(&over, &elsewhere);
    newer(&over);
    assert_eq!(over["created_at"], first["created_at"]);
    elsewhere.next_game("congo", ["other", "players"]);
    let next = page.next().unwrap();
    check(&next, &elsewhere);
    newer(&next);
    assert!(next["created_at"].as_i64() > first["created_at"].as_i64(), "it is another game");
    let whole = server.client().get(&elsewhere.path()).ok();
    assert_eq!(
        (&whole["position"]["variant"], &whole["players"][0]["name"]),
        (&json!("congo"), &json!("other"))
    );
    assert_eq!(whole["version"], next["version"], "a plain request gets the same version");
}

#[test]
fn a_page_catches_up_after_a_restart_of_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let mut elsewhere = Elsewhere::begin(folder.path(), VARIANT);
    let server = Running::start(folder.path());
    let first = server.client().get(&elsewhere.path()).ok();
    drop(server);
    elsewhere.play();
    let server = Running::start(folder.path());
    let mut page = Page::open_with(server.address, &first);
    assert_eq!(ply(&page.next().unwrap()), 1, "missed moves arrive at once");
    elsewhere.play();
    assert_eq!(ply(&page.next().unwrap()), 2);
}

#[test]
fn it_is_listed_to_everybody_among_the_games_to_watch() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start_with(folder.path(), |options| {
        options.listen = Some("0.0.0.0:0".parse().unwrap());
    });
    let mut elsewhere = Elsewhere::begin(folder.path(), VARIANT);
    elsewhere.play();
    elsewhere.next_game(VARIANT, NAMES);
    elsewhere.play();
    let address = ([127, 0, 0, 1], server.address.port()).into();
    let client = common::Client::new(address);
    let listed = client.get("/api/games").ok();
    let games = listed["games"].as_array().unwrap();
    assert_eq!(games.len(), 1, "one page for all games of a process");
    assert_eq!((&games[0]["id"], &games[0]["ply"]), (&json!(elsewhere.id()), &json!(1)));
    assert_eq!(games[0]["players"][1]["name"], NAMES[1]);
    assert_eq!(client.delete(&elsewhere.path()).error().0, "forbidden");
}

#[test]
fn it_cannot_be_changed_here_and_such_a_seat_cannot_be_requested() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path());
    let client = server.client();
    let mut elsewhere = Elsewhere::begin(folder.path(), VARIANT);
    elsewhere.play();
    for over in [false, true] {
        let before = client.get(&elsewhere.path()).ok();
        let legal = moves(&before).first().cloned().unwrap_or_default();
        let ply = ply(&before);
        for (what, body) in [
            ("moves", json!({"move": legal, "ply": ply})),
            ("undo", json!({"ply": ply})),
            ("resign", json!({"ply": ply, "seat": 0})),
            ("draw", json!({"ply": ply})),
            ("watch", json!({"paused": true})),
            ("rematch", json!({})),
        ] {
            let (code, message) =
                client.post(&format!("{}/{what}", elsewhere.path()), &body).error();
            assert_eq!(code, "forbidden", "{what}");
            assert!(message.contains("played elsewhere"), "{what}: {message}");
        }
        assert_eq!(client.get(&elsewhere.path()).ok(), before, "over: {over}");
        elsewhere.finish();
    }
    let seats = json!([{"kind": "human"}, {"kind": "elsewhere", "name": "Mallory"}]);
    let (code, message) =
        client.post("/api/games", &json!({"variant": VARIANT, "seats": seats})).error();
    assert_eq!(code, "bad_request");
    assert!(message.contains("elsewhere"), "{message}");
    assert_eq!(client.get("/api/games").ok()["games"].as_array().unwrap().len(), 1);
}

#[test]
fn hints_work_as_in_any_game() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path());
    let mut elsewhere = Elsewhere::begin(folder.path(), VARIANT);
    elsewhere.play();
    let path = format!("{}/hint", elsewhere.path());
    let hint = server.client().post(&path, &json!({"ply": 1})).ok();
    let found = hint["move"]["text"].as_str().unwrap().to_string();
    assert!(elsewhere.session().table().moves().contains(&found), "{found}");
}

#[test]
fn a_page_learns_when_the_game_is_deleted_by_any_server() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path());
    let mut elsewhere = Elsewhere::begin(folder.path(), VARIANT);
    let path = elsewhere.path();
    let delete_here = || assert_eq!(server.client().delete(&path).status, 204);
    let gone = [SittingChange::Delete(elsewhere.id().into())];
    let store = Store::open(folder.path()).unwrap();
    let delete_elsewhere = || store.change_sittings(&gone).unwrap();
    for delete in [&delete_here as &dyn Fn(), &delete_elsewhere] {
        let mut page = Page::open(server.address, elsewhere.id());
        check(&page.next().unwrap(), &elsewhere);
        delete();
        assert_eq!(page.next(), None);
        assert_eq!(server.client().get(&elsewhere.path()).error().0, "not_found");
        // Its players do not know, and play on.
        elsewhere.play();
        check(&server.client().get(&elsewhere.path()).ok(), &elsewhere);
    }
}
