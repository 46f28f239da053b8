//! Recomputes every known perft number of every game and compares: `cargo xtask perft`.

use std::process::ExitCode;
use std::time::Instant;

use agon_core::{Perft, TextError};
use agon_games::{GAMES, KnownPerft, Table, fenix, open_at};

fn main() -> ExitCode {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let perft = Perft {
        threads: std::thread::available_parallelism().map_or(1, usize::from),
        ..Perft::default()
    };
    let is_wanted = |variant: &str| {
        wanted.is_empty() || wanted.iter().any(|wanted| variant.starts_with(wanted.as_str()))
    };
    let known = GAMES.iter().flat_map(|game| game.perft);
    let mut failed = 0;
    for case in known.filter(|case| is_wanted(case.variant)) {
        match table(case) {
            Ok(table) => failed += check(case, &*table, &perft),
            Err(error) => {
                println!("{error}");
                failed += 1;
            }
        }
    }
    if is_wanted("fenix") {
        failed += check_fenix_by_factoring();
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
    open_at::<&str>(&case.variant.parse()?, case.position, &[])
}

/// Prints one line per depth and returns the number of mismatches.
fn check(case: &KnownPerft, table: &dyn Table, perft: &Perft) -> u32 {
    println!("{} {}", case.variant, case.position.unwrap_or(""));
    let mut failed = 0;
    for (depth, &expected) in (1..).zip(case.counts) {
        let start = Instant::now();
        let counted: u64 =
            table.perft(perft, depth, &|_, _| {}).iter().map(|(_, nodes)| nodes).sum();
        failed += line(depth, counted, expected, start);
    }
    failed
}

/// Fenix from the start, at depths where counting would take too long: the armies do not interact
/// during the setup, so their numbers of sequences multiply.
fn check_fenix_by_factoring() -> u32 {
    println!("fenix, the sequences of one army times those of the other");
    let mut failed = 0;
    for (depth, expected) in [(7, 652_411_584_000), (10, 3_025_246_405_017_600)] {
        let start = Instant::now();
        let (red, black) = (u32::div_ceil(depth, 2), depth / 2);
        let counted = fenix::setup_sequences(red) * fenix::setup_sequences(black);
        failed += line(depth, counted, expected, start);
    }
    failed
}

/// Prints one line and returns 1 if the number is wrong.
fn line(depth: u32, counted: u64, expected: u64, start: Instant) -> u32 {
    let seconds = start.elapsed().as_secs_f64();
    let verdict = if counted == expected { "ok" } else { "DIFFERS" };
    println!(
        "  {depth:2} {counted:>22} {expected:>22} {verdict:8} {seconds:9.3} s {:>14.0} /s",
        counted as f64 / seconds
    );
    u32::from(counted != expected)
}
