//! `agon aisysproj`, as people run it.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::PathBuf;
use std::thread;

use serde_json::{Value, json};
use tempfile::TempDir;

#[allow(dead_code, reason = "other tests use more of it")]
mod common;

use common::{Run, agon};

const PASSWORD: &str = "pAsSwOrD-of-Ann";

/// A server that gives these answers one after the other and repeats the last, and a config file.
struct Stage {
    folder: TempDir,
    config: PathBuf,
}

impl Stage {
    fn new(answers: Vec<(u16, String)>) -> Stage {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        thread::spawn(move || {
            for (number, stream) in listener.incoming().enumerate() {
                let Ok(mut stream) = stream else { return };
                // The client sends little, and then waits.
                let mut request = Vec::new();
                while !is_complete(&request) {
                    let mut buffer = [0; 4096];
                    match stream.read(&mut buffer) {
                        Ok(0) | Err(_) => break,
                        Ok(read) => request.extend(&buffer[..read]),
                    }
                }
                assert!(String::from_utf8_lossy(&request).contains(PASSWORD));
                let (status, body) = &answers[number.min(answers.len() - 1)];
                let length = body.len();
                let _ = write!(
                    stream,
                    "HTTP/1.1 {status} X\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
                );
            }
        });
        let folder = tempfile::tempdir().unwrap();
        let config = folder.path().join("config.json");
        let file =
            json!({"agent": "Ann", "env": "ws2223-2.1-rhombus", "pwd": PASSWORD, "url": url});
        std::fs::write(&config, file.to_string()).unwrap();
        Stage { folder, config }
    }

    /// Plays here, and asserts that the password is not in the output.
    fn run(&self, arguments: &[&str]) -> Run {
        let config = self.config.to_str().unwrap();
        let run = agon(&[&["aisysproj", config], arguments].concat());
        assert!(
            !run.out.contains(PASSWORD) && !run.err.contains(PASSWORD),
            "{}{}",
            run.out,
            run.err
        );
        run
    }

    /// A file next to the config file.
    fn file(&self, text: &str) -> String {
        let file = self.folder.path().join("other.json");
        std::fs::write(&file, text).unwrap();
        file.to_str().unwrap().to_string()
    }
}

fn is_complete(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request);
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
    let length = head.lines().find_map(|line| {
        line.to_lowercase().strip_prefix("content-length:")?.trim().parse::<usize>().ok()
    });
    length.is_some_and(|length| body.len() >= length)
}

/// A request for run 7 at this move, with the finished runs.
fn asked(number: u64, finished: &Value) -> (u16, String) {
    let percept = json!({"A": [[1,-4],[2,-5],[2,-4],[3,-6],[3,-5],[3,-4]],
                         "B": [[-3,4],[-3,5],[-3,6],[-2,4],[-2,5],[-1,4]]});
    let body = json!({
        "action_requests": [{"act_no": number, "percept": percept, "run": "7"}],
        "active_runs": ["7"], "finished_runs": finished,
        "messages": [{"content": format!("hello {PASSWORD}"), "run": "7", "type": "info"}],
    });
    (200, body.to_string())
}

fn game() -> Vec<(u16, String)> {
    vec![asked(0, &json!({})), (503, "busy".into()), asked(1, &json!({"6": 1}))]
}

const ONE_GAME: [&str; 4] = ["--games", "1", "--depth", "1"];

#[test]
fn a_game_is_printed_in_lines() {
    let run = Stage::new(game()).run(&ONE_GAME);
    assert_eq!(run.code, 0, "{}", run.err);
    for part in [
        "engine plays ws2223-2.1-rhombus as Ann",
        "the server speaks version 1",
        "run 7 starts: fauhalma:rhombus2",
        "status 503: \"busy\"",
        "run 6 is worth 1",
        "1 run finished: mean of the last 1 1.000, best 50: 49 games to go",
        "a run stays open on the server",
        "/agent/ws2223-2.1-rhombus/Ann",
    ] {
        assert!(run.out.contains(part), "{part}: {}", run.out);
    }
    // Requests and responses are shown only on request.
    assert!(!run.out.contains("protocol_version"));
}

#[test]
fn every_event_is_a_line_of_json() {
    let run = Stage::new(game()).run(&[&ONE_GAME[..], &["--json"]].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    let lines: Vec<Value> =
        run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let events: Vec<&str> = lines.iter().map(|line| line["event"].as_str().unwrap()).collect();
    let wanted = [
        "sent",
        "answered",
        "connected",
        "message",
        "run",
        "move",
        "sent",
        "answered",
        "waiting",
        "sent",
        "answered",
        "message",
        "finished",
        "note",
        "end",
    ];
    assert_eq!(events, wanted);
    assert_eq!(lines[5]["move"].as_array().map(|spaces| spaces.len() >= 2), Some(true));
    assert_eq!((&lines[9]["retries"], &lines[9]["answers"]), (&json!(1), &json!(1)));
    let totals = &lines[14]["totals"];
    assert_eq!((&totals["finished"], &totals["mean"]), (&json!(1), &json!(1.0)));
}

#[test]
fn one_at_a_time_shows_everything_but_the_password() {
    let run = Stage::new(game()).run(&[&ONE_GAME[..], &["--single"]].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    let sent: Vec<&str> = run.out.lines().filter(|line| line.starts_with("> ")).collect();
    assert_eq!(sent.len(), 3);
    assert!(sent.iter().all(|line| line.contains("\"pwd\":\"…\",")), "{sent:?}");
    assert!(sent.iter().all(|line| line.contains("\"parallel_runs\":false")), "{sent:?}");
    assert_eq!(sent[1], sent[2]);
    assert_eq!(run.out.lines().filter(|line| line.starts_with("< ")).count(), 3);
    assert!(run.out.contains("hello …"), "{}", run.out);
}

#[test]
fn exit_codes_distinguish_bad_input_from_failure() {
    let refusal = |status: u16| json!({"errorcode": status, "errorname": "X", "description": format!("no {PASSWORD}")});
    for (status, code) in [(401, 2), (400, 1), (404, 1), (302, 1)] {
        let run = Stage::new(vec![(status, refusal(status).to_string())]).run(&[]);
        assert_eq!(run.code, code, "{status}: {}", run.err);
        assert!(run.err.starts_with("error: "), "{}", run.err);
    }
    let stage = Stage::new(vec![(404, String::new())]);
    for (arguments, words) in [
        (&["--agent", "nobody"][..], "there is no agent"),
        (&["--agent", "engine:dept=3"], "did you mean depth"),
        (&["--parallel", "0"], "--parallel"),
        (&["--per-move", "5"], "--per-move"),
    ] {
        let run = stage.run(arguments);
        assert_eq!(run.code, 2, "{arguments:?}: {}", run.err);
        assert!(run.err.contains(words) && run.out.is_empty(), "{arguments:?}: {}", run.err);
    }
    for (text, words) in [
        (format!("{{\"agent\":\"A\",\"pwd\":\"{PASSWORD}\"}}"), "missing, or not text: env, url"),
        (PASSWORD.to_string(), "not a JSON object"),
        (format!("{{\"pwd\":[\"{PASSWORD}\"]}}"), "agent, env, pwd, url"),
    ] {
        let run = agon(&["aisysproj", &stage.file(&text)]);
        assert_eq!(run.code, 2);
        assert!(run.err.contains(words) && !run.err.contains(PASSWORD), "{}", run.err);
    }
    assert_eq!(agon(&["aisysproj", "no-such-file.json"]).code, 2);
}
