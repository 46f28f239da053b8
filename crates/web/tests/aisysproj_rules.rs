//! The server's side of the AISysProj protocol, rule by rule.

use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::{Value, json};
use tempfile::TempDir;

mod common;

use common::Running;
use common::agents::{PASSWORD, add_accounts};

const ENV: &str = "ws2223-2.1-rhombus";
/// Two consecutive moves that are legal from the start.
const STEPS: [[[i8; 2]; 2]; 2] = [[[2, -4], [2, -3]], [[2, -3], [2, -2]]];

struct Talk {
    _folder: TempDir,
    server: Running,
}

impl Talk {
    fn new() -> Talk {
        let folder = tempfile::tempdir().unwrap();
        add_accounts(folder.path(), ENV, &["Ann".to_string()]);
        let server = Running::start_with(folder.path(), |options| {
            // The agent moves first, so that its first moves are known.
            let text = format!(
                "[[environment]]\nid = \"{ENV}\"\nvariant = \"fauhalma:rhombus2\"\n\
                 begins = \"agent\"\nopponents = [{{ agent = \"random\" }}]"
            );
            options.environments =
                agon_arena::contest::Environments::read(&agon_games::Catalog::built_in(), &text)
                    .unwrap();
        });
        Talk { _folder: folder, server }
    }

    /// Sends raw bytes and returns the status, the head and the body.
    fn raw(&self, request: &[u8]) -> (u16, String, String) {
        let mut stream = TcpStream::connect(self.server.address).unwrap();
        stream.write_all(request).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head[9..12].parse().unwrap(), head.to_string(), body.to_string())
    }

    fn request(&self, method: &str, body: &[u8]) -> (u16, String, String) {
        let head = format!(
            "{method} /act/{ENV} HTTP/1.1\r\nHost: any\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        self.raw(&[head.as_bytes(), body].concat())
    }

    /// The answer to a request with these fields besides the agent and its password.
    fn ask(&self, fields: &Value) -> (u16, Value) {
        let mut body = json!({"agent": "Ann", "pwd": PASSWORD});
        for (name, value) in fields.as_object().unwrap() {
            body[name] = value.clone();
        }
        let (status, _, answer) = self.request("PUT", body.to_string().as_bytes());
        (status, serde_json::from_str(&answer).unwrap())
    }

    fn ok(&self, fields: &Value) -> Value {
        let (status, answer) = self.ask(fields);
        assert_eq!(status, 200, "{fields}: {answer}");
        answer
    }
}

fn texts(values: &Value) -> Vec<String> {
    values.as_array().unwrap().iter().map(|value| value.to_string().replace('"', "")).collect()
}

fn runs(answer: &Value, list: &str) -> Vec<String> {
    answer[list].as_array().unwrap().iter().flat_map(|it| texts(&json!([it["run"]]))).collect()
}

#[test]
fn bodies_come_in_many_forms() {
    let talk = Talk::new();
    let plain = format!("{{\"agent\":\"Ann\",\"pwd\":\"{PASSWORD}\"}}");
    let marked = [b"\xEF\xBB\xBF".as_slice(), plain.as_bytes()].concat();
    let twice = format!("{{\"agent\":\"Eve\",\"agent\":\"Ann\",\"x\":1,\"pwd\":\"{PASSWORD}\"}}");
    let (_, head, expected) = talk.request("PUT", plain.as_bytes());
    assert!(head.to_lowercase().contains("content-type: application/json"), "{head}");
    assert!(expected.ends_with("}\n"), "a newline at the end");
    let names = ["\"action-requests\"", "\"errors\"", "\"messages\""];
    let places = names.map(|name| expected.find(name).unwrap());
    assert!(places.is_sorted(), "in alphabetical order");
    for (method, body) in [("GET", plain.as_bytes()), ("PUT", &marked), ("PUT", twice.as_bytes())] {
        let (status, _, answer) = talk.request(method, body);
        assert_eq!((status, &answer), (200, &expected), "{method}");
    }
    let chunked = format!(
        "PUT //act/{ENV} HTTP/1.1\r\nHost: any\r\nConnection: close\r\nContent-Type: application/json\
         \r\nTransfer-Encoding: chunked\r\n\r\n{:x}\r\n{plain}\r\n0\r\n\r\n",
        plain.len()
    );
    let (status, _, answer) = talk.raw(chunked.as_bytes());
    assert_eq!((status, answer.contains("action-requests")), (200, true), "{answer}");
}

#[test]
fn the_version_is_found_in_the_request() {
    let talk = Talk::new();
    for version in [json!(1), json!(1.0), json!(true)] {
        let answer = talk.ok(&json!({"protocol_version": version}));
        assert!(answer["active_runs"].is_array() && answer.get("errors").is_none(), "{answer}");
    }
    assert!(talk.ok(&json!({"protocol_version": 0}))["errors"].is_array());
    for version in [json!("1"), json!(2), json!(null)] {
        assert_eq!(talk.ask(&json!({"protocol_version": version})).0, 400, "{version}");
    }
}

#[test]
fn a_request_is_repeated_until_it_is_answered() {
    let talk = Talk::new();
    let first = talk.ok(&json!({}));
    let asked = runs(&first, "action-requests");
    assert_eq!(asked, ["1#0", "2#0", "3#0", "4#0", "5#0"]);
    assert_eq!(talk.ok(&json!({})), first, "an agent can come back after a crash");
    let two = json!({"actions": [
        {"run": "1#0", "action": STEPS[0]}, {"run": "03#00", "action": STEPS[0]}]});
    assert_eq!(runs(&talk.ok(&two), "action-requests"), ["2#0", "4#0", "5#0"]);
    let rest: Value =
        ["2#0", "4#0", "5#0"].iter().map(|run| json!({"run": run, "action": STEPS[0]})).collect();
    let single = json!({"actions": rest, "single_request": "yes"});
    assert_eq!(runs(&talk.ok(&single), "action-requests"), ["1#1"]);
    assert_eq!(runs(&talk.ok(&json!({})), "action-requests"), ["1#1"], "only that was asked");
}

#[test]
fn two_actions_for_a_run_are_played_in_order_and_a_bad_one_spoils_no_other() {
    let talk = Talk::new();
    talk.ok(&json!({"protocol_version": 1}));
    let act = |run: &str, act_no: Value, action: Value| json!({"run": run, "act_no": act_no, "action": action});
    let answer = talk.ok(&json!({"protocol_version": 1, "actions": [
        act("1", json!(0), json!(STEPS[0])), act("1", json!("1"), json!(STEPS[1])),
        act("2", json!(0.0), json!(null)), act("2", json!(7), json!(STEPS[0])),
        act("999", json!(0), json!(1)), act("x", json!(0), json!(1)),
        act("3", json!(-1), json!(1)), act("4", json!(0), json!(STEPS[0])),
    ]}));
    let messages: Vec<String> = runs(&answer, "messages");
    assert_eq!(messages, ["2", "2", "999", "x", "3"], "{answer}");
    assert!(answer["messages"][4]["content"].as_str().unwrap().contains("number -1"), "{answer}");
    assert_eq!(runs(&answer, "action_requests"), ["2", "3", "5"]);
    assert_eq!(texts(&answer["active_runs"]), ["1", "2", "3", "4", "5"]);
    let half = json!({"protocol_version": 1, "actions": [act("2", json!(0.5), json!(1))]});
    let (status, refusal) = talk.ask(&half);
    assert_eq!((status, &refusal["errorname"]), (400, &json!("Bad Request")));
    assert!(refusal["description"].as_str().unwrap().contains("actions[0].act_no"), "{refusal}");
}

#[test]
fn errors_are_reported_in_a_fixed_order() {
    let talk = Talk::new();
    let put = |env: &str, body: &Value| {
        let body = body.to_string();
        let head = format!(
            "PUT /act/{env} HTTP/1.1\r\nHost: any\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        let (status, _, answer) = talk.raw(head.as_bytes());
        (status, serde_json::from_str::<Value>(&answer).unwrap()["description"].clone())
    };
    let wrong = json!({"agent": "Ann", "pwd": "wrong"});
    assert_eq!(put("nope", &wrong), (400, json!("No such environment nope")));
    assert_eq!(put("nope", &json!({"agent": 1})).0, 400);
    assert_eq!(put(ENV, &wrong), (401, json!("wrong password")));
    assert_eq!(put(ENV, &json!({"agent": "Eve", "pwd": "wrong"})), (401, json!("unknown agent")));
    let malformed = json!({"agent": "Ann", "pwd": "wrong", "protocol_version": 1, "actions": 1});
    assert_eq!(put(ENV, &malformed).0, 400, "the form is checked before the password");
    let missing = json!({"agent": "Ann"});
    assert_eq!(put(ENV, &missing), (400, json!("the field `pwd` is missing")));
    for body in [json!([]), json!(7), json!("x"), json!(null)] {
        assert_eq!(put(ENV, &body).0, 400, "{body}");
    }
}
