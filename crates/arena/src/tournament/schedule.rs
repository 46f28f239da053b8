//! The games of a tournament, and their order.

use std::collections::BTreeMap;

use super::ledger::Ledger;
use super::outline::Outline;
use super::pairing::{self, Encounters, Meeting, Round};
use super::{Format, Tournament};
use crate::fixture::{Fixture, group_size, seating};
use crate::statistics::RoundRatings;
use crate::statistics::round_ratings::RoundRating;

/// Games that may be played in any order. They are computed on demand: a match may have more than
/// fit into memory.
#[derive(Clone, Debug)]
pub struct Batch {
    meetings: Meetings,
    /// How many meetings there were in earlier batches.
    before: u64,
    /// How many terms every meeting is played on, and how many games on each.
    terms: u64,
    games: u64,
}

#[derive(Clone, Debug)]
enum Meetings {
    /// In order, each with its round and its index there.
    Listed(Vec<(u32, u32, Meeting)>),
    /// The same agents once in every round.
    Repeated { agents: Meeting, rounds: u64 },
}

impl Batch {
    /// How many games there are.
    pub fn games(&self) -> u64 {
        let meetings = match &self.meetings {
            Meetings::Listed(meetings) => meetings.len() as u64,
            Meetings::Repeated { rounds, .. } => *rounds,
        };
        meetings.saturating_mul(self.of_meeting())
    }

    /// How many games a meeting has: complete groups of seatings on each of the terms.
    fn of_meeting(&self) -> u64 {
        self.terms * self.games
    }

    /// The number of the first game.
    pub fn first(&self) -> u64 {
        self.before * self.of_meeting()
    }

    /// The game at this index of the batch, from 0; `None` past the last.
    pub fn fixture(&self, index: u64) -> Option<Fixture> {
        let meeting = index.checked_div(self.of_meeting())?;
        let (round, pairing, agents) = match &self.meetings {
            Meetings::Listed(meetings) => {
                let (round, pairing, agents) = meetings.get(usize::try_from(meeting).ok()?)?;
                (*round, *pairing, agents)
            }
            Meetings::Repeated { agents, rounds } => {
                let round = Some(meeting).filter(|round| round < rounds)?;
                (u32::try_from(round).unwrap_or(u32::MAX), 0, agents)
            }
        };
        let leg = index % self.of_meeting();
        let (game, size) = (leg % self.games, group_size(agents.len()));
        Some(Fixture {
            number: self.first() + index,
            round,
            pairing,
            leg: leg as u32,
            terms: (leg / self.games) as u16,
            group: (self.before + meeting) * (self.games / size) + game / size,
            seating: seating(agents, game % size),
        })
    }
}

/// The games of a tournament, as far as they are determined.
///
/// What comes next depends only on the outline and on what the ledger has counted: after a restart,
/// it gives the same games. Agents that join later do not change the games before.
pub struct Schedule {
    outline: Outline,
    encounters: Encounters,
    round: u32,
    /// How many meetings have been planned.
    meetings: u64,
    /// The ratings of a contest, and how many games of the ledger they include.
    ratings: Option<(RoundRatings, usize)>,
}

impl Schedule {
    /// Nothing has been planned yet.
    pub fn new(outline: Outline) -> Schedule {
        let contest = matches!(outline.format, Format::Contest { .. });
        Schedule {
            encounters: Encounters::default(),
            round: 0,
            meetings: 0,
            ratings: contest.then(|| (RoundRatings::new(outline.seats), 0)),
            outline,
        }
    }

    /// The next games, once the ledger has counted all before them. `None` when the tournament is
    /// over.
    pub fn next(&mut self, ledger: &Ledger) -> Option<Batch> {
        let seats = self.outline.seats;
        match self.outline.format {
            Format::RoundRobin if self.round == 0 => {
                let meetings = self.wave_by_wave(|agents| pairing::everybody(agents, seats));
                Some(self.rounds(meetings))
            }
            Format::Gauntlet { champions } if self.round == 0 => {
                let all = |agents| vec![pairing::gauntlet(agents, champions, seats)];
                let meetings = self.wave_by_wave(all);
                Some(self.rounds(meetings))
            }
            Format::Match { rounds } if self.round == 0 => {
                let agents = (0..self.outline.roster.agents()).collect();
                self.round = u32::try_from(rounds).unwrap_or(u32::MAX);
                Some(self.batch(Meetings::Repeated { agents, rounds }))
            }
            Format::RoundRobin | Format::Gauntlet { .. } | Format::Match { .. } => None,
            Format::Swiss { rounds } => (self.round < rounds).then(|| self.swiss(ledger)).flatten(),
            Format::Contest { rounds, settled, .. } => {
                self.rate(ledger);
                self.welcome();
                let over = self.round >= rounds || self.has_settled(settled);
                if over { None } else { self.contest(ledger) }
            }
        }
    }

    /// The meetings of those who were there from the start, then those that every later wave adds:
    /// among themselves and with all before them.
    fn wave_by_wave(&self, all: impl Fn(u16) -> Vec<Vec<Meeting>>) -> Vec<Vec<Meeting>> {
        let (mut rounds, mut before) = (Vec::new(), 0);
        for agents in self.outline.roster.waves() {
            for mut meetings in all(agents) {
                meetings.retain(|meeting| meeting.iter().any(|agent| *agent >= before));
                if before == 0 || !meetings.is_empty() {
                    rounds.push(meetings);
                }
            }
            before = agents;
        }
        rounds
    }

    /// The total number of games of a tournament that nobody joins or leaves; an upper bound if that is not determined yet.
    pub fn games(tournament: &Tournament) -> u64 {
        Outline::of(tournament).planned()
    }

    /// How many rounds have been planned.
    pub fn round(&self) -> u32 {
        self.round
    }

    /// Adds the games since the last call to the ratings, as one period.
    fn rate(&mut self, ledger: &Ledger) {
        let Some((ratings, seen)) = &mut self.ratings else { return };
        let results = ledger.results().get(*seen..).unwrap_or(&[]);
        if !results.is_empty() {
            *seen += results.len();
            ratings.update(results);
        }
    }

    /// Those who join the contest in this round start with the same rating as everyone before them.
    fn welcome(&mut self) {
        if let Some((ratings, _)) = &mut self.ratings {
            self.outline.roster.arrived(self.round).for_each(|agent| ratings.add(agent.into()));
        }
    }

    /// Whether no rating has moved much for some rounds, all of them with everyone.
    fn has_settled(&self, settled: f64) -> bool {
        if self.round < self.outline.roster.last_joined() + super::SETTLED_ROUNDS as u32 {
            return false;
        }
        let ratings = self.ratings.as_ref();
        ratings.is_some_and(|(ratings, _)| ratings.settled(settled, super::SETTLED_ROUNDS))
    }

    /// Who is paired in this round, in random order.
    fn present(&self, ledger: &Ledger) -> Vec<u16> {
        let roster = &self.outline.roster;
        let mut lot = roster.lot(self.outline.seed);
        lot.retain(|&agent| roster.plays_in(agent, self.round) && !ledger.is_withdrawn(agent));
        lot
    }

    fn swiss(&mut self, ledger: &Ledger) -> Option<Batch> {
        let mut order = self.present(ledger);
        // A round that somebody sat out counts as won.
        let win = 100 * self.outline.games * self.outline.terms;
        let points = |agent: u16| {
            ledger.agent(agent).results.points + u64::from(self.encounters.byes(agent)) * win
        };
        order.sort_by_key(|&agent| std::cmp::Reverse(points(agent)));
        let encounters = &self.encounters;
        let again = |one, other| encounters.times(one, other);
        let round = pairing::neighbours(&order, self.outline.seats, encounters, &again);
        self.one_round(round)
    }

    fn contest(&mut self, ledger: &Ledger) -> Option<Batch> {
        let (ratings, _) = self.ratings.as_ref()?;
        let ratings: BTreeMap<u32, RoundRating> = ratings.all().into_iter().collect();
        let mut order = self.present(ledger);
        let rating = |agent: u16| ratings.get(&u32::from(agent)).map_or(0.0, |it| it.value);
        order.sort_by(|&one, &other| rating(other).total_cmp(&rating(one)));
        let (encounters, round) = (&self.encounters, self.round);
        // Not those who have just met, if possible. With few agents, all have.
        let just_met = |one, other| match encounters.last(one, other) {
            Some(last) if last + 1 == round => 2,
            Some(last) if last + 2 == round => 1,
            _ => 0,
        };
        let round = pairing::neighbours(&order, self.outline.seats, encounters, &just_met);
        self.one_round(round)
    }

    fn one_round(&mut self, round: Round) -> Option<Batch> {
        if round.meetings.is_empty() {
            return None;
        }
        self.encounters.note(self.round, &round.meetings, &round.byes);
        Some(self.rounds(vec![round.meetings]))
    }

    fn rounds(&mut self, rounds: Vec<Vec<Meeting>>) -> Batch {
        let mut listed = Vec::new();
        for meetings in rounds {
            let meetings = (0..).zip(meetings);
            listed.extend(meetings.map(|(pairing, agents)| (self.round, pairing, agents)));
            self.round += 1;
        }
        let count = listed.len() as u64;
        let batch = self.batch(Meetings::Listed(listed));
        self.meetings += count;
        batch
    }

    fn batch(&self, meetings: Meetings) -> Batch {
        let Outline { terms, games, .. } = self.outline;
        Batch { meetings, before: self.meetings, terms, games }
    }
}

#[cfg(test)]
mod tests;
