//! Which parameter has which number: agents first, then seats, then the draws.

use std::cmp::Reverse;

use agon_core::{MAX_SEATS, Seat};

use super::Draws;
use crate::statistics::GameResult;

/// The parameters of a fit.
#[derive(Clone, PartialEq, Debug)]
pub struct Layout {
    /// Sorted.
    agents: Vec<u32>,
    /// For each agent the number of its component.
    component: Vec<usize>,
    /// Blocks of parameters of which only differences matter: components of agents, and the seats
    /// of each table size.
    blocks: Vec<Vec<usize>>,
    /// Where the seats of each table size begin.
    seats: [Option<usize>; MAX_SEATS + 1],
    draw: Option<usize>,
    size: usize,
}

impl Layout {
    pub fn of(games: &[GameResult], draws: Draws) -> Layout {
        let comparisons = || games.iter().flat_map(GameResult::comparisons);
        let mut agents: Vec<u32> = comparisons().flat_map(|comparison| comparison.agents).collect();
        agents.sort_unstable();
        agents.dedup();
        let (component, mut blocks) = connect(&agents, comparisons().map(|two| two.agents));
        let mut size = agents.len();
        let mut seats = [None; MAX_SEATS + 1];
        let tables = games.iter().map(table);
        let present = tables.fold([false; MAX_SEATS + 1], |mut present, players| {
            present[players] = players > 1;
            present
        });
        for players in (0..=MAX_SEATS).filter(|&players| present[players]) {
            seats[players] = Some(size);
            blocks.push((size..size + players).collect());
            size += players;
        }
        let draw = (draws == Draws::Davidson && size > 0).then_some(size);
        size += usize::from(draw.is_some());
        Layout { agents, component, blocks, seats, draw, size }
    }

    pub fn agents(&self) -> &[u32] {
        &self.agents
    }

    /// How many parameters there are.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The blocks of parameters of which only differences matter.
    pub fn blocks(&self) -> &[Vec<usize>] {
        &self.blocks
    }

    /// How many parameters are free, given the sum of every block.
    pub fn free(&self) -> usize {
        self.size - self.blocks.len()
    }

    pub fn agent(&self, agent: u32) -> Option<usize> {
        self.agents.binary_search(&agent).ok()
    }

    pub fn seat(&self, players: usize, seat: Seat) -> Option<usize> {
        let first = (*self.seats.get(players)?)?;
        (seat.index() < players).then_some(first + seat.index())
    }

    pub fn draw(&self) -> Option<usize> {
        self.draw
    }

    pub(crate) fn same_component(&self, a: usize, b: usize) -> bool {
        self.component[a] == self.component[b]
    }

    pub(crate) fn has_opponents(&self, agent: usize) -> bool {
        self.blocks[self.component[agent]].len() > 1
    }

    /// The agents of every component, the largest component first.
    pub fn components(&self) -> Vec<Vec<u32>> {
        let count = self.component.iter().max().map_or(0, |last| last + 1);
        let agents = |block: &Vec<usize>| block.iter().map(|&agent| self.agents[agent]).collect();
        let mut components: Vec<Vec<u32>> = self.blocks[..count].iter().map(agents).collect();
        components.sort_by_key(|component| Reverse(component.len()));
        components
    }
}

/// How many players a game has.
pub fn table(game: &GameResult) -> usize {
    game.seating.seats().min(game.points.seats())
}

/// For each agent the number of its component, and the agents of every component.
fn connect(agents: &[u32], edges: impl Iterator<Item = [u32; 2]>) -> (Vec<usize>, Vec<Vec<usize>>) {
    let mut leader: Vec<usize> = (0..agents.len()).collect();
    fn find(leader: &mut [usize], mut agent: usize) -> usize {
        while leader[agent] != agent {
            leader[agent] = leader[leader[agent]];
            agent = leader[agent];
        }
        agent
    }
    for edge in edges {
        let [a, b] = edge.map(|agent| agents.partition_point(|&known| known < agent));
        let (a, b) = (find(&mut leader, a), find(&mut leader, b));
        // The smallest number is the root, so that components are in the order of their first
        // agents.
        leader[a.max(b)] = a.min(b);
    }
    let mut component = vec![0; agents.len()];
    let mut blocks: Vec<Vec<usize>> = Vec::new();
    for agent in 0..agents.len() {
        let first = find(&mut leader, agent);
        if first == agent {
            component[agent] = blocks.len();
            blocks.push(Vec::new());
        } else {
            component[agent] = component[first];
        }
        blocks[component[agent]].push(agent);
    }
    (component, blocks)
}
