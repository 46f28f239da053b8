//! Texts whose words were exchanged for others, as some controllers do with all but the words of
//! the language itself.

use std::collections::{BTreeSet, HashMap};

use super::moves::coordinate;
use super::recognise::facts;
use super::{NOOP, ROLES};
use crate::kif::Term;
use crate::prover::Prover;

/// Words that a scrambled text does not have.
const OURS: [&str; 6] = [ROLES[0], ROLES[1], "width", "height", "move", NOOP];

/// The steps to find out what moves are called: those of one position.
const STEPS: u64 = 500_000;

/// The text with our words for roles, sizes and moves, guessed from where they stand: in the two
/// ways the sizes can be meant. None if it does not look like that, or has some of our words.
pub(super) fn in_our_words(rules: &[Term]) -> Vec<Vec<Term>> {
    let words = move_words(rules).and_then(|mut words| {
        let roles: Vec<&str> = facts(rules, "role").collect();
        let (&[first, second], [a, b]) = (roles.as_slice(), size_words(rules)?) else {
            return None;
        };
        words.extend([(first.into(), ROLES[0]), (second.into(), ROLES[1])]);
        let is_ours = |word: &str| OURS.contains(&word);
        if [a, b].into_iter().chain(words.keys().map(String::as_str)).any(is_ours) {
            return None;
        }
        Some((words, [[a, b], [b, a]]))
    });
    let Some((words, sizes)) = words else { return Vec::new() };
    let text = |[width, height]: [&str; 2]| {
        let mut words = words.clone();
        words.extend([(width.into(), "width"), (height.into(), "height")]);
        let ours = |word: &str| words.get(word).map_or_else(|| word.into(), |ours| (*ours).into());
        rules.iter().map(|rule| rule.map_words(&ours)).collect()
    };
    sizes.into_iter().map(text).collect()
}

/// The two words that facts with a single number begin with.
fn size_words(rules: &[Term]) -> Option<[&str; 2]> {
    let stated = rules.iter().filter_map(|rule| match rule.list()? {
        [word, number] => coordinate(number.word()?).and(word.word()),
        _ => None,
    });
    let words: Vec<&str> = stated.collect::<BTreeSet<&str>>().into_iter().collect();
    <[&str; 2]>::try_from(words).ok()
}

/// What a move with four numbers and a move without any are called, where the first role can make
/// the one and the second the other.
fn move_words(rules: &[Term]) -> Option<HashMap<String, &'static str>> {
    let mut prover = Prover::new(rules, STEPS).ok()?;
    let start = prover.initial().ok()?;
    let roles: Vec<&str> = facts(rules, "role").collect();
    let &[first, second] = roles.as_slice() else { return None };
    let moves = prover.legal(&start, first).ok()?;
    let [name, numbers @ ..] = moves.first()?.list()? else { return None };
    let waits = prover.legal(&start, second).ok()?;
    let named =
        numbers.len() == 4 && numbers.iter().all(|n| n.word().and_then(coordinate).is_some());
    let (true, Some(name), Some(wait)) = (named, name.word(), waits.first()?.word()) else {
        return None;
    };
    Some(HashMap::from([(name.into(), "move"), (wait.into(), NOOP)]))
}
