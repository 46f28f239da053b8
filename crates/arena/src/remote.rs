//! Players behind a wire, who are spoken to in text.
//!
//! How a program is started and what is said to it is the business of the protocols, which are in
//! the crates above. They implement three traits: an [`OutsideKind`] stands behind a name such as
//! `ugi`, makes an [`Outside`] from what follows the name, and that starts a [`Remote`] for a
//! variant. [`Correspondent`] makes a [`Player`] of it: it writes the moves of its game as text and
//! reads the answer.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use agon_core::{Game, Notation, Seat, TextError, Variant};
use agon_search::spec::AgentInfo;
use agon_search::{AgentError, StopFlag};

use crate::clock::{Clock, Pace};
use crate::openings::Opening;
use crate::player::{Action, Answer, Breach, Player, Turn};
use crate::process::Limits;
use crate::verdict::Fault;

/// How long a program may think where nothing else limits it.
pub const PATIENCE: Duration = Duration::from_secs(60);
/// How long a program may take to get ready.
pub const START: Duration = Duration::from_secs(10);

/// What can be said about an agent beside its text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Options to be set, as its protocol allows.
    pub options: Vec<(String, String)>,
    /// How many threads it uses.
    pub threads: Option<usize>,
    /// What it and its children may use.
    pub limits: Limits,
    /// How long it may think where nothing else limits it.
    pub patience: Duration,
    /// How long it may take to get ready.
    pub start: Duration,
    /// Where its program runs; here if not given.
    pub folder: Option<PathBuf>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            options: Vec::new(),
            threads: None,
            limits: Limits::default(),
            patience: PATIENCE,
            start: START,
            folder: None,
        }
    }
}

/// A name that stands for programs of one protocol.
pub trait OutsideKind: Send + Sync + fmt::Debug {
    /// The name and what it is, for lists and help.
    fn info(&self) -> AgentInfo;

    /// Reads what follows the name and the colon.
    fn outside(&self, command: &str, settings: &Settings) -> Result<Box<dyn Outside>, AgentError>;
}

/// A program that can be started to play.
pub trait Outside: Send + Sync + fmt::Debug {
    /// Whether it can be started at all, and speaks of this game: looked at before the first game.
    fn check(&self, variant: &Variant) -> Result<(), String>;

    /// Starts it and waits until it is ready.
    fn start(&self, variant: &Variant) -> Result<Box<dyn Remote>, Breach>;
}

/// A question to a remote player.
#[derive(Debug)]
pub struct Question<'a> {
    /// Who is asked.
    pub seat: Seat,
    /// Where the game began, if not at the variant's own start.
    pub start: Option<&'a str>,
    /// All moves since, those of the opening included.
    pub moves: &'a [String],
    /// The clocks of all seats.
    pub clocks: &'a [Clock],
    /// What limits the players.
    pub pace: &'a Pace,
    /// The longest that waiting makes sense: what the clocks allow.
    pub allowed: Option<Duration>,
    /// When this is set, nobody wants the answer any more.
    pub stop: &'a StopFlag,
}

/// A remote player's answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reply {
    /// The move, or the word `resign`.
    pub text: String,
    /// From the end of the question to the end of the answer.
    pub time: Duration,
    /// How long it says it took.
    pub claimed: Option<Duration>,
    /// How many nodes it says it searched.
    pub nodes: u64,
}

/// A program that is running and plays one game after the other.
pub trait Remote: Send {
    /// A new game begins.
    fn new_game(&mut self, seat: Seat) -> Result<(), Breach>;

    /// Asks for a move.
    fn ask(&mut self, question: &Question<'_>) -> Result<Reply, Breach>;

    /// The last lines it printed, for the record.
    fn last_lines(&self) -> String;

    /// Asks it to leave, waits so long, and says what it did wrong on its way out. What is no
    /// process has nothing to leave behind.
    fn leave(self: Box<Self>, _patience: Duration) -> Result<(), Breach> {
        Ok(())
    }
}

/// A remote player in a game: keeps the moves as text.
pub struct Correspondent<G: Game> {
    /// The program, or why it is of no use any more. Then it loses when its turn comes.
    remote: Result<Box<dyn Remote>, Breach>,
    /// Where the variant begins.
    variant_start: G,
    game: Option<Transcript<G>>,
}

/// A game as text, as far as it was told.
struct Transcript<G> {
    start: Option<String>,
    position: G,
    moves: Vec<String>,
    /// How many plies after the opening are in `moves`.
    plies: usize,
}

impl<G: Notation> Transcript<G> {
    fn new(opening: &Opening<G>, variant_start: &G) -> Transcript<G> {
        let position = opening.start().clone();
        let start = (position != *variant_start).then(|| position.position_text());
        let mut transcript = Transcript { start, position, moves: Vec::new(), plies: 0 };
        opening.moves().iter().for_each(|mv| transcript.push(*mv));
        transcript
    }

    fn push(&mut self, mv: G::Move) {
        self.moves.push(self.position.move_text(mv));
        self.position.play(mv);
    }
}

impl<G: Notation> Correspondent<G> {
    /// Speaks for a program that was started, or could not be. Games of its variant begin at
    /// `variant_start`.
    pub fn new(remote: Result<Box<dyn Remote>, Breach>, variant_start: &G) -> Correspondent<G> {
        Correspondent { remote, variant_start: variant_start.clone(), game: None }
    }

    /// The program, if it has done nothing wrong and can play again.
    pub fn into_remote(self) -> Option<Box<dyn Remote>> {
        self.remote.ok()
    }
}

impl<G: Notation> Player<G> for Correspondent<G> {
    fn answer(&mut self, turn: &Turn<'_, G>) -> Result<Answer<G::Move>, Breach> {
        let remote = self.remote.as_mut().map_err(|breach| breach.clone())?;
        let answer = converse(&mut **remote, &mut self.game, &self.variant_start, turn);
        if let Err(breach) = &answer {
            // Ends the program as well.
            self.remote = Err(breach.clone());
        }
        answer
    }
}

fn converse<G: Notation>(
    remote: &mut dyn Remote,
    game: &mut Option<Transcript<G>>,
    variant_start: &G,
    turn: &Turn<'_, G>,
) -> Result<Answer<G::Move>, Breach> {
    if game.is_none() {
        remote.new_game(turn.seat)?;
    }
    let game = game.get_or_insert_with(|| Transcript::new(turn.opening, variant_start));
    for ply in turn.plies.iter().skip(game.plies) {
        game.push(ply.mv);
    }
    game.plies = turn.plies.len();
    let reply = remote.ask(&Question {
        seat: turn.seat,
        start: game.start.as_deref(),
        moves: &game.moves,
        clocks: turn.clocks,
        pace: turn.pace,
        allowed: turn.clocks.get(turn.seat.index()).and_then(Clock::allowed),
        stop: &turn.budget.stop,
    })?;
    let action = if reply.text == "resign" {
        Action::Resign
    } else {
        let read = turn.root.position.read_move(&reply.text);
        Action::Play(read.map_err(|error| misread(&reply.text, &error, remote))?)
    };
    let latency =
        reply.claimed.map_or(Duration::ZERO, |claimed| reply.time.saturating_sub(claimed));
    Ok(Answer { action, nodes: reply.nodes, time: Some(reply.time), latency })
}

/// A move that is none here.
fn misread(text: &str, error: &TextError, remote: &dyn Remote) -> Breach {
    let said: String = text.chars().take(200).collect();
    let lines = remote.last_lines();
    Breach::new(Fault::IllegalMove, format!("{said:?}: expected {}{lines}", error.expected()))
}
