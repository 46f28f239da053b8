//! No text makes a parser panic: variants, positions and moves of every game.
//!
//! Starts from valid texts, mutates them in many ways, and plays on from whatever is still
//! accepted. The environment variable `AGON_SOAK` multiplies the number of inputs; `cargo xtask
//! soak` gives every parser of every game more than a million.

#[path = "../../core/tests/noise/mod.rs"]
mod noise;

use agon_core::evaluate::EVALUATION_LIMIT;
use agon_core::{Perft, Rng, Variant};
use agon_games::{GAMES, GameInfo, Table, open};

use noise::{Texts, soak};

/// Inputs for each game and each of the three kinds of text.
const INPUTS: usize = 20_000;

/// Words of the games' notations.
const WORDS: &[&str] = &[
    "8",
    "9",
    "10",
    "99",
    "W",
    "h8",
    "j10",
    "\"A\":",
    "1e9",
    "1.5",
    "pits=",
    "seed=",
    "out",
    "moves",
    "turn",
    "agent",
    "adversary",
    "S",
    "k",
    "L",
    "O",
    "e",
];

fn table(variant: &str) -> Box<dyn Table> {
    open(&variant.parse().unwrap()).unwrap()
}

/// Positions and moves from a few random games.
fn corpus(variant: &str, rng: &mut Rng) -> (Vec<String>, Vec<String>) {
    let (mut positions, mut moves) = (Vec::new(), Vec::new());
    for _ in 0..4 {
        let mut table = table(variant);
        for _ in 0..60 {
            let Some(mv) = table.random_move(rng) else { break };
            table.play(&mv).unwrap();
            positions.push(table.position());
            moves.push(mv);
        }
    }
    (positions, moves)
}

/// Any position that was accepted must be usable.
fn exercise(table: &mut dyn Table, rng: &mut Rng) {
    let text = table.position();
    table.set_position(&text).unwrap_or_else(|error| panic!("printed and not read back: {error}"));
    assert_eq!(table.position(), text, "printed, read and printed again");
    table.scene();
    for (name, _) in table.evaluations() {
        let value = table.evaluate(name).unwrap_or(0);
        assert!(value.abs() < EVALUATION_LIMIT, "{name} {value} in {text}");
    }
    table.successors();
    table.perft(&Perft::default(), 2, &|_, _| {});
    for _ in 0..6 {
        let Some(mv) = table.random_move(rng) else { break };
        table.trace(&mv).unwrap();
        table.play(&mv).unwrap();
        table.position();
    }
}

fn fuzz_positions_and_moves(variant: &str, inputs: usize, rng: &mut Rng) {
    let (positions, moves) = corpus(variant, rng);
    let mut positions = Texts::new(positions, WORDS, rng.next_u64());
    let mut moves = Texts::new(moves, WORDS, rng.next_u64());
    let mut accepted = 0;
    for _ in 0..inputs {
        let mut table = table(variant);
        let text = positions.damaged();
        match table.set_position(&text) {
            Ok(()) => {
                accepted += 1;
                exercise(&mut *table, rng);
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
        table.set_position(positions.intact()).unwrap();
        if let Err(error) = table.play(&moves.damaged()) {
            assert!(!error.to_string().is_empty());
        }
    }
    assert!(
        accepted > 0,
        "{variant}: no mutated position was ever accepted, so nothing was exercised"
    );
}

fn fuzz_variants(game: &GameInfo<'_>, inputs: usize, rng: &mut Rng) {
    let corpus: Vec<String> =
        game.variants.iter().map(|variant| variant.text.to_string()).collect();
    let mut texts = Texts::new(corpus, WORDS, rng.next_u64());
    for _ in 0..inputs {
        let text = texts.damaged();
        if let Ok(variant) = text.parse::<Variant>()
            && let Ok(table) = open(&variant)
        {
            let canonical = table.variant().to_string();
            let again = open(&canonical.parse().unwrap()).unwrap();
            assert_eq!(again.position(), table.position(), "{text} and {canonical}");
            assert_eq!(again.variant(), table.variant(), "{text}");
        }
    }
}

#[test]
fn no_text_makes_a_parser_panic() {
    for (seed, game) in (1..).zip(GAMES) {
        let mut rng = Rng::new(seed);
        let inputs = INPUTS * soak();
        fuzz_variants(game, inputs, &mut rng);
        for variant in game.variants {
            fuzz_positions_and_moves(variant.text, inputs / game.variants.len(), &mut rng);
        }
    }
}
