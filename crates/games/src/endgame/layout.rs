//! Where the value of a position is in the table of its material.
//!
//! The royal pieces come first. Symmetric pairs of places count once: a table has an entry only for
//! pairs in a standard place, and any other position is mapped there first. Then come the other men,
//! one kind of a side after the other, each numbered among the squares that are still free, men of
//! the same kind together. A few entries stand for no position, because some men may not stand
//! everywhere.
//!
//! The first half of a table is for the stronger side to move, the second for the weaker one. Where
//! both have the same men there is only one half: sides are exchanged instead.

use agon_core::{Bitboard, Seat, Square};

use super::material::{Kinds, MOST_KINDS, Material};
use super::{MOST_OTHERS, Man, Men};

type Set = Bitboard<u64>;

/// The most images that a position can have: four symmetries, with sides exchanged or not.
const MOST_IMAGES: usize = 8;

/// Squares by square.
type Mapping = [u8; 64];

/// What the layouts need to know about a board.
pub(crate) struct Board {
    pub(crate) kinds: Kinds,
    /// The fewest men with which the game is not over.
    pub(crate) least_men: usize,
    /// Where a seat's royal piece can stand.
    pub(crate) royals: [Bitboard<u64>; 2],
    /// Where a seat's men of a kind can stand.
    pub(crate) others: fn(Seat, usize) -> Bitboard<u64>,
    /// The symmetries of the board besides the identity.
    pub(crate) symmetries: &'static [fn(Square) -> Square],
    /// Where a man stands after the sides have been exchanged.
    pub(crate) exchange: fn(Square) -> Square,
}

/// All materials of a game with their layouts.
pub(crate) struct Layouts {
    pub(super) layouts: Vec<Layout>,
    /// The numbers of layouts by the key of the men, sorted, and whether sides are exchanged.
    numbers: Vec<(u32, u16, bool)>,
    symmetries: Vec<Mapping>,
    exchange: Mapping,
    /// The pairs of places of the royal pieces that have entries.
    pairs: Vec<[Square; 2]>,
    /// For every pair its number in `pairs`, and the symmetry that leads there.
    places: Vec<Option<Place>>,
}

#[derive(Clone, Copy, Debug)]
struct Place {
    pair: u16,
    via: u8,
}

/// The layout of the table of one material.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) material: Material,
    groups: Vec<Group>,
    /// The number of the group of each side's kinds.
    group_of: [[u8; MOST_KINDS]; 2],
    /// How many entries there are with the same side to move.
    half: usize,
}

/// Men of one kind and side.
#[derive(Clone, Copy, Debug)]
struct Group {
    side: usize,
    kind: usize,
    count: usize,
    /// Where they can stand.
    domain: Set,
    /// How many ways there are to place them.
    ways: usize,
}

impl Layouts {
    pub(crate) fn new(board: &Board) -> Layouts {
        let mapping = |map: fn(Square) -> Square| -> Mapping {
            let domain = (board.others)(Seat::FIRST, 0) | board.royals[0] | board.royals[1];
            std::array::from_fn(|index| match domain.contains(Square::new(index)) {
                true => map(Square::new(index)).index() as u8,
                false => 0,
            })
        };
        let identity: fn(Square) -> Square = |square| square;
        let symmetries: Vec<Mapping> = std::iter::once(identity)
            .chain(board.symmetries.iter().copied())
            .map(mapping)
            .collect();
        let (pairs, places) = standard_pairs(board.royals, &symmetries);
        let materials = Material::all(&board.kinds, board.least_men);
        let layouts: Vec<Layout> = materials
            .into_iter()
            .map(|material| Layout::new(material, board, pairs.len()))
            .collect();
        let mut numbers: Vec<(u32, u16, bool)> = Vec::new();
        for (number, layout) in layouts.iter().enumerate() {
            numbers.push((layout.key(false), number as u16, false));
            if !layout.material.is_even() {
                numbers.push((layout.key(true), number as u16, true));
            }
        }
        numbers.sort_unstable();
        let exchange = mapping(board.exchange);
        Layouts { layouts, numbers, symmetries, exchange, pairs, places }
    }

    /// The number of the layout for these men, and whether the second seat is the stronger side.
    #[inline]
    pub(super) fn number_of(&self, men: &Men) -> Option<(usize, bool)> {
        let key = men.others().iter().map(|man| key(man.owner.index(), man.kind)).sum();
        let at = self.numbers.partition_point(|(other, ..)| *other < key);
        let &(found, number, exchanged) = self.numbers.get(at)?;
        (found == key).then_some((number as usize, exchanged))
    }

    /// The table of these men and the index of their entry; `None` if there is no such entry.
    #[inline]
    pub(super) fn find(&self, men: &Men) -> Option<(usize, usize)> {
        let (number, exchanged) = self.number_of(men)?;
        let layout = &self.layouts[number];
        let exchanged = if layout.material.is_even() { men.turn != Seat::FIRST } else { exchanged };
        let men = if exchanged { self.exchanged(men) } else { *men };
        let place = self.place(men.royals)?;
        let men = if place.via == 0 { men } else { self.mapped(&men, place.via as usize) };
        Some((number, layout.index(&men, place.pair as usize)?))
    }

    /// Whether the position is one that has its own entry: neither exchanged nor mapped.
    pub(super) fn is_standard(&self, men: &Men, material: &Material) -> bool {
        !(material.is_even() && men.turn != Seat::FIRST)
            && self.place(men.royals).is_some_and(|place| place.via == 0)
    }

    /// The men of an entry; `None` if it stands for no position.
    pub(super) fn men(&self, number: usize, index: usize) -> Option<Men> {
        self.layouts[number].men(index, &self.pairs)
    }

    /// All positions that an entry stands for: the images of its own position under the symmetries of
    /// the board, and under the exchange of sides if both have the same men. Each once.
    pub(super) fn positions(&self, number: usize, index: usize, mut each: impl FnMut(&Men)) {
        let Some(men) = self.men(number, index) else { return };
        let is_even = self.layouts[number].material.is_even();
        let mut seen = [men; MOST_IMAGES];
        let mut count = 0;
        for symmetry in 0..self.symmetries.len() {
            let image = self.mapped(&men, symmetry);
            let exchanged = is_even.then(|| self.exchanged(&image));
            for image in std::iter::once(image).chain(exchanged) {
                // Some images have entries of their own.
                if self.find(&image) == Some((number, index))
                    && !seen[..count].iter().any(|other| is_same(other, &image))
                {
                    each(&image);
                    seen[count] = image;
                    count += 1;
                }
            }
        }
    }

    /// The number of a material's layout.
    pub(super) fn number(&self, material: &Material) -> Option<usize> {
        self.layouts.iter().position(|layout| layout.material == *material)
    }

    #[inline]
    fn place(&self, [first, second]: [Square; 2]) -> Option<Place> {
        *self.places.get(first.index() << 6 | second.index())?
    }

    #[inline]
    fn mapped(&self, men: &Men, symmetry: usize) -> Men {
        let mapping = &self.symmetries[symmetry];
        men.moved(|square| Square::new(mapping[square.index() & 63].into()))
    }

    #[inline]
    fn exchanged(&self, men: &Men) -> Men {
        men.swapped(|square| Square::new(self.exchange[square.index() & 63].into()))
    }
}

/// Whether two positions are the same, in whatever order their men are listed.
fn is_same(one: &Men, other: &Men) -> bool {
    one.turn == other.turn
        && one.royals == other.royals
        && one.others().iter().all(|man| other.others().contains(man))
}

/// The pairs of places of the royal pieces, one of those that are symmetric to each other, and for
/// each pair the one that stands for it.
fn standard_pairs(
    royals: [Set; 2],
    symmetries: &[Mapping],
) -> (Vec<[Square; 2]>, Vec<Option<Place>>) {
    let (mut pairs, mut places) = (Vec::new(), vec![None; 64 * 64]);
    for (first, second) in
        royals[0].into_iter().flat_map(|a| royals[1].into_iter().map(move |b| (a, b)))
    {
        if first == second {
            continue;
        }
        let image = |mapping: &Mapping| [mapping[first.index()], mapping[second.index()]];
        let images = symmetries.iter().map(image).enumerate();
        // The first of equal ones, so that a pair that stands for itself is not mapped.
        let Some((via, least)) = images.min_by_key(|(via, image)| (*image, *via)) else { continue };
        let at = |[first, second]: [u8; 2]| usize::from(first) << 6 | usize::from(second);
        // The least of its images comes first in this order, so it has its number already.
        let pair = match places[at(least)] {
            Some(Place { pair, .. }) => pair,
            None => {
                pairs.push([first, second]);
                pairs.len() as u16 - 1
            }
        };
        places[first.index() << 6 | second.index()] = Some(Place { pair, via: via as u8 });
    }
    (pairs, places)
}

/// The share of a man in the key of a material: two bits for each side's kinds.
#[inline]
fn key(side: usize, kind: usize) -> u32 {
    1 << (2 * (side * MOST_KINDS + kind))
}

impl Layout {
    fn new(material: Material, board: &Board, pairs: usize) -> Layout {
        let present = |side: usize| {
            (0..board.kinds.others.len()).map(move |kind| (side, kind, material.count(side, kind)))
        };
        let mut groups: Vec<Group> = (0..2)
            .flat_map(present)
            .filter(|(.., count)| *count > 0)
            .map(|(side, kind, count)| {
                let domain = (board.others)(Seat::new(side), kind);
                Group { side, kind, count, domain, ways: 0 }
            })
            .collect();
        // Those with the least room first: then what is before a group nearly always stands where
        // the group could.
        groups.sort_by_key(|group| (group.domain.len(), group.side, group.kind));
        let mut before: Vec<Set> = board.royals.to_vec();
        let mut group_of = [[0; MOST_KINDS]; 2];
        for (number, group) in groups.iter_mut().enumerate() {
            let taken = before.iter().filter(|domain| domain.is_within(group.domain)).count();
            group.ways = ways(group.domain.len() as usize - taken, group.count);
            before.extend(std::iter::repeat_n(group.domain, group.count));
            group_of[group.side][group.kind] = number as u8;
        }
        let half = pairs * groups.iter().map(|group| group.ways).product::<usize>();
        Layout { material, groups, group_of, half }
    }

    /// How many entries there are.
    pub(super) fn entries(&self) -> usize {
        if self.material.is_even() { self.half } else { 2 * self.half }
    }

    /// The key of its men, as they are or with the sides exchanged.
    fn key(&self, exchanged: bool) -> u32 {
        let share = |group: &Group| {
            group.count as u32 * key(group.side ^ usize::from(exchanged), group.kind)
        };
        self.groups.iter().map(share).sum()
    }

    /// The index of a position whose royal pieces stand as the pair with this number.
    #[inline]
    fn index(&self, men: &Men, pair: usize) -> Option<usize> {
        let mut sets = [Set::EMPTY; MOST_OTHERS];
        for man in men.others() {
            let group = self.group_of[man.owner.index() & 1][man.kind] as usize;
            sets[group % MOST_OTHERS].insert(man.square);
        }
        let mut free = !(Set::from(men.royals[0]) | men.royals[1].into());
        let mut index = pair;
        for (group, set) in self.groups.iter().zip(sets) {
            if !set.is_within(group.domain) {
                return None;
            }
            let open = group.domain & free;
            let mut rank = 0;
            for (number, square) in set.into_iter().enumerate() {
                let below = Bitboard((1 << square.index()) - 1);
                rank += ways((open & below).len() as usize, number + 1);
            }
            index = index * group.ways + rank;
            free -= set;
        }
        let weaker = usize::from(men.turn != Seat::FIRST && !self.material.is_even());
        Some(weaker * self.half + index)
    }

    /// The reverse of [`index`](Layout::index).
    fn men(&self, index: usize, pairs: &[[Square; 2]]) -> Option<Men> {
        let turn = if index < self.half { Seat::FIRST } else { Seat::SECOND };
        let mut rest = index % self.half;
        let mut ranks = [0; MOST_OTHERS];
        for (rank, group) in ranks[..self.groups.len()].iter_mut().zip(&self.groups).rev() {
            *rank = rest % group.ways;
            rest /= group.ways;
        }
        let royals = *pairs.get(rest)?;
        let mut men = Men::new(turn, royals);
        let mut free = !(Set::from(royals[0]) | royals[1].into());
        for (group, rank) in self.groups.iter().zip(ranks) {
            let open = group.domain & free;
            let set = unrank(open, group.count, rank)?;
            for square in set {
                men.add(Man { owner: Seat::new(group.side), kind: group.kind, square })?;
            }
            free -= set;
        }
        Some(men)
    }
}

/// How many ways there are to choose `count` of `all`, at most three.
#[inline]
fn ways(all: usize, count: usize) -> usize {
    match count {
        1 => all,
        2 => all * all.saturating_sub(1) / 2,
        _ => all * all.saturating_sub(1) * all.saturating_sub(2) / 6,
    }
}

/// The set of squares with this rank among those of `count` of the open ones; `None` if there are
/// fewer.
fn unrank(open: Set, count: usize, mut rank: usize) -> Option<Set> {
    let mut set = Set::EMPTY;
    let mut limit = open.len() as usize;
    if rank >= ways(limit, count) {
        return None;
    }
    for number in (1..=count).rev() {
        // The highest square whose share fits.
        let nth = (0..limit).rev().find(|&nth| ways(nth, number) <= rank)?;
        rank -= ways(nth, number);
        set.insert(open.nth(nth as u32));
        limit = nth;
    }
    Some(set)
}
