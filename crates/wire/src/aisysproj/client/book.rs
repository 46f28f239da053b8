//! The open runs, as far as the server has reported them.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use agon_core::Variant;
use agon_search::Adviser;
use serde_json::Value;

use super::news::Asked;

/// How many runs are remembered; servers ask for five at a time.
const MOST_RUNS: usize = 1000;
/// For how many runs an agent is kept. An engine takes 64 MiB.
const MOST_ADVISERS: usize = 8;

/// What to do with a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Standing {
    /// Play it.
    Playing,
    /// Abandon it, for this reason.
    Leaving(String),
    /// It can be neither played nor abandoned, for this reason.
    Alone(String),
}

/// An open run.
pub(super) struct Run {
    /// How many moves had been made in it at the last request.
    pub(super) number: u64,
    pub(super) percept: Value,
    /// The answer to that, once the server has it.
    pub(super) sent: Option<String>,
    /// Moves that the server refused at this number.
    pub(super) refused: Vec<String>,
    /// How often the server failed over the answer to this run alone.
    pub(super) crashes: u32,
    /// The last answer over which it failed.
    pub(super) suspect: Option<String>,
    pub(super) standing: Standing,
    /// The agent for it, made for this variant.
    pub(super) adviser: Option<(Variant, Box<dyn Adviser>)>,
    /// When a move was last requested.
    touched: u64,
}

impl Run {
    /// The moves made in it, including the last answer.
    pub(super) fn moves(&self) -> u64 {
        self.number + u64::from(self.sent.is_some())
    }
}

/// What a request for a move says about a run.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Change {
    /// The run is new.
    New,
    /// The answer was accepted, or somebody else has answered.
    Next,
    /// The same request as before, which has not been answered.
    Again,
    /// This answer was refused.
    Refused(String),
}

/// The open runs.
#[derive(Default)]
pub(super) struct Book {
    runs: HashMap<String, Run>,
    clock: u64,
}

impl Book {
    pub(super) fn get_mut(&mut self, run: &str) -> Option<&mut Run> {
        self.runs.get_mut(run)
    }

    pub(super) fn remove(&mut self, run: &str) -> Option<Run> {
        self.runs.remove(run)
    }

    /// The runs and how many moves were made in each, lowest id first.
    pub(super) fn list(&self) -> Vec<(String, u64)> {
        let mut list: Vec<(String, u64)> =
            self.runs.iter().map(|(id, run)| (id.clone(), run.moves())).collect();
        list.sort_by(|(a, _), (b, _)| rank(a).cmp(&rank(b)));
        list
    }

    /// The runs that are to be abandoned.
    pub(super) fn leaving(&self) -> Vec<String> {
        let leaving = |run: &Run| matches!(run.standing, Standing::Leaving(_));
        let mut list: Vec<String> =
            self.runs.iter().filter(|(_, run)| leaving(run)).map(|(id, _)| id.clone()).collect();
        list.sort();
        list
    }

    /// None of them can be abandoned after all.
    pub(super) fn stay(&mut self) {
        for run in self.runs.values_mut() {
            if let Standing::Leaving(why) = &run.standing {
                run.standing = Standing::Alone(why.clone());
            }
        }
    }

    /// The server has this answer.
    pub(super) fn mark_sent(&mut self, run: &str, number: u64, mv: &str) {
        if let Some(run) = self.runs.get_mut(run).filter(|run| run.number == number) {
            run.sent = Some(mv.to_string());
        }
    }

    /// Whether none of these was requested before. If one was, it is still waiting for an answer,
    /// and then the server lists only those.
    pub(super) fn are_fresh(&self, asked: &[Asked]) -> bool {
        let known =
            |asked: &Asked| self.runs.get(&asked.run).is_some_and(|run| run.number == asked.number);
        !asked.iter().any(known)
    }

    /// A move is requested in a run.
    pub(super) fn ask(&mut self, asked: &Asked) -> Change {
        self.clock += 1;
        let clock = self.clock;
        let Some(run) = self.runs.get_mut(&asked.run) else {
            self.make_room();
            let run = Run {
                number: asked.number,
                percept: asked.percept.clone(),
                sent: None,
                refused: Vec::new(),
                crashes: 0,
                suspect: None,
                standing: Standing::Playing,
                adviser: None,
                touched: clock,
            };
            self.runs.insert(asked.run.clone(), run);
            return Change::New;
        };
        run.touched = clock;
        run.percept = asked.percept.clone();
        if run.number == asked.number {
            return match run.sent.take() {
                Some(mv) => {
                    run.refused.push(mv.clone());
                    Change::Refused(mv)
                }
                None => Change::Again,
            };
        }
        // Also when the number is lower: a server may have been restored from an older backup.
        run.number = asked.number;
        run.sent = None;
        run.refused.clear();
        run.crashes = 0;
        run.suspect = None;
        run.standing = Standing::Playing;
        Change::Next
    }

    fn make_room(&mut self) {
        if self.runs.len() >= MOST_RUNS {
            let oldest = self.runs.iter().min_by_key(|(_, run)| run.touched);
            if let Some(oldest) = oldest.map(|(id, _)| id.clone()) {
                self.runs.remove(&oldest);
            }
        }
    }

    /// Runs that ended without notice: those that are not among the open ones.
    pub(super) fn missing_from(&self, open: &HashSet<String>, asked: &[Asked]) -> Vec<String> {
        let is_asked = |id: &String| asked.iter().any(|asked| asked.run == *id);
        self.runs.keys().filter(|id| !open.contains(*id) && !is_asked(id)).cloned().collect()
    }

    /// Runs that ended without notice, according to a fresh list: it has the lowest open ones, so a
    /// run that is missing below the highest of them is not open.
    pub(super) fn missing_below(&self, asked: &[Asked]) -> Vec<String> {
        let Some(highest) = asked.iter().map(|asked| rank(&asked.run)).max() else {
            return Vec::new();
        };
        let is_asked = |id: &String| asked.iter().any(|asked| asked.run == *id);
        let gone = |id: &&String| rank(id) < highest && !is_asked(id);
        self.runs.keys().filter(gone).cloned().collect()
    }

    /// Drops the agents of runs that have not been used for long.
    pub(super) fn trim(&mut self) {
        let mut with: Vec<&mut Run> =
            self.runs.values_mut().filter(|run| run.adviser.is_some()).collect();
        with.sort_by_key(|run| Reverse(run.touched));
        for run in with.into_iter().skip(MOST_ADVISERS) {
            run.adviser = None;
        }
    }
}

/// Ids are numbers of any size: more digits are larger.
fn rank(id: &str) -> (usize, &str) {
    let digits = id.trim_start_matches('0');
    (digits.len(), digits)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn asked(steps: &[(&str, u64)]) -> Vec<Asked> {
        let asked = |&(run, number): &(&str, u64)| Asked {
            run: run.to_string(),
            number,
            percept: json!({}),
        };
        steps.iter().map(asked).collect()
    }

    fn book(steps: &[(&str, u64)]) -> Book {
        let mut book = Book::default();
        for asked in asked(steps) {
            assert_eq!(book.ask(&asked), Change::New);
        }
        book
    }

    #[test]
    fn numbers_tell_what_became_of_an_answer() {
        let mut book = book(&[("7", 3)]);
        let mut ask = |number| book.ask(&asked(&[("7", number)])[0]);
        assert_eq!(ask(3), Change::Again);
        assert_eq!(ask(4), Change::Next);
        book.mark_sent("7", 3, "too late");
        book.mark_sent("7", 4, "x");
        let mut ask = |number| book.ask(&asked(&[("7", number)])[0]);
        assert_eq!(ask(4), Change::Refused("x".into()));
        assert_eq!(ask(4), Change::Again);
        assert_eq!(ask(2), Change::Next);
        assert!(book.get_mut("7").is_some_and(|run| run.refused.is_empty()));
    }

    #[test]
    fn without_a_list_of_open_runs_a_gap_below_the_highest_is_a_finished_run() {
        let known = book(&[("9", 1), ("10", 1), ("11", 1)]);
        // 10 is missing, and 12 is new; as a text "9" is above all of them.
        let list = asked(&[("12", 0), ("9", 2), ("11", 2)]);
        assert!(known.are_fresh(&list));
        assert_eq!(known.missing_below(&list), ["10"]);
        // Only runs waiting for an answer are listed: nothing follows from that.
        assert!(!known.are_fresh(&asked(&[("11", 1)])));
        // More may be open than are listed.
        assert_eq!(known.missing_below(&asked(&[("9", 2)])), [""; 0]);
        assert_eq!(known.missing_below(&[]), [""; 0]);
    }

    #[test]
    fn with_a_list_of_open_runs_what_is_not_in_it_is_finished() {
        let known = book(&[("1", 1), ("2", 1), ("3", 1)]);
        let open = HashSet::from(["1".to_string()]);
        assert_eq!(known.missing_from(&open, &asked(&[("3", 2)])), ["2"]);
    }

    #[test]
    fn a_book_stays_small() {
        let mut book = Book::default();
        for run in 0..2 * MOST_RUNS {
            book.ask(&asked(&[(run.to_string().as_str(), 0)])[0]);
        }
        let list = book.list();
        assert_eq!((list.len(), list[0].0.as_str()), (MOST_RUNS, "1000"));
    }
}
