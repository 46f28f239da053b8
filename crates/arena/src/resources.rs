//! What agents use besides their own code, for the records of their games: each by its checksum, so
//! that a game can be understood when the files have changed.

use agon_core::Variant;
use agon_games::Catalog;
use agon_isolation::Level;
use agon_search::AgentSpec;
use agon_search::agents;
use agon_search::at_hand::Weights;
use agon_search::book::shelf;
use agon_search::spec::Manner;

/// Who sits at a seat.
#[derive(Clone, Copy, Debug)]
pub enum Occupant<'a> {
    /// An agent of our own.
    BuiltIn(&'a AgentSpec),
    /// A program, isolated this far.
    Program(Level),
    /// A person, or an agent that is not known.
    Other,
}

/// What the agents at the seats use in games of a variant, given in its canonical text, such as
/// `seat 1: book 1a2b3c4d`, and how far programs are isolated. `None` if that is nothing.
pub fn in_use<'a>(
    catalog: &Catalog,
    variant: &Variant,
    occupants: impl IntoIterator<Item = Occupant<'a>>,
) -> Option<String> {
    let mut seats = Vec::new();
    for (index, occupant) in occupants.into_iter().enumerate() {
        let used = match occupant {
            Occupant::BuiltIn(agent) => used_by(catalog, variant, agent),
            Occupant::Other => Vec::new(),
            Occupant::Program(level) => vec![format!("isolation {level}")],
        };
        if !used.is_empty() {
            seats.push(format!("seat {}: {}", index + 1, used.join(", ")));
        }
    }
    (!seats.is_empty()).then(|| seats.join("; "))
}

/// What an agent uses: a kind and a checksum each.
fn used_by(catalog: &Catalog, variant: &Variant, agent: &AgentSpec) -> Vec<String> {
    let book = shelf::chosen(catalog, variant, agent).ok().flatten();
    let book = book.map(|chosen| format!("book {:08x}", chosen.book().checksum()));
    let weights = Weights::named_by(agent, catalog).ok().flatten();
    let weights = weights.map(|weights| format!("weights {:08x}", weights.checksum()));
    let endgames = if agents::uses_endgames(agent) {
        catalog.endgame_checksum(variant.game()).map(|sum| format!("endgames {sum:08x}"))
    } else {
        None
    };
    let by_chance = agents::info(&agent.name).is_none_or(|info| info.manner == Manner::ByChance);
    let tables = if by_chance { Vec::new() } else { catalog.table_checksums(variant) };
    let tables = tables.into_iter().map(|(name, sum)| format!("table {name} {sum:08x}"));
    book.into_iter().chain(weights).chain(endgames).chain(tables).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::weights::WeightFiles;

    #[test]
    fn books_are_named_by_their_checksums() {
        let told = |catalog: &Catalog, agents: [&str; 2]| {
            let agents = agents.map(|agent| agent.parse::<AgentSpec>().unwrap());
            in_use(
                catalog,
                &"breakthrough:8x8".parse().unwrap(),
                agents.iter().map(Occupant::BuiltIn),
            )
        };
        // These have no endgame tables.
        let plain = Catalog::built_in();
        assert_eq!(told(&plain, ["engine", "mcts"]), None);
        let sum = shelf::embedded(&"breakthrough:8x8".parse().unwrap()).unwrap().checksum();
        let second = format!("seat 2: book {sum:08x}");
        assert_eq!(told(&plain, ["engine", "engine:book=on"]), Some(second));
        let both = format!("seat 1: book {sum:08x}; seat 2: book {sum:08x}");
        let on = "engine:book=on";
        assert_eq!(told(&plain.opening_by_the_book(), [on, on]), Some(both));
    }

    #[test]
    fn endgame_tables_are_named_where_they_are_used() {
        let catalog = Catalog::built_in();
        let told = |agent: &str| {
            let agent: AgentSpec = agent.parse().unwrap();
            in_use(&catalog, &"congo".parse().unwrap(), [Occupant::BuiltIn(&agent)])
        };
        let sum = catalog.endgame_checksum("congo").unwrap();
        let used = Some(format!("seat 1: endgames {sum:08x}"));
        for agent in ["engine", "engine:tablebase=on,level=3", "solver"] {
            assert_eq!(told(agent), used, "{agent}");
        }
        for agent in ["engine:tablebase=off", "engine:level=3", "engine:exact=on", "mcts", "random"]
        {
            assert_eq!(told(agent), None, "{agent}");
        }
    }

    #[test]
    fn weights_are_named_by_their_checksum() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("new.txt");
        std::fs::write(&file, "step 100\n").unwrap();
        let catalog = Catalog::built_in().with_weights(std::sync::Arc::new(WeightFiles));
        let agent = format!("engine:weights={}", file.display()).parse::<AgentSpec>().unwrap();
        let variant = "fauhalma:star2".parse().unwrap();
        let told = in_use(&catalog, &variant, [Occupant::BuiltIn(&agent)]);
        let sum = crc32fast::hash(b"step 100\n");
        assert_eq!(told, Some(format!("seat 1: weights {sum:08x}")));
    }
}
