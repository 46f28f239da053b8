//! Every claim of every scenario of every game holds.

use std::collections::BTreeSet;

use agon_core::{History, Seat, TextError, Variant};

use crate::catalog::{Playable, Visitor};
use crate::{Catalog, GAMES, GameInfo, Scenario, Table, Task};

/// The scenarios of all games with each of their variants.
fn cases() -> impl Iterator<Item = (&'static Scenario, Variant)> {
    let all = GAMES.iter().flat_map(|game| game.scenarios);
    let read = |text: &&str| text.parse().expect("a scenario's variant");
    all.flat_map(move |scenario| scenario.variants.iter().map(move |text| (scenario, read(text))))
}

fn scenarios(variant: &Variant) -> Result<Vec<&'static Scenario>, TextError> {
    Catalog::built_in().scenarios(variant)
}

/// The scenario as an agent gets it; the name is for messages.
fn opened(scenario: &Scenario, variant: &Variant) -> (String, Box<dyn Table>) {
    let name = format!("{} in {variant}", scenario.name);
    let table = scenario
        .open(&Catalog::built_in(), variant)
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    (name, table)
}

#[test]
fn every_typical_variant_has_three_scenarios_or_more_with_names_of_their_own() {
    // A game may still be without any.
    let begun = |game: &&GameInfo<'_>| !game.scenarios.is_empty();
    for variant in GAMES.iter().filter(begun).flat_map(|game| game.variants) {
        let found = scenarios(&variant.text.parse().unwrap()).unwrap();
        assert!(found.len() >= 3, "{} has {}", variant.text, found.len());
        let names: BTreeSet<&str> = found.iter().map(|scenario| scenario.name).collect();
        assert_eq!(names.len(), found.len(), "two names alike in {}", variant.text);
        let is_legal_task = |scenario: &&Scenario| matches!(scenario.task, Task::Legal { .. });
        let rules = found.iter().copied().filter(is_legal_task).count();
        assert!((1..found.len()).contains(&rules), "rules and skill in {}", variant.text);
    }
}

#[test]
fn scenarios_belong_to_variants_as_they_are_written() {
    for (scenario, variant) in cases() {
        let (name, table) = opened(scenario, &variant);
        assert_eq!(table.variant(), &variant, "{name}");
        let found = scenarios(&variant).unwrap();
        assert!(found.iter().any(|other| std::ptr::eq(*other, scenario)), "{name}");
        assert!(!scenario.about.is_empty(), "{name}");
    }
}

#[test]
fn scenarios_are_found_by_any_spelling_of_a_variant() {
    for game in GAMES {
        let by_name = scenarios(&game.name.parse().unwrap()).unwrap();
        let default = scenarios(&game.variants[0].text.parse().unwrap()).unwrap();
        let same = by_name.len() == default.len()
            && by_name.iter().zip(&default).all(|(one, other)| std::ptr::eq(*one, *other));
        assert!(same, "{} and {}", game.name, game.variants[0].text);
    }
    assert!(scenarios(&"breakthrough:2x9".parse().unwrap()).unwrap().is_empty());
    assert!(scenarios(&"breakthrough:2x99".parse().unwrap()).is_err());
}

#[test]
fn scenarios_have_the_legal_moves_they_claim_and_not_those_they_forbid() {
    for (scenario, variant) in cases() {
        let (name, table) = opened(scenario, &variant);
        assert!(table.outcome().is_none(), "{name} is over");
        assert_eq!(table.moves().len(), scenario.legal, "legal moves of {name}");
        let Task::Legal { illegal } = scenario.task else { continue };
        assert!(!illegal.is_empty(), "nothing is forbidden in {name}");
        let (scene, mover) = (table.scene(), table.status().to_move());
        let own = scene.pieces.iter().filter(|piece| Some(piece.owner) == mover);
        let own: Vec<&str> = own.map(|piece| scene.cells[piece.cell].name.as_str()).collect();
        let places = scene.supplies.iter().any(|supply| Some(supply.owner) == mover);
        for mv in illegal {
            assert!(table.read_move(mv).is_err(), "{mv} is legal in {name}");
            let from = mv.trim_start_matches('[');
            let moves_a_piece = own.iter().any(|cell| from.starts_with(cell));
            assert!(moves_a_piece || places, "no piece for {mv} in {name}");
        }
    }
}

#[test]
fn what_scenarios_ask_for_is_what_a_look_at_all_moves_finds() {
    for (scenario, variant) in cases() {
        crate::with_game(&variant, Proof(scenario)).unwrap_or_else(|error| panic!("{error}"));
    }
}

/// Compares the good moves of a scenario with those of a full search.
struct Proof<'a>(&'a Scenario);

impl Visitor for Proof<'_> {
    type Output = ();

    fn visit<G: Playable>(self, variant: Variant, start: G) {
        let (scenario, name) = (self.0, format!("{} in {variant}", self.0.name));
        let (Task::Find { moves: listed, plies } | Task::Avoid { moves: listed, plies }) =
            scenario.task
        else {
            return;
        };
        let mut position = scenario.position.map_or(start.clone(), |text| {
            start.read_position(text).unwrap_or_else(|error| panic!("{name}: {error}"))
        });
        let mut history = History::new(&position);
        for text in scenario.moves {
            let mv = position.read_move(text).unwrap_or_else(|error| panic!("{name}: {error}"));
            let progress = position.play(mv);
            history.push(&position, progress);
        }
        let values = Look::new(&position).values(&position, &mut history, plies);
        let best = values.iter().map(|(_, value)| *value).max().unwrap();
        let (good, bad): (Vec<_>, Vec<_>) = values.iter().partition(|(_, value)| *value == best);
        assert!(!bad.is_empty(), "all moves are good in {name}");
        let texts = |moves: Vec<&(G::Move, u8)>| -> BTreeSet<String> {
            moves.into_iter().map(|(mv, _)| position.move_text(*mv)).collect()
        };
        let (good, bad) = (texts(good), texts(bad));
        let wanted = if matches!(scenario.task, Task::Find { .. }) { &good } else { &bad };
        let listed: BTreeSet<String> = listed.iter().map(|mv| mv.to_string()).collect();
        assert_eq!(*wanted, listed, "{name}");
        assert!(good.iter().all(|mv| scenario.task.accepts(mv)), "{name}");
        assert!(!bad.iter().any(|mv| scenario.task.accepts(mv)), "{name}");
    }
}

/// A full search to a fixed depth: what a seat can secure against all others together.
struct Look {
    seat: Seat,
    /// The value of an unfinished game: just below the best the seat can still get.
    open: u8,
}

impl Look {
    fn new<G: Playable>(position: &G) -> Look {
        let seat = position.to_move().expect("a game that goes on");
        let mut others = Seat::all(position.seats()).filter(|other| *other != seat);
        let is_second = others.any(|other| position.secured(other) == Some(100));
        Look { seat, open: if is_second { 49 } else { 99 } }
    }

    fn values<G: Playable>(
        &self,
        position: &G,
        history: &mut History,
        plies: u32,
    ) -> Vec<(G::Move, u8)> {
        let mut judge = |mv: G::Move| {
            let mut next = position.clone();
            let progress = next.play(mv);
            history.push(&next, progress);
            let value = self.value(&next, history, plies - 1);
            history.pop();
            (mv, value)
        };
        position.moves().into_iter().map(&mut judge).collect()
    }

    fn value<G: Playable>(&self, position: &G, history: &mut History, plies: u32) -> u8 {
        let ended = history.status(position).outcome().or_else(|| position.outcome());
        let points = ended.map(|outcome| outcome.points()[self.seat]);
        match points.or_else(|| position.secured(self.seat)) {
            Some(points) => points,
            None if plies == 0 => self.open,
            None => {
                let values = self.values(position, history, plies);
                let values = values.into_iter().map(|(_, value)| value);
                let own = position.to_move() == Some(self.seat);
                if own { values.max() } else { values.min() }.expect("a move")
            }
        }
    }
}
