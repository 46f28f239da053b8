//! The thread that starts and monitors all programs.
//!
//! It starts them because the system kills a program when the *thread* that started it ends, and
//! this thread lives as long as the process: a killed arena takes its programs along. While no
//! program is running it sleeps.

use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, SyncSender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::child::{self, Pipes};
use super::freezer::Rest;
use super::trees::{NAMELESS, Trees, Ward};
use super::trouble::Trouble;
use super::{Launch, proc};

/// How long the owner of a program waits for its end. Only a hanging system takes that long.
const ENDING: Duration = Duration::from_secs(5);

/// How many times as long as a check took the pause after it is at least, up to a limit: much can
/// happen meanwhile.
const SPARING: u32 = 10;
const LONGEST_PAUSE: Duration = Duration::from_millis(300);

/// What the owner of a new program gets.
type Started = Result<(Arc<Ward>, Pipes), Trouble>;

struct Office {
    trees: Trees,
    /// Programs to be started.
    orders: Vec<(Launch, SyncSender<Started>)>,
    /// Whether the thread was started.
    on_duty: bool,
}

static OFFICE: Mutex<Office> =
    Mutex::new(Office { trees: Trees::new(), orders: Vec::new(), on_duty: false });
static BELL: Condvar = Condvar::new();

fn office() -> MutexGuard<'static, Office> {
    OFFICE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Has a program started.
pub(super) fn start(launch: &Launch) -> Started {
    let (reply, started) = mpsc::sync_channel(1);
    let mut office = office();
    if !office.on_duty {
        let thread = thread::Builder::new().name("warden".into()).spawn(watch);
        thread.map_err(|error| Trouble::system("start a thread", error))?;
        office.on_duty = true;
    }
    office.orders.push((launch.clone(), reply));
    drop(office);
    BELL.notify_one();
    started.recv().unwrap_or_else(|error| Err(Trouble::system("reach the warden", error)))
}

/// The main loop of the thread.
fn watch() {
    #[cfg(target_os = "linux")]
    // Adopt orphans. If that is refused, those that leave their session get away.
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
    let mut next_look = Instant::now();
    let mut office = office();
    loop {
        for (launch, reply) in std::mem::take(&mut office.orders) {
            // Under the lock: nobody sees a child that is not on the list yet.
            let started = start_now(&launch, &mut office.trees);
            let _ = reply.send(started);
        }
        let now = Instant::now();
        if office.trees.is_empty() {
            office = BELL.wait(office).unwrap_or_else(PoisonError::into_inner);
        } else if now < next_look {
            let waited = BELL.wait_timeout(office, next_look - now);
            office = waited.unwrap_or_else(PoisonError::into_inner).0;
        } else {
            // Counted from the end, so that owners get their turn however long a check takes; and what
            // takes long must not take a core.
            let pause = office.trees.look();
            let sparing = (now.elapsed() * SPARING).min(LONGEST_PAUSE);
            next_look = Instant::now() + pause.max(sparing);
        }
    }
}

fn start_now(launch: &Launch, trees: &mut Trees) -> Started {
    static NUMBER: AtomicU64 = AtomicU64::new(1);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let token = format!("{}-{number}", process::id());
    let killed_before = proc::killed_for_memory();
    let (pid, pipes, inmate) = child::spawn(launch, &token)?;
    let (limits, rest, broken) = (launch.limits.clone(), Rest::default(), OnceLock::new());
    let ward = Arc::new(Ward { pid, token, limits, killed_before, inmate, rest, broken });
    trees.add(ward.clone());
    Ok((ward, pipes))
}

/// The processes that outlived a program and still exist after the grace period.
pub(super) fn left_behind(ward: &Ward, grace: Duration) -> Vec<String> {
    let deadline = Instant::now() + grace;
    loop {
        let living = office().trees.survivors(ward);
        if living.as_ref().is_some_and(Vec::is_empty) || Instant::now() >= deadline {
            // If it is still uncertain, there are processes that keep starting others and ending.
            // If they may be another program's, nothing is reported.
            let uncertain = || office().trees.is_alone(ward).then(|| NAMELESS.to_string());
            return living.unwrap_or_else(|| uncertain().into_iter().collect());
        }
        thread::sleep(Duration::from_millis(2));
    }
}

/// The processes that outlived a program, and were killed.
pub(super) fn strays(ward: &Ward) -> Vec<String> {
    office().trees.strays(ward)
}

/// Kills a program and all its descendants, and reaps it.
pub(super) fn end(ward: &Ward) {
    let deadline = Instant::now() + ENDING;
    let mut pause = Duration::from_micros(50);
    office().trees.kill(ward);
    // The owners of other programs do not have to wait while this one dies.
    while !office().trees.finish(ward) {
        if Instant::now() >= deadline {
            return office().trees.abandon(ward);
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(10));
    }
}
