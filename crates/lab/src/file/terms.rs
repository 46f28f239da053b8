//! What is played in a comparison or a measurement, and how: variants, budgets, openings, games.

use std::path::Path;

use agon_arena::clock::{GameTime, Pace, TimeControl, read_duration};
use agon_arena::document::{FileError, Section, Value};
use agon_arena::fixture::Terms;
use agon_arena::openings::Openings;
use agon_arena::statistics::Sprt;
use agon_arena::tournament::entries::beside;
use agon_core::Variant;
use agon_games::Catalog;

use crate::claims::RISK;

/// The keys of conditions, which may stand at the top or in a comparison.
pub(super) const TERMS_KEYS: &[&str] =
    &["variant", "time", "per_move", "depth", "nodes", "openings", "games", "sprt"];

/// The most variants and budgets of a comparison, and games of a meeting.
const MOST_TERMS: usize = 200;
const MOST_GAMES: u64 = 1_000_000;

/// The default number of games of a meeting.
const GAMES: u64 = 100;

/// Variants, budgets, openings and games.
#[derive(Clone)]
pub(super) struct Conditions<'d, 'a> {
    variants: Vec<(Variant, Value<'d, 'a>)>,
    budgets: Vec<Pace>,
    openings: Option<Openings>,
    pub(super) games: u64,
    pub(super) sprt: Option<Sprt>,
}

impl Default for Conditions<'_, '_> {
    fn default() -> Self {
        let (variants, budgets, openings) = (Vec::new(), Vec::new(), None);
        Conditions { variants, budgets, openings, games: GAMES, sprt: None }
    }
}

impl<'d, 'a> Conditions<'d, 'a> {
    /// The conditions of a table; what it does not say is taken from the others.
    pub(super) fn read(
        section: &Section<'d, 'a>,
        file: &Path,
        others: &Conditions<'d, 'a>,
    ) -> Result<Conditions<'d, 'a>, FileError> {
        let mut conditions = others.clone();
        if let Some(variants) = section.get("variant") {
            conditions.variants.clear();
            for value in variants.list() {
                let variant = value.read("a variant", str::parse)?;
                conditions.variants.push((variant, value));
            }
        }
        let budgets = read_budgets(section)?;
        if !budgets.is_empty() {
            conditions.budgets = budgets;
        }
        if conditions.budgets.len() * conditions.variants.len() > MOST_TERMS {
            return Err(section.error(format!("more than {MOST_TERMS} variants and budgets")));
        }
        if let Some(openings) = section.get("openings") {
            let read = |text: &str| text.parse().map(|openings| beside(file, openings));
            conditions.openings = Some(openings.read("openings", read)?);
        }
        if let Some(games) = section.number("games", "the games of a meeting", 1..=MOST_GAMES)? {
            conditions.games = games;
        }
        if let Some(sprt) = section.get("sprt") {
            let test: Sprt = sprt.read("a test such as \"0,10\"", str::parse)?;
            if test.errors().iter().any(|error| *error > RISK) {
                let problem =
                    format!("the errors of a test may be {RISK} at most, as reports promise");
                return Err(sprt.error(problem));
            }
            conditions.sprt = Some(test);
        }
        Ok(conditions)
    }

    /// Fails if there is no variant.
    pub(super) fn require_variant(&self, section: &Section<'d, 'a>) -> Result<(), FileError> {
        match self.variants.is_empty() {
            true => section.require("variant", "variant = \"breakthrough:6x6\"").map(drop),
            false => Ok(()),
        }
    }

    /// The same without budgets, from the start.
    pub(super) fn for_a_solution(&self) -> Conditions<'d, 'a> {
        Conditions { budgets: Vec::new(), openings: Some(Openings::Start), ..self.clone() }
    }

    /// The same with these openings, unless the file says which.
    pub(super) fn opening_with(mut self, openings: Openings) -> Conditions<'d, 'a> {
        self.openings.get_or_insert(openings);
        self
    }

    /// Every variant with every budget, and where the variant is given.
    pub(super) fn terms(&self, catalog: &Catalog) -> Vec<(Terms, &Value<'d, 'a>)> {
        let unlimited = [Pace::default()];
        let budgets = if self.budgets.is_empty() { &unlimited[..] } else { &self.budgets };
        let openings = self.openings.clone().unwrap_or(Openings::Random(4));
        let terms = |variant: &Variant, pace: Pace| Terms {
            catalog: catalog.clone(),
            // In its canonical text, where that is known.
            variant: catalog.open(variant).map_or(variant.clone(), |it| it.variant().clone()),
            pace,
            openings: openings.clone(),
        };
        let variants = self.variants.iter();
        variants
            .flat_map(|(variant, place)| budgets.iter().map(move |&pace| (variant, pace, place)))
            .map(|(variant, pace, place)| (terms(variant, pace), place))
            .collect()
    }
}

/// The budgets of a table: each clock, each time per move, each depth and each number of nodes is
/// one of its own.
fn read_budgets(section: &Section<'_, '_>) -> Result<Vec<Pace>, FileError> {
    let mut budgets = Vec::new();
    let values = |key| section.get(key).map_or_else(Vec::new, |value| value.list());
    for value in values("time") {
        let game: GameTime = value.read("a time such as 10s+100ms", str::parse)?;
        let time = TimeControl { game: Some(game), per_move: None };
        budgets.push(Pace { time, ..Pace::default() });
    }
    for value in values("per_move") {
        let per_move = Some(value.read("a time such as 20ms", read_duration)?);
        budgets.push(Pace { time: TimeControl { game: None, per_move }, ..Pace::default() });
    }
    for value in values("depth") {
        let depth = value.number("a depth", 1..=1000)? as u32;
        budgets.push(Pace { depth: Some(depth), ..Pace::default() });
    }
    for value in values("nodes") {
        let nodes = value.number("a number of nodes", 1..=u64::MAX)?;
        budgets.push(Pace { nodes: Some(nodes), ..Pace::default() });
    }
    Ok(budgets)
}
