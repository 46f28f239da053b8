//! The catalog: which games there are, and how a variant's text becomes a typed position.
//!
//! A catalog is a value. It has the games that are compiled into the program, which are static
//! types, and those that [`Loader`]s read at run time, which share one type. It also knows where
//! the tables of exact values and the opening books are.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use agon_core::nearest::nearest;
use agon_core::rng::mix;
use agon_core::{
    Arrange, Draw, Game, Hints, Notation, TableBytes, Tables, TextError, Tunable, Variant,
};

use crate::books::{BookSource, ShippedOpenings};
use crate::endgame::{EndgameFamily, embedded_tables};
use crate::info::GameInfo;
use crate::loaded::{LoadedRules, Loader};
use crate::scenario::Scenario;
use crate::simple::Simple;
use crate::table::{Table, TypedTable};
use crate::tables::{TableInfo, TableSource};
use crate::weights::{WeightTexts, WeightsSource};

/// All that a game in the catalog can do.
pub trait Playable: Game + Notation + Draw + Arrange + Hints + Tunable {}
impl<G: Game + Notation + Draw + Arrange + Hints + Tunable> Playable for G {}

/// A game with all its variants: an entry of the catalog.
pub trait Family {
    /// The game's description of itself.
    const INFO: GameInfo<'static>;

    /// The tables of exact values it can use.
    const TABLES: &'static [TableInfo] = &[];

    /// The endgame tables it can use.
    const ENDGAMES: Option<&'static dyn EndgameFamily> = None;

    /// The openings that are part of the program.
    const OPENINGS: &'static [ShippedOpenings] = &[];

    /// Reads the setup and passes the start position to the visitor, as its concrete type.
    fn open<V: Visitor>(variant: &Variant, visitor: V) -> Result<V::Output, TextError>;
}

/// An operation on a start position whose concrete type only the game knows.
pub trait Visitor {
    /// The result.
    type Output;

    /// Receives the start position and the variant in its canonical text.
    fn visit<G: Playable>(self, variant: Variant, start: G) -> Self::Output;
}

/// Defines [`GAMES`](crate::GAMES) and what the catalog needs from the names of the game modules,
/// each of which has a `Family`.
macro_rules! catalog {
    ($($game:ident),* $(,)?) => {
        /// The games that are compiled in, in the order they are listed to people.
        pub static GAMES: &[GameInfo<'static>] = &[$(<$game::Family as Family>::INFO),*];

        /// The tables of each of them.
        static TABLES: &[&[TableInfo]] = &[$(<$game::Family as Family>::TABLES),*];

        /// The endgame tables of each of them.
        static ENDGAMES: &[Option<&'static dyn crate::endgame::EndgameFamily>] =
            &[$(<$game::Family as Family>::ENDGAMES),*];

        /// The openings of each of them.
        static OPENINGS: &[&[crate::books::ShippedOpenings]] =
            &[$(<$game::Family as Family>::OPENINGS),*];

        /// Opens a variant of one of these games; the visitor is returned if it is another's.
        fn with_static_game<V: Visitor>(
            variant: &agon_core::Variant,
            visitor: V,
        ) -> Result<Result<V::Output, agon_core::TextError>, V> {
            $(
                if variant.game() == <$game::Family as Family>::INFO.name {
                    return Ok(<$game::Family as Family>::open(variant, visitor));
                }
            )*
            Err(visitor)
        }
    };
}
pub(crate) use catalog;

/// The games that can be played, and the tables they can use. Copies share everything.
///
/// ```
/// use agon_games::Catalog;
/// let catalog = Catalog::built_in();
/// let table = catalog.open(&"breakthrough:5x5".parse().unwrap()).unwrap();
/// assert_eq!(table.moves().len(), 5);
/// let title = catalog.describe("breakthrough", |info| info.title.to_string());
/// assert_eq!(title.as_deref(), Some("Breakthrough"));
/// ```
#[derive(Clone, Default)]
pub struct Catalog(Arc<Contents>);

#[derive(Clone, Default)]
struct Contents {
    loaders: Vec<Arc<dyn Loader>>,
    source: Option<Arc<dyn TableSource>>,
    /// The tables that were looked for.
    found: Arc<Mutex<Found>>,
    /// The endgame tables of the games that were opened.
    endgames: Arc<Mutex<HashMap<&'static str, Tables>>>,
    /// Their checksums, as far as somebody asked.
    checksums: Arc<Mutex<HashMap<&'static str, u32>>>,
    books: Books,
    weights: WeightTexts,
}

/// The opening books.
#[derive(Clone, Default)]
struct Books {
    source: Option<Arc<dyn BookSource>>,
    /// Whether engines use them without being told to.
    by_default: bool,
    /// The books that were looked for, by variant or file; `None` for those that are not there.
    found: Arc<Mutex<HashMap<String, Option<TableBytes>>>>,
}

/// Tables by game and number; `None` for those that are not there.
type Found = HashMap<(&'static str, usize), Option<TableBytes>>;

impl Catalog {
    /// The games that are compiled in, without tables.
    pub fn built_in() -> Catalog {
        Catalog::default()
    }

    /// The same with the games of a loader, unless its name is taken.
    pub fn with_loader(&self, loader: Arc<dyn Loader>) -> Result<Catalog, TextError> {
        let name = loader.name();
        if self.describe(name, |_| ()).is_some() {
            let expected = "a name that no other game has";
            return Err(TextError::new("agon", "name of a game", name, 0..name.len(), expected));
        }
        let mut contents = (*self.0).clone();
        contents.loaders.push(loader);
        Ok(Catalog(Arc::new(contents)))
    }

    /// The same games with tables from here. They are opened when a game first needs them.
    pub fn with_tables(&self, source: Arc<dyn TableSource>) -> Catalog {
        let contents = (*self.0).clone();
        let Contents { loaders, books, weights, .. } = contents;
        let source = Some(source);
        Catalog(Arc::new(Contents { loaders, books, weights, source, ..Contents::default() }))
    }

    /// The same with opening books from here.
    pub fn with_books(&self, source: Arc<dyn BookSource>) -> Catalog {
        let contents = (*self.0).clone();
        let books = Books { source: Some(source), found: Arc::default(), ..contents.books };
        Catalog(Arc::new(Contents { books, ..contents }))
    }

    /// The same with weights of evaluations from here.
    pub fn with_weights(&self, source: Arc<dyn WeightsSource>) -> Catalog {
        let weights = WeightTexts::from(source);
        Catalog(Arc::new(Contents { weights, ..(*self.0).clone() }))
    }

    /// The same for games in which engines open by the book unless told otherwise: those that are
    /// played for their own sake, and not to measure anything.
    pub fn opening_by_the_book(&self) -> Catalog {
        let contents = (*self.0).clone();
        let books = Books { by_default: true, ..contents.books };
        Catalog(Arc::new(Contents { books, ..contents }))
    }

    /// Whether engines open by the book unless told otherwise.
    pub fn opens_by_the_book(&self) -> bool {
        self.0.books.by_default
    }

    /// Opens a variant and passes its start position to the visitor as its concrete type.
    pub fn with_game<V: Visitor>(
        &self,
        variant: &Variant,
        visitor: V,
    ) -> Result<V::Output, TextError> {
        let visitor = match crate::with_static_game(variant, visitor) {
            Ok(visited) => return visited,
            Err(visitor) => visitor,
        };
        let loader = self.0.loaders.iter().find(|loader| loader.name() == variant.game());
        let loader = loader.ok_or_else(|| self.unknown(variant))?;
        let (canonical, rules) = loader.load(variant)?;
        Ok(visitor.visit(canonical, Simple::<LoadedRules>::new(rules)))
    }

    /// Opens a variant at its start, type-erased.
    pub fn open(&self, variant: &Variant) -> Result<Box<dyn Table>, TextError> {
        self.with_game(variant, Opener(self))
    }

    /// Opens a variant, at a position if one is given, and plays the moves.
    pub fn open_at<T: AsRef<str>>(
        &self,
        variant: &Variant,
        position: Option<&str>,
        moves: &[T],
    ) -> Result<Box<dyn Table>, TextError> {
        let mut table = self.open(variant)?;
        if let Some(text) = position {
            table.set_position(text)?;
        }
        for mv in moves {
            table.play(mv.as_ref())?;
        }
        Ok(table)
    }

    /// Passes on what the game with this name says about itself; `None` if there is no such game.
    pub fn describe<T>(&self, game: &str, tell: impl FnOnce(&GameInfo<'_>) -> T) -> Option<T> {
        if let Some(info) = crate::GAMES.iter().find(|info| info.name == game) {
            return Some(tell(info));
        }
        let loader = self.0.loaders.iter().find(|loader| loader.name() == game)?;
        let (mut tell, mut told) = (Some(tell), None);
        loader.describe(&mut |info| told = tell.take().map(|tell| tell(info)));
        told
    }

    /// The same for all games, in the order they are listed to people.
    pub fn games<T>(&self, mut tell: impl FnMut(&GameInfo<'_>) -> T) -> Vec<T> {
        self.names().iter().filter_map(|name| self.describe(name, &mut tell)).collect()
    }

    /// The names of all games.
    pub fn names(&self) -> Vec<String> {
        let compiled = crate::GAMES.iter().map(|info| info.name.to_string());
        compiled.chain(self.0.loaders.iter().map(|loader| loader.name().to_string())).collect()
    }

    /// The positions with a task of a variant; none if the game has none for it.
    pub fn scenarios(&self, variant: &Variant) -> Result<Vec<&'static Scenario>, TextError> {
        let canonical = self.open(variant)?.variant().to_string();
        let of_game = crate::GAMES.iter().filter(|game| game.name == variant.game());
        let all = of_game.flat_map(|game| game.scenarios);
        Ok(all.filter(|scenario| scenario.variants.contains(&canonical.as_str())).collect())
    }

    /// The tables that positions of this variant can use, as far as they are there.
    pub fn tables(&self, variant: &Variant) -> Tables {
        self.named_tables(variant).with_endgames_of(&self.endgames(variant.game()))
    }

    /// The endgame tables of a game: those that are part of the program, and those that are there.
    fn endgames(&self, game: &str) -> Tables {
        let Some((info, family)) = endgames_by_game().find(|(info, _)| info.name == game) else {
            return Tables::default();
        };
        let mut known = self.0.endgames.lock().unwrap_or_else(PoisonError::into_inner);
        let gather = || {
            let mut tables = embedded_tables(family);
            let source = self.0.source.as_ref();
            for (number, table) in source.map_or(Vec::new(), |s| s.find_endgames(game, family)) {
                tables[number].get_or_insert(table);
            }
            let there = tables.iter().enumerate().filter(|(_, table)| table.is_some());
            let most = there.map(|(number, _)| family.men(number)).max().unwrap_or(0);
            Tables::default().with_endgames(tables, most as u32)
        };
        known.entry(info.name).or_insert_with(gather).clone()
    }

    /// The endgame tables of a game by a checksum, with those that are part of the program: records
    /// of games name it. `None` if the game has none.
    pub fn endgame_checksum(&self, game: &str) -> Option<u32> {
        let (info, family) = endgames_by_game().find(|(info, _)| info.name == game)?;
        let mut known = self.0.checksums.lock().unwrap_or_else(PoisonError::into_inner);
        let compute = || {
            let embedded = family.embedded().chunks(8).fold(0, |sum, bytes| {
                let word = bytes.iter().fold(0, |word, &byte| word << 8 | u64::from(byte));
                mix(sum ^ word)
            });
            let source = self.0.source.as_ref();
            let files = source.map_or(Vec::new(), |s| s.endgame_checksums(game, family));
            let file = |sum, (number, file): (usize, u32)| {
                mix(sum ^ (number as u64) << 32 ^ u64::from(file))
            };
            let sum = files.into_iter().fold(embedded, file);
            (sum ^ sum >> 32) as u32
        };
        Some(*known.entry(info.name).or_insert_with(compute))
    }

    /// The checksums of the other tables that positions of this variant can use, with their names.
    pub fn table_checksums(&self, variant: &Variant) -> Vec<(&'static str, u32)> {
        let Some(source) = &self.0.source else { return Vec::new() };
        let Some((info, tables)) = tables_of(variant.game()) else { return Vec::new() };
        let serving = tables.iter().filter(|table| (table.serves)(variant));
        serving.filter_map(|table| Some((table.name, source.checksum(info.name, table)?))).collect()
    }

    fn named_tables(&self, variant: &Variant) -> Tables {
        let Some(source) = &self.0.source else { return Tables::default() };
        let Some((info, tables)) = tables_of(variant.game()) else { return Tables::default() };
        let find = |(number, table): (usize, &TableInfo)| {
            if !(table.serves)(variant) {
                return None;
            }
            let mut found = self.0.found.lock().unwrap_or_else(PoisonError::into_inner);
            let look = || source.find(info.name, table).filter(|bytes| fits(table, bytes));
            found.entry((info.name, number)).or_insert_with(look).clone()
        };
        Tables::new(tables.iter().enumerate().map(find))
    }

    /// The opening book that was built for a variant, given in its canonical text.
    pub fn book(&self, variant: &Variant) -> Option<TableBytes> {
        let Books { source, found, .. } = &self.0.books;
        let source = source.as_ref()?;
        let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
        found.entry(variant.to_string()).or_insert_with(|| source.find(variant)).clone()
    }

    /// The opening book in a file, or what is wrong with it.
    pub fn book_file(&self, file: &str) -> Result<TableBytes, String> {
        let Books { source, found, .. } = &self.0.books;
        let source = source.as_ref().ok_or("books cannot be read from files here")?;
        let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
        // No variant begins like this.
        let name = format!("={file}");
        if let Some(Some(bytes)) = found.get(&name) {
            return Ok(bytes.clone());
        }
        let bytes = source.read(file)?;
        found.insert(name, Some(bytes.clone()));
        Ok(bytes)
    }

    /// The weights in a file as text, or why they cannot be read.
    pub fn weights_file(&self, file: &str) -> Result<Arc<str>, String> {
        self.0.weights.read(file)
    }

    /// The error for a game that is not in the catalog.
    fn unknown(&self, variant: &Variant) -> TextError {
        let names = self.names();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let text = variant.to_string();
        let mut expected = format!("a game: {}", names.join(", "));
        if let Some(name) = nearest(variant.game(), &names) {
            let meant = Variant::new(name, variant.setup());
            expected = format!("{expected}; did you mean {meant}?");
        }
        TextError::new("agon", "variant", &text, 0..variant.game().len(), expected)
    }
}

/// Copies of one catalog are equal, and all with nothing but the games compiled in.
impl PartialEq for Catalog {
    fn eq(&self, other: &Catalog) -> bool {
        let is_bare = |of: &Catalog| {
            let Contents { loaders, source, books, weights, .. } = &*of.0;
            let has_files = source.is_some() || books.source.is_some() || weights.has_source();
            loaders.is_empty() && !has_files && !books.by_default
        };
        Arc::ptr_eq(&self.0, &other.0) || (is_bare(self) && is_bare(other))
    }
}

impl Eq for Catalog {}

impl fmt::Debug for Catalog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Catalog").field(&self.names()).finish()
    }
}

/// A game with tables, and the tables.
pub type GameTables = (&'static GameInfo<'static>, &'static [TableInfo]);

/// The openings that are part of the program, of all games.
pub fn shipped_openings() -> impl Iterator<Item = &'static ShippedOpenings> {
    crate::OPENINGS.iter().copied().flatten()
}

/// A game with endgame tables, and these.
pub type GameEndgames = (&'static GameInfo<'static>, &'static dyn EndgameFamily);

/// The games that can use tables, each with all of them.
pub fn games_with_tables() -> impl Iterator<Item = GameTables> {
    let games = crate::GAMES.iter().zip(crate::TABLES.iter().copied());
    games.filter(|(_, tables)| !tables.is_empty())
}

/// The games that can use endgame tables, and these.
pub fn endgames_by_game() -> impl Iterator<Item = GameEndgames> {
    let games = crate::GAMES.iter().zip(crate::ENDGAMES.iter().copied());
    games.filter_map(|(info, family)| Some((info, family?)))
}

/// The endgame tables that a game can use; `None` if it can use none.
pub fn endgames_of(game: &str) -> Option<&'static dyn EndgameFamily> {
    endgames_by_game().find(|(info, _)| info.name == game).map(|(_, family)| family)
}

fn tables_of(game: &str) -> Option<GameTables> {
    games_with_tables().find(|(info, _)| info.name == game)
}

/// Whether these bytes can be the table: it is indexed without further checks of its length.
fn fits(table: &TableInfo, bytes: &TableBytes) -> bool {
    (**bytes).as_ref().len() == (table.entries)()
}

struct Opener<'a>(&'a Catalog);

impl Visitor for Opener<'_> {
    type Output = Box<dyn Table>;

    fn visit<G: Playable>(self, variant: Variant, start: G) -> Box<dyn Table> {
        Box::new(TypedTable::new(self.0.clone(), variant, start))
    }
}
