//! Reading an experiment from its file. Everything that can be wrong with it is found here, before
//! anything runs.

mod comparison;
mod derived;
mod measure;
mod terms;

use std::collections::BTreeMap;
use std::path::Path;

use agon_arena::document::{Document, FileError, Section, Value};
use agon_arena::files::read_text;
use agon_arena::statistics::Sprt;
use agon_arena::tournament::Entrant;
use agon_arena::tournament::entries::{Placed, checked_name, read_entrants};
use agon_arena::{Registry, venue};
use agon_core::printable;
use agon_search::spec::choices;

use crate::experiment::{Comparison, Experiment, Measure, Paragraphs, Part, tests_of};
use terms::{Conditions, TERMS_KEYS};

/// The size limit of the file, in bytes.
const LARGEST_FILE: u64 = 1 << 20;

/// The most tests and measurements of an experiment.
const MOST_TESTS: usize = 5000;

const KEYS: &[&str] = &[
    "name",
    "title",
    "author",
    "question",
    "seed",
    "concurrency",
    "agents",
    "compare",
    "measure",
    "text",
];

/// Reads an experiment.
pub fn read(file: &Path, registry: &Registry) -> Result<Experiment, FileError> {
    let text = read_text(file, LARGEST_FILE).map_err(|error| {
        FileError::without_place(file, format!("cannot read the experiment: {error}"))
    })?;
    parse(file, &text, registry)
}

/// Reads an experiment from its text; the file's name is for errors and for paths relative to it.
pub fn parse(file: &Path, text: &str, registry: &Registry) -> Result<Experiment, FileError> {
    let document = Document { file, text };
    let parsed = document.parse()?;
    let top = Section::new(&document, parsed.get_ref(), 0..0);
    let known: Vec<&str> = KEYS.iter().chain(TERMS_KEYS).copied().collect();
    top.has_only(&known)?;
    let mut reader = Reader {
        file,
        registry,
        seed: top.number("seed", "a number", 0..=u64::MAX)?.unwrap_or(0),
        defaults: Conditions::read(&top, file, &Conditions::default())?,
        agents: Vec::new(),
    };
    reader.read(&top, text)
}

/// An experiment being read.
struct Reader<'r, 'd, 'a> {
    file: &'r Path,
    registry: &'r Registry,
    seed: u64,
    /// The conditions at the top, for comparisons and measurements that say nothing else.
    defaults: Conditions<'d, 'a>,
    /// The agents, those derived from others included.
    agents: Vec<Placed<'d, 'a>>,
}

impl<'d, 'a> Reader<'_, 'd, 'a> {
    fn read(&mut self, top: &Section<'d, 'a>, text: &str) -> Result<Experiment, FileError> {
        let name = self.name(top)?;
        let paragraphs = paragraphs(top)?;
        self.agents = match top.get("agents") {
            Some(_) => read_entrants(top, self.file, self.registry)?,
            None => Vec::new(),
        };
        let mut comparisons = Vec::new();
        for value in top.get("compare").map_or_else(Vec::new, |list| list.list()) {
            comparisons.push(self.comparison(&value)?);
        }
        let mut measures = Vec::new();
        for value in top.get("measure").map_or_else(Vec::new, |list| list.list()) {
            measures.push(self.measure(&value)?);
        }
        if comparisons.is_empty() && measures.is_empty() {
            let problem = "nothing to do: expected [[compare]] or [[measure]]; \
                           agon lab new KIND writes an example";
            return Err(top.error(problem));
        }
        correct(&mut comparisons, &measures, top)?;
        let title = optional_text(top, "title", "a title")?;
        let folder = self.file.parent().unwrap_or(Path::new("")).to_path_buf();
        Ok(Experiment {
            title: title.unwrap_or_else(|| name.clone()),
            author: optional_text(top, "author", "a name")?,
            question: optional_text(top, "question", "a question")?.unwrap_or_default(),
            name,
            agents: self.agents.iter().map(|(entrant, _)| entrant.clone()).collect(),
            comparisons,
            measures,
            paragraphs,
            seed: self.seed,
            concurrency: top
                .number("concurrency", "games at a time", 1..=4096)?
                .map(|n| n as usize),
            text: text.to_string(),
            folder,
        })
    }

    fn name(&self, top: &Section<'d, 'a>) -> Result<String, FileError> {
        match top.get("name") {
            Some(name) => name.read("a name", checked_name),
            None => {
                let stem = self.file.file_stem().unwrap_or_default().to_string_lossy();
                checked_name(&stem).map_err(|problem| {
                    top.error(format!(
                        "name is missing, and the file's name cannot be used: {problem}"
                    ))
                })
            }
        }
    }

    /// The index of the agent with this name.
    fn agent(&self, value: &Value<'d, 'a>) -> Result<usize, FileError> {
        let name = value.text("the name of an agent")?;
        let found = self.agents.iter().position(|(entrant, _)| entrant.name == name);
        found.ok_or_else(|| {
            let names: Vec<&str> =
                self.agents.iter().map(|(entrant, _)| entrant.name.as_str()).collect();
            let problem = format!("there is no agent called {:?}", printable(name));
            value.error(match names.is_empty() {
                true => format!("{problem}; agents = [{name:?}] at the top declares it"),
                false => choices(&problem, name, &names),
            })
        })
    }

    /// The agents with these names; all that the file lists if there is no such key.
    fn agents_of(
        &self,
        section: &Section<'d, 'a>,
        key: &'static str,
    ) -> Result<Vec<usize>, FileError> {
        let Some(names) = section.get(key) else { return Ok((0..self.agents.len()).collect()) };
        let mut agents = Vec::new();
        for name in names.list() {
            let agent = self.agent(&name)?;
            if agents.contains(&agent) {
                return Err(name.error("this agent is there already"));
            }
            agents.push(agent);
        }
        Ok(agents)
    }

    /// Adds an agent that is derived from another, unless it is known already.
    fn add(&mut self, entrant: Entrant, place: &Value<'d, 'a>) -> Result<usize, FileError> {
        let known = self.agents.iter().position(|(it, _)| it.name == entrant.name);
        match known {
            Some(index) if self.agents[index].0.agent.text() == entrant.agent.text() => Ok(index),
            Some(_) => {
                let problem = format!("there is another agent called {:?} already", entrant.name);
                Err(place.error(problem))
            }
            None => {
                self.agents.push((entrant, place.clone()));
                Ok(self.agents.len() - 1)
            }
        }
    }

    /// Checks that these agents can play on these terms, and returns the number of seats.
    fn check(&self, conditions: &Conditions<'d, 'a>, agents: &[usize]) -> Result<usize, FileError> {
        let mut seats: Option<usize> = None;
        for (terms, place) in conditions.terms(self.registry.catalog()) {
            let venue = venue::open(&terms, self.seed, 0);
            let venue = venue.map_err(|error| place.error(error.to_string()))?;
            let these = venue.seat_names().len();
            if *seats.get_or_insert(these) != these {
                let problem = format!(
                    "{} is for {these} players, the one before for {}: give each number of \
                     players a comparison of its own",
                    venue.variant(),
                    seats.unwrap_or(0)
                );
                return Err(place.error(problem));
            }
            for &agent in agents {
                let (entrant, place) = &self.agents[agent];
                let checked = venue.check(&entrant.agent);
                checked.map_err(|error| place.error(error.to_string()))?;
            }
        }
        Ok(seats.unwrap_or(2))
    }
}

/// Divides the errors of sequential tests by the number of all tests, so that the risk of any wrong
/// claim is what the report says.
fn correct(
    comparisons: &mut [Comparison],
    measures: &[Measure],
    top: &Section<'_, '_>,
) -> Result<(), FileError> {
    let tests = tests_of(comparisons, measures);
    let searches: usize = measures.iter().map(|it| it.agents.len() * it.terms.len()).sum();
    if tests + searches > MOST_TESTS {
        let problem = format!("more than {MOST_TESTS} comparisons and measurements");
        return Err(top.error_at("compare", &problem));
    }
    for sprt in comparisons.iter_mut().filter_map(|it| it.sprt.as_mut()) {
        let ([elo0, elo1], [alpha, beta]) = (sprt.hypotheses(), sprt.errors());
        let tests = tests.max(1) as f64;
        let corrected = Sprt::new(elo0, elo1, alpha / tests, beta / tests);
        *sprt = corrected.map_err(|error| top.error_at("sprt", &error.to_string()))?;
    }
    Ok(())
}

/// A text of any length, if there is one.
fn optional_text(
    section: &Section<'_, '_>,
    key: &'static str,
    what: &str,
) -> Result<Option<String>, FileError> {
    let text = section.get(key).map(|value| value.text(what)).transpose()?;
    Ok(text.map(|text| text.trim().to_string()).filter(|text| !text.is_empty()))
}

/// The author's words for the sections of the report.
fn paragraphs(top: &Section<'_, '_>) -> Result<BTreeMap<Part, Paragraphs>, FileError> {
    let mut all = BTreeMap::new();
    let Some(value) = top.get("text") else { return Ok(all) };
    let section = value.section("a table such as [text] with results = \"…\"")?;
    let keys = Part::ALL.map(Part::key);
    section.has_only(&keys)?;
    for part in Part::ALL {
        let Some(value) = section.get(part.key()) else { continue };
        let (text, replace) = if value.is_section() {
            let inner = value.section("a text")?;
            inner.has_only(&["text", "replace"])?;
            let replace = inner.get("replace").map_or(Ok(false), |value| value.switch())?;
            (inner.require("text", "text = \"…\"")?.text("a text")?, replace)
        } else {
            (value.text("a text")?, false)
        };
        all.insert(part, Paragraphs { text: text.trim().to_string(), replace });
    }
    Ok(all)
}

#[cfg(test)]
mod tests;
