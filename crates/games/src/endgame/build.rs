//! Retrograde analysis: the values of all positions of one material.
//!
//! First every position is looked at by itself. Moves that end the game or change the material have
//! known values, as those tables were built before; the others, the quiet moves, are counted. Then
//! values are passed back, in order of their distance from the end, along the quiet moves that could
//! have led to a position: what leads to a lost position is won, and what leads to nothing but won
//! ones is lost. What is left is a draw.
//!
//! Several threads share the table. Within a distance their order makes no difference, so that the
//! result is the same for any number of them.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64};

use agon_core::sink::ForEach;
use agon_core::{Tables, Which};

use super::layout::Layouts;
use super::parallel::for_every_entry;
use super::value::{self, DRAW, Exact, NOWHERE, decode};
use super::{Material, Men, Tabulated, look_up, resolve};
use crate::tables::{Stopped, TableWatcher};

/// Why a table was not built.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotBuilt {
    /// It was stopped.
    Stopped,
    /// A table that it depends on is missing.
    Incomplete,
    /// A game takes longer than the format can say.
    TooLong,
}

/// While the table is built: nothing is known yet.
const UNKNOWN: u8 = NOWHERE;
/// While the table is built: there is no such position.
const NO_POSITION: u8 = u8::MAX;
/// A move that is not quiet holds at least a draw.
const HELD: u8 = u8::MAX;

/// The table of a material, given those of all materials that it can turn into.
pub(super) fn build<G: Tabulated>(
    number: usize,
    tables: &Tables,
    threads: usize,
    report: TableWatcher<'_>,
) -> Result<Vec<u8>, NotBuilt> {
    let work = Work::new::<G>(number, tables);
    work.pass(threads, report, |work, index| work.look::<G>(index))?;
    let mut plies = 0;
    while plies <= work.longest.load(Relaxed) {
        work.pass(threads, report, |work, index| work.pass_back::<G>(index, plies))?;
        plies += 1;
    }
    let finish = |value: AtomicU8| match value.into_inner() {
        UNKNOWN => DRAW,
        NO_POSITION => NOWHERE,
        value => value,
    };
    Ok(work.values.into_iter().map(finish).collect())
}

/// A table in the making.
struct Work<'a> {
    layouts: &'static Layouts,
    material: Material,
    number: usize,
    /// Those of other materials.
    tables: &'a Tables,
    /// The values as far as they are known. A win may still turn out to be shorter.
    values: Vec<AtomicU8>,
    /// How many quiet moves of a position are not known to lose.
    open: Vec<AtomicU8>,
    /// What the moves that are not quiet give if they all lose: the byte of the longest such loss,
    /// or 0 if there are none. [`HELD`] if one does not lose.
    others: Vec<AtomicU8>,
    /// The largest distance so far.
    longest: AtomicU32,
    /// The entries that were settled.
    settled: AtomicU64,
    incomplete: AtomicBool,
    too_long: AtomicBool,
}

impl<'a> Work<'a> {
    fn new<G: Tabulated>(number: usize, tables: &'a Tables) -> Work<'a> {
        let layouts = G::layouts();
        let layout = &layouts.layouts[number];
        let bytes = |byte| (0..layout.entries()).map(|_| AtomicU8::new(byte)).collect();
        Work {
            layouts,
            material: layout.material,
            number,
            tables,
            values: bytes(UNKNOWN),
            open: bytes(0),
            others: bytes(0),
            longest: AtomicU32::new(0),
            settled: AtomicU64::new(0),
            incomplete: AtomicBool::new(false),
            too_long: AtomicBool::new(false),
        }
    }

    /// Does something for every entry, on all threads.
    fn pass(
        &self,
        threads: usize,
        report: TableWatcher<'_>,
        each: impl Fn(&Self, usize) + Sync,
    ) -> Result<(), NotBuilt> {
        let each = |index| each(self, index);
        let passed = for_every_entry(self.values.len(), threads, &self.settled, report, each);
        match passed {
            Err(Stopped) => Err(NotBuilt::Stopped),
            Ok(()) if self.incomplete.load(Relaxed) => Err(NotBuilt::Incomplete),
            Ok(()) if self.too_long.load(Relaxed) => Err(NotBuilt::TooLong),
            Ok(()) => Ok(()),
        }
    }

    /// Looks at a position by itself: what its moves lead to, except for the quiet ones, which are
    /// counted.
    fn look<G: Tabulated>(&self, index: usize) {
        let Some(men) = self.layouts.men(self.number, index) else {
            self.values[index].store(NO_POSITION, Relaxed);
            return;
        };
        let position = G::compose(&men);
        let (mut quiet, mut best) = (0, None);
        let mut look = ForEach(|mv| {
            let mut child = position;
            child.play(mv);
            match self.after(&child, &men) {
                After::Quiet => quiet += 1,
                After::Known(value) => best = best.max(Some(value.a_ply_earlier())),
                After::Missing => self.incomplete.store(true, Relaxed),
            }
        });
        let _ = position.generate(Which::All, &mut look);
        if quiet == 0 && best.is_none() {
            best = Some(Exact::of(&position.when_stuck(), men.turn));
        }
        self.open[index].store(quiet, Relaxed);
        match best {
            Some(Exact::Win(plies)) => self.settle(index, value::win::<G>(plies), plies),
            Some(Exact::Loss(plies)) if quiet == 0 => {
                self.settle(index, value::loss::<G>(plies), plies);
            }
            Some(Exact::Loss(plies)) => match value::loss::<G>(plies) {
                Some(byte) => self.others[index].store(byte, Relaxed),
                None => self.too_long.store(true, Relaxed),
            },
            Some(Exact::Draw) => self.others[index].store(HELD, Relaxed),
            None => {}
        }
    }

    /// What a move has led to.
    fn after<G: Tabulated>(&self, child: &G, before: &Men) -> After {
        let me = before.turn.opponent();
        let known = match child.men() {
            Some(men) if self.layouts.number_of(&men).is_some_and(|(n, _)| n == self.number) => {
                return After::Quiet;
            }
            Some(_) => look_up(child, self.tables),
            None => resolve(child, me, self.tables),
        };
        known.map_or(After::Missing, After::Known)
    }

    /// Passes the value of a position back to those from which it is reached, if it is this far
    /// from the end.
    fn pass_back<G: Tabulated>(&self, index: usize, plies: u32) {
        let byte = self.values[index].load(Relaxed);
        if byte == UNKNOWN || byte == NO_POSITION {
            return;
        }
        let Some(value) = decode::<G>(byte) else { return };
        if value.plies() != Some(plies) {
            return;
        }
        self.layouts.positions(self.number, index, |men| {
            G::compose(men).retreats(|before: G| self.hear(&before, value));
        });
    }

    /// Notes that a quiet move leads from a position to one with this value.
    fn hear<G: Tabulated>(&self, before: &G, after: Exact) {
        let Some(men) = before.men() else { return };
        if !self.layouts.is_standard(&men, &self.material) {
            return;
        }
        let Some((_, index)) = self.layouts.find(&men) else { return };
        match after.a_ply_earlier() {
            Exact::Win(plies) => self.settle(index, value::win::<G>(plies), plies),
            Exact::Draw => {}
            Exact::Loss(plies) => {
                let was_last = self.open[index].fetch_sub(1, Relaxed) == 1;
                let others = self.others[index].load(Relaxed);
                if was_last && others != HELD && self.values[index].load(Relaxed) == UNKNOWN {
                    let longest = decode::<G>(others).and_then(Exact::plies).unwrap_or(0);
                    let plies = plies.max(longest);
                    self.settle(index, value::loss::<G>(plies), plies);
                }
            }
        }
    }

    /// Notes a value. Of several wins the shortest counts.
    fn settle(&self, index: usize, byte: Option<u8>, plies: u32) {
        let Some(byte) = byte else {
            self.too_long.store(true, Relaxed);
            return;
        };
        let before = if byte < UNKNOWN {
            self.values[index].fetch_min(byte, Relaxed)
        } else {
            self.values[index].swap(byte, Relaxed)
        };
        if before == UNKNOWN {
            self.settled.fetch_add(1, Relaxed);
        }
        self.longest.fetch_max(plies, Relaxed);
    }
}

/// What a move leads to.
enum After {
    /// A position of the same material.
    Quiet,
    /// One with this value for the side to move there.
    Known(Exact),
    /// One whose table is missing.
    Missing,
}
