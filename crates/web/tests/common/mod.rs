//! A real server for a test, and a client that is not a browser.

#![allow(dead_code, unreachable_pub, missing_docs)]

pub mod agents;
pub mod contest;
pub mod elsewhere;
pub mod lab;
pub mod neighbour;
pub mod page;
pub mod records;
pub mod tournaments;
pub mod workers;

use std::net::SocketAddr;
use std::path::Path;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use agon_arena::Registry;
use agon_web::{Options, Server};
use serde_json::{Value, json};
use tokio::sync::oneshot;
use ureq::Agent;
use ureq::http::Response;

/// A server that is stopped when this is dropped.
pub struct Running {
    pub address: SocketAddr,
    pub secret: Option<String>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Running {
    /// Starts a server on a free port, with its games in this folder.
    pub fn start(folder: &Path) -> Running {
        Running::start_with(folder, |_| {})
    }

    pub fn start_with(folder: &Path, adjust: impl FnOnce(&mut Options)) -> Running {
        let mut options = Options {
            data: folder.to_path_buf(),
            listen: Some("127.0.0.1:0".parse().unwrap()),
            name: None,
            allow_programs: false,
            threads: Some(2),
            registry: Registry::built_in(),
            environments: agon_arena::contest::Environments::built_in(
                &agon_games::Catalog::built_in(),
            )
            .unwrap(),
            seed: 0,
            only_contest: false,
            lookout: None,
        };
        adjust(&mut options);
        let server = Server::bind(options).unwrap();
        let (address, secret) = (server.address(), server.secret().map(str::to_string));
        let (stop, stopped) = oneshot::channel();
        let thread = thread::spawn(move || {
            let runtime = tokio::runtime::Runtime::new().unwrap();
            let asked = async {
                let _ = stopped.await;
            };
            runtime.block_on(server.run(asked)).unwrap();
        });
        Running { address, secret, stop: Some(stop), thread: Some(thread) }
    }

    pub fn client(&self) -> Client {
        Client::new(self.address)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

/// A plain HTTP client.
#[derive(Clone)]
pub struct Client {
    agent: Agent,
    base: String,
}

/// An answer: its status, its ETag and its body.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub tag: Option<String>,
    pub text: String,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text)
            .unwrap_or_else(|error| panic!("{error}: {} {}", self.status, self.text))
    }

    /// The JSON of a successful answer.
    pub fn ok(&self) -> Value {
        assert!((200..300).contains(&self.status), "{} {}", self.status, self.text);
        self.json()
    }

    /// The code and the message of an error.
    pub fn error(&self) -> (String, String) {
        assert!(self.status >= 400, "{} {}", self.status, self.text);
        let error = &self.json()["error"];
        let part = |name: &str| error[name].as_str().unwrap_or_default().to_string();
        let (code, message) = (part("code"), part("message"));
        assert!(!code.is_empty() && !message.is_empty(), "{}", self.text);
        (code, message)
    }
}

impl Client {
    pub fn new(address: SocketAddr) -> Client {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(Duration::from_secs(60)))
            .build();
        Client { agent: config.into(), base: format!("http://{address}") }
    }

    pub fn get(&self, path: &str) -> Answer {
        read(self.agent.get(format!("{}{path}", self.base)).call().unwrap())
    }

    pub fn delete(&self, path: &str) -> Answer {
        self.delete_with(path, &[])
    }

    pub fn delete_with(&self, path: &str, headers: &[(&str, &str)]) -> Answer {
        let mut request = self.agent.delete(format!("{}{path}", self.base));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        read(request.call().unwrap())
    }

    pub fn post(&self, path: &str, body: &Value) -> Answer {
        self.post_with(path, &[("content-type", "application/json")], &body.to_string())
    }

    pub fn post_with(&self, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let mut request = self.agent.post(format!("{}{path}", self.base));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        read(request.send(body).unwrap())
    }

    pub fn put_with(&self, path: &str, headers: &[(&str, &str)], body: &Value) -> Answer {
        let mut request = self.agent.put(format!("{}{path}", self.base));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        read(request.header("content-type", "application/json").send(&body.to_string()).unwrap())
    }

    pub fn get_with(&self, path: &str, headers: &[(&str, &str)]) -> Answer {
        let mut request = self.agent.get(format!("{}{path}", self.base));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        read(request.call().unwrap())
    }

    /// Starts a game of a person in the first seat against agents.
    pub fn begin(&self, variant: &str, agents: &[&str]) -> Value {
        let mut seats = vec![json!({"kind": "human"})];
        seats.extend(agents.iter().map(|agent| json!({"kind": "agent", "agent": agent})));
        self.post("/api/games", &json!({"variant": variant, "seats": seats})).ok()
    }

    /// Waits until a condition holds for the game.
    pub fn wait(&self, id: &str, what: &str, is_so: impl Fn(&Value) -> bool) -> Value {
        for _ in 0..600 {
            let game = self.get(&format!("/api/games/{id}")).ok();
            if is_so(&game) {
                return game;
            }
            thread::sleep(Duration::from_millis(50));
        }
        panic!("never {what}");
    }
}

fn read(mut response: Response<ureq::Body>) -> Answer {
    let status = response.status().as_u16();
    let tag = response.headers().get("etag").and_then(|tag| tag.to_str().ok()).map(str::to_string);
    Answer { status, tag, text: response.body_mut().read_to_string().unwrap_or_default() }
}

/// The id of a game.
pub fn id(game: &Value) -> &str {
    game["id"].as_str().unwrap()
}

/// How many plies a game has.
pub fn ply(game: &Value) -> u64 {
    game["position"]["ply"].as_u64().unwrap()
}

/// The legal moves of a game, as texts.
pub fn moves(game: &Value) -> Vec<String> {
    let moves = game["position"]["moves"].as_array().unwrap();
    moves.iter().map(|mv| mv["text"].as_str().unwrap().to_string()).collect()
}

/// Prints the percentiles of the waiting times.
pub fn print_percentiles(what: &str, waits: &mut [Duration]) {
    waits.sort();
    let at = |share: f64| {
        let place = ((waits.len() as f64 * share) as usize).min(waits.len().saturating_sub(1));
        waits.get(place).map_or(0.0, |wait| wait.as_secs_f64() * 1000.0)
    };
    let [median, most, nearly_all] = [at(0.5), at(0.9), at(0.99)];
    println!("{what:<26} {median:.1} ms (median), {most:.1} ms (90 %), {nearly_all:.1} ms (99 %)");
}
