//! Our texts are recognised, and what is not Breakthrough is not.

mod others;

use agon_core::Rng;
use agon_games::{Family, open};
use proptest::prelude::*;

use super::compare::{Extent, Trial};
use super::*;
use crate::kif::{Term, read, read_one};
use crate::prover::{Prover, State};

fn variant(text: &str) -> Variant {
    text.parse().unwrap()
}

fn ours(variant_text: &str) -> String {
    rules_text(&variant(variant_text), None).unwrap()
}

fn known(text: &str) -> Reading {
    recognise(&read(text).unwrap()).unwrap()
}

fn sizes() -> impl Iterator<Item = String> {
    (2..=10).flat_map(|width| (4..=10).map(move |height| format!("{width}x{height}")))
}

#[test]
fn our_texts_are_known_for_what_they_are() {
    for size in sizes() {
        for rules in ["", ",classic"] {
            let variant = variant(&format!("breakthrough:{size}{rules}"));
            let text = rules_text(&variant, None).unwrap();
            assert_eq!(known(&text), Reading { variant, start: None, doubt: None, differs: false });
        }
    }
}

#[test]
fn our_texts_have_as_many_games_as_the_game() {
    let depths = [
        ("breakthrough:2x4", 11),
        ("breakthrough:3x5", 6),
        ("breakthrough:5x5", 4),
        ("breakthrough:6x6", 3),
        ("breakthrough:10x4", 2),
        ("breakthrough:10x10", 2),
        ("breakthrough:5x5,classic", 3),
        ("breakthrough:10x10,classic", 2),
    ];
    for (variant, depth) in depths {
        let known = agon_games::breakthrough::Family::INFO.perft;
        let known = known.iter().find(|known| known.variant == variant).unwrap();
        let mut prover = Prover::new(&read(&ours(variant)).unwrap(), u64::MAX).unwrap();
        let start = prover.initial().unwrap();
        let counts: Vec<u64> = (1..=depth).map(|d| perft(&mut prover, &start, d)).collect();
        assert_eq!(counts, known.counts[..depth], "{variant}");
    }
}

/// The number of sequences of `depth` plies by the text.
fn perft(prover: &mut Prover, state: &State, depth: usize) -> u64 {
    if depth == 0 {
        return 1;
    }
    if prover.is_terminal(state).unwrap() {
        return 0;
    }
    let mut count = 0;
    for white in prover.legal(state, "white").unwrap() {
        for black in prover.legal(state, "black").unwrap() {
            let joint = [("white", white.clone()), ("black", black)];
            let next = prover.next(state, &joint).unwrap();
            count += perft(prover, &next, depth - 1);
        }
    }
    count
}

#[test]
fn case_order_and_percepts_do_not_matter() {
    let text = ours("breakthrough:6x7").to_uppercase();
    let percepts = "(<= (SEES ?P (DID ?P2 ?M)) (ROLE ?P) (DOES ?P2 ?M) )";
    let mut rules = read(&(text + percepts)).unwrap();
    let all = rules.len();
    rules.retain(|rule| {
        let head = rule.list().and_then(|parts| parts.get(1)?.list()?.first());
        !head.is_some_and(|word| word.is("base") || word.is("input"))
    });
    assert_eq!(rules.len(), all - 5);
    // The roles stay in their order, and the sizes come last.
    rules[2..].reverse();
    let reading = recognise(&rules).unwrap();
    assert_eq!(
        reading,
        Reading { variant: variant("breakthrough:6x7"), start: None, doubt: None, differs: false }
    );
}

#[test]
fn another_start_is_stated_and_read() {
    for (text, start) in [
        ("breakthrough:5x5", "pppp1/5/5/p2PP/3PP b"),
        ("breakthrough:10x10", "10/pp8/10/10/10/10/10/10/9P/10 w"),
        ("breakthrough:4x4,classic", "pp2/4/4/2PP w"),
        ("breakthrough:3x4", "1P1/3/3/1P1 w"),
        ("breakthrough:3x4", "ppp/ppp/PPP/PPP b"),
    ] {
        let variant = variant(text);
        let reading = known(&rules_text(&variant, Some(start)).unwrap());
        assert_eq!(reading.start.as_deref(), Some(start));
        assert_eq!(reading.variant, variant);
        let doubt = reading.doubt.unwrap();
        assert_eq!(doubt, format!("it starts at {start}, which is not the usual start"));
    }
    let usual = "pppp/pppp/PPPP/PPPP w 5 7";
    let text = rules_text(&variant("breakthrough:4x4"), Some(usual)).unwrap();
    assert_eq!(text, ours("breakthrough:4x4"));
}

#[test]
fn boards_without_pawns_end_as_in_the_game() {
    for start in ["4/4/4/4 w", "4/4/4/4 b", "4/1p2/4/4 w", "4/1p2/4/4 b", "4/4/1P2/4 b"] {
        for (text, classic) in [("breakthrough:4x4", false), ("breakthrough:4x4,classic", true)] {
            let text = rules_text(&variant(text), Some(start)).unwrap();
            let mut trial = Trial::new(Prover::new(&read(&text).unwrap(), 100_000).unwrap(), 4, 4);
            let extent = Extent { games: 1, positions: 1, pawns: true };
            let comparison = trial.compare(classic, Some(start), extent);
            assert!(comparison.trouble.is_none() && comparison.positions == 1, "{start} {classic}");
        }
    }
}

#[test]
fn there_is_no_text_for_what_is_not_there() {
    let problem = |text, start| rules_text(&variant(text), start).unwrap_err();
    assert!(problem("congo", None).contains("not for congo"));
    assert!(problem("breakthrough:11x4", None).contains("2x4 to 10x10"));
    assert!(problem("breakthrough:4x4", Some("pppp w")).contains("bad position"));
}

#[test]
fn only_moves_are_moves() {
    for text in ["", "b", "b2", "b2b", "b2b11", "b0b1", "k1k2", "b02b3", "b2b3b4", "B2B3", "é2b3"]
    {
        assert_eq!(move_term(text), None, "{text}");
    }
    for text in [
        "noop",
        "()",
        "(move 1 2 1)",
        "(move 1 2 1 3 4)",
        "(move 1 2 1 11)",
        "(move 0 2 1 3)",
        "(move 01 2 1 3)",
        "(move +1 2 1 3)",
        "(move (1) 2 1 3)",
        "(step 1 2 1 3)",
    ] {
        assert_eq!(move_text(&read_one(text).unwrap()), None, "{text}");
    }
    assert_eq!(move_text(&read_one("(MOVE 10 10 9 9)").unwrap()).as_deref(), Some("j10i9"));
}

proptest! {
    #[test]
    fn moves_are_the_same_in_both_notations(
        x1 in 1..=10u8, y1 in 1..=10u8, x2 in 1..=10u8, y2 in 1..=10u8,
    ) {
        let letter = |x: u8| (b'a' + x - 1) as char;
        let text = format!("{}{y1}{}{y2}", letter(x1), letter(x2));
        let term = move_term(&text).unwrap();
        prop_assert_eq!(term.to_string(), format!("(move {x1} {y1} {x2} {y2})"));
        prop_assert_eq!(move_text(&term), Some(text));
    }

    #[test]
    fn noise_is_no_move(text in ".{0,8}") {
        if let Some(term) = move_term(&text) {
            prop_assert_eq!(move_text(&term), Some(text));
        }
    }

    #[test]
    fn positions_of_games_are_stated_and_read(
        size in prop::sample::select(sizes().collect::<Vec<String>>()),
        rules in prop::sample::select(vec!["", ",classic"]),
        plies in 1..60usize,
        seed: u64,
    ) {
        let variant = variant(&format!("breakthrough:{size}{rules}"));
        let (mut table, mut rng) = (open(&variant).unwrap(), Rng::new(seed));
        for _ in 0..plies {
            let moves = table.moves();
            let Some(mv) = rng.choose(&moves) else { break };
            table.play(mv).unwrap();
        }
        let position: Vec<String> =
            table.position().split(' ').take(2).map(str::to_string).collect();
        let reading = known(&rules_text(&variant, Some(&table.position())).unwrap());
        prop_assert_eq!(reading.start, Some(position.join(" ")));
    }
}
