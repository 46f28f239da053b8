//! The thread pool in which agents search: a few threads, a queue, and the agents of recent games.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use agon_arena::Agent;
use agon_arena::clock::{Pace, TimeControl};
use agon_arena::player::{self, Answer, Player};
use agon_arena::seated::TablePlayer;
use agon_arena::session::TableSession;
use agon_search::{Budget, StopFlag, Time};
use tokio::sync::oneshot;

use crate::error::{ApiError, Code};
use crate::limits;

/// How many agents are kept between moves. More would only cost memory.
const REMEMBERED: usize = 8;

/// Identifies an agent: its game and its seat. Hints have a seat of their own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The game.
    pub game: String,
    /// The seat, or a number beyond all seats.
    pub seat: usize,
}

/// A request for a move in a game that is not over.
pub struct Ask {
    /// The agent.
    pub agent: Agent,
    /// A copy of the game.
    pub session: TableSession,
    /// The random seed.
    pub seed: u64,
}

/// A request in the queue.
struct Job {
    place: Place,
    ask: Ask,
    stop: StopFlag,
    reply: oneshot::Sender<player::Heard<String>>,
}

#[derive(Default)]
struct Queue {
    jobs: VecDeque<Job>,
    running: usize,
    /// The agents of recent games, the latest at the end.
    remembered: VecDeque<(Place, TablePlayer)>,
    closed: bool,
}

impl Queue {
    /// The agent that is kept for this place.
    fn take(&mut self, place: &Place) -> Option<(Place, TablePlayer)> {
        let at = self.remembered.iter().position(|(known, _)| known == place)?;
        self.remembered.remove(at)
    }
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

/// A pool of search threads. When it is dropped, they stop soon.
pub struct Pool {
    shared: Arc<Shared>,
    threads: usize,
}

/// Stops a search when this is dropped, because nobody waits for it any more.
pub(crate) struct StopOnDrop(pub StopFlag);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}

impl Pool {
    /// A pool of this many threads, at least one.
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

    /// Asks an agent for a move. `None` if the search was stopped before it started.
    pub async fn ask(
        &self,
        place: Place,
        ask: Ask,
        stop: StopFlag,
    ) -> Result<Option<player::Heard<String>>, ApiError> {
        let (reply, answer) = oneshot::channel();
        {
            let mut queue = self.shared.lock();
            if queue.closed || queue.jobs.len() >= limits::WAITING {
                let message = "too many searches are waiting: try again in a moment";
                return Err(ApiError::new(Code::Busy, message));
            }
            queue.jobs.push_back(Job { place, ask, stop, reply });
        }
        self.shared.wake.notify_one();
        Ok(answer.await.ok())
    }

    /// Drops the agents of this game. If it is over, they are told so.
    pub fn forget(&self, game: &str, over: Option<&TableSession>) {
        let gone: VecDeque<(Place, TablePlayer)> = {
            let mut queue = self.shared.lock();
            let (gone, kept) =
                queue.remembered.drain(..).partition(|(place, _)| place.game == game);
            queue.remembered = kept;
            gone
        };
        // Programs take a moment to exit: the queue must not be locked meanwhile.
        if !gone.is_empty() {
            let over = over.map(TableSession::fork);
            thread::spawn(move || {
                for (_, mut player) in gone {
                    if let Some(session) = &over {
                        player.game_over(session);
                    }
                }
            });
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

/// The main loop of a thread, until the pool is closed.
fn work(shared: &Shared, threads: usize) {
    while let Some((job, known, time)) = next(shared, threads) {
        let Job { place, ask, stop, reply } = job;
        let (heard, player) = think(known, &ask, time, &stop);
        // The game of a stopped agent may be over; a new agent costs little.
        let player = player.filter(|_| heard.0.is_ok() && !stop.is_set());
        let forgotten = finish(shared, place, player);
        let _ = reply.send(heard);
        drop(forgotten);
    }
}

/// Lets an agent search for about this long, or for its share of the clock.
fn think(
    known: Option<TablePlayer>,
    Ask { agent, session, seed }: &Ask,
    time: Duration,
    stop: &StopFlag,
) -> (player::Heard<String>, Option<TablePlayer>) {
    let ready = known.map_or_else(|| TablePlayer::new(agent, session.table(), *seed), Ok);
    let mut player = match ready {
        Ok(player) => player,
        Err(reason) => return ((Err(reason), Duration::ZERO), None),
    };
    let Pace { depth, nodes, .. } = *session.pace();
    let clock = session.to_move().and_then(|seat| session.clocks()[seat.index()].time());
    // Other searches are waiting, too.
    let allotted = clock.map_or(time, |clock| clock.allotment().min(time * limits::PATIENT));
    let budget = Budget { time: Some(Time::PerMove(allotted)), depth, nodes, stop: stop.clone() };
    // Programs are told how long to think even in a game without clocks.
    let limit = TimeControl { game: None, per_move: Some(time) };
    let pace = Pace { time: limit, ..Pace::default() };
    let Some(mut turn) = session.turn(&budget) else {
        return ((Ok(Answer::new(player::Action::Resign, 0)), Duration::ZERO), None);
    };
    if *turn.pace == Pace::default() {
        turn.pace = &pace;
    }
    (player::ask(&mut player, &turn), Some(player))
}

/// The next job, with its agent if that was kept, and its time: the more jobs are waiting, the less.
fn next(shared: &Shared, threads: usize) -> Option<(Job, Option<TablePlayer>, Duration)> {
    let mut queue = shared.lock();
    loop {
        if queue.closed {
            return None;
        }
        match queue.jobs.pop_front() {
            // Cancelled; dropping the job reports that.
            Some(job) if job.stop.is_set() => {}
            Some(job) => {
                queue.running += 1;
                let load = (queue.running + queue.jobs.len()) as f64 / threads as f64;
                let time = limits::THINKING.div_f64(load.max(1.0)).max(limits::SHORTEST_THINKING);
                let known = queue.take(&job.place).map(|(_, player)| player);
                return Some((job, known, time));
            }
            None => {
                queue = shared.wake.wait(queue).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }
}

/// Keeps the agent for its next move. Returns the agent to drop in its place.
fn finish(
    shared: &Shared,
    place: Place,
    player: Option<TablePlayer>,
) -> Option<(Place, TablePlayer)> {
    let mut queue = shared.lock();
    queue.running -= 1;
    let player = player?;
    if queue.closed {
        return Some((place, player));
    }
    let before = queue.take(&place);
    queue.remembered.push_back((place, player));
    let full = queue.remembered.len() > REMEMBERED;
    before.or_else(|| if full { queue.remembered.pop_front() } else { None })
}

#[cfg(test)]
mod tests {
    use agon_arena::Registry;
    use agon_arena::player::{Action, Breach, NoAnswer};
    use agon_arena::remote::{Outside, Question, Remote, Reply, Settings};
    use agon_arena::verdict::Fault;
    use agon_core::Seat;

    use super::*;

    fn ask(agent: &str, moves: &[&str]) -> Ask {
        let table = agon_games::open_at(&"congo".parse().unwrap(), None, moves).unwrap();
        Ask {
            agent: Registry::built_in().agent(agent, &Settings::default()).unwrap(),
            session: TableSession::at_table(table, Pace::default()),
            seed: 1,
        }
    }

    fn place(game: &str) -> Place {
        Place { game: game.to_string(), seat: 0 }
    }

    fn move_of(heard: Result<Option<player::Heard<String>>, ApiError>) -> String {
        match heard.unwrap().unwrap().0.unwrap().action {
            Action::Play(mv) => mv,
            Action::Resign => panic!("it resigned"),
        }
    }

    #[tokio::test]
    async fn an_agent_answers_repeatedly_and_after_moves_are_taken_back() {
        let pool = Pool::new(1);
        let answer = async |moves: &[&str]| {
            let question = ask("alphabeta:depth=2", moves);
            move_of(pool.ask(place("a"), question, StopFlag::default()).await)
        };
        let first = answer(&[]).await;
        answer(&[&first, "d6d5"]).await;
        let again = answer(&[]).await;
        assert_eq!(again, first);
        assert_eq!(pool.load(), 0);
        pool.forget("a", None);
        assert!(pool.shared.lock().remembered.is_empty());
    }

    /// A player that thinks until it is stopped.
    #[derive(Debug)]
    struct Endless;

    impl Outside for Endless {
        fn check(&self, _: &agon_core::Variant) -> Result<(), String> {
            Ok(())
        }

        fn start(&self, _: &agon_core::Variant) -> Result<Box<dyn Remote>, NoAnswer> {
            Ok(Box::new(Endless))
        }
    }

    impl Remote for Endless {
        fn new_game(&mut self, _: Seat) -> Result<(), NoAnswer> {
            Ok(())
        }

        fn ask(&mut self, question: &Question<'_>) -> Result<Reply, NoAnswer> {
            while !question.stop.is_set() {
                thread::sleep(Duration::from_millis(1));
            }
            Err(Breach::new(Fault::Stalled, "stopped").into())
        }

        fn last_lines(&self) -> String {
            String::new()
        }
    }

    #[tokio::test]
    async fn an_abandoned_search_makes_room() {
        let pool = Pool::new(1);
        let stop = StopFlag::default();
        let endless = agon_arena::Agent::outside("endless", 1, Box::new(Endless));
        let long = Ask { agent: endless, ..ask("random", &[]) };
        let stopping = StopOnDrop(stop.clone());
        let searching = pool.ask(place("a"), long, stop);
        assert!(tokio::time::timeout(Duration::from_millis(100), searching).await.is_err());
        drop(stopping);
        let other = pool.ask(place("b"), ask("random", &[]), StopFlag::default());
        move_of(tokio::time::timeout(Duration::from_secs(60), other).await.unwrap());
    }

    #[tokio::test]
    async fn a_job_stopped_before_its_turn_is_not_searched() {
        let pool = Pool::new(1);
        let stop = StopFlag::default();
        stop.stop();
        assert!(pool.ask(place("a"), ask("random", &[]), stop).await.unwrap().is_none());
        pool.close();
        let error =
            pool.ask(place("a"), ask("random", &[]), StopFlag::default()).await.unwrap_err();
        assert_eq!(error.code(), Code::Busy);
    }
}
