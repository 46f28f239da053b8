//! Mutation testing: `cargo-mutants` makes small changes and runs the tests of the crate.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::setup::root;
use crate::{line, target};

/// Where a bug would affect everything above it: rules, clocks, verdicts, statistics, parsers.
const FILES: &[&str] = &[
    "crates/core/src/fen.rs",
    "crates/core/src/history.rs",
    "crates/core/src/text.rs",
    "crates/core/src/variant.rs",
    "crates/games/src/*/board.rs",
    "crates/games/src/*/chains.rs",
    "crates/games/src/*/jumps.rs",
    "crates/games/src/*/moves.rs",
    "crates/games/src/*/notation.rs",
    "crates/games/src/*/paths.rs",
    "crates/games/src/*/reach.rs",
    "crates/games/src/fauhalma/json.rs",
    "crates/games/src/fauhalma/view.rs",
    "crates/gdl/src/kif.rs",
    "crates/arena/src/clock.rs",
    "crates/arena/src/openings.rs",
    "crates/arena/src/referee.rs",
    "crates/arena/src/session/*.rs",
    "crates/arena/src/statistics/*.rs",
    "crates/arena/src/tournament/file.rs",
    "crates/arena/src/tournament/ledger.rs",
    "crates/arena/src/tournament/pairing.rs",
    "crates/search/src/spec.rs",
    "crates/wire/src/aisysproj/protocol/*.rs",
    "crates/wire/src/congo/*.rs",
    "crates/wire/src/ggp/message.rs",
    "crates/wire/src/ugi/command.rs",
    "crates/wire/src/ugi/lines.rs",
];

/// Runs the mutants of these files, or of [`FILES`]. Arguments that start with a dash are passed to
/// cargo-mutants.
pub fn run(arguments: &[&str]) -> Result<()> {
    let (options, files): (Vec<&str>, Vec<&str>) =
        arguments.iter().partition(|argument| argument.starts_with('-'));
    let out = target().join("mutants");
    let mut mutants = Command::new(env!("CARGO"));
    mutants.args(["mutants", "--colors=never", "--no-shuffle", "--output"]).arg(&out);
    for file in if files.is_empty() { FILES } else { &files[..] } {
        mutants.args(["--file", file]);
    }
    // Mutants are built in a copy of the sources; dependencies are built only once.
    mutants.args(options).env("CARGO_TARGET_DIR", out.join("build")).current_dir(root());
    println!("==> {}", line(&mutants));
    let status = mutants.status().context("cannot start cargo")?;
    // 2 and 3: some mutants were missed or timed out.
    if !matches!(status.code(), Some(0 | 2 | 3)) {
        bail!("failed; if cargo-mutants is missing: cargo install --locked cargo-mutants");
    }
    report(&out.join("mutants.out"))
}

/// Prints the share of mutants that were caught, file by file.
fn report(folder: &Path) -> Result<()> {
    let mut files: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for (list, noticed) in [("caught.txt", true), ("timeout.txt", true), ("missed.txt", false)] {
        let path = folder.join(list);
        let text =
            fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        for mutant in text.lines() {
            let file = mutant.split(':').next().unwrap_or(mutant);
            let (caught, all) = files.entry(file.to_string()).or_default();
            *caught += usize::from(noticed);
            *all += 1;
        }
    }
    let total = files.values().fold((0, 0), |sum, file| (sum.0 + file.0, sum.1 + file.1));
    println!("\n{:<48} {:>7} {:>7} {:>7}", "file", "caught", "of", "share");
    for (file, (caught, all)) in files.into_iter().chain([("all".to_string(), total)]) {
        let share = 100.0 * caught as f64 / all.max(1) as f64;
        println!("{file:<48} {caught:>7} {all:>7} {share:>6.1}%");
    }
    println!("\nMissed mutants are listed in {}.", folder.join("missed.txt").display());
    Ok(())
}
