//! The store behind the pages: a thread of its own writes the changes, many in one transaction.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use agon_arena::store::{
    AnalysisChange, RunChange, SittingChange, Store, StoreError, StoreProblem,
};
use tokio::sync::oneshot;
use tokio::task::spawn_blocking;

use crate::error::{ApiError, Code};
use crate::limits;

/// How many changes go into one transaction at most.
const TOGETHER: usize = 256;

/// A change, and where to report its result.
type Change<T> = (T, oneshot::Sender<Result<(), String>>);

/// Keeps games in the store of a data folder.
#[derive(Clone)]
pub struct Keeper {
    sittings: Queue<SittingChange>,
    runs: Queue<Vec<RunChange>>,
    analyses: Queue<AnalysisChange>,
    /// For reading; writers do not wait for it.
    reading: Arc<Mutex<Store>>,
    /// For reading what takes long, so that games do not wait for it.
    studying: Arc<Mutex<Store>>,
    /// For browsing records, of which there may be very many.
    browsing: Arc<Mutex<Store>>,
    folder: PathBuf,
}

impl Keeper {
    /// Opens the store; to read only, where it cannot be written.
    pub fn open(folder: &Path) -> Result<Keeper, StoreError> {
        let open = || -> Result<Store, StoreError> {
            let store = Store::open(folder)?;
            store.set_patience(limits::STORE)?;
            Ok(store)
        };
        let shared = |store| Arc::new(Mutex::new(store));
        let reading = match open() {
            Err(error) if error.problem().may_be_readable() => {
                let store = Store::open_read_only(folder).map_err(|_| error)?;
                return Ok(Keeper {
                    sittings: Queue::closed(),
                    runs: Queue::closed(),
                    analyses: Queue::closed(),
                    reading: shared(store),
                    studying: shared(Store::open_read_only(folder)?),
                    browsing: shared(Store::open_read_only(folder)?),
                    folder: folder.to_path_buf(),
                });
            }
            opened => shared(opened?),
        };
        let make_runs = |store: &Store, changes: &[Vec<RunChange>]| {
            store.change_runs(&changes.iter().flatten().cloned().collect::<Vec<_>>())
        };
        Ok(Keeper {
            sittings: Queue::open(open()?, |store, changes| store.change_sittings(changes)),
            runs: Queue::open(open()?, make_runs),
            analyses: Queue::open(open()?, |store, changes| store.change_analyses(changes)),
            reading,
            studying: shared(open()?),
            browsing: shared(open()?),
            folder: folder.to_path_buf(),
        })
    }

    /// Whether games can only be read.
    pub(crate) fn is_read_only(&self) -> bool {
        self.sittings.0.is_none()
    }

    /// Deletes a game.
    pub async fn delete(&self, id: String) -> Result<(), ApiError> {
        self.change(SittingChange::Delete(id)).await
    }

    /// Makes a change. When this returns, the change is durable.
    pub async fn change(&self, change: SittingChange) -> Result<(), ApiError> {
        self.sittings.make(change).await
    }

    /// Makes changes to runs, all or none. When this returns, they are durable.
    pub async fn change_runs(&self, changes: Vec<RunChange>) -> Result<(), ApiError> {
        if changes.is_empty() { Ok(()) } else { self.runs.make(changes).await }
    }

    /// Changes an analysis, or keeps a review. When this returns, the change is durable.
    pub async fn change_analyses(&self, change: AnalysisChange) -> Result<(), ApiError> {
        self.analyses.make(change).await
    }

    /// Looks something up in the store.
    pub fn look_up<T>(
        &self,
        look_up: impl FnOnce(&Store) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        look_up(&self.reading.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Looks up what may take seconds. One reads at a time, and nobody who plays waits for it.
    pub fn study<T>(&self, look_up: impl FnOnce(&Store) -> T) -> T {
        look_up(&self.studying.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The store once more, to read from for as long as it takes.
    pub fn fresh(&self) -> Result<Store, StoreError> {
        Store::open_read_only(&self.folder)
    }

    /// Looks through records, which takes longer the more there are. Nobody who plays waits for it.
    pub async fn browse<T: Send + 'static>(
        &self,
        look_up: impl FnOnce(&Store) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let browsing = self.browsing.clone();
        let looking = spawn_blocking(move || {
            look_up(&browsing.lock().unwrap_or_else(PoisonError::into_inner))
        });
        looking.await.map_err(ApiError::failed)?
    }

    /// Looks something up in the store, without blocking other tasks.
    pub async fn read<T: Send + 'static>(
        &self,
        look_up: impl FnOnce(&Store) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let keeper = self.clone();
        match spawn_blocking(move || keeper.look_up(look_up)).await {
            Ok(found) => found.map_err(ApiError::failed),
            Err(error) => Err(ApiError::failed(error)),
        }
    }
}

/// The write queue for changes of one kind; none where nothing can be written.
struct Queue<T>(Option<Sender<Change<T>>>);

impl<T> Clone for Queue<T> {
    fn clone(&self) -> Self {
        Queue(self.0.clone())
    }
}

impl<T: Send + 'static> Queue<T> {
    fn open(store: Store, make: fn(&Store, &[T]) -> Result<(), StoreError>) -> Queue<T> {
        let (changes, waiting) = channel();
        thread::spawn(move || write(&store, &waiting, make));
        Queue(Some(changes))
    }

    fn closed() -> Queue<T> {
        Queue(None)
    }

    async fn make(&self, change: T) -> Result<(), ApiError> {
        let Some(changes) = &self.0 else {
            let message = "games here can only be looked at: the data folder cannot be written";
            return Err(ApiError::new(Code::NotAllowed, message));
        };
        let (done, waiting) = oneshot::channel();
        let sent = changes.send((change, done));
        let result = match sent {
            Ok(()) => waiting.await.unwrap_or_else(|_| Err("the store is closed".into())),
            Err(_) => Err("the store is closed".into()),
        };
        result.map_err(|error| ApiError::failed(format!("the game cannot be stored: {error}")))
    }
}

/// Writes changes until the queue is closed. Those that are waiting go into one transaction; if it
/// fails, each is written alone, so that one bad change does not spoil the others. That is pointless
/// if the store is busy or the disk is full.
fn write<T>(
    store: &Store,
    waiting: &Receiver<Change<T>>,
    make: fn(&Store, &[T]) -> Result<(), StoreError>,
) {
    while let Ok(first) = waiting.recv() {
        let mut batch = vec![first];
        batch.extend(waiting.try_iter().take(TOGETHER - 1));
        let (changes, done): (Vec<_>, Vec<_>) = batch.into_iter().unzip();
        let together = make(store, &changes);
        let hopeless = |error: &StoreError| {
            use StoreProblem::{Busy, Full, Gone, Io};
            matches!(error.problem(), Busy | Full | Gone | Io(_))
        };
        for (change, done) in changes.into_iter().zip(done) {
            let result = match &together {
                Ok(()) => Ok(()),
                Err(error) if hopeless(error) => Err(error.to_string()),
                Err(_) => make(store, &[change]).map_err(|error| error.to_string()),
            };
            let _ = done.send(result);
        }
    }
}
