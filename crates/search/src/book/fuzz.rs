//! Noise instead of books. Most of it has the right checksum, so that the inside is reached.

use std::collections::HashSet;
use std::sync::Arc;

use agon_core::Rng;
use agon_games::Table;

use super::file::{Book, BookMove, encode, mark};
use super::lines::even_lines;
use super::tree::Tree;
use super::{Recipe, Worth};
use crate::noise::{damaged_bytes, soak};
use crate::score::Score;

/// Where the checksum is, and the part that it is of.
const SUM: usize = 12;
const SUMMED: usize = 16;

/// A book of the first moves of some random games.
fn book(start: &dyn Table, games: usize, plies: usize, rng: &mut Rng) -> Vec<u8> {
    let mut entries: Vec<(u64, Vec<BookMove>)> = Vec::new();
    let mut known = HashSet::new();
    for _ in 0..games {
        let mut table = start.fork();
        for _ in 0..plies {
            let all = table.keyed_moves();
            let Some((text, _)) = rng.choose(&all).cloned() else { break };
            if known.insert(table.canonical_key()) {
                let book_move = |(_, to): &(String, u64)| BookMove {
                    to: mark(*to),
                    worth: Worth::of(Score::units(rng.below(80) as i32 - 40)),
                    depth: 7,
                    weight: 3,
                };
                // The one that is played is there too, so that the next position can be reached.
                let mut moves: Vec<_> = all.iter().filter(|(other, _)| *other == text).collect();
                moves.extend(all.iter().filter(|(other, _)| *other != text).take(2));
                entries.push((table.canonical_key(), moves.into_iter().map(book_move).collect()));
            }
            table.play(&text).unwrap();
        }
    }
    let recipe = Recipe { seed: 1, nodes: 400, lines: 3 };
    encode(&start.variant().to_string(), recipe, entries)
}

fn resum(bytes: &mut [u8]) {
    if bytes.len() >= SUMMED {
        let sum = crc32fast::hash(&bytes[SUMMED..]);
        bytes[SUM..SUMMED].copy_from_slice(&sum.to_le_bytes());
    }
}

/// Whatever a book holds, it can be asked; and it grows only into legal games.
fn exercise(book: &Book, start: &dyn Table, rng: &mut Rng) -> bool {
    for key in [start.canonical_key(), 0, u64::MAX, rng.next_u64()] {
        let moves: Vec<BookMove> = book.at(key).collect();
        assert_eq!(moves.is_empty(), !book.contains(key));
        assert!(moves.len() <= book.moves());
        for mv in moves {
            // Only the distance of a forced result may be cut.
            let again = Worth::of(mv.worth.score());
            assert!(again == mv.worth || (again.is_forced() && mv.worth.is_forced()));
            let _ = mv.worth.one_ply_earlier();
        }
    }
    let _ = Tree::check(start, book);
    let Ok(tree) = Tree::grow(start, book) else { return false };
    assert!(tree.positions().len() <= book.positions());
    let again = Book::decode(Arc::new(tree.encode())).expect("what is written can be read");
    assert_eq!(again.positions(), tree.positions().len());
    if let Ok(lines) = even_lines(&tree, 2, u32::MAX) {
        for line in lines {
            let mut table = start.fork();
            line.moves.iter().for_each(|mv| drop(table.play(mv).unwrap()));
        }
    }
    true
}

#[test]
fn no_bytes_break_a_book() {
    let mut grown = 0;
    let mut rng = Rng::new(1);
    for variant in ["breakthrough:5x5", "congo", "fenix", "connect4"] {
        let start = agon_games::open(&variant.parse().unwrap()).unwrap();
        let sizes = [(1, 1), (1, 3), (2, 3), (3, 4)];
        let corpus = sizes.map(|(games, plies)| book(&*start, games, plies, &mut rng));
        for whole in &corpus {
            assert!(exercise(&Book::decode(Arc::new(whole.clone())).unwrap(), &*start, &mut rng));
        }
        for _ in 0..5_000 * soak() {
            let mut bytes = damaged_bytes(&corpus, &mut rng);
            if rng.below(8) > 0 {
                resum(&mut bytes);
            }
            match Book::decode(Arc::new(bytes)) {
                Ok(book) => grown += usize::from(exercise(&book, &*start, &mut rng)),
                Err(error) => assert!(!error.to_string().is_empty()),
            }
        }
    }
    assert!(grown > 500, "too little of this noise is a book: {grown}");
}
