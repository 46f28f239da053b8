//! Who can sit at a seat.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use agon_arena::Registry;
use agon_arena::clock::{Pace, TimeControl};
use agon_arena::player::{self, Answer, Heard};
use agon_arena::remote::Settings;
use agon_arena::seated::TablePlayer;
use agon_arena::session::TableSession;
use agon_games::Table;
use agon_search::{AgentSpec, Budget, StopFlag, Time};
use anyhow::anyhow;

use crate::args::PlayArgs;
use crate::registry::registry;

/// How long to think about a hint if nothing is said.
const HINT_TIME: Duration = Duration::from_secs(1);

/// Somebody at a seat.
pub(super) enum Player {
    Human,
    Agent(Agent),
}

/// An agent. Clones share what it remembers, so that one of them can think in another thread.
#[derive(Clone)]
pub(super) struct Agent {
    name: String,
    /// What limits it where no clock does.
    pace: Pace,
    player: Arc<Mutex<TablePlayer>>,
}

impl Player {
    /// A player from its text: `human` or an agent.
    pub(super) fn new(
        text: &str,
        table: &dyn Table,
        pace: Pace,
        seed: u64,
        registry: &Registry,
    ) -> anyhow::Result<Player> {
        match text {
            "human" => Ok(Player::Human),
            _ => Ok(Player::Agent(Agent::new(text, table, pace, seed, registry)?)),
        }
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
    pub(super) fn describe(&self) -> &str {
        self.agent().map_or("you", |agent| &agent.name)
    }
}

impl Agent {
    fn new(
        text: &str,
        table: &dyn Table,
        pace: Pace,
        seed: u64,
        registry: &Registry,
    ) -> anyhow::Result<Agent> {
        let (name, _) = text.split_once(':').unwrap_or((text, ""));
        let names: Vec<&str> = registry.kinds().iter().map(|(info, _)| info.name).collect();
        if !names.contains(&name) {
            // Here, unlike in a match, people can play.
            let spec: AgentSpec = text.parse()?;
            return Err(spec.unknown("agent", &spec.name, &names).into());
        }
        Agent::of(&registry.agent(text, &Settings::default())?, table, pace, seed)
    }

    /// An agent that is known, ready to play.
    pub(super) fn of(
        agent: &agon_arena::Agent,
        table: &dyn Table,
        pace: Pace,
        seed: u64,
    ) -> anyhow::Result<Agent> {
        agent.check_at(table)?;
        let player = TablePlayer::new(agent, table, seed);
        let player = player.map_err(|reason| anyhow!("{agent}: {reason}"))?;
        Ok(Agent { name: agent.to_string(), pace, player: Arc::new(Mutex::new(player)) })
    }

    /// The game is over. One that is still thinking about it finds out by itself.
    pub(super) fn game_over(&self, session: &TableSession) {
        if let Ok(mut player) = self.player.try_lock() {
            player::Player::game_over(&mut *player, session);
        }
    }

    /// Who is asked for hints: the first agent at the table that does its best, or else the engine.
    pub(super) fn for_hints(args: &PlayArgs, table: &dyn Table) -> anyhow::Result<Agent> {
        let able = |text: &&String| {
            let spec = text.parse::<AgentSpec>();
            let best = |spec: AgentSpec| {
                let known = agon_search::agents::AGENTS.iter().any(|info| info.name == spec.name);
                known && spec.name != "random" && spec.option("level").is_none()
            };
            spec.is_ok_and(best)
        };
        let text = args.against.iter().find(able).map_or("engine", String::as_str);
        // A hint has its own time, whatever the clocks of the game say.
        let pace = Pace { time: TimeControl::default(), ..args.budget.pace() };
        let hint_time = TimeControl { game: None, per_move: Some(HINT_TIME) };
        let timed = Pace { time: hint_time, ..pace };
        let pace = if pace == Pace::default() { timed } else { pace };
        Agent::new(text, table, pace, 0, &registry(&args.python))
    }

    /// What this agent answers in the game as it stands, the best it has when it is told to stop.
    pub(super) fn answer(&self, session: &TableSession, stop: StopFlag) -> Heard<String> {
        let mut player = self.player.lock().unwrap_or_else(PoisonError::into_inner);
        let clock = session.to_move().and_then(|seat| session.clocks()[seat.index()].time());
        let time = clock.or(self.pace.time.per_move.map(Time::PerMove));
        let budget = Budget { time, depth: self.pace.depth, nodes: self.pace.nodes, stop };
        match session.turn(&budget) {
            Some(mut turn) => {
                turn.pace = &self.pace;
                player::ask(&mut *player, &turn)
            }
            None => (Ok(Answer::new(player::Action::Resign, 0)), Duration::ZERO),
        }
    }
}
