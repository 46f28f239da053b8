//! Records through the API: filters, choices, whole games and downloads.

mod common;

use agon_arena::store::export::{Format, export};
use agon_arena::store::{Filter, Store};
use agon_arena::tournament::summary::TournamentSummary;
use common::records::{EVIDENCE, FORMULA, TOURNAMENT, store_tournament};
use common::{Client, Running};
use serde_json::{Value, json};
use tempfile::TempDir;

const NAME: &str = "spring%2F1%20%3Cb%3E";

fn served() -> (TempDir, Running) {
    let folder = tempfile::tempdir().unwrap();
    store_tournament(folder.path());
    let server = Running::start(folder.path());
    (folder, server)
}

fn total(client: &Client, query: &str) -> u64 {
    client.get(&format!("/api/records?{query}")).ok()["total"].as_u64().unwrap()
}

#[test]
fn records_are_filtered_and_the_choices_count_them() {
    let (_folder, server) = served();
    let client = server.client();
    for (query, games) in [
        ("", 8),
        ("variant=wumpus:3&agent=&result=", 2),
        ("agent=random", 8),
        ("agent=Chance", 6),
        (&format!("tournament={NAME}"), 6),
        ("series=2", 2),
        ("fault=any", 1),
        ("fault=illegal-move&result=first", 1),
        ("fault=crash", 0),
        ("since=2023-11-16", 4),
        ("since=2023-11-15&until=2023-11-15", 2),
        ("until=2023-11-15T00:00:00.000Z", 2),
    ] {
        assert_eq!(total(&client, query), games, "{query}");
    }
    let choices = client.get("/api/records/choices").ok();
    assert_eq!(choices["games"], 8);
    assert_eq!(choices["faults"], json!([{"value": "illegal-move", "games": 1}]));
    assert_eq!(choices["series"][1]["name"], TOURNAMENT);
    for kind in ["variants", "agents", "results"] {
        let field = &kind[..kind.len() - 1];
        for choice in choices[kind].as_array().unwrap() {
            let value = choice["value"].as_str().unwrap();
            let value: String = value.bytes().map(|byte| format!("%{byte:02X}")).collect();
            let found = total(&client, &format!("{field}={value}"));
            assert_eq!(choice["games"], found, "{choice}");
        }
    }
}

#[test]
fn bad_filters_are_explained() {
    let (_folder, server) = served();
    let client = server.client();
    let long = format!("agent={}", "x".repeat(400));
    for (query, code, words) in [
        ("result=1-0", "bad_request", "first, second"),
        ("fault=boredom", "bad_request", "illegal-move"),
        ("since=yesterday", "bad_request", "such as 2026-01-31"),
        ("tournament=autumn", "not_found", "autumn"),
        ("series=99", "not_found", "99"),
        ("series=1&tournament=x", "bad_request", "not both"),
        (&long, "bad_request", "at most 300"),
    ] {
        for path in ["/api/records", "/api/records/export"] {
            let (found, message) = client.get(&format!("{path}?{query}")).error();
            assert_eq!(found, code, "{query}");
            assert!(message.contains(words), "{query}: {message}");
        }
    }
    let (_, message) = client.get("/api/records/export?format=xml").error();
    assert!(message.contains("expected pgn, jsonl or csv"), "{message}");
}

#[test]
fn a_record_has_everything_that_is_known() {
    let (_folder, server) = served();
    let record = server.client().get("/api/records/1.3").ok();
    assert_eq!(record["agents"], json!(["engine:level=3", "random"]));
    assert_eq!((&record["kind"], &record["series"]), (&json!("tournament"), &json!(TOURNAMENT)));
    assert_eq!((&record["previous"], &record["next"]), (&json!("1.2"), &json!("1.4")));
    assert_eq!((&record["evidence"], &record["offender"]), (&json!(EVIDENCE), &json!(1)));
    let details = record["details"].as_array().unwrap();
    assert_eq!(details.len(), record["moves"].as_array().unwrap().len());
    let expected = json!({"seat": 1, "ms": 300.0, "clock_ms": 9800.0, "nodes": 1234, "depth": 2,
        "score": -40, "score_text": "-0.40"});
    assert_eq!(details[1], expected);
    assert_eq!(details[2]["clock_ms"], 9600.0, "every seat has its own clock");
    let text = record["text"].as_str().unwrap();
    assert!(text.contains("[Result \"1-0\"]") && text.contains("[%eval 0.40,2]"), "{text}");
    assert_eq!(server.client().get("/api/records/1.0").ok()["previous"], Value::Null);
}

#[test]
fn downloads_are_the_bytes_of_the_command_line() {
    let (folder, server) = served();
    let client = server.client();
    let store = Store::open_read_only(folder.path()).unwrap();
    let series = store.find_tournament(TOURNAMENT).unwrap().unwrap();
    let catalog = agon_games::Catalog::built_in();
    let names = |variant: &str| -> Vec<String> {
        let table = catalog.open(&variant.parse().unwrap()).unwrap();
        agon_core::Seat::all(table.seats()).map(|seat| table.seat_name(seat).to_string()).collect()
    };
    for format in Format::ALL {
        let mut expected = Vec::new();
        let filter = Filter::of(series.id);
        export(&store, &filter, format, &names, &mut expected).unwrap();
        let expected = String::from_utf8(expected).unwrap();
        let form = format.name();
        let paths = [
            format!("/api/records/export?format={form}&tournament={NAME}"),
            format!("/api/tournaments/{NAME}/games.{form}"),
        ];
        for path in paths {
            let answer = client.get(&path);
            assert_eq!((answer.status, &answer.text), (200, &expected), "{path}");
        }
    }
    let summary = TournamentSummary::of(&store, series).unwrap();
    for (file, expected) in [
        ("standings.csv", summary.standings_csv()),
        ("standings.json", summary.standings_json().unwrap()),
        ("crosstable.csv", summary.crosstable_csv()),
        ("crosstable.json", summary.crosstable_json().unwrap()),
    ] {
        let answer = client.get(&format!("/api/tournaments/{NAME}/{file}"));
        assert_eq!((answer.status, &answer.text), (200, &expected), "{file}");
        assert!(answer.text.contains("Chance"), "{file}");
    }
    let csv = client.get(&format!("/api/tournaments/{NAME}/standings.csv")).text;
    let guarded = format!("\"'{}\"", FORMULA.replace('"', "\"\""));
    assert!(csv.contains(&guarded), "no formula in a spreadsheet: {csv}");
    for path in ["autumn/standings.csv", "autumn/games.pgn", &format!("{NAME}/standings.xml")] {
        let (code, message) = client.get(&format!("/api/tournaments/{path}")).error();
        assert_eq!(code, "not_found", "{path}: {message}");
    }
}

#[test]
fn too_many_exports_at_once_are_refused_politely_and_others_go_on() {
    use std::io::{Read, Write};
    let folder = tempfile::tempdir().unwrap();
    store_tournament(folder.path());
    let store = Store::open(folder.path()).unwrap();
    // More than fits into the buffers on the way.
    let game = agon_arena::store::StoredGame {
        evidence: Some("x".repeat(1 << 20)),
        ..common::records::random_game(0, "breakthrough:5x5")
    };
    let series = store.series("2".parse().unwrap()).unwrap().id;
    for number in 10..34 {
        store.put(series, &agon_arena::store::StoredGame { number, ..game.clone() }).unwrap();
    }
    let server = Running::start(folder.path());
    let mut stalled: Vec<std::net::TcpStream> = Vec::new();
    for _ in 0..4 {
        let mut stream = std::net::TcpStream::connect(server.address).unwrap();
        let host = server.address;
        let request =
            format!("GET /api/records/export?format=pgn HTTP/1.1\r\nHost: {host}\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut head = [0; 16];
        stream.read_exact(&mut head).unwrap();
        assert!(head.starts_with(b"HTTP/1.1 200"));
        stalled.push(stream);
    }
    let client = server.client();
    let (code, message) = client.get("/api/records/export?format=csv").error();
    assert_eq!(code, "busy");
    assert!(message.contains("try again"), "{message}");
    assert_eq!(total(&client, "variant=wumpus:3"), 2, "records can still be read");
    drop(stalled);
    for _ in 0..600 {
        if client.get("/api/records/export?format=csv").status == 200 {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    panic!("exports are possible again");
}
