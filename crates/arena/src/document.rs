//! A TOML file in which every value knows its position, so that errors can point at it.

use std::fmt;
use std::ops::{Range, RangeInclusive};
use std::path::{Path, PathBuf};

use agon_core::printable::stand_in;
use agon_search::spec::choices;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::files::shown;

/// An error in a file: where it is, what is wrong, and what would be right.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileError {
    file: PathBuf,
    /// Line and column from 1, with the text of the line, if the error has a position.
    place: Option<(usize, usize, usize, String)>,
    problem: String,
}

impl FileError {
    /// An error without a position in the text.
    pub fn without_place(file: &Path, problem: impl Into<String>) -> FileError {
        FileError { file: file.to_path_buf(), place: None, problem: problem.into() }
    }

    /// The line of the error, from 1.
    pub fn line(&self) -> Option<usize> {
        self.place.as_ref().map(|(line, ..)| *line)
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FileError { file, place, problem } = self;
        let Some((line, column, width, text)) = place else {
            return write!(f, "{}: {problem}", shown(file));
        };
        writeln!(f, "{}, line {line}: {problem}", shown(file))?;
        let margin = line.to_string();
        writeln!(f, "  {margin} | {}", text.chars().map(stand_in).collect::<String>())?;
        let blank = " ".repeat(margin.len());
        write!(f, "  {blank} | {}{}", " ".repeat(column - 1), "^".repeat((*width).max(1)))
    }
}

impl std::error::Error for FileError {}

/// A file being read.
#[derive(Debug)]
pub struct Document<'a> {
    /// Its name, for errors.
    pub file: &'a Path,
    /// Its contents.
    pub text: &'a str,
}

impl<'a> Document<'a> {
    /// The outermost table.
    pub fn parse(&self) -> Result<Spanned<DeTable<'a>>, FileError> {
        DeTable::parse(self.text).map_err(|error| {
            let at = error.span().unwrap_or(0..0);
            self.error(at, error.message().replace('\n', "; "))
        })
    }

    /// An error at this position.
    pub fn error(&self, at: Range<usize>, problem: impl Into<String>) -> FileError {
        let start = at.start.min(self.text.len());
        let before = self.text.get(..start).unwrap_or("");
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let rest = self.text.get(line_start..).unwrap_or("");
        let text = rest.lines().next().unwrap_or("").replace('\t', " ");
        let column = before.get(line_start..).unwrap_or("").chars().count() + 1;
        let marked = self.text.get(start..at.end.clamp(start, self.text.len())).unwrap_or("");
        let width = marked.lines().next().unwrap_or("").chars().count();
        let line = before.matches('\n').count() + 1;
        let place = Some((line, column, width, text));
        FileError { file: self.file.to_path_buf(), place, problem: problem.into() }
    }
}

/// A table being read.
pub struct Section<'d, 'a> {
    document: &'d Document<'a>,
    table: &'d DeTable<'a>,
    /// Its position, for errors about missing keys.
    pub at: Range<usize>,
}

/// A value and its position.
#[derive(Clone)]
pub struct Value<'d, 'a> {
    document: &'d Document<'a>,
    value: &'d DeValue<'a>,
    /// Its position.
    pub at: Range<usize>,
}

impl<'d, 'a> Section<'d, 'a> {
    /// A table of the document, at this position.
    pub fn new(
        document: &'d Document<'a>,
        table: &'d DeTable<'a>,
        at: Range<usize>,
    ) -> Section<'d, 'a> {
        Section { document, table, at }
    }

    /// The value of a key, if it is there.
    pub fn get(&self, key: &'static str) -> Option<Value<'d, 'a>> {
        let (_, value) = self.table.iter().find(|(name, _)| name.get_ref() == key)?;
        Some(Value { document: self.document, value: value.get_ref(), at: value.span() })
    }

    /// The value of a key that must be there.
    pub fn require(&self, key: &'static str, such_as: &str) -> Result<Value<'d, 'a>, FileError> {
        self.get(key).ok_or_else(|| self.error(format!("{key} is missing, such as {such_as}")))
    }

    /// The values of a table whose keys are free.
    pub fn entries(&self) -> impl Iterator<Item = (&'d str, Value<'d, 'a>)> {
        let document = self.document;
        self.table.iter().map(move |(key, value)| {
            let at = value.span();
            (&**key.get_ref(), Value { document, value: value.get_ref(), at })
        })
    }

    /// An error about the whole table.
    pub fn error(&self, problem: impl Into<String>) -> FileError {
        // A table of several lines is shown by its first.
        self.document.error(self.at.clone(), problem)
    }

    /// An error about the value of this key, or about the whole table if it is missing.
    pub fn error_at(&self, key: &'static str, problem: &str) -> FileError {
        self.get(key).map_or_else(|| self.error(problem), |value| value.error(problem))
    }

    /// A whole number in a range, if there is one.
    pub fn number(
        &self,
        key: &'static str,
        what: &str,
        range: RangeInclusive<u64>,
    ) -> Result<Option<u64>, FileError> {
        self.get(key).map(|value| value.number(what, range)).transpose()
    }

    /// Checks that it has only these keys. Done first: a misspelt key is not a missing one. Of
    /// several, the first in the file is reported.
    pub fn has_only(&self, known: &[&str]) -> Result<(), FileError> {
        let unknown = self.table.iter().filter(|(key, _)| !known.contains(&&**key.get_ref()));
        let Some((key, _)) = unknown.min_by_key(|(key, _)| key.span().start) else { return Ok(()) };
        let name = key.get_ref();
        let problem = choices(&format!("unknown key {name:?}"), name, known);
        Err(self.document.error(key.span(), problem))
    }
}

impl<'d, 'a> Value<'d, 'a> {
    /// An error about this value.
    pub fn error(&self, problem: impl Into<String>) -> FileError {
        self.document.error(self.at.clone(), problem)
    }

    fn expected(&self, what: &str) -> FileError {
        self.error(format!("expected {what}, found {}", self.value.type_str()))
    }

    /// A text.
    pub fn text(&self, what: &str) -> Result<&'d str, FileError> {
        match self.value {
            DeValue::String(text) => Ok(text),
            _ => Err(self.expected(what)),
        }
    }

    /// A text that is parsed.
    pub fn read<T, E: fmt::Display>(
        &self,
        what: &str,
        read: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<T, FileError> {
        read(self.text(what)?).map_err(|error| self.error(error.to_string()))
    }

    /// A whole number in a range.
    pub fn number(&self, what: &str, range: RangeInclusive<u64>) -> Result<u64, FileError> {
        let (low, high) = (range.start(), range.end());
        let expected = format!("expected {what} from {low} to {high}");
        let DeValue::Integer(integer) = self.value else { return Err(self.error(expected)) };
        let number = i128::from_str_radix(integer.as_str(), integer.radix()).ok();
        let number = number.and_then(|number| u64::try_from(number).ok());
        number.filter(|number| range.contains(number)).ok_or_else(|| self.error(expected))
    }

    /// A number with a fraction, or without.
    pub fn decimal(&self, what: &str) -> Result<f64, FileError> {
        let text = match self.value {
            DeValue::Integer(integer) => integer.as_str(),
            DeValue::Float(float) => float.as_str(),
            _ => return Err(self.expected(what)),
        };
        let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
        number.ok_or_else(|| self.expected(what))
    }

    /// True or false.
    pub fn switch(&self) -> Result<bool, FileError> {
        self.value.as_bool().ok_or_else(|| self.expected("true or false"))
    }

    /// A table.
    pub fn section(&self, what: &str) -> Result<Section<'d, 'a>, FileError> {
        match self.value {
            DeValue::Table(table) => Ok(Section::new(self.document, table, self.at.clone())),
            _ => Err(self.expected(what)),
        }
    }

    /// Whether it is a table.
    pub fn is_section(&self) -> bool {
        self.value.is_table()
    }

    /// Whether it is a list.
    pub fn is_list(&self) -> bool {
        self.value.is_array()
    }

    /// The values of a list; a single value is a list of one.
    pub fn list(&self) -> Vec<Value<'d, 'a>> {
        match self.value {
            DeValue::Array(values) => {
                let document = self.document;
                let value = |value: &'d Spanned<DeValue<'a>>| Value {
                    document,
                    value: value.get_ref(),
                    at: value.span(),
                };
                values.iter().map(value).collect()
            }
            _ => vec![self.clone()],
        }
    }

    /// The value of an option: a text, a number, or on and off.
    pub fn setting(&self) -> Result<String, FileError> {
        match self.value {
            DeValue::String(text) => Ok(text.to_string()),
            DeValue::Integer(integer) => Ok(integer.as_str().to_string()),
            DeValue::Float(float) => Ok(float.as_str().to_string()),
            DeValue::Boolean(switch) => Ok(if *switch { "on" } else { "off" }.to_string()),
            _ => Err(self.expected("a text, a number, true or false")),
        }
    }
}
