//! The engine against minimax, and its guarantees.

use std::time::Duration;

use agon_core::{History, Rng, Variant};
use agon_games::{Playable, Visitor, with_game};

use crate::agents;
use crate::budget::Budget;
use crate::deepening::Deepening;
use crate::engine::options::Switches;
use crate::minimax::Minimax;
use crate::report::{Choice, Iteration};
use crate::score::{Forced, Score};
use crate::strategy::{Root, Strategy};

/// A position some random plies into a game, with its history; not over.
fn random_position<G: Playable>(start: &G, plies: usize, seed: u64) -> (G, History) {
    let mut rng = Rng::new(seed);
    let (mut position, mut history) = (start.clone(), History::new(start));
    for _ in 0..plies {
        let moves = position.moves();
        let Some(&mv) = rng.choose(&moves) else { break };
        let mut next = position.clone();
        let progress = next.play(mv);
        history.push(&next, progress);
        if history.status(&next).to_move().is_none() || next.moves().is_empty() {
            history.pop();
            break;
        }
        position = next;
    }
    (position, history)
}

fn choose<G: Playable>(
    agent: &str,
    position: &G,
    history: &History,
    budget: &Budget,
) -> Choice<G::Move> {
    let spec = agent.parse().unwrap();
    let mut strategy = agents::build(&spec, position, 0).unwrap();
    strategy.choose(Root { position, history }, budget, &mut |_| {})
}

/// Compares `engine:exact=on` with minimax on random positions.
struct Exactness {
    positions: u64,
    plies: usize,
    depth: u32,
}

impl Visitor for Exactness {
    type Output = ();

    fn visit<G: Playable>(self, variant: Variant, start: G) {
        for seed in 0..self.positions {
            let plies = Rng::new(seed).below(self.plies as u64) as usize;
            let (position, history) = random_position(&start, plies, seed);
            for depth in 1..=self.depth {
                let evaluation = *G::evaluations().last().unwrap();
                let mut minimax = Deepening {
                    depth: Some(depth),
                    search: Minimax { evaluation: evaluation.into() },
                };
                let root = Root { position: &position, history: &history };
                let plain = minimax.choose(root, &Budget::default(), &mut |_| {});
                for switches in [
                    "",
                    ",tt=off",
                    ",pvs=off",
                    ",aspiration=off",
                    ",tt=off,pvs=off,aspiration=off,killers=off,history=off",
                ] {
                    let agent = format!(
                        "engine:exact=on,hash=1,depth={depth},eval={}{switches}",
                        evaluation.name
                    );
                    let choice = choose(&agent, &position, &history, &Budget::default());
                    assert_eq!(
                        choice.score,
                        plain.score,
                        "{agent} at depth {depth} in {variant}, {}, seed {seed}",
                        position.position_text()
                    );
                }
            }
        }
    }
}

#[test]
fn exact_searches_equal_minimax() {
    let soak: u64 = std::env::var("AGON_SOAK").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    for (variant, positions, plies, depth) in [
        ("fenix", 12, 60, 3),
        ("breakthrough:4x5", 20, 14, 5),
        ("breakthrough:8x8", 8, 50, 4),
        ("breakthrough:5x5,classic", 8, 16, 4),
        ("breakthrough:9x9", 4, 40, 4),
        ("congo", 10, 120, 3),
        ("wumpus:3", 15, 30, 5),
        ("wumpus:6", 8, 60, 3),
        ("fauhalma:star2", 8, 60, 2),
        ("fauhalma:rhombus2,limit=25", 8, 49, 3),
    ] {
        let variant: Variant = variant.parse().unwrap();
        with_game(&variant, Exactness { positions: positions * soak, plies, depth }).unwrap();
    }
}

const TWO_PLAYER_VARIANTS: &[&str] = &[
    "fenix",
    "breakthrough:5x5",
    "breakthrough:8x8",
    "breakthrough:10x10,classic",
    "congo",
    "wumpus:3",
    "wumpus:6",
    "wumpus:15",
    "fauhalma:star2",
    "fauhalma:rhombus2",
];

/// Runs a visitor on every two-player game.
fn in_all_games<V: Visitor + Copy>(visitor: V) {
    for variant in TWO_PLAYER_VARIANTS {
        with_game(&variant.parse().unwrap(), visitor).unwrap();
    }
}

/// Any budget, however small, gives a legal move of a complete iteration, within the budget.
#[derive(Clone, Copy)]
struct SmallBudgets;

impl Visitor for SmallBudgets {
    type Output = ();

    fn visit<G: Playable>(self, variant: Variant, start: G) {
        let stopped = Budget::nodes(u64::MAX);
        stopped.stop.stop();
        let budgets = [
            Budget::per_move(Duration::ZERO),
            Budget::per_move(Duration::from_millis(1)),
            Budget::nodes(1),
            Budget::nodes(1000),
            Budget::depth(1),
            stopped,
        ];
        for (seed, budget) in (0..).zip(&budgets) {
            for agent in ["engine:hash=1", "engine:hash=1,threads=2", "engine:hash=1,level=3"] {
                let (position, history) = random_position(&start, 7 * seed, seed as u64);
                let choice = choose(agent, &position, &history, budget);
                assert!(position.is_legal(choice.mv), "{agent} in {variant} with {budget:?}");
                assert!(choice.statistics.depth >= 1, "{agent} in {variant} with {budget:?}");
                let mut line = position;
                for mv in choice.pv {
                    assert!(line.is_legal(mv), "a line of {agent} in {variant}");
                    line.play(mv);
                }
            }
        }
    }
}

#[test]
fn the_smallest_budget_gives_a_legal_move() {
    in_all_games(SmallBudgets);
}

/// One thread and a limit on nodes: the same tree every time, and not one node more.
#[derive(Clone, Copy)]
struct SameTree;

impl Visitor for SameTree {
    type Output = ();

    fn visit<G: Playable>(self, variant: Variant, start: G) {
        let (position, history) = random_position(&start, 12, 5);
        let search = || {
            let mut iterations = Vec::new();
            let spec = "engine:hash=2,lines=2".parse().unwrap();
            let mut engine = agents::build(&spec, &position, 0).unwrap();
            let root = Root { position: &position, history: &history };
            let mut keep = |iteration: &Iteration<G::Move>| {
                iterations.push((iteration.nodes, iteration.score, iteration.pv.clone()));
            };
            let choice = engine.choose(root, &Budget::nodes(20_000), &mut keep);
            (iterations, choice.mv, choice.score, choice.statistics.nodes)
        };
        let once = search();
        assert_eq!(once, search(), "{variant}");
        assert!(once.3 <= 20_000, "{} nodes in {variant}", once.3);
    }
}

#[test]
fn a_search_can_be_repeated() {
    in_all_games(SameTree);
}

/// Several lines begin with different moves, in the order of their scores.
#[derive(Clone, Copy)]
struct Lines;

impl Visitor for Lines {
    type Output = ();

    fn visit<G: Playable>(self, variant: Variant, start: G) {
        let (position, history) = random_position(&start, 9, 3);
        let mut last: Vec<(u32, usize, Score, G::Move)> = Vec::new();
        let spec = "engine:hash=1,lines=3,depth=3".parse().unwrap();
        let mut engine = agents::build(&spec, &position, 0).unwrap();
        let root = Root { position: &position, history: &history };
        let choice = engine.choose(root, &Budget::default(), &mut |iteration| {
            last.retain(|line| line.0 == iteration.depth);
            last.push((iteration.depth, iteration.rank, iteration.score, iteration.pv[0]));
        });
        assert_eq!(last.len(), position.moves().len().min(3), "{variant}");
        assert!(last.iter().enumerate().all(|(index, line)| line.1 == index), "{variant}");
        assert!(last.is_sorted_by_key(|line| std::cmp::Reverse(line.2)), "{variant} {last:?}");
        assert_eq!(choice.mv, last[0].3, "{variant}");
        for (index, line) in last.iter().enumerate() {
            assert!(last[..index].iter().all(|other| other.3 != line.3), "{variant} {last:?}");
        }
    }
}

#[test]
fn the_best_lines_are_different_and_in_order() {
    in_all_games(Lines);
}

/// With every improvement turned off in turn, forced wins are still found.
#[test]
fn a_win_is_found_whatever_is_switched_off() {
    let variant: Variant = "breakthrough:4x5".parse().unwrap();
    struct Win;
    impl Visitor for Win {
        type Output = ();

        fn visit<G: Playable>(self, _: Variant, start: G) {
            // Black's runner is two steps from home; white has none.
            let position = start.read_position("1ppp/4/1P2/p3/2PP b").unwrap();
            let history = History::new(&position);
            for name in Switches::NAMES {
                let agent = format!("engine:hash=1,{name}=off");
                let choice = choose(&agent, &position, &history, &Budget::depth(4));
                let forced = choice.score.and_then(Score::forced);
                assert_eq!(forced, Some(Forced::WinIn(1)), "{agent}");
                assert_eq!(position.move_text(choice.mv), "a2a1", "{agent}");
            }
        }
    }
    with_game(&variant, Win).unwrap();
}

/// Lower levels play differently from the best one now and then.
#[test]
fn lower_levels_play_otherwise_now_and_then() {
    struct Levels;
    impl Visitor for Levels {
        type Output = Vec<usize>;

        fn visit<G: Playable>(self, _: Variant, start: G) -> Vec<usize> {
            let (position, history) = random_position(&start, 14, 1);
            let distinct = |level: u32| {
                let play = |seed| {
                    let spec = format!("engine:hash=1,level={level}").parse().unwrap();
                    let mut engine = agents::build(&spec, &position, seed).unwrap();
                    let root = Root { position: &position, history: &history };
                    engine.choose(root, &Budget::nodes(2000), &mut |_| {}).mv
                };
                (0..20).map(play).collect::<std::collections::BTreeSet<_>>().len()
            };
            [1, 10].map(distinct).to_vec()
        }
    }
    let distinct = with_game(&"breakthrough:8x8".parse().unwrap(), Levels).unwrap();
    assert!(distinct[0] > 1, "level 1 always plays the same");
    assert_eq!(distinct[1], 1, "the best move is one move");
}

#[test]
fn options_that_make_no_sense_are_refused() {
    struct Make(&'static str);
    impl Visitor for Make {
        type Output = Result<(), String>;

        fn visit<G: Playable>(self, _: Variant, start: G) -> Self::Output {
            let made = self.0.parse().and_then(|spec| agents::build(&spec, &start, 0));
            made.map(drop).map_err(|error| error.to_string())
        }
    }
    for (agent, word) in [
        ("engine:level=11", "level=1 to 10"),
        ("engine:lmr=maybe", "lmr=on or lmr=off"),
        ("engine:exact=on,lmr=on", "does not allow lmr=on"),
        ("engine:hash=0", "hash=1 to"),
        ("engine:treads=2", "did you mean threads"),
        ("engine:method=brs", "three-player games"),
    ] {
        let error = with_game(&"congo".parse().unwrap(), Make(agent)).unwrap().unwrap_err();
        assert!(error.contains(word), "{agent}: {error}");
    }
    for (agent, word) in [
        ("engine:nullmove=off", "for two-player games"),
        ("engine:method=minimax", "There are: paranoid"),
        ("engine:method=brs,threads=2", "method=mcts"),
        ("engine:eval=tuned", "There are: simple, race"),
    ] {
        let three = with_game(&"fauhalma:star3".parse().unwrap(), Make(agent)).unwrap();
        let error = three.unwrap_err();
        assert!(error.contains(word), "{agent}: {error}");
    }
}

#[test]
fn with_three_players_it_says_what_it_uses() {
    struct Ask(&'static str);
    impl Visitor for Ask {
        type Output = String;

        fn visit<G: Playable>(self, _: Variant, start: G) -> String {
            let mut engine = agents::build(&self.0.parse().unwrap(), &start, 1).unwrap();
            let root = Root { position: &start, history: &History::new(&start) };
            let choice = engine.choose(root, &Budget::nodes(2000), &mut |_| {});
            assert!(start.is_legal(choice.mv), "{}", self.0);
            engine.method().unwrap()
        }
    }
    for (agent, method) in [
        ("engine", "mcts:eval=race"),
        ("engine:level=2,eval=simple", "mcts:eval=simple"),
        ("engine:method=brs+,depth=3,hash=4", "brs:plus=on,eval=race,depth=3,hash=4"),
        ("engine:method=mcts,threads=2,hash=16", "mcts:eval=race,threads=2,memory=16"),
        ("engine:method=paranoid", "paranoid:eval=race"),
        ("engine:method=maxn", "maxn:eval=race"),
    ] {
        let said = with_game(&"fauhalma:star3".parse().unwrap(), Ask(agent)).unwrap();
        assert_eq!(said, method, "{agent}");
    }
}
