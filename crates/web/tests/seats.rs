//! Seats with owners: a token plays its own seat and nothing else, on every route that changes a game.

mod common;

use common::page::Page;
use common::{Answer, Client, Running, id, moves, ply};
use serde_json::{Value, json};

const JSON: (&str, &str) = ("content-type", "application/json");

/// A game of two people with owners: the first seat is the creator's, the second a friend's.
struct Owned {
    server: Running,
    folder: tempfile::TempDir,
    client: Client,
    game: Value,
}

impl Owned {
    fn new() -> Owned {
        Owned::with(json!({}))
    }

    fn with(more: Value) -> Owned {
        let folder = tempfile::tempdir().unwrap();
        let server = Running::start(folder.path());
        let client = server.client();
        let game = client.post("/api/games", &wanted(more)).ok();
        Owned { server, folder, client, game }
    }

    fn path(&self, what: &str) -> String {
        format!("/api/games/{}{what}", id(&self.game))
    }

    fn token(&self, seat: usize) -> &str {
        let tokens = self.game["tokens"].as_array().unwrap();
        let found = tokens.iter().find(|token| token["seat"] == seat).unwrap();
        found["token"].as_str().unwrap()
    }

    /// A request with this token, or with none.
    fn post(&self, what: &str, token: &str, body: &Value) -> Answer {
        let headers = [JSON, ("x-agon-seat", token)];
        self.client.post_with(&self.path(what), &headers, &body.to_string())
    }

    fn get(&self, token: &str) -> Value {
        self.client.get_with(&self.path(""), &[("x-agon-seat", token)]).ok()
    }

    /// Plays the first legal move with this token.
    fn play(&self, token: &str) -> Value {
        let game = self.get(token);
        self.post("/moves", token, &json!({"move": moves(&game)[0], "ply": ply(&game)})).ok()
    }

    /// Only this token may make the request; what others get is `forbidden`, and nothing changes.
    fn only(&self, right: &str, what: &str, body: &Value) -> Value {
        // The clock runs.
        let still = || {
            let mut game = self.get("");
            game["clock"] = Value::Null;
            game
        };
        let before = still();
        for wrong in self.strangers(right) {
            let answer = self.post(what, &wrong, body);
            assert_eq!(answer.error().0, "forbidden", "{what} with {wrong:?}: {}", answer.text);
            assert_eq!(still(), before, "{what} with {wrong:?} changed something");
        }
        self.post(what, right, body).ok()
    }

    /// Tokens that are not this one: the other seat's, none, and wrong ones.
    fn strangers(&self, right: &str) -> Vec<String> {
        let tokens = [self.token(0), self.token(1)].into_iter().filter(|token| *token != right);
        let wrong = [right[1..].to_string(), format!("{right}a"), "x".repeat(20), String::new()];
        tokens.map(str::to_string).chain(wrong).collect()
    }
}

fn wanted(more: Value) -> Value {
    let human = json!({"kind": "human"});
    let mut wanted =
        json!({"variant": "breakthrough:5x5", "seats": [human, human], "friends": [1]});
    for (name, value) in more.as_object().unwrap() {
        wanted[name] = value.clone();
    }
    wanted
}

#[test]
fn a_move_takes_the_token_of_the_seat_to_move() {
    let owned = Owned::new();
    assert_eq!(owned.game["yours"], json!([0]), "the creator's own seat");
    let guests = |token: &Value| token["guest"].clone();
    let tokens = owned.game["tokens"].as_array().unwrap();
    assert_eq!(tokens.iter().map(guests).collect::<Vec<_>>(), [json!(false), json!(true)]);
    for seat in [0, 1] {
        let game = owned.get("");
        let body = json!({"move": moves(&game)[0], "ply": seat});
        let moved = owned.only(owned.token(seat), "/moves", &body);
        assert_eq!((ply(&moved), &moved["yours"]), (seat as u64 + 1, &json!([seat])));
    }
}

#[test]
fn only_the_last_move_is_taken_back_and_only_by_its_player() {
    let owned = Owned::new();
    let (white, black) = (owned.token(0), owned.token(1));
    assert_eq!(owned.post("/undo", white, &json!({"ply": 0})).error().0, "illegal");
    assert_eq!(owned.post("/undo", "", &json!({"ply": 0})).error().0, "forbidden");
    owned.play(white);
    owned.only(white, "/undo", &json!({"ply": 1}));
    owned.play(white);
    owned.play(black);
    // White's move has been answered.
    let undone = owned.only(black, "/undo", &json!({"ply": 2}));
    assert_eq!(ply(&undone), 1);
    owned.post("/resign", white, &json!({"ply": 1})).ok();
    assert_eq!(owned.post("/undo", white, &json!({"ply": 1})).error().0, "illegal", "it is over");
}

#[test]
fn resigning_takes_the_token_of_the_seat() {
    let owned = Owned::new();
    let black = owned.token(1);
    // Without a seat, it is the client's own.
    assert_eq!(owned.post("/resign", "", &json!({"ply": 0})).error().0, "forbidden");
    let over = owned.only(black, "/resign", &json!({"ply": 0, "seat": 1}));
    assert_eq!(over["position"]["outcome"]["sentence"], "White wins: black resigned");
    let other = Owned::new();
    let over = other.post("/resign", other.token(1), &json!({"ply": 0})).ok();
    assert_eq!(over["position"]["outcome"]["sentence"], "White wins: black resigned");
}

#[test]
fn a_draw_is_offered_declined_and_accepted_by_the_owners() {
    let owned = Owned::new();
    let (white, black) = (owned.token(0), owned.token(1));
    let offered = owned.only(white, "/draw", &json!({"ply": 0, "seat": 0}));
    assert_eq!(offered["draw_offers"], json!([0]));
    let decline = json!({"ply": 0, "seat": 1, "decline": true});
    let declined = owned.only(black, "/draw", &decline);
    assert_eq!(
        (&declined["draw_offers"], &declined["position"]["outcome"]),
        (&json!([]), &Value::Null)
    );
    // An accepted offer that was declined is no agreement.
    let offered = owned.post("/draw", black, &json!({"ply": 0})).ok();
    assert_eq!(
        (&offered["draw_offers"], &offered["position"]["outcome"]),
        (&json!([1]), &Value::Null)
    );
    let drawn = owned.only(white, "/draw", &json!({"ply": 0, "seat": 0}));
    assert_eq!(drawn["position"]["outcome"]["sentence"], "Draw: draw agreed");
}

#[test]
fn a_rematch_keeps_the_owners_and_is_theirs_to_start() {
    let owned = Owned::new();
    let (white, black) = (owned.token(0), owned.token(1));
    owned.post("/resign", white, &json!({"ply": 0})).ok();
    for stranger in ["", "x", &white[1..]] {
        assert_eq!(owned.post("/rematch", stranger, &json!({})).error().0, "forbidden");
    }
    let again = owned.post("/rematch", black, &json!({})).ok();
    assert_eq!(again["yours"], json!([0]), "the seats are swapped");
    assert_eq!(again["tokens"], Value::Null, "tokens are shown once");
    let next = Owned {
        game: json!({"id": again["id"], "tokens": [
        {"seat": 0, "token": black}, {"seat": 1, "token": white}]}),
        ..owned
    };
    let body = json!({"move": moves(&again)[0], "ply": 0});
    next.only(next.token(0), "/moves", &body);
}

#[test]
fn the_owners_play_on_from_an_earlier_position() {
    let owned = Owned::with(json!({"time": "5m"}));
    let (white, black) = (owned.token(0), owned.token(1));
    let first = owned.play(white);
    owned.play(black);
    owned.post("/resign", white, &json!({"ply": 2})).ok();
    for stranger in ["", "x", &white[1..]] {
        assert_eq!(owned.post("/branch", stranger, &json!({"ply": 1})).error().0, "forbidden");
    }
    assert_eq!(owned.post("/branch", white, &json!({"ply": 3})).error().0, "stale");
    let branch = owned.post("/branch", black, &json!({"ply": 1})).ok();
    assert_eq!(branch["position"]["position"], first["position"]["position"]);
    assert_eq!((&branch["played"], &branch["yours"]), (&first["played"], &json!([1])));
    assert_eq!(branch["clock"]["control"], "5m");
    let still = owned.get("");
    assert_eq!((ply(&still), still["rematch"].clone()), (2, Value::Null), "the old game stays");
    // A game that ended without the rules can be played on where it ended.
    let last = owned.post("/branch", white, &json!({"ply": 2})).ok();
    assert_eq!(last["position"]["outcome"], Value::Null);
}

#[test]
fn a_game_is_deleted_by_whoever_started_it() {
    let owned = Owned::new();
    let path = owned.path("");
    for stranger in owned.strangers(owned.token(0)) {
        let answer = owned.client.delete_with(&path, &[("x-agon-seat", &stranger)]);
        assert_eq!(answer.error().0, "forbidden", "{stranger:?}");
    }
    let answer = owned.client.delete_with(&path, &[("x-agon-seat", owned.token(0))]);
    assert_eq!(answer.status, 204, "{}", answer.text);
    assert_eq!(owned.client.get(&path).status, 404);
}

#[test]
fn a_game_of_people_has_no_pace() {
    let owned = Owned::new();
    for token in [owned.token(0), owned.token(1), "", "x"] {
        let answer = owned.post("/watch", token, &json!({"paused": true}));
        assert_eq!(answer.error().0, "bad_request");
    }
}

#[test]
fn tokens_are_sent_once_stored_hashed_and_survive_a_restart() {
    let owned = Owned::with(json!({"time": "5m+3s"}));
    let (white, black) = (owned.token(0).to_string(), owned.token(1).to_string());
    let moved = owned.play(&white);
    let answers = [
        moved.to_string(),
        owned.get(&white).to_string(),
        owned.client.get("/api/games").text,
        owned.client.get(&owned.path("/record")).text,
        owned.client.get(&owned.path("/record?format=json")).text,
    ];
    let Owned { server, folder, game, .. } = owned;
    drop(server);
    let store = agon_arena::store::Store::open_read_only(folder.path()).unwrap();
    let stored = store.sitting(id(&game)).unwrap().unwrap().document;
    for text in answers.iter().chain([&stored]) {
        assert!(!text.contains(&white) && !text.contains(&black), "{text}");
    }
    drop(store);
    let server = Running::start(folder.path());
    let owned = Owned { client: server.client(), server, folder, game };
    let body = json!({"move": moves(&owned.get(""))[0], "ply": 1});
    let moved = owned.only(&black, "/moves", &body);
    assert_eq!(moved["clock"]["remaining_ms"].as_array().unwrap().len(), 2);
    assert_eq!(owned.get(&white)["yours"], json!([0]));
}

#[test]
fn a_page_learns_which_seat_is_its_own() {
    let owned = Owned::new();
    let (white, black) = (owned.token(0), owned.token(1));
    let follow = |tokens: &[&str]| Page::open_as(owned.server.address, id(&owned.game), tokens);
    let mut pages = [
        (follow(&[white]), json!([0])),
        (follow(&[black]), json!([1])),
        (follow(&[white, black]), json!([0, 1])),
        (follow(&["x"]), json!([])),
        (follow(&[]), json!([])),
    ];
    for (page, yours) in &mut pages {
        let game = page.wait(|_| true);
        assert_eq!(game["yours"], *yours);
        assert_eq!(game["players"][0]["owned"], true);
    }
    owned.play(white);
    for (page, yours) in &mut pages {
        assert_eq!(page.wait(|game| ply(game) == 1)["yours"], *yours);
    }
}

#[test]
fn games_without_friends_have_no_owners() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path());
    let client = server.client();
    let game = client.post("/api/games", &wanted(json!({"friends": []}))).ok();
    assert_eq!((&game["yours"], &game["tokens"]), (&json!([0, 1]), &Value::Null));
    let path = format!("/api/games/{}", id(&game));
    let body = json!({"move": moves(&game)[0], "ply": 0});
    client.post(&format!("{path}/moves"), &body).ok();
    client.post(&format!("{path}/undo"), &json!({"ply": 1})).ok();
    assert_eq!(client.delete(&path).status, 204);
    // Friends are people.
    let agent = json!({"kind": "agent", "agent": "random"});
    for (seats, friends) in [
        (json!([{"kind": "human"}, agent]), json!([1])),
        (json!([{"kind": "human"}, {"kind": "human"}]), json!([2])),
    ] {
        let wrong = wanted(json!({"seats": seats, "friends": friends}));
        let (code, message) = client.post("/api/games", &wrong).error();
        assert!(code == "bad_request" && message.contains("friend"), "{message}");
    }
}

#[test]
fn chance_decides_who_sits_where() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path());
    let client = server.client();
    let seats = json!([{"kind": "human"}, {"kind": "agent", "agent": "random"}]);
    let new = json!({"variant": "congo", "seats": seats, "random_seats": true});
    let person = || {
        let game = client.post("/api/games", &new).ok();
        game["players"].as_array().unwrap().iter().position(|one| one["kind"] == "human").unwrap()
    };
    let first = person();
    assert!((0..60).any(|_| person() != first), "always seat {first}");
    // The token of a friend goes with the friend.
    let friends = wanted(json!({"random_seats": true}));
    for _ in 0..20 {
        let game = client.post("/api/games", &friends).ok();
        let tokens = game["tokens"].as_array().unwrap();
        let own = tokens.iter().find(|token| token["guest"] == false).unwrap();
        assert_eq!(game["yours"], json!([own["seat"]]));
    }
}

#[test]
fn hints_and_new_games_start_from_any_position() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path());
    let client = server.client();
    let start = json!({"variant": "breakthrough:5x5", "position": "5/3p1/2P2/5/5 w",
        "seats": [{"kind": "human"}, {"kind": "human"}]});
    let game = client.post("/api/games", &start).ok();
    let path = |what: &str| format!("/api/games/{}/{what}", id(&game));
    client.post(&path("moves"), &json!({"move": "c3c4", "ply": 0})).ok();
    client.post(&path("moves"), &json!({"move": "d4d3", "ply": 1})).ok();
    let over = client.post(&path("moves"), &json!({"move": "c4c5", "ply": 2})).ok();
    assert!(!over["position"]["outcome"].is_null());
    let hint = client.post(&path("hint"), &json!({"ply": 2})).ok();
    assert_eq!((&hint["score"]["for"], &hint["score"]["share"]), (&json!("white"), &json!(1.0)));
    let hint = client.post(&path("hint"), &json!({"ply": 1})).ok();
    assert_eq!((&hint["score"]["for"], &hint["score"]["share"]), (&json!("black"), &json!(0.0)));
    assert_eq!(client.post(&path("hint"), &json!({"ply": 3})).error().0, "illegal");
    assert_eq!(client.post(&path("hint"), &json!({"ply": 4})).error().0, "stale");
    let other = json!({"ply": 1, "position": "5/3p1/2P2/5/5 w"});
    assert_eq!(client.post(&path("hint"), &other).error().0, "stale");
    assert_eq!(client.post(&path("branch"), &json!({"ply": 3})).error().0, "illegal");
    let branch = client.post(&path("branch"), &json!({"ply": 2})).ok();
    assert_ne!(id(&branch), id(&game));
    assert_eq!((ply(&branch), &branch["position"]["outcome"]), (2, &Value::Null));
    // What was played on from another game is not rated.
    let won = json!({"move": "c4c5", "ply": 2});
    client.post(&format!("/api/games/{}/moves", id(&branch)), &won).ok();
    let records = client.get("/api/records").ok();
    let rated: Vec<&Value> =
        records["records"].as_array().unwrap().iter().map(|record| &record["rated"]).collect();
    assert_eq!(rated, [&json!(false), &json!(true)]);
}

#[test]
fn repetitions_count_in_a_game_that_is_played_on() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path());
    let client = server.client();
    let seats = json!([{"kind": "human"}, {"kind": "human"}]);
    let new = json!({"variant": "fenix", "seats": seats,
        "position": "8/1k6/8/8/8/6K1/8 20 0 w 00"});
    let answer = client.post("/api/games", &new);
    let mut game = answer.ok();
    let back_and_forth = |game: &Value, plies: usize| {
        let mut game = game.clone();
        for _ in 0..plies {
            if !game["position"]["outcome"].is_null() {
                break;
            }
            let played = game["played"].as_array().unwrap();
            let undoing = played.len().checked_sub(2).map(|at| reversed(&played[at]["text"]));
            let legal = moves(&game);
            let chosen = undoing.filter(|text| legal.contains(text)).unwrap_or(legal[0].clone());
            let path = format!("/api/games/{}/moves", id(&game));
            game = client.post(&path, &json!({"move": chosen, "ply": ply(&game)})).ok();
        }
        game
    };
    game = back_and_forth(&game, 60);
    let length = ply(&game);
    assert!(!game["position"]["outcome"].is_null(), "{}", game["position"]["position"]);
    let branch = json!({"ply": length - 1});
    let branch = client.post(&format!("/api/games/{}/branch", id(&game)), &branch).ok();
    let again = back_and_forth(&branch, 1);
    assert_eq!(again["position"]["outcome"], game["position"]["outcome"], "at once, as before");
}

/// A move and back: `a1b1` becomes `b1a1`.
fn reversed(text: &Value) -> String {
    let text = text.as_str().unwrap();
    format!("{}{}", &text[2..], &text[..2])
}
