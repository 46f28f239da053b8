//! How long the rest takes: from the games so far on the same terms, else from a guess.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use agon_arena::clock::Pace;
use agon_arena::fixture::Terms;
use agon_arena::game_summary::FinishedGame;
use agon_arena::tournament::fitting;

use super::{Progress, Setup};
use crate::experiment::{Experiment, budget_label};
use crate::measure;
use crate::unit::{Unit, Work};

/// The plies of a game, before any was played.
const PLIES: u32 = 60;

/// What is known about the pieces of work.
pub(super) struct Outlook {
    pieces: Vec<Piece>,
    /// Games and their time, by terms.
    seen: HashMap<String, (u64, Duration)>,
    now: usize,
    /// When the first game of this run began, and how long its games should have taken since then.
    games_since: Option<Instant>,
    accounted: Duration,
}

struct Piece {
    label: String,
    /// What it shares its speed with.
    class: String,
    /// Whether it consists of games.
    games: bool,
    planned: u64,
    done: u64,
    /// How long each takes, before anything is known.
    guess: Duration,
    /// How many are played at a time.
    at_a_time: usize,
    counted: bool,
    /// How many games there were when this run began.
    found: u64,
}

impl Outlook {
    pub(super) fn new(experiment: &Experiment, units: &[Unit], setup: &Setup) -> Outlook {
        let mut keys = std::collections::BTreeSet::new();
        let pieces = units.iter().map(|unit| {
            // What two comparisons share is done once.
            let counted = keys.insert(&unit.key);
            Piece { counted, ..piece(experiment, unit, setup) }
        });
        let (seen, games_since) = (HashMap::new(), None);
        let accounted = Duration::ZERO;
        Outlook { pieces: pieces.collect(), seen, now: 0, games_since, accounted }
    }

    /// So much of it is in the store.
    pub(super) fn found(&mut self, index: usize, done: u64) {
        let piece = &mut self.pieces[index];
        piece.done = done.min(piece.planned);
        piece.found = done;
    }

    pub(super) fn begin(&mut self, index: usize) {
        self.now = index;
        if self.pieces[index].games {
            self.games_since.get_or_insert_with(Instant::now);
        }
    }

    pub(super) fn measured(&mut self, index: usize) {
        self.pieces[index].done = 1;
    }

    /// A game was played or read; so many are counted.
    pub(super) fn played(&mut self, index: usize, game: &FinishedGame, counted: u64) {
        let piece = &mut self.pieces[index];
        piece.done = piece.done.max(counted).min(piece.planned);
        let time: Duration = game.summary.effort.as_slice().iter().map(|effort| effort.time).sum();
        if counted > piece.found {
            self.accounted += time / u32::try_from(piece.at_a_time).unwrap_or(1).max(1);
        }
        let (games, total) = self.seen.entry(piece.class.clone()).or_default();
        *games += 1;
        *total += time;
    }

    /// How much longer games take than they should: replays, a busy machine, the end of a meeting
    /// that does not fill all cores.
    fn slowness(&self) -> f64 {
        // The first games say little.
        const ENOUGH: Duration = Duration::from_secs(5);
        match self.games_since {
            Some(begun) if self.accounted > ENOUGH => {
                let slowness = begun.elapsed().as_secs_f64() / self.accounted.as_secs_f64();
                slowness.clamp(1.0, 10.0)
            }
            _ => 1.0,
        }
    }

    /// It is complete, even if a test made it shorter than planned.
    pub(super) fn ended(&mut self, index: usize) {
        let piece = &mut self.pieces[index];
        piece.planned = piece.done.max(1);
        piece.done = piece.planned;
    }

    pub(super) fn progress(&self) -> Progress {
        let counted = || self.pieces.iter().filter(|piece| piece.counted);
        let sum = |games: bool, of: fn(&Piece) -> u64| -> u64 {
            counted().filter(|piece| piece.games == games).map(of).sum()
        };
        Progress {
            now: self.pieces.get(self.now).map_or_else(String::new, |piece| piece.label.clone()),
            games: sum(true, |piece| piece.done),
            of_games: sum(true, |piece| piece.planned),
            measurements: sum(false, |piece| piece.done),
            of_measurements: sum(false, |piece| piece.planned),
            left: counted().fold(Duration::ZERO, |sum, it| sum.saturating_add(self.left(it))),
        }
    }

    fn left(&self, piece: &Piece) -> Duration {
        let missing = piece.planned.saturating_sub(piece.done);
        let each = match self.seen.get(&piece.class) {
            Some((games, time)) if *games > 0 => time.as_secs_f64() / *games as f64,
            _ => piece.guess.as_secs_f64(),
        };
        let slowness = if piece.games { self.slowness() } else { 1.0 };
        seconds(slowness * each * missing as f64 / piece.at_a_time.max(1) as f64)
    }
}

fn piece(experiment: &Experiment, unit: &Unit, setup: &Setup) -> Piece {
    let name = |agent: usize| experiment.name_of(agent);
    let class = |terms: &Terms| format!("{} {}", terms.variant, terms.pace);
    let about = |terms: &Terms| format!("{} {}", terms.variant, budget_label(&terms.pace));
    let once = |label: String, terms: &Terms, positions: u64| Piece {
        label,
        class: String::new(),
        games: false,
        planned: 1,
        done: 0,
        guess: measure::guess(terms, positions),
        at_a_time: 1,
        counted: true,
        found: 0,
    };
    match unit.work {
        Work::Games { comparison, terms, meeting } => {
            let comparison = &experiment.comparisons[comparison];
            let terms = &comparison.terms[terms];
            let (agent, opponent) = (meeting.agent, meeting.opponent);
            let agents = [agent, opponent].map(|agent| experiment.agents[agent].agent.clone());
            let wanted = setup.concurrency.or(experiment.concurrency);
            Piece {
                label: format!("{}: {} – {}", about(terms), name(agent), name(opponent)),
                class: class(terms),
                games: true,
                planned: comparison.games,
                done: 0,
                guess: guess(&terms.pace, comparison.seats as u32),
                at_a_time: fitting(setup.cores, &agents, wanted, false),
                counted: true,
                found: 0,
            }
        }
        Work::Search { measure, terms, agent } => {
            let measure = &experiment.measures[measure];
            let terms = &measure.terms[terms];
            once(format!("{}: {}", about(terms), name(agent)), terms, measure.positions)
        }
        Work::Solve { measure, terms } => {
            let terms = &experiment.measures[measure].terms[terms];
            once(format!("solving {}", terms.variant), terms, 1)
        }
    }
}

/// A time that may be absurdly long.
fn seconds(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
}

/// How long a game takes, before any was played.
fn guess(pace: &Pace, seats: u32) -> Duration {
    match (pace.time.game, pace.time.per_move, pace.nodes) {
        (Some(time), _, _) => {
            time.base.saturating_mul(seats).saturating_add(time.increment.saturating_mul(PLIES))
        }
        (None, Some(time), _) => time.saturating_mul(PLIES),
        (None, None, Some(nodes)) => seconds(nodes as f64 * f64::from(PLIES) / 1e6),
        (None, None, None) => Duration::from_millis(500),
    }
}
