//! One game being played, whoever drives it.
//!
//! A [`Session`] is the logic of a game being played: whose turn it is, what an answer does, what
//! the clocks say, and the verdict. It is generic over the [`Board`]: matches use typed positions
//! ([`TypedBoard`]), pages and the terminal use tables with moves as text. Its driver (the referee
//! of the arena, the driver of a page, the terminal) decides whom to ask and when, and contains no
//! rules of its own.
//!
//! ```
//! use agon_arena::session::Session;
//! use std::time::Duration;
//!
//! let table = agon_games::open(&"congo".parse().unwrap()).unwrap();
//! let mut session = Session::at_table(table, Default::default());
//! session.play("d2d3".into(), Duration::from_secs(2)).unwrap();
//! session.resign(session.to_move().unwrap()).unwrap();
//! assert_eq!(session.verdict().unwrap().to_string(), "resignation");
//! ```

mod board;
mod stopwatch;
mod stored;

use std::time::Duration;

use agon_core::{Ended, Game, MAX_SEATS, Seat};
use agon_games::Table;
use agon_search::{Budget, Score};

use crate::clock::{Clock, Late, Pace};
use crate::disturbance::is_disturbed;
use crate::openings::Opening;
use crate::player::{Action, Answer, Breach, NoAnswer, SystemTrouble, Turn};
use crate::verdict::{Fault, Verdict};
pub use board::{Board, TypedBoard};
use stopwatch::Stopwatch;
pub use stored::{StoredEnd, StoredPly, StoredSession};

/// A move that was made, and what it cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ply<M> {
    /// Who made it.
    pub seat: Seat,
    /// The move.
    pub mv: M,
    /// How long it took.
    pub time: Duration,
    /// How many nodes the player reports; 0 if none.
    pub nodes: u64,
    /// The depth in plies that the player reports; 0 if none.
    pub depth: u32,
    /// The player's evaluation of the position before the move, if it reports one.
    pub score: Option<Score>,
    /// How much of the time the player does not account for, if it reports how long it took.
    pub latency: Duration,
    /// How long the player waited for a processor, if known.
    pub waited: Duration,
}

impl<M> Ply<M> {
    /// A move whose player reports nothing, and which took no time.
    pub fn silent(seat: Seat, mv: M) -> Ply<M> {
        let (time, latency, waited) = (Duration::ZERO, Duration::ZERO, Duration::ZERO);
        Ply { seat, mv, time, nodes: 0, depth: 0, score: None, latency, waited }
    }
}

/// Why a move was not made.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
pub enum NoMove<R> {
    /// The game is over.
    #[error("no move: the game is over")]
    Over,
    /// It is not legal, for this reason.
    #[error("{0}")]
    Illegal(R),
}

/// A typed game from the end of its opening to the verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played<G: Game> {
    /// How it began.
    pub opening: Opening<G>,
    /// The moves after the opening.
    pub plies: Vec<Ply<G::Move>>,
    /// How it ended.
    pub verdict: Verdict,
    /// A hash of all positions after the opening: games with the same hash had the same moves.
    pub signature: u64,
    /// Whether a player had to wait too long for a processor: see [`crate::disturbance`].
    pub disturbed: bool,
}

/// A game on a table.
pub type TableSession = Session<Box<dyn Table>>;

/// One game being played.
pub struct Session<B: Board> {
    board: B,
    pace: Pace,
    clocks: [Clock; MAX_SEATS],
    plies: Vec<Ply<B::Move>>,
    /// Who is to move, or how it ended.
    state: Result<Seat, Verdict>,
    stopwatch: Stopwatch,
    /// Who offers a draw in this position.
    draw: [bool; MAX_SEATS],
    /// Whether a move was late only because its player waited for a processor.
    excused: bool,
    most_plies: usize,
}

impl<B: Board> Session<B> {
    /// A game from the current state of the board.
    pub fn new(board: B, pace: Pace) -> Session<B> {
        let state = turn(&board);
        Session {
            board,
            pace,
            clocks: [Clock::new(pace.time); MAX_SEATS],
            plies: Vec::with_capacity(64),
            state,
            stopwatch: Stopwatch::default(),
            draw: [false; MAX_SEATS],
            excused: false,
            most_plies: usize::MAX,
        }
    }

    /// The same, but it is drawn after this many moves: for callers that cannot keep an endless
    /// game.
    pub fn ending_after(mut self, plies: usize) -> Session<B> {
        self.most_plies = plies;
        self
    }

    /// The board.
    pub fn board(&self) -> &B {
        &self.board
    }

    /// The limits of the players.
    pub fn pace(&self) -> &Pace {
        &self.pace
    }

    /// The clocks of all seats.
    pub fn clocks(&self) -> &[Clock] {
        &self.clocks[..self.board.seats()]
    }

    /// The moves so far.
    pub fn plies(&self) -> &[Ply<B::Move>] {
        &self.plies
    }

    /// Whose turn it is, or how it ended.
    pub fn state(&self) -> Result<Seat, &Verdict> {
        self.state.as_ref().copied()
    }

    /// Whose turn it is; `None` when the game is over.
    pub fn to_move(&self) -> Option<Seat> {
        self.state().ok()
    }

    /// How it ended, if it has.
    pub fn verdict(&self) -> Option<&Verdict> {
        self.state().err()
    }

    /// What the player to move is told; `None` when the game is over.
    pub fn turn<'a>(&'a self, budget: &'a Budget) -> Option<Turn<'a, B>> {
        let seat = self.to_move()?;
        let (clocks, plies, pace) = (self.clocks(), &self.plies[..], &self.pace);
        Some(Turn { board: &self.board, budget, seat, plies, clocks, pace })
    }

    /// Takes the answer of the player to move, which took `measured` unless it has a time of its
    /// own. The result is either a legal move or the end of the game. A system error is returned,
    /// and changes nothing.
    pub fn hear(
        &mut self,
        answer: Result<Answer<B::Move>, NoAnswer>,
        measured: Duration,
    ) -> Result<(), SystemTrouble> {
        let Some(seat) = self.to_move() else { return Ok(()) };
        match answer {
            Ok(Answer {
                action: Action::Play(mv),
                nodes,
                depth,
                time,
                latency,
                waited,
                score,
                exchange,
                ..
            }) => {
                let time = time.unwrap_or(measured);
                let ply = Ply { seat, mv, time, nodes, depth, score, latency, waited };
                match self.make(ply) {
                    Err(refusal) => {
                        self.fault(seat, Breach::new(Fault::IllegalMove, refusal.to_string()));
                    }
                    Ok(()) => self.add_evidence(&exchange),
                }
            }
            Ok(Answer { action: Action::Resign, .. }) => {
                self.end(Verdict::resignation(self.board.seats(), seat));
            }
            Err(NoAnswer::Breach(breach)) => self.fault(seat, breach),
            Err(NoAnswer::System(trouble)) => return Err(trouble),
        }
        Ok(())
    }

    /// Plays a move for the player to move, which took `time`. An illegal move changes nothing.
    pub fn play(&mut self, mv: B::Move, time: Duration) -> Result<(), NoMove<B::Refusal>> {
        let seat = self.to_move().ok_or(NoMove::Over)?;
        self.make(Ply { time, ..Ply::silent(seat, mv) }).map_err(NoMove::Illegal)
    }

    /// The one rule for late moves: one that ends the game counts, any other loses.
    fn make(&mut self, ply: Ply<B::Move>) -> Result<(), B::Refusal> {
        let Ply { seat, mv, time, nodes, depth, score, latency, waited } = ply;
        let mv = self.board.play(mv)?;
        let spent = self.clocks[seat.index()].spend_all_but(waited, time);
        self.excused |= spent == Ok(true);
        let late = spent.err();
        self.plies.push(Ply { seat, mv, time, nodes, depth, score, latency, waited });
        self.stopwatch = Stopwatch::default();
        self.draw = [false; MAX_SEATS];
        self.state = match (self.board.turn(), late) {
            (Err(ended), _) => Err(by_rules(&self.board, &ended)),
            (Ok(_), Some(late)) => Err(self.too_late(seat, late)),
            (Ok(_), None) if self.plies.len() >= self.most_plies => {
                Err(Verdict::too_long(self.board.seats()))
            }
            (Ok(next), None) => Ok(next),
        };
        Ok(())
    }

    /// Adds the exchange to the evidence of a late move.
    fn add_evidence(&mut self, exchange: &str) {
        if let Err(Verdict { evidence: Some(evidence), .. }) = &mut self.state {
            evidence.push_str(exchange);
        }
    }

    fn too_late(&self, seat: Seat, late: Late) -> Verdict {
        Verdict::fault(self.board.seats(), seat, late.fault, late.to_string())
    }

    /// A player resigns, whoever is to move.
    pub fn resign(&mut self, seat: Seat) -> Result<(), &'static str> {
        self.still_on()?;
        self.end(Verdict::resignation(self.board.seats(), seat));
        Ok(())
    }

    /// A player offers a draw, or accepts one. When all have, the game is drawn; a move cancels all
    /// offers.
    pub fn agree_to_draw(&mut self, seat: Seat) -> Result<(), &'static str> {
        self.still_on()?;
        let seats = self.board.seats();
        self.draw[seat.index()] = true;
        if self.draw[..seats].iter().all(|agrees| *agrees) {
            self.end(Verdict::agreed(seats));
        }
        Ok(())
    }

    /// A player declines a draw: all offers are off.
    pub fn decline_draw(&mut self) -> Result<(), &'static str> {
        self.still_on()?;
        self.draw = [false; MAX_SEATS];
        Ok(())
    }

    /// Whether this player offers a draw now.
    pub fn offers_draw(&self, seat: Seat) -> bool {
        self.to_move().is_some() && self.draw[seat.index()]
    }

    /// A player committed a fault, which ends the game.
    pub fn fault(&mut self, seat: Seat, Breach { fault, evidence }: Breach) {
        if self.to_move().is_some() {
            self.end(Verdict::fault(self.board.seats(), seat, fault, evidence));
        }
    }

    fn still_on(&self) -> Result<(), &'static str> {
        self.to_move().map(drop).ok_or("the game is already over")
    }

    fn end(&mut self, verdict: Verdict) {
        self.stopwatch.stop();
        self.state = Err(verdict);
    }

    /// Starts the clock of the player to move.
    pub fn start_clock(&mut self) {
        if self.to_move().is_some() {
            self.stopwatch.start();
        }
    }

    /// Restarts the turn: the time used so far does not count.
    pub fn restart_turn(&mut self) {
        self.stopwatch = Stopwatch::default();
    }

    /// Whether the clock of the player to move is running.
    pub fn clock_runs(&self) -> bool {
        self.stopwatch.runs()
    }

    /// How long the player to move has used, while the clock ran.
    pub fn turn_time(&self) -> Duration {
        self.stopwatch.time()
    }

    /// The time left for a seat, the current turn included; `None` without a clock.
    pub fn time_left(&self, seat: Seat) -> Option<Duration> {
        let left = self.clocks[seat.index()].remaining()?;
        let used = if self.to_move() == Some(seat) { self.turn_time() } else { Duration::ZERO };
        Some(left.saturating_sub(used))
    }

    /// Ends the game if the player to move has run out of time. `false` if it goes on.
    pub fn call_time(&mut self) -> bool {
        let Some(seat) = self.to_move() else { return true };
        let mut clock = self.clocks[seat.index()];
        let Err(late) = clock.spend(self.turn_time()) else { return false };
        self.clocks[seat.index()] = clock;
        self.end(self.too_late(seat, late));
        true
    }
}

impl<G: Game> Session<TypedBoard<G>> {
    /// The whole game, if it is over.
    pub(crate) fn into_played(self) -> Option<Played<G>> {
        let Session { board, plies, state, excused, .. } = self;
        let signature = board.signature();
        let waits = plies.iter().map(|ply| (ply.seat, ply.time, ply.waited));
        let disturbed = excused || is_disturbed(waits);
        let (opening, verdict) = (board.into_opening(), state.err()?);
        Some(Played { opening, plies, verdict, signature, disturbed })
    }
}

impl TableSession {
    /// A game at a table on which moves may have been made already; they took no time.
    pub fn at_table(table: Box<dyn Table>, pace: Pace) -> TableSession {
        let mut session = Session::new(table, pace);
        let played = session.board.played().iter().enumerate();
        let ply = |(ply, mv): (usize, &String)| {
            Ply::silent(session.board.mover(ply).unwrap_or(Seat::FIRST), mv.clone())
        };
        session.plies = played.map(ply).collect();
        session
    }

    /// The table.
    pub fn table(&self) -> &dyn Table {
        &*self.board
    }

    /// An independent copy, for analysis or to come back to.
    pub fn fork(&self) -> TableSession {
        Session {
            board: self.board.fork(),
            plies: self.plies.clone(),
            state: self.state.clone(),
            ..*self
        }
    }

    /// Whether moves may be taken back: not after a resignation or a fault.
    pub fn may_take_back(&self) -> bool {
        self.verdict().is_none_or(|verdict| verdict.is_by_rules())
    }

    /// Takes moves back, and their time, until `left` are left. Returns `false` and changes nothing
    /// where that is not allowed.
    pub fn take_back_to(&mut self, left: usize) -> bool {
        if left >= self.plies.len() || !self.may_take_back() {
            return false;
        }
        while self.plies.len() > left && self.board.undo() {
            self.plies.pop();
        }
        self.state = turn(&self.board);
        self.stopwatch = Stopwatch::default();
        self.draw = [false; MAX_SEATS];
        self.set_clocks();
        true
    }

    /// Sets the clocks according to the moves so far.
    fn set_clocks(&mut self) {
        self.clocks = [Clock::new(self.pace.time); MAX_SEATS];
        for ply in &self.plies {
            // A late player has lost already.
            let _ = self.clocks[ply.seat.index()].spend(ply.time);
        }
        // No move shows it if the time ran out during a turn.
        if let Some((seat, Fault::ClockOver)) = self.verdict().and_then(Verdict::offence) {
            self.clocks[seat.index()].run_out();
        }
    }
}

/// Who is to move, or the verdict of the rules.
fn turn<B: Board>(board: &B) -> Result<Seat, Verdict> {
    board.turn().map_err(|ended| by_rules(board, &ended))
}

fn by_rules<B: Board>(board: &B, ended: &Ended) -> Verdict {
    Verdict::by_rules(ended.outcome, board.reason_text(&ended.outcome), ended.by.into())
}

#[cfg(test)]
mod tests;
