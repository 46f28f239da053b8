//! The player's side: answers controllers.
//!
//! [`Player`] knows nothing about sockets: it takes the text of a message and the time at which its
//! connection was accepted, and returns the text of the answer, in time. It may be called from many
//! threads at once, which is what controllers do. [`Server`] connects it to the network.

mod event;
mod forced;
mod game;
mod punctuality;
mod server;
mod start;
mod thinker;

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use agon_games::Catalog;
use agon_gdl::breakthrough::{Reading, move_term, recognise};
use agon_gdl::kif::Term;
use agon_search::spec::{Manner, Role};
use agon_search::{AgentError, AgentSpec, Budget, Time, agents};

pub use event::{Event, Listener, Moved, Summary};
use game::Game;
use punctuality::Punctuality;
pub use server::{Server, ServerLimits};
use start::Start;
use thinker::{Outcome, Thought};

use super::http::Request;
use super::message::{Message, News, in_one_line};
use crate::problem::quoted;

/// The settings of a player.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where the games come from, with the tables and books of its agent.
    pub catalog: Catalog,
    /// The agent.
    pub agent: AgentSpec,
    /// Whether it ponders: thinks on the opponent's time.
    pub ponder: bool,
    /// The maximum depth in plies.
    pub depth: Option<u32>,
    /// The maximum number of nodes per move.
    pub nodes: Option<u64>,
    /// The random seed.
    pub seed: u64,
}

impl Options {
    /// Whether something other than the clock ends a search. Then the same match is played every
    /// time: there is no pondering, and the search is not told about the clock, which is still
    /// enforced, as that would change its tables.
    fn is_reproducible(&self) -> bool {
        let by_depth = self.depth.is_some() || agents::value_of(&self.agent, Role::Depth).is_some();
        // Some searches have no move before they have reached their depth, if there is no clock.
        let info = agents::info(&self.agent.name);
        let deepens = info.is_some_and(|info| info.manner == Manner::Anytime);
        self.nodes.is_some() || (by_depth && deepens)
    }

    fn budget(&self, time: Duration) -> Budget {
        let time = (!self.is_reproducible()).then(|| Time::PerMove(filled(time)));
        Budget { time, depth: self.depth, nodes: self.nodes, ..Budget::default() }
    }
}

/// The time for a move of which a search uses just this much; the rest is its own margin.
fn filled(time: Duration) -> Duration {
    let mut whole = time;
    while Time::PerMove(whole).allotment() < time {
        whole += (time - Time::PerMove(whole).allotment()).max(Duration::from_micros(1));
    }
    whole
}

/// A message that came in over a connection.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// The sender.
    pub peer: SocketAddr,
    /// When the connection was accepted.
    pub accepted: Instant,
}

/// A player's answer: a status line and a text.
pub type Reply = (&'static str, String);

const OK: &str = "200 OK";
const BAD: &str = "400 Bad Request";

/// The text for people who open the address in a browser.
const GREETING: &str =
    "This is a GGP player of Agon. Controllers POST messages such as (INFO) here.";

/// How many rules texts are remembered.
const REMEMBERED: usize = 8;

/// The maximum size of messages that are parsed concurrently. Rules of Breakthrough have a tenth of
/// that; larger ones take memory, so they are parsed one at a time.
const SMALL: usize = 64 << 10;
/// How many PLAYs may wait for their answers. A controller sends one at a time.
const MOST_WAITING: usize = 64;
/// How long a PLAY waits for the START of its match to be processed.
const UNDERSTANDING: Duration = Duration::from_secs(5);

/// What a rules text was recognised as.
type Recognised = Result<Reading, String>;

/// A player for the matches of GGP controllers, one at a time.
pub struct Player {
    options: Options,
    desk: Mutex<Desk>,
    /// The most recent rules texts, and what they were recognised as.
    texts: Mutex<VecDeque<(String, Recognised)>>,
    /// Held while a large message is parsed.
    large: Mutex<()>,
    /// Signals that a START was processed.
    understood: Condvar,
    /// How many messages have arrived.
    messages: AtomicU64,
    /// How many PLAYs are waiting for their answers.
    waiting: AtomicUsize,
    punctuality: Punctuality,
    listener: Listener,
}

/// The state of the matches.
#[derive(Default)]
struct Desk {
    game: Option<Game>,
    /// The match that ended last.
    over: Option<String>,
    /// A match with unknown rules, and the word to answer with.
    unknown: Option<(String, &'static str)>,
    /// The matches whose START is still being parsed.
    starting: Vec<String>,
    /// The number of the message that started the current match.
    begun: u64,
}

/// How to answer a PLAY.
enum Turn {
    /// With this.
    Say(String),
    /// With the result of this search, when the answer is due.
    Wait(Arc<Thought>, Duration),
}

impl Player {
    /// A player that reports events to `listener`. An agent that cannot play is an error at once.
    pub fn new(options: Options, listener: Listener) -> Result<Player, AgentError> {
        let variant = agon_core::Variant::new("breakthrough", "8x8");
        let table = options
            .catalog
            .open(&variant)
            .map_err(|error| AgentError::new(&options.agent, error.to_string()))?;
        if !agents::AGENTS.iter().any(|info| info.name == options.agent.name) {
            let names: Vec<&str> = agents::AGENTS.iter().map(|info| info.name).collect();
            return Err(options.agent.unknown("agent", &options.agent.name, &names));
        }
        agon_search::adviser(&*table, &options.agent, options.seed)?;
        Ok(Player {
            options,
            desk: Mutex::default(),
            texts: Mutex::default(),
            large: Mutex::default(),
            understood: Condvar::new(),
            messages: AtomicU64::new(0),
            waiting: AtomicUsize::new(0),
            punctuality: Punctuality::default(),
            listener,
        })
    }

    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, event: &Event<'_>) {
        (self.listener)(event);
    }

    fn note(&self, text: &str) {
        self.tell(&Event::Note { text });
    }

    /// Answers a request.
    pub fn answer(&self, request: &Request, call: Call) -> Reply {
        if request.body.trim().is_empty() {
            return (OK, GREETING.to_string());
        }
        let number = self.messages.fetch_add(1, Relaxed) + 1;
        let large = (request.body.len() > SMALL)
            .then(|| self.large.lock().unwrap_or_else(PoisonError::into_inner));
        let message = match Message::read(&request.body) {
            Ok(message) => message,
            Err(problem) => {
                self.problem(call.peer, &problem.to_string());
                return (BAD, "nil".to_string());
            }
        };
        let answer = match message {
            Message::Start { id, role, rules, start_clock, play_clock } => {
                self.desk().starting.push(id.clone());
                let rules = self.recognise(rules);
                drop(large);
                let start = Start { number, id, role, rules, start_clock, play_clock };
                self.start(&start, call)
            }
            Message::Preview { rules } => {
                if let Err(why) = self.recognise(rules) {
                    self.note(&format!("PREVIEW of unknown rules: {why}"));
                }
                "ready".into()
            }
            message => {
                drop(large);
                self.react(message, request.answer_unused, call)
            }
        };
        (OK, answer)
    }

    /// Reports an invalid request.
    pub fn problem(&self, peer: SocketAddr, text: &str) {
        self.tell(&Event::Problem { peer, text });
    }

    fn react(&self, message: Message, answer_unused: bool, call: Call) -> String {
        match message {
            Message::Info => {
                let status = if self.desk().game.is_some() { "busy" } else { "available" };
                format!("( ( name agon ) ( status {status} ) )")
            }
            Message::Play { id, news } => self.play(&id, &news, answer_unused, call),
            Message::Stop { id, news } => self.stop(&id, Some(&news), call),
            Message::Abort { id } => self.stop(&id, None, call),
            // These are handled while parsing.
            Message::Preview { .. } | Message::Start { .. } => "ready".into(),
        }
    }

    /// What a rules text is, from memory or by playing it.
    fn recognise(&self, rules: Vec<Term>) -> Recognised {
        let text = in_one_line(&rules).to_ascii_lowercase();
        let texts = || self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = texts().iter().find(|(known, _)| *known == text) {
            return known.clone();
        }
        let found = recognise(&rules).map_err(|unknown| unknown.to_string());
        let mut texts = texts();
        texts.push_back((text, found.clone()));
        if texts.len() > REMEMBERED {
            texts.pop_front();
        }
        found
    }

    /// The state, once the START of this match was processed, if there is one.
    fn desk_for(&self, id: &str) -> MutexGuard<'_, Desk> {
        let waits = |desk: &mut Desk| desk.starting.iter().any(|starting| starting == id);
        let waited = self.understood.wait_timeout_while(self.desk(), UNDERSTANDING, waits);
        waited.unwrap_or_else(PoisonError::into_inner).0
    }

    /// The match with this name, or the answer if there is none.
    fn find<'a>(&self, desk: &'a mut Desk, id: &str, call: Call) -> Result<&'a mut Game, String> {
        let Desk { game, over, unknown, .. } = desk;
        if let Some((_, word)) = unknown.as_ref().filter(|(unknown, _)| unknown == id) {
            return Err((*word).to_string());
        }
        let (word, why) = match game {
            _ if over.as_deref() == Some(id) => ("done", "is over"),
            Some(game) if game.id != id => ("busy", "is not the one being played"),
            Some(game) => return Ok(game),
            None => ("busy", "was never started here"),
        };
        self.problem(call.peer, &format!("match {} {why}", quoted(id)));
        Err(word.to_string())
    }

    /// Determines where the match is, and answers in time.
    fn play(&self, id: &str, news: &News, answer_unused: bool, call: Call) -> String {
        let turn = self.turn(id, news, answer_unused, call);
        let (thought, clock) = match turn {
            Turn::Say(text) => return text,
            Turn::Wait(thought, clock) => (thought, clock),
        };
        if self.waiting.fetch_add(1, Relaxed) >= MOST_WAITING {
            self.waiting.fetch_sub(1, Relaxed);
            self.problem(call.peer, "too many PLAYs are waiting for the same answer");
            return "busy".into();
        }
        let margin = self.punctuality.reply_margin(clock);
        thought.wait(call.accepted + clock.saturating_sub(margin), &self.punctuality);
        self.waiting.fetch_sub(1, Relaxed);
        let outcome = thought.outcome();
        thought.stop();
        self.punctuality.forget_some();
        self.conclude(id, &thought, outcome, clock, call)
    }

    /// Brings the board up to date and starts to think, if it is our turn.
    fn turn(&self, id: &str, news: &News, answer_unused: bool, call: Call) -> Turn {
        let mut desk = self.desk_for(id);
        let game = match self.find(&mut desk, id, call) {
            Ok(game) => game,
            Err(word) => return Turn::Say(word),
        };
        self.follow(game, news);
        if !game.is_our_turn() {
            game.thinker.rest();
            if self.options.ponder && !self.options.is_reproducible() && !answer_unused {
                self.ponder(game);
            }
            return Turn::Say("noop".into());
        }
        if answer_unused {
            let any = game.session.table().moves().first().and_then(|mv| move_term(mv));
            return Turn::Say(any.map_or_else(|| "noop".into(), |term| term.to_string()));
        }
        let clock = game.play_clock;
        let thought = match &game.due {
            // The same question again: the answer will be the same.
            Some(thought) => thought.clone(),
            None => {
                let margin = self.punctuality.search_margin(clock);
                let left = clock.saturating_sub(call.accepted.elapsed() + margin);
                let budget = self.options.budget(left);
                game.due.insert(game.thinker.think(game.session.table().fork(), budget)).clone()
            }
        };
        Turn::Wait(thought, clock)
    }

    /// Processes the moves, and reports anything unusual about them.
    fn follow(&self, game: &mut Game, news: &News) {
        let mut notes = Vec::new();
        let changed = game.follow(news, &mut notes);
        notes.iter().for_each(|note| self.note(note));
        if changed {
            self.tell(&Event::Board { session: &game.session, role: game.role() });
        }
    }

    /// Ponders: what it finds out stays in its tables.
    fn ponder(&self, game: &mut Game) {
        const LONGEST: Duration = Duration::from_secs(3600);
        if game.session.to_move().is_some() {
            game.thinker.think(game.session.table().fork(), self.options.budget(LONGEST));
        }
    }

    /// Makes the answer from what is known when it is due.
    fn conclude(
        &self,
        id: &str,
        thought: &Arc<Thought>,
        outcome: Outcome,
        clock: Duration,
        call: Call,
    ) -> String {
        let mut desk = self.desk();
        let game = match self.find(&mut desk, id, call) {
            Ok(game) => game,
            Err(word) => return word,
        };
        let current = game.due.as_ref().is_some_and(|due| Arc::ptr_eq(due, thought));
        if !current {
            self.problem(call.peer, "the match moved on before this PLAY was answered");
            return "noop".into();
        }
        if let Some(answered) = &game.answered {
            return sent(answered);
        }
        let any = || game.session.table().moves().first().cloned();
        let Some(mv) = outcome.mv.or_else(any) else { return "noop".into() };
        let answered_after = call.accepted.elapsed();
        let moved = Moved {
            ply: game.session.plies().len(),
            sent: sent(&mv),
            mv,
            depth: outcome.statistics.depth,
            expanded: outcome.statistics.expanded,
            nodes: outcome.statistics.nodes,
            time: outcome.statistics.time,
            iterations: outcome.iterations,
            answered_after,
            spare: clock.saturating_sub(answered_after),
            cut_short: !outcome.ended,
        };
        game.count(&moved);
        game.answered = Some(moved.mv.clone());
        drop(desk);
        self.tell(&Event::Moved(&moved));
        moved.sent
    }

    /// Ends a match: with its last moves, or aborted.
    fn stop(&self, id: &str, news: Option<&News>, call: Call) -> String {
        let word = if news.is_some() { "done" } else { "aborted" };
        let mut desk = self.desk_for(id);
        if desk.unknown.as_ref().is_some_and(|(unknown, _)| unknown == id) {
            desk.unknown = None;
            return word.to_string();
        }
        match self.find(&mut desk, id, call) {
            Ok(game) => {
                if let Some(news) = news {
                    self.follow(game, news);
                }
            }
            Err(word) => return word,
        }
        if let Some(game) = desk.game.take() {
            let aborted = news.is_none().then_some("the controller aborted it");
            desk.over = Some(id.to_string());
            drop(desk);
            self.tell(&Event::Ended(&game.summary(aborted)));
        }
        word.to_string()
    }
}

/// A move as it is sent.
fn sent(mv: &str) -> String {
    move_term(mv).map_or_else(|| "noop".to_string(), |term| term.to_string())
}
