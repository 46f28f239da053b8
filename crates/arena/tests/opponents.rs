//! The opponents of the course's environments are the same everywhere.

use std::sync::Arc;

use agon_arena::contest::{Environments, Opponent};
use agon_core::Rng;
use agon_core::TableBytes;
use agon_games::{Catalog, Table, TableInfo, TableSource};
use agon_search::adviser;

fn chosen(opponent: &Opponent, table: &dyn Table) -> String {
    let mut agent = adviser(table, &opponent.agent, 5).unwrap();
    agent.choose(table, &opponent.budget(), &mut |_| {}).unwrap().mv
}

/// A few positions from the opening and from later in the game.
fn positions(catalog: &Catalog, variant: &agon_core::Variant) -> Vec<Box<dyn Table>> {
    let mut table = catalog.open(variant).unwrap();
    let (mut rng, mut found) = (Rng::new(1), Vec::new());
    for ply in 0..40 {
        let moves = table.moves();
        if ply % 13 == 0 {
            found.push(table.fork());
        }
        table.play(&moves[rng.below(moves.len() as u64) as usize]).unwrap();
    }
    found
}

/// Tables with which no opponent would play the same.
#[derive(Debug)]
struct Wrong;

impl TableSource for Wrong {
    fn find(&self, _: &str, table: &TableInfo) -> Option<TableBytes> {
        let bytes: Vec<u8> = (0..(table.entries)()).map(|rank| (rank % 23) as u8).collect();
        Some(Arc::new(bytes))
    }
}

/// Tables that have been built do not change the opponents.
#[test]
fn tables_do_not_change_what_opponents_do() {
    let moves = |catalog: &Catalog| -> Vec<String> {
        let environments = Environments::built_in(catalog).unwrap();
        let all = environments.iter().flat_map(|environment| {
            positions(catalog, &environment.variant)
                .into_iter()
                .map(|at| chosen(&environment.opponents[0], &*at))
                .collect::<Vec<_>>()
        });
        all.collect()
    };
    let without = Catalog::built_in();
    let before = moves(&without);
    assert_eq!(moves(&without), before, "not even by chance");
    assert_eq!(moves(&without.with_tables(Arc::new(Wrong))), before);
}
