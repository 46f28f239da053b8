//! Conversations without failures: versions, resuming, several runs, waiting, stopping.

use agon_search::StopFlag;
use agon_wire::aisysproj::client::{Event, Failure};
use serde_json::{Value, json};

use crate::stage::{Act, Stage, answered, none, ok, options, percept, play, v0, v1, with_error};

#[test]
fn a_server_of_version_1_is_spoken_to_in_it() {
    let stage = Stage::script(vec![
        ok(&v1(&[("22", 0), ("23", 0)], &none())),
        ok(&v1(&[("23", 1)], &json!({"22": 1}))),
    ]);
    let played = stage.play(options(1));
    let requests = stage.requests();
    assert_eq!(requests.len(), 2);
    let first = &requests[0];
    assert_eq!((&first["protocol_version"], &first["client"]), (&json!(1), &json!("agon")));
    assert!(first.get("actions").is_none() && first.get("parallel_runs").is_none(), "{first}");
    assert_eq!(answered(&requests[1]), ["22#0", "23#0"]);
    assert_eq!(requests[1]["protocol_version"], 1);
    let totals = played.totals();
    assert_eq!((totals.finished, totals.rated, totals.mean), (1, 1, Some(1.0)));
    assert_eq!((totals.moves, totals.requests, totals.errors), (2, 2, 0));
    assert_eq!(played.count("a run stays open on the server"), 1);
}

#[test]
fn a_server_that_knows_version_0_only_is_spoken_to_in_that() {
    let stage = Stage::script(vec![
        ok(&v0(&["2#0", "3#0"])),
        ok(&v0(&["2#1", "3#1"])),
        ok(&v0(&["3#2", "4#0"])),
    ]);
    let played = stage.play(options(1));
    let requests = stage.requests();
    assert_eq!(requests[0]["protocol_version"], 1);
    for request in &requests[1..] {
        let mut keys: Vec<&String> = request.as_object().unwrap().keys().collect();
        keys.sort();
        assert_eq!(keys, ["actions", "agent", "pwd"]);
    }
    assert_eq!(answered(&requests[2]), ["2#1", "3#1"]);
    // The outcome is not reported in this version.
    let totals = played.totals();
    assert_eq!((totals.finished, totals.rated, totals.mean), (1, 0, None));
    assert_eq!(played.count("Connected { version: 0 }"), 1);
}

#[test]
fn one_at_a_time_is_said_in_the_words_of_the_version() {
    for (response, field, value) in [
        (v0(&["2#0"]), "single_request", json!(true)),
        (v1(&[("2", 0)], &none()), "parallel_runs", json!(false)),
    ] {
        let stage = Stage::script(vec![ok(&response), Act::Reply(404, String::new())]);
        let mut single = options(0);
        single.parallel = 1;
        stage.play(single);
        let requests = stage.requests();
        assert_eq!(requests[0]["parallel_runs"], json!(false));
        assert_eq!(requests[1][field], value, "{}", requests[1]);
    }
}

#[test]
fn actions_are_legal_moves_in_the_frame_of_a() {
    let three = json!({"A": [[1,-4],[2,-5],[2,-4],[3,-6],[3,-5],[3,-4]],
        "B": [[1,3],[2,2],[2,3],[3,1],[3,2],[3,3]],
        "C": [[-6,3],[-5,2],[-5,3],[-4,1],[-4,2],[-4,3]]});
    // In the middle of a game: (0,3) hops home over (-1,4)'s neighbour or steps.
    let middle = json!({"A": [[0,3],[-3,5],[-3,6],[-2,4],[-2,5],[-1,4]],
        "B": [[1,-4],[2,-5],[2,-4],[3,-6],[3,-5],[-3,4]]});
    for (percept, setup) in [(percept(), "star2"), (three, "star3"), (middle, "star2")] {
        let mut response = v1(&[("7", 17)], &none());
        response["action_requests"][0]["percept"] = percept.clone();
        let stage = Stage::script(vec![ok(&response), Act::Reply(404, String::new())]);
        let played = stage.play(options(0));
        assert_eq!(played.count("number: 17"), 2, "{:?}", played.log);
        let action = stage.requests()[1]["actions"][0].clone();
        assert_eq!((&action["run"], &action["act_no"]), (&json!("7"), &json!(17)));
        let variant = format!("fauhalma:{setup}").parse().unwrap();
        let mut position = percept;
        position["turn"] = json!("A");
        let table =
            agon_games::open_at::<&str>(&variant, Some(&position.to_string()), &[]).unwrap();
        assert!(table.read_move(&action["action"].to_string()).is_ok(), "{action}");
    }
}

#[test]
fn no_more_runs_are_played_at_a_time_than_was_said() {
    // Two of five are answered; the server lists the other three, as they are still waiting.
    let stage = Stage::new(|number, _| match number {
        0 => ok(&v0(&["2#0", "3#0", "4#0", "5#0", "6#0"])),
        1 => ok(&v0(&["4#0", "5#0", "6#0"])),
        2 => ok(&v0(&["6#0"])),
        3 => ok(&v0(&["2#1", "3#1", "4#1", "5#1", "6#1"])),
        _ => Act::Reply(404, String::new()),
    });
    let mut two = options(0);
    two.parallel = 2;
    let played = stage.play(two);
    let requests: Vec<Vec<String>> = stage.requests().iter().map(answered).collect();
    assert_eq!(requests[1..4], [vec!["2#0", "3#0"], vec!["4#0", "5#0"], vec!["6#0"]]);
    assert_eq!(requests[4], ["2#1", "3#1"]);
    // Nothing was finished, though runs were not listed for a while.
    assert_eq!(played.count("Finished"), 0);
    assert_eq!(played.count("Taken"), 5);
}

#[test]
fn who_has_nothing_to_do_waits_and_asks_again() {
    let stage = Stage::new(|number, _| match number {
        0..=3 => ok(&v1(&[], &none())),
        4 => ok(&v1(&[("9", 0)], &none())),
        _ => ok(&v1(&[], &json!({"9": 0}))),
    });
    let played = stage.play(options(1));
    assert_eq!(played.count("has no requests"), 4);
    assert_eq!((played.totals().finished, played.totals().errors), (1, 0));
}

#[test]
fn messages_are_passed_on_and_only_errors_are_errors() {
    let mut first = v1(&[("9", 0)], &none());
    first["messages"] = json!([
        {"content": "wel\u{7}come\nall", "run": null, "type": "info"},
        {"content": "mind", "run": "9", "type": "warning"},
    ]);
    let last = with_error(v1(&[], &json!({"9": 1})), "9");
    let stage = Stage::script(vec![ok(&first), ok(&last)]);
    let played = stage.play(options(1));
    assert_eq!(played.count("wel come all"), 1, "{:?}", played.log);
    assert_eq!(played.count("kind: Warning, run: Some(\"9\")"), 1);
    assert_eq!(played.totals().errors, 1);
}

#[test]
fn who_is_stopped_sends_what_is_ready_and_begins_nothing() {
    let stage = Stage::new(|number, _| match number {
        0 => ok(&v1(&[("1", 0), ("2", 0)], &none())),
        _ => ok(&v1(&[("1", 1), ("2", 1)], &none())),
    });
    let stop = StopFlag::default();
    let mut watch = |event: &Event<'_>| {
        if let Event::Moved(_) = event {
            stop.stop();
        }
    };
    let played = play(stage.config(), options(0), &stop, &mut watch);
    assert_eq!(played.totals().moves, 2);
    assert_eq!(played.count("Moved("), 2);
    assert_eq!(played.count("2 runs stay open on the server"), 1);
    let requests = stage.requests();
    assert_eq!((requests.len(), answered(&requests[1])), (2, vec!["1#0".into(), "2#0".into()]));
}

#[test]
fn who_is_stopped_while_thinking_sends_nothing_unripe() {
    let stage = Stage::new(|_, _| ok(&v1(&[("1", 0), ("2", 0)], &none())));
    let stop = StopFlag::default();
    let mut long = options(0);
    (long.per_move, long.depth) = (Some(std::time::Duration::from_secs(3600)), None);
    let flag = stop.clone();
    let mut watch = move |event: &Event<'_>| {
        if let Event::Standing { .. } = event {
            let flag = flag.clone();
            std::thread::spawn(move || {
                std::thread::sleep(std::time::Duration::from_millis(100));
                flag.stop();
            });
        }
    };
    let played = play(stage.config(), long, &stop, &mut watch);
    assert_eq!((played.totals().moves, stage.requests().len()), (0, 1));
}

#[test]
fn who_is_stopped_while_waiting_does_not_wait_on() {
    let stage = Stage::script(vec![Act::Reply(503, String::new())]);
    let stop = StopFlag::default();
    let mut patient = options(0);
    patient.patience.shortest = std::time::Duration::from_secs(3600);
    patient.patience.longest = std::time::Duration::from_secs(7200);
    let mut watch = |event: &Event<'_>| {
        if let Event::Waiting { .. } = event {
            stop.stop();
        }
    };
    let played = play(stage.config(), patient, &stop, &mut watch);
    assert_eq!((played.totals().requests, stage.requests().len()), (1, 1));
}

#[test]
fn a_percept_of_another_game_is_no_reason_to_give_a_run_up() {
    let mut response = v1(&[("7", 0), ("8", 0)], &none());
    response["action_requests"][0]["percept"] = json!(9);
    let mut only = v1(&[("7", 0)], &none());
    only["action_requests"][0]["percept"] = json!(9);
    let stage = Stage::script(vec![ok(&response), ok(&only)]);
    let played = stage.play(options(0));
    assert!(matches!(played.failure(), Failure::Stuck(why) if why.contains("run 7")));
    assert_eq!(answered(&stage.requests()[1]), ["8#0"]);
    assert!(stage.requests().iter().all(|request: &Value| request.get("to_abandon").is_none()));
}

#[test]
fn an_agent_for_two_cannot_play_a_game_of_three() {
    let mut response = v1(&[("7", 0)], &none());
    let corner = json!([[1, 3], [2, 2], [2, 3], [3, 1], [3, 2], [3, 3]]);
    response["action_requests"][0]["percept"]["C"] = corner;
    let stage = Stage::script(vec![ok(&response)]);
    let mut two = options(0);
    two.agent = "alphabeta".parse().unwrap();
    assert!(matches!(stage.play(two).failure(), Failure::Agent(_)));
}
