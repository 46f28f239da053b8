//! Agents that play by themselves: what they say with their moves, and their game in lines of text.

use std::borrow::Cow;

use agon_arena::player::Heard;
use agon_search::{Score, Source};

use super::game::Game;
use super::lines::{board_text, complain, leave, say};
use crate::draw::palette::{BOLD, DIM};
use crate::draw::styled;
use crate::interrupt;
use crate::output::count;

/// What an agent says with a move.
#[derive(Clone, Debug)]
pub(super) struct Note {
    score: Option<Score>,
    depth: u32,
    nodes: u64,
    source: Source,
}

impl Note {
    /// What an answer says; `None` if there is none.
    pub(super) fn of((answer, _): &Heard<String>) -> Option<Note> {
        let answer = answer.as_ref().ok()?;
        let (score, depth, nodes) = (answer.score, answer.depth, answer.nodes);
        Some(Note { score, depth, nodes, source: answer.source })
    }

    /// In words: the evaluation, how deep, how many nodes, and where it is from if not from a
    /// search.
    pub(super) fn words(&self) -> Vec<Cow<'static, str>> {
        let score = self.score.map(|score| score.to_string().into());
        let depth = (self.depth > 0).then(|| format!("depth {}", self.depth).into());
        let nodes = (self.nodes > 0).then(|| count(self.nodes, "node", "nodes").into());
        let words = [score, depth, nodes, self.source.name().map(Into::into)];
        words.into_iter().flatten().collect()
    }
}

/// Plays the game to its end, and prints every move and the board after it.
pub(super) fn print(mut game: Game) -> anyhow::Result<()> {
    say(&board_text(&game))?;
    while let Some(agent) = game.agent_to_move() {
        let stop = interrupt::stop_flag();
        let heard = agent.answer(&game.session, stop.clone());
        if stop.is_set() {
            break;
        }
        let words = Note::of(&heard).map_or(Vec::new(), |note| note.words());
        let said =
            if words.is_empty() { String::new() } else { format!("  ({})", words.join(", ")) };
        let before = game.session.plies().len();
        game.hear(heard)?;
        if let Some(ply) = game.session.plies().get(before) {
            let mover = game.table().seat_label(ply.seat);
            let number = game.table().played().len();
            let played = styled(BOLD, &ply.mv);
            say(&format!("{number}. {mover} plays {played}{}", styled(DIM, &said)))?;
        }
        say(&board_text(&game))?;
        if let Some(why) = game.save_if_wanted() {
            complain(&why)?;
        }
    }
    leave(&game)
}
