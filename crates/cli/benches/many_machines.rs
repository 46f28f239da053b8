//! Games on many machines: what the broker costs, with short games and with long ones, and how many
//! workers one coordinator can serve.

#[path = "../tests/many_machines/broker.rs"]
#[allow(dead_code, reason = "tests use all of it")]
mod broker;

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use async_nats::jetstream::message::PublishMessage;
use futures_util::StreamExt;
use serde_json::{Value, json};

use broker::Broker;

const RANDOM: &[&str] = &["match", "breakthrough:5x5", "random", "random", "--json"];
/// How many workers are simulated.
const WORKERS: usize = 1000;

fn agon(arguments: &[&str], data: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
    command.args(arguments).env("AGON_DATA", data).stdin(Stdio::null());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

struct Workers(Vec<Child>);

impl Workers {
    fn start(url: &str, count: usize, data: &Path) -> Workers {
        let start = |number| {
            let name = format!("pc-{number}");
            let arguments = ["worker", "--nats", url, "--slots", "1", "--name", &name];
            agon(&arguments, data).spawn().expect("a worker")
        };
        let workers = Workers((0..count).map(start).collect());
        // They measure their speed first.
        std::thread::sleep(Duration::from_secs(3));
        workers
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        for worker in &mut self.0 {
            let _ = worker.kill();
            let _ = worker.wait();
        }
    }
}

/// The user and system time of a process that still runs.
fn cpu_time(process: u32) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let fields = stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace();
    let ticks: u64 = fields.skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    ticks as f64 / 100.0
}

/// Plays a match, and returns its games a second as it reports them.
fn rate(options: &[&str], data: &Path) -> f64 {
    let output = agon(&[RANDOM, options].concat(), data).stdout(Stdio::piped()).output();
    let summary: Value = serde_json::from_slice(&output.expect("a match").stdout).expect("JSON");
    summary["games_per_second"].as_f64().expect("a rate")
}

fn short_games(url: &str, data: &Path) {
    let games = ["--games", "100000"];
    println!("random games, here: {:.0} games/s", rate(&games, data));
    for count in [1, 2] {
        let _workers = Workers::start(url, count, data);
        let rate = rate(&[&games[..], &["--nats", url]].concat(), data);
        println!("random games, {count} workers: {rate:.0} games/s");
    }
}

/// How much of the time is not spent on moves of a second each: from the end of the first game to that
/// of the last one, one after the other.
fn long_games(url: &str) {
    let games = ["match", "breakthrough:5x5", "mcts", "mcts", "--games", "12", "--per-move", "1s"];
    let run = |place: &str, options: &[&str]| {
        let data = tempfile::tempdir().expect("a folder");
        let played = agon(&[&games[..], options].concat(), data.path()).status();
        assert!(played.expect("a match").success(), "a match");
        let export = ["records", "export", "--format", "jsonl"];
        let exported = agon(&export, data.path()).stdout(Stdio::piped()).output().expect("games");
        let lines = String::from_utf8(exported.stdout).expect("text");
        let ended = |line: &str| {
            let game: Value = serde_json::from_str(line).expect("JSON");
            let times = game["times_ms"].as_array().expect("times").iter();
            let thinking: f64 = times.filter_map(Value::as_f64).sum();
            (game["finished"].as_f64().expect("a time"), thinking)
        };
        let mut ends: Vec<(f64, f64)> = lines.lines().map(ended).collect();
        ends.sort_by(|one, other| one.0.total_cmp(&other.0));
        let wall = ends[ends.len() - 1].0 - ends[0].0;
        let thinking: f64 = ends[1..].iter().map(|(_, thinking)| thinking).sum();
        let (each, share) =
            ((wall - thinking) / (ends.len() - 1) as f64, 100.0 * (1.0 - thinking / wall));
        println!(
            "1 s a move, {place}: {each:.1} ms a game, {share:.3} % of the time, not on moves"
        );
    };
    run("here", &["--concurrency", "1"]);
    let data = tempfile::tempdir().expect("a folder");
    let _workers = Workers::start(url, 1, data.path());
    run("1 worker", &["--nats", url]);
}

/// What a worker has returned, and the class of its unit.
async fn recorded(url: &str, data: &Path) -> (Value, String) {
    let client = async_nats::connect(url).await.expect("a broker");
    let mut results = client.subscribe("agon.results.*").await.expect("results");
    let mut units = client.subscribe("agon.units.*.*").await.expect("units");
    client.flush().await.expect("a broker");
    let _worker = Workers::start(url, 1, data);
    let options = ["--games", "2", "--openings", "start", "--nats", url];
    let mut playing = agon(&[RANDOM, &options].concat(), data).spawn().expect("a match");
    let unit = units.next().await.expect("a unit");
    let result = results.next().await.expect("a result");
    playing.wait().expect("a match");
    let class = unit.subject.split('.').nth(2).expect("a class").to_string();
    let result: Value = serde_json::from_slice(&result.payload).expect("JSON");
    (result["results"].clone(), class)
}

/// A worker that returns the same game again and again without playing it.
async fn simulated(url: String, number: usize, class: String, first: Value, done: Arc<AtomicU64>) {
    let client = async_nats::connect(&url).await.expect("a broker");
    let id = format!("sim-{number}");
    let status = json!({
        "id": id, "name": id, "slots": 1, "playing": [], "games": 0, "faults": 0, "troubles": 0,
        "seconds": 1, "games_per_hour": 0.0, "leaving": false, "refused": [],
        "abilities": {
            "version": "", "signature": "", "cores": 1, "memory_mib": 1000, "isolation": "none",
            "takes_programs": false, "programs": [], "resources": [], "speed": 1,
        },
    });
    let (told, subject) = (client.clone(), format!("agon.status.{id}"));
    tokio::spawn(async move {
        loop {
            let text = serde_json::to_vec(&status).expect("JSON");
            let _ = told.publish(subject.clone(), text.into()).await;
            tokio::time::sleep(Duration::from_secs(2)).await;
        }
    });
    let broker = async_nats::jetstream::new(client);
    let stream = broker.get_stream_no_info("AGON_UNITS").await.expect("units");
    let consumer: async_nats::jetstream::consumer::PullConsumer =
        stream.get_consumer(&class).await.expect("a class");
    loop {
        let asked = consumer.batch().max_messages(1).expires(Duration::from_secs(10));
        let Ok(mut messages) = asked.messages().await else { continue };
        let Some(Ok(message)) = messages.next().await else { continue };
        let unit: Value = serde_json::from_slice(&message.payload).expect("a unit");
        let fixtures = unit["fixtures"].as_array().expect("fixtures");
        let games: Vec<Value> = fixtures
            .iter()
            .map(|fixture| {
                let mut game = first["games"][0].clone();
                for field in ["number", "round", "pairing", "leg"] {
                    game[field] = fixture[field].clone();
                }
                game["seats"] = fixture["seating"].clone();
                game
            })
            .collect();
        let count = games.len() as u64;
        let results = json!({ "results": {
            "protocol": unit["protocol"], "run": unit["run"], "unit": unit["unit"],
            "epoch": unit["epoch"], "brief": unit["brief"], "worker": id, "name": id,
            "build": first["build"], "deliveries": 1, "games": games, "unfinished": [],
            "problem": null, "millis": 2 * count,
        }});
        let subject = format!("agon.results.{}", unit["run"].as_str().expect("a run"));
        let text = serde_json::to_vec(&results).expect("JSON");
        let sent = broker.send_publish(subject, PublishMessage::build().payload(text.into())).await;
        if sent.expect("a broker").await.is_ok() {
            let _ = message.ack().await;
            done.fetch_add(count, Relaxed);
        }
    }
}

fn many_workers(broker: &Broker, data: &Path) {
    let url = broker.url();
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    let runtime = runtime.expect("a runtime");
    let (first, class) = runtime.block_on(recorded(&url, data));
    let done = Arc::new(AtomicU64::new(0));
    let games: u64 = 300_000;
    let count = games.to_string();
    let options = ["--games", &count, "--openings", "start", "--nats", &url];
    let mut coordinator = agon(&[RANDOM, &options].concat(), data).spawn().expect("a match");
    let begun = Instant::now();
    for number in 0..WORKERS {
        let it = simulated(url.clone(), number, class.clone(), first.clone(), done.clone());
        runtime.spawn(it);
    }
    let mut used = 0.0;
    while coordinator.try_wait().expect("a match").is_none() {
        used = cpu_time(coordinator.id());
        std::thread::sleep(Duration::from_millis(100));
    }
    let (wall, returned) = (begun.elapsed().as_secs_f64(), done.load(Relaxed));
    println!(
        "{WORKERS} simulated workers: {games} games counted of {returned} returned in {wall:.1} s, \
         {:.0} games/s; the coordinator used {used:.1} s of CPU, {:.0} µs a game",
        games as f64 / wall,
        used * 1e6 / games as f64,
    );
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|it| !it.starts_with('-')).collect();
    let is_wanted = |part: &str| wanted.is_empty() || wanted.iter().any(|it| it == part);
    let (broker, data) = (Broker::single(), tempfile::tempdir().expect("a folder"));
    if is_wanted("short") {
        short_games(&broker.url(), data.path());
    }
    if is_wanted("long") {
        long_games(&broker.url());
    }
    if is_wanted("many") {
        many_workers(&broker, data.path());
    }
}
