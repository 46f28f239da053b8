//! How long an evaluation takes: `cargo run --release --example judge -- wumpus:6 tuned`.

use std::hint::black_box;
use std::process::ExitCode;

use agon_core::{Rng, TextError, Variant};
use agon_games::{Playable, Visitor, with_game};
use cpu_time::ProcessTime;

/// How many positions of random games to judge.
const POSITIONS: usize = 4096;
/// How often to judge each of them.
const ROUNDS: usize = 1000;

/// Times one evaluation.
struct Stopwatch(String);

impl Visitor for Stopwatch {
    type Output = Option<f64>;

    fn visit<G: Playable>(self, _: Variant, start: G) -> Option<f64> {
        let judge = G::evaluation(&self.0)?.judge;
        let positions = positions(&start);
        let begin = ProcessTime::now();
        for _ in 0..ROUNDS {
            for position in &positions {
                if let Some(seat) = position.to_move() {
                    black_box(judge(black_box(position), seat));
                }
            }
        }
        Some(begin.elapsed().as_secs_f64() * 1e9 / (ROUNDS * positions.len()) as f64)
    }
}

/// Positions of random games that are not over.
fn positions<G: Playable>(start: &G) -> Vec<G> {
    let (mut rng, mut scratch) = (Rng::new(1), agon_core::MoveList::new());
    let (mut positions, mut position) = (Vec::new(), start.clone());
    while positions.len() < POSITIONS {
        let is_going_on = position.to_move().is_some();
        match is_going_on.then(|| position.sample(&mut rng, &mut scratch)).flatten() {
            Some(mv) => {
                positions.push(position.clone());
                position.play(mv);
            }
            None => position = start.clone(),
        }
    }
    positions
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [variant, evaluation] = arguments.as_slice() else {
        eprintln!("usage: judge VARIANT EVALUATION");
        return ExitCode::from(2);
    };
    let parsed: Result<Variant, TextError> = variant.parse();
    let timed = parsed.and_then(|v| with_game(&v, Stopwatch(evaluation.clone())));
    match timed {
        Ok(Some(time)) => println!("{variant} {evaluation}: {time:.1} ns per position"),
        Ok(None) => eprintln!("{variant} has no evaluation {evaluation}"),
        Err(error) => eprintln!("{error}"),
    }
    ExitCode::SUCCESS
}
