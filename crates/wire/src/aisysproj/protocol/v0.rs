//! Version 0: the course's own edition.

use std::fmt;
use std::str::FromStr;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::{Malformed, Password, lenient};

/// An agent's request.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct Request {
    /// The agent's name.
    pub agent: String,
    /// Its password.
    pub pwd: Password,
    /// Its answers.
    #[serde(default)]
    pub actions: Vec<Action>,
    /// Whether it wants requests for one run at a time.
    #[serde(
        default,
        deserialize_with = "lenient::boolean",
        skip_serializing_if = "std::ops::Not::not"
    )]
    pub single_request: bool,
}

/// An answer.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct Action {
    /// The step it answers.
    pub run: Step,
    /// The action.
    pub action: Value,
}

/// The server's response.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct Response {
    /// The runs in which it is the agent's turn.
    #[serde(rename = "action-requests")]
    pub action_requests: Vec<ActionRequest>,
    /// Errors about the actions, for people.
    #[serde(default)]
    pub errors: Vec<String>,
    /// Other messages, for people.
    #[serde(default)]
    pub messages: Vec<String>,
}

/// A request for an action: it is the agent's turn.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct ActionRequest {
    /// What the agent sees.
    pub percept: Value,
    /// The run and the number of the action.
    pub run: Step,
}

/// A run and how many actions were made in it: `7#3`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Step {
    /// The run's id: digits, without leading zeros.
    pub run: String,
    /// The number of actions before this one.
    pub number: u64,
}

impl FromStr for Step {
    type Err = Malformed;

    fn from_str(text: &str) -> Result<Step, Malformed> {
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        let malformed = || Malformed("expected a run such as 7#3".into());
        let (run, number) = text.split_once('#').ok_or_else(malformed)?;
        if !digits(run) || !digits(number) {
            return Err(malformed());
        }
        let run = match run.trim_start_matches('0') {
            "" => "0",
            run => run,
        };
        Ok(Step { run: run.to_string(), number: number.parse().map_err(|_| malformed())? })
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}", self.run, self.number)
    }
}

impl Serialize for Step {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Step {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Step, D::Error> {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}
