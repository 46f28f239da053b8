//! Selects stored games.

use rusqlite::types::Value;

use super::series::SeriesId;

/// Which games to select. Every field that is set narrows the selection.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Filter {
    /// Those of this series.
    pub series: Option<SeriesId>,
    /// Those of this agent: an entrant's name or its text.
    pub agent: Option<String>,
    /// Those of this variant.
    pub variant: Option<String>,
    /// Those that ended with a fault.
    pub faults_only: bool,
}

/// An entrant matches if its name or its agent is the text.
const AGENT: &str = "EXISTS (SELECT 1 FROM entrants WHERE entrants.series = games.series \
    AND number IN (seat_1, seat_2, seat_3, seat_4) AND ? IN (name, agent))";

const VARIANT: &str = "games.variant = (SELECT id FROM words WHERE text = ?)";

/// The words for ends that were faults.
pub(super) const FAULTS: &str = "games.ended IN (SELECT id FROM words WHERE text GLOB 'fault:*')";

impl Filter {
    /// All games of a series.
    pub fn of(series: SeriesId) -> Filter {
        Filter { series: Some(series), ..Filter::default() }
    }

    /// What follows `WHERE`, and the values for it.
    pub(super) fn condition(&self) -> (String, Vec<Value>) {
        let (mut conditions, mut values) = (vec!["TRUE"], Vec::new());
        if let Some(series) = self.series {
            conditions.push("games.series = ?");
            values.push(Value::Integer(series.0));
        }
        if let Some(agent) = &self.agent {
            conditions.push(AGENT);
            values.push(Value::Text(agent.clone()));
        }
        if let Some(variant) = &self.variant {
            conditions.push(VARIANT);
            values.push(Value::Text(variant.clone()));
        }
        if self.faults_only {
            conditions.push(FAULTS);
        }
        (conditions.join(" AND "), values)
    }
}
