//! One line per game, as in RFC 4180. That is too little to need a library.

use agon_core::printable;

use super::ExportedGame;

/// The names of the columns, for tables of up to this many seats.
pub(super) fn header(seats: usize) -> String {
    let per_seat = |name: &str| (1..=seats).map(|seat| format!("{name}_{seat}")).collect();
    let single = |names: &str| names.split(' ').map(String::from).collect();
    let columns: [Vec<String>; 7] = [
        single("series number round pairing leg variant pace"),
        per_seat("entrant"),
        per_seat("agent"),
        per_seat("points"),
        single("plies"),
        per_seat("seconds"),
        single("reason end offender signature rated disturbed"),
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
    fields.extend([game.reason.clone(), game.end.clone()]);
    fields.push(entry.offender().unwrap_or_default());
    fields.push(format!("{:016x}", game.signature));
    fields.extend([game.rated, game.disturbed].map(|flag| flag.to_string()));
    joined(fields)
}

/// Fields as one line of CSV.
pub fn joined(fields: impl IntoIterator<Item = String>) -> String {
    let fields: Vec<String> = fields.into_iter().map(quoted).collect();
    fields.join(",") + "\r\n"
}

/// A field on one line, quoted if necessary.
fn quoted(field: String) -> String {
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
    fn there_are_columns_for_every_seat() {
        let columns = "series,number,round,pairing,leg,variant,pace,entrant_1,entrant_2,\
            agent_1,agent_2,points_1,points_2,plies,seconds_1,seconds_2,\
            reason,end,offender,signature,rated,disturbed\r\n";
        assert_eq!(header(2), columns);
    }
}
