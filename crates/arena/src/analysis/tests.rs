use std::time::{Duration, Instant};

use agon_core::Rng;
use agon_games::GAMES;
use proptest::prelude::*;
use proptest::sample::Index;

use super::*;

fn catalog() -> Catalog {
    Catalog::built_in()
}

/// A tree of legal moves: some go on where the last one ended, others branch off anywhere.
pub(super) fn random_tree(variant: &str, nodes: usize, seed: u64) -> Analysis {
    let mut rng = Rng::new(seed);
    let start = catalog().open(&variant.parse().unwrap()).unwrap();
    let mut tables = vec![start];
    let mut analysis = Analysis { variant: variant.into(), ..Analysis::default() };
    for _ in 0..nodes {
        let last = tables.len() - 1;
        let branches = rng.below(3) == 0;
        let parent = if branches { rng.below(tables.len() as u64) as usize } else { last };
        let Some(mv) = tables[parent].random_move(&mut rng) else { continue };
        if analysis.nodes.iter().any(|node| node.parent == parent && node.mv == mv) {
            continue;
        }
        let mut table = tables[parent].fork();
        table.play(&mv).unwrap();
        tables.push(table);
        analysis.nodes.push(Node { parent, mv, ..Node::default() });
    }
    analysis
}

/// What is said about a move: comment, sign, score, depth, exact.
fn annotations() -> impl Strategy<Value = Node> {
    let text = prop_oneof![
        Just(String::new()),
        "[a-z ]{0,30}",
        "[\\\\{}\\[%\\]a-u \n()!?]{0,20}",
        any::<String>()
    ];
    let score = prop_oneof![
        Just(None),
        (-100_000..=100_000).prop_map(|it| Some(ScoreJson::Units(it))),
        (0..300_u32).prop_map(|win_in| Some(ScoreJson::WinIn { win_in })),
        (0..300_u32).prop_map(|loss_in| Some(ScoreJson::LossIn { loss_in })),
    ];
    let sign =
        (0..=6_usize).prop_map(|at| at.checked_sub(1).map_or(Sign::None, |at| Sign::ALL[at]));
    (text, sign, score, proptest::option::of(1..99_u32), any::<bool>()).prop_map(
        |(comment, sign, score, depth, exact)| {
            let (depth, exact) = (depth.filter(|_| score.is_some()), exact && score.is_some());
            Node { comment, sign, score, depth, exact, ..Node::default() }
        },
    )
}

fn analyses() -> impl Strategy<Value = Analysis> {
    let variants: Vec<String> = GAMES
        .iter()
        .flat_map(|game| game.variants.iter().map(|variant| variant.text.to_string()))
        .collect();
    let said = proptest::collection::vec(annotations(), 1..30);
    let texts = (any::<String>(), any::<String>(), proptest::option::of(any::<String>()));
    (any::<Index>(), 0..30_usize, any::<u64>(), said, texts).prop_map(
        move |(which, nodes, seed, said, (title, comment, name))| {
            let mut analysis = random_tree(which.get::<String>(&variants), nodes, seed);
            for (node, said) in analysis.nodes.iter_mut().zip(said.iter().cycle()) {
                let (parent, mv) = (node.parent, node.mv.clone());
                *node = Node { parent, mv, ..said.clone() };
            }
            let seats = catalog().open(&analysis.variant.parse().unwrap()).unwrap().seats();
            if let Some(name) = name.filter(|name| !name.is_empty()) {
                analysis.names = vec![String::new(); seats];
                analysis.names[seed as usize % seats] = name;
            }
            analysis.opening = analysis.main_line().len().min(seed as usize % 4);
            Analysis { title, comment, ..analysis }
        },
    )
}

/// The same with its moves in the order of the text: first all moves of a place, then what follows.
fn in_order(analysis: &Analysis) -> Analysis {
    let mut children = vec![Vec::new(); analysis.nodes.len() + 1];
    for (number, node) in (1..).zip(&analysis.nodes) {
        children[node.parent].push(number);
    }
    fn put(number: usize, parent: usize, all: &Analysis, out: &mut Vec<Node>) -> usize {
        out.push(Node { parent, ..all.nodes[number - 1].clone() });
        out.len()
    }
    fn follow(at: (usize, usize), all: &Analysis, children: &[Vec<usize>], out: &mut Vec<Node>) {
        let (old, new) = at;
        let Some((&main, others)) = children[old].split_first() else { return };
        let first = put(main, new, all, out);
        for &other in others {
            let place = put(other, new, all, out);
            follow((other, place), all, children, out);
        }
        follow((main, first), all, children, out);
    }
    let mut nodes = Vec::new();
    follow((0, 0), analysis, &children, &mut nodes);
    Analysis { nodes, ..analysis.clone() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn whatever_is_written_is_read(analysis in analyses()) {
        let catalog = catalog();
        let checked = analysis.check(&catalog).unwrap();
        let json = serde_json::to_string(&checked).unwrap();
        prop_assert_eq!(&read_any(&catalog, &json, None, 1).unwrap().analysis, &checked);
        let text = checked.text(&catalog).unwrap();
        let read = read_any(&catalog, &text, None, 1)
            .unwrap_or_else(|error| panic!("{error}\n{text}"));
        prop_assert_eq!(read.games, 1);
        prop_assert_eq!(&read.analysis, &in_order(&checked), "{}", text);
        prop_assert_eq!(read.analysis.text(&catalog).unwrap(), text);
    }

    #[test]
    fn any_text_is_read_without_a_panic(text: String) {
        let _ = read_any(&catalog(), &text, Some("congo"), 1);
    }
}

fn problem(text: &str) -> String {
    read_any(&catalog(), text, Some("congo"), 1).unwrap_err().to_string()
}

#[test]
fn mistakes_are_shown_with_their_place() {
    assert_eq!(
        problem("1. d2d3 {never\nended"),
        "line 1, column 9: expected a comment that ends with }\n  1. d2d3 {never\n          ^"
    );
    let begins = |text: &str, expected: &str| {
        let problem = problem(text);
        assert!(problem.starts_with(expected), "{problem}");
    };
    begins("1. d2d3 d6d5\n2. d3d9", "line 2, column 4: congo: bad move: expected");
    begins("1. d2d3 ( 1. d2d9 )", "line 1, column 14: congo: bad move: expected");
    begins("1. d2d3 ( 1. c2c3", "line 1, column 9: expected a variation that ends with )");
    begins("1. d2d3 )", "line 1, column 9: expected ( before )");
    begins("1. d2d3 ( )", "line 1, column 11: expected a move before )");
    begins("( 1. d2d3 )", "congo: bad position");
    begins("1. d2d3 ( ( c2c3 ) )", "line 1, column 11: expected a move before its variation");
    begins("1. d2d3 ( 1. c2c3 1-0", "line 1, column 19: expected ) at the end");
    begins("1. d2d3 }", "line 1, column 9: expected { before }");
    begins("1. d2d3!!!", "line 1, column 8: expected !, ?, !!, ??, !? or ?!");
    begins("1. d2d3 $256", "line 1, column 9: expected $ and a number up to 255");
    begins("1. d2d3 {[%eval x]}", "line 1, column 10: bad command [%eval x]");
    begins("1. d2d3 {[%eval 1,x]}", "line 1, column 10: bad command [%eval 1,x]");
    begins("1. d2d3 {[%plies 3]}", "line 1, column 10: bad command [%plies 3]");
    begins("[Event spring]", "line 1, column 1: expected a tag such as");
    begins("[Event \"x\"]\n[OpeningPlies \"x\"]\n*", "line 2, column 1: bad opening \"x\"");
    begins("[OpeningPlies \"2\"]\n1. d2d3 *", "bad opening 2: the main line has 1 moves");
    begins("[Variant \"chess\"]\n*", "line 1, column 1: ");
    begins("{\"variant\": \"congo\",\n \"x\": 1}", "line 2, column 4: unknown field `x`");
    begins("{\"variant\": ", "line 1, column 12: EOF");
    begins("d2d9", "congo: bad position");
    begins("", "there is no game in this text");
    assert_eq!(
        read(&catalog(), "1. d2d3 * 1. c2c3 *", Some("congo"), 3).unwrap_err().to_string(),
        "there is no game 3: the text has 2"
    );
}

#[test]
fn wrong_analyses_are_refused_with_their_move() {
    let node = |parent, mv: &str| Node { parent, mv: mv.into(), ..Node::default() };
    let nodes = vec![node(0, "d2d3"), node(1, "d6d5")];
    let good = Analysis { variant: "congo".into(), nodes, ..Analysis::default() };
    assert_eq!(good.clone().check(&catalog()).as_ref(), Ok(&good));
    let refused = |change: fn(&mut Analysis), expected: &str| {
        let mut bad = good.clone();
        change(&mut bad);
        let problem = bad.check(&catalog()).unwrap_err().to_string();
        assert!(problem.starts_with(expected), "{problem}");
    };
    refused(|it| it.nodes[1].parent = 2, "move 2: bad parent 2: expected a number below 2");
    refused(|it| it.nodes[1].mv = "d2d3".into(), "move 2: congo: bad move");
    refused(|it| it.nodes.push(it.nodes[1].clone()), "move 3: the move d6d5 is there already");
    refused(|it| it.names = vec!["Ann".into()], "there are 1 names: expected one for each of 2");
    refused(|it| it.opening = 3, "bad opening 3: the main line has 2 moves");
    refused(|it| it.title = "x".repeat(201), "the title is too long: at most 200");
    refused(|it| it.comment = "x".repeat(4001), "the comment on the start is too long");
    refused(|it| it.nodes[0].comment = "ä".repeat(4001), "move 1: the comment is too long");
    refused(|it| it.nodes = vec![Node::default(); 10_001], "there are 10001 moves: at most 10000");
    refused(|it| it.nodes[0].score = Some(ScoreJson::Units(i32::MIN)), "move 1: bad score");
    refused(
        |it| it.nodes[0].score = Some(ScoreJson::WinIn { win_in: u32::MAX }),
        "move 1: bad score {\"win_in\":4294967295}",
    );
    refused(|it| it.variant = "x".repeat(301), "the variant or the position is too long");
    refused(|it| it.start = Some("nonsense".into()), "congo: bad position");
    refused(
        |it| {
            let line = |parent| Node { parent, comment: "ä".repeat(4000), ..Node::default() };
            it.nodes = (0..200).map(line).collect();
        },
        "move 132: there is too much text",
    );
    refused(
        |it| {
            it.nodes = (0..4001)
                .map(|parent| Node { parent, mv: "x".into(), ..Node::default() })
                .collect();
        },
        "move 4001: the line is too long: at most 4000 moves",
    );
}

#[test]
fn hostile_texts_are_refused_in_time() {
    let long = |text: &str| text.repeat((1 << 20) / text.len());
    let back = "1. d2d3 d6d5 2. d3d2 d5d6 ";
    for text in [
        "(".repeat(100_000),
        ")".repeat(100_000),
        format!("1. d2d3 {}", "( 1. d2d3 ".repeat(100_000)),
        format!("1. d2d3 {}", "( 1. c2c3 ) ".repeat(100_000)),
        format!("1. d2d3 {{{}", long("[%")),
        format!("1. d2d3 {{{}}}", long("[%")),
        format!("1. d2d3 {{{}}}", long("\\u{")),
        format!("1. d2d3 {{{}}}", long("x ")),
        format!("1. d2d3 {}", long("{x}")),
        format!("1. d2d3 {}", long("[")),
        format!("1. d2d3 \"{}", long("\\u{")),
        format!("1. {}", long("[[0,1],[0,2]] ")),
        format!("[Start \"{}\"]\n*", long("x")),
        format!("[Variant \"{}\"]\n*", long("x")),
        format!("{{\"variant\": \"congo\", \"nodes\": {}", long("[")),
        format!("{{\"variant\": \"{}", long("x")),
        format!("{{\"variant\": \"congo\", \"nodes\": [{}", long("{\"parent\":0,\"move\":\"x\"},")),
        long(back),
        long("x"),
    ] {
        let begun = Instant::now();
        let problem = problem(&text);
        assert!(problem.chars().count() < 1000, "{problem:.1000}");
        assert!(begun.elapsed() < Duration::from_secs(20), "{text:.40}");
    }
}

#[test]
fn exported_games_are_analyses() {
    let text = "[Event \"the \\\"spring\\\"\"]\n[Variant \"fenix\"]\n[Red \"tuned\"]\n\
        [RedAgent \"engine:eval=tuned\"]\n[Black \"simple\"]\n[Result \"1-0\"]\n[Points \"100-0\"]\n\
        [OpeningPlies \"2\"]\n\n1. a7b7 h1g1 2. ";
    let mut table = catalog().open_at(&"fenix".parse().unwrap(), None, &["a7b7", "h1g1"]).unwrap();
    let (third, mut moves) = (table.moves().remove(0), String::new());
    table.play(&third).unwrap();
    moves += &format!("{third} {{[%eval -0.35,7] [%clk 0:00:10.099] [%emt 0:00:00.002]}} ");
    moves += &format!("{} {{[%eval #2,12]}} 1-0\n\n", table.moves()[0]);
    let both = format!("{text}{moves}{text}*\n");
    let Reading { analysis, games } = read(&catalog(), &both, None, 1).unwrap();
    assert_eq!((games, analysis.opening, analysis.nodes.len()), (2, 2, 4));
    assert_eq!(analysis.names, ["tuned", "simple"]);
    assert_eq!(analysis.title, "the \"spring\"");
    let scores: Vec<_> = analysis.nodes.iter().map(|it| (it.score, it.depth)).collect();
    let loss = Some(ScoreJson::LossIn { loss_in: 3 });
    assert_eq!(scores[2..], [(Some(ScoreJson::Units(-35)), Some(7)), (loss, Some(12))]);
    assert!(analysis.nodes.iter().all(|node| node.comment.is_empty()), "clocks are left out");
}

#[test]
fn other_spellings_are_read() {
    let read = |text: &str| read_any(&catalog(), text, Some("congo"), 1).unwrap().analysis;
    let plain = read("1. d2d3! d6d5 (1... c6c5 $6 {why}) 2. c2c3 *");
    assert_eq!(plain.nodes[0].sign, Sign::Good);
    assert_eq!((plain.nodes[2].sign, plain.nodes[2].comment.as_str()), (Sign::Dubious, "why"));
    assert_eq!((plain.nodes[3].parent, plain.nodes[3].mv.as_str()), (2, "c2c3"));
    assert_eq!(read("{first} 1.d2d3 $1 d6d5 ( {why} c6c5?! ) c2c3 1/2-1/2").nodes, plain.nodes);
    // What is there twice counts once.
    let twice = read("d2d3 {a} d6d5 ( d6d5 {b} c2c3 ) *");
    assert_eq!(twice.nodes.len(), 3);
    assert_eq!((twice.nodes[1].comment.as_str(), twice.nodes[2].parent), ("b", 2));
    let spaced = "[Variant \"fauhalma:star3\"]\n*";
    assert!(read(spaced).nodes.is_empty());
    // Positions alone, and saved games.
    for game in GAMES {
        for variant in game.variants {
            let table = catalog().open(&variant.text.parse().unwrap()).unwrap();
            let text = table.position();
            let found = read_any(&catalog(), &text, Some(variant.text), 1).unwrap();
            assert_eq!((found.analysis.variant, found.games), (table.variant().to_string(), 1));
            assert!(read_any(&catalog(), &text, None, 1).is_ok(), "{text}");
        }
    }
    let saved = "{\"format\": \"agon-game\", \"version\": 1, \"variant\": \"congo\", \"moves\": [\"d2d3\"]}";
    assert_eq!(read(saved).nodes[0].mv, "d2d3");
}
