//! A page without a browser: it follows its game over a WebSocket and plays.

use std::net::{SocketAddr, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use agon_core::Rng;
use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket, connect};

use super::{Client, id, moves, ply};

/// A page that follows a game.
pub struct Page(WebSocket<MaybeTlsStream<TcpStream>>);

impl Page {
    pub fn open(address: SocketAddr, id: &str) -> Page {
        Page::follow(address, &format!("{id}/live"))
    }

    /// A page that already has the game.
    pub fn open_with(address: SocketAddr, game: &Value) -> Page {
        Page::follow(address, &format!("{}/live?since={}", id(game), game["version"]))
    }

    /// A page with the tokens of seats, which a browser can only offer as protocols.
    pub fn open_as(address: SocketAddr, id: &str, tokens: &[&str]) -> Page {
        let protocols = tokens.iter().map(|token| format!("seat.{token}"));
        let protocols: Vec<String> = ["agon".to_string()].into_iter().chain(protocols).collect();
        Page::connect(address, &format!("{id}/live"), &protocols.join(", "))
    }

    fn follow(address: SocketAddr, path: &str) -> Page {
        Page::connect(address, path, "agon")
    }

    fn connect(address: SocketAddr, path: &str, protocols: &str) -> Page {
        let mut request = format!("ws://{address}/api/games/{path}").into_client_request().unwrap();
        request.headers_mut().insert("sec-websocket-protocol", protocols.parse().unwrap());
        let (socket, _) = connect(request).unwrap();
        if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
            stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        }
        Page(socket)
    }

    /// The next state of the game; `None` if it has been deleted.
    pub fn next(&mut self) -> Option<Value> {
        loop {
            match self.0.read() {
                Ok(Message::Text(text)) => return Some(serde_json::from_str(&text).unwrap()),
                Ok(Message::Close(_)) | Err(tungstenite::Error::ConnectionClosed) => return None,
                Ok(_) => {}
                Err(error) => panic!("{error}"),
            }
        }
    }

    /// The next state for which a condition holds.
    pub fn wait(&mut self, is_so: impl Fn(&Value) -> bool) -> Value {
        loop {
            let game = self.next().expect("the game is there");
            if is_so(&game) {
                return game;
            }
        }
    }
}

/// How long a page waited.
#[derive(Default)]
pub struct Waits {
    /// From sending a move until it is acknowledged.
    pub accepted: Vec<Duration>,
    /// From sending a move until the agents' answers arrive.
    pub answered: Vec<Duration>,
}

/// How a game is played.
#[derive(Clone, Copy)]
pub struct Manner {
    /// The number of the game.
    pub number: u64,
    /// After how many plies it stops.
    pub plies: u64,
    /// How long the person thinks.
    pub pause: Duration,
}

/// Plays a game as a page would, and checks every state against the rules.
pub fn play_game(client: &Client, address: SocketAddr, manner: Manner) -> Waits {
    let Manner { number, plies, pause } = manner;
    let variants = ["breakthrough:5x5", "congo", "fenix", "wumpus:3", "fauhalma:star3,limit=4"];
    let variant = variants[number as usize % variants.len()];
    let agents = if variant.starts_with("fauhalma") { 2 } else { 1 };
    let game = client.begin(variant, &vec!["random"; agents]);
    let name = id(&game).to_string();
    let (mut page, mut rng, mut waits) =
        (Page::open(address, &name), Rng::new(number), Waits::default());
    let mut seen = page.wait(|_| true);
    let is_mine =
        |game: &Value| game["position"]["to_move"] == 0 || !game["position"]["outcome"].is_null();
    while seen["position"]["outcome"].is_null() && ply(&seen) < plies {
        check(&seen);
        thread::sleep(pause.mul_f64(rng.below(2000) as f64 / 1000.0));
        let choice = rng.choose(&moves(&seen)).unwrap().clone();
        let (before, began) = (ply(&seen), Instant::now());
        let body = json!({"move": choice, "ply": before});
        client.post(&format!("/api/games/{name}/moves"), &body).ok();
        waits.accepted.push(began.elapsed());
        seen = page.wait(|game| ply(game) > before && is_mine(game));
        waits.answered.push(began.elapsed());
    }
    check(&seen);
    let kept = client.get(&format!("/api/games/{name}")).ok();
    assert_eq!(kept["played"], seen["played"], "{variant}");
    waits
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
