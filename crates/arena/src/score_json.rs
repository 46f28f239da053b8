//! Scores in JSON, in the same words everywhere.

use agon_search::{Forced, Score};
use serde::{Deserialize, Serialize};

/// A score in JSON: hundredths, or a forced result with its distance in plies.
///
/// ```
/// use agon_arena::score_json::ScoreJson;
/// use agon_search::Score;
///
/// let json = |score: Score| serde_json::to_string(&ScoreJson::from(score)).unwrap();
/// assert_eq!(json(Score::units(-35)), "-35");
/// assert_eq!(json(Score::win_in(3)), r#"{"win_in":3}"#);
/// ```
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(untagged)]
pub enum ScoreJson {
    /// An evaluation in hundredths of the game's unit.
    Units(i32),
    /// The side to move wins.
    WinIn {
        /// In this many plies.
        win_in: u32,
    },
    /// The side to move loses.
    LossIn {
        /// In this many plies.
        loss_in: u32,
    },
}

impl From<Score> for ScoreJson {
    fn from(score: Score) -> Self {
        match score.forced() {
            None => ScoreJson::Units(score.value()),
            Some(Forced::WinIn(win_in)) => ScoreJson::WinIn { win_in },
            Some(Forced::LossIn(loss_in)) => ScoreJson::LossIn { loss_in },
        }
    }
}

impl From<ScoreJson> for Score {
    fn from(json: ScoreJson) -> Self {
        match json {
            ScoreJson::Units(hundredths) => Score::units(hundredths),
            ScoreJson::WinIn { win_in } => Score::win_in(win_in),
            ScoreJson::LossIn { loss_in } => Score::loss_in(loss_in),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_come_back() {
        for score in [Score::units(0), Score::units(-31), Score::win_in(5), Score::loss_in(4)] {
            let text = serde_json::to_string(&ScoreJson::from(score)).unwrap();
            let read: ScoreJson = serde_json::from_str(&text).unwrap();
            assert_eq!(Score::from(read), score, "{text}");
        }
    }
}
