//! The results of measurements without games.

use agon_plot::Axis;

use super::counted;
use crate::experiment::{Measure, MeasureKind, budget_label, variants_of};
use crate::measure::{Searched, Searches};
use crate::report::{Block, Cell, Column, Figure, Material, Table, authors, figures};
use crate::results::Found;
use crate::unit::Work;

/// The searches of one agent on one of the terms.
pub(super) struct Row<'a> {
    pub(super) agent: usize,
    pub(super) name: &'a str,
    /// The index of the terms.
    pub(super) terms: usize,
    pub(super) searches: &'a Searches,
    build: Cell,
}

pub(super) fn blocks(material: &Material<'_>) -> Vec<Block> {
    let mut blocks = Vec::new();
    for (index, measure) in material.experiment.measures.iter().enumerate() {
        blocks.push(Block::Heading(measure.title.clone()));
        blocks.extend(measure.text.as_deref().map_or_else(Vec::new, authors));
        let rows = rows_of(material, index);
        let own = match &measure.kind {
            MeasureKind::Solve => solved(material, index, measure).into_iter().collect(),
            _ if rows.is_empty() => Vec::new(),
            MeasureKind::Search => searched(index, measure, &rows),
            MeasureKind::Threads(groups) => scaled(index, measure, groups, &rows),
        };
        if own.is_empty() {
            blocks.push(Block::Paragraph("Nothing of this has been measured yet.".into()));
        }
        blocks.extend(own);
    }
    blocks
}

/// The searches of a measurement.
pub(super) fn rows_of<'a>(material: &'a Material<'_>, index: usize) -> Vec<Row<'a>> {
    let rows = material.results.of_measure(index).filter_map(|(unit, found)| {
        let (&Work::Search { terms, agent, .. }, Found::Searches(searches, build)) =
            (&unit.work, found)
        else {
            return None;
        };
        let name = material.experiment.name_of(agent);
        Some(Row { agent, name, terms, searches, build: material.build_cell(build) })
    });
    rows.collect()
}

/// The mean of something over the positions.
fn mean(searches: &Searches, of: impl Fn(&Searched) -> f64) -> f64 {
    let all = &searches.searches;
    all.iter().map(of).sum::<f64>() / all.len().max(1) as f64
}

/// How many positions were searched.
fn positions(rows: &[Row<'_>]) -> usize {
    rows.iter().map(|row| row.searches.searches.len()).max().unwrap_or(0)
}

/// Nodes a second over all positions, by the clock.
fn speed_by_clock(searches: &Searches) -> f64 {
    speed_in(searches, |it| it.seconds)
}

/// Nodes a second over all positions, of the time that the search had a processor.
fn speed(searches: &Searches) -> f64 {
    speed_in(searches, |it| it.processor_seconds.min(it.seconds))
}

fn speed_in(searches: &Searches, time: impl Fn(&Searched) -> f64) -> f64 {
    let nodes: u64 = searches.searches.iter().map(|it| it.nodes).sum();
    let seconds: f64 = searches.searches.iter().map(time).sum();
    nodes as f64 / seconds.max(1e-9)
}

/// The share of cut-offs by the first move, where there were any.
fn first_move_share(searches: &Searches) -> Option<f64> {
    let sum = |of: fn(&Searched) -> u64| searches.searches.iter().map(of).sum::<u64>();
    let cutoffs = sum(|it| it.cutoffs);
    (cutoffs > 0).then(|| sum(|it| it.first_move_cutoffs) as f64 / cutoffs as f64)
}

fn searched(index: usize, measure: &Measure, rows: &[Row<'_>]) -> Vec<Block> {
    let columns = vec![
        Column::text("Agent"),
        Column::text("Variant"),
        Column::text("Budget"),
        Column::number("Depth"),
        Column::number("Nodes"),
        Column::number("Expanded"),
        Column::number("Seconds"),
        Column::number("Nodes a second"),
        Column::number("Branching"),
        Column::number("First-move cut-offs"),
        Column::text("Build"),
    ];
    let caption = format!("{}: means of {}", measure.title, counted(positions(rows), "position"));
    let mut table = Table::new(format!("searches-{}", index + 1), caption, columns);
    for row in rows {
        let (terms, searches) = (&measure.terms[row.terms], row.searches);
        table.rows.push(vec![
            Cell::Text(row.name.into()),
            Cell::Code(terms.variant.to_string()),
            Cell::Text(budget_label(&terms.pace)),
            Cell::Number(mean(searches, |it| f64::from(it.depth)), 1),
            Cell::Number(mean(searches, |it| it.nodes as f64), 0),
            Cell::Number(mean(searches, |it| it.expanded as f64), 0),
            Cell::Number(mean(searches, |it| it.seconds), 4),
            Cell::Number(speed(searches), 0),
            Cell::Number(mean(searches, |it| it.branching), 2),
            first_move_share(searches).map_or(Cell::Empty, Cell::Share),
            row.build.clone(),
        ]);
    }
    table.note = Some(
        "Nodes: moves played by the search; expanded: positions whose moves were generated; \
         branching: that of a uniform tree as large as the last iteration."
            .into(),
    );
    let mut blocks = vec![Block::Table(table.without_dull(&["Variant", "Budget", "Build"]))];
    if measure.iterations {
        blocks.push(Block::Table(iterations(index, measure, rows)));
    }
    blocks.extend(drawn(index, measure, rows).into_iter().map(Block::Figure));
    blocks
}

/// Depth, nodes and time of each iteration, where at least half of the positions got there.
fn iterations(index: usize, measure: &Measure, rows: &[Row<'_>]) -> Table {
    let columns = vec![
        Column::text("Agent"),
        Column::text("Variant"),
        Column::text("Budget"),
        Column::number("Depth"),
        Column::number("Positions"),
        Column::number("Nodes"),
        Column::number("Expanded"),
        Column::number("Seconds"),
        Column::text("Build"),
    ];
    let caption = format!("{}: what the iterations until each depth have cost", measure.title);
    let mut table = Table::new(format!("iterations-{}", index + 1), caption, columns);
    for row in rows {
        let terms = &measure.terms[row.terms];
        for (depth, reached, [nodes, expanded, seconds]) in deepening(row.searches) {
            table.rows.push(vec![
                Cell::Text(row.name.into()),
                Cell::Code(terms.variant.to_string()),
                Cell::Text(budget_label(&terms.pace)),
                Cell::Count(u64::from(depth)),
                Cell::Count(reached),
                Cell::Number(nodes, 0),
                Cell::Number(expanded, 0),
                Cell::Number(seconds, 4),
                row.build.clone(),
            ]);
        }
    }
    table.note = Some("Means over the positions that got to this depth; at least half did.".into());
    table.without_dull(&["Variant", "Budget", "Build"])
}

/// For each depth that half of the positions reached: how many did, and the means of nodes,
/// expansions and seconds until then.
fn deepening(searches: &Searches) -> Vec<(u32, u64, [f64; 3])> {
    let all = &searches.searches;
    let deepest = all.iter().flat_map(|it| &it.iterations).map(|it| it.depth).max().unwrap_or(0);
    let mut depths = Vec::new();
    for depth in 1..=deepest {
        let there: Vec<_> = all
            .iter()
            .filter_map(|it| it.iterations.iter().find(|iteration| iteration.depth == depth))
            .collect();
        if there.len() * 2 < all.len() || there.is_empty() {
            continue;
        }
        let count = there.len() as f64;
        let mean = |of: &dyn Fn(&crate::measure::Deepened) -> f64| {
            there.iter().map(|it| of(it)).sum::<f64>() / count
        };
        let means =
            [mean(&|it| it.nodes as f64), mean(&|it| it.expanded as f64), mean(&|it| it.seconds)];
        depths.push((depth, there.len() as u64, means));
    }
    depths
}

/// The searches that reached the largest depth that half of them reached: the same positions for every
/// depth of a line, since those that get farther are the easier ones.
fn deepest(searches: &Searches) -> Searches {
    let depth = deepening(searches).last().map_or(0, |(depth, ..)| *depth);
    let reached = |it: &&Searched| it.iterations.iter().any(|iteration| iteration.depth == depth);
    Searches { searches: searches.searches.iter().filter(reached).cloned().collect() }
}

/// Depth and nodes against time, and nodes a second.
fn drawn(index: usize, measure: &Measure, rows: &[Row<'_>]) -> Vec<Figure> {
    let number = index + 1;
    let mut figures: Vec<Option<Figure>> = Vec::new();
    for (place, variant) in variants_of(&measure.terms).iter().enumerate() {
        let here = |row: &&Row<'_>| measure.terms[row.terms].variant.to_string() == *variant;
        let lines = lines(rows.iter().filter(here));
        let line = |pick: fn(&(f64, f64, f64)) -> (f64, f64)| -> Vec<(String, Vec<(f64, f64)>)> {
            let line = |(name, points): &Line| (name.clone(), points.iter().map(pick).collect());
            lines.iter().map(line).collect()
        };
        let several = lines.iter().any(|(_, points)| points.len() > 1);
        if several {
            let time = || Axis::log("Time (s)");
            figures.push(figures::growth(
                format!("depth-{number}-{}", place + 1),
                format!("Depth against time, {variant}"),
                [time(), Axis::linear("Depth (plies)")],
                line(|&(seconds, depth, _)| (seconds, depth)),
            ));
            figures.push(figures::growth(
                format!("nodes-{number}-{}", place + 1),
                format!("Nodes against time, {variant}"),
                [time(), Axis::log("Nodes")],
                line(|&(seconds, _, nodes)| (seconds, nodes)),
            ));
            figures.push(figures::growth(
                format!("tree-{number}-{}", place + 1),
                format!("Nodes against depth, {variant}"),
                [Axis::linear("Depth (plies)"), Axis::log("Nodes")],
                line(|&(_, depth, nodes)| (depth, nodes)),
            ));
        }
        let bars = rows.iter().filter(here).map(|row| {
            let speed = speed(row.searches);
            let budget = budget_label(&measure.terms[row.terms].pace);
            let text = agon_arena::words::thousands(speed.round() as u64);
            (format!("{}, {budget}", row.name), speed, text)
        });
        figures.push(figures::plain_bars(
            format!("speed-{number}-{}", place + 1),
            format!("Nodes a second, {variant}"),
            "Nodes a second".to_string(),
            bars,
        ));
    }
    figures.into_iter().flatten().collect()
}

/// An agent's name, and its seconds, depth and nodes step by step.
type Line = (String, Vec<(f64, f64, f64)>);

/// Seconds, depth and nodes of each agent: iteration by iteration of its longest search, or budget by
/// budget if its searches do not deepen.
fn lines<'a>(rows: impl Iterator<Item = &'a Row<'a>>) -> Vec<Line> {
    let mut of_agents: Vec<(usize, &str, Vec<&Row<'_>>)> = Vec::new();
    for row in rows {
        match of_agents.iter_mut().find(|(agent, ..)| *agent == row.agent) {
            Some((_, _, rows)) => rows.push(row),
            None => of_agents.push((row.agent, row.name, vec![row])),
        }
    }
    let line = |(_, name, rows): &(usize, &str, Vec<&Row<'_>>)| {
        let longest = rows.iter().max_by(|one, other| {
            let seconds = |row: &Row<'_>| mean(row.searches, |it| it.seconds);
            seconds(one).total_cmp(&seconds(other))
        });
        let deepened = longest.map_or_else(Vec::new, |row| deepening(&deepest(row.searches)));
        let mut points: Vec<(f64, f64, f64)> = if deepened.len() > 1 {
            let point = |(depth, _, [nodes, _, seconds]): &(u32, u64, [f64; 3])| {
                (*seconds, f64::from(*depth), *nodes)
            };
            deepened.iter().map(point).collect()
        } else {
            let point = |row: &&Row<'_>| {
                let searches = row.searches;
                let depth = mean(searches, |it| f64::from(it.depth));
                (mean(searches, |it| it.seconds), depth, mean(searches, |it| it.nodes as f64))
            };
            rows.iter().map(point).collect()
        };
        points.sort_by(|one, other| one.0.total_cmp(&other.0));
        (name.to_string(), points)
    };
    of_agents.iter().map(line).collect()
}

/// Scaling over threads.
fn scaled(
    index: usize,
    measure: &Measure,
    groups: &[Vec<(usize, usize)>],
    rows: &[Row<'_>],
) -> Vec<Block> {
    let columns = vec![
        Column::text("Agent"),
        Column::text("Variant"),
        Column::text("Budget"),
        Column::number("Threads"),
        Column::number("Depth"),
        Column::number("Seconds"),
        Column::number("Nodes a second"),
        Column::number("Times as fast"),
        Column::text("Build"),
    ];
    let caption = format!("{}: means of {}", measure.title, counted(positions(rows), "position"));
    let mut table = Table::new(format!("threads-{}", index + 1), caption, columns);
    let mut lines = Vec::new();
    for (number, terms) in measure.terms.iter().enumerate() {
        for group in groups {
            let row_of =
                |agent: usize| rows.iter().find(|it| it.agent == agent && it.terms == number);
            let Some(first) = group.first().and_then(|(_, agent)| row_of(*agent)) else { continue };
            let base = speed_by_clock(first.searches);
            let mut points = Vec::new();
            for &(threads, agent) in group {
                let Some(row) = row_of(agent) else { continue };
                let times = speed_by_clock(row.searches) / base;
                points.push((threads as f64, times));
                table.rows.push(vec![
                    Cell::Text(row.name.into()),
                    Cell::Code(terms.variant.to_string()),
                    Cell::Text(budget_label(&terms.pace)),
                    Cell::Count(threads as u64),
                    Cell::Number(mean(row.searches, |it| f64::from(it.depth)), 1),
                    Cell::Number(mean(row.searches, |it| it.seconds), 4),
                    Cell::Number(speed_by_clock(row.searches), 0),
                    Cell::Number(times, 2),
                    row.build.clone(),
                ]);
            }
            lines.push((format!("{}, {}", first.name, terms.variant), points));
        }
    }
    let axes = [Axis::linear("Threads"), Axis::linear("Nodes a second, relative")];
    let figure = figures::growth(
        format!("scaling-{}", index + 1),
        format!("{}: nodes a second, relative to the fewest threads", measure.title),
        axes,
        lines,
    );
    let table = Block::Table(table.without_dull(&["Variant", "Budget", "Build"]));
    std::iter::once(table).chain(figure.map(Block::Figure)).collect()
}

fn solved(material: &Material<'_>, index: usize, measure: &Measure) -> Option<Block> {
    let columns = vec![
        Column::text("Variant"),
        Column::text("For the player to move"),
        Column::text("With"),
        Column::number("Plies"),
        Column::number("Nodes"),
        Column::number("Seconds"),
        Column::number("Processor seconds"),
        Column::text("Budget"),
        Column::text("Build"),
    ];
    let mut table = Table::new(format!("solved-{}", index + 1), measure.title.clone(), columns);
    for (unit, found) in material.results.of_measure(index) {
        let (&Work::Solve { terms, .. }, Found::Solved(solved, build)) = (&unit.work, found) else {
            continue;
        };
        let why = solved.unknown.as_ref().map(|why| format!(" ({why})")).unwrap_or_default();
        table.rows.push(vec![
            Cell::Code(measure.terms[terms].variant.to_string()),
            Cell::Text(format!("{}{why}", solved.value)),
            solved.best.clone().map_or(Cell::Empty, Cell::Code),
            solved.distance.map_or(Cell::Empty, |plies| Cell::Count(u64::from(plies))),
            Cell::Count(solved.nodes),
            Cell::Number(solved.seconds, 2),
            Cell::Number(solved.processor_seconds, 2),
            Cell::Text(budget_label(&measure.terms[terms].pace)),
            material.build_cell(build),
        ]);
    }
    let table = table.without_dull(&["Budget", "Build"]);
    (!table.rows.is_empty()).then_some(Block::Table(table))
}
