//! A review being made: which positions are searched, and what becomes of the opinions.

use agon_core::Seat;
use agon_games::Table;
use agon_search::AgentSpec;

use super::{Game, Judgement, Opinion, Review, ReviewedPly, summary};

/// The searches of a review, one after another: every position of the game, then the positions after the
/// better moves.
///
/// A search sees one ply further in the position after a move than in the one before, and what it thinks
/// may change with every ply, for better and worse in turn. So a move that seems to be bad is compared
/// with the best one at the same depth, too: the milder of the two views counts.
pub struct Course {
    game: Game,
    tables: Vec<Box<dyn Table>>,
    opinions: Vec<Opinion>,
    /// Moves that seem to be bad, by their plies, each with the position after the best move instead.
    doubts: Vec<(usize, Box<dyn Table>)>,
    /// What is thought of these positions.
    better: Vec<Opinion>,
}

impl Course {
    /// A review of a game with the tables at all its positions; there is at least one.
    pub fn new(game: Game, tables: Vec<Box<dyn Table>>) -> Course {
        let (opinions, doubts, better) = (Vec::new(), Vec::new(), Vec::new());
        Course { game, tables, opinions, doubts, better }
    }

    /// The position to be searched next; none when all is known.
    pub fn next(&self) -> Option<&dyn Table> {
        let of_game = self.tables.get(self.opinions.len());
        let table = of_game.or_else(|| self.doubts.get(self.better.len()).map(|(_, table)| table));
        table.map(|table| &**table)
    }

    /// Takes what was thought of the position that came next.
    pub fn learn(&mut self, opinion: Opinion) {
        if self.opinions.len() == self.tables.len() {
            self.better.push(opinion);
            return;
        }
        self.opinions.push(opinion);
        if self.opinions.len() == self.tables.len() {
            self.doubts = (1..self.tables.len()).filter_map(|at| self.doubt(at)).collect();
        }
    }

    /// How many positions have been searched.
    pub fn done(&self) -> usize {
        self.opinions.len() + self.better.len()
    }

    /// How many there are to search, as far as is known.
    pub fn total(&self) -> usize {
        self.tables.len() + self.doubts.len()
    }

    /// The position after the best move, if the one that was made instead seems to be bad.
    fn doubt(&self, at: usize) -> Option<(usize, Box<dyn Table>)> {
        Judgement::of(self.loss(at, self.chooser(at)?, None))?;
        let mut table = self.tables[at - 1].fork();
        table.play(self.opinions[at - 1].best.as_ref()?).ok()?;
        Some((at, table))
    }

    /// Who chose the move that led to a position; nobody if it was the only one or part of an opening.
    fn chooser(&self, at: usize) -> Option<usize> {
        let before = at.checked_sub(1)?;
        let is_choice = at > self.game.opening && self.tables[before].count_moves() > 1;
        self.tables[at].mover(before).filter(|_| is_choice).map(Seat::index)
    }

    /// What a move cost its player. The best move costs nothing, whatever the search of the next position
    /// says: that it looks one ply further is not the player's fault.
    fn loss(&self, at: usize, seat: usize, better: Option<&Opinion>) -> f64 {
        let (before, after) = (&self.opinions[at - 1], &self.opinions[at]);
        if before.best.as_ref() == self.tables[at].played().last() {
            return 0.0;
        }
        let share = |opinion: &Opinion| opinion.shares.get(seat).copied().unwrap_or(0.5);
        let possible = better.map_or(1.0, share).min(share(before));
        let loss = (possible - share(after)).max(0.0);
        (loss * 1e4).round() / 1e4
    }

    /// Puts together what was thought by this agent with so many nodes.
    pub fn finish(self, agent: &AgentSpec, nodes: u64) -> Review {
        let plies: Vec<ReviewedPly> = (0..self.opinions.len()).map(|at| self.ply(at)).collect();
        let first = &self.tables[0];
        let seats: Vec<String> =
            Seat::all(first.seats()).map(|it| first.seat_label(it).to_string()).collect();
        Review {
            variant: first.variant().to_string(),
            start: self.game.start,
            agent: agent.to_string(),
            nodes,
            players: summary::players(&plies, seats.len()),
            phases: summary::phases(&plies, seats.len()),
            decided_at: summary::decided_at(&plies),
            seats,
            plies,
        }
    }

    fn ply(&self, at: usize) -> ReviewedPly {
        let doubted = self.doubts.iter().position(|(doubted, _)| *doubted == at);
        let better = doubted.and_then(|doubted| self.better.get(doubted));
        let loss = self.chooser(at).map(|seat| self.loss(at, seat, better));
        let table = &self.tables[at];
        ReviewedPly {
            mv: table.played().last().cloned(),
            seat: at.checked_sub(1).and_then(|before| table.mover(before)).map(Seat::index),
            opinion: self.opinions[at].clone(),
            loss,
            accuracy: loss.map(summary::accuracy),
            judgement: loss.and_then(Judgement::of),
        }
    }
}
