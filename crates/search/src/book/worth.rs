//! Values in two bytes: hundredths of the game's unit, and forced results beyond them.

use crate::score::{Forced, Score};

/// The value of a move for the side that makes it, as it is stored in a book. The order is that of
/// the scores.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Worth(i16);

/// The largest value that is not a forced result.
const LARGEST: i16 = 32_000;
/// A win on the spot.
const WON: i16 = i16::MAX;
/// The longest distance of a forced result that is kept; longer ones become this.
const FARTHEST: u32 = 700;

impl Worth {
    /// The stored form of a score.
    pub fn of(score: Score) -> Worth {
        let distance = |plies: u32| plies.min(FARTHEST) as i16;
        match score.forced() {
            Some(Forced::WinIn(plies)) => Worth(WON - distance(plies)),
            Some(Forced::LossIn(plies)) => Worth(distance(plies) - WON),
            None => {
                let largest = i32::from(LARGEST);
                Worth(score.value().clamp(-largest, largest) as i16)
            }
        }
    }

    /// The score.
    pub fn score(self) -> Score {
        let distance = WON.abs_diff(self.0.saturating_abs());
        match self.0 {
            value if !self.is_forced() => Score::units(value.into()),
            value if value > 0 => Score::win_in(distance.into()),
            _ => Score::loss_in(distance.into()),
        }
    }

    /// Whether the result is forced.
    pub fn is_forced(self) -> bool {
        self.0.unsigned_abs() > LARGEST.unsigned_abs()
    }

    /// The value of a move that leads to a position with this value for the side to move there.
    #[must_use]
    pub fn one_ply_earlier(self) -> Worth {
        match self.score().forced() {
            Some(Forced::WinIn(plies)) => Worth::of(Score::loss_in(plies + 1)),
            Some(Forced::LossIn(plies)) => Worth::of(Score::win_in(plies + 1)),
            None => Worth(-self.0),
        }
    }

    /// By how many hundredths it is below another; large where one of them is forced.
    pub fn below(self, best: Worth) -> u32 {
        u32::from(best.0.abs_diff(self.0.min(best.0)))
    }

    /// How far it is from an even game, in hundredths.
    pub fn imbalance(self) -> u32 {
        self.0.unsigned_abs().into()
    }

    pub(super) fn to_bytes(self) -> [u8; 2] {
        self.0.to_le_bytes()
    }

    pub(super) fn from_bytes(bytes: [u8; 2]) -> Worth {
        Worth(i16::from_le_bytes(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_survive_and_keep_their_order() {
        let scores = [
            Score::loss_in(0),
            Score::loss_in(7),
            Score::units(-32_000),
            Score::units(-1),
            Score::DRAW,
            Score::units(517),
            Score::win_in(700),
            Score::win_in(1),
        ];
        for score in scores {
            assert_eq!(Worth::of(score).score(), score);
        }
        assert!(scores.map(Worth::of).is_sorted());
        assert_eq!(Worth::of(Score::units(100_000)).score(), Score::units(32_000));
        assert_eq!(Worth::of(Score::win_in(5_000)).score(), Score::win_in(700));
        assert!(Worth(i16::MIN).is_forced(), "whatever a file says");
        assert_eq!(Worth(i16::MIN).score(), Score::loss_in(0));
    }

    #[test]
    fn the_other_side_sees_the_opposite_one_ply_later() {
        let earlier = |score| Worth::of(score).one_ply_earlier().score();
        assert_eq!(earlier(Score::win_in(3)), Score::loss_in(4));
        assert_eq!(earlier(Score::loss_in(4)), Score::win_in(5));
        assert_eq!(earlier(Score::units(20)), Score::units(-20));
        let below = |one, best| Worth::of(Score::units(one)).below(Worth::of(Score::units(best)));
        assert_eq!((below(-5, 20), below(20, 20), below(25, 20)), (25, 0, 0));
    }
}
