//! Environments and their file format.

use agon_core::Variant;
use agon_games::{Catalog, Table};
use agon_search::{AgentSpec, Budget, adviser};
use serde::Deserialize;

/// The eight environments of the course, which are always there.
const BUILT_IN: &str = include_str!("../../../../environments/ws2223.toml");
/// The defaults: how many runs a rating averages, and how many may be open.
const WINDOW: usize = 50;
const OPEN_RUNS: usize = 5;
/// The maximum of each.
const MOST_WINDOW: usize = 1000;
const MOST_OPEN: usize = 100;

/// A game with its opponents, in which accounts play.
#[derive(Clone, Debug)]
pub struct Environment {
    /// Where the game comes from.
    pub catalog: Catalog,
    /// Its name in the protocol: letters, digits, `-` and `.`.
    pub id: String,
    /// Its display name.
    pub name: String,
    /// The group in which it is listed.
    pub group: String,
    /// A description for people.
    pub description: String,
    /// The variant.
    pub variant: Variant,
    /// The opponents, the first one next to the agent.
    pub opponents: Vec<Opponent>,
    /// Who makes the first move.
    pub begins: Begins,
    /// The points of each place, from the first.
    pub points: Vec<f64>,
    /// How many points players who share a place get.
    pub ties: Ties,
    /// How many runs a rating averages.
    pub window: usize,
    /// How many runs an agent has open at a time.
    pub open_runs: usize,
    /// Whether runs may be abandoned.
    pub abandon: bool,
    /// What ratings earn.
    pub thresholds: Vec<Threshold>,
}

/// An opponent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opponent {
    /// Its display name.
    pub name: String,
    /// The agent.
    pub agent: AgentSpec,
    /// The maximum number of nodes per move.
    pub nodes: Option<u64>,
    /// The maximum depth.
    pub depth: Option<u32>,
}

impl Opponent {
    /// Its limits for a move: the same on every machine.
    pub fn budget(&self) -> Budget {
        Budget { depth: self.depth, nodes: self.nodes, ..Budget::default() }
    }
}

/// Who makes the first move of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Begins {
    /// Anybody, at random.
    Anybody,
    /// The agent.
    Agent,
    /// The first opponent.
    Opponent,
}

/// How many points players who share a place get.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ties {
    /// The mean of the points of the places that they take up.
    Share,
    /// The points of the last of those places: dragging a game out earns nothing.
    Lose,
}

/// What a rating above a threshold earns.
#[derive(Clone, Copy, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Threshold {
    /// The rating, which has to be exceeded.
    pub above: f64,
    /// What that earns.
    pub points: f64,
}

/// All environments of a server.
#[derive(Clone, Debug)]
pub struct Environments(Vec<Environment>);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileText {
    environment: Vec<EnvironmentText>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EnvironmentText {
    id: String,
    name: Option<String>,
    #[serde(default)]
    group: String,
    #[serde(default)]
    description: String,
    variant: String,
    opponents: Vec<OpponentText>,
    begins: Option<Begins>,
    points: Option<Vec<f64>>,
    ties: Option<Ties>,
    window: Option<usize>,
    open_runs: Option<usize>,
    abandon: Option<bool>,
    #[serde(default)]
    thresholds: Vec<Threshold>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OpponentText {
    name: Option<String>,
    agent: String,
    nodes: Option<u64>,
    depth: Option<u32>,
}

impl Environments {
    /// The eight environments of the course.
    pub fn built_in(catalog: &Catalog) -> Result<Environments, String> {
        Environments::read(catalog, BUILT_IN)
    }

    /// Reads a file. The error says what is wrong and where.
    pub fn read(catalog: &Catalog, text: &str) -> Result<Environments, String> {
        let file: FileText = toml::from_str(text).map_err(|error| error.to_string())?;
        let mut list: Vec<Environment> = Vec::with_capacity(file.environment.len());
        for text in file.environment {
            let id = text.id.clone();
            let environment =
                text.check(catalog).map_err(|why| format!("environment {id:?}: {why}"))?;
            if list.iter().any(|other| other.id == id) {
                return Err(format!("environment {id:?} is defined twice"));
            }
            list.push(environment);
        }
        Ok(Environments(list))
    }

    /// The same with others added; one with the same id replaces the earlier one.
    pub fn with(mut self, others: Environments) -> Environments {
        for other in others.0 {
            match self.0.iter_mut().find(|known| known.id == other.id) {
                Some(known) => *known = other,
                None => self.0.push(other),
            }
        }
        self
    }

    /// The environment with this id.
    pub fn find(&self, id: &str) -> Option<&Environment> {
        self.0.iter().find(|environment| environment.id == id)
    }

    /// All of them, in the order of the file.
    pub fn iter(&self) -> impl Iterator<Item = &Environment> {
        self.0.iter()
    }
}

impl EnvironmentText {
    fn check(self, catalog: &Catalog) -> Result<Environment, String> {
        let sound = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '.';
        if self.id.is_empty() || self.id.len() > 100 || !self.id.chars().all(sound) {
            return Err("expected an id of letters, digits, - and .".into());
        }
        let variant: Variant = self.variant.parse().map_err(|error| format!("{error}"))?;
        let table = catalog.open(&variant).map_err(|error| error.to_string())?;
        let seats = table.seats();
        if self.opponents.len() + 1 != seats {
            let count = self.opponents.len();
            return Err(format!(
                "{variant} is for {seats} players, which is not {count} opponents and the agent"
            ));
        }
        let opponents = self.opponents.into_iter().map(|text| text.check(&*table));
        let points = self
            .points
            .unwrap_or_else(|| (0..seats).rev().map(|left_behind| left_behind as f64).collect());
        if points.len() != seats || points.iter().any(|points| !points.is_finite()) {
            return Err(format!("expected points for {seats} places"));
        }
        let (window, open_runs) =
            (self.window.unwrap_or(WINDOW), self.open_runs.unwrap_or(OPEN_RUNS));
        if !(1..=MOST_WINDOW).contains(&window) || !(1..=MOST_OPEN).contains(&open_runs) {
            return Err(format!(
                "expected a window of 1 to {MOST_WINDOW} runs, and 1 to {MOST_OPEN} open runs"
            ));
        }
        Ok(Environment {
            catalog: catalog.clone(),
            name: self.name.unwrap_or_else(|| self.id.clone()),
            id: self.id,
            group: self.group,
            description: self.description,
            variant: table.variant().clone(),
            opponents: opponents.collect::<Result<_, _>>()?,
            begins: self.begins.unwrap_or(Begins::Anybody),
            points,
            ties: self.ties.unwrap_or(Ties::Share),
            window,
            open_runs,
            abandon: self.abandon.unwrap_or(true),
            thresholds: self.thresholds,
        })
    }
}

impl OpponentText {
    fn check(self, table: &dyn Table) -> Result<Opponent, String> {
        let agent: AgentSpec = self.agent.parse().map_err(|error| format!("{error}"))?;
        adviser(table, &agent, 0).map_err(|error| error.to_string())?;
        let name = self.name.unwrap_or_else(|| agent.to_string());
        Ok(Opponent { name, agent, nodes: self.nodes, depth: self.depth })
    }
}

impl Environment {
    /// The points of a seat, given everybody's place.
    pub fn worth(&self, places: &[u8], seat: usize) -> Option<f64> {
        let place = *places.get(seat)?;
        let sharing = places.iter().filter(|other| **other == place).count();
        let first = usize::from(place).checked_sub(1)?;
        let points = self.points.get(first..first + sharing)?;
        match self.ties {
            Ties::Share => Some(points.iter().sum::<f64>() / sharing as f64),
            Ties::Lose => points.last().copied(),
        }
    }

    /// The points of an abandoned run: those of the last place.
    pub fn worst(&self) -> f64 {
        self.points.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// What a rating earns.
    pub fn earned(&self, rating: f64) -> f64 {
        let surpassed = self.thresholds.iter().filter(|threshold| rating > threshold.above);
        surpassed.map(|threshold| threshold.points).fold(0.0, f64::max)
    }
}
