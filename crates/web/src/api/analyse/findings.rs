//! What the searches for one question have found so far.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use agon_search::values::MoveValue;
use agon_search::{Iteration, Score};
use tokio::sync::Notify;

/// Where a search is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stage {
    /// Others use the pool.
    Waiting,
    /// It searches.
    Searching,
    /// It has come to its end.
    Done,
}

/// What one agent has found.
#[derive(Clone, Debug)]
pub(super) struct Analyst {
    pub stage: Stage,
    pub depth: u32,
    /// The best lines so far.
    pub lines: Vec<(Option<Score>, Vec<String>)>,
    /// Nodes and time, of all its parts.
    pub nodes: u64,
    pub time: Duration,
    /// Where the result comes from, if not from a search.
    pub source: Option<&'static str>,
    /// Whether the result is exact.
    pub exact: bool,
    pub problem: Option<String>,
    /// Nodes and time of the parts that are over.
    before: (u64, Duration),
    /// Which part it is, and which part the lines are from, with its nodes then.
    part: u32,
    shown: (u32, u64),
    version: u64,
}

impl Analyst {
    fn new() -> Analyst {
        Analyst {
            stage: Stage::Waiting,
            depth: 0,
            lines: Vec::new(),
            nodes: 0,
            time: Duration::ZERO,
            source: None,
            exact: false,
            problem: None,
            before: (0, Duration::ZERO),
            part: 0,
            shown: (0, 0),
            version: 1,
        }
    }

    /// A part begins: the search starts anew, with what its tables remember.
    pub fn begin_part(&mut self) {
        self.stage = Stage::Searching;
        self.before = (self.nodes, self.time);
        self.part += 1;
    }

    /// An iteration has been finished. A part that has begun anew does not replace deeper results.
    pub fn learn(&mut self, iteration: &Iteration<String>) {
        let Iteration { depth, rank, score, ref pv, nodes, time, .. } = *iteration;
        (self.nodes, self.time) = (self.before.0 + nodes, self.before.1 + time);
        let has_caught_up = depth >= self.depth || nodes >= self.shown.1;
        if self.shown.0 != self.part && !has_caught_up {
            return;
        }
        if rank == 0 {
            // More lines of a shallower iteration stay until they are found again.
            self.shown = (self.part, nodes);
            self.depth = depth;
        }
        let line = (Some(score), pv.clone());
        match self.lines.get_mut(rank) {
            Some(known) => *known = line,
            None => self.lines.push(line),
        }
        drop_repeated(&mut self.lines, rank);
    }
}

/// A move that has become better has a line above its old one.
fn drop_repeated(lines: &mut Vec<(Option<Score>, Vec<String>)>, rank: usize) {
    let first = lines[rank].1.first().cloned();
    let mut at = 0;
    lines.retain(|(_, line)| {
        at += 1;
        at - 1 <= rank || line.first() != first.as_ref()
    });
}

/// The values of the moves.
#[derive(Clone, Default, Debug)]
pub(super) struct Values {
    pub known: BTreeMap<String, MoveValue>,
    pub done: bool,
    version: u64,
}

#[derive(Debug, Default)]
struct All {
    analysts: Vec<Analyst>,
    values: Values,
    /// The versions that were sent.
    sent: (Vec<u64>, u64),
}

/// What has changed.
pub(super) struct News {
    /// Agents by their number.
    pub analysts: Vec<(usize, Analyst)>,
    /// The values of the moves, changed or not.
    pub values: Values,
    pub values_changed: bool,
}

/// What has been found, and a signal when there is more.
#[derive(Debug, Default)]
pub(super) struct Findings {
    all: Mutex<All>,
    changed: Notify,
}

impl Findings {
    /// For so many agents.
    pub fn new(analysts: usize) -> Findings {
        let analysts = vec![Analyst::new(); analysts];
        let sent = (vec![0; analysts.len()], 0);
        let findings = Findings {
            all: Mutex::new(All { analysts, values: Values::default(), sent }),
            changed: Notify::new(),
        };
        findings.changed.notify_one();
        findings
    }

    fn lock(&self) -> MutexGuard<'_, All> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes what an agent has found.
    pub fn of(&self, analyst: usize, change: impl FnOnce(&mut Analyst)) {
        if let Some(analyst) = self.lock().analysts.get_mut(analyst) {
            change(analyst);
            analyst.version += 1;
        }
        self.changed.notify_one();
    }

    /// Changes the values of the moves.
    pub fn values(&self, change: impl FnOnce(&mut Values)) {
        let values = &mut self.lock().values;
        change(values);
        values.version += 1;
        self.changed.notify_one();
    }

    /// Resolves when something has changed since it was last taken.
    pub async fn changed(&self) {
        self.changed.notified().await;
    }

    /// What has changed since the last call: agents by number, and the values of the moves. What is
    /// known exactly comes along, as it belongs to every line.
    pub fn take(&self) -> Option<News> {
        let mut all = self.lock();
        let All { analysts, values, sent } = &mut *all;
        let values_changed = values.version != sent.1;
        sent.1 = values.version;
        let mut news = Vec::new();
        for ((at, analyst), sent) in analysts.iter().enumerate().zip(&mut sent.0) {
            if analyst.version != *sent
                || (values_changed && values.known.values().any(|it| it.exact))
            {
                *sent = analyst.version;
                news.push((at, analyst.clone()));
            }
        }
        let is_news = values_changed || !news.is_empty();
        is_news.then(|| News { analysts: news, values: values.clone(), values_changed })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn iteration(depth: u32, rank: usize, nodes: u64, line: &str) -> Iteration<String> {
        let (score, time) = (Score::units(depth as i32), Duration::from_millis(nodes));
        let pv = line.split(' ').map(String::from).collect();
        Iteration { depth, rank, score, pv, nodes, expanded: 0, time }
    }

    #[test]
    fn a_part_that_begins_anew_replaces_nothing_deeper() {
        let mut analyst = Analyst::new();
        analyst.begin_part();
        for depth in 1..=9 {
            analyst.learn(&iteration(depth, 0, u64::from(depth) * 100, "a b"));
        }
        analyst.begin_part();
        analyst.learn(&iteration(1, 0, 10, "c"));
        assert_eq!((analyst.depth, analyst.lines[0].1.len(), analyst.nodes), (9, 2, 910));
        analyst.learn(&iteration(10, 0, 500, "d"));
        assert_eq!((analyst.depth, analyst.lines[0].1.len(), analyst.nodes), (10, 1, 1400));
    }

    #[test]
    fn a_move_has_one_line() {
        let mut analyst = Analyst::new();
        analyst.begin_part();
        for (rank, line) in ["a b", "c d", "e f"].into_iter().enumerate() {
            analyst.learn(&iteration(3, rank, 10, line));
        }
        analyst.learn(&iteration(4, 0, 20, "e g"));
        let firsts: Vec<&str> = analyst.lines.iter().map(|(_, line)| line[0].as_str()).collect();
        assert_eq!(firsts, ["e", "c"]);
    }

    #[test]
    fn only_what_has_changed_is_sent() {
        let findings = Findings::new(2);
        assert_eq!(findings.take().unwrap().analysts.len(), 2);
        assert!(findings.take().is_none());
        findings.of(1, |analyst| analyst.stage = Stage::Done);
        let News { analysts, values_changed, .. } = findings.take().unwrap();
        assert_eq!((analysts.len(), analysts[0].0, values_changed), (1, 1, false));
        findings.values(|values| values.done = true);
        let News { analysts, values, values_changed } = findings.take().unwrap();
        assert!(analysts.is_empty() && values.done && values_changed);
    }
}
