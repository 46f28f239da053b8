//! The game in lines of text.

use std::io::Write;
use std::path::Path;

use super::choice::{Choice, are_numbered, choose};
use super::game::{Game, advice, judgements};
use super::input::Input;
use crate::draw;
use crate::draw::palette::{BOLD, DIM, ERROR};
use crate::draw::styled;
use crate::interrupt;

const HELP: &str = "\
  a move            in the game's notation, by its number in the list, or the beginning of it
  moves             list the legal moves; moves TEXT lists those that start with TEXT
  board             draw the board again
  position          show the position as text
  hint              show the move an agent would play
  eval              show the game's evaluations of the position
  undo              take back your last move and those after it
  resign            resign the game
  save FILE         save the game to a file
  load FILE         resume a saved game
  quit              leave (so do Ctrl-C and Ctrl-D)";

const COMMANDS: [&str; 11] = [
    "moves", "board", "position", "hint", "eval", "undo", "resign", "save ", "load ", "help",
    "quit",
];

/// A game played line by line.
pub(super) struct Lines {
    pub(super) game: Game,
    pub(super) input: Input,
}

/// Whether the game continues.
#[derive(PartialEq, Eq)]
enum Next {
    GoOn,
    Leave,
}

impl Lines {
    /// Plays until the person leaves.
    pub(super) fn run(mut self) -> anyhow::Result<()> {
        self.board()?;
        loop {
            if self.game.session.to_move().is_none() {
                // In a terminal, a finished game can still be saved or undone.
                if matches!(self.input, Input::Stream(_)) || self.person()? == Next::Leave {
                    return self.leave();
                }
                continue;
            }
            let Some(agent) = self.game.agent_to_move() else {
                if self.person()? == Next::Leave {
                    return self.leave();
                }
                continue;
            };
            let stop = interrupt::stop_flag();
            let heard = agent.answer(&self.game.session, stop.clone());
            if stop.is_set() {
                return self.leave();
            }
            let answer = heard.0.as_ref().ok();
            let score = answer.and_then(|answer| answer.score);
            let source = answer.and_then(|answer| answer.source.name());
            let source = source.map_or(String::new(), |source| format!(", {source}"));
            let mover = self.game.to_move().unwrap_or_default();
            let score =
                score.map_or(String::new(), |score| format!("  ({score} for {mover}{source})"));
            if let Err(trouble) = self.change(&score, |game| game.hear(heard)) {
                complain(&format!("{trouble:#}"))?;
                return self.leave();
            }
        }
    }

    /// One line from the person.
    fn person(&mut self) -> anyhow::Result<Next> {
        let prompt = match self.game.to_move() {
            Some(name) => format!("{name}> "),
            None => "game over (undo, save FILE or quit)> ".to_string(),
        };
        let mut words = self.game.table().moves();
        words.extend(COMMANDS.map(String::from));
        let Some(line) = self.input.line(&prompt, words)? else { return Ok(Next::Leave) };
        let (command, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        match (command, rest.trim()) {
            ("", _) => {}
            ("quit" | "exit", _) => return Ok(Next::Leave),
            ("help" | "?", _) => say(HELP)?,
            ("moves", prefix) => self.list_moves(prefix)?,
            ("board", _) => self.board()?,
            ("position", _) => say(&self.game.table().position())?,
            ("hint", _) => self.hint()?,
            ("eval", _) => self.evaluations()?,
            ("undo", _) if self.game.undo() => self.board()?,
            ("undo", _) => complain("there is nothing to take back")?,
            ("resign", _) => match self.game.resign() {
                Ok(()) => self.board()?,
                Err(why) => complain(why)?,
            },
            ("save", "") => complain("save where? For example: save game.json")?,
            ("save", file) => match self.game.save(Path::new(file)) {
                Ok(()) => say(&format!("saved to {file}"))?,
                Err(why) => complain(&why)?,
            },
            ("load", "") => complain("load what? For example: load game.json")?,
            ("load", file) => match self.game.load(Path::new(file)) {
                Ok(()) => self.board()?,
                Err(why) => complain(&why)?,
            },
            _ => self.move_by_text(line.trim())?,
        }
        Ok(Next::GoOn)
    }

    fn move_by_text(&mut self, text: &str) -> anyhow::Result<()> {
        if self.game.session.to_move().is_none() {
            return complain("the game is over: undo, save FILE or quit");
        }
        match choose(self.game.table(), text) {
            Choice::Move(mv) => self.change("", |game| game.play(&mv)),
            Choice::Several(moves) => complain(&format!("{text} could be {}", moves.join("  "))),
            Choice::None(why) => {
                complain(&format!("{why}\n(moves lists the legal moves, help lists the commands)"))
            }
        }
    }

    /// Changes the game and prints the result.
    fn change(
        &mut self,
        score: &str,
        change: impl FnOnce(&mut Game) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let before = self.game.session.plies().len();
        change(&mut self.game)?;
        if let Some(ply) = self.game.session.plies().get(before) {
            let mover = self.game.table().seat_label(ply.seat);
            say(&format!("{mover} plays {}{}", styled(BOLD, &ply.mv), styled(DIM, score)))?;
        }
        // If an agent answers at once, one board after its move is enough.
        if self.game.agent_to_move().is_none() {
            self.board()?;
        }
        self.game.save_if_wanted().map_or(Ok(()), |why| complain(&why))
    }

    fn hint(&mut self) -> anyhow::Result<()> {
        let heard = self.game.hint(interrupt::stop_flag());
        match heard.and_then(|heard| advice(heard, usize::MAX)) {
            Some((mv, score, line)) => {
                say(&format!("{}{score}{}", styled(BOLD, &mv), styled(DIM, &line)))
            }
            None => complain("the game is over"),
        }
    }

    fn evaluations(&mut self) -> anyhow::Result<()> {
        let Some(mover) = self.game.to_move() else {
            return complain("the game is over");
        };
        let lines = judgements(self.game.table()).into_iter().map(|judged| {
            let about = styled(DIM, judged.about);
            format!("  {:<10} {:>+9.2}  {about}", judged.name, judged.value)
        });
        say(&format!("for {mover}:\n{}", lines.collect::<Vec<_>>().join("\n")))
    }

    fn list_moves(&mut self, prefix: &str) -> anyhow::Result<()> {
        let moves = self.game.table().moves();
        let numbered = moves.iter().enumerate().filter(|(_, mv)| mv.starts_with(prefix));
        let entry = |(index, mv): (usize, &String)| match are_numbered(&moves) {
            true => format!("{:>4} {mv}", index + 1),
            false => format!("  {mv}"),
        };
        let entries: Vec<String> = numbered.map(entry).collect();
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
        say(if text.is_empty() { "no such move" } else { &text })
    }

    fn leave(&mut self) -> anyhow::Result<()> {
        leave(&self.game)
    }

    fn board(&self) -> anyhow::Result<()> {
        let guide = self.game.guide().map_or(String::new(), |guide| format!("\n{guide}"));
        say(&format!("{}{guide}", board_text(&self.game)))
    }
}

/// The board, after an empty line.
pub(super) fn board_text(game: &Game) -> String {
    format!("\n{}", draw::session(&game.session))
}

/// Prints how to resume later.
pub(super) fn leave(game: &Game) -> anyhow::Result<()> {
    match game.resume_command() {
        Some(command) => say(&resume_text(&command)),
        None => Ok(()),
    }
}

/// How to resume a game.
pub(super) fn resume_text(command: &str) -> String {
    format!("{}\n  {command}", styled(DIM, "To resume this game:"))
}

pub(super) fn say(text: &str) -> anyhow::Result<()> {
    Ok(writeln!(anstream::stdout(), "{text}")?)
}

pub(super) fn complain(text: &str) -> anyhow::Result<()> {
    say(&styled(ERROR, text))
}
