//! Finds the legal move that a person typed.

use agon_games::Table;

/// The meaning of a typed text among the legal moves.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Choice {
    /// This move, in canonical text.
    Move(String),
    /// Any of these.
    Several(Vec<String>),
    /// None, with the reason.
    None(String),
}

/// Whether moves are listed with numbers to choose them by: not where they are numbers themselves,
/// such as those of columns.
pub(super) fn are_numbered(moves: &[String]) -> bool {
    !moves.iter().any(|mv| mv.parse::<usize>().is_ok())
}

/// Finds the move by its number in the list, by its text in the game's notation, or by an
/// unambiguous beginning.
pub(super) fn choose(table: &dyn Table, text: &str) -> Choice {
    let moves = table.moves();
    if are_numbered(&moves)
        && let Ok(number) = text.parse::<usize>()
    {
        let chosen = number.checked_sub(1).and_then(|index| moves.get(index));
        return match chosen {
            Some(mv) => Choice::Move(mv.clone()),
            None => Choice::None(format!(
                "there are moves 1 to {}; type moves to see them",
                moves.len()
            )),
        };
    }
    let error = match table.read_move(text) {
        Ok(canonical) => return Choice::Move(canonical),
        Err(error) => error,
    };
    let wanted = simplified(text);
    let fits = |mv: &&String| !wanted.is_empty() && simplified(mv).starts_with(&wanted);
    let mut fitting: Vec<String> = moves.iter().filter(fits).cloned().collect();
    match fitting.len() {
        0 => Choice::None(error.to_string()),
        1 => Choice::Move(fitting.remove(0)),
        _ => Choice::Several(fitting),
    }
}

/// Without brackets, and with commas for spaces, so that `1,-4 0,-3` finds `[[1,-4],[0,-3]]`.
fn simplified(text: &str) -> String {
    let plain: String = text.chars().filter(|c| !"[]".contains(*c)).collect();
    let parts =
        plain.split(|c: char| c.is_whitespace() || c == ',').filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join(",").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_games::open;

    fn choice(text: &str) -> Choice {
        choose(&*open(&"breakthrough:5x5".parse().unwrap()).unwrap(), text)
    }

    #[test]
    fn a_move_is_found_by_number_text_and_unique_beginning() {
        assert_eq!(choice("2"), Choice::Move("b2b3".into()));
        assert_eq!(choice("c2c3"), Choice::Move("c2c3".into()));
        assert_eq!(choice("D"), Choice::Move("d2d3".into()));
    }

    #[test]
    fn where_moves_are_numbers_they_are_not_numbered() {
        let mut table = open(&"connect4:5x4".parse().unwrap()).unwrap();
        for _ in 0..4 {
            table.play("1").unwrap();
        }
        assert_eq!(choose(&*table, "2"), Choice::Move("2".into()), "not the second of the list");
        assert!(matches!(choose(&*table, "1"), Choice::None(_)), "not the first of the list");
    }

    #[test]
    fn no_match_is_explained() {
        assert!(matches!(choice("9"), Choice::None(why) if why.contains("1 to 5")));
        assert!(matches!(choice("0"), Choice::None(_)));
        assert!(matches!(choice("z9"), Choice::None(why) if why.contains("expected a square")));
    }

    #[test]
    fn brackets_and_blanks_do_not_matter() {
        assert_eq!(simplified("1,-4 0,-3"), simplified("[[1,-4],[0,-3]]"));
    }
}
