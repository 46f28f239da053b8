//! From arguments to a game on the table.

use agon_core::{TextError, Variant};
use agon_games::{Table, open};

use crate::args::PositionArgs;

/// Opens the position that the arguments mean.
pub(crate) fn table(args: &PositionArgs) -> Result<Box<dyn Table>, TextError> {
    let variant: Variant = args.variant.parse()?;
    opened(&variant, args.position.as_deref(), args.moves.as_deref())
}

/// Opens a variant, at a position if one is given, and plays the moves.
pub(crate) fn opened(
    variant: &Variant,
    position: Option<&str>,
    moves: Option<&str>,
) -> Result<Box<dyn Table>, TextError> {
    let mut table = open(variant)?;
    if let Some(position) = position {
        table.set_position(position)?;
    }
    for mv in split_moves(moves.unwrap_or("")) {
        table.play(mv)?;
    }
    Ok(table)
}

/// Splits at blanks, but not inside brackets: a move may be a list with blanks in it.
fn split_moves(text: &str) -> Vec<&str> {
    let mut depth = 0;
    let outside = |c: char| {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            _ => {}
        }
        c.is_whitespace() && depth <= 0
    };
    text.split(outside).filter(|part| !part.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_split_at_blanks_outside_brackets() {
        assert_eq!(split_moves("  a1a2 b1b2\n"), ["a1a2", "b1b2"]);
        assert_eq!(split_moves("[[1, 2], [3, 4]] [[0,0]]"), ["[[1, 2], [3, 4]]", "[[0,0]]"]);
        assert_eq!(split_moves("]] a b"), ["]]", "a", "b"]);
    }
}
