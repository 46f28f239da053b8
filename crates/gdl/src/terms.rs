//! Interned terms: equal terms have the same number, so that comparing them is trivial.

use std::collections::HashMap;

use crate::kif::{DEEPEST, Term};

/// The number of a term in its [`Terms`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Id(u32);

impl Id {
    /// Stands for any term at all, in a question and for a variable that has no value yet.
    pub(crate) const FREE: Id = Id(0);
}

/// The maximum number of words and lists in a term. Terms share their parts, so what is small here
/// could otherwise be huge when written out.
const LARGEST: usize = 1_000;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Shape {
    Free,
    Word(Box<str>),
    List(Box<[Id]>),
}

struct Entry {
    shape: Shape,
    /// Nothing in it is free.
    ground: bool,
    size: usize,
    depth: usize,
}

/// All terms that have occurred.
pub(crate) struct Terms {
    entries: Vec<Entry>,
    numbers: HashMap<Shape, Id>,
}

impl Terms {
    pub(crate) fn new() -> Terms {
        let free = Entry { shape: Shape::Free, ground: false, size: 1, depth: 0 };
        Terms { entries: vec![free], numbers: HashMap::from([(Shape::Free, Id::FREE)]) }
    }

    /// The number of a word.
    pub(crate) fn word(&mut self, word: &str) -> Id {
        let shape = Shape::Word(word.into());
        match self.numbers.get(&shape) {
            Some(&id) => id,
            None => self.add(Entry { shape, ground: true, size: 1, depth: 0 }),
        }
    }

    /// The number of a list, unless it is too large or too deep.
    pub(crate) fn list(&mut self, parts: Vec<Id>) -> Option<Id> {
        let shape = Shape::List(parts.into());
        if let Some(&id) = self.numbers.get(&shape) {
            return Some(id);
        }
        let mut entry = Entry { shape, ground: true, size: 1, depth: 1 };
        if let Shape::List(parts) = &entry.shape {
            for part in parts.iter().map(|&part| self.entry(part)) {
                entry.ground &= part.ground;
                entry.size += part.size;
                entry.depth = entry.depth.max(1 + part.depth);
            }
        }
        (entry.size <= LARGEST && entry.depth <= DEEPEST).then(|| self.add(entry))
    }

    fn add(&mut self, entry: Entry) -> Id {
        let id = Id(self.entries.len() as u32);
        self.numbers.insert(entry.shape.clone(), id);
        self.entries.push(entry);
        id
    }

    fn entry(&self, id: Id) -> &Entry {
        &self.entries[id.0 as usize]
    }

    /// The parts of a list; `None` for anything else.
    pub(crate) fn parts(&self, id: Id) -> Option<&[Id]> {
        match &self.entry(id).shape {
            Shape::List(parts) => Some(parts),
            Shape::Free | Shape::Word(_) => None,
        }
    }

    /// The number of words and lists in a term.
    pub(crate) fn size(&self, id: Id) -> usize {
        self.entry(id).size
    }

    /// Whether nothing in a term is free.
    pub(crate) fn is_ground(&self, id: Id) -> bool {
        self.entry(id).ground
    }

    /// The number of a term, unless it is too large.
    pub(crate) fn number(&mut self, term: &Term) -> Option<Id> {
        match term {
            Term::Word(word) => Some(self.word(word)),
            Term::List(terms) => {
                let parts: Option<Vec<Id>> = terms.iter().map(|term| self.number(term)).collect();
                self.list(parts?)
            }
        }
    }

    /// The term with a number; what is free is written as `?`.
    pub(crate) fn term(&self, id: Id) -> Term {
        match &self.entry(id).shape {
            Shape::Free => Term::from("?"),
            Shape::Word(word) => Term::Word(word.clone()),
            Shape::List(parts) => Term::List(parts.iter().map(|&part| self.term(part)).collect()),
        }
    }
}
