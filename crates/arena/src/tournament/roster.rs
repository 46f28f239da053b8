//! Who takes part when: agents can join a tournament late, and leave it early.

use std::collections::BTreeSet;

use agon_core::rng::mix;

use super::pairing::random_order;
use crate::store::Membership;

/// When an agent takes part.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stay {
    /// The first round in which it is paired. In a round robin and a gauntlet, whose meetings are
    /// known from the start, the wave it came with. 0 for those who were there from the start.
    pub joined: u32,
    /// The first round or wave without it, if it has retired.
    pub retired: Option<u32>,
}

/// All agents that have ever been entered, by their numbers. Numbers never change, and those who
/// join later have higher ones.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Roster(Vec<Stay>);

impl Roster {
    /// These agents.
    pub fn new(stays: Vec<Stay>) -> Roster {
        Roster(stays)
    }

    /// This many agents, all from the start to the end.
    pub fn from_the_start(agents: usize) -> Roster {
        Roster(vec![Stay::default(); agents])
    }

    /// The agents of a stored tournament.
    pub fn stored(members: &[Membership]) -> Roster {
        let stay = |member: &Membership| Stay { joined: member.joined, retired: member.retired };
        Roster(members.iter().map(stay).collect())
    }

    /// How many there are, those who have retired included.
    pub fn agents(&self) -> u16 {
        u16::try_from(self.0.len()).unwrap_or(u16::MAX)
    }

    /// How many have not retired.
    pub fn active(&self) -> u16 {
        self.agents() - self.retired().filter(|retired| *retired).count() as u16
    }

    /// For every agent, whether it has retired.
    pub fn retired(&self) -> impl Iterator<Item = bool> {
        self.0.iter().map(|stay| stay.retired.is_some())
    }

    /// Whether an agent has retired.
    pub fn has_retired(&self, agent: u16) -> bool {
        self.0.get(usize::from(agent)).is_some_and(|stay| stay.retired.is_some())
    }

    /// Whether an agent is paired in a round.
    pub fn plays_in(&self, agent: u16, round: u32) -> bool {
        let plays = |stay: &Stay| {
            stay.joined <= round && stay.retired.is_none_or(|retired| round < retired)
        };
        self.0.get(usize::from(agent)).is_some_and(plays)
    }

    /// How many agents are paired in a round.
    pub fn present(&self, round: u32) -> u64 {
        (0..self.agents()).filter(|&agent| self.plays_in(agent, round)).count() as u64
    }

    /// The rounds before which somebody joins or leaves, in order, from the start.
    pub fn turning_points(&self) -> BTreeSet<u32> {
        let moments = |stay: &Stay| [Some(stay.joined), stay.retired];
        self.0.iter().flat_map(moments).flatten().chain([0]).collect()
    }

    /// When the last of them joined.
    pub fn last_joined(&self) -> u32 {
        self.0.iter().map(|stay| stay.joined).max().unwrap_or(0)
    }

    /// The agents that are there by a round, whether or not they have left.
    pub fn arrived(&self, round: u32) -> impl Iterator<Item = u16> {
        let stays = (0..).zip(&self.0);
        stays.filter(move |(_, stay)| stay.joined <= round).map(|(agent, _)| agent)
    }

    /// How many agents there were after each wave of arrivals.
    pub fn waves(&self) -> Vec<u16> {
        let waves: BTreeSet<u32> = self.0.iter().map(|stay| stay.joined).collect();
        waves.into_iter().map(|wave| self.arrived(wave).count() as u16).collect()
    }

    /// All agents in random order, wave by wave: later arrivals do not change the order of those
    /// before them.
    pub fn lot(&self, seed: u64) -> Vec<u16> {
        let mut order = Vec::new();
        for agents in self.waves() {
            let before = order.len() as u16;
            let seed = if before == 0 { seed } else { seed ^ mix(before.into()) };
            let wave = random_order(agents.saturating_sub(before), seed);
            order.extend(wave.into_iter().map(|agent| before + agent));
        }
        order
    }
}
