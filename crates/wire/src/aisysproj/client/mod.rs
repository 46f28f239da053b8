//! The agent's side: plays on a server until it has played enough.
//!
//! The server keeps every game, and an answer carries the number of the move it is for. So a
//! request can be repeated whenever it is not certain that it arrived, and a client can be
//! restarted after any crash: it resumes the open runs. Whether an answer was accepted follows from
//! the numbers alone; the texts of the server are for people.

mod book;
mod config;
mod event;
mod exchange;
mod link;
mod news;
mod percept;
mod play;
mod tally;
mod thinking;
mod waiting;

use std::thread;
use std::time::{Duration, Instant};

use agon_core::{Rng, Variant};
use agon_games::Catalog;
use agon_search::{AgentError, AgentSpec, Budget, StopFlag, Time, adviser};

use book::Book;
pub use config::{Config, ConfigError};
pub use event::{Event, Finished, Listener, Moved, Totals};
pub use link::Failure;
use link::Link;
use percept::Boards;
use play::Answer;
use tally::Tally;
pub use waiting::Patience;
use waiting::{Backoff, rest};

/// How a client plays.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where the game comes from.
    pub catalog: Catalog,
    /// The agent.
    pub agent: AgentSpec,
    /// Stop after this many finished runs; 0 is never.
    pub games: u64,
    /// How many runs to play at a time, at most; the server may have fewer.
    pub parallel: usize,
    /// The time for each move.
    pub per_move: Option<Duration>,
    /// The maximum depth in plies.
    pub depth: Option<u32>,
    /// The maximum number of nodes per move.
    pub nodes: Option<u64>,
    /// How many threads to think with, each for one run.
    pub threads: usize,
    /// The random seed.
    pub seed: u64,
    /// Timeouts and pauses.
    pub patience: Patience,
}

impl Options {
    /// Five runs at a time, 200 ms a move, one thread per core, for ever.
    pub fn new(agent: AgentSpec) -> Options {
        Options {
            catalog: Catalog::built_in(),
            agent,
            games: 0,
            parallel: 5,
            per_move: Some(Duration::from_millis(200)),
            depth: None,
            nodes: None,
            threads: thread::available_parallelism().map_or(1, usize::from),
            seed: 0,
            patience: Patience::default(),
        }
    }

    fn budget(&self, stop: &StopFlag) -> Budget {
        let time = self.per_move.map(Time::PerMove);
        Budget { time, depth: self.depth, nodes: self.nodes, stop: stop.clone() }
    }
}

/// Plays runs on a server.
pub struct Client {
    config: Config,
    options: Options,
    link: Link,
    boards: Boards,
    book: Book,
    tally: Tally,
    /// The version in use.
    version: u8,
    /// Whether the server has answered in it.
    connected: bool,
    /// Whether runs may be abandoned, as far as known.
    can_abandon: bool,
    /// The answers to send with the next request.
    answers: Vec<Answer>,
    /// Answers over which the server may have failed.
    suspects: Vec<Answer>,
    /// How many answers to send one at a time, to find the one at fault.
    careful: usize,
    backoff: Backoff,
    idle: Backoff,
    rng: Rng,
    last_request: Option<Instant>,
}

impl Client {
    /// A client for this agent. An agent that cannot play FAUhalma at all is refused at once.
    pub fn new(config: Config, options: Options) -> Result<Client, AgentError> {
        let can_play = |setup: &str| {
            let table = options
                .catalog
                .open(&Variant::new("fauhalma", setup))
                .map_err(|error| AgentError::new(&options.agent, error.to_string()))?;
            adviser(&*table, &options.agent, 0).map(|_| ())
        };
        can_play("star2").or_else(|problem| can_play("star3").map_err(|_| problem))?;
        // Clients that were started together should not retry at the same times.
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let chance = now.map_or(0, |now| now.as_nanos() as u64) ^ u64::from(std::process::id());
        let patience = options.patience;
        Ok(Client {
            link: Link::new(&config, &patience),
            boards: Boards::new(&options.catalog, &config.env),
            book: Book::default(),
            tally: Tally::default(),
            version: 1,
            connected: false,
            can_abandon: true,
            answers: Vec::new(),
            suspects: Vec::new(),
            careful: 0,
            backoff: Backoff::new(patience.shortest, patience.longest),
            idle: Backoff::new(patience.idle, patience.idle * 16),
            rng: Rng::new(chance),
            last_request: None,
            config,
            options,
        })
    }

    /// Plays until enough runs are finished or `stop` is set, and returns the totals. When it is
    /// set, pending answers are still sent, and nothing new is started.
    pub fn run(&mut self, stop: &StopFlag, tell: Listener<'_>) -> Result<Totals, Failure> {
        if self.config.is_open_to_all() {
            let text =
                "the address begins with http://: anybody on the network can read the password";
            tell(&Event::Note { text });
        }
        loop {
            if stop.is_set() && self.answers.is_empty() {
                break;
            }
            let Some(received) = self.exchange(stop, tell)? else { break };
            let asked = received.news.asked.len();
            let due = self.take_in(received, tell);
            if self.has_played_enough() || stop.is_set() {
                break;
            }
            if asked == 0 {
                self.wait_for_work(stop, tell);
                continue;
            }
            self.idle.reset();
            if due.is_empty() && self.book.leaving().is_empty() {
                return Err(Failure::Stuck(self.why_stuck()));
            }
            self.answer(due, stop, tell)?;
        }
        self.report_open_runs(tell);
        Ok(self.tally.totals)
    }

    fn has_played_enough(&self) -> bool {
        self.options.games > 0 && self.tally.totals.finished >= self.options.games
    }

    fn wait_for_work(&mut self, stop: &StopFlag, tell: Listener<'_>) {
        let pause = self.idle.next(&mut self.rng);
        let why = "the server has no requests";
        tell(&Event::Waiting { why, pause, trouble: false });
        rest(pause, stop);
    }

    fn report_open_runs(&self, tell: Listener<'_>) {
        let open = self.book.list().len();
        let text = match open {
            0 => return,
            1 => "a run stays open on the server; the next start resumes it".to_string(),
            open => format!("{open} runs stay open on the server; the next start resumes them"),
        };
        tell(&Event::Note { text: &text });
    }
}
