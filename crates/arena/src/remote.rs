//! Remote players, which communicate in text.
//!
//! How a program is started and what is sent to it is up to the protocols, which are in the crates
//! above. They implement three traits: an [`OutsideKind`] stands for a name such as `ugi` and makes
//! an [`Outside`] from what follows the name, and that starts a [`Remote`] for a variant.
//! [`Correspondent`] makes a [`Player`] of it: it writes the moves of its game as text and reads
//! the answer.

mod settings;

use std::fmt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use agon_core::{Game, Notation, Seat, TextError, Variant};
use agon_games::Table;
use agon_isolation::Level;
use agon_search::spec::AgentInfo;
use agon_search::{AgentError, Score, StopFlag};

use crate::clock::{Clock, Pace};
use crate::heartbeat;
use crate::player::{Action, Answer, Breach, NoAnswer, Player, SystemTrouble, Turn};
use crate::session::{Board, Ply, Session, TypedBoard};
use crate::verdict::{Fault, Verdict};

pub use settings::{Limits, PATIENCE, START, Settings};

/// A name for programs of one protocol.
pub trait OutsideKind: Send + Sync + fmt::Debug {
    /// The name and what it is, for lists and help.
    fn info(&self) -> AgentInfo;

    /// Reads what follows the name and the colon.
    fn outside(&self, command: &str, settings: &Settings) -> Result<Box<dyn Outside>, AgentError>;

    /// The part of a command that names files, if it may contain patterns, and the rest.
    fn split_pattern<'a>(&self, command: &'a str) -> (&'a str, &'a str) {
        command.split_at(command.find(' ').unwrap_or(command.len()))
    }
}

/// A program that can be started to play.
pub trait Outside: Send + Sync + fmt::Debug {
    /// Whether it can be started and supports this game: checked before the first game.
    fn check(&self, variant: &Variant) -> Result<(), String>;

    /// How far its program is isolated, if it starts one.
    fn isolation(&self) -> Level {
        Level::None
    }

    /// Whether its protocol supports these limits.
    fn check_pace(&self, _pace: &Pace) -> Result<(), String> {
        Ok(())
    }

    /// Whether it is a single running program, which can play only one game at a time no matter who
    /// uses it.
    fn plays_one_game(&self) -> bool {
        false
    }

    /// Whether it can be asked about any position, not only about those of a game from the start.
    fn begins_anywhere(&self) -> bool {
        true
    }

    /// The agent's text with which the same program is sent clocks, and never only a time for the
    /// move, if there is one.
    fn with_clocks_alone(&self) -> Option<String> {
        None
    }

    /// The files that its command names, the program first, as far as they exist: by their
    /// [checksums](crate::fingerprint) a program is found to be another one behind the same text.
    fn files(&self) -> Vec<PathBuf> {
        Vec::new()
    }

    /// How it is run, if it is a program that is started; `None` if it cannot be started elsewhere.
    fn settings(&self) -> Option<&Settings> {
        None
    }

    /// Starts it and waits until it is ready.
    fn start(&self, variant: &Variant) -> Result<Box<dyn Remote>, NoAnswer>;
}

/// A question to a remote player.
#[derive(Debug)]
pub struct Question<'a> {
    /// Who is asked.
    pub seat: Seat,
    /// Where the game began, if not at the variant's start.
    pub start: Option<&'a str>,
    /// All moves since, those of the opening included.
    pub moves: &'a [String],
    /// The clocks of all seats.
    pub clocks: &'a [Clock],
    /// The limits of the players.
    pub pace: &'a Pace,
    /// The longest it makes sense to wait: what the clocks allow.
    pub allowed: Option<Duration>,
    /// Set when the answer is no longer wanted.
    pub stop: &'a StopFlag,
}

/// A remote player's answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reply {
    /// The move, or the word `resign`.
    pub text: String,
    /// From the end of the question to the end of the answer.
    pub time: Duration,
    /// How long it reports it took.
    pub claimed: Option<Duration>,
    /// How many nodes it reports; 0 if none.
    pub nodes: u64,
    /// The depth in plies that it reports; 0 if none.
    pub depth: u32,
    /// Its evaluation of the position, if it reports one.
    pub score: Option<Score>,
}

impl Reply {
    /// An answer of a player that reports nothing about its search.
    pub fn silent(text: String, time: Duration) -> Reply {
        Reply { text, time, claimed: None, nodes: 0, depth: 0, score: None }
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameEnd {
    /// By the rules of the game.
    Finished,
    /// In any other way, before its regular end.
    Broken,
}

/// A running program that plays one game after another.
pub trait Remote: Send {
    /// A new game begins.
    fn new_game(&mut self, seat: Seat) -> Result<(), NoAnswer>;

    /// Asks for a move.
    fn ask(&mut self, question: &Question<'_>) -> Result<Reply, NoAnswer>;

    /// The game is over after these moves, or was abandoned.
    fn end_game(&mut self, _moves: &[String], _ending: GameEnd) {}

    /// The last lines sent and received, for the record, each with a line break before it. Empty if
    /// there are none.
    fn last_lines(&self) -> String;

    /// Asks it to quit, waits this long, and reports what it did wrong while quitting. Without a
    /// process there is nothing to report.
    fn leave(self: Box<Self>, _patience: Duration) -> Result<(), Breach> {
        Ok(())
    }
}

/// A board whose game can be written as text for a program.
pub trait TextBoard: Board {
    /// The game as written so far.
    type Transcript: Default + Send;

    /// The game as text; the transcript is brought up to date.
    fn game_text<'a>(
        &'a self,
        plies: &[Ply<Self::Move>],
        transcript: &'a mut Self::Transcript,
    ) -> GameText<'a>;

    /// The move that a text stands for here.
    fn read(&self, text: &str) -> Result<Self::Move, TextError>;

    /// The position in text.
    fn position_text(&self) -> String;
}

/// A game in text.
#[derive(Clone, Copy, Debug)]
pub struct GameText<'a> {
    /// Whether this does not continue the text before: another game, or one in which moves were
    /// taken back.
    pub anew: bool,
    /// Where it began, if not at the variant's start.
    pub start: Option<&'a str>,
    /// All moves since, those of the opening included.
    pub moves: &'a [String],
}

/// A typed game as text; only new moves are written.
#[derive(Debug)]
pub struct Transcript<G: Game> {
    start: Option<String>,
    position: Option<G>,
    moves: Vec<String>,
    plies: usize,
}

impl<G: Game> Default for Transcript<G> {
    fn default() -> Self {
        Transcript { start: None, position: None, moves: Vec::new(), plies: 0 }
    }
}

impl<G: Notation> TextBoard for TypedBoard<G> {
    type Transcript = Transcript<G>;

    fn game_text<'a>(
        &'a self,
        plies: &[Ply<G::Move>],
        transcript: &'a mut Transcript<G>,
    ) -> GameText<'a> {
        let Transcript { start, position, moves, plies: told } = transcript;
        let mut write = |position: &mut G, mv: G::Move| {
            moves.push(position.move_text(mv));
            position.play(mv);
        };
        let (opening, anew) = (self.opening(), position.is_none());
        let position = position.get_or_insert_with(|| {
            *start = opening.custom_start();
            let mut position = opening.start().clone();
            opening.moves().iter().for_each(|mv| write(&mut position, *mv));
            position
        });
        plies.iter().skip(*told).for_each(|ply| write(position, ply.mv));
        *told = plies.len();
        GameText { anew, start: start.as_deref(), moves }
    }

    fn read(&self, text: &str) -> Result<G::Move, TextError> {
        self.position().read_move(text)
    }

    fn position_text(&self) -> String {
        self.position().position_text()
    }
}

/// A table has its moves as text; the transcript is the moves at the last call.
impl TextBoard for Box<dyn Table> {
    type Transcript = Option<Vec<String>>;

    fn game_text<'a>(
        &'a self,
        _: &[Ply<String>],
        told: &'a mut Option<Vec<String>>,
    ) -> GameText<'a> {
        let moves = self.played();
        // A program asked twice about the same position has made a move of its own in between that
        // was taken back: its board is ahead of the game's.
        let goes_on = |told: &Vec<String>| moves.len() > told.len() && moves.starts_with(told);
        let anew = !told.as_ref().is_some_and(goes_on);
        *told = Some(moves.to_vec());
        GameText { anew, start: self.custom_start(), moves }
    }

    fn read(&self, text: &str) -> Result<String, TextError> {
        self.read_move(text)
    }

    fn position_text(&self) -> String {
        self.position()
    }
}

/// A program at a seat of a game.
pub struct Correspondent<B: TextBoard> {
    /// The program, or why it cannot be used any more. Then it loses at its next turn.
    remote: Result<Box<dyn Remote>, NoAnswer>,
    transcript: B::Transcript,
}

impl<B: TextBoard> Correspondent<B> {
    /// A player for a program that was started, or could not be.
    pub fn new(remote: Result<Box<dyn Remote>, NoAnswer>) -> Correspondent<B> {
        Correspondent { remote, transcript: B::Transcript::default() }
    }

    /// The program, if it committed no fault and can play again.
    pub(crate) fn into_remote(self) -> Option<Box<dyn Remote>> {
        self.remote.ok()
    }
}

impl<B: TextBoard> Player<B> for Correspondent<B> {
    fn game_over(&mut self, session: &Session<B>) {
        let Ok(remote) = &mut self.remote else { return };
        let moves = session.board().game_text(session.plies(), &mut self.transcript).moves;
        let finished = session.verdict().is_some_and(Verdict::is_by_rules);
        remote.end_game(moves, if finished { GameEnd::Finished } else { GameEnd::Broken });
    }

    fn answer(&mut self, turn: &Turn<'_, B>) -> Result<Answer<B::Move>, NoAnswer> {
        let remote = self.remote.as_mut().map_err(|reason| reason.clone())?;
        heartbeat::begin();
        let asked = Instant::now();
        let answer = converse(&mut **remote, &mut self.transcript, turn);
        let mut answer = unless_we_slept(answer, turn, asked);
        if let Err(reason) = &mut answer {
            if let NoAnswer::Breach(breach) = reason {
                breach.add_position(&turn.board.position_text());
            }
            // This ends the program as well.
            self.remote = Err(reason.clone());
        }
        answer
    }
}

/// An answer that came too late because this process was stopped meanwhile is nobody's fault.
fn unless_we_slept<B: TextBoard>(
    answer: Result<Answer<B::Move>, NoAnswer>,
    turn: &Turn<'_, B>,
    asked: Instant,
) -> Result<Answer<B::Move>, NoAnswer> {
    let allowed = turn.clocks.get(turn.seat.index()).and_then(Clock::allowed);
    let is_late = match &answer {
        Ok(answer) => answer.time.zip(allowed).is_some_and(|(time, allowed)| time > allowed),
        Err(NoAnswer::Breach(breach)) => matches!(breach.fault, Fault::Stalled | Fault::NotReady),
        Err(NoAnswer::System(_)) => false,
    };
    let gap = if is_late { heartbeat::longest_gap_since(asked) } else { Duration::ZERO };
    match gap.is_zero() {
        true => answer,
        false => {
            let seconds = gap.as_secs_f64();
            let trouble =
                format!("Agon itself was stopped for {seconds:.1} s while a program played");
            Err(SystemTrouble(trouble).into())
        }
    }
}

fn converse<B: TextBoard>(
    remote: &mut dyn Remote,
    transcript: &mut B::Transcript,
    turn: &Turn<'_, B>,
) -> Result<Answer<B::Move>, NoAnswer> {
    let GameText { anew, start, moves } = turn.board.game_text(turn.plies, transcript);
    if anew {
        remote.new_game(turn.seat)?;
    }
    let reply = remote.ask(&Question {
        seat: turn.seat,
        start,
        moves,
        clocks: turn.clocks,
        pace: turn.pace,
        allowed: turn.clocks.get(turn.seat.index()).and_then(Clock::allowed),
        stop: &turn.budget.stop,
    })?;
    let action = if reply.text == "resign" {
        Action::Resign
    } else {
        let read = turn.board.read(&reply.text);
        Action::Play(read.map_err(|error| misread(&reply.text, &error, remote))?)
    };
    // A late answer loses, and the record should show what was asked.
    let allowed = turn.clocks.get(turn.seat.index()).and_then(Clock::allowed);
    let exchange = match allowed.is_some_and(|allowed| reply.time > allowed) {
        true => format!("\nposition: {}{}", turn.board.position_text(), remote.last_lines()),
        false => String::new(),
    };
    let latency =
        reply.claimed.map_or(Duration::ZERO, |claimed| reply.time.saturating_sub(claimed));
    let Reply { time, nodes, depth, score, .. } = reply;
    let time = Some(time);
    Ok(Answer { time, latency, depth, score, exchange, ..Answer::new(action, nodes) })
}

/// An answer that is not a move here.
fn misread(text: &str, error: &TextError, remote: &dyn Remote) -> Breach {
    let said: String = text.chars().take(200).collect();
    let lines = remote.last_lines();
    Breach::new(Fault::IllegalMove, format!("{said:?}: expected {}{lines}", error.expected()))
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use agon_search::Budget;

    use super::*;
    use crate::session::TableSession;

    /// Records what it is told, and answers with the first legal move.
    struct Listener(Arc<Mutex<Vec<String>>>);

    impl Remote for Listener {
        fn new_game(&mut self, _: Seat) -> Result<(), NoAnswer> {
            self.0.lock().unwrap().push("new game".to_string());
            Ok(())
        }

        fn ask(&mut self, question: &Question<'_>) -> Result<Reply, NoAnswer> {
            self.0.lock().unwrap().push(question.moves.join(" "));
            let table = agon_games::open_at(&"congo".parse().unwrap(), None, question.moves);
            let text = table.unwrap().moves()[0].clone();
            Ok(Reply::silent(text, Duration::ZERO))
        }

        fn last_lines(&self) -> String {
            String::new()
        }
    }

    #[test]
    fn a_program_is_told_the_game_anew_when_moves_were_taken_back() {
        let told = Arc::new(Mutex::new(Vec::new()));
        let mut program = Correspondent::new(Ok(Box::new(Listener(told.clone()))));
        let table = agon_games::open(&"congo".parse().unwrap()).unwrap();
        let mut session = Session::at_table(table, Pace::default());
        let mut answer_to = |session: &mut TableSession, mv: &str| {
            session.play(mv.to_string(), Duration::ZERO).unwrap();
            let answer = program.answer(&session.turn(&Budget::default()).unwrap());
            session.hear(answer, Duration::ZERO).unwrap();
            std::mem::take(&mut *told.lock().unwrap())
        };
        assert_eq!(answer_to(&mut session, "d2d3"), ["new game", "d2d3"]);
        assert_eq!(answer_to(&mut session, "d3d4"), ["d2d3 a6a5 d3d4"]);
        // Another move, and the same once more: in both cases the program's own board is ahead.
        for mv in ["c2c3", "c2c3"] {
            assert!(session.take_back_to(2));
            assert_eq!(answer_to(&mut session, mv), ["new game", "d2d3 a6a5 c2c3"]);
        }
    }
}
