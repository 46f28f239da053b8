//! The players of a game: people and agents.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use agon_arena::Registry;
use agon_arena::clock::{Pace, TimeControl};
use agon_arena::player::{self, Answer, Heard};
use agon_arena::remote::Settings;
use agon_arena::seated::TablePlayer;
use agon_arena::session::TableSession;
use agon_games::Table;
use agon_search::spec::{Manner, Role};
use agon_search::{AgentSpec, Budget, StopFlag, Time, agents};
use anyhow::anyhow;

use crate::args::PlayArgs;
use crate::data::Data;
use crate::registry::registry;

/// The default time for a hint.
const HINT_TIME: Duration = Duration::from_secs(1);

/// The player of a seat.
pub(super) enum Player {
    Human,
    Agent(Agent),
}

/// An agent. Clones share its state, so that one of them can think in another thread.
#[derive(Clone)]
pub(super) struct Agent {
    name: String,
    /// Its limits where there is no clock.
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

    /// The agent, if it is one.
    pub(super) fn agent(&self) -> Option<&Agent> {
        match self {
            Player::Human => None,
            Player::Agent(agent) => Some(agent),
        }
    }

    /// The name to show.
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
            // The registry's own error is about matches, in which people cannot play.
            let spec: AgentSpec = text.parse()?;
            return Err(spec.unknown("agent", &spec.name, &names).into());
        }
        Agent::of(&registry.agent(text, &Settings::default())?, table, pace, seed)
    }

    /// A registered agent, ready to play.
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

    /// The game is over. An agent that is still thinking finds out by itself.
    pub(super) fn game_over(&self, session: &TableSession) {
        if let Ok(mut player) = self.player.try_lock() {
            player::Player::game_over(&mut *player, session);
        }
    }

    /// The agent that gives hints: the first opponent at full strength, else the engine.
    pub(super) fn for_hints(
        args: &PlayArgs,
        data: &Data,
        table: &dyn Table,
    ) -> anyhow::Result<Agent> {
        let able = |text: &&String| {
            let spec = text.parse::<AgentSpec>();
            let best = |spec: AgentSpec| {
                let info = agents::info(&spec.name);
                let recommends = info.is_some_and(|info| info.manner != Manner::ByChance);
                recommends && agents::value_of(&spec, Role::Level).is_none()
            };
            spec.is_ok_and(best)
        };
        let text = args.against.iter().find(able).map_or("engine", String::as_str);
        // A hint has its own time limit, independent of the game's clocks.
        let pace = Pace { time: TimeControl::default(), ..args.budget.pace() };
        let hint_time = TimeControl { game: None, per_move: Some(HINT_TIME) };
        let timed = Pace { time: hint_time, ..pace };
        let pace = if pace == Pace::default() { timed } else { pace };
        Agent::new(text, table, pace, 0, &registry(&args.programs, data))
    }

    /// The agent's answer in the current position, or its best so far when it is stopped.
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
