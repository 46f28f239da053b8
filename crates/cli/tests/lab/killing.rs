//! Experiments that are killed and resumed.

use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use agon_core::Rng;

use super::*;

/// How often an experiment is killed; the soak does it more often.
fn kills() -> u64 {
    let soak = std::env::var("AGON_SOAK").ok().and_then(|times| times.parse::<u64>().ok());
    soak.map_or(4, |times| 4 * times)
}

const STEPS: &str = "\
question = \"Is anything lost?\"
variant = \"breakthrough:5x5\"
nodes = [200, 2000]
games = 60
seed = 5
agents = [\"greedy\", \"engine\"]
[[compare]]
kind = \"build-up\"
from = \"greedy\"
steps = [{ name = \"plain\", agent = \"engine\", off = \"all\" }, \"tt\", \"history\"]
[[compare]]
kind = \"list\"
baseline = \"greedy\"
sprt = \"0,50\"
games = 200
[[measure]]
kind = \"search\"
agents = [\"engine\"]
positions = 6
";

#[test]
fn a_killed_experiment_ends_with_the_same_tables() {
    let (whole, killed) = (Lab::new(), Lab::new());
    let [file, other] = [&whole, &killed].map(|lab| lab.file("steps.toml", STEPS));
    whole.done(&["run", &file]);
    let mut rng = Rng::new(kills());
    let mut interrupted = 0;
    for _ in 0..kills() {
        let mut victim = Command::new(env!("CARGO_BIN_EXE_agon"))
            .args(["lab", "run", &other, "--data", &killed.data()])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        sleep(Duration::from_millis(rng.next_u64() % 900));
        interrupted += u64::from(victim.try_wait().unwrap().is_none());
        victim.kill().unwrap();
        victim.wait().unwrap();
        if killed.path("data").join("games.db").exists() {
            let status = killed.lab(&["status", &other]);
            assert!(status.code == 0 || status.err.contains("no games"), "{}", status.err);
        }
    }
    assert!(interrupted > 1, "it was over before it was killed");
    killed.done(&["run", &other]);
    let [expected, found] =
        [(&whole, &file), (&killed, &other)].map(|(lab, file)| lab.status(file));
    assert_eq!(without_times(&expected), without_times(&found));
    assert_eq!(expected["complete"], true);
}
