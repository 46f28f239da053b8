//! The thread pool in which agents search: a few threads, a queue in which clients take turns, and the
//! agents of recent games.

mod queue;
mod remembered;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use agon_arena::Agent;
use agon_arena::agent::AgentKind;
use agon_arena::clock::{Pace, TimeControl};
use agon_arena::cores::Cores;
use agon_arena::player::{self, Answer, Player};
use agon_arena::seated::TablePlayer;
use agon_arena::session::TableSession;
use agon_search::{Budget, StopFlag, Time, agents};
use tokio::sync::oneshot;
use tokio::time::timeout;

use crate::clients::Client;
use crate::error::{ApiError, Code};
use crate::limits;
use queue::{Queue, Started, Work};
use remembered::{Kept, Remembered};

/// How often those who wait look whether a search has had its share of the time.
const LOOK: Duration = Duration::from_millis(50);

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
    /// For whom.
    pub client: Client,
    /// The agent.
    pub agent: Agent,
    /// A copy of the game.
    pub session: TableSession,
    /// The random seed.
    pub seed: u64,
}

impl Ask {
    /// The clock of the player to move, if there is one.
    fn clock(&self) -> Option<Time> {
        let seat = self.session.to_move()?;
        self.session.clocks()[seat.index()].time()
    }
}

/// A request in the queue.
struct Job {
    client: Client,
    stop: StopFlag,
    task: Task,
}

/// What is to be done.
enum Task {
    /// An agent is asked for a move, and kept for the next one.
    Move(Box<(Place, Ask)>, oneshot::Sender<player::Heard<String>>),
    /// Anything else. It ends soon after the flag is set, which happens when it has had its share of
    /// the time and others wait.
    Part(Box<dyn FnOnce(&StopFlag) + Send>),
}

impl queue::Job for Job {
    fn client(&self) -> Client {
        self.client
    }

    fn stop(&self) -> &StopFlag {
        &self.stop
    }

    fn has_clock(&self) -> bool {
        matches!(&self.task, Task::Move(asked, _) if asked.1.clock().is_some())
    }

    fn is_part(&self) -> bool {
        matches!(self.task, Task::Part(_))
    }
}

struct State {
    queue: Queue<Job>,
    remembered: Remembered,
    closed: bool,
}

struct Shared {
    state: Mutex<State>,
    wake: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A pool of search threads. When it is dropped, they stop soon.
pub struct Pool {
    shared: Arc<Shared>,
    threads: usize,
    /// How long an agent is kept after its last move.
    idle: Duration,
}

/// Stops a search when this is dropped, because nobody waits for it any more.
pub(crate) struct StopOnDrop(pub StopFlag);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}

impl Pool {
    /// A pool of this many threads, at least one, which share these cores with tournaments.
    pub fn new(threads: usize, cores: &Cores) -> Pool {
        Pool::of(Work::Searching, threads, limits::IDLE_AGENT, cores)
    }

    /// A pool whose threads wait for programs. A program is kept as long as its game: it would lose
    /// more than a table, and its memory is not this process's.
    pub fn for_programs(cores: &Cores) -> Pool {
        Pool::of(Work::Waiting, limits::PROGRAMS, limits::IDLE, cores)
    }

    fn of(work: Work, threads: usize, idle: Duration, cores: &Cores) -> Pool {
        let threads = threads.max(1);
        let (queue, remembered) = (Queue::new(work, threads), Remembered::default());
        let state = Mutex::new(State { queue, remembered, closed: false });
        let shared = Arc::new(Shared { state, wake: Condvar::new() });
        for number in 0..threads {
            let (shared, cores) = (shared.clone(), cores.clone());
            let name = format!("thinker {number}");
            let thread =
                thread::Builder::new().name(name).spawn(move || run(&shared, work, &cores));
            if let Err(error) = thread {
                tracing::error!("cannot start a thread: {error}");
            }
        }
        Pool { shared, threads, idle }
    }

    /// How many threads there are.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// How many searches run or wait.
    pub fn load(&self) -> usize {
        self.shared.lock().queue.len()
    }

    /// Asks an agent for a move. `None` if the search was stopped before it started.
    pub async fn ask(
        &self,
        place: Place,
        ask: Ask,
        stop: StopFlag,
    ) -> Result<Option<player::Heard<String>>, ApiError> {
        let (reply, answer) = oneshot::channel();
        let client = ask.client;
        self.push(Job { client, stop, task: Task::Move(Box::new((place, ask)), reply) })?;
        Ok(self.await_answer(answer).await)
    }

    /// Runs a part of a longer computation: on a thread of the pool, in turn with everybody else. The
    /// flag that it gets is set when `stop` is, or when others should have the thread; it decides
    /// itself what that means. `None` if it was stopped before it started, or failed.
    pub async fn run<T: Send + 'static>(
        &self,
        client: Client,
        stop: StopFlag,
        part: impl FnOnce(&StopFlag) -> T + Send + 'static,
    ) -> Result<Option<T>, ApiError> {
        let (reply, answer) = oneshot::channel();
        let part = Box::new(move |hurry: &StopFlag| drop(reply.send(part(hurry))));
        self.push(Job { client, stop, task: Task::Part(part) })?;
        Ok(self.await_answer(answer).await)
    }

    fn push(&self, job: Job) -> Result<(), ApiError> {
        let mut state = self.shared.lock();
        if state.closed || !state.queue.push(job, Instant::now()) {
            let message = "too many searches are waiting: try again in a moment";
            return Err(ApiError::new(Code::Busy, message));
        }
        drop(state);
        self.shared.wake.notify_one();
        Ok(())
    }

    /// Waits for an answer, and sees to it that nobody else waits for too long. `None` if none comes.
    async fn await_answer<T>(&self, mut answer: oneshot::Receiver<T>) -> Option<T> {
        loop {
            match timeout(LOOK, &mut answer).await {
                Ok(heard) => return heard.ok(),
                Err(_) => self.shared.lock().queue.hurry(Instant::now()),
            }
        }
    }

    /// Drops the agents of this game. If it is over, they are told so.
    pub fn forget(&self, game: &str, over: Option<&TableSession>) {
        let gone = self.shared.lock().remembered.forget(game);
        dismiss(gone, over.map(TableSession::fork));
    }

    /// Drops the agents that have not been asked for a while, and gives their memory back.
    pub fn sweep(&self) {
        let gone = self.shared.lock().remembered.forget_idle(self.idle, Instant::now());
        dismiss(gone, None);
    }

    /// Stops everything.
    pub fn close(&self) {
        let mut state = self.shared.lock();
        state.closed = true;
        state.queue.clear();
        let gone = state.remembered.forget_all();
        drop(state);
        self.shared.wake.notify_all();
        drop(gone);
    }
}

/// Drops agents, and tells them first if their game is over. Programs take a moment to exit, and nobody
/// waits for that.
fn dismiss(agents: Vec<TablePlayer>, over: Option<TableSession>) {
    if agents.is_empty() {
        return;
    }
    thread::spawn(move || {
        for mut player in agents {
            if let Some(session) = &over {
                player.game_over(session);
            }
        }
    });
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.close();
    }
}

/// The main loop of a thread, until the pool is closed.
fn run(shared: &Shared, work: Work, cores: &Cores) {
    while let Some((Started { job, number, time, hurry }, known)) = next(shared) {
        // Programs think on whatever core they get. A search that is stopped while it waits for a core
        // is answered at once, as any search that is stopped.
        let held = match work {
            Work::Searching => cores.take_for_page(&hurry),
            Work::Waiting => None,
        };
        match job.task {
            Task::Move(asked, reply) => {
                let (place, ask) = *asked;
                let (heard, player) = think(known, &ask, time, &hurry);
                drop(held);
                // The game of a stopped agent may be over; a new agent costs little.
                let player = player.filter(|_| heard.0.is_ok() && !job.stop.is_set());
                let (client, used) = (ask.client, Instant::now());
                let memory = memory(&ask.agent);
                let kept = player.map(|player| Kept { place, client, player, memory, used });
                let forgotten = finish(shared, number, kept);
                let _ = reply.send(heard);
                drop(forgotten);
            }
            Task::Part(part) => {
                // Whoever waits for a part that fails hears nothing.
                let done = catch_unwind(AssertUnwindSafe(|| part(&hurry)));
                drop(held);
                finish(shared, number, None);
                if done.is_err() {
                    tracing::error!("a search has failed");
                }
            }
        }
    }
}

/// How much memory an agent may have in this process, in MiB.
fn memory(agent: &Agent) -> u32 {
    match agent.kind() {
        AgentKind::BuiltIn(spec) => agents::memory(spec),
        AgentKind::Outside(_) => 0,
    }
}

/// Lets an agent search for at most this long, or for its share of the clock if that is less.
fn think(
    known: Option<TablePlayer>,
    ask: &Ask,
    time: Duration,
    stop: &StopFlag,
) -> (player::Heard<String>, Option<TablePlayer>) {
    let Ask { agent, session, seed, .. } = ask;
    let ready = known.map_or_else(|| TablePlayer::new(agent, session.table(), *seed), Ok);
    let mut player = match ready {
        Ok(player) => player,
        Err(reason) => return ((Err(reason), Duration::ZERO), None),
    };
    let Pace { depth, nodes, .. } = *session.pace();
    let allotted = ask.clock().map_or(time, |clock| clock.allotment().min(time));
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

/// The next job, with its agent if that was kept.
fn next(shared: &Shared) -> Option<(Started<Job>, Option<TablePlayer>)> {
    let mut state = shared.lock();
    loop {
        if state.closed {
            return None;
        }
        if let Some(started) = state.queue.start(Instant::now()) {
            let known = match &started.job.task {
                Task::Move(asked, _) => state.remembered.take(&asked.0),
                Task::Part(_) => None,
            };
            return Some((started, known));
        }
        state = shared.wake.wait(state).unwrap_or_else(PoisonError::into_inner);
    }
}

/// Keeps the agent for its next move. Returns the agents to drop.
fn finish(shared: &Shared, number: u64, kept: Option<Kept>) -> Vec<TablePlayer> {
    let mut state = shared.lock();
    state.queue.end(number);
    match kept {
        Some(kept) if state.closed => vec![kept.player],
        Some(kept) => state.remembered.keep(kept),
        None => Vec::new(),
    }
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
            client: Client::default(),
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
        let pool = Pool::new(1, &Cores::new(4));
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
        assert!(pool.shared.lock().remembered.forget_all().is_empty());
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
        let pool = Pool::new(1, &Cores::new(4));
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
    async fn parts_take_turns_and_one_that_fails_harms_nobody() {
        let pool = Pool::new(1, &Cores::new(4));
        let until_hurried = |hurry: &StopFlag| {
            while !hurry.is_set() {
                thread::sleep(Duration::from_millis(1));
            }
        };
        let run = || pool.run(Client::default(), StopFlag::default(), until_hurried);
        // The first ends because the second waits, which then has the thread for itself.
        let first = tokio::time::timeout(Duration::from_secs(30), async {
            let (one, other) = (run(), run());
            tokio::pin!(one, other);
            tokio::select! {
                done = &mut one => done.unwrap().is_some(),
                done = &mut other => done.unwrap().is_some(),
            }
        });
        assert!(first.await.unwrap());
        let failing = pool.run(Client::default(), StopFlag::default(), |_| panic!("on purpose"));
        assert_eq!(failing.await.unwrap(), None::<()>);
        let next = pool.run(Client::default(), StopFlag::default(), |_| 7);
        assert_eq!(next.await.unwrap(), Some(7));
    }

    #[tokio::test]
    async fn a_job_stopped_before_its_turn_is_not_searched() {
        let pool = Pool::new(1, &Cores::new(4));
        let stop = StopFlag::default();
        stop.stop();
        assert!(pool.ask(place("a"), ask("random", &[]), stop).await.unwrap().is_none());
        pool.close();
        let error =
            pool.ask(place("a"), ask("random", &[]), StopFlag::default()).await.unwrap_err();
        assert_eq!(error.code(), Code::Busy);
    }
}
