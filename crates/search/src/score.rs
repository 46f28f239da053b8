//! The score of a position in a search.

use std::fmt;
use std::ops::Neg;

use agon_core::Outcome;
use agon_core::Seat;
use agon_core::evaluate::EVALUATION_LIMIT;
use agon_core::outcome::WIN;

use crate::expected::chance;

/// A value for the side to move: hundredths of the game's unit, or a forced result with its
/// distance. Sooner wins are better, later losses too.
///
/// ```
/// use agon_search::Score;
/// assert!(Score::win_in(3) > Score::win_in(5));
/// assert!(Score::win_in(99) > Score::units(5000));
/// assert_eq!(-Score::win_in(3), Score::loss_in(3));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Score(i32);

/// A result that can be forced, with the number of plies it takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Forced {
    /// The side to move wins in this many plies.
    WinIn(u32),
    /// The side to move loses in this many plies.
    LossIn(u32),
}

const FORCED: i32 = 1_000_000;

impl Score {
    /// A draw, and an even position.
    pub const DRAW: Score = Score(0);
    /// Below everything.
    pub const LOWEST: Score = Score(-FORCED - 1);
    /// Above everything.
    pub const HIGHEST: Score = Score(FORCED + 1);

    /// An evaluation.
    pub fn units(hundredths: i32) -> Score {
        Score(hundredths.clamp(-EVALUATION_LIMIT, EVALUATION_LIMIT))
    }

    /// A win after this many plies.
    pub fn win_in(plies: u32) -> Score {
        Score(FORCED - plies.min(FORCED as u32 / 2) as i32)
    }

    /// A loss after this many plies.
    pub fn loss_in(plies: u32) -> Score {
        -Score::win_in(plies)
    }

    /// The score of an outcome after this many plies for a seat. Everything between a full win and
    /// a full loss counts in hundredths.
    pub fn of(outcome: &Outcome, seat: Seat, plies: u32) -> Score {
        Score::of_points(outcome.points()[seat], plies)
    }

    /// The score of a result with these points after this many plies.
    pub(crate) fn of_points(points: u8, plies: u32) -> Score {
        match points {
            WIN => Score::win_in(plies),
            0 => Score::loss_in(plies),
            points => Score::units((i32::from(points) - i32::from(WIN) / 2) * 100),
        }
    }

    /// The forced result, if it is one.
    pub fn forced(self) -> Option<Forced> {
        let plies = (FORCED - self.0.abs()) as u32;
        match self.0 {
            value if value.abs() <= EVALUATION_LIMIT => None,
            value if value > 0 => Some(Forced::WinIn(plies)),
            _ => Some(Forced::LossIn(plies)),
        }
    }

    /// The expected share of a win, from 0 (lost) to 1 (won), where `scale` is that of the game's
    /// evaluations: an evaluation of that size is worth three chances in four.
    pub fn share(self, scale: i32) -> f64 {
        match self.forced() {
            Some(Forced::WinIn(_)) => 1.0,
            Some(Forced::LossIn(_)) => 0.0,
            None => f64::from(chance(self.0 as f32, scale.max(1))),
        }
    }

    /// The score with this raw value, if there is one: what [`value`](Score::value) returned, read
    /// from outside.
    pub fn read(value: i32) -> Option<Score> {
        let size = value.unsigned_abs();
        let is_forced = (FORCED as u32 / 2..=FORCED as u32).contains(&size);
        (size <= EVALUATION_LIMIT as u32 || is_forced).then_some(Score(value))
    }

    /// The score with this raw value.
    pub(crate) const fn from_value(value: i32) -> Score {
        Score(value)
    }

    /// The raw value: hundredths, or beyond any evaluation for a forced result.
    pub const fn value(self) -> i32 {
        self.0
    }
}

impl Neg for Score {
    type Output = Score;
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.forced() {
            Some(Forced::WinIn(1)) => write!(f, "win in 1 ply"),
            Some(Forced::LossIn(1)) => write!(f, "loss in 1 ply"),
            Some(Forced::WinIn(plies)) => write!(f, "win in {plies} plies"),
            Some(Forced::LossIn(plies)) => write!(f, "loss in {plies} plies"),
            None => write!(f, "{:+.2}", f64::from(self.0) / 100.0),
        }
    }
}
