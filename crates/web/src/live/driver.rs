//! How a game goes on by itself: agents are asked, pauses are kept, clocks run out.

use std::sync::Arc;
use std::time::Duration;

use agon_arena::player::Breach;
use agon_arena::verdict::Fault;
use agon_core::Seat;
use agon_search::StopFlag;
use tokio::time::{MissedTickBehavior, interval, sleep};

use super::hub::{Hub, LiveGame};
use super::playing::{Job, Playing};
use crate::pool::Place;
use crate::problem::Problem;
use crate::thinker::{Answer, Ask};

/// How often to look whether anybody still waits for a search.
const LOOK: Duration = Duration::from_millis(500);
/// How often a clock that has run out is looked at, where its end could not be kept.
const LEAST: Duration = Duration::from_millis(50);
/// How long to wait before an agent's move is tried again that could not be kept or asked for.
const RETRY: Duration = Duration::from_secs(1);

impl Hub {
    /// Sees to it that the player to move moves, if that is an agent, and that a clock that runs
    /// is watched. Does nothing if that is under way already.
    pub(super) fn drive(self: &Arc<Hub>, game: &Arc<LiveGame>, playing: &mut Playing) {
        let Some(seat) = playing.to_move() else {
            playing.cancel();
            self.pool.forget(&game.id);
            return;
        };
        if playing.job.is_some() {
            return;
        }
        if playing.document.seats.get(seat.index()).is_some_and(|holder| holder.is_human()) {
            self.watch_clock(game, playing);
        } else {
            self.ask_agent(game, playing, seat);
        }
    }

    /// Lets an agent think, if somebody wants to see it.
    fn ask_agent(self: &Arc<Hub>, game: &Arc<LiveGame>, playing: &mut Playing, seat: Seat) {
        let paused = playing.document.watch.is_some_and(|watch| watch.paused);
        if !game.is_wanted() || (paused && !playing.step) {
            return;
        }
        let watch = playing.document.watch.filter(|_| !playing.step);
        let pause = Duration::from_millis(watch.map_or(0, |watch| watch.delay_ms));
        let since = playing.turn_began.elapsed();
        let turn = Turn {
            hub: self.clone(),
            game: game.clone(),
            seat,
            job: begin(playing),
            stop: playing.job.as_ref().map(|job| job.stop.clone()).unwrap_or_default(),
            pause: pause.saturating_sub(since),
        };
        tokio::spawn(turn.run());
    }

    /// Ends the game when the clock of the person to move runs out.
    fn watch_clock(self: &Arc<Hub>, game: &Arc<LiveGame>, playing: &mut Playing) {
        let Some(left) = playing.time_left() else { return };
        let Some(seat) = playing.to_move() else { return };
        let (hub, game, job) = (self.clone(), game.clone(), begin(playing));
        tokio::spawn(async move {
            sleep(left.max(LEAST)).await;
            let mut playing = game.playing.lock().await;
            if playing.job.as_ref().is_some_and(|current| current.number == job) {
                let late = Breach::new(Fault::ClockOver, "the clock ran out");
                let end = |playing: &mut Playing| {
                    playing.fault(seat.index(), late);
                    Ok(())
                };
                // If it cannot be kept, the clock is looked at again by then.
                let _ = hub.change_locked(&game, &mut playing, end).await;
            }
        });
    }
}

/// Notes that something goes on, and gives its number.
fn begin(playing: &mut Playing) -> u64 {
    playing.next_job += 1;
    playing.job = Some(Job { number: playing.next_job, stop: StopFlag::default() });
    playing.next_job
}

/// An agent's turn.
struct Turn {
    hub: Arc<Hub>,
    game: Arc<LiveGame>,
    seat: Seat,
    job: u64,
    stop: StopFlag,
    pause: Duration,
}

impl Turn {
    async fn run(self) {
        if !self.pause.is_zero() {
            sleep(self.pause).await;
        }
        let ask = match self.question().await {
            Some(Ok(ask)) => ask,
            Some(Err(breach)) => return self.move_on(Answer::Wrong(breach)).await,
            None => return,
        };
        let place = Place { game: self.game.id.clone(), seat: self.seat.index() };
        let thinking = self.hub.pool.ask(place, ask, self.stop.clone());
        tokio::pin!(thinking);
        let mut look = interval(LOOK);
        look.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let answer = loop {
            tokio::select! {
                answer = &mut thinking => break answer,
                _ = look.tick() => {
                    if !self.game.is_wanted() {
                        self.give_up().await;
                    }
                    if self.stop.is_set() {
                        return;
                    }
                }
            }
        };
        match answer {
            Ok(Some(answer)) => self.move_on(answer).await,
            Ok(None) => {}
            Err(problem) => self.retry(&problem).await,
        }
    }

    /// The page has gone: the search stops, and begins again when somebody comes back.
    async fn give_up(&self) {
        let mut playing = self.game.playing.lock().await;
        if self.is_current(&playing) {
            playing.cancel();
        }
    }

    /// What to ask, unless the game has gone on meanwhile.
    async fn question(&self) -> Option<Result<Ask, Breach>> {
        let playing = self.game.playing.lock().await;
        if !self.is_current(&playing) {
            return None;
        }
        let document = &playing.document;
        let text = document.seats.get(self.seat.index())?.agent()?;
        let agent = match self.hub.rivals.trusted(text) {
            Ok(agent) => agent,
            Err(problem) => return Some(Err(Breach::new(Fault::NoStart, problem.to_string()))),
        };
        Some(Ok(Ask {
            agent,
            variant: playing.table.variant().clone(),
            start: document.start.clone(),
            moves: document.moves(),
            seat: self.seat,
            clocks: document.clocks(),
            pace: document.pace(),
            seed: document.seed.wrapping_add(self.seat.index() as u64),
        }))
    }

    fn is_current(&self, playing: &Playing) -> bool {
        playing.job.as_ref().is_some_and(|current| current.number == self.job)
    }

    async fn move_on(&self, answer: Answer) {
        let mut playing = self.game.playing.lock().await;
        if !self.is_current(&playing) {
            return;
        }
        let seat = self.seat.index();
        let apply = |playing: &mut Playing| {
            playing.step = false;
            match answer {
                Answer::Move(thought) => {
                    let clock = playing.document.clocks().get(seat).copied();
                    let late = clock.and_then(|mut clock| clock.spend(thought.time).err());
                    match late {
                        Some(late) => {
                            playing.fault(seat, Breach::new(late.fault, late.to_string()));
                            Ok(())
                        }
                        None => playing.play(&thought.mv, thought.time),
                    }
                }
                Answer::Resign => playing.resign(seat),
                Answer::Wrong(breach) => {
                    playing.fault(seat, breach);
                    Ok(())
                }
            }
        };
        if let Err(problem) = self.hub.change_locked(&self.game, &mut playing, apply).await {
            drop(playing);
            self.retry(&problem).await;
        }
    }

    /// Tries again after a while; nothing was changed.
    async fn retry(&self, problem: &Problem) {
        tracing::warn!("an agent's move waits: {problem}");
        sleep(RETRY).await;
        let mut playing = self.game.playing.lock().await;
        if self.is_current(&playing) {
            playing.cancel();
        }
        self.hub.drive(&self.game, &mut playing);
    }
}
