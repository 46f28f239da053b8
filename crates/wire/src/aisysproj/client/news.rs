//! A response of either version.

use std::collections::HashSet;

use serde_json::Value;

use crate::aisysproj::protocol::Response;
use crate::aisysproj::protocol::v1::MessageKind;

/// The contents of a response.
pub(super) struct News {
    pub(super) version: u8,
    /// The runs in which it is the agent's turn, each once.
    pub(super) asked: Vec<Asked>,
    /// All open runs, if reported.
    pub(super) open: Option<HashSet<String>>,
    /// Runs that ended, and their outcomes.
    pub(super) finished: Vec<(String, f64)>,
    pub(super) messages: Vec<Said>,
}

/// A request for a move.
pub(super) struct Asked {
    pub(super) run: String,
    pub(super) number: u64,
    pub(super) percept: Value,
}

/// A message from the server.
pub(super) struct Said {
    pub(super) kind: MessageKind,
    pub(super) run: Option<String>,
    pub(super) text: String,
}

impl From<Response> for News {
    fn from(response: Response) -> News {
        let mut news = match response {
            Response::V0(response) => {
                let said = |kind| move |text| Said { kind, run: None, text };
                let errors = response.errors.into_iter().map(said(MessageKind::Error));
                let others = response.messages.into_iter().map(said(MessageKind::Info));
                let asked = response.action_requests.into_iter().map(|request| Asked {
                    run: request.run.run,
                    number: request.run.number,
                    percept: request.percept,
                });
                News {
                    version: 0,
                    asked: asked.collect(),
                    open: None,
                    finished: Vec::new(),
                    messages: errors.chain(others).collect(),
                }
            }
            Response::V1(response) => {
                let asked = response.action_requests.into_iter().map(|request| Asked {
                    run: request.run,
                    number: request.act_no,
                    percept: request.percept,
                });
                let finished = response.finished_runs.into_iter();
                let messages = response.messages.into_iter().map(|message| Said {
                    kind: message.kind,
                    run: message.run,
                    text: message.content,
                });
                News {
                    version: 1,
                    asked: asked.collect(),
                    open: Some(response.active_runs.into_iter().collect()),
                    finished: finished
                        .map(|(run, outcome)| (run, outcome.as_f64().unwrap_or(f64::NAN)))
                        .collect(),
                    messages: messages.collect(),
                }
            }
        };
        let mut seen = HashSet::new();
        news.asked.retain(|asked| seen.insert(asked.run.clone()));
        news
    }
}
