//! `agon congo …`: the exercises of the Congo course, on standard input and output.

use std::io::{BufRead, StdinLock, Write};

use agon_core::{Evaluate, Evaluation, History, Variant};
use agon_games::congo::PieceKind;
use agon_games::congo::course::{self, CourseCongo, LION_CAPTURED};
use agon_search::alphabeta::AlphaBeta;
use agon_search::deepening::FixedDepth;
use agon_search::minimax::Minimax;
use agon_search::tree::Tree;
use agon_search::{Budget, Forced, Root, Score};
use agon_wire::congo::CongoEngine;
use anyhow::Context;

use crate::args::{CongoCommand, CongoEngineArgs, CongoEvaluation, CongoForm, CongoTask};
use crate::data::Data;
use crate::failure::bad_input;

/// The maximum number of positions in an input.
const MOST_POSITIONS: usize = 1_000_000;

/// The maximum length of a line, in bytes.
const LONGEST_LINE: u64 = 64 << 10;

/// Runs an exercise, or the engine.
pub(crate) fn run(task: &CongoTask, data: &Data) -> anyhow::Result<()> {
    match task {
        CongoTask::Form(command) => answer(command),
        CongoTask::Engine(args) => play(args, data),
    }
}

/// Plays by the protocol of the course's tournaments.
fn play(args: &CongoEngineArgs, data: &Data) -> anyhow::Result<()> {
    let setup = if args.form.no_promotion { "no-promotion" } else { "" };
    let variant = Variant::new("congo", setup);
    let session = CongoEngine::new(args.agent.parse()?, args.seed, data.catalog(), &variant);
    let session = session.map_err(|problem| bad_input(problem.to_string()))?;
    session.run(std::io::stdin().lock(), std::io::stdout().lock(), std::io::stderr())?;
    Ok(())
}

/// Solves an exercise.
fn answer(command: &CongoCommand) -> anyhow::Result<()> {
    let mut input = Lines { lines: std::io::stdin().lock(), number: 0 };
    let mut out = std::io::stdout().lock();
    let CongoForm { no_promotion } = *command.form();
    let promotion = !no_promotion;
    for index in 0..input.count()? {
        let fen = input.next("a position")?;
        match command {
            CongoCommand::Pieces(_) => {
                let blank = if index > 0 { "\n" } else { "" };
                let listed = input.located(course::pieces(&fen, promotion))?;
                writeln!(out, "{blank}{}", listed.trim_end())?;
            }
            CongoCommand::Moves(args) => {
                writeln!(out, "{}", input.located(course::moves(&fen, args.piece, promotion))?)?;
            }
            CongoCommand::Apply(_) => {
                let mv = input.next("a move")?;
                let (after, verdict) = input.located(course::apply(&fen, &mv, promotion))?;
                writeln!(out, "{after}\n{verdict}")?;
            }
            CongoCommand::Evaluate(args) => {
                let position = input.located(CourseCongo::read(&fen, promotion))?;
                let position = with_worths(position, &args.worth);
                writeln!(out, "{}", position.value(position.turn(), args.advanced))?;
            }
            CongoCommand::Minimax(args) => {
                let position =
                    with_worths(input.located(CourseCongo::read(&fen, promotion))?, &args.worth);
                let evaluation = evaluation(args.evaluation.unwrap_or(CongoEvaluation::Simple));
                writeln!(
                    out,
                    "{}",
                    search(
                        &position,
                        Minimax { evaluation: evaluation.into() },
                        args.depth.unwrap_or(2)
                    )
                )?;
            }
            CongoCommand::Alphabeta(args) => {
                let position =
                    with_worths(input.located(CourseCongo::read(&fen, promotion))?, &args.worth);
                let evaluation = evaluation(args.evaluation.unwrap_or(CongoEvaluation::Advanced));
                writeln!(
                    out,
                    "{}",
                    search(
                        &position,
                        AlphaBeta { evaluation: evaluation.into() },
                        args.depth.unwrap_or(4)
                    )
                )?;
            }
        }
    }
    Ok(())
}

fn with_worths(position: CourseCongo, worths: &[(PieceKind, i32)]) -> CourseCongo {
    worths.iter().fold(position, |position, &(kind, worth)| position.with_worth(kind, worth))
}

/// The evaluation by the course's name for it.
fn evaluation(which: CongoEvaluation) -> Evaluation<CourseCongo> {
    let [simple, advanced] = CourseCongo::evaluations() else { unreachable!("the course has two") };
    if which == CongoEvaluation::Simple { *simple } else { *advanced }
}

/// The value for the side to play; a captured lion is worth the same at any depth.
fn search(position: &CourseCongo, search: impl FixedDepth<CourseCongo>, depth: u32) -> i32 {
    let history = History::new(position);
    let root = Root { position, history: &history };
    let mut tree = Tree::new(root, &Budget::default());
    let score = search.search(&mut tree, position, depth).unwrap_or(Score::DRAW);
    match score.forced() {
        Some(Forced::WinIn(_)) => LION_CAPTURED,
        Some(Forced::LossIn(_)) => -LION_CAPTURED,
        None => score.value(),
    }
}

/// The input line by line, with line numbers for errors.
struct Lines {
    lines: StdinLock<'static>,
    number: usize,
}

impl Lines {
    /// The first line: how many positions follow.
    fn count(&mut self) -> anyhow::Result<usize> {
        let line = self.next("the number of positions")?;
        let count = line.parse().ok().filter(|count| *count <= MOST_POSITIONS);
        count.ok_or_else(|| {
            bad_input(format!(
                "line {}: expected the number of positions, 0 to {MOST_POSITIONS}, found {line:?}",
                self.number
            ))
        })
    }

    /// The next line that is not blank; an error if there is none.
    fn next(&mut self, what: &str) -> anyhow::Result<String> {
        loop {
            let line = self.line(what)?;
            if !line.is_empty() {
                return Ok(line);
            }
        }
    }

    /// The next line, trimmed; may be blank.
    fn line(&mut self, what: &str) -> anyhow::Result<String> {
        self.number += 1;
        let mut bytes = Vec::new();
        let mut limited = std::io::Read::take(&mut self.lines, LONGEST_LINE);
        let read = limited.read_until(b'\n', &mut bytes).context("cannot read the input")?;
        if read == 0 {
            return Err(bad_input(format!(
                "line {}: expected {what}, found the end of the input",
                self.number
            )));
        }
        if read as u64 == LONGEST_LINE {
            return Err(bad_input(format!(
                "line {}: longer than {LONGEST_LINE} bytes",
                self.number
            )));
        }
        Ok(String::from_utf8_lossy(&bytes).trim().to_string())
    }

    /// Adds the line number to an error.
    fn located<T>(&self, result: Result<T, agon_core::TextError>) -> anyhow::Result<T> {
        result.with_context(|| format!("line {}", self.number))
    }
}
