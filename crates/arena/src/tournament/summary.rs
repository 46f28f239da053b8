//! The state of a tournament, from its games in the store.

use serde_json::Value;

use super::ledger::Ledger;
use super::outline::Outline;
use super::pairs::Pairs;
use super::roster::Roster;
use super::schedule::{Batch, Schedule};
use crate::game_summary::GameSummary;
use crate::statistics::round_ratings::RoundRating;
use crate::statistics::{Draws, Fit, RoundRatings};
use crate::store::export::crosstable::Crosstable;
use crate::store::{Filter, Series, Store, StoreError};
use crate::words::thousands;

/// The state of a tournament.
#[derive(Debug)]
pub struct TournamentSummary {
    /// The series with its entrants.
    pub series: Series,
    /// The name of its format.
    pub format: String,
    /// How many games there are; an upper bound if that was not determined from the start.
    pub planned: u64,
    /// The number of players at a table.
    pub seats: usize,
    /// The results so far.
    pub ledger: Ledger,
    /// Elo of all agents, from all games at once.
    pub fit: Fit,
    /// The crosstable.
    pub crosstable: Crosstable,
    /// The results of every two agents against each other.
    pub pairs: Pairs,
    /// How many rounds have begun.
    pub rounds: u32,
    /// The ratings of a contest, and how many results they include.
    ratings: Option<(RoundRatings, usize)>,
    /// The ratings of a contest after each round, by agent.
    pub(super) history: Vec<Vec<Option<f64>>>,
    /// Who plays in the current round.
    present: Vec<bool>,
    byes: Vec<u64>,
    groups: usize,
    /// The points of a bye: those of all games of a meeting.
    pub bye_points: u64,
    /// The maximum number of rounds, if the format has one.
    planned_rounds: u32,
    /// Games that were not played because an agent had been withdrawn or had retired.
    forfeits: u64,
    /// Who takes part when.
    roster: Roster,
    /// If agents have retired: the schedule, from which their games are left out.
    places: Option<Batch>,
    /// The number of the next game if none is missing.
    due: u64,
}

impl TournamentSummary {
    /// Reads all games of a tournament.
    pub fn of(store: &Store, series: Series) -> Result<TournamentSummary, StoreError> {
        let id = series.id;
        let mut summary = TournamentSummary::begin(series);
        for game in store.games(&Filter::of(id))? {
            summary.count(&GameSummary::of(&game?.1));
        }
        Ok(summary.end())
    }

    /// The same, from games that have been read, in the order of their numbers.
    pub fn of_games<'a>(
        series: Series,
        games: impl IntoIterator<Item = &'a GameSummary>,
    ) -> TournamentSummary {
        let mut summary = TournamentSummary::begin(series);
        games.into_iter().for_each(|game| summary.count(game));
        summary.end()
    }

    /// Before the first game.
    fn begin(series: Series) -> TournamentSummary {
        let plan: Value = serde_json::from_str(&series.plan).unwrap_or(Value::Null);
        let format = &plan["format"];
        let agents = series.entrants.len();
        // In a match, everybody sits at one table.
        let seats = plan["seats"].as_u64().map_or(agents, |seats| seats as usize);
        let name = format["name"].as_str().unwrap_or("match").to_string();
        let games = plan["games"].as_u64().unwrap_or(1);
        let terms = plan["terms"].as_array().map_or(1, Vec::len) as u64;
        let outline = Outline::stored(&series);
        let stated = plan["planned"].as_u64().unwrap_or(games);
        TournamentSummary {
            planned: outline.as_ref().map_or(stated, Outline::planned),
            seats,
            ledger: Ledger::for_ratings(agents, seats),
            fit: Fit::of(&[], Draws::HalfWins),
            crosstable: Crosstable::new(agents),
            pairs: Pairs::default(),
            rounds: 0,
            ratings: (name == "contest").then(|| (RoundRatings::new(seats), 0)),
            history: Vec::new(),
            present: vec![false; agents],
            byes: vec![0; agents],
            groups: format["groups"].as_u64().unwrap_or(1) as usize,
            bye_points: 100 * games * terms,
            planned_rounds: format["rounds"].as_u64().unwrap_or(0) as u32,
            forfeits: 0,
            roster: Roster::stored(&series.members),
            places: outline.and_then(places_to_leave_out),
            due: 0,
            format: name,
            series,
        }
    }

    /// After the last game.
    fn end(mut self) -> TournamentSummary {
        self.end_round();
        self.welcome(u32::MAX);
        self.fit = Fit::of(self.ledger.results(), Draws::HalfWins);
        self
    }

    fn count(&mut self, game: &GameSummary) {
        if self.rounds != game.round + 1 {
            self.end_round();
            self.welcome(game.round);
            self.rounds = game.round + 1;
        }
        if !(self.due..game.number).all(|number| self.is_left_out(number)) {
            self.ledger.stop_judging();
        }
        self.due = game.number + 1;
        self.crosstable.add(game);
        self.forfeits += u64::from(game.is_forfeit());
        self.pairs.add(game);
        self.ledger.count(game);
        let retired = |agent: &u16| self.roster.has_retired(*agent);
        if self.places.is_some() && game.seating.as_slice().iter().any(retired) {
            self.planned += 1;
        }
        for &agent in game.seating.as_slice() {
            if let Some(present) = self.present.get_mut(usize::from(agent)) {
                *present = true;
            }
        }
    }

    /// Whether the game with this number is not played, because one of its agents has retired.
    fn is_left_out(&self, number: u64) -> bool {
        let fixture = self.places.as_ref().and_then(|places| places.fixture(number));
        let retired = |agent: &u16| self.roster.has_retired(*agent);
        fixture.is_some_and(|fixture| fixture.seating.as_slice().iter().any(retired))
    }

    /// Those who have joined a contest by a round start with the same rating as all before them.
    fn welcome(&mut self, round: u32) {
        if let Some((ratings, _)) = &mut self.ratings {
            self.roster.arrived(round).for_each(|agent| ratings.add(agent.into()));
        }
    }

    /// Those who did not play had a bye; ratings are updated round by round.
    fn end_round(&mut self) {
        if self.rounds > 0 && self.format == "swiss" {
            let round = self.rounds - 1;
            let plays_on = |agent: &usize| {
                let agent = *agent as u16;
                self.roster.plays_in(agent, round) && !self.ledger.is_withdrawn(agent)
            };
            let absent = (0..self.present.len()).filter(|agent| !self.present[*agent]);
            let absent: Vec<usize> = absent.filter(plays_on).collect();
            // Enough for a table: their games are still to come.
            if absent.len() < self.seats {
                absent.into_iter().for_each(|agent| self.byes[agent] += 1);
            }
            self.present.fill(false);
        }
        if let Some((ratings, seen)) = &mut self.ratings {
            let results = self.ledger.results().get(*seen..).unwrap_or(&[]);
            if !results.is_empty() {
                *seen += results.len();
                ratings.update(results);
                let mut values = vec![None; self.present.len()];
                for (agent, rating) in ratings.all() {
                    if let Some(value) = values.get_mut(agent as usize) {
                        *value = Some(rating.value);
                    }
                }
                self.history.push(values);
            }
        }
    }

    /// An agent's points, including those of its byes.
    pub fn points(&self, agent: u16) -> u64 {
        self.ledger.agent(agent).results.points + self.byes(agent) * self.bye_points
    }

    /// How many byes an agent had, if a bye counts as a win.
    pub fn byes(&self, agent: u16) -> u64 {
        self.byes.get(usize::from(agent)).copied().unwrap_or(0)
    }

    /// An agent's rating in a contest.
    pub fn rating(&self, agent: u16) -> Option<RoundRating> {
        self.ratings.as_ref()?.0.rating(u32::from(agent))
    }

    /// The agents, best first, by [the rule](TournamentSummary::ranking_rule); among equals, the
    /// one that was entered first.
    pub fn ranking(&self) -> Vec<u16> {
        let mut order: Vec<u16> = (0..self.series.entrants.len() as u16).collect();
        let elo = |agent: u16| self.fit.elo(u32::from(agent)).map_or(f64::MIN, |elo| elo.value);
        let worth = |agent: u16| match self.format.as_str() {
            "contest" => self.rating(agent).map_or(f64::MIN, |rating| rating.value),
            "gauntlet" => elo(agent),
            _ => self.points_a_game(agent),
        };
        let gone = |agent: u16| (self.ledger.is_withdrawn(agent), self.has_retired(agent));
        order.sort_by(|&one, &other| {
            let by_worth = worth(other).total_cmp(&worth(one));
            let by_elo = elo(other).total_cmp(&elo(one));
            gone(one).cmp(&gone(other)).then(by_worth).then(by_elo)
        });
        order
    }

    /// The rule of the ranking, in words. In a gauntlet not everybody has the same opponents, so
    /// points are not comparable.
    pub fn ranking_rule(&self) -> &'static str {
        match self.format.as_str() {
            "contest" => "by rating, then by Elo; retired agents and then withdrawn agents last",
            "gauntlet" => "by Elo; retired agents and then withdrawn agents last",
            _ => "by points a game, then by Elo; retired agents and then withdrawn agents last",
        }
    }

    /// Whether an agent has retired: it is no longer in the tournament's file.
    pub fn has_retired(&self, agent: u16) -> bool {
        self.roster.has_retired(agent)
    }

    /// Whether every round is paired by the results of those before it.
    pub fn has_rounds(&self) -> bool {
        matches!(self.format.as_str(), "swiss" | "contest")
    }

    /// The round in which an agent joined, from 0, if not at the start; in a round robin and a
    /// gauntlet the wave of late agents it came with, from 1.
    pub fn joined_late(&self, agent: u16) -> Option<u32> {
        let member = self.series.members.get(usize::from(agent))?;
        (member.joined > 0).then_some(member.joined)
    }

    /// When an agent joined, if not at the start, as people count: a round from 1, or a wave.
    pub fn joined(&self, agent: u16) -> Option<u32> {
        let late = self.joined_late(agent)?;
        Some(if self.has_rounds() { late + 1 } else { late })
    }

    /// The mean points of a game, including byes; 0 before the first.
    fn points_a_game(&self, agent: u16) -> f64 {
        let played = 100 * self.ledger.agent(agent).results.games;
        let possible = played + self.byes(agent) * self.bye_points;
        self.points(agent) as f64 / possible.max(1) as f64
    }

    /// Why a finished tournament has fewer games than planned, or games that were not played, in
    /// words. `None` if there is nothing to explain.
    pub fn shortfall(&self) -> Option<String> {
        let entrants = (0..).zip(&self.series.entrants);
        let retires = |agent: u16| self.places.is_none() && self.has_retired(agent);
        let withdrawn =
            entrants.filter(|(agent, _)| self.ledger.is_withdrawn(*agent) || retires(*agent));
        let names: Vec<&str> = withdrawn.map(|(_, entrant)| entrant.name.as_str()).collect();
        let names = names.join(", ");
        let mut notes = Vec::new();
        let missing = self.planned.saturating_sub(self.ledger.games());
        if missing > 0 && self.series.finished_at.is_some() {
            let mut reasons = Vec::new();
            if self.rounds < self.planned_rounds && self.format == "contest" {
                let (rounds, planned) = (self.rounds, self.planned_rounds);
                reasons.push(format!("the ratings settled after {rounds} of {planned} rounds"));
            }
            if !names.is_empty() {
                reasons.push(format!("{names} withdrawn and no longer paired"));
            }
            let reasons = reasons.join("; ");
            notes.push(format!("{} fewer than planned: {reasons}", thousands(missing)));
        }
        if self.forfeits > 0 {
            let forfeits = thousands(self.forfeits);
            let kind = if self.places.is_none() && self.roster.active() < self.roster.agents() {
                "withdrawn or retired"
            } else {
                "withdrawn"
            };
            notes.push(format!("{forfeits} not played, and lost by {kind} agents: {names}"));
        }
        (!notes.is_empty()).then(|| notes.join("; "))
    }

    /// The group of the leaderboard, from 0, that a place, from 0, belongs to.
    pub fn group(&self, place: usize) -> Option<usize> {
        // Those who have retired come after all groups are full, and belong to the last one.
        let agents = usize::from(self.roster.active()).max(1);
        (self.groups > 1).then(|| (place * self.groups / agents).min(self.groups - 1))
    }
}

/// All places of the schedule, if some of them are left out because agents have retired.
fn places_to_leave_out(outline: Outline) -> Option<Batch> {
    let retired = outline.roster.active() < outline.roster.agents();
    let (agents, seats) = (usize::from(outline.roster.agents()), outline.seats);
    let leaves_out = retired && outline.format.is_fixed();
    leaves_out.then(|| Schedule::new(outline).next(&Ledger::new(agents, seats))).flatten()
}

#[cfg(test)]
mod tests;
