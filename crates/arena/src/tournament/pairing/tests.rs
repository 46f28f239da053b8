use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;

#[test]
fn everybody_meets_everybody_once() {
    for agents in 2..=9 {
        let rounds = everybody(agents, 2);
        let mut pairs = BTreeSet::new();
        let mut first = vec![0; usize::from(agents)];
        for round in &rounds {
            let mut busy = BTreeSet::new();
            for meeting in round {
                assert!(meeting.iter().all(|agent| busy.insert(*agent)), "once in a round");
                assert!(pairs.insert(ordered(meeting[0], meeting[1])), "{meeting:?} again");
                first[usize::from(meeting[0])] += 1;
            }
        }
        assert_eq!(pairs.len(), usize::from(agents * (agents - 1) / 2));
        assert_eq!(rounds.len(), usize::from(agents - 1 + agents % 2));
        let (least, most) = (first.iter().min().unwrap(), first.iter().max().unwrap());
        assert!(most - least <= agents / 2, "first seats: {first:?}");
    }
}

#[test]
fn three_at_a_table_meet_in_every_mix() {
    let rounds = everybody(5, 3);
    assert_eq!(rounds.len(), 1);
    let mixes: BTreeSet<&Meeting> = rounds[0].iter().collect();
    assert_eq!(mixes.len(), 10);
    assert!(rounds[0].contains(&vec![0, 2, 4]));
}

#[test]
fn champions_meet_the_others_only() {
    assert_eq!(gauntlet(4, 1, 2), [[0, 1], [0, 2], [0, 3]]);
    assert_eq!(gauntlet(4, 2, 2), [[0, 2], [0, 3], [1, 2], [1, 3]]);
    assert_eq!(gauntlet(4, 1, 3), [[0, 1, 2], [0, 1, 3], [0, 2, 3]]);
}

/// Plays rounds in which the smaller number always wins, with Swiss pairings.
fn swiss(agents: u16, seats: usize, rounds: u32) -> (Vec<Round>, Encounters) {
    let mut encounters = Encounters::default();
    let mut points = vec![0; usize::from(agents)];
    let mut played = Vec::new();
    for number in 0..rounds {
        let mut order: Vec<u16> = (0..agents).collect();
        order.sort_by_key(|agent| std::cmp::Reverse(points[usize::from(*agent)]));
        let round =
            neighbours(&order, seats, &encounters, &|one, other| encounters.times(one, other));
        encounters.note(number, &round.meetings, &round.byes);
        for meeting in &round.meetings {
            let winner = meeting.iter().min().unwrap();
            points[usize::from(*winner)] += 1;
        }
        round.byes.iter().for_each(|agent| points[usize::from(*agent)] += 1);
        played.push(round);
    }
    (played, encounters)
}

#[test]
fn nobody_meets_twice_as_long_as_that_can_be() {
    // Four rounds with sixteen agents find the winner.
    let (_, encounters) = swiss(16, 2, 4);
    for one in 0..16 {
        assert!((0..16).all(|other| other == one || encounters.times(one, other) <= 1));
    }
    // Six agents have only five different opponents: a sixth round repeats each once.
    let (rounds, encounters) = swiss(6, 2, 6);
    assert!(rounds.iter().all(|round| round.meetings.len() == 3));
    assert!((1..6).all(|other| encounters.times(0, other) <= 2));
}

#[test]
fn meetings_are_counted_for_every_two_at_the_table() {
    let mut encounters = Encounters::default();
    encounters.note(3, &[vec![4, 1, 2]], &[0]);
    encounters.note(7, &[vec![1, 4, 0]], &[2]);
    assert_eq!((encounters.times(1, 4), encounters.times(4, 1)), (2, 2));
    assert_eq!((encounters.last(4, 1), encounters.last(2, 4)), (Some(7), Some(3)));
    assert_eq!((encounters.times(0, 2), encounters.last(0, 2)), (0, None));
    assert_eq!((encounters.times(1, 1), encounters.last(1, 1)), (0, None), "nobody meets himself");
    assert_eq!((encounters.byes(0), encounters.byes(1)), (1, 0));
}

#[test]
fn if_every_pair_is_costly_neighbours_meet() {
    let round = |order: &[u16], seats| neighbours(order, seats, &Encounters::default(), &|_, _| 9);
    assert_eq!(round(&[3, 1, 0, 2], 2).meetings, [[3, 1], [0, 2]]);
    assert_eq!(round(&[3, 1, 0, 2, 4, 5, 6], 3).meetings, [[3, 1, 0], [2, 4, 5]]);
    assert_eq!(round(&[3, 1, 0, 2, 4, 5, 6], 3).byes, [6]);
}

#[test]
fn those_who_sit_out_take_turns() {
    let (rounds, encounters) = swiss(7, 2, 7);
    assert!(rounds.iter().all(|round| round.byes.len() == 1 && round.meetings.len() == 3));
    assert!((0..7).all(|agent| encounters.byes(agent) == 1));
    assert_eq!(rounds[0].byes, [6], "the last begins");
    let (rounds, _) = swiss(8, 3, 1);
    assert_eq!(rounds[0].byes.len(), 2);
}

#[test]
fn many_agents_are_paired_in_reasonable_time() {
    let (rounds, _) = swiss(300, 2, 12);
    assert!(rounds.iter().all(|round| round.meetings.len() == 150));
    let (rounds, _) = swiss(99, 3, 8);
    assert!(rounds.iter().all(|round| round.meetings.len() == 33));
}

#[test]
fn a_lot_is_an_order_of_all_and_comes_from_the_seed() {
    let order = random_order(20, 1);
    assert_eq!(order.iter().copied().collect::<BTreeSet<_>>().len(), 20);
    assert_eq!(order, random_order(20, 1));
    assert_ne!(order, random_order(20, 2));
    // Every order can come, also the one in which all stay where they are.
    let orders: BTreeSet<_> = (0..100).map(|seed| random_order(3, seed)).collect();
    assert_eq!(orders.len(), 6);
}

proptest! {
    #[test]
    fn every_agent_is_seated_or_sits_out(
        agents in 2u16..40, seats in 2usize..4, rounds in 1u32..6
    ) {
        let (rounds, _) = swiss(agents, seats, rounds);
        for round in rounds {
            let mut seen = BTreeSet::new();
            for agent in round.meetings.iter().flatten().chain(&round.byes) {
                prop_assert!(seen.insert(*agent));
            }
            prop_assert_eq!(seen.len(), usize::from(agents));
            prop_assert!(round.meetings.iter().all(|meeting| meeting.len() == seats));
        }
    }
}
