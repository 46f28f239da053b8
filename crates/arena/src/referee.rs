//! Plays one game. The rules decide, never a player's word.

use std::any::Any as Anything;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use agon_core::rng::mix;
use agon_core::{Ended, Ending, Game, History, MAX_SEATS, Seat};
use agon_search::{Root, StopFlag};

use crate::clock::{Clock, Late, Pace};
use crate::openings::Opening;
use crate::player::{Action, Answer, Breach, Player, Turn};
use crate::verdict::{End, Fault, Verdict};

/// A move that was made, and what it cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ply<M> {
    /// Who made it.
    pub seat: Seat,
    /// The move.
    pub mv: M,
    /// How long it took, by the referee's clock.
    pub time: Duration,
    /// How many nodes the player says it searched.
    pub nodes: u64,
    /// How much of the time the player does not account for, where it says how long it took.
    pub latency: Duration,
}

/// A game from the end of its opening to the verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played<M> {
    /// The moves after the opening.
    pub plies: Vec<Ply<M>>,
    /// How it ended.
    pub verdict: Verdict,
    /// A hash of all positions after the opening: two games with the same one had the same moves.
    pub signature: u64,
}

/// Plays a game from the end of its opening, `players` in the order of the seats. `None` if it was
/// stopped before its end.
///
/// Whatever a player does, the game ends with a verdict: a move is looked up among the legal ones
/// before it is played, time is measured, and a player that panics has lost. Time is looked at when
/// the answer is there: a player that never answers is never stopped, so whoever lets in players
/// that may hang has to end them, and answers for them with a [`Breach`].
pub fn play_game<G: Game, P: Player<G>>(
    opening: &Opening<G>,
    players: &mut [P],
    pace: &Pace,
    stop: &StopFlag,
) -> Option<Played<G::Move>> {
    let (mut position, mut history) = opening.board();
    let seats = position.seats();
    let mut clocks = [Clock::new(pace.time); MAX_SEATS];
    let mut budget = pace.budget(stop);
    let mut plies = Vec::with_capacity(64);
    let mut late: Option<(Seat, Late)> = None;
    let mut signature = position.key();
    let verdict = loop {
        let seat = match standing(&position, &history) {
            Ok(seat) => seat,
            Err(verdict) => break verdict,
        };
        // Only now: a late move that ends the game counts.
        if let Some((seat, late)) = late {
            break Verdict::fault(seats, seat, late.fault, late.to_string());
        }
        let Some(player) = players.get_mut(seat.index()) else {
            let evidence = format!("{} players for {seats} seats", players.len());
            break Verdict::fault(seats, seat, Fault::Absent, evidence);
        };
        budget.time = clocks[seat.index()].time();
        let turn = Turn {
            root: Root { position: &position, history: &history },
            budget: &budget,
            seat,
            opening,
            plies: &plies,
            clocks: &clocks[..seats],
            pace,
        };
        let asked = Instant::now();
        let answer = catch_unwind(AssertUnwindSafe(|| player.answer(&turn)));
        let measured = asked.elapsed();
        if stop.is_set() {
            return None;
        }
        let answer =
            answer.unwrap_or_else(|panic| Err(Breach::new(Fault::Crash, panic_message(&*panic))));
        let Answer { action, nodes, time, latency } = match answer {
            Ok(answer) => answer,
            Err(Breach { fault, evidence }) => break Verdict::fault(seats, seat, fault, evidence),
        };
        let time = time.unwrap_or(measured);
        let mv = match action {
            Action::Play(mv) => mv,
            Action::Resign => break Verdict::resignation(seats, seat),
        };
        let Some(progress) = position.try_play(mv) else {
            let evidence = format!("{mv:?} at ply {}", history.plies() + 1);
            break Verdict::fault(seats, seat, Fault::IllegalMove, evidence);
        };
        history.push(&position, progress);
        signature = mix(signature ^ position.key());
        plies.push(Ply { seat, mv, time, nodes, latency });
        late = clocks[seat.index()].spend(time).err().map(|late| (seat, late));
    };
    Some(Played { plies, verdict, signature })
}

/// Who has to move and can, or how the game ended.
pub(crate) fn standing<G: Game>(position: &G, history: &History) -> Result<Seat, Verdict> {
    history.turn(position).map_err(|Ended { outcome, by }| {
        let end = match by {
            Ending::Board => End::Board,
            Ending::NoMove => End::NoMove,
            Ending::History => End::History,
        };
        Verdict::by_rules(outcome, end)
    })
}

/// What a panic said.
fn panic_message(panic: &(dyn Anything + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_string());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "panic".to_string())
}

#[cfg(test)]
mod tests;
