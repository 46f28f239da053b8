//! An agent at a seat of a game on a page: it is told the moves and asked for the next.

use std::sync::Arc;
use std::time::{Duration, Instant};

use agon_arena::clock::{Clock, Pace};
use agon_arena::player::Breach;
use agon_arena::remote::{Question, Remote};
use agon_arena::verdict::Fault;
use agon_arena::{Agent, agent::AgentKind};
use agon_core::{Seat, Variant};
use agon_games::Table;
use agon_search::{Adviser, Budget, Score, StopFlag, Time, adviser};

use crate::limits;

/// What an agent is asked.
#[derive(Clone, Debug)]
pub struct Ask {
    /// Who is asked.
    pub agent: Agent,
    /// The game.
    pub variant: Variant,
    /// Where it began, if not where its variant does.
    pub start: Option<String>,
    /// The moves so far.
    pub moves: Vec<String>,
    /// The seat to move.
    pub seat: Seat,
    /// The clocks of all seats, if there are any.
    pub clocks: Vec<Clock>,
    /// What limits the players.
    pub pace: Pace,
    /// What chance comes from.
    pub seed: u64,
}

/// A move somebody thought of.
#[derive(Clone, Debug)]
pub struct Thought {
    /// The move in canonical text.
    pub mv: String,
    /// The value for the side to move, where it knows one.
    pub score: Option<Score>,
    /// The line it expects, beginning with the move.
    pub line: Vec<String>,
    /// How long it took.
    pub time: Duration,
}

/// What an agent answers.
#[derive(Clone, Debug)]
pub enum Answer {
    /// A legal move.
    Move(Thought),
    /// It gives up.
    Resign,
    /// It did something wrong, which costs the game.
    Wrong(Breach),
}

/// An agent that remembers its game from move to move.
pub struct Thinker {
    agent: String,
    table: Box<dyn Table>,
    mind: Mind,
}

enum Mind {
    BuiltIn(Box<dyn Adviser>),
    /// A program; what is not told yet is that its game begins.
    Outside {
        remote: Box<dyn Remote>,
        begun: bool,
    },
}

impl Thinker {
    /// Makes the agent ready for the game.
    pub fn new(ask: &Ask) -> Result<Thinker, Breach> {
        let table = open(ask)?;
        let mind = match &ask.agent.kind() {
            AgentKind::BuiltIn(spec) => Mind::BuiltIn(
                adviser(&*table, spec, ask.seed)
                    .map_err(|error| Breach::new(Fault::NoStart, error.to_string()))?,
            ),
            AgentKind::Outside(outside) => {
                Mind::Outside { remote: Arc::clone(outside).start(&ask.variant)?, begun: false }
            }
        };
        Ok(Thinker { agent: ask.agent.text().to_string(), table, mind })
    }

    /// Whether this is the agent of that game, and can go on with it.
    pub fn fits(&self, ask: &Ask) -> bool {
        self.agent == ask.agent.text() && *self.table.variant() == ask.variant
    }

    /// Answers, in about this much time if there is no clock.
    pub fn answer(&mut self, ask: &Ask, time: Duration, stop: &StopFlag) -> Answer {
        if let Err(breach) = self.catch_up(ask) {
            return Answer::Wrong(breach);
        }
        let began = Instant::now();
        match &mut self.mind {
            Mind::BuiltIn(adviser) => {
                let budget = Budget {
                    time: Some(Time::PerMove(time_to_think(ask, time))),
                    depth: ask.pace.depth,
                    nodes: ask.pace.nodes,
                    stop: stop.clone(),
                };
                match adviser.choose(&*self.table, &budget, &mut |_| {}) {
                    Some(choice) => Answer::Move(Thought {
                        mv: choice.mv,
                        score: choice.score,
                        line: choice.pv,
                        time: began.elapsed(),
                    }),
                    None => Answer::Wrong(Breach::new(Fault::Crash, "it has no move")),
                }
            }
            Mind::Outside { remote, begun } => {
                match converse(&mut **remote, begun, &*self.table, ask, time, stop) {
                    Ok(answer) => answer,
                    Err(breach) => Answer::Wrong(breach),
                }
            }
        }
    }

    /// Plays what is new on the own table; opens it again if moves were taken back.
    fn catch_up(&mut self, ask: &Ask) -> Result<(), Breach> {
        let same_start = self.table.custom_start() == ask.start.as_deref();
        if !same_start || !ask.moves.starts_with(self.table.played()) {
            self.table = open(ask)?;
        }
        for mv in &ask.moves[self.table.played().len()..] {
            self.table.play(mv).map_err(|error| Breach::new(Fault::Absent, error.to_string()))?;
        }
        Ok(())
    }
}

/// How long to think: a share of the clock, but others are waiting, too.
fn time_to_think(ask: &Ask, time: Duration) -> Duration {
    let clock = ask.clocks.get(ask.seat.index()).and_then(Clock::time);
    clock.map_or(time, |clock| clock.allotment().min(time * limits::PATIENT))
}

/// The game at its beginning.
fn open(ask: &Ask) -> Result<Box<dyn Table>, Breach> {
    let opened = || {
        let mut table = agon_games::open(&ask.variant)?;
        if let Some(start) = &ask.start {
            table.set_position(start)?;
        }
        Ok(table)
    };
    opened().map_err(|error: agon_core::TextError| Breach::new(Fault::NoStart, error.to_string()))
}

/// Asks a program. The move is read with our own rules: its word alone counts for nothing.
fn converse(
    remote: &mut dyn Remote,
    begun: &mut bool,
    table: &dyn Table,
    ask: &Ask,
    time: Duration,
    stop: &StopFlag,
) -> Result<Answer, Breach> {
    if !*begun {
        remote.new_game(ask.seat)?;
        *begun = true;
    }
    let mut pace = ask.pace;
    if pace == Pace::default() {
        pace.time.per_move = Some(time);
    }
    let without_clock: Vec<Clock> = vec![Clock::new(pace.time); table.seats()];
    let clocks = if ask.clocks.is_empty() { &without_clock } else { &ask.clocks };
    let reply = remote.ask(&Question {
        seat: ask.seat,
        start: ask.start.as_deref(),
        moves: &ask.moves,
        clocks,
        pace: &pace,
        allowed: ask.clocks.get(ask.seat.index()).and_then(Clock::allowed),
        stop,
    })?;
    if reply.text == "resign" {
        return Ok(Answer::Resign);
    }
    match table.read_move(&reply.text) {
        Ok(mv) => {
            let line = vec![mv.clone()];
            Ok(Answer::Move(Thought { mv, score: None, line, time: reply.time }))
        }
        Err(error) => {
            let said: String = reply.text.chars().take(200).collect();
            let evidence = format!("{said:?}: expected {}", error.expected());
            Err(Breach::new(Fault::IllegalMove, evidence))
        }
    }
}
