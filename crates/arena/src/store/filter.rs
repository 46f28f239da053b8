//! Selects stored games.

use std::fmt;
use std::str::FromStr;

use agon_core::{MAX_SEATS, Seat};
use rusqlite::types::Value;

use super::series::SeriesId;
use crate::game_summary::FAULT;
use crate::verdict::Fault;

/// Which games to select. Every field that is set narrows the selection.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Filter {
    /// Those of this series.
    pub series: Option<SeriesId>,
    /// Those of this agent: an entrant's name or its text.
    pub agent: Option<String>,
    /// Those of this variant.
    pub variant: Option<String>,
    /// Those with this result.
    pub result: Option<GameResult>,
    /// Those that ended with a fault.
    pub fault: Option<FaultKind>,
    /// Those that ended at this time or later, in milliseconds since 1970.
    pub since: Option<i64>,
    /// Those that ended before this time.
    pub until: Option<i64>,
}

/// The result of a game, whoever played it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum GameResult {
    /// This seat alone had the most points.
    Win(Seat),
    /// Nobody had the most points alone.
    Draw,
}

const SEATS: [&str; MAX_SEATS] = ["first", "second", "third", "fourth"];
const DRAW: &str = "draw";

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GameResult::Win(seat) => SEATS[seat.index()],
            GameResult::Draw => DRAW,
        })
    }
}

impl FromStr for GameResult {
    type Err = String;

    fn from_str(text: &str) -> Result<GameResult, String> {
        let seat = SEATS.iter().position(|seat| *seat == text);
        match (seat, text) {
            (Some(seat), _) => Ok(GameResult::Win(Seat::new(seat))),
            (None, DRAW) => Ok(GameResult::Draw),
            _ => Err(format!(
                "bad result {text:?}: expected the seat that won, {}, or {DRAW}",
                SEATS.join(", ")
            )),
        }
    }
}

/// A kind of fault, or all of them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FaultKind {
    /// Any fault.
    Any,
    /// This one.
    Only(Fault),
}

impl FaultKind {
    /// The word for any fault.
    pub const ANY: &str = "any";
}

impl FromStr for FaultKind {
    type Err = String;

    fn from_str(text: &str) -> Result<FaultKind, String> {
        if text == FaultKind::ANY {
            return Ok(FaultKind::Any);
        }
        Fault::from_code(text).map(FaultKind::Only).ok_or_else(|| {
            let codes: Vec<&str> = Fault::ALL.iter().map(|fault| fault.code()).collect();
            format!("bad fault {text:?}: expected any, or one of {}", codes.join(", "))
        })
    }
}

/// An entrant matches if its name or its agent is the text.
const AGENT: &str = "EXISTS (SELECT 1 FROM entrants WHERE entrants.series = games.series \
    AND number IN (seat_1, seat_2, seat_3, seat_4) AND ? IN (name, agent))";

const VARIANT: &str = "games.variant = (SELECT id FROM words WHERE text = ?)";

/// The words for ends that were faults.
pub(super) const FAULTS: &str = "games.ended IN (SELECT id FROM words WHERE text GLOB 'fault:*')";

const ENDED: &str = "games.ended = (SELECT id FROM words WHERE text = ?)";

impl Filter {
    /// All games of a series.
    pub fn of(series: SeriesId) -> Filter {
        Filter { series: Some(series), ..Filter::default() }
    }

    /// What follows `WHERE`, and the values for it.
    pub(super) fn condition(&self) -> (String, Vec<Value>) {
        let (mut conditions, mut values) = (vec!["TRUE".to_string()], Vec::new());
        let mut narrow = |condition: &str, value: Option<Value>| {
            conditions.push(condition.to_string());
            values.extend(value);
        };
        if let Some(series) = self.series {
            narrow("games.series = ?", Some(Value::Integer(series.0)));
        }
        if let Some(agent) = &self.agent {
            narrow(AGENT, Some(Value::Text(agent.clone())));
        }
        if let Some(variant) = &self.variant {
            narrow(VARIANT, Some(Value::Text(variant.clone())));
        }
        match self.fault {
            None => {}
            Some(FaultKind::Any) => narrow(FAULTS, None),
            Some(FaultKind::Only(fault)) => {
                narrow(ENDED, Some(Value::Text(format!("{FAULT}{}", fault.code()))));
            }
        }
        match self.result {
            None => {}
            Some(GameResult::Win(seat)) => narrow(&won_by(seat), None),
            Some(GameResult::Draw) => narrow(&format!("{} IS NULL", winner()), None),
        }
        if let Some(since) = self.since {
            narrow("games.finished >= ?", Some(Value::Integer(since)));
        }
        if let Some(until) = self.until {
            narrow("games.finished < ?", Some(Value::Integer(until)));
        }
        (conditions.join(" AND "), values)
    }
}

/// The condition that a seat alone has the most points. Those of empty seats are NULL.
fn won_by(seat: Seat) -> String {
    let points = |seat: Seat| format!("ifnull(points_{}, -1)", seat.index() + 1);
    let others = Seat::all(MAX_SEATS).filter(|&other| other != seat);
    let more = others.map(|other| format!("{} > {}", points(seat), points(other)));
    format!("({})", more.collect::<Vec<_>>().join(" AND "))
}

/// The seat that won, from 0, or NULL.
pub(super) fn winner() -> String {
    let case = |seat: Seat| format!("WHEN {} THEN {}", won_by(seat), seat.index());
    format!("CASE {} END", Seat::all(MAX_SEATS).map(case).collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_and_faults_are_read_as_they_are_written() {
        let seats = Seat::all(MAX_SEATS).map(GameResult::Win);
        for result in seats.chain([GameResult::Draw]) {
            assert_eq!(result.to_string().parse(), Ok(result));
        }
        assert!("1-0".parse::<GameResult>().unwrap_err().contains("first, second"));
        assert_eq!("any".parse(), Ok(FaultKind::Any));
        assert_eq!("crash".parse(), Ok(FaultKind::Only(Fault::Crash)));
        assert!("crashed".parse::<FaultKind>().unwrap_err().contains("illegal-move, garbled"));
    }
}
