//! Version 1: outcomes are reported, and runs can be abandoned.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};

use super::{Password, lenient};

/// An agent's request. Missing fields have their defaults.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct Request {
    /// 1.
    #[serde(deserialize_with = "lenient::one")]
    pub protocol_version: u8,
    /// The agent's name.
    pub agent: String,
    /// Its password.
    pub pwd: Password,
    /// Its answers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub actions: Vec<Action>,
    /// Runs to be abandoned, before the actions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub to_abandon: Vec<String>,
    /// Whether it accepts requests for several runs at a time.
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
    /// The run.
    pub run: String,
    /// How many actions were made in it before.
    #[serde(deserialize_with = "lenient::whole")]
    pub act_no: i64,
    /// The action.
    pub action: Value,
}

/// The server's response.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct Response {
    /// The runs in which it is the agent's turn.
    pub action_requests: Vec<ActionRequest>,
    /// The ids of all open runs, including those without a request.
    pub active_runs: Vec<String>,
    /// The outcomes of the runs that this request ended.
    pub finished_runs: BTreeMap<String, Number>,
    /// Messages.
    #[serde(default)]
    pub messages: Vec<Message>,
}

/// A request for an action: it is the agent's turn.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct ActionRequest {
    /// How many actions were made in the run.
    pub act_no: u64,
    /// What the agent sees.
    pub percept: Value,
    /// The run.
    pub run: String,
}

/// A message from the server or the environment.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct Message {
    /// The text, for people.
    pub content: String,
    /// The run it is about, if any.
    #[serde(default)]
    pub run: Option<String>,
    /// Its severity.
    #[serde(rename = "type")]
    pub kind: MessageKind,
}

/// The severity of a message.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(rename_all = "lowercase")]
pub enum MessageKind {
    /// Something failed.
    Error,
    /// Something may be unintended.
    Warning,
    /// Nothing is wrong. No game should be lost because of an unknown kind, so any other is read as
    /// this.
    #[serde(other)]
    Info,
}
