//! A model server that follows the rules of scheduling, with real games of FAUhalma.

use std::collections::BTreeMap;

use agon_core::{Rng, Seat};
use agon_games::Table;
use serde_json::{Map, Value, json};

/// How many runs are open at a time.
const OPEN: usize = 5;

struct Run {
    table: Box<dyn Table>,
    number: u64,
    outstanding: bool,
}

/// The state of a server with one agent.
pub struct Model {
    /// Whether it supports version 1.
    new: bool,
    setup: &'static str,
    runs: BTreeMap<u64, Run>,
    next: u64,
    rng: Rng,
    /// The outcomes of all finished runs.
    pub outcomes: BTreeMap<u64, f64>,
    /// Actions that were accepted.
    pub accepted: u64,
    /// Actions that were illegal moves.
    pub illegal: u64,
}

impl Model {
    pub fn new(new: bool, setup: &'static str) -> Model {
        Model {
            new,
            setup,
            runs: BTreeMap::new(),
            // As text, the second id sorts before the first.
            next: 9,
            rng: Rng::new(7),
            outcomes: BTreeMap::new(),
            accepted: 0,
            illegal: 0,
        }
    }

    /// Answers a request. With `fails_after` it fails after that many actions, which stay done.
    pub fn answer(&mut self, request: &Value, fails_after: Option<usize>) -> Option<Value> {
        let version_1 = self.new && request["protocol_version"] == 1;
        let (mut errors, mut finished) = (Vec::new(), Map::new());
        for (index, action) in request["actions"].as_array().into_iter().flatten().enumerate() {
            if fails_after == Some(index) {
                return None;
            }
            let (run, number) = match version_1 {
                true => (action["run"].as_str().unwrap(), action["act_no"].as_u64().unwrap()),
                false => {
                    let (run, number) = action["run"].as_str().unwrap().split_once('#').unwrap();
                    (run, number.parse().unwrap())
                }
            };
            match self.act(run.parse().unwrap(), number, &action["action"]) {
                Ok(None) => {}
                Ok(Some(outcome)) => {
                    finished.insert(run.to_string(), json!(outcome));
                }
                Err(problem) => errors.push((run.to_string(), problem)),
            }
        }
        let single = request["single_request"] == true || request["parallel_runs"] == false;
        let listed = self.schedule(if single && (version_1 || !self.new) { 1 } else { OPEN });
        Some(self.response(version_1, &listed, &errors, finished))
    }

    fn response(
        &self,
        version_1: bool,
        listed: &[u64],
        errors: &[(String, &str)],
        finished: Map<String, Value>,
    ) -> Value {
        let asked = listed.iter().map(|id| {
            let run = &self.runs[id];
            match version_1 {
                true => json!({"act_no": run.number, "percept": percept(&*run.table), "run": id.to_string()}),
                false => json!({"percept": percept(&*run.table), "run": format!("{id}#{}", run.number)}),
            }
        });
        let asked: Vec<Value> = asked.collect();
        if !version_1 {
            let errors: Vec<&str> = errors.iter().map(|(_, problem)| *problem).collect();
            return json!({"action-requests": asked, "errors": errors, "messages": []});
        }
        let open: Vec<String> = self.runs.keys().map(u64::to_string).collect();
        let messages: Vec<Value> = errors
            .iter()
            .map(|(run, problem)| json!({"content": problem, "run": run, "type": "error"}))
            .collect();
        json!({"action_requests": asked, "active_runs": open, "finished_runs": finished,
               "messages": messages})
    }

    /// Makes an action; returns the outcome of a run that it ends.
    fn act(&mut self, id: u64, number: u64, action: &Value) -> Result<Option<f64>, &'static str> {
        if self.outcomes.contains_key(&id) {
            return Err("wrong action number");
        }
        let run = self.runs.get_mut(&id).ok_or("invalid run id")?;
        if run.number != number {
            return Err("wrong action number");
        }
        if run.table.play(&action.to_string()).is_err() {
            self.illegal += 1;
            return Err("illegal move");
        }
        self.accepted += 1;
        run.number += 1;
        run.outstanding = false;
        while run.table.turn().is_ok_and(|seat| seat != Seat::FIRST) {
            let mv = run.table.random_move(&mut self.rng).unwrap();
            run.table.play(&mv).unwrap();
        }
        let Some(outcome) = run.table.outcome() else { return Ok(None) };
        let top = run.table.seats() as f64 - 1.0;
        let points = f64::from(outcome.points()[Seat::FIRST]) * top / 100.0;
        self.runs.remove(&id);
        self.outcomes.insert(id, points);
        Ok(Some(points))
    }

    fn schedule(&mut self, most: usize) -> Vec<u64> {
        let waiting: Vec<u64> =
            self.runs.iter().filter(|(_, run)| run.outstanding).map(|(id, _)| *id).collect();
        if !waiting.is_empty() {
            return waiting.into_iter().take(most).collect();
        }
        while self.runs.len() < most {
            let variant = format!("fauhalma:{}", self.setup).parse().unwrap();
            let table = agon_games::open(&variant).unwrap();
            self.runs.insert(self.next, Run { table, number: 0, outstanding: false });
            self.next += 1;
        }
        let listed: Vec<u64> = self.runs.keys().copied().take(most).collect();
        for id in &listed {
            self.runs.get_mut(id).unwrap().outstanding = true;
        }
        listed
    }
}

fn percept(table: &dyn Table) -> Value {
    let mut position: Value = serde_json::from_str(&table.position()).unwrap();
    position.as_object_mut().unwrap().retain(|name, _| ["A", "B", "C"].contains(&name.as_str()));
    position
}
