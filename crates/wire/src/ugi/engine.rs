//! The engine's side of the conversation.

use std::io::{self, BufRead, Write};
use std::ops::ControlFlow;
use std::thread;

use agon_core::{Outcome, Status};
use agon_search::StopFlag;

use super::board::Board;
use super::command::{Command, Go, Query};
use super::lines::EngineLine;
use super::options::Settings;
use super::output::Output;
use super::search::{Job, Searcher, crashed, think};
use crate::input::{LONGEST_LINE, Line, LineReader};
use crate::problem::LineProblem;

/// The engine's side of a session. Bad input changes nothing and is answered with `info string
/// error: …`.
pub struct UgiEngine {
    settings: Settings,
    /// How many games were started, so that each has its own seed.
    games: u64,
    /// `None` while it is being searched.
    board: Option<Board>,
}

/// A search in progress.
struct Running {
    /// The state of the game being searched.
    status: Status,
    stop: StopFlag,
    /// It has no limit, and has not been stopped yet.
    endless: bool,
}

/// Why a command failed.
enum Failure {
    /// A bad command: it is reported, and the session goes on.
    LineProblem(LineProblem),
    /// The output is closed.
    Io(io::Error),
}

impl<P: Into<LineProblem>> From<P> for Failure {
    fn from(problem: P) -> Failure {
        Failure::LineProblem(problem.into())
    }
}

impl UgiEngine {
    /// A session with these settings.
    pub fn new(settings: Settings) -> Result<UgiEngine, LineProblem> {
        let board = Some(Board::new(&settings, 0)?);
        Ok(UgiEngine { settings, games: 0, board })
    }

    /// Answers the input until it ends or says `quit`. A search still running then is stopped.
    pub fn run(self, input: impl BufRead, output: impl Write + Send) -> io::Result<()> {
        let output = &Output::new(output);
        thread::scope(|scope| {
            let searcher = Searcher::start(scope, output);
            let mut talk = Talk { session: self, running: None, searcher, output };
            let listened = talk.listen(LineReader::new(input));
            talk.stop();
            let settled = match talk.settle() {
                Err(Failure::Io(error)) => Err(error),
                _ => Ok(()),
            };
            talk.searcher.end().and(listened).and(settled)
        })
    }
}

/// A session with its two threads: this one reads the input.
struct Talk<'s, W> {
    session: UgiEngine,
    running: Option<Running>,
    searcher: Searcher<'s>,
    output: &'s Output<W>,
}

impl<W: Write> Talk<'_, W> {
    /// Executes line after line.
    fn listen(&mut self, mut lines: LineReader<impl BufRead>) -> io::Result<()> {
        while let Some(line) = lines.line()? {
            let obeyed = match line {
                Line::Text(text) => self.obey(&text),
                Line::TooLong => {
                    Err(LineProblem::new(format!("a line has more than {LONGEST_LINE} bytes"))
                        .into())
                }
            };
            match obeyed {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => break,
                Err(Failure::LineProblem(problem)) => self.note(format!("error: {problem}"))?,
                Err(Failure::Io(error)) => return Err(error),
            }
        }
        Ok(())
    }

    fn obey(&mut self, line: &str) -> Result<ControlFlow<()>, Failure> {
        match Command::parse(line)? {
            None => {}
            Some(Command::Ugi) => self.introduce()?,
            Some(Command::IsReady) => self.say(&EngineLine::ReadyOk)?,
            Some(Command::NewGame) => self.new_game()?,
            Some(Command::SetOption { name, value }) => self.set_option(name, value)?,
            Some(Command::Position { start, moves }) => self.board()?.set_position(start, moves)?,
            Some(Command::Go(go)) => self.go(&go)?,
            Some(Command::Stop) => self.stop(),
            Some(Command::Query(query)) => self.answer(query)?,
            Some(Command::Quit) => return Ok(ControlFlow::Break(())),
        }
        Ok(ControlFlow::Continue(()))
    }

    fn say(&self, line: &EngineLine) -> Result<(), Failure> {
        self.output.say(line).map_err(Failure::Io)
    }

    fn note(&self, text: String) -> io::Result<()> {
        self.output.say(&EngineLine::Note(text))
    }

    fn introduce(&self) -> Result<(), Failure> {
        self.say(&EngineLine::Name(format!("Agon {}", env!("CARGO_PKG_VERSION"))))?;
        self.say(&EngineLine::Author("the authors of Agon".to_string()))?;
        for option in self.session.settings.lines() {
            self.say(&EngineLine::Option(option))?;
        }
        self.say(&EngineLine::UgiOk)
    }

    /// Waits until the search that has the board is over, unless nothing would end it.
    fn settle(&mut self) -> Result<(), Failure> {
        let Some(running) = &self.running else { return Ok(()) };
        if running.endless {
            return Err(LineProblem::new("an unlimited search is running; send stop first").into());
        }
        self.running = None;
        self.session.board = Some(self.searcher.wait().map_err(Failure::Io)?);
        Ok(())
    }

    /// The board, once no search has it.
    fn board(&mut self) -> Result<&mut Board, Failure> {
        self.settle()?;
        self.session.board.as_mut().ok_or_else(|| Failure::Io(crashed()))
    }

    /// The same, by value.
    fn take_board(&mut self) -> Result<Board, Failure> {
        self.settle()?;
        self.session.board.take().ok_or_else(|| Failure::Io(crashed()))
    }

    fn new_game(&mut self) -> Result<(), Failure> {
        self.settle()?;
        let session = &mut self.session;
        session.games += 1;
        session.board = Some(Board::new(&session.settings, session.games)?);
        Ok(())
    }

    /// Sets an option, if an agent can be made with it. The game goes on unless the variant
    /// changes.
    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), Failure> {
        self.settle()?;
        let value = value.ok_or_else(|| {
            LineProblem::new(format!("setoption: expected value … after name {name}"))
        })?;
        let mut settings = self.session.settings.clone();
        settings.set(name, value)?;
        let same_game = settings.variant == self.session.settings.variant;
        let mut board = Board::new(&settings, self.session.games)?;
        let (agent, unused) = settings.agent_at(board.table.seats());
        if same_game {
            board.take_game(self.take_board()?);
        }
        (self.session.board, self.session.settings) = (Some(board), settings);
        if let Some(unused) = unused.iter().find(|unused| unused.eq_ignore_ascii_case(name)) {
            let text = format!("{unused} has no effect on {} in this game", agent.name);
            self.note(text).map_err(Failure::Io)?;
        }
        Ok(())
    }

    fn go(&mut self, go: &Go) -> Result<(), Failure> {
        let status = self.board()?.table.status();
        let seat = match status {
            Status::ToMove(seat) => seat,
            Status::Over(outcome) => {
                let reason = self.board()?.table.reason_text(&outcome);
                self.note(format!("the game is over: {reason}")).map_err(Failure::Io)?;
                return self.say(&EngineLine::BestMove(None));
            }
        };
        let budget = go.budget(seat)?;
        let output = self.output;
        let board = self.board()?;
        if board.instant && !go.infinite {
            let best = think(board, &budget, output).map_err(Failure::Io)?;
            return self.say(&EngineLine::BestMove(best));
        }
        let (board, stop) = (self.take_board()?, budget.stop.clone());
        self.running = Some(Running { status, stop, endless: go.infinite });
        self.searcher.begin(Job { board, budget, held: go.infinite }).map_err(Failure::Io)
    }

    /// Tells the search, if there is one, to answer.
    fn stop(&mut self) {
        let Some(running) = &mut self.running else { return };
        running.stop.stop();
        if running.endless {
            running.endless = false;
            self.searcher.release();
        }
    }

    /// Answers a query, also during a search.
    fn answer(&mut self, query: Query) -> Result<(), Failure> {
        let status = match &self.running {
            Some(running) => running.status,
            None => self.board()?.table.status(),
        };
        let outcome = status.outcome();
        let text = match query {
            Query::GameOver => outcome.is_some().to_string(),
            Query::Turn(seat) => (status.to_move() == Some(seat)).to_string(),
            Query::Result => outcome.map_or("none".to_string(), |outcome| result_word(&outcome)),
            Query::Points => outcome.map_or("none".to_string(), |outcome| points_text(&outcome)),
        };
        self.say(&EngineLine::Response(text))
    }
}

/// The winner: the only seat in first place; if several share it, there is none.
fn result_word(outcome: &Outcome) -> String {
    outcome.winner().map_or("draw".to_string(), |seat| format!("p{}win", seat.index() + 1))
}

fn points_text(outcome: &Outcome) -> String {
    let points: Vec<String> = outcome.points().as_slice().iter().map(u8::to_string).collect();
    points.join(" ")
}
