//! The store behind the pages: changes go through one thread, many in one transaction.

use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use agon_arena::store::{SittingChange, Store, StoreError, StoreProblem};
use tokio::sync::oneshot;
use tokio::task::spawn_blocking;

use crate::error::ApiError;
use crate::limits;

/// How many changes go into one transaction at most.
const TOGETHER: usize = 256;

/// A change, and who waits for it.
type Change = (SittingChange, oneshot::Sender<Result<(), String>>);

/// Keeps games in the store of a data folder.
#[derive(Clone)]
pub struct Keeper {
    changes: Sender<Change>,
    /// For reading; nobody who writes waits for it.
    reading: Arc<Mutex<Store>>,
}

impl Keeper {
    /// Opens the store.
    pub fn open(folder: &Path) -> Result<Keeper, StoreError> {
        let (writing, reading) = (Store::open(folder)?, Store::open(folder)?);
        writing.set_patience(limits::STORE)?;
        reading.set_patience(limits::STORE)?;
        let (changes, waiting) = channel();
        thread::spawn(move || write(&writing, &waiting));
        Ok(Keeper { changes, reading: Arc::new(Mutex::new(reading)) })
    }

    /// Forgets a game.
    pub async fn delete(&self, id: String) -> Result<(), ApiError> {
        self.change(SittingChange::Delete(id)).await
    }

    /// Makes a change. When this returns, it is made, whatever happens to this process.
    pub async fn change(&self, change: SittingChange) -> Result<(), ApiError> {
        let (done, waiting) = oneshot::channel();
        let sent = self.changes.send((change, done));
        let result = match sent {
            Ok(()) => waiting.await.unwrap_or_else(|_| Err("the store is closed".into())),
            Err(_) => Err("the store is closed".into()),
        };
        result.map_err(|error| ApiError::failed(format!("the game cannot be stored: {error}")))
    }

    /// Looks something up in the store, without holding up anybody else.
    pub async fn read<T: Send + 'static>(
        &self,
        look_up: impl FnOnce(&Store) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let store = self.reading.clone();
        let reading = move || {
            let store = store.lock().unwrap_or_else(PoisonError::into_inner);
            look_up(&store)
        };
        match spawn_blocking(reading).await {
            Ok(found) => found.map_err(ApiError::failed),
            Err(error) => Err(ApiError::failed(error)),
        }
    }
}

/// Writes what comes until nobody can send any more. What has come meanwhile goes into the same
/// transaction; if one of them cannot be written, each alone, so that nobody pays for others. Where
/// the file is taken or the disk is full, that would only take longer.
fn write(store: &Store, waiting: &Receiver<Change>) {
    while let Ok(first) = waiting.recv() {
        let mut batch = vec![first];
        batch.extend(waiting.try_iter().take(TOGETHER - 1));
        let (changes, done): (Vec<_>, Vec<_>) = batch.into_iter().unzip();
        let together = store.change_sittings(&changes);
        let hopeless =
            |error: &StoreError| matches!(error.problem(), StoreProblem::Busy | StoreProblem::Full);
        for (change, done) in changes.into_iter().zip(done) {
            let result = match &together {
                Ok(()) => Ok(()),
                Err(error) if hopeless(error) => Err(error.to_string()),
                Err(_) => store.change_sittings(&[change]).map_err(|error| error.to_string()),
            };
            let _ = done.send(result);
        }
    }
}
