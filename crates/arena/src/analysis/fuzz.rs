//! Noise instead of analyses, as text and as JSON.

use agon_games::GAMES;

use super::tests::random_tree;
use super::*;
use crate::noise::{Texts, soak};

const WORDS: &[&str] = &[
    "( ",
    " )",
    "{",
    "}",
    "{[%eval 0.35,9]}",
    "[%plies 3]",
    "[%exact]",
    "$1",
    "$255",
    "!?",
    "1. ",
    "1...",
    "1-0",
    "*",
    "\\u{20}",
    "\\}",
    "\"parent\":",
    "\"score\":{\"win_in\":3}",
    "\"sign\":\"!\"",
    "[Variant \"congo\"]\n",
    "[OpeningPlies \"2\"]\n",
];

/// Analyses of all games, as text and as JSON.
fn corpus(catalog: &Catalog) -> Vec<String> {
    let mut all = Vec::new();
    for (seed, game) in (0..).zip(GAMES) {
        let mut analysis = random_tree(game.variants[0].text, 12, seed);
        for (at, node) in analysis.nodes.iter_mut().enumerate() {
            node.sign = Sign::ALL[at % Sign::ALL.len()];
            node.comment = ["", "a } [%b\n", "why not?"][at % 3].into();
            node.score = Some(ScoreJson::Units(35)).filter(|_| at % 2 == 0);
        }
        all.push(analysis.text(catalog).unwrap());
        all.push(serde_json::to_string(&analysis).unwrap());
    }
    all
}

#[test]
fn no_text_breaks_the_reader_of_analyses() {
    let catalog = Catalog::built_in();
    let mut texts = Texts::new(corpus(&catalog), WORDS, 1);
    let mut read = 0;
    for _ in 0..10_000 * soak() {
        let text = texts.damaged();
        let analysis = match read_any(&catalog, &text, Some(GAMES[0].variants[0].text), 1) {
            Ok(reading) => reading.analysis,
            Err(error) => {
                assert!((1..1500).contains(&error.to_string().chars().count()), "{error}");
                continue;
            }
        };
        read += 1;
        assert_eq!(analysis.clone().check(&catalog).as_ref(), Ok(&analysis), "{text}");
        let written = analysis.text(&catalog).unwrap();
        let again = read_any(&catalog, &written, None, 1);
        let again = again.unwrap_or_else(|error| panic!("{error}: {written:?} from {text:?}"));
        assert_eq!(again.analysis.text(&catalog).unwrap(), written, "from {text:?}");
    }
    assert!(read > 500, "too little of this noise is an analysis: {read}");
}
