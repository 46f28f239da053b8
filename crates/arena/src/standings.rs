//! Who stands where after so many games.

use std::time::Duration;

use agon_core::rng::mix;
use agon_core::{MAX_SEATS, PerSeat, Seat};

use crate::course_rating::{CourseRating, in_course_points};
use crate::fixture::group_size;
use crate::rating::{Estimate, Sample};
use crate::record::{Effort, Summary};

/// What one agent has achieved.
#[derive(Clone, Debug)]
pub struct AgentStanding {
    /// Games in which it was alone in first place.
    pub wins: u64,
    /// Games in which it shared the first place.
    pub draws: u64,
    /// Games in which somebody was better.
    pub losses: u64,
    /// How often it came in first, second, third and fourth. A place that is shared counts as the
    /// best of those it stands for.
    pub places: [u64; MAX_SEATS],
    /// The points of all its games, 0 to 100 in each.
    pub points: u64,
    /// Games it lost by its own fault.
    pub faults: u64,
    /// All its moves, with their time and nodes.
    pub effort: TotalEffort,
    /// Its rating as the FAUhalma course gives it.
    pub rating: CourseRating,
    players: usize,
    scores: Sample,
    point_shares: Sample,
}

/// The effort of many games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TotalEffort {
    /// Moves made after openings.
    pub moves: u64,
    /// The time they took.
    pub time: Duration,
    /// The nodes that were searched for them.
    pub nodes: u64,
}

impl TotalEffort {
    /// Adds the effort of a game.
    pub fn add(&mut self, effort: &Effort) {
        self.moves += u64::from(effort.moves);
        self.time += effort.time;
        self.nodes = self.nodes.saturating_add(effort.nodes);
    }

    /// The mean time of a move.
    pub fn seconds_per_move(&self) -> f64 {
        self.time.as_secs_f64() / self.moves.max(1) as f64
    }

    /// The mean number of nodes for a move.
    pub fn nodes_per_move(&self) -> f64 {
        self.nodes as f64 / self.moves.max(1) as f64
    }
}

impl AgentStanding {
    fn new(players: usize) -> AgentStanding {
        AgentStanding {
            wins: 0,
            draws: 0,
            losses: 0,
            places: [0; MAX_SEATS],
            points: 0,
            faults: 0,
            effort: TotalEffort::default(),
            rating: CourseRating::new(players),
            players,
            scores: Sample::default(),
            point_shares: Sample::default(),
        }
    }

    /// How much stronger it is than the others. Of two, the usual difference in Elo; of more, the
    /// difference to an average opponent, from comparing its place in every game with that of each
    /// of the others. `None` before the first game.
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
        self.mean_points().map(|mean| in_course_points(mean, self.players))
    }
}

/// The lengths of games in plies.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Lengths {
    /// All together.
    pub total: u64,
    /// The shortest.
    pub least: u32,
    /// The longest.
    pub most: u32,
}

/// The standings of a match.
#[derive(Clone, Debug)]
pub struct Standings {
    /// Every agent, in the order given.
    pub agents: Vec<AgentStanding>,
    /// How many games were played to their end.
    pub games: u64,
    /// How long they were.
    pub lengths: Lengths,
    /// The points of every seat, whoever sat there.
    pub seat_points: PerSeat<u64>,
    /// Of two agents, how many pairs gave the first one 0, ½, 1, 1½ and 2.
    pub pairs: [u64; 5],
    /// A hash of all games in order: two matches with the same one had the same moves.
    pub signature: u64,
    /// How often games ended for which reason, in order of appearance.
    reasons: Vec<(&'static str, u64)>,
    /// The group of games being filled, and how many it has.
    group: (u64, u64),
}

impl Standings {
    /// Before the first game of this many agents.
    pub fn new(agents: usize) -> Standings {
        Standings {
            agents: vec![AgentStanding::new(agents); agents],
            games: 0,
            lengths: Lengths::default(),
            seat_points: PerSeat::filled(agents.min(MAX_SEATS), 0),
            pairs: [0; 5],
            signature: 0,
            reasons: Vec::new(),
            group: (0, 0),
        }
    }

    /// Adds a game. Games come in the order of their numbers; some may be missing.
    pub fn add(&mut self, summary: &Summary) {
        let size = group_size(self.agents.len());
        let group = summary.game / size;
        if group != self.group.0 {
            self.close_group();
            self.group.0 = group;
        }
        self.count(summary);
        self.group.1 += 1;
        if self.group.1 == size {
            let sum = self.close_group();
            if let ([_, _], Some(pair)) = (&self.agents[..], self.pairs.get_mut(sum as usize)) {
                *pair += 1;
            }
        }
    }

    /// Ends the current group, and gives twice the first agent's score in it.
    fn close_group(&mut self) -> u64 {
        self.group.1 = 0;
        let close = |agent: &mut AgentStanding| {
            agent.point_shares.close_group();
            agent.scores.close_group()
        };
        let sums: Vec<f64> = self.agents.iter_mut().map(close).collect();
        sums.first().map_or(0, |sum| (2.0 * sum).round() as u64)
    }

    fn count(&mut self, summary: &Summary) {
        let outcome = &summary.verdict.outcome;
        let (points, winner) = (outcome.points(), outcome.winner());
        let offender = summary.verdict.offence().map(|(seat, _)| seat);
        for (seat, agent) in summary.seating.iter() {
            let Some(agent) = self.agents.get_mut(usize::from(*agent)) else { continue };
            let mine = points[seat];
            let better = points.as_slice().iter().filter(|other| **other > mine).count();
            match winner {
                Some(winner) if winner == seat => agent.wins += 1,
                _ if better == 0 => agent.draws += 1,
                _ => agent.losses += 1,
            }
            agent.places[better] += 1;
            agent.points += u64::from(mine);
            agent.rating.add(mine);
            agent.faults += u64::from(offender == Some(seat));
            agent.effort.add(&summary.effort[seat]);
            agent.point_shares.add(f64::from(mine) / 100.0);
            agent.scores.add(score_against_others(&points, seat));
            self.seat_points[seat] += u64::from(mine);
        }
        let lengths = &mut self.lengths;
        let shortest = if self.games == 0 { u32::MAX } else { lengths.least };
        lengths.total += u64::from(summary.plies);
        lengths.least = shortest.min(summary.plies);
        lengths.most = lengths.most.max(summary.plies);
        self.games += 1;
        self.signature = mix(self.signature ^ mix(summary.signature ^ summary.game));
        let reason = outcome.reason();
        match self.reasons.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, count)) => *count += 1,
            None => self.reasons.push((reason, 1)),
        }
    }

    /// How often games ended for which reason, the most frequent first.
    pub fn reasons(&self) -> Vec<(&'static str, u64)> {
        let mut reasons = self.reasons.clone();
        reasons.sort_by_key(|(reason, count)| (std::cmp::Reverse(*count), *reason));
        reasons
    }

    /// The mean length of a game in plies; 0 without games.
    pub fn mean_plies(&self) -> f64 {
        self.lengths.total as f64 / self.games.max(1) as f64
    }
}

/// 1 for every opponent with fewer points, ½ for every one with as many, divided by their number.
fn score_against_others(points: &PerSeat<u8>, seat: Seat) -> f64 {
    let mine = points[seat];
    let others = points.iter().filter(|(other, _)| *other != seat);
    let score = |(_, theirs): (Seat, &u8)| match mine.cmp(theirs) {
        std::cmp::Ordering::Greater => 1.0,
        std::cmp::Ordering::Equal => 0.5,
        std::cmp::Ordering::Less => 0.0,
    };
    let opponents = points.seats().saturating_sub(1).max(1);
    others.map(score).sum::<f64>() / opponents as f64
}

#[cfg(test)]
mod tests {
    use agon_core::Outcome;

    use super::*;
    use crate::verdict::{End, Fault, Verdict};

    fn summary(game: u64, seating: &[u16], points: &[u8]) -> Summary {
        let outcome = Outcome::with_points(PerSeat::from_slice(points), "a reason");
        let effort = Effort { moves: 10, time: Duration::from_millis(5), nodes: 100 };
        Summary {
            game,
            seating: PerSeat::from_slice(seating),
            plies: 20 + game as u32,
            effort: PerSeat::filled(seating.len(), effort),
            verdict: Verdict { outcome, end: End::Board, evidence: None },
            signature: game,
        }
    }

    #[test]
    fn two_agents_are_counted_by_agent_not_by_seat() {
        let mut standings = Standings::new(2);
        // The first agent wins both games of a pair, then draws one and loses one.
        standings.add(&summary(0, &[0, 1], &[100, 0]));
        standings.add(&summary(1, &[1, 0], &[0, 100]));
        standings.add(&summary(2, &[0, 1], &[50, 50]));
        standings.add(&summary(3, &[1, 0], &[100, 0]));
        let [first, second] = &standings.agents[..] else { panic!() };
        assert_eq!((first.wins, first.draws, first.losses, first.points), (2, 1, 1, 250));
        assert_eq!((second.wins, second.draws, second.losses, second.points), (1, 1, 2, 150));
        assert_eq!(standings.seat_points.as_slice(), [250, 150]);
        assert_eq!(standings.pairs, [0, 1, 0, 0, 1]);
        let (mine, theirs) = (first.elo().unwrap(), second.elo().unwrap());
        assert!((mine.value - 400.0 * (5.0 / 3.0_f64).log10()).abs() < 1e-9);
        assert!((mine.value + theirs.value).abs() < 1e-9);
        assert!((mine.error() - theirs.error()).abs() < 1e-9);
        assert_eq!(first.mean_points().unwrap().value, 62.5);
        assert_eq!(standings.lengths, Lengths { total: 86, least: 20, most: 23 });
        assert_eq!(standings.mean_plies(), 21.5);
        assert_eq!(first.effort.nodes_per_move(), 10.0);
        assert_eq!(first.effort.seconds_per_move(), 0.0005);
        assert_eq!(standings.reasons(), [("a reason", 4)]);
    }

    #[test]
    fn three_agents_are_compared_by_places() {
        let mut standings = Standings::new(3);
        standings.add(&summary(0, &[2, 0, 1], &[100, 50, 0]));
        standings.add(&summary(1, &[2, 1, 0], &[50, 50, 50]));
        let agents = &standings.agents;
        assert_eq!((agents[2].wins, agents[2].draws, agents[2].losses), (1, 1, 0));
        assert_eq!((agents[0].wins, agents[0].draws, agents[0].losses), (0, 1, 1));
        assert_eq!(agents[1].places, [1, 0, 1, 0]);
        // 2 for the first place and 1 for the share of all three.
        assert_eq!(agents[2].mean_course_points().unwrap().value, 1.5);
        assert_eq!((agents[2].rating.current(), agents[2].rating.best()), (Some(1.5), None));
        // Second between a better and a worse one, then equal to both: half of everything.
        assert_eq!(agents[0].elo().unwrap().value, 0.0);
        assert!(agents[2].elo().unwrap().value > 0.0 && agents[1].elo().unwrap().value < 0.0);
        assert_eq!(standings.pairs, [0; 5]);
    }

    #[test]
    fn faults_are_the_offenders() {
        let mut game = summary(0, &[1, 0], &[0, 100]);
        game.verdict = Verdict::fault(2, Seat::FIRST, Fault::IllegalMove, "the move 9".to_string());
        let mut standings = Standings::new(2);
        standings.add(&game);
        assert_eq!((standings.agents[0].faults, standings.agents[1].faults), (0, 1));
        assert_eq!(standings.reasons(), [("illegal move", 1)]);
    }

    #[test]
    fn an_unfinished_pair_does_not_mix_with_the_next() {
        let mut standings = Standings::new(2);
        standings.add(&summary(0, &[0, 1], &[100, 0]));
        // The second game of the first pair is missing.
        standings.add(&summary(2, &[0, 1], &[0, 100]));
        standings.add(&summary(3, &[1, 0], &[100, 0]));
        assert_eq!(standings.pairs, [1, 0, 0, 0, 0]);
        assert_eq!(standings.agents[0].mean_points().unwrap().value.round(), 33.0);
    }
}
