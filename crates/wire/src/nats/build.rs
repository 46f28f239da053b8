//! This build of the program, and how fast it is here.

use std::fmt;
use std::sync::OnceLock;

use agon_arena::fingerprint::checksum;
use agon_search::bench::Short;

/// The version of the program and the signature of its searches. Two builds that are equal play
/// equal games, where nodes or depths limit them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Build {
    /// The version.
    pub version: String,
    /// What its searches count, in eight hexadecimal digits.
    pub signature: String,
    /// Nodes a second of its engines on one core.
    pub speed: u64,
}

impl Build {
    /// This build on this machine: measured when it is first asked for.
    pub fn here() -> Build {
        static HERE: OnceLock<Build> = OnceLock::new();
        HERE.get_or_init(Build::measure).clone()
    }

    /// A program whose searches were changed is not taken for the one that the stored signature
    /// describes: what they find is part of its own.
    fn measure() -> Build {
        let Short { found, speed } = agon_arena::speed::measure();
        let signature = checksum(found.as_bytes()).get(..8).unwrap_or_default().to_string();
        Build { version: env!("CARGO_PKG_VERSION").to_string(), signature, speed }
    }
}

impl fmt::Display for Build {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.version, self.signature)
    }
}
