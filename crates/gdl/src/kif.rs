//! Symbolic expressions as GDL writes them: words, and lists of them in parentheses.

use std::error::Error;
use std::fmt;

/// The maximum nesting of lists: small, as everything that walks over terms recurses.
pub const DEEPEST: usize = 100;

/// The maximum length of a text in bytes.
pub const LONGEST: usize = 1 << 20;

/// A word, or a list of terms.
///
/// ```
/// let term = agon_gdl::kif::read_one("( MOVE 1 2 ; and on\n 1 3)").unwrap();
/// assert_eq!(term.to_string(), "(MOVE 1 2 1 3)");
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Term {
    /// Anything without white space, parentheses and semicolons, with its case preserved.
    Word(Box<str>),
    /// Terms in parentheses; there may be none.
    List(Vec<Term>),
}

impl Term {
    /// The word, if it is one.
    pub fn word(&self) -> Option<&str> {
        match self {
            Term::Word(word) => Some(word),
            Term::List(_) => None,
        }
    }

    /// What is in the list, if it is one.
    pub fn list(&self) -> Option<&[Term]> {
        match self {
            Term::Word(_) => None,
            Term::List(terms) => Some(terms),
        }
    }

    /// Whether it is this word, in any case.
    pub fn is(&self, word: &str) -> bool {
        self.word().is_some_and(|own| own.eq_ignore_ascii_case(word))
    }

    /// The same in lower case.
    pub fn lower(&self) -> Term {
        self.map_words(&|word| word.to_ascii_lowercase().into())
    }

    /// The same with every word replaced.
    pub(crate) fn map_words(&self, change: &dyn Fn(&str) -> Box<str>) -> Term {
        match self {
            Term::Word(word) => Term::Word(change(word)),
            Term::List(terms) => Term::List(terms.iter().map(|t| t.map_words(change)).collect()),
        }
    }

    /// The term for a message: on one line, and truncated if it is long.
    pub(crate) fn brief(&self) -> String {
        const LONGEST: usize = 80;
        let text = self.to_string();
        let clean = text.chars().map(|c| if c.is_control() { '\u{FFFD}' } else { c });
        let end = if clean.clone().nth(LONGEST).is_some() { "…" } else { "" };
        clean.take(LONGEST).collect::<String>() + end
    }

    /// A list of words.
    pub(crate) fn of_words<S: AsRef<str>>(words: &[S]) -> Term {
        Term::List(words.iter().map(|word| Term::from(word.as_ref())).collect())
    }
}

impl From<&str> for Term {
    /// A word. It is not checked: with blanks in it, it would be read back as several.
    fn from(word: &str) -> Term {
        Term::Word(word.into())
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Term::Word(word) => f.write_str(word),
            Term::List(terms) => {
                f.write_str("(")?;
                for (index, term) in terms.iter().enumerate() {
                    write!(f, "{}{term}", if index > 0 { " " } else { "" })?;
                }
                f.write_str(")")
            }
        }
    }
}

/// A text that cannot be read, and the byte where it went wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KifError {
    problem: &'static str,
    at: usize,
}

impl KifError {
    /// The byte where it went wrong.
    pub fn at(&self) -> usize {
        self.at
    }
}

impl fmt::Display for KifError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}", self.problem, self.at)
    }
}

impl Error for KifError {}

/// Reads all terms of a text. A `;` begins a comment that goes to the end of its line.
pub fn read(text: &str) -> Result<Vec<Term>, KifError> {
    if text.len() > LONGEST {
        return Err(KifError { problem: "the text is too long", at: LONGEST });
    }
    // The open lists, the outermost first, each with what came before it.
    let mut open: Vec<(usize, Vec<Term>)> = Vec::new();
    let mut terms = Vec::new();
    let mut at = 0;
    while let Some(next) = text[at..].chars().next() {
        let length = match next {
            '(' => {
                if open.len() == DEEPEST {
                    return Err(KifError { problem: "lists are nested too deeply", at });
                }
                open.push((at, std::mem::take(&mut terms)));
                1
            }
            ')' => {
                let Some((_, before)) = open.pop() else {
                    return Err(KifError { problem: "a parenthesis that was not opened", at });
                };
                let list = std::mem::replace(&mut terms, before);
                terms.push(Term::List(list));
                1
            }
            ';' => text[at..].find(['\n', '\r']).unwrap_or(text.len() - at),
            blank if blank.is_whitespace() => blank.len_utf8(),
            _ => {
                let word = word_at(&text[at..]);
                terms.push(Term::from(word));
                word.len()
            }
        };
        at += length;
    }
    match open.last() {
        Some((at, _)) => Err(KifError { problem: "a parenthesis that is not closed", at: *at }),
        None => Ok(terms),
    }
}

/// Reads a text that is exactly one term.
pub fn read_one(text: &str) -> Result<Term, KifError> {
    let mut terms = read(text)?;
    match (terms.pop(), terms.is_empty()) {
        (Some(term), true) => Ok(term),
        (Some(_), false) => Err(KifError { problem: "more than one term", at: text.len() }),
        (None, _) => {
            Err(KifError { problem: "no term before the end of the text", at: text.len() })
        }
    }
}

fn word_at(text: &str) -> &str {
    let ends = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | ';');
    text.split(ends).next().unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn terms_are_read_whatever_is_between_them() {
        let terms = read("; a game\r\n(role WHITE)(a\t(b)\n() c);end\n x").unwrap();
        let texts: Vec<String> = terms.iter().map(Term::to_string).collect();
        assert_eq!(texts, ["(role WHITE)", "(a (b) () c)", "x"]);
        assert!(terms[0].list().unwrap()[1].is("white"));
        assert_eq!(terms[0].lower().to_string(), "(role white)");
        assert_eq!(read("; nothing"), Ok(vec![]));
    }

    #[test]
    fn errors_name_the_place() {
        let error = |text| read_one(text).unwrap_err().to_string();
        assert_eq!(error("(a (b)"), "a parenthesis that is not closed at byte 0");
        assert_eq!(error("a )"), "a parenthesis that was not opened at byte 2");
        assert_eq!(error("a b"), "more than one term at byte 3");
        assert_eq!(error(" "), "no term before the end of the text at byte 1");
        assert!(error(&"a ".repeat(LONGEST)).contains("too long"));
    }

    #[test]
    fn length_has_a_limit() {
        let text = |length: usize| " ".repeat(length - 1) + "a";
        assert_eq!(read(&text(LONGEST)).map(|terms| terms.len()), Ok(1));
        assert_eq!(read(&text(LONGEST + 1)).unwrap_err().at(), LONGEST);
    }

    #[test]
    fn nesting_has_a_limit() {
        let nested = |depth: usize| "(".repeat(depth) + &")".repeat(depth);
        assert!(read_one(&nested(DEEPEST)).is_ok());
        assert_eq!(read_one(&nested(DEEPEST + 1)).unwrap_err().at(), DEEPEST);
        assert!(read(&"(".repeat(LONGEST)).is_err());
    }

    /// Any term of moderate size.
    pub(crate) fn any_term() -> impl Strategy<Value = Term> {
        let word = "[a-zA-Z0-9?<=+é-]{1,6}".prop_map(|word| Term::from(word.as_str()));
        word.prop_recursive(6, 60, 6, |inner| {
            prop::collection::vec(inner, 0..6).prop_map(Term::List)
        })
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(terms in prop::collection::vec(any_term(), 0..5)) {
            let text: String = terms.iter().map(|term| format!("{term}\n")).collect();
            prop_assert_eq!(read(&text), Ok(terms));
        }

        #[test]
        fn noise_is_read_or_refused(text in ".{0,200}", marks in "[() ;a\n]{0,300}") {
            for text in [text, marks] {
                if let Ok(terms) = read(&text) {
                    let again: Vec<Term> =
                        terms.iter().map(|term| read_one(&term.to_string()).unwrap()).collect();
                    prop_assert_eq!(again, terms);
                }
            }
        }
    }
}
