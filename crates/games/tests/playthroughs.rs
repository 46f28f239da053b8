//! Recorded games, readable by a person: rules, generation order, notation and random numbers do
//! not change unnoticed. `AGON_BLESS=1 cargo test` rewrites them; check the diff.

use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

use agon_core::Rng;
use agon_games::{GAMES, open};

/// The maximum length of a record.
const PLIES: usize = 60;

fn record(variant: &str) -> String {
    let mut table = open(&variant.parse().unwrap()).unwrap();
    let mut rng = Rng::new(2026);
    let mut text = format!("{variant}, random moves from seed 2026\n\n");
    for ply in 0..PLIES {
        let moves = table.moves();
        let (to_move, position) = (table.to_move().unwrap_or("nobody"), table.position());
        writeln!(
            text,
            "{ply:3}  {position}\n     {to_move}, {} moves: {}",
            moves.len(),
            moves.join(" ")
        )
        .unwrap();
        let Some(mv) = table.random_move(&mut rng) else { break };
        writeln!(text, "     plays {mv}").unwrap();
        table.play(&mv).unwrap();
    }
    writeln!(text, "\n{}", table.position()).unwrap();
    if let (Some(outcome), Some(reason)) = (table.outcome(), table.reason()) {
        writeln!(text, "{:?} {reason}", outcome.points()).unwrap();
    }
    text
}

#[test]
fn recorded_games_have_not_changed() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/playthroughs");
    for variant in GAMES.iter().flat_map(|game| game.variants) {
        let file = folder.join(variant.text.replace([':', ','], "_") + ".txt");
        let played = record(variant.text);
        if std::env::var_os("AGON_BLESS").is_some() {
            fs::write(&file, &played).unwrap();
        }
        // A new game is recorded once its rules are settled.
        let Ok(recorded) = fs::read_to_string(&file) else { continue };
        let first_difference = played.lines().zip(recorded.lines()).position(|(a, b)| a != b);
        assert!(
            played == recorded,
            "{} differs, first at line {first_difference:?}",
            file.display()
        );
    }
}
