//! Lines from a person at a terminal, or from a file or pipe.

use std::io::{self, BufRead, IsTerminal, Write};

use anyhow::Context as _;
use ratatui::crossterm::event::DisableBracketedPaste;
use ratatui::crossterm::execute;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::Validator;
use rustyline::{Config, Context, Editor, Helper};

use crate::interrupt;

/// The source of the lines.
pub(super) enum Input {
    /// A terminal, with editing, history and completion of moves.
    Terminal(Box<Editor<Completions, DefaultHistory>>),
    /// Anything else.
    Stream(io::StdinLock<'static>),
}

/// The candidates for completion: the legal moves and the commands.
pub(super) struct Completions(Vec<String>);

impl Helper for Completions {}
impl Highlighter for Completions {}
impl Validator for Completions {}
impl Hinter for Completions {
    type Hint = String;
}

impl Completer for Completions {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        end: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let begun = line.get(..end).unwrap_or(line);
        Ok((0, self.0.iter().filter(|word| word.starts_with(begun)).cloned().collect()))
    }
}

impl Input {
    /// Standard input, with line editing if it is a terminal.
    pub(super) fn new() -> anyhow::Result<Input> {
        if !io::stdin().is_terminal() {
            return Ok(Input::Stream(io::stdin().lock()));
        }
        restore_on_termination();
        let config = Config::builder()
            .auto_add_history(true)
            .completion_type(rustyline::CompletionType::List);
        let mut editor =
            Editor::with_config(config.build()).context("cannot read from the terminal")?;
        editor.set_helper(Some(Completions(Vec::new())));
        Ok(Input::Terminal(Box::new(editor)))
    }

    /// The next line without its line break; `None` at the end of the input or after Ctrl-C.
    pub(super) fn line(
        &mut self,
        prompt: &str,
        words: Vec<String>,
    ) -> anyhow::Result<Option<String>> {
        match self {
            Input::Terminal(editor) => {
                editor.set_helper(Some(Completions(words)));
                match editor.readline(prompt) {
                    Ok(line) => Ok(Some(line)),
                    Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
                    Err(error) => Err(error).context("cannot read from the terminal"),
                }
            }
            Input::Stream(lines) => {
                print!("{prompt}");
                io::stdout().flush()?;
                let mut bytes = Vec::new();
                let read = lines.read_until(b'\n', &mut bytes).context("cannot read the input")?;
                println!();
                let text =
                    String::from_utf8_lossy(&bytes).trim_end_matches(['\r', '\n']).to_string();
                Ok((read > 0).then_some(text))
            }
        }
    }
}

/// While a line is edited, the terminal is in raw mode. SIGTERM must restore it.
#[cfg(unix)]
fn restore_on_termination() {
    use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};
    let Ok(before) = tcgetattr(io::stdin()) else { return };
    interrupt::before_termination(move || {
        let _ = tcsetattr(io::stdin(), OptionalActions::Now, &before);
        let _ = execute!(io::stdout(), DisableBracketedPaste);
    });
}

#[cfg(not(unix))]
fn restore_on_termination() {}
