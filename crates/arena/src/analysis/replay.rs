//! Playing every line of an analysis.

use agon_core::Seat;
use agon_games::Table;

/// An analysis that keeps to the rules.
pub(super) struct Replayed {
    /// The table, at some position of it.
    pub(super) table: Box<dyn Table>,
    /// The moves in canonical text.
    pub(super) moves: Vec<String>,
    /// Who made each of them.
    pub(super) movers: Vec<Seat>,
}

/// Plays moves from the position on the table, each after the one with a number, from 1; 0 is the
/// start, and every move comes after the one before it. Or says which cannot be played. Each is played
/// once, however the lines branch.
pub(super) fn replay(
    mut table: Box<dyn Table>,
    nodes: &[(usize, &str)],
) -> Result<Replayed, (usize, String)> {
    let mut children = vec![Vec::new(); nodes.len() + 1];
    let mut plies = vec![0; nodes.len() + 1];
    for (number, (parent, _)) in (1..).zip(nodes) {
        children[*parent].push(number);
        plies[number] = plies[*parent] + 1;
    }
    let mut moves = vec![String::new(); nodes.len()];
    let mut movers = vec![Seat::FIRST; nodes.len()];
    let mut waiting: Vec<usize> = children[0].iter().rev().copied().collect();
    while let Some(number) = waiting.pop() {
        while table.played().len() >= plies[number] && table.undo() {}
        let mv = nodes[number - 1].1;
        moves[number - 1] = table.play(mv).map_err(|error| (number, error.to_string()))?;
        movers[number - 1] = table.mover(plies[number] - 1).unwrap_or(Seat::FIRST);
        waiting.extend(children[number].iter().rev());
    }
    Ok(Replayed { table, moves, movers })
}
