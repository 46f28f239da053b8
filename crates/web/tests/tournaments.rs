//! Tournaments over the API: begun, watched, paused, resumed, joined, deleted, and only by those who may.

mod common;

use std::path::Path;
use std::thread;

use agon_arena::Registry;
use agon_arena::store::Store;
use agon_arena::tournament::{read_text, run::run};
use agon_search::StopFlag;
use common::Running;
use common::tournaments::{crashing_program, quick, store_many};
use serde_json::{Value, json};

fn games(view: &Value) -> u64 {
    view["games"].as_u64().unwrap()
}

fn is_finished(view: &Value) -> bool {
    view["state"] == "finished"
}

#[test]
fn a_tournament_is_begun_played_and_shown() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path());
    let client = server.client();
    let plan = client.post("/api/tournament-plan", &json!({"file": quick("cup", 4)})).ok();
    assert_eq!((&plan["games"], &plan["agents"]), (&json!(12), &json!(3)));
    assert!(client.get("/api/tournaments").ok()["tournaments"].as_array().unwrap().is_empty());
    let begun = client.begin_tournament(&quick("cup", 4), "");
    assert_eq!((begun.status, &begun.json()["name"]), (201, &json!("cup")));
    let view = client.wait_tournament("cup", "finished", is_finished);
    assert_eq!((games(&view), &view["planned"], &view["hosted"]), (12, &json!(12), &json!(false)));
    let standings = view["standings"].as_array().unwrap();
    assert_eq!(standings.len(), 3);
    let sum: u64 = standings.iter().map(|row| row["points"].as_u64().unwrap()).sum();
    assert_eq!(sum, 1200, "a hundred points a game");
    let against = standings[0]["against"].as_array().unwrap();
    assert_eq!(against.len(), 3);
    assert_eq!(view["latest_games"].as_array().unwrap().len(), 12);
    assert!(view["ranking"].as_str().unwrap().contains("points a game"));
    let list = client.get("/api/tournaments").ok();
    assert_eq!(list["tournaments"][0]["state"], "finished");
    // The same file comes out.
    assert_eq!(client.get("/api/tournaments/cup/file.toml").text, quick("cup", 4));
    let again = client.begin_tournament(&quick("cup", 4), "").error();
    assert!(again.1.contains("already"), "{again:?}");
    assert_eq!(client.delete("/api/tournaments/cup").status, 204);
    assert_eq!(client.get("/api/tournaments/cup").status, 404);
}

#[test]
fn mistakes_are_shown_with_their_line() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start_with(folder.path(), |options| {
        options.registry = agon_wire::registry(None);
    });
    let client = server.client();
    for (change, words) in [
        (("greedy", "gredy"), "did you mean greedy"),
        (("breakthrough:5x5", "breakthrough:5x55"), "line 3"),
        (("round-robin", "robin"), "There are: round-robin"),
        (("nodes = 200", "openings = \"no-such-file.txt\""), "secret"),
        (("\"random\"", "\"ugi:./engine\""), "--allow-programs"),
        (("\"random\"", "\"engine:threads=64\""), "at most"),
    ] {
        let text = quick("cup", 2).replace(change.0, change.1);
        for path in ["/api/tournaments", "/api/tournament-plan"] {
            let (_, message) = client.post(path, &json!({ "file": text })).error();
            assert!(message.contains(words), "{change:?}: {message}");
        }
    }
    let list = client.get("/api/tournaments").ok();
    assert_eq!(list["tournaments"], json!([]), "nothing was begun");
}

#[test]
fn it_pauses_goes_on_and_survives_the_end_of_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path());
    let client = server.client();
    client.begin_tournament(&quick("long", 100_000), "").ok();
    client.wait_tournament("long", "a few games", |view| games(view) > 5);
    let path = "/api/tournaments/long";
    assert_eq!(client.post(&format!("{path}/pause"), &json!({})).status, 204);
    let paused = client.get(path).ok();
    assert_eq!(paused["state"], "paused");
    thread::sleep(std::time::Duration::from_millis(1200));
    let later = client.get(path).ok();
    assert_eq!(games(&later), games(&client.get(path).ok()), "nothing is played");
    assert_eq!(client.post(&format!("{path}/resume"), &json!({})).status, 204);
    let more = client.wait_tournament("long", "more games", |view| games(view) > games(&later) + 5);
    assert_eq!(more["state"], "running");
    drop(server);
    // What ran goes on; what was paused stays so.
    let server = Running::start(folder.path());
    let client = server.client();
    let before = games(&more);
    client.wait_tournament("long", "going on by itself", |view| games(view) > before + 50);
    client.post(&format!("{path}/pause"), &json!({}));
    drop(server);
    let server = Running::start(folder.path());
    let client = server.client();
    thread::sleep(std::time::Duration::from_millis(300));
    assert_eq!(client.get(path).ok()["state"], "paused");
    let numbers = {
        let store = Store::open(folder.path()).unwrap();
        let series = store.find_tournament("long").unwrap().unwrap();
        store.finished_numbers(series.id).unwrap()
    };
    assert!(numbers.windows(2).all(|two| two[0] < two[1]), "no game twice");
}

#[test]
fn an_agent_joins_and_another_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path());
    let client = server.client();
    client.begin_tournament(&quick("cup", 4), "").ok();
    client.wait_tournament("cup", "finished", is_finished);
    let joined = quick("cup", 4) + "\n[[agents]]\nname = \"four\"\nagent = \"random\"\n";
    let path = "/api/tournaments/cup/file";
    assert_eq!(client.post(path, &json!({ "file": joined })).status, 204);
    let view =
        client.wait_tournament("cup", "all games", |view| is_finished(view) && games(view) == 24);
    let late = view["standings"].as_array().unwrap().iter().find(|row| row["name"] == "four");
    assert_eq!((&late.unwrap()["games"], &late.unwrap()["joined"]), (&json!(12), &json!(1)));
    // Another agent under the same name: somebody has to decide.
    let replaced = joined.replace("\"greedy\"", "\"minimax:depth=2\"");
    let (code, message) = client.post(path, &json!({ "file": replaced })).error();
    assert_eq!(code, "changed", "{message}");
    assert!(message.contains("two") && message.contains("replay"), "{message}");
    let decided = json!({"file": replaced, "changed": "replay"});
    assert_eq!(client.post(path, &decided).status, 204);
    let view = client
        .wait_tournament("cup", "all games again", |view| is_finished(view) && games(view) == 24);
    let two = view["standings"].as_array().unwrap().iter().find(|row| row["name"] == "two");
    assert_eq!(two.unwrap()["agent"], "minimax:depth=2");
    let other = joined.replace("name = \"cup\"", "name = \"other\"");
    assert!(client.post(path, &json!({ "file": other })).error().1.contains("called"));
}

#[test]
fn an_agent_that_changes_while_games_are_played_is_asked_about_and_nothing_stops() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path());
    let client = server.client();
    client.begin_tournament(&quick("cup", 100_000), "").ok();
    client.wait_tournament("cup", "a few games", |view| games(view) > 20);
    let replaced = quick("cup", 100_000).replace("\"greedy\"", "\"random\"");
    let path = "/api/tournaments/cup/file";
    assert_eq!(client.post(path, &json!({ "file": replaced })).error().0, "changed");
    let before = client.get("/api/tournaments/cup").ok();
    assert_eq!(before["state"], "running");
    client.wait_tournament("cup", "going on", |view| games(view) > games(&before));
    let decided = json!({"file": replaced, "changed": "keep"});
    assert_eq!(client.post(path, &decided).status, 204);
    client.wait_tournament("cup", "the new version", |view| {
        let rows = view["standings"].as_array().unwrap();
        rows.iter().any(|row| row["name"] == "two" && row["agent"] == "random")
    });
}

#[test]
fn one_that_another_process_plays_is_shown_with_its_boards() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path());
    let client = server.client();
    let text = "name = \"slow\"\nformat = \"round-robin\"\nvariant = \"congo\"\nper_move = \"300ms\"\n\
                games = 2\nagents = [\"engine\", \"mcts\"]\n";
    let tournament = read_text(text, Path::new("slow.toml"), &Registry::built_in()).unwrap();
    let stop = StopFlag::default();
    thread::scope(|scope| {
        let (folder, stop) = (folder.path(), &stop);
        scope.spawn(move || {
            let store = Store::open(folder).unwrap();
            run(&tournament, Some(&store), 1, stop, &mut |_| {}).unwrap();
        });
        let view = client.wait_tournament("slow", "a game in progress", |view| {
            view["playing"][0]["plies"].as_u64() > Some(5)
        });
        assert_eq!((&view["state"], &view["elsewhere"]), (&json!("running"), &json!(true)));
        let game = &view["playing"][0];
        assert_eq!(game["seats"], json!(["white", "black"]));
        assert!(game["scene"]["pieces"].as_array().unwrap().len() > 5, "{game}");
        assert_eq!(game["scene"]["cells"].as_array().unwrap().len(), 49);
        // It belongs to that process.
        let (_, message) = client.post("/api/tournaments/slow/pause", &json!({})).error();
        assert!(message.contains("does not play"), "{message}");
        for (route, body) in [("resume", json!({})), ("file", json!({"file": text}))] {
            let path = format!("/api/tournaments/slow/{route}");
            let (_, message) = client.post(&path, &body).error();
            assert!(message.starts_with("another process plays it"), "{route}: {message}");
        }
        stop.stop();
    });
    let view = client.wait_tournament("slow", "at rest", |view| view["state"] == "unfinished");
    assert_eq!(view["playing"], json!([]));
}

#[test]
fn elsewhere_only_those_with_the_secret_begin_and_change_tournaments() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start_with(folder.path(), |options| {
        options.name = Some("agon.example.org".into());
        options.registry = agon_wire::registry(None);
    });
    let client = server.client();
    let secret = server.secret.clone().unwrap();
    let host = ("host", "agon.example.org");
    let send = |path: &str, body: &Value, secret: &str| {
        let mut headers = vec![("content-type", "application/json"), host];
        if !secret.is_empty() {
            headers.push(("x-agon-secret", secret));
        }
        client.post_with(path, &headers, &body.to_string())
    };
    let file = json!({"file": quick("cup", 100_000)});
    for wrong in ["", "0123"] {
        assert_eq!(send("/api/tournaments", &file, wrong).error().0, "forbidden");
        assert_eq!(send("/api/tournament-plan", &file, wrong).error().0, "forbidden");
    }
    assert_eq!(send("/api/tournaments", &file, &secret).status, 201);
    for route in ["pause", "resume", "file"] {
        let body = if route == "file" { &file } else { &json!({}) };
        let path = format!("/api/tournaments/cup/{route}");
        assert_eq!(send(&path, body, "").error().0, "forbidden", "{route}");
        assert_eq!(send(&path, body, "wrong").error().0, "forbidden", "{route}");
    }
    assert_eq!(client.delete_with("/api/tournaments/cup", &[host]).error().0, "forbidden");
    // The secret does not allow programs where the server does not start any.
    let program = json!({"file": quick("evil", 2).replace("\"random\"", "\"ugi:true\"")});
    assert_eq!(send("/api/tournaments", &program, &secret).error().0, "forbidden");
    assert_eq!(send("/api/tournaments/cup/pause", &json!({}), &secret).status, 204);
    // Everybody may look, but a file may name programs and folders.
    assert_eq!(client.get_with("/api/tournaments/cup", &[host]).status, 200);
    assert_eq!(client.get_with("/api/tournaments/cup/file.toml", &[host]).error().0, "forbidden");
    assert_eq!(client.get_with("/api/tournaments", &[host]).ok()["open"], false);
}

#[test]
fn a_program_that_crashes_is_withdrawn_with_its_evidence() {
    let folder = tempfile::tempdir().unwrap();
    let program = crashing_program(folder.path());
    let server = Running::start_with(folder.path(), |options| {
        options.registry = agon_wire::registry(None);
        options.allow_programs = true;
    });
    let client = server.client();
    let secret = server.secret.clone().unwrap();
    let text = quick("cup", 8).replace("agent = \"random\"", &format!("agent = {program:?}"));
    assert_eq!(client.begin_tournament(&text, "").error().0, "forbidden");
    client.begin_tournament(&text, &secret).ok();
    let view = client.wait_tournament("cup", "finished", is_finished);
    let one = view["standings"].as_array().unwrap().iter().find(|row| row["name"] == "one");
    assert_eq!(one.unwrap()["withdrawn"], true);
    let faults = view["latest_faults"].as_array().unwrap();
    assert_eq!(faults.len(), 3, "and then it was withdrawn");
    assert_eq!(faults[0]["agent"], "one");
    let evidence = faults[0]["evidence"].as_str().unwrap();
    assert!(evidence.contains("this is the end") || evidence.contains("exit"), "{evidence}");
}

#[test]
fn a_large_tournament_fits_and_is_counted_once() {
    let folder = tempfile::tempdir().unwrap();
    store_many(folder.path(), "large", 60, 3540);
    let server = Running::start(folder.path());
    let client = server.client();
    let first = client.get("/api/tournaments/large");
    assert!(first.text.len() < 300_000, "{} bytes", first.text.len());
    let view = first.ok();
    assert_eq!((games(&view), view["standings"].as_array().unwrap().len()), (3540, 60));
    let tag = first.tag.unwrap();
    let again = client.get_with("/api/tournaments/large", &[("if-none-match", &tag)]);
    assert_eq!(again.status, 304, "nothing is new");
    thread::scope(|scope| {
        for _ in 0..20 {
            scope.spawn(|| assert_eq!(client.get("/api/tournaments/large").status, 200));
        }
    });
}
