//! Whether a program is still the same: checksums of the files that its command names.
//!
//! A text such as `ugi:./my-engine` says nothing about the program behind it, which changes whenever
//! it is compiled. Files that a program opens by itself are not known here.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::agent::{Agent, AgentKind};
use crate::files::read_whole;

/// Files beyond this size are known by their size only.
const LARGEST_FILE: u64 = 256 << 20;

/// The SHA-256 checksums of the files that an agent's command names, in its order; none for a
/// built-in agent.
pub fn checksums(agent: &Agent) -> Vec<String> {
    files_of(agent).iter().map(|file| checksum_of(file)).collect()
}

/// For each of the agents, one checksum of all its files; `None` if it has none. A file that many
/// share, such as an interpreter, is read once.
pub fn fingerprints<'a>(agents: impl IntoIterator<Item = &'a Agent>) -> Vec<Option<String>> {
    let mut known: BTreeMap<PathBuf, String> = BTreeMap::new();
    let mut fingerprint = |agent: &Agent| {
        let files = files_of(agent);
        let mut sum =
            |file: &PathBuf| known.entry(file.clone()).or_insert_with(|| checksum_of(file)).clone();
        let sums: Vec<String> = files.iter().map(&mut sum).collect();
        (!sums.is_empty()).then(|| checksum(sums.join("\n").as_bytes()))
    };
    agents.into_iter().map(&mut fingerprint).collect()
}

fn files_of(agent: &Agent) -> Vec<PathBuf> {
    match agent.kind() {
        AgentKind::BuiltIn(_) => Vec::new(),
        AgentKind::Outside(outside) => outside.files(),
    }
}

/// The SHA-256 checksum in hexadecimal digits.
pub fn checksum(contents: &[u8]) -> String {
    Sha256::digest(contents).iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn checksum_of(file: &Path) -> String {
    let size = || fs::metadata(file).map_or(0, |data| data.len()).to_string().into_bytes();
    checksum(&read_whole(file, LARGEST_FILE).unwrap_or_else(|_| size()))
}
