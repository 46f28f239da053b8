//! A tournament before its first game: found in the store, or started, and brought in line with its
//! file.

use serde_json::{Value, json};

use super::changes::{Changed, Changes};
use super::members::Members;
use super::outline::Outline;
use super::plan::differences;
use super::run::RunError;
use super::{Tournament, file};
use crate::store::{
    Enrolment, Entrant as StoredEntrant, NewSeries, Series, SeriesId, SeriesKind, SeriesLock, Store,
};

/// How the file of a tournament differs from what was started under its name, without changing
/// anything. `None` if nothing was.
pub fn changes(tournament: &Tournament, store: &Store) -> Result<Option<Changes>, RunError> {
    let known = store.find_tournament(&tournament.name)?;
    known.map(|series| Ok(merged(tournament, store, &series)?.changes)).transpose()
}

/// A tournament, ready to be played.
pub(super) struct Entry<'a> {
    /// The tournament with its agents by their numbers.
    pub(super) tournament: Tournament,
    /// What its schedule follows from.
    pub(super) outline: Outline,
    members: Option<Members>,
    store: Option<&'a Store>,
    known: Option<SeriesId>,
    lock: Option<SeriesLock>,
}

/// A tournament that is in the store; nobody else plays it.
pub(super) struct Begun<'a> {
    /// The store and the series, if games are stored.
    pub(super) book: Option<(&'a Store, SeriesId)>,
    /// How many games there are at most.
    pub(super) planned: u64,
    _lock: Option<SeriesLock>,
}

impl<'a> Entry<'a> {
    /// Compares a tournament with the store. Nothing is changed yet.
    pub(super) fn prepare(
        tournament: &Tournament,
        store: Option<&'a Store>,
    ) -> Result<Entry<'a>, RunError> {
        let (outline, kind) = (Outline::of(tournament), tournament.kind());
        let (tournament, members) = (tournament.clone(), None);
        let fresh = Entry { tournament, outline, members, store, known: None, lock: None };
        let Some(store) = store.filter(|_| kind != SeriesKind::Match) else { return Ok(fresh) };
        let Some(known) = store.find_named(kind, &fresh.tournament.name)? else {
            let is_tournament = kind == SeriesKind::Tournament;
            let members = is_tournament.then(|| Members::new(&fresh.tournament));
            return Ok(Entry { members, ..fresh });
        };
        // From here on nobody else changes it.
        let lock = Some(store.lock_series(known.id)?);
        let series = store.series(known.id)?;
        let known = Some(series.id);
        if kind != SeriesKind::Tournament {
            check_plan(&fresh.tournament, &series)?;
            return Ok(Entry { known, lock, ..fresh });
        }
        let members = merged(&fresh.tournament, store, &series)?;
        if fresh.tournament.changed == Changed::Ask && !members.changes.changed.is_empty() {
            let possible = fresh.tournament.decisions();
            let agents = members.changes.changed;
            return Err(RunError::ProgramChanged { name: series.name, agents, possible });
        }
        let tournament =
            Tournament { entrants: members.entrants(&fresh.tournament), ..fresh.tournament };
        let outline = Outline { roster: members.roster(), ..fresh.outline };
        Ok(Entry { tournament, outline, members: Some(members), store: fresh.store, known, lock })
    }

    /// What the file changes.
    pub(super) fn changes(&self) -> Option<&Changes> {
        let changes = self.members.as_ref().map(|members| &members.changes);
        changes.filter(|changes| !changes.is_empty())
    }

    /// Writes it down.
    pub(super) fn begin(mut self) -> Result<Begun<'a>, RunError> {
        let planned = self.outline.planned();
        let Some(store) = self.store else {
            return Ok(Begun { book: None, planned, _lock: None });
        };
        let kind = self.tournament.kind();
        let series = self.known.map_or_else(|| start(&self.tournament, store), Ok)?;
        let lock = match self.lock.take() {
            // What is never resumed needs no lock against another process.
            None if kind != SeriesKind::Match => Some(store.lock_series(series)?),
            held => held,
        };
        let begun = Begun { book: Some((store, series)), planned, _lock: lock };
        match &self.members {
            Some(members) => Ok(Begun { planned: self.enrol(store, series, members)?, ..begun }),
            None => Ok(begun),
        }
    }

    /// Stores who takes part now. Returns how many games there are.
    fn enrol(&self, store: &Store, series: SeriesId, members: &Members) -> Result<u64, RunError> {
        let mut plan = self.tournament.plan();
        plan["agents"] = members.to_plan();
        plan["planned"] = json!(self.outline.planned());
        let enrolment = |plan: &Value, replayed| Enrolment {
            plan: plan.to_string(),
            file: self.tournament.source.clone(),
            entrants: members.to_store(),
            replayed,
            reopened: self.changes().is_some(),
        };
        store.enrol(series, &enrolment(&plan, members.replayed.clone()))?;
        let retired = (0..).zip(self.outline.roster.retired());
        let retired: Vec<u32> = retired.filter(|(_, is)| *is).map(|(number, _)| number).collect();
        if retired.is_empty() || !self.outline.format.is_fixed() {
            return Ok(self.outline.planned());
        }
        // What they have played counts, too.
        let planned = self.outline.planned() + store.count_games_of(series, &retired)?;
        plan["planned"] = json!(planned);
        store.enrol(series, &enrolment(&plan, Vec::new()))?;
        Ok(planned)
    }
}

/// The members of a stored tournament with those of its file.
fn merged(tournament: &Tournament, store: &Store, series: &Series) -> Result<Members, RunError> {
    check_plan(tournament, series)?;
    let progress = store.progress(series.id)?;
    let refused = |problem: String| RunError::Refused { name: series.name.clone(), problem };
    let members = Members::merged(tournament, series, &progress).map_err(refused)?;
    let places = Outline { roster: members.roster(), ..Outline::of(tournament) }.places();
    match places > file::MOST_GAMES_IN_ALL {
        true => Err(refused(file::too_many_games(places))),
        false => Ok(members),
    }
}

/// Refuses a file with another plan, apart from the agents.
fn check_plan(tournament: &Tournament, series: &Series) -> Result<(), RunError> {
    let before: Value = serde_json::from_str(&series.plan).unwrap_or(Value::Null);
    let differences = differences(&before, &tournament.plan());
    match differences.is_empty() {
        true => Ok(()),
        false => Err(RunError::Changed { name: series.name.clone(), differences }),
    }
}

/// Starts a series.
fn start(tournament: &Tournament, store: &Store) -> Result<SeriesId, RunError> {
    let kind = tournament.kind();
    let entrant = |entrant: &super::Entrant| StoredEntrant {
        name: entrant.name.clone(),
        agent: entrant.agent.text().to_string(),
    };
    Ok(store.begin_series(&NewSeries {
        kind,
        name: (kind != SeriesKind::Match).then(|| tournament.name.clone()),
        plan: tournament.plan().to_string(),
        seed: tournament.seed,
        entrants: tournament.entrants.iter().map(entrant).collect(),
    })?)
}
