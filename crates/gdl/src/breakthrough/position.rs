//! The pawns and the side to move, in our notation and as GDL fluents.

use agon_core::fen;
use agon_core::text::Reader;

use super::moves::coordinate;
use super::{GAME, ROLES};
use crate::kif::Term;

/// A position, without the counters of our notation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Position {
    width: usize,
    height: usize,
    /// By row from white's side, then by column: the number of the role whose pawn is there.
    squares: Vec<Option<usize>>,
    /// The number of the role.
    pub(super) to_move: usize,
}

impl Position {
    fn empty(width: usize, height: usize) -> Position {
        Position { width, height, squares: vec![None; width * height], to_move: 0 }
    }

    /// Reads a position that the game has written.
    pub(super) fn read(text: &str, width: usize, height: usize) -> Option<Position> {
        let mut position = Position::empty(width, height);
        let mut reader = Reader::new(GAME, "position", text);
        fen::read_rows(&mut reader, width, height, "P p", |column, from_top, letter| {
            let role = ['P', 'p'].iter().position(|&pawn| pawn == letter);
            role.is_some_and(|role| position.place(role, column + 1, height - from_top))
        })
        .ok()?;
        let side = reader.rest().split_whitespace().next()?;
        position.to_move = ["w", "b"].iter().position(|&name| name == side)?;
        Some(position)
    }

    /// Reads the fluents of a state: one with two numbers and a role is a pawn, one with just a
    /// role says who is to move. Other fluents are ignored.
    pub(super) fn of_fluents(
        fluents: &[Term],
        width: usize,
        height: usize,
    ) -> Result<Position, String> {
        let mut position = Position::empty(width, height);
        let mut to_move = None;
        for fluent in fluents {
            let Some([_, parts @ ..]) = fluent.list() else { continue };
            let mut roles = parts.iter().filter_map(role);
            let (Some(role), None) = (roles.next(), roles.next()) else { continue };
            let numbers = parts.iter().filter_map(|part| coordinate(part.word()?));
            match (parts.len(), numbers.collect::<Vec<usize>>().as_slice()) {
                (1, _) if to_move.is_some_and(|known| known != role) => {
                    return Err("it is both sides' turn".into());
                }
                (1, _) => to_move = Some(role),
                (3, &[x, y]) if !position.place(role, x, y) => {
                    return Err(format!("{} is not a square for a pawn", fluent.brief()));
                }
                _ => {}
            }
        }
        if position.squares.iter().all(Option::is_none) {
            return Err("it contains no pawns".into());
        }
        position.to_move = to_move.ok_or("it is nobody's turn")?;
        Ok(position)
    }

    /// Puts a pawn on an empty square of the board.
    fn place(&mut self, role: usize, x: usize, y: usize) -> bool {
        if !(1..=self.width).contains(&x) || !(1..=self.height).contains(&y) {
            return false;
        }
        let square = self.squares.get_mut((y - 1) * self.width + x - 1);
        square.is_some_and(|square| square.replace(role).is_none())
    }

    fn at(&self, x: usize, y: usize) -> Option<usize> {
        self.squares.get((y - 1) * self.width + x - 1).copied().flatten()
    }

    /// The columns and rows of a role's pawns, from 1.
    pub(super) fn pawns(&self, role: usize) -> impl Iterator<Item = (usize, usize)> {
        let places = (1..=self.height).flat_map(|y| (1..=self.width).map(move |x| (x, y)));
        places.filter(move |&(x, y)| self.at(x, y) == Some(role))
    }

    /// Our notation, without the counters.
    pub(super) fn text(&self) -> String {
        let rows = fen::write_rows(self.width, self.height, |column, from_top| {
            self.at(column + 1, self.height - from_top).map(|role| ['P', 'p'][role])
        });
        format!("{rows} {}", ["w", "b"][self.to_move])
    }
}

fn role(term: &Term) -> Option<usize> {
    ROLES.iter().position(|role| term.is(role))
}
