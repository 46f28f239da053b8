//! The AISysProj server: accounts play in environments, run after run, over HTTP.
//!
//! Requests of one account are answered one after another; those of different accounts do not wait
//! for each other. Whatever a request changes is stored before it is answered, so a run resumes
//! after a crash, and an answer that is sent twice counts once.

mod act;
mod door;

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex as BlockingMutex, MutexGuard, PoisonError};

use agon_arena::contest::{Desk, Environment, Environments, Rating};
use agon_arena::store::{Account, StoreError};
use door::Door;
use tokio::sync::{Mutex, OwnedMutexGuard, Semaphore};

use crate::error::ApiError;
use crate::keeper::Keeper;
use crate::limits;
use crate::pace::Pace;

pub use act::router;
pub(crate) use door::is_same;

/// The state of an account in memory.
struct Place {
    /// Its desk, once it was opened.
    desk: Arc<Mutex<Option<Desk>>>,
    /// When the account was created: one that was removed and created again is another account.
    created_at: i64,
    /// Limits its concurrent requests.
    requests: Arc<Semaphore>,
    pace: Pace,
}

/// All environments of a server, and the accounts that play there.
pub struct Course {
    environments: Environments,
    keeper: Keeper,
    places: BlockingMutex<HashMap<(String, String), Arc<Place>>>,
    door: Door,
    next_run: AtomicU64,
    /// The random seed.
    seed: u64,
    /// Limits how many requests let their opponents search at a time.
    working: Arc<Semaphore>,
}

impl Course {
    /// Opens the environments on a store.
    pub fn open(
        environments: Environments,
        keeper: Keeper,
        seed: u64,
        threads: usize,
    ) -> Result<Course, StoreError> {
        let next_run = keeper.look_up(|store| store.next_run())?;
        Ok(Course {
            environments,
            keeper,
            places: BlockingMutex::default(),
            door: Door::default(),
            next_run: AtomicU64::new(next_run),
            seed,
            working: Arc::new(Semaphore::new(threads.max(1))),
        })
    }

    /// All environments.
    pub fn environments(&self) -> &Environments {
        &self.environments
    }

    /// The environment with this id.
    pub fn environment(&self, id: &str) -> Option<&Environment> {
        self.environments.find(id)
    }

    /// The number of a new run.
    fn begin(&self) -> u64 {
        self.next_run.fetch_add(1, Relaxed)
    }

    fn places(&self) -> MutexGuard<'_, HashMap<(String, String), Arc<Place>>> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The state of an account that has shown its password.
    fn place(&self, account: &Account) -> Arc<Place> {
        let key = (account.environment.clone(), account.name.clone());
        let mut places = self.places();
        if places.len() >= limits::AGENTS && !places.contains_key(&key) {
            places.retain(|_, place| Arc::strong_count(place) > 1);
        }
        let new = || Place {
            desk: Arc::default(),
            created_at: account.created_at,
            requests: Arc::new(Semaphore::new(limits::AGENT_REQUESTS)),
            pace: Pace::new(limits::AGENT_PACE),
        };
        let place = places.entry(key).or_insert_with(|| Arc::new(new()));
        if place.created_at != account.created_at {
            *place = Arc::new(new());
        }
        place.clone()
    }

    /// The desk of an account, for one request at a time.
    async fn desk(
        &self,
        environment: &Environment,
        account: &Account,
        place: &Place,
    ) -> Result<OwnedMutexGuard<Option<Desk>>, ApiError> {
        let mut desk = place.desk.clone().lock_owned().await;
        if desk.is_none() {
            *desk = Some(self.read_desk(environment, account).await?);
        }
        Ok(desk)
    }

    async fn read_desk(
        &self,
        environment: &Environment,
        account: &Account,
    ) -> Result<Desk, ApiError> {
        let (id, name, window) = (environment.id.clone(), account.name.clone(), environment.window);
        let looked_up = self.keeper.read(move |store| {
            let account = store.account(&id, &name)?;
            Ok((account, store.open_runs(&id, &name)?, store.outcomes(&id, &name, window)?))
        });
        let (account, runs, outcomes) = looked_up.await?;
        let account = account.ok_or_else(|| ApiError::not_found("there is no such account"))?;
        let rating = Rating::new(window, &outcomes, account.finished, account.best);
        Desk::open(environment, &account.name, &runs, rating, self.seed).map_err(ApiError::failed)
    }
}
