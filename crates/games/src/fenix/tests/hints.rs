//! The hints agree with the rules.

use agon_core::hints::{self, Foreseen};
use agon_core::{Hints, Status};

use super::super::{Move, PLIES_OF_SETUP};
use super::*;

/// Calls `visit` with the positions of random games.
pub(super) fn visit_positions(games: usize, mut visit: impl FnMut(&Fenix)) {
    let mut rng = Rng::new(0xAD51CE);
    for _ in 0..games {
        let mut position = Fenix::start();
        while let Status::ToMove(_) = position.status() {
            visit(&position);
            let Some(mv) = position.sample(&mut rng, &mut MoveList::new()) else { break };
            position.play(mv);
        }
    }
}

fn after(position: &Fenix, mv: Move) -> Fenix {
    let mut after = *position;
    after.play(mv);
    after
}

#[test]
fn hints_fit_in_random_games() {
    visit_positions(300, hints::check);
}

#[test]
fn a_loss_is_foreseen_exactly_where_every_move_of_a_side_without_a_king_loses() {
    let mut losses = 0;
    visit_positions(2000, |position| {
        let mover = position.mover();
        let has_lost = |mv| {
            let outcome = after(position, mv).status().outcome();
            outcome.and_then(|outcome| outcome.winner()) == Some(mover.opponent())
        };
        let has_king = position.pieces[mover.index()][2].any() || position.turn < PLIES_OF_SETUP;
        let loses = !has_king && position.moves().into_iter().all(has_lost);
        let expected = loses.then_some(Foreseen::Loss(1));
        assert_eq!(position.foreseen(), expected, "{}", position.position_text());
        losses += usize::from(loses);
    });
    assert!(losses > 100, "only {losses} losses met");
}

#[test]
fn a_draw_by_the_counter_is_no_loss() {
    let doomed = "SS3k2/8/8/8/8/8/S6S 30 0 w 01";
    assert_eq!(read(doomed).foreseen(), Some(Foreseen::Loss(1)));
    let drawn = "SS3k2/8/8/8/8/8/S6S 30 49 w 01";
    assert_eq!(read(drawn).foreseen(), None);
}

#[test]
fn tension_is_a_forced_capture_or_a_fallen_king() {
    visit_positions(200, |position| {
        let must_capture = position.moves().iter().any(|mv| mv.captured.any());
        let expected = must_capture || position.may_create_king;
        assert_eq!(position.is_tense(), expected, "{}", position.position_text());
    });
}

#[test]
fn noisy_moves_are_captures_and_coronations() {
    let position = read("SS3k2/SG6/8/8/8/8/S6S 30 0 w 11");
    let mut noisy = MoveList::new();
    let _ = position.generate(Which::Noisy, &mut noisy);
    let mut texts: Vec<String> = noisy.iter().map(|&mv| position.move_text(mv)).collect();
    texts.sort();
    assert_eq!(texts, ["a6b6", "b7b6"]);
    let urgency = |mv: &str| position.urgency(position.read_move(mv).unwrap());
    assert!(urgency("a6b6") > urgency("a7b7"), "a king comes before a general");
    assert!(urgency("a7b7").is_some() && urgency("h1h2").is_none());
}

#[test]
fn passing_gives_the_turn_away_and_nothing_else() {
    let mut passes = 0;
    visit_positions(300, |position| {
        if position.is_tense() {
            return;
        }
        let Some(passed) = position.pass() else { return };
        passes += 1;
        assert_eq!(passed.with_key(), passed);
        assert_eq!(passed.pieces, position.pieces);
        assert!(passed.to_move().is_some());
        let again = position.read_position(&passed.position_text()).unwrap();
        assert_eq!(again.key(), passed.key());
    });
    assert!(passes > 100, "only {passes} passes");
    assert!(Fenix::start().pass().is_none(), "the setup");
    assert!(read("KSSSS3/8/8/8/8/8/7k 30 0 w 00").pass().is_some());
    assert!(read("KSSSS3/8/8/8/8/8/7k 30 49 w 00").pass().is_none(), "a draw would follow");
    assert!(read("KSSSS3/8/8/8/8/8/7k 30 0 w 10").pass().is_none(), "a right would be lost");
    assert!(read("KSSSs3/8/8/8/8/8/7k 30 0 w 00").is_tense(), "a capture is forced");
    assert!(read("KSS5/8/8/8/8/8/7k 30 0 w 00").pass().is_none(), "few pieces");
}
