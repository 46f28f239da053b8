//! A password that is shown to nobody but the server.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The placeholder for a password.
const HIDDEN: &str = "…";

/// How many levels of JSON within JSON are searched.
const NESTED: usize = 3;

/// An agent's password. It is written into requests and nowhere else: it cannot be printed.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Password(String);

impl Password {
    /// This text as a password.
    pub fn new(text: impl Into<String>) -> Password {
        Password(text.into())
    }

    /// A placeholder for any password.
    pub fn hidden() -> Password {
        Password::new(HIDDEN)
    }

    /// Its SHA-256 hash, which is what servers store.
    pub fn sha256(&self) -> [u8; 32] {
        Sha256::digest(self.0.as_bytes()).into()
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Removes the password from an external text, in case somebody sends back what was sent to
    /// them.
    pub(crate) fn hide_in(&self, text: &str) -> String {
        if self.is_empty() {
            return text.to_string();
        }
        let mut forms = vec![self.0.clone()];
        for _ in 0..NESTED {
            // As it appears in JSON, in JSON restricted to ASCII, and in JSON within JSON.
            let quoted: Vec<String> = forms.iter().map(|form| in_json(form)).collect();
            let ascii: Vec<String> =
                quoted.iter().map(|form| form.chars().map(escaped).collect()).collect();
            forms.extend(quoted.into_iter().chain(ascii));
        }
        // A form that contains another one is replaced first.
        forms.sort_by_key(|form| std::cmp::Reverse(form.len()));
        forms.dedup();
        forms.iter().fold(text.to_string(), |text, form| text.replace(form, HIDDEN))
    }
}

/// A text as it appears between the quotes of JSON.
fn in_json(text: &str) -> String {
    let quoted = serde_json::to_string(text).unwrap_or_default();
    let inner = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    inner.unwrap_or(text).to_string()
}

/// A character in JSON restricted to ASCII.
fn escaped(character: char) -> String {
    if character.is_ascii() {
        return character.to_string();
    }
    let mut units = [0; 2];
    character.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}")).collect()
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HIDDEN)
    }
}
