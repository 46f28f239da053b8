//! The agents of a stored tournament, brought in line with its file.

use std::collections::BTreeSet;

use agon_core::Variant;
use serde_json::{Value, json};

use super::changes::{Changed, ChangedAgent, Changes, Difference};
use super::roster::{Roster, Stay};
use super::{Entrant, Format, Tournament};
use crate::agent::Agent;
use crate::fingerprint::fingerprints;
use crate::player::{Breach, NoAnswer};
use crate::remote::{Outside, Remote};
use crate::store::{Entrant as StoredEntrant, Membership, Progress, Series};
use crate::verdict::Fault;

/// An agent of a tournament, by its number.
#[derive(Clone, Debug)]
pub(super) struct Member {
    name: String,
    /// Its name in the file, if it entered as another version of that one.
    version_of: Option<String>,
    agent: String,
    options: Value,
    stay: Stay,
    fingerprint: Option<String>,
    /// Its place in the file, unless it has retired.
    place: Option<usize>,
}

impl Member {
    fn name_in_file(&self) -> &str {
        self.version_of.as_deref().unwrap_or(&self.name)
    }

    /// What is different in the file, if this is known.
    fn difference(&self, now: &Member) -> Option<Difference> {
        let known = |now: &String| self.fingerprint.as_ref().is_some_and(|before| before != now);
        if self.agent != now.agent {
            return Some(Difference::Text { before: self.agent.clone(), now: now.agent.clone() });
        }
        if self.options != now.options {
            return Some(Difference::Options);
        }
        now.fingerprint.as_ref().is_some_and(known).then_some(Difference::Program)
    }

    /// This agent as the file has it now.
    fn renew(&mut self, now: &Member) {
        self.agent.clone_from(&now.agent);
        self.options.clone_from(&now.options);
        self.fingerprint.clone_from(&now.fingerprint);
        self.place = now.place;
    }

    fn to_plan(&self) -> Value {
        let mut plan = json!({ "name": self.name, "agent": self.agent, "options": self.options });
        if let Some(name) = &self.version_of {
            plan["version_of"] = json!(name);
        }
        plan
    }
}

/// All agents of a tournament by their numbers, and what is new about them.
#[derive(Clone, Debug)]
pub(super) struct Members {
    all: Vec<Member>,
    pub(super) changes: Changes,
    /// Whose games are played again.
    pub(super) replayed: Vec<u32>,
}

/// Those of a file.
fn entered(tournament: &Tournament) -> Vec<Member> {
    let agents = tournament.entrants.iter().map(|entrant| &entrant.agent);
    let entrants = tournament.entrants.iter().zip(fingerprints(agents)).enumerate();
    let member = |(place, (entrant, fingerprint)): (usize, (&Entrant, Option<String>))| Member {
        name: entrant.name.clone(),
        version_of: None,
        agent: entrant.agent.text().to_string(),
        options: json!(entrant.options),
        stay: Stay::default(),
        fingerprint,
        place: Some(place),
    };
    entrants.map(member).collect()
}

/// Those in the store.
fn stored(series: &Series) -> Vec<Member> {
    let plan: Value = serde_json::from_str(&series.plan).unwrap_or(Value::Null);
    let entrants = series.entrants.iter().zip(&series.members).enumerate();
    let member = |(number, (entrant, member)): (usize, (&StoredEntrant, &Membership))| Member {
        name: entrant.name.clone(),
        version_of: plan["agents"][number]["version_of"].as_str().map(String::from),
        agent: entrant.agent.clone(),
        options: plan["agents"][number]["options"].clone(),
        stay: Stay { joined: member.joined, retired: member.retired },
        fingerprint: member.fingerprint.clone(),
        place: None,
    };
    entrants.map(member).collect()
}

impl Members {
    /// The agents of a tournament that begins.
    pub(super) fn new(tournament: &Tournament) -> Members {
        Members { all: entered(tournament), changes: Changes::default(), replayed: Vec::new() }
    }

    /// The agents of a stored tournament with those of its file, or why that is impossible. If it
    /// is to be [asked](Changed::Ask) about changed agents, they stay as they were.
    pub(super) fn merged(
        tournament: &Tournament,
        series: &Series,
        progress: &Progress,
    ) -> Result<Members, String> {
        let moment = Moment::of(tournament, &Roster::stored(&series.members), progress);
        let members =
            Members { all: stored(series), changes: Changes::default(), replayed: Vec::new() };
        let mut merging = Merging { members, tournament, progress, moment };
        for now in entered(tournament) {
            merging.enter(now)?;
        }
        merging.retire_the_rest();
        merging.check_champions()?;
        merging.note_rounds(series)?;
        Ok(merging.members)
    }

    /// Who takes part when.
    pub(super) fn roster(&self) -> Roster {
        Roster::new(self.all.iter().map(|member| member.stay).collect())
    }

    /// The agents in a plan.
    pub(super) fn to_plan(&self) -> Value {
        self.all.iter().map(Member::to_plan).collect()
    }

    /// The agents for the store.
    pub(super) fn to_store(&self) -> Vec<(StoredEntrant, Membership)> {
        let row = |member: &Member| {
            let Member { name, agent, stay, fingerprint, .. } = member.clone();
            let Stay { joined, retired } = stay;
            (StoredEntrant { name, agent }, Membership { joined, retired, fingerprint })
        };
        self.all.iter().map(row).collect()
    }

    /// The agents that play, by their numbers.
    pub(super) fn entrants(&self, tournament: &Tournament) -> Vec<Entrant> {
        let entrant = |member: &Member| {
            let known = member.place.and_then(|place| tournament.entrants.get(place));
            let (agent, options) = match known {
                Some(entrant) => (entrant.agent.clone(), entrant.options.clone()),
                None => (Agent::outside(&member.agent, 1, Box::new(Retired)), Vec::new()),
            };
            Entrant { name: member.name.clone(), agent, options }
        };
        self.all.iter().map(entrant).collect()
    }
}

/// When agents join and leave that do so now.
#[derive(Clone, Copy, Debug)]
struct Moment {
    joins: u32,
    leaves: u32,
    /// The number of rounds, where it is limited.
    rounds: Option<u32>,
}

impl Moment {
    fn of(tournament: &Tournament, roster: &Roster, progress: &Progress) -> Moment {
        let last = roster.last_joined();
        match tournament.format {
            // With the next round that has not begun.
            Format::Swiss { rounds } | Format::Contest { rounds, .. } => {
                let next = progress.rounds.max(last);
                Moment { joins: next, leaves: next, rounds: Some(rounds) }
            }
            // With a wave of their own, unless nothing has been played: then nothing has a number
            // yet.
            _ => {
                let joins = if progress.rounds == 0 { last } else { last + 1 };
                Moment { joins, leaves: last + 1, rounds: None }
            }
        }
    }

    /// Whether everything has begun that there is to take part in.
    fn is_too_late(self) -> bool {
        self.rounds.is_some_and(|rounds| self.joins >= rounds)
    }
}

/// A file that is merged into a stored tournament.
struct Merging<'a> {
    members: Members,
    tournament: &'a Tournament,
    progress: &'a Progress,
    moment: Moment,
}

impl Merging<'_> {
    /// Enters an agent of the file: a known one, another version of one, or a new one.
    fn enter(&mut self, now: Member) -> Result<(), String> {
        let all = &self.members.all;
        let Some(number) = all.iter().rposition(|known| known.name_in_file() == now.name) else {
            if let Some(known) = all.iter().find(|known| known.name == now.name) {
                return Err(format!(
                    "the name {:?} is taken by a version of {:?}; give the agent another name",
                    now.name,
                    known.name_in_file()
                ));
            }
            self.join(&now.name)?;
            self.members.changes.joined.push(now.name.clone());
            let stay = Stay { joined: self.moment.joins, retired: None };
            self.members.all.push(Member { stay, ..now });
            return Ok(());
        };
        self.come_back(number)?;
        // Without a game it does not matter which version it was.
        let games = self.progress.games_of(number);
        match self.members.all[number].difference(&now).filter(|_| games > 0) {
            None => self.members.all[number].renew(&now),
            Some(difference) => self.replace(number, now, difference, games)?,
        }
        Ok(())
    }

    /// Whether a new agent can join.
    fn join(&self, name: &str) -> Result<(), String> {
        let too_many = self.members.all.len() >= usize::from(MOST_MEMBERS);
        match self.moment.rounds {
            _ if too_many => Err(format!("{name:?} cannot join: {MOST_MEMBERS} have done so")),
            Some(rounds) if self.moment.is_too_late() => Err(format!(
                "{name:?} cannot join: all {rounds} rounds have begun; rounds = {} or more makes \
                 room",
                self.moment.joins + 1
            )),
            _ => Ok(()),
        }
    }

    /// Lets an agent that has retired take part again.
    fn come_back(&mut self, number: usize) -> Result<(), String> {
        let member = &mut self.members.all[number];
        let Some(retired) = member.stay.retired else { return Ok(()) };
        if self.moment.rounds.is_some() && retired < self.progress.rounds {
            return Err(format!(
                "{:?} retired before round {}, and later rounds were paired without it; give it \
                 another name, so that it joins as a new agent",
                member.name,
                retired + 1
            ));
        }
        member.stay.retired = None;
        self.members.changes.returned.push(member.name.clone());
        Ok(())
    }

    /// An agent that has played is another one now.
    fn replace(
        &mut self,
        number: usize,
        now: Member,
        difference: Difference,
        games: u64,
    ) -> Result<(), String> {
        let new_name = self.free_name(&now.name);
        let name = self.members.all[number].name.clone();
        let decision = self.tournament.changed;
        if let Some(problem) = self.refusal(number, &name) {
            return Err(problem);
        }
        let agent = ChangedAgent { name, difference, games, new_name: new_name.clone() };
        self.members.changes.changed.push(agent);
        match decision {
            Changed::Ask => self.members.all[number].place = now.place,
            Changed::Keep => self.members.all[number].renew(&now),
            Changed::Replay => {
                self.members.all[number].renew(&now);
                self.members.replayed.extend(u32::try_from(number));
            }
            Changed::Enter => {
                self.join(&new_name)?;
                let stay = Stay { joined: self.moment.joins, retired: None };
                let version_of = Some(now.name.clone());
                self.members.all[number].stay.retired = Some(self.moment.leaves);
                self.members.all.push(Member { name: new_name, version_of, stay, ..now });
            }
        }
        Ok(())
    }

    /// Why the decision about a changed agent is impossible, if it is.
    fn refusal(&self, number: usize, name: &str) -> Option<String> {
        match (self.tournament.changed, self.tournament.format) {
            (Changed::Replay, format) if !format.is_fixed() => Some(format!(
                "the games of {name:?} cannot be replayed: later rounds were paired by their \
                 results; with --changed enter the new version joins with the next round"
            )),
            (Changed::Enter, Format::Gauntlet { champions }) if number < champions.into() => {
                Some(format!(
                    "{name:?} is a champion, and a gauntlet keeps its champions: its new version \
                     cannot enter as another agent; --changed replay plays its games again"
                ))
            }
            _ => None,
        }
    }

    /// The first name with a number that nobody has.
    fn free_name(&self, name: &str) -> String {
        let in_file = self.tournament.entrants.iter().map(|entrant| entrant.name.as_str());
        let stored = self.members.all.iter().map(|member| member.name.as_str());
        let taken: BTreeSet<&str> = in_file.chain(stored).collect();
        let mut names = (2_u32..).map(|number| format!("{name}-{number}"));
        names.find(|name| !taken.contains(name.as_str())).unwrap_or_default()
    }

    /// Who is not in the file any more leaves.
    fn retire_the_rest(&mut self) {
        for member in &mut self.members.all {
            if member.place.is_none() && member.stay.retired.is_none() {
                member.stay.retired = Some(self.moment.leaves);
                self.members.changes.retired.push(member.name.clone());
            }
        }
    }

    /// A gauntlet is about its champions: the first agents of the file it was started with.
    fn check_champions(&self) -> Result<(), String> {
        let Format::Gauntlet { champions } = self.tournament.format else { return Ok(()) };
        let champions = usize::from(champions);
        let first = self.members.all.iter().take(champions);
        let stay = |member: &Member| member.place.is_some_and(|place| place < champions);
        if first.clone().all(stay) {
            return Ok(());
        }
        let names: Vec<&str> = first.map(Member::name_in_file).collect();
        Err(format!(
            "a gauntlet keeps its champions: the first in the file must be {}",
            names.join(", ")
        ))
    }

    /// A tournament can be made longer, or shorter as far as it has not been played.
    fn note_rounds(&mut self, series: &Series) -> Result<(), String> {
        let Some(now) = self.moment.rounds else { return Ok(()) };
        let plan: Value = serde_json::from_str(&series.plan).unwrap_or(Value::Null);
        let before = match Format::from_plan(&plan["format"]) {
            Some(Format::Swiss { rounds } | Format::Contest { rounds, .. }) => rounds,
            _ => now,
        };
        let begun = self.progress.rounds;
        if now < begun {
            return Err(format!("rounds = {now} is too few: {begun} rounds have begun"));
        }
        self.members.changes.rounds = (before != now).then_some((before, now));
        Ok(())
    }
}

/// The most agents that can ever be entered.
const MOST_MEMBERS: u16 = 10_000;

/// An agent that has retired: its games are not played.
#[derive(Debug)]
struct Retired;

impl Outside for Retired {
    fn check(&self, _: &Variant) -> Result<(), String> {
        Ok(())
    }

    fn start(&self, _: &Variant) -> Result<Box<dyn Remote>, NoAnswer> {
        Err(Breach::new(Fault::NoStart, "it has retired").into())
    }
}
