//! Games in the formats of other programs.

use super::*;
use crate::game_summary::GameSummary;
use crate::store::export::crosstable::{Crosstable, Score};
use crate::store::export::pgn::read_pgn;
use crate::store::export::{Format, export};

fn seat_names(variant: &str) -> Vec<String> {
    let names: &[&str] = if variant == "fenix" { &["red", "black"] } else { &["A", "B", "C"] };
    names.iter().map(|name| name.to_string()).collect()
}

/// A two-player and a three-player game in a format.
fn exported(format: &str) -> String {
    let (_folder, store) = empty();
    let new = new_series(SeriesKind::Tournament, Some("the \"spring\", 2nd"));
    let series = store.begin_series(&new).unwrap();
    store.put(series, &game(0)).unwrap();
    store.put(series, &faulty(1)).unwrap();
    let format: Format = format.parse().unwrap();
    let mut out = Vec::new();
    let count = export(&store, &Filter::default(), format, &seat_names, &mut out).unwrap();
    assert_eq!(count, 2);
    String::from_utf8(out).unwrap()
}

#[test]
fn pgn_has_tags_numbers_and_points() {
    let expected = r#"[Event "the \"spring\", 2nd"]
[Game "1.0"]
[Date "2023.11.14"]
[UTCTime "22:13:20"]
[Round "1.2.3"]
[Variant "fenix"]
[Red "tuned"]
[RedAgent "engine:eval=tuned"]
[Black "simple"]
[BlackAgent "engine:eval=simple"]
[Result "1-0"]
[Points "100-0"]
[Termination "the king is taken"]
[TimeControl "10s+100ms a game"]
[OpeningPlies "2"]

1. b6c6 f2e2 2. c6d6 {[%eval -0.35,7] [%clk 0:00:10.099] [%emt 0:00:00.002]} e2d2 {[%clk 0:00:10.1]}
3. d6e6 {[%eval #2,12] [%clk 0:00:08.199] [%emt 0:00:02]} 1-0

[Event "the \"spring\", 2nd"]
[Game "1.1"]
[Date "2023.11.14"]
[UTCTime "22:13:20"]
[Round "1.2.3"]
[Variant "fauhalma:star3"]
[A "net"]
[AAgent "engine:eval=net"]
[B "simple"]
[BAgent "engine:eval=simple"]
[C "tuned"]
[CAgent "engine:eval=tuned"]
[Result "*"]
[Points "75-75-0"]
[Termination "illegal move"]
[Offender "C"]
[Evidence "the move \"7\""]
[TimeControl "10s+100ms a game"]
[Rated "no"]
[Disturbed "yes"]
[Resources "seat 1: book 1a2b3c4d"]
[Worker "lab 7"]
[WorkerSpeed "2000000"]
[ClockScale "1.25"]
[Start "{\"A\":[[0,1]],\"turn\":\"A\"}"]

1. [[0,1],[0,2]] {[%clk 0:00:12.624] [%emt 0:00:00.002]} [[1,1],[1,2]] {[%clk 0:00:12.625]}
[[0,2],[0,3]] {[%clk 0:00:10.749] [%emt 0:00:02]} *

"#;
    assert_eq!(exported("pgn"), expected);
    let read = read_pgn(expected).unwrap();
    assert_eq!(read[0].tag("Event"), Some("the \"spring\", 2nd"));
    assert_eq!(read[0].moves.join(" "), "b6c6 f2e2 c6d6 e2d2 d6e6");
    assert_eq!(read[1].tag("Start"), faulty(1).start.as_deref());
    assert_eq!(read[1].points, [75, 75, 0]);
}

#[test]
fn json_lines_have_everything_in_the_usual_words() {
    let text = exported("jsonl");
    let objects: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let expected = serde_json::json!({
        "id": "1.1", "series": "the \"spring\", 2nd", "number": 1,
        "round": 1, "pairing": 2, "leg": 3,
        "variant": "fauhalma:star3", "pace": "10s+100ms a game",
        "seats": ["A", "B", "C"], "entrants": ["net", "simple", "tuned"],
        "agents": ["engine:eval=net", "engine:eval=simple", "engine:eval=tuned"],
        "start": "{\"A\":[[0,1]],\"turn\":\"A\"}", "opening": [],
        "moves": ["[[0,1],[0,2]]", "[[1,1],[1,2]]", "[[0,2],[0,3]]"],
        "movers": ["A", "C", "A"], "times_ms": [1.5, 0.0, 2000.0], "nodes": [0, 0, 0],
        "depths": [null, null, null], "scores": [null, null, null],
        "latencies_ms": [0.0, 0.0, 0.0],
        "outcome": {"points": [75, 75, 0], "places": [1, 1, 3], "reason": "illegal move"},
        "end": "fault:illegal-move", "offender": "C", "evidence": "the move \"7\"",
        "signature": "ffffffffffffffff", "finished": 1_700_000_000_123_i64, "rated": false,
        "disturbed": true, "resources": "seat 1: book 1a2b3c4d",
        "played_by": {"worker": "lab 7", "speed": 2_000_000, "scale": 1.25},
    });
    assert_eq!(objects[1], expected);
    assert_eq!(objects[0]["opening"], serde_json::json!(["b6c6", "f2e2"]));
    assert_eq!(objects[0]["start"], serde_json::Value::Null);
    assert_eq!(objects[0]["depths"], serde_json::json!([7, null, 12]));
    assert_eq!(objects[0]["scores"], serde_json::json!([-35, null, {"win_in": 3}]));
}

#[test]
fn csv_has_a_column_for_every_seat_of_the_largest_table() {
    let text = exported("csv");
    let lines: Vec<&str> = text.split("\r\n").collect();
    assert!(lines[0].starts_with("series,number,") && lines[0].contains("entrant_3"));
    assert_eq!(
        lines[1],
        "\"the \"\"spring\"\", 2nd\",0,1,2,3,fenix,10s+100ms a game,tuned,simple,,\
         engine:eval=tuned,engine:eval=simple,,100,0,,5,2.001500,0.000000,,\
         1099511627786,20,,9.5,,,win_in 3,,,\
         the king is taken,board,,ffffffffffffffff,true,false,2023-11-14T22:13:20Z"
    );
    assert!(lines[2].ends_with(
        ",75,75,0,3,2.001500,0.000000,0.000000,0,0,0,,,,,,,illegal move,fault:illegal-move,C,\
         ffffffffffffffff,false,true,2023-11-14T22:13:20Z"
    ));
    assert_eq!(lines[3..], [""]);
}

#[test]
fn crosstables_count_who_met_whom() {
    let mut table = Crosstable::new(3);
    table.add(&GameSummary::of(&game(0)));
    let drawn = StoredGame { points: PerSeat::from_slice(&[50, 50]), ..game(1) };
    table.add(&GameSummary::of(&drawn));
    table.add(&GameSummary::of(&faulty(2)));
    assert_eq!(table.against(1, 0), Score { points: 150, games: 3 });
    assert_eq!(table.against(0, 1), Score { points: 125, games: 3 });
    assert_eq!(table.against(2, 1), Score { points: 75, games: 1 });
    assert_eq!(table.total(0), Score { points: 125, games: 3 });
    let names = ["simple", "tuned", "net"].map(String::from);
    let expected = [
        "   agent        1       2       3  points   score",
        "1  net          ·  0.75/1  0.75/1  0.75/1  75.0 %",
        "2  tuned      0/1       ·   1.5/3   1.5/3  50.0 %",
        "3  simple  0.75/1  1.25/3       ·  1.25/3  41.7 %",
    ];
    let text = table.text(&names, &[2, 1, 0]);
    assert!(text.lines().eq(expected), "{text}");
    let idle = Crosstable::new(1).text(&names, &[0]);
    assert_eq!(idle.lines().last(), Some("1  simple  ·       ·      ·"));
}
