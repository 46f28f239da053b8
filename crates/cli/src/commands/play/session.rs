//! A game with its players: what playing in lines and playing on the full screen share.

use std::path::{Path, PathBuf};

use agon_core::Seat;
use agon_core::scene::Trace;
use agon_games::Table;
use agon_search::Choice;

use super::agents::{Agent, Player};
use super::saved;
use crate::setup;

/// A game with its players.
pub(super) struct Session {
    pub(super) table: Box<dyn Table>,
    pub(super) players: Vec<Player>,
    /// Who is asked for hints.
    pub(super) adviser: Agent,
    /// Where the game is written after every move.
    pub(super) save_to: Option<PathBuf>,
}

/// A move that was made.
pub(super) struct Played {
    pub(super) mover: &'static str,
    /// The move in canonical text.
    pub(super) text: String,
    /// What went wrong in saving, if anything did; the game goes on.
    pub(super) trouble: Option<String>,
}

/// How one evaluation judges a position.
pub(super) struct Judgement {
    pub(super) name: &'static str,
    pub(super) value: f64,
    pub(super) about: &'static str,
}

impl Session {
    /// The person whose turn it is; `None` when an agent is to move or the game is over.
    pub(super) fn person_to_move(&self) -> Option<Seat> {
        self.table.status().to_move().filter(|seat| self.players[seat.index()].is_human())
    }

    /// The agent whose turn it is.
    pub(super) fn agent_to_move(&self) -> Option<&Agent> {
        self.players[self.table.status().to_move()?.index()].agent()
    }

    /// Plays a move and writes the game to its file, if it has one.
    pub(super) fn play(&mut self, mv: &str) -> anyhow::Result<Played> {
        let mover = self.table.to_move().unwrap_or_default();
        let text = self.table.play(mv)?;
        let trouble = self.save_to.as_deref().and_then(|file| self.save(file).err());
        Ok(Played { mover, text, trouble })
    }

    /// Takes back to the last position where a person was to move; `false` if nothing was played.
    pub(super) fn undo(&mut self) -> bool {
        if !self.table.undo() {
            return false;
        }
        while self.agent_to_move().is_some() && self.table.undo() {}
        true
    }

    /// Writes the game to a file, or says why not.
    pub(super) fn save(&self, file: &Path) -> Result<(), String> {
        let written = saved::write(&*self.table, file);
        written.map_err(|error| format!("{error:#}; the game goes on, save it elsewhere"))
    }

    /// Puts a saved game on the table, or says why not and leaves the game that is there.
    pub(super) fn load(&mut self, file: &Path) -> Result<(), String> {
        let opened = saved::read(file);
        let table = opened.map_err(|error| format!("{error:#}"))?;
        if table.seats() != self.players.len() {
            return Err("that game has another number of players: agon play --load FILE opens it"
                .to_string());
        }
        self.table = table;
        Ok(())
    }

    /// How the game's evaluations judge the position, for the player to move.
    pub(super) fn judgements(&self) -> Vec<Judgement> {
        let judge = |(name, about)| {
            let value = f64::from(self.table.evaluate(name)?) / 100.0;
            Some(Judgement { name, value, about })
        };
        self.table.evaluations().into_iter().filter_map(judge).collect()
    }

    /// The last move as a drawing.
    pub(super) fn last_trace(&mut self) -> Option<Trace> {
        let mv = self.table.played().last()?.clone();
        self.table.undo();
        let trace = self.table.trace(&mv).ok();
        let replayed = self.table.play(&mv);
        debug_assert!(replayed.is_ok(), "a move that was played can be played again");
        trace
    }

    /// The same game on another table, for somebody who thinks about it elsewhere.
    pub(super) fn copied_table(&self) -> anyhow::Result<Box<dyn Table>> {
        let mut copy = setup::opened(self.table.variant(), self.table.custom_start(), None)?;
        for mv in self.table.played() {
            copy.play(mv)?;
        }
        Ok(copy)
    }

    /// The command that goes on with this game, if it is not over yet.
    pub(super) fn way_back(&self) -> Option<String> {
        let table = &self.table;
        if table.outcome().is_some() || table.played().is_empty() {
            return None;
        }
        if let Some(file) = &self.save_to {
            return Some(format!("agon play --load {}", file.display()));
        }
        let position = table.custom_start().map(|text| format!(" --position '{text}'"));
        let (variant, moves) = (table.variant(), table.played().join(" "));
        Some(format!("agon play {variant}{} --moves '{moves}'", position.unwrap_or_default()))
    }
}

/// What follows a hint: its score and the line behind it.
pub(super) fn reasons(choice: &Choice<String>) -> (String, String) {
    let score = choice.score.map_or(String::new(), |score| format!(" ({score})"));
    let line = choice.pv.get(1..).filter(|line| !line.is_empty());
    (score, line.map_or(String::new(), |line| format!(", then {}", line.join(" "))))
}
