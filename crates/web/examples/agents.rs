//! Load test of a server with many agents that play over the network:
//! `cargo run --release -p agon-web --example agents`, optionally with `agents=50 seconds=20`.
//!
//! Every agent has a thread of its own and five runs against opponents that answer at once. It sends
//! any legal move as fast as it can, and every answer of the server is checked; in the end the store
//! must have every action exactly once. Prints how long agents wait.

#[path = "../tests/common/mod.rs"]
mod common;

use std::thread;
use std::time::{Duration, Instant};

use agon_arena::contest::Environments;
use common::agents::{Player, add_accounts, check_nothing_lost};
use common::{Running, print_percentiles};

const VARIANT: &str = "fauhalma:star3,limit=60";

fn main() {
    let (mut agents, mut seconds) = (50, 20);
    for argument in std::env::args().skip(1) {
        match argument.split_once('=').map(|(name, value)| (name, value.parse::<u64>())) {
            Some(("agents", Ok(number @ 1..=200))) => agents = number,
            Some(("seconds", Ok(number @ 1..=3600))) => seconds = number,
            _ => {
                let expected = "agents=1 to 200 or seconds=1 to 3600";
                eprintln!("bad argument {argument:?}: expected {expected}");
                std::process::exit(2);
            }
        }
    }
    let folder = tempfile::tempdir().expect("a folder for the runs");
    let text = format!(
        "[[environment]]\nid = \"e\"\nvariant = \"{VARIANT}\"\n\
         opponents = [{{ agent = \"random\" }}, {{ agent = \"random\" }}]"
    );
    let names: Vec<String> = (0..agents).map(|number| format!("agent {number}")).collect();
    add_accounts(folder.path(), "e", &names);
    let server = Running::start_with(folder.path(), |options| {
        options.environments =
            Environments::read(&agon_games::Catalog::built_in(), &text).expect("an environment");
    });
    let began = Instant::now();
    let players: Vec<Player> = thread::scope(|scope| {
        let play = |name: &String| {
            let mut player = Player::new(server.address, "e", name, VARIANT);
            scope.spawn(move || {
                player.ask();
                while began.elapsed() < Duration::from_secs(seconds) {
                    player.answer();
                }
                player
            })
        };
        let playing: Vec<_> = names.iter().map(play).collect();
        playing.into_iter().map(|thread| thread.join().expect("an agent was refused")).collect()
    });
    let took = began.elapsed().as_secs_f64();
    let actions: u64 = players.iter().map(|player| player.actions).sum();
    let runs: usize = players.iter().map(|player| player.outcomes.len()).sum();
    check_nothing_lost(folder.path(), "e", &players);
    let rate = actions as f64 / took;
    println!("{agents} agents: {actions} actions, {runs} finished runs, none lost or duplicated");
    println!("{rate:.0} actions per second over {took:.1} s");
    let mut waits: Vec<Duration> = players.iter().flat_map(|it| it.waits.clone()).collect();
    print_percentiles("an answer arrives after", &mut waits);
    if let Ok(status) = std::fs::read_to_string("/proc/self/status") {
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        println!("memory, including the agents: {}", peak.unwrap_or_default().trim());
    }
}
