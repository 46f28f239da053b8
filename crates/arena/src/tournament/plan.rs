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
        let format = match self.format.to_plan() {
            // Entrants and seed are stored beside the plan. A comparison of an experiment may go on
            // for more games than it was started with; any other match is never resumed.
            None if !self.name.is_empty() => return json!({ "terms": terms }),
            None => return json!({ "terms": terms, "games": Schedule::games(self) }),
            Some(format) => format,
        };
        let entrants = self.entrants.iter().map(|entrant| {
            json!({
                "name": entrant.name,
                "agent": entrant.agent.text(),
                "options": entrant.options,
            })
        });
        let mut plan = json!({
            "format": format,
            "agents": entrants.collect::<Vec<_>>(),
            "terms": terms,
            "games": self.games,
            "seats": self.seats,
            "planned": Schedule::games(self),
            "seed": self.seed,
        });
        if let Some(speed) = self.reference_speed {
            plan["reference_speed"] = json!(speed);
        }
        plan
    }
}

impl Format {
    /// The format in a plan; a match has none.
    fn to_plan(self) -> Option<Value> {
        let name = self.name();
        Some(match self {
            Format::Match { .. } => return None,
            Format::RoundRobin => json!({ "name": name }),
            Format::Gauntlet { champions } => json!({ "name": name, "champions": champions }),
            Format::Swiss { rounds } => json!({ "name": name, "rounds": rounds }),
            Format::Contest { rounds, settled, groups } => {
                json!({ "name": name, "rounds": rounds, "settled": settled, "groups": groups })
            }
        })
    }

    /// The format that a plan has.
    pub(super) fn from_plan(plan: &Value) -> Option<Format> {
        let number = |key: &str| plan[key].as_u64().and_then(|number| u32::try_from(number).ok());
        let small = |key: &str| number(key).and_then(|number| u16::try_from(number).ok());
        Some(match plan["name"].as_str()? {
            "round-robin" => Format::RoundRobin,
            "gauntlet" => Format::Gauntlet { champions: small("champions")? },
            "swiss" => Format::Swiss { rounds: number("rounds")? },
            "contest" => Format::Contest {
                rounds: number("rounds")?,
                settled: plan["settled"].as_f64()?,
                groups: small("groups")?,
            },
            _ => return None,
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

/// The part of a format that can change: a tournament can be made longer.
const ROUNDS: &str = "rounds";

/// Which parts of two plans differ, in words, apart from what may change: the agents and the number
/// of rounds.
pub fn differences(before: &Value, now: &Value) -> Vec<String> {
    let mut different = Vec::new();
    let fixed = |plan: &Value, key: &str| {
        let mut part = plan[key].clone();
        part.as_object_mut().map(|format| format.remove(ROUNDS));
        part
    };
    for key in ["format", "terms", "games", "seed", "reference_speed"] {
        let (before, now) = (&fixed(before, key), &fixed(now, key));
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
