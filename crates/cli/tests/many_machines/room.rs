//! A room of workers and a coordinator: processes of the real program.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use agon_arena::store::Store;
use serde_json::Value;
use tempfile::TempDir;

use crate::broker::{PATIENCE, wait_for};
use crate::common::agon;
use crate::soaking;

/// A process with its output in a file.
pub struct Process {
    pub child: Child,
    log: PathBuf,
}

impl Process {
    pub fn start(arguments: &[&str], log: PathBuf) -> Process {
        let file = File::options().create(true).append(true).open(&log).unwrap();
        let child = Command::new(env!("CARGO_BIN_EXE_agon"))
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(file.try_clone().unwrap())
            .stderr(file)
            .spawn()
            .unwrap();
        Process { child, log }
    }

    /// What it has said, and those before it with the same log.
    pub fn said(&self) -> String {
        fs::read_to_string(&self.log).unwrap_or_default()
    }

    pub fn wait_until_it_says(&self, words: &str) {
        let until = Instant::now() + PATIENCE;
        while !self.said().contains(words) {
            assert!(Instant::now() < until, "{words:?} is not in: {}", self.said());
            sleep(Duration::from_millis(20));
        }
    }

    /// SIGKILL: nothing can be cleaned up. Whether it was still running.
    pub fn kill(&mut self) -> bool {
        let was_running = self.is_running();
        let _ = self.child.kill();
        self.child.wait().unwrap();
        was_running
    }

    /// Whether it has ended by itself, and not well.
    pub fn has_failed(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some_and(|status| !status.success())
    }

    pub fn is_running(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    pub fn terminate(&mut self) {
        let id = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(id, rustix::process::Signal::TERM).unwrap();
    }

    pub fn wait(&mut self) -> ExitStatus {
        wait_for("the end of a process", || self.child.try_wait().unwrap())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Workers and tournaments with files and data of their own.
pub struct Room {
    pub folder: TempDir,
    pub url: String,
    pub workers: Vec<Process>,
    options: Vec<String>,
}

impl Room {
    pub fn new(url: &str) -> Room {
        let folder = tempfile::tempdir().unwrap();
        Room { folder, url: url.to_string(), workers: Vec::new(), options: Vec::new() }
    }

    /// The same with workers that have these options.
    pub fn with_workers(url: &str, count: usize, options: &[&str]) -> Room {
        let mut room = Room::new(url);
        room.options = options.iter().map(ToString::to_string).collect();
        for number in 0..count {
            let worker = room.new_worker(number);
            room.workers.push(worker);
        }
        room.workers.iter().for_each(|worker| worker.wait_until_it_says("waiting for games"));
        room
    }

    /// One more worker, and those after it, with these options.
    pub fn add_worker(&mut self, options: &[&str]) {
        self.options = options.iter().map(ToString::to_string).collect();
        let worker = self.new_worker(self.workers.len());
        worker.wait_until_it_says("waiting for games");
        self.workers.push(worker);
    }

    fn new_worker(&self, number: usize) -> Process {
        let (name, data) = (format!("pc-{number}"), self.path("worker-data"));
        let start =
            ["worker", "--nats", &self.url, "--slots", "1", "--name", &name, "--data", &data];
        let options: Vec<&str> = self.options.iter().map(String::as_str).collect();
        let log = self.folder.path().join(format!("{name}.log"));
        Process::start(&[&start[..], &options].concat(), log)
    }

    /// Starts a worker again that was killed.
    pub fn restart_worker(&mut self, number: usize) {
        self.workers[number] = self.new_worker(number);
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    /// Writes the tournament's file, and starts a coordinator for it.
    pub fn coordinator(&self, text: &str, options: &[&str]) -> Process {
        let file = self.folder.path().join("cup.toml");
        fs::write(&file, text).unwrap();
        let (file, data) = (file.display().to_string(), self.data());
        let start = ["tournament", "run", &file, "--data", &data, "--nats", &self.url];
        let log = self.folder.path().join("coordinator.log");
        Process::start(&[&start[..], options].concat(), log)
    }

    /// Waits for the end of the tournament, and returns its games.
    pub fn finished(&self, mut coordinator: Process) -> Vec<Value> {
        let patience = Duration::from_secs(if soaking() { 1800 } else { 180 });
        let until = Instant::now() + patience;
        while coordinator.is_running() && Instant::now() < until {
            sleep(Duration::from_millis(50));
        }
        let status = coordinator.child.try_wait().unwrap();
        assert!(status.is_some_and(|it| it.success()), "{status:?}: {}", coordinator.said());
        self.games()
    }

    /// The coordinator's data folder.
    pub fn data(&self) -> String {
        self.path("data")
    }

    /// The games that were counted.
    pub fn games(&self) -> Vec<Value> {
        Store::open(Path::new(&self.data())).unwrap().check().unwrap();
        stored(&self.data())
    }
}

/// The games of the same tournament on one machine.
pub fn on_one_machine(text: &str) -> Vec<Value> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cup.toml");
    fs::write(&file, text).unwrap();
    let (file, data) = (file.display().to_string(), folder.path().join("data"));
    let data = data.display().to_string();
    let run = agon(&["tournament", "run", &file, "--data", &data]);
    assert_eq!(run.code, 0, "{}", run.err);
    stored(&data)
}

/// The games in a store, in order.
fn stored(data: &str) -> Vec<Value> {
    let run = agon(&["tournament", "export", "cup", "--format", "jsonl", "--data", data]);
    assert_eq!(run.code, 0, "{}", run.err);
    run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The games without what differs from one run to the next.
pub fn comparable(games: &[Value]) -> Vec<Value> {
    let without = |game: &Value| {
        let mut game = game.clone();
        let fields = game.as_object_mut().unwrap();
        for key in ["times_ms", "latencies_ms", "finished", "disturbed", "played_by"] {
            fields.remove(key);
        }
        game
    };
    games.iter().map(without).collect()
}
