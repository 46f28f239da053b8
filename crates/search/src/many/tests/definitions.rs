//! What the searches compute, written as simply as possible: no windows, no tables, no ordering.

use agon_core::{Evaluator, Game, Hints, History, PerSeat, Seat, Status};

use crate::many::maxn::{one_ply_up, prefers};
use crate::many::stakes::{Points, Stakes, exact, expectations, outlook};
use crate::score::Score;

/// A line from the root on.
#[derive(Clone)]
pub(super) struct Line<G: Game> {
    position: G,
    history: History,
    ply: u32,
}

impl<G: Hints> Line<G> {
    pub(super) fn new(position: &G, history: &History) -> Self {
        Line { position: position.clone(), history: history.clone(), ply: 0 }
    }

    fn after(&self, mv: G::Move) -> Self {
        let mut line = self.clone();
        let progress = line.position.play(mv);
        line.history.push(&line.position, progress);
        line.ply += 1;
        line
    }

    fn with_position(&self, position: G) -> Self {
        Line { position, ..self.clone() }
    }

    /// The value if the root player's result is decided.
    fn settled(&self, root: Seat) -> Option<Score> {
        match self.history.status(&self.position) {
            Status::Over(outcome) => Some(Score::of(&outcome, root, self.ply)),
            Status::ToMove(_) => Some(Score::of_points(self.position.secured(root)?, self.ply)),
        }
    }

    fn stuck(&self, root: Seat) -> Score {
        Score::of(&self.position.when_stuck(), root, self.ply)
    }

    /// The largest of these values on the root player's turn, else the smallest.
    fn best(&self, root: Seat, values: impl Iterator<Item = Score>) -> Score {
        let best = if self.position.to_move() == Some(root) { values.max() } else { values.min() };
        best.unwrap_or_else(|| self.stuck(root))
    }
}

pub(super) fn paranoid<G: Hints>(
    line: &Line<G>,
    evaluation: &Evaluator<G>,
    root: Seat,
    depth: u32,
) -> Score {
    if let Some(score) = line.settled(root) {
        return score;
    }
    if depth == 0 {
        return outlook(&line.position, evaluation, root);
    }
    let value = |mv| paranoid(&line.after(mv), evaluation, root, depth - 1);
    line.best(root, line.position.moves().into_iter().map(value))
}

/// The positions after the possible replies of the opponents: one replies, the others pass.
fn replies<G: Hints>(line: &Line<G>, root: Seat) -> Vec<Line<G>> {
    let mut all = Vec::new();
    for seat in Seat::all(line.position.seats()).filter(|&seat| seat != root) {
        if let Some(turn) = line.position.with_turn(seat) {
            for mv in turn.moves() {
                let after = line.with_position(turn.clone()).after(mv);
                let back = after.position.with_turn(root);
                all.push(back.map_or_else(|| after.clone(), |back| after.with_position(back)));
            }
        }
    }
    all
}

pub(super) fn best_reply<G: Hints>(
    line: &Line<G>,
    evaluation: &Evaluator<G>,
    root: Seat,
    depth: u32,
) -> Score {
    if let Some(score) = line.settled(root) {
        return score;
    }
    if depth == 0 {
        return outlook(&line.position, evaluation, root);
    }
    let lines = if line.position.to_move() == Some(root) {
        line.position.moves().into_iter().map(|mv| line.after(mv)).collect()
    } else {
        replies(line, root)
    };
    let value = |line: &Line<G>| best_reply(line, evaluation, root, depth - 1);
    line.best(root, lines.iter().map(value))
}

/// The best-ranked move: the most urgent or promising one, the first among equals.
fn obvious<G: Hints>(position: &G) -> G::Move {
    let worth = |mv| position.urgency(mv).unwrap_or_else(|| position.bias(mv));
    let moves = position.moves();
    let most = moves.iter().map(|&mv| worth(mv)).max();
    *moves.iter().find(|&&mv| Some(worth(mv)) == most).unwrap()
}

/// Whether it is the turn of an opponent who can have come after `before` in one round.
fn is_in_round<G: Hints>(line: &Line<G>, root: Seat, before: Option<Seat>) -> Option<Seat> {
    let seats = line.position.seats();
    let place = |seat: Seat| (seat.index() + seats - root.index()) % seats;
    let seat = line.history.status(&line.position).to_move()?;
    let is_later = before.is_none_or(|before| place(seat) > place(before));
    (line.settled(root).is_none() && seat != root && is_later).then_some(seat)
}

/// The position after a round in which one opponent plays `chooser` and all others the obvious.
/// All play the obvious move if that one has no turn.
fn rounds<G: Hints>(
    line: &Line<G>,
    root: Seat,
    chooser: Seat,
    before: Option<Seat>,
) -> Vec<Line<G>> {
    let Some(seat) = is_in_round(line, root, before) else { return vec![line.clone()] };
    let moves = line.position.moves();
    if moves.is_empty() {
        return vec![line.clone()];
    }
    let chosen: Vec<G::Move> =
        if seat == chooser { moves.to_vec() } else { vec![obvious(&line.position)] };
    let after = |mv| rounds(&line.after(mv), root, chooser, Some(seat));
    chosen.into_iter().flat_map(after).collect()
}

pub(super) fn best_reply_plus<G: Hints>(
    line: &Line<G>,
    evaluation: &Evaluator<G>,
    root: Seat,
    depth: u32,
) -> Score {
    if let Some(score) = line.settled(root) {
        return score;
    }
    if depth == 0 {
        return outlook(&line.position, evaluation, root);
    }
    if line.position.moves().is_empty() {
        return line.stuck(root);
    }
    let value = |line: Line<G>| best_reply_plus(&line, evaluation, root, depth - 1);
    if line.position.to_move() == Some(root) {
        return line.best(root, line.position.moves().into_iter().map(|mv| value(line.after(mv))));
    }
    let opponents = Seat::all(line.position.seats()).filter(|&seat| seat != root);
    let all = opponents.flat_map(|chooser| rounds(line, root, chooser, None));
    line.best(root, all.map(value))
}

pub(super) fn maxn<G: Hints>(line: &Line<G>, evaluation: &Evaluator<G>, depth: u32) -> Points {
    let seat = match line.history.status(&line.position) {
        Status::Over(outcome) => return exact(outcome.points()),
        Status::ToMove(seat) => seat,
    };
    if depth == 0 {
        return expectations(&line.position, evaluation);
    }
    let mut best: Option<PerSeat<i32>> = None;
    for mv in line.position.moves() {
        let below = maxn(&line.after(mv), evaluation, depth - 1);
        let points = one_ply_up(&Stakes::of(&line.position), below);
        if best.is_none_or(|best| prefers(seat, &points, &best)) {
            best = Some(points);
        }
    }
    best.unwrap_or_else(|| exact(line.position.when_stuck().points()))
}
