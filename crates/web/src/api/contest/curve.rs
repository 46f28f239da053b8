//! The curve of a rating, thinned out.

use serde::Serialize;
use utoipa::ToSchema;

/// A rating after a run.
#[derive(Serialize, ToSchema, Clone, Copy, PartialEq, Debug)]
pub struct Point {
    /// The number of finished runs.
    pub run: usize,
    /// The rating after them.
    pub rating: f64,
}

/// The rating after each run, as the mean over at most `window` runs, in not many more than `most`
/// points. Where points are left out, the highest and lowest of each chunk stay, and so do the first,
/// the last, and the one where the rating begins to count.
pub fn curve(outcomes: &[f64], window: usize, most: usize) -> Vec<Point> {
    let points = means(outcomes, window);
    if points.len() <= most {
        return points;
    }
    // Two points of each chunk stay.
    let chunk = (2 * points.len()).div_ceil(most.max(2));
    let mut kept = Vec::with_capacity(most + 3);
    kept.extend(points.first());
    // No chunk spans the point where the rating begins to count.
    let (before, after) = points.split_at(window.saturating_sub(1).min(points.len()));
    for part in [before, after] {
        kept.extend(part.first());
        kept.extend(part.chunks(chunk).flat_map(extremes));
    }
    kept.extend(points.last());
    kept.dedup_by_key(|point| point.run);
    kept
}

fn means(outcomes: &[f64], window: usize) -> Vec<Point> {
    let mut sums = Vec::with_capacity(outcomes.len() + 1);
    sums.push(0.0);
    for outcome in outcomes {
        sums.push(sums.last().copied().unwrap_or_default() + outcome);
    }
    let window = window.max(1);
    let after = |run: usize| {
        let first = run.saturating_sub(window);
        Some(Point { run, rating: (sums.get(run)? - sums.get(first)?) / (run - first) as f64 })
    };
    (1..=outcomes.len()).filter_map(after).collect()
}

/// The lowest and the highest point, in order of runs.
fn extremes(chunk: &[Point]) -> impl Iterator<Item = Point> {
    let compare = |a: &&Point, b: &&Point| a.rating.total_cmp(&b.rating);
    let low = chunk.iter().min_by(compare).copied();
    let high = chunk.iter().max_by(compare).copied();
    let mut both = [low, high];
    both.sort_by_key(|point| point.map(|point| point.run));
    both.into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use agon_arena::contest::Rating;
    use agon_core::Rng;

    use super::*;

    fn outcomes(count: usize) -> Vec<f64> {
        let mut rng = Rng::new(7);
        (0..count).map(|_| rng.below(3) as f64).collect()
    }

    #[test]
    fn a_short_curve_is_complete_and_matches_the_rating() {
        let outcomes = outcomes(120);
        let points = curve(&outcomes, 50, 500);
        let mut rating = Rating::new(50, &[], 0, None);
        assert_eq!(points.len(), 120);
        for (at, outcome) in outcomes.iter().enumerate() {
            rating.add(*outcome);
            let point = points[at];
            assert_eq!((point.run, Some(point.rating)), (at + 1, rating.current()));
        }
        assert_eq!(curve(&[], 50, 500), []);
        assert_eq!(curve(&[1.0], 50, 500), [Point { run: 1, rating: 1.0 }]);
    }

    #[test]
    fn a_long_curve_is_thinned_and_keeps_what_matters() {
        for (count, window) in [(501, 50), (10_000, 50), (100_000, 1000), (700, 1000), (600, 1)] {
            let outcomes = outcomes(count);
            let (all, points) = (means(&outcomes, window), curve(&outcomes, window, 500));
            assert!(points.len() <= 506, "{count}: {}", points.len());
            assert!(points.is_sorted_by(|a, b| a.run < b.run), "{count}");
            assert!(points.iter().all(|point| all[point.run - 1] == *point));
            assert_eq!((points.first(), points.last()), (all.first(), all.last()));
            let counting = |points: &[Point]| {
                let counting = points.iter().filter(|point| point.run >= window);
                counting.map(|point| point.rating).max_by(f64::total_cmp)
            };
            assert_eq!(counting(&points), counting(&all), "the best is there");
            assert!(count < window || points.iter().any(|point| point.run == window));
        }
    }
}
