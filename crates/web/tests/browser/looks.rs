//! Screenshots of the pages: `cargo xtask pictures DIR`.

use std::path::PathBuf;

use serde_json::json;

use crate::common::contest::second_week;
use crate::contest;
use crate::driver::Setup;
use crate::harness::Visit;
use crate::page::PERSON;
use crate::watching;

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

#[test]
#[ignore = "takes pictures for people to look at: cargo xtask pictures DIR"]
fn the_pages_by_day() {
    tour(Setup { motion: false, phone: false }, "light");
}

#[test]
#[ignore = "takes pictures for people to look at: cargo xtask pictures DIR"]
fn the_pages_by_night() {
    tour(Setup { motion: false, phone: false }, "dark");
}

#[test]
#[ignore = "takes pictures for people to look at: cargo xtask pictures DIR"]
fn the_pages_by_phone() {
    tour(Setup { motion: false, phone: true }, "phone");
}
