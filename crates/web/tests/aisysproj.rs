//! The AISysProj server over real HTTP, as agents see it.

use std::io::Write as _;
use std::net::TcpStream;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;

use agon_arena::store::Store;
use agon_web::limits;
use serde_json::{Value, json};
use ureq::Agent;

mod common;

use common::Running;
use common::agents::{PASSWORD, Player, add_accounts, check_nothing_lost};

const ENV: &str = "ws2223-2.1-rhombus";

/// A server with the accounts Ann and Bob.
fn server(folder: &Path) -> Running {
    add_accounts(folder, ENV, &["Ann", "Bob"].map(str::to_string));
    Running::start(folder)
}

/// Sends a body and returns the status and the answer.
fn put(server: &Running, path: &str, kind: &str, body: &str) -> (u16, Value) {
    let agent: Agent = Agent::config_builder().http_status_as_error(false).build().into();
    let url = format!("http://{}{path}", server.address);
    let mut answer = agent.put(url).header("content-type", kind).send(body).unwrap();
    let text = answer.body_mut().read_to_string().unwrap();
    (answer.status().as_u16(), serde_json::from_str(&text).unwrap_or(Value::Null))
}

fn act(server: &Running, body: &Value) -> (u16, Value) {
    put(server, &format!("//act/{ENV}"), "application/json", &body.to_string())
}

fn v1(server: &Running, agent: &str, actions: &Value) -> Value {
    let body = json!({"protocol_version": 1, "agent": agent, "pwd": PASSWORD, "actions": actions});
    let (status, answer) = act(server, &body);
    assert_eq!(status, 200, "{answer}");
    answer
}

/// Answers all action requests with the first legal move.
fn answers(answer: &Value) -> Value {
    let first = |asked: &Value| {
        let mut position = asked["percept"].clone();
        position["turn"] = json!("A");
        let variant = "fauhalma:rhombus2".parse().unwrap();
        let table =
            agon_games::open_at::<&str>(&variant, Some(&position.to_string()), &[]).unwrap();
        let action: Value = serde_json::from_str(&table.moves()[0]).unwrap();
        json!({"run": asked["run"], "act_no": asked["act_no"], "action": action})
    };
    answer["action_requests"].as_array().unwrap().iter().map(first).collect()
}

#[test]
fn malformed_requests_are_refused_in_json() {
    let folder = tempfile::tempdir().unwrap();
    let server = server(folder.path());
    let good = json!({"agent": "Ann", "pwd": PASSWORD});
    let with = |name: &str, value: Value| {
        let mut body = good.clone();
        body[name] = value;
        body.to_string()
    };
    let path = format!("/act/{ENV}");
    let big = format!("{{\"agent\":\"{}\"}}", "x".repeat(1_000_001));
    for (path, kind, body, status) in [
        (path.as_str(), "text/plain", good.to_string(), 415),
        (&path, "application/json", String::new(), 400),
        (&path, "application/json", "{".into(), 400),
        (&path, "application/json", "[]".into(), 400),
        (&path, "application/json", "{}".into(), 400),
        (&path, "application/json", big, 413),
        ("/act/nope", "application/json", good.to_string(), 400),
        ("/act/nope/", "application/json", good.to_string(), 404),
        ("//act/a/b", "application/json", good.to_string(), 404),
        ("/act/%ff", "application/json", good.to_string(), 404),
        ("/act", "application/json", good.to_string(), 404),
        (&path, "application/json", with("agent", json!("Eve")), 401),
        (&path, "application/json", with("pwd", json!("wrong")), 401),
        (&path, "application/json", with("protocol_version", json!(2)), 400),
        (&path, "application/json", with("actions", json!([{"run": 7}])), 400),
        (&path, "application/vnd.x+json; charset=utf-8", good.to_string(), 200),
    ] {
        let (found, answer) = put(&server, path, kind, &body);
        assert_eq!(found, status, "{body:.80}: {answer}");
        if status != 200 {
            assert_eq!(answer["errorcode"], status, "{answer}");
            assert!(!answer.to_string().contains(PASSWORD));
        }
    }
    let agent: Agent = Agent::config_builder().http_status_as_error(false).build().into();
    let url = format!("http://{}{path}", server.address);
    assert_eq!(agent.head(&url).call().unwrap().status().as_u16(), 405);
    assert_eq!(agent.delete(&url).call().unwrap().status().as_u16(), 405);
}

#[test]
fn blocked_accounts_cannot_play() {
    let folder = tempfile::tempdir().unwrap();
    let server = server(folder.path());
    Store::open(folder.path()).unwrap().set_blocked(ENV, "Ann", true).unwrap();
    let (status, answer) = act(&server, &json!({"agent": "Ann", "pwd": PASSWORD}));
    assert_eq!((status, &answer["errorcode"]), (401, &json!(401)));
    let (status, _) = act(&server, &json!({"agent": "Bob", "pwd": PASSWORD}));
    assert_eq!(status, 200);
}

#[test]
fn nobody_acts_for_another_and_finished_runs_stay_finished() {
    let folder = tempfile::tempdir().unwrap();
    let server = server(folder.path());
    let ann = v1(&server, "Ann", &json!([]));
    let bob = v1(&server, "Bob", &answers(&ann));
    let kinds: Vec<&Value> =
        bob["messages"].as_array().unwrap().iter().map(|message| &message["content"]).collect();
    assert_eq!(kinds, ["This run does not belong to your agent"; 5]);
    assert_eq!(v1(&server, "Ann", &json!([]))["action_requests"], ann["action_requests"]);
    // Until the first of Ann's runs is over.
    let mut answer = ann;
    while answer["finished_runs"] == json!({}) {
        answer = v1(&server, "Ann", &answers(&answer));
    }
    let run = answer["finished_runs"].as_object().unwrap().keys().next().unwrap().clone();
    let store = Store::open(folder.path()).unwrap();
    let before = store.account(ENV, "Ann").unwrap().unwrap();
    let finished = before.finished;
    for act_no in 0..200 {
        let again = json!([{"run": run, "act_no": act_no, "action": [[0, 1], [0, 2]]}]);
        let answer = v1(&server, "Ann", &again);
        assert_eq!(answer["messages"][0]["content"], "This run is finished");
        if act_no > 3 {
            break;
        }
    }
    let abandon =
        json!({"protocol_version": 1, "agent": "Ann", "pwd": PASSWORD, "to_abandon": [run]});
    assert_eq!(act(&server, &abandon).1["finished_runs"], json!({}));
    assert_eq!(store.account(ENV, "Ann").unwrap().unwrap().finished, finished);
}

#[test]
fn runs_resume_after_a_restart_as_if_nothing_had_happened() {
    let (quiet, rough) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (undisturbed, mut server) = (server(quiet.path()), server(rough.path()));
    let mut expected = v1(&undisturbed, "Ann", &json!([]));
    let mut answer = v1(&server, "Ann", &json!([]));
    for step in 0..12 {
        assert_eq!(answer, expected);
        if step % 4 == 3 {
            drop(server);
            server = Running::start(rough.path());
            assert_eq!(
                v1(&server, "Ann", &json!([]))["action_requests"],
                answer["action_requests"]
            );
        }
        let actions = answers(&expected);
        expected = v1(&undisturbed, "Ann", &actions);
        answer = v1(&server, "Ann", &actions);
    }
}

#[test]
fn a_contest_only_server_has_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    add_accounts(folder.path(), ENV, &["Ann".to_string()]);
    let server = Running::start_with(folder.path(), |options| options.only_contest = true);
    let mut ann = Player::new(server.address, ENV, "Ann", "fauhalma:rhombus2");
    ann.ask();
    ann.answer();
    let client = server.client();
    assert_eq!(client.get("/api/environments").status, 200);
    assert!(client.get("/").text.contains("data-frame=\"contest\""));
    for path in ["/api/games", "/api/records"] {
        assert_eq!(client.get(path).status, 404, "{path}");
    }
    let new = json!({"variant": "congo", "seats": []});
    assert_eq!(client.post("/api/games", &new).status, 404);
}

#[test]
fn wrong_passwords_are_slowed_down_and_the_right_one_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let server = server(folder.path());
    let waiting = AtomicU64::new(0);
    thread::scope(|scope| {
        let guess = || {
            waiting.fetch_add(1, Relaxed);
            let (status, answer) = act(&server, &json!({"agent": "Ann", "pwd": "guess"}));
            assert_eq!((status, &answer["errorcode"]), (401, &json!(401)), "{answer}");
            waiting.fetch_sub(1, Relaxed);
        };
        let guesses: Vec<_> = (0..20).map(|_| scope.spawn(guess)).collect();
        while waiting.load(Relaxed) < 15 {
            assert!(guesses.iter().any(|guess| !guess.is_finished()), "no guess was delayed");
            thread::yield_now();
        }
        // From the same address, as the account whose password is being guessed.
        let mut ann = Player::new(server.address, ENV, "Ann", "fauhalma:rhombus2");
        ann.ask();
        for _ in 0..20 {
            ann.answer();
        }
        check_nothing_lost(folder.path(), ENV, &[ann]);
        assert!(waiting.load(Relaxed) > 0, "the guesses are still waiting");
    });
}

#[test]
fn malformed_flooding_and_unread_requests_do_not_disturb_other_agents() {
    let folder = tempfile::tempdir().unwrap();
    let names: Vec<String> = (0..6).map(|number| format!("agent {number}")).collect();
    add_accounts(folder.path(), ENV, &names);
    let server = server(folder.path());
    let done = AtomicBool::new(false);
    let ask = json!({"protocol_version": 1, "agent": "Bob", "pwd": PASSWORD}).to_string();
    let head = |length: usize| {
        format!(
            "PUT /act/{ENV} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\n\r\n",
            server.address
        )
    };
    let until_done = |work: &dyn Fn()| {
        while !done.load(Relaxed) {
            work();
        }
    };
    let players: Vec<Player> = thread::scope(|scope| {
        scope.spawn(|| {
            let deep = "[".repeat(900_000);
            until_done(&|| drop(put(&server, &format!("/act/{ENV}"), "application/json", &deep)));
        });
        // More concurrent requests from one agent than are allowed.
        for _ in 0..2 * limits::AGENT_REQUESTS {
            scope.spawn(|| {
                until_done(&|| {
                    let (status, answer) =
                        act(&server, &serde_json::from_str(&ask).unwrap_or_default());
                    assert!([200, 503].contains(&status), "{answer}");
                });
            });
        }
        // Many requests on one connection, whose answers nobody reads.
        scope.spawn(|| {
            let mut stream = TcpStream::connect(server.address).unwrap();
            stream.set_write_timeout(Some(std::time::Duration::from_secs(1))).unwrap();
            let request = format!("{}{ask}", head(ask.len()));
            until_done(&|| drop((&stream).write_all(request.as_bytes())));
            stream.flush().unwrap();
        });
        // Heads without bodies, and incomplete heads.
        let held: Vec<TcpStream> = (0..50)
            .map(|number| {
                let mut stream = TcpStream::connect(server.address).unwrap();
                let text = if number % 2 == 0 { head(100) } else { "PUT /act".into() };
                stream.write_all(text.as_bytes()).unwrap();
                stream
            })
            .collect();
        let play = |name: &String| {
            let mut player = Player::new(server.address, ENV, name, "fauhalma:rhombus2");
            scope.spawn(move || {
                player.ask();
                for _ in 0..25 {
                    player.answer();
                }
                player
            })
        };
        let playing: Vec<_> = names.iter().map(play).collect();
        let players = playing.into_iter().map(|player| player.join());
        let players: Vec<_> = players.collect();
        done.store(true, Relaxed);
        drop(held);
        players.into_iter().map(|player| player.expect("an agent was refused")).collect()
    });
    check_nothing_lost(folder.path(), ENV, &players);
}
