//! The crosstable: entrants against entrants.

use std::fmt::Write;

use agon_core::outcome::WIN;
use agon_core::printable;

use crate::game_summary::GameSummary;
use crate::words::percent;

/// An entrant's score.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Score {
    /// Points, 100 for a win.
    pub points: u64,
    /// The number of games.
    pub games: u64,
}

impl Score {
    fn add(&mut self, points: u8) {
        self.points += u64::from(points);
        self.games += 1;
    }

    /// Points as a share of the maximum, 0 to 1; none without games.
    pub fn share(self) -> Option<f64> {
        let all = self.games * u64::from(WIN);
        (all > 0).then(|| self.points as f64 / all as f64)
    }

    /// Wins and games, such as `1.5/2`.
    fn text(self) -> String {
        match self.games {
            0 => "·".into(),
            games => format!("{}/{games}", self.points as f64 / f64::from(WIN)),
        }
    }
}

/// A table of entrants against entrants.
///
/// In a three-player game everybody plays against both others: A's score counts against B and
/// against C, and once in A's total.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Crosstable {
    rows: Vec<Vec<Score>>,
    totals: Vec<Score>,
}

impl Crosstable {
    /// An empty table for this many entrants.
    pub fn new(entrants: usize) -> Crosstable {
        let row = vec![Score::default(); entrants];
        Crosstable { rows: vec![row.clone(); entrants], totals: row }
    }

    /// Counts a game.
    pub fn add(&mut self, game: &GameSummary) {
        let seats = game.seating.as_slice();
        for (seat, (&mine, &points)) in seats.iter().zip(game.points.as_slice()).enumerate() {
            if let Some(total) = self.totals.get_mut(usize::from(mine)) {
                total.add(points);
            }
            let others = seats.iter().enumerate().filter(|(other, _)| *other != seat);
            for (_, &theirs) in others {
                let row = self.rows.get_mut(usize::from(mine));
                if let Some(score) = row.and_then(|row| row.get_mut(usize::from(theirs))) {
                    score.add(points);
                }
            }
        }
    }

    /// An entrant's score against another.
    pub fn against(&self, entrant: usize, other: usize) -> Score {
        let row = self.rows.get(entrant);
        row.and_then(|row| row.get(other)).copied().unwrap_or_default()
    }

    /// An entrant's score in all games.
    pub fn total(&self, entrant: usize) -> Score {
        self.totals.get(entrant).copied().unwrap_or_default()
    }

    /// The table as plain text, in the order of the ranking. Columns have the numbers of the rows.
    pub fn text(&self, names: &[String], ranking: &[u16]) -> String {
        let order: Vec<usize> = ranking.iter().copied().map(usize::from).collect();
        let mut lines = vec![heading(order.len())];
        for (rank, &entrant) in order.iter().enumerate() {
            let name = names.get(entrant).map(|name| printable(name).into_owned());
            let name = name.unwrap_or_else(|| format!("#{entrant}"));
            let mut line = vec![(rank + 1).to_string(), name];
            line.extend(order.iter().map(|&other| self.against(entrant, other).text()));
            let total = self.total(entrant);
            line.push(total.text());
            line.push(total.share().map_or("·".into(), percent));
            lines.push(line);
        }
        aligned(&lines)
    }
}

fn heading(entrants: usize) -> Vec<String> {
    let numbers = (1..=entrants).map(|number| number.to_string());
    let before = ["".to_string(), "agent".into()];
    before.into_iter().chain(numbers).chain(["points".into(), "score".into()]).collect()
}

/// Aligns cells in columns: the name to the left, numbers to the right.
fn aligned(lines: &[Vec<String>]) -> String {
    let columns = lines.iter().map(Vec::len).max().unwrap_or_default();
    let widest = |column: usize| {
        let widths = lines.iter().filter_map(|line| line.get(column)).map(|c| c.chars().count());
        widths.max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..columns).map(widest).collect();
    let mut text = String::new();
    for line in lines {
        for (column, (cell, &width)) in line.iter().zip(&widths).enumerate() {
            let gap = if column == 0 { "" } else { "  " };
            // Writing to a string does not fail.
            let _ = match column {
                1 => write!(text, "{gap}{cell:<width$}"),
                _ => write!(text, "{gap}{cell:>width$}"),
            };
        }
        text.push('\n');
    }
    text
}
