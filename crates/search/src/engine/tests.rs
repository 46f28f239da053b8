//! The engine against plain minimax, and what it promises.

use agon_core::{History, Rng, Variant};
use agon_games::{Playable, Visitor, with_game};

use crate::agents;
use crate::budget::Budget;
use crate::deepening::Deepening;
use crate::minimax::Minimax;
use crate::report::Choice;
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
                let mut minimax = Deepening { depth: Some(depth), search: Minimax { evaluation } };
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
