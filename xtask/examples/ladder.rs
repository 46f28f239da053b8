//! Is each rung of the ladder better than the one below, in every game? `cargo xtask ladder`.
//!
//! Plays the matches, prints a table, and fails if an interval does not exclude equality.

use std::process::ExitCode;
use std::thread::available_parallelism;

use agon_arena::clock::Pace;
use agon_arena::{Agent, Match, words};
use agon_search::StopFlag;

const VARIANTS: &[&str] = &[
    "fenix",
    "breakthrough:6x6",
    "breakthrough:8x8",
    "congo",
    "wumpus:6",
    "fauhalma:star2",
    "fauhalma:rhombus2",
];

/// The better agent, the worse one, and the number of games.
const RUNGS: &[(&str, &str, u64)] = &[
    ("greedy", "random", 1000),
    ("alphabeta:depth=2", "greedy", 400),
    ("alphabeta:depth=4", "alphabeta:depth=2", 400),
];

fn main() -> ExitCode {
    println!(
        "{:<20} {:<44} {:>6} {:>20} {:>16}",
        "variant", "match", "games", "score, 95 %", "Elo, 95 %"
    );
    let mut undecided = 0;
    for variant in VARIANTS {
        for &(better, worse, games) in RUNGS {
            match climb(variant, better, worse, games) {
                Ok(true) => {}
                Ok(false) => undecided += 1,
                Err(error) => {
                    println!("{error}");
                    undecided += 1;
                }
            }
        }
    }
    let verdict = match undecided {
        0 => "every rung is better than the one below".to_string(),
        count => format!("{count} rungs are not shown to be better"),
    };
    println!("{verdict}");
    ExitCode::from(u8::from(undecided > 0))
}

/// Plays one match, prints its line and returns whether the better agent was shown to be better.
fn climb(
    variant: &str,
    better: &str,
    worse: &str,
    games: u64,
) -> Result<bool, Box<dyn std::error::Error>> {
    let rung = Match {
        catalog: agon_games::Catalog::built_in(),
        variant: variant.parse()?,
        agents: vec![Agent::built_in(better.parse()?), Agent::built_in(worse.parse()?)],
        games,
        pace: Pace::default(),
        openings: "random:4".parse()?,
        seed: 2026,
        concurrency: available_parallelism().map_or(1, usize::from),
        sprt: None,
        replay_disturbed: false,
        reference_speed: None,
    };
    let ledger = rung.play(None, &StopFlag::default(), &mut |_| {})?.ledger;
    let first = ledger.agent(0);
    let points = first.mean_points().ok_or("no games were played")?;
    let elo = first.elo().ok_or("no games were played")?;
    let shown = points.low > 50.0;
    let names = format!("{better} – {worse}");
    let (interval, rating) = (words::score(points), words::elo(elo));
    let mark = if shown { "" } else { "  not shown" };
    println!("{variant:<20} {names:<44} {:>6} {interval:>20} {rating:>16}{mark}", ledger.games());
    Ok(shown)
}
