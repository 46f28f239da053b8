//! A GGP player at a seat of the arena.

use std::collections::VecDeque;
use std::fmt;
use std::io;
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use agon_arena::conversation_log::LogMark;
use agon_arena::player::{Breach, NoAnswer, SystemTrouble};
use agon_arena::remote::{GameEnd, Question, Remote, Reply, Settings};
use agon_arena::verdict::Fault;
use agon_core::{Seat, Variant};
use agon_games::open_at;
use agon_gdl::breakthrough::{move_term, move_text, rules_text};
use agon_gdl::kif::{self, Term};
use agon_search::StopFlag;

use super::addresses::{self, Engagement};
use super::agents::{PORT, Place};
use super::exchange::{Address, LookAfter, Mishap, Received, Terms, exchange};
use crate::ggp::message::{abort, in_one_line, play, start, stop};
use crate::link::{self, Link};
use crate::problem::single_line;

/// What the controllers allow on top of every clock, and so do we.
const ALLOWANCE: Duration = Duration::from_secs(1);
/// How long after that an answer may still come, to count as late rather than missing.
const GRACE: Duration = Duration::from_secs(1);
/// The play clock in seconds when nothing limits the players.
const UNLIMITED: u64 = 1;
/// The start clock in play clocks, as in the course's matches, unless the time for the start is less.
const STARTING: u64 = 2;
/// How long the end of a match may take.
const FAREWELL: Duration = Duration::from_secs(1);
/// How long a running player may refuse connections in the middle of a match.
const HICCUP: Duration = Duration::from_millis(500);
/// How long to wait for a player that was unreachable at the last game.
const BRIEFLY: Duration = Duration::from_secs(1);
/// How long a program whose connection was closed may take to end.
const DYING: Duration = Duration::from_millis(300);
/// How many messages and answers are kept as evidence.
const KEPT: usize = 6;
/// How much of each text is kept.
const LONGEST: usize = 160;

/// A running player that plays one match after another.
pub(super) struct GgpClient {
    variant: Variant,
    settings: Settings,
    address: Address,
    /// The program, if we started it.
    link: Option<Link>,
    seat: Seat,
    game: Option<Match>,
    /// The last messages and their answers.
    exchanges: VecDeque<String>,
}

/// Looks after a player while it thinks.
struct Attending<'a> {
    link: Option<&'a mut Link>,
    stop: &'a StopFlag,
}

impl LookAfter for Attending<'_> {
    fn look(&mut self) -> Result<bool, NoAnswer> {
        self.link.as_mut().map_or(Ok(()), |link| link.look_after())?;
        Ok(!self.stop.is_set())
    }

    fn dial(&self, port: u16, deadline: Instant) -> Option<io::Result<TcpStream>> {
        self.link.as_ref()?.dial(port, deadline)
    }
}

/// A match in progress.
struct Match {
    id: String,
    /// The seat that moves first.
    first: usize,
    /// How many PLAYs were sent.
    asked: usize,
    play_clock: u64,
    /// Held so that nobody else calls the player meanwhile.
    _engagement: Option<Engagement>,
}

impl GgpClient {
    /// Starts the player, if it is not running.
    pub(super) fn start(
        place: &Place,
        variant: &Variant,
        settings: &Settings,
    ) -> Result<GgpClient, NoAnswer> {
        let (address, link) = match place {
            Place::At(address) => (address.clone(), None),
            Place::Command(command) => {
                let port = free_port().map_err(SystemTrouble)?;
                let command = command.filled(PORT, &port.to_string()).with_network();
                (Address::local(port), Some(Link::start(&command, "")?))
            }
        };
        Ok(GgpClient {
            variant: variant.clone(),
            settings: settings.clone(),
            address,
            link,
            seat: Seat::FIRST,
            game: None,
            exchanges: VecDeque::new(),
        })
    }

    /// Sends a message and records the result.
    fn tell(&mut self, message: &str, terms: Terms, stop: &StopFlag) -> Result<Received, Mishap> {
        if let Some(link) = &mut self.link {
            // Its output is counted from here on, and it is thawed.
            link.send("", Instant::now()).map_err(Mishap::Program)?;
        }
        let mut attending = Attending { link: self.link.as_mut(), stop };
        let received = exchange(&self.address, message, terms, &mut attending);
        self.link.iter_mut().for_each(Link::rest);
        let answer = match &received {
            Ok(received) => format!("{:?}", single_line(&received.text, LONGEST)),
            Err(mishap) => mishap.to_string(),
        };
        if let Some(log) = &self.settings.log {
            let process = self.link.as_ref().map_or(0, Link::process);
            log.lines(process, LogMark::Sent, message);
            match &received {
                Ok(received) => log.lines(process, LogMark::Said, &received.text),
                Err(mishap) => log.lines(process, LogMark::Remark, &mishap.to_string()),
            }
        }
        self.exchanges.push_back(format!("sent: {}", single_line(message, LONGEST)));
        self.exchanges.push_back(format!("answer: {answer}"));
        while self.exchanges.len() > KEPT {
            self.exchanges.pop_front();
        }
        received
    }

    /// What a failed exchange means for the player.
    fn breach(&mut self, mishap: Mishap, at_start: bool) -> NoAnswer {
        let mishap = match mishap {
            Mishap::Gone(_) | Mishap::Refused(_) => self.end_of_program().unwrap_or(mishap),
            other => other,
        };
        let fault = match &mishap {
            Mishap::Refused(_) if at_start => Fault::NoStart,
            Mishap::Refused(_) | Mishap::Gone(_) => Fault::Disconnected,
            Mishap::Late(..) | Mishap::Unwanted => Fault::Stalled,
            Mishap::Garbage(_) => Fault::Garbled,
            Mishap::Program(_) => Fault::Crash,
        };
        match mishap {
            Mishap::Program(reason) if at_start => link::at_start(reason),
            Mishap::Program(reason) => reason,
            mishap => {
                let evidence = format!("{}: {mishap}{}", self.address, self.last_lines());
                Breach::new(fault, evidence).into()
            }
        }
    }

    /// Why the program ended, if we started one and it has: that says more than its connection.
    fn end_of_program(&mut self) -> Option<Mishap> {
        let link = self.link.as_mut()?;
        let until = Instant::now() + DYING;
        loop {
            match link.look_after() {
                Err(reason) => return Some(Mishap::Program(reason)),
                Ok(()) if Instant::now() >= until => return None,
                Ok(()) => thread::sleep(Duration::from_millis(10)),
            }
        }
    }

    /// Starts the match, if it has not started. Any answer other than `ready`, or none at all, is
    /// no reason not to play: controllers go on, too.
    fn begin(&mut self, question: &Question<'_>) -> Result<(), NoAnswer> {
        if self.game.is_some() {
            return Ok(());
        }
        let engagement = match self.link {
            Some(_) => None,
            None => Some(Engagement::with(&self.address)?),
        };
        let refused = |problem: String| Breach::new(Fault::NoStart, problem);
        let rules = rules_text(&self.variant, question.start).map_err(refused)?;
        let rules = kif::read(&rules).map_err(|error| refused(error.to_string()))?;
        let table = open_at::<&str>(&self.variant, question.start, &[]);
        let table = table.map_err(|error| refused(error.to_string()))?;
        let play_clock = clock_of(question);
        let start_clock = whole_seconds(self.settings.start).min(STARTING * play_clock);
        let id = new_id();
        let role = table.seat_name(self.seat);
        let message = start(&id, role, &in_one_line(&rules), start_clock, play_clock);
        let terms = Terms {
            reach: self.patience(),
            answer: Duration::from_secs(start_clock) + ALLOWANCE,
            unused: false,
        };
        let first = table.turn().map_or(0, Seat::index);
        // From here on there is a match, which has to be ended whatever happens.
        self.game = Some(Match { id, first, asked: 0, play_clock, _engagement: engagement });
        match self.tell(&message, terms, question.stop) {
            Ok(_) | Err(Mishap::Late(..) | Mishap::Garbage(_) | Mishap::Gone(_)) => {
                addresses::note(&self.address, false);
                Ok(())
            }
            Err(mishap) => {
                if matches!(mishap, Mishap::Refused(_)) {
                    self.game = None;
                    addresses::note(&self.address, true);
                }
                Err(self.breach(mishap, true))
            }
        }
    }

    /// How long to wait for a player that does not listen: not long if it was unreachable at the
    /// last game.
    fn patience(&self) -> Duration {
        match self.link.is_none() && addresses::was_absent(&self.address) {
            true => self.settings.start.min(BRIEFLY),
            false => self.settings.start,
        }
    }

    /// The next PLAY, which reports the last of these moves.
    fn next_play(&mut self, moves: &[String]) -> Option<String> {
        let game = self.game.as_mut()?;
        let message = play(&game.id, joint(moves, game.first, game.asked).as_deref());
        game.asked += 1;
        Some(message)
    }

    /// Sends the PLAYs whose answers are known: every player is asked in every step.
    fn catch_up(&mut self, moves: &[String], stop: &StopFlag) -> Result<(), NoAnswer> {
        while let Some(game) = self.game.as_ref().filter(|game| game.asked < moves.len()) {
            let answer = Duration::from_secs(game.play_clock) + ALLOWANCE;
            let terms = Terms { reach: HICCUP, answer, unused: true };
            let Some(message) = self.next_play(moves) else { break };
            match self.tell(&message, terms, stop) {
                // Its answers to these do not matter.
                Ok(_) | Err(Mishap::Late(..) | Mishap::Garbage(_)) => {}
                Err(mishap) => return Err(self.breach(mishap, false)),
            }
        }
        Ok(())
    }

    /// Ends the match, if there is one: the player is always told.
    fn end(&mut self, moves: Option<&[String]>) {
        let quiet = StopFlag::default();
        if let Some(moves) = moves {
            // Errors do not matter any more.
            let _ = self.catch_up(moves, &quiet);
        }
        let Some(game) = self.game.take() else { return };
        let message = match moves {
            Some(moves) => stop(&game.id, joint(moves, game.first, moves.len()).as_deref()),
            None => abort(&game.id),
        };
        let terms = Terms { reach: Duration::ZERO, answer: FAREWELL, unused: false };
        let _ = self.tell(&message, terms, &quiet);
    }
}

impl Remote for GgpClient {
    fn new_game(&mut self, seat: Seat) -> Result<(), NoAnswer> {
        self.end(None);
        self.seat = seat;
        self.exchanges.clear();
        Ok(())
    }

    fn ask(&mut self, question: &Question<'_>) -> Result<Reply, NoAnswer> {
        self.begin(question)?;
        self.catch_up(question.moves, question.stop)?;
        let Some(message) = self.next_play(question.moves) else {
            return Err(Breach::new(Fault::Stalled, "it was asked twice").into());
        };
        let clock = clock_of(question);
        let limited = question.pace.time.per_move.is_some();
        let clock = limited.then(|| Duration::from_secs(clock) + ALLOWANCE);
        let answer = clock.unwrap_or(self.settings.patience) + GRACE;
        let terms = Terms { reach: HICCUP, answer, unused: false };
        let received = self.tell(&message, terms, question.stop);
        let received = received.map_err(|mishap| self.breach(mishap, false))?;
        let text = self.move_in(&received.text)?;
        let time = match (question.pace.time.per_move, clock) {
            // The extra second on top is not counted.
            (Some(limit), Some(clock)) if received.time <= clock => received.time.min(limit),
            _ => received.time,
        };
        Ok(Reply::silent(text, time))
    }

    fn end_game(&mut self, moves: &[String], ending: GameEnd) {
        self.end((ending == GameEnd::Finished).then_some(moves));
    }

    fn last_lines(&self) -> String {
        let exchanges = self.exchanges.iter().map(|line| format!("\n{line}"));
        exchanges.collect::<String>()
            + &self.link.as_ref().map(Link::last_lines).unwrap_or_default()
    }
}

impl GgpClient {
    /// The move in an answer, in the notation of the game; a term that is not a move of
    /// Breakthrough is returned as it is, and is illegal.
    fn move_in(&mut self, answer: &str) -> Result<String, NoAnswer> {
        let term = kif::read_one(answer.trim()).ok();
        let shown = |term: &Term| single_line(&term.lower().to_string(), LONGEST);
        let looks_like_a_move = |term: &Term| {
            let list = term.list().and_then(<[Term]>::first);
            term.is("noop") || list.is_some_and(|first| first.is("move"))
        };
        match term.filter(looks_like_a_move) {
            Some(term) => Ok(move_text(&term).unwrap_or_else(|| shown(&term))),
            None => {
                let said = single_line(answer, LONGEST);
                let hint = match said.trim().eq_ignore_ascii_case("busy") {
                    true => ", which means that it is playing for another controller",
                    false => "",
                };
                let evidence = format!("no move in {said:?}{hint}{}", self.last_lines());
                Err(Breach::new(Fault::Garbled, evidence).into())
            }
        }
    }
}

impl fmt::Debug for GgpClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GgpClient").field("address", &self.address).finish()
    }
}

impl Drop for GgpClient {
    fn drop(&mut self) {
        self.end(None);
    }
}

/// The joint move before this step; `None` before the first.
fn joint(moves: &[String], first: usize, step: usize) -> Option<Vec<Term>> {
    let before = step.checked_sub(1)?;
    let mv = move_term(moves.get(before)?)?;
    let noop = Term::Word("noop".into());
    Some(match (first + before) % 2 {
        0 => vec![mv, noop],
        _ => vec![noop, mv],
    })
}

/// The play clock: whole seconds, rounded up.
fn clock_of(question: &Question<'_>) -> u64 {
    let clock = question.clocks.get(question.seat.index()).and_then(|clock| clock.time());
    let share = clock.map(|time| time.allotment());
    question.pace.time.per_move.or(share).map_or(UNLIMITED, whole_seconds)
}

fn whole_seconds(time: Duration) -> u64 {
    (time.as_secs() + u64::from(time.subsec_nanos() > 0)).max(1)
}

/// A unique name for a match.
fn new_id() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("agon.{}.{}", now.as_millis(), NEXT.fetch_add(1, Relaxed))
}

/// A free port.
fn free_port() -> Result<u16, String> {
    let bound = TcpListener::bind(("127.0.0.1", 0)).and_then(|listener| listener.local_addr());
    bound.map(|address| address.port()).map_err(|error| format!("no free port: {error}"))
}
