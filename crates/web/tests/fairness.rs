//! One client does its worst, and another one goes on playing. Clients are addresses of this machine.

mod common;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use agon_arena::store::{Sitting, SittingChange, Store};
use agon_web::limits;
use common::neighbour::Neighbour;
use common::{Running, id};
use serde_json::json;

/// `cargo xtask soak` attacks with more, and is strict about the time.
fn soaking() -> bool {
    std::env::var_os("AGON_SOAK").is_some()
}

/// How long an answer may take: a second, and more where many tests share the machine.
fn soon() -> Duration {
    Duration::from_secs(if soaking() { 1 } else { 4 })
}

/// A server, somebody who attacks it and somebody who plays.
fn scene(folder: &std::path::Path) -> (Running, Neighbour, Neighbour) {
    let server = Running::start(folder);
    let [bully, player] = [2, 3].map(|number| Neighbour { server: server.address, number });
    (server, bully, player)
}

#[test]
fn many_long_searches_of_one_client_do_not_delay_another() {
    let folder = tempfile::tempdir().unwrap();
    let (_server, bully, player) = scene(folder.path());
    let games = if soaking() { 200 } else { 60 };
    let engines = [Some("engine"), Some("engine")];
    let _pages: Vec<_> = (0..games)
        .map(|_| bully.follow(id(&bully.begin(engines, Some("24h")))).expect("a page"))
        .collect();
    let game = player.begin([None, Some("engine:level=3")], None);
    for round in 0..if soaking() { 10 } else { 3 } {
        let (hint, answer) = (player.hint(), player.move_and_wait(id(&game)));
        println!("round {round}: hint after {hint:?}, answer after {answer:?}");
        assert!(hint < soon() && answer < soon(), "hint {hint:?}, answer {answer:?}");
    }
    // With a clock, too: a single search of the other one may be long.
    let clocked = player.begin([None, Some("engine")], Some("24h"));
    let answer = player.move_and_wait(id(&clocked));
    assert!(answer < soon(), "{answer:?}");
}

#[test]
fn one_long_search_ends_when_another_client_comes() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start_with(folder.path(), |options| options.threads = Some(1));
    let [bully, player] = [2, 3].map(|number| Neighbour { server: server.address, number });
    let game = bully.begin([Some("engine"), None], Some("24h"));
    thread::sleep(Duration::from_millis(300));
    let hint = player.hint();
    assert!(hint < soon(), "{hint:?}");
    let moved = bully.get(&format!("/api/games/{}", id(&game))).ok();
    assert_eq!(moved["position"]["ply"], 1, "the search that was ended has found a move");
}

/// Connections that send only the beginning of a request.
fn slow_connections(from: Neighbour, count: usize) -> Vec<TcpStream> {
    let open = |_| {
        let mut stream = from.connect();
        let _ = stream.write_all(b"GET / HTTP/1.1\r\nhost: ");
        stream
    };
    (0..count).map(open).collect()
}

#[test]
fn slow_connections_of_some_clients_do_not_keep_others_out() {
    let folder = tempfile::tempdir().unwrap();
    let (server, bully, player) = scene(folder.path());
    let other = Neighbour { server: server.address, number: 4 };
    let slow = slow_connections(bully, limits::CONNECTIONS / 2 + 10);
    let more = slow_connections(other, limits::CONNECTIONS / 4 + 10);
    for _ in 0..10 {
        let began = Instant::now();
        player.get("/api/catalog").ok();
        assert!(began.elapsed() < soon(), "{:?}", began.elapsed());
    }
    // What is too much is refused at once, with the reason.
    for connections in [slow, more] {
        let mut last = connections.into_iter().next_back().unwrap();
        let mut answer = String::new();
        let began = Instant::now();
        let _ = last.read_to_string(&mut answer);
        assert!(began.elapsed() < limits::HEAD / 2, "{:?}", began.elapsed());
        assert!(answer.is_empty() || answer.contains("too many connections"), "{answer}");
    }
}

#[test]
fn twenty_thousand_unfinished_games_of_one_client_block_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let (server, _, player) = scene(folder.path());
    let mine = player.begin([None, Some("random")], None);
    let moved = player.move_and_wait(id(&mine));
    drop(server);
    let store = Store::open(folder.path()).unwrap();
    let document = store.sitting(id(&mine)).unwrap().unwrap().document;
    let now = agon_arena::store::now();
    let begin = |number: u64| {
        let (id, document) = (format!("bully{number}"), document.clone());
        let sitting = Sitting { id, document, open: true, public: false, updated_at: now };
        SittingChange::Begin(sitting, "bully".into())
    };
    store.change_sittings(&(1..limits::GAMES).map(begin).collect::<Vec<_>>()).unwrap();
    assert_eq!(store.count_sittings().unwrap(), limits::GAMES);
    let (_server, _, player) = scene(folder.path());
    let began = Instant::now();
    let new = player.begin([None, Some("random")], None);
    assert!(began.elapsed() < soon(), "{:?} {moved:?}", began.elapsed());
    assert!(store.count_sittings().unwrap() < limits::GAMES);
    for game in [mine, new] {
        player.get(&format!("/api/games/{}", id(&game))).ok();
    }
}

#[test]
fn games_are_begun_at_a_limited_rate_by_each_client() {
    let folder = tempfile::tempdir().unwrap();
    let (_server, bully, player) = scene(folder.path());
    let people = json!([{"kind": "human"}, {"kind": "human"}]);
    let body = json!({"variant": "congo", "seats": people});
    let refused = (0..5000).find_map(|number| {
        let answer = bully.post("/api/games", &body);
        (answer.status != 201).then_some((number, answer))
    });
    let (begun, answer) = refused.expect("a limit");
    let (code, message) = answer.error();
    assert_eq!((answer.status, code.as_str()), (429, "too_many"));
    assert!(message.contains("try again in"), "{message}");
    assert!(begun > 200, "a class can begin together: {begun}");
    player.begin([None, None], None);
}

#[test]
fn nobody_opens_all_pages() {
    let folder = tempfile::tempdir().unwrap();
    let (_server, bully, player) = scene(folder.path());
    let game = bully.begin([None, None], None);
    let pages: Vec<_> = (0..300).map_while(|_| bully.follow(id(&game))).collect();
    assert!((200..300).contains(&pages.len()), "{}", pages.len());
    let page = player.follow(id(&game)).expect("a page for somebody else");
    drop(pages);
    drop(page);
}

#[test]
fn a_large_head_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (_server, bully, _) = scene(folder.path());
    let large = format!("x-large: {}\r\n", "x".repeat(limits::HEAD_BYTES));
    let (code, message) = bully.send("GET", "/api/server", &large, "").unwrap().error();
    assert_eq!(code, "too_large");
    assert!(message.contains("at most 16384 bytes"), "{message}");
    let many: String = (0..200).map(|number| format!("x-{number}: y\r\n")).collect();
    for headers in [large.repeat(20), many] {
        let answer = bully.send("GET", "/api/server", &headers, "");
        assert!(answer.is_none_or(|answer| answer.status == 431));
    }
    bully.get("/api/server").ok();
}

/// The memory of this process, in MiB.
#[cfg(target_os = "linux")]
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() >> 10
}

/// Takes two minutes, so only the soak waits for it.
#[cfg(target_os = "linux")]
#[test]
fn memory_is_given_back_when_nobody_plays() {
    if !soaking() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (_server, bully, _) = scene(folder.path());
    let before = resident();
    let engines = [Some("engine"), Some("engine")];
    let pages: Vec<_> = (0..40)
        .map(|_| bully.follow(id(&bully.begin(engines, Some("24h")))).expect("a page"))
        .collect();
    thread::sleep(Duration::from_secs(20));
    let busy = resident();
    drop(pages);
    thread::sleep(Duration::from_secs(100));
    let after = resident();
    println!("{before} MiB at first, {busy} MiB with 40 games, {after} MiB after a while");
    assert!(busy > before + 100, "{before} {busy}");
    assert!(after < before + (busy - before) / 3, "{before} {busy} {after}");
}
