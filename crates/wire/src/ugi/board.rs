//! The game and the agent that thinks about it.

use agon_games::Table;
use agon_search::spec::Role;
use agon_search::{Adviser, adviser, agents};

use super::command::Start;
use super::options::Settings;
use crate::moves::play_all;
use crate::problem::LineProblem;

/// What a search takes and returns.
pub(super) struct Board {
    pub(super) table: Box<dyn Table>,
    pub(super) adviser: Box<dyn Adviser>,
    /// Whether several lines (MultiPV) were requested.
    pub(super) several_lines: bool,
    /// Whether the agent answers faster than another thread could be woken.
    pub(super) instant: bool,
    given: Given,
}

/// The last `position` as the client wrote it, to find what is new in the next one.
#[derive(Default)]
struct Given {
    start: Option<String>,
    moves: String,
}

impl Given {
    /// The moves in `moves` beyond these, if the game is the same so far.
    fn continued_by<'t>(&self, start: Option<&str>, moves: &'t str) -> Option<&'t str> {
        let rest = moves.strip_prefix(&self.moves)?;
        let at_a_blank = self.moves.is_empty() || rest.is_empty() || rest.starts_with(' ');
        (self.start.as_deref() == start && at_a_blank).then_some(rest)
    }
}

impl Board {
    /// The n-th game of a session at its start, with an agent for it.
    pub(super) fn new(settings: &Settings, games: u64) -> Result<Board, LineProblem> {
        let table = settings.catalog.open(&settings.variant)?;
        let (agent, _) = settings.agent_at(table.seats());
        let several_lines = agents::value_of(&agent, Role::Lines).is_some_and(|n| n != "1");
        let seed = (u64::from(settings.seed) << 32) | games;
        let instant = agents::info(&agent.name).is_some_and(|info| info.manner.is_instant());
        let adviser = adviser(&*table, &agent, seed)?;
        Ok(Board { table, adviser, several_lines, instant, given: Given::default() })
    }

    /// Takes over the game of another board of the same variant.
    pub(super) fn take_game(&mut self, other: Board) {
        (self.table, self.given) = (other.table, other.given);
    }

    /// Sets up the game, or leaves everything as it is. Moves that were already played are not
    /// replayed.
    pub(super) fn set_position(
        &mut self,
        start: Start<'_>,
        moves: &str,
    ) -> Result<(), LineProblem> {
        let start = match start {
            Start::Variant => None,
            Start::Text(text) => Some(text),
        };
        if let Some(new_moves) = self.given.continued_by(start, moves) {
            play_all(&mut *self.table, new_moves)?;
            self.given.moves.push_str(new_moves);
            return Ok(());
        }
        let mut table = self.table.catalog().open_at::<&str>(self.table.variant(), start, &[])?;
        play_all(&mut *table, moves)?;
        self.table = table;
        self.given = Given { start: start.map(str::to_string), moves: moves.to_string() };
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use agon_core::Rng;

    use super::*;

    fn board(variant: &str) -> Board {
        let settings = Settings::new(variant.parse().unwrap(), "random".parse().unwrap());
        Board::new(&settings, 0).unwrap()
    }

    fn assert_same_game(one: &Board, other: &Board) {
        assert_eq!(one.table.position(), other.table.position());
        assert_eq!(one.table.played(), other.table.played());
        assert_eq!(one.table.custom_start(), other.table.custom_start());
        assert_eq!(one.table.status(), other.table.status());
    }

    #[test]
    fn a_position_that_goes_on_is_the_same_as_one_from_the_beginning() {
        for variant in ["breakthrough:5x5", "congo", "fenix", "wumpus:6", "fauhalma:star3"] {
            let (mut followed, mut rng) = (board(variant), Rng::new(7));
            let mut moves: Vec<String> = Vec::new();
            for step in 0..120 {
                // Mostly forward, sometimes two moves at once, sometimes back.
                let mut ahead = board(variant);
                ahead.set_position(Start::Variant, &moves.join(" ")).unwrap();
                for _ in 0..1 + step % 2 {
                    let Some(mv) = ahead.table.random_move(&mut rng) else { break };
                    moves.push(ahead.table.play(&mv).unwrap());
                }
                if step % 11 == 10 {
                    moves.truncate(moves.len().saturating_sub(5));
                }
                let text = moves.join(" ");
                followed.set_position(Start::Variant, &text).unwrap();
                let mut fresh = board(variant);
                fresh.set_position(Start::Variant, &text).unwrap();
                assert_same_game(&followed, &fresh);
            }
        }
    }

    #[test]
    fn what_cannot_be_played_leaves_the_game_as_it_was() {
        let (mut tried, mut expected) = (board("breakthrough:5x5"), board("breakthrough:5x5"));
        let elsewhere = Start::Text("1pppp/ppppp/5/PPPPP/PPPP1 b");
        for (start, moves) in [(Start::Variant, "a2a3"), (elsewhere, "b4b3")] {
            tried.set_position(start, moves).unwrap();
            expected.set_position(start, moves).unwrap();
            let on = format!("{moves} c2c3 c4d3 zz");
            for (start, bad) in [
                (start, &*format!("{moves} zz")),
                (start, &*format!("{moves} {moves}")),
                (start, &on),
                (start, "zz"),
                (Start::Variant, "b2b3 b2b3"),
                (Start::Text("nonsense"), ""),
            ] {
                assert!(tried.set_position(start, bad).is_err(), "{bad}");
                assert_same_game(&tried, &expected);
            }
        }
    }

    #[test]
    fn a_move_that_only_begins_like_another_is_not_taken_for_it() {
        let mut given = Given { start: None, moves: "a1a2".to_string() };
        assert_eq!(given.continued_by(None, "a1a2 b1b2"), Some(" b1b2"));
        assert_eq!(given.continued_by(None, "a1a2"), Some(""));
        assert_eq!(given.continued_by(None, "a1a2x"), None);
        assert_eq!(given.continued_by(None, "b1b2"), None);
        assert_eq!(given.continued_by(Some("start"), "a1a2"), None);
        given.moves.clear();
        assert_eq!(given.continued_by(None, "a1a2"), Some("a1a2"));
    }
}
