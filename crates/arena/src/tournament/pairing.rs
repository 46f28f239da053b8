//! Pairings: who meets whom.

use std::collections::BTreeMap;

use agon_core::Rng;

/// Agents that play at one table.
pub type Meeting = Vec<u16>;

/// All meetings of `agents` agents at tables of `seats`, in rounds in which as many as possible
/// play at once.
///
/// Two at a table: the rounds of a round robin, each agent once in every round. More: every set
/// of agents once, in one round.
pub fn everybody(agents: u16, seats: usize) -> Vec<Vec<Meeting>> {
    if seats == 2 { circle(agents) } else { vec![subsets(&(0..agents).collect::<Vec<_>>(), seats)] }
}

/// The circle method: one agent stays, the others rotate by one place after every round.
fn circle(agents: u16) -> Vec<Vec<Meeting>> {
    let mut places: Vec<Option<u16>> = (0..agents).map(Some).collect();
    if places.len() % 2 == 1 {
        places.push(None);
    }
    let size = places.len();
    let mut rounds = Vec::new();
    for round in 0..size.saturating_sub(1) {
        let mut meetings = Vec::new();
        for place in 0..size / 2 {
            if let (Some(first), Some(second)) = (places[place], places[size - 1 - place]) {
                // Otherwise the one that stays would always have the first seat.
                let swapped = place == 0 && round % 2 == 1;
                meetings.push(if swapped { vec![second, first] } else { vec![first, second] });
            }
        }
        rounds.push(meetings);
        places[1..].rotate_right(1);
    }
    rounds
}

/// All sets of `size` of these agents.
fn subsets(agents: &[u16], size: usize) -> Vec<Meeting> {
    if size == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (index, &first) in agents.iter().enumerate() {
        for mut rest in subsets(&agents[index + 1..], size - 1) {
            rest.insert(0, first);
            all.push(rest);
        }
    }
    all
}

/// The first `champions` against all others: with more than two at a table, each of them with
/// every set of others.
pub fn gauntlet(agents: u16, champions: u16, seats: usize) -> Vec<Meeting> {
    let others: Vec<u16> = (champions..agents).collect();
    let against = |champion: u16| {
        subsets(&others, seats.saturating_sub(1)).into_iter().map(move |mut meeting| {
            meeting.insert(0, champion);
            meeting
        })
    };
    (0..champions).flat_map(against).collect()
}

/// How often agents have met, and who has sat out.
#[derive(Clone, Debug, Default)]
pub struct Encounters {
    /// How often two have met, and in which round they did so last. The smaller number first.
    met: BTreeMap<(u16, u16), (u32, u32)>,
    /// How often an agent had a bye.
    byes: BTreeMap<u16, u32>,
}

impl Encounters {
    /// Records a round.
    pub fn note(&mut self, round: u32, meetings: &[Meeting], byes: &[u16]) {
        for meeting in meetings {
            for (index, &one) in meeting.iter().enumerate() {
                for &other in &meeting[index + 1..] {
                    let entry = self.met.entry(ordered(one, other)).or_default();
                    *entry = (entry.0 + 1, round);
                }
            }
        }
        for &agent in byes {
            *self.byes.entry(agent).or_default() += 1;
        }
    }

    /// How often these two have met.
    pub fn times(&self, one: u16, other: u16) -> u32 {
        self.met.get(&ordered(one, other)).map_or(0, |(times, _)| *times)
    }

    /// The round in which these two met last.
    pub fn last(&self, one: u16, other: u16) -> Option<u32> {
        self.met.get(&ordered(one, other)).map(|(_, round)| *round)
    }

    /// How often this agent had a bye.
    pub fn byes(&self, agent: u16) -> u32 {
        self.byes.get(&agent).copied().unwrap_or(0)
    }
}

fn ordered(one: u16, other: u16) -> (u16, u16) {
    (one.min(other), one.max(other))
}

/// A round: the meetings and the byes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Round {
    /// The meetings, the best agents first.
    pub meetings: Vec<Meeting>,
    /// Who sits out.
    pub byes: Vec<u16>,
}

/// Pairs agents that are next to each other in `order`, best first, with as few costly pairs as
/// possible. The `cost` of a pair is 0 if it is fine, and higher the worse it is.
pub fn neighbours(
    order: &[u16],
    seats: usize,
    encounters: &Encounters,
    cost: &dyn Fn(u16, u16) -> u32,
) -> Round {
    let (playing, byes) = without_byes(order, seats, encounters);
    // As strict as possible: first only pairs without cost, then slightly costly ones, then any.
    for most in [0, 1, 2, 4] {
        let mut search = Search { seats, most, cost, steps: STEPS };
        if let Some(meetings) = search.meetings(&playing) {
            return Round { meetings, byes };
        }
    }
    let meetings = playing.chunks(seats.max(1)).map(<[u16]>::to_vec).collect();
    Round { meetings, byes }
}

/// Enough for hundreds of agents that have met in some dozens of rounds.
const STEPS: u32 = 200_000;

/// A backtracking search for meetings of neighbours.
struct Search<'a> {
    seats: usize,
    /// The most that any pair may cost.
    most: u32,
    cost: &'a dyn Fn(u16, u16) -> u32,
    steps: u32,
}

impl Search<'_> {
    fn meetings(&mut self, free: &[u16]) -> Option<Vec<Meeting>> {
        let Some((&first, rest)) = free.split_first() else { return Some(Vec::new()) };
        self.fill(vec![first], rest, 0)
    }

    /// Fills a table up with agents from `from` on, then seats the others.
    fn fill(&mut self, table: Meeting, free: &[u16], from: usize) -> Option<Vec<Meeting>> {
        if table.len() == self.seats {
            let mut others = self.meetings(free)?;
            others.insert(0, table);
            return Some(others);
        }
        for index in from..free.len() {
            self.steps = self.steps.checked_sub(1)?;
            let candidate = free[index];
            if table.iter().all(|&other| (self.cost)(other, candidate) <= self.most) {
                let mut table = table.clone();
                table.push(candidate);
                let mut free = free.to_vec();
                free.remove(index);
                if let Some(meetings) = self.fill(table, &free, index) {
                    return Some(meetings);
                }
            }
        }
        None
    }
}

/// Gives byes to the agents that do not fill a table: those with the fewest byes so far, and of
/// them the last in order.
fn without_byes(order: &[u16], seats: usize, encounters: &Encounters) -> (Vec<u16>, Vec<u16>) {
    let count = order.len() % seats.max(1);
    let mut candidates: Vec<(u32, std::cmp::Reverse<usize>, u16)> = order
        .iter()
        .enumerate()
        .map(|(place, &agent)| (encounters.byes(agent), std::cmp::Reverse(place), agent))
        .collect();
    candidates.sort_unstable();
    let byes: Vec<u16> = candidates.into_iter().take(count).map(|(.., agent)| agent).collect();
    let playing = order.iter().copied().filter(|agent| !byes.contains(agent)).collect();
    (playing, byes)
}

/// The random order of the first round.
pub(crate) fn random_order(agents: u16, seed: u64) -> Vec<u16> {
    let mut order: Vec<u16> = (0..agents).collect();
    let mut rng = Rng::new(seed);
    for index in (1..order.len()).rev() {
        order.swap(index, rng.below(index as u64 + 1) as usize);
    }
    order
}

#[cfg(test)]
mod tests;
