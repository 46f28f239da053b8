//! The API behind the contest's pages.

mod common;

use std::path::Path;
use std::time::{Duration, Instant};

use agon_arena::store::{RunChange, Store, StoredRun};
use common::contest::{PASSWORD, Registrar, THREE, TWO, second_week};
use common::{Client, Running};
use serde_json::{Value, json};

fn server(prepare: impl FnOnce(&Path)) -> (tempfile::TempDir, Running, Client) {
    let folder = tempfile::tempdir().unwrap();
    prepare(folder.path());
    let server = Running::start(folder.path());
    let client = server.client();
    (folder, server, client)
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}

fn find<'a>(values: &'a Value, key: &str, is: &str) -> &'a Value {
    list(values).iter().find(|value| value[key] == is).unwrap()
}

#[test]
fn environments_are_grouped_and_state_their_thresholds() {
    let (_folder, _server, client) = server(second_week);
    let answer = client.get("/api/environments").ok();
    let groups = list(&answer["groups"]);
    assert_eq!((groups.len(), list(&groups[0]["environments"]).len()), (1, 8));
    let environments = &groups[0]["environments"];
    let two = find(environments, "id", TWO);
    assert_eq!((&two["title"], &two["variant"]), (&json!("FAUhalma"), &json!("fauhalma:star2")));
    assert_eq!(two["opponents"][0]["name"], "Monte Carlo 30");
    assert!(two["opponents"][0]["agent"].as_str().unwrap().starts_with("mcts:"));
    assert_eq!(
        (&two["points"], &two["window"], &two["open_runs"]),
        (&json!([1.0, 0.0]), &json!(50), &json!(5))
    );
    assert_eq!(two["thresholds"], json!([{"above": 0.5, "points": 55.0}]));
    assert_eq!(
        (&two["agents"], &two["open"], &two["begins"]),
        (&json!(9), &json!(7), &json!("anybody"))
    );
    assert_eq!(two["finished"], 140 + 260 + 55 + 1 + 75 + 60 + 12 + 30);
    let empty = find(environments, "id", "ws2223-2.4-difficult-2-player");
    assert!(empty["opponents"][0]["words"].as_str().unwrap().contains("Monte Carlo"));
    assert_eq!((&empty["agents"], &empty["best"]), (&json!(0), &Value::Null));
}

#[test]
fn the_leaderboard_lists_evaluated_agents_and_beginners() {
    let (_folder, _server, client) = server(second_week);
    let board = client.get(&format!("/api/environments/{TWO}")).ok();
    let evaluated = list(&board["evaluated"]);
    assert_eq!(evaluated.len(), 5);
    let bests: Vec<f64> = evaluated.iter().map(|it| it["best"].as_f64().unwrap()).collect();
    assert!(bests.is_sorted_by(|a, b| a >= b), "{bests:?}");
    for (at, it) in evaluated.iter().enumerate() {
        let (best, rank) = (it["best"].as_f64().unwrap(), it["rank"].as_u64().unwrap() as usize);
        assert_eq!(rank, 1 + bests.iter().filter(|other| **other > best).count(), "{at}");
        assert_eq!(it["points"], if best > 0.5 { 55.0 } else { 0.0 });
        assert!(it["current"].as_f64().unwrap() <= best && it["active_at"].is_i64());
    }
    let ann = find(&board["evaluated"], "agent", "Ann");
    assert_eq!((&ann["runs"], &ann["open"]), (&json!(140), &json!(5)));
    let begun: Vec<_> =
        list(&board["begun"]).iter().map(|it| (&it["agent"], &it["runs"])).collect();
    let [thirty, twelve, none] = [json!(30), json!(12), json!(0)];
    let [odd, new, only] = [json!("100% #1/2?"), json!("Newcomer"), json!("Only begun")];
    assert_eq!(begun, [(&odd, &thirty), (&new, &twelve), (&only, &none)]);
    assert_eq!(board["begun"][2]["estimated"], Value::Null);
    assert!(board["begun"][0]["estimated"].is_f64());
    assert_eq!(client.get("/api/environments/nope").error().0, "not_found");
}

#[test]
fn an_agents_page_has_its_rating_and_its_curve() {
    let (_folder, _server, client) = server(second_week);
    let ann = client.get(&format!("/api/environments/{TWO}/agents/Ann")).ok();
    assert_eq!((&ann["evaluated"], &ann["finished"]), (&json!(true), &json!(140)));
    assert_eq!((list(&ann["curve"]).len(), list(&ann["last"]).len()), (140, 50));
    assert_eq!(ann["curve"][139]["rating"], ann["current"]);
    let best = list(&ann["curve"])[49..].iter().map(|it| it["rating"].as_f64().unwrap());
    assert_eq!(best.max_by(f64::total_cmp), ann["best"].as_f64());
    assert_eq!((&ann["earned"], &ann["next"]), (&json!(55.0), &Value::Null));
    let open: Vec<_> = list(&ann["open"]).iter().map(|it| it["moves"].as_u64().unwrap()).collect();
    assert_eq!(open, [3, 5, 7, 9, 11]);
    let last = &ann["last"][0];
    assert_eq!(last["place"], if last["outcome"] == 1.0 { 1 } else { 2 });
    let new = client.get(&format!("/api/environments/{TWO}/agents/Newcomer")).ok();
    assert_eq!((&new["evaluated"], &new["best"]), (&json!(false), &Value::Null));
    assert_eq!((&new["earned"], &new["next"]["points"]), (&json!(0.0), &json!(55.0)));
    let odd = client.get(&format!("/api/environments/{TWO}/agents/100%25%20%231%2F2%3F")).ok();
    assert_eq!((&odd["agent"], &odd["finished"]), (&json!("100% #1/2?"), &json!(30)));
    let never = client.get(&format!("/api/environments/{TWO}/agents/Never%20seen")).ok();
    assert_eq!((&never["finished"], &never["current"]), (&json!(0), &Value::Null));
    for name in ["Nobody", "%00", "%FF"] {
        let answer = client.get(&format!("/api/environments/{TWO}/agents/{name}"));
        assert!([400, 404].contains(&answer.status), "{answer:?}");
    }
}

#[test]
fn a_run_can_be_replayed_and_belongs_to_one_environment() {
    let mut given_up = 0;
    let (_folder, _server, client) = server(|folder| {
        second_week(folder);
        let mut two = Registrar::new(folder, TWO);
        given_up = two.abandoned("Newcomer");
    });
    for (env, agent) in [(TWO, "Ann"), (THREE, "Ann")] {
        let page = client.get(&format!("/api/environments/{env}/agents/{agent}")).ok();
        for id in [&page["last"][0]["id"], &page["open"][0]["id"]] {
            let run = client.get(&format!("/api/environments/{env}/runs/{id}")).ok();
            let texts: Vec<_> = list(&run["moves"]).iter().map(|it| it["text"].clone()).collect();
            let wanted =
                json!({"variant": run["variant"], "position": run["start"], "moves": texts});
            let position = client.post("/api/position", &wanted).ok();
            assert_eq!(position["ply"], texts.len());
            let seat = run["seat"].as_u64().unwrap() as usize;
            assert_eq!(
                (&run["players"][seat]["name"], &run["agent"]),
                (&json!(agent), &json!(agent))
            );
            let opponents = list(&run["players"]).iter().filter(|it| !it["words"].is_null());
            assert_eq!(opponents.count(), list(&run["players"]).len() - 1);
            let finished = *id == page["last"][0]["id"];
            assert_eq!(run["finished"], finished);
            assert_eq!(
                run["outcome"],
                if finished { page["last"][0]["outcome"].clone() } else { Value::Null }
            );
            assert_eq!(run["sentence"], position["outcome"]["sentence"]);
            assert_eq!(run["abandoned"], false);
            let other = if env == TWO { THREE } else { TWO };
            let foreign = client.get(&format!("/api/environments/{other}/runs/{id}"));
            assert_eq!((foreign.status, foreign.error().0.as_str()), (400, "bad_request"));
        }
    }
    let run = client.get(&format!("/api/environments/{TWO}/runs/{given_up}")).ok();
    assert_eq!((&run["abandoned"], &run["finished"]), (&json!(true), &json!(true)));
    assert_eq!((&run["outcome"], &run["sentence"]), (&json!(0.0), &Value::Null));
    for id in ["99999999", "0", "x", "-1", "18446744073709551615", "1e3"] {
        let answer = client.get(&format!("/api/environments/{TWO}/runs/{id}"));
        assert_eq!(answer.status, 404, "{id}");
    }
}

#[test]
fn results_have_the_form_of_the_courses_own_server() {
    let (_folder, _server, client) = server(second_week);
    let all = client.get("/results").ok();
    assert_eq!(all.as_object().unwrap().len(), 8);
    let two = client.get(&format!("/results/{TWO}")).ok();
    assert_eq!(all[TWO], two);
    assert_eq!(two["Newcomer"], json!({"fully-evaluated": false, "rating": 0.0, "total-runs": 12}));
    let board = client.get(&format!("/api/environments/{TWO}")).ok();
    let best = &find(&board["evaluated"], "agent", "Ann")["best"];
    assert_eq!(two["Ann"], json!({"fully-evaluated": true, "rating": best, "total-runs": 140}));
    assert_eq!(two.get("Never seen"), None);
    assert_eq!(all["ws2223-2.8-hardcore-3-player"], json!({}));
    assert_eq!(client.get("/results/nope").status, 404);
}

/// All addresses tested here.
fn paths() -> Vec<String> {
    let mut paths = vec!["/api/environments".to_string(), "/results".to_string()];
    for env in [TWO, THREE] {
        paths.push(format!("/api/environments/{env}"));
        paths.push(format!("/api/environments/{env}/agents/Ann"));
        paths.push(format!("/results/{env}"));
    }
    paths.extend([1, 300].map(|id| format!("/api/environments/{TWO}/runs/{id}")));
    paths
}

#[test]
fn no_answer_contains_a_password_or_its_hash() {
    let (folder, _server, client) = server(second_week);
    let hash = Store::open(folder.path()).unwrap().account(TWO, "Ann").unwrap().unwrap().hash;
    let hex: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    let bytes = serde_json::to_string(&hash).unwrap();
    for path in paths() {
        let answer = client.get(&path);
        assert_eq!(answer.status, 200, "{path}");
        for secret in [PASSWORD, &hex, &bytes, "hash", "pwd", "password"] {
            assert!(!answer.text.contains(secret), "{path} says {secret}");
        }
    }
}

#[test]
fn unchanged_answers_are_not_sent_again_and_news_appear_soon() {
    let (folder, server, client) = server(second_week);
    for path in paths() {
        let answer = ureq::get(format!("http://{}{path}", server.address)).call().unwrap();
        assert_eq!(
            answer.headers()["connection"],
            "close",
            "pages must not use up all connections"
        );
    }
    let tags: Vec<String> = paths().iter().map(|path| client.get(path).tag.unwrap()).collect();
    for (path, tag) in paths().iter().zip(&tags) {
        let again = client.get_with(path, &[("if-none-match", tag)]);
        assert_eq!((again.status, again.text.as_str()), (304, ""), "{path}");
    }
    Registrar::new(folder.path(), TWO).abandoned("Ann");
    let deadline = Instant::now() + Duration::from_secs(60);
    for (path, tag) in paths().iter().zip(&tags) {
        let status = || client.get_with(path, &[("if-none-match", tag)]).status;
        let changed = !path.contains(THREE) && !path.contains("/runs/");
        // What was found out a moment ago may be told once more.
        while changed && status() == 304 {
            assert!(Instant::now() < deadline, "{path} never changes");
            std::thread::sleep(Duration::from_millis(50));
        }
        assert_eq!(status(), if changed { 200 } else { 304 }, "{path}");
    }
}

#[test]
fn five_hundred_agents_are_answered_quickly() {
    let (_folder, _server, client) = server(|folder| {
        let store = Store::open(folder).unwrap();
        let mut id = 0;
        for agent in 0..500 {
            let name = format!("agent {agent}");
            store.add_account(TWO, &name, &[1; 32]).unwrap();
            let change = |at: u64| {
                id += 1;
                let run = StoredRun {
                    id,
                    environment: TWO.into(),
                    agent: name.clone(),
                    acts: 30,
                    asked: false,
                    document: "x".repeat(3000),
                    outcome: Some((at % 2) as f64),
                    updated_at: 1,
                };
                match at {
                    55.. => RunChange::Put(StoredRun { outcome: None, ..run }),
                    _ => RunChange::Finish { run, best: Some(agent as f64 / 500.0) },
                }
            };
            store.change_runs(&(0..60).map(change).collect::<Vec<_>>()).unwrap();
        }
    });
    for path in [format!("/api/environments/{TWO}"), "/results".into(), "/api/environments".into()]
    {
        let begun = Instant::now();
        assert_eq!(client.get(&path).status, 200);
        // A hundred times what it takes on an idle machine.
        assert!(begun.elapsed() < Duration::from_secs(3), "{path}: {:?}", begun.elapsed());
    }
    let begun = Instant::now();
    for _ in 0..100 {
        assert_eq!(client.get(&format!("/api/environments/{TWO}")).status, 200);
    }
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
}
