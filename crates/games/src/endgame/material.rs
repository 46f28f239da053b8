//! Which men there are: `LG-LE` is lion and giraffe against lion and elephant.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::{MOST_MEN, MOST_OTHERS};

/// The most kinds besides the royal one.
pub(super) const MOST_KINDS: usize = 7;

/// The kinds of men that a game's endgames have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kinds {
    /// The letter of the royal piece.
    pub(crate) royal: char,
    /// The letters of the others, the strongest first.
    pub(crate) others: &'static str,
    /// The number of the kind that can be promoted, and of what it becomes.
    pub(crate) promotion: Option<(usize, usize)>,
}

/// The men of both sides besides the royal pieces: how many of each kind. The stronger side comes
/// first; materials that differ only in who has which men are the same.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Material([[u8; MOST_KINDS]; 2]);

impl Material {
    /// With the stronger side first: more men, or else better ones.
    fn ordered(self) -> Material {
        let [first, second] = self.0;
        let strength = |side: [u8; MOST_KINDS]| (side.iter().sum::<u8>(), side);
        if strength(second) > strength(first) { Material([second, first]) } else { self }
    }

    /// How many men of a kind a side has; the stronger one is 0.
    pub(super) fn count(&self, side: usize, kind: usize) -> usize {
        usize::from(self.0[side][kind])
    }

    /// How many men there are in all, with the royal pieces.
    pub fn men(&self) -> usize {
        2 + self.0.iter().flatten().map(|&count| usize::from(count)).sum::<usize>()
    }

    /// Whether both sides have the same men.
    pub fn is_even(&self) -> bool {
        self.0[0] == self.0[1]
    }

    /// The same as text.
    pub(super) fn text(&self, kinds: &Kinds) -> String {
        let side = |counts: [u8; MOST_KINDS]| {
            let letters = kinds.others.chars().zip(counts);
            let men = letters.flat_map(|(kind, count)| std::iter::repeat_n(kind, count.into()));
            std::iter::once(kinds.royal).chain(men).collect::<String>()
        };
        self.0.map(side).join("-")
    }

    /// Reads a text such as `LG-LE`, whichever side comes first; `None` if it is none.
    pub(super) fn read(text: &str, kinds: &Kinds) -> Option<Material> {
        let (first, second) = text.split_once('-')?;
        let mut sides = [[0; MOST_KINDS]; 2];
        for (text, side) in [first, second].into_iter().zip(&mut sides) {
            let men = text.strip_prefix(kinds.royal).filter(|men| men.len() <= MOST_OTHERS)?;
            for letter in men.chars() {
                side[kinds.others.find(letter)?] += 1;
            }
        }
        let material = Material(sides).ordered();
        (material.men() <= MOST_MEN).then_some(material)
    }

    /// All materials with this many men, of this many kinds.
    fn with_men(men: usize, kinds: usize) -> BTreeSet<Material> {
        let mut found = BTreeSet::from([Material([[0; MOST_KINDS]; 2])]);
        for _ in 2..men {
            let add = |material: &Material| {
                let places = (0..2).flat_map(|side| (0..kinds).map(move |kind| (side, kind)));
                let material = *material;
                places.map(move |(side, kind)| {
                    let mut more = material;
                    more.0[side][kind] += 1;
                    more.ordered()
                })
            };
            found = found.iter().flat_map(add).collect();
        }
        found
    }

    /// All materials with at least this many men, in an order in which no move leads to a later one.
    pub(super) fn all(kinds: &Kinds, least_men: usize) -> Vec<Material> {
        let number = kinds.others.len();
        let mut all: Vec<Material> =
            (least_men..=MOST_MEN).flat_map(|men| Material::with_men(men, number)).collect();
        let unpromoted = |of: &Material| {
            kinds.promotion.map_or(0, |(kind, _)| of.count(0, kind) + of.count(1, kind))
        };
        all.sort_by_key(|material| (material.men(), unpromoted(material), Reverse(material.0)));
        all
    }

    /// The materials that moves may lead to first: with a man less, or with one promoted.
    pub(super) fn below(&self, kinds: &Kinds) -> BTreeSet<Material> {
        let mut below = BTreeSet::new();
        for (side, kind) in (0..2).flat_map(|side| (0..MOST_KINDS).map(move |kind| (side, kind))) {
            if self.0[side][kind] == 0 {
                continue;
            }
            let mut other = *self;
            other.0[side][kind] -= 1;
            below.insert(other.ordered());
            if let Some((from, to)) = kinds.promotion
                && from == kind
            {
                other.0[side][to] += 1;
                below.insert(other.ordered());
            }
        }
        below
    }
}
