//! Who can sit at a seat.

use std::time::{Duration, Instant};

use agon_arena::Registry;
use agon_arena::clock::{Clock, Pace, TimeControl};
use agon_games::Table;
use agon_search::{Adviser, AgentSpec, Budget, Choice, adviser};

use crate::args::PlayArgs;
use crate::interrupt;

/// How long to think about a hint if nothing is said.
const HINT_TIME: Duration = Duration::from_secs(1);

/// Somebody at a seat.
pub(super) enum Player {
    Human,
    Agent(Agent),
}

/// An agent with its clock.
pub(super) struct Agent {
    spec: AgentSpec,
    adviser: Box<dyn Adviser>,
    pace: Pace,
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
        Ok(Player::Agent(Agent { spec, adviser, pace, clock: Clock::new(pace.time) }))
    }

    pub(super) fn is_human(&self) -> bool {
        matches!(self, Player::Human)
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
    /// Who is asked for hints: the first agent that sits at the table, or else one that fits.
    pub(super) fn for_hints(args: &PlayArgs, table: &dyn Table) -> anyhow::Result<Agent> {
        let opponent =
            args.against.iter().find(|text| !["human", "random"].contains(&text.as_str()));
        let fitting = "engine";
        let spec: AgentSpec = opponent.map_or(fitting, String::as_str).parse()?;
        let adviser = adviser(table, &spec, 0)?;
        // A hint has its own time, whatever the clocks of the game say.
        let pace = Pace { time: TimeControl::default(), ..args.budget.pace() };
        let pace = if pace == Pace::default() { per_move(HINT_TIME) } else { pace };
        Ok(Agent { spec, adviser, pace, clock: Clock::new(pace.time) })
    }

    /// The move this agent plays; its clock runs meanwhile.
    pub(super) fn choose(&mut self, table: &dyn Table) -> Option<Choice<String>> {
        let Pace { depth, nodes, .. } = self.pace;
        let budget = Budget { time: self.clock.time(), depth, nodes, stop: interrupt::stop_flag() };
        let started = Instant::now();
        let choice = self.adviser.choose(table, &budget, &mut |_| {});
        // Late or not: nobody loses on time in a friendly game.
        let _ = self.clock.spend(started.elapsed());
        choice
    }
}

fn per_move(time: Duration) -> Pace {
    let time = TimeControl { game: None, per_move: Some(time) };
    Pace { time, ..Pace::default() }
}
