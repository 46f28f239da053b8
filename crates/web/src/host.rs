//! Plays tournaments in this server.
//!
//! The store says which: a series that is hosted here keeps its file and whether it runs or is paused.
//! So a server that was killed continues where it was, and the command line sees the same series. Each
//! is played by a thread of its own, on cores that the pages share (`agon_arena::cores`).

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use agon_arena::cores::Cores;
use agon_arena::registry::Provider;
use agon_arena::store::{Hosting, Series, SeriesId, Store, StoreError, StoreProblem};
use agon_arena::tournament::forecast::forecast;
use agon_arena::tournament::run::{RunError, enroll, run_sharing};
use agon_arena::tournament::{Changed, Tournament, changes, names_files, read_text};
use agon_search::StopFlag;

use crate::error::{ApiError, Code};
use crate::limits;
use crate::rivals::{Programs, Rivals, Secret, WRONG_SECRET, refusal};

/// The tournaments of this server.
pub struct Host {
    folder: PathBuf,
    cores: Cores,
    /// Whoever knows this runs the server; none where only this machine can reach it.
    owner: Option<Secret>,
    playing: Mutex<HashMap<SeriesId, Playing>>,
    /// Why a tournament does not go on, if it should.
    troubles: Mutex<HashMap<SeriesId, String>>,
    /// One change at a time, so that nobody starts what somebody else is about to stop.
    changing: Mutex<()>,
    closed: AtomicBool,
}

/// A tournament that is being played.
struct Playing {
    stop: StopFlag,
    thread: JoinHandle<()>,
}

/// The size of a tournament that has been read.
pub struct Plan {
    /// The tournament.
    pub tournament: Tournament,
    /// How many games there are at most.
    pub games: u64,
    /// How many are played at a time.
    pub at_a_time: usize,
    /// How long it takes at most, in seconds, if time limits it.
    pub seconds: Option<f64>,
}

impl Host {
    /// Plays tournaments of this data folder on these cores; where strangers can reach the server,
    /// for those who know the secret of its `owner`.
    pub fn new(folder: &Path, cores: Cores, owner: Option<Secret>) -> Arc<Host> {
        Arc::new(Host {
            folder: folder.to_path_buf(),
            cores,
            owner,
            playing: Mutex::default(),
            troubles: Mutex::default(),
            changing: Mutex::default(),
            closed: AtomicBool::new(false),
        })
    }

    /// Whether this server plays a tournament now.
    pub fn plays(&self, series: SeriesId) -> bool {
        lock(&self.playing).contains_key(&series)
    }

    /// Why a tournament does not go on, if it should.
    pub fn trouble(&self, series: SeriesId) -> Option<String> {
        lock(&self.troubles).get(&series).cloned()
    }

    /// Reads a tournament's file. Everything that can be wrong with it is found here.
    pub fn plan(
        &self,
        text: &str,
        rivals: &Rivals,
        secret: Option<&str>,
    ) -> Result<Plan, ApiError> {
        let tournament = self.read(text, rivals, secret)?;
        let at_a_time = self.at_a_time(&tournament);
        let forecast = forecast(&tournament);
        let seconds = forecast.at_a_time(at_a_time).map(|time| time.as_secs_f64());
        Ok(Plan { tournament, games: forecast.games, at_a_time, seconds })
    }

    /// Begins a tournament under a new name.
    pub fn begin(
        self: &Arc<Host>,
        text: &str,
        rivals: &Rivals,
        secret: Option<&str>,
    ) -> Result<String, ApiError> {
        let _changing = lock(&self.changing);
        let tournament = self.read(text, rivals, secret)?;
        let store = self.store()?;
        if store.find_tournament(&tournament.name).map_err(ApiError::failed)?.is_some() {
            let message = format!(
                "there is a tournament called {:?} already: choose another name",
                tournament.name
            );
            return Err(ApiError::bad(message));
        }
        self.check_room()?;
        let series = enroll(&tournament, &store).map_err(refused)?;
        self.start(series, &store, rivals)?;
        Ok(tournament.name)
    }

    /// Goes on with a tournament.
    pub fn resume(
        self: &Arc<Host>,
        name: &str,
        rivals: &Rivals,
        secret: Option<&str>,
    ) -> Result<(), ApiError> {
        let _changing = lock(&self.changing);
        let store = self.store()?;
        let series = found(&store, name)?;
        let Some(text) = &series.file else {
            let message = "its file was not kept: agon tournament run resumes it, or delete it and \
                           begin it again";
            return Err(ApiError::bad(message));
        };
        if self.plays(series.id) {
            return Ok(());
        }
        self.check_room()?;
        // One that was started elsewhere may name programs.
        let tournament = match series.hosting {
            None => self.read(text, rivals, secret)?,
            Some(_) => read_trusted(text, &series.name, rivals)?,
        };
        // Another process may be playing it, or a program may have changed.
        enroll(&Tournament { name: series.name, ..tournament }, &store).map_err(refused)?;
        self.start(series.id, &store, rivals)
    }

    /// Stops a tournament until somebody resumes it. Games in progress are abandoned, and played again
    /// then.
    pub fn pause(&self, name: &str) -> Result<(), ApiError> {
        let _changing = lock(&self.changing);
        let store = self.store()?;
        let series = found(&store, name)?;
        if !self.stop(series.id) {
            return Err(ApiError::bad("this server does not play it"));
        }
        // It may have ended meanwhile.
        let series = store.series(series.id).map_err(ApiError::failed)?;
        match series.finished_at {
            Some(_) => Ok(()),
            None => {
                let paused = store.set_hosting(series.id, Some(Hosting::Paused));
                paused.map_err(ApiError::failed)
            }
        }
    }

    /// Changes the file of a tournament, for example to let somebody join, and goes on with it.
    pub fn amend(
        self: &Arc<Host>,
        name: &str,
        text: &str,
        changed: Changed,
        rivals: &Rivals,
        secret: Option<&str>,
    ) -> Result<(), ApiError> {
        let _changing = lock(&self.changing);
        let store = self.store()?;
        let series = found(&store, name)?;
        let tournament = Tournament { changed, ..self.read(text, rivals, secret)? };
        if tournament.name != series.name {
            let message = format!(
                "the file is of a tournament called {:?}, not {:?}",
                tournament.name, series.name
            );
            return Err(ApiError::bad(message));
        }
        // What is asked about or refused is known before anything is stopped.
        let asked = changes(&tournament, &store).map_err(refused)?.unwrap_or_default();
        if changed == Changed::Ask && !asked.changed.is_empty() {
            let (name, possible) = (series.name, tournament.decisions());
            let agents = asked.changed;
            return Err(refused(RunError::ProgramChanged { name, agents, possible }));
        }
        let was_playing = self.stop(series.id);
        let enrolled = enroll(&tournament, &store).map_err(refused);
        if enrolled.is_ok() || was_playing {
            self.start(series.id, &store, rivals)?;
        }
        enrolled.map(drop)
    }

    /// Deletes a tournament with all its games.
    pub fn delete(&self, name: &str) -> Result<(), ApiError> {
        let _changing = lock(&self.changing);
        let store = self.store()?;
        let series = found(&store, name)?;
        self.stop(series.id);
        lock(&self.troubles).remove(&series.id);
        store.delete_series(series.id).map_err(stored)
    }

    /// Goes on with all tournaments that ran when the server ended.
    pub fn resume_all(self: &Arc<Host>, rivals: &Rivals) {
        let _changing = lock(&self.changing);
        let resume = || -> Result<(), StoreError> {
            let store = Store::open(&self.folder)?;
            for listed in store.list_series()? {
                let Series { id, hosting, name, .. } = listed.series;
                if hosting == Some(Hosting::Running)
                    && let Err(problem) = self.start(id, &store, rivals)
                {
                    tracing::warn!("the tournament {name} does not go on: {problem}");
                }
            }
            Ok(())
        };
        if let Err(error) = resume() {
            tracing::warn!("tournaments do not go on: {error}");
        }
    }

    /// Lets all games end, without waiting for that. Nothing is started any more.
    pub fn stop_all(&self) {
        self.closed.store(true, Ordering::SeqCst);
        lock(&self.playing).values().for_each(|it| it.stop.stop());
    }

    /// Stops everything. Tournaments that ran go on when the server is started again.
    pub fn close(&self) {
        self.stop_all();
        let playing: Vec<Playing> = lock(&self.playing).drain().map(|(_, it)| it).collect();
        playing.iter().for_each(|it| it.stop.stop());
        for Playing { thread, .. } in playing {
            let _ = thread.join();
        }
    }

    /// Whether somebody may begin and change tournaments: on this machine everybody, elsewhere whoever
    /// knows the secret.
    pub fn check_manager(&self, secret: Option<&str>) -> Result<(), ApiError> {
        match (&self.owner, secret) {
            (None, _) => Ok(()),
            (Some(owner), Some(secret)) if owner.is(secret) => Ok(()),
            (Some(_), Some(_)) => Err(ApiError::new(Code::Forbidden, WRONG_SECRET)),
            (Some(_), None) => {
                let message = "tournaments are begun and changed by those who know the secret that \
                               the server printed when it started";
                Err(ApiError::new(Code::Forbidden, message))
            }
        }
    }

    /// Reads a file for somebody, who may name programs and files only with the secret. Nothing outside
    /// the program is looked at before that is known.
    fn read(
        &self,
        text: &str,
        rivals: &Rivals,
        secret: Option<&str>,
    ) -> Result<Tournament, ApiError> {
        self.check_manager(secret)?;
        let trusted = rivals.check_permission("a program", secret).is_ok();
        if self.owner.is_none() && !trusted && names_files(text) {
            let message = "files of openings are read only for those who know the secret of a \
                           server, which agon serve --allow-programs prints";
            return Err(ApiError::new(Code::Forbidden, message));
        }
        let registry = match trusted {
            true => rivals.registry().clone(),
            false => rivals.registry().without_programs(),
        };
        let tournament = read_text(text, Path::new("tournament.toml"), &registry);
        let tournament = tournament.map_err(|error| explained(&error.to_string(), rivals))?;
        for entrant in &tournament.entrants {
            rivals.check_agent(&entrant.agent, secret)?;
        }
        Ok(tournament)
    }

    fn store(&self) -> Result<Store, ApiError> {
        let store = Store::open(&self.folder).map_err(ApiError::failed)?;
        store.set_patience(limits::STORE).map_err(ApiError::failed)?;
        Ok(store)
    }

    /// Whether another tournament may be played.
    fn check_room(&self) -> Result<(), ApiError> {
        if lock(&self.playing).len() < limits::TOURNAMENTS {
            return Ok(());
        }
        let message = format!(
            "{} tournaments are being played here, the most at a time: pause one first",
            limits::TOURNAMENTS
        );
        Err(ApiError::new(Code::TooMany, message))
    }

    /// How many games are played at a time.
    fn at_a_time(&self, tournament: &Tournament) -> usize {
        let most = self.cores.for_games();
        tournament.concurrency_on(most, None).min(most)
    }

    /// Starts the thread that plays a series, unless there is one.
    fn start(
        self: &Arc<Host>,
        id: SeriesId,
        store: &Store,
        rivals: &Rivals,
    ) -> Result<(), ApiError> {
        if self.closed.load(Ordering::SeqCst) || self.plays(id) {
            return Ok(());
        }
        self.check_room().inspect_err(|problem| self.note(id, problem.to_string()))?;
        let series = store.series(id).map_err(ApiError::failed)?;
        let text = series.file.clone().unwrap_or_default();
        // It was permitted when it began; but programs only if this server starts any.
        let tournament = read_trusted(&text, &series.name, rivals);
        let tournament = tournament.inspect_err(|problem| self.note(id, problem.to_string()))?;
        store.set_hosting(id, Some(Hosting::Running)).map_err(ApiError::failed)?;
        lock(&self.troubles).remove(&id);
        let (host, stop) = (self.clone(), StopFlag::default());
        let flag = stop.clone();
        let mut playing = lock(&self.playing);
        if self.closed.load(Ordering::SeqCst) {
            return Ok(());
        }
        let work = move || host.play(id, &tournament, &flag);
        let thread = thread::Builder::new().name(format!("tournament {id}")).spawn(work);
        let thread = thread.map_err(ApiError::failed)?;
        playing.insert(id, Playing { stop, thread });
        Ok(())
    }

    /// Plays what is missing; the main function of a tournament's thread.
    fn play(&self, id: SeriesId, tournament: &Tournament, stop: &StopFlag) {
        let played = catch_unwind(AssertUnwindSafe(|| self.play_on(id, tournament, stop)));
        let problem = match played {
            Ok(Ok(())) => None,
            Ok(Err(error)) => Some(refused(error).to_string()),
            Err(_) => Some("an internal error; please report it".to_string()),
        };
        if let Some(problem) = problem {
            tracing::warn!("the tournament {} has stopped: {problem}", tournament.name);
            self.note(id, problem);
            if let Ok(store) = self.store() {
                let _ = store.set_hosting(id, Some(Hosting::Paused));
            }
        }
        // Whoever stops it takes the entry and waits for this thread.
        if !stop.is_set() {
            lock(&self.playing).remove(&id);
        }
    }

    fn play_on(
        &self,
        id: SeriesId,
        tournament: &Tournament,
        stop: &StopFlag,
    ) -> Result<(), RunError> {
        let store = Store::open(&self.folder)?;
        let at_a_time = self.at_a_time(tournament);
        let run = run_sharing(&self.cores, tournament, &store, at_a_time, stop, &mut |_| {})?;
        if run.is_over {
            store.set_hosting(id, None)?;
        }
        Ok(())
    }

    fn note(&self, id: SeriesId, trouble: String) {
        lock(&self.troubles).insert(id, trouble);
    }

    /// Stops the thread that plays a series and waits for its end. `false` if there is none.
    fn stop(&self, id: SeriesId) -> bool {
        let playing = lock(&self.playing).remove(&id);
        let Some(Playing { stop, thread }) = playing else { return false };
        stop.stop();
        let _ = thread.join();
        true
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn found(store: &Store, name: &str) -> Result<Series, ApiError> {
    let found = store.find_tournament(name).map_err(ApiError::failed)?;
    found.ok_or_else(|| ApiError::not_found(format!("there is no tournament {name:?}")))
}

/// A file that was read before.
fn read_trusted(text: &str, name: &str, rivals: &Rivals) -> Result<Tournament, ApiError> {
    let file = format!("{name}.toml");
    let read = read_text(text, Path::new(&file), rivals.registry()).map_err(ApiError::bad)?;
    let outside = read.entrants.iter().find(|entrant| entrant.agent.is_outside());
    match outside {
        Some(entrant) if *rivals.programs() == Programs::Refused => {
            Err(refusal(entrant.agent.text()))
        }
        _ => Ok(read),
    }
}

/// The message of a mistake in a file. Visitors know no agents that start programs.
fn explained(message: &str, rivals: &Rivals) -> ApiError {
    let outside = |provider: &Provider| matches!(provider, Provider::Outside(_));
    let mut kinds = rivals.registry().kinds().iter().filter(|(_, kind)| outside(kind));
    let named = kinds.find(|(info, _)| message.contains(&format!("\"{}:", info.name)));
    let advice = match (named, rivals.programs()) {
        (None, _) => return ApiError::bad(message),
        (Some(_), Programs::Refused) => {
            "This server starts no programs: start it with agon serve --allow-programs."
        }
        (Some(_), Programs::WithSecret(_)) => {
            "Agents that start programs need the secret that the server printed when it started."
        }
    };
    ApiError::new(Code::Forbidden, format!("{message}\n{advice}"))
}

/// A plan that differs from the stored one is the caller's mistake.
fn refused(error: RunError) -> ApiError {
    match error {
        RunError::Store(error) => stored(error),
        RunError::ProgramChanged { agents, possible, .. } => {
            let agents: Vec<String> = agents.iter().map(ToString::to_string).collect();
            let names: Vec<&str> = possible.iter().map(|it| it.name()).collect();
            let agents = agents.join("; ");
            let message = format!(
                "agents have changed since they played: {agents}; \"changed\" can be {}",
                names.join(", ")
            );
            ApiError::new(Code::Changed, message)
        }
        other => ApiError::bad(other),
    }
}

/// A failure of the store, without the names of its files: everybody may read why a tournament stopped.
fn stored(error: StoreError) -> ApiError {
    match error.problem() {
        StoreProblem::Running { .. } => {
            let message =
                "another process plays it, for example agon tournament run: stop it there";
            ApiError::new(Code::Busy, message)
        }
        problem => ApiError::failed(problem),
    }
}
