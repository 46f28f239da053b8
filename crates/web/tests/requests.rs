//! Requests that are wrong: each gets a clear error and changes nothing.

mod common;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use common::{Client, Running, id, ply};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};

const JSON: (&str, &str) = ("content-type", "application/json");

/// A server with a game in the middle, and what that game looks like.
struct Scene {
    server: Running,
    game: Value,
    _folder: tempfile::TempDir,
}

impl Scene {
    fn new() -> Scene {
        let folder = tempfile::tempdir().unwrap();
        let server = Running::start(folder.path());
        let client = server.client();
        let game = client.begin("congo", &["random"]);
        let path = format!("/api/games/{}/moves", id(&game));
        client.post(&path, &json!({"move": "d2d3", "ply": 0})).ok();
        let game = client.wait(id(&game), "two moves", |game| ply(game) == 2);
        Scene { server, game, _folder: folder }
    }

    fn client(&self) -> Client {
        self.server.client()
    }

    fn path(&self, what: &str) -> String {
        format!("/api/games/{}{what}", id(&self.game))
    }

    /// The game and the list of games have not changed.
    fn assert_unchanged(&self) {
        let now = self.client().get(&self.path("")).ok();
        assert_eq!(now["version"], self.game["version"]);
        assert_eq!(now["position"], self.game["position"]);
        let games = self.client().get("/api/games").ok();
        assert_eq!(games["games"].as_array().unwrap().len(), 1);
    }
}

#[test]
fn a_bad_request_is_explained_and_changes_nothing() {
    let scene = Scene::new();
    let client = scene.client();
    let new = |body: Value| ("/api/games".to_string(), body);
    let human = json!({"kind": "human"});
    let two = json!([human, human]);
    let agent = |text: &str| json!([human, {"kind": "agent", "agent": text}]);
    let (moves, undo, resign) = (scene.path("/moves"), scene.path("/undo"), scene.path("/resign"));
    let cases = [
        (new(json!({})), "bad_request", "missing field"),
        (new(json!({"variant": "chess", "seats": two})), "bad_request", "a game: fenix"),
        (new(json!({"variant": "congo", "seats": [human]})), "bad_request", "2 seats, not 1"),
        (new(json!({"variant": "congo", "seats": two, "x": 1})), "bad_request", "unknown field"),
        (
            new(json!({"variant": "congo", "seats": two, "time": "soon"})),
            "bad_request",
            "such as 5m",
        ),
        (
            new(json!({"variant": "congo", "seats": two, "position": "7/7"})),
            "bad_request",
            "expected",
        ),
        (new(json!({"variant": "x".repeat(400), "seats": two})), "too_large", "too long"),
        (
            new(json!({"variant": "congo", "seats": agent("engin")})),
            "bad_request",
            "did you mean engine",
        ),
        (
            new(json!({"variant": "congo", "seats": agent("engine:hash=60000")})),
            "bad_request",
            "at most 256",
        ),
        (new(json!({"variant": "fauhalma:star3", "seats": two})), "bad_request", "3 seats"),
        ((moves.clone(), json!({"move": "d3d4", "ply": 1})), "stale", "2 plies have been played"),
        ((moves.clone(), json!({"move": "d3d4", "ply": 99})), "stale", "has changed"),
        ((moves.clone(), json!({"move": "a1a7", "ply": 2})), "illegal", "a1a7"),
        ((moves.clone(), json!(["d3d4", 2])), "bad_request", "an object"),
        ((moves.clone(), json!({"move": "", "ply": 2})), "illegal", "expected"),
        ((moves.clone(), json!({"move": 7, "ply": 2})), "bad_request", "expected a string"),
        ((moves.clone(), json!({"move": "d3d4", "ply": -1})), "bad_request", "invalid value"),
        ((moves, json!({"move": "x".repeat(20_000), "ply": 2})), "too_large", "too long"),
        ((undo, json!({"ply": 0})), "stale", "has changed"),
        ((resign.clone(), json!({"ply": 2, "seat": 1})), "bad_request", "not a person's"),
        ((resign, json!({"ply": 2, "seat": 7})), "bad_request", "not a person's"),
        ((scene.path("/watch"), json!({"paused": true})), "bad_request", "people play"),
        ((scene.path("/rematch"), json!({})), "illegal", "not over yet"),
        ((scene.path("/hint"), json!({"ply": 5})), "stale", "has changed"),
        ((scene.path("/branch"), json!({"ply": 5})), "stale", "has changed"),
        ((scene.path("/branch"), json!({})), "bad_request", "ply"),
        ((scene.path("/draw"), json!({"ply": 2})), "illegal", "agents do not agree"),
        ((scene.path("/draw"), json!({"ply": 2, "decline": 1})), "bad_request", "boolean"),
        (
            ("/api/games/nobody/moves".into(), json!({"move": "d3d4", "ply": 2})),
            "not_found",
            "no such game",
        ),
        (("/api/nothing".into(), json!({})), "not_found", "openapi"),
        (("/api/catalog".into(), json!({})), "not_allowed", "method"),
        // One monkey with thousands of chains of captures.
        (
            (
                "/api/position".into(),
                json!({"variant": "congo",
                    "position": "7/2plp2/1p1p1p1/1ppppp1/1pMp1p1/1pppp2/3L3 w 0"}),
            ),
            "too_large",
            "5197 legal moves",
        ),
        (new(json!({"variant": "congo", "seats": two, "time": "720h"})), "bad_request", "a day"),
        (
            ("/api/position".into(), json!({"variant": "congo", "moves": ["d2d3", "d2d3"]})),
            "illegal",
            "d2d3",
        ),
        (
            ("/api/position".into(), json!({"variant": "congo", "moves": vec!["d2d3"; 5000]})),
            "too_large",
            "at most",
        ),
    ];
    for ((path, body), code, words) in cases {
        let answer = client.post(&path, &body);
        let (found, message) = answer.error();
        assert_eq!(found, code, "{path} {body}: {message}");
        assert!(message.contains(words), "{path} {body}: {message}");
    }
    scene.assert_unchanged();
}

#[test]
fn programs_are_not_started_unless_the_server_allows_it() {
    let folder = tempfile::tempdir().unwrap();
    let proof = folder.path().join("started");
    let with_programs = |registry: &mut agon_web::Options, allow| {
        registry.registry = agon_arena::Registry::built_in().with(Touching(proof.clone()));
        registry.allow_programs = allow;
    };
    let game = json!({"variant": "congo", "seats": [{"kind": "human"},
        {"kind": "agent", "agent": "touch:now"}]});
    let server = Running::start_with(folder.path(), |options| with_programs(options, false));
    let (code, message) = server.client().post("/api/games", &game).error();
    assert_eq!(code, "forbidden");
    assert!(message.contains("--allow-programs"), "{message}");
    drop(server);
    // The secret is needed, although only this machine can reach the server: it may have other users.
    let server = Running::start_with(folder.path(), |options| with_programs(options, true));
    let client = server.client();
    for headers in [&[JSON][..], &[JSON, ("x-agon-secret", "0123456789abcdef")]] {
        let answer = client.post_with("/api/games", headers, &game.to_string());
        assert_eq!(answer.error().0, "forbidden");
    }
    assert!(!proof.exists(), "a program was started");
    let secret = server.secret.clone().unwrap();
    let headers = [JSON, ("x-agon-secret", secret.as_str())];
    let game = client.post_with("/api/games", &headers, &game.to_string()).ok();
    let path = format!("/api/games/{}/moves", id(&game));
    server.client().post(&path, &json!({"move": "d2d3", "ply": 0})).ok();
    let over =
        server.client().wait(id(&game), "over", |game| !game["position"]["outcome"].is_null());
    assert!(proof.exists());
    let sentence = over["position"]["outcome"]["sentence"].as_str().unwrap();
    assert!(sentence.starts_with("White wins: black failed"), "{sentence}");
}

/// Agents that create a file when they are started, and then fail.
#[derive(Debug)]
struct Touching(std::path::PathBuf);

impl agon_arena::remote::OutsideKind for Touching {
    fn info(&self) -> agon_search::spec::AgentInfo {
        let (name, about) = ("touch", "leaves a file");
        agon_search::spec::AgentInfo {
            name,
            about,
            seats: &[2],
            options: &[],
            manner: agon_search::spec::Manner::Anytime,
        }
    }

    fn outside(
        &self,
        _: &str,
        _: &agon_arena::remote::Settings,
    ) -> Result<Box<dyn agon_arena::remote::Outside>, agon_search::AgentError> {
        Ok(Box::new(Touching(self.0.clone())))
    }
}

impl agon_arena::remote::Outside for Touching {
    fn check(&self, _: &agon_core::Variant) -> Result<(), String> {
        Ok(())
    }

    fn start(
        &self,
        _: &agon_core::Variant,
    ) -> Result<Box<dyn agon_arena::remote::Remote>, agon_arena::player::NoAnswer> {
        std::fs::write(&self.0, "").unwrap();
        let fault = agon_arena::verdict::Fault::NoStart;
        Err(agon_arena::player::Breach::new(fault, "this program only leaves a file").into())
    }
}

#[test]
fn pages_of_other_origins_can_change_nothing() {
    let scene = Scene::new();
    let client = scene.client();
    let host = scene.server.address.to_string();
    let body = json!({"move": "d3d4", "ply": 2}).to_string();
    let own = format!("http://{host}");
    for header in [
        ("origin", "http://evil.example"),
        ("origin", "null"),
        ("origin", "http://127.0.0.1:1"),
        ("sec-fetch-site", "cross-site"),
        ("host", "evil.example"),
    ] {
        let answer = client.post_with(&scene.path("/moves"), &[JSON, header], &body);
        assert_eq!(answer.error().0, "forbidden", "{header:?}");
    }
    // A form on another page cannot send JSON without a preflight request.
    let answer = client.post_with(&scene.path("/moves"), &[("content-type", "text/plain")], &body);
    assert!(answer.error().1.contains("application/json"));
    // DNS rebinding: other names for this machine may not read, either.
    assert_eq!(client.get_with("/api/games", &[("host", "evil.example")]).error().0, "forbidden");
    let upgrade = [
        ("upgrade", "websocket"),
        ("connection", "upgrade"),
        ("sec-websocket-version", "13"),
        ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="),
    ];
    let foreign = [&upgrade[..], &[("origin", "http://evil.example")]].concat();
    assert_eq!(client.get_with(&scene.path("/live"), &foreign).error().0, "forbidden");
    scene.assert_unchanged();
    let answer = client.post_with(&scene.path("/moves"), &[JSON, ("origin", &own)], &body);
    assert!(ply(&answer.ok()) >= 3);
}

#[test]
fn every_answer_has_security_headers() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path());
    for path in ["/", "/api/catalog", "/api/nothing", "/client/main.js", "/play/x"] {
        let head = raw(
            &server,
            &format!(
                "GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
                server.address
            ),
        );
        for header in [
            "content-security-policy: default-src 'none'; script-src 'self'",
            "x-content-type-options: nosniff",
            "referrer-policy: no-referrer",
        ] {
            assert!(head.to_lowercase().contains(header), "{path}: {head}");
        }
    }
}

/// Sends bytes and reads the answer.
fn raw(server: &Running, text: &str) -> String {
    let mut stream = TcpStream::connect(server.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    stream.write_all(text.as_bytes()).unwrap();
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

#[test]
fn a_large_body_is_refused() {
    let scene = Scene::new();
    let large = format!("{{\"move\":\"{}\",\"ply\":2}}", "x".repeat(200_000));
    let answer = scene.client().post_with(&scene.path("/moves"), &[JSON], &large);
    assert_eq!(answer.error().0, "too_large");
    scene.assert_unchanged();
}

/// Arbitrary JSON, with field names of the API among it.
fn any_json() -> impl Strategy<Value = Value> {
    let word = prop::sample::select(vec![
        "variant",
        "seats",
        "kind",
        "human",
        "agent",
        "engine",
        "move",
        "ply",
        "congo",
        "d3d4",
        "breakthrough:5x5",
        "time",
        "5m",
        "position",
        "moves",
        "seat",
        "paused",
        "step",
        "delay_ms",
        "fauhalma:star3",
        "wumpus:6,pits=",
        "[[1,2]]",
        "",
        "\u{0}",
        "\u{202e}x",
        "7/7 w",
    ]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        // Not two, the number of moves played.
        (3..9u64).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        word.clone().prop_map(Value::from),
        ".{0,20}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(word.clone().prop_map(String::from), inner, 0..5)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

#[test]
fn no_body_breaks_the_server_or_the_game() {
    let scene = Scene::new();
    let client = scene.client();
    let paths = ["/moves", "/undo", "/resign", "/draw", "/hint", "/rematch", "/watch"]
        .map(|what| scene.path(what));
    let elsewhere = ["/api/position", "/api/threats"].map(String::from);
    let paths: Vec<String> = paths.into_iter().chain(elsewhere).collect();
    let config = Config { cases: 300, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new(config);
    let requests = (prop::sample::select(paths), any_json(), any::<bool>(), 0..1000usize);
    let result = runner.run(&requests, |(path, body, whole, cut)| {
        let mut text = body.to_string();
        if !whole {
            let end = text.char_indices().map(|(at, _)| at).nth(cut % (text.len() + 1));
            text.truncate(end.unwrap_or(text.len()));
        }
        let answer = client.post_with(&path, &[JSON], &text);
        if answer.status >= 400 {
            answer.error();
            prop_assert!(answer.status < 500, "{path} {text}: {}", answer.text);
        } else {
            // With these, only requests that read can succeed.
            let reads = ["/position", "/threats", "/hint"];
            prop_assert!(reads.iter().any(|end| path.ends_with(end)), "{path} {text}");
        }
        Ok(())
    });
    result.unwrap();
    scene.assert_unchanged();
}

#[test]
fn no_address_breaks_the_server() {
    let scene = Scene::new();
    let client = scene.client();
    let config = Config { cases: 200, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new(config);
    let part = prop_oneof![
        Just("api".to_string()),
        Just("games".to_string()),
        Just("records".to_string()),
        Just("client".to_string()),
        Just("..".to_string()),
        Just(id(&scene.game).to_string()),
        "[a-z0-9.%_~-]{0,12}",
    ];
    let paths = (prop::collection::vec(part, 1..5), "[a-z=&%0-9-]{0,20}");
    let result = runner.run(&paths, |(parts, query)| {
        let path = format!("/{}?{query}", parts.join("/"));
        // Some of these are not valid addresses, and the client itself refuses to send them.
        if path.parse::<ureq::http::Uri>().is_ok() {
            let answer = client.get(&path);
            prop_assert!(answer.status < 500, "{path}: {}", answer.text);
        }
        Ok(())
    });
    result.unwrap();
    scene.assert_unchanged();
}

#[test]
fn malformed_bytes_are_dropped() {
    let scene = Scene::new();
    for text in [
        "\r\n\r\n",
        "GET\r\n\r\n",
        "\u{0}\u{1}\u{2}\r\n\r\n",
        "GET / HTTP/9.9\r\n\r\n",
        "POST /api/games HTTP/1.1\r\nHost: x\r\nContent-Length: 999999999999\r\n\r\n",
        "POST /api/games HTTP/1.1\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
    ] {
        let answer = raw(&scene.server, text);
        assert!(!answer.contains("200 OK"), "{text:?}: {answer}");
    }
    scene.assert_unchanged();
}
