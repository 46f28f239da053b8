//! Games through the API, on a real server.

mod common;

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use agon_arena::player::{Breach, NoAnswer};
use agon_arena::remote::{Outside, OutsideKind, Question, Remote, Reply, Settings};
use agon_arena::verdict::Fault;
use agon_core::{Seat, Variant};
use agon_search::AgentError;
use agon_search::spec::{AgentInfo, Manner};
use common::{Running, id, moves, ply};
use serde_json::{Value, json};

/// Plays the first legal moves until the game is over.
fn play_out(client: &common::Client, mut game: Value, most: u64) -> Value {
    let name = id(&game).to_string();
    while game["position"]["outcome"].is_null() {
        assert!(ply(&game) < most, "no end after {most} moves");
        let chosen = moves(&game)[0].clone();
        let body = json!({"move": chosen, "ply": ply(&game)});
        client.post(&format!("/api/games/{name}/moves"), &body).ok();
        game = client.wait(&name, "my turn", |game| {
            !game["position"]["outcome"].is_null() || game["position"]["to_move"] == 0
        });
    }
    game
}

#[test]
fn every_game_can_be_played_to_its_end_against_an_agent() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path());
    let client = server.client();
    for (variant, agents) in [
        ("breakthrough:5x5", &["random"][..]),
        ("congo", &["greedy"]),
        ("fenix", &["random"]),
        ("wumpus:3", &["random"]),
        ("fauhalma:star3,limit=10", &["random", "random"]),
    ] {
        let game = play_out(&client, client.begin(variant, agents), 1200);
        let outcome = &game["position"]["outcome"];
        assert!(outcome["sentence"].as_str().unwrap().contains(": "), "{outcome}");
        assert_eq!(game["position"]["moves"], json!([]));
        assert_eq!(game["thinking"], false);
        let record = client.get(&format!("/api/games/{}/record", id(&game)));
        assert!(record.text.contains(&format!("[Variant \"{variant}")), "{}", record.text);
        let last = game["played"].as_array().unwrap().last().unwrap()["text"].as_str().unwrap();
        assert!(record.text.contains(last), "{}", record.text);
    }
}

#[test]
fn a_move_taken_back_gives_the_position_before_it() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path());
    let client = server.client();
    let game = client.begin("congo", &["random"]);
    let (name, before) = (id(&game), game["position"]["position"].clone());
    let path = |what: &str| format!("/api/games/{name}/{what}");
    let (code, _) = client.post(&path("undo"), &json!({"ply": 0})).error();
    assert_eq!((code.as_str(), &game["can_undo"]), ("illegal", &json!(false)));
    client.post(&path("moves"), &json!({"move": "d2d3", "ply": 0})).ok();
    client.wait(name, "two moves", |game| ply(game) == 2);
    let undone = client.post(&path("undo"), &json!({"ply": 2})).ok();
    assert_eq!((ply(&undone), &undone["position"]["position"]), (0, &before));
    assert!(undone["version"].as_u64() > game["version"].as_u64());
}

#[test]
fn a_person_can_resign_and_play_a_rematch_with_seats_swapped() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path());
    let client = server.client();
    let game = client.begin("breakthrough:5x5", &["random"]);
    let path = |what: &str| format!("/api/games/{}/{what}", id(&game));
    assert_eq!(client.post(&path("rematch"), &json!({})).error().0, "illegal");
    let over = client.post(&path("resign"), &json!({"ply": 0})).ok();
    assert_eq!(over["position"]["outcome"]["sentence"], "Black wins: white resigned");
    assert_eq!(over["position"]["to_move"], Value::Null);
    assert_eq!(client.post(&path("resign"), &json!({"ply": 0})).error().0, "illegal");
    let again = client.post(&path("rematch"), &json!({})).ok();
    let kinds: Vec<&Value> =
        again["players"].as_array().unwrap().iter().map(|player| &player["kind"]).collect();
    assert_eq!(kinds, ["agent", "human"]);
    // Now the agent moves first.
    client.wait(id(&again), "the agent's move", |game| ply(game) == 1);
    let same = client.post(&path("rematch"), &json!({})).ok();
    assert_eq!(id(&same), id(&again), "a second request gets the same rematch");
}

#[test]
fn people_agree_to_a_draw() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path());
    let client = server.client();
    let seats = json!([{"kind": "human"}, {"kind": "human"}]);
    let game = client.post("/api/games", &json!({"variant": "congo", "seats": seats})).ok();
    let draw = |seat: usize| {
        client.post(&format!("/api/games/{}/draw", id(&game)), &json!({"ply": 0, "seat": seat}))
    };
    let offered = draw(1).ok();
    assert_eq!(
        (&offered["draw_offers"], &offered["position"]["outcome"]),
        (&json!([1]), &Value::Null)
    );
    assert_eq!(draw(0).ok()["position"]["outcome"]["sentence"], "Draw: draw agreed");
    let alone = client.begin("congo", &["random"]);
    let path = format!("/api/games/{}/draw", id(&alone));
    assert_eq!(client.post(&path, &json!({"ply": 0})).error().0, "illegal");
}

#[test]
fn a_finished_game_is_recorded_and_rated_unless_a_move_was_taken_back() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path());
    let client = server.client();
    let records = || client.get("/api/records").ok()["records"].clone();
    for taken_back in [false, true] {
        let start = json!({"variant": "breakthrough:5x5", "position": "5/1P3/5/p4/5 w",
            "seats": [{"kind": "human"}, {"kind": "agent", "agent": "random"}]});
        let game = client.post("/api/games", &start).ok();
        let path = |what: &str| format!("/api/games/{}/{what}", id(&game));
        let win = || client.post(&path("moves"), &json!({"move": "b4b5", "ply": 0})).ok();
        let won = win();
        assert_eq!(records().as_array().unwrap().len(), 1 + usize::from(taken_back));
        if taken_back {
            client.post(&path("undo"), &json!({"ply": 1})).ok();
            assert_eq!(records().as_array().unwrap().len(), 1, "it is not over");
            win();
        }
        let record = &records()[0];
        let outcome = &won["position"]["outcome"];
        assert_eq!(
            (&record["reason"], &record["points"]),
            (&outcome["reason"], &outcome["points"])
        );
        assert_eq!(record["rated"], !taken_back);
        assert_eq!(record["players"], json!(["person", "random"]));
    }
}

#[test]
fn a_hint_is_a_legal_move_with_its_drawing() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path());
    let client = server.client();
    let game = client.begin("fenix", &["random"]);
    let hint = client.post(&format!("/api/games/{}/hint", id(&game)), &json!({"ply": 0})).ok();
    let text = hint["move"]["text"].as_str().unwrap();
    assert!(moves(&game).iter().any(|mv| mv == text), "{hint}");
    assert!(hint["move"]["routes"][0].as_array().unwrap().len() >= 2);
    assert_eq!(hint["line"][0], hint["move"]["text"]);
}

#[test]
fn a_hint_from_endgame_tables_says_that_it_is_exact() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path());
    let client = server.client();
    let hint = |variant: &str, position: &str| {
        let seats = [json!({"kind": "human"}), json!({"kind": "human"})];
        let begun = json!({"variant": variant, "position": position, "seats": seats});
        let game = client.post("/api/games", &begun).ok();
        client.post(&format!("/api/games/{}/hint", id(&game)), &json!({"ply": 0})).ok()
    };
    let won = hint("fenix", "8/8/8/8/8/G6k/K7 62 0 w 00");
    assert_eq!(won["source"], "known exactly");
    assert_eq!(won["score"]["text"], "win in 33 plies");
    let searched = hint("congo", "3l3/7/7/6z/7/2L4/4C2 w 0");
    assert!(searched["source"].is_null(), "the tables inside the program end with three men");
}

#[test]
fn a_clock_that_runs_out_ends_the_game() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path());
    let client = server.client();
    let seats = json!([{"kind": "human"}, {"kind": "human"}]);
    let game = json!({"variant": "congo", "seats": seats, "time": "300ms"});
    let game = client.post("/api/games", &game).ok();
    assert_eq!(game["clock"]["running"], Value::Null, "it is stopped until the first move");
    let path = format!("/api/games/{}/moves", id(&game));
    let moved = client.post(&path, &json!({"move": "d2d3", "ply": 0})).ok();
    assert_eq!(moved["clock"]["running"], 1);
    let over = client.wait(id(&game), "over", |game| !game["position"]["outcome"].is_null());
    let sentence = over["position"]["outcome"]["sentence"].as_str().unwrap();
    assert_eq!(sentence, "White wins: black ran out of time");
    assert_eq!(over["clock"]["remaining_ms"][1], 0);
    assert_eq!(client.post(&path, &json!({"move": "d6d5", "ply": 1})).error().0, "illegal");
}

#[test]
fn a_game_to_watch_pauses_steps_and_resumes() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path());
    let client = server.client();
    let random = json!({"kind": "agent", "agent": "random"});
    let game = json!({"variant": "breakthrough:5x5", "seats": [random, random], "paused": true,
        "delay_ms": 10});
    let game = client.post("/api/games", &game).ok();
    let path = format!("/api/games/{}/watch", id(&game));
    assert_eq!((ply(&game), &game["thinking"]), (0, &json!(false)));
    for step in 1..=3 {
        client.post(&path, &json!({"step": true})).ok();
        client.wait(id(&game), "one move more", |game| ply(game) == step);
    }
    std::thread::sleep(Duration::from_millis(100));
    assert_eq!(ply(&client.get(&format!("/api/games/{}", id(&game))).ok()), 3);
    client.post(&path, &json!({"paused": false})).ok();
    client.wait(id(&game), "over", |game| !game["position"]["outcome"].is_null());
    let listed = client.get("/api/games").ok();
    assert_eq!(id(&listed["games"][0]), id(&game));
}

/// Agents that think until they are stopped, and count how often they were.
#[derive(Debug, Clone, Default)]
struct Endless(std::sync::Arc<std::sync::atomic::AtomicUsize>);

impl OutsideKind for Endless {
    fn info(&self) -> AgentInfo {
        AgentInfo {
            name: "endless",
            about: "thinks for ever",
            seats: &[2],
            options: &[],
            manner: Manner::Anytime,
        }
    }

    fn outside(&self, _: &str, _: &Settings) -> Result<Box<dyn Outside>, AgentError> {
        Ok(Box::new(self.clone()))
    }
}

impl Outside for Endless {
    fn check(&self, _: &Variant) -> Result<(), String> {
        Ok(())
    }

    fn start(&self, _: &Variant) -> Result<Box<dyn Remote>, NoAnswer> {
        Ok(Box::new(self.clone()))
    }
}

impl Remote for Endless {
    fn new_game(&mut self, _: Seat) -> Result<(), NoAnswer> {
        Ok(())
    }

    fn ask(&mut self, question: &Question<'_>) -> Result<Reply, NoAnswer> {
        while !question.stop.is_set() {
            std::thread::sleep(Duration::from_millis(2));
        }
        self.0.fetch_add(1, Ordering::SeqCst);
        Err(Breach::new(Fault::Stalled, "stopped").into())
    }

    fn last_lines(&self) -> String {
        String::new()
    }
}

#[test]
fn a_search_stops_when_nobody_watches_any_more() {
    let folder = tempfile::tempdir().unwrap();
    let endless = Endless::default();
    let server = Running::start_with(folder.path(), |options| {
        options.registry = agon_arena::Registry::built_in().with(endless.clone());
        options.allow_programs = true;
    });
    let client = server.client();
    let seats = json!([{"kind": "agent", "agent": "endless:"}, {"kind": "human"}]);
    let body = json!({"variant": "congo", "seats": seats}).to_string();
    let secret = server.secret.clone().unwrap();
    let headers = [("content-type", "application/json"), ("x-agon-secret", secret.as_str())];
    let game = client.post_with("/api/games", &headers, &body).ok();
    let deadline = Instant::now() + Duration::from_secs(60);
    while endless.0.load(Ordering::SeqCst) == 0 {
        assert!(Instant::now() < deadline, "the search did not stop");
        std::thread::sleep(Duration::from_millis(50));
    }
    // It starts again when somebody comes back.
    let back = client.get(&format!("/api/games/{}", id(&game))).ok();
    assert_eq!((ply(&back), &back["thinking"]), (0, &json!(true)));
    assert_eq!(back["position"]["outcome"], Value::Null, "and nobody has lost");
}

#[test]
fn games_resume_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path());
    let game = server.client().begin("wumpus:6,seed=3", &["random"]);
    let path = format!("/api/games/{}", id(&game));
    let moved = moves(&game)[0].clone();
    server.client().post(&format!("{path}/moves"), &json!({"move": moved, "ply": 0})).ok();
    let before = server.client().wait(id(&game), "two moves", |game| ply(game) == 2);
    drop(server);
    let server = Running::start(folder.path());
    let after = server.client().get(&path).ok();
    assert_eq!(after["position"], before["position"]);
    assert_eq!(after["played"], before["played"]);
    assert!(after["version"].as_u64() > before["version"].as_u64());
    let listed = server.client().get("/api/games").ok();
    assert_eq!(id(&listed["games"][0]), id(&game));
    assert_eq!(server.client().delete(&path).status, 204);
    assert_eq!(server.client().get(&path).error().0, "not_found");
}

#[test]
fn threats_previews_rules_and_records_can_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path());
    let client = server.client();
    let threatened = json!({"variant": "breakthrough:5x5",
        "position": "ppppp/1pppp/1p3/P1PPP/PPPPP w"});
    let threats = client.post("/api/threats", &threatened).ok();
    assert!(!threats["threats"].as_array().unwrap().is_empty(), "{threats}");
    assert_eq!(threats["threats"][0]["wins"], false, "{threats}");
    let lost = json!({"variant": "breakthrough:5x5", "position": "pppp1/5/5/p2PP/3PP w"});
    let threats = client.post("/api/threats", &lost).ok();
    let [winning] = &threats["threats"].as_array().unwrap()[..] else { panic!("{threats}") };
    assert_eq!((&winning["text"], &winning["wins"]), (&json!("a2a1"), &json!(true)));
    assert_eq!(client.post("/api/position", &lost).ok()["has_threats"], true);
    let catalog = client.get("/api/catalog").ok();
    for game in catalog["games"].as_array().unwrap() {
        let name = game["name"].as_str().unwrap();
        let rules = client.get(&format!("/api/catalog/{name}/rules")).ok();
        assert!(!rules["sections"].as_array().unwrap().is_empty(), "{name}");
        let variant = game["variants"][0]["text"].as_str().unwrap();
        let position = client.post("/api/position", &json!({"variant": variant})).ok();
        assert_eq!(position["scene"], game["scene"], "{name}");
        let brief = client.post("/api/position", &json!({"variant": variant, "brief": true})).ok();
        // All that moves change, and nothing else.
        let scene = position["scene"].as_object().unwrap().clone();
        let changing = |(part, _): &(String, Value)| ["pieces", "supplies"].contains(&&**part);
        let changing: Value = scene.into_iter().filter(changing).collect();
        assert_eq!((&brief["scene"], &brief["title"]), (&changing, &json!(null)), "{name}");
        assert_eq!(brief["moves"], position["moves"]);
    }
    assert_eq!(client.get("/api/records").ok(), json!({"records": [], "total": 0}));
    assert_eq!(client.get("/api/records/7.1").error().0, "not_found");
    let description = client.get("/api/openapi.json").ok();
    assert!(description["paths"]["/api/games/{id}/moves"]["post"].is_object());
}

#[test]
fn a_deleted_game_does_not_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path());
    let client = server.client();
    let random = json!({"kind": "agent", "agent": "random"});
    for round in 0..20 {
        let seats = json!([random, random, random]);
        let new = json!({"variant": "fauhalma:star3", "seats": seats, "delay_ms": 0});
        let path = format!("/api/games/{}", id(&client.post("/api/games", &new).ok()));
        std::thread::sleep(Duration::from_millis(round * 2));
        assert_eq!(client.delete(&path).status, 204);
        assert_eq!(client.get(&path).status, 404, "round {round}");
    }
    let store = agon_arena::store::Store::open_read_only(folder.path()).unwrap();
    assert_eq!(store.count_sittings().unwrap(), 0);
}

#[test]
fn there_is_only_one_rematch_however_many_ask() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path());
    let client = server.client();
    let game = client.begin("breakthrough:5x5", &["random"]);
    let path = |what: &str| format!("/api/games/{}/{what}", id(&game));
    client.post(&path("resign"), &json!({"ply": 0})).ok();
    let begun: std::collections::HashSet<String> = std::thread::scope(|scope| {
        let ask = || {
            let (client, path) = (client.clone(), path("rematch"));
            scope.spawn(move || id(&client.post(&path, &json!({})).ok()).to_string())
        };
        let asking: Vec<_> = (0..8).map(|_| ask()).collect();
        asking.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(begun.len(), 1, "{begun:?}");
}

#[test]
fn a_move_is_played_even_if_its_sender_disconnects() {
    use std::io::Write;
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path());
    let client = server.client();
    let deadline = Instant::now() + Duration::from_secs(60);
    let mut arrived = 0;
    for round in 0.. {
        let game = client.begin("congo", &["random"]);
        let body = json!({"move": "d2d3", "ply": 0}).to_string();
        let (address, length) = (server.address, body.len());
        let mut stream = std::net::TcpStream::connect(address).unwrap();
        let head = format!(
            "POST /api/games/{}/moves HTTP/1.1\r\nHost: {address}\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n",
            id(&game)
        );
        stream.write_all(format!("{head}{body}").as_bytes()).unwrap();
        // Each stays a little longer: the first are gone before anybody listens, the last may be
        // answered.
        std::thread::sleep(Duration::from_millis(round));
        drop(stream);
        // A game that has its move goes on.
        if ply(&client.get(&format!("/api/games/{}", id(&game))).ok()) > 0 {
            client.wait(id(&game), "the agent's answer", |game| ply(game) == 2);
            arrived += 1;
        }
        if round >= 20 && arrived > 0 {
            break;
        }
        assert!(Instant::now() < deadline, "none of the moves arrived");
    }
}

#[test]
fn every_requested_step_is_played() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path());
    let client = server.client();
    let engine = json!({"kind": "agent", "agent": "engine:level=1"});
    let new = json!({"variant": "breakthrough:8x8", "seats": [engine, engine], "paused": true});
    let game = client.post("/api/games", &new).ok();
    let path = format!("/api/games/{}/watch", id(&game));
    for _ in 0..3 {
        client.post(&path, &json!({"step": true})).ok();
    }
    client.wait(id(&game), "three moves", |game| ply(game) == 3);
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(ply(&client.get(&format!("/api/games/{}", id(&game))).ok()), 3);
}

#[test]
fn a_tab_with_an_outdated_position_cannot_play() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path());
    let client = server.client();
    let new = json!({"variant": "congo", "seats": [{"kind": "human"}, {"kind": "human"}]});
    let game = client.post("/api/games", &new).ok();
    let path = |what: &str| format!("/api/games/{}/{what}", id(&game));
    let seen = client.post(&path("moves"), &json!({"move": "d2d3", "ply": 0})).ok();
    client.post(&path("undo"), &json!({"ply": 1})).ok();
    client.post(&path("moves"), &json!({"move": "c2c3", "ply": 0})).ok();
    let body = json!({"move": "d6d5", "ply": 1, "position": seen["position"]["position"]});
    assert_eq!(client.post(&path("moves"), &body).error().0, "stale");
    client.post(&path("moves"), &json!({"move": "d6d5", "ply": 1})).ok();
}

#[test]
fn a_program_that_may_not_be_started_does_not_lose() {
    let folder = tempfile::tempdir().unwrap();
    // As left by a server that was started with other agents.
    let seats = json!([{"kind": "human"}, {"kind": "agent", "agent": "lost:program"}]);
    let document = json!({"format": 1, "variant": "congo", "start": null, "seats": seats,
        "time": null, "seed": 0, "played": [{"text": "d2d3", "seat": 0, "ms": 0}], "end": null,
        "watch": null, "rematch": null, "version": 2, "created_at": 0, "updated_at": 0});
    let sitting = agon_arena::store::Sitting {
        id: "left".into(),
        document: document.to_string(),
        open: true,
        public: false,
        updated_at: 0,
    };
    let store = agon_arena::store::Store::open(folder.path()).unwrap();
    store.change_sittings(&[agon_arena::store::SittingChange::Put(sitting)]).unwrap();
    let server = Running::start(folder.path());
    let game = server.client().get("/api/games/left").ok();
    assert_eq!((&game["position"]["outcome"], &game["thinking"]), (&Value::Null, &json!(false)));
    assert!(game["waiting"].as_str().unwrap().contains("lost"), "{}", game["waiting"]);
}

#[test]
fn a_game_loaded_at_run_time_is_on_the_pages_like_any_other() {
    let folder = tempfile::tempdir().unwrap();
    let loader = std::sync::Arc::new(agon_games::sample::InARow);
    let catalog = agon_games::Catalog::built_in().with_loader(loader).unwrap();
    let with_loader = |options: &mut agon_web::Options| {
        options.registry = options.registry.clone().with_catalog(catalog.clone());
    };
    let server = Running::start_with(folder.path(), with_loader);
    let client = server.client();
    let games = client.get("/api/catalog").ok()["games"].clone();
    let loaded = games.as_array().unwrap().iter().find(|game| game["name"] == "inarow").unwrap();
    assert_eq!((&loaded["title"], &loaded["seats"]), (&json!("In a row"), &json!(["X", "O"])));
    let rules = client.get("/api/catalog/inarow/rules").ok();
    assert_eq!(rules["sections"][0]["heading"], "The goal");
    let begun = client.begin("inarow", &["random"]);
    assert_eq!(begun["position"]["scene"]["supplies"][0]["letter"], "X");
    let name = id(&begun).to_string();
    let game = play_out(&client, begun, 9);
    let sentence = game["position"]["outcome"]["sentence"].as_str().unwrap();
    assert!(sentence.contains("3 in a row") || sentence.contains("is full"), "{sentence}");
    drop(server);
    let server = Running::start_with(folder.path(), with_loader);
    let again = server.client().get(&format!("/api/games/{name}")).ok();
    assert_eq!(again["position"]["position"], game["position"]["position"]);
}
