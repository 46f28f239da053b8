//! Tables: for people as text, for programs as numbers.

use agon_arena::estimate::Estimate;
use agon_arena::words;
use serde_json::{Value, json};

use crate::claims::p_in_words;

/// A table with its caption.
#[derive(Clone, PartialEq, Debug)]
pub struct Table {
    /// Its name in files and links.
    pub id: String,
    /// What it shows.
    pub caption: String,
    /// A remark below it.
    pub note: Option<String>,
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows, with a cell for each column.
    pub rows: Vec<Vec<Cell>>,
}

/// A column.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Column {
    /// Its heading.
    pub name: String,
    /// What its cells hold.
    pub kind: ColumnKind,
}

/// What the cells of a column hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ColumnKind {
    /// Words, left-aligned.
    Text,
    /// A number.
    Number,
    /// A value with its interval: three columns for programs.
    Interval,
    /// Wins, draws and losses: three columns for programs.
    Record,
}

/// A cell.
#[derive(Clone, PartialEq, Debug)]
pub enum Cell {
    /// Nothing is known.
    Empty,
    /// Words.
    Text(String),
    /// The text of an agent, a variant or a move.
    Code(String),
    /// A whole number.
    Count(u64),
    /// A number with this many decimals.
    Number(f64, usize),
    /// A share of 1.
    Share(f64),
    /// A share of 1 with its interval.
    Score(Estimate),
    /// Points of 100 with their interval.
    Points(Estimate),
    /// A difference in Elo: the value and its error.
    Elo(Estimate),
    /// The same with both ends of the interval.
    EloRange(Estimate),
    /// A mean with its interval and this many decimals.
    Mean(Estimate, usize),
    /// Wins, draws and losses.
    Record([u64; 3]),
    /// A probability.
    Probability(f64),
}

impl Table {
    /// A table without rows.
    pub fn new(id: impl Into<String>, caption: impl Into<String>, columns: Vec<Column>) -> Table {
        let (id, caption) = (id.into(), caption.into());
        Table { id, caption, note: None, columns, rows: Vec::new() }
    }

    /// Removes columns in which nothing is known, or in which all cells are equal to this one.
    pub fn without_dull(mut self, names: &[&str]) -> Table {
        let dull = |index: usize| {
            let mut cells = self.rows.iter().filter_map(|row| row.get(index));
            let first = cells.next();
            cells.all(|cell| Some(cell) == first)
        };
        let named = |column: &Column| names.contains(&column.name.as_str());
        let columns = self.columns.iter().enumerate();
        let gone: Vec<usize> = columns
            .filter(|(index, it)| named(it) && dull(*index))
            .map(|(index, _)| index)
            .collect();
        for &index in gone.iter().rev() {
            self.columns.remove(index);
            for row in &mut self.rows {
                row.remove(index);
            }
        }
        self
    }
}

impl Column {
    /// A column of words.
    pub fn text(name: &str) -> Column {
        Column { name: name.into(), kind: ColumnKind::Text }
    }

    /// A column of numbers.
    pub fn number(name: &str) -> Column {
        Column { name: name.into(), kind: ColumnKind::Number }
    }

    /// A column of values with intervals.
    pub fn interval(name: &str) -> Column {
        Column { name: name.into(), kind: ColumnKind::Interval }
    }

    /// A column of wins, draws and losses.
    pub fn record(name: &str) -> Column {
        Column { name: name.into(), kind: ColumnKind::Record }
    }

    /// The names of its columns for programs.
    pub fn machine_names(&self) -> Vec<String> {
        let name: String = self.name.chars().map(plain).collect();
        let name = name.split('_').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("_");
        match self.kind {
            ColumnKind::Text | ColumnKind::Number => vec![name],
            ColumnKind::Interval => {
                vec![name.clone(), format!("{name}_low"), format!("{name}_high")]
            }
            ColumnKind::Record => ["wins", "draws", "losses"].map(String::from).to_vec(),
        }
    }
}

/// A character of a column's name for programs.
fn plain(c: char) -> char {
    if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' }
}

impl Cell {
    /// A cell with an estimate, if there is one.
    pub fn maybe(estimate: Option<Estimate>, cell: impl FnOnce(Estimate) -> Cell) -> Cell {
        estimate.map_or(Cell::Empty, cell)
    }

    /// The cell as people read it.
    pub fn text(&self) -> String {
        match self {
            Cell::Empty => "–".into(),
            Cell::Text(text) | Cell::Code(text) => text.clone(),
            Cell::Count(count) => words::thousands(*count),
            Cell::Number(number, digits) => decimal(*number, *digits),
            Cell::Share(share) => words::percent(*share),
            Cell::Score(Estimate { value, low, high }) => words::score(Estimate {
                value: 100.0 * value,
                low: (100.0 * low).max(0.0),
                high: (100.0 * high).min(100.0),
            }),
            Cell::Points(points) => format!("{:.1} %", points.value),
            Cell::Elo(elo) => words::elo(*elo),
            Cell::EloRange(Estimate { value, low, high }) => {
                format!("{value:+.0} ({low:+.0}…{high:+.0})")
            }
            Cell::Mean(mean, digits) => words::mean(*mean, *digits),
            Cell::Record([wins, draws, losses]) => format!("{wins}–{draws}–{losses}"),
            Cell::Probability(p) => {
                p_in_words(*p).trim_start_matches("p ").trim_start_matches("= ").into()
            }
        }
    }

    /// The cell as programs read it: a value for each column of this kind.
    pub fn values(&self, kind: ColumnKind) -> Vec<Value> {
        let three =
            |Estimate { value, low, high }: &Estimate| vec![json!(value), json!(low), json!(high)];
        match self {
            Cell::Empty if matches!(kind, ColumnKind::Interval | ColumnKind::Record) => {
                vec![Value::Null; 3]
            }
            Cell::Empty => vec![Value::Null],
            Cell::Text(text) | Cell::Code(text) => vec![json!(text)],
            Cell::Count(count) => vec![json!(count)],
            Cell::Number(number, _) | Cell::Share(number) | Cell::Probability(number) => {
                vec![json!(number)]
            }
            Cell::Score(it)
            | Cell::Points(it)
            | Cell::Elo(it)
            | Cell::EloRange(it)
            | Cell::Mean(it, _) => three(it),
            Cell::Record(counts) => counts.iter().map(|count| json!(count)).collect(),
        }
    }
}

/// A number with thousands separators before its decimals.
fn decimal(number: f64, digits: usize) -> String {
    let text = format!("{:.digits$}", number.abs());
    let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    let whole = whole.parse().map_or_else(|_| whole.to_string(), words::thousands);
    let sign =
        if number < 0.0 && text.contains(|c: char| ('1'..='9').contains(&c)) { "-" } else { "" };
    format!("{sign}{whole}{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_written_for_people_and_for_programs() {
        let elo = Estimate { value: 35.2, low: 15.1, high: 56.0 };
        assert_eq!(Cell::Elo(elo).text(), "+35 ± 20");
        assert_eq!(Cell::EloRange(elo).text(), "+35 (+15…+56)");
        assert_eq!(
            Cell::Elo(elo).values(ColumnKind::Interval),
            [35.2, 15.1, 56.0].map(|n| json!(n))
        );
        assert_eq!(Cell::Empty.values(ColumnKind::Record).len(), 3);
        assert_eq!(Cell::Number(-1234.567, 1).text(), "-1,234.6");
        assert_eq!(Cell::Number(-0.01, 1).text(), "0.0");
        assert_eq!(Cell::Probability(0.0001).text(), "< 0.001");
        assert_eq!(Cell::Probability(0.25).text(), "0.250");
        let names = Column::interval("Elo (95 %)").machine_names();
        assert_eq!(names, ["elo_95", "elo_95_low", "elo_95_high"]);
    }

    #[test]
    fn columns_in_which_all_is_equal_can_be_left_out() {
        let columns = vec![Column::text("a"), Column::text("b"), Column::text("c")];
        let mut table = Table::new("t", "", columns);
        for (a, c) in [("1", "x"), ("2", "x")] {
            table.rows.push([a, "same", c].map(|it| Cell::Text(it.into())).to_vec());
        }
        let table = table.without_dull(&["a", "b"]);
        assert_eq!(table.columns.iter().map(|it| &*it.name).collect::<Vec<_>>(), ["a", "c"]);
        assert_eq!(table.rows[1].len(), 2);
    }
}
