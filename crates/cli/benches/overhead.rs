//! The overhead of the arena: games per second with every game stored, and the CPU time per move of
//! an external program that answers at once.

use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use agon_arena::remote::Settings;
use agon_arena::store::Store;
use agon_arena::{Agent, Ledger, Match, Openings, Pace, Registry};
use agon_search::StopFlag;
use agon_wire::ugi::UgiAgents;

fn a_match(variant: &str, agents: &[&str], games: u64, concurrency: usize) -> Match {
    let registry = Registry::built_in().with(UgiAgents);
    let agent = |text: &&str| registry.agent(text, &Settings::default()).expect("an agent");
    Match {
        catalog: agon_games::Catalog::built_in(),
        variant: variant.parse().expect("a variant"),
        agents: agents.iter().map(agent).collect::<Vec<Agent>>(),
        games,
        pace: Pace::default(),
        openings: Openings::Random(4),
        seed: 0,
        concurrency,
        sprt: None,
        replay_disturbed: false,
    }
}

fn play(it: &Match, store: Option<&Store>) -> (Ledger, Duration) {
    let started = Instant::now();
    let run = it.play(store, &StopFlag::default(), &mut |_| {});
    (run.expect("a match").ledger, started.elapsed())
}

/// The CPU time of this process and its finished children, if the system reports it.
fn tree_time() -> Option<Duration> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    let fields = stat.rsplit_once(')')?.1.split_whitespace();
    // utime, stime, cutime and cstime, in ticks.
    let ticks: u64 = fields.skip(11).take(4).filter_map(|field| field.parse::<u64>().ok()).sum();
    let a_second = Command::new("getconf").arg("CLK_TCK").output().ok()?;
    let a_second: u64 = String::from_utf8(a_second.stdout).ok()?.trim().parse().ok()?;
    Some(Duration::from_secs_f64(ticks as f64 / a_second as f64))
}

fn stored_games() {
    for (what, kept) in [("not stored", false), ("stored", true)] {
        let folder = tempfile::tempdir().expect("a folder");
        let store = kept.then(|| Store::open(folder.path()).expect("a store"));
        let it = a_match("breakthrough:5x5", &["random", "random"], 100_000, 2);
        let (ledger, time) = play(&it, store.as_ref());
        let rate = ledger.games() as f64 / time.as_secs_f64();
        println!("breakthrough:5x5 random random, {what}: {rate:.0} games/s");
    }
}

fn subprocess() {
    let engine = env!("CARGO_BIN_EXE_agon");
    // If other cores are idle, a wake-up goes to one of them, which costs several times as much.
    let concurrency = std::thread::available_parallelism().map_or(1, usize::from);
    for variant in ["breakthrough:5x5", "breakthrough:8x8", "congo"] {
        let ugi = format!("ugi:{engine} ugi {variant} --agent random");
        let it = a_match(variant, &[&ugi, &ugi], 2000, concurrency);
        let before = tree_time();
        let (ledger, time) = play(&it, None);
        let moves: u64 = ledger.agents().iter().map(|agent| agent.effort.moves).sum();
        let wall = time.as_secs_f64() * 1e6 / moves as f64;
        let rate = ledger.games() as f64 / time.as_secs_f64();
        let cpu = before.zip(tree_time()).map_or("?".to_string(), |(before, after)| {
            format!("{:.1}", (after - before).as_secs_f64() * 1e6 / moves as f64)
        });
        println!(
            "{variant} ugi random against ugi random: {cpu} µs of CPU a move over all processes, \
             {wall:.1} µs of time, {rate:.0} games/s, {} faults",
            ledger.agents().iter().map(|agent| agent.results.faults).sum::<u64>()
        );
    }
}

fn main() {
    stored_games();
    subprocess();
}
