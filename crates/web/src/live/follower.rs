//! Follows a game that another process plays, by polling the store while somebody is watching.

use std::sync::Arc;
use std::time::Duration;

use agon_search::StopFlag;
use tokio::time::sleep;

use super::driver::RETRY;
use super::hub::{Hub, LiveGame, no_such_game, unreadable};
use super::playing::Playing;
use crate::error::ApiError;

/// How often to poll.
const LOOK: Duration = Duration::from_millis(250);

impl Hub {
    /// Starts polling for a game that is played elsewhere, if somebody is watching.
    pub(super) fn follow(self: &Arc<Hub>, game: &Arc<LiveGame>, playing: &mut Playing) {
        if playing.job.is_some() || !game.is_wanted() {
            return;
        }
        let stop = playing.begin().stop.clone();
        tokio::spawn(Follower { hub: self.clone(), game: game.clone(), stop }.run());
    }

    /// Brings a game that is played elsewhere up to date and notifies the pages.
    pub(super) async fn catch_up(
        &self,
        game: &LiveGame,
        playing: &mut Playing,
    ) -> Result<(), ApiError> {
        if playing.gone {
            return Err(no_such_game());
        }
        let Some(document) = self.read(&game.id).await? else {
            self.forget(game, playing);
            return Err(no_such_game());
        };
        if document.details.version > playing.details.version {
            let newer = Playing::open(self.catalog(), document).map_err(unreadable)?;
            playing.become_newer(newer);
            game.publish(playing.details.version);
        }
        Ok(())
    }
}

/// A task that polls for one game.
struct Follower {
    hub: Arc<Hub>,
    game: Arc<LiveGame>,
    stop: StopFlag,
}

impl Follower {
    /// Runs until nobody watches the game any more, or it is deleted.
    async fn run(self) {
        let mut pause = LOOK;
        loop {
            sleep(pause).await;
            let mut playing = self.game.playing.lock().await;
            if self.stop.is_set() {
                return;
            }
            if !self.game.is_wanted() {
                playing.cancel();
                return;
            }
            let looked = self.hub.catch_up(&self.game, &mut playing).await;
            pause = if looked.is_ok() { LOOK } else { RETRY };
        }
    }
}
