//! Ratings that change round by round during a contest.
//!
//! Two-player games are rated by Glicko-2, games of three or more by the method of Weng and Lin.
//! All start equal, at 1500. A round is one rating period: the order of its games does not matter.
//!
//! These ratings follow agents that change. For the strength of agents that do not change,
//! [`Fit`](super::Fit) is the better number.

use std::collections::BTreeMap;

use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2_rating_period};
use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin_multi_team};
use skillratings::{MultiTeamOutcome, Outcomes};

use super::{ELO_PER_NAT, GameResult};

/// The initial rating.
const START: f64 = 1500.0;

/// The maximum number of steps in which the games of a round are rated by the method of Weng and
/// Lin.
const MOST_STEPS: usize = 64;

/// The rating of an agent on the Elo scale, around 1500.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RoundRating {
    /// The strength.
    pub value: f64,
    /// Its uncertainty: the standard deviation.
    pub deviation: f64,
}

/// The ratings of all agents of a contest.
///
/// ```
/// use agon_arena::statistics::{GameResult, RoundRatings};
/// use agon_core::PerSeat;
///
/// let mut ratings = RoundRatings::new(2);
/// ratings.update(&[GameResult {
///     seating: PerSeat::from_slice(&[0, 1]),
///     points: PerSeat::from_slice(&[100, 0]),
///     group: None,
/// }]);
/// let [winner, loser] = [0, 1].map(|agent| ratings.rating(agent).unwrap());
/// assert!(winner.value > 1500.0 && loser.value < 1500.0);
/// assert!(!ratings.settled(10.0, 3));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct RoundRatings {
    skills: Skills,
    /// The largest change of a rating in each round.
    moves: Vec<f64>,
}

/// The state of either method for every agent.
#[derive(Clone, PartialEq, Debug)]
enum Skills {
    Glicko2(BTreeMap<u32, Glicko2Rating>),
    WengLin(BTreeMap<u32, WengLinRating>),
}

impl RoundRatings {
    /// Before the first round of games between this many players.
    pub fn new(players: usize) -> RoundRatings {
        let skills = match players {
            0..=2 => Skills::Glicko2(BTreeMap::new()),
            _ => Skills::WengLin(BTreeMap::new()),
        };
        RoundRatings { skills, moves: Vec::new() }
    }

    /// Adds a new agent. A known one stays as it is. [`RoundRatings::update`] adds those who play.
    pub fn add(&mut self, agent: u32) {
        match &mut self.skills {
            Skills::Glicko2(skills) => {
                skills.entry(agent).or_default();
            }
            Skills::WengLin(skills) => {
                skills.entry(agent).or_default();
            }
        }
    }

    /// Rates the games of a round. Games of an agent against itself are left out.
    pub fn update(&mut self, round: &[GameResult]) {
        let games: Vec<&GameResult> = round.iter().filter(|game| all_differ(game)).collect();
        for game in &games {
            game.seating.as_slice().iter().for_each(|agent| self.add(*agent));
        }
        let before = self.all();
        match &mut self.skills {
            Skills::Glicko2(skills) => *skills = rate_with_glicko2(skills, &games),
            Skills::WengLin(skills) => *skills = rate_with_weng_lin(skills, &games),
        }
        let moves = before.iter().zip(self.all()).map(|((_, old), (_, new))| new.value - old.value);
        self.moves.push(moves.fold(0.0, |most, by| most.max(by.abs())));
    }

    /// The rating of an agent, if it is known.
    pub fn rating(&self, agent: u32) -> Option<RoundRating> {
        self.all().into_iter().find(|(known, _)| *known == agent).map(|(_, rating)| rating)
    }

    /// All agents with their ratings, by their numbers. Their mean is 1500.
    pub fn all(&self) -> Vec<(u32, RoundRating)> {
        let mut all: Vec<(u32, RoundRating)> = match &self.skills {
            Skills::Glicko2(skills) => {
                skills.iter().map(|(agent, skill)| (*agent, of_glicko2(skill))).collect()
            }
            Skills::WengLin(skills) => {
                skills.iter().map(|(agent, skill)| (*agent, of_weng_lin(skill))).collect()
            }
        };
        // Neither method is zero-sum, so the mean drifts; only differences mean something.
        let mean = all.iter().map(|(_, rating)| rating.value).sum::<f64>() / all.len() as f64;
        all.iter_mut().for_each(|(_, rating)| rating.value += START - mean);
        all
    }

    /// How many rounds were rated.
    pub fn rounds(&self) -> usize {
        self.moves.len()
    }

    /// Whether ratings have settled: in each of the last `rounds` rounds no rating changed by more
    /// than `within`. Not before there were that many rounds.
    pub fn settled(&self, within: f64, rounds: usize) -> bool {
        let last = self.moves.len().checked_sub(rounds).map(|first| &self.moves[first..]);
        last.is_some_and(|last| !last.is_empty() && last.iter().all(|most| *most <= within))
    }
}

fn all_differ(game: &GameResult) -> bool {
    let agents = game.seating.as_slice();
    (1..agents.len()).all(|index| !agents[..index].contains(&agents[index]))
}

fn of_glicko2(skill: &Glicko2Rating) -> RoundRating {
    RoundRating { value: skill.rating, deviation: skill.deviation }
}

/// Two well-known agents win according to their difference divided by √2·β, in natural logarithms
/// of the odds. That makes it Elo.
fn of_weng_lin(skill: &WengLinRating) -> RoundRating {
    let scale = ELO_PER_NAT / (std::f64::consts::SQRT_2 * WengLinConfig::default().beta);
    let centre = WengLinRating::default().rating;
    RoundRating {
        value: START + scale * (skill.rating - centre),
        deviation: scale * skill.uncertainty,
    }
}

/// Every agent against all it met in the round. The uncertainty of those who did not play grows.
fn rate_with_glicko2(
    skills: &BTreeMap<u32, Glicko2Rating>,
    games: &[&GameResult],
) -> BTreeMap<u32, Glicko2Rating> {
    let mut met: BTreeMap<u32, Vec<(Glicko2Rating, Outcomes)>> = BTreeMap::new();
    for comparison in games.iter().flat_map(|game| game.comparisons()) {
        let ([one, other], result) = (comparison.agents, comparison.result);
        for (agent, opponent, result) in [(one, other, result), (other, one, result.reverse())] {
            let Some(opponent) = skills.get(&opponent) else { continue };
            met.entry(agent).or_default().push((*opponent, outcome(result)));
        }
    }
    let rate = |(agent, skill): (&u32, &Glicko2Rating)| {
        let results = met.get(agent).map_or(&[][..], Vec::as_slice);
        (*agent, glicko2_rating_period(skill, results, &Glicko2Config::default()))
    };
    skills.iter().map(rate).collect()
}

fn outcome(result: std::cmp::Ordering) -> Outcomes {
    match result {
        std::cmp::Ordering::Greater => Outcomes::WIN,
        std::cmp::Ordering::Equal => Outcomes::DRAW,
        std::cmp::Ordering::Less => Outcomes::LOSS,
    }
}

/// The evidence of games about one agent, as a product of normal distributions: each game adds to
/// the precision and pulls the mean with its weight.
#[derive(Clone, Copy, Default)]
struct Evidence {
    precision: f64,
    pull: f64,
}

impl Evidence {
    fn add(&mut self, before: &WengLinRating, after: &WengLinRating, share: f64) {
        let precision = after.uncertainty.powi(-2);
        self.precision += share * (precision - before.uncertainty.powi(-2));
        self.pull += share * precision * (after.rating - before.rating);
    }

    fn apply(&self, before: &WengLinRating) -> WengLinRating {
        let precision = before.uncertainty.powi(-2) + self.precision;
        WengLinRating {
            rating: before.rating + self.pull / precision,
            uncertainty: precision.recip().sqrt(),
        }
    }
}

/// The method is made for one game after another: all games of a round at once would overshoot, and
/// one by one their order would matter. So there are as many steps as the busiest agent has games,
/// and every step takes an equal share of each game.
fn rate_with_weng_lin(
    skills: &BTreeMap<u32, WengLinRating>,
    games: &[&GameResult],
) -> BTreeMap<u32, WengLinRating> {
    let mut played: BTreeMap<u32, usize> = BTreeMap::new();
    for agent in games.iter().flat_map(|game| game.seating.as_slice()) {
        *played.entry(*agent).or_default() += 1;
    }
    let steps = played.values().copied().max().unwrap_or(0).min(MOST_STEPS);
    let share = 1.0 / steps.max(1) as f64;
    (0..steps).fold(skills.clone(), |skills, _| weng_lin_step(&skills, games, share))
}

/// Takes this share of every game.
fn weng_lin_step(
    skills: &BTreeMap<u32, WengLinRating>,
    games: &[&GameResult],
    share: f64,
) -> BTreeMap<u32, WengLinRating> {
    let mut all_evidence: BTreeMap<u32, Evidence> = BTreeMap::new();
    for game in games {
        let players = game.seating.as_slice().iter().zip(game.points.as_slice());
        let known = players.filter_map(|(agent, points)| {
            skills.get(agent).map(|skill| (*agent, [*skill], usize::from(u8::MAX - points)))
        });
        let known: Vec<(u32, [WengLinRating; 1], usize)> = known.collect();
        let teams: Vec<(&[WengLinRating], MultiTeamOutcome)> =
            known.iter().map(|(_, team, rank)| (&team[..], MultiTeamOutcome::new(*rank))).collect();
        let rated = weng_lin_multi_team(&teams, &WengLinConfig::default());
        for ((agent, [before], _), after) in known.iter().zip(rated) {
            let evidence = all_evidence.entry(*agent).or_default();
            after.iter().for_each(|after| evidence.add(before, after, share));
        }
    }
    let rate = |(agent, skill): (&u32, &WengLinRating)| {
        let evidence = all_evidence.get(agent).copied().unwrap_or_default();
        (*agent, evidence.apply(skill))
    };
    skills.iter().map(rate).collect()
}

#[cfg(test)]
mod tests {
    use agon_core::{PerSeat, Rng};

    use super::*;

    fn game(seating: &[u32], points: &[u8]) -> GameResult {
        let (seating, points) = (PerSeat::from_slice(seating), PerSeat::from_slice(points));
        GameResult { seating, points, group: None }
    }

    /// A round of random games at tables of this size, where stronger agents win more often.
    fn round(rng: &mut Rng, strengths: &[f64], players: usize, games: usize) -> Vec<GameResult> {
        let mut uniform = || (rng.next_u64() as f64 + 0.5) / 2f64.powi(64);
        let play = |_| {
            let mut agents: Vec<(f64, u32)> =
                (0..strengths.len() as u32).map(|agent| (uniform(), agent)).collect();
            agents.sort_by(|a, b| a.0.total_cmp(&b.0));
            let seating: Vec<u32> = agents[..players].iter().map(|(_, agent)| *agent).collect();
            // Exponential times: the fastest is first, after Plackett and Luce.
            let rate = |agent: u32| (strengths[agent as usize] / ELO_PER_NAT).exp();
            let times: Vec<f64> =
                seating.iter().map(|&agent| -uniform().ln() / rate(agent)).collect();
            let slower = |time: &f64| times.iter().filter(|other| *other > time).count() as u8;
            game(&seating, &times.iter().map(slower).collect::<Vec<u8>>())
        };
        (0..games).map(play).collect()
    }

    #[test]
    fn everyone_begins_equal() {
        for (players, deviation) in [(2, 350.0), (3, 245.7)] {
            let mut ratings = RoundRatings::new(players);
            assert!(ratings.all().is_empty());
            ratings.add(4);
            ratings.add(1);
            let all = ratings.all();
            assert_eq!(all.iter().map(|(agent, _)| *agent).collect::<Vec<u32>>(), [1, 4]);
            for (_, rating) in all {
                assert_eq!(rating.value, 1500.0);
                assert!((rating.deviation - deviation).abs() < 0.1, "{rating:?}");
            }
            assert_eq!(ratings.rating(2), None);
        }
    }

    #[test]
    fn the_example_of_the_glicko_2_paper_comes_out() {
        let known = |rating, deviation| Glicko2Rating { rating, deviation, volatility: 0.06 };
        let before =
            [(0, 1500.0, 200.0), (1, 1400.0, 30.0), (2, 1550.0, 100.0), (3, 1700.0, 300.0)];
        let skills = before.map(|(agent, rating, deviation)| (agent, known(rating, deviation)));
        let mut ratings =
            RoundRatings { skills: Skills::Glicko2(skills.into()), moves: Vec::new() };
        ratings.update(&[
            game(&[0, 1], &[100, 0]),
            game(&[2, 0], &[100, 0]),
            game(&[0, 3], &[0, 100]),
        ]);
        let Skills::Glicko2(skills) = &ratings.skills else { panic!() };
        let RoundRating { value, deviation } = of_glicko2(&skills[&0]);
        assert!((value - 1464.06).abs() < 0.02, "{value}");
        assert!((deviation - 151.52).abs() < 0.02, "{deviation}");
    }

    #[test]
    fn one_game_of_three_is_what_weng_and_lin_say() {
        let mut ratings = RoundRatings::new(3);
        ratings.update(&[game(&[5, 6, 7], &[0, 100, 50])]);
        let fresh = [WengLinRating::default()];
        let ranks = [3, 1, 2].map(|rank| (&fresh[..], MultiTeamOutcome::new(rank)));
        let wanted = weng_lin_multi_team(&ranks, &WengLinConfig::default());
        for (agent, wanted) in [5, 6, 7].into_iter().zip(wanted) {
            let (found, wanted) = (ratings.rating(agent).unwrap(), of_weng_lin(&wanted[0]));
            assert!((found.value - wanted.value).abs() < 1e-9, "{agent}");
            assert!((found.deviation - wanted.deviation).abs() < 1e-9, "{agent}");
        }
    }

    #[test]
    fn the_order_within_a_round_is_no_matter() {
        for players in [2, 3] {
            let mut rng = Rng::new(players as u64);
            let mut games = round(&mut rng, &[0.0, 100.0, 200.0, 300.0], players, 30);
            let mut forward = RoundRatings::new(players);
            forward.update(&games);
            games.reverse();
            let mut backward = RoundRatings::new(players);
            backward.update(&games);
            for ((_, one), (_, other)) in forward.all().iter().zip(backward.all()) {
                assert!((one.value - other.value).abs() < 1e-6);
                assert!((one.deviation - other.deviation).abs() < 1e-6);
            }
        }
    }

    #[test]
    fn ratings_find_the_true_differences_and_settle() {
        let strengths = [-200.0, -100.0, 0.0, 100.0, 200.0];
        const ROUNDS: usize = 400;
        for players in [2, 3, 4] {
            let mut rng = Rng::new(7);
            let mut ratings = RoundRatings::new(players);
            // The ratings keep changing a little, so their mean over the second half counts.
            let mut means = [0.0; 5];
            for number in 0..ROUNDS {
                ratings.update(&round(&mut rng, &strengths, players, 20));
                assert!(number > 5 || !ratings.settled(5.0, 5), "not from a few rounds");
                for (agent, rating) in ratings.all().iter().filter(|_| number >= ROUNDS / 2) {
                    means[*agent as usize] += rating.value / (ROUNDS / 2) as f64;
                }
            }
            assert_eq!(ratings.rounds(), ROUNDS);
            for (mean, strength) in means.iter().zip(strengths) {
                assert!((mean - 1500.0 - strength).abs() < 25.0, "{players}: {means:?}");
            }
            assert!(ratings.settled(100.0, 5), "{players}: {:?}", &ratings.moves[390..]);
        }
    }

    #[test]
    fn a_round_of_many_games_does_not_overshoot() {
        // Three wins out of four between two agents: 191 Elo. Nothing is known about either before,
        // so the ratings end up to one and a half times as far apart, but that does not grow with
        // the number of games.
        for (players, seating) in [(2, &[0, 1][..]), (3, &[0, 1, 2][..])] {
            let won: &[u8] = &[100, 0, 0][..players];
            let lost: &[u8] = &[0, 100, 100][..players];
            let mut games = vec![game(seating, won); 3000];
            games.extend(vec![game(seating, lost); 1000]);
            let mut ratings = RoundRatings::new(players);
            ratings.update(&games);
            let value = |agent| ratings.rating(agent).unwrap().value;
            let apart = value(0) - value(1);
            assert!((191.0..700.0).contains(&apart), "{players}: {apart}");
        }
    }

    #[test]
    fn settled_looks_at_the_last_rounds_only() {
        let moves = vec![80.0, 3.0, 4.0, 2.0];
        let ratings = RoundRatings { moves, ..RoundRatings::new(2) };
        assert!(ratings.settled(4.0, 3));
        assert!(!ratings.settled(3.9, 3));
        assert!(!ratings.settled(4.0, 4));
        assert!(ratings.settled(100.0, 4));
        assert!(!ratings.settled(100.0, 5), "too few rounds");
        assert!(!ratings.settled(100.0, 0), "no rounds prove nothing");
    }

    #[test]
    fn who_rests_grows_less_sure_and_self_play_says_nothing() {
        let mut ratings = RoundRatings::new(2);
        for _ in 0..20 {
            ratings.update(&[game(&[0, 1], &[100, 0]), game(&[1, 0], &[100, 0])]);
        }
        let before = ratings.rating(0).unwrap();
        ratings.update(&[game(&[0, 0], &[100, 0])]);
        let after = ratings.rating(0).unwrap();
        assert_eq!(before.value, after.value);
        assert!(after.deviation > before.deviation);
    }
}
