//! The API behind the lab's pages.

mod common;

use std::path::Path;
use std::time::{Duration, Instant};

use common::lab::{note, note_unreadable, run_small, text};
use common::{Client, Running};
use serde_json::{Value, json};

fn server(prepare: impl FnOnce(&Path)) -> (tempfile::TempDir, Running, Client) {
    let folder = tempfile::tempdir().unwrap();
    prepare(folder.path());
    let server = Running::start(folder.path());
    let client = server.client();
    (folder, server, client)
}

/// A header of an answer.
fn header(server: &Running, path: &str, name: &str) -> String {
    let answer = ureq::get(format!("http://{}{path}", server.address)).call().unwrap();
    let value = answer.headers().get(name).unwrap_or_else(|| panic!("{path} has no {name}"));
    value.to_str().unwrap().to_string()
}

#[test]
fn without_experiments_there_are_examples() {
    let (_folder, _server, client) = server(|_| {});
    assert_eq!(client.get("/api/lab").ok(), json!({"experiments": []}));
    let samples = client.get("/api/lab-samples").ok();
    let kinds = samples["samples"].as_array().unwrap().iter().map(|it| it["kind"].clone());
    assert_eq!(kinds.collect::<Vec<_>>().len(), agon_lab::samples::SAMPLES.len());
    let saved = client.get("/api/lab-samples/list.toml");
    assert_eq!(saved.text, samples["samples"][0]["text"].as_str().unwrap());
    for path in ["/api/lab-samples/list", "/api/lab-samples/x.toml"] {
        assert_eq!(client.get(path).error().0, "not_found");
    }
}

#[test]
fn an_experiment_is_listed_with_its_progress_and_can_be_downloaded() {
    let (_folder, server, client) = server(|folder| {
        run_small(folder, "small", 4);
        note(folder, "begun", &text("begun", 6).replace("nodes = 50", "nodes = 60"));
    });
    let list = client.get("/api/lab").ok();
    let listed = list["experiments"].as_array().unwrap();
    let entry = |name: &str| listed.iter().find(|it| it["name"] == name).unwrap();
    let small = entry("small");
    assert_eq!((&small["title"], &small["problem"]), (&json!("Small <b>boards</b>"), &Value::Null));
    assert_eq!(small["question"], "Does one ply help?");
    let all = json!({"games": 4, "of_games": 4, "at_most": false, "measurements": 1,
        "of_measurements": 1, "complete": true});
    assert_eq!(small["progress"], all);
    let progress = &entry("begun")["progress"];
    assert_eq!((&progress["games"], &progress["of_games"]), (&json!(0), &json!(6)));
    assert_eq!(progress["complete"], false);

    let details = client.get("/api/lab/small").ok();
    assert!(details["question"].as_str().unwrap().ends_with("this small."));
    assert_eq!((&details["has_games"], &details["has_searches"]), (&json!(true), &json!(true)));
    let file = |path: &str| {
        let answer = client.get(&format!("/api/lab/small/{path}"));
        assert_eq!(answer.status, 200, "{path}: {}", answer.text);
        answer.text
    };
    assert!(file("report.html").contains("<h1>Small &lt;b&gt;boards&lt;/b&gt;</h1>"));
    assert!(file("report.md").starts_with("# Small"));
    assert_eq!(file("games.csv").lines().count(), 1 + 4);
    assert_eq!(file("searches.csv").lines().count(), 1 + 2);
    assert_eq!(file("experiment.toml"), text("small", 4));
    for table in details["tables"].as_array().unwrap() {
        let id = table["id"].as_str().unwrap();
        let rows: Value = serde_json::from_str(&file(&format!("tables/{id}.json"))).unwrap();
        assert_eq!((&rows["table"], &rows["caption"]), (&table["id"], &table["caption"]));
        let lines = file(&format!("tables/{id}.csv")).lines().count();
        assert!(lines > rows["rows"].as_array().unwrap().len(), "{id}");
    }
    let figure = details["figures"][0]["id"].as_str().unwrap();
    assert!(file(&format!("figures/{figure}.svg")).starts_with("<svg"));
    let policy = header(&server, "/api/lab/small/report.html", "content-security-policy");
    assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'self'"));
    assert!(policy.contains("sandbox") && !policy.contains("script"), "{policy}");
    let policy = header(&server, "/api/lab/small/games.csv", "content-security-policy");
    assert!(policy.contains("frame-ancestors 'none'"));
    let named = header(&server, "/api/lab/small/games.csv", "content-disposition");
    assert!(named.starts_with("attachment; filename=\"small-games.csv\""), "{named}");
}

#[test]
fn unknown_names_are_answered_clearly() {
    let (_folder, _server, client) = server(|folder| run_small(folder, "small", 2));
    let (code, message) = client.get("/api/lab/smal").error();
    assert_eq!(code, "not_found");
    assert!(message.contains("there is no experiment \"smal\""), "{message}");
    for path in [
        "%00",
        "%FF",
        "..%2F..%2Fetc%2Fpasswd",
        "small%2Freport.html",
        "%27%20OR%201=1",
        "a/b/c/d",
        "small/report.exe",
        "small/tables/x.csv",
        "small/tables/..%2F..%2Fgames.db",
        "small/figures/x",
        "small/tables/agents",
        "small/tables/agents.exe",
        "nobody/report.pdf",
        "nobody/tables/agents.csv",
    ] {
        let answer = client.get(&format!("/api/lab/{path}"));
        assert!([400, 404].contains(&answer.status), "{path}: {answer:?}");
        answer.error();
    }
}

#[test]
fn any_name_can_be_asked_for() {
    // What each is called in an address, and when it is saved.
    let names = [
        ("a/b", "a%2Fb", "a-b.toml"),
        ("..", "..%20", "agon.toml"),
        (
            "<b>\"größer\" & 100%\\</b>",
            "%3Cb%3E%22gr%C3%B6%C3%9Fer%22%20%26%20100%25%5C%3C%2Fb%3E",
            "-b--gr__er- & 100----b-.toml",
        ),
        ("samples", "samples", "samples.toml"),
    ];
    let (_folder, server, client) = server(|folder| {
        names.iter().for_each(|(name, ..)| note(folder, name, &text(name, 2)));
    });
    assert_eq!(client.get("/api/lab").ok()["experiments"].as_array().unwrap().len(), names.len());
    for (name, address, saved) in names {
        let path = format!("/api/lab/{address}");
        assert_eq!(client.get(&path).ok()["name"], name);
        assert!(client.get(&format!("{path}/report.html")).text.contains("Unfinished"));
        let named = header(&server, &format!("{path}/experiment.toml"), "content-disposition");
        assert!(named.contains(&format!("filename=\"{saved}\"")), "{named}");
    }
}

#[test]
fn an_unreadable_file_is_listed_with_the_reason() {
    let (folder, server, client) = server(|folder| {
        run_small(folder, "small", 2);
        note_unreadable(folder);
    });
    let problem = |client: &Client| {
        let list = client.get("/api/lab").ok();
        let listed = list["experiments"].as_array().unwrap();
        assert_eq!(listed.len(), 2);
        let gone = listed.iter().find(|it| it["name"] == "gone").unwrap();
        assert_eq!(gone["progress"], Value::Null);
        gone["problem"].as_str().unwrap().to_string()
    };
    assert!(problem(&client).contains("no-such-agent"));
    let details = client.get("/api/lab/gone").ok();
    assert_eq!((&details["has_report"], &details["tables"]), (&json!(false), &json!([])));
    assert!(client.get("/api/lab/gone/experiment.toml").text.contains("no-such-agent"));
    let (code, message) = client.get("/api/lab/gone/report.html").error();
    assert!(code == "not_found" && message.contains("cannot be read"), "{message}");
    // Others need not know where files are.
    drop(server);
    let public =
        Running::start_with(folder.path(), |it| it.name = Some("agon.example".to_string()));
    let words = problem(&public.client());
    assert!(words.contains("cannot be read") && !words.contains("nowhere"), "{words}");
}

#[test]
fn pdfs_are_printed_for_this_machine_only() {
    let (folder, server, client) = server(|folder| run_small(folder, "small", 2));
    let path = "/api/lab/small/report.pdf";
    let why = client.get("/api/lab/small").ok()["no_pdf"].clone();
    if agon_lab::browser::Browser::find().is_some() {
        assert_eq!(why, Value::Null);
        let mut answer = ureq::get(format!("http://{}{path}", server.address)).call().unwrap();
        assert!(answer.body_mut().read_to_vec().unwrap().starts_with(b"%PDF"));
        let begun = Instant::now();
        assert_eq!(client.get(path).status, 200);
        assert!(begun.elapsed() < Duration::from_secs(1), "nothing is printed twice");
    } else {
        assert!(why.as_str().unwrap().contains("Chromium"));
        assert_eq!(client.get(path).error().0, "forbidden");
    }
    drop(server);
    let public =
        Running::start_with(folder.path(), |it| it.name = Some("agon.example".to_string()));
    let (code, message) = public.client().get(path).error();
    assert!(code == "forbidden" && message.contains("other machines"), "{message}");
    assert!(public.client().get("/api/lab/small").ok()["no_pdf"].is_string());
}

#[test]
fn unchanged_answers_are_not_sent_again_and_news_appear_soon() {
    let (folder, _server, client) = server(|folder| run_small(folder, "small", 2));
    let paths = ["/api/lab", "/api/lab/small", "/api/lab/small/report.html"];
    let tags = paths.map(|path| client.get(path).tag.unwrap());
    let status =
        |(path, tag): (&str, &String)| client.get_with(path, &[("if-none-match", tag)]).status;
    for asked in paths.into_iter().zip(&tags) {
        assert_eq!(status(asked), 304, "{}", asked.0);
    }
    let version = client.get("/api/lab/small").ok()["version"].clone();
    run_small(folder.path(), "small", 6);
    let deadline = Instant::now() + Duration::from_secs(30);
    for asked in paths.into_iter().zip(&tags) {
        while status(asked) == 304 {
            assert!(Instant::now() < deadline, "{} never changes", asked.0);
            std::thread::sleep(Duration::from_millis(50));
        }
    }
    let details = client.get("/api/lab/small").ok();
    assert_ne!(details["version"], version);
    assert_eq!(details["progress"]["games"], 6);
}

#[test]
fn a_server_of_the_contest_alone_has_no_lab() {
    let folder = tempfile::tempdir().unwrap();
    run_small(folder.path(), "small", 2);
    let server = Running::start_with(folder.path(), |it| it.only_contest = true);
    for path in ["/api/lab", "/api/lab/small", "/api/lab/small/report.html"] {
        assert_eq!(server.client().get(path).status, 404, "{path}");
    }
}
