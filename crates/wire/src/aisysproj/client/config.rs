//! An agent's config file.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use agon_arena::files::shown;
use serde_json::{Map, Value};
use thiserror::Error;

use crate::aisysproj::protocol::Password;
use crate::problem::quoted;

/// The size limit of the file.
const LARGEST: u64 = 64 << 10;

/// The agent, its environment, its password and the server: what the course hands out as a file for
/// each environment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Config {
    /// The agent's name.
    pub agent: String,
    /// The environment's id.
    pub env: String,
    /// The agent's password.
    pub pwd: Password,
    /// The server's address, without a trailing slash.
    pub url: String,
}

/// Why a config file cannot be used. Only harmless parts are quoted.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
#[error("{0}")]
pub struct ConfigError(String);

const FORM: &str = "expected a config file as the course hands it out: \
                    {\"agent\":\"…\",\"env\":\"…\",\"pwd\":\"…\",\"url\":\"https://…/\"}";

impl Config {
    /// Reads a config file.
    pub fn load(file: &Path) -> Result<Config, ConfigError> {
        let shown = shown(file);
        let mut bytes = Vec::new();
        let read = File::open(file).and_then(|open| open.take(LARGEST + 1).read_to_end(&mut bytes));
        read.map_err(|error| ConfigError(format!("cannot read {shown}: {error}")))?;
        if bytes.len() as u64 > LARGEST {
            return Err(ConfigError(format!("{shown} is too large; {FORM}")));
        }
        Config::read(&bytes).map_err(|error| ConfigError(format!("{shown}: {error}")))
    }

    /// Reads the text of a config file.
    pub fn read(bytes: &[u8]) -> Result<Config, ConfigError> {
        let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        let Ok(fields) = serde_json::from_slice::<Map<String, Value>>(bytes) else {
            return Err(ConfigError(format!("this is not a JSON object; {FORM}")));
        };
        let missing: Vec<&str> = ["agent", "env", "pwd", "url"]
            .into_iter()
            .filter(
                |name| !matches!(fields.get(*name), Some(Value::String(text)) if !text.is_empty()),
            )
            .collect();
        if !missing.is_empty() {
            let missing = missing.join(", ");
            return Err(ConfigError(format!("missing, or not text: {missing}; {FORM}")));
        }
        let text = |name: &str| fields.get(name).and_then(Value::as_str).unwrap_or_default();
        Ok(Config {
            agent: text("agent").to_string(),
            env: sound_env(text("env"))?,
            pwd: Password::new(text("pwd")),
            url: sound_url(text("url"))?,
        })
    }

    /// The address for requests.
    pub(crate) fn act_address(&self) -> String {
        format!("{}/act/{}", self.url, self.env)
    }

    /// The page on which the server shows the agent's results.
    pub fn agent_page(&self) -> String {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        let encoded = |byte: u8| match plain(byte) {
            true => char::from(byte).to_string(),
            false => format!("%{byte:02X}"),
        };
        let agent: String = self.agent.bytes().map(encoded).collect();
        format!("{}/agent/{}/{agent}", self.url, self.env)
    }

    /// The host in the address.
    fn host(&self) -> &str {
        let rest = self.url.split_once("://").map_or("", |(_, rest)| rest);
        let authority = rest.split('/').next().unwrap_or_default();
        match authority.strip_prefix('[') {
            Some(six) => six.split(']').next().unwrap_or_default(),
            None => authority.split(':').next().unwrap_or_default(),
        }
    }

    /// Whether the server is on this machine.
    pub(crate) fn is_local(&self) -> bool {
        let host = self.host();
        host == "localhost" || host == "::1" || host.starts_with("127.")
    }

    /// Whether the connection is not encrypted, so that others on the network can read the
    /// password.
    pub(crate) fn is_open_to_all(&self) -> bool {
        !self.url.starts_with("https://") && !self.is_local()
    }
}

fn sound_env(env: &str) -> Result<String, ConfigError> {
    let sound = |c: char| c.is_ascii_alphanumeric() || "-._".contains(c);
    match env.chars().all(sound) && env.chars().any(|c| c != '.') {
        true => Ok(env.to_string()),
        false => Err(ConfigError(format!(
            "env: expected letters, digits, - and . as in ws2223-2.1-rhombus, found {}",
            quoted(env)
        ))),
    }
}

/// An address without anything that could contain a second password or point elsewhere.
fn sound_url(url: &str) -> Result<String, ConfigError> {
    let expected = "expected an address such as https://host/";
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    let Some(rest) = rest else { return Err(ConfigError(format!("url: {expected}"))) };
    let authority = rest.split('/').next().unwrap_or_default();
    if authority.contains('@') {
        return Err(ConfigError(format!("url: {expected}, without a name and password in it")));
    }
    let sound = |c: char| c.is_ascii_graphic() && !"?#\\\"<>{}|^`".contains(c);
    if authority.is_empty() || authority.starts_with(':') || !url.chars().all(sound) {
        return Err(ConfigError(format!("url: {expected}, found {}", quoted(url))));
    }
    Ok(url.trim_end_matches('/').to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str =
        r#"{"agent":"Ann B","env":"ws2223-2.1-rhombus","pwd":"s3cret","url":"https://host:1/x//"}"#;

    #[test]
    fn a_config_file_names_everything() {
        let config = Config::read(GOOD.as_bytes()).unwrap();
        assert_eq!(config.act_address(), "https://host:1/x/act/ws2223-2.1-rhombus");
        assert_eq!(config.agent_page(), "https://host:1/x/agent/ws2223-2.1-rhombus/Ann%20B");
        assert!(!format!("{config:?}").contains("s3cret"));
        assert!(!config.is_local() && !config.is_open_to_all());
        let open = Config::read(GOOD.replace("https", "http").as_bytes()).unwrap();
        assert!(open.is_open_to_all());
        for host in ["http://localhost:5000", "http://127.0.0.1/", "http://[::1]:80/"] {
            let local = GOOD.replace("https://host:1/x//", host);
            assert!(Config::read(local.as_bytes()).unwrap().is_local(), "{host}");
        }
    }

    #[test]
    fn what_is_missing_is_named_and_the_password_is_not() {
        let cases = [
            ("s3cret", "not a JSON object"),
            (r#"["s3cret"]"#, "not a JSON object"),
            (r#"{"pwd":"s3cret"}"#, "agent, env, url"),
            (r#"{"agent":"A","env":"e","url":"http://h","pwd":["s3cret"]}"#, "pwd"),
            (r#"{"agent":"A","env":"e","url":"http://h","pwd":""}"#, "pwd"),
            (r#"{"agent":"A","env":"../e","url":"http://h","pwd":"s3cret"}"#, "env"),
            (r#"{"agent":"A","env":"..","url":"http://h","pwd":"s3cret"}"#, "env"),
            (r#"{"agent":"A","env":"e","url":"h","pwd":"s3cret"}"#, "url"),
            (
                r#"{"agent":"A","env":"e","url":"http://a:s3cret@h/","pwd":"s3cret"}"#,
                "without a name",
            ),
            (r#"{"agent":"A","env":"e","url":"http:///x","pwd":"s3cret"}"#, "url"),
            (r#"{"agent":"A","env":"e","url":"http://h?x","pwd":"s3cret"}"#, "url"),
        ];
        for (text, named) in cases {
            let problem = Config::read(text.as_bytes()).unwrap_err().to_string();
            assert!(problem.contains(named) && !problem.contains("s3cret"), "{text}: {problem}");
        }
    }
}
