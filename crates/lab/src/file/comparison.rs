//! Reading a comparison: who meets whom.

use agon_arena::document::{FileError, Section, Value};
use agon_arena::fixture::whole_groups;
use agon_search::spec::choices;

use super::derived::change;
use super::terms::{Conditions, TERMS_KEYS};
use super::{Reader, optional_text};
use crate::experiment::{Comparison, Kind, Meeting, Role};

const KINDS: &[&str] = &["list", "evolution", "ablation", "build-up"];
const KEYS: &[&str] = &["kind", "title", "text", "rating"];

impl<'d, 'a> Reader<'_, 'd, 'a> {
    pub(super) fn comparison(&mut self, value: &Value<'d, 'a>) -> Result<Comparison, FileError> {
        let section = value.section("a table such as [[compare]]")?;
        let kind = section.require("kind", "kind = \"list\"")?;
        let name = kind.text("a kind")?;
        let own: &[&str] = match name {
            "list" => &["agents", "baseline", "all", "agent", "against"],
            "evolution" => &["versions", "baseline"],
            "ablation" => &["agent", "off"],
            "build-up" => &["from", "steps"],
            other => {
                let problem = format!("unknown kind {:?}", agon_core::printable(other));
                return Err(kind.error(choices(&problem, other, KINDS)));
            }
        };
        let known: Vec<&str> = KEYS.iter().chain(TERMS_KEYS).chain(own).copied().collect();
        section.has_only(&known)?;
        let conditions = Conditions::read(&section, self.file, &self.defaults)?;
        conditions.require_variant(&section)?;
        let (kind, meetings) = match name {
            "list" => self.list(&section)?,
            "evolution" => (Kind::Evolution, self.evolution(&section)?),
            "ablation" => (Kind::Ablation, self.ablation(&section)?),
            _ => (Kind::BuildUp, self.build_up(&section)?),
        };
        self.finished(&section, kind, meetings, &conditions)
    }

    fn finished(
        &self,
        section: &Section<'d, 'a>,
        kind: Kind,
        mut meetings: Vec<Meeting>,
        conditions: &Conditions<'d, 'a>,
    ) -> Result<Comparison, FileError> {
        let mut agents: Vec<usize> =
            meetings.iter().flat_map(|it| [it.agent, it.opponent]).collect();
        agents.sort_unstable();
        agents.dedup();
        let seats = self.check(conditions, &agents)?;
        if seats > 2 && conditions.sprt.is_some() {
            return Err(section.error_at("sprt", "a sequential test is for two players"));
        }
        if seats > 2 && kind == Kind::All {
            // Alone against two of the others is not the reverse of two against one.
            let reversed = meetings.iter().map(|it| Meeting {
                agent: it.opponent,
                opponent: it.agent,
                role: it.role,
            });
            meetings.extend(reversed.collect::<Vec<_>>());
        }
        let terms = conditions.terms(self.registry.catalog());
        let title = optional_text(section, "title", "a title")?;
        let standard = || default_title(kind, &meetings, |agent| &self.agents[agent].0.name);
        Ok(Comparison {
            title: title.unwrap_or_else(standard),
            kind,
            terms: terms.into_iter().map(|(terms, _)| terms).collect(),
            seats,
            games: whole_groups(conditions.games, seats),
            sprt: conditions.sprt,
            rating: section.get("rating").map_or(Ok(false), |value| value.switch())?,
            text: optional_text(section, "text", "a text")?,
            meetings,
        })
    }

    fn list(&self, section: &Section<'d, 'a>) -> Result<(Kind, Vec<Meeting>), FileError> {
        if section.get("agent").is_some() || section.get("against").is_some() {
            return Ok((Kind::Against, self.against(section)?));
        }
        let agents = self.agents_of(section, "agents")?;
        let all = section.get("all").map_or(Ok(false), |value| value.switch())?;
        if all && section.get("baseline").is_some() {
            return Err(section.error_at("all", "either all = true or a baseline, not both"));
        }
        if all {
            let pairs = agents.iter().enumerate();
            let pairs = pairs.flat_map(|(index, &agent)| {
                agents[index + 1..].iter().map(move |&opponent| (agent, opponent))
            });
            let meetings: Vec<Meeting> = pairs
                .map(|(agent, opponent)| Meeting { agent, opponent, role: Role::Pair })
                .collect();
            return if meetings.is_empty() {
                Err(too_few(section))
            } else {
                Ok((Kind::All, meetings))
            };
        }
        let such_as = "baseline = \"minimax\", all = true for everyone against everyone, or agent and \
                       against for one against several";
        let baseline = self.agent(&section.require("baseline", such_as)?)?;
        let others = agents.into_iter().filter(|agent| *agent != baseline);
        let meetings: Vec<Meeting> = others
            .map(|agent| Meeting { agent, opponent: baseline, role: Role::Baseline })
            .collect();
        if meetings.is_empty() { Err(too_few(section)) } else { Ok((Kind::Baseline, meetings)) }
    }

    /// One against several.
    fn against(&self, section: &Section<'d, 'a>) -> Result<Vec<Meeting>, FileError> {
        for key in ["agents", "baseline", "all"] {
            if section.get(key).is_some() {
                let problem = format!("agent and against say who meets whom; {key} says it again");
                return Err(section.error_at(key, &problem));
            }
        }
        let agent = self.agent(&section.require("agent", "agent = \"engine\"")?)?;
        section.require("against", "against = [\"random\", \"minimax\"]")?;
        let opponents = self.agents_of(section, "against")?;
        let meetings: Vec<Meeting> = opponents
            .into_iter()
            .filter(|opponent| *opponent != agent)
            .map(|opponent| Meeting { agent, opponent, role: Role::Pair })
            .collect();
        if meetings.is_empty() { Err(too_few(section)) } else { Ok(meetings) }
    }

    fn evolution(&self, section: &Section<'d, 'a>) -> Result<Vec<Meeting>, FileError> {
        let versions = section.require("versions", "versions = [\"first\", \"second\"]")?;
        let versions = match versions.list().as_slice() {
            [] => Vec::new(),
            _ => self.agents_of(section, "versions")?,
        };
        let baseline = section.get("baseline").map(|name| self.agent(&name)).transpose()?;
        let Some(&first) = versions.first() else { return Err(too_few(section)) };
        let meetings = in_order(baseline.unwrap_or(first), &versions);
        if meetings.is_empty() { Err(too_few(section)) } else { Ok(meetings) }
    }

    fn ablation(&mut self, section: &Section<'d, 'a>) -> Result<Vec<Meeting>, FileError> {
        let value = section.require("agent", "agent = \"engine\"")?;
        let agent = self.agent(&value)?;
        let spec = self.spec_of(agent, &value)?;
        let name = self.agents[agent].0.name.clone();
        let mut meetings = Vec::new();
        for value in section.require("off", "off = [\"tt\", \"pvs\"]")?.list() {
            let what = value.text("a switch such as \"tt\", or OPTION=VALUE")?;
            let mut without = spec.clone();
            change(&mut without, what, "off", &value)?;
            let word = if what.contains('=') { "with" } else { "without" };
            if without == spec {
                return Err(value.error(format!("{name} has {what} already")));
            }
            let opponent = self.add_spec(format!("{name} {word} {what}"), without, &value)?;
            if meetings.iter().any(|it: &Meeting| it.opponent == opponent) {
                return Err(value.error("this is there already"));
            }
            meetings.push(Meeting { agent, opponent, role: Role::Without });
        }
        if meetings.is_empty() { Err(too_few(section)) } else { Ok(meetings) }
    }

    fn build_up(&mut self, section: &Section<'d, 'a>) -> Result<Vec<Meeting>, FileError> {
        let from = self.agent(&section.require("from", "from = \"minimax\"")?)?;
        let mut versions = vec![from];
        for value in section.require("steps", "steps = [\"tt\", \"pvs\"]")?.list() {
            let before = versions[versions.len() - 1];
            let step = self.step(before, &value)?;
            if versions.contains(&step) {
                return Err(value.error("this step is there already"));
            }
            versions.push(step);
        }
        let meetings = in_order(from, &versions);
        if meetings.is_empty() { Err(too_few(section)) } else { Ok(meetings) }
    }
}

/// Each version against the baseline and against the one before.
fn in_order(baseline: usize, versions: &[usize]) -> Vec<Meeting> {
    let mut meetings = Vec::new();
    for (index, &agent) in versions.iter().enumerate() {
        let before = index.checked_sub(1).map(|index| versions[index]);
        match before {
            Some(before) if before == baseline => {
                meetings.push(Meeting { agent, opponent: before, role: Role::First });
            }
            _ => {
                if agent != baseline {
                    meetings.push(Meeting { agent, opponent: baseline, role: Role::Baseline });
                }
                let step = before.map(|opponent| Meeting { agent, opponent, role: Role::Previous });
                meetings.extend(step);
            }
        }
    }
    meetings
}

fn too_few(section: &Section<'_, '_>) -> FileError {
    section.error("nobody to compare: at least two agents are needed")
}

/// A title in the words of the kind.
fn default_title<'n>(
    kind: Kind,
    meetings: &[Meeting],
    name: impl Fn(usize) -> &'n String,
) -> String {
    let (first, last) = (meetings.first(), meetings.last());
    match (kind, first, last) {
        (Kind::Baseline, Some(first), _) => format!("Everyone against {}", name(first.opponent)),
        (Kind::Against, Some(first), _) => format!("{} against others", name(first.agent)),
        (Kind::Evolution, Some(first), Some(last)) => {
            format!("From {} to {}", name(first.opponent), name(last.agent))
        }
        (Kind::Ablation, Some(first), _) => {
            format!("What the parts of {} are worth", name(first.agent))
        }
        (Kind::BuildUp, Some(first), _) => format!("{}, step by step", name(first.opponent)),
        _ => "Everyone against everyone".to_string(),
    }
}
