//! Reviews of games.

mod common;

use std::net::SocketAddr;
use std::thread;
use std::time::{Duration, Instant};

use agon_arena::review::{self, Course, Game, Review};
use agon_games::Catalog;
use agon_search::StopFlag;
use common::{Client, Running, id};
use serde_json::{Value, json};
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, connect};

fn sample_moves(variant: &str) -> Vec<String> {
    let mut table = agon_games::open(&variant.parse().unwrap()).unwrap();
    let mut rng = agon_core::Rng::new(5);
    while let Some(mv) = table.random_move(&mut rng).filter(|_| table.played().len() < 60) {
        table.play(&mv).unwrap();
    }
    table.played().to_vec()
}

fn finished_review(client: &Client, id: &str) -> Value {
    for _ in 0..600 {
        let answer = client.get(&format!("/api/reviews/{id}")).ok();
        assert_eq!(answer["problem"], Value::Null);
        assert!(answer["done"].as_u64() <= answer["total"].as_u64());
        if !answer["review"].is_null() {
            return answer["review"].clone();
        }
        thread::sleep(Duration::from_millis(50));
    }
    panic!("the review was never finished");
}

#[test]
fn a_review_is_kept_and_has_the_numbers_of_one_made_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path());
    let client = server.client();
    for variant in ["congo", "fauhalma:star3"] {
        let moves = sample_moves(variant);
        let body = json!({"variant": variant, "moves": moves, "opening": 2, "nodes": 2_000});
        let begun = client.post("/api/reviews", &body).ok();
        let found = finished_review(&client, id(&begun));
        let again = client.post("/api/reviews", &body);
        assert_eq!((again.status, &again.json()["review"]), (200, &found), "it is kept");
        let game = Game { variant: variant.into(), start: None, moves, opening: 2 };
        let tables = game.tables(&Catalog::built_in()).unwrap();
        let agent = review::reviewer("engine", tables[0].seats()).unwrap();
        let think = |table: &dyn agon_games::Table| {
            review::opinion(table, &agent, 2_000, &StopFlag::default()).unwrap().unwrap()
        };
        let mut course = Course::new(game, tables);
        while let Some(opinion) = course.next().map(think) {
            course.learn(opinion);
        }
        let own = course.finish(&agent, 2_000);
        assert_eq!(serde_json::from_value::<Review>(found).unwrap(), own);
    }
}

#[test]
fn a_review_outlives_the_server_and_bad_ones_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let moves = sample_moves("wumpus:3");
    let body = json!({"variant": "wumpus:3", "moves": moves, "nodes": 500});
    let (name, found) = {
        let server = Running::start(folder.path());
        let client = server.client();
        let begun = client.post("/api/reviews", &body).ok();
        let name = id(&begun).to_string();
        let found = finished_review(&client, &name);
        (name, found)
    };
    let server = Running::start_with(folder.path(), |options| {
        options.registry = agon_wire::registry(None);
    });
    let client = server.client();
    assert_eq!(client.get(&format!("/api/reviews/{name}")).ok()["review"], found);
    assert_eq!(client.get("/api/reviews/nothing").error().0, "not_found");
    for (body, words) in [
        (json!({"variant": "congo", "moves": []}), "1 to 4000 moves"),
        (json!({"variant": "congo", "moves": ["d2d9"]}), "d2d9"),
        (json!({"variant": "congo", "moves": ["d2d3"], "nodes": 0}), "nodes must be"),
        (json!({"variant": "congo", "moves": ["d2d3"], "agent": "nobody"}), "nobody"),
        (
            json!({"variant": "congo", "moves": ["d2d3"], "agent": "ugi:/bin/true"}),
            "--allow-programs",
        ),
    ] {
        let (_, message) = client.post("/api/reviews", &body).error();
        assert!(message.contains(words), "{message}");
    }
}

#[test]
fn a_review_that_is_being_made_can_be_cancelled_and_begun_again() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start_with(folder.path(), |options| options.threads = Some(1));
    let client = server.client();
    let moves = sample_moves("congo");
    // So many nodes that it is not finished before it is cancelled.
    let body = json!({"variant": "congo", "moves": moves, "nodes": 1_000_000});
    let begun = client.post("/api/reviews", &body);
    let (status, begun) = (begun.status, begun.ok());
    assert_eq!((status, begun["total"].as_u64()), (202, Some(moves.len() as u64 + 1)));
    let path = format!("/api/reviews/{}", id(&begun));
    assert_eq!(client.post("/api/reviews", &body).ok()["id"], begun["id"], "it is joined");
    assert_eq!(client.delete(&path).status, 204);
    assert_eq!(client.get(&path).status, 404);
    let since = Instant::now();
    while client.get("/api/server").ok()["searches"] != 0 {
        assert!(since.elapsed() < Duration::from_secs(20), "its searches stop");
        thread::sleep(Duration::from_millis(20));
    }
    let (code, message) = client.delete(&path).error();
    assert_eq!(code, "not_found");
    assert!(message.contains("is being made"), "{message}");
    let again = client.post("/api/reviews", &body);
    assert_eq!((again.status, &again.ok()["problem"]), (202, &Value::Null));
    assert_eq!(client.delete(&path).status, 204);
    // What is finished is kept.
    let body = json!({"variant": "congo", "moves": moves[..4], "nodes": 100});
    let begun = client.post("/api/reviews", &body).ok();
    finished_review(&client, id(&begun));
    assert_eq!(client.delete(&format!("/api/reviews/{}", id(&begun))).error().0, "not_found");
    assert_eq!(client.post("/api/reviews", &body).status, 200);
}

#[test]
fn a_review_does_not_wait_for_live_analysis_at_every_position() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start_with(folder.path(), |options| options.threads = Some(1));
    let client = server.client();
    let (mut socket, _) = connect(format!("ws://{}/api/analyse", server.address)).unwrap();
    let question = json!({"variant": "breakthrough:8x8", "analysts": ["engine"]});
    socket.send(Message::Text(question.to_string().into())).unwrap();
    let reading = thread::spawn(move || while socket.read().is_ok() {});
    while client.get("/api/server").ok()["searches"] == 0 {
        thread::sleep(Duration::from_millis(5));
    }
    let moves = sample_moves("congo");
    let begun = Instant::now();
    let review =
        client.post("/api/reviews", &json!({"variant": "congo", "moves": moves, "nodes": 10}));
    finished_review(&client, id(&review.ok()));
    // The analysis gives the thread away after a quarter of a second.
    let (took, each) = (begun.elapsed(), Duration::from_millis(250));
    assert!(took < each * moves.len() as u32 / 2, "{took:?} for {} moves", moves.len());
    drop(server);
    reading.join().unwrap();
}

/// What everybody can expect after a move of a race, as a page asks: on a connection of its own, with the
/// nodes of a review.
fn judged(address: SocketAddr, mv: &str) -> Value {
    let (mut socket, _) = connect(format!("ws://{address}/api/analyse")).unwrap();
    if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    }
    let question = json!({"variant": "breakthrough:5x5", "start": "5/1P3/5/3p1/P1P2 w",
        "moves": [mv], "analysts": ["engine:book=off"], "nodes": 20_000});
    socket.send(Message::Text(question.to_string().into())).unwrap();
    let since = Instant::now();
    loop {
        // Pings come all the time.
        assert!(since.elapsed() < Duration::from_secs(20), "the last news never comes");
        let Message::Text(text) = socket.read().expect("the page is answered") else { continue };
        let answer: Value = serde_json::from_str(&text).unwrap();
        if answer["analysts"][0]["state"] == "done" {
            return answer["analysts"][0]["lines"][0]["shares"].clone();
        }
    }
}

#[test]
fn every_entered_move_is_judged() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path());
    // The last news comes at once after the first: whatever the connection does meanwhile, such as
    // answering a ping, must not lose it.
    for _ in 0..40 {
        assert_eq!(judged(server.address, "c1c2"), json!([0.0, 1.0]));
        assert_eq!(judged(server.address, "b4b5"), Value::Null, "the game is over");
    }
}
