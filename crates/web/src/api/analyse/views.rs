//! What searches have found, as pages get it.

use agon_arena::score_json::ScoreJson;
use agon_core::scene::CellId;
use agon_games::Table;
use agon_search::expected::shares_of_line;
use agon_search::values::MoveValue;
use agon_search::{Forced, Score};
use serde::Serialize;
use utoipa::ToSchema;

use super::findings::{Analyst, Stage, Values};
use crate::view::capital;

/// The longest line that is sent.
const LONGEST_LINE: usize = 24;

/// What has changed since the last message.
#[derive(Serialize, ToSchema)]
pub(crate) struct Answers {
    /// The number of the question.
    number: u64,
    /// The agents that have found something.
    analysts: Vec<AnalystView>,
    /// The values of the moves, if there are new ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<ValuesView>,
}

/// What an agent has found.
#[derive(Serialize, ToSchema)]
pub(crate) struct AnalystView {
    /// Its number in the question.
    at: usize,
    /// Its text.
    agent: String,
    /// `waiting`, `searching` or `done`.
    state: &'static str,
    /// The depth in plies.
    depth: u32,
    /// Nodes so far.
    nodes: u64,
    /// Nodes a second.
    nps: u64,
    /// How long it has searched, in milliseconds.
    millis: u64,
    /// Where the result comes from, if not from a search.
    source: Option<&'static str>,
    /// Why there is no result.
    problem: Option<String>,
    /// The best lines, the best first.
    lines: Vec<LineView>,
}

/// A line of moves and what it is worth.
#[derive(Serialize, ToSchema)]
struct LineView {
    /// The score for the player to move, if there is one: hundredths, or `win_in` or `loss_in` plies.
    #[schema(value_type = Option<Object>)]
    score: Option<ScoreJson>,
    /// The same for people.
    text: String,
    /// Whether it is proven.
    exact: bool,
    /// What is proven, in a sentence.
    sentence: Option<String>,
    /// The expected shares of all seats, from 0 to 1.
    shares: Vec<f64>,
    /// The moves.
    moves: Vec<String>,
    /// The first route of every move.
    routes: Vec<Vec<usize>>,
}

/// The values of the moves.
#[derive(Serialize, ToSchema)]
struct ValuesView {
    /// Whether nothing more will be found.
    done: bool,
    /// Those that are known so far.
    moves: Vec<ValueView>,
}

/// What a move is worth to the player who makes it.
#[derive(Serialize, ToSchema)]
struct ValueView {
    /// The move.
    #[serde(rename = "move")]
    mv: String,
    /// Hundredths, or `win_in` or `loss_in` plies.
    #[schema(value_type = Object)]
    score: ScoreJson,
    /// The same for people.
    text: String,
    /// The expected share of a win, from 0 to 1.
    share: f64,
    /// Whether it is proven.
    exact: bool,
}

impl Answers {
    pub fn new(number: u64, analysts: Vec<AnalystView>, values: Option<&Values>) -> Answers {
        Answers { number, analysts, values: values.map(ValuesView::new) }
    }
}

impl AnalystView {
    /// What an agent has found at a table, with what is known exactly of the moves.
    pub fn new(
        at: usize,
        agent: &str,
        analyst: &Analyst,
        values: &Values,
        table: &dyn Table,
    ) -> AnalystView {
        let Analyst { depth, nodes, time, source, .. } = *analyst;
        let state = match analyst.stage {
            Stage::Waiting => "waiting",
            Stage::Searching => "searching",
            Stage::Done => "done",
        };
        let line = |(rank, (score, moves)): (usize, &(Option<Score>, Vec<String>))| {
            let known = moves.first().and_then(|mv| values.known.get(mv)).filter(|it| it.exact);
            let own = analyst.exact && rank == 0;
            LineView::new(table, *score, moves, known, own)
        };
        AnalystView {
            at,
            agent: agent.to_string(),
            state,
            depth,
            nodes,
            nps: agon_search::report::per_second(nodes, time),
            millis: time.as_millis() as u64,
            source,
            problem: analyst.problem.clone(),
            lines: analyst.lines.iter().enumerate().map(line).collect(),
        }
    }
}

impl LineView {
    /// A line; `known` is what is proven of its first move, and `own` whether the agent's own score is
    /// exact.
    fn new(
        table: &dyn Table,
        score: Option<Score>,
        moves: &[String],
        known: Option<&MoveValue>,
        own: bool,
    ) -> LineView {
        // The agent's own exact score is the distance of its line.
        let (score, exact, has_distance) = match known {
            Some(known) if !own => (Some(known.score), true, known.has_distance),
            _ => (score, own, own),
        };
        let (mut moves, routes) = drawn(table, moves);
        moves.truncate(LONGEST_LINE);
        let shares = score.map_or_else(Vec::new, |score| shares_of_line(table, score, &moves));
        LineView {
            score: score.map(ScoreJson::from),
            text: score.map_or_else(String::new, |score| text_of(score, exact, has_distance)),
            exact,
            sentence: score.filter(|_| exact).map(|score| sentence(table, score, has_distance)),
            shares,
            moves,
            routes,
        }
    }
}

/// The moves of a line as far as they are legal, each with its first route.
fn drawn(table: &dyn Table, moves: &[String]) -> (Vec<String>, Vec<Vec<CellId>>) {
    let mut here = table.fork();
    let (mut legal, mut routes) = (Vec::new(), Vec::new());
    for mv in moves.iter().take(LONGEST_LINE) {
        let Ok(text) = here.play(mv) else { break };
        let route = here.last().and_then(|last| last.trace.routes.first().cloned());
        legal.push(text);
        routes.push(route.unwrap_or_default());
    }
    (legal, routes)
}

impl ValuesView {
    fn new(values: &Values) -> ValuesView {
        let view = |value: &MoveValue| ValueView {
            mv: value.mv.clone(),
            score: value.score.into(),
            text: text_of(value.score, value.exact, value.has_distance),
            share: (value.share * 1e4).round() / 1e4,
            exact: value.exact,
        };
        ValuesView { done: values.done, moves: values.known.values().map(view).collect() }
    }
}

/// A score for people: what is proven says so in words, without a distance that is not known.
fn text_of(score: Score, exact: bool, has_distance: bool) -> String {
    match score.forced() {
        _ if !exact || has_distance && score != Score::DRAW => score.to_string(),
        Some(Forced::WinIn(_)) => "win".into(),
        Some(Forced::LossIn(_)) => "loss".into(),
        None if score == Score::DRAW => "draw".into(),
        None => score.to_string(),
    }
}

/// What is proven: `Black wins in 14 plies, proven`.
fn sentence(table: &dyn Table, score: Score, has_distance: bool) -> String {
    let Some(mover) = table.status().to_move() else { return String::new() };
    let name = |seat| capital(table.seat_label(seat));
    let distance = |plies: u32| match plies {
        _ if !has_distance => String::new(),
        1 => " in 1 ply".to_string(),
        plies => format!(" in {plies} plies"),
    };
    match score.forced() {
        Some(Forced::WinIn(plies)) => format!("{} wins{}, proven", name(mover), distance(plies)),
        Some(Forced::LossIn(plies)) if table.seats() == 2 => {
            format!("{} wins{}, proven", name(mover.opponent()), distance(plies))
        }
        Some(Forced::LossIn(plies)) => format!("{} loses{}, proven", name(mover), distance(plies)),
        None if score == Score::DRAW && table.seats() == 2 => "A draw, proven".to_string(),
        None => format!("{} for {}, known exactly", score, table.seat_label(mover)),
    }
}
