//! How many nodes heuristic ordering saves in Wumpus battle, at the course's depth:
//! `cargo run --release --package agon-search --example heuristics`.
//!
//! All searches evaluate their leaves with `simple`, so all find the same values; only the order
//! differs.

use agon_search::bench::run;

const SEARCHES: &[&str] = &[
    "minimax:depth=6",
    "alphabeta:depth=6",
    "ordered:depth=6,h=material,eval=simple",
    "ordered:depth=6,h=matchup,eval=simple",
    "ordered:depth=6,h=threat,eval=simple",
    "ordered:depth=6,h=mobility,eval=simple",
    "ordered:depth=6,h=distance,eval=simple",
    "ordered:depth=6,h=tempo,eval=simple",
    "ordered:depth=6,h=simple,eval=simple",
];

fn main() {
    println!("wumpus:6, the positions of the bench");
    println!("{:<40} {:>12} {:>14} {:>9}", "agent", "expanded", "nodes", "seconds");
    for agent in SEARCHES {
        let measure = run("wumpus:6", agent);
        let seconds = measure.time.as_secs_f64();
        println!("{agent:<40} {:>12} {:>14} {seconds:>9.3}", measure.expanded, measure.nodes);
    }
}
