//! The catalog: games, variants, agents.

use agon_arena::registry::Provider;
use agon_games::{Field, FieldKind, GameInfo, VariantInfo};
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::App;
use super::positions::opened;
use crate::error::ApiError;
use crate::rivals::Programs;
use crate::view::{SceneView, Setting};

/// How many levels an opponent has.
const LEVELS: u8 = 10;

/// What this server is and allows.
#[derive(Serialize, ToSchema)]
pub(crate) struct ServerInfo {
    /// The version of the program.
    version: &'static str,
    /// Whether agent texts may start programs: `refused` or `with_secret`.
    programs: &'static str,
    /// The agents that can play.
    agents: Vec<AgentView>,
    /// How many levels `engine:level=…` has.
    levels: u8,
    /// How many searches run or wait now.
    searches: usize,
}

/// A kind of agent.
#[derive(Serialize, ToSchema)]
pub(crate) struct AgentView {
    /// Its name.
    name: &'static str,
    /// What it does.
    about: &'static str,
    /// The numbers of players it supports.
    seats: &'static [usize],
    /// Its options.
    options: Vec<OptionView>,
}

/// An option of an agent.
#[derive(Serialize, ToSchema)]
pub(crate) struct OptionView {
    /// Its name.
    name: &'static str,
    /// The values it accepts.
    values: &'static str,
    /// What it does.
    about: &'static str,
    /// The largest number of players it is for.
    most_seats: usize,
}

/// All games.
#[derive(Serialize, ToSchema)]
pub(crate) struct Catalog {
    games: Vec<GameEntry>,
}

/// A game.
#[derive(Serialize, ToSchema)]
pub(crate) struct GameEntry {
    /// The name in variants.
    name: String,
    /// Its title.
    title: String,
    /// The game in a sentence.
    summary: String,
    /// The names of the seats; a variant may have fewer.
    seats: Vec<String>,
    /// The names of the seats in texts for people.
    labels: Vec<String>,
    /// Variants worth knowing, the default first.
    variants: Vec<VariantEntry>,
    /// How a variant is chosen.
    form: FormView,
    /// The default variant at its start.
    scene: SceneView,
    /// How many degrees to turn the picture clockwise so that the first seat is at the bottom.
    turn: u16,
}

/// How a variant is chosen: its text is the game, a colon and the filled-in template, or only the
/// game if the template is empty.
#[derive(Serialize, ToSchema)]
pub(crate) struct FormView {
    /// The setup with the fields' names in braces.
    #[schema(example = "{width}x{height}{rules}")]
    template: &'static str,
    /// The fields.
    fields: Vec<FieldView>,
}

/// A field of the form.
#[derive(Serialize, ToSchema)]
pub(crate) struct FieldView {
    /// The name in the template.
    name: &'static str,
    /// Its label.
    label: &'static str,
    /// `number`, `seed` or `choice`.
    kind: &'static str,
    /// The smallest number.
    #[serde(skip_serializing_if = "Option::is_none")]
    min: Option<u32>,
    /// The largest number.
    #[serde(skip_serializing_if = "Option::is_none")]
    max: Option<u32>,
    /// The default value.
    default: String,
    /// The choices.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    choices: Vec<ChoiceView>,
}

/// One of the choices.
#[derive(Serialize, ToSchema)]
pub(crate) struct ChoiceView {
    /// Its text in the setup.
    value: &'static str,
    /// Its label.
    label: &'static str,
}

impl From<&Field> for FieldView {
    fn from(field: &Field) -> FieldView {
        let (kind, range, choices): (_, _, &[_]) = match field.kind {
            FieldKind::Number { min, max, .. } => ("number", Some((min, max)), &[]),
            FieldKind::Seed { .. } => ("seed", Some((0, u32::MAX)), &[]),
            FieldKind::Choice { choices } => ("choice", None, choices),
        };
        let choices = choices.iter();
        FieldView {
            name: field.name,
            label: field.label,
            kind,
            min: range.map(|(min, _)| min),
            max: range.map(|(_, max)| max),
            default: field.default(),
            choices: choices.map(|&(value, label)| ChoiceView { value, label }).collect(),
        }
    }
}

/// A variant worth knowing.
#[derive(Serialize, ToSchema)]
pub(crate) struct VariantEntry {
    /// Its text.
    text: String,
    /// What is special about it.
    about: String,
}

/// What this server is and allows.
#[utoipa::path(get, path = "/api/server", responses((status = 200, body = ServerInfo)))]
pub async fn server(State(app): State<App>) -> Json<ServerInfo> {
    let programs = app.hub.rivals.programs();
    let players = app.hub.rivals.registry().kinds().iter().filter(|(_, kind)| match kind {
        Provider::BuiltIn => true,
        Provider::Person => false,
        Provider::Outside(_) => *programs != Programs::Refused,
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
                most_seats: option.most_seats,
            })
            .collect(),
    });
    Json(ServerInfo {
        version: env!("CARGO_PKG_VERSION"),
        programs: match programs {
            Programs::Refused => "refused",
            Programs::WithSecret(_) => "with_secret",
        },
        agents: agents.collect(),
        levels: LEVELS,
        searches: app.hub.pool.load(),
    })
}

/// All games.
#[utoipa::path(get, path = "/api/catalog", responses((status = 200, body = Catalog)))]
pub async fn catalog(State(app): State<App>) -> Result<Json<Catalog>, ApiError> {
    let catalog = app.catalog();
    let games: Result<_, ApiError> =
        catalog.games(|info| entry(catalog, info)).into_iter().collect();
    Ok(Json(Catalog { games: games? }))
}

fn entry(catalog: &agon_games::Catalog, game: &GameInfo<'_>) -> Result<GameEntry, ApiError> {
    let default = game.variants.first().map_or(game.name, |variant| variant.text);
    let (table, variants) = (opened(catalog, default, None)?, game.variants.iter());
    let Setting { about, board, .. } = Setting::of(&*table);
    let variant = |it: &VariantInfo<'_>| VariantEntry {
        text: it.text.to_string(),
        about: it.about.to_string(),
    };
    Ok(GameEntry {
        name: game.name.to_string(),
        title: game.title.to_string(),
        summary: game.summary.to_string(),
        seats: game.seats.iter().map(|seat| seat.to_string()).collect(),
        labels: about.labels.clone(),
        variants: variants.map(variant).collect(),
        form: FormView {
            template: game.form.template,
            fields: game.form.fields.iter().map(FieldView::from).collect(),
        },
        turn: about.turns.first().copied().unwrap_or(0),
        scene: SceneView::new(Some(board), &*table),
    })
}
