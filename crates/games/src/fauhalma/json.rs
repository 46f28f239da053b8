//! A parser for the subset of JSON used by positions and moves that keeps the location of every
//! part.

use std::ops::Range;

use agon_core::TextError;
use agon_core::text::Reader;

use super::board::Space;

/// A part of a text and its location.
#[derive(Clone, Debug)]
pub(super) struct Placed<T> {
    pub(super) value: T,
    pub(super) at: Range<usize>,
}

/// A reader of JSON objects, lists, strings and whole numbers.
pub(super) struct Json<'a> {
    pub(super) reader: Reader<'a>,
}

impl<'a> Json<'a> {
    /// A parser at the start of `text`, which is a `kind` of FAUhalma text.
    pub(super) fn new(kind: &'static str, text: &'a str) -> Json<'a> {
        let mut json = Json { reader: Reader::new(super::notation::NAME, kind, text) };
        json.skip_blanks();
        json
    }

    fn skip_blanks(&mut self) {
        self.reader.take_while(|c| matches!(c, ' ' | '\t' | '\n' | '\r'));
    }

    /// Takes a punctuation character such as `[` and the blanks after it, if it is there.
    pub(super) fn take_sign(&mut self, sign: char) -> bool {
        let found = self.reader.take_if(sign);
        if found {
            self.skip_blanks();
        }
        found
    }

    fn sign(&mut self, sign: char, expected: &str) -> Result<(), TextError> {
        if self.take_sign(sign) { Ok(()) } else { Err(self.reader.error_here(expected)) }
    }

    /// What `read` takes and its location, without the blanks after it.
    fn placed<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, TextError>,
    ) -> Result<Placed<T>, TextError> {
        let start = self.reader.at();
        let value = read(self)?;
        let end = start + self.reader.text()[start..self.reader.at()].trim_end().len();
        Ok(Placed { value, at: start..end })
    }

    /// Reads a list, item by item.
    pub(super) fn list(
        &mut self,
        expected: &str,
        mut item: impl FnMut(&mut Self) -> Result<(), TextError>,
    ) -> Result<(), TextError> {
        self.sign('[', expected)?;
        if self.take_sign(']') {
            return Ok(());
        }
        loop {
            item(self)?;
            if self.take_sign(']') {
                return Ok(());
            }
            self.sign(',', "',' and another item, or ']'")?;
        }
    }

    /// Reads an object, field by field; `field` gets the name and reads the value.
    pub(super) fn object(
        &mut self,
        expected: &str,
        mut field: impl FnMut(&mut Self, Placed<&'a str>) -> Result<(), TextError>,
    ) -> Result<(), TextError> {
        self.sign('{', expected)?;
        if self.take_sign('}') {
            return Ok(());
        }
        loop {
            let name = self.string("a field's name, such as \"A\"")?;
            self.sign(':', "':' and the field's value")?;
            field(self, name)?;
            if self.take_sign('}') {
                return Ok(());
            }
            self.sign(',', "',' and another field, or '}'")?;
        }
    }

    /// Reads a string; escapes are not needed here and not supported.
    pub(super) fn string(&mut self, expected: &str) -> Result<Placed<&'a str>, TextError> {
        self.placed(|json| {
            let start = json.reader.at();
            if !json.reader.take_if('"') {
                return Err(json.reader.error_here(expected));
            }
            let value = json.reader.take_while(|c| c != '"' && c != '\\' && !c.is_control());
            if !json.reader.take_if('"') {
                return Err(json.reader.error_since(start, expected));
            }
            json.skip_blanks();
            Ok(value)
        })
    }

    /// Reads a whole number; `None` if it does not fit.
    fn number(&mut self, expected: &str) -> Result<Option<i32>, TextError> {
        let start = self.reader.at();
        self.reader.take_if('-');
        let digits = self.reader.take_while(|c| c.is_ascii_digit());
        if digits.is_empty() {
            return Err(self.reader.error_since(start, expected));
        }
        let number = self.reader.text()[start..self.reader.at()].parse().ok();
        self.skip_blanks();
        Ok(number)
    }

    /// Reads a number from 0 to `max`.
    pub(super) fn count(&mut self, max: u32, expected: &str) -> Result<u32, TextError> {
        let number = self.placed(|json| json.number(expected))?;
        let count = number.value.and_then(|n| u32::try_from(n).ok()).filter(|&n| n <= max);
        count.ok_or_else(|| self.reader.error_at(number.at, expected))
    }

    /// Reads a space `[x,y]`, on the board or not; `None` if it is too far away to matter.
    pub(super) fn space(&mut self) -> Result<Placed<Option<Space>>, TextError> {
        const SPACE: &str = "a space [x,y]";
        self.placed(|json| {
            json.sign('[', SPACE)?;
            let x = json.number("a whole number x")?;
            json.sign(',', "',' and a whole number y")?;
            let y = json.number("a whole number y")?;
            json.sign(']', "']' after x and y")?;
            let near = |n: &i32| (-30..=30).contains(n);
            let small = |n: Option<i32>| n.filter(near).map(|n| n as i8);
            Ok(small(x).zip(small(y)).map(|(x, y)| Space::new(x, y)))
        })
    }

    /// Checks that nothing but blanks is left.
    pub(super) fn end(&mut self) -> Result<(), TextError> {
        self.skip_blanks();
        self.reader.end()
    }
}
