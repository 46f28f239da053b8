//! How much is loaded, and how soon a move is shown.

use serde_json::Value;

use crate::harness::Visit;
use crate::page::PERSON;

/// The size limit of the home page with everything it needs, uncompressed.
const MOST_BYTES: u64 = 150_000;
/// How many moves are measured.
const MOVES: usize = 24;
/// The median of a healthy page is a few frames; a busy machine may need far longer.
const LONGEST_MS: f64 = 1000.0;

#[test]
fn the_home_page_is_small() {
    let visit = Visit::new();
    visit.open("/");
    visit.arrive("home");
    visit.wait(
        "all is loaded",
        "document.readyState === 'complete' && document.fonts.status === 'loaded'",
    );
    let loaded = visit.ask(
        "[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
            .map((entry) => [entry.decodedBodySize, new URL(entry.name).pathname])",
    );
    let loaded: Vec<(u64, String)> = serde_json::from_value(loaded).expect("sizes and names");
    let total: u64 = loaded.iter().map(|(bytes, _)| bytes).sum();
    let mut largest = loaded.clone();
    largest.sort_by(|a, b| b.cmp(a));
    largest.truncate(6);
    println!("the home page: {total} bytes in {} files; the largest: {largest:?}", loaded.len());
    assert!(loaded.iter().any(|(_, name)| name == "/api/catalog"), "the answers are counted, too");
    assert!(total < MOST_BYTES, "{total} bytes: {loaded:#?}");
}

/// Measures each click that makes a move: from the event to the first frame in which a piece has
/// moved.
const WATCH: &str = "
(() => {
    window.delays = [];
    const pieces = () => [...document.querySelectorAll('[data-board=live] .piece')].map((piece) => {
        const {x, y, width, height} = piece.getBoundingClientRect();
        return [Math.round(x + width / 2), Math.round(y + height / 2)].join();
    }).sort().join(' ');
    let old = '';
    document.addEventListener('pointerdown', () => { old = pieces(); }, true);
    document.addEventListener('click', (event) => {
        const look = () => {
            const delay = performance.now() - event.timeStamp;
            if (pieces() !== old) delays.push(delay);
            else if (delay < 5000) requestAnimationFrame(look);
        };
        if (event.target.closest('.can-go')) requestAnimationFrame(look);
    }, true);
})()";

#[test]
fn a_move_is_shown_at_once() {
    let visit = Visit::with_motion();
    visit.sit_down("breakthrough:8x8", None, &[PERSON, PERSON]);
    visit.ready();
    visit.ask(WATCH);
    for ply in 0..MOVES {
        visit.cell(&visit.starts()[ply % visit.starts().len()]);
        visit.cell(&visit.targets()[0]);
        visit.at_ply(ply + 1);
    }
    visit.wait("all are measured", &format!("delays.length === {MOVES}"));
    let mut delays: Vec<f64> =
        visit.ask("delays").as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
    delays.sort_by(f64::total_cmp);
    let (median, worst) = (delays[MOVES / 2], delays[MOVES - 1]);
    println!(
        "from the click to the move on the screen: median {median:.1} ms, worst {worst:.1} ms"
    );
    assert!(median < LONGEST_MS, "{delays:?}");
}
