//! `agon analyse`: searches a position with an agent.

use std::io::Write;
use std::time::Duration;

use agon_arena::score_json::ScoreJson;
use agon_games::Table;
use agon_search::report::per_second;
use agon_search::spec::Role;
use agon_search::{AgentSpec, Choice, Iteration, adviser, agents};
use serde::Serialize;

use crate::args::AnalyseArgs;
use crate::commands::serve;
use crate::data::Data;
use crate::draw::palette::{BOLD, DIM};
use crate::draw::styled;
use crate::failure::bad_input;
use crate::output::{print_json, thousands};
use crate::{interrupt, setup};

/// The default time limit.
const DEFAULT_TIME: Duration = Duration::from_secs(5);

/// Searches and shows what the agent finds.
pub(crate) fn run(args: &AnalyseArgs, data: &Data) -> anyhow::Result<()> {
    let table = setup::table(data.catalog(), &args.position)?;
    if args.open {
        return serve::open(&page(&*table), data);
    }
    let mut spec: AgentSpec = match &args.agent {
        Some(text) => text.parse()?,
        None => "engine".parse()?,
    };
    if let Some(lines) = args.lines {
        let option = agents::info(&spec.name).and_then(|info| info.option(Role::Lines, 0));
        let name = option.map_or("lines", |option| option.name);
        spec.options.retain(|(option, _)| option != name);
        spec.options.push((name.to_string(), lines.to_string()));
    }
    let mut agent = adviser(&*table, &spec, args.seed)?;
    let mut budget = args.budget.pace_or(DEFAULT_TIME).budget(&interrupt::stop_flag());
    // With a node limit, even an unreachable one, a search deepens ply by ply.
    budget.nodes.get_or_insert(u64::MAX);
    if let Some(reason) = table.reason() {
        return Err(bad_input(format!("nothing to analyse: the game is over ({reason})")));
    }
    let method = agent.method();
    if let (Some(_), Some(name)) = (budget.depth, without_depth(method.as_deref(), &spec)) {
        anstream::eprintln!("note: {name} does not search by depth, so --depth has no effect");
    }
    let mut failure = Ok(());
    let mut keep = |result: std::io::Result<()>| {
        if let Err(error) = result {
            failure = Err(error);
        }
    };
    if !args.json {
        keep(header(&spec, agent.method(), &*table));
    }
    let mut costs = Costs::default();
    let mut report = |iteration: &Iteration<String>| {
        let cost = costs.of(iteration);
        keep(match args.json {
            true => print_json(&IterationJson::new(iteration, cost)),
            false => row(iteration, cost),
        });
    };
    let choice = agent.choose(&*table, &budget, &mut report);
    failure?;
    let Some(choice) = choice else { return Ok(()) };
    if args.json {
        print_json(&FinalJson::new(&choice, agent.method()))?;
    } else {
        summary(&choice)?;
    }
    Ok(())
}

/// The analysis page of a position.
fn page(table: &dyn Table) -> String {
    let mut page = format!("/analyse?variant={}", percent_encoded(&table.variant().to_string()));
    if let Some(start) = table.custom_start() {
        page += &format!("&position={}", percent_encoded(start));
    }
    if !table.played().is_empty() {
        page += &format!("&moves={}", percent_encoded(&table.played().join(" ")));
    }
    page
}

/// A text as part of an address.
fn percent_encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                encoded.push(char::from(byte));
            }
            byte => encoded += &format!("%{byte:02X}"),
        }
    }
    encoded
}

/// The name of the agent, or of the one it delegates to, if that does not search by depth.
fn without_depth<'a>(method: Option<&'a str>, spec: &'a AgentSpec) -> Option<&'a str> {
    let text = method.unwrap_or(&spec.name);
    let name = text.split_once(':').map_or(text, |(name, _)| name);
    agents::info(name)?.option(Role::Depth, 0).is_none().then_some(name)
}

fn header(spec: &AgentSpec, method: Option<String>, table: &dyn Table) -> std::io::Result<()> {
    let mut out = anstream::stdout();
    let method = method.map_or_else(String::new, |method| format!(" ({method})"));
    let mover = table.status().to_move();
    let to_move = mover.map(|seat| table.seat_label(seat)).unwrap_or_default();
    writeln!(
        out,
        "{}",
        styled(
            DIM,
            &format!("{spec}{method} in {}, {to_move} to move; Ctrl-C stops", table.variant())
        )
    )?;
    let header = format!(
        "{:>5} {:>16} {:>14} {:>14} {:>10} {:>14}  line",
        "depth", "score", "nodes", "expanded", "seconds", "nodes/s"
    );
    writeln!(out, "{}", styled(BOLD, &header))
}

/// The cost of one iteration.
#[derive(Clone, Copy, Default)]
struct Cost {
    nodes: u64,
    expanded: u64,
    time: Duration,
}

/// The cost of each iteration: searches report totals.
#[derive(Default)]
struct Costs {
    depth: u32,
    /// The totals up to the previous iteration, and up to this one.
    before: Cost,
    so_far: Cost,
}

impl Costs {
    /// The cost of this iteration so far. Further lines belong to the iteration of the first.
    fn of(&mut self, iteration: &Iteration<String>) -> Cost {
        let Iteration { depth, rank, nodes, expanded, time, .. } = *iteration;
        if depth != self.depth || rank == 0 {
            (self.depth, self.before) = (depth, self.so_far);
        }
        self.so_far = Cost { nodes, expanded, time };
        Cost {
            nodes: nodes.saturating_sub(self.before.nodes),
            expanded: expanded.saturating_sub(self.before.expanded),
            time: time.saturating_sub(self.before.time),
        }
    }
}

/// A row for an iteration: what it found and what it cost.
fn row(iteration: &Iteration<String>, cost: Cost) -> std::io::Result<()> {
    let Iteration { depth, rank, score, ref pv, .. } = *iteration;
    let rate = thousands(per_second(cost.nodes, cost.time));
    let (nodes, expanded) = (thousands(cost.nodes), thousands(cost.expanded));
    let (score, seconds, line) = (score.to_string(), cost.time.as_secs_f64(), pv.join(" "));
    // Further lines of the same depth are below the best one.
    let depth = if rank == 0 { depth.to_string() } else { format!("{}.", rank + 1) };
    writeln!(
        anstream::stdout(),
        "{depth:>5} {score:>16} {nodes:>14} {expanded:>14} {seconds:>10.3} {rate:>14}  {line}"
    )
}

fn summary(choice: &Choice<String>) -> std::io::Result<()> {
    let mut out = anstream::stdout();
    let statistics = &choice.statistics;
    let source = statistics.source.name().map_or(String::new(), |name| format!(" ({name})"));
    writeln!(out, "\n{} {}{source}", styled(BOLD, "best"), styled(BOLD, &choice.mv))?;
    let mut cost = format!(
        "{} nodes, {} positions expanded, depth {}, {:.3} s, {} nodes a second",
        thousands(statistics.nodes),
        thousands(statistics.expanded),
        statistics.depth,
        statistics.time.as_secs_f64(),
        thousands(statistics.nodes_per_second()),
    );
    if statistics.iterations > 0 {
        let rate = per_second(statistics.iterations, statistics.time);
        let iterations = thousands(statistics.iterations);
        cost += &format!(", {iterations} iterations, {} a second", thousands(rate));
    } else if statistics.expanded > 0 {
        // An agent that expands nothing has no tree, so there is nothing to say about its shape.
        cost += &format!(", branching factor {:.2}", statistics.effective_branching_factor());
    }
    if statistics.cutoffs > 0 {
        cost += &format!(
            ", {:.0} % of {} cut-offs by the first move",
            statistics.first_move_share() * 100.0,
            thousands(statistics.cutoffs),
        );
    }
    writeln!(out, "{}", styled(DIM, &cost))
}

#[derive(Serialize)]
struct IterationJson<'a> {
    best: Option<&'a str>,
    score: ScoreJson,
    depth: u32,
    /// The rank among the lines, from 1.
    line: usize,
    /// Since the start of the search.
    nodes: u64,
    expanded: u64,
    nps: u64,
    seconds: f64,
    /// In this iteration alone.
    iteration_nodes: u64,
    iteration_expanded: u64,
    iteration_seconds: f64,
    pv: &'a [String],
}

impl<'a> IterationJson<'a> {
    fn new(iteration: &'a Iteration<String>, cost: Cost) -> Self {
        IterationJson {
            best: iteration.pv.first().map(String::as_str),
            score: iteration.score.into(),
            depth: iteration.depth,
            line: iteration.rank + 1,
            nodes: iteration.nodes,
            expanded: iteration.expanded,
            nps: per_second(iteration.nodes, iteration.time),
            seconds: iteration.time.as_secs_f64(),
            iteration_nodes: cost.nodes,
            iteration_expanded: cost.expanded,
            iteration_seconds: cost.time.as_secs_f64(),
            pv: &iteration.pv,
        }
    }
}

#[derive(Serialize)]
struct FinalJson<'a> {
    best: &'a str,
    score: Option<ScoreJson>,
    depth: u32,
    nodes: u64,
    expanded: u64,
    nps: u64,
    seconds: f64,
    pv: &'a [String],
    branching_factor: f64,
    first_move_cutoffs: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    iterations: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    method: Option<String>,
    /// Where the move comes from, if not from a search.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'static str>,
    r#final: bool,
}

impl<'a> FinalJson<'a> {
    fn new(choice: &'a Choice<String>, method: Option<String>) -> Self {
        let statistics = &choice.statistics;
        FinalJson {
            best: &choice.mv,
            score: choice.score.map(ScoreJson::from),
            depth: statistics.depth,
            nodes: statistics.nodes,
            expanded: statistics.expanded,
            nps: statistics.nodes_per_second(),
            seconds: statistics.time.as_secs_f64(),
            pv: &choice.pv,
            branching_factor: statistics.effective_branching_factor(),
            first_move_cutoffs: statistics.first_move_share(),
            iterations: (statistics.iterations > 0).then_some(statistics.iterations),
            method,
            source: statistics.source.name(),
            r#final: true,
        }
    }
}
