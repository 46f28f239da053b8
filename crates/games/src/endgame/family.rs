//! The endgame tables of a game without its type: for the catalog, files and the command line.

use std::collections::BTreeSet;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use agon_core::{Notation, Seat, TableBytes, Tables};

use super::value::{Exact, decode};
use super::verify::{Mistake, verify};
use super::{Material, NotBuilt, Tabulated, build::build};
use crate::tables::{Stopped, TableWatcher};

/// The endgame tables that a game can have, numbered in the order in which they are built: a table
/// depends only on earlier ones.
pub trait EndgameFamily: fmt::Debug + Sync {
    /// How many there are.
    fn count(&self) -> usize;
    /// The name of the material: `LG-LE`.
    fn name(&self, number: usize) -> String;
    /// How many men it has.
    fn men(&self, number: usize) -> usize;
    /// How many bytes the table has.
    fn entries(&self, number: usize) -> usize;
    /// The number of a material, whichever side is named first; `None` if there is no such material.
    fn read(&self, name: &str) -> Option<usize>;
    /// The tables that are needed to build one, in order.
    fn needs(&self, number: usize) -> Vec<usize>;
    /// Computes a table on this many threads, given those that it needs.
    fn build(
        &self,
        number: usize,
        tables: &Tables,
        threads: usize,
        report: TableWatcher<'_>,
    ) -> Result<Vec<u8>, NotBuilt>;
    /// Checks every position of a table against its successors, by the rules alone.
    fn verify(
        &self,
        number: usize,
        tables: &Tables,
        threads: usize,
        report: TableWatcher<'_>,
    ) -> Result<Option<Mistake>, Stopped>;
    /// What is in a table.
    fn stats(&self, number: usize, table: &[u8]) -> EndgameStats;
    /// The first tables, which are part of the program, one after the other.
    fn embedded(&self) -> &'static [u8];

    /// How many bytes a build takes in memory, apart from the tables that it needs.
    fn memory(&self, number: usize) -> u64 {
        const BYTES_PER_ENTRY: u64 = 3;
        self.entries(number) as u64 * BYTES_PER_ENTRY
    }

    /// The part of [`embedded`](EndgameFamily::embedded) that is this table.
    fn embedded_table(&self, number: usize) -> Option<&'static [u8]> {
        let start: usize = (0..number).map(|before| self.entries(before)).sum();
        self.embedded().get(start..start + self.entries(number))
    }
}

/// The tables of a game that are part of the program, by number.
pub fn embedded_tables(family: &dyn EndgameFamily) -> Vec<Option<TableBytes>> {
    let table = |number| Some(Arc::new(family.embedded_table(number)?) as TableBytes);
    (0..family.count()).map(table).collect()
}

/// What is in a table, with every placement counted once, symmetric ones too.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EndgameStats {
    /// With the side to move that is named first; then with the other one, unless both have the
    /// same men.
    pub sides: Vec<SideStats>,
}

/// What is in the part of a table for one side to move. Values are those for that side.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct SideStats {
    /// All positions.
    pub positions: u64,
    /// Those that are won.
    pub wins: u64,
    /// Those that are drawn.
    pub draws: u64,
    /// Those that are lost.
    pub losses: u64,
    /// The longest win.
    pub longest_win: Option<Extreme>,
    /// The longest loss.
    pub longest_loss: Option<Extreme>,
}

/// A position that takes as long as any.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Extreme {
    /// The plies to the end.
    pub plies: u32,
    /// The position as text.
    pub position: String,
}

/// The endgame tables of a game.
pub struct Endgames<G> {
    embedded: &'static [u8],
    game: PhantomData<fn() -> G>,
}

impl<G> Endgames<G> {
    /// With these tables as part of the program.
    pub(crate) const fn new(embedded: &'static [u8]) -> Endgames<G> {
        Endgames { embedded, game: PhantomData }
    }
}

impl<G> fmt::Debug for Endgames<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Endgames")
    }
}

impl<G: Tabulated + Notation> EndgameFamily for Endgames<G> {
    fn count(&self) -> usize {
        G::layouts().layouts.len()
    }

    fn name(&self, number: usize) -> String {
        G::layouts().layouts[number].material.text(&G::KINDS)
    }

    fn men(&self, number: usize) -> usize {
        G::layouts().layouts[number].material.men()
    }

    fn entries(&self, number: usize) -> usize {
        G::layouts().layouts[number].entries()
    }

    fn read(&self, name: &str) -> Option<usize> {
        G::layouts().number(&Material::read(&name.to_ascii_uppercase(), &G::KINDS)?)
    }

    fn needs(&self, number: usize) -> Vec<usize> {
        let layouts = G::layouts();
        let mut needed = BTreeSet::new();
        let mut waiting = vec![layouts.layouts[number].material];
        while let Some(material) = waiting.pop() {
            for below in material.below(&G::KINDS) {
                // Materials with which the game is over have no table.
                if layouts.number(&below).is_some_and(|number| needed.insert(number)) {
                    waiting.push(below);
                }
            }
        }
        needed.into_iter().collect()
    }

    fn build(
        &self,
        number: usize,
        tables: &Tables,
        threads: usize,
        report: TableWatcher<'_>,
    ) -> Result<Vec<u8>, NotBuilt> {
        build::<G>(number, tables, threads, report)
    }

    fn verify(
        &self,
        number: usize,
        tables: &Tables,
        threads: usize,
        report: TableWatcher<'_>,
    ) -> Result<Option<Mistake>, Stopped> {
        verify::<G>(number, tables, threads, report)
    }

    fn stats(&self, number: usize, table: &[u8]) -> EndgameStats {
        let layouts = G::layouts();
        let is_even = layouts.layouts[number].material.is_even();
        let mut sides = vec![SideStats::default(); if is_even { 1 } else { 2 }];
        for (index, &byte) in table.iter().enumerate() {
            let Some(value) = decode::<G>(byte) else { continue };
            layouts.positions(number, index, |men| {
                if let Some(side) = sides.get_mut(men.turn.index())
                    && (!is_even || men.turn == Seat::FIRST)
                {
                    side.count(value, || G::compose(men).position_text());
                }
            });
        }
        EndgameStats { sides }
    }

    fn embedded(&self) -> &'static [u8] {
        self.embedded
    }
}

impl SideStats {
    fn count(&mut self, value: Exact, position: impl FnOnce() -> String) {
        self.positions += 1;
        let (number, longest) = match value {
            Exact::Win(_) => (&mut self.wins, Some(&mut self.longest_win)),
            Exact::Draw => (&mut self.draws, None),
            Exact::Loss(_) => (&mut self.losses, Some(&mut self.longest_loss)),
        };
        *number += 1;
        if let (Some(plies), Some(longest)) = (value.plies(), longest)
            && longest.as_ref().is_none_or(|known| plies > known.plies)
        {
            *longest = Some(Extreme { plies, position: position() });
        }
    }
}
