//! Games as they change: WebSockets, two pages on one game, many games at once.

mod common;

use std::thread;
use std::time::Duration;

use common::page::{Manner, Page, play_game};
use common::{Running, id, ply};
use serde_json::json;

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
    // Both play at the same time; one is first, and both see the same.
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
        assert_eq!(page.next(), None, "the page is told that the game is gone");
    }
}

#[test]
fn a_server_that_ends_tells_the_pages() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path());
    let game = server.client().begin("congo", &["random"]);
    let mut page = Page::open(server.address, id(&game));
    page.next().unwrap();
    drop(server);
    assert_eq!(page.next(), None);
}

#[test]
fn two_hundred_games_at_once_are_all_right() {
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
