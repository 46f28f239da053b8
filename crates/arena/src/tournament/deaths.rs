//! Whether the arena keeps dying while the same agent plays.
//!
//! A process that is killed leaves the file in which it said what it was playing. Whoever resumes
//! the series finds it there, and adds who was playing to a list beside the store. If that happens
//! again and again with the same agent at a table, its program may be the cause.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::files::read_whole;
use crate::gallery::NowPlaying;

/// From how many deaths on they are no accident.
const SUSPICIOUS: u32 = 2;

/// The size limit of the file.
const LARGEST_FILE: u64 = 1 << 20;

/// The times that a series was cut off.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Deaths {
    /// How many there were.
    pub times: u32,
    /// In how many of them each agent was playing, by its number.
    pub present: BTreeMap<u16, u32>,
}

impl Deaths {
    /// Finds out whether the run before this one was cut off, and remembers it in a file.
    pub(crate) fn notice(live: &Path, file: &Path) -> Deaths {
        let read = read_whole(file, LARGEST_FILE).ok();
        let mut deaths: Deaths =
            read.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default();
        let Some(left) = NowPlaying::left(live) else { return deaths };
        deaths.times += 1;
        let mut present: Vec<u16> = left.games.iter().flat_map(|game| game.seats.clone()).collect();
        present.sort_unstable();
        present.dedup();
        for agent in present {
            *deaths.present.entry(agent).or_default() += 1;
        }
        // Nothing depends on it: if it cannot be written, this death is forgotten.
        let _ = fs::write(file, serde_json::to_vec(&deaths).unwrap_or_default());
        let _ = fs::remove_file(live);
        deaths
    }

    /// The agents that were playing every time, if there were enough times.
    pub fn suspects(&self) -> Vec<u16> {
        let always = self.present.iter().filter(|(_, times)| **times == self.times);
        let always = always.map(|(&agent, _)| agent).collect();
        if self.times >= SUSPICIOUS { always } else { Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a process that was killed leaves.
    fn left(playing: &[&[u16]]) -> String {
        let game = |seats: &&[u16]| {
            serde_json::json!({
                "number": 0, "round": 0, "variant": "congo", "seats": seats, "start": null,
                "moves": "", "to_move": 0, "clocks": [], "began_at": 0,
            })
        };
        let games: Vec<_> = playing.iter().map(game).collect();
        let process = i32::MAX;
        serde_json::json!({
            "process": process, "since": 0, "written_at": 0, "done_before": 0, "games": games,
        })
        .to_string()
    }

    #[test]
    fn an_agent_that_is_there_whenever_the_arena_dies_is_suspected() {
        let folder = tempfile::tempdir().unwrap();
        let (live, file) = (folder.path().join("live"), folder.path().join("deaths"));
        let notice = || Deaths::notice(&live, &file);
        assert_eq!(notice(), Deaths::default());
        fs::write(&live, left(&[&[0, 3], &[1, 2]])).unwrap();
        assert_eq!(notice().suspects(), Vec::<u16>::new(), "once is an accident");
        assert_eq!(notice().times, 1, "the same death counts once");
        fs::write(&live, left(&[&[3, 4], &[5, 1]])).unwrap();
        assert_eq!(notice().suspects(), [1, 3]);
        fs::write(&live, left(&[&[3, 5]])).unwrap();
        assert_eq!(notice().suspects(), [3]);
        fs::write(&live, "nonsense").unwrap();
        assert_eq!(notice().times, 3);
    }
}
