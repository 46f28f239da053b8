//! What a worker says about itself.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use agon_arena::fleet::{Playing, Refusal, WorkerStatus};
use futures_util::StreamExt;

use super::super::NatsError;
use super::super::broker::refused;
use super::super::metrics::Metric;
use super::super::names::{PING, SIGN_OF_LIFE, short};
use super::Worker;

/// Over how long the rate of games is measured.
const RECENTLY: Duration = Duration::from_secs(300);
/// For how long a class is left alone after its games could not be played here.
const SHUNNED: Duration = Duration::from_secs(60);
/// The most that is left to others at a time.
const MOST_SHUNNED: usize = 100;

/// What is being played.
struct Now {
    run: String,
    first: u64,
    games: u64,
    since: Instant,
}

struct Counts {
    began: Instant,
    playing: BTreeMap<u64, Now>,
    next: u64,
    games: u64,
    faults: u64,
    troubles: u64,
    /// When games ended, and how many.
    recent: VecDeque<(Instant, u64)>,
    refusals: Vec<Refusal>,
    shunned: BTreeMap<String, (Instant, Refusal)>,
}

/// Counts what a worker does.
pub(super) struct Tally {
    counts: Mutex<Counts>,
    /// Messages that were refused.
    pub refused: AtomicU64,
}

impl Default for Tally {
    fn default() -> Tally {
        let counts = Counts {
            began: Instant::now(),
            playing: BTreeMap::new(),
            next: 0,
            games: 0,
            faults: 0,
            troubles: 0,
            recent: VecDeque::new(),
            refusals: Vec::new(),
            shunned: BTreeMap::new(),
        };
        Tally { counts: Mutex::new(counts), refused: AtomicU64::new(0) }
    }
}

impl Tally {
    fn lock(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Games are being played from now on. Returns a number for [`Tally::ends`].
    pub fn begins(&self, run: &str, first: u64, games: u64) -> u64 {
        let mut counts = self.lock();
        let number = counts.next;
        counts.next += 1;
        let now = Now { run: run.to_string(), first, games, since: Instant::now() };
        counts.playing.insert(number, now);
        number
    }

    /// They have been returned.
    pub fn ends(&self, number: u64, games: u64, faults: u64) {
        let mut counts = self.lock();
        counts.playing.remove(&number);
        counts.games += games;
        counts.faults += faults;
        counts.recent.push_back((Instant::now(), games));
        while counts.recent.front().is_some_and(|(at, _)| at.elapsed() > RECENTLY) {
            counts.recent.pop_front();
        }
    }

    /// Something could not be played here, a class or a brief: it is left to others for a while.
    pub fn shun(&self, what: &str, reason: &str) {
        let mut counts = self.lock();
        counts.troubles += 1;
        let refusal = Refusal { run: what.to_string(), reason: short(reason) };
        counts.shunned.insert(what.to_string(), (Instant::now(), refusal));
        while counts.shunned.len() > MOST_SHUNNED {
            counts.shunned.pop_first();
        }
    }

    pub fn is_shunned(&self, what: &str) -> bool {
        let mut counts = self.lock();
        counts.shunned.retain(|_, (since, _)| since.elapsed() < SHUNNED);
        counts.shunned.contains_key(what)
    }

    /// What is left to others, and why.
    pub fn shunned(&self) -> Vec<Refusal> {
        self.lock().shunned.values().map(|(_, refusal)| refusal.clone()).collect()
    }

    /// The classes that cannot be played here.
    pub fn refuse(&self, refusals: Vec<Refusal>) {
        self.lock().refusals = refusals;
    }
}

impl Worker {
    /// What it says about itself.
    pub(super) fn status(&self) -> WorkerStatus {
        let counts = self.tally.lock();
        let playing = counts.playing.values().map(|now| Playing {
            run: now.run.clone(),
            first: now.first,
            games: now.games,
            seconds: now.since.elapsed().as_secs(),
        });
        let measured = counts.began.elapsed().min(RECENTLY).as_secs_f64().max(1.0);
        let recent: u64 = counts.recent.iter().map(|(_, games)| games).sum();
        WorkerStatus {
            id: self.id.clone(),
            name: self.settings.name.clone(),
            abilities: self.abilities.clone(),
            slots: self.settings.slots,
            playing: playing.collect(),
            games: counts.games,
            faults: counts.faults,
            troubles: counts.troubles,
            seconds: counts.began.elapsed().as_secs(),
            games_per_hour: recent as f64 / measured * 3600.0,
            leaving: self.leave.is_set(),
            refused: counts.refusals.clone(),
        }
    }

    pub(super) fn metrics(&self) -> Vec<Metric> {
        let it = self.status();
        let refused = self.tally.refused.load(Relaxed) as f64;
        vec![
            Metric::plain("agon_worker_slots", "Games at a time.", false, it.slots as f64),
            Metric::plain(
                "agon_worker_units_playing",
                "Units being played.",
                false,
                it.playing.len() as f64,
            ),
            Metric::plain("agon_worker_games", "Games played.", true, it.games as f64),
            Metric::plain(
                "agon_worker_faults",
                "Games in which an agent committed a fault.",
                true,
                it.faults as f64,
            ),
            Metric::plain(
                "agon_worker_troubles",
                "Units that could not be played here.",
                true,
                it.troubles as f64,
            ),
            Metric::plain("agon_worker_messages_refused", "Messages refused.", true, refused),
            Metric::plain(
                "agon_worker_speed",
                "Nodes a second of the bench on one core.",
                false,
                it.abilities.speed as f64,
            ),
        ]
    }

    /// Says every few seconds that it is there, and whenever somebody asks.
    pub(super) async fn announce(self: Arc<Self>) -> Result<(), NatsError> {
        let client = self.broker.client();
        let mut pings = client.subscribe(PING).await.map_err(refused("listen to questions"))?;
        tokio::spawn(async move {
            let mut tick = tokio::time::interval(SIGN_OF_LIFE);
            loop {
                tokio::select! {
                    _ = tick.tick() => {}
                    ping = pings.next() => if ping.is_none() { return },
                }
                self.sign().await;
            }
        });
        Ok(())
    }

    async fn sign(&self) {
        let text = serde_json::to_vec(&self.status()).unwrap_or_default();
        // If the broker is away, nobody can hear it.
        let _ = self.broker.client().publish(format!("agon.status.{}", self.id), text.into()).await;
    }

    /// The last sign: it is leaving.
    pub(super) async fn say_goodbye(&self) {
        self.sign().await;
        let flush = self.broker.client();
        let _ = tokio::time::timeout(Duration::from_secs(1), flush.flush()).await;
    }
}
