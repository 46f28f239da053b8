//! A match as the course's controller runs it: faults are reported, and the match goes on.

use std::thread;
use std::time::Duration;

use agon_arena::clock::Pace;
use agon_arena::session::{Session, TableSession};
use agon_core::{Rng, Seat, TextError};
use agon_games::open_at;
use agon_gdl::breakthrough::{Reading, move_term, move_text};
use agon_gdl::kif::{self, Term};
use agon_search::StopFlag;

use super::exchange::{Address, Mishap, Terms, exchange};
use crate::ggp::message::{abort, by_sight, in_one_line, play, start, stop};
use crate::problem::quoted;

/// The extra time on top of every clock.
const ALLOWANCE: Duration = Duration::from_secs(1);
/// How long a player may be unreachable at the start, and later.
const REACH: (Duration, Duration) = (Duration::from_secs(30), Duration::from_secs(2));

/// The holder of a role.
#[derive(Clone, Debug)]
pub enum Contestant {
    /// A player at an address.
    Remote {
        /// Its name.
        name: String,
        /// Its address.
        address: Address,
        /// Whether it gets its percepts instead of the joint move.
        by_sight: bool,
    },
    /// Any legal move.
    Random(Rng),
    /// The first legal move.
    Legal,
}

impl Contestant {
    /// Its name.
    pub fn name(&self) -> &str {
        match self {
            Contestant::Remote { name, .. } => name,
            Contestant::Random(_) => "random",
            Contestant::Legal => "legal",
        }
    }
}

/// A match to be played.
#[derive(Clone, Debug)]
pub struct Contest {
    /// Its name.
    pub id: String,
    /// The rules, as they are sent.
    pub rules: Vec<Term>,
    /// Their variant.
    pub reading: Reading,
    /// The time to get ready, in seconds.
    pub start_clock: u64,
    /// The time for each move, in seconds.
    pub play_clock: u64,
    /// Whether players with percepts see what the others do.
    pub sees_all: bool,
    /// Who plays white and black.
    pub contestants: [Contestant; 2],
}

/// News of a match.
pub enum ContestNews<'a> {
    /// A joint move was played.
    Step {
        /// Its number, from 1.
        number: usize,
        /// The moves of white and black.
        joint: &'a [Term],
        /// The game after it.
        session: &'a TableSession,
    },
    /// A player committed a fault; another move was played for it, or none was needed.
    Fault {
        /// The player.
        name: &'a str,
        /// The fault, on one line.
        text: &'a str,
    },
}

/// Receives the news.
type Listener<'a> = &'a mut dyn FnMut(&ContestNews<'_>);

/// Plays a match to its end. `None` if it was stopped; all players have been told so.
pub fn conduct(
    contest: &mut Contest,
    flag: &StopFlag,
    news: Listener<'_>,
) -> Result<Option<TableSession>, TextError> {
    let Reading { variant, start, .. } = &contest.reading;
    let table = open_at::<&str>(variant, start.as_deref(), &[])?;
    let mut session = Session::new(table, Pace::default());
    contest.start(flag, news);
    if flag.is_set() {
        contest.call_off();
        return Ok(None);
    }
    let mut last: Option<[Term; 2]> = None;
    let mut step = 0;
    while let Some(seat) = session.to_move() {
        let answers = contest.ask(step, last.as_ref(), flag);
        if flag.is_set() {
            contest.call_off();
            return Ok(None);
        }
        step += 1;
        let joint = contest.judge(answers, seat, &session, step, news);
        if let Some(mv) = move_text(&joint[seat.index()]) {
            // It is legal: it was looked up.
            let _ = session.play(mv, Duration::ZERO);
        }
        news(&ContestNews::Step { number: step, joint: &joint, session: &session });
        last = Some(joint);
    }
    contest.stop(step, last.as_ref());
    Ok(Some(session))
}

/// The players' answers; `None` for those who are not asked over the network.
type Answers = [Option<Result<String, Mishap>>; 2];

impl Contest {
    /// Sends each player its message at the same time, and returns the answers.
    fn tell_all(
        &self,
        terms: Terms,
        flag: &StopFlag,
        message: impl Fn(Seat, bool) -> String + Sync,
    ) -> Answers {
        let message = &message;
        thread::scope(|scope| {
            let calls = [Seat::FIRST, Seat::SECOND].map(|seat| {
                let Contestant::Remote { address, by_sight, .. } = &self.contestants[seat.index()]
                else {
                    return None;
                };
                let call = move || {
                    let text = message(seat, *by_sight);
                    let received = exchange(address, &text, terms, &mut || Ok(!flag.is_set()));
                    received.map(|received| received.text)
                };
                Some(thread::Builder::new().spawn_scoped(scope, call))
            });
            calls.map(|call| {
                let failed = |why: &str| Err(Mishap::Gone(why.to_string()));
                call.map(|call| match call {
                    Ok(call) => call.join().unwrap_or_else(|_| failed("asking failed")),
                    Err(error) => failed(&format!("cannot start a thread: {error}")),
                })
            })
        })
    }

    /// Starts the match. A player that is not ready is waited for no longer than the clock allows.
    fn start(&self, flag: &StopFlag, news: Listener<'_>) {
        let rules = in_one_line(&self.rules);
        let terms = self.terms(self.start_clock, REACH.0);
        let answers = self.tell_all(terms, flag, |seat, by_sight| {
            let sees = "(<= (sees ?p (did ?p2 ?m)) (role ?p) (does ?p2 ?m))";
            let rules = match by_sight && self.sees_all {
                true => format!("{rules} {sees}"),
                false => rules.clone(),
            };
            start(&self.id, role(seat), &rules, self.start_clock, self.play_clock)
        });
        for (contestant, answer) in self.contestants.iter().zip(answers) {
            if let Some(Err(mishap)) = answer.filter(|_| !flag.is_set()) {
                let text = format!("START: {mishap}; the match starts anyway");
                news(&ContestNews::Fault { name: contestant.name(), text: &text });
            }
        }
    }

    fn terms(&self, clock: u64, reach: Duration) -> Terms {
        Terms { reach, answer: Duration::from_secs(clock) + ALLOWANCE, unused: false }
    }

    fn ask(&self, step: usize, last: Option<&[Term; 2]>, flag: &StopFlag) -> Answers {
        let terms = self.terms(self.play_clock, REACH.1);
        self.tell_all(terms, flag, |seat, sight| match sight {
            true => by_sight("PLAY", (&self.id, step), seat.index(), last, self.sees_all),
            false => play(&self.id, last.map(<[Term; 2]>::as_slice)),
        })
    }

    fn stop(&self, step: usize, last: Option<&[Term; 2]>) {
        let terms = self.terms(self.play_clock, REACH.1);
        self.tell_all(terms, &StopFlag::default(), |seat, sight| match sight {
            true => by_sight("STOP", (&self.id, step), seat.index(), last, self.sees_all),
            false => stop(&self.id, last.map(<[Term; 2]>::as_slice)),
        });
    }

    fn call_off(&self) {
        let terms = Terms { reach: Duration::ZERO, answer: ALLOWANCE, unused: false };
        self.tell_all(terms, &StopFlag::default(), |_, _| abort(&self.id));
    }

    /// The joint move that is played, whatever the answers.
    fn judge(
        &mut self,
        answers: Answers,
        mover: Seat,
        session: &TableSession,
        step: usize,
        news: Listener<'_>,
    ) -> [Term; 2] {
        let mut judged =
            [Seat::FIRST, Seat::SECOND].into_iter().zip(answers).map(|(seat, answer)| {
                let moves = if seat == mover { session.table().moves() } else { Vec::new() };
                let contestant = &mut self.contestants[seat.index()];
                if let Contestant::Random(rng) = contestant {
                    return rng.choose(&moves).and_then(|mv| move_term(mv)).unwrap_or_else(noop);
                }
                let first = || moves.first().and_then(|mv| move_term(mv)).unwrap_or_else(noop);
                let Some(answer) = answer else { return first() };
                answer
                    .map_err(|mishap| mishap.to_string())
                    .and_then(|said| legal(&said, &moves))
                    .unwrap_or_else(|problem| {
                        let chosen = first();
                        let text = format!("step {step}: {problem}; {chosen} is played");
                        news(&ContestNews::Fault { name: contestant.name(), text: &text });
                        chosen
                    })
            });
        std::array::from_fn(|_| judged.next().unwrap_or_else(noop))
    }
}

/// The move in an answer, if it is one of these, or `noop` if there are none.
fn legal(said: &str, moves: &[String]) -> Result<Term, String> {
    let unreadable = || format!("cannot read the answer {}", quoted(said));
    let term = kif::read_one(said.trim()).map_err(|_| unreadable())?.lower();
    let known = match move_text(&term) {
        Some(mv) => moves.contains(&mv),
        None => moves.is_empty() && term.is("noop"),
    };
    if known { Ok(term) } else { Err(format!("illegal move {}", quoted(said))) }
}

fn noop() -> Term {
    Term::Word("noop".into())
}

fn role(seat: Seat) -> &'static str {
    if seat == Seat::FIRST { "white" } else { "black" }
}
