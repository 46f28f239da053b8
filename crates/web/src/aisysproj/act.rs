//! `PUT /act/ENV`: an agent sends its actions and gets the next requests.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

use agon_arena::contest::Desk;
use agon_arena::store::Account;
use agon_wire::aisysproj::answer::{Elsewhere, Office, answer, bad_request};
use agon_wire::aisysproj::protocol::{Refusal, Request, Response as Answer};
use axum::Router;
use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, PathRejection};
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, put};
use tokio::sync::OwnedMutexGuard;
use tokio::task::spawn_blocking;
use tokio::time::{sleep, timeout};

use super::door::is_same;
use super::{Course, Place};
use crate::clients::Client;
use crate::error::ApiError;
use crate::limits;

/// The paths of the protocol. Some clients write two slashes.
pub fn router(course: Arc<Course>) -> Router {
    let act = || {
        // By default, HEAD would be handled like GET and act.
        let refused = async || Refused::new(StatusCode::METHOD_NOT_ALLOWED, "use PUT");
        put(act).get(act).head(refused).fallback(refused)
    };
    // Agents get an answer in the protocol's form for any other path, too.
    let other = ["/act", "/act/", "/act/{env}/", "//act/{env}/"];
    let other = other.into_iter().chain(["/act/{env}/{*rest}", "//act/{env}/{*rest}"]);
    let router = Router::new().route("/act/{env}", act()).route("//act/{env}", act());
    other
        .fold(router, |router, path| router.route(path, any(nothing)))
        .layer(DefaultBodyLimit::max(limits::AGENT_BODY))
        .with_state(course)
}

async fn nothing() -> Refused {
    Refused::new(StatusCode::NOT_FOUND, "there is nothing here; requests go to /act/ENV")
}

/// A locked desk.
type OpenDesk = OwnedMutexGuard<Option<Desk>>;

/// Why a request is refused as a whole.
struct Refused(Refusal);

impl Refused {
    fn new(status: StatusCode, description: impl Into<String>) -> Refused {
        let name = status.canonical_reason().unwrap_or("Error").to_string();
        let description = description.into();
        Refused(Refusal { errorcode: status.as_u16(), errorname: name, description })
    }

    /// The one status after which every client waits and retries.
    fn busy(description: &str) -> Refused {
        Refused::new(StatusCode::SERVICE_UNAVAILABLE, description)
    }
}

impl From<Refusal> for Refused {
    fn from(refusal: Refusal) -> Refused {
        Refused(refusal)
    }
}

impl From<ApiError> for Refused {
    fn from(error: ApiError) -> Refused {
        tracing::error!("a request of an agent failed: {error}");
        Refused::busy("internal error: try again in a moment")
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.0.errorcode);
        let status = status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        (status, [(CONTENT_TYPE, "application/json")], self.0.body()).into_response()
    }
}

async fn act(
    State(course): State<Arc<Course>>,
    client: Client,
    env: Result<Path<String>, PathRejection>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, Refused> {
    let Ok(Path(env)) = env else { return Err(nothing().await) };
    let body = body.map_err(|problem| Refused::new(problem.status(), problem.body_text()))?;
    if !is_json(&headers) {
        let status = StatusCode::UNSUPPORTED_MEDIA_TYPE;
        return Err(Refused::new(status, "expected Content-Type: application/json"));
    }
    let request = Request::read(&body).map_err(|why| bad_request(why.to_string()))?;
    let account = course.account(&env, &request, client).await?;
    let place = course.place(&account);
    let Ok(room) = place.requests.clone().try_acquire_owned() else {
        return Err(Refused::busy("too many concurrent requests from this agent"));
    };
    sleep(place.pace.next(Instant::now())).await;
    // Runs to its end even if the client goes away.
    let working = tokio::spawn(async move {
        let _room = room;
        course.answer(&env, &account, &place, request).await
    });
    let Ok(answered) = timeout(limits::AGENT_ANSWER, working).await else {
        return Err(Refused::busy("the server is busy: try again in a moment"));
    };
    let answer = answered.map_err(|error| Refused::from(ApiError::failed(error)))??;
    Ok(([(CONTENT_TYPE, "application/json")], answer.body()).into_response())
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    kind == "application/json" || (kind.starts_with("application/") && kind.ends_with("+json"))
}

impl Course {
    /// The account that sent the request, if its password is right and it may play.
    async fn account(
        &self,
        env: &str,
        request: &Request,
        client: Client,
    ) -> Result<Account, Refused> {
        if self.environment(env).is_none() {
            return Err(bad_request(format!("No such environment {env}")).into());
        }
        let (agent, hash) = match request {
            Request::V0(request) => (request.agent.clone(), request.pwd.sha256()),
            Request::V1(request) => (request.agent.clone(), request.pwd.sha256()),
        };
        let id = env.to_string();
        let account = self.keeper.read(move |store| store.account(&id, &agent)).await?;
        let unauthorized = |why: &str| Refused::new(StatusCode::UNAUTHORIZED, why);
        let wrong = match account {
            Some(account) if is_same(&account.hash, &hash) => {
                let active = !account.blocked;
                return active.then_some(account).ok_or(unauthorized("the agent is not active"));
            }
            Some(_) => "wrong password",
            None => "unknown agent",
        };
        sleep(self.door.wait_for(client, Instant::now())).await;
        Err(unauthorized(wrong))
    }

    /// Works out the answer, and stores what it changes before it is sent.
    async fn answer(
        self: &Arc<Course>,
        env: &str,
        account: &Account,
        place: &Place,
        request: Request,
    ) -> Result<Answer, Refused> {
        let environment = self.environment(env).ok_or_else(|| bad_request("no environment"))?;
        let desk = self.desk(environment, account, place).await?;
        let named = named(&request, desk.as_ref());
        let elsewhere = self.elsewhere(env, &account.name, named).await?;
        let place = self.working.clone().acquire_owned().await.map_err(ApiError::failed)?;
        let (course, env) = (self.clone(), env.to_string());
        let working = spawn_blocking(move || {
            let _place = place;
            course.work(&env, desk, &request, &elsewhere)
        });
        let (mut desk, answer) = working.await.map_err(ApiError::failed)??;
        let kept = match desk.as_mut().map(Desk::take_changes).transpose() {
            Ok(changes) => self.keeper.change_runs(changes.unwrap_or_default()).await,
            Err(problem) => Err(ApiError::failed(problem)),
        };
        if let Err(problem) = kept {
            // Memory differs from the store now: read it again next time.
            *desk = None;
            return Err(problem.into());
        }
        answer.map_err(Refused::from)
    }

    fn work(
        &self,
        env: &str,
        mut desk: OpenDesk,
        request: &Request,
        elsewhere: &[(u64, Elsewhere)],
    ) -> Result<(OpenDesk, Result<Answer, Refusal>), ApiError> {
        let gone = || ApiError::failed("the desk is gone");
        let environment = self.environment(env).ok_or_else(gone)?;
        let open = desk.as_mut().ok_or_else(gone)?;
        let known = |id: u64| {
            let found = elsewhere.iter().find(|(other, _)| *other == id);
            found.map_or(Elsewhere::Finished, |(_, elsewhere)| *elsewhere)
        };
        let mut begin = || self.begin();
        let mut office = Office { environment, begin: &mut begin, elsewhere: &known };
        let answer = answer(open, &mut office, request);
        Ok((desk, answer))
    }

    /// Looks up runs that are not open at the desk.
    async fn elsewhere(
        &self,
        env: &str,
        agent: &str,
        named: Vec<u64>,
    ) -> Result<Vec<(u64, Elsewhere)>, ApiError> {
        if named.is_empty() {
            return Ok(Vec::new());
        }
        let (env, agent) = (env.to_string(), agent.to_string());
        self.keeper
            .read(move |store| {
                let look_up = |id: u64| {
                    let elsewhere = match store.run(id)? {
                        None => Elsewhere::Unknown,
                        Some(run) if run.environment != env || run.agent != agent => {
                            Elsewhere::Foreign
                        }
                        Some(_) => Elsewhere::Finished,
                    };
                    Ok((id, elsewhere))
                };
                named.into_iter().map(look_up).collect()
            })
            .await
    }
}

/// The distinct runs that a request names and that are not open at the desk.
fn named(request: &Request, desk: Option<&Desk>) -> Vec<u64> {
    let named: BTreeSet<u64> = match request {
        Request::V0(request) => {
            request.actions.iter().filter_map(|action| action.run.run.parse().ok()).collect()
        }
        Request::V1(request) => {
            let acted = request.actions.iter().map(|action| &action.run);
            acted.chain(&request.to_abandon).filter_map(|run| run.parse().ok()).collect()
        }
    };
    let open: BTreeSet<u64> = desk.into_iter().flat_map(Desk::open_runs).collect();
    named.difference(&open).copied().collect()
}
