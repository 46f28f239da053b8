//! What determines a schedule, apart from the results: the same for a tournament that is about to
//! be played and for one in the store.

use serde_json::Value;

use super::roster::Roster;
use super::{Format, Tournament};
use crate::store::Series;

/// The outline of a tournament.
#[derive(Clone, PartialEq, Debug)]
pub struct Outline {
    /// Who meets whom.
    pub format: Format,
    /// Who takes part when.
    pub roster: Roster,
    /// The number of players at a table.
    pub seats: usize,
    /// How many terms every meeting is played on.
    pub terms: u64,
    /// The games of a meeting on each of the terms.
    pub games: u64,
    /// The random seed.
    pub seed: u64,
}

impl Outline {
    /// That of a tournament whose agents are there from the start to the end.
    pub fn of(tournament: &Tournament) -> Outline {
        Outline {
            format: tournament.format,
            roster: Roster::from_the_start(tournament.entrants.len()),
            seats: tournament.seats,
            terms: tournament.terms.len() as u64,
            games: tournament.games,
            seed: tournament.seed,
        }
    }

    /// That of a stored tournament; `None` if its plan is not that of a tournament.
    pub fn stored(series: &Series) -> Option<Outline> {
        let plan: Value = serde_json::from_str(&series.plan).ok()?;
        Some(Outline {
            format: Format::from_plan(&plan["format"])?,
            roster: Roster::stored(&series.members),
            seats: usize::try_from(plan["seats"].as_u64()?).ok()?.max(1),
            terms: plan["terms"].as_array()?.len() as u64,
            games: plan["games"].as_u64()?,
            seed: series.seed,
        })
    }

    /// How many games there are to play between those who have not retired; an upper bound if that
    /// is not determined yet. In a round robin and a gauntlet, the games that retired agents have
    /// played are not included.
    pub fn planned(&self) -> u64 {
        let meetings = match self.format {
            Format::Swiss { rounds } | Format::Contest { rounds, .. } => {
                let mut starts: Vec<u32> = self.roster.turning_points().into_iter().collect();
                starts.push(rounds);
                let spans = starts.windows(2);
                let meetings = spans.map(|span| {
                    let (from, to) = (span[0].min(rounds), span[1].min(rounds));
                    u64::from(to - from) * (self.roster.present(from) / self.seats as u64)
                });
                meetings.sum()
            }
            _ => self.meetings(self.roster.active()),
        };
        meetings.saturating_mul(self.of_meeting())
    }

    /// How many places there are in the schedule, those of games that are never played because
    /// somebody retired included.
    pub fn places(&self) -> u64 {
        match self.format {
            Format::Swiss { .. } | Format::Contest { .. } => self.planned(),
            _ => self.meetings(self.roster.agents()).saturating_mul(self.of_meeting()),
        }
    }

    /// How many games a meeting has.
    fn of_meeting(&self) -> u64 {
        self.terms.saturating_mul(self.games)
    }

    /// How many meetings this many agents have, where that is known from the start.
    fn meetings(&self, agents: u16) -> u64 {
        match self.format {
            Format::Match { rounds } => rounds,
            Format::Gauntlet { champions } => {
                let others = choose(agents.saturating_sub(champions), self.seats.saturating_sub(1));
                u64::from(champions).saturating_mul(others)
            }
            _ => choose(agents, self.seats),
        }
    }
}

/// How many sets of `size` of these agents there are; saturates.
fn choose(agents: u16, size: usize) -> u64 {
    let sets = (0..size as u128)
        .fold(1, |all: u128, k| all * u128::from(agents).saturating_sub(k) / (k + 1));
    u64::try_from(sets).unwrap_or(u64::MAX)
}
