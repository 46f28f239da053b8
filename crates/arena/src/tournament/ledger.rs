//! What has been counted, in the order of the schedule.

use agon_core::{PerSeat, Seat};

use super::{MOST_FAULTS, Score};
use crate::course_rating::CourseRating;
use crate::results::Results;
use crate::statistics::GameResult;
use crate::verdict::Fault;

/// One agent's results.
#[derive(Clone, Debug)]
pub struct AgentTotals {
    /// What it got. After it was withdrawn, every game is lost by its own fault.
    pub results: Results,
    /// The mean of its last 50 games, and the best it was.
    pub rating: CourseRating,
    /// Faults in a row.
    streak: u32,
    withdrawn: bool,
}

/// The results so far.
///
/// Games are counted in the order of the schedule, so that everything that follows from them, who
/// is withdrawn and who meets next, is the same however many games were played at a time, and
/// whether or not the tournament was interrupted.
#[derive(Clone, Debug)]
pub struct Ledger {
    agents: Vec<AgentTotals>,
    results: Vec<GameResult>,
    games: u64,
    judging: bool,
}

impl Ledger {
    /// Before the first game of so many agents, of which `seats` sit at a table.
    pub fn new(agents: usize, seats: usize) -> Ledger {
        let totals = AgentTotals {
            results: Results::default(),
            rating: CourseRating::new(seats),
            streak: 0,
            withdrawn: false,
        };
        Ledger { agents: vec![totals; agents], results: Vec::new(), games: 0, judging: true }
    }

    /// Which seats of this game belong to agents that were withdrawn before it.
    pub fn gone(&self, score: &Score) -> Vec<Seat> {
        let gone = |agent: u16| self.is_withdrawn(agent);
        score.seating.iter().filter(|(_, agent)| gone(**agent)).map(|(seat, _)| seat).collect()
    }

    /// Counts the next game of the schedule. `group` is shared by the games of one opening.
    /// Gives the agent that is withdrawn because of it, if any.
    pub fn count(&mut self, score: &Score, group: u64) -> Option<u16> {
        let Score { seating, points, offence } = score;
        for (seat, &agent) in seating.iter() {
            let Some(totals) = self.agents.get_mut(usize::from(agent)) else { continue };
            let at_fault = offence.is_some_and(|(offender, _)| offender == seat);
            totals.results.add(points, seat, at_fault || totals.withdrawn);
            totals.rating.add(points[seat]);
        }
        self.games += 1;
        // A game that was not played tells nothing about strength.
        if !matches!(offence, Some((_, Fault::Withdrawn))) {
            let agents: Vec<u32> = seating.as_slice().iter().copied().map(u32::from).collect();
            let seating = PerSeat::from_slice(&agents);
            self.results.push(GameResult { seating, points: *points, group: Some(group) });
        }
        self.judge(score)
    }

    /// Counts faults in a row.
    fn judge(&mut self, score: &Score) -> Option<u16> {
        // A game that was not played is no game without a fault either.
        if !self.judging || matches!(score.offence, Some((_, Fault::Withdrawn))) {
            return None;
        }
        let mut withdrawn = None;
        for (seat, &agent) in score.seating.iter() {
            let Some(totals) = self.agents.get_mut(usize::from(agent)) else { continue };
            let at_fault = score.offence.is_some_and(|(offender, _)| offender == seat);
            totals.streak = if at_fault { totals.streak + 1 } else { 0 };
            if totals.streak >= MOST_FAULTS && !totals.withdrawn {
                totals.withdrawn = true;
                withdrawn = Some(agent);
            }
        }
        withdrawn
    }

    /// Games are missing from here on: what is in a row is not known any more.
    pub fn stop_judging(&mut self) {
        self.judging = false;
    }

    /// How many games have been counted.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// An agent's results.
    ///
    /// # Panics
    /// If there is no agent with this number.
    pub fn agent(&self, agent: u16) -> &AgentTotals {
        &self.agents[usize::from(agent)]
    }

    /// All agents' results.
    pub fn agents(&self) -> &[AgentTotals] {
        &self.agents
    }

    /// Whether an agent does not play any more.
    pub fn is_withdrawn(&self, agent: u16) -> bool {
        self.agents.get(usize::from(agent)).is_some_and(|totals| totals.withdrawn)
    }

    /// The games that were played, in order, for ratings.
    pub fn results(&self) -> &[GameResult] {
        &self.results
    }
}

#[cfg(test)]
mod tests;
