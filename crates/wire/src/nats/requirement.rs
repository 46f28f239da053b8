//! What a worker must have to play a unit. Units with the same requirement form a class: one
//! subject, and one consumer that all workers of the class share.

use std::collections::BTreeSet;

use agon_arena::Agent;
use agon_arena::agent::AgentKind;
use agon_arena::clock::TimeControl;
use agon_arena::fixture::{Fixture, Terms};
use agon_arena::fleet::Abilities;
use agon_arena::resources::{self, Occupant};
use agon_arena::tournament::Tournament;
use agon_core::Variant;
use agon_games::Catalog;
use agon_isolation::Level;
use agon_search::{AgentSpec, agents};
use serde::{Deserialize, Serialize};

use super::brief::Brief;
use super::messages::PROTOCOL;
use super::travel::Luggage;

/// How much memory a program is expected to use if it may use more, in MiB.
const USUAL_PROGRAM: u64 = 512;

/// Stands for a Python that has Agon's package.
pub(crate) const PYTHON: &str = "python with the package agon";

/// What a class of units needs.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Requirement {
    pub protocol: u32,
    /// The version and the signature of the searches, where built-in agents play, or where nodes or
    /// depths decide what is played.
    pub build: Option<(String, String)>,
    pub cores: usize,
    pub memory_mib: u64,
    /// How far programs are isolated at least; `None` if there are none.
    pub isolation: Option<Level>,
    /// The checksums of the programs' files.
    pub programs: BTreeSet<String>,
    /// Programs that must be installed.
    pub commands: BTreeSet<String>,
    /// What built-in agents use besides their own code.
    pub resources: BTreeSet<Resource>,
}

/// What an agent uses in a variant, with checksums.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Resource {
    pub variant: String,
    /// The agent's text, or that of the openings.
    pub by: String,
    /// `None` for nothing.
    pub uses: Option<String>,
}

/// What one agent uses in a variant.
fn used(catalog: &Catalog, variant: &Variant, spec: &AgentSpec) -> Option<String> {
    resources::in_use(catalog, variant, [Occupant::BuiltIn(spec)])
}

/// Games of one tournament that need the same: a few kinds, however many agents there are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Kind {
    terms: u16,
    built_in: bool,
    programs: bool,
    cores: usize,
}

impl Kind {
    /// The kind of a game.
    pub fn of(tournament: &Tournament, brief: &Brief, fixture: &Fixture) -> Kind {
        let seated = || fixture.seating.as_slice().iter().map(|&at| usize::from(at));
        let travellers = || seated().filter_map(|at| brief.agents.get(at));
        let threads = |at: usize| match brief.agents.get(at)?.luggage.as_ref() {
            Some(luggage) => Some(luggage.threads),
            None => Some(tournament.entrants.get(at)?.agent.threads()),
        };
        Kind {
            terms: fixture.terms,
            built_in: travellers().any(|agent| agent.luggage.is_none()),
            programs: travellers().any(|agent| agent.luggage.is_some()),
            cores: seated().filter_map(threads).max().unwrap_or(1),
        }
    }
}

impl Requirement {
    /// What games of this kind need: whatever any of the agents needs that may play them. `None` if
    /// the tournament has no such terms.
    pub fn of(
        tournament: &Tournament,
        brief: &Brief,
        kind: Kind,
        build: &super::Build,
    ) -> Option<Requirement> {
        let terms = tournament.terms.get(usize::from(kind.terms))?;
        let all = tournament.entrants.iter().zip(&brief.agents);
        let built_in: Vec<&Agent> = all
            .filter(|(_, traveller)| kind.built_in && traveller.luggage.is_none())
            .map(|(entrant, _)| &entrant.agent)
            .collect();
        let all = brief.agents.iter().filter_map(|agent| agent.luggage.as_ref());
        let luggage: Vec<&Luggage> = if kind.programs { all.collect() } else { Vec::new() };
        let files = luggage.iter().flat_map(|it| &it.files).map(|file| file.checksum.clone());
        let is_exact = terms.pace.time == TimeControl::default();
        let tables = built_in.iter().map(|agent| memory_of(agent)).max().unwrap_or(0);
        let programs = luggage.iter().map(|it| it.memory >> 20).max().unwrap_or(0);
        let build =
            (kind.built_in || is_exact).then(|| (build.version.clone(), build.signature.clone()));
        Some(Requirement {
            protocol: PROTOCOL,
            build,
            cores: kind.cores,
            memory_mib: tournament.seats as u64 * tables.max(programs.min(USUAL_PROGRAM)),
            isolation: luggage.iter().map(|it| it.isolation).max(),
            programs: files.collect(),
            commands: luggage.iter().flat_map(|it| it.commands.iter().cloned()).collect(),
            resources: resources_of(&built_in, terms),
        })
    }

    /// Why a worker cannot play such units, if so.
    pub fn unmet(&self, here: &Here<'_>) -> Option<String> {
        let Here { abilities: it, slots, .. } = here;
        if self.protocol != PROTOCOL {
            return Some("it is of another version of the protocol".into());
        }
        if let Some((version, signature)) = &self.build
            && (version, signature) != (&it.version, &it.signature)
        {
            return Some(format!(
                "it is version {} with bench signature {}, and this needs version {version} with \
                 {signature}",
                it.version, it.signature
            ));
        }
        if self.cores > *slots {
            return Some(format!("it has {slots} slots, and a game needs {}", self.cores));
        }
        if self.memory_mib > it.memory_mib {
            let (needs, has) = (self.memory_mib, it.memory_mib);
            return Some(format!("it has {has} MiB of memory, and a game needs {needs}"));
        }
        self.programs_unmet(here).or_else(|| self.resources_unmet(here))
    }

    fn programs_unmet(&self, here: &Here<'_>) -> Option<String> {
        let wanted = self.isolation?;
        let it = here.abilities;
        let has = |program: &String| it.programs.contains(program);
        let is_own = !self.programs.is_empty()
            && self.programs.iter().all(has)
            && self.commands.iter().all(|command| command == PYTHON);
        if !it.takes_programs && !is_own {
            return Some("it takes no programs from others (agon worker --allow-programs)".into());
        }
        let can: Level = it.isolation.parse().unwrap_or_default();
        if wanted.max(here.at_least) > can {
            let wanted = wanted.max(here.at_least);
            return Some(format!("it cannot isolate programs at level {wanted}, only {can}"));
        }
        let missing = self.commands.iter().find(|command| !(here.finds)(here.python, command));
        missing.map(|command| format!("it does not have {}", agon_core::printable(command)))
    }

    fn resources_unmet(&self, here: &Here<'_>) -> Option<String> {
        let differs = |resource: &&Resource| uses_here(here.catalog, resource) != resource.uses;
        let resource = self.resources.iter().find(differs)?;
        let words = |uses: &Option<String>| uses.clone().unwrap_or_else(|| "nothing".into());
        Some(format!(
            "{} on {} uses {} there, and {} here",
            agon_core::printable(&resource.by),
            agon_core::printable(&resource.variant),
            words(&uses_here(here.catalog, resource)),
            words(&resource.uses),
        ))
    }

    /// The class of these units: part of a subject, and the name of a consumer.
    pub fn class(&self) -> String {
        let text = serde_json::to_vec(self).unwrap_or_default();
        let sum = agon_arena::fingerprint::checksum(&text);
        format!("class-{}", sum.get(..16).unwrap_or_default())
    }
}

/// What a worker is asked about.
pub(crate) struct Here<'a> {
    pub abilities: &'a Abilities,
    pub slots: usize,
    /// How far this worker isolates programs at least.
    pub at_least: Level,
    pub catalog: &'a Catalog,
    /// The interpreter of agents in Python, if not the usual one.
    pub python: Option<&'a str>,
    /// Whether a program is installed.
    pub finds: fn(Option<&str>, &str) -> bool,
}

fn memory_of(agent: &Agent) -> u64 {
    match agent.kind() {
        AgentKind::BuiltIn(spec) => agents::memory(spec).into(),
        AgentKind::Outside(_) => 0,
    }
}

fn resources_of(agents: &[&Agent], terms: &Terms) -> BTreeSet<Resource> {
    let variant = terms.variant.to_string();
    let built_in = agents.iter().filter_map(|agent| match agent.kind() {
        AgentKind::BuiltIn(spec) => Some(Resource {
            variant: variant.clone(),
            by: agent.text().to_string(),
            uses: used(&terms.catalog, &terms.variant, spec),
        }),
        AgentKind::Outside(_) => None,
    });
    let origin = terms.openings.origin(&terms.catalog, &terms.variant);
    let openings = origin.map(|sum| Resource {
        variant: variant.clone(),
        by: format!("{OPENINGS}{}", terms.openings),
        uses: Some(format!("{sum:08x}")),
    });
    built_in.chain(openings).collect()
}

const OPENINGS: &str = "openings ";

/// What the same agent or openings use here.
fn uses_here(catalog: &Catalog, resource: &Resource) -> Option<String> {
    let variant: Variant = resource.variant.parse().ok()?;
    if let Some(openings) = resource.by.strip_prefix(OPENINGS) {
        let openings: agon_arena::Openings = openings.parse().ok()?;
        return openings.origin(catalog, &variant).map(|sum| format!("{sum:08x}"));
    }
    used(catalog, &variant, &resource.by.parse().ok()?)
}
