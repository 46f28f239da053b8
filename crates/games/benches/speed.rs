//! How fast the rules are: `cargo bench`, or `cargo bench -- congo` for one game.
//!
//! Each figure is the best of several runs: by CPU time, which other load on the machine disturbs
//! least, or by wall time where two threads share the work. Leaves are counted (by popcount where
//! the game supports it), then played one by one.

use std::time::{Duration, Instant};

use agon_core::playout::play_out;
use agon_core::{Leaves, MoveList, Perft, Rng, Variant};
use agon_games::{Playable, Visitor, open_at, with_game};
use cpu_time::ProcessTime;

struct Case {
    variant: &'static str,
    position: Option<&'static str>,
    depth: u32,
}

const fn start(variant: &'static str, depth: u32) -> Case {
    Case { variant, position: None, depth }
}

const CASES: &[Case] = &[
    Case {
        variant: "fenix",
        position: Some("K1SSSS2/1SG1S2s/SGSS2g1/2S2sss/GS2s1gs/S2sg1s1/2ssss1k 10 0 w 00"),
        depth: 5,
    },
    start("breakthrough:8x8", 8),
    start("breakthrough:8x8,classic", 6),
    start("breakthrough:10x10", 7),
    start("congo", 5),
    start("wumpus:6,pits=2.2+3.5+4.1+5.3", 6),
    start("fauhalma:star3", 6),
    start("fauhalma:star2", 6),
    start("fauhalma:rhombus2", 6),
];

const PLAY_OUTS: &[&str] =
    &["fenix", "breakthrough:8x8", "breakthrough:10x10", "congo", "wumpus:6", "fauhalma:star3"];

const RUNS: usize = 5;

/// Work done, with the wall time and CPU time it took.
#[derive(Clone, Copy)]
struct Measure {
    items: u64,
    wall: Duration,
    cpu: Duration,
}

/// The run with the least of that time.
fn best(by: impl Fn(&Measure) -> Duration, mut work: impl FnMut() -> u64) -> Measure {
    let run = |_| {
        let (wall, cpu) = (Instant::now(), ProcessTime::now());
        let items = work();
        Measure { items, wall: wall.elapsed(), cpu: cpu.elapsed() }
    };
    (0..RUNS).map(run).min_by_key(by).expect("at least one run")
}

/// Millions per second.
fn rate(items: u64, time: Duration) -> f64 {
    items as f64 / time.as_secs_f64() / 1e6
}

fn perft(case: &Case, leaves: Leaves, threads: usize) -> Measure {
    let table = open_at::<&str>(&case.variant.parse().unwrap(), case.position, &[]).unwrap();
    let perft = Perft { leaves, threads, hash_mib: 0 };
    let by = |measure: &Measure| if threads == 1 { measure.cpu } else { measure.wall };
    best(by, || table.perft(&perft, case.depth, &|_, _| {}).iter().map(|(_, nodes)| nodes).sum())
}

/// Plays random games for about half a second.
struct PlayOuts;

impl Visitor for PlayOuts {
    type Output = (Measure, f64);

    fn visit<G: Playable>(self, _: Variant, start: G) -> Self::Output {
        let mut scratch = MoveList::with_capacity(256);
        let (mut seed, mut plies, mut games) = (0, 0, 0);
        let mut batch = |count: u64| {
            for _ in 0..count {
                plies +=
                    u64::from(play_out(start.clone(), &mut Rng::new(seed), &mut scratch).plies);
                seed += 1;
                games += 1;
            }
            count
        };
        let trial = Instant::now();
        batch(50);
        let enough = (0.5 / (trial.elapsed().as_secs_f64() / 50.0)).max(50.0) as u64;
        let measure = best(|measure| measure.cpu, || batch(enough));
        (measure, plies as f64 / games as f64)
    }
}

fn main() {
    let filters: Vec<String> =
        std::env::args().skip(1).filter(|text| !text.starts_with('-')).collect();
    let wanted =
        |name: &str| filters.is_empty() || filters.iter().any(|text| name.contains(text.as_str()));
    println!("perft, million leaves per second of CPU time (of wall time)");
    println!(
        "{:<32} {:>5} {:>18} {:>18} {:>24}",
        "", "depth", "counted", "played", "counted, 2 threads, wall"
    );
    for case in CASES.iter().filter(|case| wanted(case.variant)) {
        let counted = perft(case, Leaves::Counted, 1);
        let played = perft(case, Leaves::Played, 1);
        let two = perft(case, Leaves::Counted, 2);
        let both =
            |m: Measure| format!("{:.0} ({:.0})", rate(m.items, m.cpu), rate(m.items, m.wall));
        let (name, depth) = (case.variant, case.depth);
        println!(
            "{name:<32} {depth:>5} {:>18} {:>18} {:>24.0}",
            both(counted),
            both(played),
            rate(two.items, two.wall)
        );
    }
    println!("\nrandom play-outs, thousands per second of CPU time (of wall time)");
    for variant in PLAY_OUTS.iter().filter(|variant| wanted(variant)) {
        let (measure, plies) = with_game(&variant.parse().unwrap(), PlayOuts).unwrap();
        let (cpu, wall) = (rate(measure.items, measure.cpu), rate(measure.items, measure.wall));
        println!(
            "{variant:<32} {:>10.1} ({:.1}), {plies:.1} plies per game",
            cpu * 1e3,
            wall * 1e3
        );
    }
}
