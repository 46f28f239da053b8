//! No text makes a parser panic: variants, positions and moves of every game.
//!
//! Starts from valid texts, mutates them in many ways, and plays on from whatever is still
//! accepted. The environment variable `AGON_SOAK` multiplies the number of inputs; `cargo xtask
//! soak` gives every parser of every game more than a million.

use agon_core::evaluate::EVALUATION_LIMIT;
use agon_core::{Perft, Rng, Variant};
use agon_games::{GAMES, GameInfo, Table, open};

/// Inputs for each game and each of the three kinds of text.
const INPUTS: usize = 20_000;

fn soak() -> usize {
    std::env::var("AGON_SOAK").ok().and_then(|text| text.parse().ok()).unwrap_or(1)
}

/// Pieces of text that parsers stumble over.
const TOKENS: &[&str] = &[
    "/",
    " ",
    ",",
    ":",
    "-",
    "x",
    "=",
    "+",
    ".",
    "0",
    "1",
    "8",
    "9",
    "10",
    "99",
    "65536",
    "4294967296",
    "18446744073709551616",
    "-1",
    "w",
    "b",
    "W",
    "a1",
    "h8",
    "j10",
    "[[",
    "]]",
    "[",
    "]",
    "{",
    "}",
    "\"",
    "\"A\":",
    "null",
    "1e9",
    "1.5",
    "ä",
    "é",
    "漢",
    "🦁",
    "\u{0}",
    "\t",
    "\n",
    "\u{202e}",
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
    "#",
    "e",
    "٣",
];

/// Applies one random mutation to a text.
fn damage(text: &str, other: &str, rng: &mut Rng) -> String {
    let characters: Vec<char> = text.chars().collect();
    let at = rng.below(characters.len() as u64 + 1) as usize;
    let end = (at + 1 + rng.below(4) as usize).min(characters.len());
    let (head, tail): (String, String) =
        (characters[..at].iter().collect(), characters[at..].iter().collect());
    let after: String = characters[end.max(at)..].iter().collect();
    let token = rng.choose(TOKENS).copied().unwrap_or_default();
    match rng.below(8) {
        0 => head + token + &tail,
        1 => head + token + &after,
        2 => head + &after,
        3 => head,
        4 => tail,
        5 => head.clone() + &head + &tail,
        6 => {
            let others: Vec<char> = other.chars().collect();
            head + &others[rng.below(others.len() as u64 + 1) as usize..].iter().collect::<String>()
        }
        _ => {
            let mut shuffled = characters.clone();
            let len = shuffled.len();
            if len > 1 {
                shuffled.swap(rng.below(len as u64) as usize, rng.below(len as u64) as usize);
            }
            shuffled.into_iter().collect()
        }
    }
}

/// Applies one to three mutations.
fn damaged(corpus: &[String], rng: &mut Rng) -> String {
    let mut text = rng.choose(corpus).cloned().unwrap_or_default();
    for _ in 0..1 + rng.below(3) {
        let other = rng.choose(corpus).cloned().unwrap_or_default();
        text = damage(&text, &other, rng);
    }
    text
}

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
    let mut accepted = 0;
    for _ in 0..inputs {
        let mut table = table(variant);
        let text = damaged(&positions, rng);
        match table.set_position(&text) {
            Ok(()) => {
                accepted += 1;
                exercise(&mut *table, rng);
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
        let start = rng.choose(&positions).cloned().unwrap_or_default();
        table.set_position(&start).unwrap();
        if let Err(error) = table.play(&damaged(&moves, rng)) {
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
    for _ in 0..inputs {
        let text = damaged(&corpus, rng);
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
