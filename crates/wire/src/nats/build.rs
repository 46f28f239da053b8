//! This build of the program, and how fast it is here.

use std::fmt;

use agon_arena::fingerprint::checksum;
use agon_search::bench;

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
    /// Searches for about a second: counts and time of the engines' searches in the bench. A program
    /// whose searches were changed is not taken for the one that the stored signature describes.
    pub fn measure() -> Build {
        let measures = bench::engines();
        let speed = bench::speed_of(&measures);
        let counts: Vec<String> = measures.iter().map(|it| it.nodes.to_string()).collect();
        let sum = checksum(format!("{}{}", bench::SIGNATURE, counts.join(" ")).as_bytes());
        let signature = sum.get(..8).unwrap_or_default().to_string();
        Build { version: env!("CARGO_PKG_VERSION").to_string(), signature, speed }
    }
}

impl fmt::Display for Build {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.version, self.signature)
    }
}
