//! Reviews of finished games. They are made in the background, position by position on the pool, in turn
//! with everybody's searches, and kept.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use agon_arena::agent::AgentKind;
use agon_arena::review::{self, Course, Game, Review};
use agon_arena::store::AnalysisChange;
use agon_games::Table;
use agon_search::{AgentError, AgentSpec, StopFlag};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::positions::opened;
use super::{App, Body, Name};
use crate::clients::Client;
use crate::error::{ApiError, Code, ErrorBody};
use crate::limits;
use crate::pool::StopOnDrop;
use crate::shares::{Share, Shares};

/// A game to review.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wanted {
    /// The variant.
    #[schema(example = "congo")]
    variant: String,
    /// The start position, if it is not the variant's own.
    #[serde(default)]
    start: Option<String>,
    /// The moves of the game.
    moves: Vec<String>,
    /// How many of them nobody chose, as they belong to an opening.
    #[serde(default)]
    opening: usize,
    /// Who looks at the positions: an agent of this program.
    #[serde(default = "default_agent")]
    agent: String,
    /// How many nodes it searches in each.
    #[serde(default = "default_nodes")]
    nodes: u64,
}

fn default_agent() -> String {
    "engine".into()
}

fn default_nodes() -> u64 {
    review::DEFAULT_NODES
}

/// A review, finished or not.
#[derive(Serialize, ToSchema)]
pub(crate) struct Answer {
    /// Its id: the same for the same game, agent and nodes.
    id: String,
    /// How many positions have been looked at.
    done: usize,
    /// Of how many.
    total: usize,
    /// The review, once it is finished.
    #[schema(value_type = Option<Object>)]
    review: Option<Review>,
    /// Why there will be none.
    problem: Option<String>,
}

/// The reviews that are being made.
pub struct Reviews {
    running: Mutex<HashMap<String, Arc<Running>>>,
    places: Shares,
}

/// A review that is being made.
struct Running {
    done: AtomicUsize,
    total: AtomicUsize,
    problem: Mutex<Option<String>>,
    /// Who asked for it and has not cancelled it.
    wanted_by: Mutex<HashSet<Client>>,
    /// Set when nobody wants it any more.
    stop: StopFlag,
}

impl Running {
    fn new(total: usize, client: Client) -> Running {
        Running {
            done: 0.into(),
            total: total.into(),
            problem: Mutex::default(),
            wanted_by: Mutex::new(HashSet::from([client])),
            stop: StopFlag::default(),
        }
    }

    fn problem(&self) -> Option<String> {
        self.problem.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn wanted_by(&self) -> MutexGuard<'_, HashSet<Client>> {
        self.wanted_by.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn answer(&self, id: &str) -> Answer {
        let (done, problem) = (self.done.load(Ordering::Relaxed), self.problem());
        let total = self.total.load(Ordering::Relaxed);
        Answer { id: id.to_string(), done, total, review: None, problem }
    }
}

impl Default for Reviews {
    fn default() -> Reviews {
        Reviews { running: Mutex::default(), places: Shares::new(limits::REVIEWS) }
    }
}

impl Reviews {
    fn running(&self) -> MutexGuard<'_, HashMap<String, Arc<Running>>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Joins those who want this review; `None` if nobody makes it, or if it failed.
    fn join(&self, id: &str, client: Client) -> Option<Answer> {
        let running = self.running();
        let review = running.get(id).filter(|review| review.problem().is_none())?;
        review.wanted_by().insert(client);
        Some(review.answer(id))
    }

    /// Begins a review, unless somebody was faster. Failed ones are forgotten when there are many.
    fn begin(&self, id: &str, review: &Arc<Running>) -> bool {
        let mut running = self.running();
        if running.len() > 4 * limits::REVIEWS {
            running.retain(|_, review| review.problem().is_none());
        }
        match running.entry(id.to_string()) {
            Entry::Occupied(known) if known.get().problem().is_none() => false,
            entry => {
                entry.insert_entry(review.clone());
                true
            }
        }
    }

    /// What is known of a review that is being made, or that failed.
    fn progress(&self, id: &str) -> Option<Answer> {
        self.running().get(id).map(|review| review.answer(id))
    }

    /// A client does not want this review any more; it stops if nobody else does. `None` if it is not
    /// being made, and false if the client never asked for it.
    fn cancel(&self, id: &str, client: Client) -> Option<bool> {
        let mut running = self.running();
        let review = running.get(id)?.clone();
        let mut wanted_by = review.wanted_by();
        let was_wanted = wanted_by.remove(&client);
        if wanted_by.is_empty() {
            review.stop.stop();
            running.remove(id);
        }
        Some(was_wanted)
    }

    /// A review is finished. Another of the same name may have begun since it was cancelled.
    fn end(&self, id: &str, review: &Arc<Running>) {
        let mut running = self.running();
        if running.get(id).is_some_and(|known| Arc::ptr_eq(known, review)) {
            running.remove(id);
        }
    }
}

impl Answer {
    fn finished(id: String, document: &str) -> Result<Answer, ApiError> {
        let review: Review = serde_json::from_str(document).map_err(ApiError::failed)?;
        let total = review.plies.len();
        Ok(Answer { id, done: total, total, review: Some(review), problem: None })
    }
}

/// Begins to review a game, or answers with the review if there is one already.
#[utoipa::path(post, path = "/api/reviews", request_body = Wanted, responses(
    (status = 200, body = Answer), (status = 202, body = Answer), (status = "4XX", body = ErrorBody)))]
pub(crate) async fn create(
    State(app): State<App>,
    client: Client,
    Body(wanted): Body<Wanted>,
) -> Result<(StatusCode, Json<Answer>), ApiError> {
    let hub = app.hub.clone();
    let (game, spec, nodes, tables) = app
        .work(move || {
            let spec = wanted.agent(&hub)?;
            let (nodes, game) = (wanted.nodes, wanted.game());
            opened(hub.catalog(), &game.variant, game.start.as_deref())?;
            let tables = game.tables(hub.catalog());
            let tables = tables.map_err(|error| ApiError::new(Code::Illegal, error))?;
            Ok((game, spec, nodes, tables))
        })
        .await?;
    let id = review::key(&game, &spec, nodes);
    if let Some(known) = stored(&app, &id).await? {
        return Ok((StatusCode::OK, Json(Answer::finished(id, &known)?)));
    }
    if let Some(answer) = app.reviews.join(&id, client) {
        return Ok((StatusCode::ACCEPTED, Json(answer)));
    }
    let Some(place) = app.reviews.places.take(client) else {
        let message = "too many games of your network are being reviewed: try again in a moment";
        return Err(ApiError::new(Code::TooMany, message));
    };
    let running = Arc::new(Running::new(tables.len(), client));
    let answer = running.answer(&id);
    if app.reviews.begin(&id, &running) {
        let stopping = StopOnDrop(running.stop.clone());
        let work = Work {
            app: app.clone(),
            client,
            running,
            spec,
            nodes,
            _stopping: stopping,
            _place: place,
        };
        tokio::spawn(work.carry_out(id, game, tables));
    } else {
        app.reviews.join(&id, client);
    }
    Ok((StatusCode::ACCEPTED, Json(answer)))
}

/// A review: finished, or how far it is.
#[utoipa::path(get, path = "/api/reviews/{id}", params(("id" = String, Path)), responses(
    (status = 200, body = Answer), (status = "4XX", body = ErrorBody)))]
pub(crate) async fn show(State(app): State<App>, Name(id): Name) -> Result<Json<Answer>, ApiError> {
    if let Some(answer) = app.reviews.progress(&id) {
        return Ok(Json(answer));
    }
    match stored(&app, &id).await? {
        Some(known) => Ok(Json(Answer::finished(id, &known)?)),
        None => Err(ApiError::not_found(format!(
            "there is no review {id:?}: it was never begun, or the server was restarted before it was \
             finished"
        ))),
    }
}

/// Cancels a review that is being made, unless others wait for it, too.
#[utoipa::path(delete, path = "/api/reviews/{id}", params(("id" = String, Path)), responses(
    (status = 204), (status = "4XX", body = ErrorBody)))]
pub(crate) async fn cancel(
    State(app): State<App>,
    client: Client,
    Name(id): Name,
) -> Result<StatusCode, ApiError> {
    match app.reviews.cancel(&id, client) {
        Some(true) => Ok(StatusCode::NO_CONTENT),
        Some(false) => {
            let message = "only those who asked for this review may cancel it";
            Err(ApiError::new(Code::Forbidden, message))
        }
        None => Err(ApiError::not_found(format!(
            "no review {id:?} is being made: it is finished, or it was never begun"
        ))),
    }
}

async fn stored(app: &App, id: &str) -> Result<Option<String>, ApiError> {
    let id = id.to_string();
    app.hub.keeper.read(move |store| store.review(&id)).await
}

impl Wanted {
    fn game(self) -> Game {
        let Wanted { variant, start, moves, opening, .. } = self;
        Game { variant, start, moves, opening }
    }

    /// The agent, if it may be asked for this.
    fn agent(&self, hub: &crate::live::Hub) -> Result<AgentSpec, ApiError> {
        if self.nodes == 0 || self.nodes > limits::REVIEW_NODES {
            let message = format!("nodes must be 1 to {}", limits::REVIEW_NODES);
            return Err(ApiError::bad(message));
        }
        if self.moves.is_empty() || self.moves.len() > limits::PLIES {
            let message = format!("a game of 1 to {} moves can be reviewed", limits::PLIES);
            return Err(ApiError::bad(message));
        }
        let table = opened(hub.catalog(), &self.variant, self.start.as_deref())?;
        let agent = hub.rivals.invited(&self.agent, None, &*table)?;
        match agent.kind() {
            AgentKind::BuiltIn(_) => {
                review::reviewer(&self.agent, table.seats()).map_err(ApiError::bad)
            }
            AgentKind::Outside(_) => {
                Err(ApiError::bad("a game is reviewed by an agent of this program: engine"))
            }
        }
    }
}

/// A review being made.
struct Work {
    app: App,
    client: Client,
    running: Arc<Running>,
    spec: AgentSpec,
    nodes: u64,
    _stopping: StopOnDrop,
    _place: Share,
}

impl Work {
    async fn carry_out(self, id: String, game: Game, tables: Vec<Box<dyn Table>>) {
        match self.review(&id, game, tables).await {
            Ok(()) => self.app.reviews.end(&id, &self.running),
            Err(problem) => {
                let mut place = self.running.problem.lock().unwrap_or_else(PoisonError::into_inner);
                *place = Some(problem.to_string());
            }
        }
    }

    async fn review(
        &self,
        id: &str,
        game: Game,
        tables: Vec<Box<dyn Table>>,
    ) -> Result<(), ApiError> {
        let mut course = Course::new(game, tables);
        while course.next().is_some() {
            course = self.go_on(course).await?;
        }
        let review = course.finish(&self.spec, self.nodes);
        let document = serde_json::to_string(&review).map_err(ApiError::failed)?;
        let change = AnalysisChange::Review(id.to_string(), document);
        self.app.hub.keeper.change_analyses(change).await
    }

    /// As many positions as there is time for until others have waited long enough, at least one. Each is
    /// searched to its end, whoever waits: numbers must not depend on that.
    async fn go_on(&self, mut course: Course) -> Result<Course, ApiError> {
        let stop = self.running.stop.clone();
        let (spec, nodes, flag) = (self.spec.clone(), self.nodes, stop.clone());
        let running = self.running.clone();
        let part = move |hurry: &StopFlag| {
            while let Some(table) = course.next() {
                let Some(opinion) = review::opinion(table, &spec, nodes, &flag)? else {
                    return Ok(None);
                };
                course.learn(opinion);
                running.done.store(course.done(), Ordering::Relaxed);
                running.total.store(course.total(), Ordering::Relaxed);
                if hurry.is_set() {
                    break;
                }
            }
            Ok(Some(course))
        };
        let found = self.app.hub.pool.run(self.client, stop, part).await?;
        let found: Result<_, AgentError> = found.transpose();
        let found = found.map_err(ApiError::bad)?.flatten();
        found.ok_or_else(|| ApiError::failed("the review was stopped"))
    }
}
