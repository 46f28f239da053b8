//! The searches against known values and against each other.

use agon_core::{Evaluate, History, MoveList, Rng, Variant};
use agon_games::{Playable, Visitor, with_game};

use crate::agents;
use crate::alphabeta::AlphaBeta;
use crate::budget::{Budget, StopFlag};
use crate::deepening::Deepening;
use crate::dummy::{Dummy, Node};
use crate::minimax::Minimax;
use crate::ordered::Ordered;
use crate::report::Choice;
use crate::score::{Forced, Score};
use crate::strategy::{Root, Strategy};
use std::time::{Duration, Instant};

fn choose<G: Evaluate>(
    strategy: &mut dyn Strategy<G>,
    position: &G,
    budget: &Budget,
) -> Choice<G::Move> {
    let history = History::new(position);
    strategy.choose(Root { position, history: &history }, budget, &mut |_| {})
}

/// All fixed-depth searches, with the first evaluation.
fn searches<G: Evaluate>(depth: u32) -> [Box<dyn Strategy<G>>; 3] {
    let evaluation = G::evaluations()[0];
    let heuristic = G::evaluations()[G::evaluations().len() - 1];
    let depth = Some(depth);
    [
        Box::new(Deepening { depth, search: Minimax { evaluation: evaluation.into() } }),
        Box::new(Deepening { depth, search: AlphaBeta { evaluation: evaluation.into() } }),
        Box::new(Deepening {
            depth,
            search: Ordered { heuristic: heuristic.into(), evaluation: evaluation.into() },
        }),
    ]
}

/// A node that is evaluated, with nothing below that matters.
fn judged(value: i32) -> Node {
    Node::Inner(value, vec![Node::End([50, 50])])
}

#[test]
fn every_search_finds_the_known_value_of_a_tree() {
    // MAX chooses among three replies of MIN: min(3,12,8) = 3, min(2,..) = 2, min(14,5,2) = 2.
    let tree = || {
        let reply =
            |values: &[i32]| Node::Inner(0, values.iter().map(|&value| judged(value)).collect());
        Dummy::new(Node::Inner(0, vec![reply(&[3, 12, 8]), reply(&[2, 4, 6]), reply(&[14, 5, 2])]))
    };
    for mut search in searches(2) {
        let choice = choose(&mut *search, &tree(), &Budget::default());
        assert_eq!(choice.score, Some(Score::units(3)));
        assert_eq!(choice.pv, [0, 0]);
        assert_eq!(choice.mv, 0);
    }
}

#[test]
fn the_sooner_win_and_the_later_loss_are_chosen() {
    let (win, loss) = (|| Node::End([100, 0]), || Node::End([0, 100]));
    let only = |node| Node::Inner(0, vec![node]);
    let win_later = || only(only(win()));
    for mut search in searches(6) {
        let choice = choose(
            &mut *search,
            &Dummy::new(Node::Inner(0, vec![win_later(), win()])),
            &Budget::default(),
        );
        assert_eq!((choice.mv, choice.score.and_then(Score::forced)), (1, Some(Forced::WinIn(1))));
        let losing = Node::Inner(0, vec![only(loss()), only(only(only(loss())))]);
        let choice = choose(&mut *search, &Dummy::new(losing), &Budget::default());
        assert_eq!((choice.mv, choice.score.and_then(Score::forced)), (1, Some(Forced::LossIn(4))));
    }
}

#[test]
fn a_player_without_a_move_is_scored_by_the_rules() {
    let stuck = || Node::Inner(7, Vec::new());
    for mut search in searches(3) {
        let choice = choose(
            &mut *search,
            &Dummy::new(Node::Inner(0, vec![judged(90), stuck()])),
            &Budget::default(),
        );
        assert_eq!((choice.mv, choice.score.and_then(Score::forced)), (1, Some(Forced::WinIn(1))));
    }
}

#[test]
fn alpha_beta_counts_its_cut_offs() {
    let reply =
        |values: &[i32]| Node::Inner(0, values.iter().map(|&value| judged(value)).collect());
    let tree =
        Dummy::new(Node::Inner(0, vec![reply(&[3, 12, 8]), reply(&[2, 4, 6]), reply(&[14, 5, 2])]));
    let [mut minimax, mut alphabeta, _] = searches(2);
    let full = choose(&mut *minimax, &tree, &Budget::default()).statistics;
    let cut = choose(&mut *alphabeta, &tree, &Budget::default()).statistics;
    assert_eq!((full.nodes, full.evaluations, full.cutoffs), (12, 9, 0));
    assert_eq!((cut.nodes, cut.evaluations), (10, 7));
    assert_eq!((cut.cutoffs, cut.first_move_cutoffs), (2, 1));
}

/// Compares the searches on random positions of a game.
struct Agreement {
    positions: usize,
    depth: u32,
}

impl Visitor for Agreement {
    type Output = ();

    fn visit<G: Playable>(self, variant: Variant, start: G) {
        let (mut rng, mut scratch, mut checked) = (Rng::new(5), MoveList::new(), 0);
        let (mut full, mut cut) = (0, 0);
        while checked < self.positions {
            let mut position = start.clone();
            for _ in 0..rng.below(60) {
                match position.outcome() {
                    Some(_) => break,
                    None => position.play(position.sample(&mut rng, &mut scratch).unwrap()),
                };
            }
            if position.outcome().is_some() {
                continue;
            }
            checked += 1;
            let depth = 1 + rng.below(u64::from(self.depth)) as u32;
            let choices = searches(depth)
                .map(|mut search| choose(&mut *search, &position, &Budget::default()));
            let text = position.position_text();
            for choice in &choices {
                assert_eq!(choice.score, choices[0].score, "{variant} at depth {depth} in {text}");
                assert!(position.is_legal(choice.mv), "{variant} in {text}");
                assert_eq!(choice.pv.first(), Some(&choice.mv), "{variant} in {text}");
            }
            full += choices[0].statistics.nodes;
            cut += choices[1].statistics.nodes;
        }
        assert!(cut < full, "{variant}: alpha-beta searched {cut} nodes, minimax {full}");
    }
}

fn agree(variant: &str, positions: usize, depth: u32) {
    let soak = std::env::var("AGON_SOAK").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    let positions = positions * soak;
    with_game(&variant.parse().unwrap(), Agreement { positions, depth }).unwrap();
}

#[test]
fn the_searches_agree_in_fenix() {
    agree("fenix", 1500, 3);
}

#[test]
fn the_searches_agree_in_breakthrough() {
    agree("breakthrough:5x5", 2000, 5);
    agree("breakthrough:8x8,classic", 600, 3);
}

#[test]
fn the_searches_agree_in_congo() {
    agree("congo", 1500, 3);
}

#[test]
fn the_searches_agree_in_wumpus() {
    agree("wumpus:3", 1000, 5);
    agree("wumpus:6", 1000, 3);
}

#[test]
fn the_searches_agree_in_fauhalma_for_two() {
    agree("fauhalma:rhombus2", 1500, 2);
    agree("fauhalma:star2", 500, 3);
}

/// Asks an agent for a move of a start position.
struct Ask {
    agent: &'static str,
    budget: Budget,
}

impl Visitor for Ask {
    type Output = (u64, u32, Duration);

    fn visit<G: Playable>(self, _: Variant, start: G) -> Self::Output {
        let mut agent = agents::build(&self.agent.parse().unwrap(), &start, 1).unwrap();
        let started = Instant::now();
        let choice = choose(&mut *agent, &start, &self.budget);
        assert!(start.is_legal(choice.mv));
        (choice.statistics.nodes, choice.statistics.depth, started.elapsed())
    }
}

fn ask(variant: &str, agent: &'static str, budget: Budget) -> (u64, u32, Duration) {
    with_game(&variant.parse().unwrap(), Ask { agent, budget }).unwrap()
}

#[test]
fn a_budget_of_nodes_is_kept_to_the_node() {
    for nodes in [1, 2, 100, 5000] {
        for agent in ["minimax", "alphabeta", "ordered"] {
            let (used, ..) = ask("congo", agent, Budget::nodes(nodes));
            assert!(used <= nodes, "{agent} used {used} of {nodes}");
        }
    }
    let (used, depth, _) = ask("congo", "alphabeta", Budget::nodes(5000));
    assert!(used == 5000 && depth >= 2, "{used} nodes, depth {depth}");
}

#[test]
fn the_smaller_of_two_depths_counts() {
    assert_eq!(ask("congo", "alphabeta:depth=3", Budget::depth(2)).1, 2);
    assert_eq!(ask("congo", "alphabeta:depth=2", Budget::depth(3)).1, 2);
    assert_eq!(ask("congo", "alphabeta:depth=2", Budget::per_move(Duration::from_secs(60))).1, 2);
    assert_eq!(ask("wumpus:3", "alphabeta", Budget::default()).1, 3, "the course's depth is d");
}

#[test]
fn a_search_that_is_told_to_stop_answers_with_a_legal_move() {
    let stop = StopFlag::default();
    stop.stop();
    let (nodes, ..) = ask("fenix", "minimax", Budget { stop, ..Budget::depth(50) });
    assert_eq!(nodes, 0);
    let (.., took) = ask("fenix", "minimax", Budget::per_move(Duration::from_millis(50)));
    assert!(took < Duration::from_secs(5), "{took:?}");
}

#[test]
fn bad_agents_are_explained() {
    struct Build(&'static str);
    impl Visitor for Build {
        type Output = String;
        fn visit<G: Playable>(self, _: Variant, start: G) -> String {
            let spec = self.0.parse();
            let built = spec.and_then(|spec| agents::build(&spec, &start, 0).map(drop));
            built.map_or_else(|error| error.to_string(), |()| "built".to_string())
        }
    }
    let build = |variant: &str, agent| with_game(&variant.parse().unwrap(), Build(agent)).unwrap();
    let cases = [
        ("mnimax", "did you mean minimax? There are: random, greedy, minimax, alphabeta, ordered"),
        (
            "alphabeta:dept=3",
            "alphabeta has no option \"dept\"; did you mean depth? There are: depth, eval",
        ),
        ("greedy:eval=foo", "there is no evaluation \"foo\". There are: simple, tuned, course"),
        ("minimax:depth=0", "expected depth=1 to 100, found depth=0"),
        ("minimax:depth", "expected OPTION=VALUE, found \"depth\""),
        ("minimax:depth=1,depth=2", "depth is given twice"),
        ("", "expected NAME or NAME:OPTION=VALUE"),
        ("random", "built"),
    ];
    for (agent, words) in cases {
        let answer = build("congo", agent);
        assert!(answer.contains(words), "{agent}: {answer}");
    }
    let for_three = "minimax is for two-player games; with three players there are: random, greedy";
    assert!(build("fauhalma:star3", "minimax").contains(for_three));
    for agent in ["paranoid", "maxn:tt=off", "brs", "brs:plus=on"] {
        assert_eq!(build("fauhalma:star3", agent), "built");
        assert_eq!(build("congo", agent), "built");
    }
    assert!(build("congo", "maxn:pvs=on").contains("maxn has no option \"pvs\""));
}

#[test]
fn the_bench_signature_has_not_changed() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/bench-signature.txt");
    let line = |(variant, agent): (&'static str, &'static str)| {
        let nodes = crate::bench::run(variant, agent).nodes;
        format!("{variant} {agent} {nodes}\n")
    };
    let found: String = crate::bench::searches().map(line).collect();
    if std::env::var_os("AGON_BLESS").is_some() {
        std::fs::write(file, &found).unwrap();
    }
    assert_eq!(found, std::fs::read_to_string(file).unwrap_or_default());
}

/// The code shown in the documentation is the actual code.
#[test]
fn the_code_in_the_documentation_is_the_code() {
    let plain = |text: &str| text.lines().map(str::trim).collect::<Vec<_>>().join("\n");
    let sources =
        [include_str!("minimax.rs"), include_str!("alphabeta.rs"), include_str!("ordered.rs")]
            .map(plain);
    let document = include_str!("../../../docs/agents.md");
    let blocks: Vec<&str> =
        document.split("```rust\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert_eq!(blocks.len(), sources.len());
    for (block, source) in blocks.into_iter().zip(sources) {
        assert!(source.contains(plain(block).trim()), "not in the source any more:\n{block}");
    }
}

#[test]
fn every_baseline_is_short_enough_for_a_lecture() {
    let baselines = [
        include_str!("random.rs"),
        include_str!("greedy.rs"),
        include_str!("minimax.rs"),
        include_str!("alphabeta.rs"),
        include_str!("ordered.rs"),
    ];
    assert!(baselines.iter().all(|source| source.lines().count() < 100));
}
