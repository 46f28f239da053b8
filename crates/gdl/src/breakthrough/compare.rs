//! A rules text beside the game itself: both are played at random and must say the same.

use std::collections::BTreeSet;

use agon_core::Rng;
use agon_games::{Table, open_at};

use super::position::Position;
use super::{NOOP, ROLES, Setup, move_term};
use crate::kif::Term;
use crate::prover::{Prover, State, Stop};

/// What came of playing a text and the game side by side.
pub(super) enum Comparison {
    /// They said the same in all positions.
    Same,
    /// They did not, after so many positions in which they did.
    Different { positions: usize, difference: String },
    /// The text could not be followed further than so many positions.
    Unfinished { positions: usize, stop: Stop },
}

/// How much is played, and what is compared beside moves, ends and points.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    pub(super) games: u64,
    pub(super) plies: usize,
    /// Whether the pawns must stand on the same squares too.
    pub(super) pawns: bool,
}

/// A rules text on a board of one size.
pub(super) struct Trial {
    pub(super) width: usize,
    pub(super) height: usize,
    prover: Prover,
    initial: Result<State, Stop>,
}

impl Trial {
    /// A text whose board is of this size.
    pub(super) fn new(mut prover: Prover, width: usize, height: usize) -> Trial {
        let initial = prover.initial();
        Trial { width, height, prover, initial }
    }

    /// The position the text begins with, as far as it can be read.
    pub(super) fn start(&self) -> Result<Position, String> {
        let initial = self.initial.as_ref().map_err(Stop::to_string)?;
        self.position(initial)
    }

    fn position(&self, state: &State) -> Result<Position, String> {
        Position::of_fluents(&self.prover.fluents(state), self.width, self.height)
    }

    /// Plays the text and the game by one rule set, from its usual start or from another position.
    pub(super) fn compare(
        &mut self,
        classic: bool,
        start: Option<&str>,
        extent: Extent,
    ) -> Comparison {
        let setup = Setup { width: self.width, height: self.height, classic };
        let mut positions = 0;
        for seed in 0..extent.games {
            match self.play(setup, start, extent, &mut Rng::new(seed), &mut positions) {
                Ok(None) => {}
                Ok(Some(difference)) => return Comparison::Different { positions, difference },
                Err(stop) => return Comparison::Unfinished { positions, stop },
            }
        }
        Comparison::Same
    }

    /// One game. Gives the first difference, and counts the positions without one.
    fn play(
        &mut self,
        setup: Setup,
        start: Option<&str>,
        extent: Extent,
        rng: &mut Rng,
        positions: &mut usize,
    ) -> Result<Option<String>, Stop> {
        let Ok(mut table) = open_at::<&str>(&setup.variant(), start, &[]) else {
            return Ok(Some("the start is no position of the game".into()));
        };
        let mut state = self.initial.clone()?;
        for _ in 0..=extent.plies {
            let mut difference = self.difference(&*table, &state)?;
            if extent.pawns && difference.is_none() {
                difference = self.misplaced(&*table, &state);
            }
            if let Some(difference) = difference {
                return Ok(Some(format!("{}{difference}", when(&*table))));
            }
            *positions += 1;
            let moves = table.moves();
            let (Some(mover), Some(mv)) = (table.to_move(), rng.choose(&moves)) else { break };
            let Some(term) = move_term(mv) else { break };
            let does = |role| if role == mover { term.clone() } else { Term::from(NOOP) };
            state = self.prover.next(&state, &ROLES.map(|role| (role, does(role))))?;
            if table.play(mv).is_err() {
                break;
            }
        }
        Ok(None)
    }

    /// What the text says otherwise about moves, end and points. The points count at the end only,
    /// and the moves before it.
    fn difference(&mut self, table: &dyn Table, state: &State) -> Result<Option<String>, Stop> {
        let outcome = table.outcome();
        if self.prover.is_terminal(state)? != outcome.is_some() {
            return Ok(Some(match outcome {
                Some(outcome) => {
                    format!("the game is over ({}), but not by the text", outcome.reason())
                }
                None => "the game is over by the text, but not in Breakthrough".into(),
            }));
        }
        for (seat, role) in ROLES.into_iter().enumerate() {
            if let Some(outcome) = &outcome {
                let points = outcome.points().as_slice().get(seat).copied().unwrap_or(0);
                let goals = self.prover.goals(state, role)?;
                if !matches!(&goals[..], [goal] if goal.is(&points.to_string())) {
                    let goals = joined(&goals);
                    return Ok(Some(format!("{role} gets {goals} by the text, not {points}")));
                }
                continue;
            }
            let ours: BTreeSet<String> = if table.to_move() == Some(role) {
                table.moves().iter().filter_map(|mv| Some(move_term(mv)?.to_string())).collect()
            } else {
                BTreeSet::from([NOOP.into()])
            };
            let theirs = self.prover.legal(state, role)?;
            let theirs: BTreeSet<String> = theirs.iter().map(Term::brief).collect();
            if let Some(mv) = theirs.difference(&ours).next() {
                return Ok(Some(format!("the text allows {role} {mv}, Breakthrough does not")));
            }
            if let Some(mv) = ours.difference(&theirs).next() {
                return Ok(Some(format!("Breakthrough allows {role} {mv}, the text does not")));
            }
        }
        Ok(None)
    }

    /// Where the text's pawns are on other squares. What cannot be read is not compared.
    fn misplaced(&self, table: &dyn Table, state: &State) -> Option<String> {
        let theirs = self.position(state).ok()?.text();
        let ours = Position::read(&table.position(), self.width, self.height)?.text();
        (theirs != ours).then(|| format!("the position is {theirs} by the text, not {ours}"))
    }
}

fn joined(terms: &[Term]) -> String {
    let terms: Vec<String> = terms.iter().map(Term::brief).collect();
    if terms.is_empty() { "no points".into() } else { terms.join(" and ") }
}

/// On which board, and after which moves.
fn when(table: &dyn Table) -> String {
    const MOST_SHOWN: usize = 4;
    let played = table.played();
    let moves: Vec<String> =
        played.iter().filter_map(|mv| Some(move_term(mv)?.to_string())).collect();
    let since = match moves.as_slice() {
        [] => "at the start".into(),
        [.., last] if moves.len() > MOST_SHOWN => {
            format!("after {} moves, the last {last},", moves.len())
        }
        _ => format!("after {}", moves.join(", ")),
    };
    format!("on {}, {since} ", table.variant().setup())
}
