use agon_core::Rng;
use agon_games::GAMES;

use super::*;
use crate::analysis;

fn game(variant: &str, moves: &[&str]) -> Game {
    let moves = moves.iter().map(ToString::to_string).collect();
    Game { variant: variant.into(), start: None, moves, opening: 0 }
}

fn reviewed(game: &Game, agent: &str, nodes: u64) -> Review {
    let tables = game.tables(&Catalog::built_in()).unwrap();
    let agent = reviewer(agent, tables[0].seats()).unwrap();
    let think =
        |table: &dyn Table| opinion(table, &agent, nodes, &StopFlag::default()).unwrap().unwrap();
    let mut course = Course::new(game.clone(), tables);
    while let Some(opinion) = course.next().map(think) {
        course.learn(opinion);
    }
    assert_eq!(course.done(), course.total());
    course.finish(&agent, nodes)
}

fn random_game(variant: &str, seed: u64) -> Game {
    let mut table = agon_games::open(&variant.parse().unwrap()).unwrap();
    let mut rng = Rng::new(seed);
    while let Some(mv) = table.random_move(&mut rng).filter(|_| table.played().len() < 400) {
        table.play(&mv).unwrap();
    }
    let moves = table.played().to_vec();
    Game { variant: variant.into(), start: None, moves, opening: 2 }
}

#[test]
fn a_move_that_throws_away_a_win_is_a_blunder() {
    // Each side wins with its next move.
    let start = Some("5/1P3/5/3p1/P4 w".to_string());
    let won = reviewed(
        &Game { start: start.clone(), ..game("breakthrough:5x5", &["b4b5"]) },
        "engine",
        5_000,
    );
    assert_eq!(won.plies[0].opinion.shares, [1.0, 0.0]);
    assert_eq!(
        (won.plies[1].loss, won.plies[1].judgement, won.decided_at),
        (Some(0.0), None, Some(0))
    );
    let lost =
        reviewed(&Game { start, ..game("breakthrough:5x5", &["a1a2", "d2d1"]) }, "engine", 5_000);
    assert_eq!(
        (lost.plies[1].loss, lost.plies[1].judgement),
        (Some(1.0), Some(Judgement::Blunder))
    );
    assert_eq!((lost.players[0].blunders, lost.players[0].accuracy), (1, Some(1.1)));
    assert_eq!(lost.decided_at, Some(1));
}

#[test]
fn every_game_can_be_reviewed_and_numbers_add_up() {
    for info in GAMES {
        let game = random_game(info.variants[0].text, 3);
        let review = reviewed(&game, "engine", 300);
        assert_eq!(review.plies.len(), game.moves.len() + 1);
        let total = if review.seats.len() == 2 { 1.0 } else { 1.5 };
        for (at, ply) in review.plies.iter().enumerate() {
            let sum: f64 = ply.opinion.shares.iter().sum();
            assert!((sum - total).abs() < 1e-3, "{} {at}: {:?}", info.name, ply.opinion.shares);
            assert_eq!(ply.mv.as_ref(), at.checked_sub(1).map(|at| &game.moves[at]));
            assert!(at > game.opening || ply.loss.is_none(), "nobody chose the opening");
            assert_eq!(ply.loss.and_then(Judgement::of), ply.judgement);
        }
        let judged = review.plies.iter().filter(|ply| ply.accuracy.is_some()).count();
        assert_eq!(review.players.iter().map(|player| player.moves).sum::<usize>(), judged);
        let bad = review.plies.iter().filter(|ply| ply.judgement.is_some()).count();
        let counted = review.players.iter().map(|it| it.inaccuracies + it.mistakes + it.blunders);
        assert_eq!(counted.sum::<usize>(), bad);
        let covered: usize = review.phases.iter().map(|phase| phase.to + 1 - phase.from).sum();
        assert_eq!(covered, game.moves.len());
        let annotated = review.annotated(&game, "a game", vec!["Ann".into()]);
        let read = annotated.text(&Catalog::built_in()).unwrap();
        let read = analysis::read(&Catalog::built_in(), &read, None, 1).unwrap().analysis;
        let line = read.main_line().into_iter().map(|number| read.nodes[number - 1].mv.clone());
        assert_eq!(line.collect::<Vec<_>>(), game.moves);
        let signs = read.nodes.iter().filter(|node| node.sign != analysis::Sign::None);
        assert_eq!(signs.count(), bad);
        assert!(bad == 0 || read.nodes.len() > game.moves.len(), "better lines are variations");
        let json = serde_json::to_string(&review).unwrap();
        assert_eq!(serde_json::from_str::<Review>(&json).unwrap(), review);
    }
}

#[test]
fn numbers_depend_on_the_position_alone() {
    let game = random_game("congo", 11);
    let (agent, stop) = (reviewer("engine", 2).unwrap(), StopFlag::default());
    let tables = game.tables(&Catalog::built_in()).unwrap();
    let by_book = Catalog::built_in().opening_by_the_book();
    let again = game.tables(&by_book).unwrap();
    for (one, other) in tables.iter().zip(&again).rev() {
        let think = |table: &dyn Table| opinion(table, &agent, 2_000, &stop).unwrap();
        assert_eq!(think(&**one), think(&**other), "{}", one.position());
    }
}

#[test]
fn a_search_that_was_stopped_has_no_opinion() {
    let table = agon_games::open(&"congo".parse().unwrap()).unwrap();
    let stop = StopFlag::default();
    stop.stop();
    let agent = reviewer("engine", 2).unwrap();
    assert_eq!(opinion(&*table, &agent, 1_000_000, &stop).unwrap(), None);
}

#[test]
fn names_begin_where_they_say() {
    assert_eq!(Judgement::of(0.049), None);
    assert_eq!(Judgement::of(0.05), Some(Judgement::Inaccuracy));
    assert_eq!(Judgement::of(0.1), Some(Judgement::Mistake));
    assert_eq!(Judgement::of(0.2), Some(Judgement::Blunder));
}
