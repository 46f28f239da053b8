//! From the server's responses to the client's answers.

use agon_core::rng::mix;
use agon_games::Table;
use agon_search::{Adviser, AgentError, Statistics, StopFlag, adviser};
use serde_json::Value;

use super::Client;
use super::book::{Book, Change, Standing};
use super::event::{Event, Listener, Moved};
use super::exchange::Received;
use super::link::Failure;
use super::news::{Asked, News};
use super::percept::farthest_move;
use super::thinking::{Job, Thought, think};
use crate::aisysproj::protocol::v1::MessageKind;
use crate::aisysproj::protocol::{v0, v1};

/// How much of a message is shown.
const LONGEST_MESSAGE: usize = 400;
/// How many moves may be refused at one point before a run is abandoned.
const MOST_REFUSED: usize = 2;

/// An answer to be sent.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub(super) run: String,
    pub(super) number: u64,
    pub(super) mv: String,
    action: Value,
}

impl Answer {
    fn new(run: String, number: u64, mv: String) -> Answer {
        // Moves of FAUhalma are written as JSON.
        let action = serde_json::from_str(&mv).unwrap_or_default();
        Answer { run, number, mv, action }
    }

    pub(super) fn in_version_0(&self) -> v0::Action {
        let run = v0::Step { run: self.run.clone(), number: self.number };
        v0::Action { run, action: self.action.clone() }
    }

    pub(super) fn in_version_1(&self) -> v1::Action {
        let act_no = i64::try_from(self.number).unwrap_or(i64::MAX);
        v1::Action { run: self.run.clone(), act_no, action: self.action.clone() }
    }
}

/// A run in which a move is due.
pub(super) struct Due {
    run: String,
    number: u64,
    table: Box<dyn Table>,
}

impl Client {
    /// Processes a response, and returns the runs in which a move is due.
    pub(super) fn take_in(&mut self, received: Received, tell: Listener<'_>) -> Vec<Due> {
        let Received { news, retried } = received;
        self.pass_on(&news, retried, tell);
        let fresh = self.book.are_fresh(&news.asked);
        for (run, outcome) in &news.finished {
            self.finish(run, Some(*outcome).filter(|outcome| outcome.is_finite()), tell);
        }
        let due = news.asked.iter().filter_map(|asked| self.take_up(asked, tell)).collect();
        let gone = match &news.open {
            Some(open) => self.book.missing_from(open, &news.asked),
            None if fresh => self.book.missing_below(&news.asked),
            None => Vec::new(),
        };
        for run in gone {
            self.finish(&run, None, tell);
        }
        let (totals, runs) = (&self.tally.totals, &self.book.list());
        tell(&Event::Standing { totals, runs });
        due
    }

    /// Reports the server's messages.
    fn pass_on(&mut self, news: &News, retried: bool, tell: Listener<'_>) {
        for said in &news.messages {
            let is_error = said.kind == MessageKind::Error;
            // An answer that arrived twice is refused the second time.
            let expected = is_error && retried;
            self.tally.totals.errors += u64::from(is_error && !expected);
            let text = self.link.clean(&said.text, LONGEST_MESSAGE);
            let run = said.run.as_deref().map(|run| self.link.clean(run, LONGEST_MESSAGE));
            tell(&Event::Message { kind: said.kind, run: run.as_deref(), text: &text, expected });
        }
    }

    /// Counts a run that is over, unless somebody else played it.
    fn finish(&mut self, run: &str, outcome: Option<f64>, tell: Listener<'_>) {
        let known = self.book.remove(run);
        let is_ours = outcome.is_some() || known.as_ref().is_some_and(|run| run.sent.is_some());
        if is_ours && !self.tally.has(run) {
            let moves = known.map_or(0, |run| run.moves());
            tell(&Event::Finished(&self.tally.add(run, outcome, moves)));
        }
    }

    /// Handles the request for a move in a run. `None` if no move is due there.
    fn take_up(&mut self, asked: &Asked, tell: Listener<'_>) -> Option<Due> {
        let change = self.book.ask(asked);
        if let Change::Refused(mv) = &change {
            self.take_refusal(asked, mv, tell);
        }
        let read = self.boards.read(&asked.percept);
        let run = self.book.get_mut(&asked.run)?;
        if let Standing::Leaving(why) = &run.standing
            && change == Change::Again
        {
            // It was to be abandoned but a move is still requested.
            run.standing = Standing::Alone(why.clone());
        }
        if run.standing != Standing::Playing {
            return None;
        }
        let table = match read {
            Ok(table) => table,
            Err(problem) => {
                let text = self.link.clean(&format!("run {}: {problem}", asked.run), 600);
                run.standing = Standing::Alone(text.clone());
                tell(&Event::Note { text: &text });
                return None;
            }
        };
        self.tally.set_players(table.seats());
        if change == Change::New {
            let variant = table.variant();
            tell(&Event::Taken { run: &asked.run, number: asked.number, variant });
        }
        Some(Due { run: asked.run.clone(), number: asked.number, table })
    }

    /// The server refused a move: another one is tried, but only once.
    fn take_refusal(&mut self, asked: &Asked, mv: &str, tell: Listener<'_>) {
        self.tally.totals.refused += 1;
        self.tally.totals.moves = self.tally.totals.moves.saturating_sub(1);
        self.boards.doubt(&asked.percept, mv);
        let gives_up = self.version == 1 && self.can_abandon;
        let Some(run) = self.book.get_mut(&asked.run) else { return };
        let consequence = match run.refused.len() < MOST_REFUSED {
            true => "another one is tried",
            false => {
                let why = format!("run {}: the server refused two moves", asked.run);
                run.standing = match gives_up {
                    true => Standing::Leaving(why),
                    false => Standing::Alone(why),
                };
                if gives_up { "the run is abandoned" } else { "the run is left alone" }
            }
        };
        let (run, number) = (&asked.run, asked.number);
        tell(&Event::Refused { run, number, mv, consequence });
    }

    /// Why none of the requested runs can be played.
    pub(super) fn why_stuck(&mut self) -> String {
        let mut reasons = Vec::new();
        for (id, _) in self.book.list() {
            if let Some(Standing::Alone(why)) = self.book.get_mut(&id).map(|run| &run.standing) {
                reasons.push(why.clone());
            }
        }
        self.link.clean(&reasons.join("; "), LONGEST_MESSAGE)
    }

    /// Chooses moves for as many runs as are played at a time.
    pub(super) fn answer(
        &mut self,
        due: Vec<Due>,
        stop: &StopFlag,
        tell: Listener<'_>,
    ) -> Result<(), Failure> {
        let mut jobs = Vec::new();
        for due in self.next_of(due) {
            match self.second_choice(&due) {
                Some(mv) => self.decide(due.run, due.number, mv, &Statistics::default(), tell),
                None => {
                    let adviser = self.adviser_for(&due)?;
                    let Due { run, number, table } = due;
                    jobs.push(Job { run, number, table, adviser });
                }
            }
        }
        for thought in think(jobs, self.options.threads, &self.options.budget(stop)) {
            self.take_thought(thought, stop, tell);
        }
        self.book.trim();
        Ok(())
    }

    /// The runs to be answered together. A run over which the server fails comes last and alone, so
    /// that the others go on.
    fn next_of(&mut self, due: Vec<Due>) -> Vec<Due> {
        let crashes =
            |due: &Due, book: &mut Book| book.get_mut(&due.run).map_or(0, |run| run.crashes);
        let (mut sound, mut others): (Vec<Due>, Vec<Due>) =
            due.into_iter().partition(|due| crashes(due, &mut self.book) == 0);
        let alone = sound.is_empty();
        if alone {
            others.sort_by_key(|due| crashes(due, &mut self.book));
            sound = others;
        }
        let one_by_one = alone || self.careful > 0;
        sound.truncate(if one_by_one { 1 } else { self.options.parallel.max(1) });
        sound
    }

    /// The move to try after a refused one, and every other time after one over which the server
    /// fails; `None` if the agent is to choose.
    fn second_choice(&mut self, due: &Due) -> Option<String> {
        let run = self.book.get_mut(&due.run)?;
        if run.crashes > 0 && run.crashes.is_multiple_of(2) && run.refused.is_empty() {
            return farthest_move(&*due.table, run.suspect.as_slice());
        }
        // If the board turned out to be another one, the agent has not chosen on it yet.
        let chosen_here = run.refused.iter().any(|mv| due.table.read_move(mv).is_ok());
        if chosen_here { farthest_move(&*due.table, &run.refused) } else { None }
    }

    /// The agent for this run, with its memory of the run.
    fn adviser_for(&mut self, due: &Due) -> Result<Box<dyn Adviser>, AgentError> {
        let kept = self.book.get_mut(&due.run).and_then(|run| run.adviser.take());
        match kept.filter(|(variant, _)| variant == due.table.variant()) {
            Some((_, adviser)) => Ok(adviser),
            None => {
                let id: u64 = due.run.parse().unwrap_or_default();
                adviser(&*due.table, &self.options.agent, self.options.seed ^ mix(id))
            }
        }
    }

    fn take_thought(&mut self, thought: Thought, stop: &StopFlag, tell: Listener<'_>) {
        let Thought { run, number, table, adviser, choice } = thought;
        if let (Some(run), Some(adviser)) = (self.book.get_mut(&run), adviser) {
            run.adviser = Some((table.variant().clone(), adviser));
        }
        let sound = choice.filter(|choice| table.read_move(&choice.mv).is_ok());
        if let Some(choice) = sound {
            self.decide(run, number, choice.mv, &choice.statistics, tell);
        } else if !stop.is_set()
            && let Some(mv) = farthest_move(&*table, &[])
        {
            let text = format!(
                "run {run}: the agent found no move, so the one that goes farthest is played"
            );
            tell(&Event::Note { text: &text });
            self.decide(run, number, mv, &Statistics::default(), tell);
        }
    }

    /// Sends this move with the next request.
    fn decide(
        &mut self,
        run: String,
        number: u64,
        mv: String,
        cost: &Statistics,
        tell: Listener<'_>,
    ) {
        let Statistics { depth, nodes, time, .. } = *cost;
        tell(&Event::Moved(&Moved {
            run: run.clone(),
            number,
            mv: mv.clone(),
            depth,
            nodes,
            time,
        }));
        self.answers.push(Answer::new(run, number, mv));
    }
}
