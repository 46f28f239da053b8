//! Moves that the server refuses.

use agon_wire::aisysproj::client::Failure;
use serde_json::{Value, json};

use crate::stage::{Act, Stage, answered, none, ok, options, v0, v1, with_error};

fn actions_of(requests: &[Value], run: &str) -> Vec<String> {
    let actions = requests.iter().flat_map(|request| request["actions"].as_array());
    let of_run = actions.flatten().filter(|action| {
        action["run"].as_str().is_some_and(|told| told.split('#').next() == Some(run))
    });
    of_run.map(|action| action["action"].to_string()).collect()
}

#[test]
fn another_move_is_tried_once() {
    for version in [0, 1] {
        let asked = move |number: u64| match version {
            0 => v0(&[&format!("5#{number}")]),
            _ => v1(&[("5", number)], &none()),
        };
        let stage = Stage::new(move |number, _| match number {
            0 => ok(&asked(3)),
            1 => ok(&with_error(asked(3), "5")),
            2 => ok(&asked(4)),
            _ => Act::Reply(404, String::new()),
        });
        let played = stage.play(options(0));
        let requests = stage.requests();
        assert_eq!(answered(&requests[1]), answered(&requests[2]));
        let moves = actions_of(&requests[..3], "5");
        assert!(moves.len() == 2 && moves[0] != moves[1], "{moves:?}");
        assert_eq!(played.count("Refused"), 1);
        assert_eq!(played.count("another one is tried"), 1);
        // At the next number all is well, and the agent chooses again.
        assert_eq!(answered(&requests[3]), ["5#4"]);
    }
}

#[test]
fn a_run_is_given_up_after_two_refused_moves() {
    let stage = Stage::new(|number, request| match number {
        0..=2 => ok(&v1(&[("5", 3), ("6", number as u64)], &none())),
        3 => {
            assert_eq!(request["to_abandon"], json!(["5"]));
            ok(&v1(&[("6", 3), ("7", 0)], &json!({"5": 0})))
        }
        4 => {
            assert!(request.get("to_abandon").is_none());
            ok(&v1(&[("7", 1)], &json!({"6": 1})))
        }
        _ => unreachable!("two games are enough"),
    });
    let played = stage.play(options(2));
    let totals = played.totals();
    assert_eq!((totals.finished, totals.refused, totals.mean), (2, 2, Some(0.5)));
    let moves = actions_of(&stage.requests(), "5");
    assert!(moves.len() == 2 && moves[0] != moves[1], "{moves:?}");
    // The other run went on all the time.
    assert_eq!(actions_of(&stage.requests(), "6").len(), 4);
}

#[test]
fn where_runs_cannot_be_given_up_it_is_not_tried_again() {
    let stage = Stage::new(|number, request| match number {
        0..=2 => ok(&v1(&[("5", 3), ("6", number as u64)], &none())),
        3 => {
            assert_eq!(request["to_abandon"], json!(["5"]));
            Act::Reply(400, "{\"errorcode\":400,\"errorname\":\"X\",\"description\":\"no\"}".into())
        }
        // Nothing in that request took effect, so the other answer is sent again, alone.
        4 => {
            assert!(request.get("to_abandon").is_none());
            assert_eq!(answered(request), ["6#2"]);
            ok(&v1(&[("5", 3)], &none()))
        }
        _ => unreachable!("only what cannot be played is left"),
    });
    let played = stage.play(options(0));
    assert!(matches!(played.failure(), Failure::Stuck(why) if why.contains("run 5")));
    assert_eq!(actions_of(&stage.requests(), "5").len(), 2);
}

#[test]
fn a_run_that_is_asked_for_after_it_was_given_up_is_left_alone() {
    let stage = Stage::new(|number, _| match number {
        0..=3 => ok(&v1(&[("5", 3)], &none())),
        _ => unreachable!("it is asked for once"),
    });
    assert!(matches!(stage.play(options(0)).failure(), Failure::Stuck(_)));
    let abandoned = |request: &&Value| request.get("to_abandon").is_some();
    assert_eq!(stage.requests().iter().filter(abandoned).count(), 1);
}

#[test]
fn version_0_has_no_way_to_give_a_run_up() {
    let stage = Stage::new(|number, _| match number {
        0 => ok(&v0(&["5#3", "6#0"])),
        1 => ok(&with_error(v0(&["5#3"]), "5")),
        _ => ok(&with_error(v0(&["5#3"]), "5")),
    });
    let played = stage.play(options(0));
    assert!(matches!(played.failure(), Failure::Stuck(why) if why.contains("run 5")));
    assert_eq!(actions_of(&stage.requests(), "5").len(), 2);
    assert_eq!(stage.requests().len(), 3);
    assert_eq!(played.count("left alone"), 1);
}

#[test]
fn a_400_is_the_end_if_nothing_was_to_be_given_up() {
    let stage = Stage::new(|number, _| match number {
        0 => ok(&v1(&[("5", 3)], &none())),
        _ => Act::Reply(400, String::new()),
    });
    assert!(matches!(stage.play(options(0)).failure(), Failure::Refused { status: 400, .. }));
    assert_eq!(stage.requests().len(), 2);
}
