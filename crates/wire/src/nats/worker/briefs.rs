//! Tournaments that this worker has prepared to play: files fetched, rules and agents ready.

use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use agon_arena::Agent;
use agon_arena::fingerprint::checksum;
use agon_arena::fixture::Fixture;
use agon_arena::guests::Guests;
use agon_arena::store::PlayedBy;
use agon_arena::tournament::Tournament;
use agon_arena::workers::LocalWorkers;
use agon_isolation::Level;
use agon_search::AgentSpec;
use async_nats::jetstream::Context;

use super::super::brief::Brief;
use super::super::names::{LARGEST_DOCUMENT, LARGEST_FILE};
use super::super::requirement::{Kind, Requirement};
use super::super::travel::{Luggage, Traveller};
use super::super::{Build, files};
use super::{Settings, abilities};

/// How many are kept ready.
const MOST: usize = 4;

/// Why a program may not play here.
const STRANGE: &str = "this worker takes no programs from others";

/// An agent for the place of one that may not play here.
fn nobody() -> Result<AgentSpec, String> {
    "random".parse().map_err(|error| format!("{error}"))
}

/// A tournament that is ready to be played.
pub(super) struct Prepared {
    sum: String,
    /// Whether an agent is a program.
    pub programs: bool,
    pub local: LocalWorkers,
    brief: Brief,
    tournament: Tournament,
    /// Agents that may not play here, and why: in their places are others, who play nothing.
    strange: BTreeMap<u16, String>,
    /// The classes of its units.
    classes: Mutex<BTreeMap<Kind, Option<String>>>,
    /// Agents and idle programs, kept from one unit to the next.
    guests: Mutex<Vec<Guests>>,
}

impl Prepared {
    /// Whether a unit of this class may have these games: they are games of this tournament, and need
    /// what their class says and no more.
    pub fn check(&self, fixtures: &[Fixture], class: &str, build: &Build) -> Result<(), String> {
        let (seats, agents) = (self.tournament.seats, self.tournament.entrants.len());
        for fixture in fixtures {
            let seated = fixture.seating.as_slice();
            if seated.len() != seats || seated.iter().any(|agent| usize::from(*agent) >= agents) {
                return Err("its games are not those of its tournament".into());
            }
            if let Some(problem) = seated.iter().find_map(|agent| self.strange.get(agent)) {
                return Err(problem.clone());
            }
            let kind = Kind::of(&self.tournament, &self.brief, fixture);
            let mut classes = self.classes.lock().unwrap_or_else(PoisonError::into_inner);
            let needed = classes.entry(kind).or_insert_with(|| {
                let needed = Requirement::of(&self.tournament, &self.brief, kind, build);
                needed.map(|needed| needed.class())
            });
            if needed.as_deref() != Some(class) {
                return Err("its games need something else than its class says".into());
            }
        }
        Ok(())
    }

    /// The agents, for one thread.
    pub fn take_guests(&self) -> Guests {
        let waiting = self.guests.lock().unwrap_or_else(PoisonError::into_inner).pop();
        waiting.unwrap_or_else(|| self.local.new_guests())
    }

    pub fn give_back(&self, guests: Guests) {
        self.guests.lock().unwrap_or_else(PoisonError::into_inner).push(guests);
    }
}

/// What is ready.
pub(super) struct Briefs {
    settings: Settings,
    ready: tokio::sync::Mutex<VecDeque<Arc<Prepared>>>,
}

impl Briefs {
    pub fn new(settings: &Settings) -> Briefs {
        Briefs { settings: settings.clone(), ready: tokio::sync::Mutex::default() }
    }

    /// The tournament of a brief, prepared if it is not. Others that want it wait.
    pub async fn get(
        &self,
        broker: &Context,
        sum: &str,
        me: &PlayedBy,
    ) -> Result<Arc<Prepared>, String> {
        let mut ready = self.ready.lock().await;
        if let Some(found) = ready.iter().find(|prepared| prepared.sum == sum) {
            return Ok(found.clone());
        }
        let prepared = Arc::new(self.prepare(broker, sum, me).await?);
        ready.push_back(prepared.clone());
        if ready.len() > MOST {
            ready.pop_front();
        }
        Ok(prepared)
    }

    async fn prepare(
        &self,
        broker: &Context,
        sum: &str,
        me: &PlayedBy,
    ) -> Result<Prepared, String> {
        let words = |error: super::super::NatsError| error.to_string();
        let contents = files::get(broker, sum, LARGEST_DOCUMENT).await.map_err(words)?;
        let brief = Brief::read(&contents)?;
        let store = self.settings.cache.join("files");
        for file in brief.terms.iter().filter_map(|terms| terms.file.as_ref()) {
            files::fetch(broker, &store, file, LARGEST_FILE).await.map_err(words)?;
        }
        let (mut agents, mut strange) = (Vec::new(), BTreeMap::new());
        for (number, traveller) in (0..).zip(&brief.agents) {
            if !self.takes(traveller) {
                strange.insert(number, STRANGE.to_string());
                agents.push(Agent::built_in(nobody()?));
                continue;
            }
            let folder = self.settle(broker, traveller).await?;
            let at_least = if traveller.luggage.is_some() { self.at_least() } else { Level::None };
            agents.push(traveller.unpack(&self.settings.registry, folder, at_least)?);
        }
        let programs = brief.agents.iter().any(|agent| agent.luggage.is_some());
        let catalog = self.settings.registry.catalog();
        let tournament = brief.tournament(catalog, agents, &store)?;
        let (me, copy) = (me.clone(), tournament.clone());
        // Openings may be computed, and tables read.
        let opened = tokio::task::spawn_blocking(move || {
            LocalWorkers::open_at(&copy, 1, Some(me)).map_err(|error| error.to_string())
        });
        let local = opened.await.map_err(|error| error.to_string())??;
        let (sum, guests, classes) = (sum.to_string(), Mutex::default(), Mutex::default());
        Ok(Prepared { sum, programs, local, brief, tournament, strange, classes, guests })
    }

    /// Whether an agent may play here: its own program only, unless others are allowed.
    fn takes(&self, agent: &Traveller) -> bool {
        let is_own = self.settings.agents.is_some() && agent.is_file_of_its_own();
        agent.luggage.is_none() || self.settings.allow_programs || is_own
    }

    fn at_least(&self) -> Level {
        self.settings.at_least
    }

    /// Puts the files of an agent into a folder, or finds the folder that has them.
    async fn settle(&self, broker: &Context, agent: &Traveller) -> Result<PathBuf, String> {
        let Some(luggage) = &agent.luggage else { return Ok(PathBuf::new()) };
        luggage.check()?;
        let own = self.settings.agents.as_deref();
        if let Some(folder) = own.filter(|folder| has_all(folder, luggage)) {
            return std::path::absolute(folder).map_err(|error| error.to_string());
        }
        let known = own.map(abilities::programs_in).unwrap_or_default();
        let text = serde_json::to_vec(agent).unwrap_or_default();
        let folder = self.settings.cache.join("agents").join(checksum(&text));
        for file in &luggage.files {
            let local = known.iter().find(|(sum, _)| *sum == file.checksum).map(|(_, path)| path);
            if local.is_none() && !self.settings.allow_programs {
                return Err(STRANGE.to_string());
            }
            let place = folder.join(&file.path);
            if fs::read(&place).is_ok_and(|it| checksum(&it) == file.checksum) {
                continue;
            }
            let contents = match local {
                Some(path) => fs::read(path).map_err(|error| error.to_string())?,
                None => {
                    let got = files::get(broker, &file.checksum, LARGEST_FILE).await;
                    got.map_err(|error| error.to_string())?
                }
            };
            place_file(&place, &contents, file.executable)?;
        }
        fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        std::path::absolute(&folder).map_err(|error| error.to_string())
    }
}

/// Whether a folder has all files of an agent at their places.
fn has_all(folder: &Path, luggage: &Luggage) -> bool {
    let has =
        |path: &str, sum: &str| fs::read(folder.join(path)).is_ok_and(|it| checksum(&it) == sum);
    luggage.files.iter().all(|file| has(&file.path, &file.checksum))
}

fn place_file(place: &Path, contents: &[u8], executable: bool) -> Result<(), String> {
    files::keep(place, contents).map_err(|error| error.to_string())?;
    let mode = if executable { 0o755 } else { 0o644 };
    let permissions = fs::Permissions::from_mode(mode);
    fs::set_permissions(place, permissions).map_err(|error| error.to_string())
}
