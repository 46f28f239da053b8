//! Plays moves given as text.

use agon_core::text::split_moves;
use agon_games::Table;

use crate::problem::LineProblem;

/// Plays the moves in order, all of them or none.
pub(crate) fn play_all(table: &mut dyn Table, moves: &str) -> Result<(), LineProblem> {
    for (index, mv) in split_moves(moves).into_iter().enumerate() {
        if let Err(error) = table.play(mv) {
            for _ in 0..index {
                table.undo();
            }
            return Err(LineProblem::from(error).about(format_args!("move {}", index + 1)));
        }
    }
    Ok(())
}
