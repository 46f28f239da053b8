//! The connection to the server: one request, one reply, and what a reply means.

use std::io::ErrorKind;
use std::time::{Duration, Instant};

use agon_search::AgentError;
use thiserror::Error;
use ureq::config::Config as HttpConfig;
use ureq::{Agent, Timeout};

use super::config::Config;
use super::news::News;
use super::waiting::Patience;
use crate::aisysproj::protocol::{Password, Refusal, Response};
use crate::problem::{quoted, single_line};

/// The maximum size of a response, in bytes.
const LARGEST: u64 = 4 << 20;
/// The maximum size of a response's header, in bytes.
const LARGEST_HEADER: usize = 64 << 10;
/// How much of an unexpected body is shown.
const LONGEST_SHOWN: usize = 200;
/// How much of a body is reported to listeners that show everything.
const LONGEST_REPORTED: usize = 256 << 10;

/// Why a client cannot continue. None of these contains the password.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
#[non_exhaustive]
pub enum Failure {
    /// The agent's name or password is not accepted.
    #[error(
        "the server does not accept the agent or its password: {0}; is it the right config file?"
    )]
    Credentials(String),
    /// The server refuses requests like this one, so retrying cannot help.
    #[error("the server refuses the request with status {status}: {text}")]
    Refused {
        /// The status.
        status: u16,
        /// Its message.
        text: String,
    },
    /// The server has moved. The password is not sent to an address from a redirect.
    #[error(
        "the server answers with status {status}: it is now at {to}; if that is right, write it \
         into the config file"
    )]
    Moved {
        /// The status.
        status: u16,
        /// The new address, in quotes.
        to: String,
    },
    /// There is no secure connection to the server.
    #[error("no secure connection to the server: {0}")]
    Unsafe(String),
    /// The server asks only for runs that cannot be played.
    #[error("the server asks only for runs that cannot be played: {0}")]
    Stuck(String),
    /// The agent cannot play this.
    #[error(transparent)]
    Agent(#[from] AgentError),
}

/// Why there is no valid response.
#[derive(Debug)]
pub(super) enum Trouble {
    /// It may be temporary.
    Passing {
        /// The problem, on one line.
        why: String,
        /// Whether the server itself failed while processing the request.
        crashed: bool,
    },
    /// Something in the request is not allowed.
    BadRequest(Failure),
    /// It is permanent.
    Lasting(Failure),
}

impl Trouble {
    fn passing(why: impl Into<String>) -> Trouble {
        Trouble::Passing { why: why.into(), crashed: false }
    }
}

/// The raw reply.
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) took: Duration,
    location: Option<String>,
    body: Vec<u8>,
}

/// The connection to one server.
pub(super) struct Link {
    http: Agent,
    address: String,
    password: Password,
    answer: Duration,
    /// Whether the server has ever responded.
    known: bool,
}

impl Link {
    pub(super) fn new(config: &Config, patience: &Patience) -> Link {
        let mut http = Agent::config_builder()
            .http_status_as_error(false)
            // A redirect would send the password elsewhere.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .max_response_header_size(LARGEST_HEADER)
            .user_agent(concat!("agon/", env!("CARGO_PKG_VERSION")))
            .timeout_resolve(Some(patience.connect))
            .timeout_connect(Some(patience.connect))
            .timeout_send_request(Some(patience.answer))
            .timeout_send_body(Some(patience.answer))
            .timeout_recv_response(Some(patience.answer))
            .timeout_recv_body(Some(patience.answer));
        if config.is_local() {
            // No proxy can reach this machine's own addresses.
            http = http.proxy(None);
        }
        let http: HttpConfig = http.build();
        Link {
            http: http.into(),
            address: config.act_address(),
            password: config.pwd.clone(),
            answer: patience.answer,
            known: false,
        }
    }

    /// A text from the server without the password.
    pub(super) fn clean(&self, text: &str, longest: usize) -> String {
        single_line(&self.password.hide_in(text), longest)
    }

    /// Sends a body and waits for the reply.
    pub(super) fn put(&mut self, body: &str) -> Result<Reply, Trouble> {
        let begun = Instant::now();
        let request = self.http.put(&self.address).content_type("application/json");
        let mut response = request.send(body.as_bytes()).map_err(|error| self.no_reply(&error))?;
        let header = response.headers().get("location");
        let location = header.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
        let read = response.body_mut().with_config().limit(LARGEST).read_to_vec();
        let body = read.map_err(|error| self.no_reply(&error))?;
        let status = response.status().as_u16();
        Ok(Reply { status, took: begun.elapsed(), location, body })
    }

    /// What the lack of a reply means.
    fn no_reply(&self, error: &ureq::Error) -> Trouble {
        use ureq::Error;
        let seconds = self.answer.as_secs();
        let is_unsafe = match error {
            Error::Tls(_) | Error::Rustls(_) | Error::Pem(_) => true,
            // Bad certificates are reported as invalid data.
            Error::Io(error) => error.kind() == ErrorKind::InvalidData,
            _ => false,
        };
        // Later on a temporary network problem is more likely.
        if is_unsafe && !self.known {
            return Trouble::Lasting(Failure::Unsafe(
                self.clean(&error.to_string(), LONGEST_SHOWN),
            ));
        }
        Trouble::passing(match error {
            Error::Timeout(Timeout::Connect | Timeout::Resolve) => {
                "the server cannot be reached in time".to_string()
            }
            Error::Timeout(_) => format!("no answer within {seconds} s"),
            Error::HostNotFound => {
                "the server's name cannot be resolved; is there a network?".into()
            }
            Error::BodyExceedsLimit(_) => "the answer is too long".into(),
            Error::Io(error) => self.clean(&format!("no connection: {error}"), LONGEST_SHOWN),
            Error::Protocol(_) => "the answer is not HTTP, or was cut off".into(),
            other => self.clean(&other.to_string(), LONGEST_SHOWN),
        })
    }

    /// The body of a reply, for listeners that show everything.
    pub(super) fn full_body(&self, reply: &Reply) -> String {
        self.clean(String::from_utf8_lossy(&reply.body).trim_end(), LONGEST_REPORTED)
    }

    /// What a reply means.
    pub(super) fn judge(&mut self, reply: &Reply) -> Result<News, Trouble> {
        let status = reply.status;
        if status == 200 {
            let read = Response::read(&reply.body);
            self.known |= read.is_ok();
            return read.map(News::from).map_err(|problem| {
                let shown = quoted(&self.excerpt(reply));
                Trouble::passing(format!("the answer is invalid ({problem}): {shown}"))
            });
        }
        let text = self.said(reply);
        let refused = |text| Failure::Refused { status, text };
        Err(match status {
            300..=399 => {
                let to = self.clean(reply.location.as_deref().unwrap_or("nowhere"), LONGEST_SHOWN);
                Trouble::Lasting(Failure::Moved { status, to: format!("{to:?}") })
            }
            400 => Trouble::BadRequest(refused(text)),
            401 => Trouble::Lasting(Failure::Credentials(text)),
            // Too slow, too early, too often: temporary.
            408 | 425 | 429 => Trouble::passing(format!("status {status}: {text}")),
            402..=499 => Trouble::Lasting(refused(text)),
            _ => {
                let mut why = format!("status {status}: {text}");
                if status == 500 && !self.known {
                    why.push_str(" (old servers say this about an unknown agent)");
                }
                Trouble::Passing { why, crashed: status == 500 }
            }
        })
    }

    /// What a reply says besides its status.
    fn said(&self, reply: &Reply) -> String {
        let refusal = Refusal::read(&reply.body);
        match refusal.filter(|refusal| !refusal.description.is_empty()) {
            Some(refusal) => self.clean(&refusal.description, LONGEST_SHOWN),
            None => match self.excerpt(reply) {
                empty if empty.is_empty() => "no further message".into(),
                excerpt => quoted(&excerpt),
            },
        }
    }

    fn excerpt(&self, reply: &Reply) -> String {
        self.clean(String::from_utf8_lossy(&reply.body).trim(), LONGEST_SHOWN)
    }
}
