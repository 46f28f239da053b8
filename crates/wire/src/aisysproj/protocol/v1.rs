//! Version 1: outcomes are told, and runs can be abandoned.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};

use super::{Password, lenient};

/// What an agent sends. What is not said has its default.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct Request {
    /// 1.
    #[serde(deserialize_with = "lenient::one")]
    pub protocol_version: u8,
    /// Who asks.
    pub agent: String,
    /// Its password.
    pub pwd: Password,
    /// Its answers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub actions: Vec<Action>,
    /// Runs to be given up, before the actions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub to_abandon: Vec<String>,
    /// Whether it may be asked for several runs at a time.
    #[serde(
        default = "yes",
        deserialize_with = "lenient::boolean",
        skip_serializing_if = "Clone::clone"
    )]
    pub parallel_runs: bool,
    /// The program, for statistics.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub client: String,
}

fn yes() -> bool {
    true
}

impl Request {
    /// A request that answers nothing.
    pub fn new(agent: impl Into<String>, pwd: Password) -> Request {
        Request {
            protocol_version: 1,
            agent: agent.into(),
            pwd,
            actions: Vec::new(),
            to_abandon: Vec::new(),
            parallel_runs: true,
            client: String::new(),
        }
    }
}

/// An answer.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct Action {
    /// In which run.
    pub run: String,
    /// How many actions were made in it before.
    #[serde(deserialize_with = "lenient::whole")]
    pub act_no: i64,
    /// What the agent does.
    pub action: Value,
}

/// What the server answers.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct Response {
    /// The runs in which it is the agent's turn.
    pub action_requests: Vec<ActionRequest>,
    /// The ids of all open runs, those not asked for included.
    pub active_runs: Vec<String>,
    /// The outcomes of the runs that ended by this request.
    pub finished_runs: BTreeMap<String, Number>,
    /// What there is to say.
    #[serde(default)]
    pub messages: Vec<Message>,
}

/// A question: it is the agent's turn.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct ActionRequest {
    /// How many actions were made in the run.
    pub act_no: u64,
    /// What the agent sees.
    pub percept: Value,
    /// Where.
    pub run: String,
}

/// A word of the server, or of the environment.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct Message {
    /// What, for people.
    pub content: String,
    /// About which run; `None` if about none.
    #[serde(default)]
    pub run: Option<String>,
    /// How bad it is.
    #[serde(rename = "type")]
    pub kind: MessageKind,
}

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(rename_all = "lowercase")]
pub enum MessageKind {
    /// Something did not work.
    Error,
    /// Something may not be as it was meant.
    Warning,
    /// Nothing is wrong. No game is to be lost because of a kind that nobody knows, so any other
    /// reads as this.
    #[serde(other)]
    Info,
}
