//! Who can sit at a seat.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use agon_arena::Registry;
use agon_arena::clock::{Clock, Pace, TimeControl};
use agon_games::Table;
use agon_search::{Adviser, AgentSpec, Budget, Choice, StopFlag, adviser};

use crate::args::PlayArgs;

/// How long to think about a hint if nothing is said.
const HINT_TIME: Duration = Duration::from_secs(1);

/// Somebody at a seat.
pub(super) enum Player {
    Human,
    Agent(Agent),
}

/// An agent with its clock. Clones share both, so that one of them can think in another thread.
#[derive(Clone)]
pub(super) struct Agent {
    spec: AgentSpec,
    pace: Pace,
    mind: Arc<Mutex<Mind>>,
}

struct Mind {
    adviser: Box<dyn Adviser>,
    clock: Clock,
}

impl Player {
    /// A player from its text: `human` or an agent.
    pub(super) fn new(
        text: &str,
        table: &dyn Table,
        pace: Pace,
        seed: u64,
    ) -> anyhow::Result<Player> {
        if text == "human" {
            return Ok(Player::Human);
        }
        let spec: AgentSpec = text.parse()?;
        let registry = Registry::built_in();
        let names: Vec<&str> = registry.kinds().iter().map(|(info, _)| info.name).collect();
        if !names.contains(&spec.name.as_str()) {
            return Err(spec.unknown("agent", &spec.name, &names).into());
        }
        let adviser = adviser(table, &spec, seed)?;
        Ok(Player::Agent(Agent::new(spec, adviser, pace)))
    }

    pub(super) fn is_human(&self) -> bool {
        matches!(self, Player::Human)
    }

    /// The agent that sits there, if it is one.
    pub(super) fn agent(&self) -> Option<&Agent> {
        match self {
            Player::Human => None,
            Player::Agent(agent) => Some(agent),
        }
    }

    /// For people: who sits there.
    pub(super) fn describe(&self) -> String {
        match self {
            Player::Human => "you".to_string(),
            Player::Agent(agent) => agent.spec.to_string(),
        }
    }
}

impl Agent {
    fn new(spec: AgentSpec, adviser: Box<dyn Adviser>, pace: Pace) -> Agent {
        let mind = Mind { adviser, clock: Clock::new(pace.time) };
        Agent { spec, pace, mind: Arc::new(Mutex::new(mind)) }
    }

    /// Who is asked for hints: the first agent at the table that does its best, or else the engine.
    pub(super) fn for_hints(args: &PlayArgs, table: &dyn Table) -> anyhow::Result<Agent> {
        let mut others = args.against.iter().filter_map(|text| text.parse::<AgentSpec>().ok());
        let able = |spec: &AgentSpec| {
            !["human", "random"].contains(&spec.name.as_str()) && spec.option("level").is_none()
        };
        let spec = match others.find(able) {
            Some(spec) => spec,
            None => "engine".parse()?,
        };
        let adviser = adviser(table, &spec, 0)?;
        // A hint has its own time, whatever the clocks of the game say.
        let pace = Pace { time: TimeControl::default(), ..args.budget.pace() };
        let pace = if pace == Pace::default() { per_move(HINT_TIME) } else { pace };
        Ok(Agent::new(spec, adviser, pace))
    }

    /// The move this agent plays, the best it has when it is told to stop; its clock runs
    /// meanwhile.
    pub(super) fn choose(&self, table: &dyn Table, stop: StopFlag) -> Option<Choice<String>> {
        // A thought that broke off leaves nothing half done: every search begins anew.
        let mut mind = self.mind.lock().unwrap_or_else(PoisonError::into_inner);
        let Pace { depth, nodes, .. } = self.pace;
        let budget = Budget { time: mind.clock.time(), depth, nodes, stop };
        let started = Instant::now();
        let choice = mind.adviser.choose(table, &budget, &mut |_| {});
        // Late or not: nobody loses on time in a friendly game.
        let _ = mind.clock.spend(started.elapsed());
        choice
    }
}

fn per_move(time: Duration) -> Pace {
    let time = TimeControl { game: None, per_move: Some(time) };
    Pace { time, ..Pace::default() }
}
