//! One line per game, as in RFC 4180. That is too little to need a library.

use agon_core::{Seat, printable};
use agon_search::Forced;

use super::ExportedGame;
use crate::dates::instant_text;
use crate::game_summary::Effort;
use crate::store::StoredGame;

/// The names of the columns, for tables of up to this many seats.
pub(super) fn header(seats: usize) -> String {
    let per_seat = |name: &str| (1..=seats).map(|seat| format!("{name}_{seat}")).collect();
    let single = |names: &str| names.split(' ').map(String::from).collect();
    let columns: [Vec<String>; 10] = [
        single("series number round pairing leg variant pace"),
        per_seat("entrant"),
        per_seat("agent"),
        per_seat("points"),
        single("plies"),
        per_seat("seconds"),
        per_seat("nodes"),
        per_seat("depth"),
        per_seat("score"),
        single("reason end offender signature rated disturbed finished"),
    ];
    joined(columns.concat())
}

/// The line of a game.
pub(super) fn line(entry: &ExportedGame<'_>, seats: usize) -> String {
    let (game, table) = (entry.game, entry.table());
    let per_seat = |mut values: Vec<String>| {
        values.resize(seats, String::new());
        values
    };
    let points = game.points.as_slice().iter().map(u8::to_string);
    let effort = game.effort();
    let seconds = effort.iter().map(|(_, effort)| format!("{:.6}", effort.time.as_secs_f64()));
    let schedule = [game.number, game.round.into(), game.pairing.into(), game.leg.into()];
    let mut fields = vec![entry.series.name.clone()];
    fields.extend(schedule.map(|number| number.to_string()));
    fields.extend([game.variant.clone(), game.pace.clone()]);
    fields.extend(per_seat(table.iter().map(|(_, entrant)| entrant.name.clone()).collect()));
    fields.extend(per_seat(table.iter().map(|(_, entrant)| entrant.agent.clone()).collect()));
    fields.extend(per_seat(points.collect()));
    fields.push(game.plies().to_string());
    fields.extend(per_seat(seconds.collect()));
    fields.extend(per_seat(effort.iter().map(|(_, effort)| effort.nodes.to_string()).collect()));
    let depth = |effort: &Effort| effort.mean_depth().map(|depth| format!("{depth:.1}"));
    let depths = effort.iter().map(|(_, effort)| depth(effort).unwrap_or_default());
    fields.extend(per_seat(depths.collect()));
    let scores = Seat::all(game.seats.seats()).map(|seat| last_score(game, seat));
    fields.extend(per_seat(scores.collect()));
    fields.extend([game.reason.clone(), game.end.clone()]);
    fields.push(entry.offender().unwrap_or_default());
    fields.push(format!("{:016x}", game.signature));
    fields.extend([game.rated, game.disturbed].map(|flag| flag.to_string()));
    fields.push(instant_text(game.finished_at));
    joined(fields)
}

/// The last evaluation of a seat: hundredths, or such as `win_in 3`.
fn last_score(game: &StoredGame, seat: Seat) -> String {
    let mut moves = game.movers.iter().zip(&game.scores).rev();
    let last = moves.find_map(|(&mover, &score)| if mover == seat { score } else { None });
    last.map_or(String::new(), |score| match score.forced() {
        None => score.value().to_string(),
        Some(Forced::WinIn(plies)) => format!("win_in {plies}"),
        Some(Forced::LossIn(plies)) => format!("loss_in {plies}"),
    })
}

/// Fields as one line of CSV. Spreadsheets take a text that begins with `=`, `+`, `-` or `@` for a
/// formula, so such a text gets an apostrophe before it, unless it is a number.
pub fn joined(fields: impl IntoIterator<Item = String>) -> String {
    let fields: Vec<String> = fields.into_iter().map(quoted).collect();
    fields.join(",") + "\r\n"
}

/// A field on one line, guarded and quoted if necessary.
fn quoted(field: String) -> String {
    let is_formula = field.starts_with(['=', '+', '-', '@']) && field.parse::<f64>().is_err();
    let field = if is_formula { format!("'{field}") } else { field };
    let field = printable(&field);
    if field.contains(['"', ',']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_with_commas_quotes_and_line_ends_stay_one_field() {
        let fields = ["plain", "a,b", "say \"x\"", "two\nlines\u{1b}", ""].map(String::from);
        let line = "plain,\"a,b\",\"say \"\"x\"\"\",two\\nlines\\u{1b},\r\n";
        assert_eq!(joined(fields), line);
    }

    #[test]
    fn no_text_is_a_formula_and_numbers_are_numbers() {
        let fields =
            ["=1+1", "+x", "-cmd|' /C calc'!A0", "@SUM(A1)", "-3.5", "+2", "a=b", "=a,\"b\""];
        let line = "'=1+1,'+x,'-cmd|' /C calc'!A0,'@SUM(A1),-3.5,+2,a=b,\"'=a,\"\"b\"\"\"\r\n";
        assert_eq!(joined(fields.map(String::from)), line);
    }

    #[test]
    fn there_are_columns_for_every_seat() {
        let columns = "series,number,round,pairing,leg,variant,pace,entrant_1,entrant_2,\
            agent_1,agent_2,points_1,points_2,plies,seconds_1,seconds_2,\
            nodes_1,nodes_2,depth_1,depth_2,score_1,score_2,\
            reason,end,offender,signature,rated,disturbed,finished\r\n";
        assert_eq!(header(2), columns);
    }
}
