//! What there is: games, rules, agents.

use agon_arena::registry::Kind;
use agon_games::{GAMES, GameInfo};
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::positions::opened;
use super::{App, Name};
use crate::problem::{ErrorBody, Problem};
use crate::rivals::Programs;
use crate::view::SceneView;

/// How many levels an opponent has.
const LEVELS: u8 = 10;

/// What this server is and allows.
#[derive(Serialize, ToSchema)]
pub struct ServerInfo {
    /// The version of the program.
    version: &'static str,
    /// Whether agent texts may start programs: `refused`, `allowed` or `with_secret`.
    programs: &'static str,
    /// The agents that can be asked to play.
    agents: Vec<AgentView>,
    /// How many levels `engine:level=…` has.
    levels: u8,
}

/// A kind of agent.
#[derive(Serialize, ToSchema)]
pub struct AgentView {
    /// Its name.
    name: &'static str,
    /// What it does.
    about: &'static str,
    /// For how many players it is.
    seats: &'static [usize],
    /// What can be set.
    options: Vec<OptionView>,
}

/// An option of an agent.
#[derive(Serialize, ToSchema)]
pub struct OptionView {
    /// Its name.
    name: &'static str,
    /// What can stand behind `=`.
    values: &'static str,
    /// What it does.
    about: &'static str,
}

/// The games there are.
#[derive(Serialize, ToSchema)]
pub struct Catalog {
    games: Vec<GameEntry>,
}

/// A game.
#[derive(Serialize, ToSchema)]
pub struct GameEntry {
    /// The name in variants.
    name: &'static str,
    /// The name for people.
    title: &'static str,
    /// The game in a sentence.
    summary: &'static str,
    /// The names of the seats; a variant may have fewer.
    seats: &'static [&'static str],
    /// Variants worth knowing, the default first.
    variants: Vec<VariantEntry>,
    /// The default variant at its start.
    scene: SceneView,
}

/// A variant worth knowing.
#[derive(Serialize, ToSchema)]
pub struct VariantEntry {
    /// Its text.
    text: &'static str,
    /// What is special about it.
    about: &'static str,
}

/// What this server is and allows.
#[utoipa::path(get, path = "/api/server", responses((status = 200, body = ServerInfo)))]
pub async fn server(State(app): State<App>) -> Json<ServerInfo> {
    let programs = app.hub.rivals.programs();
    let players = app.hub.rivals.registry().kinds().iter().filter(|(_, kind)| match kind {
        Kind::BuiltIn => true,
        Kind::Person => false,
        Kind::Outside(_) => *programs != Programs::Refused,
    });
    let agents = players.map(|(info, _)| AgentView {
        name: info.name,
        about: info.about,
        seats: info.seats,
        options: info
            .options
            .iter()
            .map(|option| OptionView {
                name: option.name,
                values: option.values,
                about: option.about,
            })
            .collect(),
    });
    Json(ServerInfo {
        version: env!("CARGO_PKG_VERSION"),
        programs: match programs {
            Programs::Refused => "refused",
            Programs::Allowed => "allowed",
            Programs::WithSecret(_) => "with_secret",
        },
        agents: agents.collect(),
        levels: LEVELS,
    })
}

/// The games there are.
#[utoipa::path(get, path = "/api/catalog", responses((status = 200, body = Catalog)))]
pub async fn catalog() -> Result<Json<Catalog>, Problem> {
    let games: Result<Vec<GameEntry>, Problem> = GAMES.iter().map(entry).collect();
    Ok(Json(Catalog { games: games? }))
}

fn entry(game: &GameInfo) -> Result<GameEntry, Problem> {
    let default = game.variants.first().map_or(game.name, |variant| variant.text);
    let variants = game.variants.iter();
    Ok(GameEntry {
        name: game.name,
        title: game.title,
        summary: game.summary,
        seats: game.seats,
        variants: variants
            .map(|variant| VariantEntry { text: variant.text, about: variant.about })
            .collect(),
        scene: SceneView::from(opened(default, None)?.scene()),
    })
}

/// The rules of a game, for people.
#[utoipa::path(get, path = "/api/catalog/{game}/rules", params(("game" = String, Path)), responses(
    (status = 200), (status = "4XX", body = ErrorBody)))]
pub async fn rules(Name(game): Name) -> Result<Json<()>, Problem> {
    Err(Problem::not_found(format!("there is no game {game:?}")))
}
