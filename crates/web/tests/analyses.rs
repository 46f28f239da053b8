//! Analyses that people keep: created, read, changed by whoever has the token, and never lost.

mod common;

use common::{Answer, Client, Running, id};
use serde_json::{Value, json};

fn analysis() -> Value {
    json!({"variant": "congo", "title": "trap", "nodes": [
        {"parent": 0, "move": "d2d3", "sign": "!", "comment": "why?"},
        {"parent": 1, "move": "d6d5", "score": {"win_in": 3}, "depth": 9, "exact": true},
        {"parent": 0, "move": "c2c3", "score": -35},
    ]})
}

fn create(client: &Client) -> Value {
    let answer = client.post("/api/analyses", &json!({"analysis": analysis()}));
    assert_eq!(answer.status, 201, "{}", answer.text);
    answer.json()
}

fn path(created: &Value) -> String {
    format!("/api/analyses/{}", id(created))
}

fn token(created: &Value) -> &str {
    created["token"].as_str().unwrap()
}

/// The analysis as whoever has this token sees it.
fn shown(client: &Client, created: &Value, token: &str) -> Value {
    client.get_with(&path(created), &[("x-agon-analysis", token)]).ok()
}

fn put(client: &Client, created: &Value, token: &str, body: &Value) -> Answer {
    client.put_with(&path(created), &[("x-agon-analysis", token)], body)
}

#[test]
fn an_analysis_is_changed_by_its_owner_alone() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path());
    let client = server.client();
    let created = create(&client);
    assert_eq!(created["version"], 1);
    assert_eq!(created["analysis"]["nodes"], analysis()["nodes"]);
    let mine = shown(&client, &created, token(&created));
    assert_eq!((&mine["mine"], &mine["analysis"]), (&json!(true), &created["analysis"]));
    assert!(!mine.to_string().contains(token(&created)), "the token is shown once");
    assert_eq!(shown(&client, &created, "")["mine"], false);
    let mut new = created["analysis"].clone();
    new["nodes"].as_array_mut().unwrap().push(json!({"parent": 3, "move": "c6c5"}));
    let body = json!({"version": 1, "analysis": new});
    let other = create(&client);
    for wrong in ["", "x", token(&other), &token(&created)[1..]] {
        assert_eq!(put(&client, &created, wrong, &body).error().0, "forbidden");
        let headers = [("x-agon-analysis", wrong)];
        assert_eq!(client.delete_with(&path(&created), &headers).error().0, "forbidden");
    }
    assert_eq!(shown(&client, &created, token(&created)), mine, "nothing was changed");
    let changed = put(&client, &created, token(&created), &body).ok();
    assert_eq!(changed["version"], 2);
    let conflict = put(&client, &created, token(&created), &body);
    assert_eq!((conflict.status, conflict.error().0.as_str()), (409, "conflict"));
    let now = shown(&client, &created, token(&created));
    assert_eq!((&now["version"], &now["analysis"]), (&json!(2), &new));
    assert_eq!(now["updated_at"], changed["updated_at"]);
    let headers = [("x-agon-analysis", token(&created))];
    assert_eq!(client.delete_with(&path(&created), &headers).status, 204);
    assert_eq!(client.get(&path(&created)).error().0, "not_found");
    assert_eq!(put(&client, &created, token(&created), &body).error().0, "not_found");
}

#[test]
fn of_changes_at_the_same_time_one_wins() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path());
    let (client, created) = (server.client(), create(&server.client()));
    let body = json!({"version": 1, "analysis": created["analysis"]});
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let change = || put(&client, &created, token(&created), &body).status;
        let all: Vec<_> = (0..8).map(|_| scope.spawn(change)).collect();
        all.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert_eq!(statuses.iter().filter(|&&status| status == 200).count(), 1, "{statuses:?}");
    assert_eq!(statuses.iter().filter(|&&status| status == 409).count(), 7, "{statuses:?}");
}

#[test]
fn analyses_survive_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path());
    let created = create(&server.client());
    let before = shown(&server.client(), &created, token(&created));
    drop(server);
    let server = Running::start(folder.path());
    assert_eq!(shown(&server.client(), &created, token(&created)), before);
    let body = json!({"version": 1, "analysis": created["analysis"]});
    assert_eq!(put(&server.client(), &created, token(&created), &body).ok()["version"], 2);
}

#[test]
fn bad_analyses_are_refused_and_nothing_changes() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path());
    let client = server.client();
    let created = create(&client);
    let before = shown(&client, &created, token(&created));
    let with = |name: &str, value: Value| {
        let mut bad = analysis();
        bad[name] = value;
        bad
    };
    let nodes = |node: Value| with("nodes", json!([node]));
    for (bad, code, part) in [
        (nodes(json!({"parent": 0, "move": "d2d9"})), "illegal", "move 1: congo: bad move"),
        (nodes(json!({"parent": 1, "move": "d2d3"})), "illegal", "move 1: bad parent 1"),
        (nodes(json!({"parent": -1, "move": "d2d3"})), "bad_request", "-1"),
        (nodes(json!({"parent": 0})), "bad_request", "missing field `move`"),
        (nodes(json!({"parent": 0, "move": "d2d3", "sign": "="})), "bad_request", "variant `=`"),
        (nodes(json!({"parent": 0, "move": "d2d3", "x": 1})), "bad_request", "`x`"),
        (with("variant", json!("chess")), "bad_request", "chess"),
        (with("start", json!("x".repeat(9000))), "too_large", "too long"),
        (with("title", json!("x".repeat(201))), "illegal", "the title is too long"),
        (with("names", json!(["a", "b", "c"])), "illegal", "3 names"),
        (json!([]), "bad_request", "expected"),
    ] {
        let posted = client.post("/api/analyses", &json!({"analysis": bad})).error();
        assert!(posted.0 == code && posted.1.contains(part), "{posted:.300?}");
        let body = json!({"version": 1, "analysis": bad});
        let changed = put(&client, &created, token(&created), &body).error();
        assert_eq!(changed, posted);
    }
    assert_eq!(shown(&client, &created, token(&created)), before);
    // A hundred kilobytes are no mistake: it is not the body of other requests.
    let comment = json!([{"parent": 0, "move": "d2d3", "comment": "ä".repeat(4000)}]);
    let long = with("nodes", comment);
    client.post("/api/analyses", &json!({"analysis": long})).ok();
}

#[test]
fn texts_are_read_and_written() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path());
    let client = server.client();
    let text = client.post("/api/analyses/text", &json!({"analysis": analysis()})).ok();
    let text = text["text"].as_str().unwrap();
    assert!(text.contains("\n1. d2d3! {why?} ( 1. c2c3 {[%eval -0.35]} ) 1... d6d5 {["), "{text}");
    let read = |text: &str, variant: Value| {
        client.post("/api/analyses/read", &json!({"text": text, "variant": variant}))
    };
    let found = read(text, Value::Null).ok();
    assert_eq!((&found["games"], &found["analysis"]["title"]), (&json!(1), &json!("trap")));
    let again = client.post("/api/analyses/text", &json!({"analysis": found["analysis"]})).ok();
    assert_eq!(again["text"], *text);
    let several = read(&format!("{text}{text}"), Value::Null).ok();
    assert_eq!((&several["games"], &several["analysis"]), (&json!(2), &found["analysis"]));
    let json_text = found["analysis"].to_string();
    assert_eq!(read(&json_text, Value::Null).ok()["analysis"], found["analysis"]);
    let position = client.post("/api/position", &json!({"variant": "congo"})).ok();
    let position = position["position"].as_str().unwrap();
    for variant in [Value::Null, json!("congo")] {
        let found = read(position, variant).ok();
        assert_eq!(found["analysis"]["variant"], "congo");
        assert_eq!(found["analysis"]["nodes"], json!([]));
    }
    let (code, message) = read("1. d2d3\n2. d2d3", json!("congo")).error();
    assert_eq!(code, "bad_request");
    assert!(message.starts_with("line 2, column 4: congo: bad move"), "{message}");
    assert_eq!(read(&"(".repeat(100_000), json!("congo")).error().0, "bad_request");
}
