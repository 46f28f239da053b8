//! Every agent plays a game that was loaded at run time, and the solver solves it.

use std::sync::Arc;

use agon_games::{Catalog, sample::InARow};
use agon_search::agents::AGENTS;
use agon_search::solver::{Options, Value, text};
use agon_search::{AgentSpec, Budget, adviser};

fn catalog() -> Catalog {
    Catalog::built_in().with_loader(Arc::new(InARow)).unwrap()
}

#[test]
fn every_agent_plays_a_loaded_game() {
    for info in AGENTS {
        let mut table = catalog().open(&"inarow:4x4,3".parse().unwrap()).unwrap();
        let spec: AgentSpec = info.name.parse().unwrap();
        let mut agent = adviser(&*table, &spec, 1).unwrap();
        let budget = Budget { nodes: Some(500), ..Budget::default() };
        while table.outcome().is_none() {
            let choice = agent.choose(&*table, &budget, &mut |_| {}).unwrap();
            table.play(&choice.mv).unwrap_or_else(|error| panic!("{}: {error}", info.name));
        }
    }
}

#[test]
fn a_search_wins_at_once_and_does_not_lose_at_once() {
    let catalog = catalog();
    let variant = "inarow:3x3,3".parse().unwrap();
    for (position, best) in [("XX1/OO1/3 X", "c3"), ("X2/OO1/X2 X", "c2")] {
        let table = catalog.open_at::<&str>(&variant, Some(position), &[]).unwrap();
        for agent in ["minimax:depth=2", "alphabeta:depth=2", "engine:depth=3", "solver"] {
            let mut agent = adviser(&*table, &agent.parse().unwrap(), 0).unwrap();
            let choice = agent.choose(&*table, &Budget::default(), &mut |_| {}).unwrap();
            assert_eq!(choice.mv, best, "{position}");
        }
    }
}

#[test]
fn the_solver_solves_a_loaded_game() {
    for (variant, value) in [
        ("inarow:3x3,3", Value::Draw),
        ("inarow:4x3,3", Value::Win),
        ("inarow:2x2,2", Value::Win),
        ("inarow:3x2,3", Value::Draw),
    ] {
        let table = catalog().open(&variant.parse().unwrap()).unwrap();
        let (budget, options) = (Budget::default(), Options::default());
        let answer = text::solve(&*table, &budget, &options, Default::default(), &mut |_| {});
        assert_eq!(answer.unwrap().solution.value, Some(value), "{variant}");
    }
}
