//! Filtering records, downloading them, and replaying a game with a fault.

use serde_json::json;

use crate::common::records::{EVIDENCE, TOURNAMENT, store_tournament};
use crate::driver::Setup;
use crate::harness::Visit;

fn found(visit: &Visit, games: u64) {
    let look = format!("document.querySelector('[data-found=\"{games}\"]')");
    visit.wait(&format!("{games} games"), &look);
}

#[test]
fn records_are_filtered_and_downloaded() {
    let visit = Visit::with(Setup::default(), store_tournament);
    visit.open("/records");
    found(&visit, 8);
    let options = "[...document.querySelectorAll('[data-field=variant] option')].map(o => o.text)";
    assert_eq!(visit.ask(options), json!(["All games", "breakthrough:5x5 (6)", "wumpus:3 (2)"]));
    visit.choose("[data-field=series]", &format!("tournament:{TOURNAMENT}"));
    found(&visit, 6);
    visit.choose("[data-field=fault]", "any");
    found(&visit, 1);
    assert!(visit.ask("location.search").as_str().unwrap_or_default().contains("fault=any"));
    // The address alone is enough.
    let address = visit.ask("location.pathname + location.search");
    visit.open(address.as_str().unwrap_or_default());
    found(&visit, 1);
    assert_eq!(visit.ask("document.querySelector('[data-field=fault]').value"), "any");
    let saved = "fetch(document.querySelector('[data-export=pgn]').href).then(r => r.text()).then(t => { window.saved = t; })";
    visit.ask(&format!("{saved}, true"));
    let text = visit.wait("the download", "window.saved");
    assert!(text.as_str().unwrap_or_default().starts_with("[Event \"spring/1 <b>\"]"), "{text}");
    visit.click("[data-action=clear]");
    found(&visit, 8);
    visit.fill("[data-field=agent]", "greedy\n");
    found(&visit, 2);
    visit.open("/records?since=2100-01-01");
    found(&visit, 0);
    visit.says("main", "No stored game matches");
}

#[test]
fn a_replay_shows_every_number_and_the_evidence() {
    let visit = Visit::with(Setup::default(), store_tournament);
    visit.open("/replay/1.3");
    visit.arrive("replay");
    assert_eq!(visit.text("[data-evidence]"), EVIDENCE, "as text, with its lines");
    assert_eq!(visit.text("[data-agent='0']"), "engine:level=3");
    let heads = "[...document.querySelectorAll('.move-table th')].map(th => th.textContent)";
    let columns = ["Ply", "Seat", "Move", "Time", "Clock left", "Nodes", "Depth", "Score"];
    assert_eq!(visit.ask(heads), json!(columns));
    let cells =
        "[...document.querySelectorAll('[data-move=\"2\"] td')].slice(3).map(td => td.textContent)";
    assert_eq!(visit.ask(cells), json!(["300 ms", "0:09.8", "1,234", "2", "-0.40"]));
    visit.wait("both curves", "document.querySelectorAll('.score-curve .line').length === 2");
    visit.click("[data-move='2'] button");
    visit.says("[data-status=replay]", "Move 2 of");
    visit.wait("the row is marked", "document.querySelector('[data-move=\"2\"][aria-current]')");
    let link = visit.ask("document.querySelector('[data-link=tournament]').getAttribute('href')");
    assert_eq!(link, "/tournaments/spring%2F1%20%3Cb%3E");
    visit.click("[data-action=next-game]");
    visit.says(".table-head", "game 1.4");
    assert_eq!(visit.count("[data-fault]"), 0);
    visit.click("[data-action=previous-game]");
    visit.says(".table-head", "game 1.3");
}

#[test]
fn records_fit_on_a_phone() {
    let setup = Setup { phone: true, ..Setup::default() };
    let visit = Visit::with(setup, store_tournament);
    for page in ["/records", "/replay/1.3"] {
        visit.open(page);
        let wide = "document.documentElement.scrollWidth > innerWidth";
        visit.wait("the page", "document.querySelector('h1')");
        assert_eq!(visit.ask(wide), false, "{page}");
    }
}
