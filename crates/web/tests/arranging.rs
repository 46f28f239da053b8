//! Positions set up by hand: what the rules accept, and the reason otherwise.

mod common;

use agon_games::GAMES;
use common::{Client, Running};
use serde_json::{Value, json};

struct Scene {
    _folder: tempfile::TempDir,
    server: Running,
}

impl Scene {
    fn new() -> Scene {
        let folder = tempfile::tempdir().unwrap();
        let server = Running::start(folder.path());
        Scene { _folder: folder, server }
    }

    fn client(&self) -> Client {
        self.server.client()
    }
}

fn ask(client: &Client, question: Value) -> Value {
    client.post("/api/arrange", &question).ok()
}

/// The number of a cell with this name.
fn cell(client: &Client, variant: &str, name: &str) -> usize {
    let position = client.post("/api/position", &json!({"variant": variant})).ok();
    let cells = position["scene"]["cells"].as_array().unwrap();
    cells.iter().position(|cell| cell["name"] == name).unwrap()
}

#[test]
fn every_game_says_what_can_be_set_up_and_accepts_its_own_positions() {
    let scene = Scene::new();
    let client = scene.client();
    for variant in GAMES.iter().flat_map(|game| game.variants) {
        let position = client.post("/api/position", &json!({"variant": variant.text})).ok();
        let first = ask(&client, json!({"variant": variant.text}));
        assert_eq!(first["position"], position["position"], "{}", variant.text);
        assert_eq!(first["pieces"], position["scene"]["pieces"], "{}", variant.text);
        assert_eq!(first["problem"], Value::Null);
        assert!(first["palette"].as_array().is_some_and(|palette| palette.len() > 1));
        let again = ask(&client, json!({"variant": variant.text, "draft": first["draft"]}));
        assert_eq!(again, first, "{}", variant.text);
    }
}

#[test]
fn a_draft_becomes_a_position_or_says_what_is_wrong_and_where() {
    let scene = Scene::new();
    let client = scene.client();
    let at = |name| cell(&client, "congo", name);
    let draft = |pieces: Value| {
        ask(
            &client,
            json!({"variant": "congo", "draft":
            {"pieces": pieces, "to_move": 1, "counters": {"number": 7}}}),
        )
    };
    let [d1, d7, d6, a4] = ["d1", "d7", "d6", "a4"].map(at);
    let lions = [json!({"cell": d1, "letter": "L"}), json!({"cell": d7, "letter": "l"})];
    let with = |letter, cell| {
        let more = json!({"cell": cell, "letter": letter});
        draft(json!([lions[0], lions[1], more]))
    };
    let good = with("Z", a4);
    assert_eq!(good["position"], "3l3/7/7/Z6/7/7/3L3 b 7");
    assert_eq!((&good["problem"], &good["over"]), (&Value::Null, &Value::Null));
    let zebra = json!({"cell": a4, "owner": 0, "letter": "Z", "name": "zebra", "height": 1});
    assert!(good["pieces"].as_array().unwrap().contains(&zebra));
    // Two lions of black: the second, read from the top, is the wrong one.
    let bad = with("l", d6);
    assert_eq!(bad["position"], Value::Null);
    assert_eq!(bad["problem"]["cell"], d6);
    assert_eq!(bad["problem"]["message"], "At d6: expected only one lion of black.");
    assert_eq!(bad["pieces"].as_array().unwrap().len(), 3, "it is still shown");
    let empty = draft(json!([]));
    assert_eq!(empty["problem"], json!({"message": "Expected at least one lion.", "cell": null}));
    // Where the game is over, the position is fine.
    let over = draft(json!([lions[0]]));
    assert_eq!(over["position"], "7/7/7/7/7/7/3L3 b 7");
    assert_eq!(over["over"], "black's lion was captured");
}

#[test]
fn what_is_fixed_and_left_out_is_as_in_the_position_it_begins_with() {
    let scene = Scene::new();
    let begin = json!({
        "variant": "wumpus:3,pits=2.2",
        "position": "WHM/1OO/whm agent 7",
        "draft": {"pieces": [{"cell": 0, "letter": "W"}, {"cell": 8, "letter": "m"}], "to_move": 0},
    });
    let answer = ask(&scene.client(), begin.clone());
    assert_eq!(answer["position"], "W2/1OO/2m adversary 7");
    let mut pit = begin;
    pit["draft"]["pieces"][1]["cell"] = json!(5);
    let message = "At 2,3: expected no piece here (pits).";
    assert_eq!(ask(&scene.client(), pit)["problem"], json!({"message": message, "cell": 5}));
}

#[test]
fn hostile_drafts_are_refused() {
    let scene = Scene::new();
    let client = scene.client();
    let refused = |draft: Value| {
        let answer = client.post("/api/arrange", &json!({"variant": "congo", "draft": draft}));
        if answer.status >= 400 {
            return answer.error().1;
        }
        let answer = answer.ok();
        assert_eq!(answer["position"], Value::Null, "{draft}");
        answer["problem"]["message"].as_str().unwrap().to_string()
    };
    let one = |cell: Value, letter: &str| {
        refused(json!({"pieces": [{"cell": cell, "letter": letter}], "to_move": 0}))
    };
    assert_eq!(one(json!(49), "L"), "Expected a cell 0 to 48, not 49.");
    assert_eq!(one(json!(u64::MAX), "L"), format!("Expected a cell 0 to 48, not {}.", u64::MAX));
    assert!(one(json!(-1), "L").contains("bad request body"));
    assert!(one(json!(0), "LL").contains("bad request body"));
    assert!(one(json!(0), "\u{0}").contains("expected one of the pieces P"));
    let many =
        |count| json!({"pieces": vec![json!({"cell": 0, "letter": "L"}); count], "to_move": 0});
    assert!(refused(many(2)).contains("at most one piece on a cell"));
    assert!(refused(many(2_000)).contains("at most 49 pieces"));
    // More than the largest body of a request.
    assert!(refused(many(2_800)).contains("too large"));
    let counting = |name: &str, value: Value| {
        refused(json!({"pieces": [], "to_move": 0, "counters": {name: value}}))
    };
    assert!(counting("number", json!(u64::MAX)).contains("a number from 0 to 4294967295"));
    assert!(counting("number", json!(-1)).contains("bad request body"));
    assert!(counting("quiet", json!(1)).contains("only the counters number"));
    assert!(refused(json!({"pieces": [], "to_move": 2})).contains("a player to move, 0 to 1"));
    let long = json!({"variant": "congo", "position": "7".repeat(10_000)});
    assert_eq!(client.post("/api/arrange", &long).error().0, "too_large");
    let unknown = json!({"variant": "chess"});
    assert!(client.post("/api/arrange", &unknown).error().1.contains("a game: "));
}

#[test]
fn a_position_with_too_many_moves_for_a_page_is_no_position() {
    let scene = Scene::new();
    // A monkey among men that it can jump over in any order. Cells are numbered file by file.
    let rows = ["Mp1L1p1", "1p1p1p1", "1p1p1p1", "1p1p1p1", "1p1p1p1", "1p1l1p1"];
    let mut pieces = Vec::new();
    for (rank, row) in rows.into_iter().enumerate() {
        for (file, letter) in row.chars().enumerate().filter(|(_, c)| c.is_alphabetic()) {
            pieces.push(json!({"cell": 7 * file + rank, "letter": letter}));
        }
    }
    let draft = json!({"pieces": pieces, "to_move": 0});
    let answer = ask(&scene.client(), json!({"variant": "congo", "draft": draft}));
    assert_eq!(answer["position"], Value::Null);
    let message = answer["problem"]["message"].as_str().unwrap();
    assert!(message.contains("legal moves, too many for a page"), "{message}");
}

#[test]
fn the_description_of_the_api_has_it() {
    let scene = Scene::new();
    let described = scene.client().get("/api/openapi.json").ok();
    assert!(described["paths"]["/api/arrange"]["post"]["requestBody"].is_object());
}
