//! The results of comparisons: tables and figures.

use std::collections::{BTreeMap, BTreeSet};

use agon_arena::estimate::Sample;
use agon_arena::statistics::{Draws, Fit, GameResult};
use agon_core::PerSeat;

use super::pairings::{Row, columns, named, rows_of};
use crate::claims::detectable_in_words;
use crate::experiment::{Comparison, Kind, Meeting, budget_label, budgets_of, variants_of};
use crate::report::{Block, Cell, Column, Figure, Material, Table, authors, figures};

/// More distributions than this cannot be told apart.
const MOST_DISTRIBUTIONS: usize = 4;

/// The share of the points that every seat gets on the average, with two players and with three.
const EVEN: f64 = 0.5;

/// The most heat maps of a comparison.
const MOST_MAPS: usize = 4;

pub(super) fn blocks(material: &Material<'_>) -> Vec<Block> {
    let mut blocks = Vec::new();
    let comparisons = material.experiment.comparisons.iter().enumerate();
    for (index, comparison) in comparisons {
        let rows: Vec<Row<'_>> = rows_of(material, index).collect();
        blocks.push(Block::Heading(comparison.title.clone()));
        blocks.extend(comparison.text.as_deref().map_or_else(Vec::new, authors));
        if rows.is_empty() {
            blocks.push(Block::Paragraph("No game of this comparison has been played yet.".into()));
            continue;
        }
        blocks.push(Block::Table(results(material, index, comparison, &rows)));
        if comparison.rating {
            blocks.push(Block::Table(ratings(index, comparison, &rows)));
        }
        if comparison.kind == Kind::All {
            blocks.extend(joint(material, index, comparison, &rows));
        }
        blocks.extend(drawn(index, comparison, &rows).into_iter().map(Block::Figure));
    }
    blocks.extend(seat_advantage(material));
    blocks
}

/// The main table.
fn results(
    material: &Material<'_>,
    index: usize,
    comparison: &Comparison,
    rows: &[Row<'_>],
) -> Table {
    let columns = columns(vec![
        Column::number("Games"),
        Column::record("W–D–L"),
        Column::interval("Points"),
        Column::interval("Elo"),
        Column::number("p"),
        Column::number("Plies"),
        Column::number("ms a move"),
        Column::number("Faults"),
        Column::text("Build"),
    ]);
    let caption = format!("{}: results", comparison.title);
    let mut table = Table::new(format!("results-{}", index + 1), caption, columns);
    for row in rows {
        let agent = row.played.ledger.agent(0);
        let results = agent.results;
        let mut cells = named(row);
        cells.extend([
            Cell::Count(results.games),
            Cell::Record([results.wins, results.draws, results.losses]),
            Cell::maybe(agent.mean_points(), Cell::Points),
            Cell::maybe(agent.elo(), Cell::Elo),
            row.test.and_then(|test| test.p).map_or(Cell::Empty, Cell::Probability),
            Cell::Number(row.played.ledger.mean_plies(), 1),
            Cell::Number(1000.0 * agent.effort.seconds_per_move(), 1),
            Cell::Count(results.faults),
            material.build_cell(&row.played.build),
        ]);
        table.rows.push(cells);
    }
    let table = table.without_dull(&["Variant", "Budget", "Build"]);
    // A test that is decided early has fewer games, and its own bounds.
    let least = rows.iter().map(|row| row.played.ledger.games()).min().unwrap_or(0);
    let note = match comparison.sprt {
        Some(sprt) => {
            let [elo0, elo1] = sprt.hypotheses();
            format!("Sequential tests of {elo0} against {elo1} Elo.")
        }
        None => {
            let tests = material.experiment.tests();
            let what = match comparison.seats {
                2 => "games that the agent won, drew and lost",
                _ => "games in which the agent came first, shared the first place, and did not",
            };
            let p = match tests {
                1 => "p: of a result at least this lopsided between equals".to_string(),
                _ => format!("p: corrected for {tests} comparisons"),
            };
            let shown = detectable_in_words(least, comparison.seats, tests);
            format!("W–D–L: {what}. {p}. {shown}.{}", repeated(rows))
        }
    };
    Table { note: Some(note), ..table }
}

/// How many games repeat others move by move, in a sentence.
fn repeated(rows: &[Row<'_>]) -> String {
    let repeats = |row: &Row<'_>| {
        let games: BTreeSet<u64> = row.played.games.iter().map(|game| game.signature).collect();
        row.played.games.len() - games.len()
    };
    match rows.iter().map(repeats).sum::<usize>() {
        0 => String::new(),
        count => format!(" {count} games repeat others of their pairing move by move."),
    }
}

/// The rating over 50 games.
fn ratings(index: usize, comparison: &Comparison, rows: &[Row<'_>]) -> Table {
    let columns = columns(vec![
        Column::number("Games"),
        Column::interval("Mean"),
        Column::number("Last 50"),
        Column::number("Best 50 in a row"),
    ]);
    let most = comparison.seats.saturating_sub(1);
    let caption = format!("{}: points a game, of {most}", comparison.title);
    let mut table = Table::new(format!("rating-{}", index + 1), caption, columns);
    let number = |value: Option<f64>| value.map_or(Cell::Empty, |value| Cell::Number(value, 2));
    for row in rows {
        let agent = row.played.ledger.agent(0);
        let mut cells = named(row);
        cells.extend([
            Cell::Count(agent.results.games),
            Cell::maybe(agent.mean_course_points(), |it| Cell::Mean(it, 2)),
            number(agent.rating.current()),
            number(agent.rating.best()),
        ]);
        table.rows.push(cells);
    }
    table.without_dull(&["Variant", "Budget"])
}

/// Everyone against everyone: one rating for each agent, and crosstables.
fn joint(
    material: &Material<'_>,
    index: usize,
    comparison: &Comparison,
    rows: &[Row<'_>],
) -> Vec<Block> {
    let mut agents: Vec<usize> =
        comparison.meetings.iter().flat_map(|it| [it.agent, it.opponent]).collect();
    agents.sort_unstable();
    agents.dedup();
    let columns = ["Agent", "Variant", "Budget"].map(Column::text);
    let columns = columns.into_iter().chain([Column::interval("Elo")]).collect();
    let caption = format!("{}: Elo from all games at once", comparison.title);
    let mut table = Table::new(format!("joint-{}", index + 1), caption, columns);
    let mut maps = Vec::new();
    for (number, terms) in comparison.terms.iter().enumerate() {
        let here: Vec<&Row<'_>> = rows.iter().filter(|row| row.place.1 == number).collect();
        let fit = Fit::of(&game_results(&here), Draws::HalfWins);
        let rated = agents.iter().filter_map(|&agent| Some((agent, fit.elo(agent as u32)?)));
        let mut rated: Vec<_> = rated.collect();
        rated.sort_by(|(_, one), (_, other)| other.value.total_cmp(&one.value));
        table.rows.extend(rated.into_iter().map(|(agent, elo)| {
            vec![
                Cell::Text(material.experiment.name_of(agent).to_string()),
                Cell::Code(terms.variant.to_string()),
                Cell::Text(budget_label(&terms.pace)),
                Cell::Elo(elo),
            ]
        }));
        maps.push(crosstable(material, (index, number), comparison, &agents, &here));
    }
    maps.truncate(MOST_MAPS);
    let table = Block::Table(table.without_dull(&["Variant", "Budget"]));
    std::iter::once(table).chain(maps.into_iter().map(Block::Figure)).collect()
}

/// The score of everyone against everyone on one of the terms.
fn crosstable(
    material: &Material<'_>,
    (index, number): (usize, usize),
    comparison: &Comparison,
    agents: &[usize],
    rows: &[&Row<'_>],
) -> Figure {
    let names: Vec<String> =
        agents.iter().map(|agent| material.experiment.name_of(*agent).to_string()).collect();
    let met = |agent: usize, opponent: usize| {
        let meets = |it: &&&Row<'_>| (it.meeting.agent, it.meeting.opponent) == (agent, opponent);
        rows.iter().find(meets)?.played.ledger.agent(0).score().map(|it| it.value)
    };
    let score = |row: usize, column: usize| {
        let (agent, opponent) = (agents[row], agents[column]);
        // Two against one is not the reverse of one against two.
        let reversed = || met(opponent, agent).filter(|_| comparison.seats == 2);
        met(agent, opponent).or_else(|| reversed().map(|score| 1.0 - score))
    };
    let terms = &comparison.terms[number];
    let place = format!("{} at {}", terms.variant, budget_label(&terms.pace));
    let caption = format!("{}: score of the row against the column, {place}", comparison.title);
    let id = format!("cross-{}-{}", index + 1, number + 1);
    figures::scores(id, caption, ["agent", "against"], names.clone(), names, score)
}

/// The games as the joint fit needs them, with the experiment's numbers of agents.
fn game_results(rows: &[&Row<'_>]) -> Vec<GameResult> {
    let mut all = Vec::new();
    for (number, row) in rows.iter().enumerate() {
        let agent = |seated: &u16| {
            let meeting = row.meeting;
            (if *seated == 0 { meeting.agent } else { meeting.opponent }) as u32
        };
        all.extend(row.played.games.iter().map(|game| {
            let seating: Vec<u32> = game.seating.iter().map(agent).collect();
            GameResult {
                seating: PerSeat::from_slice(&seating),
                points: PerSeat::from_slice(&game.points),
                group: Some((number as u64) << 32 | game.group),
            }
        }));
    }
    all
}

/// The figures of a comparison.
fn drawn(index: usize, comparison: &Comparison, rows: &[Row<'_>]) -> Vec<Figure> {
    let number = index + 1;
    let title = &comparison.title;
    let mut figures: Vec<Option<Figure>> = Vec::new();
    match comparison.kind {
        Kind::Evolution | Kind::BuildUp => {
            figures.push(evolution(number, comparison, rows));
            let steps = rows.iter().filter(|row| row.meeting.role.is_step());
            let bars = steps.filter_map(|row| Some((row.label(comparison), row.test?.elo)));
            let caption = format!("{title}: what each step is worth, against the one before");
            figures.push(figures::elo_bars(format!("steps-{number}"), caption, bars));
        }
        Kind::Ablation => {
            let bars = rows.iter().filter_map(|row| {
                let name = row.opponent.strip_prefix(row.agent).unwrap_or(row.opponent);
                Some((row.with_terms(comparison, name.trim()), row.test?.elo))
            });
            let caption = format!("{title}: Elo of the whole against itself without a part");
            figures.push(figures::elo_bars(format!("ablation-{number}"), caption, bars));
        }
        Kind::Baseline => {
            let bars = rows.iter().filter_map(|row| Some((row.label(comparison), row.test?.elo)));
            let against = rows.first().map_or("", |row| row.opponent);
            let caption = format!("{title}: Elo against {against}");
            figures.push(figures::elo_bars(format!("elo-{number}"), caption, bars));
        }
        Kind::Against => {
            let bars = rows.iter().filter_map(|row| {
                Some((
                    row.with_terms(comparison, &format!("against {}", row.opponent)),
                    row.test?.elo,
                ))
            });
            let agent = rows.first().map_or("", |row| row.agent);
            let caption = format!("{title}: Elo of {agent}");
            figures.push(figures::elo_bars(format!("elo-{number}"), caption, bars));
        }
        Kind::All => {}
    }
    figures.extend(maps(number, comparison, rows).into_iter().map(Some));
    let parts = if comparison.seats == 2 {
        ["won", "drawn", "lost"]
    } else {
        ["first", "shared first", "behind"]
    };
    let bars = rows.iter().map(|row| {
        let results = row.played.ledger.agent(0).results;
        (row.pairing(comparison), [results.wins, results.draws, results.losses])
    });
    figures.push(figures::records(
        format!("records-{number}"),
        format!("{title}: results"),
        parts,
        bars,
    ));
    figures.push(lengths(number, comparison, rows));
    figures.into_iter().flatten().collect()
}

/// Strength against the baseline, version by version.
fn evolution(number: usize, comparison: &Comparison, rows: &[Row<'_>]) -> Option<Figure> {
    let against = |row: &&Row<'_>| row.meeting.role.is_baseline();
    let mut agents: Vec<usize> = Vec::new();
    for row in rows.iter().filter(against) {
        if !agents.contains(&row.meeting.agent) {
            agents.push(row.meeting.agent);
        }
    }
    let name =
        |agent: usize| rows.iter().find(|row| row.meeting.agent == agent).map(|row| row.agent);
    let baseline = rows.iter().find(against)?.opponent;
    let steps: Vec<String> = std::iter::once(baseline)
        .chain(agents.iter().filter_map(|agent| name(*agent)))
        .map(String::from)
        .collect();
    let line = |terms: usize| {
        let rows = rows.iter().filter(against).filter(move |row| row.place.1 == terms);
        let points = rows.filter_map(|row| {
            let step = agents.iter().position(|agent| *agent == row.meeting.agent)?;
            Some((step + 1, row.test?.elo))
        });
        points.collect()
    };
    let lines = (0..comparison.terms.len()).map(|terms| {
        let it = &comparison.terms[terms];
        (format!("{}, {}", it.variant, budget_label(&it.pace)), line(terms))
    });
    let caption = format!("{}: strength step by step", comparison.title);
    figures::evolution(format!("evolution-{number}"), caption, steps, lines.collect())
}

/// Scores by variant and budget, where there are several of both.
fn maps(number: usize, comparison: &Comparison, rows: &[Row<'_>]) -> Vec<Figure> {
    let (variants, budgets) = (variants_of(&comparison.terms), budgets_of(&comparison.terms));
    if variants.len() < 2 || budgets.len() < 2 {
        return Vec::new();
    }
    let meetings = comparison.meetings.iter().enumerate().take(MOST_MAPS);
    let map = |(place, meeting): (usize, &Meeting)| {
        let of_meeting = || rows.iter().filter(|row| row.meeting == *meeting);
        let first = of_meeting().next()?;
        let caption =
            format!("Score of {} against {}, by variant and budget", first.agent, first.opponent);
        let score = |row: usize, column: usize| {
            let there = |it: &&Row<'_>| {
                it.terms.variant.to_string() == variants[row]
                    && budget_label(&it.terms.pace) == budgets[column]
            };
            let row = of_meeting().find(there)?;
            row.played.ledger.agent(0).score().map(|it| it.value)
        };
        let id = format!("map-{number}-{}", place + 1);
        let (rows, columns) = (variants.clone(), budgets.clone());
        Some(figures::scores(id, caption, ["variant", "budget"], rows, columns, score))
    };
    meetings.filter_map(map).collect()
}

/// How long the games were, by variant.
fn lengths(number: usize, comparison: &Comparison, rows: &[Row<'_>]) -> Option<Figure> {
    let mut distributions: Vec<(String, Vec<f64>)> = Vec::new();
    for row in rows {
        let name = row.terms.variant.to_string();
        let lengths = row.played.games.iter().map(|game| f64::from(game.plies));
        match distributions.iter_mut().find(|(known, _)| *known == name) {
            Some((_, all)) => all.extend(lengths),
            None => distributions.push((name, lengths.collect())),
        }
    }
    distributions.truncate(MOST_DISTRIBUTIONS);
    let caption = format!("{}: lengths of the games, all pairings together", comparison.title);
    figures::lengths(format!("lengths-{number}"), caption, distributions)
}

/// What the first seat is worth, by variant, over all comparisons. All pairings play the same openings,
/// so the games of one opening are one group, whoever played them.
fn seat_advantage(material: &Material<'_>) -> Option<Block> {
    let mut variants: Vec<(String, BTreeMap<u64, Vec<f64>>)> = Vec::new();
    let mut seen = BTreeSet::new();
    let comparisons = 0..material.experiment.comparisons.len();
    for row in comparisons.flat_map(|index| rows_of(material, index)) {
        // What two comparisons share counts once.
        if !seen.insert(row.played.series) {
            continue;
        }
        let name = row.terms.variant.to_string();
        let place = variants.iter().position(|(known, _)| *known == name).unwrap_or_else(|| {
            variants.push((name, BTreeMap::new()));
            variants.len() - 1
        });
        for game in &row.played.games {
            let points = f64::from(game.points.first().copied().unwrap_or(0)) / 100.0;
            variants[place].1.entry(game.group).or_default().push(points);
        }
    }
    let bars = variants.into_iter().filter_map(|(name, groups)| {
        let mut sample = Sample::default();
        for group in groups.values() {
            group.iter().for_each(|points| sample.add(*points));
            sample.close_group();
        }
        Some((name, EVEN, sample.mean()?))
    });
    let caption = "Seat advantage: what the first seat got, whoever sat there".to_string();
    figures::seats("seats".to_string(), caption, bars).map(Block::Figure)
}
