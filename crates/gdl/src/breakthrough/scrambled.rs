//! Scrambled texts: some controllers replace all words except keywords.

use std::collections::BTreeSet;

use super::moves::coordinate;
use super::recognise::facts;
use super::{NOOP, ROLES};
use crate::kif::Term;
use crate::prover::Prover;

/// Our words, none of which occur in a scrambled text.
const OURS: [&str; 6] = [ROLES[0], ROLES[1], "width", "height", "move", NOOP];

/// The maximum number of proof steps to find the words for moves: those of one position.
const STEPS: u64 = 500_000;

/// The text with our words for roles, sizes and moves, guessed from their positions: in both
/// possible orders of the sizes. `None` if it does not look like that, or contains some of our
/// words.
pub(super) fn in_our_words(rules: &[Term]) -> Option<[Vec<Term>; 2]> {
    let roles: Vec<&str> = facts(rules, "role").take(3).collect();
    let &[first, second] = roles.as_slice() else { return None };
    let [a, b] = size_words(rules)?;
    let [mv, wait] = move_words(rules, first, second)?;
    if [first, second, a, b, &mv, &wait].iter().any(|word| OURS.contains(word)) {
        return None;
    }
    Some([[a, b], [b, a]].map(|[width, height]| {
        let theirs = [first, second, width, height, &mv, &wait];
        let ours = |word: &str| {
            let place = theirs.iter().position(|&theirs| theirs == word);
            place.map_or(word, |place| OURS[place]).into()
        };
        rules.iter().map(|rule| rule.map_words(&ours)).collect()
    }))
}

/// The two words that start facts with a single number.
fn size_words(rules: &[Term]) -> Option<[&str; 2]> {
    let stated = rules.iter().filter_map(|rule| match rule.list()? {
        [word, number] => coordinate(number.word()?).and(word.word()),
        _ => None,
    });
    let words: Vec<&str> = stated.collect::<BTreeSet<&str>>().into_iter().collect();
    <[&str; 2]>::try_from(words).ok()
}

/// The words for a move with four numbers and for one without any, if at the start the first role
/// can make the one and the second role the other.
fn move_words(rules: &[Term], first: &str, second: &str) -> Option<[String; 2]> {
    let mut prover = Prover::new(rules, STEPS).ok()?;
    let start = prover.initial().ok()?;
    let (moves, waits) = (prover.legal(&start, first).ok()?, prover.legal(&start, second).ok()?);
    let [name, numbers @ ..] = moves.first()?.list()? else { return None };
    let is_coordinate = |number: &Term| number.word().and_then(coordinate).is_some();
    let is_move = numbers.len() == 4 && numbers.iter().all(is_coordinate);
    is_move.then_some([name.word()?.into(), waits.first()?.word()?.into()])
}
