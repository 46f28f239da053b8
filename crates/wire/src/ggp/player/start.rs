//! The start of a match.

use std::sync::Arc;
use std::time::Duration;

use agon_core::Seat;

use super::event::Event;
use super::game::Game;
use super::thinker::{Thinker, Thought};
use super::{Call, Player, Recognised};
use crate::problem::quoted;

/// A START that was parsed.
pub(super) struct Start {
    /// The number of the message.
    pub(super) number: u64,
    pub(super) id: String,
    pub(super) role: String,
    pub(super) rules: Recognised,
    pub(super) start_clock: u64,
    pub(super) play_clock: u64,
}

impl Player {
    /// Starts a match, replacing any other, and thinks until the start clock ends. A match that
    /// cannot be played is answered with the word for that, and does not affect a running match.
    pub(super) fn start(&self, start: &Start, call: Call) -> String {
        let begun = self.prepare(start).and_then(|game| self.begin(start, game, call));
        let thought = {
            let mut desk = self.desk();
            if let Some(index) = desk.starting.iter().position(|id| *id == start.id) {
                desk.starting.swap_remove(index);
            }
            self.understood.notify_all();
            match begun {
                Ok(thought) => thought,
                Err(word) => {
                    // A match of that name in progress goes on.
                    if desk.game.as_ref().is_none_or(|game| game.id != start.id) {
                        desk.unknown = Some((start.id.clone(), word));
                    }
                    return word.to_string();
                }
            }
        };
        if let Some(thought) = thought {
            let clock = Duration::from_secs(start.start_clock);
            let margin = self.punctuality.reply_margin(clock);
            thought.wait(call.accepted + clock.saturating_sub(margin), &self.punctuality);
            thought.stop();
        }
        "ready".into()
    }

    /// Makes the match, if it can be played. The error is the word to answer with.
    fn prepare(&self, start: &Start) -> Result<Game, &'static str> {
        let refused = |why: &str, word: &'static str| {
            self.note(&format!("match {} is not played: {why}", quoted(&start.id)));
            word
        };
        let reading = start.rules.as_ref().map_err(|why| refused(why, "not-breakthrough"))?;
        let names = ["white", "black"];
        let seat = names.iter().position(|name| start.role.eq_ignore_ascii_case(name));
        let seat = seat.and_then(|index| Seat::all(2).nth(index));
        let seat = seat.ok_or_else(|| {
            refused(&format!("there is no role {}", quoted(&start.role)), "unknown-role")
        })?;
        let table =
            self.options.catalog.open_at::<&str>(&reading.variant, reading.start.as_deref(), &[]);
        let table = table.map_err(|error| refused(&error.to_string(), "not-breakthrough"))?;
        let thinker = Thinker::start(&self.options.agent, &*table, self.options.seed);
        let thinker = thinker.map_err(|error| refused(&error.to_string(), "busy"))?;
        let clock = Duration::from_secs(start.play_clock);
        Ok(Game::new(start.id.clone(), seat, clock, reading, table, thinker))
    }

    /// Makes it the current match, unless there is already a later one, and starts to think.
    fn begin(
        &self,
        start: &Start,
        mut game: Game,
        call: Call,
    ) -> Result<Option<Arc<Thought>>, &'static str> {
        let mut desk = self.desk();
        if desk.begun > start.number {
            self.note(&format!("match {} came before the one being played", quoted(&start.id)));
            return Err("busy");
        }
        if let Some(before) = desk.game.take() {
            self.tell(&Event::Ended(&before.summary(Some("another match began"))));
        }
        let &Start { start_clock, play_clock, ref id, ref rules, .. } = start;
        let doubt = rules.as_ref().ok().and_then(|reading| reading.doubt.as_deref());
        let (variant, role) = (game.variant(), game.role());
        self.tell(&Event::Started { id, variant, role, start_clock, play_clock, doubt });
        self.tell(&Event::Board { session: &game.session, role });
        let thought = (!self.options.is_reproducible()).then(|| {
            let clock = Duration::from_secs(start_clock);
            let margin = self.punctuality.search_margin(clock);
            let left = clock.saturating_sub(call.accepted.elapsed() + margin);
            game.thinker.think(game.session.table().fork(), self.options.budget(left))
        });
        (desk.unknown, desk.over, desk.begun) = (None, None, start.number);
        desk.game = Some(game);
        Ok(thought)
    }
}
