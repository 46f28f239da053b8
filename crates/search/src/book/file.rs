//! A book as bytes. Numbers are little-endian:
//!
//! | bytes | what |
//! |---|---|
//! | 0–7 | `AGONBOOK` |
//! | 8–11 | the version of the format, 1 |
//! | 12–15 | the CRC-32 of everything after it |
//! | 16–23 | the seed of the build |
//! | 24–31 | the nodes of each search; 0 in a book merged from different ones |
//! | 32–35 | how many best moves each search found |
//! | 36–39 | how many positions there are, *p* |
//! | 40–43 | how many moves there are, *m* |
//! | 44–47 | the length of the variant's text, *v* |
//! | *v* | the variant in its canonical text |
//! | 8 *p* | the keys of the positions, ascending |
//! | 4 *p* | for each position, where its moves end |
//! | 9 *m* | the moves: four bytes of the key of the position it leads to, value, depth, weight |
//!
//! A move is known by the position it leads to. So positions that are symmetric to each other share
//! an entry, and nothing has to know how their moves correspond.

use agon_core::TableBytes;
use agon_core::rng::mix;

use super::{BookError, Recipe, Worth};

const MAGIC: &[u8; 8] = b"AGONBOOK";
const VERSION: u32 = 1;
/// Where the part with the checksum begins.
const SUMMED: usize = 16;
/// The length of the header without the variant.
const HEADER: usize = 48;
/// The longest text of a variant.
const LONGEST_VARIANT: usize = 1024;
const KEY: usize = size_of::<u64>();
const END: usize = size_of::<u32>();
const MOVE: usize = 9;

/// A move in a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookMove {
    /// What identifies it: the [mark] of the position it leads to.
    pub to: u32,
    /// Its value for the side that makes it.
    pub worth: Worth,
    /// The depth of the search behind it, in plies.
    pub depth: u8,
    /// The positions of the book that follow it, and one for itself. Those that can be reached in
    /// several ways are shared among them.
    pub weight: u16,
}

/// What is stored of the key of a position that a move leads to.
pub fn mark(canonical_key: u64) -> u32 {
    (mix(canonical_key) >> 32) as u32
}

/// An opening book: positions by their canonical keys, each with its best moves.
#[derive(Clone)]
pub struct Book {
    bytes: TableBytes,
    variant: String,
    recipe: Recipe,
    positions: usize,
    moves: usize,
}

impl Book {
    /// Reads a book and verifies all of it.
    pub fn decode(bytes: TableBytes) -> Result<Book, BookError> {
        let all = (*bytes).as_ref();
        if !all.starts_with(MAGIC) {
            return Err(BookError::Damaged("it is not an opening book"));
        }
        let version = number(all, MAGIC.len()).ok_or(TOO_SHORT)?;
        if version != VERSION {
            return Err(BookError::OtherVersion(version));
        }
        let sum = number(all, MAGIC.len() + END).ok_or(TOO_SHORT)?;
        if sum != crc32fast::hash(all.get(SUMMED..).ok_or(TOO_SHORT)?) {
            return Err(BookError::Damaged("its contents have changed"));
        }
        let long = |at: usize| piece(all, at).map(u64::from_le_bytes).ok_or(TOO_SHORT);
        let short = |at: usize| number(all, at).ok_or(TOO_SHORT);
        let recipe = Recipe { seed: long(16)?, nodes: long(24)?, lines: short(32)? };
        let (positions, moves) = (short(36)? as usize, short(40)? as usize);
        let variant_length = short(44)? as usize;
        let variant = all.get(HEADER..HEADER.saturating_add(variant_length));
        let variant = variant.filter(|text| text.len() <= LONGEST_VARIANT).ok_or(TOO_SHORT)?;
        let variant = std::str::from_utf8(variant);
        let variant = variant.map_err(|_| BookError::Damaged("its variant is not text"))?;
        let variant = variant.to_string();
        let body = (positions as u64) * (KEY + END) as u64 + (moves as u64) * MOVE as u64;
        if all.len() as u64 != (HEADER + variant_length) as u64 + body {
            return Err(BookError::Damaged("it has the wrong length"));
        }
        let book = Book { bytes, variant, recipe, positions, moves };
        book.check_order()?;
        Ok(book)
    }

    /// The keys ascend, and every position has moves of its own.
    fn check_order(&self) -> Result<(), BookError> {
        let ascend = (1..self.positions).all(|index| self.key(index - 1) < self.key(index));
        let own = (0..self.positions).all(|index| {
            let moves = self.range(index);
            moves.start < moves.end && moves.end <= self.moves
        });
        let last = self.positions.checked_sub(1).map_or(0, |last| self.range(last).end);
        if ascend && own && last == self.moves {
            Ok(())
        } else {
            Err(BookError::Damaged("its positions are not in order"))
        }
    }

    /// The variant it is for, in its canonical text.
    pub fn variant(&self) -> &str {
        &self.variant
    }

    /// How it was built.
    pub fn recipe(&self) -> Recipe {
        self.recipe
    }

    /// The number of positions.
    pub fn positions(&self) -> usize {
        self.positions
    }

    /// The number of moves in all positions.
    pub fn moves(&self) -> usize {
        self.moves
    }

    /// The checksum, which identifies it.
    pub fn checksum(&self) -> u32 {
        number(self.all(), MAGIC.len() + END).unwrap_or_default()
    }

    /// The size in bytes.
    pub fn size(&self) -> usize {
        self.all().len()
    }

    /// The moves of the position with this canonical key, those first that were best when it was
    /// searched; none if it is not in the book.
    pub fn at(&self, key: u64) -> impl Iterator<Item = BookMove> {
        let found = self.find(key).map_or(0..0, |index| self.range(index));
        found.map(|index| self.book_move(index))
    }

    /// Whether a position is in the book.
    pub fn contains(&self, key: u64) -> bool {
        self.find(key).is_some()
    }

    fn find(&self, key: u64) -> Option<usize> {
        let (mut low, mut high) = (0, self.positions);
        while low < high {
            let middle = usize::midpoint(low, high);
            if self.key(middle) < key { low = middle + 1 } else { high = middle }
        }
        (low < self.positions && self.key(low) == key).then_some(low)
    }

    fn all(&self) -> &[u8] {
        (*self.bytes).as_ref()
    }

    fn key(&self, index: usize) -> u64 {
        let at = HEADER + self.variant.len() + KEY * index;
        piece(self.all(), at).map_or(0, u64::from_le_bytes)
    }

    /// The indices of a position's moves.
    fn range(&self, index: usize) -> std::ops::Range<usize> {
        let ends = HEADER + self.variant.len() + KEY * self.positions;
        let end = |index: usize| number(self.all(), ends + END * index).unwrap_or(0) as usize;
        index.checked_sub(1).map_or(0, end)..end(index)
    }

    fn book_move(&self, index: usize) -> BookMove {
        let moves = HEADER + self.variant.len() + (KEY + END) * self.positions;
        let [a, b, c, d, low, high, depth, light, heavy] =
            piece(self.all(), moves + MOVE * index).unwrap_or_default();
        BookMove {
            to: u32::from_le_bytes([a, b, c, d]),
            worth: Worth::from_bytes([low, high]),
            depth,
            weight: u16::from_le_bytes([light, heavy]),
        }
    }
}

impl std::fmt::Debug for Book {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Book { variant, positions, .. } = self;
        write!(f, "Book({variant}, {positions} positions, {:08x})", self.checksum())
    }
}

const TOO_SHORT: BookError = BookError::Damaged("it is too short");

/// So many bytes from here on, if they are there.
fn piece<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..at.checked_add(N)?)?.try_into().ok()
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    piece(bytes, at).map(u32::from_le_bytes)
}

/// Writes a book with these positions, each with its key.
pub(super) fn encode(
    variant: &str,
    recipe: Recipe,
    mut entries: Vec<(u64, Vec<BookMove>)>,
) -> Vec<u8> {
    entries.sort_unstable_by_key(|(key, _)| *key);
    let moves: usize = entries.iter().map(|(_, moves)| moves.len()).sum();
    let mut body = Vec::new();
    body.extend_from_slice(&recipe.seed.to_le_bytes());
    body.extend_from_slice(&recipe.nodes.to_le_bytes());
    for number in [recipe.lines as usize, entries.len(), moves, variant.len()] {
        body.extend_from_slice(&(number as u32).to_le_bytes());
    }
    body.extend_from_slice(variant.as_bytes());
    for (key, _) in &entries {
        body.extend_from_slice(&key.to_le_bytes());
    }
    let mut end = 0;
    for (_, moves) in &entries {
        end += moves.len() as u32;
        body.extend_from_slice(&end.to_le_bytes());
    }
    for &BookMove { to, worth, depth, weight } in entries.iter().flat_map(|(_, moves)| moves) {
        body.extend_from_slice(&to.to_le_bytes());
        body.extend_from_slice(&worth.to_bytes());
        body.push(depth);
        body.extend_from_slice(&weight.to_le_bytes());
    }
    let mut bytes = Vec::with_capacity(SUMMED + body.len());
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes.extend_from_slice(&crc32fast::hash(&body).to_le_bytes());
    bytes.append(&mut body);
    bytes
}
