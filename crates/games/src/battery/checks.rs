//! What is checked in every position.

use std::collections::BTreeSet;

use agon_core::arrange::{self, Stock};
use agon_core::evaluate::EVALUATION_LIMIT;
use agon_core::scene::Piece;
use agon_core::sink::Counter;
use agon_core::{History, MoveList, Outcome, Rng, Seat, Which};

use super::{Naive, Symmetry};
use crate::catalog::Playable;

/// Everything that can be checked for a position on its own.
pub(crate) fn position<G: Playable>(position: &G) {
    text_round_trip(position);
    draft_round_trip(position);
    if position.to_move().is_some() {
        generation(position);
        moves_round_trip(position);
        drawing(position);
        evaluations(position);
    } else {
        assert!(position.outcome().is_some());
        assert!(position.moves().is_empty());
    }
}

/// The text reads back as the same position, and so with the same key, computed from scratch.
fn text_round_trip<G: Playable>(position: &G) {
    let text = position.position_text();
    assert_eq!(position.validate(), Ok(()), "{text}");
    let again = position.read_position(&text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(again, *position, "read back from {text}");
    assert_eq!(again.key(), position.key(), "key of {text}");
    assert_eq!(again.repetition_key(), position.repetition_key(), "repetition key of {text}");
    assert_eq!(again.counters(), position.counters(), "counters of {text}");
}

/// The draft of a position gives this position, and names nothing that cannot be placed or set.
fn draft_round_trip<G: Playable>(position: &G) {
    let palette = position.palette();
    if palette.is_empty() {
        return;
    }
    let text = position.position_text();
    for Piece { owner, letter, name, height, .. } in position.pieces() {
        let stock = Stock { letter, owner, name, height };
        assert!(palette.contains(&stock), "{stock:?} of {text} is not in the palette");
    }
    for dial in position.dials() {
        assert!((dial.min..=dial.max).contains(&dial.value), "{dial:?} of {text}");
    }
    let draft = arrange::draft(position);
    let again = arrange::arrange(position, &draft);
    assert_eq!(again.as_ref(), Ok(position), "arranged anew from {text}");
}

/// One generator, many sinks: they agree, and no move is generated twice.
fn generation<G: Playable>(position: &G) {
    let text = position.position_text();
    let moves = position.moves();
    let distinct: BTreeSet<G::Move> = moves.iter().copied().collect();
    assert_eq!(distinct.len(), moves.len(), "a move twice in {text}");
    assert_eq!(position.count_moves(), moves.len() as u64, "count in {text}");
    let mut counter = Counter::default();
    assert!(position.generate(Which::All, &mut counter).is_continue());
    assert_eq!(counter.count(), moves.len() as u64);
    let mut noisy = MoveList::new();
    assert!(position.generate(Which::Noisy, &mut noisy).is_continue());
    let mut all = moves.iter();
    assert!(noisy.iter().all(|mv| all.any(|other| other == mv)), "noisy moves of {text}");
    let mut rng = Rng::new(position.key());
    let chosen = position.sample(&mut rng, &mut MoveList::new());
    assert_eq!(chosen.is_some(), !moves.is_empty(), "sample in {text}");
    assert!(chosen.is_none_or(|mv| distinct.contains(&mv)), "sample in {text}");
}

/// Every move's text reads back as that move; moves of the next position are rejected here unless
/// they are legal here too.
fn moves_round_trip<G: Playable>(position: &G) {
    let moves = position.moves();
    for &mv in moves.iter() {
        let text = position.move_text(mv);
        let again = position.read_move(&text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(again, mv, "move {text} of {}", position.position_text());
        assert!(position.is_legal(mv));
    }
    let Some(&first) = moves.first() else { return };
    let mut next = position.clone();
    assert!(next.try_play(first).is_some());
    same_texts_later(position, &next);
    for &mv in next.moves().iter().filter(|mv| !moves.contains(mv)) {
        let text = next.move_text(mv);
        assert!(!position.is_legal(mv), "{text} in {}", position.position_text());
        assert!(position.clone().try_play(mv).is_none());
    }
}

/// Moves that claim to have one text everywhere keep it in the same player's next turn.
fn same_texts_later<G: Playable>(position: &G, next: &G) {
    let mut later = next.clone();
    while later.to_move().is_some_and(|seat| Some(seat) != position.to_move()) {
        let Some(&mv) = later.moves().first() else { return };
        later.play(mv);
    }
    let moves = position.moves();
    let both = later.moves().into_iter().filter(|mv| moves.contains(mv) && G::has_one_text(*mv));
    for mv in both {
        assert_eq!(position.move_text(mv), later.move_text(mv));
    }
}

/// The drawing matches the position, and the traces of the moves match the drawing.
fn drawing<G: Playable>(position: &G) {
    let scene = position.scene();
    let names: BTreeSet<&str> = scene.cells.iter().map(|cell| cell.name.as_str()).collect();
    assert_eq!(names.len(), scene.cells.len(), "two cells with one name");
    let occupied: BTreeSet<usize> = scene.pieces.iter().map(|piece| piece.cell).collect();
    assert_eq!(occupied.len(), scene.pieces.len(), "two pieces on one cell");
    let is_cell = |cell: &usize| *cell < scene.cells.len();
    assert!(occupied.iter().all(is_cell));
    assert!(scene.regions.iter().flat_map(|region| &region.cells).all(is_cell));
    let waits = |letter: char, scene: &agon_core::Scene| {
        let mut mine =
            scene.supplies.iter().filter(|supply| Some(supply.owner) == position.to_move());
        mine.any(|supply| supply.letter == letter && supply.left != Some(0))
    };
    for &mv in position.moves().iter() {
        let (trace, text) = (position.trace(mv), position.move_text(mv));
        assert!(trace.routes.iter().flatten().all(is_cell), "routes of {text}");
        let route = trace.routes.first().unwrap_or_else(|| panic!("no route for {text}"));
        let (from, to) = (route.first().copied(), route.last().copied());
        if let [cell] = route[..] {
            assert!(trace.routes.iter().all(|other| other.len() == 1), "routes of {text}");
            assert!(trace.places.is_some_and(|letter| waits(letter, &scene)), "placed by {text}");
            let mut after = position.clone();
            after.play(mv);
            let placed = after.pieces().into_iter().find(|piece| piece.cell == cell);
            let placed = placed.map(|piece| (piece.owner, piece.letter));
            assert_eq!(placed, position.to_move().zip(trace.places), "placed by {text}");
        } else {
            let ends = |route: &[usize]| (route.first().copied(), route.last().copied());
            assert!(trace.routes.iter().all(|other| ends(other) == (from, to)), "routes of {text}");
            let mover = scene.pieces.iter().find(|piece| Some(piece.cell) == from);
            assert_eq!(mover.map(|piece| piece.owner), position.to_move(), "mover of {text}");
            assert_eq!(trace.places, None, "placed by {text}");
        }
        let leaves = |cell: &usize| occupied.contains(cell) || Some(*cell) == to;
        assert!(trace.removes.iter().all(leaves), "removed by {text}");
        assert!(trace.carries.iter().all(|(from, _)| occupied.contains(from)), "carried by {text}");
    }
}

/// The evaluations have distinct names, and the first is the one every game has.
pub(super) fn evaluation_names<G: Playable>() {
    let all = G::evaluations();
    assert_eq!(all.first().map(|evaluation| evaluation.name), Some("simple"));
    let names: BTreeSet<&str> = all.iter().map(|evaluation| evaluation.name).collect();
    assert_eq!(names.len(), all.len(), "two evaluations with one name");
    assert!(all.iter().all(|evaluation| !evaluation.about.is_empty()));
}

/// Evaluations stay below the values of forced results; with two players they are zero-sum.
fn evaluations<G: Playable>(position: &G) {
    for evaluation in G::evaluations() {
        let judge = |seat: Seat| (evaluation.judge)(position, seat);
        let values: Vec<i32> = Seat::all(position.seats()).map(judge).collect();
        let what = || format!("{} of {}", evaluation.name, position.position_text());
        let is_low = |value: &i32| value.abs() < EVALUATION_LIMIT;
        assert!(values.iter().all(is_low), "{values:?}, {}", what());
        assert!(values.len() != 2 || values[0] == -values[1], "{values:?}, {}", what());
    }
}

/// The fast rules and the naive twin agree.
pub(super) fn against_twin<G: Playable>(position: &G, history: &History, twin: &dyn Naive) {
    let text = position.position_text();
    assert_eq!(text, twin.position(), "position");
    let points = |outcome: Outcome| outcome.points().as_slice().to_vec();
    assert_eq!(position.outcome().map(points), twin.outcome_without_history(), "outcome of {text}");
    let status = history.status(position);
    let outcome = status.outcome().or_else(|| position.outcome());
    assert_eq!(outcome.map(points), twin.outcome(), "outcome with history of {text}");
    let to_move = status.to_move().filter(|_| outcome.is_none());
    assert_eq!(to_move.map(|seat| position.seat_name(seat)), twin.to_move(), "turn in {text}");
    if outcome.is_none() {
        let mut moves: Vec<String> =
            position.moves().iter().map(|&mv| position.move_text(mv)).collect();
        moves.sort();
        assert_eq!(moves, twin.moves(), "moves of {text}");
    }
}

/// The symmetric position has the symmetric moves and the symmetric end.
pub(super) fn symmetry<G: Playable>(position: &G, symmetry: &Symmetry) {
    let text = position.position_text();
    let image_text = (symmetry.position)(&text);
    let image = position.read_position(&image_text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(
        image.to_move().is_some(),
        position.to_move().is_some(),
        "{} of {text}",
        symmetry.name
    );
    let map = |&mv: &G::Move| {
        let mapped = (symmetry.mv)(&position.move_text(mv));
        image
            .read_move(&mapped)
            .unwrap_or_else(|error| panic!("{} of {text}: {error}", symmetry.name))
    };
    let mapped: BTreeSet<G::Move> = position.moves().iter().map(map).collect();
    let moves: BTreeSet<G::Move> = image.moves().into_iter().collect();
    assert_eq!(mapped, moves, "{} of {text}", symmetry.name);
    if symmetry.keeps_values {
        for evaluation in G::evaluations() {
            let value = |position: &G| position.to_move().map(|s| (evaluation.judge)(position, s));
            let (value, image) = (value(position), value(&image));
            assert_eq!(value, image, "{} of {} of {text}", evaluation.name, symmetry.name);
        }
    }
}
