//! What agents use besides their own code, for the records of their games: each by its checksum, so
//! that a game can be understood when the files have changed.

use agon_core::Variant;
use agon_games::Catalog;
use agon_search::AgentSpec;
use agon_search::book::shelf;

/// What the agents at the seats use in games of a variant, given in its canonical text, such as
/// `seat 1: book 1a2b3c4d`. `None` if that is nothing.
pub fn in_use<'a>(
    catalog: &Catalog,
    variant: &Variant,
    agents: impl IntoIterator<Item = Option<&'a AgentSpec>>,
) -> Option<String> {
    let mut seats = Vec::new();
    for (index, agent) in agents.into_iter().enumerate() {
        let used = agent.map_or_else(Vec::new, |agent| used_by(catalog, variant, agent));
        if !used.is_empty() {
            seats.push(format!("seat {}: {}", index + 1, used.join(", ")));
        }
    }
    (!seats.is_empty()).then(|| seats.join("; "))
}

/// What an agent uses: a kind and a checksum each.
fn used_by(catalog: &Catalog, variant: &Variant, agent: &AgentSpec) -> Vec<String> {
    let book = shelf::chosen(catalog, variant, agent).ok().flatten();
    book.iter().map(|chosen| format!("book {:08x}", chosen.book().checksum())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn books_are_named_by_their_checksums() {
        let told = |catalog: &Catalog, agents: [&str; 2]| {
            let agents = agents.map(|agent| agent.parse::<AgentSpec>().unwrap());
            in_use(catalog, &"congo".parse().unwrap(), agents.iter().map(Some))
        };
        let (plain, by_the_book) = (Catalog::built_in(), Catalog::built_in().opening_by_the_book());
        assert_eq!(told(&plain, ["engine", "mcts"]), None);
        let sum = shelf::embedded(&"congo".parse().unwrap()).unwrap().checksum();
        let second = format!("seat 2: book {sum:08x}");
        assert_eq!(told(&plain, ["engine", "engine:book=on"]), Some(second));
        let both = format!("seat 1: book {sum:08x}; seat 2: book {sum:08x}");
        assert_eq!(told(&by_the_book, ["engine", "engine:book=on"]), Some(both));
    }
}
