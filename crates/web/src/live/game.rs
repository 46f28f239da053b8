//! Games as the pages get them.

use std::sync::Arc;

use agon_arena::store::now;
use agon_core::Seat;
use serde::Serialize;
use utoipa::ToSchema;

use super::document::{Details, Holder, Watch};
use super::owners::Tokens;
use super::playing::Playing;
use crate::rivals::Rivals;
use crate::view::{OutcomeView, Part, PositionView, SceneView, Setting, VariantView, capital};

/// A game with everything a page shows.
#[derive(Serialize, ToSchema, Clone, Debug)]
pub struct GameView {
    /// Its id. Whoever knows it may play for the people in the game, unless their seats have owners.
    pub id: String,
    /// Grows with every change.
    pub version: u64,
    /// The current position.
    pub position: PositionView,
    /// The moves so far.
    pub played: Vec<PlayedView>,
    /// Who sits where.
    pub players: Vec<PlayerView>,
    /// Whether an agent is to move and the game is not paused.
    pub thinking: bool,
    /// Why the agent to move cannot be asked on this server, if it cannot.
    pub waiting: Option<String>,
    /// The pace of a game without people.
    pub watch: Option<Watch>,
    /// Whether a person can take back a move: where seats have owners, only the last who moved.
    pub can_undo: bool,
    /// The rematch, once there is one.
    pub rematch: Option<String>,
    /// The seats that offer a draw.
    pub draw_offers: Vec<usize>,
    /// When it started, in milliseconds since 1970.
    pub created_at: i64,
    /// When it last changed.
    pub updated_at: i64,
    /// The seats that whoever asks may play: in a game whose seats have owners, those whose tokens
    /// came with the request; otherwise those of all people.
    pub yours: Vec<usize>,
    /// The clocks, if there are any. The last field, because `for_client` splices it in.
    pub clock: Option<ClockView>,
}

/// The latest JSON of a game, so that it is serialised once for all pages.
#[derive(Default)]
pub(crate) struct JsonCache {
    /// What the texts depend on: the version, and whether the agent to move cannot be asked.
    at: (u64, bool),
    /// Each [`Part`], without clocks, as a client without tokens gets it.
    texts: [Option<Arc<str>>; 2],
}

impl JsonCache {
    /// The game as JSON.
    pub fn json(
        id: &str,
        playing: &mut Playing,
        rivals: &Rivals,
        part: Part,
        tokens: &Tokens,
    ) -> Arc<str> {
        let waits = playing.trouble.is_some() || playing.obstacle(id, rivals).is_some();
        let at = (playing.details.version, waits);
        if playing.cache.at != at {
            playing.cache = JsonCache { at, ..JsonCache::default() };
        }
        let text = playing.cache.texts[part as usize].clone().unwrap_or_else(|| {
            let view = GameView { clock: None, ..GameView::of(id, playing, rivals, part) };
            serde_json::to_string(&view).unwrap_or_default().into()
        });
        playing.cache.texts[part as usize] = Some(text.clone());
        let clock = ClockView::of(playing);
        match clock.is_none() && playing.details.owners.is_empty() {
            true => text,
            false => for_client(&text, &playing.details.yours(tokens), clock.as_ref()).into(),
        }
    }
}

/// The JSON of a game with what is different for every client, and every time.
fn for_client(game: &str, yours: &[usize], clock: Option<&ClockView>) -> String {
    const FIRST: &str = "\"yours\":";
    let clock = serde_json::to_string(&clock).unwrap_or_else(|_| "null".into());
    let shared = game.rfind(FIRST).map_or(game, |end| &game[..end]);
    format!("{shared}{FIRST}{yours:?},\"clock\":{clock}}}")
}

/// A move that was made.
#[derive(Serialize, ToSchema, Clone, Debug)]
pub struct PlayedView {
    /// The move.
    pub text: String,
    /// Who made it.
    pub seat: usize,
}

/// Who sits at a seat.
#[derive(Serialize, ToSchema, Clone, Debug)]
pub struct PlayerView {
    /// The name of the seat.
    pub seat: String,
    /// The name of the seat in texts for people.
    pub label: String,
    /// `human` or `agent`; `elsewhere` for a player of another process.
    pub kind: &'static str,
    /// The agent's text.
    pub agent: Option<String>,
    /// The player's name.
    pub name: String,
    /// Whether only those who have the seat's link may play it; left out if not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub owned: bool,
}

/// The clocks of a game.
#[derive(Serialize, ToSchema, Clone, Debug)]
pub struct ClockView {
    /// The time control: `5m+3s`.
    pub control: String,
    /// The time left for each seat, in milliseconds.
    pub remaining_ms: Vec<u64>,
    /// Whose clock runs.
    pub running: Option<usize>,
    /// When this was computed, in milliseconds since 1970.
    pub at_ms: i64,
}

/// A game in a list.
#[derive(Serialize, ToSchema, Clone, Debug)]
pub struct ListedGame {
    /// Its id.
    pub id: String,
    /// The variant.
    pub variant: String,
    /// The title of the game.
    pub title: String,
    /// Who sits where.
    pub players: Vec<PlayerView>,
    /// How many plies have been played.
    pub ply: usize,
    /// Whose turn it is.
    pub to_move: Option<usize>,
    /// How it ended, if it has.
    pub outcome: Option<OutcomeView>,
    /// When it last changed.
    pub updated_at: i64,
    /// The pace of a game without people.
    pub watch: Option<Watch>,
    /// The position, to draw; cells have no names here.
    pub scene: SceneView,
    /// The names of the seats.
    pub seats: Vec<String>,
    /// How far to turn the picture for the first human player.
    pub turn: u16,
}

impl GameView {
    /// The game as it is now.
    pub fn of(id: &str, playing: &Playing, rivals: &Rivals, part: Part) -> GameView {
        let waiting = playing.obstacle(id, rivals).or_else(|| playing.trouble.clone());
        let details = &playing.details;
        let mut position = PositionView::of(playing.table(), part);
        position.to_move = playing.to_move().map(Seat::index);
        position.outcome = playing.outcome();
        if playing.is_over() {
            position.moves.clear();
        }
        let played = playing.session.plies().iter();
        GameView {
            id: id.to_string(),
            version: details.version,
            played: played
                .map(|ply| PlayedView { text: ply.mv.clone(), seat: ply.seat.index() })
                .collect(),
            players: players(details, &Setting::of(playing.table()).about),
            clock: ClockView::of(playing),
            thinking: waiting.is_none() && is_thinking(playing),
            waiting,
            watch: details.watch,
            can_undo: playing.can_undo(),
            rematch: details.rematch.clone(),
            draw_offers: draw_offers(playing),
            created_at: details.created_at,
            updated_at: details.updated_at,
            position,
            yours: details.yours(&Tokens::default()),
        }
    }
}

impl ListedGame {
    /// The summary of a game.
    pub fn of(id: &str, playing: &Playing) -> ListedGame {
        let details = &playing.details;
        let table = playing.table();
        let Setting { about, small_board, .. } = Setting::of(table);
        let person = details.seats.iter().position(Holder::is_human).unwrap_or(0);
        ListedGame {
            id: id.to_string(),
            players: players(details, &about),
            variant: about.variant.clone(),
            title: about.title.to_string(),
            ply: playing.session.plies().len(),
            to_move: playing.to_move().map(Seat::index),
            outcome: playing.outcome(),
            updated_at: details.updated_at,
            watch: details.watch,
            scene: SceneView::new(Some(small_board), table),
            turn: about.turns.get(person).copied().unwrap_or(0),
            seats: about.seats.clone(),
        }
    }
}

impl ClockView {
    fn of(playing: &Playing) -> Option<ClockView> {
        let session = &playing.session;
        let control = session.pace().time.game?.to_string();
        let left = |seat| session.time_left(seat).map_or(0, |left| left.as_millis() as u64);
        let remaining_ms = Seat::all(playing.table().seats()).map(left).collect();
        let running = playing.to_move().filter(|_| session.clock_runs());
        Some(ClockView { control, remaining_ms, running: running.map(Seat::index), at_ms: now() })
    }
}

fn draw_offers(playing: &Playing) -> Vec<usize> {
    let seats = Seat::all(playing.table().seats());
    seats.filter(|seat| playing.session.offers_draw(*seat)).map(Seat::index).collect()
}

/// Whether an agent is to move and the game is not paused.
fn is_thinking(playing: &Playing) -> bool {
    playing.agent_to_move().is_some() && !playing.is_paused()
}

/// The players with their names.
fn players(details: &Details, about: &VariantView) -> Vec<PlayerView> {
    let alone = details.seats.iter().filter(|holder| holder.is_human()).count() == 1;
    type Place<'a> = (usize, (&'a Holder, (&'a String, &'a String)));
    let player = |(at, (holder, (seat, label))): Place<'_>| PlayerView {
        owned: details.owners.has(at),
        seat: seat.clone(),
        label: label.clone(),
        kind: match holder {
            Holder::Human {} => "human",
            Holder::Agent { .. } => "agent",
            Holder::Elsewhere { .. } => "elsewhere",
        },
        agent: holder.agent().map(str::to_string),
        name: match holder {
            Holder::Agent { agent } => agent_name(agent),
            Holder::Elsewhere { name } => name.clone(),
            Holder::Human {} if alone && !details.owners.has(at) => "You".to_string(),
            Holder::Human {} => capital(label),
        },
    };
    let seats = about.seats.iter().zip(&about.labels);
    details.seats.iter().zip(seats).enumerate().map(player).collect()
}

/// The display name of an agent.
pub(crate) fn agent_name(agent: &str) -> String {
    match agent.strip_prefix("engine:level=") {
        Some(level) if level.parse::<u8>().is_ok() => format!("Level {level}"),
        _ => agent.to_string(),
    }
}
