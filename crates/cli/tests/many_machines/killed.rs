//! Whoever is killed, and however often: the games are those of one machine.

use std::thread::sleep;
use std::time::Duration;

use agon_core::Rng;
use serde_json::Value;

use crate::broker::{Broker, wait_for};
use crate::room::{Room, comparable, on_one_machine};
use crate::soaking;

/// How many workers there are.
const WORKERS: usize = 4;
/// Units of a worker that was killed are not waited for as long as usual.
const OPTIONS: &[&str] = &["--ack-wait", "2s"];

/// Ends workers, broker and coordinator again and again while a tournament is played, and returns its
/// games.
fn games_despite_kills(text: &str, kills: u32, seed: u64) -> Vec<Value> {
    let mut broker = Broker::single();
    let mut room = Room::with_workers(&broker.url(), WORKERS, &[]);
    let mut coordinator = room.coordinator(text, OPTIONS);
    coordinator.wait_until_it_says("worker pc-");
    let (mut rng, mut hit) = (Rng::new(seed), [0; 3]);
    for _ in 0..kills {
        sleep(Duration::from_millis(200 + rng.below(800)));
        let victim = rng.below(4);
        let was_running = coordinator.is_running();
        match victim {
            0 => {
                broker.kill();
                sleep(Duration::from_millis(rng.below(500)));
                broker.start();
            }
            1 => {
                coordinator.kill();
                coordinator = room.coordinator(text, OPTIONS);
            }
            _ => {
                let number = rng.below(WORKERS as u64) as usize;
                room.workers[number].kill();
                room.restart_worker(number);
            }
        }
        hit[(victim as usize).min(2)] += u32::from(was_running);
        // Whoever is started while the broker is away says so and ends, and is started again.
        if coordinator.has_failed() {
            coordinator = room.coordinator(text, OPTIONS);
        }
    }
    for number in 0..WORKERS {
        if room.workers[number].has_failed() {
            room.restart_worker(number);
        }
    }
    // The broker stays from now on.
    std::thread::sleep(Duration::from_secs(2));
    if coordinator.has_failed() {
        coordinator = room.coordinator(text, OPTIONS);
    }
    let all: u32 = hit.iter().sum();
    assert!(all * 2 > kills, "only {all} of {kills} hit a running tournament");
    room.finished(coordinator)
}

fn assert_same(games: &[Value], expected: &[Value]) {
    assert_eq!(games.len(), expected.len(), "nothing lost, nothing twice");
    for (game, expected) in comparable(games).iter().zip(&comparable(expected)) {
        assert_eq!(game, expected);
    }
}

#[test]
fn a_tournament_of_which_every_part_is_killed_is_that_of_one_machine() {
    let (games, kills) = if soaking() { (50, 30) } else { (10, 8) };
    // Five agents meet in ten pairs.
    let text = format!(
        "format = \"round-robin\"\ngames = {games}\nvariant = \"breakthrough:5x5\"\nnodes = 30000\n\
         agents = [\"alphabeta\", \"engine\", \"minimax\", \"mcts\", \"random\"]\n"
    );
    let played = games_despite_kills(&text, kills, 1);
    assert_eq!(played.len(), 10 * games);
    assert_same(&played, &on_one_machine(&text));
    // It was really played elsewhere.
    assert!(played.iter().all(|game| game["played_by"]["worker"].as_str().is_some()), "{played:?}");
}

#[test]
fn rounds_that_depend_on_results_are_the_same_too() {
    let (rounds, kills) = if soaking() { (60, 20) } else { (8, 3) };
    let text = format!(
        "format = \"contest\"\nrounds = {rounds}\nsettled = 0\nvariant = \"fauhalma:star3,limit=6\"\n\
         nodes = 20000\nagents = [\"brs\", \"maxn\", \"mcts\", \"greedy\", \"random\"]\n"
    );
    let played = games_despite_kills(&text, kills, 2);
    assert_same(&played, &on_one_machine(&text));
}

#[test]
fn three_brokers_go_on_without_their_leader() {
    let games = if soaking() { 40 } else { 8 };
    let text = format!(
        "format = \"round-robin\"\ngames = {games}\nvariant = \"breakthrough:5x5\"\nnodes = 30000\n\
         agents = [\"alphabeta\", \"engine\", \"mcts\"]\n"
    );
    let mut brokers = Broker::three();
    let urls: Vec<String> = brokers.iter().map(Broker::url).collect();
    let room = Room::with_workers(&urls.join(","), 2, &[]);
    let coordinator = room.coordinator(&text, &[OPTIONS, &["--replicas", "3"]].concat());
    coordinator.wait_until_it_says("worker pc-");
    let leads = |brokers: &[Broker], stream: &str| {
        wait_for("a leader", || brokers.iter().find_map(|broker| broker.leader(stream)))
    };
    for stream in ["AGON_UNITS", "AGON_RESULTS"] {
        let leader = leads(&brokers, stream);
        let index: usize = leader.trim_start_matches("broker-").parse().unwrap();
        brokers[index].kill();
        let new = wait_for("another leader", || {
            let others = brokers.iter().filter_map(|broker| broker.leader(stream));
            others.into_iter().find(|it| *it != leader && !it.is_empty())
        });
        assert_ne!(new, leader);
        sleep(Duration::from_millis(500));
        brokers[index].start();
    }
    let played = room.finished(coordinator);
    assert_same(&played, &on_one_machine(&text));
}

#[test]
fn a_broker_that_has_lost_everything_gets_it_again() {
    let text = "format = \"round-robin\"\ngames = 20\nvariant = \"breakthrough:5x5\"\nnodes = 30000\n\
                agents = [\"alphabeta\", \"engine\", \"mcts\"]\n";
    let mut broker = Broker::single();
    let room = Room::with_workers(&broker.url(), 2, &[]);
    let mut coordinator = room.coordinator(text, OPTIONS);
    coordinator.wait_until_it_says("worker pc-");
    sleep(Duration::from_millis(300));
    broker.forget();
    broker.start();
    assert!(coordinator.is_running());
    let played = room.finished(coordinator);
    assert_same(&played, &on_one_machine(text));
}
