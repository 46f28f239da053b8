//! Trees with known values, positions with known results, and the search's guarantees.

use std::time::{Duration, Instant};

use agon_core::{History, PerSeat, Rng, Seat, Variant};
use agon_games::{Playable, Visitor, with_game};

use super::Mcts;
use super::arena::{Arena, ROOT};
use super::options::{Options, Switches};
use crate::agents;
use crate::budget::Budget;
use crate::dummy::{Dummy, Node};
use crate::report::Choice;
use crate::score::{Forced, Score};
use crate::solver::{self, Solver, Value};
use crate::strategy::{Root, Strategy};

fn end<const SEATS: usize>(points: [u8; SEATS]) -> Node<SEATS> {
    Node::End(points)
}

/// Searches an explicit tree.
fn search_tree<const SEATS: usize>(
    tree: Node<SEATS>,
    agent: &str,
) -> (Choice<usize>, PerSeat<u8>, PerSeat<u8>) {
    let position = Dummy::new(tree);
    let history = History::new(&position);
    let options = Options::read::<Dummy<SEATS>>(&agent.parse().unwrap()).unwrap();
    let simple = agon_core::Evaluate::evaluation("simple").unwrap();
    let mut search = Mcts::new(options, simple.into(), 1);
    let root = Root { position: &position, history: &history };
    let choice = search.choose(root, &Budget::default(), &mut |_| {});
    let bounds = search.tree.node(ROOT).bounds();
    let points = |all: [u8; 4]| PerSeat::from_slice(&all[..SEATS]);
    (choice, points(bounds.low), points(bounds.high))
}

/// All settings that must find the value of a small tree.
const WAYS: &[&str] = &[
    "mcts:plain=on,iterations=4000",
    "mcts:plain=on,iterations=4000,solver=on",
    "mcts:iterations=2000",
    "mcts:iterations=2000,solver=off",
    "mcts:iterations=2000,minimax=off,cutoff=off",
    "mcts:iterations=2000,priors=off,history=on,plies=2",
    "mcts:iterations=2000,threads=3",
];

#[test]
fn of_two_each_takes_what_is_best_for_itself() {
    // The first move looks good and loses to the second answer; the second move draws.
    let tree = || {
        Node::Inner(
            0,
            vec![
                Node::Inner(300, vec![end([100, 0]), end([0, 100]), end([100, 0])]),
                Node::Inner(-100, vec![end([50, 50]), end([100, 0])]),
                Node::Inner(0, vec![end([0, 100]), end([0, 100])]),
            ],
        )
    };
    for way in WAYS {
        let (choice, low, high) = search_tree(tree(), way);
        assert_eq!(choice.mv, 1, "{way}");
        if !way.contains("solver=off") && (!way.contains("plain") || way.contains("solver=on")) {
            assert_eq!((low.as_slice(), high.as_slice()), (&[50, 50][..], &[50, 50][..]), "{way}");
            assert_eq!(choice.score, Some(Score::DRAW), "{way}");
        }
    }
}

#[test]
fn wins_are_reported_with_their_distance_and_losses_too() {
    let won = || {
        Node::Inner(
            0,
            vec![
                Node::Inner(0, vec![Node::Inner(0, vec![end([100, 0])])]),
                Node::Inner(0, vec![end([0, 100])]),
            ],
        )
    };
    let (choice, ..) = search_tree(won(), "mcts:iterations=500");
    assert_eq!((choice.mv, choice.score), (0, Some(Score::win_in(3))));
    let lost =
        Node::Inner(0, vec![end([0, 100]), Node::Inner(0, vec![won_by_second(), end([0, 100])])]);
    let (choice, ..) = search_tree(lost, "mcts:iterations=500");
    assert_eq!((choice.mv, choice.score.unwrap().forced()), (1, Some(Forced::LossIn(2))));
}

fn won_by_second() -> Node {
    Node::Inner(0, vec![Node::Inner(0, vec![end([0, 100])])])
}

#[test]
fn of_three_each_takes_what_is_best_for_itself() {
    let level = |children| Node::Stage(None, [0; 3], children);
    // After the first move the second player wins rather than let the first one win; after the
    // second one the third player, who gets nothing else, takes the second place for itself and
    // leaves the win to the first.
    let tree = || {
        level(vec![
            level(vec![end([100, 50, 0]), end([0, 100, 50])]),
            level(vec![level(vec![end([100, 0, 50]), end([50, 100, 0])])]),
            level(vec![end([50, 0, 100])]),
        ])
    };
    for way in WAYS {
        let (choice, low, high) = search_tree(tree(), way);
        assert_eq!(choice.mv, 1, "{way}");
        if !way.contains("solver=off") && (!way.contains("plain") || way.contains("solver=on")) {
            assert_eq!((low[Seat::FIRST], high[Seat::FIRST]), (100, 100), "{way}");
            assert_eq!(choice.score, Some(Score::win_in(3)), "{way}");
        }
    }
}

#[test]
fn second_place_is_better_than_third() {
    let level = |children| Node::Stage(None, [0; 3], children);
    let tree = || level(vec![level(vec![end([0, 100, 50])]), level(vec![end([50, 100, 0])])]);
    for way in WAYS {
        assert_eq!(search_tree(tree(), way).0.mv, 1, "{way}");
    }
}

#[test]
fn a_turn_that_is_skipped_belongs_to_who_has_it() {
    // The second player is home, so the third one answers twice: what is good for it counts.
    let third = |children| Node::Stage(Some(Seat::THIRD), [0; 3], children);
    let tree = || {
        Node::Stage(
            None,
            [0; 3],
            vec![
                third(vec![end([50, 100, 0]), end([0, 100, 50])]),
                third(vec![Node::Stage(
                    Some(Seat::FIRST),
                    [0; 3],
                    vec![end([0, 100, 50]), end([50, 100, 0])],
                )]),
            ],
        )
    };
    for way in WAYS {
        assert_eq!(search_tree(tree(), way).0.mv, 1, "{way}");
    }
}

/// Positions some random plies into games, with a result that the solver knows.
struct Known {
    plies: usize,
    positions: usize,
    agent: &'static str,
    /// Whether the value has to be proven, or only the move to be right.
    proof: bool,
}

impl Visitor for Known {
    type Output = ();

    fn visit<G: Playable>(self, variant: Variant, start: G) {
        let mut solver = Solver::new(&solver::Options { hash_mib: 16, threads: 1 }).unwrap();
        let budget = Budget::nodes(200_000);
        let mut value = |position: &G, history: &History| {
            let outcome = history.status(position).outcome().or_else(|| position.outcome());
            match outcome {
                Some(outcome) => Some(outcome.points()[Seat::FIRST]),
                None => {
                    let solution = solver.solve(Root { position, history }, &budget, &mut |_| {});
                    let mover = position.to_move()?;
                    let mine = match solution.value? {
                        Value::Win => 100,
                        Value::Draw => 50,
                        Value::Loss => 0,
                    };
                    Some(if mover == Seat::FIRST { mine } else { 100 - mine })
                }
            }
        };
        let mut checked = 0;
        for seed in 0..2000 {
            if checked == self.positions {
                break;
            }
            let (position, history) = late_position(&start, self.plies, seed);
            let Some(wanted) = value(&position, &history) else { continue };
            let mover = position.to_move().unwrap();
            let spec = self.agent.parse().unwrap();
            let mut search = agents::build(&spec, &position, seed).unwrap();
            let root = Root { position: &position, history: &history };
            let choice = search.choose(root, &Budget::default(), &mut |_| {});
            let (mut after, mut then) = (position.clone(), history.clone());
            let progress = after.play(choice.mv);
            then.push(&after, progress);
            let Some(found) = value(&after, &then) else { continue };
            let text = || format!("{variant} seed {seed}: {}", position.position_text());
            assert_eq!(found, wanted, "{} plays {}", text(), position.move_text(choice.mv));
            if self.proof && is_near(&position, &history) {
                let mine = if mover == Seat::FIRST { wanted } else { 100 - wanted };
                let proven = match choice.score.and_then(Score::forced) {
                    Some(Forced::WinIn(_)) => 100,
                    Some(Forced::LossIn(_)) => 0,
                    None => 50,
                };
                assert_eq!(proven, mine, "{}", text());
            }
            checked += 1;
        }
        assert_eq!(checked, self.positions, "{variant}");
    }
}

/// Whether a result can be forced within a few plies.
fn is_near<G: Playable>(position: &G, history: &History) -> bool {
    let mut plain = agents::build(&"alphabeta:depth=4".parse().unwrap(), position, 0).unwrap();
    let choice = plain.choose(Root { position, history }, &Budget::default(), &mut |_| {});
    choice.score.and_then(Score::forced).is_some()
}

/// A position `before` plies before the end of a random game, with its history.
fn late_position<G: Playable>(start: &G, before: usize, seed: u64) -> (G, History) {
    let mut rng = Rng::new(seed);
    let mut line = vec![(start.clone(), History::new(start))];
    loop {
        let (position, history) = line.last().unwrap();
        let moves = position.moves();
        let Some(&mv) = rng.choose(&moves) else { break };
        let (mut next, mut then) = (position.clone(), history.clone());
        let progress = next.play(mv);
        then.push(&next, progress);
        if then.status(&next).to_move().is_none() || next.moves().is_empty() {
            break;
        }
        line.push((next, then));
    }
    line.swap_remove(line.len().saturating_sub(before))
}

fn knows(variant: &str, plies: usize, agent: &'static str, proof: bool) {
    let known = Known { plies, positions: 8, agent, proof };
    with_game(&variant.parse().unwrap(), known).unwrap();
}

#[test]
fn results_near_the_end_are_proven_in_every_game() {
    let agent = "mcts:iterations=20000";
    for (variant, plies) in [
        ("breakthrough:3x5", 6),
        ("breakthrough:5x5,classic", 3),
        ("wumpus:3", 4),
        ("fenix", 2),
        ("congo", 2),
    ] {
        knows(variant, plies, agent, true);
    }
}

/// A position given as text, and the search's score for it.
struct Say<'a>(&'a str);

impl Visitor for Say<'_> {
    type Output = Option<Score>;

    fn visit<G: Playable>(self, _: Variant, start: G) -> Self::Output {
        let position = start.read_position(self.0).unwrap();
        let history = History::new(&position);
        let spec = "mcts:iterations=20000,eval=simple".parse().unwrap();
        let mut search = agents::build(&spec, &position, 1).unwrap();
        let root = Root { position: &position, history: &history };
        let choice = search.choose(root, &Budget::default(), &mut |_| {});
        choice.score
    }
}

#[test]
fn a_race_that_is_won_is_proven_for_two_and_for_three() {
    // Two steps from the last space of A's home; the others are far from theirs.
    let nearly_home = r#""A":[[-3,6],[-3,5],[-2,5],[-3,4],[-2,4],[1,2]]"#;
    let two = r#""B":[[3,-6],[2,-5],[3,-5],[1,-4],[-3,0],[-3,1]],"turn":"A""#;
    let b = r#""B":[[3,3],[2,3],[3,2],[1,3],[2,2],[3,1]]"#;
    let c = r#""C":[[-6,3],[-5,3],[-5,2],[-4,3],[-4,2],[-4,1]],"turn":"A""#;
    for (variant, position, plies) in [
        ("fauhalma:rhombus2", format!("{{{nearly_home},{two}}}"), 3),
        ("fauhalma:star2", format!("{{{nearly_home},{two}}}"), 3),
        ("fauhalma:star3", format!("{{{nearly_home},{b},{c}}}"), 4),
    ] {
        let score = with_game(&variant.parse().unwrap(), Say(&position)).unwrap();
        assert_eq!(score, Some(Score::win_in(plies)), "{variant}");
    }
}

#[test]
fn random_play_outs_alone_converge_to_the_right_move() {
    for (variant, plies) in [("breakthrough:3x5", 5), ("wumpus:3", 3), ("fenix", 2), ("congo", 2)] {
        knows(variant, plies, "mcts:plain=on,iterations=10000", false);
    }
}

/// Asks an agent at the start of a variant.
struct Ask<'a> {
    agent: &'a str,
    budget: Budget,
}

impl Visitor for Ask<'_> {
    type Output = (String, u64, u64);

    fn visit<G: Playable>(self, _: Variant, start: G) -> Self::Output {
        let history = History::new(&start);
        let mut search = agents::build(&self.agent.parse().unwrap(), &start, 7).unwrap();
        let root = Root { position: &start, history: &history };
        let choice = search.choose(root, &self.budget, &mut |_| {});
        assert!(start.is_legal(choice.mv));
        let line: Vec<String> = vec![start.move_text(choice.mv), format!("{:?}", choice.score)];
        (line.join(" "), choice.statistics.nodes, choice.statistics.iterations)
    }
}

fn ask(variant: &str, agent: &str, budget: Budget) -> (String, u64, u64) {
    with_game(&variant.parse().unwrap(), Ask { agent, budget }).unwrap()
}

#[test]
fn one_thread_and_a_seed_give_the_same_search_every_time() {
    for variant in ["fenix", "congo", "breakthrough:6x6", "wumpus:6", "fauhalma:star3"] {
        for agent in ["mcts:iterations=300", "mcts:plain=on,iterations=50"] {
            let first = ask(variant, agent, Budget::default());
            assert_eq!(first, ask(variant, agent, Budget::default()), "{variant} {agent}");
        }
        let nodes = || ask(variant, "mcts", Budget::nodes(20_000));
        assert_eq!(nodes(), nodes(), "{variant}");
    }
}

#[test]
fn budgets_are_kept() {
    let (_, _, iterations) = ask("congo", "mcts:iterations=123", Budget::default());
    assert_eq!(iterations, 123);
    let (_, nodes, _) = ask("breakthrough:8x8", "mcts", Budget::nodes(5000));
    assert!((5000..6000).contains(&nodes), "{nodes}: the last iteration may end");
    let started = Instant::now();
    ask("fauhalma:star3", "mcts", Budget::per_move(Duration::from_millis(1)));
    let budget = Budget::default();
    budget.stop.stop();
    let (_, _, iterations) = ask("fenix", "mcts:iterations=1000000", budget);
    assert_eq!(iterations, 1, "a move needs one");
    assert!(started.elapsed() < Duration::from_secs(20), "nothing here takes long");
}

#[test]
fn a_small_memory_is_recycled_again_and_again() {
    for (variant, agent) in [
        ("breakthrough:8x8", "mcts:memory=1,iterations=60000"),
        ("breakthrough:8x8", "mcts:memory=1,iterations=60000,threads=3"),
        ("congo", "mcts:plain=on,memory=1,iterations=30000"),
        ("fauhalma:star3", "mcts:memory=1,iterations=10000"),
    ] {
        let wanted = agent.split("iterations=").nth(1).unwrap();
        let wanted: u64 = wanted.split(',').next().unwrap().parse().unwrap();
        let (_, _, iterations) = ask(variant, agent, Budget::default());
        assert!((wanted..wanted + 3).contains(&iterations), "{variant}: {iterations}");
    }
}

/// Searches with several threads in a megabyte, and counts the visits of the tree.
struct Crowd {
    threads: usize,
    iterations: u64,
}

impl Visitor for Crowd {
    type Output = ();

    fn visit<G: Playable>(self, variant: Variant, start: G) {
        let Crowd { threads, iterations } = self;
        let best = Options::best::<G>();
        let options = Options { iterations: Some(iterations), memory: 1, threads, ..best };
        let evaluation = G::evaluation("simple").unwrap();
        let mut search = Mcts::new(options, evaluation.into(), 1);
        let history = History::new(&start);
        let root = Root { position: &start, history: &history };
        let of_children = |tree: &Arena<G::Move>, index| -> u64 {
            let (_, children) = tree.children(tree.node(index));
            children.iter().map(|child| u64::from(child.visits())).sum()
        };
        // The first search makes the children of the root, while some threads do without them.
        search.choose(root, &Budget::nodes(1), &mut |_| {});
        let visits = |tree: &Arena<G::Move>, index| u64::from(tree.node(index).visits());
        let (before, season) = (of_children(&search.tree, ROOT), search.tree.season());
        let counted = visits(&search.tree, ROOT);
        let choice = search.choose(root, &Budget::default(), &mut |_| {});
        let tree = &search.tree;
        assert!(tree.season() > season + 2, "{variant}: the memory was recycled");
        assert!(tree.taken() * size_of::<super::Node<G::Move>>() <= 1 << 20, "{variant}");
        let iterations = choice.statistics.iterations;
        assert_eq!(visits(tree, ROOT) - counted, iterations, "{variant}");
        assert_eq!(of_children(tree, ROOT) - before, iterations, "{variant}");
        let mut open = vec![ROOT];
        while let Some(index) = open.pop() {
            assert!(of_children(tree, index) <= visits(tree, index), "{variant}");
            let (first, children) = tree.children(tree.node(index));
            open.extend(first..first + children.len() as u32);
        }
    }
}

#[test]
fn threads_share_a_small_memory_and_count_every_visit() {
    for (variant, threads, iterations) in
        [("breakthrough:8x8", 2, 40_000), ("congo", 8, 10_000), ("fauhalma:star3", 4, 10_000)]
    {
        with_game(&variant.parse().unwrap(), Crowd { threads, iterations }).unwrap();
    }
}

/// Plays moves and checks what is left of the tree.
struct Reuse;

impl Visitor for Reuse {
    type Output = ();

    fn visit<G: Playable>(self, variant: Variant, start: G) {
        let evaluation = G::evaluation("simple").unwrap();
        let options = Options { iterations: Some(3000), ..Options::best::<G>() };
        let mut search = Mcts::new(options, evaluation.into(), 1);
        let (mut position, mut history) = (start.clone(), History::new(&start));
        for _ in 0..3 {
            let root = Root { position: &position, history: &history };
            let choice = search.choose(root, &Budget::default(), &mut |_| {});
            let seats = position.seats();
            for mv in choice.pv.into_iter().take(seats) {
                let progress = position.play(mv);
                history.push(&position, progress);
            }
            let root = Root { position: &position, history: &history };
            let index = search.find(root).expect("the line it liked best is in the tree");
            let visits = search.tree.node(index).visits();
            search.plant(root);
            assert!(visits > 0 && search.tree.node(ROOT).visits() == visits, "{variant}");
        }
        // Another game is not in the tree.
        let root = Root { position: &start, history: &History::new(&start) };
        assert_eq!(search.find(root), None, "{variant}");
    }
}

#[test]
fn the_tree_is_kept_from_move_to_move() {
    for variant in ["fenix", "breakthrough:6x6", "congo", "fauhalma:star3"] {
        with_game(&variant.parse().unwrap(), Reuse).unwrap();
    }
}

#[test]
fn every_switch_is_an_option_and_changes_the_search() {
    let nodes = |agent: &str| ask("congo", agent, Budget::default());
    let best = nodes("mcts:iterations=400");
    for name in Switches::NAMES.iter().filter(|name| **name != "reuse" && **name != "solver") {
        let other = if *name == "history" { "on" } else { "off" };
        let turned = nodes(&format!("mcts:iterations=400,{name}={other}"));
        assert_ne!(turned, best, "{name}");
    }
}

#[test]
fn plain_is_plain() {
    let options = Options::read::<Dummy>(&"mcts:plain=on".parse().unwrap()).unwrap();
    assert_eq!(options.switches, Switches::all(false));
}
