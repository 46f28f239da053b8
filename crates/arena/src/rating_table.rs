//! How strong the agents of a store are, from all their games together.
//!
//! An agent is identified by its text, whatever its name in a match or a tournament and whatever
//! the clock. Elo is that of the [joint fit](crate::statistics::fit). Games that were not played
//! because an agent had been withdrawn are left out, and so are those on the web pages in which a
//! move was taken back.

use std::collections::{BTreeMap, HashMap};

use agon_core::{PerSeat, Seat};

use crate::course_rating::{CourseRating, in_course_points};
use crate::estimate::{Estimate, Sample};
use crate::fixture::group_size;
use crate::game_summary::read_end;
use crate::results::Results;
use crate::statistics::{Draws, Fit, GameResult};
use crate::store::{Filter, SeriesId, SeriesKind, Store, StoreError, StoredGame};
use crate::verdict::{End, Fault};

/// At tables of this size, points are also given as in the FAUhalma course.
pub const COURSE_TABLE: usize = 3;

/// The standings of all agents that played.
#[derive(Clone, Debug)]
pub struct RatingTable {
    /// How many games of each variant were counted.
    pub variants: BTreeMap<String, u64>,
    /// How many were left out because an agent had been withdrawn.
    pub left_out: u64,
    /// How many were left out because a move was taken back.
    pub unrated: u64,
    /// The agents, the strongest first, in groups whose members are connected by chains of games.
    /// The largest group comes first.
    pub groups: Vec<Vec<RatedAgent>>,
}

/// An agent with its results.
#[derive(Clone, Debug)]
pub struct RatedAgent {
    /// Its text.
    pub agent: String,
    /// Elo relative to the mean of its group; none if it played only itself.
    pub elo: Option<Estimate>,
    /// The likelihood that it is stronger than the next agent of its group, 0 to 1.
    pub over_next: Option<f64>,
    /// Its results.
    pub results: Results,
    /// The same in the points of the FAUhalma course, for its three-player games.
    pub course: Option<CourseResults>,
}

/// Results in the points of the FAUhalma course.
#[derive(Clone, Debug)]
pub struct CourseResults {
    /// The mean of the last 50 games, and the best so far. The last are those of the newest series.
    pub rating: CourseRating,
    shares: Sample,
    /// The group of the last game.
    group: u64,
}

impl CourseResults {
    fn new() -> CourseResults {
        let rating = CourseRating::new(COURSE_TABLE);
        CourseResults { rating, shares: Sample::default(), group: 0 }
    }

    /// The mean points of a game, of 2. `None` before the first.
    pub fn mean_points(&self) -> Option<Estimate> {
        self.shares.mean_points().map(|mean| in_course_points(mean, COURSE_TABLE))
    }

    fn add(&mut self, points: u8, group: u64) {
        if group != self.group {
            self.shares.close_group();
            self.group = group;
        }
        self.shares.add(f64::from(points) / 100.0);
        self.rating.add(points);
    }
}

impl RatingTable {
    /// Reads the matching games and rates everybody who played in them.
    pub fn of(store: &Store, filter: &Filter) -> Result<RatingTable, StoreError> {
        let mut count = Count::default();
        for found in store.games(filter)? {
            let (series, game) = found?;
            if matches!(read_end(&game.end, game.offender), End::Fault(_, Fault::Withdrawn)) {
                count.left_out += 1;
            } else if !game.rated {
                count.unrated += 1;
            } else {
                count.look_up(series, &game, store)?;
                count.add(&game);
            }
        }
        Ok(count.rated())
    }

    /// How many games were counted.
    pub fn games(&self) -> u64 {
        self.variants.values().sum()
    }
}

/// An agent while its games are read.
#[derive(Default)]
struct Counted {
    text: String,
    results: Results,
    course: Option<CourseResults>,
}

/// What has been read so far.
#[derive(Default)]
struct Count {
    variants: BTreeMap<String, u64>,
    left_out: u64,
    unrated: u64,
    numbers: HashMap<String, u32>,
    /// By agent number.
    agents: Vec<Counted>,
    games: Vec<GameResult>,
    /// The series being read, its kind, and the texts of its entrants.
    series: Option<(SeriesId, SeriesKind)>,
    entrants: Vec<String>,
    /// The number of the current group of games with one opening, and its number within the series.
    group: u64,
    group_in_series: Option<u64>,
}

impl Count {
    /// Looks a series up at its first game, and when a game has a new entrant.
    fn look_up(
        &mut self,
        id: SeriesId,
        game: &StoredGame,
        store: &Store,
    ) -> Result<(), StoreError> {
        let is_known = |entrant: &u32| (*entrant as usize) < self.entrants.len();
        let same = self.series.is_some_and(|(series, _)| series == id);
        if same && game.seats.as_slice().iter().all(is_known) {
            return Ok(());
        }
        let series = store.series(id)?;
        self.entrants = series.entrants.into_iter().map(|entrant| entrant.agent).collect();
        (self.series, self.group_in_series) = (Some((id, series.kind)), None);
        Ok(())
    }

    fn add(&mut self, game: &StoredGame) {
        let (seats, points) = (game.seats.as_slice(), game.points.as_slice());
        // Games on the web pages are independent of each other.
        let of_pages = matches!(self.series, Some((_, SeriesKind::Pages)));
        let group = game.number / if of_pages { 1 } else { group_size(seats.len()) };
        if self.group_in_series != Some(group) {
            self.group_in_series = Some(group);
            self.group += 1;
        }
        let numbers: Vec<u32> = seats.iter().map(|&entrant| self.number(entrant)).collect();
        for (seat, (&number, &mine)) in numbers.iter().zip(points).enumerate() {
            let seat = Seat::new(seat);
            let at_fault = game.is_fault() && game.offender == Some(seat);
            let Some(agent) = self.agents.get_mut(number as usize) else { continue };
            agent.results.add(&game.points, seat, at_fault);
            if seats.len() == COURSE_TABLE {
                agent.course.get_or_insert_with(CourseResults::new).add(mine, self.group);
            }
        }
        match self.variants.get_mut(&game.variant) {
            Some(count) => *count += 1,
            None => {
                self.variants.insert(game.variant.clone(), 1);
            }
        }
        let seating = PerSeat::from_slice(&numbers);
        self.games.push(GameResult { seating, points: game.points, group: Some(self.group) });
    }

    /// The number of an entrant's agent. The store keeps no game without its entrants.
    fn number(&mut self, entrant: u32) -> u32 {
        let text = self.entrants.get(entrant as usize).map_or("?", String::as_str);
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let number = self.agents.len() as u32;
        self.numbers.insert(text.to_string(), number);
        self.agents.push(Counted { text: text.to_string(), ..Counted::default() });
        number
    }

    fn rated(self) -> RatingTable {
        let fit = Fit::of(&self.games, Draws::HalfWins);
        let elo = |number: &u32| fit.elo(*number).map_or(f64::NEG_INFINITY, |elo| elo.value);
        let mut groups = Vec::new();
        for mut component in fit.components() {
            component.sort_by(|a, b| elo(b).total_cmp(&elo(a)));
            let rated = |(place, &number): (usize, &u32)| {
                let Counted { text, results, course } = self.agents.get(number as usize)?;
                let (agent, course) = (text.clone(), course.clone());
                let next = component.get(place + 1);
                let over_next = next.and_then(|&next| fit.likelihood_of_superiority(number, next));
                let (elo, results) = (fit.elo(number), *results);
                Some(RatedAgent { agent, elo, over_next, results, course })
            };
            groups.push(component.iter().enumerate().filter_map(rated).collect());
        }
        let Count { variants, left_out, unrated, .. } = self;
        RatingTable { variants, left_out, unrated, groups }
    }
}

#[cfg(test)]
mod tests;
