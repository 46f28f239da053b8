//! The searches against their definitions, on explicit trees, and with small budgets.

mod definitions;
mod trees;

use agon_core::{Hints, History, MoveList, Rng, Seat, Variant};
use agon_games::{Playable, Visitor, with_game};

use super::driver::Search;
use super::maxn::MaxN;
use super::options::Options;
use super::{Assumption, build};
use crate::alphabeta::AlphaBeta;
use crate::budget::Budget;
use crate::deepening::Deepening;
use crate::report::{Choice, Iteration};
use crate::strategy::{Root, Strategy};
use crate::tree::Tree;
use definitions::Line;

const ALL: [Assumption; 4] =
    [Assumption::Paranoid, Assumption::MaxN, Assumption::BestReply, Assumption::BestReplyPlus];

/// Every combination of the switches.
fn settings() -> Vec<Options> {
    let on = |bits: u32, bit: u32| bits >> bit & 1 == 1;
    let options = |bits| Options {
        depth: None,
        hash: 1,
        tt: on(bits, 0),
        pvs: on(bits, 1),
        ordering: on(bits, 2),
        killers: on(bits, 3),
        history: on(bits, 3),
    };
    (0..16).map(options).collect()
}

/// Roughly how many positions a definition may visit.
const ENOUGH: u64 = 4000;

/// Compares the searches with their definitions on positions of a game.
struct Agreement<'a> {
    /// The number of positions from play.
    positions: usize,
    /// Further positions as texts.
    texts: &'a [&'a str],
}

impl Visitor for Agreement<'_> {
    type Output = Coverage;

    fn visit<G: Playable>(self, variant: Variant, start: G) -> Coverage {
        let (mut rng, mut coverage) = (Rng::new(11), Coverage::default());
        let mut check = |position: &G, history: &History| {
            compare(&variant, position, history);
            coverage.cut_by_maxn += compare_points(&variant, position, history);
            let is_through = |seat| position.secured(seat).is_some();
            coverage.someone_through += u32::from(Seat::all(position.seats()).any(is_through));
        };
        for text in self.texts {
            let position = start.read_position(text).unwrap();
            check(&position, &History::new(&position));
        }
        for _ in 0..self.positions {
            let (position, history) = walk(&start, &mut rng);
            check(&position, &history);
        }
        coverage
    }
}

/// What the positions covered.
#[derive(Default)]
struct Coverage {
    /// How often max^n cut off.
    cut_by_maxn: u64,
    /// Positions in which somebody's place was decided.
    someone_through: u32,
}

/// The best move one ply ahead, or now and then any.
fn careless<G: Hints>(position: &G, rng: &mut Rng, scratch: &mut MoveList<G::Move>) -> G::Move {
    let any = position.sample(rng, scratch).unwrap();
    let seat = position.to_move().unwrap();
    let judged = |mv| {
        let mut after = position.clone();
        after.play(mv);
        let over = after.to_move().is_none();
        if over { i32::MAX } else { (G::evaluations()[0].judge)(&after, seat) }
    };
    let is_careless = rng.below(8) == 0;
    let best = || position.moves().into_iter().max_by_key(|&mv| judged(mv)).unwrap();
    if is_careless { any } else { best() }
}

/// A position from a game of careless players; the last one before its end, if it was over.
fn walk<G: Hints>(start: &G, rng: &mut Rng) -> (G, History) {
    const LONGEST: u64 = 120;
    let mut scratch = MoveList::new();
    let (mut position, mut history) = (start.clone(), History::new(start));
    for _ in 0..rng.below(LONGEST) {
        let before = (position.clone(), history.clone());
        let progress = position.play(careless(&position, rng, &mut scratch));
        history.push(&position, progress);
        if history.status(&position).to_move().is_none() || position.outcome().is_some() {
            return before;
        }
    }
    (position, history)
}

/// Compares the searches with their definitions on one position, at all depths that are quick.
fn compare<G: Playable>(variant: &Variant, position: &G, history: &History) {
    let evaluation = G::evaluations()[0];
    let root = position.to_move().unwrap();
    let line = Line::new(position, history);
    let deepest = deepest(position);
    let text = position.position_text();
    if position.seats() == 2 {
        compare_with_textbook(position, history, deepest);
    }
    for assumption in ALL {
        let wanted: Vec<_> = (1..=deepest)
            .map(|depth| match assumption {
                Assumption::Paranoid => {
                    definitions::paranoid(&line, &evaluation.into(), root, depth)
                }
                Assumption::BestReply => {
                    definitions::best_reply(&line, &evaluation.into(), root, depth)
                }
                Assumption::BestReplyPlus => {
                    definitions::best_reply_plus(&line, &evaluation.into(), root, depth)
                }
                Assumption::MaxN => {
                    let points = definitions::maxn(&line, &evaluation.into(), depth)[root];
                    super::maxn::score(points, G::scale(evaluation.name))
                }
            })
            .collect();
        for options in settings() {
            let mut search = build(assumption, options, evaluation.into()).unwrap();
            for round in 0..2 {
                let mut check = |iteration: &Iteration<G::Move>| {
                    let wanted = wanted[iteration.depth as usize - 1];
                    assert_eq!(
                        iteration.score, wanted,
                        "{variant}, {assumption:?}, {options:?}, round {round}, depth {} in {text}",
                        iteration.depth
                    );
                    assert!(position.is_legal(iteration.pv[0]));
                };
                let root = Root { position, history };
                search.choose(root, &Budget::depth(deepest), &mut check);
            }
        }
    }
}

/// With a single opponent, one against all is alpha-beta.
fn compare_with_textbook<G: Playable>(position: &G, history: &History, deepest: u32) {
    let (evaluation, root) = (G::evaluations()[0], Root { position, history });
    let mut textbook =
        Deepening { depth: Some(deepest), search: AlphaBeta { evaluation: evaluation.into() } };
    let wanted = textbook.choose(root, &Budget::default(), &mut |_| {}).score;
    for assumption in [Assumption::Paranoid, Assumption::BestReply, Assumption::BestReplyPlus] {
        let mut search = build(assumption, Options::default(), evaluation.into()).unwrap();
        let found = search.choose(root, &Budget::depth(deepest), &mut |_| {}).score;
        assert_eq!(found, wanted, "{assumption:?} in {}", position.position_text());
    }
}

/// The greatest depth that is still quick.
fn deepest<G: Hints>(position: &G) -> u32 {
    let breadth = position.count_moves().max(2);
    (1..=4).take_while(|&depth| depth == 1 || breadth.pow(depth) <= ENOUGH).count() as u32
}

/// Compares the points of all seats by max^n, and returns how often it cut off.
fn compare_points<G: Playable>(variant: &Variant, position: &G, history: &History) -> u64 {
    let (evaluation, deepest) = (G::evaluations()[0], deepest(position));
    let line = Line::new(position, history);
    let mut cutoffs = 0;
    for options in settings() {
        let mut search = MaxN::new(options, evaluation.into()).unwrap();
        let root = Root { position, history };
        search.begin(&root, &Budget::default());
        for depth in 1..=deepest {
            let mut tree = Tree::new(root, &Budget::default());
            let found = search.points(&mut tree, position, depth, None).unwrap();
            let wanted = definitions::maxn(&line, &evaluation.into(), depth);
            let text = position.position_text();
            assert_eq!(found, wanted, "{variant}, {options:?}, depth {depth} in {text}");
            cutoffs += tree.statistics.cutoffs;
        }
    }
    cutoffs
}

fn agree(variant: &str, positions: usize, texts: &[&str]) -> Coverage {
    let soak = std::env::var("AGON_SOAK").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    let positions = positions * soak;
    with_game(&variant.parse().unwrap(), Agreement { positions, texts }).unwrap()
}

/// Three players: one is nearly stuck, one is out, one is home and the others are not, and one
/// move ends the game for two.
const SPECIAL: &[&str] = &[
    r#"{"A":[[2,0],[1,1],[0,2],[-1,3],[1,0],[0,1]],
        "B":[[3,3],[2,3],[3,2],[1,3],[2,2],[3,1]],
        "C":[[3,0],[2,1],[1,2],[3,-1],[-1,4],[-4,1]],"turn":"C"}"#,
    r#"{"A":[[2,0],[1,1],[0,2],[-1,3],[1,0],[0,1]],
        "B":[[3,3],[2,3],[3,2],[1,3],[2,2],[3,1]],
        "C":[[3,0],[2,1],[1,2],[3,-1],[0,3],[-4,1]],"turn":"A"}"#,
    r#"{"A":[[-3,6],[-2,5],[-3,4],[-2,4],[-1,4],[-3,-1]],
        "B":[[-3,5],[-3,-3],[-2,-3],[-3,-2],[-1,-3],[-2,-2]],
        "C":[[-3,0],[-3,2],[-4,2],[-5,2],[-5,3],[-6,3]],"turn":"A","out":["B"]}"#,
    r#"{"A":[[-3,6],[-2,5],[-3,4],[-2,4],[-1,4],[-3,5]],
        "B":[[-3,3],[-3,-3],[-2,-3],[-3,-2],[-1,-3],[-2,-2]],
        "C":[[-3,0],[-3,2],[-4,2],[-5,2],[-5,3],[-6,3]],"turn":"B"}"#,
    r#"{"A":[[-3,6],[-2,5],[-3,4],[-2,4],[-1,4],[-3,-1]],
        "B":[[-3,5],[-3,-3],[-2,-3],[-3,-2],[-1,-3],[-2,-2]],
        "C":[[-3,0],[-3,2],[-4,2],[-5,2],[-5,3],[-6,3]],"turn":"C"}"#,
];

#[test]
fn the_searches_are_what_their_definitions_say_for_three() {
    let coverage = agree("fauhalma:star3", 24, SPECIAL);
    assert!(coverage.cut_by_maxn > 0, "shallow pruning was not tried");
    assert!(coverage.someone_through > SPECIAL.len() as u32, "hardly anybody came home");
    agree("fauhalma:star3,limit=20", 8, &[]);
}

#[test]
fn the_searches_are_what_their_definitions_say_for_two() {
    agree("fauhalma:rhombus2", 4, &[]);
    agree("breakthrough:4x4", 12, &[]);
    agree("congo", 6, &[]);
    agree("fenix", 4, &[]);
    agree("wumpus:3", 8, &[]);
}

fn choose<G: Hints>(
    assumption: Assumption,
    options: Options,
    position: &G,
    budget: &Budget,
) -> Choice<G::Move> {
    let history = History::new(position);
    let mut search = build(assumption, options, G::evaluations()[0].into()).unwrap();
    search.choose(Root { position, history: &history }, budget, &mut |_| {})
}

/// Small budgets on the star for three.
struct OnTheStar;

impl Visitor for OnTheStar {
    type Output = ();

    fn visit<G: Playable>(self, _: Variant, start: G) {
        for assumption in ALL {
            for nodes in [0, 1, 2, 10, 1000, 5000] {
                let budget = Budget::nodes(nodes);
                let first = choose(assumption, Options::default(), &start, &budget);
                let again = choose(assumption, Options::default(), &start, &budget);
                assert!(first.statistics.nodes <= nodes, "{assumption:?}");
                assert!(start.is_legal(first.mv), "{assumption:?}");
                assert_eq!(first.mv, again.mv);
                assert_eq!((first.score, &first.pv), (again.score, &again.pv));
                assert_eq!(first.statistics.nodes, again.statistics.nodes);
            }
            let mut stopped = Budget::depth(50);
            stopped.stop.stop();
            stopped.nodes = Some(1_000_000);
            let choice = choose(assumption, Options::default(), &start, &stopped);
            assert!(start.is_legal(choice.mv) && choice.statistics.nodes == 0);
        }
    }
}

#[test]
fn budgets_are_kept_and_searches_can_be_repeated() {
    with_game(&"fauhalma:star3".parse().unwrap(), OnTheStar).unwrap();
}
