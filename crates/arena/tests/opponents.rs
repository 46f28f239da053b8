//! The opponents of the course's environments are the same everywhere.

use agon_arena::contest::{Environments, Opponent};
use agon_core::Rng;
use agon_games::fauhalma::race::{Shape, install};
use agon_games::{Table, open};
use agon_search::adviser;

fn chosen(opponent: &Opponent, table: &dyn Table) -> String {
    let mut agent = adviser(table, &opponent.agent, 5).unwrap();
    agent.choose(table, &opponent.budget(), &mut |_| {}).unwrap().mv
}

/// A few positions from the opening and from later in the game.
fn positions(variant: &agon_core::Variant) -> Vec<Box<dyn Table>> {
    let (mut table, mut rng, mut found) = (open(variant).unwrap(), Rng::new(1), Vec::new());
    for ply in 0..40 {
        let moves = table.moves();
        if ply % 13 == 0 {
            found.push(table.fork());
        }
        table.play(&moves[rng.below(moves.len() as u64) as usize]).unwrap();
    }
    found
}

/// Tables that have been built do not change the opponents.
#[test]
fn tables_do_not_change_what_opponents_do() {
    let environments = Environments::built_in().unwrap();
    let moves = || -> Vec<String> {
        let all = environments.iter().flat_map(|environment| {
            positions(&environment.variant)
                .into_iter()
                .map(|at| chosen(&environment.opponents[0], &*at))
        });
        all.collect()
    };
    let before = moves();
    assert_eq!(moves(), before, "not even by chance");
    for shape in Shape::ALL {
        // No opponent would play the same with a table like this.
        let table: Vec<u8> = (0..shape.placements()).map(|rank| (rank % 23) as u8).collect();
        install(shape, table.leak()).unwrap();
    }
    assert_eq!(moves(), before);
}
