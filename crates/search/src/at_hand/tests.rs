//! Weights from files: what they change, and what files are refused.

use std::sync::Arc;

use agon_core::evaluate::EVALUATION_LIMIT;
use agon_core::tuning::{LARGEST_WEIGHT, parse_weights};
use agon_core::{Evaluator, LineEvaluator, Rng, Seat};
use agon_games::{GAMES, Playable, Visitor, WeightsSource};

use super::*;
use crate::adviser;
use crate::budget::Budget;
use crate::noise::{Texts, soak};
use crate::score::Score;

/// Files that only exist here.
#[derive(Debug)]
struct Files(Vec<(&'static str, String)>);

impl WeightsSource for Files {
    fn read(&self, file: &str) -> Result<Arc<str>, String> {
        let found = self.0.iter().find(|(name, _)| *name == file);
        found.map(|(_, text)| Arc::from(text.as_str())).ok_or_else(|| "no such file".to_string())
    }
}

fn with_files(files: Vec<(&'static str, String)>) -> Catalog {
    Catalog::built_in().with_weights(Arc::new(Files(files)))
}

/// The features and weights of a variant.
struct Ask;

impl Visitor for Ask {
    type Output = (&'static [&'static str], &'static [i32]);

    fn visit<G: Playable>(self, _: Variant, _: G) -> Self::Output {
        (G::FEATURES, G::WEIGHTS)
    }
}

fn written(variant: &str, change: impl Fn(usize, i32) -> i32) -> String {
    let (features, weights) =
        Catalog::built_in().with_game(&variant.parse().unwrap(), Ask).unwrap();
    let lines = features.iter().zip(weights).enumerate();
    lines.map(|(index, (name, &weight))| format!("{name} {}\n", change(index, weight))).collect()
}

/// What an agent finds: the nodes it took, its move and its score.
fn answer(catalog: &Catalog, variant: &str, agent: &str) -> (u64, String, Option<Score>) {
    let table = catalog.open(&variant.parse().unwrap()).unwrap();
    let mut agent = adviser(&*table, &agent.parse().unwrap(), 1).unwrap();
    let choice = agent.choose(&*table, &Budget::nodes(4000), &mut |_| {}).unwrap();
    (choice.statistics.nodes, choice.mv, choice.score)
}

#[test]
fn the_same_weights_change_nothing_and_others_do() {
    for variant in GAMES.iter().flat_map(|game| game.variants).map(|variant| variant.text) {
        let same = written(variant, |_, weight| weight);
        if same.is_empty() {
            continue;
        }
        let double = written(variant, |_, weight| 2 * weight);
        let catalog = with_files(vec![("same", same), ("double", double)]);
        for agent in ["engine:hash=1", "alphabeta:depth=2,eval=tuned", "mcts:iterations=200"] {
            let by = |more: &str| answer(&catalog, variant, &format!("{agent}{more}"));
            assert_eq!(by(",weights=same"), by(""), "{variant} {agent}");
            if agent.starts_with("alphabeta") {
                let (value, twice) = (by("").2.unwrap(), by(",weights=double").2.unwrap());
                assert_eq!(twice.value(), 2 * value.value(), "{variant}");
            }
        }
    }
}

#[test]
fn bad_files_are_told_apart() {
    let good = written("congo", |_, weight| weight);
    let with = |from: &str, to: &str| good.replacen(from, to, 1);
    let catalog = with_files(vec![
        ("good", good.clone()),
        ("unknown", with("giraffe ", "girafe ")),
        ("swapped", with("superpawn ", "giraffe ")),
        ("words", with("pawn 100", "pawn many")),
        ("huge", with("pawn 100", "pawn 1000000")),
        ("short", good.lines().take(5).collect::<Vec<_>>().join("\n")),
        ("long", format!("{good}wings 3\n")),
        ("binary", "\0\u{1}\u{2}".to_string()),
    ]);
    let told = |variant: &str, agent: &str| {
        let table = catalog.open(&variant.parse().unwrap()).unwrap();
        adviser(&*table, &agent.parse().unwrap(), 0).err().map(|error| error.to_string())
    };
    for (file, words) in [
        ("unknown", "line 3: expected the weight of giraffe, found \"girafe\"; did you mean"),
        ("swapped", "line 2: expected the weight of superpawn, found \"giraffe\"; weights come in"),
        ("words", "line 1: expected pawn with a whole number from -30000 to 30000"),
        ("huge", "line 1: expected pawn with a whole number from -30000 to 30000"),
        ("short", "line 6: expected the weight of crocodile, found the end of the file; it has 5"),
        ("long", "expected no more than 60 weights, found \"wings 3\""),
        ("binary", "line 1: expected the weight of pawn, found"),
        ("missing", "no such file"),
    ] {
        let problem = told("congo", &format!("engine:weights={file}")).expect(file);
        assert!(problem.contains(words), "{file}: {problem}");
        assert!(problem.contains(&format!("engine:weights={file}")), "{problem}");
    }
    for (variant, agent, words) in [
        (
            "congo",
            "greedy:weights=good",
            Some("for the evaluation tuned, not for simple: eval=tuned"),
        ),
        ("congo", "greedy:eval=tuned,weights=good", None),
        ("congo", "ordered:eval=tuned,weights=good", None),
        ("congo", "ordered:h=tuned,eval=simple,weights=good", Some("not for simple")),
        ("congo", "random:weights=good", Some("no option \"weights\"")),
        ("fenix", "engine:weights=good", Some("line 1: expected the weight of soldier")),
        ("fauhalma:star3", "engine:weights=good", Some("for two-player games")),
        ("fauhalma:star3", "mcts:weights=good", Some("no evaluation with weights")),
    ] {
        let problem = told(variant, agent);
        let fits = match (&problem, words) {
            (Some(problem), Some(words)) => problem.contains(words),
            (problem, words) => problem.is_none() && words.is_none(),
        };
        assert!(fits, "{variant} {agent}: {problem:?}");
    }
    let plain = Catalog::built_in().open(&"congo".parse().unwrap()).unwrap();
    let refused =
        adviser(&*plain, &"engine:weights=/etc/passwd".parse().unwrap(), 0).err().unwrap();
    assert!(refused.to_string().contains("cannot be read from files here"), "{refused}");
}

/// Judges positions of random games with any weights.
struct Judge<'a>(&'a [i32]);

impl Visitor for Judge<'_> {
    type Output = ();

    fn visit<G: Playable>(self, _: Variant, start: G) {
        let tables = agon_core::Tables::default();
        let model = start.model("tuned", &tables, Some(self.0)).unwrap();
        let evaluator = Evaluator::from(G::evaluation("tuned").unwrap()).by_model(model);
        let (mut rng, mut position) = (Rng::new(self.0[0] as u64), start);
        let mut line = LineEvaluator::new(evaluator);
        line.start(&position);
        for _ in 0..20 {
            if position.to_move().is_none() {
                return;
            }
            // In this build it is compared with the value from scratch.
            let value = line.judge(&position, Seat::FIRST);
            assert!(value.abs() < EVALUATION_LIMIT, "{value}");
            let Some(&mv) = rng.choose(&position.moves()) else { return };
            let mut after = position.clone();
            after.play(mv);
            line.play(&position, Some(mv), &after);
            position = after;
        }
    }
}

#[test]
fn fuzz() {
    for variant in [
        "congo",
        "fenix",
        "wumpus:6",
        "wumpus:15",
        "breakthrough:10x10",
        "fauhalma:star2",
        "connect4",
    ] {
        let (features, _) = Catalog::built_in().with_game(&variant.parse().unwrap(), Ask).unwrap();
        let judge = |weights: &[i32]| {
            Catalog::built_in().with_game(&variant.parse().unwrap(), Judge(weights)).unwrap();
        };
        // All weights as large as they can be, with either sign.
        for flip in 0..8 {
            let sign = |index: usize| if index >> (flip % 4) & 1 == flip / 4 { 1 } else { -1 };
            let extreme = written(variant, |index, _| sign(index) * LARGEST_WEIGHT);
            judge(&parse_weights(&extreme, features).unwrap());
        }
        let corpus =
            vec![written(variant, |_, weight| weight), format!("# made by hand\n\n{variant}\n")];
        let mut texts = Texts::new(corpus, &["-", " ", "\n", "#", "9999", "pawn", "é"], 7);
        for _ in 0..2000 * soak() {
            if let Ok(weights) = parse_weights(&texts.damaged(), features) {
                assert_eq!(weights.len(), features.len());
                judge(&weights);
            }
        }
    }
}
