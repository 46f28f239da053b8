//! Text tables, and the texts in their cells.

use std::io::Write;
use std::time::Duration;

use agon_arena::Ledger;
use agon_arena::course_rating::CourseRating;
use agon_arena::disturbance::MOST_WAITING;
use agon_arena::estimate::Estimate;
use agon_arena::words;
use agon_core::printable;

use crate::draw::palette::BOLD;
use crate::draw::styled;
use crate::output::thousands;

/// The text of a cell without a value.
pub(crate) const NOTHING: &str = "–";
/// The minimum width of a column: enough for most numbers, so that columns rarely shift.
const NARROWEST: usize = 6;

/// Writes rows below a heading: the columns in `texts` are left-aligned, numbers right-aligned.
/// Line breaks and control characters in cells are escaped.
pub(crate) fn write_aligned(
    out: &mut impl Write,
    texts: &[usize],
    rows: &[Vec<String>],
) -> std::io::Result<()> {
    let printed = |row: &Vec<String>| row.iter().map(|cell| printable(cell).into_owned()).collect();
    let rows: Vec<Vec<String>> = rows.iter().map(printed).collect();
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        let least = if column > 0 && texts.contains(&column) { 0 } else { NARROWEST };
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0).max(least)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for (index, row) in rows.iter().enumerate() {
        let cell = |(column, (cell, width)): (usize, (&String, &usize))| {
            if texts.contains(&column) {
                format!("{cell:<width$}")
            } else {
                format!("{cell:>width$}")
            }
        };
        let cells: Vec<String> = row.iter().zip(&widths).enumerate().map(cell).collect();
        let line = cells.join("  ");
        let line = line.trim_end();
        let line = if index == 0 { styled(BOLD, line) } else { line.to_string() };
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// A note about disturbed games, if there were any, and what can be done about them: they may have
/// been `replayed` in vain.
pub(crate) fn disturbed_text(ledger: &Ledger, replayed: bool) -> Option<String> {
    let (disturbed, games) = (ledger.disturbed, ledger.games());
    let advice = match replayed {
        true => "they were replayed, and disturbed again every time",
        false => "--replay-disturbed replays such games",
    };
    (disturbed > 0).then(|| {
        format!(
            "{} of {} games: a built-in agent waited for a core for more than {:.0} % of its time, \
             or was late because of that; {advice}",
            thousands(disturbed),
            thousands(games),
            100.0 * MOST_WAITING
        )
    })
}

/// Games per second, with a decimal where there are few.
pub(crate) fn rate_text(games: u64, seconds: f64) -> String {
    let rate = games as f64 / seconds.max(1e-9);
    if rate < 9.95 { format!("{rate:.1}") } else { thousands(rate.round() as u64) }
}

/// Elo with its error, if known.
pub(crate) fn elo_text(elo: Option<Estimate>) -> String {
    elo.map_or(NOTHING.into(), words::elo)
}

/// Mean points on the scale of the FAUhalma course with their interval, if known.
pub(crate) fn course_points_text(mean: Option<Estimate>) -> String {
    mean.map_or(NOTHING.into(), |mean| words::mean(mean, 2))
}

/// The likelihood of superiority, if known.
pub(crate) fn likelihood_text(likelihood: Option<f64>) -> String {
    likelihood.map_or(NOTHING.into(), words::likelihood)
}

/// The rating of the FAUhalma course: the mean of the last 50 games, and its maximum so far. With
/// fewer than 50 games there is no rating.
pub(crate) fn rating_texts(rating: &CourseRating) -> [String; 2] {
    let last = rating.best().and(rating.current());
    [last, rating.best()].map(|mean| mean.map_or(NOTHING.into(), |mean| format!("{mean:.2}")))
}

/// Nodes per second, if they are counted.
pub(crate) fn speed_text(nodes_per_second: Option<u64>) -> String {
    nodes_per_second.map_or(NOTHING.into(), thousands)
}

/// A time in a suitable unit.
pub(crate) fn short_time(seconds: f64) -> String {
    match seconds {
        s if s < 1e-6 => format!("{:.0} ns", s * 1e9),
        s if s < 1e-3 => format!("{:.1} µs", s * 1e6),
        s if s < 1.0 => format!("{:.1} ms", s * 1e3),
        s => format!("{s:.1} s"),
    }
}

/// The time of a stored move, which has a resolution of a microsecond.
pub(crate) fn move_time(time: Duration) -> String {
    if time.is_zero() { "< 1 µs".into() } else { short_time(time.as_secs_f64()) }
}

/// What is left on a clock: 1:05:09.5, 9:58.6.
pub(crate) fn clock_text(left: Duration) -> String {
    let tenths = left.as_millis() / 100;
    let (seconds, tenths) = (tenths / 10, tenths % 10);
    let [hours, minutes, seconds] = [seconds / 3600, seconds / 60 % 60, seconds % 60];
    match hours {
        0 => format!("{minutes}:{seconds:02}.{tenths}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}.{tenths}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_games_a_second_are_not_none() {
        for (games, seconds, text) in
            [(40, 93.0, "0.4"), (40, 58.3, "0.7"), (10, 1.0, "10"), (60_000, 1.0, "60,000")]
        {
            assert_eq!(rate_text(games, seconds), text);
        }
    }

    #[test]
    fn disturbed_games_can_be_replayed_once() {
        let mut ledger = Ledger::new(2, 2);
        assert_eq!(disturbed_text(&ledger, false), None);
        ledger.disturbed = 3;
        let text = |replayed| disturbed_text(&ledger, replayed).unwrap();
        assert!(text(false).ends_with("; --replay-disturbed replays such games"));
        assert!(text(true).ends_with("; they were replayed, and disturbed again every time"));
    }

    #[test]
    fn times_are_short() {
        for (seconds, text) in
            [(5e-8, "50 ns"), (1.25e-5, "12.5 µs"), (0.01, "10.0 ms"), (2.0, "2.0 s")]
        {
            assert_eq!(short_time(seconds), text);
        }
    }

    #[test]
    fn columns_are_as_wide_as_their_contents() {
        let rows = [
            ["agent", "points", "why"],
            ["brs:plus=on", "1.85 (1.78–1.92)", "won\u{1b}[2J"],
            ["mcts", "–", "lost"],
        ];
        let rows = rows.map(|row| row.map(String::from).to_vec());
        let mut out = Vec::new();
        write_aligned(&mut out, &[0, 2], &rows[1..]).unwrap();
        let text = String::from_utf8(out).unwrap();
        let plain = text.lines().next_back().unwrap();
        assert_eq!(plain, "mcts                        –  lost");
        assert!(text.contains("won\\u{1b}[2J") && !text.contains("won\u{1b}"), "{text:?}");
    }
}
