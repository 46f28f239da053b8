//! A book, grown from the start of its variant.
//!
//! The file of a book knows positions by their keys and moves by where they lead. Here they have
//! their texts, their distance from the start, and values that are backed up from the last
//! positions. All that is here follows from what is in the file, so a book that is written, read
//! and grown again is the same tree.

use std::collections::{HashMap, HashSet, VecDeque};

use agon_games::Table;

use super::file::{Book, BookMove, encode, mark};
use super::{BookError, Recipe, Worth};

/// A book as a tree. Positions that can be reached in several ways are there once.
pub struct Tree {
    start: Box<dyn Table>,
    recipe: Recipe,
    /// In order of their distance from the start, which is the first.
    positions: Vec<Position>,
    places: HashMap<u64, usize>,
}

/// A position of the tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    /// Its canonical key.
    pub key: u64,
    /// The number of moves from the start.
    pub ply: usize,
    /// Its moves, those first that were best when it was searched.
    pub moves: Vec<Move>,
    /// Where the first way here comes from: the index of the position before and that of the move.
    via: Option<(usize, usize)>,
    /// The same as key and text, to notice when the way has changed.
    from: Option<(u64, String)>,
}

/// A move of the tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Move {
    /// Its text, in the position as it is reached by the first way.
    pub text: String,
    /// The canonical key of the position it leads to.
    pub to: u64,
    /// Its value for the side that makes it.
    pub worth: Worth,
    /// The depth of the search behind it.
    pub depth: u8,
}

impl Position {
    /// A position that was searched; its place in the tree is not known yet.
    pub(super) fn searched(key: u64, moves: Vec<Move>) -> Position {
        Position { key, ply: 0, moves, via: None, from: None }
    }

    /// The value of its best move.
    pub fn best(&self) -> Worth {
        let best = self.moves.iter().map(|mv| mv.worth).max();
        best.expect("a position of a book has a move")
    }
}

impl Tree {
    /// A tree without positions for the variant on this table.
    pub fn new(start: &dyn Table, recipe: Recipe) -> Result<Tree, BookError> {
        let start = start.catalog().open(start.variant()).unwrap_or_else(|_| start.fork());
        if start.seats() != 2 {
            return Err(BookError::Players(start.variant().to_string(), start.seats()));
        }
        Ok(Tree { start, recipe, positions: Vec::new(), places: HashMap::new() })
    }

    /// Grows a book, for the variant on this table.
    pub fn grow(start: &dyn Table, book: &Book) -> Result<Tree, BookError> {
        let variant = start.variant().to_string();
        if book.variant() != variant {
            return Err(BookError::OtherVariant(book.variant().to_string(), variant));
        }
        let mut tree = Tree::new(start, book.recipe())?;
        let first = tree.start.canonical_key();
        if !book.contains(first) {
            return if book.positions() == 0 { Ok(tree) } else { Err(BookError::NoStart) };
        }
        let mut found = HashSet::from([first]);
        let mut queue = VecDeque::from([(tree.start.fork(), None)]);
        while let Some((table, from)) = queue.pop_front() {
            let key = table.canonical_key();
            let moves = known_moves(book, &*table)?;
            for Move { text, to, .. } in &moves {
                if book.contains(*to) && found.insert(*to) {
                    let mut next = table.fork();
                    let played = next.play(text);
                    played.map_err(|_| BookError::NoSuchMove(table.played().join(" ")))?;
                    queue.push_back((next, Some((key, text.clone()))));
                }
            }
            tree.positions.push(Position { from, ..Position::searched(key, moves) });
        }
        tree.settle();
        Ok(tree)
    }

    /// Whether a book is sound: it has nothing that cannot be reached, and its values are those
    /// that follow from its last positions.
    pub fn check(start: &dyn Table, book: &Book) -> Result<Tree, BookError> {
        let mut tree = Tree::grow(start, book)?;
        let unreachable = book.positions() - tree.positions.len();
        if unreachable > 0 {
            return Err(BookError::Unreachable(unreachable));
        }
        tree.back_up();
        let again = tree.encode();
        let again = Book::decode(std::sync::Arc::new(again))?;
        if again.checksum() != book.checksum() {
            return Err(BookError::Inconsistent);
        }
        Ok(tree)
    }

    /// How it was built.
    pub fn recipe(&self) -> Recipe {
        self.recipe
    }

    /// The table with the start of the variant.
    pub fn start(&self) -> &dyn Table {
        &*self.start
    }

    /// The positions in order of their distance from the start.
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// The position with this canonical key, if it is in the tree.
    pub fn position(&self, key: u64) -> Option<&Position> {
        self.places.get(&key).map(|&place| &self.positions[place])
    }

    /// Where a move leads to, if it is a position one ply farther from the start. Values are backed
    /// up only along these moves, so that a way back in a circle does no harm.
    pub(super) fn onward(&self, place: usize, mv: &Move) -> Option<usize> {
        let next = *self.places.get(&mv.to)?;
        (self.positions[next].ply == self.positions[place].ply + 1).then_some(next)
    }

    /// The table with a position, reached by its first way.
    pub fn table(&self, place: usize) -> Box<dyn Table> {
        let mut line = Vec::new();
        let mut at = place;
        while let Some((before, index)) = self.positions[at].via {
            line.push(self.positions[before].moves[index].text.as_str());
            at = before;
        }
        let mut table = self.start.fork();
        for text in line.into_iter().rev() {
            // Every move was legal when it was found.
            let played = table.play(text);
            debug_assert!(played.is_ok(), "{text} after {:?}", table.played());
        }
        table
    }

    /// Adds positions that were searched, and backs up their values.
    pub(super) fn add(&mut self, positions: impl IntoIterator<Item = Position>) {
        self.positions.extend(positions);
        self.settle();
        self.back_up();
    }

    /// Brings the positions in order, with their distances from the start. A position that now has
    /// another first way may be turned round, so its moves get new texts.
    fn settle(&mut self) {
        let mut left: HashMap<u64, Position> =
            self.positions.drain(..).map(|position| (position.key, position)).collect();
        self.places.clear();
        let mut turned = Vec::new();
        if let Some(first) = left.remove(&self.start.canonical_key()) {
            self.positions.push(Position { ply: 0, via: None, ..first });
            turned.push(false);
        }
        let mut next = 0;
        while next < self.positions.len() {
            let Position { key, ply, .. } = self.positions[next];
            self.places.insert(key, next);
            for index in 0..self.positions[next].moves.len() {
                let Move { text, to, .. } = &self.positions[next].moves[index];
                let Some(found) = left.remove(to) else { continue };
                let from = Some((key, text.clone()));
                let is_turned = turned[next] || found.from != from;
                let via = Some((next, index));
                self.positions.push(Position { ply: ply + 1, via, from, ..found });
                turned.push(is_turned);
                if is_turned {
                    self.rename(self.positions.len() - 1);
                }
            }
            next += 1;
        }
    }

    /// Gives the moves of a position the texts they have by its first way.
    fn rename(&mut self, place: usize) {
        let legal = self.table(place).keyed_moves();
        for mv in &mut self.positions[place].moves {
            if let Some((text, _)) = legal.iter().find(|(_, to)| *to == mv.to) {
                mv.text.clone_from(text);
            }
        }
    }

    /// Takes the values of moves from the positions they lead to, the last ones first.
    fn back_up(&mut self) {
        for place in (0..self.positions.len()).rev() {
            for index in 0..self.positions[place].moves.len() {
                let mv = &self.positions[place].moves[index];
                if let Some(next) = self.onward(place, mv) {
                    let worth = self.positions[next].best().one_ply_earlier();
                    self.positions[place].moves[index].worth = worth;
                }
            }
        }
    }

    /// For each position, how many follow it, itself included. One that can be reached in several
    /// ways is shared among them.
    fn sizes(&self) -> Vec<f64> {
        let mut ways = vec![0u32; self.positions.len()];
        let all_onward = |place: usize| {
            self.positions[place].moves.iter().filter_map(move |mv| self.onward(place, mv))
        };
        for place in 0..self.positions.len() {
            all_onward(place).for_each(|next| ways[next] += 1);
        }
        let mut sizes = vec![1.0; self.positions.len()];
        for place in (0..self.positions.len()).rev() {
            let below: f64 =
                all_onward(place).map(|next| sizes[next] / f64::from(ways[next])).sum();
            sizes[place] += below;
        }
        for (size, ways) in sizes.iter_mut().zip(ways) {
            *size /= f64::from(ways.max(1));
        }
        sizes
    }

    /// The tree as a book.
    pub fn encode(&self) -> Vec<u8> {
        let sizes = self.sizes();
        let book_move = |place: usize, mv: &Move| {
            let below = self.onward(place, mv).map_or(0.0, |next| sizes[next]);
            let weight = (1.0 + below).round().clamp(1.0, f64::from(u16::MAX)) as u16;
            BookMove { to: mark(mv.to), worth: mv.worth, depth: mv.depth, weight }
        };
        let entry = |(place, position): (usize, &Position)| {
            let moves = position.moves.iter().map(|mv| book_move(place, mv));
            (position.key, moves.collect())
        };
        let entries = self.positions.iter().enumerate().map(entry).collect();
        encode(&self.start.variant().to_string(), self.recipe, entries)
    }

    /// Both books together. Where both have a position, the deeper search counts.
    pub fn merge(mut self, other: Tree) -> Result<Tree, BookError> {
        let (own, others) = (self.start.variant().to_string(), other.start.variant().to_string());
        if own != others {
            return Err(BookError::OtherVariant(others, own));
        }
        if self.recipe != other.recipe {
            self.recipe = Recipe { seed: 0, nodes: 0, lines: 0 };
        }
        let depth = |position: &Position| position.moves.iter().map(|mv| mv.depth).max();
        let mut new = Vec::new();
        for position in other.positions {
            let place = self.places.get(&position.key).copied();
            let is_deeper = |place: usize| depth(&position) > depth(&self.positions[place]);
            // The texts of its moves may be those of a position turned round.
            match place {
                None => new.push(Position::searched(position.key, position.moves)),
                Some(place) if is_deeper(place) => {
                    self.positions[place] = Position::searched(position.key, position.moves);
                }
                Some(_) => {}
            }
        }
        self.add(new);
        Ok(self)
    }
}

/// The moves of a book on a table with their texts.
fn known_moves(book: &Book, table: &dyn Table) -> Result<Vec<Move>, BookError> {
    let legal = table.keyed_moves();
    let named = |known: BookMove| {
        let found = legal.iter().find(|(_, to)| mark(*to) == known.to);
        let (text, to) = found.ok_or_else(|| BookError::NoSuchMove(table.played().join(" ")))?;
        let BookMove { worth, depth, .. } = known;
        Ok(Move { text: text.clone(), to: *to, worth, depth })
    };
    book.at(table.canonical_key()).map(named).collect()
}
