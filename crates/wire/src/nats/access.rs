//! How a broker is reached: its address, and what proves who we are.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use async_nats::jetstream::{self, Context};
use async_nats::{Client, ConnectOptions, Event, ServerError};

use super::NatsError;
use super::names::LARGEST_MESSAGE;

/// How long to wait for the broker when a command starts.
const PATIENCE: Duration = Duration::from_secs(5);
/// The pauses between attempts to reach a broker that was lost.
const LONGEST_PAUSE: Duration = Duration::from_secs(2);
/// How much a message may have around what is in it.
const HEADERS: usize = 4 << 10;
/// How large a file with a secret may be.
const LARGEST_SECRET: u64 = 64 << 10;

/// What happens to a connection.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Link {
    /// The broker is away, or is there again.
    Changed(String),
    /// The broker does not let us do something.
    Refused(String),
}

/// A text that is never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// This text, without the line break that editors leave at the end of a file.
    pub fn new(text: &str) -> Secret {
        Secret(text.trim_end_matches(['\r', '\n']).to_string())
    }

    /// The contents of a file.
    pub fn read(file: &Path) -> Result<Secret, NatsError> {
        let failed = |problem: String| NatsError::Secret { file: file.to_path_buf(), problem };
        let size = fs::metadata(file).map_err(|error| failed(error.to_string()))?.len();
        if size > LARGEST_SECRET {
            return Err(failed("it is too large for a secret".into()));
        }
        let text = fs::read_to_string(file).map_err(|error| failed(error.to_string()))?;
        Ok(Secret::new(&text))
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(secret)")
    }
}

/// What proves to a broker who we are.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum Credentials {
    /// Nothing: the broker lets everybody in.
    #[default]
    None,
    /// A file with a token and a key, as `nsc` writes it.
    File(PathBuf),
    /// The seed of an nkey.
    Nkey(Secret),
    /// A user and a password.
    Password(String, Secret),
    /// A token.
    Token(Secret),
}

/// A broker, or the addresses of several that form a cluster.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Access {
    urls: Vec<String>,
    credentials: Credentials,
    authorities: Vec<PathBuf>,
}

impl Access {
    /// The brokers at these addresses, separated by commas. An address with a password is refused:
    /// others can see the arguments of a process.
    pub fn new(urls: &str) -> Result<Access, NatsError> {
        let bad = |url: &str, problem| NatsError::Url { url: url.to_string(), problem };
        let mut found = Vec::new();
        for url in urls.split(',').map(str::trim) {
            let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
            if rest.contains('@') {
                let shown =
                    url.replace(rest.rsplit_once('@').map_or("", |(secret, _)| secret), "…");
                let problem = "an address with a password can be seen by others; use \
                               AGON_NATS_USER and AGON_NATS_PASSWORD, or --nats-creds";
                return Err(bad(&shown, problem));
            }
            let url = if url.contains("://") { url.to_string() } else { format!("nats://{url}") };
            let scheme = url.split("://").next().unwrap_or_default();
            let port = rest.rsplit_once(':').map(|(_, port)| port);
            let is_bad = port.is_some_and(|it| !it.ends_with(']') && it.parse::<u16>().is_err());
            if !["nats", "tls"].contains(&scheme) || rest.is_empty() || is_bad {
                return Err(bad(&url, "expected an address such as nats://broker:4222"));
            }
            found.push(url);
        }
        let (credentials, authorities) = (Credentials::None, Vec::new());
        Ok(Access { urls: found, credentials, authorities })
    }

    /// The same, with these credentials.
    pub fn with(self, credentials: Credentials) -> Access {
        Access { credentials, ..self }
    }

    /// The same; certificates that these files' authorities have signed are accepted, too.
    pub fn trusting(self, authorities: Vec<PathBuf>) -> Access {
        Access { authorities, ..self }
    }

    /// The broker is there and does not let us in.
    fn unwelcome(&self) -> NatsError {
        let who = match &self.credentials {
            Credentials::None => {
                "without credentials (AGON_NATS_USER, --nats-creds, …)".to_string()
            }
            Credentials::Password(user, _) => {
                format!("as {user:?} with this password (AGON_NATS_PASSWORD)")
            }
            Credentials::Token(_) => "with this token".into(),
            Credentials::Nkey(_) | Credentials::File(_) => "with this key".into(),
        };
        NatsError::Unwelcome { url: self.shown(), who }
    }

    /// The addresses, for messages.
    pub fn shown(&self) -> String {
        self.urls.join(",")
    }

    /// Connects. Later, a broker that is lost is looked for again and again.
    pub(crate) async fn connect(
        &self,
        name: &str,
        tell: impl Fn(Link) + Send + Sync + 'static,
    ) -> Result<Context, NatsError> {
        let failed = |problem: String| NatsError::Unreachable { url: self.shown(), problem };
        let mut options = ConnectOptions::new().name(name).connection_timeout(PATIENCE);
        options = match &self.credentials {
            Credentials::None => options,
            Credentials::File(path) => {
                let read = options.credentials_file(path).await;
                read.map_err(|error| NatsError::Secret {
                    file: path.clone(),
                    problem: error.to_string(),
                })?
            }
            Credentials::Nkey(Secret(seed)) => options.nkey(seed.clone()),
            Credentials::Password(user, Secret(password)) => {
                options.user_and_password(user.clone(), password.clone())
            }
            Credentials::Token(Secret(token)) => options.token(token.clone()),
        };
        // Whoever names an authority does not want to be listened to, whatever the address says.
        options = options.require_tls(!self.authorities.is_empty());
        for file in &self.authorities {
            options = options.add_root_certificates(file.clone());
        }
        options = options
            .event_callback(events(self.shown(), tell))
            .subscription_capacity(4096)
            .reconnect_delay_callback(|attempt| {
                Duration::from_millis(50 << attempt.min(6)).min(LONGEST_PAUSE)
            })
            .request_timeout(Some(Duration::from_secs(5)));
        let client = options.connect(self.urls.clone()).await;
        let client: Client = client.map_err(|error| match chain(&error) {
            text if text.contains("authorization violation") => self.unwelcome(),
            text => failed(text),
        })?;
        let (needed, most) = (LARGEST_MESSAGE + HEADERS, client.server_info().max_payload);
        if most < needed {
            return Err(failed(format!(
                "it takes messages of {most} bytes, and {needed} are needed: max_payload = 1MB"
            )));
        }
        Ok(jetstream::new(client))
    }
}

/// Tells of a broker that is lost and found, and of what it does not allow.
fn events(
    url: String,
    tell: impl Fn(Link) + Send + Sync + 'static,
) -> impl Fn(Event) -> std::future::Ready<()> + Send + Sync + 'static {
    let (away, tell) = (AtomicBool::new(false), Arc::new(tell));
    move |event| {
        match event {
            Event::Disconnected if !away.swap(true, Relaxed) => {
                tell(Link::Changed(format!("the broker at {url} is away; trying again")));
            }
            Event::Connected if away.swap(false, Relaxed) => {
                tell(Link::Changed("the broker is there again".into()));
            }
            Event::ServerError(ServerError::Other(text)) if text.contains("ermissions") => {
                tell(Link::Refused(super::names::short(&text)));
            }
            _ => {}
        }
        std::future::ready(())
    }
}

/// An error with its causes, in one line.
pub(crate) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(next) = cause {
        let said = next.to_string();
        if !text.contains(&said) {
            text = format!("{text}: {said}");
        }
        cause = next.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_checked_and_passwords_kept_out_of_sight() {
        let access = Access::new("one:4222, tls://two:4222").unwrap();
        assert_eq!(access.shown(), "nats://one:4222,tls://two:4222");
        assert!(Access::new("nats://[::1]").is_ok() && Access::new("nats://[::1]:4222").is_ok());
        for bad in ["", "http://one", "nats://", "one:99999", "one:port"] {
            assert!(Access::new(bad).is_err(), "{bad}");
        }
        let error = Access::new("nats://me:hunter2@one:4222").unwrap_err().to_string();
        assert!(error.contains("AGON_NATS_PASSWORD") && !error.contains("hunter2"), "{error}");
        let secret = Credentials::Password("me".into(), Secret::new("hunter2\n"));
        assert!(!format!("{secret:?}").contains("hunter2"));
    }
}
