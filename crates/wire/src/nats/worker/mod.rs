//! The side that plays: takes units as long as there are any, and returns games.

mod abilities;
mod briefs;
mod classes;
mod sign;
mod unit;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use agon_arena::Registry;
use agon_arena::fleet::{Abilities, WorkerStatus};
use agon_isolation::Level;
use agon_search::StopFlag;
use async_nats::jetstream;
use async_nats::jetstream::Context;
use futures_util::StreamExt;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};

use super::access::{Access, Link};
use super::broker::refused;
use super::coordinator::unique;
use super::names::{ALL_CANCELS, is_token, token};
use super::{Build, NatsError, runtime};
use briefs::Briefs;
use classes::{Class, Classes, Needs};
use sign::Tally;

/// How long to wait for a unit of the only class there is, and of one of several.
const ONLY_CLASS: Duration = Duration::from_secs(1);
const ONE_OF_MANY: Duration = Duration::from_millis(150);
/// How often flags are looked at.
const LOOK: Duration = Duration::from_millis(100);

/// How a worker works.
#[derive(Clone)]
pub struct Settings {
    /// The broker.
    pub access: Access,
    /// Its name for people.
    pub name: String,
    /// The program that plays, and how fast it is here.
    pub build: Build,
    /// How many games it plays at a time.
    pub slots: usize,
    /// A folder of programs that it has and may run.
    pub agents: Option<PathBuf>,
    /// Whether it runs programs that come from the network.
    pub allow_programs: bool,
    /// How far it isolates programs at least.
    pub at_least: Level,
    /// The agents and games it knows.
    pub registry: Registry,
    /// The interpreter of agents in Python.
    pub python: Option<String>,
    /// Where files from the network are kept.
    pub cache: PathBuf,
    /// Where metrics are served, if anywhere.
    pub metrics: Option<SocketAddr>,
}

/// What a worker reports.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WorkerNews {
    /// It is connected, and takes games.
    Ready(Abilities),
    /// It has returned games.
    Played {
        /// The tournament.
        name: String,
        /// How many games.
        games: usize,
    },
    /// What people should know.
    Remark(String),
    /// Something went wrong; it goes on.
    Warning(String),
}

/// A worker.
pub struct Worker {
    id: String,
    settings: Settings,
    abilities: Abilities,
    broker: Context,
    briefs: Briefs,
    tally: Tally,
    /// The flags of units being played, by their runs.
    running: Mutex<BTreeMap<String, Vec<StopFlag>>>,
    /// Take no more games.
    leave: StopFlag,
    /// Stop the games that are being played.
    halt: StopFlag,
    news: Arc<dyn Fn(WorkerNews) + Send + Sync>,
}

impl Worker {
    /// Plays until `leave` is set: then the games being played are finished, and the others given
    /// back. With `halt`, those being played are given back, too.
    pub fn run(
        settings: Settings,
        leave: &StopFlag,
        halt: &StopFlag,
        news: impl Fn(WorkerNews) + Send + Sync + 'static,
    ) -> Result<WorkerStatus, NatsError> {
        let abilities = abilities::find(&settings);
        let runtime = runtime()?;
        let id = format!("{}-{}", token(&settings.name), &unique()[..8]);
        let news = Arc::new(news);
        let told = news.clone();
        let tell = move |link| match link {
            Link::Changed(text) => told(WorkerNews::Remark(text)),
            Link::Refused(text) => told(WorkerNews::Warning(format!("the broker: {text}"))),
        };
        let name = format!("agon worker {id}");
        let broker = runtime.block_on(settings.access.connect(&name, tell))?;
        let worker = Arc::new(Worker {
            id,
            briefs: Briefs::new(&settings),
            settings,
            abilities,
            broker,
            tally: Tally::default(),
            running: Mutex::default(),
            leave: leave.clone(),
            halt: halt.clone(),
            news,
        });
        if let Some(address) = worker.settings.metrics {
            let seen = worker.clone();
            super::metrics::serve(address, Arc::new(move || seen.metrics()))?;
        }
        runtime.block_on(worker.clone().serve())?;
        let status = worker.status();
        // Threads that play have ended: nothing is lost by not waiting for others.
        runtime.shutdown_timeout(Duration::from_secs(1));
        Ok(status)
    }

    fn warn(&self, text: String) {
        (self.news)(WorkerNews::Warning(text));
    }

    async fn serve(self: Arc<Self>) -> Result<(), NatsError> {
        self.clone().hear_cancels().await?;
        self.clone().announce().await?;
        (self.news)(WorkerNews::Ready(self.abilities.clone()));
        let free = Free::new(&self);
        let mut classes = Classes::default();
        let mut turn = 0;
        while !self.leave.is_set() && !self.halt.is_set() {
            classes.refresh(&self).await;
            let eligible = classes.eligible();
            if eligible.is_empty() {
                sleep(LOOK * 3).await;
                continue;
            }
            turn += 1;
            let class = eligible[turn % eligible.len()].clone();
            let expires = if eligible.len() == 1 { ONLY_CLASS } else { ONE_OF_MANY };
            let Some(held) = free.take(class.needs, &self.leave).await else { continue };
            match pull(&class, expires).await {
                Ok(Some(message)) => {
                    let worker = self.clone();
                    tokio::spawn(async move {
                        worker.take(&class, message).await;
                        drop(held);
                    });
                }
                Ok(None) => {}
                Err(()) => {
                    // The broker is away, or the class is gone.
                    classes.forget();
                    sleep(LOOK * 3).await;
                }
            }
        }
        let playing = self.status().playing.len();
        if playing > 0 && !self.halt.is_set() {
            let text = format!("finishing {playing} games; Ctrl-C again gives them back");
            (self.news)(WorkerNews::Remark(text));
        }
        // The games being played end first, or are given back.
        while !free.is_unused(&self).await {
            if self.halt.is_set() {
                self.stop_all();
            }
        }
        self.say_goodbye().await;
        Ok(())
    }

    /// Stops all games that are being played.
    fn stop_all(&self) {
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.values().flatten().for_each(StopFlag::stop);
    }

    /// Stops games of runs that no longer want them.
    async fn hear_cancels(self: Arc<Self>) -> Result<(), NatsError> {
        let client = self.broker.client();
        let mut cancels =
            client.subscribe(ALL_CANCELS).await.map_err(refused("listen to coordinators"))?;
        tokio::spawn(async move {
            while let Some(message) = cancels.next().await {
                let run = message.subject.rsplit('.').next().unwrap_or_default();
                if is_token(run) {
                    let running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
                    running.get(run).into_iter().flatten().for_each(StopFlag::stop);
                }
            }
        });
        Ok(())
    }
}

/// The cores and the memory that no game uses.
struct Free {
    slots: Arc<Semaphore>,
    memory_mib: Arc<Semaphore>,
}

/// Those that one unit uses, until it is dropped.
type Held = (OwnedSemaphorePermit, OwnedSemaphorePermit);

impl Free {
    fn new(worker: &Worker) -> Free {
        let memory = usize::try_from(worker.abilities.memory_mib).unwrap_or(usize::MAX);
        let memory_mib = Arc::new(Semaphore::new(memory.min(Semaphore::MAX_PERMITS)));
        Free { slots: Arc::new(Semaphore::new(worker.settings.slots)), memory_mib }
    }

    /// Waits for as much as a unit needs; `None` if there will be nothing because the worker leaves.
    async fn take(&self, needs: Needs, leave: &StopFlag) -> Option<Held> {
        let memory = u32::try_from(needs.memory_mib).unwrap_or(u32::MAX);
        let slots = u32::try_from(needs.cores.max(1)).unwrap_or(u32::MAX);
        let memory = take_permits(&self.memory_mib, memory, leave).await?;
        Some((take_permits(&self.slots, slots, leave).await?, memory))
    }

    /// Waits a moment for all slots to be free.
    async fn is_unused(&self, worker: &Worker) -> bool {
        let all = u32::try_from(worker.settings.slots).unwrap_or(u32::MAX);
        timeout(LOOK, self.slots.acquire_many(all)).await.is_ok()
    }
}

/// Waits for permits; `None` if there will be none because the worker leaves.
async fn take_permits(
    free: &Arc<Semaphore>,
    count: u32,
    leave: &StopFlag,
) -> Option<OwnedSemaphorePermit> {
    while !leave.is_set() {
        if let Ok(permit) = timeout(LOOK, free.clone().acquire_many_owned(count)).await {
            return permit.ok();
        }
    }
    None
}

/// Takes one unit of a class, if there is one.
async fn pull(class: &Class, expires: Duration) -> Result<Option<jetstream::Message>, ()> {
    let batch = class.consumer.batch().max_messages(1).expires(expires).messages();
    // The broker may be away: its answer is not waited for without end.
    let asked = async {
        let mut messages = batch.await.map_err(drop)?;
        match messages.next().await {
            Some(Ok(message)) => Ok(Some(message)),
            Some(Err(_)) => Err(()),
            None => Ok(None),
        }
    };
    timeout(expires + Duration::from_secs(5), asked).await.unwrap_or(Err(()))
}
