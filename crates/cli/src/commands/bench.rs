//! `agon bench`: fixed searches, their node signature and their speed.

use std::io::Write;

use agon_arena::speed;
use agon_search::bench::{Measure, run as measure, searches};
use agon_search::report::per_second;
use serde::Serialize;

use crate::args::BenchArgs;
use crate::draw::palette::BOLD;
use crate::draw::styled;
use crate::failure::bad_input;
use crate::output::{print_json, thousands};

#[derive(Serialize)]
struct BenchJson {
    searches: Vec<SearchJson>,
    nodes: u64,
    seconds: f64,
    nps: u64,
    /// That of this machine for scaled clocks.
    #[serde(skip_serializing_if = "Option::is_none")]
    speed: Option<u64>,
}

#[derive(Serialize)]
struct SearchJson {
    variant: &'static str,
    agent: &'static str,
    nodes: u64,
    seconds: f64,
    nps: u64,
}

/// Runs the fixed searches, all of them or those of one game.
pub(crate) fn run(args: &BenchArgs) -> anyhow::Result<()> {
    let wanted =
        |name: &str| args.game.as_deref().is_none_or(|game| name.split(':').next() == Some(game));
    let searches: Vec<_> = searches().filter(|(variant, _)| wanted(variant)).collect();
    if searches.is_empty() {
        let game = args.game.as_deref().unwrap_or_default();
        return Err(bad_input(format!("no game {game:?} in the bench; agon games lists them")));
    }
    let mut out = anstream::stdout();
    if !args.json {
        let header = format!(
            "{:<20} {:<32} {:>14} {:>10} {:>14}",
            "variant", "agent", "nodes", "seconds", "nodes/s"
        );
        writeln!(out, "{}", styled(BOLD, &header))?;
    }
    let mut measures: Vec<Measure> = Vec::new();
    for (variant, agent) in searches {
        let result = measure(variant, agent);
        if !args.json {
            writeln!(out, "{}", row(variant, agent, &result))?;
        }
        measures.push(result);
    }
    let total = Measure {
        variant: "total",
        agent: "",
        nodes: measures.iter().map(|measure| measure.nodes).sum(),
        expanded: measures.iter().map(|measure| measure.expanded).sum(),
        time: measures.iter().map(|measure| measure.time).sum(),
    };
    let speed = args.game.is_none().then(|| speed::measure().speed);
    if args.json {
        let search = |m: &Measure| SearchJson {
            variant: m.variant,
            agent: m.agent,
            nodes: m.nodes,
            seconds: m.time.as_secs_f64(),
            nps: per_second(m.nodes, m.time),
        };
        print_json(&BenchJson {
            searches: measures.iter().map(search).collect(),
            nodes: total.nodes,
            seconds: total.time.as_secs_f64(),
            nps: per_second(total.nodes, total.time),
            speed,
        })?;
    } else {
        writeln!(out, "{}", styled(BOLD, &row("total", "", &total)))?;
        if let Some(speed) = speed {
            writeln!(out, "speed of this machine for scaled clocks: {} nodes/s", thousands(speed))?;
        }
    }
    Ok(())
}

fn row(variant: &str, agent: &str, measure: &Measure) -> String {
    let (nodes, rate) =
        (thousands(measure.nodes), thousands(per_second(measure.nodes, measure.time)));
    format!("{variant:<20} {agent:<32} {nodes:>14} {:>10.3} {rate:>14}", measure.time.as_secs_f64())
}
