//! The games in memory, and the pages that follow them.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex as BlockingMutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use agon_arena::cores::Cores;
use agon_arena::session::TableSession;
use agon_arena::store::{Sitting, SittingChange};
use agon_games::Catalog;
use tokio::sync::{Mutex, watch};

use super::document::Document;
use super::owners::Tokens;
use super::playing::Playing;
use crate::clients::Client;
use crate::error::{ApiError, Code};
use crate::keeper::Keeper;
use crate::limits;
use crate::pace::Paces;
use crate::pool::Pool;
use crate::rivals::Rivals;
use crate::shares::{Share, Shares};
use crate::view::Part;

/// A game in memory.
pub struct LiveGame {
    /// Its id.
    pub id: String,
    /// Whether another process plays it.
    pub(super) is_elsewhere: bool,
    /// The game itself. Every change is stored before the lock is released.
    pub playing: Mutex<Playing>,
    /// Signals changes.
    changes: watch::Sender<u64>,
    watchers: AtomicUsize,
    /// When it was last requested.
    asked: BlockingMutex<Instant>,
    /// Who began it or last opened it: agents search for this client.
    client: BlockingMutex<Client>,
}

impl LiveGame {
    fn new(id: String, playing: Playing) -> LiveGame {
        let (changes, _) = watch::channel(playing.details.version);
        LiveGame {
            id,
            is_elsewhere: playing.details.is_elsewhere(),
            playing: Mutex::new(playing),
            changes,
            watchers: AtomicUsize::new(0),
            asked: BlockingMutex::new(Instant::now()),
            client: BlockingMutex::default(),
        }
    }

    /// For whom agents search.
    pub(super) fn client(&self) -> Client {
        *self.client.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn opened_by(&self, client: Client) {
        *self.client.lock().unwrap_or_else(PoisonError::into_inner) = client;
    }

    fn is_watched(&self) -> bool {
        self.watchers.load(Ordering::Relaxed) > 0
    }

    fn asked(&self) -> MutexGuard<'_, Instant> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether somebody is watching or was until a moment ago.
    pub fn is_wanted(&self) -> bool {
        self.is_watched() || self.asked().elapsed() < limits::LEASE
    }

    /// Notifies all pages.
    pub(super) fn publish(&self, version: u64) {
        self.changes.send_replace(version);
    }
}

/// The games in memory.
pub struct Hub {
    games: BlockingMutex<HashMap<String, Arc<LiveGame>>>,
    /// The pages that follow games or analyse.
    watchers: Shares,
    /// Tells pages that follow no game that the server closes.
    closing: watch::Sender<bool>,
    /// How often clients begin games.
    beginning: Paces,
    /// Where games are stored.
    pub keeper: Keeper,
    /// Where agents search.
    pub pool: Pool,
    /// Where programs are waited for: they use no search threads and must not block them.
    pub programs: Pool,
    /// Which agents may play.
    pub rivals: Rivals,
}

impl Hub {
    /// A hub without games.
    pub fn new(keeper: Keeper, pool: Pool, rivals: Rivals, cores: &Cores) -> Arc<Hub> {
        let (games, watchers) = (BlockingMutex::default(), Shares::new(limits::WATCHERS));
        let (beginning, programs) = (Paces::new(limits::BEGINNING), Pool::for_programs(cores));
        let (closing, _) = watch::channel(false);
        Arc::new(Hub { games, watchers, closing, beginning, keeper, pool, programs, rivals })
    }

    fn games(&self) -> MutexGuard<'_, HashMap<String, Arc<LiveGame>>> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts a game with this id for a client and stores it. Runs to its end even if the caller goes
    /// away.
    pub async fn create(
        self: &Arc<Hub>,
        id: String,
        document: Document,
        client: Client,
    ) -> Result<Arc<LiveGame>, ApiError> {
        if let Err(wait) = self.beginning.admit(client, Instant::now()) {
            let seconds = wait.as_secs() + 1;
            let message =
                format!("your network begins too many games: try again in {seconds} seconds");
            return Err(ApiError::new(Code::TooMany, message));
        }
        self.make_room(client).await?;
        let hub = self.clone();
        let created = tokio::spawn(async move {
            let playing = Playing::open(hub.catalog(), document).map_err(ApiError::bad)?;
            let change = match playing.kept_as(&id, hub.rivals.registry())? {
                SittingChange::Put(sitting) => SittingChange::Begin(sitting, client.to_string()),
                over => over,
            };
            let game = hub.insert(id, playing)?;
            game.opened_by(client);
            let mut playing = game.playing.lock().await;
            if let Err(problem) = hub.keeper.change(change).await {
                playing.gone = true;
                hub.games().remove(&game.id);
                return Err(problem);
            }
            hub.drive(&game, &mut playing);
            drop(playing);
            Ok(game)
        });
        created.await.map_err(ApiError::failed)?
    }

    /// The games that can be played.
    pub fn catalog(&self) -> &Catalog {
        self.rivals.registry().catalog()
    }

    /// The game with this id, from memory or from the store. A game that is played elsewhere is
    /// brought up to date.
    pub async fn find(self: &Arc<Hub>, id: &str) -> Result<Arc<LiveGame>, ApiError> {
        if let Some(game) = self.loaded(id) {
            if game.is_elsewhere {
                self.catch_up(&game, &mut *game.playing.lock().await).await?;
            }
            return Ok(game);
        }
        let playing = self.load(id).await?;
        self.insert(id.to_string(), playing)
    }

    /// Whether pages follow the game with this id.
    pub(super) fn is_watched(&self, id: &str) -> bool {
        self.games().get(id).is_some_and(|game| game.is_watched())
    }

    /// The game with this id, if it is in memory.
    fn loaded(&self, id: &str) -> Option<Arc<LiveGame>> {
        let game = self.games().get(id).cloned()?;
        *game.asked() = Instant::now();
        Some(game)
    }

    /// Opens a stored game.
    async fn load(&self, id: &str) -> Result<Playing, ApiError> {
        let document = self.read(id).await?.ok_or_else(no_such_game)?;
        Playing::open(self.catalog(), document).map_err(unreadable)
    }

    /// The document of a stored game, if there is one.
    pub(super) async fn read(&self, id: &str) -> Result<Option<Document>, ApiError> {
        let name = id.to_string();
        let sitting = self.keeper.read(move |store| store.sitting(&name)).await?;
        let read = |sitting: Sitting| Document::read(&sitting.document).map_err(unreadable);
        sitting.map(read).transpose()
    }

    /// Puts a game into memory, unless another request already has.
    fn insert(&self, id: String, playing: Playing) -> Result<Arc<LiveGame>, ApiError> {
        let mut games = self.games();
        if games.len() >= limits::LOADED && !games.contains_key(&id) {
            forget_idle(&mut games, |game| !game.is_wanted());
            // One client could go on requesting its games to keep them here.
            if games.len() >= limits::LOADED {
                forget_idle(&mut games, |game| !game.is_watched());
            }
            if games.len() >= limits::LOADED {
                let message = "too many games are being played: try again later";
                return Err(ApiError::new(Code::Busy, message));
            }
        }
        let new = || Arc::new(LiveGame::new(id.clone(), playing));
        Ok(games.entry(id.clone()).or_insert_with(new).clone())
    }

    /// Deletes a game from memory and store, and notifies the pages.
    pub async fn delete(&self, id: &str) -> Result<(), ApiError> {
        match self.loaded(id) {
            // The lock keeps others from changing it meanwhile.
            Some(game) => {
                let mut playing = game.playing.lock().await;
                self.keeper.delete(id.to_string()).await?;
                self.forget(&game, &mut playing);
            }
            None => self.keeper.delete(id.to_string()).await?,
        }
        self.forget_agents(id);
        Ok(())
    }

    /// Drops a deleted game: whoever still holds it cannot change it any more.
    pub(super) fn forget(&self, game: &LiveGame, playing: &mut Playing) {
        playing.cancel();
        playing.gone = true;
        self.games().remove(&game.id);
        game.publish(GONE);
    }

    /// Drops the agents of this game.
    pub(super) fn forget_agents(&self, id: &str) {
        self.pool.forget(id, None);
        self.programs.forget(id, None);
    }

    /// Tells the agents that the game is over, and drops them.
    pub(super) fn dismiss_agents(&self, id: &str, session: &TableSession) {
        self.pool.forget(id, Some(session));
        self.programs.forget(id, Some(session));
    }

    /// Unloads idle games, which stay in the store, and idle agents.
    pub fn sweep(&self) {
        self.pool.sweep();
        self.programs.sweep();
        let idle = |game: &LiveGame| game.asked().elapsed() > limits::IDLE && !game.is_wanted();
        forget_idle(&mut self.games(), idle);
    }

    /// Stops every search and closes every page's connection.
    pub async fn close(&self) {
        self.pool.close();
        self.programs.close();
        self.closing.send_replace(true);
        let games: Vec<Arc<LiveGame>> = self.games().values().cloned().collect();
        for game in games {
            game.publish(GONE);
        }
        while self.watchers.taken() > 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Notes that a client requested the game, so that an agent to move starts or goes on thinking.
    pub async fn attend(self: &Arc<Hub>, game: &Arc<LiveGame>, client: Client) {
        *game.asked() = Instant::now();
        game.opened_by(client);
        let mut playing = game.playing.lock().await;
        self.drive(game, &mut playing);
    }

    /// A place for an open page of this client, unless it has too many.
    pub(crate) fn page(&self, client: Client) -> Result<Share, ApiError> {
        self.watchers.take(client).ok_or_else(|| {
            let message = "too many pages of your network are open: close some";
            ApiError::new(Code::TooMany, message)
        })
    }

    /// Becomes true when the server closes.
    pub(crate) fn closing(&self) -> watch::Receiver<bool> {
        self.closing.subscribe()
    }

    /// Follows a game from now on, unless too many pages of this client do.
    pub async fn watch(
        self: &Arc<Hub>,
        game: Arc<LiveGame>,
        client: Client,
    ) -> Result<Watcher, ApiError> {
        let place = self.page(client)?;
        game.watchers.fetch_add(1, Ordering::Relaxed);
        let changes = game.changes.subscribe();
        let watcher = Watcher { hub: self.clone(), game, changes, _place: place };
        self.attend(&watcher.game, client).await;
        Ok(watcher)
    }

    /// Makes a change, stores it, notifies the pages and lets the next player think. If it cannot be
    /// stored, nothing has changed. Runs to its end even if the caller goes away.
    pub async fn change<T: Send + 'static>(
        self: &Arc<Hub>,
        game: &Arc<LiveGame>,
        change: impl FnOnce(&mut Playing) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let (hub, game) = (self.clone(), game.clone());
        let changing = tokio::spawn(async move {
            let mut playing = game.playing.lock().await;
            let done = hub.change_locked(&game, &mut playing, change).await;
            hub.drive(&game, &mut playing);
            done
        });
        changing.await.map_err(ApiError::failed)?
    }

    /// Makes a change, stores it and notifies the pages, for a caller that has locked the game and is
    /// not cancelled halfway.
    pub(super) async fn change_locked<T>(
        &self,
        game: &LiveGame,
        playing: &mut Playing,
        change: impl FnOnce(&mut Playing) -> Result<T, ApiError>,
    ) -> Result<T, ApiError> {
        if playing.gone {
            return Err(no_such_game());
        }
        if game.is_elsewhere {
            let message = "this game is played elsewhere and only shown here: it cannot be changed";
            return Err(ApiError::new(Code::Forbidden, message));
        }
        let before = playing.memento();
        let done = change(playing)?;
        let kept = match playing.kept_as(&game.id, self.rivals.registry()) {
            Ok(change) => self.keeper.change(change).await,
            Err(problem) => Err(problem),
        };
        if let Err(problem) = kept {
            playing.restore(before);
            return Err(problem);
        }
        game.publish(playing.details.version);
        Ok(done)
    }

    /// Tells the pages why an agent's move is delayed.
    pub(super) async fn report_trouble(&self, game: &LiveGame, problem: &ApiError) {
        let mut playing = game.playing.lock().await;
        if playing.trouble.is_none() && !playing.is_over() {
            playing.trouble = Some(problem.to_string());
            playing.touched();
            game.publish(playing.details.version);
        }
    }
}

pub(super) fn no_such_game() -> ApiError {
    ApiError::not_found("there is no such game, or it has been deleted")
}

pub(super) fn unreadable(error: String) -> ApiError {
    ApiError::failed(format!("this game cannot be read: {error}"))
}

/// The version of a deleted game.
const GONE: u64 = u64::MAX;

/// An id that nobody can guess: 100 random bits as letters and digits.
pub fn new_id() -> Result<String, ApiError> {
    const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    let mut bytes = [0u8; 20];
    getrandom::fill(&mut bytes)
        .map_err(|error| ApiError::failed(format!("no random numbers: {error}")))?;
    Ok(bytes.iter().map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect())
}

/// Removes the games that are idle and not in use.
fn forget_idle(games: &mut HashMap<String, Arc<LiveGame>>, idle: impl Fn(&LiveGame) -> bool) {
    games.retain(|_, game| Arc::strong_count(game) > 1 || !idle(game));
}

/// A page that follows a game.
pub struct Watcher {
    hub: Arc<Hub>,
    game: Arc<LiveGame>,
    changes: watch::Receiver<u64>,
    _place: Share,
}

impl Watcher {
    /// The current version and JSON of the game; `None` if it has been deleted.
    pub async fn now(&mut self, part: Part, tokens: &Tokens) -> Option<(u64, Arc<str>)> {
        if *self.changes.borrow_and_update() == GONE {
            return None;
        }
        let mut playing = self.game.playing.lock().await;
        let json = playing.json(&self.game.id, &self.hub.rivals, part, tokens);
        Some((playing.details.version, json))
    }

    /// Waits for a change. Several changes may be reported as one.
    pub async fn changed(&mut self) {
        // The sender lives as long as the game, which this holds.
        let _ = self.changes.changed().await;
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        *self.game.asked() = Instant::now();
        self.game.watchers.fetch_sub(1, Ordering::Relaxed);
    }
}
