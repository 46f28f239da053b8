//! What is drawn, into a buffer instead of a terminal, and the effect of keys and clicks.

use agon_arena::clock::Pace;
use agon_arena::session::TableSession;
use agon_core::Seat;
use agon_core::scene::CellId;
use agon_games::open_at;
use clap::Parser;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::Position;
use ratatui::style::Color;

use super::super::agents::{Agent, Player};
use super::app::{App, Mode};
use super::*;
use crate::args::{Cli, Command};
use crate::data::Data;
use crate::draw::palette::{Light, PLATE};
use crate::registry::registry;

const VARIANTS: [&str; 10] = [
    "fenix",
    "breakthrough:8x8",
    "breakthrough:10x4",
    "congo",
    "wumpus:6",
    "wumpus:15",
    "fauhalma:star3",
    "fauhalma:rhombus2",
    "connect4",
    "connect4:9x8",
];

/// A game between people, on the screen.
fn app(variant: &str, position: Option<&str>, coloured: bool) -> App {
    App::new(game(variant, position, |_| "human"), coloured)
}

/// A game with these players, by seat.
fn game(variant: &str, position: Option<&str>, who: fn(Seat) -> &'static str) -> Game {
    let table = open_at::<&str>(&variant.parse().unwrap(), position, &[]).unwrap();
    let command = Cli::parse_from(["agon", "play", variant]).command;
    let Some(Command::Play(args)) = command else { panic!("not agon play") };
    let data = Data::new(None, false);
    let adviser = Agent::for_hints(&args, &data, &*table).unwrap();
    let registry = registry(&args.programs, &data);
    let player = |seat| Player::new(who(seat), &*table, Pace::default(), 0, &registry).unwrap();
    let players = Seat::all(table.seats()).map(player).collect();
    let session = TableSession::at_table(table, Pace::default());
    Game { session, players, adviser, save_to: None }
}

fn drawn(app: &mut App, width: u16, height: u16) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| view::draw(app, frame)).unwrap();
    terminal.backend().buffer().clone()
}

fn text(buffer: &Buffer) -> String {
    let row = |y: u16| -> String {
        (0..buffer.area.width).map(|x| buffer[(x, y)].symbol().to_string()).collect()
    };
    (0..buffer.area.height).map(|y| row(y) + "\n").collect()
}

fn cell(app: &App, name: &str) -> CellId {
    app.entry.scene().cells.iter().position(|cell| cell.name == name).unwrap()
}

/// Where the letter of a cell is.
fn letter_place(app: &App, cell: CellId) -> Position {
    let (corner, plan) = app.drawn.board.as_ref().unwrap();
    let area = plan.area(cell).unwrap();
    let row = plan::letter_row(area.height);
    Position::new(corner.x + area.x + (area.width - 1) / 2, corner.y + area.y + row)
}

fn press(app: &mut App, code: KeyCode) {
    app.handle(&Event::Key(code.into())).unwrap();
}

fn mouse(app: &mut App, kind: MouseEventKind, name: &str) {
    let place = letter_place(app, cell(app, name));
    let (column, row) = (place.x, place.y);
    let event = MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE };
    app.handle(&Event::Mouse(event)).unwrap();
}

fn click(app: &mut App, name: &str) {
    mouse(app, MouseEventKind::Down(MouseButton::Left), name);
    mouse(app, MouseEventKind::Up(MouseButton::Left), name);
}

#[test]
fn every_piece_stands_on_its_cell_in_every_window_and_from_every_side() {
    for variant in VARIANTS {
        for (width, height) in [(80, 24), (120, 40), (200, 70)] {
            for coloured in [true, false] {
                let mut app = app(variant, None, coloured);
                for _ in 0..app.entry.scene().shape.full_circle() {
                    let buffer = drawn(&mut app, width, height);
                    assert!(app.drawn.board.is_some(), "{variant}: {}", text(&buffer));
                    for piece in &app.entry.scene().pieces {
                        let at = letter_place(&app, piece.cell);
                        let found = buffer[at].symbol();
                        assert_eq!(found, piece.letter.to_string(), "{variant} {width}: {at:?}");
                    }
                    app.turn_board();
                }
            }
        }
    }
}

#[test]
fn owners_and_regions_have_their_colours() {
    let mut app = app("congo", None, true);
    let buffer = drawn(&mut app, 120, 40);
    for (name, seat) in [("d1", Seat::FIRST), ("d7", Seat::SECOND)] {
        let at = letter_place(&app, cell(&app, name));
        let man = Color::Indexed(app.colours.man_and_ink(seat).0);
        assert_eq!(buffer[at].bg, man, "{name}");
    }
    let ground = |name: &str| buffer[letter_place(&app, cell(&app, name))].bg;
    assert_eq!(ground("a4"), ground("c4"), "the river");
    assert!(ground("a4") != ground("a3") && ground("d3") != ground("b3"), "river and castle");
}

#[test]
fn no_two_cells_share_a_character_and_every_one_can_be_clicked() {
    for variant in VARIANTS {
        let mut app = app(variant, None, true);
        drawn(&mut app, 100, 30);
        let (_, plan) = app.drawn.board.as_ref().unwrap();
        for id in 0..app.entry.scene().cells.len() {
            let area = plan.area(id).unwrap();
            for place in area.positions() {
                assert_eq!(plan.cell_at(place), Some(id), "{variant}");
            }
        }
    }
}

#[test]
fn stacks_show_their_height() {
    let position = "K6k/8/3g4/3S4/8/8/Ss1s4 30 0 w 00";
    for coloured in [true, false] {
        let mut app = app("fenix", Some(position), coloured);
        let seen = text(&drawn(&mut app, 80, 24));
        assert!(seen.contains("K³") && seen.contains("g²"), "{seen}");
    }
}

#[test]
fn the_names_of_rows_and_columns_are_at_their_cells() {
    let mut app = app("wumpus:12", None, true);
    drawn(&mut app, 100, 30);
    let (corner, plan) = app.drawn.board.as_ref().unwrap();
    let label = |text: &str, left: bool| {
        let mut fitting = plan.labels.iter().filter(|label| label.text == text);
        fitting.find(|label| (label.place.x < 3) == left).unwrap().place
    };
    let at = letter_place(&app, cell(&app, "4,11"));
    assert_eq!(label("4", true).y + corner.y, at.y);
    assert!((label("11", false).x + corner.x).abs_diff(at.x) <= 1);
}

#[test]
fn too_small_a_window_says_how_large_it_must_be_and_that_is_enough() {
    for variant in VARIANTS {
        let mut app = app(variant, None, true);
        let least = view::smallest(app.entry.scene(), 0);
        let seen = text(&drawn(&mut app, least.width - 1, least.height));
        assert!(app.drawn.board.is_none(), "{variant}");
        let words = seen.split_whitespace().collect::<Vec<_>>().join(" ");
        let wanted = format!("{} wide and {} high", least.width, least.height);
        assert!(words.contains(&wanted), "{variant}: {seen}");
        drawn(&mut app, least.width, least.height);
        assert!(app.drawn.board.is_some(), "{variant}");
        drawn(&mut app, 1, 1);
    }
}

#[test]
fn clicking_plays_and_marks_what_was_played() {
    let mut app = app("breakthrough:5x5", None, true);
    drawn(&mut app, 80, 24);
    click(&mut app, "b2");
    let (from, to) = (cell(&app, "b2"), cell(&app, "b3"));
    assert_eq!(app.lights()[from], Some(Light::Chosen));
    assert_eq!(app.lights()[to], Some(Light::End));
    click(&mut app, "b3");
    assert_eq!(app.game.table().played(), ["b2b3"]);
    assert_eq!((app.lights()[from], app.lights()[to]), (Some(Light::Last), Some(Light::Last)));
    let seen = text(&drawn(&mut app, 80, 24));
    assert!(seen.contains("1. b2b3") && seen.contains("white played b2b3"), "{seen}");
}

#[test]
fn a_piece_can_be_dragged() {
    let mut app = app("breakthrough:5x5", None, true);
    drawn(&mut app, 80, 24);
    mouse(&mut app, MouseEventKind::Down(MouseButton::Left), "c2");
    mouse(&mut app, MouseEventKind::Drag(MouseButton::Left), "c3");
    mouse(&mut app, MouseEventKind::Up(MouseButton::Left), "c3");
    assert_eq!(app.game.table().played(), ["c2c3"]);
}

#[test]
fn arrows_enter_undo_and_quit_do_what_the_help_says() {
    let mut app = app("breakthrough:5x5", None, true);
    drawn(&mut app, 80, 24);
    assert_eq!(app.cursor, cell(&app, "a2"), "on the first piece that can move");
    for code in [KeyCode::Right, KeyCode::Enter, KeyCode::Up, KeyCode::Enter] {
        press(&mut app, code);
    }
    assert_eq!(app.game.table().played(), ["b2b3"]);
    press(&mut app, KeyCode::Char('f'));
    drawn(&mut app, 80, 24);
    press(&mut app, KeyCode::Right);
    assert_eq!(app.cursor, cell(&app, "a3"), "right is right on a turned board");
    press(&mut app, KeyCode::Char('u'));
    assert!(app.game.table().played().is_empty());
    press(&mut app, KeyCode::Char('q'));
    assert!(app.left);
}

#[test]
fn up_and_down_lead_back_on_hexagons() {
    let mut app = app("fauhalma:star3", None, true);
    drawn(&mut app, 80, 24);
    app.cursor = cell(&app, "0,-3");
    for _ in 0..6 {
        press(&mut app, KeyCode::Up);
    }
    for _ in 0..6 {
        press(&mut app, KeyCode::Down);
    }
    assert_eq!(app.cursor, cell(&app, "0,-3"));
}

#[test]
fn one_of_several_moves_is_chosen_from_a_list() {
    let mut app = app("congo", Some("3l3/7/7/7/2pp3/1Mp4/3L3 w 0"), true);
    drawn(&mut app, 80, 24);
    click(&mut app, "b2");
    click(&mut app, "d4");
    assert!(matches!(app.mode, Mode::Choose { .. }));
    let seen = text(&drawn(&mut app, 80, 24));
    assert!(seen.contains("1 b2d4") && seen.contains("2 b2d2d4"), "{seen}");
    press(&mut app, KeyCode::Down);
    assert_eq!(app.lights()[cell(&app, "d3")], Some(Light::Taken), "what it takes is shown");
    press(&mut app, KeyCode::Enter);
    assert_eq!(app.game.table().played(), ["b2d2d4"]);
}

#[test]
fn the_end_is_shown_with_its_reason_and_cells_cannot_be_selected() {
    let mut app = app("breakthrough:3x4", Some("3/P1p/3/2P w"), true);
    drawn(&mut app, 80, 24);
    click(&mut app, "a3");
    click(&mut app, "a4");
    let seen = text(&drawn(&mut app, 80, 24));
    assert!(seen.contains("white wins"), "{seen}");
    assert!(seen.contains("a white pawn reached the far"), "{seen}");
    click(&mut app, "c1");
    assert!(text(&drawn(&mut app, 80, 24)).contains("the game is over"));
}

#[test]
fn pages_and_questions_fit_small_windows_and_go_away() {
    let mut app = app("congo", None, true);
    let least = view::smallest(app.entry.scene(), 0);
    for (code, words) in [('?', "arrow keys"), ('e', "simple"), ('s', "game.json")] {
        press(&mut app, KeyCode::Char(code));
        let seen = text(&drawn(&mut app, least.width, least.height));
        assert!(seen.contains(words), "{seen}");
        press(&mut app, KeyCode::Esc);
        assert!(matches!(app.mode, Mode::Board));
    }
}

#[test]
fn a_page_longer_than_the_window_can_be_read_to_its_end() {
    let mut app = app("wumpus:6", None, true);
    press(&mut app, KeyCode::Char('e'));
    let seen = text(&drawn(&mut app, 70, 20));
    assert!(seen.contains("For adversary") && !seen.contains("tempo  "), "{seen}");
    for _ in 0..30 {
        press(&mut app, KeyCode::Down);
        drawn(&mut app, 70, 20);
    }
    let seen = text(&drawn(&mut app, 70, 20));
    assert!(seen.contains("tempo  ") && !seen.contains("For adversary"), "{seen}");
    press(&mut app, KeyCode::Up);
    assert!(matches!(app.mode, Mode::Page { .. }));
    press(&mut app, KeyCode::Enter);
    assert!(matches!(app.mode, Mode::Board));
}

#[test]
fn a_game_is_saved_under_the_name_that_was_typed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.json");
    let mut app = app("congo", None, true);
    press(&mut app, KeyCode::Char('s'));
    for _ in "game.json".chars() {
        press(&mut app, KeyCode::Backspace);
    }
    for letter in file.to_str().unwrap().chars() {
        press(&mut app, KeyCode::Char(letter));
    }
    press(&mut app, KeyCode::Enter);
    assert!(std::fs::read_to_string(file).unwrap().contains("congo"));
}

#[test]
fn who_plays_second_sits_in_front() {
    for (variant, front) in [("congo", "d7"), ("fauhalma:star3", "3,3")] {
        let second = |seat| if seat == Seat::SECOND { "human" } else { "random" };
        let mut seen = App::new(game(variant, None, second), true);
        drawn(&mut seen, 120, 40);
        let lowest = |app: &App| {
            let (_, plan) = app.drawn.board.as_ref().unwrap();
            (0..app.entry.scene().cells.len()).map(|id| plan.area(id).unwrap().y).max()
        };
        let (_, plan) = seen.drawn.board.as_ref().unwrap();
        let row = plan.area(cell(&seen, front)).unwrap().y;
        assert_eq!(Some(row), lowest(&seen), "{variant}");
    }
}

#[test]
fn discs_are_dropped_by_clicks_on_any_cell_of_a_column() {
    let mut app = app("connect4:5x4", None, true);
    let seen = text(&drawn(&mut app, 80, 24));
    assert!(seen.contains("Click where to place a piece"), "{seen}");
    assert_eq!(seen.matches("      10 left").count(), 2, "{seen}");
    for (name, landing) in [("4,1", "1,1"), ("1,2", "1,2"), ("3,1", "2,1"), ("1,2", "2,2")] {
        click(&mut app, name);
        assert_eq!(app.lights()[cell(&app, landing)], Some(Light::Last), "{name}");
        drawn(&mut app, 80, 24);
    }
    assert_eq!(app.game.table().played(), ["1", "2", "1", "2"]);
    assert!(text(&drawn(&mut app, 80, 24)).contains("      8 left"));
    for name in ["4,1", "4,2", "1,1"] {
        click(&mut app, name);
        drawn(&mut app, 80, 24);
    }
    let seen = text(&drawn(&mut app, 80, 24));
    assert!(seen.contains("x wins"), "{seen}");
}

#[test]
fn discs_are_dropped_by_keys_and_the_landing_is_marked() {
    let mut app = app("connect4", None, true);
    drawn(&mut app, 80, 24);
    assert_eq!(app.cursor, cell(&app, "1,4"), "in the middle");
    press(&mut app, KeyCode::Enter);
    for _ in 0..4 {
        press(&mut app, KeyCode::Up);
    }
    assert_eq!(app.cursor, cell(&app, "5,4"));
    assert_eq!(app.lights()[cell(&app, "2,4")], Some(Light::End), "where it would land");
    press(&mut app, KeyCode::Tab);
    assert_eq!(app.cursor, cell(&app, "1,5"), "Tab goes from landing to landing");
    press(&mut app, KeyCode::Enter);
    assert_eq!(app.game.table().played(), ["4", "5"]);
    press(&mut app, KeyCode::Char('f'));
    assert_eq!(app.turns, 0, "an upright board is not turned");
    assert!(!text(&drawn(&mut app, 80, 24)).contains("f turn"));
}

#[test]
fn an_upright_plate_shows_through_its_holes_and_around_its_discs() {
    let mut app = app("connect4", Some("7/7/7/7/7/3X3 o"), true);
    app.cursor = cell(&app, "6,7");
    let buffer = drawn(&mut app, 100, 40);
    let hole = letter_place(&app, cell(&app, "1,1"));
    let disc = letter_place(&app, cell(&app, "1,4"));
    let area = app.drawn.board.as_ref().map(|(corner, plan)| (*corner, plan.area(0).unwrap()));
    let (corner, area) = area.unwrap();
    let plate = &buffer[(corner.x + area.x, corner.y + area.y + area.height / 2)];
    assert_eq!(plate.bg, Color::Indexed(PLATE.0));
    assert_eq!(buffer[hole].bg, Color::Indexed(PLATE.1));
    assert_eq!(buffer[disc].bg, Color::Indexed(app.colours.man_and_ink(Seat::FIRST).0));
}
