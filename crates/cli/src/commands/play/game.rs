//! A game with its players: what playing in lines and playing on the full screen share.

use std::path::{Path, PathBuf};
use std::time::Duration;

use agon_arena::clock::Pace;
use agon_arena::files::shown;
use agon_arena::player::{Action, Answer, Heard};
use agon_arena::session::TableSession;
use agon_core::Seat;
use agon_games::Table;
use agon_search::{Score, StopFlag};

use super::agents::{Agent, Player};
use super::file;

/// A game with its players.
pub(super) struct Game {
    pub(super) session: TableSession,
    pub(super) players: Vec<Player>,
    /// Who is asked for hints.
    pub(super) adviser: Agent,
    /// Where the game is written after every move.
    pub(super) save_to: Option<PathBuf>,
}

/// How one evaluation judges a position.
pub(super) struct Judgement {
    pub(super) name: &'static str,
    pub(super) value: f64,
    pub(super) about: &'static str,
}

impl Drop for Game {
    /// Whoever plays elsewhere learns that nobody is here any more.
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

    /// Whose turn it is, by the seat's name; `None` when the game is over for whatever reason.
    pub(super) fn to_move(&self) -> Option<&'static str> {
        self.session.to_move().map(|seat| self.table().seat_name(seat))
    }

    /// What the player to move is asked to do where it is not an ordinary turn.
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

    /// Plays a person's move, who may think as long as they like.
    pub(super) fn play(&mut self, mv: &str) -> anyhow::Result<()> {
        Ok(self.session.play(mv.to_string(), Duration::ZERO)?)
    }

    /// Takes what the agent to move has answered.
    pub(super) fn hear(&mut self, (answer, took): Heard<String>) -> anyhow::Result<()> {
        Ok(self.session.hear(answer, took)?)
    }

    /// The person to move gives up, or the first one where an agent is to move.
    pub(super) fn resign(&mut self) -> Result<(), &'static str> {
        let first = || self.players.iter().position(Player::is_human).map(Seat::new);
        match self.person_to_move().or_else(first) {
            Some(seat) => self.session.resign(seat),
            None => Err("nobody plays who could give up"),
        }
    }

    /// What the adviser would play; `None` when the game is over. It has its own time.
    pub(super) fn hint(&self, stop: StopFlag) -> Option<Heard<String>> {
        self.session.to_move()?;
        Some(self.adviser.answer(&self.for_advice(), stop))
    }

    /// The game as an adviser gets it: without clocks.
    pub(super) fn for_advice(&self) -> TableSession {
        TableSession::at_table(self.table().fork(), Pace::default())
    }

    /// What went wrong in writing the game to its file, if anything did; the game goes on.
    pub(super) fn save_if_wanted(&self) -> Option<String> {
        self.save_to.as_deref().and_then(|file| self.save(file).err())
    }

    /// Takes back to the last position where a person was to move; `false` if nothing was played.
    pub(super) fn undo(&mut self) -> bool {
        let by_person = |seat: Seat| self.players[seat.index()].is_human();
        let before_person = self.session.plies().iter().rposition(|ply| by_person(ply.seat));
        // Of a game without people, the whole.
        self.session.take_back_to(before_person.unwrap_or(0))
    }

    /// Writes the game to a file, or says why not.
    pub(super) fn save(&self, file: &Path) -> Result<(), String> {
        let written = file::write(&self.session, file);
        written.map_err(|error| format!("{error:#}; the game goes on, save it elsewhere"))
    }

    /// Goes on with a saved game, or says why not and leaves the game that is there.
    pub(super) fn load(&mut self, file: &Path) -> Result<(), String> {
        let opened = file::read(file);
        let session = opened.map_err(|error| format!("{error:#}"))?;
        if session.table().seats() != self.players.len() {
            return Err("that game has another number of players: agon play --load FILE opens it"
                .to_string());
        }
        self.session = session;
        Ok(())
    }

    /// How the game's evaluations judge the position, for the player to move.
    pub(super) fn judgements(&self) -> Vec<Judgement> {
        let judge = |(name, about)| {
            let value = f64::from(self.table().evaluate(name)?) / 100.0;
            Some(Judgement { name, value, about })
        };
        self.table().evaluations().into_iter().filter_map(judge).collect()
    }

    /// The command that goes on with this game, if it is not over yet.
    pub(super) fn way_back(&self) -> Option<String> {
        let table = self.table();
        if self.session.verdict().is_some() || table.played().is_empty() {
            return None;
        }
        if let Some(file) = &self.save_to {
            return Some(format!("agon play --load {}", shown(file)));
        }
        let position = table.custom_start().map(|text| format!(" --position '{text}'"));
        let (variant, moves) = (table.variant(), table.played().join(" "));
        Some(format!("agon play {variant}{} --moves '{moves}'", position.unwrap_or_default()))
    }
}

/// A hint's move, its score and the line behind it; `None` if there is none.
pub(super) fn advice((answer, _): Heard<String>, most: usize) -> Option<(String, String, String)> {
    let Answer { action: Action::Play(mv), score, line, .. } = answer.ok()? else { return None };
    let line: Vec<String> = line.into_iter().skip(1).take(most).collect();
    let then = if line.is_empty() { String::new() } else { format!(", then {}", line.join(" ")) };
    Some((mv, in_brackets(score), then))
}

/// A score behind a move.
pub(super) fn in_brackets(score: Option<Score>) -> String {
    score.map_or(String::new(), |score| format!(" ({score})"))
}
