//! What an experiment is.

use std::collections::BTreeMap;
use std::path::PathBuf;

use agon_arena::clock::Pace;
use agon_arena::fixture::Terms;
use agon_arena::statistics::Sprt;
use agon_arena::tournament::Entrant;

/// An experiment, as its file describes it.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// Its name in the store.
    pub name: String,
    /// The title of its report.
    pub title: String,
    /// Who hands the report in, if the file says so.
    pub author: Option<String>,
    /// The question, in words.
    pub question: String,
    /// All agents, those that a comparison derives from others included. Names are unique.
    pub agents: Vec<Entrant>,
    /// What is compared by games.
    pub comparisons: Vec<Comparison>,
    /// What is measured without games.
    pub measures: Vec<Measure>,
    /// The author's words for the sections of the report.
    pub paragraphs: BTreeMap<Part, Paragraphs>,
    /// The random seed.
    pub seed: u64,
    /// How many games are played at a time, if the file says so.
    pub concurrency: Option<usize>,
    /// The text of its file.
    pub text: String,
    /// The folder of its file.
    pub folder: PathBuf,
}

/// Agents that are compared by games.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Its title.
    pub title: String,
    /// What is compared with what.
    pub kind: Kind,
    /// Who meets whom, on each of the terms.
    pub meetings: Vec<Meeting>,
    /// Every variant with every budget.
    pub terms: Vec<Terms>,
    /// The number of players.
    pub seats: usize,
    /// How many games a meeting has on each of the terms; with a test, at most.
    pub games: u64,
    /// A test that ends a meeting as soon as it is decided. Its errors are those of this one
    /// comparison among all of the experiment.
    pub sprt: Option<Sprt>,
    /// Whether the report shows the rating over 50 games.
    pub rating: bool,
    /// The author's words.
    pub text: Option<String>,
}

/// What is compared with what.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Everyone against a baseline.
    Baseline,
    /// Everyone against everyone.
    All,
    /// One against several opponents.
    Against,
    /// Versions in order, each against the baseline and against the one before.
    Evolution,
    /// An agent against itself with something turned off.
    Ablation,
    /// From a plain agent, one improvement added after the other.
    BuildUp,
}

impl Kind {
    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Baseline | Kind::All | Kind::Against => "list",
            Kind::Evolution => "evolution",
            Kind::Ablation => "ablation",
            Kind::BuildUp => "build-up",
        }
    }
}

/// Two agents that meet; at a table of three the opponent takes both other seats.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Meeting {
    /// The agent that is judged, by its index in the experiment.
    pub agent: usize,
    /// Its opponent.
    pub opponent: usize,
    /// Why they meet.
    pub role: Role,
}

/// Why two agents meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// The opponent is the common baseline.
    Baseline,
    /// The opponent is the version before.
    Previous,
    /// The version before is the baseline.
    First,
    /// Everyone meets everyone, or one several opponents.
    Pair,
    /// The opponent is the same agent without something.
    Without,
}

impl Role {
    /// Whether the result says what a single change is worth.
    pub fn is_step(self) -> bool {
        matches!(self, Role::Previous | Role::First | Role::Without)
    }

    /// Whether the opponent is the common baseline.
    pub fn is_baseline(self) -> bool {
        matches!(self, Role::Baseline | Role::First)
    }
}

/// Something that is measured without games.
#[derive(Clone, Debug)]
pub struct Measure {
    /// Its title.
    pub title: String,
    /// What is measured.
    pub kind: MeasureKind,
    /// The agents, by their index in the experiment.
    pub agents: Vec<usize>,
    /// Every variant with every budget.
    pub terms: Vec<Terms>,
    /// How many positions there are; the openings of the terms lead to them.
    pub positions: u64,
    /// Whether the report shows every iteration.
    pub iterations: bool,
    /// The author's words.
    pub text: Option<String>,
}

/// What is measured without games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MeasureKind {
    /// Searches of the same positions: depth, nodes, time.
    Search,
    /// The same with several numbers of threads: for each of the agents, the agents with 1, 2, …
    /// threads.
    Threads(Vec<Vec<(usize, usize)>>),
    /// The exact value of the start.
    Solve,
}

/// A section of the report.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Part {
    /// The question.
    Question,
    /// The agents and their evaluations.
    Agents,
    /// Machine, build, seeds, openings, games, clocks.
    Setup,
    /// Tables and figures.
    Results,
    /// What was tried and did not help.
    NoHelp,
    /// What the results mean.
    Interpretation,
    /// Every pairing, and some games.
    Appendix,
}

impl Part {
    /// All, in the order of the report.
    pub const ALL: [Part; 7] = [
        Part::Question,
        Part::Agents,
        Part::Setup,
        Part::Results,
        Part::NoHelp,
        Part::Interpretation,
        Part::Appendix,
    ];

    /// Its key in files, which is also its anchor in the report.
    pub fn key(self) -> &'static str {
        match self {
            Part::Question => "question",
            Part::Agents => "agents",
            Part::Setup => "setup",
            Part::Results => "results",
            Part::NoHelp => "no-help",
            Part::Interpretation => "interpretation",
            Part::Appendix => "appendix",
        }
    }

    /// Its heading.
    pub fn title(self) -> &'static str {
        match self {
            Part::Question => "The question",
            Part::Agents => "The agents",
            Part::Setup => "The setup",
            Part::Results => "Results",
            Part::NoHelp => "What was tried and did not help",
            Part::Interpretation => "Interpretation",
            Part::Appendix => "Appendix",
        }
    }
}

/// The author's words for a section.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Paragraphs {
    /// The text; an empty line begins a new paragraph.
    pub text: String,
    /// Whether it stands for the section's own words, rather than before them.
    pub replace: bool,
}

impl Experiment {
    /// The name of an agent.
    pub fn name_of(&self, agent: usize) -> &str {
        self.agents.get(agent).map_or("?", |entrant| entrant.name.as_str())
    }

    /// How many tests the experiment makes: all meetings on all terms, and the sizes of searches to
    /// the same depth.
    pub fn tests(&self) -> usize {
        tests_of(&self.comparisons, &self.measures)
    }
}

/// How many tests these make.
pub(crate) fn tests_of(comparisons: &[Comparison], measures: &[Measure]) -> usize {
    let meetings = comparisons.iter().map(|it| it.meetings.len() * it.terms.len());
    let searches = measures.iter().filter(|it| it.kind == MeasureKind::Search).map(|it| {
        let depths = it.terms.iter().filter(|terms| terms.pace.depth.is_some()).count();
        depths * it.agents.len().saturating_sub(1)
    });
    meetings.chain(searches).sum()
}

/// A budget as a short label for tables and axes: `20 ms`, `depth 4`, `10,000 nodes`.
pub fn budget_label(pace: &Pace) -> String {
    let nodes = |nodes| format!("{} nodes", agon_arena::words::thousands(nodes));
    let parts = [
        pace.time.game.map(|time| format!("{time} a game")),
        pace.time.per_move.map(agon_arena::clock::duration_text),
        pace.depth.map(|depth| format!("depth {depth}")),
        pace.nodes.map(nodes),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() { "no limit".into() } else { parts.join(", ") }
}

/// The different variants of some terms, in order.
pub fn variants_of(terms: &[Terms]) -> Vec<String> {
    different(terms.iter().map(|it| it.variant.to_string()))
}

/// The different budgets of some terms, by their labels, in order.
pub fn budgets_of(terms: &[Terms]) -> Vec<String> {
    different(terms.iter().map(|it| budget_label(&it.pace)))
}

fn different(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut seen = Vec::new();
    for text in texts {
        if !seen.contains(&text) {
            seen.push(text);
        }
    }
    seen
}
