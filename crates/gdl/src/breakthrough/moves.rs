//! Moves in both notations: `b2b3` and `(move 2 2 2 3)`.

use crate::kif::Term;

/// The letters of the columns; there can be as many rows.
const COLUMNS: &str = "abcdefghij";

/// Our move in GDL. Legality is not checked.
///
/// ```
/// let term = agon_gdl::breakthrough::move_term("j10j9").unwrap();
/// assert_eq!(term.to_string(), "(move 10 10 10 9)");
/// ```
pub fn move_term(text: &str) -> Option<Term> {
    let second = 1 + text.get(1..)?.find(|c: char| c.is_ascii_lowercase())?;
    let (from, to) = text.split_at_checked(second)?;
    let ([x1, y1], [x2, y2]) = (square(from)?, square(to)?);
    Some(Term::of_words(&["move", &x1, &y1, &x2, &y2]))
}

/// The column and row of a square such as `b2`, as numbers.
fn square(name: &str) -> Option<[String; 2]> {
    let (letter, row) = name.split_at_checked(1)?;
    let column = COLUMNS.find(letter)?;
    Some([(column + 1).to_string(), coordinate(row)?.to_string()])
}

/// A GDL move in our notation; `None` if it is not of the form `(move X1 Y1 X2 Y2)`.
pub fn move_text(term: &Term) -> Option<String> {
    let [word, numbers @ ..] = term.list()? else { return None };
    let &[x1, y1, x2, y2] = numbers
        .iter()
        .map(|number| coordinate(number.word()?))
        .collect::<Option<Vec<usize>>>()?
        .as_slice()
    else {
        return None;
    };
    let (from, to) = (COLUMNS.get(x1 - 1..x1)?, COLUMNS.get(x2 - 1..x2)?);
    word.is("move").then(|| format!("{from}{y1}{to}{y2}"))
}

/// A number from 1 to 10 in its only spelling.
pub(super) fn coordinate(word: &str) -> Option<usize> {
    let number = word.parse().ok().filter(|number| (1..=COLUMNS.len()).contains(number))?;
    (number.to_string() == word).then_some(number)
}
