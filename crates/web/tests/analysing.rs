//! Live analysis over a WebSocket.

mod common;

use std::collections::BTreeMap;
use std::net::{SocketAddr, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use agon_search::Budget;
use agon_search::solver::text::{Question, solve};
use agon_search::solver::{Options, Value as Exact};
use common::{Client, Running, id};
use serde_json::{Value, json};
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket, connect};

/// A page that analyses.
struct Analysis {
    socket: WebSocket<MaybeTlsStream<TcpStream>>,
    number: u64,
}

impl Analysis {
    fn open(address: SocketAddr) -> Analysis {
        let (socket, _) = connect(format!("ws://{address}/api/analyse")).unwrap();
        if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
            stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        }
        Analysis { socket, number: 0 }
    }

    fn ask(&mut self, mut question: Value) {
        self.number += 1;
        question["number"] = self.number.into();
        self.send(&question.to_string());
    }

    fn send(&mut self, text: &str) {
        self.socket.send(Message::Text(text.into())).unwrap();
    }

    /// The next answer to anything.
    fn next(&mut self) -> Value {
        loop {
            match self.socket.read().unwrap() {
                Message::Text(text) => return serde_json::from_str(&text).unwrap(),
                Message::Close(_) => panic!("it was closed"),
                _ => {}
            }
        }
    }

    /// The first answer to the last question for which a condition holds.
    fn wait(&mut self, is_so: impl Fn(&Value) -> bool) -> Value {
        loop {
            let answer = self.next();
            assert_eq!(answer["problem"], Value::Null, "{answer}");
            if answer["number"] == self.number && is_so(&answer) {
                return answer;
            }
        }
    }
}

fn lines(answer: &Value, at: usize) -> Vec<Value> {
    let analysts = answer["analysts"].as_array().cloned().unwrap_or_default();
    let analyst = analysts.iter().find(|analyst| analyst["at"] == at);
    analyst.and_then(|it| it["lines"].as_array().cloned()).unwrap_or_default()
}

fn depth(answer: &Value, at: usize) -> u64 {
    let analysts = answer["analysts"].as_array().cloned().unwrap_or_default();
    let analyst = analysts.iter().find(|analyst| analyst["at"] == at);
    analyst.and_then(|it| it["depth"].as_u64()).unwrap_or_default()
}

fn load(client: &Client) -> u64 {
    client.get("/api/server").ok()["searches"].as_u64().unwrap_or_default()
}

#[test]
fn every_game_is_analysed_with_lines_that_are_legal() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path());
    let mut page = Analysis::open(server.address);
    for game in agon_games::GAMES {
        let variant = game.variants[0].text;
        let table = agon_games::open(&variant.parse().unwrap()).unwrap();
        let first = table.moves().remove(0);
        page.ask(json!({"variant": variant, "moves": [first], "analysts": ["engine:lines=3"]}));
        let answer = page.wait(|answer| lines(answer, 0).len() == 3 && depth(answer, 0) >= 2);
        for line in lines(&answer, 0) {
            let mut table = agon_games::open(&variant.parse().unwrap()).unwrap();
            table.play(&first).unwrap();
            let moves = line["moves"].as_array().unwrap();
            assert!(!moves.is_empty() && line["routes"].as_array().unwrap().len() == moves.len());
            for (mv, route) in moves.iter().zip(line["routes"].as_array().unwrap()) {
                let trace = table.trace(mv.as_str().unwrap()).unwrap();
                assert_eq!(json!(trace.routes[0]), *route);
                table.play(mv.as_str().unwrap()).unwrap();
            }
            let shares: Vec<f64> = serde_json::from_value(line["shares"].clone()).unwrap();
            let total = if shares.len() == 2 { 1.0 } else { 1.5 };
            assert!((shares.iter().sum::<f64>() - total).abs() < 1e-3, "{variant} {line}");
        }
    }
}

#[test]
fn two_agents_side_by_side_answer_the_last_question_only() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path());
    let mut page = Analysis::open(server.address);
    for at in 0..20 {
        let moves = if at % 2 == 0 { vec![] } else { vec!["d2d3"] };
        page.ask(
            json!({"variant": "congo", "moves": moves, "analysts": ["mcts:lines=2", "engine"]}),
        );
    }
    let (mut one, mut other) = (false, false);
    while !(one && other) {
        let answer = page.wait(|_| true);
        one |= lines(&answer, 0).len() == 2;
        other |= lines(&answer, 1).len() == 1;
        let table = agon_games::open_at(&"congo".parse().unwrap(), None, &["d2d3"]).unwrap();
        for line in [lines(&answer, 0), lines(&answer, 1)].concat() {
            assert!(table.read_move(line["moves"][0].as_str().unwrap()).is_ok(), "{line}");
        }
    }
    page.send(r#"{"stop": true}"#);
    wait_until_idle(&server.client());
}

fn wait_until_idle(client: &Client) {
    let begun = Instant::now();
    while load(client) > 0 {
        assert!(begun.elapsed() < Duration::from_secs(5), "it still searches");
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn at_most_ten_messages_a_second_and_none_without_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path());
    let client = server.client();
    let mut page = Analysis::open(server.address);
    page.ask(json!({"variant": "breakthrough:8x8", "analysts": ["mcts", "engine:lines=5"], "values": true}));
    let mut arrivals = Vec::new();
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(4) {
        page.next();
        arrivals.push(begun.elapsed());
    }
    assert!(arrivals.len() > 5, "{arrivals:?}");
    // They were sent at least a tenth of a second apart; the way here may bring two together.
    for window in arrivals.windows(12) {
        assert!(window[11] - window[0] > Duration::from_millis(950), "{window:?}");
    }
    assert!(load(&client) > 0);
    drop(page);
    wait_until_idle(&client);
}

#[test]
fn a_page_that_says_nothing_any_more_frees_its_search() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path());
    let client = server.client();
    let mut page = Analysis::open(server.address);
    page.ask(json!({"variant": "breakthrough:8x8", "analysts": ["engine"]}));
    let asked = Instant::now();
    while load(&client) == 0 {
        assert!(asked.elapsed() < Duration::from_secs(3), "it does not search");
    }
    // It reads nothing, so it answers no ping either, and its connection stays open.
    wait_until_idle(&client);
    drop(page);
}

#[test]
fn exact_values_are_those_of_the_solver() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path());
    let mut page = Analysis::open(server.address);
    let table = agon_games::open(&"breakthrough:3x5".parse().unwrap()).unwrap();
    let question = Question { all_moves: true, ..Question::default() };
    let answer = solve(&*table, &Budget::default(), &Options::default(), question, &mut |_| {});
    let wanted: BTreeMap<String, f64> = answer
        .unwrap()
        .moves
        .into_iter()
        .map(|(mv, solution)| {
            let share = match solution.value.unwrap() {
                Exact::Win => 1.0,
                Exact::Draw => 0.5,
                Exact::Loss => 0.0,
            };
            (mv, share)
        })
        .collect();
    page.ask(json!({"variant": "breakthrough:3x5", "analysts": ["solver"], "values": true}));
    let answer = page.wait(|answer| answer["values"]["done"] == true);
    let mut found = BTreeMap::new();
    for value in answer["values"]["moves"].as_array().unwrap() {
        assert_eq!(value["exact"], true, "{value}");
        found.insert(value["move"].as_str().unwrap().to_string(), value["share"].as_f64().unwrap());
    }
    assert_eq!(found, wanted);
    page.ask(json!({"variant": "breakthrough:3x5", "analysts": ["solver"]}));
    let answer = page.wait(|answer| lines(answer, 0).first().is_some_and(|it| it["exact"] == true));
    assert_eq!(lines(&answer, 0)[0]["sentence"], "A draw, proven");
}

#[test]
fn what_tables_know_is_proven_for_every_line() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path());
    let mut page = Analysis::open(server.address);
    let start = "3l3/7/7/7/7/3P3/3L3 w 0";
    page.ask(json!({"variant": "congo", "start": start, "analysts": ["engine:lines=3"]}));
    let answer = page.wait(|answer| {
        let lines = lines(answer, 0);
        lines.len() == 3 && lines.iter().all(|line| line["exact"] == true)
    });
    for line in lines(&answer, 0) {
        assert!(line["sentence"].as_str().unwrap().ends_with(", proven"), "{line}");
    }
}

#[test]
fn bad_questions_are_answered_and_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    // With the kinds of agents that the program has.
    let server = Running::start_with(folder.path(), |options| {
        options.registry = agon_wire::registry(None);
    });
    let mut page = Analysis::open(server.address);
    let many: Vec<&str> = vec!["engine"; 3];
    for (question, words) in [
        (json!({"variant": "nogame", "analysts": ["engine"]}), "expected a game"),
        (json!({"variant": "congo", "moves": ["d2d9"], "analysts": []}), "d2d9"),
        (json!({"variant": "congo", "start": "x", "analysts": []}), "congo: bad position"),
        (json!({"variant": "congo", "analysts": many}), "at most 2 agents"),
        (json!({"variant": "congo", "analysts": ["engin"]}), "did you mean engine"),
        (json!({"variant": "congo", "analysts": ["ugi:/bin/true"]}), "--allow-programs"),
        (json!({"variant": "congo", "analysts": ["engine:hash=100000"]}), "at most 256"),
        (json!({"variant": "congo", "analysts": ["engine"], "nodes": 1_000_000_000u64}), "nodes"),
        (json!({"variant": "congo", "what": 1}), "unknown field"),
    ] {
        page.ask(question);
        let answer = page.next();
        assert!(answer["problem"].as_str().unwrap().contains(words), "{answer}");
    }
    for text in ["", "[]", "{", "[1,\"congo\"]", &"[".repeat(20_000)] {
        page.send(text);
        assert!(page.next()["problem"].is_string(), "{text:.20}");
    }
    page.ask(json!({"variant": "congo", "analysts": ["engine"]}));
    page.wait(|answer| depth(answer, 0) > 2);
}

#[test]
fn a_limited_search_finds_the_same_whoever_else_searches() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start_with(folder.path(), |options| options.threads = Some(1));
    let limited = |page: &mut Analysis| {
        page.ask(json!({"variant": "congo", "analysts": ["engine"], "nodes": 200_000}));
        let answer = page.wait(|answer| answer["analysts"][0]["state"] == "done");
        lines(&answer, 0)
    };
    let alone = limited(&mut Analysis::open(server.address));
    let mut others: Vec<Analysis> = (0..4).map(|_| Analysis::open(server.address)).collect();
    for other in &mut others {
        other.ask(json!({"variant": "fenix", "analysts": ["engine"]}));
    }
    assert_eq!(limited(&mut Analysis::open(server.address)), alone);
}

#[test]
fn ten_analyses_share_the_pool_fairly_and_a_move_is_answered_meanwhile() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start_with(folder.path(), |options| options.threads = Some(1));
    let client = server.client();
    let mut pages: Vec<Analysis> = (0..10).map(|_| Analysis::open(server.address)).collect();
    for page in &mut pages {
        page.ask(json!({"variant": "breakthrough:8x8", "analysts": ["engine"]}));
    }
    let game = client.begin("congo", &["engine:level=3"]);
    let path = format!("/api/games/{}/moves", id(&game));
    client.post(&path, &json!({"move": "d2d3", "ply": 0})).ok();
    let began = Instant::now();
    client.wait(id(&game), "answered", |game| common::ply(game) == 2);
    let answered = began.elapsed();
    assert!(answered < Duration::from_secs(4), "{answered:?}");
    // Each has had about the same number of parts, so about the same time.
    let rounds = if std::env::var_os("AGON_SOAK").is_some() { 60 } else { 12 };
    let end = Instant::now() + Duration::from_secs(rounds);
    let readers: Vec<_> =
        pages.into_iter().map(|page| thread::spawn(move || thought(page, end))).collect();
    let times: Vec<u64> = readers.into_iter().map(|reader| reader.join().unwrap()).collect();
    let (least, most) = (times.iter().min().unwrap(), times.iter().max().unwrap());
    assert!(*least > 0 && *most <= 4 * least, "{times:?}");
}

/// How long the agent of a page has searched at this time, in milliseconds.
fn thought(mut page: Analysis, end: Instant) -> u64 {
    let mut millis = 0;
    while Instant::now() < end {
        let answer = page.next();
        millis = answer["analysts"][0]["millis"].as_u64().unwrap_or(millis);
    }
    millis
}
