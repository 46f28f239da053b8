use agon_core::PerSeat;

use super::*;

fn score(seating: &[u16], points: &[u8], offence: Option<(Seat, Fault)>) -> Score {
    Score { seating: PerSeat::from_slice(seating), points: PerSeat::from_slice(points), offence }
}

fn fault(seating: &[u16], offender: Seat) -> Score {
    let points = if offender == Seat::FIRST { [0, 100] } else { [100, 0] };
    score(seating, &points, Some((offender, Fault::Crash)))
}

#[test]
fn games_are_counted_for_everybody() {
    let mut ledger = Ledger::new(3, 2);
    ledger.count(&score(&[0, 1], &[100, 0], None), 0);
    ledger.count(&score(&[1, 0], &[50, 50], None), 0);
    ledger.count(&score(&[2, 1], &[100, 0], None), 1);
    let totals = |agent| {
        let Results { games, wins, draws, losses, points, .. } = ledger.agent(agent).results;
        [games, wins, draws, losses, points]
    };
    assert_eq!(totals(0), [2, 1, 1, 0, 150]);
    assert_eq!(totals(1), [3, 0, 1, 2, 50]);
    assert_eq!(totals(2), [1, 1, 0, 0, 100]);
    assert_eq!((ledger.games(), ledger.results().len()), (3, 3));
}

#[test]
fn three_faults_in_a_row_are_too_many() {
    let mut ledger = Ledger::new(2, 2);
    assert_eq!(ledger.count(&fault(&[0, 1], Seat::FIRST), 0), None);
    assert_eq!(ledger.count(&fault(&[1, 0], Seat::SECOND), 0), None);
    // A good game in between: counting begins again.
    assert_eq!(ledger.count(&score(&[0, 1], &[0, 100], None), 1), None);
    assert_eq!(ledger.count(&fault(&[1, 0], Seat::SECOND), 1), None);
    assert_eq!(ledger.count(&fault(&[0, 1], Seat::FIRST), 2), None);
    assert_eq!(ledger.count(&fault(&[0, 1], Seat::FIRST), 2), Some(0));
    assert!(ledger.is_withdrawn(0) && !ledger.is_withdrawn(1));
    assert_eq!(ledger.gone(&score(&[1, 0], &[0, 0], None)), [Seat::SECOND]);
    // Said once only, and what is not played is no result.
    let forfeit = score(&[0, 1], &[0, 100], Some((Seat::FIRST, Fault::Withdrawn)));
    assert_eq!(ledger.count(&forfeit, 3), None);
    assert_eq!((ledger.games(), ledger.results().len()), (7, 6));
    assert_eq!(ledger.agent(0).results.faults, 6);
}

#[test]
fn three_at_a_table_share_places() {
    let mut ledger = Ledger::new(3, 3);
    ledger.count(&score(&[2, 0, 1], &[100, 25, 25], None), 0);
    assert_eq!(ledger.agent(2).results.wins, 1);
    assert_eq!([ledger.agent(0).results.losses, ledger.agent(1).results.losses], [1, 1]);
    ledger.count(&score(&[0, 1, 2], &[75, 75, 0], None), 0);
    assert_eq!([ledger.agent(0).results.draws, ledger.agent(1).results.draws], [1, 1]);
}
