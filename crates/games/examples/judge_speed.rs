//! How long the evaluations of a game take: `cargo run --release --example judge_speed -- congo`.
//!
//! Each judges the positions of random games, over and over; the best of several runs counts.

use std::hint::black_box;

use agon_core::{MoveList, Rng, Variant};
use agon_games::{Playable, Visitor, with_game};
use cpu_time::ProcessTime;

const GAMES: u64 = 60;
const ROUNDS: u32 = 100;
const RUNS: u32 = 7;

struct Speed;

impl Visitor for Speed {
    type Output = ();

    fn visit<G: Playable>(self, variant: Variant, start: G) {
        let positions = positions_of_random_games(&start);
        println!("{variant}: {} positions", positions.len());
        for evaluation in G::evaluations() {
            let nanoseconds = per_call(&positions, |position| {
                let seat = position.to_move().expect("the game goes on");
                (evaluation.judge)(position, seat)
            });
            println!("{:<12} {nanoseconds:>7.1} ns", evaluation.name);
        }
        let tense = per_call(&positions, |position| i32::from(position.is_tense()));
        println!("{:<12} {tense:>7.1} ns", "is_tense");
        let foreseen = per_call(&positions, |position| i32::from(position.foreseen().is_some()));
        println!("{:<12} {foreseen:>7.1} ns", "foreseen");
    }
}

fn positions_of_random_games<G: Playable>(start: &G) -> Vec<G> {
    let (mut rng, mut scratch) = (Rng::new(1), MoveList::new());
    let mut positions = Vec::new();
    for _ in 0..GAMES {
        let mut position = start.clone();
        while position.to_move().is_some() {
            positions.push(position.clone());
            let Some(mv) = position.sample(&mut rng, &mut scratch) else { break };
            position.play(mv);
        }
    }
    positions
}

/// Nanoseconds of CPU time.
fn per_call<G>(positions: &[G], judge: impl Fn(&G) -> i32) -> f64 {
    let run = |_| {
        let clock = ProcessTime::now();
        for _ in 0..ROUNDS {
            for position in positions {
                black_box(judge(black_box(position)));
            }
        }
        clock.elapsed().as_secs_f64()
    };
    let best = (0..RUNS).map(run).fold(f64::INFINITY, f64::min);
    best * 1e9 / f64::from(ROUNDS) / positions.len() as f64
}

fn main() {
    let variant = std::env::args().nth(1).unwrap_or_else(|| "congo".to_string());
    let outcome = variant.parse().and_then(|variant| with_game(&variant, Speed));
    if let Err(error) = outcome {
        eprintln!("{error}");
        std::process::exit(2);
    }
}
