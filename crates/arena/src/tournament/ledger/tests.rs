use std::time::Duration;

use super::*;
use crate::verdict::{End, Fault, Verdict};

/// A game with these points.
pub(crate) fn game(number: u64, seating: &[u16], points: &[u8]) -> GameSummary {
    let effort =
        Effort { moves: 10, time: Duration::from_millis(5), nodes: 100, depth: 12, with_depth: 3 };
    GameSummary {
        number,
        round: 0,
        seating: PerSeat::from_slice(seating),
        plies: 20 + number as u32,
        effort: PerSeat::filled(seating.len(), effort),
        points: PerSeat::from_slice(points),
        reason: "a reason".into(),
        end: End::Board,
        evidence: None,
        signature: number,
        disturbed: false,
    }
}

/// The same, lost by a fault.
pub(crate) fn fault(number: u64, seating: &[u16], offender: Seat, fault: Fault) -> GameSummary {
    let Verdict { outcome, end, .. } =
        Verdict::fault(seating.len(), offender, fault, String::new());
    let reason = outcome.reason().text();
    GameSummary { end, reason, ..game(number, seating, outcome.points().as_slice()) }
}

#[test]
fn two_agents_are_counted_by_agent_not_by_seat() {
    let mut ledger = Ledger::new(2, 2);
    // The first agent wins both games of a pair, then draws one and loses one.
    ledger.count(&game(0, &[0, 1], &[100, 0]));
    ledger.count(&game(1, &[1, 0], &[0, 100]));
    ledger.count(&game(2, &[0, 1], &[50, 50]));
    ledger.count(&game(3, &[1, 0], &[100, 0]));
    let [first, second] = ledger.agents() else { panic!() };
    let wins = |it: &AgentTotals| {
        let Results { wins, draws, losses, points, .. } = it.results;
        [wins, draws, losses, points]
    };
    assert_eq!((wins(first), wins(second)), ([2, 1, 1, 250], [1, 1, 2, 150]));
    assert_eq!(ledger.seat_points[..2], [250, 150]);
    assert_eq!(ledger.pairs, [0, 1, 0, 0, 1]);
    let (mine, theirs) = (first.elo().unwrap(), second.elo().unwrap());
    assert!((mine.value - 400.0 * (5.0 / 3.0_f64).log10()).abs() < 1e-9);
    assert!((mine.value + theirs.value).abs() < 1e-9);
    assert!((mine.error() - theirs.error()).abs() < 1e-9);
    assert_eq!(first.mean_points().unwrap().value, 62.5);
    assert_eq!(ledger.lengths, Lengths { total: 86, least: 20, most: 23 });
    assert_eq!(ledger.mean_plies(), 21.5);
    assert_eq!(first.effort.nodes_per_move(), 10.0);
    assert_eq!(first.effort.nodes_per_second(), Some(20_000));
    assert_eq!(first.effort.mean_depth(), Some(4.0));
    assert_eq!(
        Effort::default().nodes_per_second().or(Effort::default().mean_depth().map(|_| 0)),
        None
    );
    assert_eq!(first.effort.seconds_per_move(), 0.0005);
    assert_eq!(ledger.reasons(), [("a reason", 4)]);
    assert!(ledger.results().is_empty(), "nobody asked for them");
}

#[test]
fn three_agents_are_compared_by_places() {
    let mut ledger = Ledger::new(3, 3);
    ledger.count(&game(0, &[2, 0, 1], &[100, 50, 0]));
    ledger.count(&game(1, &[2, 1, 0], &[50, 50, 50]));
    let agents = ledger.agents();
    let wins = |it: &AgentTotals| [it.results.wins, it.results.draws, it.results.losses];
    assert_eq!((wins(&agents[2]), wins(&agents[0])), ([1, 1, 0], [0, 1, 1]));
    assert_eq!(agents[1].places, [1, 0, 1, 0]);
    // 2 for first place and 1 for the three-way tie.
    assert_eq!(agents[2].mean_course_points().unwrap().value, 1.5);
    assert_eq!((agents[2].rating.current(), agents[2].rating.best()), (Some(1.5), None));
    // Second between a better and a worse one, then equal to both: half of everything.
    assert_eq!(agents[0].elo().unwrap().value, 0.0);
    assert!(agents[2].elo().unwrap().value > 0.0 && agents[1].elo().unwrap().value < 0.0);
    assert_eq!(ledger.pairs, [0; 5]);
    ledger.count(&game(6, &[2, 0, 1], &[100, 25, 25]));
    let losses = |agent| ledger.agent(agent).results.losses;
    assert_eq!([losses(0), losses(1), losses(2)], [2, 2, 0]);
}

#[test]
fn an_unfinished_pair_does_not_mix_with_the_next() {
    let mut ledger = Ledger::new(2, 2);
    ledger.count(&game(0, &[0, 1], &[100, 0]));
    // The second game of the first pair is missing.
    ledger.count(&game(2, &[0, 1], &[0, 100]));
    ledger.count(&game(3, &[1, 0], &[100, 0]));
    assert_eq!(ledger.pairs, [1, 0, 0, 0, 0]);
    assert_eq!(ledger.agent(0).mean_points().unwrap().value.round(), 33.0);
}

#[test]
fn three_faults_in_a_row_are_too_many() {
    let mut ledger = Ledger::for_ratings(2, 2);
    let crash = |number, seating: [u16; 2]| {
        let offender = if seating[0] == 0 { Seat::FIRST } else { Seat::SECOND };
        fault(number, &seating, offender, Fault::Crash)
    };
    assert_eq!(ledger.count(&crash(0, [0, 1])), None);
    assert_eq!(ledger.count(&crash(1, [1, 0])), None);
    // A game without a fault in between: counting starts over.
    assert_eq!(ledger.count(&game(2, &[0, 1], &[0, 100])), None);
    assert_eq!(ledger.count(&crash(3, [1, 0])), None);
    assert_eq!(ledger.count(&crash(4, [0, 1])), None);
    let mut lenient = ledger.clone();
    assert_eq!(ledger.count(&crash(5, [1, 0])), Some(0));
    assert!(ledger.is_withdrawn(0) && !ledger.is_withdrawn(1));
    assert_eq!(ledger.gone(&PerSeat::from_slice(&[1, 0])), [Seat::SECOND]);
    // Reported only once, and a game that is not played is no result.
    assert_eq!(ledger.count(&fault(6, &[0, 1], Seat::FIRST, Fault::Withdrawn)), None);
    assert_eq!((ledger.games(), ledger.results().len()), (7, 6));
    assert_eq!((ledger.agent(0).results.faults, ledger.agent(1).results.faults), (6, 0));
    assert_eq!(ledger.reasons()[0], ("crash", 5));
    lenient.stop_judging();
    assert_eq!(lenient.count(&crash(5, [1, 0])), None);
}

#[test]
fn every_two_of_a_match_are_compared() {
    let tables = [[100, 50, 0, 25], [0, 100, 0, 50], [50, 100, 25, 25]];
    for seats in 2..=4 {
        let mut ledger = Ledger::new(seats, seats);
        assert!(ledger.duel(0, 1).is_none(), "before the first game");
        let agents: Vec<u16> = (0..seats as u16).collect();
        for (number, points) in tables.iter().enumerate() {
            ledger.count(&game(number as u64, &agents, &points[..seats]));
        }
        for &agent in &agents {
            for &other in agents.iter().filter(|other| **other != agent) {
                let (mine, theirs) = (usize::from(agent), usize::from(other));
                let sum: f64 = tables.iter().map(|table| score(table[mine], table[theirs])).sum();
                let found = ledger.duel(agent, other).unwrap().value;
                assert!((found - sum / 3.0).abs() < 1e-9, "{agent} {other} of {seats}: {found}");
            }
        }
    }
}

#[test]
fn only_matches_of_more_than_two_keep_every_duel() {
    let kept = |agents, seats| Ledger::new(agents, seats).duels.len();
    assert_eq!([kept(2, 2), kept(3, 3), kept(4, 4)], [0, 3, 6]);
    assert_eq!([kept(3, 2), kept(5, 3), kept(1000, 4)], [0, 0, 0]);
    let mut tournament = Ledger::new(3, 2);
    tournament.count(&game(0, &[0, 1], &[100, 0]));
    assert!(tournament.duel(0, 1).is_none());
}

#[test]
fn every_bit_of_every_game_is_in_the_signature() {
    let counted = |signature: u64, from: u64| {
        let mut ledger = Ledger { signature: from, ..Ledger::new(2, 2) };
        ledger.count(&GameSummary { signature, ..game(5, &[1, 0], &[100, 0]) });
        ledger.count(&game(6, &[0, 1], &[100, 0]));
        ledger.signature
    };
    for bit in 0..64 {
        assert_ne!(counted(0, 0), counted(1 << bit, 0), "bit {bit}");
        assert_ne!(counted(u64::MAX, 0), counted(u64::MAX ^ 1 << bit, 0), "bit {bit}");
    }
    // Whatever came before.
    assert_ne!(counted(0, u64::MAX), counted(1, u64::MAX));
}

#[test]
fn disturbed_games_are_counted() {
    let mut ledger = Ledger::new(2, 2);
    for (number, disturbed) in [true, false, true].into_iter().enumerate() {
        ledger.count(&GameSummary { disturbed, ..game(number as u64, &[0, 1], &[100, 0]) });
    }
    assert_eq!(ledger.disturbed, 2);
}
