//! Tables in the terminal.

use std::io::Write;

use agon_arena::rating::Estimate;

use crate::draw::palette::BOLD;
use crate::draw::styled;

/// Wide enough for most numbers, so that columns do not move from match to match.
const NARROWEST: usize = 6;

/// Writes rows below a heading, names to the left and numbers to the right.
pub(crate) fn write_aligned(out: &mut impl Write, rows: &[Vec<String>]) -> std::io::Result<()> {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0).max(NARROWEST)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for (index, row) in rows.iter().enumerate() {
        let mut line = String::new();
        for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
            line += &match column {
                0 => format!("{cell:<width$}"),
                _ => format!("  {cell:>width$}"),
            };
        }
        let line = if index == 0 { styled(BOLD, &line) } else { line };
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// Elo and its error, or nothing.
pub(crate) fn elo_text(elo: Option<Estimate>) -> String {
    let Some(elo) = elo else { return String::new() };
    // Zero has no sign.
    let value = if elo.value.abs() < 0.5 { "0".into() } else { format!("{:+.0}", elo.value) };
    format!("{value} ± {:.0}", elo.error())
}

/// A time in the unit that suits it.
pub(crate) fn short_time(seconds: f64) -> String {
    match seconds {
        s if s < 1e-6 => format!("{:.0} ns", s * 1e9),
        s if s < 1e-3 => format!("{:.1} µs", s * 1e6),
        s if s < 1.0 => format!("{:.1} ms", s * 1e3),
        s => format!("{s:.1} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_short() {
        for (seconds, text) in
            [(5e-8, "50 ns"), (1.25e-5, "12.5 µs"), (0.01, "10.0 ms"), (2.0, "2.0 s")]
        {
            assert_eq!(short_time(seconds), text);
        }
    }

    #[test]
    fn columns_are_as_wide_as_what_is_in_them() {
        let rows = [["agent", "points"], ["brs:plus=on", "1.85 ± 0.07"], ["mcts", "–"]];
        let rows = rows.map(|row| row.map(String::from).to_vec());
        let mut out = Vec::new();
        write_aligned(&mut out, &rows[1..]).unwrap();
        let text = String::from_utf8(out).unwrap();
        let plain = text.lines().next_back().unwrap();
        assert_eq!(plain, "mcts                   –");
    }
}
