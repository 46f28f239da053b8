//! The rating of the FAUhalma course: the mean points of the last 50 games.
//!
//! There a two-player game is worth 1 or 0, a three-player game 2, 1 or 0. An agent's rating is the
//! mean over its last 50 finished games, and its best rating counts, once it has finished 50.

use crate::estimate::Estimate;

/// How many games a rating averages.
pub const WINDOW: usize = 50;

/// The points of a first place here; the other places are worth a share of it.
const FULL: f64 = 100.0;

/// The winner's points in the course: one for every player it beats.
pub fn top_points(players: usize) -> f64 {
    players.saturating_sub(1) as f64
}

/// Mean points in the course's scale, from those between 0 and 100.
pub fn in_course_points(mean: Estimate, players: usize) -> Estimate {
    let scaled = |points: f64| points * top_points(players) / FULL;
    Estimate { value: scaled(mean.value), low: scaled(mean.low), high: scaled(mean.high) }
}

/// The rating of one agent, game by game.
#[derive(Clone, Debug)]
pub struct CourseRating {
    top: f64,
    /// The points of the last games, 0 to 100 each, in a ring.
    points: [u8; WINDOW],
    games: u64,
    sum: u32,
    best: Option<u32>,
}

impl CourseRating {
    /// The rating before the first game between this many players.
    pub fn new(players: usize) -> CourseRating {
        let top = top_points(players);
        CourseRating { top, points: [0; WINDOW], games: 0, sum: 0, best: None }
    }

    /// Adds a finished game by its points, 0 to 100.
    pub fn add(&mut self, points: u8) {
        let oldest = &mut self.points[(self.games % WINDOW as u64) as usize];
        self.sum = self.sum - u32::from(*oldest) + u32::from(points);
        *oldest = points;
        self.games += 1;
        if self.games >= WINDOW as u64 {
            self.best = self.best.max(Some(self.sum));
        }
    }

    /// Adds a finished game by the course's points: 0 up to the winner's points. Anything else is
    /// not a result of the course; `false` says that it was not added.
    pub fn add_course_points(&mut self, points: f64) -> bool {
        let sound = self.top > 0.0 && (0.0..=self.top).contains(&points);
        if sound {
            self.add((points * FULL / self.top).round() as u8);
        }
        sound
    }

    /// How many games the rating averages: 50, or all while there are fewer.
    pub fn games(&self) -> u64 {
        self.games.min(WINDOW as u64)
    }

    /// The mean over the last games in the course's scale; `None` before the first.
    pub fn current(&self) -> Option<f64> {
        (self.games > 0).then(|| self.mean(self.sum))
    }

    /// The best rating since 50 games were finished; `None` before.
    pub fn best(&self) -> Option<f64> {
        self.best.map(|sum| self.mean(sum))
    }

    fn mean(&self, sum: u32) -> f64 {
        f64::from(sum) * self.top / (FULL * self.games() as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rating(players: usize, games: &[(usize, u8)]) -> CourseRating {
        let mut rating = CourseRating::new(players);
        for &(count, points) in games {
            (0..count).for_each(|_| rating.add(points));
        }
        rating
    }

    #[track_caller]
    fn close(found: Option<f64>, wanted: f64) {
        assert!(
            found.is_some_and(|found| (found - wanted).abs() < 1e-9),
            "{found:?}, not {wanted}"
        );
    }

    #[test]
    fn places_are_worth_what_the_course_gives() {
        for (players, points, wanted) in
            [(2, 100, 1.0), (2, 50, 0.5), (2, 0, 0.0), (3, 100, 2.0), (3, 50, 1.0), (3, 0, 0.0)]
        {
            close(rating(players, &[(1, points)]).current(), wanted);
        }
        // Two who share second and third place get half a point each.
        close(rating(3, &[(1, 25)]).current(), 0.5);
        let scaled = in_course_points(Estimate { value: 92.5, low: 90.0, high: 95.0 }, 3);
        assert_eq!(scaled, Estimate { value: 1.85, low: 1.8, high: 1.9 });
    }

    #[test]
    fn games_can_be_added_by_the_points_of_the_course() {
        let mut added = CourseRating::new(3);
        assert!([2.0, 1.0, 0.0, 0.5].into_iter().all(|points| added.add_course_points(points)));
        close(added.current(), 3.5 / 4.0);
        assert!(![2.5, -1.0, f64::NAN].into_iter().any(|points| added.add_course_points(points)));
        assert_eq!(added.games(), 4);
        let mut two = CourseRating::new(2);
        assert!(two.add_course_points(1.0) && !two.add_course_points(2.0));
        close(two.current(), 1.0);
    }

    #[test]
    fn nothing_counts_before_fifty_games() {
        let none = rating(3, &[]);
        assert_eq!((none.current(), none.best(), none.games()), (None, None, 0));
        // 30 first places and 19 third ones: 60 points in 49 games.
        let mut rating = rating(3, &[(30, 100), (19, 0)]);
        close(rating.current(), 60.0 / 49.0);
        assert_eq!((rating.best(), rating.games()), (None, 49));
        // With a second place: 61 points in 50.
        rating.add(50);
        close(rating.current(), 1.22);
        close(rating.best(), 1.22);
        assert_eq!(rating.games(), 50);
    }

    #[test]
    fn only_the_last_fifty_games_count() {
        // Ten lost, then fifty won: the losses have left the window.
        let mut rating = rating(3, &[(10, 0), (50, 100)]);
        close(rating.current(), 2.0);
        close(rating.best(), 2.0);
        // Twenty-five second places: 25 × 2 and 25 × 1 in the last fifty. The best stays.
        (0..25).for_each(|_| rating.add(50));
        close(rating.current(), 1.5);
        close(rating.best(), 2.0);
        assert_eq!(rating.games(), 50);
    }

    #[test]
    fn the_best_is_not_of_the_first_games() {
        // All of the first 25 games are won, but only ratings from 50 games on count: 25 × 1 in 50,
        // and from then on the wins leave the window.
        let rating = rating(2, &[(25, 100), (45, 0)]);
        close(rating.best(), 0.5);
        close(rating.current(), 5.0 / 50.0);
    }
}
