//! The standings and the crosstable of a tournament as data: what the terminal, the pages and the
//! exports show, from one place.

use serde::Serialize;

use super::summary::TournamentSummary;
use crate::store::export::crosstable::Score;
use crate::store::export::csv::joined;

/// An agent's place in a tournament.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Place {
    /// Its rank, from 1.
    pub rank: usize,
    /// Its name.
    pub name: String,
    /// Its text.
    pub agent: String,
    /// How many games it played.
    pub games: u64,
    /// How many it won.
    pub wins: u64,
    /// How many were drawn.
    pub draws: u64,
    /// How many it lost.
    pub losses: u64,
    /// Its points, 100 for a win, including those of byes.
    pub points: u64,
    /// How many byes it had.
    pub byes: u64,
    /// Its Elo, from all games at once.
    pub elo: Option<f64>,
    /// The error of its Elo: half of a 95 % interval.
    pub error: Option<f64>,
    /// The likelihood that it is stronger than the next in rank.
    pub superiority: Option<f64>,
    /// Its rating in a contest.
    pub rating: Option<f64>,
    /// The deviation of that rating.
    pub deviation: Option<f64>,
    /// The group of the leaderboard, from 1.
    pub group: Option<usize>,
    /// The mean of its last 50 games of three players, in points of the course.
    pub last_50: Option<f64>,
    /// The maximum of that so far.
    pub best_50: Option<f64>,
    /// How many of its games it lost by a fault.
    pub faults: u64,
    /// Whether it was withdrawn.
    pub withdrawn: bool,
    /// Whether it is no longer in the tournament's file.
    pub retired: bool,
    /// The round in which it joined, from 1, if not at the start; in a round robin and a gauntlet
    /// which of the waves of late agents it came with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub joined: Option<u32>,
    /// The mean time of a move.
    pub seconds_per_move: f64,
    /// The mean number of nodes of a move.
    pub nodes_per_move: f64,
    /// Nodes a second, if it reports nodes.
    pub nodes_per_second: Option<u64>,
    /// The mean depth of its searches in plies, if it reports depths.
    pub mean_depth: Option<f64>,
    /// Points and games against everybody, in the order of the ranking.
    pub against: Vec<[u64; 2]>,
}

/// A tournament's standings.
#[derive(Serialize)]
struct Standings<'a> {
    name: &'a str,
    format: &'a str,
    finished: bool,
    games: u64,
    planned: u64,
    rounds: u32,
    ranking: &'a str,
    agents: Vec<Place>,
}

/// Entrants against entrants, in the order of the ranking.
#[derive(Serialize)]
struct CrosstableData<'a> {
    name: &'a str,
    agents: Vec<&'a str>,
    /// None where two never met.
    scores: Vec<Vec<Option<ScoreData>>>,
    totals: Vec<ScoreData>,
}

#[derive(Serialize)]
struct ScoreData {
    points: u64,
    games: u64,
}

impl From<Score> for ScoreData {
    fn from(Score { points, games }: Score) -> ScoreData {
        ScoreData { points, games }
    }
}

/// One digit after the point, and no negative zero.
pub fn tenths(value: f64) -> f64 {
    (value * 10.0).round() / 10.0 + 0.0
}

impl TournamentSummary {
    /// The standings, best first.
    pub fn places(&self) -> Vec<Place> {
        let ranking = self.ranking();
        let places = ranking.iter().enumerate();
        places.map(|(place, &agent)| self.place(place, agent, &ranking)).collect()
    }

    fn place(&self, place: usize, agent: u16, ranking: &[u16]) -> Place {
        let totals = self.ledger.agent(agent);
        let (name, text) = self.named(agent);
        let elo = self.fit.elo(u32::from(agent));
        let rating = self.rating(agent);
        let effort = totals.effort;
        let against = |other: &u16| {
            let score = self.crosstable.against(usize::from(agent), usize::from(*other));
            [score.points, score.games]
        };
        Place {
            rank: place + 1,
            name: name.to_string(),
            agent: text.to_string(),
            games: totals.results.games,
            wins: totals.results.wins,
            draws: totals.results.draws,
            losses: totals.results.losses,
            points: self.points(agent),
            byes: self.byes(agent),
            elo: elo.map(|elo| tenths(elo.value)),
            error: elo.map(|elo| tenths(elo.error())),
            superiority: self.superiority(place, ranking),
            rating: rating.map(|rating| tenths(rating.value)),
            deviation: rating.map(|rating| tenths(rating.deviation)),
            group: self.group(place).map(|group| group + 1),
            last_50: totals.rating.current(),
            best_50: totals.rating.best(),
            faults: totals.results.faults,
            withdrawn: self.ledger.is_withdrawn(agent),
            retired: self.has_retired(agent),
            joined: self.joined(agent),
            seconds_per_move: effort.seconds_per_move(),
            nodes_per_move: effort.nodes_per_move(),
            nodes_per_second: effort.nodes_per_second(),
            mean_depth: effort.mean_depth().map(tenths),
            against: ranking.iter().map(against).collect(),
        }
    }

    /// The likelihood that the agent at this place, from 0, is stronger than the next in rank.
    pub fn superiority(&self, place: usize, ranking: &[u16]) -> Option<f64> {
        let (agent, next) = (ranking.get(place)?, ranking.get(place + 1)?);
        self.fit.likelihood_of_superiority(u32::from(*agent), u32::from(*next))
    }

    /// The name and the text of an agent.
    fn named(&self, agent: u16) -> (&str, &str) {
        let entrant = self.series.entrants.get(usize::from(agent));
        entrant.map_or(("", ""), |entrant| (&entrant.name, &entrant.agent))
    }

    /// The standings as a JSON object.
    pub fn standings_json(&self) -> serde_json::Result<String> {
        pretty(&Standings {
            name: &self.series.name,
            format: &self.format,
            finished: self.series.finished_at.is_some(),
            games: self.ledger.games(),
            planned: self.planned,
            rounds: self.rounds,
            ranking: self.ranking_rule(),
            agents: self.places(),
        })
    }

    /// The standings as CSV, one line per agent.
    pub fn standings_csv(&self) -> String {
        let columns = "rank name agent games wins draws losses points byes elo error superiority \
            rating deviation group last_50 best_50 faults withdrawn retired joined \
            seconds_per_move nodes_per_move nodes_per_second mean_depth";
        let mut text = joined(columns.split(' ').map(String::from));
        for it in self.places() {
            let mut fields = vec![it.rank.to_string(), it.name, it.agent];
            let counts = [it.games, it.wins, it.draws, it.losses, it.points, it.byes];
            fields.extend(counts.map(|count| count.to_string()));
            fields
                .extend([it.elo, it.error, it.superiority, it.rating, it.deviation].map(or_empty));
            fields.push(or_empty(it.group));
            fields.extend([it.last_50, it.best_50].map(or_empty));
            fields.extend([it.faults.to_string(), it.withdrawn.to_string()]);
            fields.extend([it.retired.to_string(), or_empty(it.joined)]);
            fields.push(format!("{:.6}", it.seconds_per_move));
            fields.push(format!("{:.1}", it.nodes_per_move));
            fields.extend([or_empty(it.nodes_per_second), or_empty(it.mean_depth)]);
            text.push_str(&joined(fields));
        }
        text
    }

    /// The crosstable as a JSON object.
    pub fn crosstable_json(&self) -> serde_json::Result<String> {
        let ranking = self.ranking();
        let against = |one: u16, other: u16| {
            let score = self.crosstable.against(usize::from(one), usize::from(other));
            (score.games > 0).then(|| ScoreData::from(score))
        };
        let row = |&one: &u16| ranking.iter().map(|&other| against(one, other)).collect();
        let total = |&agent: &u16| self.crosstable.total(usize::from(agent)).into();
        pretty(&CrosstableData {
            name: &self.series.name,
            agents: ranking.iter().map(|&agent| self.named(agent).0).collect(),
            scores: ranking.iter().map(row).collect(),
            totals: ranking.iter().map(total).collect(),
        })
    }

    /// The crosstable as CSV: for every two agents the points, 1 for a win, and the games. Both are
    /// numbers: a spreadsheet would take `1/2` for a date.
    pub fn crosstable_csv(&self) -> String {
        let ranking = self.ranking();
        let mut headings = vec!["rank".to_string(), "agent".into()];
        for &agent in &ranking {
            let name = self.named(agent).0;
            headings.extend([format!("points against {name}"), format!("games against {name}")]);
        }
        headings.extend(["points".into(), "games".into()]);
        let mut text = joined(headings);
        for (place, &agent) in ranking.iter().enumerate() {
            let mut fields = vec![(place + 1).to_string(), self.named(agent).0.to_string()];
            for &other in &ranking {
                let score = self.crosstable.against(usize::from(agent), usize::from(other));
                fields.extend(cells(score));
            }
            fields.extend(cells(self.crosstable.total(usize::from(agent))));
            text.push_str(&joined(fields));
        }
        text
    }
}

/// Points and games; empty for those who never met.
fn cells(Score { points, games }: Score) -> [String; 2] {
    match games {
        0 => [String::new(), String::new()],
        _ => [(points as f64 / 100.0).to_string(), games.to_string()],
    }
}

fn or_empty<T: ToString>(value: Option<T>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

/// An object for people too, with a line break at its end.
fn pretty(value: &impl Serialize) -> serde_json::Result<String> {
    Ok(serde_json::to_string_pretty(value)? + "\n")
}
