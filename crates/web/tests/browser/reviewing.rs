//! Reviewing a finished game, and learning from its mistakes.

use std::path::Path;
use std::time::Duration;

use agon_arena::store::{Entrant, NewSeries, SeriesId, SeriesKind, Store, StoredGame};
use agon_core::{PerSeat, Rng, Seat};
use agon_games::{GAMES, Table};
use serde_json::json;
use thirtyfour::Key;

use crate::driver::Setup;
use crate::harness::Visit;

/// How many moves the reviewed games have: enough for parts, few enough for a test.
const MOVES: usize = 12;
/// Each side wins with its next move.
const RACE: &str = "5/1P3/5/3p1/P1P2 w";

const CURVE: &str = "[data-curve=review]";

/// Variants of every game, one of them for three players.
fn variants() -> Vec<&'static str> {
    let mut variants: Vec<&str> = GAMES.iter().map(|game| game.variants[0].text).collect();
    if !variants.contains(&"fauhalma:star3") {
        variants.push("fauhalma:star3");
    }
    variants
}

/// The first random moves of a game.
fn beginning(variant: &str) -> Box<dyn Table> {
    let mut table = agon_games::open(&variant.parse().expect("a variant")).expect("a game");
    let mut rng = Rng::new(7);
    while let Some(mv) = table.random_move(&mut rng).filter(|_| table.played().len() < MOVES) {
        table.play(&mv).expect("a legal move");
    }
    table
}

/// What is stored of a game.
fn stored(number: u64, table: &dyn Table, start: Option<&str>) -> StoredGame {
    let (plies, seats) = (table.played().len(), table.seats());
    let mover = |at| table.mover(at).unwrap_or(Seat::FIRST);
    let points = table.outcome().map_or_else(|| PerSeat::filled(seats, 50u8), |it| it.points());
    StoredGame {
        number,
        round: number as u32,
        pairing: 0,
        leg: 0,
        variant: table.variant().to_string(),
        pace: "no limit".into(),
        seats: PerSeat::from_slice(&(0..seats as u32).collect::<Vec<_>>()),
        start: start.map(String::from),
        opening: String::new(),
        moves: table.played().join(" "),
        movers: (0..plies).map(mover).collect(),
        times: vec![Duration::from_millis(1); plies],
        nodes: vec![0; plies],
        latencies: vec![Duration::ZERO; plies],
        depths: vec![0; plies],
        scores: vec![None; plies],
        points,
        reason: "the end".into(),
        end: "board".into(),
        offender: None,
        evidence: None,
        signature: number,
        finished_at: 1_700_000_000_000,
        rated: true,
        disturbed: false,
        resources: None,
        played_by: None,
    }
}

fn series(store: &Store) -> SeriesId {
    let entrant = |name: &str| Entrant { name: name.into(), agent: "random".into() };
    let series = NewSeries {
        kind: SeriesKind::Match,
        name: None,
        plan: "{}".into(),
        seed: 1,
        entrants: ["Ann", "Ben", "Cleo"].map(entrant).to_vec(),
    };
    store.begin_series(&series).expect("a series")
}

/// The beginnings of all games, and at last a race with a blunder.
fn store_games(folder: &Path) {
    let store = Store::open(folder).expect("a store");
    let series = series(&store);
    for (number, variant) in variants().into_iter().enumerate() {
        let game = stored(number as u64, &*beginning(variant), None);
        store.put(series, &game).expect("a stored game");
    }
    let variant = "breakthrough:5x5".parse().expect("a variant");
    let race = agon_games::open_at(&variant, Some(RACE), &["a1a2", "d2d1"]).expect("a game");
    let game = stored(variants().len() as u64, &*race, Some(RACE));
    store.put(series, &game).expect("a stored game");
}

fn visit() -> Visit {
    Visit::with(Setup::default(), store_games)
}

/// Opens a stored game.
fn open(visit: &Visit, number: usize) {
    visit.open(&format!("/analyse?record=1.{number}"));
    visit.arrive("analysis");
}

/// Begins a quick review and waits for it.
fn review(visit: &Visit) {
    visit.click("[data-part=review] label:has(input[value='20000'])");
    visit.click("[data-action=review]");
    finished(visit);
}

fn finished(visit: &Visit) {
    visit.wait("the review", &format!("document.querySelector('{CURVE} svg')"));
}

/// Waits until the curve marks this ply.
fn at(visit: &Visit, ply: usize) {
    let here = format!("document.querySelector('{CURVE}').ariaValueNow === '{ply}'");
    visit.wait(&format!("ply {ply}"), &here);
}

#[test]
fn every_game_is_reviewed_and_its_curve_leads_through_it() {
    let visit = visit();
    for (number, variant) in variants().into_iter().enumerate() {
        let table = beginning(variant);
        let (plies, seats) = (table.played().len(), table.seats());
        open(&visit, number);
        review(&visit);
        let last = visit.ask(&format!("document.querySelector('{CURVE}').ariaValueMax"));
        assert_eq!(last, json!(plies.to_string()), "{variant}");
        let accuracies =
            "[...document.querySelectorAll('[data-accuracy]')].map((it) => it.textContent)";
        let accuracies = visit.ask(accuracies);
        let texts: Vec<&str> =
            accuracies.as_array().into_iter().flatten().filter_map(|it| it.as_str()).collect();
        assert!(
            texts.len() == seats && texts.iter().all(|it| it.ends_with('%')),
            "{variant} {texts:?}"
        );
        let lines = visit.count(&format!("{CURVE} .line"));
        assert_eq!(lines, if seats == 2 { 0 } else { seats }, "{variant}");
        visit.click(CURVE);
        visit.press(Key::End);
        at(&visit, plies);
        visit.press(Key::Left);
        visit.press(Key::Left);
        at(&visit, plies - 2);
        let words = visit.ask(&format!("document.querySelector('{CURVE}').ariaValueText"));
        let start = format!("Move {}, ", plies - 2);
        assert!(words.as_str().is_some_and(|it| it.starts_with(&start)), "{variant} {words}");
        visit.press(Key::Home);
        at(&visit, 0);
        visit.says("[data-readout]", "The start");
    }
}

#[test]
fn one_learns_from_a_blunder() {
    let visit = visit();
    open(&visit, variants().len());
    review(&visit);
    let enter = |from: &str, to: &str| {
        visit.click(&format!("[data-board=analysis] .can-start[data-cell={from}]"));
        visit.click(&format!("[data-board=analysis] .can-go[data-cell={to}]"));
    };
    visit.says("[data-turn='1']", "??");
    assert_eq!(visit.text("[data-seat='0'][data-judgement=blunder]"), "1 blunder");
    visit.click("[data-seat='0'][data-judgement=blunder]");
    at(&visit, 1);
    let moved = "[data-board=analysis] [data-cell=a2][aria-label*=pawn]";
    visit.wait("the blunder", &format!("document.querySelector('{moved}')"));
    visit.click("[data-action=learn][data-learner='0']");
    visit.gone(moved);
    visit.says("[data-learn=task]", "White played a1a2?? here");
    assert_eq!(visit.count(CURVE), 0, "it has the answer");
    // And so has the tree.
    let answer = "document.querySelector('[data-tree] [data-move=b4b5]').checkVisibility()";
    assert_eq!(visit.ask(answer), false);
    enter("c1", "c2");
    visit.says("[data-learn=wrong]", "c1c2 leaves");
    visit.click("[data-action=learn-retry]");
    enter("a1", "a2");
    visit.says("[data-learn=wrong]", "the move that was played");
    visit.click("[data-action=learn-retry]");
    enter("b4", "b5");
    visit.says("[data-learn=right]", "Right!");
    visit.click("[data-action=learn-next]");
    visit.says("[data-learn=over]", "0 of 1 found at once, 1 after another try");
    visit.click("[data-action=learn-again]");
    visit.click("[data-action=learn-solution]");
    visit.says("[data-learn=shown]", "The best move is b4");
    assert_eq!(visit.ask(answer), true);
    visit.click("[data-action=learn-next]");
    visit.says("[data-learn=over]", "1 shown");
    visit.click("[data-action=learn-end]");
    finished(&visit);
    at(&visit, 1);
}

#[test]
fn a_review_is_found_again_after_a_reload_and_can_be_cancelled() {
    let visit = visit();
    open(&visit, 0);
    review(&visit);
    visit.runtime.block_on(visit.driver.refresh()).expect("a reload");
    finished(&visit);
    let congo = variants().iter().position(|it| it.starts_with("congo")).expect("congo");
    open(&visit, congo);
    visit.click("[data-part=review] label:has(input[value='500000'])");
    visit.click("[data-action=review]");
    visit.says("[data-status=review]", &format!("of {} positions", MOVES + 1));
    visit.runtime.block_on(visit.driver.refresh()).expect("a reload");
    visit.says("[data-status=review]", "positions");
    visit.click("[data-action=review-cancel]");
    visit.wait("the form", "document.querySelector('[data-action=review]')");
    visit.runtime.block_on(visit.driver.refresh()).expect("a reload");
    visit.wait("the form again", "document.querySelector('[data-action=review]')");
}

#[test]
fn a_game_goes_on_from_a_turning_point() {
    let visit = visit();
    open(&visit, variants().len());
    review(&visit);
    visit.click("[data-turn='1']");
    at(&visit, 1);
    visit.click("[data-action=try-again]");
    visit.wait("a game", "location.pathname.startsWith('/play/')");
}
