//! The schedule's side: gives out games, and takes back what workers played.

mod batch;
mod books;
mod harvest;
mod outlook;
mod packing;
mod status;

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use agon_arena::fingerprint::checksum;
use agon_arena::gallery::Gallery;
use agon_arena::tournament::Tournament;
use agon_arena::venue::VenueError;
use agon_arena::workers::{Desk, Job, Jobs, LocalWorkers, Workers};
use agon_search::StopFlag;
use async_nats::jetstream::Context;
use async_nats::jetstream::consumer::{PullConsumer, pull};
use tokio::runtime::Runtime;

use super::access::{Access, Link};
use super::brief::Brief;
use super::lock::Lock;
use super::names::token;
use super::requirement::Kind;
use super::signs::Signs;
use super::travel::Parcel;
use super::{Build, NatsError, broker, runtime, watch};
use books::Books;
use packing::Packing;
use status::Board;

/// How to play over a broker.
#[derive(Clone)]
pub struct Orders {
    /// The broker.
    pub access: Access,
    /// On how many brokers of a cluster everything is kept.
    pub replicas: usize,
    /// For how long a worker that is not heard of keeps its games.
    pub ack_wait: Duration,
    /// Where metrics are served, if anywhere.
    pub metrics: Option<SocketAddr>,
    /// Told what people should know.
    pub notices: Arc<dyn Fn(Notice) + Send + Sync>,
}

/// What people should know while games are played elsewhere.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Notice {
    /// How things are: workers come and go.
    Remark(String),
    /// Something is wrong, but the run goes on.
    Warning(String),
}

/// How often the same trouble is mentioned.
const COMPLAINTS: Duration = Duration::from_secs(30);

/// What a coordinator knows from one batch to the next.
#[derive(Default)]
struct State {
    books: Books,
    packing: Packing,
    /// The classes of units, each with a consumer.
    classes: BTreeMap<Kind, String>,
    /// The stream of results, while it works.
    incoming: Option<pull::Stream>,
    /// A job that did not fit the unit before.
    carry: Option<Job>,
    exhausted: bool,
    /// How much was refused, in all and by the names of workers.
    refused: u64,
    refused_of: BTreeMap<String, u64>,
    given_back: u64,
    /// Workers that have returned games, have been seen, and have been named because they cannot
    /// play.
    players: BTreeSet<String>,
    seen: BTreeSet<String>,
    named: BTreeSet<String>,
    lonely_since: Option<Instant>,
    last_audit: Option<Instant>,
    complained: Option<Instant>,
    missing_before: bool,
    /// This coordinator, as opposed to those before it.
    epoch: String,
    /// How often everything was sent again.
    sends: u64,
}

/// Plays the games of one tournament on other machines.
pub struct Coordinator {
    id: String,
    run: String,
    name: String,
    orders: Orders,
    build: Build,
    tournament: Tournament,
    brief: Brief,
    brief_sum: String,
    /// The files that its agents need.
    parcels: Vec<Parcel>,
    /// Knows the rules, openings and clocks, for checking what comes back.
    local: LocalWorkers,
    gallery: Arc<Gallery>,
    state: Mutex<State>,
    board: Arc<Board>,
    signs: Arc<Mutex<Signs>>,
    results: PullConsumer,
    broker: Context,
    lock: Option<Lock>,
    runtime: Runtime,
}

impl Coordinator {
    /// Connects, takes the lock of the tournament, and sends the files of its agents. What an earlier
    /// coordinator left in the queue is removed; results that it did not live to see are not.
    pub fn open(tournament: &Tournament, orders: &Orders) -> Result<Coordinator, NatsError> {
        let elsewhere = |error: VenueError| NatsError::Agent {
            agent: "a tournament".into(),
            problem: error.to_string(),
        };
        let local = LocalWorkers::open(tournament, 1).map_err(elsewhere)?;
        check_agents(tournament, &local)?;
        let (brief, parcels) = Brief::of(tournament)?;
        let build = Build::here();
        let runtime = runtime()?;
        let (id, run) = (unique(), run_id(tournament));
        let name = if tournament.name.is_empty() { "match" } else { &tournament.name };
        let signs: Arc<Mutex<Signs>> = Arc::default();
        let (broker, lock, brief_sum, results) = runtime.block_on(async {
            let notices = orders.notices.clone();
            let tell = move |link| match link {
                Link::Changed(text) => notices(Notice::Remark(text)),
                Link::Refused(text) => notices(Notice::Warning(format!("the broker: {text}"))),
            };
            let broker = orders.access.connect("agon coordinator", tell).await?;
            broker::prepare(&broker, orders.replicas).await?;
            let lock = match tournament.name.is_empty() {
                true => None,
                false => Some(Lock::take(&broker, &run, name, &id).await?),
            };
            broker::forget(&broker, &run, None).await?;
            let mut said = Instant::now();
            let mut progress = |file: &std::path::Path| {
                if said.elapsed() > Duration::from_secs(2) {
                    said = Instant::now();
                    let file = agon_arena::files::shown(file);
                    (orders.notices)(Notice::Remark(format!("sending {file}")));
                }
            };
            let brief_sum = brief.send(&broker, &parcels, &mut progress).await?;
            let results = broker::results_consumer(&broker, &run, &id).await?;
            watch::listen(&broker, signs.clone()).await?;
            Ok::<_, NatsError>((broker, lock, brief_sum, results))
        })?;
        let board = Arc::new(Board::new(&run, name));
        runtime.block_on(status::announce(&broker, &board))?;
        if let Some(address) = orders.metrics {
            let board = board.clone();
            super::metrics::serve(address, Arc::new(move || board.metrics()))?;
        }
        Ok(Coordinator {
            id,
            run,
            name: name.to_string(),
            orders: orders.clone(),
            build,
            tournament: tournament.clone(),
            brief,
            brief_sum,
            parcels,
            local,
            gallery: Arc::default(),
            state: Mutex::default(),
            board,
            signs,
            results,
            broker,
            lock,
            runtime,
        })
    }

    /// Tells people something.
    fn notice(&self, notice: Notice) {
        if let Notice::Warning(text) = &notice {
            self.board.warn(text);
        }
        (self.orders.notices)(notice);
    }
}

impl Workers for Coordinator {
    fn play(&self, jobs: &Jobs<'_>, stop: &StopFlag, desk: Desk<'_>) -> Result<(), VenueError> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let played = self.runtime.block_on(self.play_batch(&mut state, jobs, stop, desk));
        played.map_err(|error| VenueError::Elsewhere(error.to_string()))
    }

    fn gallery(&self) -> Option<&Arc<Gallery>> {
        Some(&self.gallery)
    }
}

impl Drop for Coordinator {
    fn drop(&mut self) {
        let state = self.state.get_mut().unwrap_or_else(PoisonError::into_inner);
        // Nobody will ask for the results of a match again.
        let is_over = state.books.waiting() == 0 || self.lock.is_none();
        let consumer = format!("run-{}-{}", self.run, self.id);
        self.runtime.block_on(async {
            let farewell = async {
                let is_ours = match &self.lock {
                    Some(lock) => lock.is_held().await,
                    None => true,
                };
                if is_ours {
                    // What stays is removed by the next coordinator, or by its age.
                    let with_results = is_over.then_some(consumer.as_str());
                    let _ = broker::forget(&self.broker, &self.run, with_results).await;
                }
                if let Some(lock) = &self.lock {
                    lock.release().await;
                }
                let _ = self.broker.client().flush().await;
            };
            let _ = tokio::time::timeout(Duration::from_secs(3), farewell).await;
        });
    }
}

/// Whether built-in agents can play on all terms. Programs are not started here: they may not be able
/// to run on this machine.
fn check_agents(tournament: &Tournament, local: &LocalWorkers) -> Result<(), NatsError> {
    let numbers = 0..tournament.terms.len() as u16;
    for venue in numbers.filter_map(|number| local.venue(number)) {
        for agent in tournament.agents().iter().filter(|agent| !agent.is_outside()) {
            venue.check(agent).map_err(|error| NatsError::Agent {
                agent: agent.text().to_string(),
                problem: error.to_string(),
            })?;
        }
    }
    Ok(())
}

/// The name of a run on the broker: the same for the same tournament, so that results which were on
/// their way when a coordinator died find the next one.
fn run_id(tournament: &Tournament) -> String {
    match tournament.name.as_str() {
        "" => format!("match-{}", unique()),
        name => {
            let sum = checksum(format!("{} {name}", tournament.format.name()).as_bytes());
            format!("{}-{}", token(name), sum.get(..12).unwrap_or_default())
        }
    }
}

/// A text that no other process has.
pub(crate) fn unique() -> String {
    use std::hash::{BuildHasher, Hasher};
    // Seeded by the system for every process, and different for every call.
    let random = std::collections::hash_map::RandomState::new().build_hasher().finish();
    let mixed = agon_core::rng::mix(random ^ u64::from(std::process::id()));
    format!("{mixed:016x}")
}
