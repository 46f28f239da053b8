//! Drives a game: asks agents for moves, waits between moves, and lets clocks run out.

use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use agon_arena::player::{Heard, NoAnswer};
use agon_core::Seat;
use agon_search::StopFlag;
use tokio::time::{MissedTickBehavior, interval, sleep};

use super::hub::{Hub, LiveGame};
use super::playing::Playing;
use crate::error::ApiError;
use crate::pool::{Ask, Place};

/// How often to check whether a search is still wanted.
const LOOK: Duration = Duration::from_millis(500);
/// How long to wait before a retry.
pub(super) const RETRY: Duration = Duration::from_secs(1);

impl Hub {
    /// Asks the player to move if it is an agent, or watches the clock of a person. A game that is
    /// played elsewhere is followed, even when it is over, because the next game may replace it. Does
    /// nothing if a job is already under way.
    pub(super) fn drive(self: &Arc<Hub>, game: &Arc<LiveGame>, playing: &mut Playing) {
        if playing.gone {
            return;
        }
        if game.is_elsewhere {
            return self.follow(game, playing);
        }
        let Some(seat) = playing.to_move() else {
            playing.cancel();
            self.dismiss_agents(&game.id, &playing.session);
            return;
        };
        if playing.job.is_some() {
            return;
        }
        match playing.agent_to_move() {
            None => self.watch_clock(game, playing, seat),
            Some(_) => self.ask_agent(game, playing, seat),
        }
    }

    /// Lets an agent think, if it may and if somebody is watching.
    fn ask_agent(self: &Arc<Hub>, game: &Arc<LiveGame>, playing: &mut Playing, seat: Seat) {
        let waits = playing.is_paused() || playing.obstacle(&game.id, &self.rivals).is_some();
        if waits || !game.is_wanted() {
            return;
        }
        let watch = playing.details.watch.filter(|_| playing.steps == 0);
        let pause = Duration::from_millis(watch.map_or(0, |watch| watch.delay_ms));
        let pause = pause.saturating_sub(playing.changed_at.elapsed());
        let job = playing.begin();
        let turn = Turn {
            hub: self.clone(),
            game: game.clone(),
            seat,
            job: job.number,
            stop: job.stop.clone(),
            pause,
        };
        tokio::spawn(turn.run());
    }

    /// Runs the clock of the person to move, and ends the game when it runs out. Clocks start after
    /// the first move. The timer does not keep the game in memory: the clock of a game that has been
    /// unloaded is stopped.
    fn watch_clock(self: &Arc<Hub>, game: &Arc<LiveGame>, playing: &mut Playing, seat: Seat) {
        if playing.session.plies().is_empty() {
            return;
        }
        playing.session.start_clock();
        let Some(left) = playing.session.time_left(seat) else { return };
        let job = playing.begin();
        let flag = Flag { hub: self.clone(), game: Arc::downgrade(game), job: job.number };
        job.timer = Some(tokio::spawn(flag.fall(left)).abort_handle());
    }
}

/// The flag of a clock, which falls when the time has run out.
struct Flag {
    hub: Arc<Hub>,
    game: Weak<LiveGame>,
    job: u64,
}

impl Flag {
    async fn fall(self, left: Duration) {
        // A clock that shows zero is not below zero yet.
        sleep(left + Duration::from_millis(1)).await;
        let Some(game) = self.game.upgrade() else { return };
        let mut playing = game.playing.lock().await;
        let Some(job) = playing.job.as_mut().filter(|job| job.number == self.job) else { return };
        // From here on its own change must not abort it.
        job.timer = None;
        let end = |playing: &mut Playing| {
            playing.session.call_time();
            playing.changed();
            Ok(())
        };
        if self.hub.change_locked(&game, &mut playing, end).await.is_err() {
            drop(playing);
            sleep(RETRY).await;
            playing = game.playing.lock().await;
        }
        self.hub.drive(&game, &mut playing);
    }
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
        if !self.wait().await {
            return;
        }
        let Some(ask) = self.question().await else { return };
        let pool = if ask.agent.is_outside() { &self.hub.programs } else { &self.hub.pool };
        let place = Place { game: self.game.id.clone(), seat: self.seat.index() };
        let thinking = pool.ask(place, ask, self.stop.clone());
        tokio::pin!(thinking);
        let mut look = interval(LOOK);
        look.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let heard = loop {
            tokio::select! {
                heard = &mut thinking => break heard,
                _ = look.tick() => {
                    self.give_up_if_unwanted().await;
                    if self.stop.is_set() {
                        return;
                    }
                }
            }
        };
        match heard {
            Ok(Some((Err(NoAnswer::System(trouble)), _))) => {
                self.retry(&ApiError::failed(trouble)).await;
            }
            Ok(Some(heard)) => self.move_on(heard).await,
            Ok(None) => {}
            Err(problem) => self.retry(&problem).await,
        }
    }

    /// Waits before the move; `false` if it was cancelled meanwhile.
    async fn wait(&self) -> bool {
        let began = Instant::now();
        while let Some(left) =
            self.pause.checked_sub(began.elapsed()).filter(|left| !left.is_zero())
        {
            sleep(left.min(LOOK)).await;
            if self.stop.is_set() {
                return false;
            }
        }
        true
    }

    /// Stops the search if no page is left; it starts again when somebody comes back.
    async fn give_up_if_unwanted(&self) {
        if self.game.is_wanted() {
            return;
        }
        let mut playing = self.game.playing.lock().await;
        // Check again, now that the game is locked.
        if self.is_current(&playing) && !self.game.is_wanted() {
            playing.cancel();
        }
    }

    /// The request for the agent, unless the game has changed meanwhile.
    async fn question(&self) -> Option<Ask> {
        let mut playing = self.game.playing.lock().await;
        if !self.is_current(&playing) {
            return None;
        }
        let agent = self.hub.rivals.trusted(playing.agent_to_move()?, &self.game.id).ok()?;
        if let Some(job) = &mut playing.job {
            job.asked = true;
        }
        if !playing.session.plies().is_empty() {
            playing.session.start_clock();
        }
        let seed = playing.details.seed.wrapping_add(self.seat.index() as u64);
        Some(Ask { client: self.game.client(), agent, session: playing.session.fork(), seed })
    }

    fn is_current(&self, playing: &Playing) -> bool {
        playing.job.as_ref().is_some_and(|current| current.number == self.job)
    }

    async fn move_on(&self, (answer, took): Heard<String>) {
        let mut playing = self.game.playing.lock().await;
        if !self.is_current(&playing) {
            return;
        }
        let apply = |playing: &mut Playing| playing.hear(answer, took);
        match self.hub.change_locked(&self.game, &mut playing, apply).await {
            Ok(()) => self.hub.drive(&self.game, &mut playing),
            Err(problem) => {
                drop(playing);
                self.retry(&problem).await;
            }
        }
    }

    /// Reports why an agent's move is delayed, and retries after a while; nothing was changed.
    async fn retry(&self, problem: &ApiError) {
        tracing::warn!("an agent's move is delayed: {problem}");
        self.hub.report_trouble(&self.game, problem).await;
        sleep(RETRY).await;
        let mut playing = self.game.playing.lock().await;
        if self.is_current(&playing) {
            playing.cancel();
        }
        self.hub.drive(&self.game, &mut playing);
    }
}
