//! The levels.

use std::fmt;
use std::str::FromStr;

/// How far a program is kept away from everything that is not its game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub enum Level {
    /// It runs as the arena's own user and can do what that user can. For one's own programs.
    #[default]
    None,
    /// Landlock and a filter of system calls: no files of others, no network, no signals to others.
    /// What it holds is watched, but it is not frozen while others think.
    Weak,
    /// Namespaces of its own with our own first process, which also freezes it while others think.
    Sandbox,
}

/// A text that names no level.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
#[error("{0:?} is no level of isolation; expected sandbox, weak or none")]
pub struct UnknownLevel(pub String);

impl Level {
    /// All levels, the weakest first.
    pub const ALL: [Level; 3] = [Level::None, Level::Weak, Level::Sandbox];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Level::None => "none",
            Level::Weak => "weak",
            Level::Sandbox => "sandbox",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Level {
    type Err = UnknownLevel;

    fn from_str(text: &str) -> Result<Level, UnknownLevel> {
        let found = Level::ALL.into_iter().find(|level| level.name() == text);
        found.ok_or_else(|| UnknownLevel(text.to_string()))
    }
}

impl serde::Serialize for Level {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> serde::Deserialize<'de> for Level {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Level, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}
