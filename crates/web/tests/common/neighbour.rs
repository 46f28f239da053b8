//! A client at another address of this machine: for the server, somebody else.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::net::TcpSocket;
use tokio::runtime::Builder;
use tungstenite::WebSocket;

use super::{Answer, id, ply};

/// How long anything may take before a test fails.
const PATIENCE: Duration = Duration::from_secs(60);

/// Somebody at 127.0.0.NUMBER.
#[derive(Clone, Copy)]
pub struct Neighbour {
    pub server: SocketAddr,
    pub number: u8,
}

impl Neighbour {
    /// A connection to the server.
    pub fn connect(&self) -> TcpStream {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        let connecting = async {
            let socket = TcpSocket::new_v4().unwrap();
            socket.bind((Ipv4Addr::new(127, 0, 0, self.number), 0).into()).unwrap();
            socket.connect(self.server).await.unwrap().into_std().unwrap()
        };
        let stream = runtime.block_on(connecting);
        stream.set_nonblocking(false).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// Sends a request with any headers; the answer may be none at all.
    pub fn send(&self, method: &str, path: &str, headers: &str, body: &str) -> Option<Answer> {
        let mut stream = self.connect();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n{headers}\r\n{body}",
            self.server,
            body.len()
        );
        // The server may answer before it has read everything.
        let _ = stream.write_all(head.as_bytes());
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        read(&String::from_utf8_lossy(&answer))
    }

    pub fn get(&self, path: &str) -> Answer {
        self.send("GET", path, "", "").expect("an answer")
    }

    pub fn post(&self, path: &str, body: &Value) -> Answer {
        self.send("POST", path, "", &body.to_string()).expect("an answer")
    }

    /// Starts a game between these agents, with a clock; a person sits where there is none.
    pub fn begin(&self, agents: [Option<&str>; 2], time: Option<&str>) -> Value {
        let seat = |agent: Option<&str>| match agent {
            Some(agent) => json!({"kind": "agent", "agent": agent}),
            None => json!({"kind": "human"}),
        };
        let seats = agents.map(seat);
        let body = json!({"variant": "congo", "seats": seats, "time": time, "delay_ms": 0});
        self.post("/api/games", &body).ok()
    }

    /// Follows a game; `None` if the server refuses.
    pub fn follow(&self, game: &str) -> Option<WebSocket<TcpStream>> {
        let address = format!("ws://{}/api/games/{game}/live", self.server);
        tungstenite::client(address, self.connect()).ok().map(|(socket, _)| socket)
    }

    /// Plays any move, and how long it takes until the agent has answered.
    pub fn move_and_wait(&self, game: &str) -> Duration {
        let path = format!("/api/games/{game}");
        let before = self.get(&path).ok();
        let choice = &before["position"]["moves"][0]["text"];
        let began = Instant::now();
        self.post(&format!("{path}/moves"), &json!({"move": choice, "ply": ply(&before)})).ok();
        while ply(&self.get(&path).ok()) < ply(&before) + 2 {
            assert!(began.elapsed() < PATIENCE, "no answer");
            std::thread::sleep(Duration::from_millis(10));
        }
        began.elapsed()
    }

    /// How long a hint takes in a new game.
    pub fn hint(&self) -> Duration {
        let game = self.begin([None, None], None);
        let began = Instant::now();
        self.post(&format!("/api/games/{}/hint", id(&game)), &json!({"ply": 0})).ok();
        began.elapsed()
    }
}

/// An answer of HTTP, whose body ends with the connection.
fn read(text: &str) -> Option<Answer> {
    let (head, body) = text.split_once("\r\n\r\n")?;
    let status = head.split(' ').nth(1)?.parse().ok()?;
    Some(Answer { status, tag: None, text: body.to_string() })
}
