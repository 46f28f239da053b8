//! Recognising Breakthrough.

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt;

use agon_core::Variant;
use agon_games::open_at;

use super::compare::{Comparison, Extent, Trial, Trouble};
use super::moves::coordinate;
use super::position::Position;
use super::scrambled::in_our_words;
use super::{ROLES, Setup};
use crate::kif::Term;
use crate::prover::Prover;

/// The maximum number of proof steps for a text on one board; about 100 ms.
const STEPS: u64 = 8_000_000;

/// The columns and rows of the boards on which a text is tried; fewer if it has fewer. On the
/// smaller one pawns soon block each other, so that games end in all possible ways.
const SMALL: [(usize, usize); 2] = [(3, 4), (5, 5)];
/// The games played there. They end long before that many positions.
const SMALL_GAMES: Extent = Extent { games: 20, positions: 1_000, pawns: false };

/// The games on the text's own board if it has an unusual start.
const OWN_GAMES: Extent = Extent { games: 10, positions: 250, pawns: false };
/// The games on the text's own board to check that the text is complete.
const OWN_OPENING: Extent = Extent { games: 1, positions: 10, pawns: true };

/// A rules text that is Breakthrough.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reading {
    /// The board and the rule set.
    pub variant: Variant,
    /// The text's initial position, if it is not the usual start.
    pub start: Option<String>,
    /// What is still odd about the text, in one line.
    pub doubt: Option<String>,
    /// Whether it behaved differently on its own board: a controller that plays by it may have
    /// fewer pawns.
    pub differs: bool,
}

/// Why a rules text is not Breakthrough, as far as we can tell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unknown {
    reason: String,
    scrambled: bool,
}

impl Unknown {
    fn new(reason: impl Into<String>) -> Unknown {
        Unknown { reason: reason.into(), scrambled: false }
    }

    /// Whether it is Breakthrough after all, but with other words for roles, sizes and moves.
    #[cfg(test)]
    pub(crate) fn is_scrambled(&self) -> bool {
        self.scrambled
    }
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl Error for Unknown {}

/// Determines whether a rules text is Breakthrough, of which size and with which rules.
///
/// The roles must be white and black, and the size must be stated in facts. Everything else is
/// decided by playing: on small boards, random games by the text and by our rules must agree in
/// every position on the moves of both roles, the end and the points. What is odd only on the
/// text's own board is reported as a doubt.
///
/// ```
/// use agon_gdl::{breakthrough, kif};
/// let variant = "breakthrough:6x5".parse().unwrap();
/// let rules = breakthrough::rules_text(&variant, None).unwrap();
/// let reading = breakthrough::recognise(&kif::read(&rules).unwrap()).unwrap();
/// assert_eq!((reading.variant, reading.start), (variant, None));
/// ```
pub fn recognise(rules: &[Term]) -> Result<Reading, Unknown> {
    let rules: Vec<Term> = rules.iter().map(Term::lower).collect();
    as_it_is(&rules).map_err(|unknown| {
        let texts = in_our_words(&rules).into_iter().flatten();
        let mut readings = texts.filter_map(|rules| as_it_is(&rules).ok());
        let Some(reading) = readings.find(|reading| reading.doubt.is_none()) else {
            return unknown;
        };
        let reason = format!("its words are scrambled; in our words it is {}", reading.variant);
        Unknown { reason, scrambled: true }
    })
}

fn as_it_is(rules: &[Term]) -> Result<Reading, Unknown> {
    check_roles(rules)?;
    let (width, height) = (size(rules, "width")?, size(rules, "height")?);
    let mut own = trial(rules, width, height)?;
    let (mut doubts, mut differs) = (Vec::new(), false);
    let start = start(&mut own, &mut doubts)?;
    let start = start.as_deref();
    let classic = is_classic(rules, &mut own, start, &mut doubts)?;
    // It is recognised; what remains is whether the text is complete on its own board.
    match own.compare(classic, start, OWN_OPENING).trouble {
        Some(Trouble::Different(difference)) => {
            differs = true;
            doubts.push(difference);
        }
        Some(Trouble::Stopped(stop)) => doubts.push(format!("on {width}x{height}, {stop}")),
        None => {}
    }
    Ok(Reading {
        variant: Setup { width, height, classic }.variant(),
        start: start.map(str::to_string),
        doubt: (!doubts.is_empty()).then(|| doubts.join("; ")),
        differs,
    })
}

/// The arguments of unary facts, such as `(role white)`.
pub(super) fn facts<'r>(rules: &'r [Term], word: &str) -> impl Iterator<Item = &'r str> {
    rules.iter().filter_map(move |rule| match rule.list()? {
        [first, fact] if first.is(word) => fact.word(),
        _ => None,
    })
}

fn check_roles(rules: &[Term]) -> Result<(), Unknown> {
    const MOST_SHOWN: usize = 5;
    let roles = facts(rules, "role").take(MOST_SHOWN);
    let roles: Vec<String> = roles.map(|role| Term::from(role).brief()).collect();
    if roles == ROLES {
        return Ok(());
    }
    let roles = if roles.is_empty() { "missing".into() } else { roles.join(", ") };
    Err(Unknown::new(format!("the roles are {roles}, not white and black in this order")))
}

/// The number that a text states for `width` or `height`.
fn size(rules: &[Term], word: &str) -> Result<usize, Unknown> {
    let stated: BTreeSet<&str> = facts(rules, word).collect();
    let mut numbers = stated.iter().filter(|fact| fact.bytes().all(|b| b.is_ascii_digit()));
    match (numbers.next(), numbers.next()) {
        (Some(number), None) => coordinate(number).ok_or_else(|| {
            Unknown::new(format!("there is no board with {word} {}", Term::from(*number).brief()))
        }),
        (Some(_), Some(_)) => Err(Unknown::new(format!("{word} is stated twice"))),
        (None, _) => Err(Unknown::new(format!("{word} is not stated"))),
    }
}

/// The same text for a board of another size.
fn resized(rules: &[Term], width: usize, height: usize) -> Vec<Term> {
    let resize = |rule: &Term| match rule.list() {
        Some([word, _]) if word.is("width") => Term::of_words(&["width", &width.to_string()]),
        Some([word, _]) if word.is("height") => Term::of_words(&["height", &height.to_string()]),
        _ => rule.clone(),
    };
    rules.iter().map(resize).collect()
}

fn trial(rules: &[Term], width: usize, height: usize) -> Result<Trial, Unknown> {
    let prover = Prover::new(&resized(rules, width, height), STEPS)
        .map_err(|error| Unknown::new(error.to_string()))?;
    Ok(Trial::new(prover, width, height))
}

/// The usual start on a board of this size; `None` if there is no such board.
fn usual_start(width: usize, height: usize) -> Option<Position> {
    let variant = Setup { width, height, classic: false }.variant();
    Position::read(&open_at::<&str>(&variant, None, &[]).ok()?.position(), width, height)
}

/// The text's initial position, if it is not the usual start and valid in the game too.
fn start(own: &mut Trial, doubts: &mut Vec<String>) -> Result<Option<String>, Unknown> {
    let (width, height) = (own.width, own.height);
    let usual = usual_start(width, height).ok_or_else(|| {
        Unknown::new(format!("there is no board with {width} columns and {height} rows"))
    })?;
    let position = match own.start() {
        Ok(position) if position == usual => return Ok(None),
        Ok(position) => position.text(),
        Err(why) => {
            doubts.push(format!("its initial position cannot be read: {why}"));
            return Ok(None);
        }
    };
    doubts.push(format!("it starts at {position}, which is not the usual start"));
    let variant = Setup { width, height, classic: false }.variant();
    let accepted = open_at::<&str>(&variant, Some(&position), &[]).is_ok();
    Ok(accepted.then_some(position))
}

/// Which of the two rule sets the text agrees with; what could not be compared becomes a doubt.
fn is_classic(
    rules: &[Term],
    own: &mut Trial,
    start: Option<&str>,
    doubts: &mut Vec<String>,
) -> Result<bool, Unknown> {
    let mut trials = small_trials(rules, own)?;
    let mut nearest: Option<(usize, String)> = None;
    for classic in [false, true] {
        let comparison = if trials.is_empty() {
            own.compare(classic, start, OWN_GAMES)
        } else {
            compare_all(&mut trials, classic)
        };
        match (comparison.positions, comparison.trouble) {
            (_, None) => return Ok(classic),
            (0, Some(Trouble::Stopped(stop))) => {
                return Err(Unknown::new(format!("it cannot be evaluated: {stop}")));
            }
            (positions, Some(Trouble::Stopped(stop))) => {
                doubts.push(format!("the comparison ended after position {positions}: {stop}"));
                return Ok(classic);
            }
            (positions, Some(Trouble::Different(difference))) => {
                if nearest.as_ref().is_none_or(|(most, _)| positions > *most) {
                    nearest = Some((positions, difference));
                }
            }
        }
    }
    Err(Unknown::new(nearest.map_or_else(String::new, |(_, difference)| difference)))
}

/// The text on small boards; none if it has an unusual start, which only fits its own board.
fn small_trials(rules: &[Term], own: &mut Trial) -> Result<Vec<Trial>, Unknown> {
    let sizes = SMALL.map(|(width, height)| (width.min(own.width), height.min(own.height)));
    let sizes = BTreeSet::from(sizes).into_iter();
    let mut trials =
        sizes.map(|(width, height)| trial(rules, width, height)).collect::<Result<Vec<_>, _>>()?;
    let is_elsewhere =
        |trial: &mut Trial| trial.start().ok() != usual_start(trial.width, trial.height);
    if own.start().is_ok() && trials.iter_mut().any(is_elsewhere) {
        trials.clear();
    }
    Ok(trials)
}

/// One board after the other, up to the first difference.
fn compare_all(trials: &mut [Trial], classic: bool) -> Comparison {
    let mut all = Comparison::default();
    for trial in trials {
        let Comparison { positions, trouble } = trial.compare(classic, None, SMALL_GAMES);
        all = Comparison { positions: all.positions + positions, trouble };
        if all.trouble.is_some() {
            break;
        }
    }
    all
}
