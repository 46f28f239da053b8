//! How well does the engine keep its time? `cargo run --release --example overshoot [BUSY]`.
//!
//! Plays 2,000 moves at 20 ms each, cycling through all two-player games, while BUSY threads (by
//! default one per core) keep the cores busy, and prints how late the answers came.

use std::hint::black_box;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use agon_games::open;
use agon_search::{AgentSpec, Budget, adviser};

const MOVES: usize = 2000;
const PER_MOVE: Duration = Duration::from_millis(20);
const VARIANTS: &[&str] =
    &["fenix", "breakthrough:8x8", "congo", "wumpus:6", "fauhalma:star2", "breakthrough:6x6"];

fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let busy = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(cores);
    let over = AtomicBool::new(false);
    let mut late = thread::scope(|scope| {
        for _ in 0..busy {
            scope.spawn(|| {
                while !over.load(Relaxed) {
                    black_box((0..10_000u64).fold(0, |sum, n| sum ^ black_box(n)));
                }
            });
        }
        let late = play();
        over.store(true, Relaxed);
        late
    })?;
    late.sort_unstable();
    let at = |share: f64| late[((late.len() - 1) as f64 * share) as usize] as f64 / 1000.0;
    println!("{MOVES} moves at {PER_MOVE:?}, {busy} busy threads on {cores} cores");
    println!("milliseconds past the deadline (negative: before it):");
    println!(
        "median {:.2}, 90 % {:.2}, 99 % {:.2}, worst {:.2}",
        at(0.5),
        at(0.9),
        at(0.99),
        at(1.0)
    );
    Ok(())
}

/// By how many microseconds each answer missed its deadline.
fn play() -> Result<Vec<i64>, Box<dyn std::error::Error + Send + Sync>> {
    let spec: AgentSpec = "engine".parse()?;
    let mut late = Vec::with_capacity(MOVES);
    for variant in VARIANTS.iter().cycle() {
        let mut table = open(&variant.parse()?)?;
        let mut agent = adviser(&*table, &spec, 0)?;
        loop {
            let asked = Instant::now();
            let Some(choice) = agent.choose(&*table, &Budget::per_move(PER_MOVE), &mut |_| {})
            else {
                break;
            };
            late.push(asked.elapsed().as_micros() as i64 - PER_MOVE.as_micros() as i64);
            if late.len() == MOVES {
                return Ok(late);
            }
            table.play(&choice.mv)?;
        }
    }
    Ok(late)
}
