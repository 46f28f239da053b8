//! Servers and connections that fail: temporary failures are waited out, permanent ones end it.

use std::time::Duration;

use agon_wire::aisysproj::client::Failure;
use serde_json::{Value, json};

use crate::stage::{
    Act, PASSWORD, Played, Stage, answered, none, ok, options, play, v0, v1, with_error,
};

/// A run of one move, with this between the request and the response to its answer.
fn interrupted(times: usize, between: Act) -> (Played, Vec<Value>) {
    let is_silent = matches!(between, Act::Slow(..));
    let stage = Stage::new(move |number, _| match number {
        0 => ok(&v1(&[("5", 3)], &none())),
        number if number <= times => between.clone(),
        _ => ok(&v1(&[], &json!({"5": 1}))),
    });
    let mut impatient = options(1);
    if is_silent {
        impatient.patience.answer = Duration::from_secs(1);
    }
    let played = stage.play(impatient);
    (played, stage.requests())
}

/// The same answer is sent until it is accepted.
#[track_caller]
fn is_survived(name: &str, between: Act) {
    const TIMES: usize = 2;
    let (played, requests) = interrupted(TIMES, between);
    let totals = played.totals();
    assert_eq!((totals.finished, totals.mean), (1, Some(1.0)), "{name}");
    assert_eq!(totals.errors, TIMES as u64, "{name}: {:?}", played.log);
    assert_eq!(requests.len(), TIMES + 2, "{name}");
    assert_eq!(answered(&requests[1]), ["5#3"], "{name}");
    assert!(requests[2..].iter().all(|request| *request == requests[1]), "{name}");
    assert_eq!(played.count("trouble: true"), TIMES, "{name}");
}

#[test]
fn a_server_that_is_busy_or_broken_is_asked_again() {
    for status in [500, 502, 503, 504, 429, 408] {
        is_survived(&status.to_string(), Act::Reply(status, String::new()));
    }
    let page = "<!doctype html><title>Bad Gateway</title>".to_string();
    is_survived("a page as an error", Act::Reply(502, page.clone()));
    is_survived("a page as an answer", Act::Reply(200, page));
    is_survived("other success", Act::Reply(204, String::new()));
}

#[test]
fn an_answer_that_makes_no_sense_is_asked_for_again() {
    let deep = "[".repeat(200_000);
    for body in ["", "{", "null", "[]", "{}", "\u{0}\u{1}", "{\"action_requests\": 7}", &deep] {
        is_survived(body.get(..20).unwrap_or(body), Act::Reply(200, body.to_string()));
    }
    is_survived("five MiB", Act::Reply(200, " ".repeat(5 << 20)));
    is_survived("no HTTP", Act::Raw(b"SSH-2.0-OpenSSH_9.6\r\n".to_vec()));
    let cut = b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{\"action_requests\":[".to_vec();
    is_survived("half an answer", Act::Raw(cut));
    let head = format!("HTTP/1.1 200 OK\r\nX: {}\r\n\r\n", "x".repeat(1 << 20));
    is_survived("an endless head", Act::Raw(head.into_bytes()));
}

#[test]
fn a_connection_that_is_cut_is_made_again() {
    is_survived("after the request", Act::Cut);
    let slow = Act::Slow(Duration::from_secs(3600), String::new());
    is_survived("no answer in time", slow);
    // Before anything was read: the server knows nothing about it.
    let stage = Stage::deaf_at_first(3, |number, _| match number {
        0 => ok(&v1(&[("5", 3)], &none())),
        _ => ok(&v1(&[], &json!({"5": 0}))),
    });
    let played = stage.play(options(1));
    assert_eq!((played.totals().finished, played.totals().errors), (1, 3));
}

#[test]
fn a_slow_answer_is_an_answer() {
    let (played, requests) = {
        let body = v1(&[], &json!({"5": 1})).to_string();
        let stage = Stage::new(move |number, _| match number {
            0 => ok(&v1(&[("5", 3)], &none())),
            _ => Act::Slow(Duration::from_millis(200), body.clone()),
        });
        (stage.play(options(1)), stage.requests())
    };
    assert_eq!((played.totals().errors, requests.len()), (0, 2));
}

#[test]
fn a_server_that_is_not_there_yet_is_waited_for() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let file = json!({"agent": "A", "env": "e", "pwd": PASSWORD, "url": format!("http://{free}")});
    let config = agon_wire::aisysproj::client::Config::read(file.to_string().as_bytes()).unwrap();
    let stop = agon_search::StopFlag::default();
    let mut waits = 0;
    let played = play(config, options(0), &stop, &mut |event| {
        if let agon_wire::aisysproj::client::Event::Waiting { .. } = event {
            waits += 1;
            if waits == 3 {
                stop.stop();
            }
        }
    });
    assert_eq!((played.totals().requests, played.totals().errors), (3, 3));
}

#[test]
fn an_answer_that_arrived_though_the_reply_was_lost_is_no_error() {
    // The first answer was accepted, so the second one has the wrong number. Version 1 and 0.
    for (first, last, taken) in [
        (v1(&[("5", 3)], &none()), v1(&[("5", 4)], &none()), "5#4"),
        (v0(&["5#3"]), v0(&["5#4"]), "5#4"),
    ] {
        let last = with_error(last, "5");
        let stage = Stage::new(move |number, _| match number {
            0 => ok(&first),
            1 => Act::Cut,
            2 => ok(&last),
            _ => Act::Reply(404, String::new()),
        });
        let played = stage.play(options(0));
        let requests = stage.requests();
        assert_eq!(requests[1], requests[2]);
        assert_eq!(answered(&requests[3]), [taken]);
        assert_eq!(played.count("expected: true"), 1, "{:?}", played.log);
        assert_eq!(played.count("Refused"), 0);
    }
}

#[test]
fn a_run_that_ended_in_a_lost_reply_is_counted_without_its_outcome() {
    let after = with_error(v1(&[("6", 0)], &none()), "5");
    let stage = Stage::new(move |number, _| match number {
        0 => ok(&v1(&[("5", 30)], &none())),
        1 => Act::Cut,
        _ => ok(&after),
    });
    let totals = stage.play(options(1)).totals();
    assert_eq!((totals.finished, totals.rated), (1, 0));
}

#[test]
fn what_cannot_get_better_ends_it_at_once() {
    let body = |status: u16| {
        json!({"errorcode": status, "errorname": "X", "description": "these words"}).to_string()
    };
    for status in [400, 403, 404, 405, 413, 415] {
        let stage = Stage::script(vec![Act::Reply(status, body(status))]);
        let played = stage.play(options(0));
        let wanted = Failure::Refused { status, text: "these words".into() };
        assert_eq!(*played.failure(), wanted);
        assert_eq!(stage.requests().len(), 1);
    }
    let stage = Stage::script(vec![Act::Reply(401, body(401))]);
    let played = stage.play(options(0));
    assert_eq!(*played.failure(), Failure::Credentials("these words".into()));
    assert_eq!(stage.requests().len(), 1);
    // In the middle of a game as well.
    let (played, requests) = interrupted(usize::MAX, Act::Reply(404, "<html>".into()));
    assert!(
        matches!(played.failure(), Failure::Refused { status: 404, text } if text.contains("html"))
    );
    assert_eq!(requests.len(), 2);
}

#[test]
fn the_password_is_not_taken_to_another_address() {
    let elsewhere = Stage::script(vec![ok(&v1(&[], &none()))]);
    let to = elsewhere.config().url;
    let line: &'static str = Box::leak(format!("Location: {to}/act/e\r\n").into_boxed_str());
    for status in [301, 302, 303, 307, 308] {
        let stage = Stage::script(vec![Act::ReplyWith(status, line, String::new())]);
        let played = stage.play(options(0));
        let failure = played.failure();
        assert!(matches!(failure, Failure::Moved { status: told, .. } if *told == status));
        assert!(failure.to_string().contains(&to), "{failure}");
        assert_eq!(stage.requests().len(), 1);
    }
    assert_eq!(elsewhere.requests().len(), 0);
}

#[test]
fn a_server_that_sends_the_password_back_does_not_get_it_shown() {
    // stage::play searches everything that is reported for it.
    let echo = |request: &Value| request.to_string();
    for status in [200, 400, 401, 404, 503] {
        let stage = Stage::new(move |number, request| match number {
            0 => Act::Reply(if status == 503 { 503 } else { 500 }, echo(request)),
            1 => Act::Reply(status, format!("{} {PASSWORD}", echo(request))),
            2 => {
                let mut said = with_error(v1(&[("5", 0)], &none()), PASSWORD);
                said["messages"][0]["content"] = json!(format!("{PASSWORD}: {}", echo(request)));
                ok(&said)
            }
            3 => {
                let refusal = json!({"errorcode": 401, "errorname": "X",
                    "description": format!("{}{PASSWORD}", "x".repeat(190))});
                Act::Reply(401, refusal.to_string())
            }
            _ => unreachable!("it has ended"),
        });
        let played = stage.play(options(0));
        assert!(played.result.is_err());
    }
    let line: &'static str =
        Box::leak(format!("Location: http://x/{PASSWORD}\r\n").into_boxed_str());
    let stage = Stage::script(vec![Act::ReplyWith(302, line, String::new())]);
    assert!(stage.play(options(0)).failure().to_string().contains("http://x/"));
}

#[test]
fn a_server_that_fails_over_one_answer_still_gets_the_others() {
    // The server fails whenever an answer for run 2 is included: all before it are kept.
    let mut numbers = std::collections::BTreeMap::from([(1u64, 0u64), (2, 0), (3, 0)]);
    let mut tries_of_two = std::collections::HashSet::new();
    let stage = Stage::new(move |_, request| {
        for action in request["actions"].as_array().into_iter().flatten() {
            let run: u64 = action["run"].as_str().unwrap().parse().unwrap();
            let number = numbers.get_mut(&run).unwrap();
            if action["act_no"] != json!(*number) {
                continue;
            }
            if run == 2 {
                tries_of_two.insert(action["action"].to_string());
                if tries_of_two.len() < 2 {
                    return Act::Reply(500, "{\"description\":\"KeyError\"}".into());
                }
            }
            *number += 1;
        }
        let least = numbers.values().min().copied().unwrap();
        if least >= 1 {
            return ok(&v1(&[], &json!({"1": 1, "2": 1, "3": 1})));
        }
        let open: Vec<(String, u64)> = numbers
            .iter()
            .filter(|(_, number)| **number == 0)
            .map(|(run, number)| (run.to_string(), *number))
            .collect();
        let open: Vec<(&str, u64)> =
            open.iter().map(|(run, number)| (run.as_str(), *number)).collect();
        let mut response = v1(&open, &none());
        response["active_runs"] = json!(["1", "2", "3"]);
        ok(&response)
    });
    let played = stage.play(options(3));
    assert_eq!(played.totals().finished, 3, "{:?}", played.log);
    assert_eq!(played.count("Refused"), 0);
}

#[test]
fn a_server_that_is_replaced_by_an_older_one_is_followed() {
    let stage = Stage::new(|number, request| match number {
        0 => ok(&v1(&[("5", 3)], &none())),
        // It does not understand the answer, and so asks for it again.
        1 => {
            assert_eq!(request["protocol_version"], 1);
            ok(&with_error(v0(&["5#3"]), "5"))
        }
        2 => {
            assert!(request.get("protocol_version").is_none());
            ok(&v0(&["5#4"]))
        }
        _ => Act::Reply(404, String::new()),
    });
    let played = stage.play(options(0));
    let requests = stage.requests();
    assert_eq!(answered(&requests[2]), ["5#3"]);
    assert_eq!(requests[1]["actions"][0]["action"], requests[2]["actions"][0]["action"]);
    assert_eq!(played.count("Refused"), 0);
    assert_eq!(answered(&requests[3]), ["5#4"]);
}
