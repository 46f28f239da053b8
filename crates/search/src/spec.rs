//! Agents as text: `NAME[:OPTION=VALUE,…]`, and errors with suggestions.

use agon_core::MAX_SEATS;
use agon_core::nearest::nearest;
use std::fmt;
use std::str::FromStr;

/// A kind of agent, for lists, help and errors.
#[derive(Clone, Copy, Debug)]
pub struct AgentInfo {
    /// Its name.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub about: &'static str,
    /// The supported numbers of players.
    pub seats: &'static [usize],
    /// Its options.
    pub options: &'static [OptionInfo],
    /// How it comes to its move.
    pub manner: Manner,
}

/// How an agent comes to its move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Manner {
    /// At once, by chance: not a move to recommend.
    ByChance,
    /// At once, without a search.
    AtOnce,
    /// By a search to a fixed depth, which has no move before it is through; only a clock makes it
    /// deepen ply by ply.
    ToDepth,
    /// By a search that has a better and better move at any time.
    Anytime,
}

impl Manner {
    /// Whether the move is there faster than another thread could be woken.
    pub fn is_instant(self) -> bool {
        matches!(self, Manner::ByChance | Manner::AtOnce)
    }
}

impl AgentInfo {
    /// The option with this role, at a table of `seats`.
    pub fn option(&self, role: Role, seats: usize) -> Option<&'static OptionInfo> {
        self.options.iter().find(|option| option.role == role && seats <= option.most_seats)
    }
}

/// An option of an agent.
#[derive(Clone, Copy, Debug)]
pub struct OptionInfo {
    /// Its name.
    pub name: &'static str,
    /// The possible values.
    pub values: &'static str,
    /// What it does, and its default.
    pub about: &'static str,
    /// What it stands for.
    pub role: Role,
    /// The largest number of players it is for.
    pub most_seats: usize,
}

/// What an option stands for, whatever the agent calls it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Something of the agent's own.
    Own,
    /// The depth in plies.
    Depth,
    /// The playing strength.
    Level,
    /// How many best moves to find.
    Lines,
    /// The memory in MiB.
    Memory,
    /// The number of threads.
    Threads,
}

impl OptionInfo {
    /// An option of the agent's own.
    pub const fn new(name: &'static str, values: &'static str, about: &'static str) -> OptionInfo {
        OptionInfo { name, values, about, role: Role::Own, most_seats: MAX_SEATS }
    }

    /// The same with a role.
    pub const fn role(self, role: Role) -> OptionInfo {
        OptionInfo { role, ..self }
    }

    /// The same, for so many players at most.
    pub const fn for_at_most(self, most_seats: usize) -> OptionInfo {
        OptionInfo { most_seats, ..self }
    }
}

/// A parsed agent text.
///
/// ```
/// use agon_search::AgentSpec;
/// let spec: AgentSpec = "alphabeta:depth=4,eval=simple".parse().unwrap();
/// assert_eq!(spec.name, "alphabeta");
/// assert_eq!(spec.options[0], ("depth".to_string(), "4".to_string()));
/// assert_eq!(spec.to_string(), "alphabeta:depth=4,eval=simple");
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct AgentSpec {
    /// The kind of agent.
    pub name: String,
    /// The options in the order given.
    pub options: Vec<(String, String)>,
}

/// An invalid agent text, and what would be right.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AgentError {
    text: String,
    problem: String,
}

impl AgentError {
    /// An error about the agent `text`.
    pub fn new(text: impl fmt::Display, problem: impl Into<String>) -> AgentError {
        AgentError { text: text.to_string(), problem: problem.into() }
    }
}

impl fmt::Display for AgentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "bad agent {:?}: {}", self.text, self.problem)
    }
}

impl std::error::Error for AgentError {}

impl FromStr for AgentSpec {
    type Err = AgentError;

    fn from_str(text: &str) -> Result<AgentSpec, AgentError> {
        let (name, options) = text.split_once(':').unwrap_or((text, ""));
        if name.is_empty() {
            return Err(AgentError::new(
                text,
                "expected NAME or NAME:OPTION=VALUE,…, such as alphabeta:depth=4",
            ));
        }
        let mut spec = AgentSpec { name: name.to_string(), options: Vec::new() };
        for part in options.split(',').filter(|part| !part.is_empty()) {
            let Some((option, value)) = part.split_once('=') else {
                return Err(AgentError::new(
                    text,
                    format!("expected OPTION=VALUE, found {part:?}"),
                ));
            };
            if spec.option(option).is_some() {
                return Err(AgentError::new(text, format!("{option} is given twice")));
            }
            spec.options.push((option.to_string(), value.to_string()));
        }
        Ok(spec)
    }
}

impl fmt::Display for AgentSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name)?;
        for (index, (option, value)) in self.options.iter().enumerate() {
            write!(f, "{}{option}={value}", if index == 0 { ':' } else { ',' })?;
        }
        Ok(())
    }
}

impl AgentSpec {
    /// The value of an option, if it is given.
    pub fn option(&self, name: &str) -> Option<&str> {
        self.options.iter().find(|(option, _)| option == name).map(|(_, value)| value.as_str())
    }

    /// A whole number in a range, if it is given.
    pub fn number(
        &self,
        name: &str,
        range: std::ops::RangeInclusive<u32>,
    ) -> Result<Option<u32>, AgentError> {
        let Some(text) = self.option(name) else { return Ok(None) };
        let number = text.parse().ok().filter(|number| range.contains(number));
        let expected =
            || format!("expected {name}={} to {}, found {name}={text}", range.start(), range.end());
        number.map(Some).ok_or_else(|| AgentError::new(self, expected()))
    }

    /// A switch, if it is given.
    pub fn switch(&self, name: &str) -> Result<Option<bool>, AgentError> {
        match self.option(name) {
            None => Ok(None),
            Some("on") => Ok(Some(true)),
            Some("off") => Ok(Some(false)),
            Some(other) => {
                let problem = format!("expected {name}=on or {name}=off, found {name}={other}");
                Err(AgentError::new(self, problem))
            }
        }
    }

    /// Checks that the agent has every option given.
    pub(crate) fn check_options(&self, info: &AgentInfo) -> Result<(), AgentError> {
        let names: Vec<&str> = info.options.iter().map(|option| option.name).collect();
        match self.options.iter().find(|(option, _)| !names.contains(&option.as_str())) {
            None => Ok(()),
            Some((option, _)) => {
                let what = format!("{} has no option {option:?}", info.name);
                Err(AgentError::new(self, choices(&what, option, &names)))
            }
        }
    }

    /// The error for an unknown name, with those that exist.
    pub fn unknown(&self, what: &str, name: &str, known: &[&str]) -> AgentError {
        AgentError::new(self, choices(&format!("there is no {what} {name:?}"), name, known))
    }
}

/// "There is no X; did you mean Y? There are: …"
pub fn choices(problem: &str, wanted: &str, known: &[&str]) -> String {
    let guess = nearest(wanted, known);
    let guess = guess.map_or(".".to_string(), |name| format!("; did you mean {name}?"));
    let list = if known.is_empty() { "none".to_string() } else { known.join(", ") };
    format!("{problem}{guess} There are: {list}")
}
