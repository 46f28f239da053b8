//! Who is there, and how they leave.

use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;

use crate::broker::{Broker, free_port, get, wait_for};
use crate::common::{agon, json};
use crate::room::{Room, comparable, on_one_machine};

const CUP: &str = "format = \"round-robin\"\ngames = 20\nvariant = \"breakthrough:5x5\"\nnodes = 100000\n\
                   agents = [\"alphabeta\", \"engine\", \"mcts\"]\n";

#[test]
fn a_worker_that_is_asked_to_leave_gives_back_what_it_does_not_finish() {
    let broker = Broker::single();
    let address = format!("127.0.0.1:{}", free_port());
    let mut room = Room::with_workers(&broker.url(), 1, &["--metrics", &address]);
    let coordinator = room.coordinator(CUP, &[]);
    let port: u16 = address.rsplit(':').next().unwrap().parse().unwrap();
    let metric = |name: &str| {
        let text = get(port, "/metrics")?;
        let line = text.lines().find(|line| line.starts_with(&format!("{name} ")))?.to_string();
        line.rsplit(' ').next()?.parse::<f64>().ok()
    };
    wait_for("a game", || metric("agon_worker_games").filter(|games| *games > 0.0));
    let fleet = json(&["workers", "--nats", &broker.url(), "--json"]);
    let worker = &fleet["workers"][0];
    assert_eq!((&worker["name"], &worker["slots"]), (&"pc-0".into(), &1.into()), "{fleet}");
    assert!(worker["abilities"]["speed"].as_u64().unwrap() > 1000, "{fleet}");
    let run = &fleet["runs"][0];
    assert_eq!((&run["name"], &run["games"]), (&"cup".into(), &60.into()), "{fleet}");
    let shown = agon(&["workers", "--nats", &broker.url()]);
    assert!(shown.out.contains("pc-0") && shown.out.contains("cup"), "{}", shown.out);

    room.workers[0].terminate();
    let status = room.workers[0].wait();
    assert!(status.success(), "{status:?}: {}", room.workers[0].said());
    // Others play the rest, at once: nothing is waited for.
    room.restart_worker(0);
    let games = room.finished(coordinator);
    assert_eq!(comparable(&games), comparable(&on_one_machine(CUP)));
}

#[test]
fn clocks_are_scaled_to_the_reference_and_games_say_by_how_much() {
    let broker = Broker::single();
    let room = Room::with_workers(&broker.url(), 1, &[]);
    let text = "format = \"round-robin\"\ngames = 2\nvariant = \"breakthrough:5x5\"\n\
                per_move = \"1s\"\nreference_speed = 1000000\nagents = [\"random\", \"greedy\"]\n";
    let games = room.finished(room.coordinator(text, &[]));
    for game in &games {
        let place = &game["played_by"];
        let (speed, scale) = (place["speed"].as_f64().unwrap(), place["scale"].as_f64().unwrap());
        assert_eq!(place["worker"], "pc-0");
        let wanted = (1_000_000.0 / speed).clamp(0.1, 10.0);
        assert!((scale - wanted).abs() < 1e-6, "{place}");
    }
    assert_eq!(games.len(), 2);
}

#[test]
fn the_same_commands_play_matches_and_experiments() {
    let broker = Broker::single();
    let room = Room::with_workers(&broker.url(), 2, &[]);
    let pair = ["match", "fauhalma:star3,limit=6", "brs", "greedy", "random"];
    let rest = ["--games", "12", "--nodes", "5000", "--seed", "5", "--json"];
    let here = json(&[&pair[..], &rest].concat());
    let elsewhere = json(&[&pair[..], &rest, &["--nats", &room.url]].concat());
    let same = |run: &Value| [run["signature"].clone(), run["games"].clone(), run["pairs"].clone()];
    assert_eq!(same(&here), same(&elsewhere));

    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("study.toml");
    let (file, data) = (file.display().to_string(), folder.path().join("data"));
    std::fs::write(
        &file,
        "title = \"A study\"\nvariant = \"breakthrough:5x5\"\nnodes = 1000\ngames = 20\n\
         agents = [\"random\", \"greedy\"]\n[[compare]]\nkind = \"list\"\nbaseline = \"greedy\"\n",
    )
    .unwrap();
    let data = data.display().to_string();
    let run = agon(&["lab", "run", &file, "--data", &data, "--nats", &room.url]);
    assert_eq!(run.code, 0, "{}", run.err);
    let status = agon(&["lab", "status", &file, "--data", &data]);
    assert!(status.out.contains("20"), "{}", status.out);
}

#[test]
fn an_unreachable_broker_and_bad_addresses_are_named() {
    let nowhere = format!("nats://127.0.0.1:{}", free_port());
    let run = agon(&["workers", "--nats", &nowhere]);
    assert!(run.code == 1 && run.err.contains(&nowhere), "{}", run.err);
    let run = agon(&["workers", "--nats", "http://there"]);
    assert!(run.code == 2 && run.err.contains("nats://broker:4222"), "{}", run.err);
    let run = agon(&["workers", "--nats", "nats://me:hunter2@there"]);
    assert!(run.code == 2 && run.err.contains("AGON_NATS_PASSWORD"), "{}", run.err);
    assert!(!run.err.contains("hunter2"), "{}", run.err);
    let run = agon(&["match", "congo", "random", "random", "--ack-wait", "5s"]);
    assert!(run.code == 2 && run.err.contains("--nats"), "{}", run.err);
}

#[test]
fn two_coordinators_do_not_play_one_tournament() {
    let broker = Broker::single();
    let mut room = Room::with_workers(&broker.url(), 1, &[]);
    let mut first = room.coordinator(CUP, &["--ack-wait", "2s"]);
    first.wait_until_it_says("worker pc-0");
    let other = Room::new(&broker.url());
    let mut second = other.coordinator(CUP, &[]);
    assert_eq!(second.wait().code(), Some(1), "{}", second.said());
    for words in ["cup", "another coordinator", "process"] {
        assert!(second.said().contains(words), "{words} in {}", second.said());
    }
    assert!(first.is_running(), "the first goes on: {}", first.said());
    // A lock of a process that is known to be dead does not have to get old.
    first.kill();
    sleep(Duration::from_millis(100));
    let third = room.coordinator(CUP, &["--ack-wait", "2s"]);
    let games = room.finished(third);
    assert_eq!(comparable(&games), comparable(&on_one_machine(CUP)));
    room.workers[0].kill();
}
