//! The AISysProj server: accounts play in environments, run after run, over HTTP.
//!
//! Requests of one account are answered one after the other; those of different accounts do not
//! wait for each other. Whatever a request changes is stored before it is answered, so a run goes
//! on after a crash, and an answer that was sent twice counts once.

mod act;

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex as BlockingMutex, PoisonError};

use agon_arena::contest::{Desk, Environment, Environments, Rating};
use agon_arena::store::{Account, StoreError};
use agon_core::rng::mix;
use tokio::sync::{Mutex, OwnedMutexGuard, Semaphore};

use crate::error::ApiError;
use crate::keeper::Keeper;

pub use act::router;

/// How many desks are kept in memory. Those that nobody uses are forgotten first.
const DESKS: usize = 2000;

/// The desk of an account, once it was opened.
type Place = Arc<Mutex<Option<Desk>>>;

/// All environments of a server, and who plays there.
pub struct Course {
    environments: Environments,
    keeper: Keeper,
    desks: BlockingMutex<HashMap<(String, String), Place>>,
    next_run: AtomicU64,
    /// What all chance comes from.
    seed: u64,
    /// Places for those whose opponents think.
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
            desks: BlockingMutex::default(),
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

    /// A new run: its number, and its seed, which follows from it.
    fn begin(&self) -> (u64, u64) {
        let id = self.next_run.fetch_add(1, Relaxed);
        (id, mix(mix(self.seed) ^ id))
    }

    /// The desk of an account, for one request at a time.
    async fn desk(
        &self,
        environment: &Environment,
        account: &Account,
    ) -> Result<OwnedMutexGuard<Option<Desk>>, ApiError> {
        let key = (environment.id.clone(), account.name.clone());
        let place = {
            let mut desks = self.desks.lock().unwrap_or_else(PoisonError::into_inner);
            if desks.len() >= DESKS && !desks.contains_key(&key) {
                desks.retain(|_, place| Arc::strong_count(place) > 1);
            }
            desks.entry(key).or_default().clone()
        };
        let mut desk = place.lock_owned().await;
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
        Desk::open(environment, &account.name, &runs, rating).map_err(ApiError::failed)
    }
}
