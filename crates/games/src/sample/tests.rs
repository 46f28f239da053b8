//! The loaded game: through the battery like every other, and what only loading can get wrong.

use agon_core::Rng;

use super::*;
use crate::battery::{self, Naive};
use crate::{Catalog, Family as _, Playable, Table, Visitor};

fn catalog() -> Catalog {
    Catalog::built_in().with_loader(Arc::new(InARow)).unwrap()
}

fn table(variant: &str) -> Box<dyn Table> {
    catalog().open(&variant.parse().unwrap()).unwrap()
}

/// Rows of characters, and lines looked for one by one.
struct Plain {
    rows: Vec<Vec<char>>,
    row: usize,
}

impl Plain {
    fn open(variant: &str, position: &str) -> Plain {
        let row = variant.rsplit(',').next().unwrap().parse().unwrap();
        let expand = |text: &str| {
            let cells = text.chars().flat_map(|c| match c.to_digit(10) {
                Some(run) => vec!['.'; run as usize],
                None => vec![c],
            });
            cells.collect()
        };
        let rows = position.split(' ').next().unwrap().split('/').map(expand).collect();
        Plain { rows, row }
    }

    fn letter(&self) -> char {
        let count = self.rows.iter().flatten().filter(|c| **c != '.').count();
        if count.is_multiple_of(2) { 'X' } else { 'O' }
    }

    fn has_line(&self, letter: char) -> bool {
        let (height, width) = (self.rows.len() as i32, self.rows[0].len() as i32);
        let at = |x: i32, y: i32| {
            (0..width).contains(&x)
                && (0..height).contains(&y)
                && self.rows[y as usize][x as usize] == letter
        };
        let line = |x, y, dx, dy| (0..self.row as i32).all(|step| at(x + step * dx, y + step * dy));
        let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        places.into_iter().any(|(x, y)| {
            line(x, y, 1, 0) || line(x, y, 0, 1) || line(x, y, 1, 1) || line(x, y, 1, -1)
        })
    }
}

impl Naive for Plain {
    fn position(&self) -> String {
        let rows = self.rows.iter().map(|row| {
            let mut text = String::new();
            let mut run = 0;
            for &c in row.iter().chain(&['|']) {
                if c == '.' {
                    run += 1;
                    continue;
                }
                if run > 0 {
                    text += &run.to_string();
                    run = 0;
                }
                text.push(c);
            }
            text.trim_end_matches('|').to_string()
        });
        format!("{} {}", rows.collect::<Vec<_>>().join("/"), self.letter())
    }

    fn to_move(&self) -> Option<&'static str> {
        self.outcome().is_none().then(|| if self.letter() == 'X' { "X" } else { "O" })
    }

    fn outcome(&self) -> Option<Vec<u8>> {
        if self.has_line('X') {
            return Some(vec![100, 0]);
        }
        if self.has_line('O') {
            return Some(vec![0, 100]);
        }
        self.moves().is_empty().then(|| vec![50, 50])
    }

    fn moves(&self) -> Vec<String> {
        let (height, width) = (self.rows.len(), self.rows[0].len());
        let cells = (0..width).flat_map(|x| (1..=height).map(move |y| (x, y)));
        let free = cells.filter(|&(x, y)| self.rows[height - y][x] == '.');
        free.map(|(x, y)| format!("{}{y}", (b'a' + x as u8) as char)).collect()
    }

    fn play(&mut self, mv: &str) {
        let (x, y) = (mv.as_bytes()[0] - b'a', mv[1..].parse::<usize>().unwrap());
        let (letter, height) = (self.letter(), self.rows.len());
        self.rows[height - y][usize::from(x)] = letter;
    }

    fn outcome_without_history(&self) -> Option<Vec<u8>> {
        self.outcome()
    }
}

#[test]
fn a_loaded_game_passes_the_battery() {
    for variant in ["inarow:3x3,3", "inarow:4x5,3", "inarow:7x7,5"] {
        let subject = battery::Subject {
            variant,
            positions: Vec::new(),
            twin: |variant, position| Box::new(Plain::open(variant, position)),
            without_counters: str::to_string,
            symmetries: &[],
            longest: 50,
            budget: 600,
        };
        subject.check_in(&catalog());
    }
}

#[test]
fn a_loader_is_asked_only_for_its_own_games_and_no_name_is_taken_twice() {
    let (catalog, built_in) = (catalog(), Catalog::built_in());
    assert!(catalog.with_loader(Arc::new(InARow)).is_err());
    let variant: Variant = "inarow".parse().unwrap();
    assert_eq!(catalog.open(&variant).unwrap().variant().to_string(), "inarow:3x3,3");
    let error = built_in.open(&variant).err().unwrap().to_string();
    assert!(error.contains("expected a game"), "{error}");
    let error = catalog.open(&"inarwo:3x3,3".parse().unwrap()).err().unwrap().to_string();
    assert!(error.contains("did you mean inarow:3x3,3"), "{error}");
    let error = catalog.open(&"inarow:3x33,3".parse().unwrap()).err().unwrap().to_string();
    assert!(error.contains("inarow:3x3,3"), "{error}");
    assert_eq!(catalog.names().len(), built_in.names().len() + 1);
    assert_eq!(catalog.describe("inarow", |info| info.seats.join(" ")).unwrap(), "X O");
}

#[test]
fn texts_of_a_loaded_game_come_from_its_rules() {
    let mut table = table("inarow:4x4,2");
    for mv in ["b2", "d4", "b3"] {
        table.play(mv).unwrap();
    }
    assert_eq!(table.reason().unwrap(), "X has 2 in a row");
    assert_eq!(table.seat_name(Seat::SECOND), "O");
    for (position, problem) in [
        ("4/4/4/4 Z", "who is to move: X or O"),
        ("4/4/4/Q3 X", "one of the pieces"),
        ("4/4/4/X3 X", "as many of X as of O"),
        ("OO2/4/4/X1X1 O", "as many of X as of O"),
        ("4/OO2/4/X1X1 X", ""),
        ("4/O1O1/4/XX2 X", "no row of the player to move"),
    ] {
        let read = table.set_position(position);
        match problem {
            "" => assert!(read.is_ok(), "{position}"),
            _ => assert!(read.unwrap_err().to_string().contains(problem), "{position}"),
        }
    }
}

/// Random games of the game in the documentation, with all that can be checked on the way.
struct Games;

impl Visitor for Games {
    type Output = [u32; 3];

    fn visit<G: Playable>(self, variant: Variant, start: G) -> [u32; 3] {
        assert_eq!(variant.to_string(), "tictactoe");
        let (mut rng, mut results) = (Rng::new(3), [0; 3]);
        for _ in 0..200 {
            let mut position = start.clone();
            let outcome = loop {
                battery::position(&position);
                if let Some(outcome) = position.outcome() {
                    break outcome;
                }
                let moves = position.moves();
                position.play(*rng.choose(&moves).unwrap());
            };
            results[usize::from(outcome.points()[Seat::FIRST]) / 50] += 1;
        }
        results
    }
}

#[test]
fn the_game_of_the_documentation_is_a_game() {
    let family = |text: &str| tictactoe::Family::open(&text.parse().unwrap(), Games);
    let [losses, draws, wins] = family("tictactoe").unwrap();
    assert!(wins > losses && losses > draws && draws > 0, "{wins} {draws} {losses}");
    assert!(family("tictactoe:4").is_err());
    let document = include_str!("../../../../docs/add-a-game.md");
    assert!(document.contains(include_str!("tictactoe.rs")), "the code in add-a-game.md differs");
}
