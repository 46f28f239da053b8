//! Live games: WebSockets, two pages on one game, many games at once.

mod common;

use std::thread;
use std::time::Duration;

use common::page::{Manner, Page, play_game};
use common::{Running, id, ply};
use serde_json::{Value, json};

#[test]
fn two_pages_on_one_game_agree() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path());
    let client = server.client();
    let game = client.begin("congo", &["random"]);
    let mut pages = [(); 2].map(|()| Page::open(server.address, id(&game)));
    let path = format!("/api/games/{}/moves", id(&game));
    for page in &mut pages {
        assert_eq!(ply(&page.next().unwrap()), 0, "a page sees the game at once");
    }
    // Both play at the same time; one is first, and both see the same game.
    let answers: Vec<u16> = thread::scope(|scope| {
        let play = |mv: &'static str| {
            let (client, path) = (client.clone(), path.clone());
            scope.spawn(move || client.post(&path, &json!({"move": mv, "ply": 0})).status)
        };
        let running = [play("d2d3"), play("c2c3")];
        running.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(answers.contains(&200) && answers.contains(&409), "{answers:?}");
    let seen = pages.each_mut().map(|page| page.wait(|game| ply(game) == 2));
    assert_eq!(seen[0], seen[1]);
    client.delete(&format!("/api/games/{}", id(&game)));
    for page in &mut pages {
        assert_eq!(page.next(), None, "the page learns that the game has been deleted");
    }
}

/// A brief update, completed from the whole game.
fn with_news(game: &Value, news: &Value) -> Value {
    let mut merged = news.clone();
    for key in ["variant", "game", "title", "seats", "labels", "turns", "has_threats"] {
        merged["position"][key] = game["position"][key].clone();
    }
    for key in ["shape", "cells", "regions"] {
        merged["position"]["scene"][key] = game["position"]["scene"][key].clone();
    }
    merged
}

#[test]
fn a_page_that_has_the_game_gets_every_change_exactly_once() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path());
    let client = server.client();
    let people = json!([{"kind": "human"}, {"kind": "human"}]);
    for time in [json!(null), json!("5m+3s")] {
        let body = json!({"variant": "congo", "seats": people, "time": time});
        let game = client.post("/api/games", &body).ok();
        let mut page = Page::open_with(server.address, &game);
        let mut late = None;
        for (at, mv) in ["d2d3", "d6d5", "c2c3"].into_iter().enumerate() {
            let headers = [("content-type", "application/json"), ("prefer", "return=minimal")];
            let body = json!({"move": mv, "ply": at}).to_string();
            let path = format!("/api/games/{}/moves", id(&game));
            let answer = client.post_with(&path, &headers, &body);
            assert_eq!((answer.status, &*answer.text), (204, ""));
            // The first message is about the first change.
            let news = page.next().unwrap();
            assert_eq!(
                (ply(&news), news["played"][at]["text"].as_str()),
                (at as u64 + 1, Some(mv))
            );
            assert_eq!(answer.tag, Some(format!("\"{}\"", news["version"])));
            let position = news["position"].as_object().unwrap();
            assert!(!position.contains_key("seats") && !position.contains_key("turns"));
            let scene: Vec<&String> = position["scene"].as_object().unwrap().keys().collect();
            assert_eq!(scene, ["pieces"]);
            let (mut seen, mut whole) =
                (with_news(&game, &news), client.get(&format!("/api/games/{}", id(&game))).ok());
            assert_eq!(seen["clock"]["control"], time);
            (seen["clock"], whole["clock"]) = (json!(null), json!(null));
            assert_eq!(seen, whole);
            late.get_or_insert_with(|| news.clone());
        }
        // A page that reconnects with an old version is updated at once.
        let mut back = Page::open_with(server.address, &with_news(&game, &late.unwrap()));
        assert_eq!(ply(&back.next().unwrap()), 3);
    }
}

#[test]
fn a_server_that_shuts_down_closes_the_pages_connections() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path());
    let game = server.client().begin("congo", &["random"]);
    let mut page = Page::open(server.address, id(&game));
    page.next().unwrap();
    drop(server);
    assert_eq!(page.next(), None);
}

#[test]
fn two_hundred_games_at_once_follow_the_rules() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path());
    thread::scope(|scope| {
        for number in 0..200 {
            let (client, address) = (server.client(), server.address);
            let manner = Manner { number, plies: 30, pause: Duration::ZERO };
            scope.spawn(move || play_game(&client, address, manner));
        }
    });
    let store = agon_arena::store::Store::open_read_only(folder.path()).unwrap();
    assert_eq!(store.count_sittings().unwrap(), 200);
    store.check().unwrap();
}
