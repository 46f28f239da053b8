//! Workers on other machines, and the runs they play for: as they describe themselves.

use serde::{Deserialize, Serialize};

/// The workers and runs that can be seen at a time.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct Fleet {
    /// The workers, by name.
    pub workers: Vec<WorkerStatus>,
    /// The runs that have a coordinator, by name.
    pub runs: Vec<RunStatus>,
}

/// A worker: what it can do, and what it is doing.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct WorkerStatus {
    /// The same as long as its process lives, and no other worker's.
    pub id: String,
    /// Its name for people, by default that of its machine.
    pub name: String,
    /// What it can do.
    pub abilities: Abilities,
    /// How many games it plays at a time.
    pub slots: usize,
    /// What it is playing now.
    pub playing: Vec<Playing>,
    /// How many games it has finished.
    pub games: u64,
    /// In how many of them an agent committed a fault.
    pub faults: u64,
    /// How many units it had to give back because of its own machine.
    pub troubles: u64,
    /// For how many seconds it has been there.
    pub seconds: u64,
    /// How many games it would finish in an hour, as far as the last minutes tell.
    pub games_per_hour: f64,
    /// Whether it takes no more games and will leave.
    pub leaving: bool,
    /// The runs for which it cannot play, and why.
    pub refused: Vec<Refusal>,
}

/// What a worker can do.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Abilities {
    /// The version of the program.
    pub version: String,
    /// The signature of its searches: node counts of the bench, as eight hexadecimal digits.
    pub signature: String,
    /// The number of cores.
    pub cores: usize,
    /// Memory in MiB.
    pub memory_mib: u64,
    /// How far it can isolate programs: `none`, `weak` or `sandbox`.
    pub isolation: String,
    /// Whether it runs programs that come from the network.
    pub takes_programs: bool,
    /// The SHA-256 checksums of the programs that it has already.
    pub programs: Vec<String>,
    /// Its books, tables and nets, each with its checksum, such as `book breakthrough:8x8 1a2b3c4d`.
    pub resources: Vec<String>,
    /// How many nodes a second its bench searches on one core.
    pub speed: u64,
}

/// Games that a worker is playing.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Playing {
    /// The run.
    pub run: String,
    /// The first of the games.
    pub first: u64,
    /// How many there are.
    pub games: u64,
    /// For how many seconds it has been playing them.
    pub seconds: u64,
}

/// A run for which a worker cannot play.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Refusal {
    /// The run, or all that need the same.
    pub run: String,
    /// Why, in words.
    pub reason: String,
}

/// A tournament, a match or a part of an experiment that is being played on many machines.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct RunStatus {
    /// Its identifier on the broker.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// The machine and process of its coordinator.
    pub coordinator: String,
    /// How many games have been counted.
    pub done: u64,
    /// How many there are at most.
    pub games: u64,
    /// How many games are queued or being played.
    pub waiting: u64,
    /// How many workers have returned games.
    pub workers: usize,
    /// How many seconds are left, if that is known.
    pub seconds_left: Option<u64>,
    /// How many messages were refused: forged, damaged or not what the rules say.
    pub refused: u64,
    /// What people should know, the newest last.
    pub warnings: Vec<String>,
}

/// Says who is there. Implemented where the network is.
pub trait Lookout: Send + Sync {
    /// Everyone seen in the last seconds, or why nobody can be seen.
    fn fleet(&self) -> Result<Fleet, String>;
}
