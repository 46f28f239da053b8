//! Matches and tournaments: how they stand, what is being played, and how they are begun and changed.
//!
//! Whatever process plays them, the store has their games, and beside it is what is being played now.
//! Reading is for everybody, as records are; who may change something, the [`Host`] decides.

mod scoreboard;
mod view;

use std::path::Path;
use std::sync::Arc;

use agon_arena::gallery::NowPlaying;
use agon_arena::store::{Hosting, Series, SeriesKind, Store, now};
use agon_arena::tournament::Changed;
use axum::Json;
use axum::extract::State;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::task::spawn_blocking;
use utoipa::ToSchema;

use super::exports::found;
use super::games::secret;
use super::sequels::Nothing;
use super::{App, Body, Name};
use crate::error::{ApiError, Code, ErrorBody};
use crate::host::Host;
use scoreboard::{Counted, Scoreboard};
use view::{TournamentEntry, TournamentView, games_now, terms_of};

/// How many matches and tournaments are listed.
const MOST_LISTED: usize = 200;

/// The tournaments of this server.
pub struct Tournaments {
    host: Arc<Host>,
    scoreboard: Scoreboard,
}

impl Tournaments {
    /// Those of this data folder.
    pub fn new(host: Arc<Host>, folder: &Path) -> Tournaments {
        Tournaments { host, scoreboard: Scoreboard::new(folder) }
    }
}

/// Tournaments in a list.
#[derive(Serialize, ToSchema)]
pub(crate) struct TournamentList {
    /// The newest first.
    tournaments: Vec<TournamentEntry>,
    /// Whether everybody may begin one; else only those who know the server's secret.
    open: bool,
}

/// A tournament's file.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FileText {
    /// The file, as `agon tournament run` reads it.
    #[schema(example = "name = \"cup\"\nformat = \"round-robin\"\nvariant = \"congo\"\n…")]
    file: String,
}

/// A changed file.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Amendment {
    /// The file.
    file: String,
    /// What to do with the games of agents that are no longer the same: `keep`, `replay` or `enter`.
    /// Without it, the request is refused with the code `changed` if there are any.
    #[serde(default)]
    changed: Option<String>,
}

/// The size of a tournament.
#[derive(Serialize, ToSchema)]
pub(crate) struct PlanView {
    /// Its name.
    name: String,
    /// How many agents take part.
    agents: usize,
    /// How many games there are at most.
    games: u64,
    /// How many are played at a time.
    at_a_time: usize,
    /// How long it takes at most, in seconds, if time limits it.
    seconds: Option<f64>,
}

/// The name of a tournament.
#[derive(Serialize, ToSchema)]
pub(crate) struct Named {
    /// Its name.
    name: String,
}

/// Matches and tournaments, the newest first.
#[utoipa::path(get, path = "/api/tournaments", responses(
    (status = 200, body = TournamentList), (status = 304, description = "nothing new")))]
pub async fn list(State(app): State<App>, headers: HeaderMap) -> Result<Response, ApiError> {
    let all = app.tournaments.clone();
    let make = async {
        let listed = blocking(move || {
            let read = |store: &Store| Ok((store.list_series()?, all.clone()));
            let (listed, all) = all.scoreboard.read(read).map_err(ApiError::failed)?;
            let shown = |kind| matches!(kind, SeriesKind::Tournament | SeriesKind::Match);
            let listed = listed.into_iter().filter(|it| shown(it.series.kind)).take(MOST_LISTED);
            let entry = |it: agon_arena::store::ListedSeries| {
                let now = all.playing(&it.series);
                all.entry(&it.series, it.games, it.faults, now.as_ref())
            };
            Ok(listed.map(entry).collect())
        });
        let open = app.tournaments.host.check_manager(None).is_ok();
        Ok(TournamentList { tournaments: listed.await?, open })
    };
    Ok(app.answers.get("tournaments".into(), make).await?.to(&headers))
}

/// A match or a tournament: standings, crosstable, course, faults, games in progress.
#[utoipa::path(get, path = "/api/tournaments/{name}", params(("name" = String, Path)), responses(
    (status = 200, body = TournamentView), (status = 304, description = "nothing new"),
    (status = "4XX", body = ErrorBody)))]
pub async fn show(
    State(app): State<App>,
    Name(name): Name,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let name = name.trim_end().to_string();
    let all = app.tournaments.clone();
    let series = blocking(move || all.find(&name)).await?;
    let key = format!("tournament {}", series.id);
    let (all, catalog) = (app.tournaments.clone(), app.catalog().clone());
    let make = blocking(move || {
        let counted = all.scoreboard.count(series).map_err(ApiError::failed)?;
        let now = all.playing(&counted.series);
        let playing = games_now(&catalog, &counted.series, now.as_ref());
        Ok(all.view(counted, now, playing))
    });
    Ok(app.answers.get(key, make).await?.to(&headers))
}

/// The file of a tournament, for those who may change it.
#[utoipa::path(get, path = "/api/tournaments/{name}/file.toml", params(("name" = String, Path)),
    responses((status = 200, body = String, content_type = "application/toml"),
    (status = "4XX", body = ErrorBody)))]
pub async fn file(
    State(app): State<App>,
    Name(name): Name,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    // It may name programs and folders.
    app.tournaments.host.check_manager(secret(&headers).as_deref())?;
    let all = app.tournaments.clone();
    let series = blocking(move || all.find(name.trim_end())).await?;
    let text = series.file.ok_or_else(|| ApiError::not_found("its file was not kept"))?;
    let headers = [
        (CONTENT_TYPE, "application/toml; charset=utf-8"),
        (CONTENT_DISPOSITION, "attachment; filename=\"tournament.toml\""),
    ];
    Ok((headers, text).into_response())
}

/// Checks a tournament's file and says how large the tournament is. Nothing is begun.
#[utoipa::path(post, path = "/api/tournament-plan", request_body = FileText, responses(
    (status = 200, body = PlanView), (status = "4XX", body = ErrorBody)))]
pub async fn plan(
    State(app): State<App>,
    headers: HeaderMap,
    Body(FileText { file }): Body<FileText>,
) -> Result<Json<PlanView>, ApiError> {
    let secret = secret(&headers);
    let managed = app.clone();
    let plan = app
        .work(move || managed.tournaments.host.plan(&file, &managed.hub.rivals, secret.as_deref()));
    let plan = plan.await?;
    Ok(Json(PlanView {
        name: plan.tournament.name,
        agents: plan.tournament.entrants.len(),
        games: plan.games,
        at_a_time: plan.at_a_time,
        seconds: plan.seconds,
    }))
}

/// Begins a tournament, which this server plays.
#[utoipa::path(post, path = "/api/tournaments", request_body = FileText, responses(
    (status = 201, body = Named), (status = "4XX", body = ErrorBody)))]
pub async fn create(
    State(app): State<App>,
    headers: HeaderMap,
    Body(FileText { file }): Body<FileText>,
) -> Result<Response, ApiError> {
    let secret = secret(&headers);
    let name = app.manage(secret, move |app, secret| {
        app.tournaments.host.begin(&file, &app.hub.rivals, secret)
    });
    let name = name.await?;
    Ok((StatusCode::CREATED, Json(Named { name })).into_response())
}

/// Pauses a tournament that this server plays.
#[utoipa::path(post, path = "/api/tournaments/{name}/pause", params(("name" = String, Path)),
    request_body = Nothing, responses((status = 204), (status = "4XX", body = ErrorBody)))]
pub async fn pause(
    State(app): State<App>,
    Name(name): Name,
    headers: HeaderMap,
    Body(Nothing {}): Body<Nothing>,
) -> Result<StatusCode, ApiError> {
    let secret = secret(&headers);
    app.manage(secret, move |app, _| app.tournaments.host.pause(name.trim_end())).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Goes on with a tournament; from then on this server plays it.
#[utoipa::path(post, path = "/api/tournaments/{name}/resume", params(("name" = String, Path)),
    request_body = Nothing, responses((status = 204), (status = "4XX", body = ErrorBody)))]
pub async fn resume(
    State(app): State<App>,
    Name(name): Name,
    headers: HeaderMap,
    Body(Nothing {}): Body<Nothing>,
) -> Result<StatusCode, ApiError> {
    let secret = secret(&headers);
    let resumed = app.manage(secret, move |app, secret| {
        app.tournaments.host.resume(name.trim_end(), &app.hub.rivals, secret)
    });
    resumed.await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Changes the file of a tournament, for example to let an agent join, and goes on with it.
#[utoipa::path(post, path = "/api/tournaments/{name}/file", params(("name" = String, Path)),
    request_body = Amendment, responses((status = 204), (status = "4XX", body = ErrorBody)))]
pub async fn amend(
    State(app): State<App>,
    Name(name): Name,
    headers: HeaderMap,
    Body(Amendment { file, changed }): Body<Amendment>,
) -> Result<StatusCode, ApiError> {
    let secret = secret(&headers);
    let changed = changed.map_or(Ok(Changed::Ask), |text| text.parse()).map_err(ApiError::bad)?;
    let amended = app.manage(secret, move |app, secret| {
        app.tournaments.host.amend(name.trim_end(), &file, changed, &app.hub.rivals, secret)
    });
    amended.await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Deletes a tournament with all its games.
#[utoipa::path(delete, path = "/api/tournaments/{name}", params(("name" = String, Path)),
    responses((status = 204), (status = "4XX", body = ErrorBody)))]
pub async fn delete(
    State(app): State<App>,
    Name(name): Name,
    headers: HeaderMap,
) -> Result<StatusCode, ApiError> {
    let secret = secret(&headers);
    app.manage(secret, move |app, _| app.tournaments.host.delete(name.trim_end())).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Runs work that waits for something, without blocking other tasks.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    spawn_blocking(work).await.map_err(ApiError::failed)?
}

impl App {
    /// Changes tournaments for somebody who may, to the end even if the client goes away.
    async fn manage<T: Send + 'static>(
        &self,
        secret: Option<String>,
        change: impl FnOnce(&App, Option<&str>) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        self.tournaments.host.check_manager(secret.as_deref())?;
        if self.hub.keeper.is_read_only() {
            let message =
                "tournaments here can only be looked at: the data folder cannot be written";
            return Err(ApiError::new(Code::NotAllowed, message));
        }
        let app = self.clone();
        let changed = blocking(move || change(&app, secret.as_deref())).await;
        // What was cached may be about the state before.
        self.answers.forget();
        changed
    }
}

impl Tournaments {
    /// The tournament or match with this name.
    fn find(&self, name: &str) -> Result<Series, ApiError> {
        self.scoreboard.read(|store| Ok(found(store, name))).map_err(ApiError::failed)?
    }

    /// Whether there is a tournament or match with this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.find(name).is_ok()
    }

    /// What is played in a series now.
    fn playing(&self, series: &Series) -> Option<NowPlaying> {
        if series.finished_at.is_some() && series.kind == SeriesKind::Tournament {
            return None;
        }
        self.scoreboard.read(|store| Ok(store.now_playing(series.id))).ok().flatten()
    }

    fn entry(
        &self,
        series: &Series,
        games: u64,
        faults: u64,
        now: Option<&NowPlaying>,
    ) -> TournamentEntry {
        let plan: Value = serde_json::from_str(&series.plan).unwrap_or(Value::Null);
        let [variants, ..] = terms_of(&plan);
        let hosts = self.host.plays(series.id);
        TournamentEntry {
            name: series.name.clone(),
            kind: series.kind.name(),
            format: plan["format"]["name"].as_str().unwrap_or("match").to_string(),
            variants,
            agents: series.members.iter().filter(|it| it.retired.is_none()).count(),
            games,
            planned: plan["planned"].as_u64().or(plan["games"].as_u64()).unwrap_or(games),
            faults,
            state: match series.hosting {
                _ if hosts || now.is_some() => "running",
                _ if series.finished_at.is_some() => "finished",
                Some(Hosting::Running | Hosting::Paused) => "paused",
                None => "unfinished",
            },
            started_at: series.started_at,
            finished_at: series.finished_at,
        }
    }

    fn view(
        &self,
        counted: Counted,
        now: Option<NowPlaying>,
        playing: Vec<view::PlayingView>,
    ) -> TournamentView {
        let Counted { series, table, games, planned, faults, ends } = counted;
        let plan: Value = serde_json::from_str(&series.plan).unwrap_or(Value::Null);
        let [_, paces, openings] = terms_of(&plan);
        let entry = TournamentEntry { planned, ..self.entry(&series, games, faults, now.as_ref()) };
        let hosts = self.host.plays(series.id);
        let rate = now.as_ref().and_then(|now| games_per_ms(&ends, now.since));
        let missing = planned.saturating_sub(games) as f64;
        let left = rate.filter(|_| entry.state == "running").map(|rate| missing / rate);
        TournamentView {
            hosted: hosts || series.hosting.is_some(),
            elsewhere: now.is_some() && !hosts,
            open: self.host.check_manager(None).is_ok(),
            problem: self.host.trouble(series.id).filter(|_| series.finished_at.is_none()),
            paces,
            openings,
            has_file: series.file.is_some(),
            // In steps of a minute or so, since nobody knows better.
            ends_at: left.map(now_plus),
            games_per_minute: rate.map(|rate| (rate * 600_000.0).round() / 10.0),
            table,
            playing_in_all: now.map_or(0, |now| now.games.len()),
            playing,
            entry,
        }
    }
}

/// The time after so many milliseconds, to the second.
fn now_plus(milliseconds: f64) -> i64 {
    (now() + milliseconds.min(1e15) as i64) / 1000 * 1000
}

/// The pace of the last games that ended since then; none before there were three.
fn games_per_ms(ends: &[i64], since: i64) -> Option<f64> {
    let recent: Vec<i64> = ends.iter().copied().filter(|end| *end >= since).collect();
    let (first, last) = (recent.first()?, now());
    (recent.len() >= 3 && last > *first).then(|| recent.len() as f64 / (last - first) as f64)
}
