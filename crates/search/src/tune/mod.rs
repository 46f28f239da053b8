//! Fitting the weights of evaluations to games: what `agon tune` does.
//!
//! [`selfplay`] plays games and picks positions from them, [`samples`] stores them, [`positions`]
//! writes and reads them as text, and [`regression`] finds the weights with which the evaluation
//! best predicts the results of the games. [`spsa`] tunes the parameters of the search instead.

pub mod positions;
pub mod regression;
pub mod samples;
pub mod selfplay;
pub mod spsa;

use std::fmt;

use agon_core::{Seat, TextError, Variant};
use agon_games::{Catalog, Playable, Visitor};

use crate::budget::StopFlag;
use crate::spec::AgentError;
use regression::{Fit, Options};
use samples::Samples;
use selfplay::{Hall, Plan, Played, share};

/// Why tuning failed.
#[derive(Clone, PartialEq, Debug)]
pub enum TuneError {
    /// A variant is invalid.
    Variant(TextError),
    /// The agent is invalid or cannot play this game.
    Agent(AgentError),
    /// The variants have no weights, or different ones.
    Nothing(String),
    /// A line of a positions file is invalid.
    Line {
        /// The line number, from 1.
        number: usize,
        /// What is wrong.
        problem: String,
    },
    /// There are no positions to learn from.
    NoPositions,
    /// Tuning was stopped.
    Stopped,
}

impl fmt::Display for TuneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TuneError::Variant(error) => error.fmt(f),
            TuneError::Agent(error) => error.fmt(f),
            TuneError::Nothing(problem) => f.write_str(problem),
            TuneError::Line { number, problem } => write!(f, "line {number}: {problem}"),
            TuneError::NoPositions => f.write_str("no positions to learn from"),
            TuneError::Stopped => f.write_str("stopped"),
        }
    }
}

impl std::error::Error for TuneError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            TuneError::Variant(error) => Some(error),
            TuneError::Agent(error) => Some(error),
            _ => None,
        }
    }
}

impl From<TextError> for TuneError {
    fn from(error: TextError) -> Self {
        TuneError::Variant(error)
    }
}

impl From<AgentError> for TuneError {
    fn from(error: AgentError) -> Self {
        TuneError::Agent(error)
    }
}

/// An evaluation that can be tuned, and the variants it serves here.
#[derive(Clone, Debug)]
pub struct Subject {
    /// Where the variants come from.
    pub catalog: Catalog,
    /// The variants in their canonical texts.
    pub variants: Vec<Variant>,
    /// The names of the features.
    pub features: &'static [&'static str],
    /// The weights in use.
    pub weights: &'static [i32],
}

impl Subject {
    /// The common subject of these variants. They must belong to one game and share one set of
    /// weights.
    pub fn of(catalog: &Catalog, variants: &[Variant]) -> Result<Subject, TuneError> {
        let mut subjects = Vec::new();
        for variant in variants {
            subjects.push(catalog.with_game(variant, Asked(catalog))??);
        }
        let mut subjects = subjects.into_iter();
        let mut all = subjects.next().ok_or_else(|| TuneError::Nothing("no variant".into()))?;
        for other in subjects {
            let names = |of: &Subject| of.variants[0].to_string();
            if other.variants[0].game() != all.variants[0].game() || other.features != all.features
            {
                let (one, another) = (names(&all), names(&other));
                let problem = format!("{one} and {another} do not share the same weights");
                return Err(TuneError::Nothing(problem));
            }
            all.variants.extend(other.variants);
        }
        Ok(all)
    }
}

/// Gets the weights of a variant.
struct Asked<'a>(&'a Catalog);

impl Visitor for Asked<'_> {
    type Output = Result<Subject, TuneError>;

    fn visit<G: Playable>(self, variant: Variant, start: G) -> Self::Output {
        if G::FEATURES.is_empty() || start.seats() != 2 {
            let problem =
                format!("nothing to tune: {variant} has no evaluation with fitted weights");
            return Err(TuneError::Nothing(problem));
        }
        let (features, weights) = (G::FEATURES, G::WEIGHTS);
        Ok(Subject { catalog: self.0.clone(), variants: vec![variant], features, weights })
    }
}

/// The results of games, for the first seat.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Tallies {
    /// Games.
    pub games: u64,
    /// Games the first seat won.
    pub wins: u64,
    /// Games without a winner.
    pub draws: u64,
    /// Games the first seat lost.
    pub losses: u64,
    /// Moves in all of them.
    pub plies: u64,
}

/// The training data.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Material {
    /// The results of the games.
    pub tallies: Tallies,
    /// Their positions.
    pub samples: Samples,
    /// The positions as text, if requested.
    pub text: Option<String>,
}

/// Called with the results so far.
pub type Watcher<'a> = &'a mut dyn FnMut(&Tallies);

/// Collects games as they finish.
struct Collector<'a> {
    material: Material,
    watch: Watcher<'a>,
}

impl Collector<'_> {
    /// The number of games so far.
    fn games(&self) -> u64 {
        self.material.tallies.games
    }

    fn take(&mut self, variant: &Variant, played: Played) {
        let Material { tallies, samples, text } = &mut self.material;
        let (game, result) = (tallies.games, share(&played.outcome, Seat::FIRST));
        for sample in &played.samples {
            let result = (!sample.aside).then_some(result);
            samples.push(&sample.counts, sample.score, (game, result));
            if let Some(text) = text {
                positions::write(text, variant, (game, result), sample);
            }
        }
        tallies.count(result, played.plies);
        (self.watch)(tallies);
    }
}

impl Tallies {
    fn count(&mut self, result: f32, plies: usize) {
        self.games += 1;
        self.plies += plies as u64;
        self.wins += u64::from(result > 0.5);
        self.draws += u64::from(result == 0.5);
        self.losses += u64::from(result < 0.5);
    }
}

/// Plays games of all variants of a subject and keeps positions from them, as text too if
/// `with_text`.
pub fn play(
    subject: &Subject,
    plan: &Plan,
    with_text: bool,
    stop: &StopFlag,
    watch: Watcher<'_>,
) -> Result<Material, TuneError> {
    let material = Material { text: with_text.then(String::new), ..Material::default() };
    let mut collector = Collector { material, watch };
    let catalog = &subject.catalog;
    for variant in &subject.variants {
        catalog.with_game(variant, Hall { catalog, plan, stop, collector: &mut collector })??;
    }
    Ok(collector.material)
}

/// Fits the weights of a subject to positions.
pub fn fit(
    subject: &Subject,
    samples: &Samples,
    options: &Options,
    stop: &StopFlag,
) -> Result<Fit, TuneError> {
    if samples.is_empty() {
        return Err(TuneError::NoPositions);
    }
    regression::fit(samples, subject.weights, options, stop).map_err(|_| TuneError::Stopped)
}

#[cfg(test)]
mod tests;
