//! What does Monte Carlo gain from threads? `cargo run --release --package agon-search --example
//! threads [AGENT] [SECONDS]`, where AGENT is `mcts` with any options but `threads`.
//!
//! Searches from the start of each variant, in turn with one thread and with two. Iterations per
//! second are what a player gains. Where threads hinder each other, iterations per second of
//! processor time fall; where they wait for each other, less than two processors are in use.
//!
//! It needs two idle cores. On busy ones the threads run one after the other, never wait, and both
//! factors say nothing: with two threads, nearly two processors should be in use.

use std::time::{Duration, Instant};

use agon_games::open;
use agon_search::{AgentSpec, Budget, adviser};

const VARIANTS: &[&str] = &["breakthrough:8x8", "congo", "fenix", "fauhalma:star3"];
const ROUNDS: usize = 7;

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// What a search did, per second.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
struct Rate {
    by_processor: f64,
    by_clock: f64,
    /// Processors in use.
    busy: f64,
}

fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let agent = arguments.next().unwrap_or_else(|| "mcts".into());
    let seconds: f64 = arguments.next().map_or(Ok(1.0), |text| text.parse::<f64>())?;
    println!("thousands of iterations per second of {agent}, {seconds} s each");
    println!("in brackets: per second of processor time; processors in use");
    println!("{:<18} {:>22} {:>22}   factor", "", "one thread", "two threads");
    for variant in VARIANTS {
        let mut rates = [const { Vec::new() }; 2];
        for _ in 0..ROUNDS {
            for (rates, threads) in rates.iter_mut().zip(1..) {
                rates.push(measure(variant, &with_threads(&agent, threads), seconds)?);
            }
        }
        let [one, two] = rates.map(median);
        let (clock, processor) =
            (two.by_clock / one.by_clock, 2.0 * two.by_processor / one.by_processor);
        println!("{variant:<18} {one:>22} {two:>22}   {clock:.2} ({processor:.2})");
    }
    Ok(())
}

fn with_threads(agent: &str, threads: u32) -> String {
    format!("{agent}{}threads={threads}", if agent.contains(':') { ',' } else { ':' })
}

/// One search with a new tree.
fn measure(variant: &str, agent: &str, seconds: f64) -> Result<Rate, Failure> {
    let table = open(&variant.parse()?)?;
    let spec: AgentSpec = agent.parse()?;
    let mut agent = adviser(&*table, &spec, 0)?;
    let (started, used) = (Instant::now(), processor_time()?);
    let budget = Budget::per_move(Duration::from_secs_f64(seconds));
    let choice = agent.choose(&*table, &budget, &mut |_| {}).ok_or("the game is over")?;
    let (time, used) = (started.elapsed().as_secs_f64(), processor_time()? - used);
    let done = choice.statistics.iterations as f64 / 1000.0;
    Ok(Rate { by_processor: done / used, by_clock: done / time, busy: used / time })
}

/// Seconds of processor time of this process so far, ended threads included.
fn processor_time() -> Result<f64, Failure> {
    const TICKS_PER_SECOND: f64 = 100.0;
    let all = std::fs::read_to_string("/proc/self/stat")?;
    let fields = all.rsplit(')').next().unwrap_or_default().split_whitespace().skip(11).take(2);
    let ticks: u64 = fields.map(str::parse::<u64>).sum::<Result<_, _>>()?;
    Ok(ticks as f64 / TICKS_PER_SECOND)
}

fn median(mut rates: Vec<Rate>) -> Rate {
    rates.sort_by(|a, b| a.by_processor.total_cmp(&b.by_processor));
    rates[rates.len() / 2]
}

impl std::fmt::Display for Rate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text = format!("{:.1} ({:.1}; {:.2})", self.by_clock, self.by_processor, self.busy);
        f.pad(&text)
    }
}
