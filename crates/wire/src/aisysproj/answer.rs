//! The server's side: the answer to a request of an authenticated account.
//!
//! Nothing here depends on HTTP or a store. The caller stores what the desk has changed before it
//! sends the answer.

use std::collections::BTreeMap;

use agon_arena::contest::{Acted, ActionRequest, Desk, Environment};
use serde_json::{Number, Value};

use super::protocol::v0::{self, Step};
use super::protocol::v1::{self, Message, MessageKind};
use super::protocol::{Refusal, Request, Response};

/// The maximum number of actions in a request, and of runs to abandon.
const MOST_ACTIONS: usize = 1000;
/// The maximum number of actions per open run in one request. Clients send one; more would let one
/// of them keep the opponents of all busy.
const ACTIONS_PER_RUN: usize = 2;

/// The state of a run that is not open at the desk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Elsewhere {
    /// There is no run of that number.
    Unknown,
    /// It belongs to another account.
    Foreign,
    /// It is over.
    Finished,
}

/// What an answer needs besides the desk.
pub struct Office<'a> {
    /// The account's environment.
    pub environment: &'a Environment,
    /// Returns the number of a new run.
    pub begin: &'a mut dyn FnMut() -> u64,
    /// Returns the state of a run that is not open at the desk.
    pub elsewhere: &'a dyn Fn(u64) -> Elsewhere,
}

/// Answers a request. Actions are made one by one, in order; an error in one of them is reported,
/// and the others are still made.
pub fn answer(
    desk: &mut Desk,
    office: &mut Office<'_>,
    request: &Request,
) -> Result<Response, Refusal> {
    match request {
        Request::V0(request) => answer_v0(desk, office, request).map(Response::V0),
        Request::V1(request) => answer_v1(desk, office, request).map(Response::V1),
    }
}

fn answer_v0(
    desk: &mut Desk,
    office: &mut Office<'_>,
    request: &v0::Request,
) -> Result<v0::Response, Refusal> {
    check_length(request.actions.len())?;
    let (mut errors, mut messages) = (Vec::new(), Vec::new());
    let mut left = ACTIONS_PER_RUN * office.environment.open_runs;
    for v0::Action { run, action } in &request.actions {
        match act(
            desk,
            office,
            &mut left,
            (&run.run, i64::try_from(run.number).unwrap_or(-1), action),
        ) {
            Done::Accepted => {}
            Done::Finished(outcome) => messages.push(format!("{run}: {}", farewell(outcome))),
            Done::Refused(why) => errors.push(format!("{run}: {why}")),
        }
    }
    let asked = ask(desk, office, !request.single_request)?;
    let action_requests = asked.into_iter().map(|asked| v0::ActionRequest {
        percept: asked.percept,
        run: Step { run: asked.run.to_string(), number: asked.act_no },
    });
    Ok(v0::Response { action_requests: action_requests.collect(), errors, messages })
}

fn answer_v1(
    desk: &mut Desk,
    office: &mut Office<'_>,
    request: &v1::Request,
) -> Result<v1::Response, Refusal> {
    check_length(request.actions.len().max(request.to_abandon.len()))?;
    if !request.to_abandon.is_empty() && !office.environment.abandon {
        return Err(bad_request("This environment does not support abandoning runs"));
    }
    let mut finished_runs = BTreeMap::new();
    let mut messages = Vec::new();
    let mut say = |kind, run: &str, content: String| {
        messages.push(Message { content, run: Some(run.to_string()), kind });
    };
    for run in &request.to_abandon {
        let abandoned = run.parse().ok().and_then(|id| desk.abandon(office.environment, id));
        match abandoned {
            Some(outcome) => {
                finished_runs.insert(run.clone(), number(outcome));
                let content = "Run abandoned (as requested by client)".to_string();
                say(MessageKind::Warning, run, content);
            }
            None => say(MessageKind::Error, run, not_open(office, run)),
        }
    }
    let mut left = ACTIONS_PER_RUN * office.environment.open_runs;
    for v1::Action { run, act_no, action } in &request.actions {
        match act(desk, office, &mut left, (run, *act_no, action)) {
            Done::Accepted => {}
            Done::Finished(outcome) => {
                finished_runs.insert(run.clone(), number(outcome));
                say(MessageKind::Info, run, farewell(outcome));
            }
            Done::Refused(why) => say(MessageKind::Error, run, why),
        }
    }
    let asked = ask(desk, office, request.parallel_runs)?;
    let action_requests = asked.into_iter().map(|asked| v1::ActionRequest {
        act_no: asked.act_no,
        percept: asked.percept,
        run: asked.run.to_string(),
    });
    Ok(v1::Response {
        action_requests: action_requests.collect(),
        active_runs: desk.open_runs().map(|id| id.to_string()).collect(),
        finished_runs,
        messages,
    })
}

/// The result of an action, with the reason if it was refused.
enum Done {
    Accepted,
    Finished(f64),
    Refused(String),
}

fn check_length(actions: usize) -> Result<(), Refusal> {
    match actions > MOST_ACTIONS {
        true => Err(bad_request(format!("expected at most {MOST_ACTIONS} actions"))),
        false => Ok(()),
    }
}

/// Makes an action, unless the request has used up its actions.
fn act(
    desk: &mut Desk,
    office: &Office<'_>,
    left: &mut usize,
    (run, act_no, action): (&str, i64, &Value),
) -> Done {
    let acted = match run.parse() {
        Ok(_) if *left == 0 => return Done::Refused("Too many actions in one request".into()),
        // A negative number matches no action.
        Ok(id) => {
            let act_no = u64::try_from(act_no).unwrap_or(u64::MAX);
            desk.act(office.environment, id, act_no, action)
        }
        Err(_) => Acted::NotOpen,
    };
    if matches!(acted, Acted::Accepted | Acted::Finished(_)) {
        *left -= 1;
    }
    match acted {
        Acted::Accepted => Done::Accepted,
        Acted::Finished(outcome) => Done::Finished(outcome),
        Acted::WrongNumber => Done::Refused(format!(
            "Wrong action number {act_no} (the action might have been for an earlier action request)"
        )),
        Acted::NotOpen => Done::Refused(not_open(office, run)),
        Acted::Illegal(why) => Done::Refused(format!("Illegal move: expected {why}")),
    }
}

fn not_open(office: &Office<'_>, run: &str) -> String {
    match run.parse().map_or(Elsewhere::Unknown, |id| (office.elsewhere)(id)) {
        Elsewhere::Unknown => "Invalid run id",
        Elsewhere::Foreign => "This run does not belong to your agent",
        Elsewhere::Finished => "This run is finished",
    }
    .to_string()
}

fn ask(
    desk: &mut Desk,
    office: &mut Office<'_>,
    several: bool,
) -> Result<Vec<ActionRequest>, Refusal> {
    let most = if several { office.environment.open_runs } else { 1 };
    let asked = desk.schedule(office.environment, most, office.begin);
    asked.map_err(|error| Refusal {
        errorcode: 500,
        errorname: "Internal Server Error".into(),
        description: error.to_string(),
    })
}

/// A request that is invalid as a whole.
pub fn bad_request(description: impl Into<String>) -> Refusal {
    Refusal { errorcode: 400, errorname: "Bad Request".into(), description: description.into() }
}

fn farewell(outcome: f64) -> String {
    format!("Game over: {outcome} points")
}

/// A number without a needless fraction: 1, not 1.0.
fn number(outcome: f64) -> Number {
    let whole = outcome as i64;
    if whole as f64 == outcome {
        whole.into()
    } else {
        Number::from_f64(outcome).unwrap_or(0.into())
    }
}

#[cfg(test)]
mod tests {
    use agon_arena::contest::{Environments, Rating};
    use serde_json::json;

    use super::*;

    /// A server of one environment and one account.
    struct Server {
        environments: Environments,
        desk: Desk,
        next: u64,
    }

    impl Server {
        fn new(abandon: bool) -> Server {
            let text = format!(
                "[[environment]]\nid = \"e\"\nvariant = \"fauhalma:star2,limit=20\"\n\
                 abandon = {abandon}\nbegins = \"agent\"\nopponents = [{{ agent = \"random\" }}]"
            );
            let environments = Environments::read(&agon_games::Catalog::built_in(), &text).unwrap();
            let environment = environments.find("e").unwrap();
            let desk =
                Desk::open(environment, "Ann", &[], Rating::new(50, &[], 0, None), 0).unwrap();
            Server { environments, desk, next: 22 }
        }

        fn ask(&mut self, request: &Value) -> Result<Value, Refusal> {
            let request = Request::read(request.to_string().as_bytes()).unwrap();
            let next = &mut self.next;
            let mut begin = || {
                *next += 1;
                *next - 1
            };
            let elsewhere = |id| match id {
                7 => Elsewhere::Foreign,
                8 => Elsewhere::Finished,
                _ => Elsewhere::Unknown,
            };
            let environment = self.environments.find("e").unwrap();
            let mut office = Office { environment, begin: &mut begin, elsewhere: &elsewhere };
            let response = answer(&mut self.desk, &mut office, &request)?;
            Ok(serde_json::from_str(&response.body()).unwrap())
        }

        fn v0(&mut self, actions: Value) -> Value {
            self.ask(&json!({"agent": "Ann", "pwd": "p", "actions": actions})).unwrap()
        }

        fn v1(&mut self, actions: Value) -> Value {
            let request =
                json!({"protocol_version": 1, "agent": "Ann", "pwd": "p", "actions": actions});
            self.ask(&request).unwrap()
        }
    }

    const STEP: [[i32; 2]; 2] = [[2, -4], [2, -3]];

    #[test]
    fn the_first_version_lists_steps_and_errors() {
        let mut server = Server::new(true);
        let first = server.v0(json!([]));
        assert_eq!(first["action-requests"][0]["run"], "22#0");
        assert_eq!(first["action-requests"].as_array().unwrap().len(), 5);
        let percept = &first["action-requests"][0]["percept"];
        assert!(percept["A"][0].is_array() && percept.get("C").is_none(), "{percept}");
        let mixed = server.v0(json!([
            {"run": "22#0", "action": STEP}, {"run": "22#0", "action": STEP},
            {"run": "23#0", "action": [[0, 0], [1, 1]]}, {"run": "024#00", "action": STEP},
            {"run": "999999#0", "action": STEP}, {"run": "7#0", "action": STEP},
            {"run": "8#9", "action": STEP}, {"run": "99999999999999999999999#0", "action": null},
        ]));
        let runs: Vec<&Value> =
            mixed["action-requests"].as_array().unwrap().iter().map(|it| &it["run"]).collect();
        assert_eq!(runs, ["23#0", "25#0", "26#0"]);
        let errors: Vec<&str> =
            mixed["errors"].as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect();
        for (error, words) in errors.iter().zip([
            "Wrong action number",
            "Illegal move",
            "Invalid run id",
            "does not belong",
            "is finished",
            "Invalid run id",
        ]) {
            assert!(error.contains(words), "{error}");
        }
        assert_eq!(errors.len(), 6);
    }

    #[test]
    fn the_second_version_tells_outcomes_and_open_runs() {
        let mut server = Server::new(true);
        let single =
            json!({"protocol_version": 1, "agent": "A", "pwd": "p", "parallel_runs": false});
        let first = server.ask(&single).unwrap();
        assert_eq!(first["action_requests"][0]["act_no"], 0);
        assert_eq!((&first["active_runs"], &first["finished_runs"]), (&json!(["22"]), &json!({})));
        let next = server.v1(json!([{"run": "22", "act_no": 0, "action": STEP}]));
        assert_eq!(next["active_runs"], json!(["22", "23", "24", "25", "26"]));
        assert_eq!(next["action_requests"][0]["act_no"], 1);
        let wrong = server.v1(json!([
            {"run": "22", "act_no": 9, "action": STEP}, {"run": "abc", "act_no": 0, "action": 1},
            {"run": "22", "act_no": -1, "action": STEP},
        ]));
        let kinds: Vec<&Value> =
            wrong["messages"].as_array().unwrap().iter().map(|it| &it["type"]).collect();
        assert_eq!(kinds, ["error"; 3]);
        assert_eq!(wrong["messages"][1]["run"], "abc");
    }

    #[test]
    fn runs_are_abandoned_once_and_only_where_that_may_be() {
        let mut server = Server::new(true);
        server.v1(json!([]));
        let abandon = json!({"protocol_version": 1, "agent": "A", "pwd": "p",
            "to_abandon": ["22", "22"], "actions": [{"run": "22", "act_no": 0, "action": STEP}]});
        let answer = server.ask(&abandon).unwrap();
        assert_eq!(answer["finished_runs"], json!({"22": 0}));
        assert_eq!(answer["active_runs"], json!(["23", "24", "25", "26"]));
        let kinds: Vec<&Value> =
            answer["messages"].as_array().unwrap().iter().map(|it| &it["type"]).collect();
        assert_eq!(kinds, ["warning", "error", "error"]);
        let mut strict = Server::new(false);
        assert_eq!(strict.ask(&abandon).unwrap_err().errorcode, 400);
        assert_eq!(strict.v1(json!([]))["active_runs"][0], "22", "nothing changed");
    }

    #[test]
    fn one_request_does_not_play_for_ever() {
        let mut server = Server::new(true);
        server.v0(json!([]));
        let there_and_back = |act_no: u64| {
            let mut step = STEP;
            if act_no % 2 == 1 {
                step.reverse();
            }
            json!({"run": format!("22#{act_no}"), "action": step})
        };
        let answer = server.v0((0..15).map(there_and_back).collect());
        let errors = answer["errors"].as_array().unwrap();
        assert_eq!(errors.len(), 5, "{errors:?}");
        assert!(errors[0].as_str().unwrap().contains("Too many actions"), "{errors:?}");
        let many: Value = (0..=MOST_ACTIONS as u64).map(there_and_back).collect();
        let request = json!({"agent": "Ann", "pwd": "p", "actions": many});
        assert_eq!(server.ask(&request).unwrap_err().errorcode, 400);
    }

    #[test]
    fn a_whole_game_ends_with_an_outcome() {
        let mut server = Server::new(true);
        let mut answer = server.v1(json!([]));
        for _ in 0..40 {
            let asked = answer["action_requests"].as_array().unwrap().clone();
            let actions = asked.iter().map(|asked| {
                let mut position = asked["percept"].clone();
                position["turn"] = json!("A");
                let variant = "fauhalma:star2".parse().unwrap();
                let text = position.to_string();
                let table = agon_games::open_at::<&str>(&variant, Some(&text), &[]).unwrap();
                let action: Value = serde_json::from_str(&table.moves()[0]).unwrap();
                json!({"run": asked["run"], "act_no": asked["act_no"], "action": action})
            });
            answer = server.v1(actions.collect());
            if answer["finished_runs"] != json!({}) {
                assert!(answer["messages"][0]["content"].as_str().unwrap().contains("Game over"));
                return;
            }
        }
        panic!("no run ended");
    }
}
