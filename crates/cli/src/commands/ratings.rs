//! `agon ratings`: ratings of all agents of the store.

use std::io::Write;

use agon_arena::course_rating::top_points;
use agon_arena::rating_table::{COURSE_TABLE, CourseResults, RatedAgent, RatingTable};
use agon_arena::results::Results;
use agon_arena::store::Filter;
use agon_arena::words::percent;
use serde::Serialize;

use super::records::canonical;
use crate::args::RatingsArgs;
use crate::data::Data;
use crate::draw::palette::{DIM, HEADING};
use crate::draw::styled;
use crate::output::{print_json, thousands};
use crate::table::{
    NOTHING, course_points_text, elo_text, likelihood_text, rating_texts, write_aligned,
};

/// Rates all agents.
pub(crate) fn run(args: &RatingsArgs, data: &Data) -> anyhow::Result<()> {
    let variant =
        args.variant.as_deref().map(|variant| canonical(data.catalog(), variant)).transpose()?;
    let filter = Filter { variant, ..Filter::default() };
    let table = RatingTable::of(&data.games_to_read()?, &filter)?;
    if args.json { Ok(print_json(&RatingsJson::from(table))?) } else { print_table(&table) }
}

fn print_table(table: &RatingTable) -> anyhow::Result<()> {
    let mut out = anstream::stdout().lock();
    if table.groups.is_empty() {
        writeln!(out, "no matching games")?;
        return Ok(());
    }
    let games = table.games();
    let heading = match table.variants.keys().next() {
        Some(variant) if table.variants.len() == 1 => variant.clone(),
        _ => format!("{} variants together", table.variants.len()),
    };
    writeln!(out, "{}  {} games", styled(HEADING, &heading), thousands(games))?;
    let with_course = table.groups.iter().flatten().any(|rated| rated.course.is_some());
    for group in &table.groups {
        writeln!(out)?;
        let mut rows = vec![headings(with_course)];
        rows.extend(group.iter().map(|rated| row(rated, with_course)));
        write_aligned(&mut out, &[0], &rows)?;
    }
    writeln!(out)?;
    for note in notes(table) {
        writeln!(out, "{}", styled(DIM, &note))?;
    }
    Ok(())
}

fn headings(with_course: bool) -> Vec<String> {
    let of_top = format!("points of {}", top_points(COURSE_TABLE));
    let course = [&of_top, "last 50", "best 50"];
    let all = ["agent", "Elo", "better", "games", "score", "wins", "draws", "losses", "faults"];
    let course = course.into_iter().filter(|_| with_course);
    all.into_iter().chain(course).map(String::from).collect()
}

fn row(rated: &RatedAgent, with_course: bool) -> Vec<String> {
    let Results { games, wins, draws, losses, faults, .. } = rated.results;
    let course = &rated.course;
    let (elo, better) = (elo_text(rated.elo), likelihood_text(rated.over_next));
    let mut cells = vec![rated.agent.clone(), elo, better];
    cells.extend([thousands(games), percent(rated.results.score())]);
    cells.extend([wins, draws, losses, faults].map(thousands));
    match course {
        Some(course) => {
            cells.push(course_points_text(course.mean_points()));
            cells.extend(rating_texts(&course.rating));
        }
        None if with_course => cells.extend([NOTHING; 3].map(String::from)),
        None => {}
    }
    cells
}

fn notes(table: &RatingTable) -> Vec<String> {
    let mut notes =
        vec!["better: the likelihood that an agent is stronger than the next".to_string()];
    if table.groups.len() > 1 {
        notes.push(format!(
            "{} tables, as no chain of games connects their agents: Elo is relative to the mean of \
             each table and cannot be compared between them",
            table.groups.len()
        ));
    }
    if table.left_out > 0 {
        let games = thousands(table.left_out);
        notes.push(format!("{games} games of withdrawn agents are excluded"));
    }
    if table.unrated > 0 {
        let games = thousands(table.unrated);
        notes.push(format!("{games} games in which a move was taken back are excluded"));
    }
    notes
}

#[derive(Serialize)]
struct RatingsJson {
    games: u64,
    /// Games that were not played because an agent had been withdrawn.
    left_out: u64,
    /// Games in which a move was taken back.
    unrated: u64,
    variants: Vec<VariantJson>,
    groups: Vec<Vec<AgentJson>>,
}

#[derive(Serialize)]
struct VariantJson {
    variant: String,
    games: u64,
}

#[derive(Serialize)]
struct AgentJson {
    agent: String,
    elo: Option<f64>,
    error: Option<f64>,
    elo_low: Option<f64>,
    elo_high: Option<f64>,
    /// The likelihood that it is stronger than the next.
    better: Option<f64>,
    games: u64,
    score: f64,
    wins: u64,
    draws: u64,
    losses: u64,
    points: u64,
    faults: u64,
    /// The points of the FAUhalma course, in three-player games.
    #[serde(skip_serializing_if = "Option::is_none")]
    course: Option<CourseJson>,
}

#[derive(Serialize)]
struct CourseJson {
    points: Option<f64>,
    points_error: Option<f64>,
    last_50: Option<f64>,
    /// The number of games in the mean: 50, or all if there are fewer.
    games: u64,
    best: Option<f64>,
}

impl From<RatingTable> for RatingsJson {
    fn from(table: RatingTable) -> RatingsJson {
        let (games, left_out, unrated) = (table.games(), table.left_out, table.unrated);
        let variants = table.variants.into_iter();
        let groups = table.groups.into_iter();
        RatingsJson {
            games,
            left_out,
            unrated,
            variants: variants.map(|(variant, games)| VariantJson { variant, games }).collect(),
            groups: groups.map(|group| group.into_iter().map(AgentJson::from).collect()).collect(),
        }
    }
}

impl From<RatedAgent> for AgentJson {
    fn from(rated: RatedAgent) -> AgentJson {
        let RatedAgent { agent, elo, over_next, results, course } = rated;
        let score = results.score();
        let Results { games, wins, draws, losses, points, faults } = results;
        // Avoids -0.
        let tenths = |value: f64| (value * 10.0).round() / 10.0 + 0.0;
        AgentJson {
            agent,
            elo: elo.map(|elo| tenths(elo.value)),
            error: elo.map(|elo| tenths(elo.error())),
            elo_low: elo.map(|elo| tenths(elo.low)),
            elo_high: elo.map(|elo| tenths(elo.high)),
            better: over_next,
            games,
            score,
            wins,
            draws,
            losses,
            points,
            faults,
            course: course.as_ref().map(CourseJson::from),
        }
    }
}

impl From<&CourseResults> for CourseJson {
    fn from(course: &CourseResults) -> CourseJson {
        let (mean, rating) = (course.mean_points(), &course.rating);
        CourseJson {
            points: mean.map(|mean| mean.value),
            points_error: mean.map(|mean| mean.half_width()),
            last_50: rating.current(),
            games: rating.games(),
            best: rating.best(),
        }
    }
}
