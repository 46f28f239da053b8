//! Self-play games of an agent, and the positions to learn from.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use agon_core::outcome::WIN;
use agon_core::rng::mix;
use agon_core::tuning::Features;
use agon_core::{Hints, History, MoveList, Outcome, Rng, Seat, Tables, Variant};
use agon_games::{Catalog, Playable, Visitor};

use super::samples::Sample;
use super::{Collector, TuneError};
use crate::agents;
use crate::at_hand::{AtHand, Weights};
use crate::budget::{Budget, StopFlag};
use crate::report::Choice;
use crate::spec::{AgentError, AgentSpec};
use crate::strategy::{Root, Strategy};

/// Which games to play.
///
/// All random choices in a game depend only on the seed and the game's number, so the same plan
/// gives the same games on any number of threads.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The agent that plays both sides.
    pub agent: AgentSpec,
    /// The maximum number of nodes per move.
    pub nodes: Option<u64>,
    /// How many games of each variant.
    pub games: u64,
    /// The range of the number of random plies at the start of a game.
    pub random_plies: RangeInclusive<u32>,
    /// The random seed.
    pub seed: u64,
    /// The number of games played in parallel.
    pub threads: usize,
}

/// A game that was played.
pub(super) struct Played {
    pub(super) outcome: Outcome,
    pub(super) plies: usize,
    pub(super) samples: Vec<Sample>,
}

/// Plays the games of one variant.
pub(super) struct Hall<'a, 'b> {
    pub(super) catalog: &'a Catalog,
    pub(super) plan: &'a Plan,
    pub(super) stop: &'a StopFlag,
    pub(super) collector: &'a mut Collector<'b>,
}

impl Visitor for Hall<'_, '_> {
    type Output = Result<(), TuneError>;

    fn visit<G: Playable>(self, variant: Variant, start: G) -> Self::Output {
        let Hall { catalog, plan, stop, collector } = self;
        // Without tables, so that the games are the same wherever they are played.
        let weights = Weights::named_by(&plan.agent, catalog)?;
        let at_hand = AtHand { tables: Tables::default(), weights };
        // Check the agent before the first game.
        agents::build_with(&plan.agent, &start, &at_hand, 0)?;
        let table = SelfPlay { plan, stop, start, at_hand, salt: collector.games() };
        let next = AtomicU64::new(0);
        let (sender, receiver) = sync_channel(1024);
        thread::scope(|scope| {
            for _ in 0..(plan.threads.max(1) as u64).min(plan.games) {
                let (sender, next, table) = (sender.clone(), &next, &table);
                scope.spawn(move || table.work(next, &sender));
            }
            drop(sender);
            collect(receiver, &variant, collector)
        })?;
        if stop.is_set() { Err(TuneError::Stopped) } else { Ok(()) }
    }
}

/// The number of a game, and the game itself if it was not stopped.
type Finished = (u64, Result<Option<Played>, AgentError>);

/// Receives games in any order and passes them on in order of their numbers.
fn collect(
    results: Receiver<Finished>,
    variant: &Variant,
    collector: &mut Collector<'_>,
) -> Result<(), TuneError> {
    let mut waiting = BTreeMap::new();
    let mut due = 0;
    for (game, result) in results {
        waiting.insert(game, result?);
        while let Some(played) = waiting.remove(&due) {
            if let Some(played) = played {
                collector.take(variant, played);
            }
            due += 1;
        }
    }
    Ok(())
}

/// One position in this many is also sampled after a random move.
const ASIDE: u64 = 2;

struct SelfPlay<'a, G> {
    plan: &'a Plan,
    stop: &'a StopFlag,
    start: G,
    at_hand: AtHand,
    /// Makes the games of different variants different.
    salt: u64,
}

impl<G: Playable> SelfPlay<'_, G> {
    /// Plays one game after the other until none is left.
    fn work(&self, next: &AtomicU64, results: &SyncSender<Finished>) {
        while !self.stop.is_set() {
            let game = next.fetch_add(1, Relaxed);
            if game >= self.plan.games || results.send((game, self.game(game))).is_err() {
                return;
            }
        }
    }

    /// Plays one game. `None` if it was stopped.
    fn game(&self, game: u64) -> Result<Option<Played>, AgentError> {
        let mut rng = Rng::new(mix(mix(self.plan.seed) ^ mix(!(self.salt + game))));
        let mut agent =
            agents::build_with(&self.plan.agent, &self.start, &self.at_hand, rng.next_u64())?;
        let stop = self.stop.clone();
        let budget = Budget { nodes: self.plan.nodes, stop, ..Budget::default() };
        let (mut position, mut history) =
            opening(&self.start, self.plan.random_plies.clone(), &mut rng);
        let (mut samples, mut asides) = (Vec::new(), Vec::new());
        loop {
            if let Some(outcome) = outcome(&position, &history) {
                samples.append(&mut asides);
                return Ok(Some(Played { outcome, plies: history.plies(), samples }));
            }
            let root = Root { position: &position, history: &history };
            let choice = agent.choose(root, &budget, &mut |_| {});
            if self.stop.is_set() {
                return Ok(None);
            }
            if tells(&position, &choice) {
                samples.push(sample(&position, &choice, false));
            }
            if samples.len() > asides.len() && rng.below(ASIDE) == 0 {
                asides.extend(self.aside(root, &mut *agent, &budget, &mut rng));
            }
            let progress = position.play(choice.mv);
            history.push(&position, progress);
        }
    }

    /// The position after a random move, with the score of a search. Games of good players hardly
    /// ever contain what a search has to evaluate all the time: positions after a mistake.
    fn aside(
        &self,
        root: Root<'_, G>,
        agent: &mut dyn Strategy<G>,
        budget: &Budget,
        rng: &mut Rng,
    ) -> Option<Sample> {
        let (mut position, mut history) = (root.position.clone(), root.history.clone());
        let mv = position.sample(rng, &mut MoveList::new())?;
        let progress = position.play(mv);
        history.push(&position, progress);
        if outcome(&position, &history).is_some() || position.is_tense() {
            return None;
        }
        let root = Root { position: &position, history: &history };
        let choice = agent.choose(root, budget, &mut |_| {});
        choice.score.map(|_| sample(&position, &choice, true))
    }
}

/// How often an opening that ends the game is retried.
const TRIES: u32 = 100;

/// A position after some random plies, where the game goes on if possible.
pub(super) fn opening<G: Playable>(
    start: &G,
    plies: RangeInclusive<u32>,
    rng: &mut Rng,
) -> (G, History) {
    let (least, most) = plies.into_inner();
    let span = u64::from(most.saturating_sub(least)) + 1;
    let mut scratch = MoveList::new();
    let mut reached = (start.clone(), History::new(start));
    for _ in 0..TRIES {
        let plies = u64::from(least) + rng.below(span);
        let (mut position, mut history) = (start.clone(), History::new(start));
        for _ in 0..plies {
            if outcome(&position, &history).is_some() {
                break;
            }
            let Some(mv) = position.sample(rng, &mut scratch) else { break };
            let progress = position.play(mv);
            history.push(&position, progress);
        }
        if outcome(&position, &history).is_none() {
            reached = (position, history);
            break;
        }
    }
    reached
}

/// How the game ended, if it has, including by a player without a move.
pub(super) fn outcome<G: Playable>(position: &G, history: &History) -> Option<Outcome> {
    history.status(position).outcome().or_else(|| position.outcome())
}

/// Whether a search would evaluate this position statically: it is not tense, and no result is
/// forced.
fn tells<G: Hints>(position: &G, choice: &Choice<G::Move>) -> bool {
    let sees_the_end = choice.score.is_some_and(|score| score.forced().is_some());
    !position.is_tense() && !sees_the_end
}

fn sample<G: Playable>(position: &G, choice: &Choice<G::Move>, aside: bool) -> Sample {
    let for_first = if position.to_move() == Some(Seat::FIRST) { 1 } else { -1 };
    Sample {
        counts: counts(position),
        score: choice.score.map(|score| for_first * score.value()),
        aside,
        text: position.position_text(),
    }
}

/// The features that occur.
pub(super) fn counts<G: Playable>(position: &G) -> Vec<(u16, f32)> {
    let mut features = Features::default();
    position.tally(&mut features);
    let there = features.0.iter().zip(0..).filter(|(count, _)| **count != 0);
    there.map(|(&count, feature)| (feature, count as f32)).collect()
}

/// The points of a seat as a number from 0 to 1.
pub(super) fn share(outcome: &Outcome, seat: Seat) -> f32 {
    f32::from(outcome.points()[seat]) / f32::from(WIN)
}
