//! Which book an agent's text asks for, and the books inside this program.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use agon_core::{Hints, Rng, TableBytes, Variant};
use agon_games::{Catalog, ShippedOpenings, shipped_openings};

use super::file::Book;
use super::opening::{ByTheBook, Trust};
use crate::agents;
use crate::spec::{AgentError, AgentSpec, Role};
use crate::strategy::Strategy;

/// The book inside this program for a variant, given in its canonical text.
pub fn embedded(variant: &Variant) -> Option<Arc<Book>> {
    static BOOKS: OnceLock<HashMap<&'static str, Arc<Book>>> = OnceLock::new();
    let decode = |shipped: &'static ShippedOpenings| {
        let book = Book::decode(Arc::new(shipped.book?) as TableBytes).ok()?;
        Some((shipped.variant, Arc::new(book)))
    };
    let books = BOOKS.get_or_init(|| shipped_openings().filter_map(decode).collect());
    books.get(variant.to_string().as_str()).cloned()
}

/// Whether the book inside this program makes the engine stronger, by a match.
fn embedded_helps(variant: &Variant) -> bool {
    let wanted = variant.to_string();
    shipped_openings().any(|shipped| shipped.variant == wanted && shipped.book_helps)
}

/// The set of even openings inside this program for a variant, given in its canonical text: one a
/// line.
pub fn openings(variant: &Variant) -> Option<&'static str> {
    let wanted = variant.to_string();
    shipped_openings().find(|shipped| shipped.variant == wanted)?.balanced
}

/// The variants with such a set.
pub fn variants_with_openings() -> Vec<&'static str> {
    let with_set = shipped_openings().filter(|shipped| shipped.balanced.is_some());
    with_set.map(|shipped| shipped.variant).collect()
}

/// The book of a variant, given in its canonical text: the one that was built, else the one inside
/// this program.
pub fn find(catalog: &Catalog, variant: &Variant) -> Option<Arc<Book>> {
    built(catalog, variant).or_else(|| embedded(variant))
}

/// The book that was built for a variant.
fn built(catalog: &Catalog, variant: &Variant) -> Option<Arc<Book>> {
    let book = Book::decode(catalog.book(variant)?).ok()?;
    (book.variant() == variant.to_string()).then(|| Arc::new(book))
}

/// The book that an agent is to use, and when.
#[derive(Clone, Debug)]
pub struct Chosen {
    book: Arc<Book>,
    trust: Trust,
}

impl Chosen {
    /// The book.
    pub fn book(&self) -> &Book {
        &self.book
    }

    /// An agent that uses it as long as it can.
    pub(crate) fn before<G: Hints>(
        self,
        otherwise: Box<dyn Strategy<G>>,
        seed: u64,
    ) -> Box<dyn Strategy<G>> {
        let Chosen { book, trust } = self;
        Box::new(ByTheBook { book, trust, otherwise, rng: Rng::new(seed) })
    }
}

/// The book that an agent is to use for a variant, given in its canonical text; `None` for none.
///
/// `book=on` stands for the book of the variant, `book=FILE` for the one in a file. Without this
/// option, an engine uses the book of the variant if the catalog [says
/// so](Catalog::opens_by_the_book), at full strength and where a single best move is wanted: the one
/// that was built, or the one inside this program if that has been shown to help.
pub fn chosen(
    catalog: &Catalog,
    variant: &Variant,
    spec: &AgentSpec,
) -> Result<Option<Chosen>, AgentError> {
    let Some(option) = agents::info(&spec.name).and_then(|info| info.option(Role::Book, 2)) else {
        return Ok(None);
    };
    let always = |book| Some(Chosen { book, trust: Trust::Always });
    match spec.option(option.name) {
        Some("off") => Ok(None),
        Some("on") => match find(catalog, variant) {
            Some(book) => Ok(always(book)),
            None => Err(AgentError::new(spec, no_book(catalog, variant))),
        },
        Some(file) => read(catalog, variant, spec, file).map(always),
        None if catalog.opens_by_the_book() && is_plain(spec) => {
            let helpful = || embedded(variant).filter(|_| embedded_helps(variant));
            let found = built(catalog, variant).or_else(helpful);
            Ok(found.map(|book| Chosen { book, trust: Trust::IfDeeper }))
        }
        None => Ok(None),
    }
}

/// Why there is no book for a variant.
pub fn no_book(catalog: &Catalog, variant: &Variant) -> String {
    match catalog.open(variant).map_or(2, |table| table.seats()) {
        2 => format!("there is no book for {variant}; agon book build {variant} builds one"),
        _ => format!("there is no book for {variant}: books are for two players"),
    }
}

/// The book in a file.
fn read(
    catalog: &Catalog,
    variant: &Variant,
    spec: &AgentSpec,
    file: &str,
) -> Result<Arc<Book>, AgentError> {
    let bad = |problem: String| AgentError::new(spec, problem);
    let bytes = catalog.book_file(file).map_err(bad)?;
    let book = Book::decode(bytes).map_err(|error| bad(format!("book {file}: {error}")))?;
    if book.variant() != variant.to_string() {
        return Err(bad(format!("book {file} is for {}, not for {variant}", book.variant())));
    }
    Ok(Arc::new(book))
}

/// Whether an engine plays at full strength and is asked for a single best move.
fn is_plain(spec: &AgentSpec) -> bool {
    let is = |name: &str, value: &str| spec.option(name).is_none_or(|given| given == value);
    is("level", "10") && is("lines", "1") && is("exact", "off")
}
