//! Messages that nobody should send, on every subject, while a tournament is played.

use std::time::{Duration, Instant};

use agon_core::Rng;
use async_nats::{Client, Message, Subscriber};
use futures_util::{FutureExt, StreamExt};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::broker::{Broker, PATIENCE, free_port, get, wait_for};
use crate::room::{Room, on_one_machine};
use crate::soaking;

const CUP: &str = "format = \"round-robin\"\ngames = 20\nvariant = \"breakthrough:5x5\"\nnodes = 60000\n\
                   agents = [\"alphabeta\", \"engine\", \"mcts\"]\n";

/// Somebody on the broker who hears everything and says anything.
struct Stranger {
    runtime: Runtime,
    client: Client,
    all: Subscriber,
    heard: Vec<(String, Vec<u8>)>,
    rng: Rng,
}

impl Stranger {
    fn new(url: &str, seed: u64) -> Stranger {
        let runtime = Runtime::new().unwrap();
        let (client, all) = runtime.block_on(async {
            let client = async_nats::connect(url).await.unwrap();
            let all = client.subscribe("agon.>").await.unwrap();
            client.flush().await.unwrap();
            (client, all)
        });
        Stranger { runtime, client, all, heard: Vec::new(), rng: Rng::new(seed) }
    }

    /// Takes in what has been said until now.
    fn listen(&mut self) {
        let _guard = self.runtime.enter();
        while let Some(Some(Message { subject, payload, .. })) = self.all.next().now_or_never() {
            self.heard.push((subject.to_string(), payload.to_vec()));
        }
    }

    fn say(&self, subject: &str, payload: Vec<u8>) {
        self.runtime.block_on(async {
            self.client.publish(subject.to_string(), payload.into()).await.unwrap();
            self.client.flush().await.unwrap();
        });
    }

    /// Everything heard on subjects that begin like this, as JSON.
    fn heard_on(&self, start: &str) -> Vec<Value> {
        let ours = self.heard.iter().filter(|(subject, _)| subject.starts_with(start));
        ours.filter_map(|(_, payload)| serde_json::from_slice(payload).ok()).collect()
    }

    fn pick<'a, T>(rng: &mut Rng, from: &'a [T]) -> &'a T {
        &from[rng.below(from.len() as u64) as usize]
    }

    /// Says something that was said before, damaged or where it does not belong.
    fn forge(&mut self) {
        let (subject, payload) = Self::pick(&mut self.rng, &self.heard).clone();
        let elsewhere = Self::pick(&mut self.rng, &self.heard).0.clone();
        let run = subject.rsplit('.').next().unwrap_or_default().to_string();
        let mut damaged = payload.clone();
        let at = self.rng.below(payload.len().max(1) as u64) as usize;
        match self.rng.below(9) {
            // Said again, here or elsewhere.
            0 => self.say(&subject, payload),
            1 => self.say(&elsewhere, payload),
            2 => self.say(&subject, payload[..at.min(payload.len())].to_vec()),
            3 => {
                if let Some(byte) = damaged.get_mut(at) {
                    *byte ^= 1 << self.rng.below(8);
                }
                self.say(&subject, damaged);
            }
            4 => {
                damaged.resize(900 << 10, b' ');
                self.say(&subject, damaged);
            }
            5 => self.say(&subject, vec![b'['; 50_000]),
            6 => {
                let Ok(mut value) = serde_json::from_slice(&payload) else { return };
                self.change(&mut value);
                self.say(&subject, serde_json::to_vec(&value).unwrap());
            }
            7 => self.say(&format!("agon.cancel.{run}"), Vec::new()),
            _ => self.say("agon.ping", payload),
        }
    }

    /// Puts something absurd somewhere.
    fn change(&mut self, value: &mut Value) {
        let absurd =
            [json!(null), json!(-1), json!(u64::MAX), json!(1e300), json!("x.>\n\u{1b}[2J")];
        let absurd =
            [&absurd[..], &[json!([]), json!({"a": []}), json!("9".repeat(5000))]].concat();
        match value {
            Value::Object(fields) if !fields.is_empty() => {
                let index = self.rng.below(fields.len() as u64) as usize;
                let inner = fields.values_mut().nth(index).unwrap();
                self.change(inner);
            }
            Value::Array(items) if !items.is_empty() => {
                let index = self.rng.below(items.len() as u64) as usize;
                self.change(&mut items[index]);
            }
            other => *other = Self::pick(&mut self.rng, &absurd).clone(),
        }
    }
}

/// What the rules say of games; times and nodes of others are believed.
fn by_the_rules(games: &[Value]) -> Vec<[Value; 5]> {
    let facts = ["number", "agents", "opening", "moves", "outcome"];
    games.iter().map(|game| facts.map(|fact| game[fact].clone())).collect()
}

#[test]
fn forged_damaged_and_repeated_messages_change_nothing() {
    let broker = Broker::single();
    let address = format!("127.0.0.1:{}", free_port());
    let room = Room::with_workers(&broker.url(), 1, &["--metrics", &address]);
    let mut stranger = Stranger::new(&broker.url(), 7);
    let mut coordinator = room.coordinator(CUP, &["--ack-wait", "2s"]);
    let (least, until) = (if soaking() { 20_000 } else { 300 }, Instant::now() + 3 * PATIENCE);
    let mut said = 0;
    while coordinator.is_running() || said == 0 {
        stranger.listen();
        if stranger.heard.is_empty() {
            std::thread::sleep(Duration::from_millis(20));
            continue;
        }
        if said % 50 == 0 {
            // Certainly nothing, and a question that the coordinator answers with its counts.
            let ours = stranger.heard.iter().find(|(subject, _)| subject.contains(".cup-"));
            let run = ours.map_or("none", |(subject, _)| subject.rsplit('.').next().unwrap());
            stranger.say(&format!("agon.results.{run}"), b"{".to_vec());
            stranger.say("agon.ping", Vec::new());
        }
        // After that, the tournament gets time to end.
        if said < least {
            stranger.forge();
            said += 1;
        } else {
            std::thread::sleep(Duration::from_millis(20));
        }
        assert!(Instant::now() < until || soaking(), "{}", coordinator.said());
    }
    let games = room.finished(coordinator);
    assert_eq!(by_the_rules(&games), by_the_rules(&on_one_machine(CUP)));
    stranger.listen();
    let refused = |run: &Value| run["refused"].as_u64();
    let runs = stranger.heard_on("agon.runs.");
    assert!(
        runs.iter().filter_map(refused).any(|refused| refused > 0),
        "counted by the coordinator"
    );
    let port: u16 = address.rsplit(':').next().unwrap().parse().unwrap();
    let text = get(port, "/metrics").unwrap();
    let line = text.lines().find(|line| line.starts_with("agon_worker_messages_refused")).unwrap();
    assert!(!line.ends_with(" 0"), "counted by the worker: {line}");
    assert!(room.workers[0].said().contains("a unit is refused"), "{}", room.workers[0].said());
}

#[test]
fn results_count_if_they_are_what_the_rules_and_the_build_say() {
    let broker = Broker::single();
    let mut room = Room::with_workers(&broker.url(), 1, &[]);
    let mut stranger = Stranger::new(&broker.url(), 8);
    let expected = room.finished(room.coordinator(CUP, &[]));
    room.workers.clear();
    stranger.listen();
    let results = stranger.heard_on("agon.results.");
    let results: Vec<Value> = results.into_iter().filter(|it| it["results"].is_object()).collect();
    let subject = stranger.heard.iter().find(|(subject, _)| subject.starts_with("agon.results."));
    let subject = subject.unwrap().0.clone();
    assert!(!results.is_empty());

    // The same tournament once more, with nobody to play it.
    let again = Room::new(&broker.url());
    let mut coordinator = again.coordinator(CUP, &[]);
    coordinator.wait_until_it_says("no worker can play these games");
    let say = |stranger: &Stranger, change: &dyn Fn(&mut Value)| {
        for result in &results {
            let mut result = result.clone();
            change(&mut result["results"]);
            stranger.say(&subject, serde_json::to_vec(&result).unwrap());
        }
    };
    say(&stranger, &|results| {
        results["build"] = json!("0.0.9-00000000");
        results["name"] = json!("old");
    });
    coordinator.wait_until_it_says("of old is refused: it was played by build 0.0.9-00000000");
    say(&stranger, &|results| {
        results["name"] = json!("liar");
        results["games"][0]["points"] = json!([7, 7]);
        results["games"][0]["signature"] = json!(1);
    });
    coordinator.wait_until_it_says("of liar is refused: the points is another one");
    // Of another definition of the tournament: nobody's fault, and of no use.
    say(&stranger, &|results| {
        results["name"] = json!("stale");
        results["brief"] = json!("0".repeat(64));
    });
    // As they were: now they count, however often they are said.
    while coordinator.is_running() {
        say(&stranger, &|_| {});
        std::thread::sleep(Duration::from_millis(200));
    }
    let played = again.finished(coordinator);
    assert_eq!(by_the_rules(&played), by_the_rules(&expected));
    let workers = played.iter().map(|game| game["played_by"]["worker"].as_str().unwrap());
    assert!(workers.into_iter().all(|worker| ["pc-0", "liar"].contains(&worker)), "{played:?}");
}

#[test]
fn a_file_that_is_not_what_its_name_says_is_not_used() {
    let broker = Broker::single();
    let room = Room::with_workers(&broker.url(), 1, &[]);
    let mut stranger = Stranger::new(&broker.url(), 9);
    let coordinator = room.coordinator(CUP, &[]);
    let unit = wait_for("a unit", || {
        stranger.listen();
        let first = stranger.heard.iter().find(|(subject, _)| subject.starts_with("agon.units."));
        first.cloned()
    });
    let name = "ab".repeat(32);
    stranger.runtime.block_on(async {
        let broker = async_nats::jetstream::new(stranger.client.clone());
        let files = broker.get_object_store("AGON_FILES").await.unwrap();
        files.put(name.as_str(), &mut &b"{}"[..]).await.unwrap();
    });
    let mut forged: Value = serde_json::from_slice(&unit.1).unwrap();
    forged["brief"] = json!(name);
    stranger.say(&unit.0, serde_json::to_vec(&forged).unwrap());
    room.workers[0].wait_until_it_says("do not have this checksum");
    let games = room.finished(coordinator);
    assert_eq!(by_the_rules(&games), by_the_rules(&on_one_machine(CUP)));
}
