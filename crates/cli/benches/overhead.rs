//! The overhead of the arena: games per second with every game stored, the CPU time per move of an
//! external program that answers at once, and what isolation costs: per move, per start, and where a
//! program is frozen between two questions.

use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use agon_arena::remote::Settings;
use agon_arena::store::Store;
use agon_arena::{Agent, Ledger, Match, Openings, Pace, Registry};
use agon_isolation::Level;
use agon_search::StopFlag;
use agon_wire::process::{Launch, Program};
use agon_wire::ugi::UgiAgents;

fn a_match(variant: &str, agents: &[&str], games: u64, concurrency: usize, level: Level) -> Match {
    let registry = Registry::built_in().with(UgiAgents).with_isolation(level);
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
        reference_speed: None,
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
        let it = a_match("breakthrough:5x5", &["random", "random"], 100_000, 2, Level::None);
        let (ledger, time) = play(&it, store.as_ref());
        let rate = ledger.games() as f64 / time.as_secs_f64();
        println!("breakthrough:5x5 random random, {what}: {rate:.0} games/s");
    }
}

fn subprocess() {
    let engine = env!("CARGO_BIN_EXE_agon");
    // If other cores are idle, a wake-up goes to one of them, which costs several times as much.
    let concurrency = std::thread::available_parallelism().map_or(1, usize::from);
    let variants = ["breakthrough:5x5", "breakthrough:8x8", "congo"];
    let levels = [Level::None, Level::Sandbox];
    for (variant, level) in variants.into_iter().flat_map(|it| levels.map(|level| (it, level))) {
        let ugi = format!("ugi:{engine} ugi {variant} --agent random");
        let it = a_match(variant, &[&ugi, &ugi], 2000, concurrency, level);
        let before = tree_time();
        let (ledger, time) = play(&it, None);
        let moves: u64 = ledger.agents().iter().map(|agent| agent.effort.moves).sum();
        let wall = time.as_secs_f64() * 1e6 / moves as f64;
        let rate = ledger.games() as f64 / time.as_secs_f64();
        let cpu = before.zip(tree_time()).map_or("?".to_string(), |(before, after)| {
            format!("{:.1}", (after - before).as_secs_f64() * 1e6 / moves as f64)
        });
        println!(
            "{variant} ugi random against ugi random, {level}: {cpu} µs of CPU a move over all processes, \
             {wall:.1} µs of time, {rate:.0} games/s, {} faults",
            ledger.agents().iter().map(|agent| agent.results.faults).sum::<u64>()
        );
    }
}

/// A program, and how it is run.
fn launch(level: Level, pondering: bool) -> Launch {
    let mut launch = Launch::new(env!("CARGO_BIN_EXE_agon"));
    launch.arguments = ["ugi", "breakthrough:5x5", "--agent", "random"].map(Into::into).to_vec();
    Launch { isolation: level, pondering, ..launch }
}

/// Asks a program something that it answers at once.
fn ask(program: &mut Program) {
    let deadline = Instant::now() + Duration::from_secs(10);
    program.send("isready\n", deadline).expect("it listens");
    while let Some(line) = program.read_line(deadline).expect("it answers") {
        if line.text == "readyok" {
            break;
        }
    }
    program.rest();
}

/// How long it takes until a program has answered for the first time.
fn starting() {
    const STARTS: usize = 60;
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..STARTS {
        for (level, times) in [Level::None, Level::Sandbox].into_iter().zip(&mut times) {
            let begun = Instant::now();
            ask(&mut Program::start(&launch(level, false)).expect("a program"));
            times.push(begun.elapsed());
        }
    }
    let [none, sandbox] = times.map(|mut times| {
        times.sort_unstable();
        times[STARTS / 2].as_secs_f64() * 1e3
    });
    println!(
        "start to first answer, median of {STARTS}: none {none:.1} ms, sandbox {sandbox:.1} ms"
    );
}

/// The CPU time of a question every few milliseconds, without and with freezing in between.
fn freezing() {
    const QUESTIONS: u32 = 1000;
    let cost = |pondering: bool, cgroups: bool| -> Option<f64> {
        agon_isolation::use_cgroups(cgroups);
        let before = tree_time()?;
        let mut program = Program::start(&launch(Level::Sandbox, pondering)).ok()?;
        for _ in 0..QUESTIONS {
            ask(&mut program);
            std::thread::sleep(Duration::from_millis(4));
        }
        drop(program);
        Some((tree_time()? - before).as_secs_f64() * 1e6 / f64::from(QUESTIONS))
    };
    for round in 1..=3 {
        let costs = (cost(true, true), cost(false, true), cost(false, false));
        if let (Some(running), Some(by_group), Some(by_signals)) = costs {
            println!(
                "a question every 4 ms, round {round}: {running:.0} µs of CPU each if it may run in \
                 between, {by_group:.0} µs if it is frozen by its control group, {by_signals:.0} µs if \
                 by signals"
            );
        }
    }
    agon_isolation::use_cgroups(true);
}

fn main() {
    agon_isolation::set_launcher(env!("CARGO_BIN_EXE_agon"));
    starting();
    freezing();
    subprocess();
    stored_games();
}
