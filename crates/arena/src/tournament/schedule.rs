//! The games of a tournament, and their order.

use std::collections::BTreeMap;

use super::ledger::Ledger;
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
/// What comes next depends only on the tournament and on what the ledger has counted: after a
/// restart, it gives the same games.
pub struct Schedule<'a> {
    tournament: &'a Tournament,
    encounters: Encounters,
    round: u32,
    /// How many meetings have been planned.
    meetings: u64,
    /// The ratings of a contest, and how many games of the ledger they include.
    ratings: Option<(RoundRatings, usize)>,
}

impl<'a> Schedule<'a> {
    /// Nothing has been planned yet.
    pub fn new(tournament: &'a Tournament) -> Schedule<'a> {
        let contest = matches!(tournament.format, Format::Contest { .. });
        let ratings = || equal_ratings(tournament.entrants.len(), tournament.seats);
        Schedule {
            tournament,
            encounters: Encounters::default(),
            round: 0,
            meetings: 0,
            ratings: contest.then(|| (ratings(), 0)),
        }
    }

    /// The next games, once the ledger has counted all before them. `None` when the tournament is
    /// over.
    pub fn next(&mut self, ledger: &Ledger) -> Option<Batch> {
        let agents = self.tournament.entrants.len() as u16;
        let seats = self.tournament.seats;
        match self.tournament.format {
            Format::RoundRobin if self.round == 0 => {
                Some(self.rounds(pairing::everybody(agents, seats)))
            }
            Format::Gauntlet { champions } if self.round == 0 => {
                Some(self.rounds(vec![pairing::gauntlet(agents, champions, seats)]))
            }
            Format::Match { rounds } if self.round == 0 => {
                let agents = (0..agents).collect();
                self.round = u32::try_from(rounds).unwrap_or(u32::MAX);
                Some(self.batch(Meetings::Repeated { agents, rounds }))
            }
            Format::RoundRobin | Format::Gauntlet { .. } | Format::Match { .. } => None,
            Format::Swiss { rounds } => (self.round < rounds).then(|| self.swiss(ledger)).flatten(),
            Format::Contest { rounds, settled, .. } => {
                self.rate(ledger);
                let over = self.round >= rounds || self.has_settled(settled);
                if over { None } else { self.contest(ledger) }
            }
        }
    }

    /// The total number of games; an upper bound if that is not determined yet.
    pub fn games(tournament: &Tournament) -> u64 {
        let (agents, seats) = (tournament.entrants.len() as u16, tournament.seats);
        let meetings = match tournament.format {
            Format::Match { rounds } => rounds,
            Format::RoundRobin => choose(agents, seats),
            Format::Gauntlet { champions } => {
                let others = choose(agents.saturating_sub(champions), seats.saturating_sub(1));
                u64::from(champions).saturating_mul(others)
            }
            Format::Swiss { rounds } | Format::Contest { rounds, .. } => {
                u64::from(rounds) * (u64::from(agents) / seats as u64)
            }
        };
        meetings.saturating_mul(tournament.terms.len() as u64).saturating_mul(tournament.games)
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

    /// Whether no rating has moved much for some rounds.
    fn has_settled(&self, settled: f64) -> bool {
        let ratings = self.ratings.as_ref();
        ratings.is_some_and(|(ratings, _)| ratings.settled(settled, super::SETTLED_ROUNDS))
    }

    fn swiss(&mut self, ledger: &Ledger) -> Option<Batch> {
        let lot =
            pairing::random_order(self.tournament.entrants.len() as u16, self.tournament.seed);
        let mut order: Vec<u16> =
            lot.into_iter().filter(|&agent| !ledger.is_withdrawn(agent)).collect();
        // A round that somebody sat out counts as won.
        let win = 100 * self.tournament.games * self.tournament.terms.len() as u64;
        let points = |agent: u16| {
            ledger.agent(agent).results.points + u64::from(self.encounters.byes(agent)) * win
        };
        order.sort_by_key(|&agent| std::cmp::Reverse(points(agent)));
        let encounters = &self.encounters;
        let again = |one, other| encounters.times(one, other);
        let round = pairing::neighbours(&order, self.tournament.seats, encounters, &again);
        self.one_round(round)
    }

    fn contest(&mut self, ledger: &Ledger) -> Option<Batch> {
        let (ratings, _) = self.ratings.as_ref()?;
        let ratings: BTreeMap<u32, RoundRating> = ratings.all().into_iter().collect();
        let lot =
            pairing::random_order(self.tournament.entrants.len() as u16, self.tournament.seed);
        let mut order: Vec<u16> =
            lot.into_iter().filter(|&agent| !ledger.is_withdrawn(agent)).collect();
        let rating = |agent: u16| ratings.get(&u32::from(agent)).map_or(0.0, |it| it.value);
        order.sort_by(|&one, &other| rating(other).total_cmp(&rating(one)));
        let (encounters, round) = (&self.encounters, self.round);
        // Not those who have just met, if possible. With few agents, all have.
        let just_met = |one, other| match encounters.last(one, other) {
            Some(last) if last + 1 == round => 2,
            Some(last) if last + 2 == round => 1,
            _ => 0,
        };
        let round = pairing::neighbours(&order, self.tournament.seats, encounters, &just_met);
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
        let Tournament { terms, games, .. } = self.tournament;
        Batch { meetings, before: self.meetings, terms: terms.len() as u64, games: *games }
    }
}

/// How many sets of `size` of these agents there are; saturates.
fn choose(agents: u16, size: usize) -> u64 {
    let sets = (0..size as u128)
        .fold(1, |all: u128, k| all * u128::from(agents).saturating_sub(k) / (k + 1));
    u64::try_from(sets).unwrap_or(u64::MAX)
}

/// Everyone starts with the same rating.
pub(crate) fn equal_ratings(agents: usize, seats: usize) -> RoundRatings {
    let mut ratings = RoundRatings::new(seats);
    (0..agents as u32).for_each(|agent| ratings.add(agent));
    ratings
}

#[cfg(test)]
mod tests;
