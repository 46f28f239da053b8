//! Retrograde analysis, for games in which positions recur.
//!
//! All reachable positions are collected first. Then the results of finished games are propagated
//! backwards: a position with a winning move is won, one ply later; a position all of whose moves
//! lose is lost, one ply after the last of them. What is never reached that way is a draw, as
//! nobody can force anything. As this proceeds in order of distance, every win is the shortest and
//! every loss the longest.

use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::{BuildHasherDefault, Hasher};
use std::marker::PhantomData;

use agon_core::{Game, Hints, History, Progress as Irreversibility, Seat, Status};

use crate::strategy::Root;

use super::shared::{Books, Halt, Observer, Progress, Unknown, Watch};
use super::{Solution, Value, unknown};

/// The result of a position: who can force a win, and in how many plies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Verdict {
    winner: Option<Seat>,
    plies: u32,
}

const DRAW: Verdict = Verdict { winner: None, plies: 0 };

/// All positions reachable from one, with their values.
#[derive(Debug)]
pub(super) struct Graph<G> {
    numbers: HashMap<u64, u32, BuildHasherDefault<Already>>,
    verdicts: Vec<Verdict>,
    /// Whether a finished game was found that may have been ended by a counter.
    cut_short: bool,
    game: PhantomData<G>,
}

/// The positions and moves while they are collected.
struct Collection<G> {
    numbers: HashMap<u64, u32, BuildHasherDefault<Already>>,
    /// The positions whose moves are not listed yet, in the order of their numbers.
    waiting: VecDeque<G>,
    /// Who is to move, or how the game ended.
    to_move: Vec<Option<Seat>>,
    winners: Vec<Option<Seat>>,
    /// Where the moves of each position begin in the next list.
    first: Vec<u32>,
    targets: Vec<u32>,
    cut_short: bool,
}

/// How often progress is reported, in positions.
const INTERVAL: usize = 1 << 14;

impl<G: Hints> Graph<G> {
    /// Collects everything below a position, unless that is more than `most` positions, and works
    /// out all values.
    pub(super) fn explore(
        root: &G,
        most: usize,
        books: &Books,
        observe: Observer<'_>,
    ) -> Result<Self, Halt> {
        let collection = Collection::new(root, most.min(u32::MAX as usize), books, observe)?;
        let verdicts = collection.verdicts();
        let Collection { numbers, cut_short, .. } = collection;
        Ok(Graph { numbers, verdicts, cut_short, game: PhantomData })
    }

    /// Whether the position was collected.
    pub(super) fn contains(&self, position: &G) -> bool {
        self.numbers.contains_key(&position.key())
    }

    /// The verdict on a position. Where a counter ended the game early, the positions beyond were
    /// not collected; no win is claimed there.
    fn verdict(&self, position: &G) -> Verdict {
        self.numbers.get(&position.key()).map_or(DRAW, |&number| self.verdicts[number as usize])
    }

    /// The solution of a position that was collected, under all rules.
    pub(super) fn solution(
        &self,
        root: Root<'_, G>,
        books: &Books,
    ) -> Result<Solution<G::Move>, Halt> {
        let position = root.position;
        let Status::ToMove(me) = position.status() else { return Err(Halt::Budget) };
        let Verdict { winner, plies } = self.verdict(position);
        let line = self.line(position);
        let stands = match winner {
            None => !self.cut_short,
            Some(winner) => self.is_won_under_all_rules(root, winner, books)?,
        };
        let value = match winner {
            None => Value::Draw,
            Some(winner) if winner == me => Value::Win,
            Some(_) => Value::Loss,
        };
        Ok(Solution {
            value: stands.then_some(value),
            best: line.first().copied(),
            distance: (stands && winner.is_some()).then_some(plies),
            line,
            states: Some(self.verdicts.len() as u64),
            ..unknown()
        })
    }

    /// The move the side to move should choose: a short win, else a draw, else a long loss.
    fn best(&self, position: &G) -> Option<(G::Move, G)> {
        let Status::ToMove(me) = position.status() else { return None };
        let children = replies(position).into_iter();
        let merit = |(_, child): &(G::Move, G)| {
            let Verdict { winner, plies } = self.verdict(child);
            match winner {
                Some(winner) if winner == me => (1, -i64::from(plies)),
                None => (0, 0),
                Some(_) => (-1, i64::from(plies)),
            }
        };
        children.max_by_key(merit)
    }

    /// A line of optimal play, up to the end or to where a position would recur.
    fn line(&self, position: &G) -> Vec<G::Move> {
        let (mut line, mut seen) = (Vec::new(), HashSet::new());
        let mut position = position.clone();
        while seen.insert(position.key()) {
            let Some((mv, child)) = self.best(&position) else { break };
            line.push(mv);
            position = child;
        }
        line
    }

    /// Verifies a win against every defence, with counters, repetition and limits applied.
    fn is_won_under_all_rules(
        &self,
        root: Root<'_, G>,
        winner: Seat,
        books: &Books,
    ) -> Result<bool, Halt> {
        let plies = self.verdict(root.position).plies as usize;
        let limit = root.position.history_rules().plies;
        if limit.is_some_and(|limit| root.history.plies() + plies > limit.count as usize) {
            return Ok(false);
        }
        let mut watch = Watch::new(books);
        let mut seen = HashSet::new();
        let mut waiting = vec![root.position.clone()];
        while let Some(position) = waiting.pop() {
            let plies = self.verdict(&position).plies;
            let replies = match position.status() {
                Status::ToMove(seat) if seat == winner => {
                    self.best(&position).into_iter().collect()
                }
                _ => replies(&position),
            };
            for (_, child) in replies {
                watch.count()?;
                let after = self.verdict(&child);
                match child.outcome() {
                    Some(outcome) if outcome.winner() == Some(winner) => {}
                    Some(_) => return Ok(false),
                    None if is_repeated(root.history, &child) => return Ok(false),
                    // Every move must bring the end closer, or there may be no end.
                    None if after.winner != Some(winner) || after.plies >= plies => {
                        return Ok(false);
                    }
                    None if seen.insert((child.key(), child.counters())) => waiting.push(child),
                    None => {}
                }
            }
        }
        Ok(true)
    }
}

/// All moves of a position with the positions they lead to.
fn replies<G: Game>(position: &G) -> Vec<(G::Move, G)> {
    let play = |mv: G::Move| {
        let mut child = position.clone();
        child.play(mv);
        (mv, child)
    };
    position.moves().into_iter().map(play).collect()
}

/// Whether a position, reached once more, would be a draw by the history before the root.
fn is_repeated<G: Game>(history: &History, position: &G) -> bool {
    let Some(limit) = position.history_rules().repetition else { return false };
    let mut history = history.clone();
    history.push(position, Irreversibility::Reversible);
    history.occurrences() >= limit.count as usize
}

impl<G: Hints> Collection<G> {
    fn new(root: &G, most: usize, books: &Books, observe: Observer<'_>) -> Result<Self, Halt> {
        let mut watch = Watch::new(books);
        let mut found = Collection {
            numbers: HashMap::default(),
            waiting: VecDeque::new(),
            to_move: Vec::new(),
            winners: Vec::new(),
            first: Vec::new(),
            targets: Vec::new(),
            cut_short: false,
        };
        found.number(root.clone());
        while let Some(position) = found.waiting.pop_front() {
            found.expand(&position, &mut watch)?;
            if found.to_move.len() > most || found.targets.len() > u32::MAX as usize / 2 {
                return Err(books.run_out(Unknown::Memory));
            }
            if found.first.len().is_multiple_of(INTERVAL) {
                let states = Some(found.to_move.len() as u64);
                let (nodes, time) = (books.nodes(), books.started.elapsed());
                let table = found.to_move.len() as f64 / most as f64;
                observe(&Progress { nodes, time, states, table });
            }
        }
        found.first.push(found.targets.len() as u32);
        Ok(found)
    }

    /// The number of a position, a new one if it is new.
    fn number(&mut self, position: G) -> u32 {
        let next = self.to_move.len() as u32;
        let number = *self.numbers.entry(position.key()).or_insert(next);
        if number == next {
            self.to_move.push(None);
            self.winners.push(None);
            self.waiting.push_back(position);
        }
        number
    }

    /// Lists the moves of the next position in the order of numbers.
    fn expand(&mut self, position: &G, watch: &mut Watch<'_>) -> Result<(), Halt> {
        let number = self.first.len();
        self.first.push(self.targets.len() as u32);
        let moves = position.moves();
        match position.status() {
            Status::Over(outcome) => {
                self.winners[number] = outcome.winner();
                self.cut_short |= position.counters() != 0;
            }
            Status::ToMove(_) if moves.is_empty() => {
                self.winners[number] = position.when_stuck().winner();
            }
            Status::ToMove(seat) => self.to_move[number] = Some(seat),
        }
        for mv in moves {
            watch.count()?;
            let mut child = position.clone();
            child.play(mv);
            let target = self.number(child);
            self.targets.push(target);
        }
        Ok(())
    }

    /// Propagates the results back to all positions.
    fn verdicts(&self) -> Vec<Verdict> {
        let (origins, sources) = self.reversed();
        let mut left: Vec<u32> = self.first.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let mut verdicts = vec![DRAW; self.winners.len()];
        let mut settled: VecDeque<u32> = VecDeque::new();
        for (number, winner) in self.winners.iter().enumerate().filter(|(_, w)| w.is_some()) {
            verdicts[number].winner = *winner;
            settled.push_back(number as u32);
        }
        while let Some(number) = settled.pop_front() {
            let Verdict { winner, plies } = verdicts[number as usize];
            let range = origins[number as usize] as usize..origins[number as usize + 1] as usize;
            for &before in &sources[range] {
                let before_index = before as usize;
                if verdicts[before_index].winner.is_some() {
                    continue;
                }
                left[before_index] -= 1;
                // The mover wins with this move, or has no other left to try.
                if self.to_move[before_index] == winner || left[before_index] == 0 {
                    verdicts[before_index] = Verdict { winner, plies: plies + 1 };
                    settled.push_back(before);
                }
            }
        }
        verdicts
    }

    /// The moves by destination: where those to each position start, and their origins.
    fn reversed(&self) -> (Vec<u32>, Vec<u32>) {
        let states = self.to_move.len();
        let mut begin = vec![0_u32; states + 2];
        for &target in &self.targets {
            begin[target as usize + 2] += 1;
        }
        for index in 2..begin.len() {
            begin[index] += begin[index - 1];
        }
        let mut sources = vec![0; self.targets.len()];
        for number in 0..states {
            for &target in
                &self.targets[self.first[number] as usize..self.first[number + 1] as usize]
            {
                let place = &mut begin[target as usize + 1];
                sources[*place as usize] = number as u32;
                *place += 1;
            }
        }
        begin.pop();
        (begin, sources)
    }
}

/// The identity hasher: keys are already hashes.
#[derive(Default)]
struct Already(u64);

impl Hasher for Already {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

#[cfg(test)]
mod tests {
    use agon_core::Variant;
    use agon_games::{Playable, Visitor, with_game};

    use super::*;
    use crate::budget::Budget;

    /// How many positions there are, and the longest forced win among them.
    struct Extent;

    impl Visitor for Extent {
        type Output = (usize, u32);

        fn visit<G: Playable>(self, _: Variant, start: G) -> Self::Output {
            let books = Books::new(&Budget::default());
            let graph = Graph::explore(&start, 1 << 20, &books, &mut |_| {}).unwrap();
            let longest = graph.verdicts.iter().map(|verdict| verdict.plies).max();
            (graph.verdicts.len(), longest.unwrap())
        }
    }

    #[test]
    fn the_longest_forced_win_of_wumpus_on_3x3_takes_16_plies() {
        let extent = with_game(&"wumpus:3".parse().unwrap(), Extent).unwrap();
        assert_eq!(extent, (415_262, 16));
    }
}
