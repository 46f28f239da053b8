//! FAUhalma's own tests; the rest is in the battery.

mod evaluation;
mod rules;
mod texts;
mod vectors;

use std::collections::HashMap;

use agon_core::{Game, Hints, Notation, Perft, Rng, Seat};
use serde_json::{Value, json};

use super::board::{RHOMBUS, STAR, space};
use super::{Fauhalma, Move, naive};
use crate::battery::{Naive, Subject, Symmetry};
use crate::{Family as _, Table, open};

const A: Seat = Seat::FIRST;
const B: Seat = Seat::SECOND;
const C: Seat = Seat::THIRD;

fn table(variant: &str) -> Box<dyn Table> {
    open(&variant.parse().unwrap()).unwrap()
}

fn star3() -> Fauhalma<3> {
    Fauhalma::start(&STAR, 300)
}

fn star2() -> Fauhalma<2> {
    Fauhalma::start(&STAR, 300)
}

fn rhombus2() -> Fauhalma<2> {
    Fauhalma::start(&RHOMBUS, 300)
}

fn twin(variant: &str, position: &str) -> Box<dyn Naive> {
    let (_, setup) = variant.split_once(':').unwrap();
    Box::new(naive::Fauhalma::open(setup, Some(position)))
}

fn without_counters(position: &str) -> String {
    match position.split_once(",\"moves\":") {
        Some((rest, _)) => format!("{rest}}}"),
        None => position.to_string(),
    }
}

type MapSpace = fn(i64, i64) -> (i64, i64);

/// Applies a map to every pair of numbers in a JSON text.
fn map_spaces(value: &Value, map: MapSpace) -> Value {
    let list = value.as_array().unwrap();
    match list.iter().map(Value::as_i64).collect::<Option<Vec<i64>>>().as_deref() {
        Some(&[x, y]) => {
            let (x, y) = map(x, y);
            json!([x, y])
        }
        _ => list.iter().map(|item| map_spaces(item, map)).collect(),
    }
}

fn map_move(mv: &str, map: MapSpace) -> String {
    map_spaces(&serde_json::from_str(mv).unwrap(), map).to_string()
}

/// The position with every space mapped and the seats renamed: `names[i]` is the new name of the
/// seat with number i. Each player's moves go with it.
fn map_position(position: &str, map: MapSpace, names: &[&str]) -> String {
    let old: Value = serde_json::from_str(position).unwrap();
    let number = |name: &str| ["A", "B", "C"].iter().position(|&n| n == name).unwrap();
    let rename = |name: &Value| json!(names[number(name.as_str().unwrap())]);
    let mut new = serde_json::Map::new();
    for (field, value) in old.as_object().unwrap() {
        match field.as_str() {
            "turn" => new.insert(field.clone(), rename(value)),
            "out" | "finished" => {
                new.insert(field.clone(), value.as_array().unwrap().iter().map(rename).collect())
            }
            "moves" if value.is_array() => {
                let mut each = vec![Value::Null; names.len()];
                for (seat, count) in value.as_array().unwrap().iter().enumerate() {
                    each[number(names[seat])] = count.clone();
                }
                new.insert(field.clone(), Value::Array(each))
            }
            "moves" => new.insert(field.clone(), value.clone()),
            name => new.insert(names[number(name)].to_string(), map_spaces(value, map)),
        };
    }
    Value::Object(new).to_string()
}

fn turned(x: i64, y: i64) -> (i64, i64) {
    (-x - y, x)
}

fn mirrored(x: i64, y: i64) -> (i64, i64) {
    (-x - y, y)
}

fn opposite(x: i64, y: i64) -> (i64, i64) {
    (-x, -y)
}

const FOR_THREE: &[Symmetry] = &[
    Symmetry {
        name: "turned",
        position: |text| map_position(text, turned, &["B", "C", "A"]),
        mv: |mv| map_move(mv, turned),
        keeps_values: true,
    },
    Symmetry {
        name: "mirror",
        position: |text| map_position(text, mirrored, &["A", "C", "B"]),
        mv: |mv| map_move(mv, mirrored),
        keeps_values: true,
    },
];

const FOR_TWO: &[Symmetry] = &[
    Symmetry {
        name: "sides swapped",
        position: |text| map_position(text, opposite, &["B", "A"]),
        mv: |mv| map_move(mv, opposite),
        keeps_values: true,
    },
    Symmetry {
        name: "mirror",
        position: |text| map_position(text, mirrored, &["A", "B"]),
        mv: |mv| map_move(mv, mirrored),
        keeps_values: true,
    },
];

fn check(variant: &'static str, positions: Vec<String>, budget: usize) {
    let symmetries = if variant.contains('3') { FOR_THREE } else { FOR_TWO };
    Subject { variant, positions, twin, without_counters, symmetries, longest: 900, budget }
        .check();
}

#[test]
fn whole_games_agree_with_the_twin() {
    check("fauhalma:star3", Vec::new(), 900);
    check("fauhalma:star2", Vec::new(), 600);
    check("fauhalma:rhombus2", Vec::new(), 600);
}

/// From the middle and the end of games, with little time left.
#[test]
fn short_games_agree_with_the_twin() {
    check("fauhalma:star3,limit=9", vectors::positions("star3"), 1200);
    check("fauhalma:star2,limit=7", vectors::positions("star2"), 700);
    check("fauhalma:rhombus2,limit=8", vectors::positions("rhombus2"), 700);
}

#[test]
fn players_running_out_of_moves_agree_with_the_twin() {
    check("fauhalma:star3,limit=12", rules::nearly_stuck(), 1200);
}

/// How far a move brings its peg towards the far end of the mover's home.
fn gain<const SEATS: usize>(position: &Fauhalma<SEATS>, mv: Move) -> i32 {
    let mover = position.to_move().unwrap();
    let distance = |square| {
        let at = space(square);
        let (dx, dy) = (i32::from(at.x) + 3, i32::from(at.y) - 6);
        dx.abs().max(dy.abs()).max((dx + dy).abs())
    };
    let seen = Fauhalma::<SEATS>::move_seen_by(mover, mv);
    distance(seen.from) - distance(seen.to)
}

/// What happened in some games.
#[derive(Default, Debug)]
struct Events {
    swaps: u32,
    wins: u32,
    second_places: u32,
    limits: u32,
}

/// Plays games of players who mostly run home and compares every position with the twin.
fn race<const SEATS: usize>(variant: &str, start: Fauhalma<SEATS>, games: u64) -> Events {
    let mut events = Events::default();
    for seed in 0..games {
        let mut rng = Rng::new(seed);
        let mut position = start;
        let mut twin = twin(variant, &start.position_text());
        while position.to_move().is_some() {
            let moves = position.moves();
            let mut named: Vec<String> = moves.iter().map(|&mv| position.move_text(mv)).collect();
            let best = moves.iter().map(|&mv| gain(&position, mv)).max().unwrap();
            let wanted = if rng.below(4) == 0 { -1 - rng.below(3) as i32 } else { best };
            let fitting: Vec<Move> =
                moves.iter().copied().filter(|&mv| gain(&position, mv) >= wanted).collect();
            let mv = *rng.choose(&fitting).unwrap();
            named.sort();
            assert_eq!(named, twin.moves());
            twin.play(&position.move_text(mv));
            events.swaps += u32::from(position.occupied().contains(mv.to));
            position.play(mv);
            assert_eq!(position.position_text(), twin.position());
            assert_eq!(position, position.with_key());
        }
        let outcome = position.outcome().unwrap();
        assert_eq!(Some(outcome.points().as_slice().to_vec()), twin.outcome());
        events.wins += u32::from(position.home_order().count() > 0);
        events.second_places += u32::from(position.home_order().count() > 1);
        events.limits += u32::from(outcome.reason().text().contains("limit"));
    }
    events
}

#[test]
fn races_to_the_homes_agree_with_the_twin() {
    let three = race("fauhalma:star3,limit=30", Fauhalma::<3>::start(&STAR, 30), 40);
    assert!(three.swaps > 0 && three.wins > three.second_places, "{three:?}");
    assert!(three.second_places > 0 && three.limits > 0, "{three:?}");
    let two = race("fauhalma:star2,limit=80", Fauhalma::<2>::start(&STAR, 80), 30);
    assert!(two.swaps > 0 && two.wins > 0, "{two:?}");
    let rhombus = race("fauhalma:rhombus2,limit=80", Fauhalma::<2>::start(&RHOMBUS, 80), 30);
    assert!(rhombus.swaps > 0 && rhombus.wins > 0);
}

/// Random games and their mirror images, up to their ends.
#[test]
fn mirror_images_share_a_key_and_others_do_not() {
    for start in [star2(), rhombus2()] {
        let mut images: HashMap<u64, [String; 2]> = HashMap::new();
        for seed in 0..20 {
            let mut rng = Rng::new(seed);
            let (mut position, mut image) = (start, start);
            while let Some(&mv) = rng.choose(&position.moves()) {
                let mapped = map_move(&position.move_text(mv), mirrored);
                position.play(mv);
                image.play(image.read_move(&mapped).unwrap());
                assert_eq!(position.outcome(), image.outcome());
                assert_eq!(position.counters(), image.counters());
                let key = position.canonical_key();
                assert_eq!(key, image.canonical_key(), "{}", position.position_text());
                let mut texts = [position, image].map(|it| without_counters(&it.position_text()));
                texts.sort();
                assert_eq!(images.entry(key).or_insert_with(|| texts.clone()), &texts);
            }
        }
        assert!(images.len() > 1000, "{}", images.len());
    }
    // The first seat's home is mirrored onto itself, the others' onto each other.
    let mut position = star3();
    position.play(position.moves()[0]);
    assert_eq!(position.canonical_key(), position.key());
}

#[test]
fn known_move_counts_are_reached() {
    for case in super::Family::INFO.perft {
        let table = table(case.variant);
        for (depth, &expected) in (1..).zip(case.counts).filter(|(_, count)| **count < 130_000_000)
        {
            let counted: u64 =
                table.perft(&Perft::default(), depth, &|_, _| {}).iter().map(|(_, n)| n).sum();
            assert_eq!(counted, expected, "{} depth {depth}", case.variant);
        }
    }
}

#[test]
fn every_move_is_sampled_about_equally_often() {
    let texts = vectors::positions("star3");
    let middle = texts.iter().map(|text| star3().read_position(text).unwrap());
    let busiest = middle.max_by_key(Fauhalma::count_moves).unwrap();
    for position in [star3(), busiest] {
        let mut rng = Rng::new(1);
        let moves = position.moves();
        let mut counts = vec![0; moves.len()];
        for _ in 0..1000 * moves.len() {
            let mv = position.sample(&mut rng, &mut Default::default()).unwrap();
            counts[moves.iter().position(|&other| other == mv).unwrap()] += 1;
        }
        assert!(counts.iter().all(|count| (850..1150).contains(count)), "{counts:?}");
    }
}
