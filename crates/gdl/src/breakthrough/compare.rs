//! Comparing a rules text with the game itself: random games by both must agree.

use std::collections::BTreeSet;

use agon_core::Rng;
use agon_games::{Table, open_at};

use super::position::Position;
use super::{NOOP, ROLES, Setup, move_term};
use crate::kif::Term;
use crate::prover::{Prover, State, Stop};

/// The result of playing a text and the game side by side.
#[derive(Default)]
pub(super) struct Comparison {
    /// The number of positions in which they agreed.
    pub(super) positions: usize,
    /// Why the comparison ended early, if it did.
    pub(super) trouble: Option<Trouble>,
}

/// Why a comparison ended early.
pub(super) enum Trouble {
    /// The text disagrees; how, in words.
    Different(String),
    /// The prover gave up on the text.
    Stopped(Stop),
}

impl From<Stop> for Trouble {
    fn from(stop: Stop) -> Trouble {
        Trouble::Stopped(stop)
    }
}

/// How much is played, and what is compared besides moves, ends and points.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    pub(super) games: u64,
    /// The maximum in all games together.
    pub(super) positions: usize,
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

    /// The text's initial position, if it can be read.
    pub(super) fn start(&mut self) -> Result<Position, String> {
        let initial = self.initial.clone().map_err(|stop| stop.to_string())?;
        self.position(&initial)
    }

    fn position(&mut self, state: &State) -> Result<Position, String> {
        let fluents = self.prover.fluents(state).map_err(|stop| stop.to_string())?;
        Position::of_fluents(&fluents, self.width, self.height)
    }

    /// Plays the text and the game with one rule set, from its usual start or from another
    /// position.
    pub(super) fn compare(
        &mut self,
        classic: bool,
        start: Option<&str>,
        extent: Extent,
    ) -> Comparison {
        let setup = Setup { width: self.width, height: self.height, classic };
        let mut comparison = Comparison::default();
        for seed in 0..extent.games {
            let chooser = Chooser::new(seed);
            let positions = &mut comparison.positions;
            if let Err(trouble) = self.play(setup, start, extent, chooser, positions) {
                comparison.trouble = Some(trouble);
                break;
            }
        }
        comparison
    }

    /// One game, in which positions are counted up to the first difference.
    fn play(
        &mut self,
        setup: Setup,
        start: Option<&str>,
        extent: Extent,
        mut chooser: Chooser,
        positions: &mut usize,
    ) -> Result<(), Trouble> {
        let mut table = open_at::<&str>(&setup.variant(), start, &[]).map_err(|_| {
            Trouble::Different("its initial position is not one of the game".into())
        })?;
        let mut state = self.initial.clone()?;
        while *positions < extent.positions {
            let mut difference = self.difference(&*table, &state)?;
            if extent.pawns && difference.is_none() {
                difference = self.misplaced(&*table, &state);
            }
            if let Some(difference) = difference {
                return Err(Trouble::Different(format!("{} {difference}", when(&*table))));
            }
            *positions += 1;
            let mover = table.to_move();
            let Some(mv) = chooser.choose(&*table, self.height) else { break };
            let Some(term) = move_term(&mv) else { break };
            let does = |role| if Some(role) == mover { term.clone() } else { Term::from(NOOP) };
            state = self.prover.next(&state, &ROLES.map(|role| (role, does(role))))?;
            if table.play(&mv).is_err() {
                break;
            }
        }
        Ok(())
    }

    /// Where the text differs in the end, the points or the moves. Points are compared only at the
    /// end, and moves only before it.
    fn difference(&mut self, table: &dyn Table, state: &State) -> Result<Option<String>, Stop> {
        let outcome = table.outcome();
        if self.prover.is_terminal(state)? != outcome.is_some() {
            return Ok(Some(match outcome {
                Some(outcome) => {
                    let reason = table.reason_text(&outcome);
                    format!("it is over ({reason}), but not by the text")
                }
                None => "it is over by the text, but not in Breakthrough".into(),
            }));
        }
        for (seat, role) in ROLES.into_iter().enumerate() {
            let difference = match &outcome {
                Some(outcome) => {
                    let points = outcome.points().as_slice().get(seat).copied().unwrap_or(0);
                    other_points(role, points, &self.prover.goals(state, role)?)
                }
                None => other_moves(role, table, &self.prover.legal(state, role)?),
            };
            if difference.is_some() {
                return Ok(difference);
            }
        }
        Ok(None)
    }

    /// Where the text's pawns are on different squares. What cannot be read is not compared.
    fn misplaced(&mut self, table: &dyn Table, state: &State) -> Option<String> {
        let theirs = self.position(state).ok()?.text();
        let ours = Position::read(&table.position(), self.width, self.height)?.text();
        (theirs != ours).then(|| format!("the position is {theirs} by the text, not {ours}"))
    }
}

/// Makes random moves. A patient chooser captures wherever it can and enters the far row last:
/// otherwise games would hardly ever end without a move or without pawns.
struct Chooser {
    rng: Rng,
    is_patient: bool,
}

impl Chooser {
    /// Every other one is patient.
    fn new(seed: u64) -> Chooser {
        Chooser { rng: Rng::new(seed), is_patient: seed % 2 == 1 }
    }

    /// One of the moves on a board of this height, if there are any.
    fn choose(&mut self, table: &dyn Table, height: usize) -> Option<String> {
        let mut moves = table.successors();
        if self.is_patient {
            let far = if table.to_move() == Some(ROLES[0]) { height } else { 1 }.to_string();
            let rank = |(mv, then): &(String, String)| {
                let arrives = move_term(mv).and_then(|mv| Some(mv.list()?.last()?.is(&far)));
                (arrives, then.matches(['P', 'p']).count())
            };
            let first = moves.iter().map(rank).min();
            moves.retain(|mv| Some(rank(mv)) == first);
        }
        self.rng.choose(&moves).map(|(mv, _)| mv.clone())
    }
}

fn other_points(role: &str, points: u8, goals: &[Term]) -> Option<String> {
    if matches!(goals, [goal] if goal.is(&points.to_string())) {
        return None;
    }
    let mut goals: Vec<String> = goals.iter().map(Term::brief).collect();
    goals.sort();
    let goals = if goals.is_empty() { "no points".into() } else { goals.join(" and ") };
    Some(format!("{role} gets {goals} by the text, not {points}"))
}

fn other_moves(role: &str, table: &dyn Table, legal: &[Term]) -> Option<String> {
    let ours: BTreeSet<String> = if table.to_move() == Some(role) {
        table.moves().iter().filter_map(|mv| Some(move_term(mv)?.to_string())).collect()
    } else {
        BTreeSet::from([NOOP.into()])
    };
    let theirs: BTreeSet<String> = legal.iter().map(Term::brief).collect();
    if let Some(mv) = theirs.difference(&ours).next() {
        return Some(format!("the text allows {role} {mv}, Breakthrough does not"));
    }
    let missing = ours.difference(&theirs).next()?;
    Some(format!("Breakthrough allows {role} {missing}, the text does not"))
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
    format!("on {}, {since}", table.variant().setup())
}
