//! Load test of the page of a large tournament: `cargo run --release -p agon-web --example tournament`,
//! optionally with `agents=60 games=20000 viewers=100 seconds=20`.
//!
//! Every viewer asks every two seconds, as a page does, and says what it knows. Meanwhile a game ends
//! every half second, so that there is always something new. Prints how large the answer is, how long the
//! first one takes, and how long viewers wait.

#[path = "../tests/common/mod.rs"]
mod common;

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use agon_arena::store::{GameId, Store};
use common::tournaments::store_many;
use common::{Running, print_percentiles};

fn main() {
    let (mut agents, mut games, mut viewers, mut seconds) = (60, 20_000, 100, 20);
    for argument in std::env::args().skip(1) {
        match argument.split_once('=').map(|(name, value)| (name, value.parse::<u64>())) {
            Some(("agents", Ok(number @ 2..=500))) => agents = number,
            Some(("games", Ok(number @ 10..=200_000))) => games = number,
            Some(("viewers", Ok(number @ 1..=200))) => viewers = number,
            Some(("seconds", Ok(number @ 1..=600))) => seconds = number,
            _ => {
                let expected =
                    "agents=2 to 500, games=10 to 200000, viewers=1 to 200 or seconds=1 to 600";
                eprintln!("bad argument {argument:?}: expected {expected}");
                std::process::exit(2);
            }
        }
    }
    let folder = tempfile::tempdir().expect("a folder for the games");
    store_many(folder.path(), "large", agents as usize, games);
    let server = Running::start(folder.path());
    let began = Instant::now();
    let first = server.client().get("/api/tournaments/large");
    let took = began.elapsed().as_millis();
    println!(
        "{agents} agents, {games} games: {} bytes, the first answer after {took} ms",
        first.text.len()
    );
    let over = AtomicBool::new(false);
    let waits: Vec<Duration> = thread::scope(|scope| {
        scope.spawn(|| end_games(folder.path(), games, &over));
        let look = |number: u64| {
            let client = server.client();
            scope.spawn(move || {
                thread::sleep(Duration::from_millis(2000 * number / viewers));
                let (began, mut waits, mut tag) = (Instant::now(), Vec::new(), String::new());
                while began.elapsed() < Duration::from_secs(seconds) {
                    let asked = Instant::now();
                    let headers = [("if-none-match", tag.as_str())];
                    let answer = client.get_with("/api/tournaments/large", &headers);
                    waits.push(asked.elapsed());
                    assert!([200, 304].contains(&answer.status), "{}", answer.text);
                    tag = answer.tag.unwrap_or(tag);
                    thread::sleep(Duration::from_secs(2).saturating_sub(asked.elapsed()));
                }
                waits
            })
        };
        let viewers: Vec<_> = (0..viewers).map(look).collect();
        let waits = viewers.into_iter().flat_map(|it| it.join().expect("a viewer was refused"));
        let waits = waits.collect();
        over.store(true, Ordering::Relaxed);
        waits
    });
    let mut waits = waits;
    println!("{viewers} viewers asked {} times", waits.len());
    print_percentiles("the page is answered after", &mut waits);
}

/// Ends a game every half second: the last ones again, a moment later.
fn end_games(folder: &std::path::Path, games: u64, over: &AtomicBool) {
    let store = Store::open(folder).expect("the store");
    let series = store.find_tournament("large").expect("a store").expect("a tournament").id;
    for number in (0..games).rev() {
        if over.load(Ordering::Relaxed) {
            break;
        }
        let mut game = store.game(GameId { series, number }).expect("a game");
        game.finished_at += 1;
        store.replace(series, &game).expect("it can be stored");
        thread::sleep(Duration::from_millis(500));
    }
}
