//! A match in progress, as the controller reports it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use agon_arena::clock::Pace;
use agon_arena::session::{Session, TableSession};
use agon_core::{Seat, Variant};
use agon_games::Table;
use agon_gdl::breakthrough::{self, Reading};
use agon_gdl::kif::Term;

use super::event::{Moved, Summary};
use super::forced;
use super::thinker::{Thinker, Thought};
use crate::ggp::message::{Moves, News};
use crate::problem::quoted;

/// A match.
pub(super) struct Game {
    pub(super) id: String,
    pub(super) seat: Seat,
    pub(super) play_clock: Duration,
    pub(super) session: TableSession,
    pub(super) thinker: Thinker,
    /// The search for the move that is due, if it was started.
    pub(super) due: Option<Arc<Thought>>,
    /// The answer in this position.
    pub(super) answered: Option<String>,
    /// Whether the controller's board may lack pawns that ours has.
    may_lack_pawns: bool,
    /// The seat that moves first.
    first: Seat,
    /// The joint moves so far, to recognise repeated messages.
    told: Vec<Vec<Term>>,
    /// How many steps the controller has reported.
    steps: u64,
    /// When the last message arrived.
    heard: Instant,
    totals: Totals,
}

/// The total cost of all moves.
#[derive(Default)]
struct Totals {
    moves: usize,
    expanded: u64,
    nodes: u64,
    time: Duration,
    deepest: u32,
    least_spare: Option<Duration>,
    overruled: usize,
}

impl Game {
    /// A match of the game that was recognised from the rules.
    pub(super) fn new(
        id: String,
        seat: Seat,
        play_clock: Duration,
        reading: &Reading,
        table: Box<dyn Table>,
        thinker: Thinker,
    ) -> Game {
        Game {
            id,
            seat,
            play_clock,
            first: table.turn().unwrap_or(Seat::FIRST),
            session: Session::new(table, Pace::default()),
            thinker,
            due: None,
            answered: None,
            may_lack_pawns: reading.differs,
            told: Vec::new(),
            steps: 0,
            heard: Instant::now(),
            totals: Totals::default(),
        }
    }

    pub(super) fn variant(&self) -> &Variant {
        self.session.table().variant()
    }

    pub(super) fn role(&self) -> &str {
        self.session.table().seat_name(self.seat)
    }

    pub(super) fn is_our_turn(&self) -> bool {
        self.session.to_move() == Some(self.seat)
    }

    /// Brings the board up to date with the controller, by whatever means; anything unusual is
    /// noted in lines for the log. `true` says that the board has changed.
    pub(super) fn follow(&mut self, news: &News, notes: &mut Vec<String>) -> bool {
        let told = std::mem::replace(&mut self.heard, Instant::now()).elapsed();
        let joint = match &news.moves {
            Moves::None => {
                if self.steps > 0 {
                    notes.push(format!("the first PLAY was repeated after {} steps", self.steps));
                }
                return false;
            }
            Moves::Joint(joint) => joint,
            Moves::Own(own) => return self.follow_blindly(news.step, own, notes),
        };
        let moved = the_move(joint);
        let again = match news.step {
            Some(step) => step <= self.steps,
            None => self.is_known(joint, moved.as_ref()),
        };
        if again {
            notes.push("a PLAY came twice".into());
            return false;
        }
        self.steps = news.step.unwrap_or(self.steps + 1);
        self.told.push(joint.clone());
        let Some((seat, mv)) = moved else {
            let found = joint.iter().map(Term::to_string).collect::<Vec<_>>().join(" ");
            notes.push(format!("no move of Breakthrough in {}: ignored", quoted(&found)));
            return false;
        };
        self.apply(seat, &mv, told, notes)
    }

    /// A controller that does not report the opponent's moves was set up wrongly. All that is left
    /// is to play our own moves on the board as we know it, in the steps that are ours.
    fn follow_blindly(&mut self, step: Option<u64>, own: &Term, notes: &mut Vec<String>) -> bool {
        let step = step.unwrap_or(self.steps + 1);
        if step <= self.steps {
            notes.push("a PLAY came twice".into());
            return false;
        }
        if self.steps == 0 {
            notes.push("the controller does not report the opponent's moves".into());
        }
        self.steps = step;
        if let Some(mv) = breakthrough::move_text(own) {
            self.apply(self.seat, &mv, Duration::ZERO, notes);
        }
        let second = if self.first == Seat::FIRST { Seat::SECOND } else { Seat::FIRST };
        let turn = if step.is_multiple_of(2) { self.first } else { second };
        let position = self.session.table().position();
        if self.session.to_move() != Some(turn)
            && let Some(position) = forced::with_turn(&position, turn)
        {
            self.due = None;
            self.set_position(&position);
        }
        true
    }

    /// The opponent moved while our answer was pending: the PLAY in between was lost.
    fn catch_up(&mut self, seat: Seat, told: &str, notes: &mut Vec<String>) {
        if seat == self.seat || !self.is_our_turn() {
            return;
        }
        let Some(mv) = self.answered.take() else { return };
        // If the reported move could not follow, something else was played instead.
        let mut after = self.session.table().fork();
        if after.play(&mv).is_ok() && after.read_move(told).is_ok() {
            let _ = self.session.play(mv.clone(), Duration::ZERO);
            self.due = None;
            notes.push(format!("a PLAY is missing: assuming that our {mv} was played"));
        }
    }

    /// Whether a joint move was reported before. The same move may occur again in a game, by
    /// another pawn, but never twice in a row; and a move that is illegal now was meant for then.
    fn is_known(&self, joint: &Vec<Term>, moved: Option<&(Seat, String)>) -> bool {
        let legal = |(seat, mv): &(Seat, String)| {
            self.session.to_move() == Some(*seat) && self.session.table().read_move(mv).is_ok()
        };
        self.told.last() == Some(joint) || (self.told.contains(joint) && !moved.is_some_and(legal))
    }

    fn apply(&mut self, seat: Seat, mv: &str, took: Duration, notes: &mut Vec<String>) -> bool {
        self.catch_up(seat, mv, notes);
        let answered = self.answered.take().filter(|_| seat == self.seat);
        self.due = None;
        let overruled = answered.filter(|answered| answered != mv);
        let position = self.session.table().position();
        let legal =
            self.session.to_move() == Some(seat) && self.session.play(mv.to_string(), took).is_ok();
        if !legal {
            let Some(position) = forced::moved(&position, seat, mv) else {
                notes.push(format!("{mv} is off the board: ignored"));
                return false;
            };
            let name = self.session.table().seat_name(seat).to_string();
            let followed = self.set_position(&position);
            let how = if followed { "followed" } else { "cannot be followed" };
            notes.push(format!("{mv} of {name} is not legal here, but was played: {how}"));
        }
        if let Some(answered) = overruled {
            self.totals.overruled += 1;
            notes.push(format!("the controller played {mv} instead of our {answered}"));
            self.doubt_pawn(&answered, notes);
        }
        true
    }

    /// A controller whose rules differ from ours has refused a move: perhaps it does not have the
    /// pawn.
    fn doubt_pawn(&mut self, answered: &str, notes: &mut Vec<String>) {
        if !self.may_lack_pawns {
            return;
        }
        let position = self.session.table().position();
        if let Some(fewer) = forced::without(&position, self.seat, answered) {
            notes.push(format!("the pawn of {answered} is taken off our board"));
            self.set_position(&fewer);
        }
    }

    /// Continues from a position without its history.
    fn set_position(&mut self, position: &str) -> bool {
        let mut table = self.session.table().fork();
        let sound = table.set_position(position).is_ok();
        if sound {
            self.session = Session::new(table, Pace::default());
        }
        sound
    }

    /// Counts an answered move.
    pub(super) fn count(&mut self, moved: &Moved) {
        let totals = &mut self.totals;
        totals.moves += 1;
        totals.expanded += moved.expanded;
        totals.nodes += moved.nodes;
        totals.time += moved.time;
        totals.deepest = totals.deepest.max(moved.depth);
        let least = totals.least_spare.map_or(moved.spare, |least| least.min(moved.spare));
        totals.least_spare = Some(least);
    }

    /// The summary of the match. `aborted` says why it was aborted.
    pub(super) fn summary(&self, aborted: Option<&str>) -> Summary {
        let verdict = self.session.verdict().filter(|_| aborted.is_none());
        let outcome = verdict.as_ref().map(|verdict| verdict.outcome);
        let reason = match (&verdict, aborted) {
            (_, Some(why)) => why.to_string(),
            (Some(verdict), None) => verdict.reason.to_string(),
            (None, None) => "the controller ended it".to_string(),
        };
        let Totals { moves, expanded, nodes, time, deepest, least_spare, overruled } = self.totals;
        Summary {
            id: self.id.clone(),
            variant: self.variant().clone(),
            role: self.role().to_string(),
            points: outcome.as_ref().map(|outcome| outcome.points().as_slice().to_vec()),
            outcome,
            reason,
            // Not those of the session, which is restarted when a controller has to be followed.
            plies: self.told.len(),
            moves,
            expanded,
            nodes,
            time,
            deepest,
            least_spare,
            overruled,
        }
    }
}

/// Who moved in a joint move, and the move. The others did nothing.
fn the_move(joint: &[Term]) -> Option<(Seat, String)> {
    let moved = |(index, term): (usize, &Term)| {
        let seat = [Seat::FIRST, Seat::SECOND].get(index).copied()?;
        Some((seat, breakthrough::move_text(term)?))
    };
    joint.iter().enumerate().find_map(moved)
}
