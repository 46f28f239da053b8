//! How fast the rules are: `cargo bench`, or `cargo bench -- congo` for one game.
//!
//! Each figure is the best of several runs: by CPU time, which other load on the machine disturbs
//! least, or by wall time where two threads share the work. Leaves are counted (by popcount where
//! the game supports it), then played one by one.

use std::sync::Arc;
use std::time::{Duration, Instant};

use agon_core::playout::play_out;
use agon_core::sink::GO_ON;
use agon_core::{Leaves, MoveList, Perft, Rng, TableBytes, Tables, Variant};
use agon_games::{Playable, Visitor, endgames_of, open_at, with_game};
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

/// Endgames whose tables are probed: a game, a material and a position with it.
const ENDGAMES: &[(&str, &str, &str)] = &[
    ("congo", "LC-LZ", "3l3/7/7/6z/7/2L4/4C2 w 0"),
    ("congo", "LG-L", "7/7/2l4/2G4/7/7/2L4 w 0"),
    ("fenix", "KG-K", "8/8/8/8/8/G6k/K7 12 0 w 00"),
];

/// Looks up positions that random moves lead to.
struct Probes(&'static str, &'static str, &'static str);

impl Visitor for Probes {
    type Output = Measure;

    fn visit<G: Playable>(self, _: Variant, start: G) -> Measure {
        let Probes(game, material, position) = self;
        let family = endgames_of(game).unwrap();
        let wanted = family.read(material).unwrap();
        let mut tables: Vec<Option<TableBytes>> = vec![None; family.count()];
        for number in family.needs(wanted).into_iter().chain([wanted]) {
            let known = Tables::default().with_endgames(tables.clone(), 5);
            let built = family.build(number, &known, 2, &mut |_| GO_ON).unwrap();
            tables[number] = Some(Arc::new(built));
        }
        let tables = Tables::default().with_endgames(tables, 5);
        let from = start.read_position(position).unwrap();
        let (mut rng, mut scratch) = (Rng::new(1), MoveList::new());
        let (mut positions, mut now) = (Vec::new(), from.clone());
        while positions.len() < 10_000 {
            let mv = now.sample(&mut rng, &mut scratch);
            mv.map(|mv| now.play(mv));
            if mv.is_none() || now.tabled(&tables).is_none() {
                now = from.clone();
            }
            positions.push(now.clone());
        }
        best(
            |measure| measure.cpu,
            || {
                let known = |position: &G| u64::from(position.tabled(&tables).is_some());
                (0..20).map(|_| positions.iter().map(known).sum::<u64>()).sum()
            },
        )
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
    println!("\nendgame tables, nanoseconds of CPU time per lookup");
    for &(game, material, position) in ENDGAMES.iter().filter(|(game, ..)| wanted(game)) {
        let probes = Probes(game, material, position);
        let measure = with_game(&game.parse().unwrap(), probes).unwrap();
        println!("{game:<8} {material:<23} {:>5.0}", 1e3 / rate(measure.items, measure.cpu));
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
