//! Checking a table: every position against those that its moves lead to, by the rules alone.
//!
//! A table that agrees with itself in this way is right. A win in *n* has a move to a loss in
//! *n* − 1, and so on down to the end of the game; a loss has nothing but moves to wins. And of
//! wins that were taken for draws, the shortest would have a move to a loss that is known as one.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, PoisonError};

use agon_core::{Notation, Tables};

use super::parallel::for_every_entry;
use super::value::{Exact, NOWHERE, decode};
use super::{Tabulated, best_of_moves, resolve};
use crate::tables::{Stopped, TableWatcher};

/// A position whose value is not what its successors say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mistake {
    /// The position as text.
    pub position: String,
    /// What the table says; `None` for no such position.
    pub stored: Option<Exact>,
    /// What follows from the positions after its moves; `None` if there is no such position, or a
    /// table is missing.
    pub expected: Option<Exact>,
}

/// Checks all positions of a table and returns the mistake with the lowest index.
pub(super) fn verify<G: Tabulated + Notation>(
    number: usize,
    tables: &Tables,
    threads: usize,
    report: TableWatcher<'_>,
) -> Result<Option<Mistake>, Stopped> {
    let Some(table) = tables.endgame(number) else { return Ok(None) };
    let done = AtomicU64::new(0);
    let found: Mutex<Option<(usize, Mistake)>> = Mutex::new(None);
    let look = |index: usize| {
        done.fetch_add(1, Relaxed);
        let Some(mistake) = check::<G>(number, index, table[index], tables) else { return };
        let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
        if found.as_ref().is_none_or(|(first, _)| index < *first) {
            *found = Some((index, mistake));
        }
    };
    for_every_entry(table.len(), threads, &done, report, look)?;
    let found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(found.map(|(_, mistake)| mistake))
}

/// What is wrong with an entry.
fn check<G: Tabulated + Notation>(
    number: usize,
    index: usize,
    byte: u8,
    tables: &Tables,
) -> Option<Mistake> {
    let stored = decode::<G>(byte);
    let Some(men) = G::layouts().men(number, index) else {
        let position = format!("entry {index}, which stands for no position");
        return (byte != NOWHERE).then_some(Mistake { position, stored, expected: None });
    };
    let position = G::compose(&men);
    let me = men.turn;
    let expected = best_of_moves(&position, me, |child| resolve(child, me.opponent(), tables));
    let is_right = stored.is_some() && stored == expected;
    (!is_right).then(|| Mistake { position: position.position_text(), stored, expected })
}
