//! The agents of recent games, with what they know from earlier moves.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use agon_arena::seated::TablePlayer;

use super::Place;
use crate::clients::Client;
use crate::limits;

/// An agent between two moves.
pub(super) struct Kept {
    pub place: Place,
    /// For whom it last searched.
    pub client: Client,
    pub player: TablePlayer,
    /// How much memory it may have, in MiB.
    pub memory: u32,
    pub used: Instant,
}

/// Agents between two moves, the latest at the end.
#[derive(Default)]
pub(super) struct Remembered(VecDeque<Kept>);

impl Remembered {
    /// The agent that is kept for this place.
    pub fn take(&mut self, place: &Place) -> Option<TablePlayer> {
        let at = self.0.iter().position(|kept| kept.place == *place)?;
        self.0.remove(at).map(|kept| kept.player)
    }

    /// Keeps an agent. Returns those that have to go for it: one of the same place, and the oldest of
    /// whoever has the most.
    pub fn keep(&mut self, new: Kept) -> Vec<TablePlayer> {
        let mut gone: Vec<TablePlayer> = self.take(&new.place).into_iter().collect();
        self.0.push_back(new);
        while self.0.len() > limits::REMEMBERED || self.memory() > limits::REMEMBERED_MEMORY {
            gone.extend(self.drop_one());
        }
        gone
    }

    fn memory(&self) -> u32 {
        self.0.iter().fold(0, |sum, kept| sum.saturating_add(kept.memory))
    }

    fn drop_one(&mut self) -> Option<TablePlayer> {
        let has = |client: Client| self.0.iter().filter(|kept| kept.client == client).count();
        let most = self.0.iter().map(|kept| has(kept.client)).max()?;
        let at = self.0.iter().position(|kept| has(kept.client) == most)?;
        self.0.remove(at).map(|kept| kept.player)
    }

    /// Drops the agents of a game.
    pub fn forget(&mut self, game: &str) -> Vec<TablePlayer> {
        self.drop_if(|kept| kept.place.game == game)
    }

    /// Drops the agents that have not been used for so long.
    pub fn forget_idle(&mut self, idle: Duration, now: Instant) -> Vec<TablePlayer> {
        self.drop_if(|kept| now.duration_since(kept.used) >= idle)
    }

    /// Drops all.
    pub fn forget_all(&mut self) -> Vec<TablePlayer> {
        self.drop_if(|_| true)
    }

    fn drop_if(&mut self, is_so: impl Fn(&Kept) -> bool) -> Vec<TablePlayer> {
        let (gone, kept) = self.0.drain(..).partition(is_so);
        self.0 = kept;
        let gone: VecDeque<Kept> = gone;
        gone.into_iter().map(|kept| kept.player).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clients::Clients;
    use agon_arena::Registry;
    use agon_arena::remote::Settings;

    fn kept(game: &str, client: Client, memory: u32, used: Instant) -> Kept {
        let table = agon_games::open(&"congo".parse().unwrap()).unwrap();
        let agent = Registry::built_in().agent("random", &Settings::default()).unwrap();
        let player = TablePlayer::new(&agent, &*table, 0).unwrap();
        Kept { place: Place { game: game.into(), seat: 0 }, client, player, memory, used }
    }

    fn games(remembered: &Remembered) -> Vec<&str> {
        remembered.0.iter().map(|kept| kept.place.game.as_str()).collect()
    }

    #[test]
    fn whoever_has_the_most_makes_room() {
        let (mut remembered, now) = (Remembered::default(), Instant::now());
        let clients = Clients::new(false);
        let [a, b] = [1, 2].map(|number| clients.at([192, 0, 2, number].into()));
        remembered.keep(kept("b", b, 1, now));
        for number in 0..3 * limits::REMEMBERED {
            remembered.keep(kept(&number.to_string(), a, 1, now));
        }
        assert_eq!(remembered.0.len(), limits::REMEMBERED);
        assert_eq!(games(&remembered)[0], "b");
        let gone = remembered.keep(kept("b", b, 1, now));
        assert_eq!(gone.len(), 1, "one agent for each place");
        remembered.keep(kept("large", b, limits::REMEMBERED_MEMORY - 1, now));
        assert!(remembered.memory() <= limits::REMEMBERED_MEMORY, "{:?}", games(&remembered));
    }

    #[test]
    fn idle_agents_are_dropped() {
        let (mut remembered, began) = (Remembered::default(), Instant::now());
        let idle = Duration::from_secs(60);
        remembered.keep(kept("a", Client::default(), 1, began));
        remembered.keep(kept("b", Client::default(), 1, began + idle / 2));
        assert_eq!(remembered.forget_idle(idle, began + idle).len(), 1);
        assert_eq!(games(&remembered), ["b"]);
        assert_eq!(remembered.forget("b").len() + remembered.forget_all().len(), 1);
    }
}
