//! The plan of a tournament: everything that determines its games, as JSON. It is in the store, and
//! must not have changed when a tournament is resumed.

use serde_json::{Value, json};

use super::schedule::Schedule;
use super::{Format, Tournament};
use crate::files::read_whole;
use crate::fixture::Terms;
use crate::openings::Openings;

impl Tournament {
    /// Everything that determines the games.
    pub fn plan(&self) -> Value {
        let terms: Vec<Value> = self.terms.iter().map(terms_json).collect();
        let format = match self.format {
            // Entrants and seed are stored beside the plan. A comparison of an experiment may go on
            // for more games than it was started with; any other match is never resumed.
            Format::Match { .. } if !self.name.is_empty() => return json!({ "terms": terms }),
            Format::Match { .. } => {
                return json!({ "terms": terms, "games": Schedule::games(self) });
            }
            Format::RoundRobin => json!({ "name": "round-robin" }),
            Format::Gauntlet { champions } => json!({ "name": "gauntlet", "champions": champions }),
            Format::Swiss { rounds } => json!({ "name": "swiss", "rounds": rounds }),
            Format::Contest { rounds, settled, groups } => {
                json!({ "name": "contest", "rounds": rounds, "settled": settled, "groups": groups })
            }
        };
        let entrants = self.entrants.iter().map(|entrant| {
            json!({
                "name": entrant.name,
                "agent": entrant.agent.text(),
                "options": entrant.options,
            })
        });
        json!({
            "format": format,
            "agents": entrants.collect::<Vec<_>>(),
            "terms": terms,
            "games": self.games,
            "seats": self.seats,
            "planned": Schedule::games(self),
            "seed": self.seed,
        })
    }
}

/// Terms as they are stored: by their contents.
pub fn terms_json(terms: &Terms) -> Value {
    json!({
        "variant": terms.variant.to_string(),
        "pace": terms.pace.to_string(),
        "openings": openings_text(terms),
    })
}

/// Openings by their contents: a file by its name and its checksum, wherever it is, and those from
/// a book by its checksum.
fn openings_text(Terms { openings, catalog, variant, .. }: &Terms) -> String {
    let Openings::File(path) = openings else {
        let sum = openings.origin(catalog, variant);
        return sum.map_or(openings.to_string(), |sum| format!("{openings} {sum:08x}"));
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let sum = read_whole(path, u64::MAX).map_or(0, |contents| crc32fast::hash(&contents));
    format!("file:{name} {sum:08x}")
}

/// Which parts of two plans differ, in words.
pub fn differences(before: &Value, now: &Value) -> Vec<String> {
    let mut different = Vec::new();
    for key in ["format", "agents", "terms", "games", "seed"] {
        let (before, now) = (&before[key], &now[key]);
        if before == now {
            continue;
        }
        different.push(match (before.as_array(), now.as_array()) {
            (Some(before), Some(now)) if before.len() != now.len() => {
                format!("{key}: {} before, {} now", before.len(), now.len())
            }
            (Some(before), Some(now)) => {
                let pair = before.iter().zip(now).find(|(before, now)| before != now);
                pair.map_or(key.to_string(), |(before, now)| {
                    format!("{key}: {before} before, {now} now")
                })
            }
            _ => format!("{key}: {before} before, {now} now"),
        });
    }
    different
}
