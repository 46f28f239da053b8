//! `agon records list`.

use std::io::Write;

use agon_arena::dates::minute_text;
use agon_arena::store::Entrant;
use agon_arena::store::export::{ExportedGame, Known};
use serde::Serialize;

use super::{filter, seat_names};
use crate::args::RecordsListArgs;
use crate::data::Data;
use crate::draw::palette::DIM;
use crate::draw::styled;
use crate::output::{print_json, thousands};
use crate::table::write_aligned;

/// The text columns: all but the plies.
const TEXTS: [usize; 5] = [0, 1, 2, 3, 5];

#[derive(Serialize)]
struct ListJson {
    /// The number of matching games, listed or not.
    total: u64,
    games: Vec<GameJson>,
}

#[derive(Serialize)]
struct GameJson {
    id: String,
    /// In milliseconds since 1970.
    finished: i64,
    variant: String,
    players: Vec<PlayerJson>,
    plies: usize,
    reason: String,
    end: String,
    offender: Option<String>,
    rated: bool,
    disturbed: bool,
}

#[derive(Serialize)]
struct PlayerJson {
    seat: String,
    name: String,
    agent: String,
    points: u8,
}

impl From<ExportedGame<'_>> for GameJson {
    fn from(entry: ExportedGame<'_>) -> GameJson {
        let game = entry.game;
        let table = entry.table().into_iter().zip(game.points.as_slice());
        let player = |((seat, entrant), &points): ((String, &Entrant), &u8)| {
            let (name, agent) = (entrant.name.clone(), entrant.agent.clone());
            PlayerJson { seat, name, agent, points }
        };
        GameJson {
            id: entry.id().to_string(),
            finished: game.finished_at,
            variant: game.variant.clone(),
            players: table.map(player).collect(),
            plies: game.plies(),
            reason: game.reason.clone(),
            end: game.end.clone(),
            offender: entry.offender(),
            rated: game.rated,
            disturbed: game.disturbed,
        }
    }
}

impl GameJson {
    /// The game as a line of the table.
    fn row(&self) -> Vec<String> {
        let player = |player: &PlayerJson| format!("{} {}", player.name, player.points);
        let players: Vec<String> = self.players.iter().map(player).collect();
        let offender = self.offender.as_ref().map(|seat| format!(" ({seat})"));
        let disturbed = if self.disturbed { " (disturbed)" } else { "" };
        vec![
            self.id.clone(),
            minute_text(self.finished),
            self.variant.clone(),
            players.join(" / "),
            self.plies.to_string(),
            format!("{}{}{disturbed}", self.reason, offender.unwrap_or_default()),
        ]
    }
}

/// Lists games, the newest first.
pub(super) fn run(args: &RecordsListArgs, data: &Data) -> anyhow::Result<()> {
    let store = data.games_to_read()?;
    let filter = filter(&args.filter, &store, data.catalog())?;
    let (total, _) = store.count_games(&filter)?;
    let names = |variant: &str| seat_names(data.catalog(), variant);
    let mut known = Known::new(&store, &names);
    let mut games = Vec::new();
    for (series, game) in store.list_games(&filter, args.limit, args.offset)? {
        games.push(GameJson::from(known.entry(series, &game)?));
    }
    if args.json {
        return Ok(print_json(&ListJson { total, games })?);
    }
    let mut out = anstream::stdout().lock();
    if games.is_empty() {
        let there_are = if total == 0 { "no matching games".into() } else { only(total) };
        writeln!(out, "{there_are}")?;
        return Ok(());
    }
    let headings = ["game", "when (UTC)", "variant", "agents and points", "plies", "reason"];
    let mut rows = vec![headings.map(String::from).to_vec()];
    rows.extend(games.iter().map(GameJson::row));
    write_aligned(&mut out, &TEXTS, &rows)?;
    if (games.len() as u64) < total {
        let first = args.offset + 1;
        let shown = format!("{first} to {} of {}", args.offset + games.len(), thousands(total));
        writeln!(out, "{}", styled(DIM, &format!("{shown}; --limit and --offset show others")))?;
    }
    Ok(())
}

fn only(total: u64) -> String {
    format!("only {} matching games: --limit and --offset leave none of them", thousands(total))
}
