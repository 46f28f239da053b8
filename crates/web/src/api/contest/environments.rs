//! Environments and their leaderboards.

use agon_arena::contest::{Begins, Environment, Opponent, Threshold, Ties};
use agon_arena::store::{Standing, Traffic};
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use crate::api::{App, Name};
use crate::error::{ApiError, ErrorBody};
use crate::view::title_of;

/// All environments.
#[derive(Serialize, ToSchema)]
pub(crate) struct EnvironmentList {
    /// The groups, in the order of their files.
    groups: Vec<GroupView>,
}

/// A group of environments.
#[derive(Serialize, ToSchema)]
pub(crate) struct GroupView {
    /// The name of the group; may be empty.
    name: String,
    environments: Vec<EnvironmentView>,
}

/// An environment: a game against fixed opponents.
#[derive(Serialize, ToSchema)]
pub(crate) struct EnvironmentView {
    /// Its id in the protocol.
    #[schema(example = "ws2223-2.1-rhombus")]
    pub id: String,
    /// Its name.
    pub name: String,
    /// The name of its group.
    pub group: String,
    /// A description for people.
    pub description: String,
    /// The variant.
    #[schema(example = "fauhalma:rhombus2")]
    pub variant: String,
    /// The title of the game.
    pub title: String,
    /// The players of the other seats, starting with the one after the agent.
    pub opponents: Vec<OpponentView>,
    /// Who makes the first move: `anybody` (at random), `agent` or `opponent`.
    pub begins: &'static str,
    /// The score of each place, first place first.
    pub points: Vec<f64>,
    /// What tied players get: `share` splits the points of their places, `lose` gives the lowest.
    pub ties: &'static str,
    /// Over how many consecutive runs a rating is the mean.
    pub window: usize,
    /// How many runs an agent may have open at a time.
    pub open_runs: usize,
    /// Whether runs may be abandoned.
    pub abandon: bool,
    /// What ratings earn, lowest first.
    pub thresholds: Vec<ThresholdView>,
    /// How many agents have an account.
    pub agents: u64,
    /// How many runs are finished.
    pub finished: u64,
    /// How many runs are open now.
    pub open: u64,
    /// The best rating of any agent.
    pub best: Option<f64>,
}

/// An opponent.
#[derive(Serialize, ToSchema)]
pub(crate) struct OpponentView {
    /// Its name.
    pub name: String,
    /// The text of the agent.
    #[schema(example = "engine")]
    pub agent: String,
    /// How it plays, and how far it may search.
    #[schema(example = "the strongest, for two players and for three; 2,000 nodes per move")]
    pub words: String,
}

/// A rating above `above` earns `points`.
#[derive(Serialize, ToSchema)]
pub(crate) struct ThresholdView {
    /// The rating to exceed.
    above: f64,
    /// The points for that.
    points: f64,
}

/// The thresholds that earn more than `earned`, lowest first.
pub fn thresholds(environment: &Environment, earned: f64) -> Vec<ThresholdView> {
    let view = |&Threshold { above, points }: &Threshold| ThresholdView { above, points };
    let higher = environment.thresholds.iter().filter(|threshold| threshold.points > earned);
    let mut views: Vec<ThresholdView> = higher.map(view).collect();
    views.sort_by(|a, b| a.above.total_cmp(&b.above));
    views
}

/// An environment and the standings of its agents.
#[derive(Serialize, ToSchema)]
pub(crate) struct Leaderboard {
    #[serde(flatten)]
    environment: EnvironmentView,
    /// Agents with enough finished runs for their rating to count, best first.
    evaluated: Vec<RankedView>,
    /// Agents with fewer runs, most runs first.
    begun: Vec<BegunView>,
}

/// An agent whose rating counts.
#[derive(Serialize, ToSchema)]
pub(crate) struct RankedView {
    /// Its rank, from 1; agents with the same rating share one.
    rank: usize,
    /// Its name.
    agent: String,
    /// The best rating it has had.
    best: f64,
    /// The mean of its last runs.
    current: f64,
    /// How many runs it has finished.
    runs: u64,
    /// How many it has open.
    open: u64,
    /// The points its best rating has earned.
    points: f64,
    /// When one of its runs last changed, in milliseconds since 1970.
    active_at: Option<i64>,
}

/// An agent whose rating does not count yet.
#[derive(Serialize, ToSchema)]
pub(crate) struct BegunView {
    /// Its name.
    agent: String,
    /// How many runs it has finished.
    runs: u64,
    /// How many it has open.
    open: u64,
    /// The mean of its runs so far.
    estimated: Option<f64>,
    /// When one of its runs last changed, in milliseconds since 1970.
    active_at: Option<i64>,
}

impl OpponentView {
    pub fn new(app: &App, opponent: &Opponent) -> OpponentView {
        let kinds = app.hub.rivals.registry().kinds();
        let known = kinds.iter().find(|(info, _)| info.name == opponent.agent.name);
        let about = known.map(|(info, _)| info.about.to_string());
        let depth = opponent.depth.map(|depth| format!("{depth} plies deep"));
        let nodes = opponent.nodes.map(|nodes| format!("{} nodes a move", thousands(nodes)));
        let words: Vec<String> = [about, depth, nodes].into_iter().flatten().collect();
        let (name, agent) = (opponent.name.clone(), opponent.agent.to_string());
        OpponentView { name, agent, words: words.join("; ") }
    }
}

impl EnvironmentView {
    fn new(app: &App, environment: &Environment, traffic: Option<&Traffic>) -> EnvironmentView {
        EnvironmentView {
            id: environment.id.clone(),
            name: environment.name.clone(),
            group: environment.group.clone(),
            description: environment.description.clone(),
            variant: environment.variant.to_string(),
            title: title_of(&environment.catalog, &environment.variant),
            opponents: environment.opponents.iter().map(|it| OpponentView::new(app, it)).collect(),
            begins: match environment.begins {
                Begins::Anybody => "anybody",
                Begins::Agent => "agent",
                Begins::Opponent => "opponent",
            },
            points: environment.points.clone(),
            ties: match environment.ties {
                Ties::Share => "share",
                Ties::Lose => "lose",
            },
            window: environment.window,
            open_runs: environment.open_runs,
            abandon: environment.abandon,
            thresholds: thresholds(environment, f64::NEG_INFINITY),
            agents: traffic.map_or(0, |traffic| traffic.agents),
            finished: traffic.map_or(0, |traffic| traffic.finished),
            open: traffic.map_or(0, |traffic| traffic.open),
            best: traffic.and_then(|traffic| traffic.best),
        }
    }
}

/// All environments, with their numbers of agents and runs.
#[utoipa::path(get, path = "/api/environments", responses(
    (status = 200, body = EnvironmentList), (status = 304, description = "nothing new")))]
pub async fn list(State(app): State<App>, headers: HeaderMap) -> Result<Response, ApiError> {
    let make = async {
        let traffic = app.hub.keeper.read(|store| store.traffic()).await?;
        let mut groups: Vec<GroupView> = Vec::new();
        for environment in app.course.environments().iter() {
            let traffic = traffic.iter().find(|it| it.environment == environment.id);
            let view = EnvironmentView::new(&app, environment, traffic);
            match groups.iter_mut().find(|group| group.name == view.group) {
                Some(group) => group.environments.push(view),
                None => {
                    groups.push(GroupView { name: view.group.clone(), environments: vec![view] });
                }
            }
        }
        Ok(EnvironmentList { groups })
    };
    Ok(app.answers.get("environments".into(), make).await?.to(&headers))
}

/// An environment, with its leaderboard.
#[utoipa::path(get, path = "/api/environments/{env}", params(("env" = String, Path)), responses(
    (status = 200, body = Leaderboard), (status = 304, description = "nothing new"),
    (status = "4XX", body = ErrorBody)))]
pub async fn environment(
    State(app): State<App>,
    Name(id): Name,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let environment = app.environment(&id)?;
    let make = async {
        let window = environment.window;
        let standings = app.hub.keeper.read(move |store| store.standings(&id, window)).await?;
        let traffic = Traffic {
            environment: environment.id.clone(),
            agents: standings.len() as u64,
            finished: standings.iter().map(|it| it.finished).sum(),
            open: standings.iter().map(|it| it.open).sum(),
            best: standings.iter().filter_map(|it| it.best).max_by(f64::total_cmp),
        };
        let view = EnvironmentView::new(&app, environment, Some(&traffic));
        Ok(leaderboard(environment, view, standings))
    };
    let name = format!("environment {}", environment.id);
    Ok(app.answers.get(name, make).await?.to(&headers))
}

fn leaderboard(
    environment: &Environment,
    view: EnvironmentView,
    standings: Vec<Standing>,
) -> Leaderboard {
    let (mut evaluated, mut begun) = (Vec::new(), Vec::new());
    for standing in standings {
        let Standing { name: agent, finished: runs, best, current, open, active_at } = standing;
        match best {
            Some(best) if runs >= environment.window as u64 => evaluated.push(RankedView {
                rank: 0,
                agent,
                best,
                current: current.unwrap_or_default(),
                runs,
                open,
                points: environment.earned(best),
                active_at,
            }),
            _ if runs == 0 && open == 0 => {}
            _ => begun.push(BegunView { agent, runs, open, estimated: current, active_at }),
        }
    }
    // They arrive sorted by name, and the sort is stable.
    evaluated.sort_by(|a, b| b.best.total_cmp(&a.best));
    begun.sort_by_key(|it| std::cmp::Reverse(it.runs));
    let mut before = None;
    for (at, ranked) in evaluated.iter_mut().enumerate() {
        ranked.rank = match before {
            Some((rank, best)) if best == ranked.best => rank,
            _ => at + 1,
        };
        before = Some((ranked.rank, ranked.best));
    }
    Leaderboard { environment: view, evaluated, begun }
}

/// A number with thousands separators.
fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let parts: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|part| str::from_utf8(part).ok()).collect();
    parts.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_separated() {
        let texts = [0, 999, 2000, 1_234_567].map(thousands);
        assert_eq!(texts, ["0", "999", "2,000", "1,234,567"]);
    }
}
