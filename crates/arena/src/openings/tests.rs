use std::io::Write;

use agon_core::Variant;
use agon_games::{GAMES, Playable, Visitor, with_game};

use super::*;

/// Does something with the start position of a variant.
fn at_start<V: Visitor>(variant: &str, visitor: V) -> V::Output {
    with_game(&variant.parse().unwrap(), visitor).unwrap()
}

/// Reads openings from a file with this text, and gives them back as text.
struct Reading<'a>(&'a str);

impl Visitor for Reading<'_> {
    type Output = Result<Vec<(String, Vec<String>)>, String>;

    fn visit<G: Playable>(self, _: Variant, start: G) -> Self::Output {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(self.0.as_bytes()).unwrap();
        let book = Book::read(file.path(), &start).map_err(|error| error.to_string())?;
        let Source::Listed(openings) = book.source else { panic!("a file is a list") };
        let text = |opening: &Opening<G>| {
            let mut position = opening.start().clone();
            let name = |&mv| {
                let text = position.move_text(mv);
                position.play(mv);
                text
            };
            (opening.start().position_text(), opening.moves().iter().map(name).collect())
        };
        Ok(openings.iter().map(text).collect())
    }
}

#[test]
fn the_texts_of_openings_are_read() {
    for text in ["start", "random:0", "random:12", "book:6", "balanced", "file:a/b.txt"] {
        assert_eq!(text.parse::<Openings>().unwrap().to_string(), text);
    }
    let plain: Openings = "a/b.txt".parse().unwrap();
    assert_eq!(plain, Openings::File("a/b.txt".into()));
    for text in ["random:", "random:x", "random:-1", "random:1001"] {
        let error = text.parse::<Openings>().unwrap_err().to_string();
        assert!(error.contains("such as random:4"), "{error}");
    }
    for text in ["book:", "book:x", "book:0", "book:1001"] {
        let error = text.parse::<Openings>().unwrap_err().to_string();
        assert!(error.contains("such as book:6"), "{error}");
    }
}

#[test]
fn a_file_has_a_limited_number_of_openings() {
    let error = at_start("breakthrough:5x5", Reading(&"moves\n".repeat(MOST_OPENINGS + 1)));
    let error = error.unwrap_err();
    assert!(error.contains("more than 1000000 openings"), "{error}");
}

/// The first openings of a match, as text.
struct Finding<'a>(&'a str, u64);

impl Visitor for Finding<'_> {
    type Output = Result<Vec<String>, String>;

    fn visit<G: Playable>(self, variant: Variant, start: G) -> Self::Output {
        let (catalog, openings) = (Catalog::built_in(), self.0.parse().unwrap());
        let book = Book::find(&openings, (&catalog, &variant), &start, self.1);
        let book = book.map_err(|error| error.to_string())?;
        let position = |group| book.opening(group).board().0.position_text();
        Ok((0..6).map(position).collect())
    }
}

#[test]
fn lines_of_a_book_are_different_for_each_pair_and_seed() {
    for variant in ["congo", "breakthrough:8x8"] {
        let found = |seed| at_start(variant, Finding("book:2", seed)).unwrap();
        assert_eq!(found(1), found(1));
        assert_ne!(found(1), found(2), "{variant}");
        let different: std::collections::HashSet<String> = found(1).into_iter().collect();
        assert!(different.len() > 3, "{different:?}");
    }
    let missing = at_start("breakthrough:5x5", Finding("book:2", 0)).unwrap_err();
    assert!(missing.contains("agon book build breakthrough:5x5"), "{missing}");
    let long = at_start("congo", Finding("book:999", 0)).unwrap_err();
    assert!(long.contains("the longest has"), "{long}");
}

#[test]
fn balanced_openings_come_with_the_program() {
    for variant in agon_search::book::shelf::variants_with_openings() {
        let found = |seed| at_start(variant, Finding("balanced", seed)).unwrap();
        assert_ne!(found(1), found(2), "{variant}");
    }
    let missing = at_start("breakthrough:5x5", Finding("balanced", 0)).unwrap_err();
    assert!(missing.contains("agon book balanced breakthrough:5x5"), "{missing}");
}

#[test]
fn a_file_has_positions_moves_and_comments() {
    let text = "# two openings\n\n  moves b2b3 a4b3  # a trade\nppppp/5/5/5/PPPPP b 0 1\nmoves\n";
    let openings = at_start("breakthrough:5x5", Reading(text)).unwrap();
    assert_eq!(openings.len(), 3);
    assert_eq!(openings[0].1, ["b2b3", "a4b3"].map(String::from).to_vec());
    assert!(openings[1].0.starts_with("ppppp/5/5/5/PPPPP b"));
    assert!(openings[2].1.is_empty());
}

#[test]
fn a_bad_file_is_named_with_the_line() {
    let cases = [
        ("\nmoves b2b3 b2b3", ", line 2: breakthrough: bad move"),
        ("ppppp/ppppp/5/PPPPP w", ", line 1: breakthrough: bad position"),
        ("moves\n5/P4/5/5/p4 w\nmove b2b3", "the game is over there"),
        ("# nothing\n", "no openings in"),
        ("move b2b3", ", line 1: breakthrough: bad position"),
    ];
    for (text, word) in cases {
        let error = at_start("breakthrough:5x5", Reading(text)).unwrap_err();
        assert!(error.contains(word), "{error}");
    }
}

/// Random openings of every length asked for, the same again for the same seed.
struct Drawing(u32);

impl Visitor for Drawing {
    type Output = ();

    fn visit<G: Playable>(self, variant: Variant, start: G) {
        let plies = self.0;
        let book = |seed| Book::new(&Openings::Random(plies), &start, seed).unwrap();
        let (first, again, other) = (book(1), book(1), book(2));
        let mut different = 0;
        for group in 0..30 {
            let opening = first.opening(group);
            assert_eq!(opening, again.opening(group));
            assert_eq!(opening.moves().len(), plies as usize, "{variant}");
            let (position, history) = opening.board();
            assert!(history.turn(&position).is_ok(), "{variant}");
            different += usize::from(opening != other.opening(group));
        }
        assert!(different > 20 || plies == 0, "{variant}: {different}");
    }
}

#[test]
fn random_openings_have_their_length_and_do_not_end_the_game() {
    for variant in GAMES.iter().flat_map(|game| game.variants) {
        at_start(variant.text, Drawing(4));
    }
    at_start("breakthrough:5x5", Drawing(0));
    at_start("breakthrough:4x5", Drawing(11));
}

/// Random openings longer than any game.
struct TooLong;

impl Visitor for TooLong {
    type Output = String;

    fn visit<G: Playable>(self, _: Variant, start: G) -> String {
        Book::new(&Openings::Random(200), &start, 0).map(|_| ()).unwrap_err().to_string()
    }
}

#[test]
fn openings_longer_than_the_games_are_refused() {
    let error = at_start("breakthrough:3x4", TooLong);
    assert!(error.contains("no opening of 200 random plies"), "{error}");
}

/// The positions before the moves that are not the variant's start.
struct Starts;

impl Visitor for Starts {
    type Output = ();

    fn visit<G: Playable>(self, _: Variant, start: G) {
        let custom = |position: Option<&str>| {
            Opening::read(&start, position, &["b2b3"]).unwrap().custom_start()
        };
        assert_eq!(custom(None), None);
        assert_eq!(custom(Some(&start.position_text())), None, "written out, but the same");
        let other = start.read_position("ppppp/5/5/PPPPP/5 w").unwrap().position_text();
        assert_eq!(custom(Some(&other)), Some(other));
    }
}

#[test]
fn only_a_position_of_its_own_is_a_custom_start() {
    at_start("breakthrough:5x5", Starts);
}

/// What the groups of a tournament get from a book.
struct Groups;

impl Visitor for Groups {
    type Output = ();

    fn visit<G: Playable>(self, _: Variant, start: G) {
        let listed = ["a2a3", "b2b3", "c2c3"].map(|mv| Opening::read(&start, None, &[mv]).unwrap());
        let book = Book { start: start.clone(), source: Source::Listed(listed.to_vec()) };
        for group in 0..10 {
            assert_eq!(book.opening(group), listed[group as usize % 3]);
        }
        let book = Book::new(&Openings::Random(6), &start, 7).unwrap();
        let mut different: Vec<Opening<G>> = Vec::new();
        for opening in (0..64).map(|group| book.opening(group)) {
            if !different.contains(&opening) {
                different.push(opening);
            }
        }
        assert!(different.len() > 60, "{} of 64 differ", different.len());
        // No game is that long, so openings are as long as half of that, a quarter and so on.
        let source = Source::Random { plies: 2000, seed: 7 };
        let book = Book { start: start.clone(), source };
        for group in 0..10 {
            let length = book.opening(group).moves().len();
            assert!([62, 31, 15, 7].contains(&length), "{length}");
        }
    }
}

#[test]
fn groups_get_openings_in_turn_or_their_own() {
    at_start("breakthrough:6x6", Groups);
}
