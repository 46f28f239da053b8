//! Screenshots of the pages: `cargo xtask pictures DIR`.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::common::contest::second_week;
use crate::common::workers::{Post, fleet};
use crate::common::{id, moves, ply};
use crate::contest;
use crate::driver::Setup;
use crate::harness::Visit;
use crate::page::PERSON;
use crate::tournaments;
use crate::watching;
use crate::workers;

/// Takes screenshots of the open page.
struct Camera {
    folder: PathBuf,
    kind: &'static str,
}

impl Camera {
    fn new(kind: &'static str) -> Camera {
        let folder = std::env::var_os("AGON_SCREENSHOTS").map(PathBuf::from);
        let folder = folder.expect("AGON_SCREENSHOTS names a folder");
        std::fs::create_dir_all(&folder).expect("the folder can be made");
        Camera { folder, kind }
    }

    fn take(&self, visit: &Visit, name: &str) {
        let file = self.folder.join(format!("{name}-{}.png", self.kind));
        visit.runtime.block_on(visit.driver.screenshot(&file)).expect("a picture");
    }
}

/// Goes through the main pages.
fn tour(setup: Setup, kind: &'static str) {
    let mut contest = Vec::new();
    let visit = Visit::with(setup, |folder| {
        watching::store_games(folder);
        second_week(folder);
        contest = contest::paths(folder);
    });
    let camera = Camera::new(kind);
    let dark = json!({"features": [{"name": "prefers-color-scheme", "value": if kind == "dark" { "dark" } else { "light" }}]});
    visit.tool("Emulation.setEmulatedMedia", dark);
    let pages = [
        ("home", "/"),
        ("new", "/new?game=wumpus"),
        ("rules", "/rules/congo"),
        ("watch", "/watch"),
        ("records", "/records"),
        ("replay", "/replay/1.0"),
        ("analyse", "/analyse"),
        ("analysis", "/analyse?record=1.0&ply=4"),
    ];
    for (name, path) in pages {
        visit.open(path);
        visit.arrive(name);
        camera.take(&visit, name);
    }
    for (at, path) in contest.iter().enumerate() {
        visit.open(path);
        visit.wait(path, "document.querySelector('main h1')");
        camera.take(&visit, &format!("contest-{at}"));
    }
    for game in ["breakthrough", "congo", "fenix", "wumpus", "fauhalma"] {
        visit.open("/");
        visit.click(&format!("[data-action=play][data-game={game}]"));
        visit.arrive("game");
        visit.ready();
        visit.cell(&visit.starts()[0]);
        camera.take(&visit, &format!("game-{game}"));
    }
    visit.sit_down("connect4", Some("7/7/3O3/3X3/2XOX2/1OXXO2 o"), &[PERSON, PERSON]);
    visit.ready();
    camera.take(&visit, "game-connect4");
    visit.sit_down("congo", Some("7/7/2p1l2/1M5/2p1p2/7/2L4 w 0"), &[PERSON, "random"]);
    visit.ready();
    visit.cells(&["b4", "d6", "f4"]);
    visit.text("[data-result]");
    camera.take(&visit, "over");
}

/// A game of people, played for a while: what can be taken is taken.
fn played(visit: &Visit, variant: &str, plies: u64) -> String {
    let human = json!({"kind": "human"});
    let new = json!({"variant": variant, "seats": [human, human]});
    let mut game = visit.client.post("/api/games", &new).ok();
    let path = format!("/api/games/{}/moves", id(&game));
    while ply(&game) < plies && game["position"]["outcome"].is_null() {
        let legal = game["position"]["moves"].as_array().cloned().unwrap_or_default();
        let taking = legal.iter().find(|mv| mv["removes"] != json!([]));
        let chosen = taking.unwrap_or(&legal[ply(&game) as usize * 7 % legal.len()]);
        let body = json!({"move": chosen["text"], "ply": ply(&game)});
        game = visit.client.post(&path, &body).ok();
    }
    visit.open(&format!("/play/{}", id(&game)));
    visit.arrive("game");
    visit.wait("the men", "document.querySelector('[data-lost]')");
    id(&game).to_string()
}

/// The board with everything around it: missing men, looking back, seats with owners.
fn board_tour(setup: Setup, kind: &'static str) {
    let visit = Visit::with(setup, |_| {});
    let camera = Camera::new(kind);
    let scheme = if kind == "dark" { "dark" } else { "light" };
    let media = json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]});
    visit.tool("Emulation.setEmulatedMedia", media);
    for (variant, plies) in [("congo", 40), ("fenix", 50)] {
        played(&visit, variant, plies);
        visit.wait("missing men", "document.querySelector('.lost-kind')");
        visit.click("[data-action=back]");
        visit.click("[data-action=back]");
        visit.says("[data-status=looking]", "Looking back");
        visit.click("[data-action=evaluate]");
        visit.click("[data-action=hint]");
        visit.click("[data-action=threats]");
        visit.wait("an evaluation", "document.querySelector('meter')");
        visit.ask("scrollTo(0, 0)");
        camera.take(&visit, &format!("looking-{variant}"));
    }
    visit.open("/new?game=congo");
    visit.arrive("new");
    visit.click("[data-seat='1'] input[value=friend]");
    camera.take(&visit, "new-friend");
    let human = json!({"kind": "human"});
    let new = json!({"variant": "congo", "seats": [human, human], "friends": [1], "time": "5m"});
    let game = visit.ask_about(
        "import('/client/api.js').then((api) => api.createGame(arguments[0]))",
        vec![new],
    );
    let path = format!("/play/{}", id(&game));
    visit.open(&path);
    visit.arrive("game");
    visit.ready();
    camera.take(&visit, "owned-host");
    let token = |seat: usize| game["tokens"][seat]["token"].as_str().unwrap_or_default();
    visit.ask("localStorage.removeItem('agon.seats')");
    visit.open("/records");
    visit.open(&path);
    visit.says("[data-seats]", "watching");
    camera.take(&visit, "owned-stranger");
    visit.open("/records");
    visit.open(&format!("{path}#seat={}", token(1)));
    visit.wait("a move for later", "document.querySelector('.can-later')");
    visit.cells(&["d6", "d5"]);
    visit.ask("scrollTo(0, 0)");
    camera.take(&visit, "owned-friend-later");
    let headers = [("content-type", "application/json"), ("x-agon-seat", token(0))];
    let body = json!({"ply": 0}).to_string();
    let offered: Value =
        visit.client.post_with(&format!("/api/games/{}/draw", id(&game)), &headers, &body).ok();
    assert!(!moves(&offered).is_empty());
    visit.says("[data-message]", "offers a draw");
    camera.take(&visit, "owned-draw");
}

#[test]
#[ignore = "takes pictures for people to look at: cargo xtask pictures DIR"]
fn the_board_by_day_by_night_and_by_phone() {
    board_tour(Setup::default(), "light");
    board_tour(Setup::default(), "dark");
    board_tour(Setup { phone: true, ..Setup::default() }, "phone");
}

/// The pages of tournaments, one of them running, by day and night and at every size.
fn tournament_tour(size: (u32, u32), kind: &'static str) {
    let visit = Visit::with(Setup::default(), tournaments::tournaments);
    let camera = Camera::new(kind);
    let scheme = if kind.ends_with("dark") { "dark" } else { "light" };
    let media = json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]});
    visit.tool("Emulation.setEmulatedMedia", media);
    let (width, height) = size;
    let metrics =
        json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
    visit.tool("Emulation.setDeviceMetricsOverride", metrics);
    let file = "name = \"Spring cup\"\nformat = \"round-robin\"\nvariant = \"congo\"\n\
                per_move = \"20ms\"\ngames = 8\nagents = [\"engine\", \"engine:level=6\", \"mcts\", \
                \"engine:level=3\", \"minimax:depth=2\", \"greedy\"]\n";
    visit.client.post("/api/tournaments", &json!({ "file": file })).ok();
    visit.client.wait_tournament("Spring%20cup", "half of its games", |view| {
        view["games"].as_u64() > Some(50)
    });
    for path in
        ["/tournaments/Spring%20cup", "/tournaments", "/tournaments/large", "/new-tournament"]
    {
        visit.open(path);
        visit.wait(path, "document.querySelector('main h1')");
        std::thread::sleep(std::time::Duration::from_millis(700));
        let name = path.rsplit('/').next().unwrap_or_default().replace("%20", "-");
        camera.take(&visit, &format!("tournament-{name}"));
    }
}

#[test]
#[ignore = "takes pictures for people to look at: cargo xtask pictures DIR"]
fn tournaments_at_every_size() {
    tournament_tour((1280, 900), "light");
    tournament_tour((1280, 900), "dark");
    tournament_tour((390, 844), "phone");
    tournament_tour((1920, 1080), "projector");
}

/// The page of workers on other machines.
fn workers_tour(phone: bool, kind: &'static str) {
    let post = Post::new(fleet());
    let visit = workers::visit_to(Setup { phone, ..Setup::default() }, &post);
    visit.excuse("the server responded with a status of 503");
    let camera = Camera::new(kind);
    let scheme = if kind == "dark" { "dark" } else { "light" };
    let media = json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]});
    visit.tool("Emulation.setEmulatedMedia", media);
    visit.open("/workers");
    visit.says("[data-part=total]", "3 workers");
    camera.take(&visit, "workers");
    post.lose();
    visit.says("[data-part=away]", "cannot be reached");
    camera.take(&visit, "workers-away");
    post.see(agon_arena::fleet::Fleet::default());
    visit.says("main", "Nobody is there");
    camera.take(&visit, "workers-nobody");
}

#[test]
#[ignore = "takes pictures for people to look at: cargo xtask pictures DIR"]
fn workers_by_day_by_night_and_by_phone() {
    workers_tour(false, "light");
    workers_tour(false, "dark");
    workers_tour(true, "phone");
}

#[test]
#[ignore = "takes pictures for people to look at: cargo xtask pictures DIR"]
fn the_pages_by_day() {
    tour(Setup::default(), "light");
}

#[test]
#[ignore = "takes pictures for people to look at: cargo xtask pictures DIR"]
fn the_pages_by_night() {
    tour(Setup::default(), "dark");
}

#[test]
#[ignore = "takes pictures for people to look at: cargo xtask pictures DIR"]
fn the_pages_by_phone() {
    tour(Setup { phone: true, ..Setup::default() }, "phone");
}
