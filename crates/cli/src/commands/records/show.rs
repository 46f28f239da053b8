//! `agon records show`.

use std::io::Write;

use agon_arena::dates::minute_text;
use agon_arena::store::export::ExportedGame;
use agon_arena::store::export::pgn::PgnGame;
use agon_core::{printable, printable_lines};

use super::{find_game, seat_names};
use crate::args::RecordsShowArgs;
use crate::data::Data;
use crate::draw::palette::{BOLD, DIM, ERROR};
use crate::draw::styled;
use crate::output::thousands;
use crate::table::{clock_text, move_time, write_aligned};

/// Shows a game with all its moves.
pub(super) fn run(args: &RecordsShowArgs, data: &Data) -> anyhow::Result<()> {
    let (series, game) = find_game(&data.games_to_read()?, args.id)?;
    let seat_names = seat_names(data.catalog(), &game.variant);
    let entry = ExportedGame { series: &series, game: &game, seat_names: &seat_names };
    let mut out = anstream::stdout().lock();
    if args.json {
        writeln!(out, "{}", entry.json()?)?;
        return Ok(());
    }
    for (name, value) in tags(&entry) {
        let style = if ["Offender", "Evidence"].contains(&name.as_str()) { ERROR } else { BOLD };
        // The output of a program may have many lines; names and agents have one.
        let value = match name.as_str() {
            "Evidence" => printable_lines(&value).replace('\n', "\n              "),
            _ => printable(&value).into_owned(),
        };
        writeln!(out, "{} {value}", styled(style, &format!("{name:<13}")))?;
    }
    writeln!(out)?;
    if game.opening_moves().next().is_some() {
        writeln!(out, "{}", styled(DIM, &format!("opening: {}", game.opening)))?;
    }
    write_aligned(&mut out, &[1, 2], &rows(&entry))?;
    Ok(())
}

/// The tags of an export, and the date.
fn tags(entry: &ExportedGame<'_>) -> Vec<(String, String)> {
    let mut tags = PgnGame::from(entry).tags;
    let after_id = tags.len().min(2);
    let when = format!("{} UTC", minute_text(entry.game.finished_at));
    tags.insert(after_id, ("Finished".into(), when));
    if entry.game.is_fault() {
        tags.push(("End".into(), entry.game.end.clone()));
    }
    tags
}

/// A row for every move of the players. Nobody looks for clocks, depths or scores in vain: columns
/// without any are left out.
fn rows(entry: &ExportedGame<'_>) -> Vec<Vec<String>> {
    let game = entry.game;
    let clocks = game.clocks();
    let has_clocks = clocks.iter().any(Option::is_some);
    let has_depths = game.depths.iter().any(|&depth| depth > 0);
    let has_scores = game.scores.iter().any(Option::is_some);
    let optional = [("clock", has_clocks), ("depth", has_depths), ("score", has_scores)];
    let optional = optional.into_iter().filter(|(_, shown)| *shown).map(|(name, _)| name);
    let headings = ["ply", "seat", "move", "time", "nodes"].into_iter().chain(optional);
    let mut rows = vec![headings.map(String::from).collect()];
    let first = game.opening_moves().count() + 1;
    for (index, mv) in game.played_moves().enumerate() {
        let mut row = vec![
            (first + index).to_string(),
            entry.seat_name(game.movers[index]),
            mv.to_string(),
            move_time(game.times[index]),
            thousands(game.nodes[index]),
        ];
        let depth = Some(game.depths[index]).filter(|&depth| depth > 0);
        let cells = [
            (has_clocks, clocks[index].map(clock_text)),
            (has_depths, depth.map(|depth| depth.to_string())),
            (has_scores, game.scores[index].map(|score| score.to_string())),
        ];
        row.extend(
            cells.into_iter().filter(|(shown, _)| *shown).map(|(_, it)| it.unwrap_or_default()),
        );
        rows.push(row);
    }
    rows
}
