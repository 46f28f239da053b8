//! Room for new games: which ones go when there are too many.
//!
//! Nobody is turned away because of the games that others began, and a game that somebody may come back
//! to stays as long as possible. In this order they go, those that nobody follows, the oldest first:
//!
//! 1. games that are over, of the client that has the most of them (their records stay);
//! 2. games without a move, after a day;
//! 3. games that have not changed for thirty days;
//! 4. games of the client that has the most unfinished ones, those without a move first.

use std::time::Duration;

use agon_arena::store::{Spare, Store, now};

use super::hub::Hub;
use crate::clients::Client;
use crate::error::ApiError;
use crate::limits;

/// How many games go at once, so that the next ones need not wait.
const AT_ONCE: usize = 20;
/// How many are considered: more than pages can follow, so that some of them can go.
const CONSIDERED: usize = 2 * limits::WATCHERS;

impl Hub {
    /// Deletes games if there are too many, of this client or of all.
    pub(super) async fn make_room(&self, client: Client) -> Result<(), ApiError> {
        let name = client.to_string();
        let counted = self
            .keeper
            .read(move |store| Ok((store.count_sittings()?, store.count_open_sittings_of(&name)?)));
        let (all, own) = counted.await?;
        if own >= limits::UNFINISHED_OF_ONE {
            return self.delete_spare(Spare::Of(client.to_string())).await.map(drop);
        }
        if all < limits::GAMES {
            return Ok(());
        }
        let before = |age: Duration| now() - age.as_millis() as i64;
        let order = [
            Spare::Over,
            Spare::Unmoved(before(limits::UNMOVED)),
            Spare::Abandoned(before(limits::ABANDONED)),
            Spare::OfTheLargest,
        ];
        for spare in order {
            if self.delete_spare(spare).await? > 0 {
                break;
            }
        }
        Ok(())
    }

    /// Deletes some of these games, and says how many.
    async fn delete_spare(&self, spare: Spare) -> Result<usize, ApiError> {
        let look_up = move |store: &Store| store.spare_sittings(&spare, CONSIDERED);
        let found = self.keeper.read(look_up).await?;
        let spare: Vec<String> =
            found.into_iter().filter(|id| !self.is_watched(id)).take(AT_ONCE).collect();
        for id in &spare {
            self.delete(id).await?;
        }
        Ok(spare.len())
    }
}
