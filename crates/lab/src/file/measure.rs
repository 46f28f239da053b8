//! Reading a measurement without games.

use agon_arena::document::{FileError, Section, Value};
use agon_arena::openings::Openings;
use agon_search::agents;
use agon_search::spec::{Role, choices};

use super::derived::set;
use super::terms::{Conditions, TERMS_KEYS};
use super::{Reader, optional_text};
use crate::experiment::{Measure, MeasureKind};

const KINDS: &[&str] = &["search", "threads", "solve"];
const KEYS: &[&str] = &["kind", "title", "text"];

/// The default number of positions, and the random plies that lead to each.
const POSITIONS: u64 = 10;
const PLIES: u32 = 10;

/// The default numbers of threads.
const THREADS: [usize; 2] = [1, 2];

impl<'d, 'a> Reader<'_, 'd, 'a> {
    pub(super) fn measure(&mut self, value: &Value<'d, 'a>) -> Result<Measure, FileError> {
        let section = value.section("a table such as [[measure]]")?;
        let kind = section.require("kind", "kind = \"search\"")?;
        let name = kind.text("a kind")?;
        let own: &[&str] = match name {
            "search" => &["agents", "positions", "iterations"],
            "threads" => &["agents", "positions", "threads"],
            "solve" => &[],
            other => {
                let problem = format!("unknown kind {:?}", agon_core::printable(other));
                return Err(kind.error(choices(&problem, other, KINDS)));
            }
        };
        // A solution has no depth, and begins at the start.
        let others: &[&str] = match name {
            "solve" => &["games", "sprt", "time", "depth", "openings"],
            _ => &["games", "sprt"],
        };
        let terms = TERMS_KEYS.iter().filter(|key| !others.contains(key));
        let known: Vec<&str> = KEYS.iter().chain(terms).chain(own).copied().collect();
        section.has_only(&known)?;
        if name == "solve" {
            // What games are limited by is no limit for a solution.
            let defaults = self.defaults.for_a_solution();
            let conditions = Conditions::read(&section, self.file, &defaults)?;
            conditions.require_variant(&section)?;
            return self.solve(&section, &conditions);
        }
        let conditions = Conditions::read(&section, self.file, &self.defaults)?;
        conditions.require_variant(&section)?;
        let conditions = conditions.opening_with(Openings::Random(PLIES));
        let mut agents = self.agents_of(&section, "agents")?;
        if agents.is_empty() {
            return Err(section.error("nobody to measure: agents is missing at the top"));
        }
        let mut kind = MeasureKind::Search;
        if name == "threads" {
            let groups = self.on_threads(&section, &agents, value)?;
            agents = groups.iter().flatten().map(|(_, agent)| *agent).collect();
            kind = MeasureKind::Threads(groups);
        }
        self.check(&conditions, &agents)?;
        for &agent in &agents {
            self.spec_of(agent, value)?;
        }
        self.measured(&section, kind, agents, &conditions)
    }

    fn solve(
        &self,
        section: &Section<'d, 'a>,
        conditions: &Conditions<'d, 'a>,
    ) -> Result<Measure, FileError> {
        if self.check(conditions, &[])? != 2 {
            return Err(section.error_at("variant", "only games for two players can be solved"));
        }
        self.measured(section, MeasureKind::Solve, Vec::new(), conditions)
    }

    fn measured(
        &self,
        section: &Section<'d, 'a>,
        kind: MeasureKind,
        agents: Vec<usize>,
        conditions: &Conditions<'d, 'a>,
    ) -> Result<Measure, FileError> {
        let title = optional_text(section, "title", "a title")?;
        let standard = match kind {
            MeasureKind::Search => "Searches of the same positions",
            MeasureKind::Threads(_) => "Scaling over threads",
            MeasureKind::Solve => "Solved exactly",
        };
        let positions = match kind {
            MeasureKind::Solve => 1,
            _ => section.number("positions", "positions", 1..=1000)?.unwrap_or(POSITIONS),
        };
        let terms = conditions.terms(self.registry.catalog());
        Ok(Measure {
            title: title.unwrap_or_else(|| standard.to_string()),
            kind,
            agents,
            terms: terms.into_iter().map(|(terms, _)| terms).collect(),
            positions,
            iterations: section.get("iterations").map_or(Ok(false), |value| value.switch())?,
            text: optional_text(section, "text", "a text")?,
        })
    }

    /// Each of the agents with 1, 2, … threads.
    fn on_threads(
        &mut self,
        section: &Section<'d, 'a>,
        agents: &[usize],
        place: &Value<'d, 'a>,
    ) -> Result<Vec<Vec<(usize, usize)>>, FileError> {
        let mut counts: Vec<usize> = Vec::new();
        for value in section.get("threads").map_or_else(Vec::new, |list| list.list()) {
            counts.push(value.number("threads", 1..=256)? as usize);
        }
        if counts.is_empty() {
            counts = THREADS.to_vec();
        }
        let mut groups = Vec::new();
        for &agent in agents {
            let spec = self.spec_of(agent, place)?;
            let option = agents::info(&spec.name).and_then(|info| info.option(Role::Threads, 2));
            let name = self.agents[agent].0.name.clone();
            let Some(option) = option else {
                return Err(section.error(format!("{name} has no option for threads")));
            };
            let mut group = Vec::new();
            for &count in &counts {
                let mut spec = spec.clone();
                set(&mut spec, option.name, &count.to_string());
                let plural = if count == 1 { "thread" } else { "threads" };
                group.push((
                    count,
                    self.add_spec(format!("{name}, {count} {plural}"), spec, place)?,
                ));
            }
            groups.push(group);
        }
        Ok(groups)
    }
}
