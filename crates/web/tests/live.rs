//! Games as they change: WebSockets, two pages on one game, many games at once.

mod common;

use std::net::SocketAddr;
use std::thread;
use std::time::Duration;

use agon_core::Rng;
use common::{Client, Running, id, moves, ply};
use serde_json::{Value, json};
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket, connect};

type Socket = WebSocket<MaybeTlsStream<std::net::TcpStream>>;

fn look(address: SocketAddr, id: &str) -> Socket {
    let (socket, _) = connect(format!("ws://{address}/api/games/{id}/live")).unwrap();
    if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    }
    socket
}

/// The next state of the game.
fn next(socket: &mut Socket) -> Option<Value> {
    loop {
        match socket.read() {
            Ok(Message::Text(text)) => return Some(serde_json::from_str(&text).unwrap()),
            Ok(Message::Close(_)) | Err(tungstenite::Error::ConnectionClosed) => return None,
            Ok(_) => {}
            Err(error) => panic!("{error}"),
        }
    }
}

/// The next state in which something is so.
fn wait(socket: &mut Socket, is_so: impl Fn(&Value) -> bool) -> Value {
    loop {
        let game = next(socket).expect("the game is there");
        if is_so(&game) {
            return game;
        }
    }
}

#[test]
fn two_pages_on_one_game_agree() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path());
    let client = server.client();
    let game = client.begin("congo", &["random"]);
    let mut pages = [look(server.address, id(&game)), look(server.address, id(&game))];
    let path = format!("/api/games/{}/moves", id(&game));
    for page in &mut pages {
        assert_eq!(ply(&next(page).unwrap()), 0, "a page sees the game at once");
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
    let seen = pages.each_mut().map(|page| wait(page, |game| ply(game) == 2));
    assert_eq!(seen[0], seen[1]);
    client.delete(&format!("/api/games/{}", id(&game)));
    for page in &mut pages {
        assert_eq!(next(page), None, "the page is told that the game is gone");
    }
}

#[test]
fn a_server_that_ends_tells_the_pages() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path());
    let game = server.client().begin("congo", &["random"]);
    let mut page = look(server.address, id(&game));
    next(&mut page).unwrap();
    drop(server);
    assert_eq!(next(&mut page), None);
}

/// Plays a whole game as a page would, and checks every state against the rules.
fn play_game(client: &Client, address: SocketAddr, number: u64) {
    let variants = ["breakthrough:5x5", "congo", "fenix", "wumpus:3", "fauhalma:star3,limit=4"];
    let variant = variants[number as usize % variants.len()];
    let agents = if variant.starts_with("fauhalma") { 2 } else { 1 };
    let game = client.begin(variant, &vec!["random"; agents]);
    let name = id(&game).to_string();
    let mut page = look(address, &name);
    let mut rng = Rng::new(number);
    let mut seen = wait(&mut page, |_| true);
    let is_mine =
        |game: &Value| game["position"]["to_move"] == 0 || !game["position"]["outcome"].is_null();
    // Long games stop here; each position has been checked by then.
    while seen["position"]["outcome"].is_null() && ply(&seen) < 30 {
        check(&seen);
        let choice = rng.choose(&moves(&seen)).unwrap().clone();
        let body = json!({"move": choice, "ply": ply(&seen)});
        client.post(&format!("/api/games/{name}/moves"), &body).ok();
        let before = ply(&seen);
        seen = wait(&mut page, |game| ply(game) > before && is_mine(game));
    }
    check(&seen);
    let kept = client.get(&format!("/api/games/{name}")).ok();
    assert_eq!(kept["played"], seen["played"], "{variant}");
}

/// The moves of a game lead to its position by the rules.
fn check(game: &Value) {
    let position = &game["position"];
    let variant = position["variant"].as_str().unwrap().parse().unwrap();
    let mut table = agon_games::open(&variant).unwrap();
    for played in game["played"].as_array().unwrap() {
        table.play(played["text"].as_str().unwrap()).unwrap();
    }
    assert_eq!(table.position(), position["position"].as_str().unwrap());
    assert_eq!(table.moves(), moves(game));
}

#[test]
fn two_hundred_games_at_once_are_all_right() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path());
    thread::scope(|scope| {
        for number in 0..200 {
            let (client, address) = (server.client(), server.address);
            scope.spawn(move || play_game(&client, address, number));
        }
    });
    let store = agon_arena::store::Store::open_read_only(folder.path()).unwrap();
    assert_eq!(store.count_sittings().unwrap(), 200);
    store.check().unwrap();
}
