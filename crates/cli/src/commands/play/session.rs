//! The game as it is played: turns, commands, and leaving without loss.

use std::io::Write;
use std::path::{Path, PathBuf};

use agon_games::Table;
use agon_search::Score;

use super::agents::{Agent, Player};
use super::choice::{Choice, choose};
use super::input::Input;
use super::saved::Saved;
use crate::draw;
use crate::draw::palette::{BOLD, DIM, ERROR};
use crate::draw::styled;
use crate::interrupt;

const HELP: &str = "\
  a move            in the game's notation, by its number in the list, or enough of its beginning
  moves             list the legal moves; moves TEXT lists those that begin so
  board             draw the board again
  position          the position as text
  hint              what an agent would play here
  eval              how the game's evaluations judge the position
  undo              take back your last move and what followed
  save FILE         write the game to a file
  load FILE         go on with a saved game
  quit              leave (so do Ctrl-C and Ctrl-D)";

const COMMANDS: [&str; 10] =
    ["moves", "board", "position", "hint", "eval", "undo", "save ", "load ", "help", "quit"];

/// A game with its players.
pub(super) struct Session {
    pub(super) table: Box<dyn Table>,
    pub(super) players: Vec<Player>,
    /// Who is asked for hints.
    pub(super) adviser: Agent,
    pub(super) input: Input,
    pub(super) save_to: Option<PathBuf>,
}

/// Whether the game goes on.
#[derive(PartialEq, Eq)]
enum Next {
    GoOn,
    Leave,
}

impl Session {
    /// Plays until the person leaves.
    pub(super) fn run(mut self) -> anyhow::Result<()> {
        self.board()?;
        loop {
            let Some(seat) = self.table.status().to_move() else {
                // A finished game can still be saved or taken back, by a person who is there.
                if matches!(self.input, Input::Stream(_)) || self.person()? == Next::Leave {
                    return self.leave();
                }
                continue;
            };
            let choice = match &mut self.players[seat.index()] {
                Player::Human => None,
                Player::Agent(agent) => agent.choose(&*self.table),
            };
            match choice {
                Some(_) if interrupt::stop_flag().is_set() => return self.leave(),
                Some(choice) => self.play(&choice.mv, choice.score)?,
                None if self.person()? == Next::Leave => return self.leave(),
                None => {}
            }
        }
    }

    /// One line from the person.
    fn person(&mut self) -> anyhow::Result<Next> {
        let prompt = match self.table.to_move() {
            Some(name) => format!("{name}> "),
            None => "game over (undo, save FILE or quit)> ".to_string(),
        };
        let mut words = self.table.moves();
        words.extend(COMMANDS.map(String::from));
        let Some(line) = self.input.line(&prompt, words)? else { return Ok(Next::Leave) };
        let (command, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        match (command, rest.trim()) {
            ("", _) => {}
            ("quit" | "exit", _) => return Ok(Next::Leave),
            ("help" | "?", _) => self.say(HELP)?,
            ("moves", prefix) => self.list_moves(prefix)?,
            ("board", _) => self.board()?,
            ("position", _) => self.say(&self.table.position())?,
            ("hint", _) => self.hint()?,
            ("eval", _) => self.evaluations()?,
            ("undo", _) => self.undo()?,
            ("save", "") => self.complain("save where? For example: save game.json")?,
            ("save", file) => self.save(Path::new(file))?,
            ("load", "") => self.complain("load what? For example: load game.json")?,
            ("load", file) => self.load(Path::new(file))?,
            _ => self.move_by_text(line.trim())?,
        }
        Ok(Next::GoOn)
    }

    fn move_by_text(&mut self, text: &str) -> anyhow::Result<()> {
        if self.table.to_move().is_none() {
            return self.complain("the game is over: undo, save FILE or quit");
        }
        match choose(&*self.table, text) {
            Choice::Move(mv) => self.play(&mv, None),
            Choice::Several(moves) => {
                self.complain(&format!("{text} could be {}", moves.join("  ")))
            }
            Choice::None(why) => {
                self.complain(&format!("{why}\n(moves lists the legal ones, help says more)"))
            }
        }
    }

    fn play(&mut self, mv: &str, score: Option<Score>) -> anyhow::Result<()> {
        let mover = self.table.to_move().unwrap_or_default();
        let played = self.table.play(mv)?;
        let score =
            score.map_or(String::new(), |score| styled(DIM, &format!("  ({score} for {mover})")));
        self.say(&format!("{mover} plays {}{score}", styled(BOLD, &played)))?;
        // When an agent answers at once, one picture after its move is enough.
        let person_next = |seat: agon_core::Seat| self.players[seat.index()].is_human();
        if self.table.status().to_move().is_none_or(person_next) {
            self.board()?;
        }
        match self.save_to.clone() {
            Some(file) => self.try_saving(&file, false),
            None => Ok(()),
        }
    }

    /// Takes back to the last position where a person was to move.
    fn undo(&mut self) -> anyhow::Result<()> {
        if !self.table.undo() {
            return self.complain("there is nothing to take back");
        }
        let is_agent = |seat: agon_core::Seat| !self.players[seat.index()].is_human();
        while self.table.status().to_move().is_some_and(is_agent) && self.table.undo() {}
        self.board()
    }

    fn hint(&mut self) -> anyhow::Result<()> {
        let Some(choice) = self.adviser.choose(&*self.table) else {
            return self.complain("the game is over");
        };
        let score = choice.score.map_or(String::new(), |score| format!(" ({score})"));
        let line = if choice.pv.len() > 1 {
            format!(", then {}", choice.pv[1..].join(" "))
        } else {
            String::new()
        };
        self.say(&format!("{}{score}{}", styled(BOLD, &choice.mv), styled(DIM, &line)))
    }

    fn evaluations(&mut self) -> anyhow::Result<()> {
        let Some(mover) = self.table.to_move() else { return self.complain("the game is over") };
        let values = self.table.evaluations().into_iter().filter_map(|(name, about)| {
            let value = f64::from(self.table.evaluate(name)?) / 100.0;
            Some(format!("  {name:<10} {value:>+9.2}  {}", styled(DIM, about)))
        });
        let values: Vec<String> = values.collect();
        self.say(&format!("for {mover}:\n{}", values.join("\n")))
    }

    fn list_moves(&mut self, prefix: &str) -> anyhow::Result<()> {
        let moves = self.table.moves();
        let numbered = moves.iter().enumerate().filter(|(_, mv)| mv.starts_with(prefix));
        let entries: Vec<String> =
            numbered.map(|(index, mv)| format!("{:>4} {mv}", index + 1)).collect();
        let width = 2 + entries.iter().map(String::len).max().unwrap_or(0);
        let per_line = (78 / width.max(1)).max(1);
        let lines = entries.chunks(per_line).map(|chunk| {
            chunk
                .iter()
                .map(|entry| format!("{entry:<width$}"))
                .collect::<String>()
                .trim_end()
                .to_string()
        });
        let text = lines.collect::<Vec<_>>().join("\n");
        self.say(if text.is_empty() { "no such move" } else { &text })
    }

    fn save(&mut self, file: &Path) -> anyhow::Result<()> {
        self.try_saving(file, true)
    }

    /// Saves; a failure is told and the game goes on.
    fn try_saving(&mut self, file: &Path, tell: bool) -> anyhow::Result<()> {
        match Saved::of(&*self.table).write(file) {
            Ok(()) if tell => self.say(&format!("saved in {}", file.display())),
            Ok(()) => Ok(()),
            Err(error) => self.complain(&format!("{error:#}; the game goes on, save it elsewhere")),
        }
    }

    /// Loads; after a failure the game on the table goes on.
    fn load(&mut self, file: &Path) -> anyhow::Result<()> {
        match Saved::read(file).and_then(|saved| saved.open(file)) {
            Ok(table) if table.seats() != self.players.len() => self.complain(
                "that game has another number of players: agon play --load FILE opens it",
            ),
            Ok(table) => {
                self.table = table;
                self.board()
            }
            Err(error) => self.complain(&format!("{error:#}")),
        }
    }

    /// Says how to go on later.
    fn leave(&mut self) -> anyhow::Result<()> {
        if self.table.outcome().is_some() || self.table.played().is_empty() {
            return Ok(());
        }
        let hint = match &self.save_to {
            Some(file) => format!("agon play --load {}", file.display()),
            None => {
                let position =
                    self.table.custom_start().map(|text| format!(" --position '{text}'"));
                let (variant, moves) = (self.table.variant(), self.table.played().join(" "));
                format!("agon play {variant}{} --moves '{moves}'", position.unwrap_or_default())
            }
        };
        self.say(&format!("{}\n  {hint}", styled(DIM, "To go on with this game:")))
    }

    fn board(&self) -> anyhow::Result<()> {
        self.say(&format!("\n{}", draw::table(&*self.table)))
    }

    fn say(&self, text: &str) -> anyhow::Result<()> {
        Ok(writeln!(anstream::stdout(), "{text}")?)
    }

    fn complain(&self, text: &str) -> anyhow::Result<()> {
        self.say(&styled(ERROR, text))
    }
}
