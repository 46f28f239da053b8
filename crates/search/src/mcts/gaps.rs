//! The free places of the tree, and those that a worker has taken to fill them alone.

use std::collections::BTreeMap;
use std::ops::Range;

/// Free ranges that belong to nobody: their starts, by length.
#[derive(Debug, Default)]
pub(super) struct Gaps(BTreeMap<usize, Vec<usize>>);

/// A free range that one worker fills. Only when it is used up does the worker need the lock of
/// the [`Gaps`], so threads hardly ever wait for each other.
#[derive(Debug, Default)]
pub(super) struct Plot {
    /// What is left of it.
    pub(super) places: Range<usize>,
    /// The season of the arena in which it was taken: it is void in any other.
    pub(super) season: u32,
}

impl Gaps {
    pub(super) fn add(&mut self, gap: Range<usize>) {
        if !gap.is_empty() {
            self.0.entry(gap.len()).or_default().push(gap.start);
        }
    }

    /// Exchanges what is left of a plot for the smallest gap of at least `count` places, or for
    /// `most` of them if that is enough and the gap has more. `None` if there is no such gap.
    pub(super) fn exchange(&mut self, plot: &mut Plot, count: usize, most: usize) -> Option<()> {
        let length = *self.0.range(count..).next()?.0;
        let starts = self.0.get_mut(&length)?;
        let start = starts.pop()?;
        if starts.is_empty() {
            self.0.remove(&length);
        }
        let middle = start + length.min(most.max(count));
        self.add(middle..start + length);
        self.add(std::mem::replace(&mut plot.places, start..middle));
        Some(())
    }

    /// The number of free places.
    pub(super) fn places(&self) -> usize {
        self.0.iter().map(|(length, starts)| length * starts.len()).sum()
    }
}

impl FromIterator<Range<usize>> for Gaps {
    fn from_iter<I: IntoIterator<Item = Range<usize>>>(ranges: I) -> Gaps {
        let mut gaps = Gaps::default();
        ranges.into_iter().for_each(|gap| gaps.add(gap));
        gaps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plot_is_the_smallest_gap_that_is_large_enough() {
        let mut gaps: Gaps = [0..10, 20..50, 60..75].into_iter().collect();
        let mut plot = Plot::default();
        gaps.exchange(&mut plot, 12, 100).unwrap();
        assert_eq!((plot.places.clone(), gaps.places()), (60..75, 40));
        // Of a large gap, no more than is wanted; what was left of the plot is free again.
        plot.places.start += 12;
        gaps.exchange(&mut plot, 11, 16).unwrap();
        assert_eq!((plot.places.clone(), gaps.places()), (20..36, 40 - 16 + 3));
        gaps.exchange(&mut plot, 14, 5).unwrap();
        assert_eq!((plot.places.clone(), gaps.places()), (36..50, 10 + 3 + 16));
        assert!(gaps.exchange(&mut plot, 17, 20).is_none());
        assert_eq!(plot.places, 36..50, "it stays if there is no better one");
    }
}
