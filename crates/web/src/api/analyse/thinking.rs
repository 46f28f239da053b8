//! The searches for one question. Each is a chain of parts on the pool: a part ends when others have
//! waited for the thread long enough, and the next one goes on with what its tables remember.

use std::sync::Arc;
use std::time::Duration;

use agon_arena::agent::AgentKind;
use agon_arena::clock::Pace;
use agon_arena::player::{Action, Answer};
use agon_arena::session::TableSession;
use agon_games::Table;
use agon_search::{Adviser, AgentError, AgentSpec, Budget, Choice, StopFlag, adviser, values};
use tokio::time::timeout;

use super::findings::{Analyst, Findings, News, Stage};
use super::views::Answers;
use super::{App, Board, Question};
use crate::api::positions::Wanted;
use crate::clients::Client;
use crate::error::ApiError;
use crate::limits;
use crate::live::new_id;
use crate::pool::{Ask, Place, StopOnDrop};

/// The running searches for a question; they stop when this is dropped.
pub(super) struct Thinking {
    number: u64,
    agents: Vec<String>,
    table: Box<dyn Table>,
    findings: Board,
    _stop: StopOnDrop,
}

/// Whom a search is for, and what it is about.
#[derive(Clone)]
struct Desk {
    app: App,
    client: Client,
    findings: Board,
    stop: StopFlag,
}

impl Thinking {
    /// Checks a question and begins to search.
    pub async fn begin(
        app: &App,
        client: Client,
        question: Question,
    ) -> Result<Thinking, ApiError> {
        let Question { number, variant, start, moves, analysts, nodes, secret, .. } = question;
        if analysts.len() > limits::ANALYSTS {
            let message = format!("at most {} agents analyse a position", limits::ANALYSTS);
            return Err(ApiError::bad(message));
        }
        if nodes.is_some_and(|nodes| nodes == 0 || nodes > limits::REVIEW_NODES) {
            let message = format!("nodes must be 1 to {}", limits::REVIEW_NODES);
            return Err(ApiError::bad(message));
        }
        let (hub, texts) = (app.hub.clone(), analysts.clone());
        let wanted = Wanted { variant, position: start, moves, brief: true };
        let opened = app.work(move || {
            let table = wanted.table(hub.catalog())?;
            let invited = |text: &String| hub.rivals.invited(text, secret.as_deref(), &*table);
            let agents = texts.iter().map(invited).collect::<Result<Vec<_>, _>>()?;
            Ok((table, agents))
        });
        let (table, agents) = opened.await?;
        let findings = Arc::new(Findings::new(agents.len()));
        let stop = StopFlag::default();
        let desk =
            Desk { app: app.clone(), client, findings: findings.clone(), stop: stop.clone() };
        if table.status().to_move().is_some() {
            for (at, agent) in agents.into_iter().enumerate() {
                let (desk, table) = (desk.clone(), table.fork());
                match agent.kind() {
                    AgentKind::BuiltIn(spec) => {
                        tokio::spawn(analyse(desk, at, spec.clone(), table, nodes));
                    }
                    AgentKind::Outside(_) => {
                        tokio::spawn(ask_program(desk, at, agent, table));
                    }
                }
            }
            tokio::spawn(value_moves(desk, table.fork(), question.values));
        } else {
            (0..agents.len()).for_each(|at| findings.of(at, |analyst| analyst.stage = Stage::Done));
            findings.values(|values| values.done = true);
        }
        Ok(Thinking { number, agents: analysts, table, findings, _stop: StopOnDrop(stop) })
    }

    /// Resolves when there may be something to send.
    pub async fn changed(&self) {
        self.findings.changed().await;
    }

    /// What has changed since the last call.
    pub fn news(&self) -> Option<Answers> {
        let News { analysts, values, values_changed } = self.findings.take()?;
        let values_news = values_changed.then_some(&values);
        let of = |(at, analyst): &(usize, Analyst)| {
            super::views::AnalystView::new(*at, &self.agents[*at], analyst, &values, &*self.table)
        };
        let analysts = analysts.iter().map(of).collect();
        Some(Answers::new(self.number, analysts, values_news))
    }
}

/// Lets a built-in agent search until it is stopped, has come to an end, or the time is up.
async fn analyse(
    desk: Desk,
    at: usize,
    spec: AgentSpec,
    table: Box<dyn Table>,
    nodes: Option<u64>,
) {
    let enough = desk.stop.child();
    let parts = search_in_parts(&desk, at, spec, &*table, nodes, &enough);
    let ended = match timeout(limits::ANALYSING, parts).await {
        Ok(ended) => ended,
        Err(_) => {
            enough.stop();
            Ok(())
        }
    };
    if desk.stop.is_set() {
        return;
    }
    desk.findings.of(at, |analyst| {
        analyst.stage = Stage::Done;
        analyst.problem = ended.err().map(|problem| problem.to_string());
    });
}

/// One part of a search: the agent, what it chose, and whether it was interrupted.
type Part = Result<(Box<dyn Adviser>, Option<Choice<String>>, bool), AgentError>;

async fn search_in_parts(
    desk: &Desk,
    at: usize,
    spec: AgentSpec,
    table: &dyn Table,
    nodes: Option<u64>,
    enough: &StopFlag,
) -> Result<(), ApiError> {
    let mut known: Option<Box<dyn Adviser>> = None;
    loop {
        let (board, spec, table) = (desk.findings.clone(), spec.clone(), table.fork());
        let agent = known.take();
        let stop = enough.clone();
        let part = move |hurry: &StopFlag| -> Part {
            board.of(at, Analyst::begin_part);
            let mut agent = agent.map_or_else(|| adviser(&*table, &spec, 0), Ok)?;
            // A limited search is short, and its result must not depend on who else waits.
            let flag = if nodes.is_some() { stop } else { hurry.clone() };
            let budget =
                Budget { nodes: nodes.or(Some(u64::MAX)), stop: flag, ..Budget::default() };
            let mut report = |iteration: &_| board.of(at, |analyst| analyst.learn(iteration));
            let choice = agent.choose(&*table, &budget, &mut report);
            Ok((agent, choice, nodes.is_none() && hurry.is_set()))
        };
        let done = desk.app.hub.pool.run(desk.client, enough.clone(), part).await?;
        let (agent, choice, interrupted) = match done {
            Some(part) => part.map_err(ApiError::bad)?,
            None => return Ok(()),
        };
        if enough.is_set() {
            return Ok(());
        }
        if !interrupted {
            desk.findings.of(at, |analyst| conclude(analyst, choice));
            return Ok(());
        }
        desk.findings.of(at, |analyst| analyst.stage = Stage::Waiting);
        known = Some(agent);
    }
}

/// Takes over what an agent chose: some report nothing on the way.
fn conclude(analyst: &mut Analyst, choice: Option<Choice<String>>) {
    let Some(Choice { mv, score, mut pv, statistics }) = choice else { return };
    if pv.first() != Some(&mv) {
        pv = vec![mv];
    }
    analyst.source = statistics.source.name();
    analyst.exact = statistics.source.is_exact();
    let is_new = analyst.lines.first().is_none_or(|(_, line)| line.first() != pv.first());
    if is_new || score.is_some_and(|score| score.forced().is_some()) {
        match analyst.lines.first_mut() {
            Some(line) => *line = (score, pv),
            None => analyst.lines.push((score, pv)),
        }
    }
    analyst.depth = analyst.depth.max(statistics.depth);
}

/// How long a program thinks.
const PROGRAM_TIME: Duration = limits::THINKING;

/// Asks a program once: it reports nothing on the way.
async fn ask_program(desk: Desk, at: usize, agent: agon_arena::Agent, table: Box<dyn Table>) {
    desk.findings.of(at, |analyst| analyst.stage = Stage::Searching);
    let Ok(id) = new_id() else { return };
    let session = TableSession::at_table(table, Pace::default());
    let ask = Ask { client: desk.client, agent, session, seed: 0 };
    let place = Place { game: id.clone(), seat: 0 };
    let heard = desk.app.hub.programs.ask(place, ask, desk.stop.clone()).await;
    desk.app.hub.programs.forget(&id, None);
    desk.findings.of(at, |analyst| {
        analyst.stage = Stage::Done;
        match heard {
            Ok(Some((
                Ok(Answer { action: Action::Play(mv), score, line, nodes, depth, .. }),
                time,
            ))) => {
                let line = if line.first() == Some(&mv) { line } else { vec![mv] };
                analyst.lines = vec![(score, line)];
                (analyst.nodes, analyst.depth, analyst.time) =
                    (nodes, depth, time.min(PROGRAM_TIME * 10));
            }
            Ok(Some((Ok(_), _))) => analyst.problem = Some("it resigned".into()),
            Ok(Some((Err(problem), _))) => analyst.problem = Some(problem.to_string()),
            Ok(None) => {}
            Err(problem) => analyst.problem = Some(problem.to_string()),
        }
    });
}

/// Finds the values of all moves; unless they are wanted, only those that are known at once, because they
/// tell which lines are exact.
async fn value_moves(desk: Desk, table: Box<dyn Table>, wanted: bool) {
    let enough = desk.stop.child();
    let parts = value_in_parts(&desk, &*table, wanted, &enough);
    if timeout(limits::ANALYSING, parts).await.is_err() {
        enough.stop();
    }
    if !desk.stop.is_set() {
        desk.findings.values(|values| values.done = true);
    }
}

async fn value_in_parts(desk: &Desk, table: &dyn Table, wanted: bool, enough: &StopFlag) {
    let mut known: Option<Box<dyn values::Valuer>> = None;
    loop {
        let (board, table, valuer) = (desk.findings.clone(), table.fork(), known.take());
        let part = move |hurry: &StopFlag| {
            let mut valuer = valuer.map_or_else(|| values::valuer(&*table), Ok).ok()?;
            let mut learn = |value: &values::MoveValue| {
                board.values(|values| drop(values.known.insert(value.mv.clone(), value.clone())));
            };
            if !wanted {
                valuer.at_once(&mut learn);
                return None;
            }
            let budget = Budget { stop: hurry.clone(), ..Budget::default() };
            let done = valuer.go_on(&budget, &mut learn);
            (!done).then_some(valuer)
        };
        let part = desk.app.hub.pool.run(desk.client, enough.clone(), part).await;
        match part {
            Ok(Some(Some(valuer))) if !enough.is_set() => known = Some(valuer),
            _ => return,
        }
    }
}
