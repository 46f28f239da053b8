//! Workers and runs as plain data, instead of a broker.

use std::sync::{Arc, Mutex};

use agon_arena::fleet::{Abilities, Fleet, Lookout, Playing, Refusal, RunStatus, WorkerStatus};

/// Sees whatever a test says is there.
pub struct Post(Mutex<Result<Fleet, String>>);

impl Post {
    pub fn new(fleet: Fleet) -> Arc<Post> {
        Arc::new(Post(Mutex::new(Ok(fleet))))
    }

    /// From now on these are there.
    pub fn see(&self, fleet: Fleet) {
        *self.0.lock().unwrap() = Ok(fleet);
    }

    /// From now on the broker is away.
    pub fn lose(&self) {
        let problem = "the broker at nats://broker:4222 cannot be reached";
        *self.0.lock().unwrap() = Err(problem.into());
    }
}

impl Lookout for Post {
    fn fleet(&self) -> Result<Fleet, String> {
        self.0.lock().unwrap().clone()
    }
}

/// A worker with four slots, two of which it uses for a run.
pub fn worker(name: &str, run: &str) -> WorkerStatus {
    let playing = |first, seconds| Playing { run: run.into(), first, games: 2, seconds };
    WorkerStatus {
        id: format!("{name}-1"),
        name: name.into(),
        abilities: Abilities {
            version: "1.0.0".into(),
            signature: "0123abcd".into(),
            cores: 8,
            memory_mib: 15_872,
            isolation: "sandbox".into(),
            takes_programs: true,
            programs: vec!["ab".repeat(32)],
            resources: vec!["book congo 1a2b".into()],
            speed: 1_250_000,
        },
        slots: 4,
        playing: vec![playing(8, 12), playing(10, 3)],
        games: 1200,
        faults: 1,
        troubles: 0,
        seconds: 600,
        games_per_hour: 7200.0,
        leaving: false,
        refused: Vec::new(),
    }
}

/// A run that is about half over.
pub fn run(name: &str) -> RunStatus {
    RunStatus {
        id: format!("{name}-7"),
        name: name.into(),
        coordinator: "pult, process 4711".into(),
        done: 2100,
        games: 4000,
        waiting: 64,
        workers: 2,
        seconds_left: Some(950),
        refused: 0,
        warnings: Vec::new(),
    }
}

/// Three workers, one of which leaves and one of which is of no use, and two runs.
pub fn fleet() -> Fleet {
    let refusal = Refusal {
        run: "cup-7".into(),
        reason: "it is build 0.9.0-76543210, and the games are for 1.0.0-0123abcd".into(),
    };
    let useless = WorkerStatus {
        playing: Vec::new(),
        games: 0,
        faults: 0,
        troubles: 3,
        games_per_hour: 0.0,
        refused: vec![refusal],
        ..worker("lab-09.cip.example.org", "")
    };
    let workers = vec![
        worker("lab-07", "cup-7"),
        WorkerStatus { leaving: true, ..worker("lab-08", "other") },
        useless,
    ];
    let troubled = RunStatus {
        refused: 2,
        seconds_left: None,
        warnings: vec!["the first".into(), "a result of lab-08 was refused: damaged".into()],
        ..run("match")
    };
    Fleet { workers, runs: vec![run("cup"), troubled] }
}

/// Texts and numbers that nobody would expect, and more of them than fit on a page.
pub fn hostile(evil: &str) -> Fleet {
    let long = format!("{evil}{}", "x".repeat(100_000));
    let refusal = Refusal { run: long.clone(), reason: long.clone() };
    let worker = |number: usize| WorkerStatus {
        id: format!("w{number}"),
        name: long.clone(),
        abilities: Abilities {
            version: long.clone(),
            signature: long.clone(),
            isolation: long.clone(),
            cores: usize::MAX,
            memory_mib: u64::MAX,
            speed: u64::MAX,
            ..Abilities::default()
        },
        slots: usize::MAX,
        playing: vec![Playing { run: long.clone(), games: u64::MAX, seconds: u64::MAX, first: 0 }],
        games: u64::MAX,
        seconds: u64::MAX,
        games_per_hour: if number == 0 { f64::NAN } else { f64::MAX },
        refused: vec![refusal.clone(); 30],
        ..WorkerStatus::default()
    };
    let run = |number: usize| RunStatus {
        id: format!("r{number}"),
        name: long.clone(),
        coordinator: long.clone(),
        done: u64::MAX,
        waiting: u64::MAX,
        seconds_left: Some(u64::MAX),
        refused: u64::MAX,
        warnings: vec![long.clone(); 30],
        ..RunStatus::default()
    };
    Fleet { workers: (0..3).map(worker).collect(), runs: (0..2).map(run).collect() }
}
