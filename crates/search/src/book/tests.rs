use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

use agon_core::{TableBytes, Variant};
use agon_games::{BookSource, Catalog, Table};

use super::build::{BATCH, Builder, Step};
use super::file::{Book, BookMove, encode};
use super::lines::{even_lines, even_margin, shuffled};
use super::tree::Tree;
use super::{BookError, Recipe, Worth, balanced, shelf};
use crate::budget::{Budget, StopFlag};
use crate::report::{Choice, Source};
use crate::score::Score;
use crate::{AgentError, adviser};

const RECIPE: Recipe = Recipe { seed: 1, nodes: 400, lines: 4 };

fn start(variant: &str) -> Box<dyn Table> {
    agon_games::open(&variant.parse().unwrap()).unwrap()
}

fn decoded(bytes: &[u8]) -> Result<Book, BookError> {
    Book::decode(Arc::new(bytes.to_vec()))
}

/// A builder after so many batches.
fn built(variant: &str, recipe: Recipe, batches: usize, threads: usize) -> Builder {
    let mut builder = Builder::new(&*start(variant), recipe).unwrap();
    for _ in 0..batches {
        assert_eq!(builder.step(threads, &StopFlag::default()), Ok(Step::Grown));
    }
    builder
}

/// A small book of Breakthrough.
fn small() -> &'static [u8] {
    static BOOK: OnceLock<Vec<u8>> = OnceLock::new();
    BOOK.get_or_init(|| built("breakthrough:5x5", RECIPE, 6, 2).encode())
}

#[test]
fn a_damaged_book_is_never_read() {
    let whole = built("breakthrough:5x5", RECIPE, 2, 2).encode();
    assert!(decoded(&whole).is_ok());
    let mut bytes = whole.clone();
    for at in 0..bytes.len() {
        for bit in [1, 128] {
            bytes[at] ^= bit;
            assert!(decoded(&bytes).is_err(), "byte {at}");
            bytes[at] ^= bit;
        }
        assert!(decoded(&whole[..at]).is_err(), "the first {at} bytes");
    }
    bytes.push(0);
    assert!(decoded(&bytes).is_err(), "a byte too many");
    assert_eq!(decoded(b"").unwrap_err(), BookError::Damaged("it is not an opening book"));
}

#[test]
fn a_book_with_the_right_checksum_may_still_be_wrong() {
    let mv = |to| BookMove { to, worth: Worth::of(Score::DRAW), depth: 1, weight: 1 };
    let book = |entries| encode("breakthrough:5x5", RECIPE, entries);
    assert!(decoded(&book(vec![])).is_ok());
    let twice = book(vec![(7, vec![mv(1)]), (7, vec![mv(2)])]);
    assert_eq!(decoded(&twice).unwrap_err(), BookError::Damaged("its positions are not in order"));
    let nothing = book(vec![(7, vec![])]);
    assert_eq!(
        decoded(&nothing).unwrap_err(),
        BookError::Damaged("its positions are not in order")
    );
    let table = start("breakthrough:5x5");
    let told = |entries| Tree::check(&*table, &decoded(&book(entries)).unwrap()).err();
    assert_eq!(told(vec![(7, vec![mv(1)])]), Some(BookError::NoStart));
    let first = table.canonical_key();
    assert_eq!(told(vec![(first, vec![mv(1)])]), Some(BookError::NoSuchMove(String::new())));
    let (_, to) = table.keyed_moves()[0];
    let legal = mv(super::mark(to));
    assert_eq!(told(vec![(first, vec![legal])]), None);
    let lost = vec![(first, vec![legal]), (first ^ 1, vec![legal])];
    assert_eq!(told(lost), Some(BookError::Unreachable(1)));
    let heavy = BookMove { weight: 9, ..legal };
    assert_eq!(told(vec![(first, vec![heavy])]), Some(BookError::Inconsistent));
}

#[test]
fn a_book_is_the_same_on_any_number_of_threads() {
    let other = built("breakthrough:5x5", RECIPE, 6, 1).encode();
    assert!(other == small());
    let book = decoded(small()).unwrap();
    assert!(book.positions() > 3 * BATCH, "{book:?}");
    Tree::check(&*start("breakthrough:5x5"), &book).unwrap();
}

#[test]
fn an_interrupted_build_gives_the_same_book() {
    for variant in ["breakthrough:5x5", "connect4", "congo"] {
        let whole = built(variant, RECIPE, 7, 2).encode();
        let mut builder = built(variant, RECIPE, 1, 2);
        for _ in 1..7 {
            let book = decoded(&builder.encode()).unwrap();
            builder = Builder::resume(&*start(variant), &book, RECIPE).unwrap();
            assert!(builder.encode() == book_bytes(&book), "{variant}");
            let stopped = StopFlag::default();
            stopped.stop();
            assert_eq!(builder.step(2, &stopped), Ok(Step::Stopped));
            builder.step(2, &StopFlag::default()).unwrap();
        }
        assert!(builder.encode() == whole, "{variant}");
    }
}

/// The bytes of a book, grown and written again.
fn book_bytes(book: &Book) -> Vec<u8> {
    Tree::grow(&*start(book.variant()), book).unwrap().encode()
}

#[test]
fn a_build_goes_on_only_as_it_began() {
    let book = decoded(small()).unwrap();
    let other = Recipe { nodes: 500, ..RECIPE };
    let told = Builder::resume(&*start("breakthrough:5x5"), &book, other).err().unwrap();
    assert_eq!(told, BookError::OtherRecipe(RECIPE, other));
    assert!(told.to_string().contains("--nodes 400 --lines 4 --seed 1"), "{told}");
    let told = Builder::resume(&*start("congo"), &book, RECIPE).err().unwrap();
    assert_eq!(told.to_string(), "it is for breakthrough:5x5, not for congo");
    let told = Builder::new(&*start("fauhalma:star3"), RECIPE).err().unwrap();
    assert_eq!(told.to_string(), "fauhalma:star3 has 3 players; books are for two");
}

#[test]
fn the_best_lines_of_a_book_are_the_longest() {
    let tree = Tree::grow(&*start("breakthrough:5x5"), &decoded(small()).unwrap()).unwrap();
    let first = &tree.positions()[0];
    let book = decoded(small()).unwrap();
    let known: Vec<BookMove> = book.at(first.key).collect();
    let best = known.iter().max_by_key(|known| known.worth).unwrap();
    assert!(known.iter().all(|known| known.weight <= 2 * best.weight), "{known:?}");
    let all: u32 = known.iter().map(|known| u32::from(known.weight) - 1).sum();
    let positions = book.positions() as u32 - 1;
    assert!(all.abs_diff(positions) <= known.len() as u32, "{all} of {positions}");
}

#[test]
fn two_books_together_know_what_either_knows() {
    let grow =
        |bytes: &[u8]| Tree::grow(&*start("breakthrough:5x5"), &decoded(bytes).unwrap()).unwrap();
    let other = built("breakthrough:5x5", Recipe { seed: 2, nodes: 900, lines: 5 }, 5, 2).encode();
    assert!(grow(small()).merge(grow(small())).unwrap().encode() == small());
    let merged = grow(small()).merge(grow(&other)).unwrap();
    let keys = |tree: &Tree| tree.positions().iter().map(|known| known.key).collect::<HashSet<_>>();
    assert!(keys(&merged).len() > keys(&grow(small())).len());
    assert_eq!(merged.recipe().nodes, 0, "of different searches");
    let book = decoded(&merged.encode()).unwrap();
    Tree::check(&*start("breakthrough:5x5"), &book).unwrap();
    let congo = Tree::new(&*start("congo"), RECIPE).unwrap();
    assert!(matches!(merged.merge(congo), Err(BookError::OtherVariant(..))));
}

/// A shelf with one book.
#[derive(Debug)]
struct One(&'static str, &'static [u8]);

impl BookSource for One {
    fn find(&self, variant: &Variant) -> Option<TableBytes> {
        (variant.to_string() == self.0).then(|| Arc::new(self.1) as TableBytes)
    }

    fn read(&self, file: &str) -> Result<TableBytes, String> {
        if file == "it" { Ok(Arc::new(self.1)) } else { Err(format!("no file {file}")) }
    }
}

fn shelf_with_small() -> Catalog {
    Catalog::built_in().with_books(Arc::new(One("breakthrough:5x5", small())))
}

/// What an agent plays after these moves.
fn answer(catalog: &Catalog, agent: &str, moves: &[&str], nodes: u64) -> Choice<String> {
    let variant = "breakthrough:5x5".parse().unwrap();
    let table = catalog.open_at(&variant, None, moves).unwrap();
    let mut agent = adviser(&*table, &agent.parse().unwrap(), 3).unwrap();
    agent.choose(&*table, &Budget::nodes(nodes), &mut |_| {}).unwrap()
}

#[test]
fn a_mirrored_position_is_in_the_book() {
    let catalog = shelf_with_small();
    let book = decoded(small()).unwrap();
    let mirror = |text: &str| -> String {
        let file =
            |c: char| if c.is_ascii_lowercase() { (b'a' + b'e' - c as u8) as char } else { c };
        text.chars().map(file).collect()
    };
    let tree = Tree::grow(&*start("breakthrough:5x5"), &book).unwrap();
    for position in tree.positions().iter().filter(|known| known.ply == 1) {
        let place = tree.positions().iter().position(|known| known.key == position.key).unwrap();
        let line = tree.table(place).played().to_vec();
        let mirrored: Vec<String> = line.iter().map(|text| mirror(text)).collect();
        for line in [line, mirrored] {
            let line: Vec<&str> = line.iter().map(String::as_str).collect();
            let choice = answer(&catalog, "engine:book=on", &line, 10);
            assert_eq!(choice.statistics.source, Source::Book, "{line:?}");
            assert_eq!(choice.statistics.nodes, 0);
            let variant = "breakthrough:5x5".parse().unwrap();
            let mut table = catalog.open_at(&variant, None, &line).unwrap();
            table.play(&choice.mv).unwrap();
            assert!(position.moves.iter().any(|mv| mv.to == table.canonical_key()));
        }
    }
}

#[test]
fn who_opens_by_the_book_is_one_rule() {
    let (plain, by_the_book) = (shelf_with_small(), shelf_with_small().opening_by_the_book());
    let source =
        |catalog: &Catalog, agent: &str| answer(catalog, agent, &[], 1000).statistics.source;
    for agent in ["engine", "engine:book=off", "engine:level=3"] {
        assert_eq!(source(&plain, agent), Source::Search, "{agent}");
    }
    for agent in ["engine:book=on", "engine:book=it", "engine:level=3,book=on"] {
        assert_eq!(source(&plain, agent), Source::Book, "{agent}");
    }
    for agent in ["engine", "engine:threads=2", "engine:level=10"] {
        assert_eq!(source(&by_the_book, agent), Source::Book, "{agent}");
    }
    for agent in ["engine:book=off", "engine:level=9", "engine:lines=2", "engine:exact=on", "mcts"]
    {
        assert_eq!(source(&by_the_book, agent), Source::Search, "{agent}");
    }
    // A search of so many nodes knows more than this book.
    let long = answer(&by_the_book, "engine", &[], 100_000);
    assert_eq!(long.statistics.source, Source::Search);
    let told = answer(&by_the_book, "engine:book=on", &[], 100_000);
    assert_eq!(told.statistics.source, Source::Book);
    let mut table = start("breakthrough:5x5");
    while decoded(small()).unwrap().contains(table.canonical_key()) {
        table.play(&table.moves()[0]).unwrap();
    }
    let line: Vec<&str> = table.played().iter().map(String::as_str).collect();
    let out_of_book = answer(&plain, "engine:book=on", &line, 1000);
    assert_eq!(out_of_book.statistics.source, Source::Search);
}

#[test]
fn a_book_that_is_not_there_is_named() {
    let told = |variant: &str, agent: &str| -> AgentError {
        let table = shelf_with_small().open(&variant.parse().unwrap()).unwrap();
        adviser(&*table, &agent.parse().unwrap(), 0).err().unwrap()
    };
    let missing = told("breakthrough:5x6", "engine:book=on").to_string();
    assert!(missing.contains("agon book build breakthrough:5x6"), "{missing}");
    assert!(
        told("breakthrough:5x5", "engine:book=no.book").to_string().contains("no file no.book")
    );
    let other = told("congo", "engine:book=it").to_string();
    assert!(other.contains("book it is for breakthrough:5x5, not for congo"), "{other}");
    let three = told("fauhalma:star3", "engine:book=on").to_string();
    assert!(three.contains("two"), "{three}");
    assert!(told("congo", "mcts:book=on").to_string().contains("no option"));
}

#[test]
fn the_moves_of_a_book_depend_on_the_seed() {
    let catalog = shelf_with_small();
    let table = catalog.open(&"breakthrough:5x5".parse().unwrap()).unwrap();
    let play = |seed| {
        let mut agent = adviser(&*table, &"engine:book=on".parse().unwrap(), seed).unwrap();
        agent.choose(&*table, &Budget::nodes(10), &mut |_| {}).unwrap().mv
    };
    assert_eq!(play(5), play(5));
    let book = decoded(small()).unwrap();
    let known: Vec<BookMove> = book.at(table.canonical_key()).collect();
    let best = known.iter().map(|known| known.worth).max().unwrap();
    let marks: HashSet<u32> =
        known.iter().filter(|known| known.worth.below(best) <= 20).map(|known| known.to).collect();
    for seed in 0..20 {
        let mut table = table.fork();
        table.play(&play(seed)).unwrap();
        assert!(marks.contains(&super::mark(table.canonical_key())));
    }
}

#[test]
fn even_lines_lead_to_different_even_positions() {
    let tree = Tree::grow(&*start("breakthrough:5x5"), &decoded(small()).unwrap()).unwrap();
    let margin = 2 * even_margin(tree.start());
    let lines = even_lines(&tree, 2, margin).unwrap();
    let mut found = HashSet::new();
    for line in &lines {
        let table = agon_games::open_at(tree.start().variant(), None, &line.moves).unwrap();
        assert_eq!(table.played().len(), 2);
        assert!(found.insert(table.canonical_key()), "{line}");
        assert!(line.worth.imbalance() <= margin, "{line}");
    }
    let again = shuffled(lines.clone(), 5);
    assert_eq!(again, shuffled(lines.clone(), 5));
    assert_eq!(again.len(), lines.len());
    assert!(again.iter().all(|line| lines.contains(line)));
    let told = even_lines(&tree, 60, margin).unwrap_err().to_string();
    assert!(told.contains("no lines of 60 plies, the longest has"), "{told}");
}

#[test]
fn balanced_openings_are_the_same_on_any_number_of_threads() {
    let plan =
        balanced::Plan { count: 20, plies: 4, margin: Some(60), nodes: 300, seed: 4, threads: 1 };
    let find = |plan: &balanced::Plan| {
        let stop = StopFlag::default();
        balanced::balanced(&*start("connect4"), plan, &stop, &mut |_| {}).unwrap().unwrap()
    };
    let lines = find(&plan);
    assert_eq!(lines.len(), 20);
    assert_eq!(lines, find(&balanced::Plan { threads: 2, ..plan }));
    assert_ne!(lines, find(&balanced::Plan { seed: 5, ..plan }));
    let stop = StopFlag::default();
    let none = balanced::Plan { margin: Some(0), count: 400, nodes: 1, ..plan };
    let told = balanced::balanced(&*start("breakthrough:5x5"), &none, &stop, &mut |_| {});
    assert!(told.unwrap_err().to_string().contains("try another --plies"));
    stop.stop();
    assert_eq!(balanced::balanced(&*start("congo"), &plan, &stop, &mut |_| {}), Ok(None));
}

#[test]
fn the_books_inside_the_program_are_sound_and_small() {
    let mut bytes = 0;
    for variant in ["congo", "fenix", "breakthrough:8x8", "breakthrough:6x6", "fauhalma:star2"] {
        let book = shelf::embedded(&variant.parse().unwrap()).expect(variant);
        Tree::check(&*start(variant), &book).expect(variant);
        bytes += book.size();
    }
    assert!(bytes < 1_000_000, "{bytes} bytes");
}
