//! The hints against plain searches that know nothing but the rules.

use std::collections::HashMap;

use agon_core::{Foreseen, Hints, MoveList, hints};

use super::super::board::Cells;
use super::*;

/// The points of the side to move with best play by both: −1, 0 or 1.
type Points = i8;

/// What the result of a position that is over is worth to the side to move.
fn final_points<W: Cells>(position: &Connect4<W>) -> Option<Points> {
    let outcome = position.outcome()?;
    Some((outcome.points()[position.turn] as i8 - 50) / 50)
}

fn after<W: Cells>(position: &Connect4<W>, mv: Move) -> Connect4<W> {
    let mut after = *position;
    after.play(mv);
    after
}

/// The value of a position and, in `seen`, of all that can follow, by looking at every move.
fn value<W: Cells>(
    position: &Connect4<W>,
    seen: &mut HashMap<u64, (Connect4<W>, Points)>,
) -> Points {
    if let Some(points) = final_points(position) {
        return points;
    }
    if let Some((_, points)) = seen.get(&position.key()) {
        return *points;
    }
    let values = position.moves().into_iter().map(|mv| -value(&after(position, mv), seen));
    let best = values.max().expect("a move");
    seen.insert(position.key(), (*position, best));
    best
}

/// The same for one position, which stops where the answer is clear.
fn quick_value<W: Cells>(
    position: &Connect4<W>,
    alpha: Points,
    beta: Points,
    seen: &mut HashMap<u64, (Points, Points)>,
) -> Points {
    if let Some(points) = final_points(position) {
        return points;
    }
    let &(lower, upper) = seen.get(&position.key()).unwrap_or(&(-1, 1));
    if lower == upper || lower >= beta || upper <= alpha {
        return if lower >= beta { lower } else { upper };
    }
    let (mut best, mut alpha_now) = (-1, alpha);
    for mv in position.moves() {
        best = best.max(-quick_value(&after(position, mv), -beta, -alpha_now, seen));
        alpha_now = alpha_now.max(best);
        if alpha_now >= beta {
            break;
        }
    }
    let entry = seen.entry(position.key()).or_insert((-1, 1));
    if best > alpha {
        entry.0 = entry.0.max(best);
    }
    if best < beta {
        entry.1 = entry.1.min(best);
    }
    best
}

/// Nothing that is foreseen is wrong, and a contender is as good as the best move.
fn check<W: Cells>(position: &Connect4<W>, points: Points, mut value: impl FnMut(Move) -> Points) {
    let text = position.position_text();
    let fits = match position.foreseen() {
        None => true,
        Some(Foreseen::Win(_)) => points == 1,
        Some(Foreseen::Loss(_)) => points == -1,
        Some(Foreseen::Draw) => points == 0,
        Some(Foreseen::AtLeastDraw) => points >= 0,
        Some(Foreseen::AtMostDraw) => points <= 0,
    };
    assert!(fits, "{:?} of {text}, which is worth {points}", position.foreseen());
    let mut contenders = MoveList::new();
    let _ = position.contenders(&mut contenders);
    let best = contenders.iter().map(|&mv| value(mv)).max();
    assert_eq!(best, Some(points), "contenders of {text}");
}

fn check_all(width: usize, height: usize, expected: Points) {
    let start = Connect4::<u64>::start(width, height);
    let mut seen = HashMap::new();
    assert_eq!(value(&start, &mut seen), expected);
    for (position, points) in seen.values() {
        check(position, *points, |mv| {
            let after = after(position, mv);
            let known = || -seen[&after.key()].1;
            final_points(&after).map_or_else(known, |points| -points)
        });
    }
    let foreseen = seen.values().filter(|(position, _)| position.foreseen().is_some());
    assert!(foreseen.count() * 2 > seen.len(), "most positions of a small board are foreseen");
}

#[test]
fn hints_are_right_in_every_position_of_small_boards() {
    check_all(4, 4, 0);
    check_all(5, 4, 0);
    check_all(4, 5, 0);
}

/// Random positions with so few cells left.
fn late<W: Cells>(
    start: Connect4<W>,
    empty: u32,
    wanted: usize,
    rng: &mut Rng,
) -> Vec<Connect4<W>> {
    let mut found = Vec::new();
    while found.len() < wanted {
        let mut position = start;
        while position.to_move().is_some() && (start.board.cells - position.all).len() > empty {
            let mut moves = MoveList::new();
            let _ = position.contenders(&mut moves);
            position.play(*rng.choose(&moves).unwrap());
        }
        if position.to_move().is_some() {
            found.push(position);
        }
    }
    found
}

fn check_late<W: Cells>(width: usize, height: usize, wanted: usize) {
    let mut rng = Rng::new(width as u64);
    let start = Connect4::<W>::start(width, height);
    let mut seen = HashMap::new();
    for empty in 1..=14 {
        for position in late(start, empty, wanted, &mut rng) {
            hints::check(&position);
            let points = quick_value(&position, -1, 1, &mut seen);
            check(&position, points, |mv| -quick_value(&after(&position, mv), -1, 1, &mut seen));
        }
        seen.clear();
    }
}

#[test]
fn hints_are_right_in_random_late_positions_of_large_boards() {
    check_late::<u64>(7, 6, 60 * crate::battery::soak());
    check_late::<u64>(6, 7, 40 * crate::battery::soak());
    check_late::<u128>(9, 8, 20 * crate::battery::soak());
}

#[test]
fn hints_keep_their_contract() {
    for (width, height) in [(4, 4), (7, 6), (8, 7)] {
        random_games(Connect4::start(width, height), 50, hints::check);
    }
}

#[test]
fn every_kind_of_result_is_foreseen_somewhere() {
    let mut kinds = [0; 6];
    let mut count = |position: &Connect4<u64>| {
        let kind = match position.foreseen() {
            Some(Foreseen::Win(1)) => 0,
            Some(Foreseen::Loss(2)) => 1,
            // By following up, to the end.
            Some(Foreseen::Loss(_)) => 2,
            Some(Foreseen::Draw) => 3,
            Some(Foreseen::AtLeastDraw) => 4,
            Some(Foreseen::AtMostDraw) => 5,
            Some(Foreseen::Win(_)) | None => return,
        };
        kinds[kind] += 1;
    };
    for (width, height) in [(5, 4), (7, 6)] {
        random_games(Connect4::start(width, height), 1000, &mut count);
    }
    assert!(kinds.iter().all(|&count| count > 0), "{kinds:?}");
}

#[test]
fn the_effort_grows_with_the_board() {
    let effort = |width, height| Connect4::<u64>::start(width, height).effort();
    assert!(effort(4, 4) < effort(5, 4) && effort(5, 4) < effort(7, 6));
    assert!(effort(7, 6).is_some_and(|effort| (1 << 25..1 << 29).contains(&effort)));
    assert_eq!(Connect4::<u128>::start(9, 8).effort(), None);
}
