//! The API behind the page of workers on other machines.

mod common;

use std::sync::Arc;
use std::time::{Duration, Instant};

use agon_arena::fleet::Fleet;
use common::tournaments::store_many;
use common::workers::{Post, fleet, hostile, run, worker};
use common::{Client, Running};
use serde_json::{Value, json};

fn server(post: &Arc<Post>) -> (tempfile::TempDir, Running, Client) {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start_with(folder.path(), |it| it.lookout = Some(post.clone()));
    let client = server.client();
    (folder, server, client)
}

/// The first answer for which a condition holds: answers are computed once a second.
fn wait(client: &Client, what: &str, is_so: impl Fn(&common::Answer) -> bool) -> common::Answer {
    let deadline = Instant::now() + Duration::from_secs(30);
    loop {
        let answer = client.get("/api/workers");
        if is_so(&answer) {
            return answer;
        }
        assert!(Instant::now() < deadline, "never {what}: {answer:?}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn everyone_is_shown_as_they_describe_themselves() {
    let (_folder, _server, client) = server(&Post::new(fleet()));
    let seen = client.get("/api/workers").ok();
    let total = json!({"workers": 3, "runs": 2, "slots": 12, "games_per_hour": 14_400.0});
    assert_eq!(seen["total"], total);
    let first = json!({
        "id": "lab-07-1", "name": "lab-07", "slots": 4, "games": 1200, "faults": 1, "troubles": 0,
        "seconds": 600, "games_per_hour": 7200.0, "leaving": false, "refused": [],
        "playing": [{"run": "cup-7", "name": "cup", "games": 4, "seconds": 12}],
        "abilities": {"version": "1.0.0", "signature": "0123abcd", "cores": 8,
            "memory_mib": 15_872, "isolation": "sandbox", "takes_programs": true,
            "own_programs": 1, "speed": 1_250_000},
    });
    assert_eq!(seen["workers"][0], first);
    assert_eq!(seen["workers"][1]["leaving"], true);
    assert_eq!(seen["workers"][1]["playing"][0]["name"], Value::Null, "that run is unknown");
    let refused = &seen["workers"][2]["refused"][0];
    assert_eq!(refused["name"], "cup");
    assert!(refused["reason"].as_str().unwrap().starts_with("it is build 0.9.0"), "{refused}");
    let runs = &seen["runs"];
    let half = json!({"id": "cup-7", "name": "cup", "tournament": null, "done": 2100,
        "coordinator": "pult, process 4711", "games": 4000, "waiting": 64, "workers": 2,
        "seconds_left": 950, "refused": 0, "warnings": []});
    assert_eq!(runs[0], half);
    let warnings = json!(["a result of lab-08 was refused: damaged", "the first"]);
    assert_eq!(runs[1]["warnings"], warnings, "the newest first");
}

#[test]
fn a_run_is_linked_to_the_tournament_of_this_store() {
    let folder = tempfile::tempdir().unwrap();
    store_many(folder.path(), "cup", 3, 6);
    let post = Post::new(Fleet { runs: vec![run("cup"), run("cups")], ..Fleet::default() });
    let server = Running::start_with(folder.path(), |it| it.lookout = Some(post));
    let runs = server.client().get("/api/workers").ok()["runs"].clone();
    assert_eq!((&runs[0]["tournament"], &runs[1]["tournament"]), (&json!("cup"), &Value::Null));
}

#[test]
fn a_broker_that_is_away_is_an_error_until_it_is_back() {
    let post = Post::new(fleet());
    let (folder, server, client) = server(&post);
    let tag = client.get("/api/workers").tag.unwrap();
    let again = client.get_with("/api/workers", &[("if-none-match", &tag)]);
    assert_eq!(again.status, 304, "nothing new is not sent again");
    post.lose();
    let lost = wait(&client, "away", |answer| answer.status == 503);
    let (code, message) = lost.error();
    assert_eq!(code, "away");
    assert!(message.contains("nats://broker:4222"), "{message}");
    post.see(Fleet { workers: vec![worker("new", "")], ..Fleet::default() });
    let back = wait(&client, "back", |answer| answer.status == 200).ok();
    assert_eq!(back["workers"][0]["name"], "new");
    // Strangers need not know where the broker is.
    drop(server);
    post.lose();
    let public = Running::start_with(folder.path(), |it| {
        it.name = Some("agon.example".into());
        it.lookout = Some(post.clone());
    });
    let (code, message) = public.client().get("/api/workers").error();
    assert_eq!((code.as_str(), message.as_str()), ("away", "the broker cannot be reached"));
}

#[test]
fn whatever_strangers_send_fits_on_a_page() {
    let post = Post::new(hostile("\u{1b}[2J\u{202e}"));
    let (_folder, _server, client) = server(&post);
    let answer = client.get("/api/workers");
    let seen = answer.ok();
    assert!(answer.text.len() < 40_000, "{} bytes", answer.text.len());
    assert!(!answer.text.contains('\u{202e}') && !answer.text.contains("\\u001b"));
    assert_eq!(seen["workers"][0]["refused"].as_array().unwrap().len(), 8);
    assert_eq!(seen["runs"][0]["warnings"].as_array().unwrap().len(), 5);
    let largest = json!((1_u64 << 53) - 1);
    assert_eq!((&seen["workers"][0]["games"], &seen["total"]["slots"]), (&largest, &largest));
    assert_eq!(seen["workers"][0]["games_per_hour"], 0.0);
    // Far too many are cut off, but counted.
    let name = |number| worker(&format!("{number:05}"), "cup-7");
    let crowd = Fleet { workers: (0..20_000).map(name).collect(), runs: vec![run("cup"); 300] };
    post.see(crowd);
    let seen = wait(&client, "the crowd", |answer| answer.ok()["total"]["workers"] == 20_000).ok();
    assert_eq!((&seen["total"]["runs"], &seen["total"]["slots"]), (&json!(300), &json!(80_000)));
    assert_eq!(seen["workers"].as_array().unwrap().len(), 500);
    assert_eq!(seen["runs"].as_array().unwrap().len(), 100);
}

#[test]
fn there_are_no_workers_without_a_broker_nor_on_a_server_of_the_contest() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path());
    let (code, message) = server.client().get("/api/workers").error();
    assert!(code == "not_found" && message.contains("--nats"), "{message}");
    let page = server.client().get("/");
    assert!(page.text.contains("data-frame=\"workbench\""), "{}", page.text);
    drop(server);
    let with = Running::start_with(folder.path(), |it| it.lookout = Some(Post::new(fleet())));
    let other = with.client().get_with("/", &[("if-none-match", &page.tag.unwrap())]);
    assert_eq!(other.status, 200, "another page, whatever a browser has kept");
    assert!(other.text.contains("data-frame=\"workbench workers\""), "{}", other.text);
    let described = with.client().get("/api/openapi.json").ok();
    assert!(described["paths"]["/api/workers"]["get"].is_object());
    drop(with);
    let contest = Running::start_with(folder.path(), |it| {
        it.only_contest = true;
        it.lookout = Some(Post::new(fleet()));
    });
    assert_eq!(contest.client().get("/api/workers").status, 404);
    let page = contest.client().get("/").text;
    assert!(page.contains("data-frame=\"contest\""), "{page}");
}
