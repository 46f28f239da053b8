//! The results, counted in the order of the schedule.

use std::borrow::Cow;
use std::cmp::{Ordering, Reverse};

use agon_core::rng::mix;
use agon_core::{MAX_SEATS, PerSeat, Seat};

use super::MOST_FAULTS;
use crate::course_rating::{CourseRating, in_course_points};
use crate::estimate::{Estimate, Sample};
use crate::fixture::group_size;
use crate::game_summary::{Effort, GameSummary};
use crate::results::Results;
use crate::statistics::GameResult;

/// One agent's results.
#[derive(Clone, Debug)]
pub struct AgentTotals {
    /// Its results. After it was withdrawn, every game is lost by its own fault.
    pub results: Results,
    /// How often it came first, second, third and fourth. A shared place counts as the best of
    /// those it stands for.
    pub places: [u64; MAX_SEATS],
    /// All its moves, with their time and nodes.
    pub effort: Effort,
    /// The mean of its last 50 games, and its best so far.
    pub rating: CourseRating,
    seats: usize,
    scores: Sample,
    point_shares: Sample,
    /// Faults in a row.
    streak: u32,
    withdrawn: bool,
}

impl AgentTotals {
    fn new(seats: usize) -> AgentTotals {
        AgentTotals {
            results: Results::default(),
            places: [0; MAX_SEATS],
            effort: Effort::default(),
            rating: CourseRating::new(seats),
            seats,
            scores: Sample::default(),
            point_shares: Sample::default(),
            streak: 0,
            withdrawn: false,
        }
    }

    fn add(&mut self, game: &GameSummary, seat: Seat) {
        let (points, mine) = (&game.points, game.points[seat]);
        let at_fault = game.offence().is_some_and(|(offender, _)| offender == seat);
        self.results.add(points, seat, at_fault || self.withdrawn);
        let better = points.as_slice().iter().filter(|other| **other > mine).count();
        self.places[better] += 1;
        self.effort += game.effort[seat];
        self.rating.add(mine);
        self.point_shares.add(f64::from(mine) / 100.0);
        self.scores.add(score_against_others(points, seat));
    }

    /// Its mean score against each of the others, as a share of 1: what its Elo is made of. `None`
    /// before the first game.
    pub fn score(&self) -> Option<Estimate> {
        self.scores.mean()
    }

    /// How much stronger it is than the others. With two, the usual difference in Elo; with more,
    /// the difference to an average opponent, from comparing its place in every game with that of
    /// each of the others. `None` before the first game.
    pub fn elo(&self) -> Option<Estimate> {
        self.scores.elo()
    }

    /// The mean points of a game, 0 to 100. `None` before the first game.
    pub fn mean_points(&self) -> Option<Estimate> {
        self.point_shares.mean_points()
    }

    /// The mean points of a game in the FAUhalma course's scale: of 1 with two players, of 2 with
    /// three. `None` before the first game.
    pub fn mean_course_points(&self) -> Option<Estimate> {
        self.mean_points().map(|mean| in_course_points(mean, self.seats))
    }
}

/// The lengths of games in plies.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Lengths {
    /// The sum.
    pub total: u64,
    /// The shortest.
    pub least: u32,
    /// The longest.
    pub most: u32,
}

/// The results so far.
///
/// Games are counted in the order of the schedule, so that everything that follows from them, who
/// is withdrawn and who meets next, is the same however many games were played at a time, and
/// whether or not the tournament was interrupted.
#[derive(Clone, Debug)]
pub struct Ledger {
    /// How long games were.
    pub lengths: Lengths,
    /// The points of every seat, whoever sat there.
    pub seat_points: [u64; MAX_SEATS],
    /// With two agents, how many pairs gave the first one 0, ½, 1, 1½ and 2.
    pub pairs: [u64; 5],
    /// A hash of all games in order: equal means equal move by move.
    pub signature: u64,
    /// How many games were [disturbed](crate::disturbance).
    pub disturbed: u64,
    agents: Vec<AgentTotals>,
    /// In a match of more than two: the scores of every two against each other, by [`duel_index`].
    duels: Vec<Sample>,
    games: u64,
    /// How often games ended for each reason, in order of appearance.
    reasons: Vec<(Cow<'static, str>, u64)>,
    group: Option<Group>,
    /// The games that were played, if ratings need them.
    results: Option<Vec<GameResult>>,
    judging: bool,
}

/// The games of one opening counted so far.
#[derive(Clone, Copy, Debug)]
struct Group {
    number: u64,
    games: u64,
    agents: PerSeat<u16>,
}

impl Ledger {
    /// Before the first game of this many agents, of which `seats` sit at a table.
    pub fn new(agents: usize, seats: usize) -> Ledger {
        Ledger {
            lengths: Lengths::default(),
            seat_points: [0; MAX_SEATS],
            pairs: [0; 5],
            signature: 0,
            disturbed: 0,
            agents: vec![AgentTotals::new(seats); agents],
            duels: vec![Sample::default(); duels(agents, seats)],
            games: 0,
            reasons: Vec::new(),
            group: None,
            results: None,
            judging: true,
        }
    }

    /// The same, but all games are kept for [ratings](Ledger::results).
    pub(crate) fn for_ratings(agents: usize, seats: usize) -> Ledger {
        Ledger { results: Some(Vec::new()), ..Ledger::new(agents, seats) }
    }

    /// The seats of a game whose agents were withdrawn before it.
    pub fn gone(&self, seating: &PerSeat<u16>) -> Vec<Seat> {
        let gone = |agent: u16| self.is_withdrawn(agent);
        seating.iter().filter(|(_, agent)| gone(**agent)).map(|(seat, _)| seat).collect()
    }

    /// Counts the next game of the schedule; after a stop some may be missing before it. Returns
    /// the agent that is withdrawn because of it, if any.
    pub fn count(&mut self, game: &GameSummary) -> Option<u16> {
        let group = game.group();
        if self.group.is_some_and(|open| open.number != group) {
            self.close_group();
        }
        for (seat, &agent) in game.seating.iter() {
            self.seat_points[seat.index()] += u64::from(game.points[seat]);
            if let Some(totals) = self.agents.get_mut(usize::from(agent)) {
                totals.add(game, seat);
            }
        }
        self.count_duels(game);
        let fresh = Group { number: group, games: 0, agents: game.seating };
        let open = self.group.get_or_insert(fresh);
        open.games += 1;
        if open.games == group_size(game.seating.seats()) {
            self.close_group();
        }
        self.count_game(game);
        self.judge(game)
    }

    /// Compares every two agents of a match of more than two.
    fn count_duels(&mut self, game: &GameSummary) {
        if self.duels.is_empty() {
            return;
        }
        for (seat, &agent) in game.seating.iter() {
            let others = game.seating.iter().filter(|(_, other)| **other > agent);
            for (other_seat, &other) in others {
                if let Some(duel) = self.duels.get_mut(duel_index(agent, other)) {
                    duel.add(score(game.points[seat], game.points[other_seat]));
                }
            }
        }
    }

    /// The score of an agent of a match against another, as a share of 1. `None` before their first
    /// game, and in a tournament, which has its [joint fit](crate::statistics::Fit).
    pub(crate) fn duel(&self, agent: u16, other: u16) -> Option<Estimate> {
        let (first, second) = (agent.min(other), agent.max(other));
        let found = match self.agents.len() {
            2 => self.agents[0].scores.mean()?,
            _ => self.duels.get(duel_index(first, second))?.mean()?,
        };
        Some(if agent == first { found } else { found.reversed() })
    }

    /// Ends the current group. A complete one of two agents is a pair.
    fn close_group(&mut self) {
        let Some(Group { games, agents, .. }) = self.group.take() else { return };
        let is_pair = self.agents.len() == 2 && games == group_size(agents.seats());
        for duel in &mut self.duels {
            duel.close_group();
        }
        for &agent in agents.as_slice() {
            let Some(totals) = self.agents.get_mut(usize::from(agent)) else { continue };
            totals.point_shares.close_group();
            let sum = (2.0 * totals.scores.close_group()).round() as usize;
            if let (true, 0, Some(pairs)) = (is_pair, agent, self.pairs.get_mut(sum)) {
                *pairs += 1;
            }
        }
    }

    /// Counts what does not depend on who played.
    fn count_game(&mut self, game: &GameSummary) {
        let lengths = &mut self.lengths;
        let shortest = if self.games == 0 { u32::MAX } else { lengths.least };
        lengths.total += u64::from(game.plies);
        lengths.least = shortest.min(game.plies);
        lengths.most = lengths.most.max(game.plies);
        self.games += 1;
        self.disturbed += u64::from(game.disturbed);
        self.signature = mix(self.signature ^ mix(game.signature ^ game.number));
        match self.reasons.iter_mut().find(|(known, _)| *known == game.reason) {
            Some((_, count)) => *count += 1,
            None => self.reasons.push((game.reason.clone(), 1)),
        }
        // A game that was not played says nothing about strength.
        if let Some(results) = self.results.as_mut().filter(|_| !game.is_forfeit()) {
            let agents: Vec<u32> = game.seating.as_slice().iter().copied().map(u32::from).collect();
            let seating = PerSeat::from_slice(&agents);
            results.push(GameResult { seating, points: game.points, group: Some(game.group()) });
        }
    }

    /// Counts faults in a row.
    fn judge(&mut self, game: &GameSummary) -> Option<u16> {
        // A game that was not played is not a game without a fault either.
        if !self.judging || game.is_forfeit() {
            return None;
        }
        let mut withdrawn = None;
        for (seat, &agent) in game.seating.iter() {
            let Some(totals) = self.agents.get_mut(usize::from(agent)) else { continue };
            let at_fault = game.offence().is_some_and(|(offender, _)| offender == seat);
            totals.streak = if at_fault { totals.streak + 1 } else { 0 };
            if totals.streak >= MOST_FAULTS && !totals.withdrawn {
                totals.withdrawn = true;
                withdrawn = Some(agent);
            }
        }
        withdrawn
    }

    /// Stops withdrawing agents: this is not a tournament, or games are missing and faults in a row
    /// are no longer known.
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

    /// Whether an agent has been withdrawn.
    pub fn is_withdrawn(&self, agent: u16) -> bool {
        self.agents.get(usize::from(agent)).is_some_and(|totals| totals.withdrawn)
    }

    /// The games that were played, in order; none in a ledger that is not
    /// for ratings.
    pub fn results(&self) -> &[GameResult] {
        self.results.as_deref().unwrap_or_default()
    }

    /// How often games ended for each reason, the most frequent first.
    pub fn reasons(&self) -> Vec<(&str, u64)> {
        let reasons = self.reasons.iter();
        let mut reasons: Vec<_> = reasons.map(|(reason, count)| (&**reason, *count)).collect();
        reasons.sort_by_key(|(reason, count)| (Reverse(*count), *reason));
        reasons
    }

    /// The mean length of a game in plies; 0 without games.
    pub fn mean_plies(&self) -> f64 {
        self.lengths.total as f64 / self.games.max(1) as f64
    }
}

/// 1 for every opponent with fewer points, ½ for every one with the same, divided by their number.
fn score_against_others(points: &PerSeat<u8>, seat: Seat) -> f64 {
    let others = points.iter().filter(|(other, _)| *other != seat);
    let scores = others.map(|(_, theirs)| score(points[seat], *theirs));
    let opponents = points.seats().saturating_sub(1).max(1);
    scores.sum::<f64>() / opponents as f64
}

/// 1 for more points, ½ for the same, 0 for fewer.
fn score(mine: u8, theirs: u8) -> f64 {
    match mine.cmp(&theirs) {
        Ordering::Greater => 1.0,
        Ordering::Equal => 0.5,
        Ordering::Less => 0.0,
    }
}

/// How many pairs of agents are compared: those of a match of more than two.
fn duels(agents: usize, seats: usize) -> usize {
    if agents == seats && seats > 2 { seats * (seats - 1) / 2 } else { 0 }
}

/// The index of two agents, the smaller number first, among all pairs.
fn duel_index(first: u16, second: u16) -> usize {
    let (first, second) = (usize::from(first), usize::from(second));
    second * second.saturating_sub(1) / 2 + first
}

#[cfg(test)]
pub(crate) mod tests;
