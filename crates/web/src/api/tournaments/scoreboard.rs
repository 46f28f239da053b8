//! What was counted of tournaments, kept while pages ask for it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use agon_arena::store::{Membership, Series, SeriesId, Store, StoreError};
use agon_arena::tournament::course::Course;
use agon_arena::tournament::tally::Tally;

use super::view::TableView;
use crate::view::Shared;

/// How long a tournament is kept after it was last asked for.
const IDLE: Duration = Duration::from_secs(60);
/// How many games are kept in all; of the tournaments that were asked for least recently, none are.
const MOST_GAMES: usize = 300_000;
/// Counting takes at most one part in so many of the time, however many pages ask.
const PAUSE: u32 = 10;
/// The pace is that of the last games, at most this many.
const LAST_GAMES: usize = 60;

/// Counts the games of tournaments.
pub(crate) struct Scoreboard {
    folder: PathBuf,
    /// For what is found at once; nobody waits here for a large tournament.
    reading: Mutex<Option<Store>>,
    slots: Mutex<HashMap<SeriesId, Arc<Slot>>>,
}

/// A tournament that somebody looks at. One counts, and the others wait for what it finds.
struct Slot {
    kept: Mutex<Option<Kept>>,
    asked: Mutex<Instant>,
    games: AtomicUsize,
}

struct Kept {
    store: Store,
    tally: Tally,
    course: Course,
    counted: Counted,
    /// What the standings depend on besides the games.
    plan: (String, Vec<Membership>),
    looked: Instant,
    took: Duration,
}

/// The state of a tournament.
#[derive(Clone)]
pub(crate) struct Counted {
    /// The series as it is stored.
    pub series: Series,
    /// What the results say.
    pub table: Shared<TableView>,
    /// How many games are stored.
    pub games: u64,
    /// How many there are at most.
    pub planned: u64,
    /// How many ended with a fault.
    pub faults: u64,
    /// When the last games ended, in milliseconds since 1970, the latest last.
    pub ends: Vec<i64>,
}

impl Scoreboard {
    /// For the tournaments of this data folder.
    pub(crate) fn new(folder: &Path) -> Scoreboard {
        Scoreboard {
            folder: folder.to_path_buf(),
            reading: Mutex::default(),
            slots: Mutex::default(),
        }
    }

    /// Looks something up over a connection of its own, so that no game waits for it.
    pub(crate) fn read<T>(
        &self,
        read: impl FnOnce(&Store) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut store = lock(&self.reading);
        match &mut *store {
            Some(store) => read(store),
            none => read(none.insert(Store::open_read_only(&self.folder)?)),
        }
    }

    /// Counts the games of a series, unless that was done a moment ago.
    pub(crate) fn count(&self, series: Series) -> Result<Counted, StoreError> {
        let slot = self.slot(series.id);
        let mut kept = lock(&slot.kept);
        let now = match kept.take() {
            Some(old) if old.is_fresh(&series) => old,
            old => Kept::count(&self.folder, series, old)?,
        };
        let counted = now.counted.clone();
        slot.games.store(now.tally.len(), Relaxed);
        *kept = Some(now);
        Ok(counted)
    }

    /// The place of a series. Those that nobody asks for any more are given up.
    fn slot(&self, id: SeriesId) -> Arc<Slot> {
        let mut slots = lock(&self.slots);
        let new = || {
            let (kept, asked) = (Mutex::default(), Mutex::new(Instant::now()));
            Arc::new(Slot { kept, asked, games: AtomicUsize::new(0) })
        };
        let slot = slots.entry(id).or_insert_with(new).clone();
        *lock(&slot.asked) = Instant::now();
        slots.retain(|_, it| Arc::strong_count(it) > 1 || lock(&it.asked).elapsed() < IDLE);
        while slots.values().map(|it| it.games.load(Relaxed)).sum::<usize>() > MOST_GAMES {
            let others = slots.iter().filter(|(_, it)| Arc::strong_count(it) == 1);
            let oldest = others.min_by_key(|(_, it)| *lock(&it.asked)).map(|(id, _)| *id);
            let Some(oldest) = oldest else { break };
            slots.remove(&oldest);
        }
        slot
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Kept {
    fn is_fresh(&self, series: &Series) -> bool {
        let is_same =
            self.counted.series.finished_at == series.finished_at && self.plan == plan_of(series);
        is_same && self.looked.elapsed() < self.took * PAUSE
    }

    fn count(folder: &Path, series: Series, old: Option<Kept>) -> Result<Kept, StoreError> {
        let began = Instant::now();
        let plan = plan_of(&series);
        let (store, mut tally, mut course, before) = match old {
            Some(Kept { store, tally, course, counted, plan, .. }) => {
                (store, tally, course, Some((counted, plan)))
            }
            None => (Store::open_read_only(folder)?, Tally::default(), Course::default(), None),
        };
        let is_new = tally.update(&store, series.id)?;
        let same = before.filter(|(counted, old)| {
            !is_new && *old == plan && counted.series.finished_at == series.finished_at
        });
        let counted = match same {
            Some((counted, _)) => Counted { series, ..counted },
            None => {
                let summary = tally.summary(series.clone());
                course.update(&tally, &summary);
                let table = Shared::new(TableView::new(&summary, &tally, &course));
                let mut ends: Vec<i64> = tally.games().map(|it| it.finished_at()).collect();
                ends.sort_unstable();
                let ends = ends.split_off(ends.len().saturating_sub(LAST_GAMES));
                let is_fault =
                    |it: &&agon_arena::tournament::tally::Counted| it.game.offence().is_some();
                let faults = tally.games().filter(is_fault).count() as u64;
                let (games, planned) = (tally.len() as u64, summary.planned);
                Counted { series, table, games, planned, faults, ends }
            }
        };
        let (looked, took) = (Instant::now(), began.elapsed());
        // A tournament of so many games is read again as a whole, which is rarely done.
        if tally.len() > MOST_GAMES / 2 {
            (tally, course) = Default::default();
        }
        Ok(Kept { store, tally, course, counted, plan, looked, took })
    }
}

fn plan_of(series: &Series) -> (String, Vec<Membership>) {
    (series.plan.clone(), series.members.clone())
}
