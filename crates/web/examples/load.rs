//! Load test of a server with many games at once: `cargo run --release -p agon-web --example load`,
//! optionally with `games=200 plies=60 pause=500`.
//!
//! Every game is played by a thread of its own against instant agents, over HTTP and a WebSocket as
//! a page would, and every position is checked against the rules. People think for about `pause`
//! milliseconds before a move; with `pause=0` all of them play as fast as they can. Prints how long a
//! page waits.

#[path = "../tests/common/mod.rs"]
mod common;

use std::thread;
use std::time::{Duration, Instant};

use common::page::{Manner, play_game};
use common::{Running, print_percentiles};

fn main() {
    let (mut games, mut plies, mut pause) = (200, 60, 500);
    for argument in std::env::args().skip(1) {
        match argument.split_once('=').map(|(name, value)| (name, value.parse::<u64>())) {
            Some(("games", Ok(number @ 1..=1000))) => games = number,
            Some(("plies", Ok(number @ 1..=2000))) => plies = number,
            Some(("pause", Ok(number @ 0..=60_000))) => pause = number,
            _ => {
                let expected = "games=1 to 1000, plies=1 to 2000 or pause=0 to 60000";
                eprintln!("bad argument {argument:?}: expected {expected}");
                std::process::exit(2);
            }
        }
    }
    let folder = tempfile::tempdir().expect("a folder for the games");
    let server = Running::start(folder.path());
    let began = Instant::now();
    let waits: Vec<_> = thread::scope(|scope| {
        let play = |number| {
            let (client, address) = (server.client(), server.address);
            let manner = Manner { number, plies, pause: Duration::from_millis(pause) };
            scope.spawn(move || play_game(&client, address, manner))
        };
        let playing: Vec<_> = (0..games).map(play).collect();
        playing.into_iter().map(|thread| thread.join().expect("a game went wrong")).collect()
    });
    let took = began.elapsed().as_secs_f64();
    let moves: usize = waits.iter().map(|waits| waits.accepted.len()).sum();
    println!("{games} games at once, {moves} moves of people in {took:.1} s, all of them correct");
    let mut accepted: Vec<_> = waits.iter().flat_map(|waits| waits.accepted.clone()).collect();
    let mut answered: Vec<_> = waits.iter().flat_map(|waits| waits.answered.clone()).collect();
    print_percentiles("a move is accepted after", &mut accepted);
    print_percentiles("the answer arrives after", &mut answered);
}
