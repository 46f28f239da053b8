//! Axe, an accessibility checker, finds nothing serious on any page, in light or dark.

use std::path::Path;

use agon_arena::fleet::Fleet;
use serde_json::{Value, json};

use crate::common::contest::second_week;
use crate::common::workers::{Post, fleet};
use crate::contest;
use crate::driver::Setup;
use crate::harness::Visit;
use crate::lab;
use crate::page::PERSON;
use crate::tournaments;
use crate::watching;
use crate::workers;

/// The checker's script.
fn axe() -> String {
    let file =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("checks/node_modules/axe-core/axe.min.js");
    std::fs::read_to_string(&file).unwrap_or_else(|error| {
        panic!("{}: {error}; run cargo xtask test, which installs it", file.display())
    })
}

/// The serious violations, each with the first elements where it was found.
const RUN: &str = "
axe.run(document, {resultTypes: ['violations']}).then(({violations}) => violations
    .filter(({impact}) => ['serious', 'critical'].includes(impact))
    .map(({id, nodes}) => `${id}: ${nodes.slice(0, 4)
        .map((node) => `${node.target} ${node.any[0]?.message ?? ''}`).join(' | ')}`))";

/// The violations on the open page, in light and dark.
fn complaints(visit: &Visit, axe: &str) -> Vec<String> {
    let learned = visit.runtime.block_on(visit.driver.execute(axe, Vec::new()));
    learned.expect("the checker can be injected");
    let mut found = Vec::new();
    for theme in ["light", "dark"] {
        visit.ask(&format!("document.documentElement.dataset.theme = '{theme}'"));
        // Colours in transition would be checked halfway.
        let still = "document.getAnimations().every((one) => one.playState !== 'running')";
        visit.wait("animations have ended", still);
        let lines = visit.ask(RUN);
        let lines = lines.as_array().into_iter().flatten().filter_map(Value::as_str);
        found.extend(lines.map(|line| format!("{theme}: {line}")));
    }
    found
}

#[test]
fn every_page_is_accessible() {
    let visit = Visit::with(Setup::default(), watching::store_games);
    visit.excuse("the server responded with a status of 404");
    let axe = axe();
    let mut found = Vec::new();
    let mut check = |what: &str| {
        found.extend(complaints(&visit, &axe).into_iter().map(|line| format!("{what}, {line}")));
    };
    let paths = [
        "/",
        "/new?game=wumpus",
        "/new?game=fauhalma",
        "/rules/fenix",
        "/rules/connect4",
        "/rules/fauhalma",
        "/watch",
        "/records",
        "/replay/1.0",
        "/analyse",
        "/analyse?record=1.0",
        "/analyse?variant=fauhalma:star3",
        "/nowhere",
        "/play/nothing",
    ];
    for path in paths {
        visit.open(path);
        visit.wait(path, "document.querySelector('main h1')");
        check(path);
    }
    for (variant, rivals) in [("congo", 1), ("fauhalma:star3", 2)] {
        visit.sit_down(variant, None, &[[PERSON].as_slice(), &vec!["random"; rivals]].concat());
        visit.ready();
        check(variant);
    }
    let human = json!({"kind": "human"});
    let new = json!({"variant": "congo", "seats": [human, human], "friends": [1], "time": "5m"});
    let game = visit.client.post("/api/games", &new).ok();
    let path = format!("/play/{}", crate::common::id(&game));
    visit.open(&path);
    visit.says("[data-seats]", "You are watching");
    check("a game of others");
    let token = &game["tokens"][1]["token"];
    visit.open(&format!("{path}#seat={}", token.as_str().unwrap_or_default()));
    visit.wait("a move for later", "document.querySelector('.can-later')");
    visit.cells(&["d6", "d5"]);
    visit.click("[data-action=evaluate]");
    visit.wait("an evaluation", "document.querySelector('meter')");
    check("a game with owners");
    visit.sit_down("fauhalma:star3", None, &[PERSON, "random", "random"]);
    visit.ready();
    visit.press("?");
    visit.says("dialog[open]", "Keyboard shortcuts");
    check("the keys");
    visit.press(thirtyfour::Key::Escape);
    visit.click("[data-action=resign]");
    visit.says("dialog[open]", "Resign");
    check("a question");
    visit.click("dialog [data-action=confirm]");
    visit.text("[data-result]");
    check("a game that is over");
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn the_pages_of_the_contest_are_accessible() {
    let mut paths = Vec::new();
    let visit = Visit::with(Setup::default(), |folder| {
        second_week(folder);
        paths = contest::paths(folder);
    });
    let axe = axe();
    let mut found = Vec::new();
    for path in &paths {
        visit.open(path);
        visit.wait(path, "document.querySelector('main h1')");
        found.extend(complaints(&visit, &axe).into_iter().map(|line| format!("{path}, {line}")));
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn the_pages_of_the_lab_are_accessible() {
    let visit = Visit::with(Setup::default(), lab::experiments);
    let axe = axe();
    let mut found = Vec::new();
    for path in lab::PATHS {
        visit.open(path);
        visit.wait(path, "document.querySelector('main h1')");
        found.extend(complaints(&visit, &axe).into_iter().map(|line| format!("{path}, {line}")));
    }
    assert!(found.is_empty(), "{found:#?}");
}

/// What makes a page wider than its window, apart from what scrolls by itself.
const TOO_WIDE: &str = "(() => {
    const page = document.documentElement;
    if (page.scrollWidth <= page.clientWidth + 1) return [];
    const wide = [...document.querySelectorAll('body *')].filter((one) =>
        one.getBoundingClientRect().right > page.clientWidth + 1 && !one.closest('.scroll'));
    return [`${page.scrollWidth} > ${page.clientWidth}`, ...wide.slice(0, 8).map((one) => `${one.tagName} ${one.getAttribute('class')} ${one.textContent.slice(0, 60)}`)];
})()";

/// A phone, an ordinary screen and a projector.
const SIZES: [(&str, u32, u32); 3] =
    [("phone", 390, 844), ("desktop", 1280, 900), ("projector", 1920, 1080)];

#[test]
fn the_pages_of_tournaments_are_accessible_and_fit_at_every_size() {
    let visit = Visit::with(Setup::default(), tournaments::tournaments);
    let axe = axe();
    let mut found = Vec::new();
    for (size, width, height) in SIZES {
        let metrics =
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        visit.tool("Emulation.setDeviceMetricsOverride", metrics);
        for path in tournaments::PATHS {
            visit.open(path);
            visit.wait(path, "document.querySelector('main h1')");
            let lines = complaints(&visit, &axe).into_iter();
            found.extend(lines.map(|line| format!("{path}, {size}, {line}")));
            let wide = visit.ask(TOO_WIDE);
            assert_eq!(wide, json!([]), "{path} is too wide for a {size}");
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn the_page_of_workers_is_accessible_and_fits_at_every_size() {
    let post = Post::new(fleet());
    let visit = workers::visit_to(Setup::default(), &post);
    visit.excuse("the server responded with a status of 503");
    let axe = axe();
    let mut found = Vec::new();
    let mut check = |what: &str| {
        for (size, width, height) in SIZES {
            let metrics =
                json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
            visit.tool("Emulation.setDeviceMetricsOverride", metrics);
            let lines = complaints(&visit, &axe).into_iter();
            found.extend(lines.map(|line| format!("{what}, {size}, {line}")));
            assert_eq!(visit.ask(TOO_WIDE), json!([]), "{what} is too wide for a {size}");
        }
    };
    visit.open("/workers");
    visit.says("[data-part=total]", "3 workers");
    check("workers");
    post.lose();
    visit.says("[data-part=away]", "cannot be reached");
    check("a broker that is away");
    post.see(Fleet::default());
    visit.says("main", "Nobody is there");
    check("nobody");
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn the_theme_follows_the_system_until_the_user_chooses() {
    let visit = Visit::new();
    let dark = json!({"features": [{"name": "prefers-color-scheme", "value": "dark"}]});
    visit.tool("Emulation.setEmulatedMedia", dark);
    visit.open("/");
    assert_eq!(visit.ask("document.documentElement.dataset.theme"), "dark");
    visit.click("[data-action=theme]");
    assert_eq!(visit.ask("document.documentElement.dataset.theme"), "light");
    visit.open("/records");
    assert_eq!(visit.ask("document.documentElement.dataset.theme"), "light", "it is remembered");
}
