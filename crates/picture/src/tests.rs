//! The picture is well-formed in every game, and made of the shapes and colours of the pages.

use std::collections::BTreeSet;

use super::*;
use crate::{board, colours, shapes};

const PIECES: &str = include_str!("../../web/client/board/pieces.js");
const BOARD: &str = include_str!("../../web/client/board/draw.js");
const STYLE: &str = include_str!("../../web/client/board/board.css");

fn drawn(variant: &str, moves: usize) -> String {
    let mut table = agon_games::open(&variant.parse().unwrap()).unwrap();
    for _ in 0..moves {
        let mv = table.moves().remove(0);
        table.play(&mv).unwrap();
    }
    let seats: Vec<&str> =
        agon_core::Seat::all(table.seats()).map(|seat| table.seat_name(seat)).collect();
    svg(&table.scene(), &seats, table.last().map(|last| last.trace))
}

#[test]
fn every_variant_is_drawn_with_all_that_is_opened_closed() {
    for game in agon_games::GAMES {
        for variant in game.variants {
            for moves in [0, 3] {
                let svg = drawn(variant.text, moves);
                let mut open = Vec::new();
                for tag in svg.split('<').skip(1) {
                    let name: String =
                        tag.chars().take_while(|c| c.is_alphanumeric() || *c == '/').collect();
                    match name.strip_prefix('/') {
                        Some(name) => assert_eq!(open.pop().as_deref(), Some(name)),
                        None if tag.contains("/>") => {}
                        None => open.push(name),
                    }
                }
                assert!(open.is_empty(), "{}: {open:?}", variant.text);
                assert!(!svg.contains("NaN") && !svg.contains("inf"), "{}", variant.text);
            }
        }
    }
}

#[test]
fn the_first_seat_sits_at_the_bottom_and_the_others_can() {
    for game in agon_games::GAMES {
        for variant in game.variants {
            let table = agon_games::open(&variant.text.parse().unwrap()).unwrap();
            let scene = table.scene();
            let turns: Vec<usize> = agon_core::Seat::all(table.seats())
                .map(|seat| scene.turns_to_front(seat) * 360 / scene.shape.full_circle())
                .collect();
            let expected: &[usize] = match (scene.shape, table.seats()) {
                (CellShape::Hole, _) => &[0, 0],
                (_, 2) => &[0, 180],
                _ => &[0, 120, 240],
            };
            assert_eq!(turns, expected, "{}", variant.text);
        }
    }
}

#[test]
fn the_last_move_is_marked() {
    assert!(!drawn("congo", 0).contains(colours::LAST));
    assert!(drawn("congo", 1).contains(colours::LAST));
    assert!(!drawn("connect4", 0).contains(colours::RING));
    assert_eq!(drawn("connect4", 1).matches(colours::RING).count(), 1, "a disc that was placed");
}

#[test]
fn an_upright_plate_stands_before_the_pieces() {
    let svg = drawn("connect4:5x4", 1);
    let disc = svg.rfind("<g transform").unwrap();
    assert!(disc < svg.find(colours::PANEL).unwrap(), "{svg}");
}

/// The paths in a script: quoted strings that start like one.
fn paths(script: &str) -> BTreeSet<&str> {
    let is_path = |text: &&str| {
        let mut letters = text.chars();
        letters.next() == Some('M')
            && letters.next().is_some_and(|c| c == '-' || c.is_ascii_digit())
    };
    script.split('"').filter(is_path).collect()
}

#[test]
fn pieces_have_the_shapes_of_the_pages() {
    let mut ours: BTreeSet<&str> = shapes::PICTURES
        .iter()
        .flat_map(|(_, picture)| picture.iter().map(|(_, d)| *d))
        .chain(shapes::SIDE_MARKS.map(|(_, d)| d))
        .chain([shapes::CROWN, shapes::SHINE])
        .collect();
    // Stars and the mane are computed there.
    ours.retain(|d| !d.contains('A') && !d.contains('L'));
    assert_eq!(paths(PIECES), ours);
    for (name, _) in shapes::PICTURES {
        assert!(PIECES.contains(&format!("\n  {name}: [")), "{name}");
    }
    for shape in [board::WAVE, board::FLAG, board::STONE, board::STONE_LIGHT, board::STONE_DARK] {
        assert!(BOARD.contains(shape), "{shape}");
    }
}

#[test]
fn colours_are_those_of_the_pages_by_day() {
    for tone in colours::TONES {
        let colours::Tone { name, body, side, edge, ink, area } = tone;
        let rule = format!(
            ".tone-{name} {{ --body: {body}; --side: {side}; --edge: {edge}; --ink: {ink}; \
             --area: {area}; }}"
        );
        assert!(STYLE.contains(&rule), "{rule}");
    }
    let day = &STYLE[..STYLE.find("[data-theme").unwrap()];
    for (name, colour) in [
        ("frame", colours::FRAME),
        ("name", colours::NAME),
        ("light", colours::LIGHT),
        ("dark", colours::DARK),
        ("line", colours::LINE),
        ("plate", colours::PLATE),
        ("plate-edge", colours::FRAME),
        ("hole", colours::HOLE),
        ("hole-edge", colours::HOLE_EDGE),
        ("water", colours::WATER),
        ("wave", colours::WAVE),
        ("bank", colours::BANK),
        ("stone", colours::STONE),
        ("stone-light", colours::STONE_LIGHT),
        ("stone-dark", colours::STONE_DARK),
        ("wall", colours::WALL),
        ("wall-joint", colours::WALL_JOINT),
        ("panel", colours::PANEL),
        ("panel-rim", colours::PANEL_RIM),
        ("panel-shine", colours::PANEL_SHINE),
        ("panel-name", colours::PANEL_NAME),
        ("well", colours::WELL),
        ("ring", colours::RING),
        ("shade", colours::SHADE),
        ("last", colours::LAST),
    ] {
        assert!(day.contains(&format!("--board-{name}: {colour};")), "{name}");
    }
    for colour in [colours::PIT_WALL, colours::PIT_DARK, colours::PIT_DEEP, colours::CROWN] {
        assert!(STYLE.contains(colour), "{colour}");
    }
}
