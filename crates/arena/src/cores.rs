//! Who thinks on which cores, where tournaments and pages share a machine.
//!
//! The rule: a game of a tournament has its cores, as many as the most threads of its agents, from
//! its first move to its last; games get them in the order in which they ask. One core always belongs
//! to the pages. They may use more while no game is waiting for them. So nothing that thinks by a clock
//! shares its core with something else, and with two cores or more neither side can starve the other.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use agon_search::StopFlag;

/// How often somebody who waits looks at the stop flag.
const LOOK: Duration = Duration::from_millis(50);

/// The cores of this machine. Clones share them.
#[derive(Clone, Debug)]
pub struct Cores(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    total: usize,
    use_: Mutex<Use>,
    freed: Condvar,
}

/// How many cores are in use, and which games wait for theirs.
#[derive(Default, Debug)]
struct Use {
    games: usize,
    pages: usize,
    /// The tickets of games that wait, in order.
    waiting: VecDeque<u64>,
    tickets: u64,
}

/// Cores in use, until this is dropped.
#[derive(Debug)]
pub struct Held {
    cores: Cores,
    count: usize,
    by_game: bool,
}

impl Cores {
    /// This many cores, at least one.
    pub fn new(total: usize) -> Cores {
        let (use_, freed) = (Mutex::default(), Condvar::new());
        Cores(Arc::new(Shared { total: total.max(1), use_, freed }))
    }

    /// All cores that this process may use.
    pub fn of_machine() -> Cores {
        Cores::new(std::thread::available_parallelism().map_or(1, usize::from))
    }

    /// How many there are.
    pub fn total(&self) -> usize {
        self.0.total
    }

    /// How many games may have at the most: one core belongs to the pages, where there are several.
    pub fn for_games(&self) -> usize {
        self.0.total.saturating_sub(1).max(1)
    }

    /// How many cores games use, and how many the pages.
    pub fn in_use(&self) -> (usize, usize) {
        let now = self.lock();
        (now.games, now.pages)
    }

    /// Waits for the cores of a game. A game that wants more than games may have gets all of those.
    /// `None` if `stop` is set meanwhile.
    pub fn take_for_game(&self, threads: usize, stop: &StopFlag) -> Option<Held> {
        let count = threads.clamp(1, self.for_games());
        let mut now = self.lock();
        let ticket = now.tickets;
        now.tickets += 1;
        now.waiting.push_back(ticket);
        let fits = |now: &Use| {
            now.waiting.front() == Some(&ticket)
                && now.games + count <= self.for_games()
                && now.games + now.pages + count <= self.0.total
        };
        while !fits(&now) && !stop.is_set() {
            now = self.wait(now);
        }
        now.waiting.retain(|it| *it != ticket);
        let may = !stop.is_set();
        if may {
            now.games += count;
        }
        drop(now);
        // The next game, or a page, may have waited for this one.
        self.0.freed.notify_all();
        may.then(|| Held { cores: self.clone(), count, by_game: true })
    }

    /// Waits for a core for a page. `None` if `stop` is set meanwhile.
    pub fn take_for_page(&self, stop: &StopFlag) -> Option<Held> {
        let fits = |now: &Use| {
            now.pages == 0 || (now.waiting.is_empty() && now.games + now.pages < self.0.total)
        };
        let mut now = self.lock();
        while !fits(&now) && !stop.is_set() {
            now = self.wait(now);
        }
        if stop.is_set() {
            return None;
        }
        now.pages += 1;
        Some(Held { cores: self.clone(), count: 1, by_game: false })
    }

    fn lock(&self) -> MutexGuard<'_, Use> {
        self.0.use_.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, now: MutexGuard<'a, Use>) -> MutexGuard<'a, Use> {
        self.0.freed.wait_timeout(now, LOOK).unwrap_or_else(PoisonError::into_inner).0
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let mut now = self.cores.lock();
        let used = if self.by_game { &mut now.games } else { &mut now.pages };
        *used = used.saturating_sub(self.count);
        drop(now);
        self.cores.0.freed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
    use std::thread;

    use super::*;

    /// Whether this would have to wait.
    fn waits(take: impl FnOnce(&StopFlag) -> Option<Held> + Send) -> bool {
        let stop = StopFlag::default();
        thread::scope(|scope| {
            let taking = scope.spawn(|| take(&stop).is_none());
            thread::sleep(Duration::from_millis(30));
            stop.stop();
            taking.join().unwrap()
        })
    }

    #[test]
    fn one_core_is_always_left_for_pages() {
        let cores = Cores::new(3);
        let free = StopFlag::default();
        let games: Vec<Held> = (0..2).map(|_| cores.take_for_game(1, &free).unwrap()).collect();
        assert!(waits(|stop| cores.take_for_game(1, stop)));
        let page = cores.take_for_page(&free).unwrap();
        assert!(waits(|stop| cores.take_for_page(stop)), "no core is left");
        drop(games);
        let more = [cores.take_for_page(&free).unwrap(), cores.take_for_page(&free).unwrap()];
        assert!(waits(|stop| cores.take_for_game(1, stop)), "the pages have all cores");
        drop((page, more));
        assert_eq!(cores.in_use(), (0, 0));
        // More threads than there are cores for games.
        let large = cores.take_for_game(64, &free).unwrap();
        assert_eq!(cores.in_use(), (2, 0));
        drop(large);
    }

    #[test]
    fn pages_leave_their_further_cores_to_games_that_wait() {
        let cores = Cores::new(2);
        let free = StopFlag::default();
        let pages = [cores.take_for_page(&free).unwrap(), cores.take_for_page(&free).unwrap()];
        thread::scope(|scope| {
            let game = scope.spawn(|| cores.take_for_game(1, &free).unwrap());
            while cores.lock().waiting.is_empty() {
                thread::yield_now();
            }
            let [first, second] = pages;
            drop(first);
            let game = game.join().unwrap();
            assert!(waits(|stop| cores.take_for_page(stop)), "the core is the game's");
            drop((game, second));
        });
        assert!(!waits(|stop| cores.take_for_page(stop)));
    }

    #[test]
    fn a_game_that_wants_many_cores_gets_its_turn() {
        let cores = Cores::new(4);
        let free = StopFlag::default();
        let small: Vec<Held> = (0..3).map(|_| cores.take_for_game(1, &free).unwrap()).collect();
        thread::scope(|scope| {
            let large = scope.spawn(|| cores.take_for_game(3, &free).unwrap());
            while cores.lock().waiting.is_empty() {
                thread::yield_now();
            }
            let mut small = small;
            small.pop();
            assert!(waits(|stop| cores.take_for_game(1, stop)), "the large one came first");
            drop(small);
            assert_eq!(large.join().unwrap().count, 3);
        });
    }

    #[test]
    fn on_one_core_games_wait_for_pages_and_pages_do_not_wait() {
        let cores = Cores::new(1);
        let free = StopFlag::default();
        let game = cores.take_for_game(1, &free).unwrap();
        let page = cores.take_for_page(&free).unwrap();
        drop(game);
        assert!(waits(|stop| cores.take_for_game(1, stop)));
        drop(page);
        assert!(!waits(|stop| cores.take_for_game(1, stop)));
    }

    #[test]
    fn never_more_than_there_are_with_many_at_once() {
        let cores = Cores::new(4);
        let (thinking, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let free = StopFlag::default();
        let work = |held: Option<Held>| {
            let held = held.unwrap();
            most.fetch_max(thinking.fetch_add(held.count, SeqCst) + held.count, SeqCst);
            thread::sleep(Duration::from_micros(200));
            thinking.fetch_sub(held.count, SeqCst);
        };
        thread::scope(|scope| {
            for worker in 0..8 {
                let (cores, work, free) = (&cores, &work, &free);
                scope.spawn(move || {
                    for round in 0..50 {
                        match worker % 2 {
                            0 => work(cores.take_for_game(1 + round % 3, free)),
                            _ => work(cores.take_for_page(free)),
                        }
                    }
                });
            }
        });
        assert_eq!((cores.in_use(), most.load(SeqCst)), ((0, 0), 4));
    }
}
