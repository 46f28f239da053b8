//! Programs that are not asked anything do not run.
//!
//! A program in a sandbox is frozen when it has answered and no question came for [`PATIENCE`], and
//! thawed with the next. Fast games never get there, so they pay two uncontended locks a move. One
//! thread looks after all programs: it wakes when the next could be due, at most once in that time,
//! and sleeps when there was no answer since.

use std::num::NonZeroU64;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use super::trees::Ward;
use super::trouble::Trouble;

/// How long a program may go on after its answer.
const PATIENCE: Duration = Duration::from_millis(1);

/// When a frozen program is stopped again for the first time, where signals do it, and how often at
/// the least.
const AGAIN: Duration = Duration::from_millis(4);
const MOST_SELDOM: Duration = Duration::from_millis(128);

/// Whether something is asked of a program.
#[derive(Debug, Default)]
pub(super) struct Rest {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// When it is to be frozen, if nothing is asked before: a while after its answer. Where signals do
    /// it, that is said again from time to time, in case something was still to happen then that
    /// lets a process go on.
    due: Option<Instant>,
    frozen: bool,
    /// How long to wait until it is said again.
    pause: Duration,
}

static PROGRAMS: Mutex<Vec<Weak<Ward>>> = Mutex::new(Vec::new());
static BELL: Condvar = Condvar::new();
/// Whether a program has come to rest since the last tick, and whether the thread sleeps.
static NEWS: AtomicBool = AtomicBool::new(false);
static ASLEEP: AtomicBool = AtomicBool::new(false);

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From now on this program is frozen while nothing is asked of it.
pub(super) fn look_after(ward: &Arc<Ward>) -> Result<(), Trouble> {
    static ON_DUTY: AtomicBool = AtomicBool::new(false);
    let mut programs = lock(&PROGRAMS);
    if !ON_DUTY.load(SeqCst) {
        let thread = thread::Builder::new().name("freezer".into()).spawn(tick);
        thread.map_err(|error| Trouble::system("start a thread", error))?;
        ON_DUTY.store(true, SeqCst);
    }
    programs.retain(|program| program.strong_count() > 0);
    programs.push(Arc::downgrade(ward));
    Ok(())
}

impl Rest {
    /// Something is asked: it runs before this returns.
    pub fn ends(&self, ward: &Ward) {
        let mut state = lock(&self.state);
        state.due = None;
        if std::mem::take(&mut state.frozen) {
            ward.inmate.iter().for_each(|inmate| inmate.cell.thaw());
        }
    }

    /// It has answered.
    pub fn begins(&self) {
        let mut state = lock(&self.state);
        if !state.frozen && state.due.is_none() {
            state.due = Some(Instant::now() + PATIENCE);
            state.pause = AGAIN;
        }
        drop(state);
        NEWS.store(true, SeqCst);
        if ASLEEP.swap(false, SeqCst) {
            // With the lock, so that the thread is either before its check or waiting.
            let _programs = lock(&PROGRAMS);
            BELL.notify_one();
        }
    }

    /// Freezes it if it has rested long enough, and says when to look again.
    fn look(&self, ward: &Ward) -> Option<Instant> {
        let mut state = lock(&self.state);
        let (due, now) = (state.due?, Instant::now());
        if due > now {
            return Some(due);
        }
        let again = state.frozen;
        let is_sure = ward.inmate.as_ref().is_none_or(|inmate| inmate.cell.freeze(again));
        state.frozen = true;
        state.due = (!is_sure).then(|| now + state.pause);
        state.pause = (state.pause * 2).min(MOST_SELDOM);
        state.due
    }
}

fn tick() {
    #[cfg(target_os = "linux")]
    // Without it, the system may let us sleep a little longer to save wake-ups.
    let _ = rustix::thread::set_current_timer_slack(NonZeroU64::new(1));
    agon_isolation::be_prompt();
    loop {
        let wards: Vec<Arc<Ward>> = lock(&PROGRAMS).iter().filter_map(Weak::upgrade).collect();
        // Whoever answers from now on is due after that.
        let latest = Instant::now() + PATIENCE;
        let due = wards.iter().filter_map(|ward| ward.rest.look(ward)).min();
        drop(wards);
        if !NEWS.swap(false, SeqCst) && due.is_none() {
            let mut programs = lock(&PROGRAMS);
            ASLEEP.store(true, SeqCst);
            while ASLEEP.load(SeqCst) && !NEWS.load(SeqCst) {
                programs = BELL.wait(programs).unwrap_or_else(PoisonError::into_inner);
            }
            ASLEEP.store(false, SeqCst);
            continue;
        }
        let next = due.unwrap_or(latest).min(latest);
        thread::sleep(next.saturating_duration_since(Instant::now()));
    }
}
