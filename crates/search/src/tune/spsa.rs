//! Tuning the parameters of the engine's search by games: simultaneous perturbation stochastic
//! approximation (SPSA).
//!
//! No gradient of playing strength can be computed, but games can be played. In every round all
//! parameters are moved at once, each a step up or down at random, and the engine moved one way plays
//! against the engine moved the opposite way. Every parameter then goes a little towards the winner.
//! What does not matter wanders about; what matters drifts to where it is good. Steps shrink with
//! time.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

use agon_core::rng::mix;
use agon_core::{Rng, Seat, Variant};
use agon_games::{Catalog, Playable, Visitor};

use super::TuneError;
use super::selfplay::{opening, outcome, share};
use crate::agents;
use crate::budget::{Budget, StopFlag};
use crate::engine::options::Options;
use crate::engine::parameters::{Parameter, Parameters};
use crate::spec::AgentSpec;
use crate::strategy::{Root, Strategy};

/// How to tune.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The engine, with options that stay as they are. A `set` says where the parameters begin.
    pub agent: AgentSpec,
    /// The parameters to tune; all of them if empty.
    pub only: Vec<String>,
    /// The budget of a move.
    pub budget: Budget,
    /// How many pairs of games to play, each from one opening with the seats exchanged.
    pub pairs: u64,
    /// The number of random plies at the start of a game.
    pub random_plies: u32,
    /// The random seed.
    pub seed: u64,
    /// The number of pairs played in parallel.
    pub threads: usize,
}

/// A parameter that is being tuned.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Tuned {
    /// Which one.
    pub parameter: Parameter,
    /// Its value at the beginning.
    pub before: i32,
    /// Where it is now.
    pub now: f64,
}

impl Tuned {
    /// Its value now, as it would be set.
    pub fn value(&self) -> i32 {
        self.clamped(self.now).round() as i32
    }

    fn clamped(&self, value: f64) -> f64 {
        value.clamp(f64::from(self.parameter.least), f64::from(self.parameter.most))
    }

    /// The size of a step at the end: small parameters need a whole one to make a difference.
    fn last_step(&self) -> f64 {
        let range = f64::from(self.parameter.most - self.parameter.least);
        (range * STEP_OF_RANGE).max(0.5)
    }
}

/// Pairs that are played before the parameters are moved. A constant, so that the result does not
/// depend on the number of threads.
const PAIRS_A_ROUND: u64 = 8;
/// The last step as a part of the range of a parameter.
const STEP_OF_RANGE: f64 = 0.05;
/// How far a pair that is won moves a parameter at the end, in steps.
const LAST_RATE: f64 = 0.02;
/// The exponents with which rates and steps fall, as usual.
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;
/// The rate falls as if this part of the pairs had been played before.
const HEAD_START: f64 = 0.1;

/// Tunes the engine's search for a variant. `watch` gets the pairs played and the parameters after
/// every round.
pub fn tune(
    catalog: &Catalog,
    variant: &Variant,
    plan: &Plan,
    stop: &StopFlag,
    watch: &mut dyn FnMut(u64, &[Tuned]),
) -> Result<Vec<Tuned>, TuneError> {
    catalog.with_game(variant, Tuner { plan, stop, watch })?
}

/// The text of the option `set` for these values.
pub fn option_text(tuned: &[Tuned]) -> String {
    let changed = tuned.iter().filter(|it| it.value() != it.parameter.default);
    let part = |it: &Tuned| format!("{}:{}", it.parameter.name, it.value());
    changed.map(part).collect::<Vec<_>>().join("+")
}

struct Tuner<'a> {
    plan: &'a Plan,
    stop: &'a StopFlag,
    watch: &'a mut dyn FnMut(u64, &[Tuned]),
}

impl Visitor for Tuner<'_> {
    type Output = Result<Vec<Tuned>, TuneError>;

    fn visit<G: Playable>(self, variant: Variant, start: G) -> Self::Output {
        let Tuner { plan, stop, watch } = self;
        if plan.agent.name != "engine" || start.seats() != 2 {
            let problem = format!(
                "only the engine for two players is tuned, not {} in {variant}",
                plan.agent
            );
            return Err(TuneError::Nothing(problem));
        }
        let begin = Options::read::<G>(&plan.agent)?.parameters;
        let tuned = chosen(&plan.only, &begin)?;
        let hall = Hall { plan, stop, start, begin };
        let names: Vec<_> = tuned.iter().map(|it| it.parameter.name).collect();
        let play = |sides: [Vec<i32>; 2], pairs| {
            let agents = sides.map(|values| hall.agent(names.iter().copied().zip(values)));
            hall.points(&agents, pairs)
        };
        approach(tuned, (plan.pairs, plan.seed), play, watch)
    }
}

/// Moves parameters towards those that win. `play` plays pairs of games between two settings of them,
/// and gives the points of the first minus those of the second.
fn approach(
    mut tuned: Vec<Tuned>,
    (pairs, seed): (u64, u64),
    play: impl Fn([Vec<i32>; 2], Range<u64>) -> Result<f64, TuneError>,
    watch: &mut dyn FnMut(u64, &[Tuned]),
) -> Result<Vec<Tuned>, TuneError> {
    let mut rng = Rng::new(mix(seed));
    let mut played = 0;
    while played < pairs {
        let round = played..pairs.min(played + PAIRS_A_ROUND);
        let rates = Rates::after(round.end, pairs);
        let steps: Vec<f64> = tuned
            .iter()
            .map(|it| [-1.0, 1.0][rng.below(2) as usize] * it.last_step() * rates.step)
            .collect();
        let sides = [1.0, -1.0].map(|side| {
            let moved = tuned.iter().zip(&steps).map(|(it, step)| {
                let value = it.clamped(it.now + side * step);
                // Up or down at random, so that small steps count on average.
                let up = rng.below(1 << 20) as f64 / f64::from(1 << 20) < value.fract();
                value.floor() as i32 + i32::from(up)
            });
            moved.collect()
        });
        let points = play(sides, round.clone())?;
        for (it, step) in tuned.iter_mut().zip(&steps) {
            it.now = it.clamped(it.now + rates.rate * step * points);
        }
        played = round.end;
        watch(played, &tuned);
    }
    Ok(tuned)
}

/// The parameters to tune, at their values.
fn chosen(only: &[String], begin: &Parameters) -> Result<Vec<Tuned>, TuneError> {
    let all = Parameters::ALL.iter();
    let unknown = only.iter().find(|name| all.clone().all(|known| known.name != **name));
    if let Some(name) = unknown {
        let names: Vec<_> = all.map(|known| known.name).collect();
        let problem = format!("no parameter {name:?}; there are {}", names.join(", "));
        return Err(TuneError::Nothing(problem));
    }
    let wanted = all.filter(|known| only.is_empty() || only.iter().any(|name| name == known.name));
    Ok(wanted
        .map(|&parameter| {
            let before = begin.get(parameter.name).unwrap_or(parameter.default);
            Tuned { parameter, before, now: f64::from(before) }
        })
        .collect())
}

/// How fast parameters move.
struct Rates {
    /// The step, relative to the last one.
    step: f64,
    /// What a pair that is won counts, in steps.
    rate: f64,
}

impl Rates {
    /// After so many of all pairs.
    fn after(played: u64, pairs: u64) -> Rates {
        let (played, pairs) = (played as f64, pairs as f64);
        let step = (pairs / played).powf(GAMMA);
        let shift = HEAD_START * pairs;
        let fallen = ((shift + pairs) / (shift + played)).powf(ALPHA);
        Rates { step, rate: LAST_RATE * fallen / (step * step) }
    }
}

/// Where the games are played.
struct Hall<'a, G> {
    plan: &'a Plan,
    stop: &'a StopFlag,
    start: G,
    begin: Parameters,
}

impl<G: Playable> Hall<'_, G> {
    /// The engine with these parameters.
    fn agent(&self, moved: impl Iterator<Item = (&'static str, i32)>) -> AgentSpec {
        let mut parameters = self.begin.clone();
        for (name, value) in moved {
            parameters.set(name, value);
        }
        let values = Parameters::ALL.iter().filter_map(|known| {
            let value = parameters.get(known.name)?;
            Some(format!("{}:{value}", known.name))
        });
        let text = values.collect::<Vec<_>>().join("+");
        let mut spec = self.plan.agent.clone();
        spec.options.retain(|(option, _)| option != "set");
        spec.options.push(("set".to_string(), text));
        spec
    }

    /// Plays these pairs: points of the first agent minus those of the second.
    fn points(&self, agents: &[AgentSpec; 2], pairs: Range<u64>) -> Result<f64, TuneError> {
        let next = AtomicUsize::new(0);
        let pairs: Vec<u64> = pairs.collect();
        let work = || -> Result<f64, TuneError> {
            let mut sum = 0.0;
            while let Some(&pair) = pairs.get(next.fetch_add(1, Relaxed)) {
                sum += self.pair(agents, pair)?;
            }
            Ok(sum)
        };
        let threads = self.plan.threads.clamp(1, pairs.len());
        let sums: Vec<_> = thread::scope(|scope| {
            let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            workers.into_iter().filter_map(|worker| worker.join().ok()).collect()
        });
        if self.stop.is_set() { Err(TuneError::Stopped) } else { sums.into_iter().sum() }
    }

    /// Two games from one opening: points of the first agent minus those of the second.
    fn pair(&self, agents: &[AgentSpec; 2], pair: u64) -> Result<f64, TuneError> {
        let seed = mix(mix(self.plan.seed) ^ mix(!pair));
        let plies = self.plan.random_plies;
        let (position, history) = opening(&self.start, plies..=plies, &mut Rng::new(seed));
        let mut difference = 0.0;
        for swapped in [false, true] {
            let build = |agent: &AgentSpec| agents::build(agent, &self.start, seed);
            let mut seated =
                [build(&agents[usize::from(swapped)])?, build(&agents[usize::from(!swapped)])?];
            let first = self.game(position.clone(), history.clone(), &mut seated);
            let points = 2.0 * first - 1.0;
            difference += if swapped { -points } else { points };
        }
        Ok(difference)
    }

    /// Plays on: the share of the first seat.
    fn game(
        &self,
        mut position: G,
        mut history: agon_core::History,
        seated: &mut [Box<dyn Strategy<G>>; 2],
    ) -> f64 {
        let budget = Budget { stop: self.stop.clone(), ..self.plan.budget.clone() };
        loop {
            if let Some(outcome) = outcome(&position, &history) {
                return f64::from(share(&outcome, Seat::FIRST));
            }
            if self.stop.is_set() {
                return 0.5;
            }
            let seat = position.to_move().unwrap_or(Seat::FIRST);
            let root = Root { position: &position, history: &history };
            let choice = seated[seat.index()].choose(root, &budget, &mut |_| {});
            let progress = position.play(choice.mv);
            history.push(&position, progress);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(threads: usize) -> Plan {
        Plan {
            agent: "engine:hash=1".parse().unwrap(),
            only: Vec::new(),
            budget: Budget::nodes(200),
            pairs: 20,
            random_plies: 4,
            seed: 1,
            threads,
        }
    }

    fn tuned(plan: &Plan) -> Result<Vec<Tuned>, TuneError> {
        let variant = "breakthrough:5x5".parse().unwrap();
        tune(&Catalog::built_in(), &variant, plan, &StopFlag::default(), &mut |_, _| {})
    }

    #[test]
    fn the_result_does_not_depend_on_the_number_of_threads() {
        let one = tuned(&plan(1)).unwrap();
        assert_eq!(one, tuned(&plan(3)).unwrap());
        assert!(one.iter().any(|it| it.now != f64::from(it.before)), "nothing moved");
        for it in &one {
            let range = it.parameter.least..=it.parameter.most;
            assert!(range.contains(&it.value()), "{it:?}");
        }
    }

    #[test]
    fn parameters_go_where_games_are_won() {
        let wanted = [("null_base", 5.0), ("late_factor", 200.0), ("window", 40.0)];
        let only = wanted.map(|(name, _)| name.to_string());
        let mut tuned = chosen(&only, &Parameters::default()).unwrap();
        tuned.sort_by_key(|it| only.iter().position(|name| name == it.parameter.name));
        // Instead of games: who is closer to what is wanted wins the more, the more closer it is.
        let weakness = |values: &[i32]| {
            let away = values.iter().zip(&wanted).zip(&tuned);
            let terms = away.map(|((value, (_, wanted)), it)| {
                ((f64::from(*value) - wanted) / it.last_step()).powi(2)
            });
            terms.sum::<f64>()
        };
        let play = |[first, second]: [Vec<i32>; 2], pairs: Range<u64>| {
            let lead = (weakness(&second) - weakness(&first)) * 0.02;
            Ok((pairs.end - pairs.start) as f64 * lead.clamp(-2.0, 2.0))
        };
        let found = approach(tuned.clone(), (20_000, 1), play, &mut |_, _| {}).unwrap();
        for (it, (_, wanted)) in found.iter().zip(wanted) {
            assert!((it.now - wanted).abs() < it.last_step(), "{it:?}, wanted {wanted}");
        }
    }

    #[test]
    fn wrong_names_and_agents_are_refused() {
        let only = vec!["nul_base".to_string()];
        assert!(matches!(tuned(&Plan { only, ..plan(1) }), Err(TuneError::Nothing(_))));
        let agent = "alphabeta".parse().unwrap();
        assert!(matches!(tuned(&Plan { agent, ..plan(1) }), Err(TuneError::Nothing(_))));
    }
}
