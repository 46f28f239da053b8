//! A server at a real socket that follows a script, and a client that talks to it.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use agon_search::StopFlag;
use agon_wire::aisysproj::client::{Client, Config, Event, Failure, Options, Patience, Totals};
use serde_json::{Value, json};

/// The password of every test. It must never appear anywhere but in requests.
pub const PASSWORD: &str = "pAsSwOrD-\"tAiL\\ü";

/// What a server does with a connection.
#[derive(Clone)]
pub enum Act {
    /// Answers with this status and body.
    Reply(u16, String),
    /// The same, with an additional header line.
    ReplyWith(u16, &'static str, String),
    /// Answers after a while.
    Slow(Duration, String),
    /// Sends these bytes and hangs up.
    Raw(Vec<u8>),
    /// Hangs up after the request was read.
    Cut,
}

/// An answer with status 200.
pub fn ok(body: &Value) -> Act {
    Act::Reply(200, format!("{body}\n"))
}

/// A server.
pub struct Stage {
    address: SocketAddr,
    requests: Arc<Mutex<Vec<Value>>>,
}

impl Stage {
    /// A server that calls `act` for each request, with its number, from 0, and its body.
    pub fn new(act: impl FnMut(usize, &Value) -> Act + Send + 'static) -> Stage {
        Stage::deaf_at_first(0, act)
    }

    /// The same, but it hangs up on some connections before it reads anything.
    pub fn deaf_at_first(
        deaf: usize,
        mut act: impl FnMut(usize, &Value) -> Act + Send + 'static,
    ) -> Stage {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let requests = Arc::<Mutex<Vec<Value>>>::default();
        let kept = requests.clone();
        thread::spawn(move || {
            for stream in listener.incoming().skip(deaf) {
                let Ok(mut stream) = stream else { return };
                let Some((head, body)) = read_request(&mut stream) else { continue };
                assert!(head.starts_with("PUT /act/e HTTP/1.1\r\n"), "{head}");
                assert!(head.to_lowercase().contains("content-type: application/json"), "{head}");
                let body: Value = serde_json::from_slice(&body).unwrap();
                assert_eq!((&body["agent"], &body["pwd"]), (&json!("Ann"), &json!(PASSWORD)));
                let number = kept.lock().unwrap().len();
                kept.lock().unwrap().push(body.clone());
                serve(stream, act(number, &body));
            }
        });
        Stage { address, requests }
    }

    /// A server that performs these acts in turn, and the last one for ever.
    pub fn script(acts: Vec<Act>) -> Stage {
        Stage::new(move |number, _| acts[number.min(acts.len() - 1)].clone())
    }

    /// The bodies of all requests, in order.
    pub fn requests(&self) -> Vec<Value> {
        self.requests.lock().unwrap().clone()
    }

    pub fn config(&self) -> Config {
        let url = format!("http://{}/", self.address);
        let file = json!({"agent": "Ann", "env": "e", "pwd": PASSWORD, "url": url});
        Config::read(file.to_string().as_bytes()).unwrap()
    }

    /// Lets a client play here.
    pub fn play(&self, options: Options) -> Played {
        play(self.config(), options, &StopFlag::default(), &mut |_| {})
    }
}

fn read_request(stream: &mut TcpStream) -> Option<(String, Vec<u8>)> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break end + 4;
        }
        match stream.read(&mut buffer) {
            Ok(0) | Err(_) => return None,
            Ok(read) => bytes.extend(&buffer[..read]),
        }
    };
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let length = head
        .lines()
        .find_map(|line| line.to_lowercase().strip_prefix("content-length:")?.trim().parse().ok())
        .unwrap_or(0);
    while bytes.len() < end + length {
        match stream.read(&mut buffer) {
            Ok(0) | Err(_) => return None,
            Ok(read) => bytes.extend(&buffer[..read]),
        }
    }
    Some((head, bytes[end..].to_vec()))
}

fn serve(mut stream: TcpStream, act: Act) {
    let reply = |status: u16, extra: &str, body: &str| {
        format!(
            "HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
             {extra}Connection: close\r\n\r\n{body}",
            body.len()
        )
    };
    // A client that has given up meanwhile does not take it.
    let _ = match act {
        Act::Reply(status, body) => stream.write_all(reply(status, "", &body).as_bytes()),
        Act::ReplyWith(status, extra, body) => {
            stream.write_all(reply(status, extra, &body).as_bytes())
        }
        Act::Slow(time, body) => {
            thread::spawn(move || {
                thread::sleep(time);
                let _ = stream.write_all(reply(200, "", &body).as_bytes());
            });
            Ok(())
        }
        Act::Raw(bytes) => stream.write_all(&bytes),
        Act::Cut => Ok(()),
    };
}

/// The options of a client in a test: fast, and without long waits.
pub fn options(games: u64) -> Options {
    let mut options = Options::new("engine:hash=1".parse().unwrap());
    (options.games, options.per_move, options.depth) = (games, None, Some(1));
    options.threads = 2;
    options.patience = Patience {
        shortest: Duration::from_millis(2),
        longest: Duration::from_millis(10),
        idle: Duration::from_millis(2),
        between: Duration::from_millis(1),
        connect: Duration::from_secs(5),
        answer: Duration::from_secs(5),
    };
    options
}

/// The result.
pub struct Played {
    pub result: Result<Totals, Failure>,
    /// Every event, as a line.
    pub log: Vec<String>,
}

impl Played {
    /// How many lines contain this.
    pub fn count(&self, part: &str) -> usize {
        self.log.iter().filter(|line| line.contains(part)).count()
    }

    #[track_caller]
    pub fn totals(&self) -> Totals {
        match &self.result {
            Ok(totals) => *totals,
            Err(failure) => panic!("{failure}\n{}", self.log.join("\n")),
        }
    }

    #[track_caller]
    pub fn failure(&self) -> &Failure {
        self.result.as_ref().expect_err("it cannot go on")
    }
}

/// Lets a client play. Everything it reports is searched for the password.
pub fn play(
    config: Config,
    options: Options,
    stop: &StopFlag,
    watch: &mut dyn FnMut(&Event<'_>),
) -> Played {
    let mut log = Vec::new();
    let mut client = Client::new(config.clone(), options).unwrap();
    let result = client.run(stop, &mut |event| {
        log.push(format!("{event:?}"));
        watch(event);
    });
    let told = format!("{} {result:?} {config:?}", log.join("\n"));
    let failure = result.as_ref().map_or_else(ToString::to_string, |_| String::new());
    for text in [told, failure] {
        assert!(!text.contains("pAsSwOrD") && !text.contains("tAiL"), "{text}");
    }
    Played { result, log }
}

/// The start position of a two-player game as a percept.
pub fn percept() -> Value {
    json!({"A": [[1,-4],[2,-5],[2,-4],[3,-6],[3,-5],[3,-4]],
           "B": [[-3,4],[-3,5],[-3,6],[-2,4],[-2,5],[-1,4]]})
}

/// The runs that a request answers, with the numbers, in version 0 or 1.
pub fn answered(request: &Value) -> Vec<String> {
    let actions = request["actions"].as_array().cloned().unwrap_or_default();
    let mut runs: Vec<String> = actions
        .iter()
        .map(|action| match action.get("act_no") {
            Some(number) => format!("{}#{number}", action["run"].as_str().unwrap()),
            None => action["run"].as_str().unwrap().to_string(),
        })
        .collect();
    runs.sort();
    runs
}

/// A response of version 0 that asks for these runs.
pub fn v0(asked: &[&str]) -> Value {
    let asked = asked.iter().map(|run| json!({"run": run, "percept": percept()}));
    json!({"action-requests": asked.collect::<Vec<_>>(), "errors": [], "messages": []})
}

/// A response of version 1 that asks for these runs, which are all that are open, and lists
/// finished ones.
pub fn v1(asked: &[(&str, u64)], finished: &Value) -> Value {
    let open: Vec<&str> = asked.iter().map(|(run, _)| *run).collect();
    let asked = asked
        .iter()
        .map(|(run, number)| json!({"run": run, "act_no": number, "percept": percept()}));
    json!({"action_requests": asked.collect::<Vec<_>>(), "active_runs": open,
           "finished_runs": finished, "messages": []})
}

/// Nothing is finished.
pub fn none() -> Value {
    json!({})
}

/// The same response with a message.
pub fn with_error(mut response: Value, run: &str) -> Value {
    if response.get("errors").is_some() {
        response["errors"] = json!([format!("something about {run}")]);
    } else {
        let message = json!({"content": "some words", "run": run, "type": "error"});
        response["messages"] = json!([message]);
    }
    response
}
