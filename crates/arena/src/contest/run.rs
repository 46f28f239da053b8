//! One game of an account.

use std::time::Duration;

use agon_core::{Rng, Seat};
use agon_games::Catalog;
use agon_search::{AgentError, adviser};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::environment::{Begins, Environment};
use crate::clock::Pace;
use crate::session::{Session, StoredSession, TableSession};
use crate::venue::derived;

/// The most moves of a run. Games that end by themselves are shorter.
const MOST_PLIES: usize = 10_000;

/// Why an action was not made.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
pub enum Refused {
    /// It is not a legal move; the reason, in one line.
    #[error("Illegal move: {0}")]
    Illegal(String),
    /// The run is over.
    #[error("the run is finished")]
    Over,
}

/// One game of an account.
pub struct Run {
    /// The agent's seat.
    seat: Seat,
    /// The random seed.
    seed: u64,
    session: TableSession,
    /// How many actions the agent has made.
    acts: u64,
}

/// A run as it is stored.
#[derive(Serialize, Deserialize)]
struct Document {
    seat: usize,
    seed: u64,
    acts: u64,
    game: StoredSession,
}

impl Run {
    /// Starts a run; opponents who come before the agent have moved.
    pub fn begin(environment: &Environment, seed: u64) -> Result<Run, AgentError> {
        let table = environment
            .catalog
            .open(&environment.variant)
            .map_err(|error| AgentError::new(&environment.variant, error.to_string()))?;
        let seats = table.seats() as u64;
        let seat = match environment.begins {
            Begins::Agent => 0,
            Begins::Opponent => seats - 1,
            Begins::Anybody => Rng::new(derived(seed, 0, 0)).below(seats),
        };
        let session = Session::new(table, Pace::default()).ending_after(MOST_PLIES);
        let mut run = Run { seat: Seat::new(seat as usize), seed, session, acts: 0 };
        run.let_others_move(environment)?;
        Ok(run)
    }

    /// How many actions the agent has made.
    pub fn acts(&self) -> u64 {
        self.acts
    }

    /// The game.
    pub fn session(&self) -> &TableSession {
        &self.session
    }

    /// The agent's seat.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// What the agent sees. In games whose players have no view of their own: the position, the
    /// agent's seat, and the legal moves.
    pub fn percept(&self) -> Value {
        let table = self.session.table();
        let seen = table.percept(self.seat).and_then(|text| serde_json::from_str(&text).ok());
        seen.unwrap_or_else(|| {
            json!({
                "position": table.position(),
                "you": table.seat_name(self.seat),
                "moves": table.moves(),
            })
        })
    }

    /// Makes the agent's move, and lets the others answer. A refused action changes nothing.
    pub fn act(&mut self, environment: &Environment, action: &Value) -> Result<(), Refused> {
        if self.session.to_move() != Some(self.seat) {
            return Err(Refused::Over);
        }
        let text = match action {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let mv = self.session.table().read_move_of(self.seat, &text);
        let mv = mv.map_err(|error| Refused::Illegal(error.expected().to_string()))?;
        let played = self.session.play(mv, Duration::ZERO);
        played.map_err(|error| Refused::Illegal(error.to_string()))?;
        self.acts += 1;
        // The agents were checked when the environment was read.
        let _ = self.let_others_move(environment);
        Ok(())
    }

    /// The opponents move until it is the agent's turn or the game is over.
    fn let_others_move(&mut self, environment: &Environment) -> Result<(), AgentError> {
        let seats = self.session.table().seats();
        while let Some(seat) = self.session.to_move().filter(|seat| *seat != self.seat) {
            let next = (seat.index() + seats - self.seat.index() - 1) % seats;
            let Some(opponent) = environment.opponents.get(next) else { break };
            let ply = self.session.plies().len() as u64;
            // Made anew for every move: its moves must not depend on its memory, which a crash
            // would erase.
            let table = self.session.table();
            let mut agent =
                adviser(table, &opponent.agent, derived(self.seed, 1 + seat.index() as u64, ply))?;
            let Some(choice) = agent.choose(table, &opponent.budget(), &mut |_| {}) else { break };
            if self.session.play(choice.mv, Duration::ZERO).is_err() {
                break;
            }
        }
        Ok(())
    }

    /// The outcome of the run, once it is over. If the others play on without the agent, that is
    /// when their game ends.
    pub fn outcome(&self, environment: &Environment) -> Option<f64> {
        let places = self.session.verdict()?.outcome.places();
        environment.worth(places.as_slice(), self.seat.index())
    }

    /// The run as it is stored.
    pub fn document(&self) -> serde_json::Result<String> {
        let game = self.session.stored();
        let document = Document { seat: self.seat.index(), seed: self.seed, acts: self.acts, game };
        serde_json::to_string(&document)
    }

    /// Resumes a stored run.
    pub fn read(catalog: &Catalog, text: &str) -> Result<Run, String> {
        let document: Document = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let Document { seat, seed, acts, game } = document;
        let session = Session::resume(catalog, &game)?.ending_after(MOST_PLIES);
        if seat >= session.table().seats() {
            return Err(format!("there is no seat {seat}"));
        }
        Ok(Run { seat: Seat::new(seat), seed, session, acts })
    }
}
