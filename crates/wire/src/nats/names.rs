//! What things are called on the broker, and how large they may be.

use std::time::Duration;

/// The work-queue stream of units to be played.
pub(crate) const UNITS: &str = "AGON_UNITS";
/// The work-queue stream of what workers return.
pub(crate) const RESULTS: &str = "AGON_RESULTS";
/// The bucket of files that travel: briefs, requirements, programs, openings, by their checksums.
pub(crate) const FILES: &str = "AGON_FILES";
/// The bucket of coordinators' locks.
pub(crate) const LOCKS: &str = "AGON_LOCKS";

/// The subjects of all units: `agon.units.CLASS.RUN`.
pub(crate) const ALL_UNITS: &str = "agon.units.*.*";
/// The subjects of all results: `agon.results.RUN`.
pub(crate) const ALL_RESULTS: &str = "agon.results.*";
/// Workers' signs of life: `agon.status.WORKER`.
pub(crate) const ALL_STATUSES: &str = "agon.status.*";
/// Coordinators' signs of life: `agon.runs.RUN`.
pub(crate) const ALL_RUNS: &str = "agon.runs.*";
/// Whoever hears this says at once that it is there.
pub(crate) const PING: &str = "agon.ping";
/// Runs whose games are no longer wanted: `agon.cancel.RUN`.
pub(crate) const ALL_CANCELS: &str = "agon.cancel.*";

/// The largest message that is sent. Brokers take 1 MiB unless they are told otherwise.
pub(crate) const LARGEST_MESSAGE: usize = 700 << 10;
/// The largest sign of life.
pub(crate) const LARGEST_SIGN: usize = 64 << 10;
/// The largest file that travels.
pub(crate) const LARGEST_FILE: u64 = 256 << 20;
/// The largest brief or requirement.
pub(crate) const LARGEST_DOCUMENT: u64 = 16 << 20;
/// The most games in one unit.
pub(crate) const MOST_GAMES: usize = 512;
/// The largest text in a message that people read.
pub(crate) const LONGEST_TEXT: usize = 2000;

/// How often workers and coordinators say that they are there.
pub(crate) const SIGN_OF_LIFE: Duration = Duration::from_secs(2);
/// After how long without one somebody is taken to be gone.
pub(crate) const GONE: Duration = Duration::from_secs(10);
/// How old a lock without a sign of life gets before the broker drops it.
pub(crate) const LOCK_AGE: Duration = Duration::from_secs(30);
/// How long units wait for a worker. A coordinator that is still there sends them again.
pub(crate) const UNITS_AGE: Duration = Duration::from_secs(24 * 3600);
/// How long results wait for a coordinator that does not come back.
pub(crate) const RESULTS_AGE: Duration = Duration::from_secs(14 * 24 * 3600);
/// How long files are kept after they were last stored.
pub(crate) const FILES_AGE: Duration = Duration::from_secs(30 * 24 * 3600);

/// Whether a text may be part of a subject: a class, a run, a worker.
pub(crate) fn is_token(text: &str) -> bool {
    let fits = |c: u8| c.is_ascii_alphanumeric() || c == b'-' || c == b'_';
    (1..=64).contains(&text.len()) && text.bytes().all(fits)
}

/// A text as part of a subject: other characters become dashes.
pub(crate) fn token(text: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' };
    let token: String = text.chars().take(40).map(plain).collect();
    if token.is_empty() { "-".into() } else { token }
}

/// Where the units of a run are published that need this class of worker.
pub(crate) fn units(class: &str, run: &str) -> String {
    format!("agon.units.{class}.{run}")
}

/// Where the results of a run are published.
pub(crate) fn results(run: &str) -> String {
    format!("agon.results.{run}")
}

/// A text from a stranger, short enough to be kept and shown.
pub(crate) fn short(text: &str) -> String {
    text.chars().take(LONGEST_TEXT / 4).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_cannot_reach_other_subjects() {
        for bad in ["", "a.b", "*", ">", "a b", "ä", &"x".repeat(65)] {
            assert!(!is_token(bad), "{bad}");
            assert!(is_token(&token(bad)), "{bad}");
        }
        assert!(is_token("lab-7_a"));
    }
}
