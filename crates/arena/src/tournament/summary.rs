//! The state of a tournament, from its games in the store.

use serde_json::Value;

use super::ledger::Ledger;
use super::pairs::Pairs;
use super::schedule::equal_ratings;
use crate::game_summary::GameSummary;
use crate::statistics::round_ratings::RoundRating;
use crate::statistics::{Draws, Fit, RoundRatings};
use crate::store::export::crosstable::Crosstable;
use crate::store::{Filter, Series, Store, StoreError, StoredGame};
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
    /// Who plays in the current round.
    present: Vec<bool>,
    byes: Vec<u64>,
    groups: usize,
    /// The points of a bye: those of all games of a meeting.
    pub bye_points: u64,
    /// The maximum number of rounds, if the format has one.
    planned_rounds: u32,
    /// Games that were not played because an agent had been withdrawn.
    forfeits: u64,
}

impl TournamentSummary {
    /// Reads all games of a tournament.
    pub fn of(store: &Store, series: Series) -> Result<TournamentSummary, StoreError> {
        let plan: Value = serde_json::from_str(&series.plan).unwrap_or(Value::Null);
        let format = &plan["format"];
        let seats = plan["seats"].as_u64().unwrap_or(2) as usize;
        let agents = series.entrants.len();
        let name = format["name"].as_str().unwrap_or("match").to_string();
        let games = plan["games"].as_u64().unwrap_or(1);
        let terms = plan["terms"].as_array().map_or(1, Vec::len) as u64;
        let stored = store.games(&Filter::of(series.id))?;
        let mut summary = TournamentSummary {
            planned: plan["planned"].as_u64().unwrap_or(0),
            seats,
            ledger: Ledger::for_ratings(agents, seats),
            fit: Fit::of(&[], Draws::HalfWins),
            crosstable: Crosstable::new(agents),
            pairs: Pairs::default(),
            rounds: 0,
            ratings: (name == "contest").then(|| (equal_ratings(agents, seats), 0)),
            present: vec![false; agents],
            byes: vec![0; agents],
            groups: format["groups"].as_u64().unwrap_or(1) as usize,
            bye_points: 100 * games * terms,
            planned_rounds: format["rounds"].as_u64().unwrap_or(0) as u32,
            forfeits: 0,
            format: name,
            series,
        };
        for game in stored {
            summary.count(&game?.1);
        }
        summary.end_round();
        summary.fit = Fit::of(summary.ledger.results(), Draws::HalfWins);
        Ok(summary)
    }

    fn count(&mut self, game: &StoredGame) {
        if self.rounds != game.round + 1 {
            self.end_round();
            self.rounds = game.round + 1;
        }
        if game.number != self.ledger.games() {
            self.ledger.stop_judging();
        }
        self.crosstable.add(game);
        let summary = GameSummary::of(game);
        self.forfeits += u64::from(summary.is_forfeit());
        self.pairs.add(&summary);
        self.ledger.count(&summary);
        for &agent in summary.seating.as_slice() {
            if let Some(present) = self.present.get_mut(usize::from(agent)) {
                *present = true;
            }
        }
    }

    /// Those who did not play had a bye; ratings are updated round by round.
    fn end_round(&mut self) {
        if self.rounds > 0 && self.format == "swiss" {
            let plays_on = |agent: &usize| !self.ledger.is_withdrawn(*agent as u16);
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
        let withdrawn = |agent: u16| self.ledger.is_withdrawn(agent);
        order.sort_by(|&one, &other| {
            let by_worth = worth(other).total_cmp(&worth(one));
            let by_elo = elo(other).total_cmp(&elo(one));
            withdrawn(one).cmp(&withdrawn(other)).then(by_worth).then(by_elo)
        });
        order
    }

    /// The rule of the ranking, in words. In a gauntlet not everybody has the same opponents, so
    /// points are not comparable.
    pub fn ranking_rule(&self) -> &'static str {
        match self.format.as_str() {
            "contest" => "by rating, then by Elo; withdrawn agents last",
            "gauntlet" => "by Elo; withdrawn agents last",
            _ => "by points a game, then by Elo; withdrawn agents last",
        }
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
        let withdrawn = entrants.filter(|(agent, _)| self.ledger.is_withdrawn(*agent));
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
            notes.push(format!("{forfeits} not played, and lost by withdrawn agents: {names}"));
        }
        (!notes.is_empty()).then(|| notes.join("; "))
    }

    /// The group of the leaderboard, from 0, that a place, from 0, belongs to.
    pub fn group(&self, place: usize) -> Option<usize> {
        let agents = self.series.entrants.len().max(1);
        (self.groups > 1).then(|| place * self.groups / agents)
    }
}

#[cfg(test)]
mod tests;
