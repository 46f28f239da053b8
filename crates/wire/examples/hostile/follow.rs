//! Follows a game, for faults that only show in one that goes on.

use agon_games::{Table, open};

/// A game in which it plays the first legal move.
pub struct Follower {
    table: Box<dyn Table>,
    /// The variant's start.
    start: String,
}

impl Follower {
    /// Follows games of this variant, if there is one.
    pub fn new(variant: &str) -> Option<Follower> {
        let table = open(&variant.parse().ok()?).ok()?;
        let start = table.position();
        Some(Follower { table, start })
    }

    /// Takes a line about the game, of either protocol: `position startpos moves …`, `position fen
    /// TEXT moves …`, `position TEXT`, `moves …`, `newgame`.
    pub fn follow(&mut self, line: &str) {
        let (position, moves) = match line.split_once("moves") {
            Some((position, moves)) => (position.trim(), moves),
            None => (line.trim(), ""),
        };
        if let Some(text) = position.strip_prefix("position ") {
            let text = text.strip_prefix("fen ").unwrap_or(text);
            let _ = self.table.set_position(if text == "startpos" { &self.start } else { text });
        } else if position == "newgame" {
            let _ = self.table.set_position(&self.start);
        }
        for text in moves.split_whitespace() {
            let _ = self.table.play(text);
        }
    }

    /// Plays a move and returns it; `None` if it lost track of the game.
    pub fn answer(&mut self) -> Option<String> {
        let text = self.table.moves().into_iter().next()?;
        self.table.play(&text).ok()
    }
}
