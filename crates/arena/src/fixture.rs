//! The games to be played.

use agon_core::{MAX_SEATS, PerSeat, Seat, Variant};
use agon_games::Catalog;
use serde::{Deserialize, Serialize};

use crate::clock::Pace;
use crate::openings::Openings;

/// What is played, and how.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Terms {
    /// Where the game comes from.
    pub catalog: Catalog,
    /// The game and its setup.
    pub variant: Variant,
    /// The limits of the players.
    pub pace: Pace,
    /// How games begin.
    pub openings: Openings,
}

/// A game to be played. With the seed of the match or tournament, it determines all random choices.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Fixture {
    /// Its place in the schedule, from 0.
    pub number: u64,
    /// The round it belongs to, from 0.
    pub round: u32,
    /// The meeting of the same agents it belongs to, from 0 in every round.
    pub pairing: u32,
    /// Its place in that meeting, from 0.
    pub leg: u32,
    /// The index of its terms.
    pub terms: u16,
    /// The number of its opening, the same for all seatings of one group.
    pub group: u64,
    /// Who sits where: the agents' numbers.
    #[serde(with = "list")]
    pub seating: PerSeat<u16>,
}

impl Fixture {
    /// A single game, outside any schedule.
    pub fn alone(number: u64, seating: PerSeat<u16>) -> Fixture {
        Fixture { number, round: 0, pairing: 0, leg: 0, terms: 0, group: number, seating }
    }
}

/// A seating as a list of agents.
mod list {
    use super::{MAX_SEATS, PerSeat};
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::{Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(it: &PerSeat<u16>, to: S) -> Result<S::Ok, S::Error> {
        it.as_slice().serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<PerSeat<u16>, D::Error> {
        let agents = Vec::deserialize(from)?;
        if agents.len() > MAX_SEATS {
            let problem = format!("{} agents at a table, at most {MAX_SEATS}", agents.len());
            return Err(D::Error::custom(problem));
        }
        Ok(PerSeat::from_slice(&agents))
    }
}

/// How many games an opening takes: one for every order of the agents.
pub fn group_size(agents: usize) -> u64 {
    (1..=agents as u64).product::<u64>().max(1)
}

/// The number of games rounded up so that every opening is played from every seat: a multiple of
/// 2 with two agents, of 6 with three.
pub fn whole_groups(games: u64, agents: usize) -> u64 {
    games.max(1).checked_next_multiple_of(group_size(agents)).unwrap_or(games)
}

/// Who sits where in the game of this number within its group: the permutations of the agents in
/// turn.
pub fn seating(agents: &[u16], mut number: u64) -> PerSeat<u16> {
    let mut free: Vec<u16> = agents.iter().copied().take(MAX_SEATS).collect();
    let mut order = PerSeat::filled(free.len(), 0);
    for seat in Seat::all(free.len()) {
        let orders_of_rest = group_size(free.len() - 1);
        order[seat] = free.remove((number / orders_of_rest) as usize % free.len());
        number %= orders_of_rest;
    }
    order
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn agents_take_every_seat() {
        let seatings = |agents: &[u16], count| -> Vec<Vec<u16>> {
            (0..count).map(|number| seating(agents, number).as_slice().to_vec()).collect()
        };
        assert_eq!(seatings(&[0, 1], 2), [[0, 1], [1, 0]]);
        assert_eq!(seatings(&[7, 3], 2), [[7, 3], [3, 7]]);
        assert_eq!(
            seatings(&[0, 1, 2], 6),
            [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
        );
        let four: BTreeSet<Vec<u16>> = seatings(&[0, 1, 2, 3], 24).into_iter().collect();
        assert_eq!(four.len(), 24);
    }

    #[test]
    fn a_fixture_goes_through_text() {
        let fixture = Fixture { terms: 2, ..Fixture::alone(7, PerSeat::from_slice(&[4, 0, 9])) };
        let text = serde_json::to_string(&fixture).unwrap();
        assert!(text.contains("\"seating\":[4,0,9]"), "{text}");
        assert_eq!(serde_json::from_str::<Fixture>(&text).unwrap(), fixture);
        let crowd = text.replace("[4,0,9]", "[1,2,3,4,5]");
        assert!(serde_json::from_str::<Fixture>(&crowd).is_err());
    }

    #[test]
    fn games_come_in_whole_groups() {
        assert_eq!([0, 1, 2, 99, 100].map(|games| whole_groups(games, 2)), [2, 2, 2, 100, 100]);
        assert_eq!([1, 6, 7, 100].map(|games| whole_groups(games, 3)), [6, 6, 12, 102]);
        assert_eq!(whole_groups(u64::MAX, 2), u64::MAX);
    }
}
