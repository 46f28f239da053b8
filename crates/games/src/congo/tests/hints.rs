//! The hints agree with the rules.

use agon_core::hints::{self, Foreseen};
use agon_core::{Hints, Status};

use super::*;

/// Calls `visit` with positions of random games and of boards with scattered men.
pub(super) fn visit_positions(games: usize, mut visit: impl FnMut(&Congo)) {
    let mut rng = Rng::new(0xAD51CE);
    let starts: Vec<Congo> =
        positions().iter().chain(&strewn(games)).map(|text| read(text)).collect();
    for start in starts {
        let mut position = start;
        for _ in 0..40 {
            let Status::ToMove(_) = position.status() else { break };
            visit(&position);
            let Some(mv) = position.sample(&mut rng, &mut MoveList::new()) else { break };
            position.play(mv);
        }
    }
}

fn takes_lion(position: &Congo, mv: Move) -> bool {
    let enemy = position.turn.opponent();
    let prey = mv.jumped() | (Set::from(mv.to()) & position.sides[enemy.index()]);
    prey.meets(position.men(enemy, PieceKind::Lion))
}

#[test]
fn hints_fit_in_random_games() {
    visit_positions(200, hints::check);
}

#[test]
fn a_win_is_foreseen_exactly_where_a_lion_can_be_taken() {
    let mut wins = 0;
    visit_positions(400, |position| {
        let wins_now = position.moves().iter().any(|&mv| takes_lion(position, mv));
        let expected = wins_now.then_some(Foreseen::Win(1));
        assert_eq!(position.foreseen(), expected, "{}", position.position_text());
        let waiting = Congo { turn: position.turn.opponent(), ..*position };
        let in_danger = waiting.moves().iter().any(|&mv| takes_lion(&waiting, mv));
        assert_eq!(position.is_tense(), in_danger, "{}", position.position_text());
        wins += usize::from(wins_now);
    });
    assert!(wins > 100, "only {wins} wins met");
}

#[test]
fn a_monkey_takes_the_lion_at_the_end_of_a_chain() {
    let chain = read("2l4/2p4/1p5/M6/7/7/3L3 w 0");
    assert_eq!(chain.foreseen(), None);
    let chain = read("7/3l3/7/1p5/M6/7/2L4 w 0");
    assert_eq!(chain.foreseen(), Some(Foreseen::Win(1)));
}

#[test]
fn the_lion_is_the_first_prey_and_cheap_men_take_first() {
    let position = read("3l3/2P4/z6/1P5/2G4/1c5/2ML3 w 0");
    let urgency = |mv: &str| position.urgency(position.read_move(mv).unwrap());
    assert!(urgency("c6d7") > urgency("b4a5"));
    assert_eq!(urgency("b4b5"), None);
    assert!(urgency("c6b7") > Some(0), "a promotion");
    let both = read("3l3/7/z6/1P5/1Z5/7/3L3 w 0");
    let urgency = |mv: &str| both.urgency(both.read_move(mv).unwrap());
    assert!(urgency("b4a5") > urgency("b3a5"));
}

#[test]
fn passing_gives_the_turn_away_and_nothing_else() {
    visit_positions(100, |position| {
        if position.is_tense() {
            return;
        }
        if let Some(passed) = position.pass() {
            assert_eq!(passed.with_key(), passed);
            assert_eq!((passed.sides, passed.kinds), (position.sides, position.kinds));
            assert!(position.wet().is_empty());
        }
    });
    assert!(read("3l3/7/7/7/PPP4/7/3L1Z1 w 0").is_tense(), "the lions see each other");
    assert!(read("3l3/7/7/P6/1PP4/7/2L2Z1 w 0").pass().is_none(), "a wet pawn");
    assert!(read("3l3/7/7/7/1PP4/7/2L4 w 0").pass().is_none(), "few men");
    assert!(read("3l3/7/7/7/1PP4/7/2L2Z1 w 0").pass().is_some());
}
