//! The solver against values that are known.

use std::time::Duration;

use agon_core::{History, MoveList, Rng, Variant};
use agon_games::{Catalog, Playable, Table, Visitor, open_at, with_game};
use agon_search::solver::text::{Answer, Question, solve};
use agon_search::solver::{Options, Progress, Solver, Value};
use agon_search::{Budget, Forced, Root, adviser, proof};
use serde_json::Value as Json;

/// Whether to run the long tests too.
fn soaks() -> bool {
    std::env::var_os("AGON_SOAK").is_some()
}

fn table(variant: &str, position: Option<&str>) -> Box<dyn Table> {
    open_at::<&str>(&variant.parse().unwrap(), position, &[]).unwrap()
}

fn ask(table: &dyn Table, question: Question, threads: usize) -> Answer {
    let options = Options { hash_mib: 64, threads };
    solve(table, &Budget::default(), &options, question, &mut |_| {}).unwrap()
}

fn value(variant: &str) -> Option<Value> {
    ask(&*table(variant, None), Question::default(), 1).solution.value
}

const ALL_MOVES: Question = Question { all_moves: true, proof: None, games: 0 };

fn value_of(number: &Json) -> Option<Value> {
    [Value::Loss, Value::Draw, Value::Win].get((number.as_i64()? + 1) as usize).copied()
}

/// `1 2 1 3` as `a2a3`.
fn course_move(text: &str) -> String {
    let numbers: Vec<u8> = text.split(' ').map(|n| n.parse().unwrap()).collect();
    let file = |x: u8| (b'a' + x - 1) as char;
    format!("{}{}{}{}", file(numbers[0]), numbers[1], file(numbers[2]), numbers[3])
}

/// Rows with a dot for every empty square as rows with numbers.
fn with_numbers(rows: &str) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for letter in rows.chars().chain(['/']) {
        if letter == '.' {
            empty += 1;
            continue;
        }
        if empty > 0 {
            text.push_str(&empty.to_string());
            empty = 0;
        }
        text.push(match letter {
            'w' => 'P',
            'b' => 'p',
            other => other,
        });
    }
    text.trim_end_matches('/').to_string()
}

/// The positions of the vectors: variant, table and record.
fn vectors() -> Vec<(String, Box<dyn Table>, Json)> {
    let text = include_str!("../../games/src/breakthrough/vectors.json");
    let vectors: Json = serde_json::from_str(text).unwrap();
    let open = |record: &Json| {
        let position = record["pos"].as_str().unwrap();
        let (rows, side) = position.split_once(' ').unwrap();
        let variant = format!("breakthrough:{}x{}", record["w"], record["h"]);
        let table = table(&variant, Some(&format!("{} {side}", with_numbers(rows))));
        (variant, table, record.clone())
    };
    vectors["positions"].as_array().unwrap().iter().map(open).collect()
}

#[test]
fn the_engine_gives_no_result_away_in_the_vectors() {
    for (variant, table, record) in vectors() {
        for agent in ["engine:hash=4", "engine:hash=4,solving=off"] {
            let mut engine = adviser(&*table, &agent.parse().unwrap(), 0).unwrap();
            let choice = engine.choose(&*table, &Budget::nodes(400_000), &mut |_| {}).unwrap();
            let moves = record["moves"].as_object().unwrap();
            let played = moves.iter().find(|(mv, _)| course_move(mv) == choice.mv).unwrap();
            let position = &record["pos"];
            assert_eq!(
                *played.1, record["value"],
                "{agent} in {variant} {position}: {}",
                choice.mv
            );
            // A forced score is right.
            let told = match choice.score.and_then(|score| score.forced()) {
                Some(Forced::WinIn(_)) => Some(1),
                Some(Forced::LossIn(_)) => Some(-1),
                None => None,
            };
            assert!(told.is_none() || told == record["value"].as_i64(), "{agent} in {position}");
        }
    }
}

#[test]
fn monte_carlo_converges_to_the_right_moves_of_the_vectors() {
    for (_, table, record) in vectors() {
        let keeps_the_value = |nodes| {
            let mut search = adviser(&*table, &"mcts:memory=64".parse().unwrap(), 0).unwrap();
            let choice = search.choose(&*table, &Budget::nodes(nodes), &mut |_| {}).unwrap();
            let moves = record["moves"].as_object().unwrap();
            let played = moves.iter().find(|(mv, _)| course_move(mv) == choice.mv).unwrap();
            *played.1 == record["value"]
        };
        // Most with few nodes, all of them with many.
        let nodes = [100_000, 1_000_000, 10_000_000];
        assert!(nodes.into_iter().any(keeps_the_value), "{}", record["pos"]);
    }
}

#[test]
fn the_engine_gives_no_result_away_in_the_smallest_wumpus_battle() {
    let mut rng = Rng::new(7);
    let options = Options { hash_mib: 128, threads: 1 };
    struct Play<'a>(&'a mut Rng, Options);
    impl Visitor for Play<'_> {
        type Output = ();

        fn visit<G: Playable>(self, variant: Variant, start: G) {
            let mut solver = Solver::<G>::new(&self.1).unwrap();
            let (mut position, mut history) = (start.clone(), History::new(&start));
            for _ in 0..60 {
                if history.status(&position).to_move().is_none() {
                    (position, history) = (start.clone(), History::new(&start));
                }
                let alone = History::new(&position);
                let root = Root { position: &position, history: &alone };
                let spec = "engine:hash=8".parse().unwrap();
                let mut engine =
                    agon_search::agents::strategy::<G>(&Catalog::built_in(), &variant, &spec, 0)
                        .unwrap();
                let choice = engine.choose(root, &Budget::nodes(1_000_000), &mut |_| {});
                let values = solver.solve_moves(root, &Budget::default(), &mut |_| {});
                let best = values.iter().filter_map(|(_, solution)| solution.value).max();
                let played = values.iter().find(|(mv, _)| *mv == choice.mv).unwrap().1.value;
                assert_eq!(played, best, "{}", position.position_text());
                let mv = position.sample(self.0, &mut MoveList::new()).unwrap();
                let progress = position.play(mv);
                history.push(&position, progress);
            }
        }
    }
    with_game(&"wumpus:3".parse().unwrap(), Play(&mut rng, options)).unwrap();
}

#[test]
fn every_position_and_move_of_the_vectors_has_its_value() {
    for (variant, table, record) in vectors() {
        let position = &record["pos"];
        let answer = ask(&*table, ALL_MOVES, 1);
        assert_eq!(answer.solution.value, value_of(&record["value"]), "{variant} {position}");
        let expected = record["moves"].as_object().unwrap();
        assert_eq!(answer.moves.len(), expected.len());
        let found = |mv: &str| {
            answer.moves.iter().find(|(text, _)| text == mv).and_then(|(_, found)| found.value)
        };
        for (mv, wanted) in expected {
            let mv = course_move(mv);
            assert_eq!(found(&mv), value_of(wanted), "{mv} in {variant} {position}");
        }
        let best = answer.solution.best.as_deref().unwrap();
        assert_eq!(found(best), answer.solution.value, "{best} in {variant} {position}");
    }
}

#[test]
fn the_small_boards_are_draws_by_the_course_rules() {
    let mut sizes = vec!["2x4", "2x5", "2x6", "2x7", "2x8", "3x4", "3x5", "3x6", "3x7"];
    sizes.extend(["4x4", "4x5", "4x6", "5x4", "6x4", "7x4"]);
    if soaks() {
        sizes.extend(["3x8", "4x7", "8x4", "6x5", "5x6"]);
    }
    for size in sizes {
        assert_eq!(value(&format!("breakthrough:{size}")), Some(Value::Draw), "{size}");
    }
}

#[test]
fn the_small_boards_of_the_classic_game_are_won_by_the_right_side() {
    let mut lost = vec!["2x5", "2x7", "3x4", "3x5", "4x4", "4x5", "5x4"];
    let mut won = vec!["2x6", "2x8", "3x6"];
    if soaks() {
        lost.extend(["6x4", "3x7", "5x5"]);
        won.push("4x6");
    }
    for (sizes, expected) in [(lost, Value::Loss), (won, Value::Win)] {
        for size in sizes {
            assert_eq!(value(&format!("breakthrough:{size},classic")), Some(expected), "{size}");
        }
    }
}

/// Values that a plain search without any hints finds as well; those of large boards are known.
#[test]
fn connect_four_has_its_known_values() {
    let (mut drawn, mut lost) =
        (vec!["4x4", "5x4", "4x5", "4x6", "4x7", "7x4", "5x5"], vec!["6x4"]);
    if soaks() {
        drawn.extend(["6x5", "7x5"]);
        lost.extend(["8x4", "6x6"]);
        assert_eq!(value("connect4:7x6"), Some(Value::Win));
    }
    for (sizes, expected) in [(drawn, Value::Draw), (lost, Value::Loss)] {
        for size in sizes {
            assert_eq!(value(&format!("connect4:{size}")), Some(expected), "{size}");
        }
    }
}

#[test]
fn on_5x5_the_second_and_fourth_pawn_lose_and_the_others_draw() {
    let mut moves = ask(&*table("breakthrough:5x5", None), ALL_MOVES, 1).moves;
    moves.sort_by(|a, b| a.0.cmp(&b.0));
    let found: Vec<Value> = moves.iter().map(|(_, solution)| solution.value.unwrap()).collect();
    let expected = [Value::Draw, Value::Loss, Value::Draw, Value::Loss, Value::Draw];
    assert_eq!(found, expected);
}

#[test]
fn wumpus_on_3x3_is_a_draw_that_two_moves_hold() {
    let answer = ask(&*table("wumpus:3", None), ALL_MOVES, 1);
    assert_eq!(answer.solution.value, Some(Value::Draw));
    assert_eq!(answer.solution.states, Some(415_262));
    assert_eq!(answer.moves.len(), 7);
    let mut held: Vec<&str> = Vec::new();
    for (mv, solution) in &answer.moves {
        if solution.value == Some(Value::Draw) {
            held.push(mv);
            continue;
        }
        assert_eq!(solution.value, Some(Value::Loss), "{mv}");
        let plies = solution.distance.unwrap();
        assert!((8..=10).contains(&plies), "{mv} loses in {plies}");
        assert_eq!(solution.line.len(), plies as usize, "{mv}");
    }
    held.sort_unstable();
    assert_eq!(held, ["3,2-2,1", "3,3-2,3"]);
}

#[test]
fn a_counter_that_runs_out_leaves_a_win_unknown() {
    let answer = |counter: u32| {
        let position = format!("2M/3/w2 adversary {counter}");
        ask(&*table("wumpus:3", Some(&position)), Question::default(), 1).solution
    };
    let free = answer(0);
    assert_eq!(free.value, Some(Value::Win));
    let plies = free.distance.unwrap();
    assert!(plies > 1);
    assert_eq!(answer(100 - plies).value, Some(Value::Win));
    assert_eq!(answer(99).value, None);
}

#[test]
fn threads_find_the_same_values() {
    for variant in ["breakthrough:4x5", "breakthrough:3x6,classic"] {
        let alone = ask(&*table(variant, None), Question::default(), 1).solution;
        let together = ask(&*table(variant, None), Question::default(), 3).solution;
        assert_eq!(alone.value, together.value, "{variant}");
    }
}

#[test]
fn a_budget_that_is_too_small_leaves_the_value_unknown() {
    let stopped = Budget::default();
    stopped.stop.stop();
    let budgets = [Budget::nodes(1000), Budget::per_move(Duration::from_millis(20)), stopped];
    for variant in ["breakthrough:8x8", "wumpus:6"] {
        let table = table(variant, None);
        for budget in &budgets {
            let options = Options::default();
            let answer = solve(&*table, budget, &options, Question::default(), &mut |_| {});
            let solution = answer.unwrap().solution;
            assert_eq!(solution.value, None);
            assert!(table.moves().contains(&solution.best.unwrap()));
            assert!(solution.nodes <= budget.nodes.unwrap_or(u64::MAX));
        }
    }
}

#[test]
fn progress_is_told() {
    let mut told: Vec<Progress> = Vec::new();
    let table = table("breakthrough:4x5", None);
    let options = Options { hash_mib: 1, threads: 1 };
    solve(&*table, &Budget::default(), &options, Question::default(), &mut |progress| {
        told.push(*progress);
    })
    .unwrap();
    assert!(told.windows(2).all(|pair| pair[0].nodes <= pair[1].nodes));
    assert!(told.last().unwrap().nodes > 0);
}

#[test]
fn games_for_three_and_finished_games_are_refused() {
    let refused = |table: &dyn Table| {
        let (budget, options) = (Budget::default(), Options::default());
        solve(table, &budget, &options, Question::default(), &mut |_| {}).unwrap_err().to_string()
    };
    assert!(refused(&*table("fauhalma:star3", None)).contains("two-player games"));
    let over = table("breakthrough:2x4", Some("P1/2/1p/2 w"));
    assert!(refused(&*over).contains("the game is over"));
}

/// What was proven in one call is available in the next, and strict limits are kept.
struct Attempts;

impl Visitor for Attempts {
    type Output = ();

    fn visit<G: Playable>(self, variant: Variant, start: G) {
        let mut solver = Solver::new(&Options { hash_mib: 128, threads: 2 }).unwrap();
        let mut history = History::new(&start);
        let root = Root { position: &start, history: &history };
        let few = solver.attempt(root, 50);
        assert!(few.value.is_none() && few.nodes <= 50, "{variant}");
        let first = solver.attempt(root, 10_000_000);
        let second = solver.attempt(root, 10_000_000);
        assert!(first.value.is_some(), "{variant}");
        assert_eq!(first.value, second.value, "{variant}");
        assert!(second.nodes < first.nodes / 2, "{variant}: {} {}", first.nodes, second.nodes);
        let mut child = start.clone();
        let progress = child.play(first.best.unwrap());
        history.push(&child, progress);
        let third = solver.attempt(Root { position: &child, history: &history }, 1_000_000);
        assert_eq!(third.value, first.value.map(|value| -value), "{variant}");
    }
}

/// The effort a game estimates for its start.
struct Effort;

impl Visitor for Effort {
    type Output = Option<u64>;

    fn visit<G: Playable>(self, _: Variant, start: G) -> Self::Output {
        start.effort()
    }
}

#[test]
fn efforts_are_of_the_right_order() {
    let breakthrough = ["breakthrough:3x5", "breakthrough:4x5", "breakthrough:4x5,classic"];
    let others = ["wumpus:3", "connect4:4x4", "connect4:5x5", "connect4:7x4"];
    for variant in breakthrough.into_iter().chain(others) {
        let effort = with_game(&variant.parse().unwrap(), Effort).unwrap().unwrap();
        let solution = ask(&*table(variant, None), Question::default(), 1).solution;
        let needed = solution.states.unwrap_or(solution.nodes);
        let fits = effort / 16 < needed && needed < effort * 16;
        assert!(fits, "{variant}: {effort} foretold, {needed} needed");
    }
    for variant in ["breakthrough:8x8", "wumpus:6", "congo", "connect4:9x8"] {
        assert_eq!(with_game(&variant.parse().unwrap(), Effort).unwrap(), None, "{variant}");
    }
}

#[test]
fn attempts_keep_what_was_proven() {
    for variant in ["breakthrough:3x6", "wumpus:3", "connect4:5x5"] {
        with_game(&variant.parse().unwrap(), Attempts).unwrap();
    }
}

#[test]
fn proofs_hold_and_damaged_ones_do_not() {
    let question = Question { proof: Some(1_000_000), ..Question::default() };
    let breakthrough = ["breakthrough:2x4", "breakthrough:3x5", "breakthrough:3x5,classic"];
    for variant in breakthrough.into_iter().chain(["connect4:4x4"]) {
        let answer = ask(&*table(variant, None), question, 1);
        let text = answer.proof.unwrap();
        let proven = proof::check(&Catalog::built_in(), &text).unwrap();
        assert_eq!(Some(proven.value), answer.solution.value);
        assert_eq!(proven.claims, text.lines().count() - 4);
        // Without any one of its claims it does not hold.
        let lines: Vec<&str> = text.lines().collect();
        for missing in [4, 5, lines.len() / 2, lines.len() - 1] {
            let mut rest = lines.clone();
            rest.remove(missing);
            assert!(
                proof::check(&Catalog::built_in(), &rest.join("\n")).is_err(),
                "{variant} without {missing}"
            );
        }
        for (from, to) in [("value draw", "value win"), ("value loss", "value draw"), (">=", "=>")]
        {
            let changed = text.replacen(from, to, 1);
            assert!(
                changed == text || proof::check(&Catalog::built_in(), &changed).is_err(),
                "{from} {to}"
            );
        }
    }
    assert!(proof::check(&Catalog::built_in(), "").is_err());
    assert!(proof::check(&Catalog::built_in(), "agon-proof 1\nvariant congo\n").is_err());
}

#[test]
fn exact_play_reaches_the_value_against_random_replies() {
    let question = Question { games: 20, ..Question::default() };
    let breakthrough = ["breakthrough:4x5", "breakthrough:3x6,classic", "breakthrough:4x5,classic"];
    for variant in breakthrough.into_iter().chain(["connect4:5x4", "connect4:6x4"]) {
        assert_eq!(ask(&*table(variant, None), question, 1).reached, 20, "{variant}");
    }
    let few = Question { games: 6, ..Question::default() };
    assert_eq!(ask(&*table("wumpus:3", None), few, 1).reached, 6);
}

#[test]
fn the_agent_plays_a_winning_move() {
    let mut table = table("breakthrough:3x6,classic", None);
    let mut agent = adviser(&*table, &"solver:hash=8,threads=2".parse().unwrap(), 0).unwrap();
    let choice = agent.choose(&*table, &Budget::default(), &mut |_| {}).unwrap();
    assert!(choice.score.unwrap().value() > 0);
    assert!(adviser(&*table, &"solver:hash=0".parse().unwrap(), 0).is_err());
    table.play(&choice.mv).unwrap();
    assert_eq!(ask(&*table, Question::default(), 1).solution.value, Some(Value::Loss));
}
