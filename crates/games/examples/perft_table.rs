//! Counts every known perft number of every game and compares: `cargo xtask perft`.

use std::process::ExitCode;
use std::time::Instant;

use agon_core::{Perft, TextError};
use agon_games::{GAMES, KnownPerft, Table, open};

fn main() -> ExitCode {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let perft = Perft {
        threads: std::thread::available_parallelism().map_or(1, usize::from),
        ..Perft::default()
    };
    let known = GAMES.iter().flat_map(|game| game.perft);
    let mut failed = 0;
    for case in known.filter(|case| {
        wanted.is_empty() || wanted.iter().any(|w| case.variant.starts_with(w.as_str()))
    }) {
        match table(case) {
            Ok(table) => failed += check(case, &*table, &perft),
            Err(error) => {
                println!("{error}");
                failed += 1;
            }
        }
    }
    println!(
        "{}",
        if failed == 0 {
            "all numbers match".to_string()
        } else {
            format!("{failed} numbers differ")
        }
    );
    ExitCode::from(u8::from(failed > 0))
}

fn table(case: &KnownPerft) -> Result<Box<dyn Table>, TextError> {
    let mut table = open(&case.variant.parse()?)?;
    if let Some(position) = case.position {
        table.set_position(position)?;
    }
    Ok(table)
}

/// Prints a line a depth and gives the number of mismatches.
fn check(case: &KnownPerft, table: &dyn Table, perft: &Perft) -> u32 {
    println!("{} {}", case.variant, case.position.unwrap_or(""));
    let mut failed = 0;
    for (depth, &expected) in (1..).zip(case.counts) {
        let start = Instant::now();
        let counted: u64 =
            table.perft(perft, depth, &|_, _| {}).iter().map(|(_, nodes)| nodes).sum();
        let seconds = start.elapsed().as_secs_f64();
        let verdict = if counted == expected { "ok" } else { "DIFFERS" };
        failed += u32::from(counted != expected);
        println!(
            "  {depth:2} {counted:>22} {expected:>22} {verdict:8} {seconds:9.3} s {:>14.0} /s",
            counted as f64 / seconds
        );
    }
    failed
}
