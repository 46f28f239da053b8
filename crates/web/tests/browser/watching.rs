//! Watching games without people, and replaying finished ones.

use std::path::Path;

use agon_arena::store::{Entrant, NewSeries, SeriesKind, Store};
use thirtyfour::Key;

use crate::common::records::random_game;
use crate::driver::Setup;
use crate::harness::Visit;

/// Stores some games of a match before the server starts.
pub fn store_games(folder: &Path) {
    let store = Store::open(folder).expect("a store");
    let entrant = |name: &str| Entrant { name: name.into(), agent: "random".into() };
    let series = NewSeries {
        kind: SeriesKind::Match,
        name: None,
        plan: "{}".into(),
        seed: 1,
        entrants: vec![entrant("Chance"), entrant("<b>Luck</b>")],
    };
    let series = store.begin_series(&series).expect("a series");
    for number in 0..30 {
        let variant = if number % 2 == 0 { "breakthrough:5x5" } else { "wumpus:3" };
        store.put(series, &random_game(number, variant)).expect("a stored game");
    }
}

#[test]
fn agents_are_watched() {
    let visit = Visit::new();
    visit.open("/watch");
    visit.click("label:has(input[value=congo])");
    for seat in 0..2 {
        visit.click(&format!("[data-seat='{seat}'] input[value=text]"));
        visit.fill(&format!("[data-seat='{seat}'] [data-field=agent]"), "random");
    }
    visit.click("[data-action=start]");
    visit.arrive("game");
    visit.until("moves are made", || (visit.ply() >= 2).then_some(()));
    visit.click("[data-action=pause]");
    visit.says("[data-action=pause]", "Resume");
    visit.says("[data-status]", "Paused");
    // A move in progress may still arrive; after that, a step is exactly one more move.
    let id = visit.ask("location.pathname.split('/').pop()");
    let id = id.as_str().unwrap_or_default();
    let ply = || visit.truth(id)["position"]["ply"].as_u64().unwrap_or_default() as usize;
    let paused = ply();
    visit.until("the page has caught up", || (visit.ply() == paused).then_some(()));
    for step in 1..=2 {
        visit.click("[data-action=step]");
        visit.until("a step", || (visit.ply() == paused + step).then_some(()));
        assert_eq!(ply(), paused + step);
    }
    visit.click("[data-field=speed]");
    visit.press(Key::End);
    visit.until("the speed is set", || (visit.truth(id)["watch"]["delay_ms"] == 100).then_some(()));
    visit.click("[data-action=pause]");
    visit.until("it resumes quickly", || (visit.ply() > paused + 6).then_some(()));
    visit.click("[data-action=pause]");
    visit.open("/");
    visit.wait("it is listed", "document.querySelector('[data-list=watched] [data-game]')");
}

#[test]
fn a_stored_game_is_replayed() {
    let visit = Visit::with(Setup::default(), store_games);
    visit.open("/records");
    visit.wait("the newest", "document.querySelectorAll('[data-record]').length === 25");
    visit.click("[data-action=older]");
    visit.wait("the oldest", "document.querySelectorAll('[data-record]').length === 5");
    visit.choose("[data-field=variant]", "breakthrough:5x5");
    visit.wait("one variant", "document.querySelectorAll('[data-record]').length === 15");
    visit.click("[data-record='1.0'] a");
    visit.arrive("replay");
    assert!(visit.text("main").contains("<b>Luck</b>"), "names are shown as text");
    let end = visit.count("[data-moves] [data-ply]");
    assert!(end > 8, "{end} moves");
    visit.says("[data-status=replay]", "The start");
    visit.click("[data-action=last]");
    visit.says("[data-status=replay]", &format!("Move {end} of {end}"));
    assert_eq!(visit.ask("document.querySelector('[data-action=forward]').disabled"), true);
    visit.click("[data-action=back]");
    visit.says("[data-status=replay]", &format!("Move {} of", end - 1));
    visit.click("[data-action=first]");
    visit.says("[data-status=replay]", "The start");
    visit.click("[data-field=speed]");
    visit.press(Key::End);
    visit.click("[data-action=play]");
    visit.says("[data-status=replay]", &format!("Move {end} of {end}"));
    visit.click("[data-moves] [data-ply='3']");
    visit.says("[data-status=replay]", "Move 3 of");
    assert!(visit.text("[data-result]").len() > 5);
}
