//! Positions whose value is known exactly, from endgame tables.
//!
//! A table knows the rules of the board. Here the others are added: a win that would take longer than
//! the game can still last is a draw, and one that a counter might end first is not claimed.

use agon_core::{Foreseen, Hints, History, Seat, Status, Tables};
use agon_games::endgame::Exact;

use crate::report::{Choice, Iteration, Source, Statistics};
use crate::score::Score;
use crate::strategy::{Reporter, Root};

/// What tables know about a position.
#[derive(Clone, Debug)]
pub(crate) struct Known<M> {
    /// The value under all rules; `None` if a counter may end the game in a draw before the win on
    /// the board.
    pub(crate) verdict: Option<Foreseen>,
    /// The best moves on the board: quickest wins, draws, or longest losses.
    pub(crate) moves: Vec<M>,
}

/// The value of the current position under all rules, as far as tables know it.
#[inline]
pub(crate) fn verdict<G: Hints>(
    position: &G,
    history: &History,
    tables: &Tables,
) -> Option<Foreseen> {
    let known = position.tabled(tables)?;
    let (Foreseen::Win(plies) | Foreseen::Loss(plies)) = known else { return Some(known) };
    if history.plies_left().is_some_and(|left| plies > left) {
        return Some(Foreseen::Draw);
    }
    let may_be_drawn = position.plies_to_draw().is_some_and(|left| plies >= left);
    (!may_be_drawn).then_some(known)
}

/// What tables know about a position and its moves; `None` if it is not in them.
pub(crate) fn known<G: Hints>(root: Root<'_, G>, tables: &Tables) -> Option<Known<G::Move>> {
    root.position.tabled(tables)?;
    let verdict = verdict(root.position, root.history, tables);
    Some(Known { verdict, moves: best_moves(root, tables)? })
}

/// The best moves on the board, as far as tables know what they lead to.
fn best_moves<G: Hints>(root: Root<'_, G>, tables: &Tables) -> Option<Vec<G::Move>> {
    let me = root.position.to_move()?;
    let (mut best, mut moves) = (None, Vec::new());
    for mv in root.position.moves() {
        let (mut child, mut history) = (root.position.clone(), root.history.clone());
        let progress = child.play(mv);
        history.push(&child, progress);
        let status = history.status(&child);
        let value = value(&child, status, me.opponent(), tables, PLIES_OUTSIDE);
        let Some(value) = value.map(Exact::a_ply_earlier) else { continue };
        if best.is_none_or(|best| value > best) {
            moves.clear();
            best = Some(value);
        }
        if best == Some(value) {
            moves.push(mv);
        }
    }
    (!moves.is_empty()).then_some(moves)
}

/// How many plies may lie between a position in the tables and others.
const PLIES_OUTSIDE: u32 = 2;

/// The value on the board of a position with `me` to move and this status, if tables know it, or know
/// all that its moves lead to.
fn value<G: Hints>(
    position: &G,
    status: Status,
    me: Seat,
    tables: &Tables,
    plies: u32,
) -> Option<Exact> {
    if let Status::Over(outcome) = status {
        return Some(Exact::of(&outcome, me));
    }
    if let Some(known) = position.tabled(tables) {
        return Exact::try_from(known).ok();
    }
    let plies = plies.checked_sub(1)?;
    let mut best = None;
    for mv in position.moves() {
        let mut child = position.clone();
        child.play(mv);
        let value = value(&child, child.status(), me.opponent(), tables, plies)?;
        best = best.max(Some(value.a_ply_earlier()));
    }
    Some(best.unwrap_or_else(|| Exact::of(&position.when_stuck(), me)))
}

/// A line of best play on the board, to the end.
pub(crate) fn line<G: Hints>(root: Root<'_, G>, first: G::Move, tables: &Tables) -> Vec<G::Move> {
    const LONGEST: usize = 300;
    let mut line = vec![first];
    let (mut position, mut history) = (root.position.clone(), root.history.clone());
    while let Some(&mv) = line.last()
        && line.len() < LONGEST
    {
        let progress = position.play(mv);
        history.push(&position, progress);
        let here = Root { position: &position, history: &history };
        if history.turn(&position).is_err() {
            break;
        }
        // Outside the tables any move is as good: it is the last.
        let moves = best_moves(here, tables).unwrap_or_else(|| position.moves().to_vec());
        line.extend(moves.first());
    }
    line
}

/// The choice in a position whose result is known, if it is not a draw: there is nothing left to
/// search for.
pub(crate) fn choice<G: Hints>(
    root: Root<'_, G>,
    known: &Known<G::Move>,
    tables: &Tables,
    report: Reporter<'_, G::Move>,
) -> Option<Choice<G::Move>> {
    let score = match known.verdict? {
        Foreseen::Win(plies) => Score::win_in(plies),
        Foreseen::Loss(plies) => Score::loss_in(plies),
        _ => return None,
    };
    let mv = *known.moves.first()?;
    let pv = line(root, mv, tables);
    let statistics = Statistics { source: Source::Table, ..Statistics::default() };
    let Statistics { nodes, expanded, time, .. } = statistics;
    report(&Iteration { depth: 1, rank: 0, score, pv: pv.clone(), nodes, expanded, time });
    Some(Choice { mv, score: Some(score), pv, statistics })
}
