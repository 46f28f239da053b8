//! Where agents think: a few threads, a queue, and the agents of recent games.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use agon_arena::player::Breach;
use agon_arena::verdict::Fault;
use agon_search::StopFlag;
use tokio::sync::oneshot;

use crate::limits;
use crate::problem::{Code, Problem};
use crate::thinker::{Answer, Ask, Thinker};

/// How many agents are remembered between moves. More would only cost memory.
const REMEMBERED: usize = 8;

/// Who an agent is: the game it plays in, and its seat. Hints have a place of their own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The game.
    pub game: String,
    /// The seat, or a number beyond all seats.
    pub seat: usize,
}

/// A question that somebody waits for.
struct Job {
    place: Place,
    ask: Ask,
    stop: StopFlag,
    reply: oneshot::Sender<Answer>,
}

#[derive(Default)]
struct Queue {
    jobs: VecDeque<Job>,
    running: usize,
    /// The agents of the last games, the latest at the end.
    remembered: VecDeque<(Place, Thinker)>,
    closed: bool,
}

#[derive(Default)]
struct Shared {
    queue: Mutex<Queue>,
    wake: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Threads that think. When it is dropped, they stop soon.
pub struct Pool {
    shared: Arc<Shared>,
    threads: usize,
}

/// Stops its search when nobody waits for it any more.
pub struct StopOnDrop(pub StopFlag);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}

impl Pool {
    /// So many threads, at least one.
    pub fn new(threads: usize) -> Pool {
        let (shared, threads) = (Arc::<Shared>::default(), threads.max(1));
        for number in 0..threads {
            let shared = shared.clone();
            let work = move || work(&shared, threads);
            let thread = thread::Builder::new().name(format!("thinker {number}")).spawn(work);
            if let Err(error) = thread {
                tracing::error!("cannot start a thread: {error}");
            }
        }
        Pool { shared, threads }
    }

    /// How many threads there are.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// How many searches run or wait.
    pub fn load(&self) -> usize {
        let queue = self.shared.lock();
        queue.running + queue.jobs.len()
    }

    /// Asks an agent. `None` if the search was stopped before it began.
    pub async fn ask(
        &self,
        place: Place,
        ask: Ask,
        stop: StopFlag,
    ) -> Result<Option<Answer>, Problem> {
        let (reply, answer) = oneshot::channel();
        {
            let mut queue = self.shared.lock();
            if queue.closed || queue.jobs.len() >= limits::WAITING {
                let message = "too many searches are waiting: try again in a moment";
                return Err(Problem::new(Code::Busy, message));
            }
            queue.jobs.push_back(Job { place, ask, stop, reply });
        }
        self.shared.wake.notify_one();
        Ok(answer.await.ok())
    }

    /// The agents of this game are not needed any more.
    pub fn forget(&self, game: &str) {
        let gone: VecDeque<(Place, Thinker)> = {
            let mut queue = self.shared.lock();
            let (gone, kept) =
                queue.remembered.drain(..).partition(|(place, _)| place.game == game);
            queue.remembered = kept;
            gone
        };
        // Programs take a moment to leave; nobody waits for that with the queue locked.
        if !gone.is_empty() {
            thread::spawn(move || drop(gone));
        }
    }

    /// Stops everything.
    pub fn close(&self) {
        let mut queue = self.shared.lock();
        queue.closed = true;
        queue.jobs.clear();
        queue.remembered.clear();
        drop(queue);
        self.shared.wake.notify_all();
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.close();
    }
}

/// What a thread does until the pool is closed.
fn work(shared: &Shared, threads: usize) {
    while let Some((job, thinker, time)) = next(shared, threads) {
        let Job { place, ask, stop, reply } = job;
        let thought = catch_unwind(AssertUnwindSafe(|| think(thinker, &ask, time, &stop)));
        let (answer, thinker) = thought.unwrap_or_else(|_| {
            let breach =
                Breach::new(Fault::Crash, "the search broke down; this is a mistake of ours");
            (Answer::Wrong(breach), None)
        });
        // Whoever was stopped may be of a game that is over; it costs little to make it anew.
        let thinker = thinker.filter(|_| !stop.is_set());
        let forgotten = finish(shared, place, thinker);
        let _ = reply.send(answer);
        drop(forgotten);
    }
}

fn think(
    thinker: Option<Thinker>,
    ask: &Ask,
    time: Duration,
    stop: &StopFlag,
) -> (Answer, Option<Thinker>) {
    let ready = match thinker {
        Some(thinker) => Ok(thinker),
        None => Thinker::new(ask),
    };
    match ready {
        Ok(mut thinker) => {
            let answer = thinker.answer(ask, time, stop);
            let sound = !matches!(answer, Answer::Wrong(_));
            (answer, sound.then_some(thinker))
        }
        Err(breach) => (Answer::Wrong(breach), None),
    }
}

/// The next job, with its agent if that is remembered, and how long to think about it: less, the
/// more are waiting.
fn next(shared: &Shared, threads: usize) -> Option<(Job, Option<Thinker>, Duration)> {
    let mut queue = shared.lock();
    loop {
        if queue.closed {
            return None;
        }
        match queue.jobs.pop_front() {
            // Whoever asked has gone; dropping the job tells them.
            Some(job) if job.stop.is_set() => {}
            Some(job) => {
                queue.running += 1;
                let load = (queue.running + queue.jobs.len()) as f64 / threads as f64;
                let time = limits::THINKING.div_f64(load.max(1.0)).max(limits::SHORTEST_THINKING);
                let fits = |(place, thinker): &(Place, Thinker)| {
                    *place == job.place && thinker.fits(&job.ask)
                };
                let known = queue.remembered.iter().position(fits);
                let thinker = known.and_then(|at| queue.remembered.remove(at));
                return Some((job, thinker.map(|(_, thinker)| thinker), time));
            }
            None => {
                queue = shared.wake.wait(queue).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }
}

/// Remembers the agent for its next move. Returns whom to forget for it.
fn finish(shared: &Shared, place: Place, thinker: Option<Thinker>) -> Option<(Place, Thinker)> {
    let mut queue = shared.lock();
    queue.running -= 1;
    let thinker = thinker?;
    if queue.closed {
        return Some((place, thinker));
    }
    let before = queue.remembered.iter().position(|(known, _)| *known == place);
    let before = before.and_then(|at| queue.remembered.remove(at));
    queue.remembered.push_back((place, thinker));
    let full = queue.remembered.len() > REMEMBERED;
    before.or_else(|| if full { queue.remembered.pop_front() } else { None })
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use agon_arena::Registry;
    use agon_arena::clock::Pace;
    use agon_arena::remote::Settings;
    use agon_core::Seat;

    use super::*;

    fn ask(agent: &str) -> Ask {
        Ask {
            agent: Registry::built_in().agent(agent, &Settings::default()).unwrap(),
            variant: "congo".parse().unwrap(),
            start: None,
            moves: Vec::new(),
            seat: Seat::FIRST,
            clocks: Vec::new(),
            pace: Pace::default(),
            seed: 1,
        }
    }

    fn place(game: &str) -> Place {
        Place { game: game.to_string(), seat: 0 }
    }

    fn move_of(answer: Result<Option<Answer>, Problem>) -> String {
        match answer {
            Ok(Some(Answer::Move(thought))) => thought.mv,
            other => panic!("no move: {other:?}"),
        }
    }

    #[tokio::test]
    async fn an_agent_answers_again_and_again_and_after_moves_are_taken_back() {
        let pool = Pool::new(1);
        let mut question = ask("alphabeta:depth=2");
        let first = move_of(pool.ask(place("a"), question.clone(), StopFlag::default()).await);
        question.moves = vec![first.clone(), "d6d5".into()];
        move_of(pool.ask(place("a"), question.clone(), StopFlag::default()).await);
        question.moves.clear();
        let again = move_of(pool.ask(place("a"), question, StopFlag::default()).await);
        assert_eq!(again, first);
        assert_eq!(pool.load(), 0);
        pool.forget("a");
        assert!(pool.shared.lock().remembered.is_empty());
    }

    #[tokio::test]
    async fn a_search_that_nobody_waits_for_makes_room() {
        let pool = Pool::new(1);
        let stop = StopFlag::default();
        let mut long = ask("engine");
        // A clock of an hour: the search would go on for two minutes.
        long.pace.time.game = Some("1h".parse().unwrap());
        long.clocks = vec![agon_arena::clock::Clock::new(long.pace.time); 2];
        let stopping = StopOnDrop(stop.clone());
        let searching = pool.ask(place("a"), long, stop);
        let began = Instant::now();
        assert!(tokio::time::timeout(Duration::from_millis(200), searching).await.is_err());
        drop(stopping);
        move_of(pool.ask(place("b"), ask("random"), StopFlag::default()).await);
        assert!(began.elapsed() < Duration::from_secs(60), "the thread was kept busy");
    }

    #[tokio::test]
    async fn what_was_stopped_before_its_turn_is_not_searched() {
        let pool = Pool::new(1);
        let stop = StopFlag::default();
        stop.stop();
        assert!(pool.ask(place("a"), ask("random"), stop).await.unwrap().is_none());
        pool.close();
        let error = pool.ask(place("a"), ask("random"), StopFlag::default()).await.unwrap_err();
        assert_eq!(error.code(), Code::Busy);
    }
}
