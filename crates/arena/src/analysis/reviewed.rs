//! A review as an analysis: signs, evaluations, and better lines as variations.

use agon_search::Score;

use super::{Analysis, NODES, Node, Sign, after_move};
use crate::review::{Game, Judgement, Review, ReviewedPly};
use crate::score_json::ScoreJson;

/// How many moves of a better line are shown.
const SHOWN: usize = 8;

impl Review {
    /// The game with what the review says: a sign and the loss behind each bad move, the better line
    /// as a variation, and the score after every move. `names` are those of the players, if known.
    pub fn annotated(&self, game: &Game, title: &str, names: Vec<String>) -> Analysis {
        let mut nodes: Vec<Node> = Vec::with_capacity(2 * self.plies.len());
        let mut before = 0;
        for (at, ply) in (1..).zip(self.plies.iter().skip(1)) {
            let parent = before;
            nodes.push(self.node(parent, at, ply));
            before = nodes.len();
            // The rest of the game needs a place, too.
            let room = NODES.saturating_sub(nodes.len() + self.plies.len() - at);
            nodes.extend(self.better(parent, at, ply, nodes.len(), room.min(SHOWN)));
        }
        let mut names = names;
        names.resize(self.seats.len(), String::new());
        Analysis {
            variant: self.variant.clone(),
            start: self.start.clone(),
            title: title.to_string(),
            comment: format!("Reviewed by {} with {} nodes a position.", self.agent, self.nodes),
            names,
            opening: game.opening,
            nodes,
        }
    }

    /// A move of the game.
    fn node(&self, parent: usize, at: usize, ply: &ReviewedPly) -> Node {
        let comment = ply.judgement.map_or_else(String::new, |judgement| {
            let lost = ply.loss.unwrap_or(0.0) * 100.0;
            format!("{}: {lost:.0} expected points lost", judgement.name())
        });
        Node {
            parent,
            mv: ply.mv.clone().unwrap_or_default(),
            comment,
            sign: ply.judgement.map_or(Sign::None, sign),
            score: self.score(at),
            depth: None,
            exact: self.score(at).is_some() && ply.opinion.exact,
        }
    }

    /// The score of a position for the player who made the last move. With more than two players, what
    /// the next one thinks says little about it.
    fn score(&self, at: usize) -> Option<ScoreJson> {
        let (before, ply) = (self.plies.get(at.checked_sub(1)?)?, self.plies.get(at)?);
        if before.opinion.best == ply.mv && self.seats.len() != 2 {
            return Some(after_move(before.opinion.score?.into()));
        }
        let next = self.plies.get(at + 1).and_then(|ply| ply.seat);
        let score: Score = ply.opinion.score?.into();
        match self.seats.len() {
            _ if next.is_some() && next == ply.seat => Some(score.into()),
            2 => Some((-score).into()),
            _ => None,
        }
    }

    /// The better line, if there is one; `so_far` moves are there already.
    fn better(
        &self,
        parent: usize,
        at: usize,
        ply: &ReviewedPly,
        so_far: usize,
        most: usize,
    ) -> Vec<Node> {
        let before = &self.plies[at - 1].opinion;
        if ply.judgement.is_none() || before.line.first() == ply.mv.as_ref() {
            return Vec::new();
        }
        let node = |(index, mv): (usize, &String)| Node {
            parent: if index == 0 { parent } else { so_far + index },
            mv: mv.clone(),
            score: before.score.map(|score| after_move(score.into())).filter(|_| index == 0),
            exact: index == 0 && before.exact && before.score.is_some(),
            ..Node::default()
        };
        before.line.iter().take(most).enumerate().map(node).collect()
    }
}

fn sign(judgement: Judgement) -> Sign {
    Sign::read(judgement.sign()).unwrap_or_default()
}
