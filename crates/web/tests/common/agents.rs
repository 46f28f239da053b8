//! Agents that play on the server over the network, as fast as they can.

use std::net::SocketAddr;
use std::path::Path;
use std::time::{Duration, Instant};

use agon_arena::store::Store;
use agon_core::{Rng, Variant};
use agon_wire::aisysproj::protocol::Password;
use serde_json::{Value, json};
use ureq::Agent as Http;

/// Everybody's password.
pub const PASSWORD: &str = "open sesame";

/// Creates accounts.
pub fn add_accounts(folder: &Path, env: &str, names: &[String]) {
    let store = Store::open(folder).unwrap();
    for name in names {
        assert!(store.add_account(env, name, &Password::new(PASSWORD).sha256()).unwrap());
    }
}

/// An agent that makes any legal move.
pub struct Player {
    http: Http,
    url: String,
    name: String,
    variant: Variant,
    rng: Rng,
    /// How long it waited for each answer.
    pub waits: Vec<Duration>,
    /// How many actions it has sent, all of which must be accepted.
    pub actions: u64,
    /// The scores of its finished runs.
    pub outcomes: Vec<f64>,
    /// The last answer of the server.
    pub reply: Value,
}

impl Player {
    pub fn new(address: SocketAddr, env: &str, name: &str, variant: &str) -> Player {
        let config = Http::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(Duration::from_secs(60)));
        Player {
            http: config.build().into(),
            url: format!("http://{address}//act/{env}"),
            name: name.to_string(),
            variant: variant.parse().unwrap(),
            rng: Rng::new(name.bytes().fold(7, |sum, byte| sum * 31 + u64::from(byte))),
            waits: Vec::new(),
            actions: 0,
            outcomes: Vec::new(),
            reply: Value::Null,
        }
    }

    /// Asks for action requests without sending any actions.
    pub fn ask(&mut self) {
        self.send(&json!([]));
    }

    /// Answers all action requests.
    pub fn answer(&mut self) {
        let asked = self.reply["action_requests"].as_array().unwrap().clone();
        let actions: Vec<Value> = asked.iter().map(|asked| self.any_move(asked)).collect();
        self.actions += actions.len() as u64;
        self.send(&actions.into());
    }

    fn any_move(&mut self, asked: &Value) -> Value {
        let mut position = asked["percept"].clone();
        position["turn"] = json!("A");
        let table =
            agon_games::open_at::<&str>(&self.variant, Some(&position.to_string()), &[]).unwrap();
        let moves = table.moves();
        let chosen = &moves[self.rng.below(moves.len() as u64) as usize];
        let action: Value = serde_json::from_str(chosen).unwrap();
        json!({"run": asked["run"], "act_no": asked["act_no"], "action": action})
    }

    fn send(&mut self, actions: &Value) {
        let body = json!({
            "protocol_version": 1, "agent": self.name, "pwd": PASSWORD, "actions": actions,
        });
        let began = Instant::now();
        let request = self.http.put(&self.url).header("content-type", "application/json");
        let mut answer = request.send(body.to_string()).unwrap();
        let text = answer.body_mut().read_to_string().unwrap();
        self.waits.push(began.elapsed());
        assert_eq!(answer.status().as_u16(), 200, "{text}");
        self.reply = serde_json::from_str(&text).unwrap();
        let messages = self.reply["messages"].as_array().unwrap();
        assert!(messages.iter().all(|message| message["type"] == "info"), "{messages:?}");
        let finished = self.reply["finished_runs"].as_object().unwrap();
        self.outcomes.extend(finished.values().map(|outcome| outcome.as_f64().unwrap()));
    }
}

/// Checks that the store has every action of the agents exactly once.
pub fn check_nothing_lost(folder: &Path, env: &str, players: &[Player]) {
    let store = Store::open(folder).unwrap();
    for player in players {
        let account = store.account(env, &player.name).unwrap().unwrap();
        assert_eq!(account.finished, player.outcomes.len() as u64, "{}", player.name);
        let outcomes = store.outcomes(env, &player.name, 1 << 20).unwrap();
        let sum = |all: &[f64]| all.iter().sum::<f64>();
        assert_eq!(sum(&outcomes), sum(&player.outcomes), "{}", player.name);
        let open = store.open_runs(env, &player.name).unwrap();
        let over = store.finished_runs(env, &player.name, 1 << 20).unwrap();
        let acts: u64 = open.iter().chain(&over).map(|run| run.acts).sum();
        assert_eq!(acts, player.actions, "{}", player.name);
    }
}
