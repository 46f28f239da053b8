//! A game with its players: shared by plain text and the full screen.

use std::path::{Path, PathBuf};
use std::time::Duration;

use agon_arena::clock::Pace;
use agon_arena::files::shown;
use agon_arena::player::{Action, Answer, Heard};
use agon_arena::session::TableSession;
use agon_core::Seat;
use agon_games::Table;
use agon_search::{Score, Source, StopFlag};

use super::agents::{Agent, Player};
use super::file;

/// A game with its players.
pub(super) struct Game {
    pub(super) session: TableSession,
    pub(super) players: Vec<Player>,
    /// The agent that gives hints.
    pub(super) adviser: Agent,
    /// The file the game is saved to after every move.
    pub(super) save_to: Option<PathBuf>,
}

/// The value of a position by one evaluation.
pub(super) struct Judgement {
    pub(super) name: &'static str,
    pub(super) value: f64,
    pub(super) about: &'static str,
}

impl Drop for Game {
    /// Tells agents in other processes that the game has ended.
    fn drop(&mut self) {
        for agent in self.players.iter().filter_map(Player::agent) {
            agent.game_over(&self.session);
        }
    }
}

impl Game {
    pub(super) fn table(&self) -> &dyn Table {
        self.session.table()
    }

    /// Whose turn it is, by the seat's name; `None` when the game is over, for any reason.
    pub(super) fn to_move(&self) -> Option<&str> {
        self.session.to_move().map(|seat| self.table().seat_label(seat))
    }

    /// Whether all players are agents, so that it is there to be watched.
    pub(super) fn is_watched(&self) -> bool {
        !self.players.iter().any(Player::is_human)
    }

    /// Instructions for the player to move, if it is not an ordinary turn.
    pub(super) fn guide(&self) -> Option<String> {
        self.session.to_move().and_then(|_| self.table().guide())
    }

    /// The person whose turn it is; `None` when an agent is to move or the game is over.
    pub(super) fn person_to_move(&self) -> Option<Seat> {
        self.session.to_move().filter(|seat| self.players[seat.index()].is_human())
    }

    /// The agent whose turn it is.
    pub(super) fn agent_to_move(&self) -> Option<&Agent> {
        self.players[self.session.to_move()?.index()].agent()
    }

    /// Plays a person's move; people have no clock.
    pub(super) fn play(&mut self, mv: &str) -> anyhow::Result<()> {
        Ok(self.session.play(mv.to_string(), Duration::ZERO)?)
    }

    /// Takes the answer of the agent to move.
    pub(super) fn hear(&mut self, (answer, took): Heard<String>) -> anyhow::Result<()> {
        Ok(self.session.hear(answer, took)?)
    }

    /// The person to move resigns, or the first person if an agent is to move.
    pub(super) fn resign(&mut self) -> Result<(), &'static str> {
        let first = || self.players.iter().position(Player::is_human).map(Seat::new);
        match self.person_to_move().or_else(first) {
            Some(seat) => self.session.resign(seat),
            None => Err("there is no person here to resign"),
        }
    }

    /// The adviser's move; `None` when the game is over. It has its own time limit.
    pub(super) fn hint(&self, stop: StopFlag) -> Option<Heard<String>> {
        self.session.to_move()?;
        Some(self.adviser.answer(&self.for_advice(), stop))
    }

    /// The game as an adviser gets it: without clocks.
    pub(super) fn for_advice(&self) -> TableSession {
        TableSession::at_table(self.table().fork(), Pace::default())
    }

    /// Saves the game if it has a file. Returns the error, if any; the game continues.
    pub(super) fn save_if_wanted(&self) -> Option<String> {
        self.save_to.as_deref().and_then(|file| self.save(file).err())
    }

    /// Undoes to the last position with a person to move; `false` if nothing was played.
    pub(super) fn undo(&mut self) -> bool {
        let by_person = |seat: Seat| self.players[seat.index()].is_human();
        let before_person = self.session.plies().iter().rposition(|ply| by_person(ply.seat));
        // Without people, to the start.
        self.session.take_back_to(before_person.unwrap_or(0))
    }

    /// Saves the game to a file; the error is for people.
    pub(super) fn save(&self, file: &Path) -> Result<(), String> {
        let written = file::write(&self.session, file);
        written.map_err(|error| format!("{error:#}; the game continues, save it elsewhere"))
    }

    /// Resumes a saved game; after an error the current game is unchanged.
    pub(super) fn load(&mut self, file: &Path) -> Result<(), String> {
        let opened = file::read(self.table().catalog(), file);
        let session = opened.map_err(|error| format!("{error:#}"))?;
        if session.table().seats() != self.players.len() {
            return Err("that game has a different number of players; use agon play --load FILE"
                .to_string());
        }
        self.session = session;
        Ok(())
    }

    /// The command that resumes this game, unless it is over or not started.
    pub(super) fn resume_command(&self) -> Option<String> {
        let table = self.table();
        if self.session.verdict().is_some() || table.played().is_empty() {
            return None;
        }
        let watch = if self.is_watched() {
            let agents = self.players.iter().map(|player| quoted(player.describe()));
            format!(" --watch {}", agents.collect::<Vec<_>>().join(" "))
        } else {
            String::new()
        };
        if let Some(file) = &self.save_to {
            return Some(format!("agon play --load {}{watch}", shown(file)));
        }
        let position = table.custom_start().map(|text| format!(" --position '{text}'"));
        let (variant, moves) = (table.variant(), table.played().join(" "));
        let position = position.unwrap_or_default();
        Some(format!("agon play {variant}{position} --moves '{moves}'{watch}"))
    }
}

/// A word for a shell, in quotes where it needs them.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=:,./+@".contains(c);
    match word.chars().all(plain) {
        true => word.to_string(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// The values of a position by the game's evaluations, for the player to move.
pub(super) fn judgements(table: &dyn Table) -> Vec<Judgement> {
    let judge = |(name, about)| {
        let value = f64::from(table.evaluate(name)?) / 100.0;
        Some(Judgement { name, value, about })
    };
    table.evaluations().into_iter().filter_map(judge).collect()
}

/// A hint's move, its score and the rest of its line; `None` if there is none.
pub(super) fn advice((answer, _): Heard<String>, most: usize) -> Option<(String, String, String)> {
    let Answer { action: Action::Play(mv), score, line, source, .. } = answer.ok()? else {
        return None;
    };
    let line: Vec<String> = line.into_iter().skip(1).take(most).collect();
    let then = if line.is_empty() { String::new() } else { format!(", then {}", line.join(" ")) };
    Some((mv, in_brackets(score, source), then))
}

/// A score and where it comes from, to be shown after a move.
pub(super) fn in_brackets(score: Option<Score>, source: Source) -> String {
    let words: Vec<String> = score
        .map(|score| score.to_string())
        .into_iter()
        .chain(source.name().map(Into::into))
        .collect();
    if words.is_empty() { String::new() } else { format!(" ({})", words.join(", ")) }
}
