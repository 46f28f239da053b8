//! The protocol of the Congo course's tournaments.
//!
//! `newgame`, `position FEN`, `moves M1 M2 …` (the opponent's moves since; the engine has already
//! played its own), `go SECONDS`, answered with a move on its own line, and `quit`. Errors go to a
//! separate stream, for people: the referee only sees moves.

use std::io::{self, BufRead, Write};
use std::time::Duration;

use agon_core::Variant;
use agon_games::{Catalog, Table};
use agon_search::{Adviser, AgentSpec, Budget, adviser};

use crate::input::{LONGEST_LINE, Line, LineReader};
use crate::moves::play_all;
use crate::problem::{LineProblem, quoted};

/// The engine's side of a game in the course's tournaments. Bad input changes nothing.
pub struct CongoEngine {
    agent: AgentSpec,
    seed: u64,
    table: Box<dyn Table>,
    adviser: Box<dyn Adviser>,
}

/// The result of a line.
enum Reply {
    Nothing,
    Move(String),
    Quit,
}

impl CongoEngine {
    /// A session with this agent, at the start of a game of `congo`, or of `congo:no-promotion` as
    /// in the course's 2021 edition.
    pub fn new(
        agent: AgentSpec,
        seed: u64,
        catalog: &Catalog,
        variant: &Variant,
    ) -> Result<CongoEngine, LineProblem> {
        let table = catalog.open(variant)?;
        let adviser = adviser(&*table, &agent, seed)?;
        Ok(CongoEngine { agent, seed, table, adviser })
    }

    /// Answers the input until it ends or says `quit`.
    pub fn run(
        mut self,
        input: impl BufRead,
        mut output: impl Write,
        mut errors: impl Write,
    ) -> io::Result<()> {
        let mut lines = LineReader::new(input);
        while let Some(line) = lines.line()? {
            let reply = match line {
                Line::Text(text) => self.obey(&text),
                Line::TooLong => {
                    Err(LineProblem::new(format!("a line has more than {LONGEST_LINE} bytes")))
                }
            };
            match reply {
                Ok(Reply::Nothing) => {}
                Ok(Reply::Quit) => break,
                Ok(Reply::Move(mv)) => {
                    output.write_all(format!("{mv}\n").as_bytes())?;
                    output.flush()?;
                }
                // If the error stream is closed, nobody wants to see them.
                Err(problem) => drop(writeln!(errors, "error: {problem}")),
            }
        }
        Ok(())
    }

    fn obey(&mut self, line: &str) -> Result<Reply, LineProblem> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match (word, rest) {
            ("", _) => {}
            ("quit", "") => return Ok(Reply::Quit),
            ("newgame", "") => {
                let (agent, table) = (self.agent.clone(), &self.table);
                let seed = self.seed.wrapping_add(1);
                *self = CongoEngine::new(agent, seed, table.catalog(), table.variant())?;
            }
            ("position", _) => self.table.set_position(rest)?,
            ("moves", _) => self.play(rest)?,
            ("go", _) => return self.go(rest).map(Reply::Move),
            _ => {
                return Err(LineProblem::new(format!(
                    "expected newgame, position FEN, moves …, go SECONDS or quit, found {}",
                    quoted(line)
                )));
            }
        }
        Ok(Reply::Nothing)
    }

    fn play(&mut self, moves: &str) -> Result<(), LineProblem> {
        self.forget_draws();
        play_all(&mut *self.table, moves)
    }

    /// Thinks for at most this long, plays the move and returns it.
    fn go(&mut self, seconds: &str) -> Result<String, LineProblem> {
        let budget = Budget::per_move(time_for(seconds)?);
        self.forget_draws();
        let choice = self.adviser.choose(&*self.table, &budget, &mut |_| {});
        let Some(choice) = choice else {
            let reason = self.table.reason().unwrap_or("no move left".into());
            return Err(LineProblem::new(format!("go: the game is over: {reason}")));
        };
        Ok(self.table.play(&choice.mv)?)
    }

    /// The course has no draw by repetition or length. If our rules have declared one and the
    /// referee goes on, the game goes on from this position.
    fn forget_draws(&mut self) {
        if self.table.outcome().is_some() && !self.table.played().is_empty() {
            let position = self.table.position();
            // The table wrote this position itself. If it is over on the board, it stays over.
            let _ = self.table.set_position(&position);
        }
    }
}

/// The time to think, out of the seconds that a referee gives: reduced by the latency between the
/// two programs.
fn time_for(seconds: &str) -> Result<Duration, LineProblem> {
    const LONGEST: f64 = 30.0 * 24.0 * 3600.0;
    const MOST_MARGIN: Duration = Duration::from_millis(50);
    let number = seconds.parse().ok().filter(|seconds: &f64| *seconds > 0.0);
    let number = number.ok_or_else(|| {
        let found = quoted(seconds);
        LineProblem::new(format!("go: expected seconds above 0, such as 1 or 0.5, found {found}"))
    })?;
    let time = Duration::from_secs_f64(number.min(LONGEST));
    Ok(time - (time / 10).min(MOST_MARGIN))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a session with a quick agent answers, and its errors.
    fn script(input: &[u8]) -> (Vec<String>, Vec<String>) {
        let session = CongoEngine::new(
            "ordered:depth=2".parse().unwrap(),
            0,
            &Catalog::built_in(),
            &Variant::new("congo", ""),
        )
        .unwrap();
        let (mut output, mut errors) = (Vec::new(), Vec::new());
        session.run(input, &mut output, &mut errors).unwrap();
        let lines = |bytes| String::from_utf8(bytes).unwrap().lines().map(str::to_string).collect();
        (lines(output), lines(errors))
    }

    #[test]
    fn it_keeps_the_board_itself() {
        // Its own answer is played: only then is white's second move legal.
        let (moves, errors) = script(
            b"newgame\nmoves d2d3\ngo 5\nmoves d3d4\ngo 5\n\
              position 3l3/7/7/7/7/6P/3L3 w 0\ngo 0.5\nquit\ngo 1\n",
        );
        assert!(errors.is_empty(), "{errors:?}");
        assert_eq!(moves.len(), 3);
        assert_eq!(moves[2], "d1d7", "the lion is taken");
    }

    #[test]
    fn bad_lines_are_answered_on_the_other_channel_and_change_nothing() {
        let good = "position 3l3/7/7/7/7/6P/3L3 w 0";
        for (bad, word) in [
            ("hello", "expected newgame"),
            ("newgame now", "expected newgame"),
            ("position x", "bad position"),
            ("moves g2g3 zz", "move 2"),
            ("moves g2g7", "a legal move"),
            ("go", "seconds above 0"),
            ("go soon", "seconds above 0"),
            ("go -1", "seconds above 0"),
            ("go 0", "seconds above 0"),
            ("go NaN", "seconds above 0"),
            (&*"x".repeat(LONGEST_LINE + 1), "bytes"),
        ] {
            let (moves, errors) = script(format!("{good}\n{bad}\ngo 1\n").as_bytes());
            assert_eq!(moves, ["d1d7"], "{bad}");
            assert_eq!(errors.len(), 1, "{bad}: {errors:?}");
            assert!(errors[0].starts_with("error: ") && errors[0].contains(word), "{errors:?}");
        }
    }

    #[test]
    fn blank_lines_are_no_commands() {
        let (moves, errors) = script(b"\n  \t \nposition 3l3/7/7/7/7/6P/3L3 w 0\n\ngo 1\n");
        assert_eq!((moves.len(), errors), (1, vec![]));
    }

    #[test]
    fn every_game_has_its_own_seed() {
        let variant = Variant::new("congo", "");
        let mut session =
            CongoEngine::new("random".parse().unwrap(), 7, &Catalog::built_in(), &variant).unwrap();
        for seed in 8..11 {
            session.obey("newgame").unwrap();
            assert_eq!(session.seed, seed);
        }
    }

    #[test]
    fn a_game_that_goes_on_keeps_its_history() {
        let variant = Variant::new("congo", "");
        let mut session =
            CongoEngine::new("random".parse().unwrap(), 0, &Catalog::built_in(), &variant).unwrap();
        session.obey("moves d2d3 d6d5").unwrap();
        session.obey("moves c2c3").unwrap();
        session.obey("go 0.01").unwrap();
        assert_eq!(session.table.played().len(), 4);
    }

    #[test]
    fn in_a_finished_game_there_is_no_move() {
        let (moves, errors) = script(b"position 3l3/7/7/7/7/6P/3L3 w 0\nmoves d1d7\ngo 1\n");
        assert!(moves.is_empty(), "{moves:?}");
        assert!(errors[0].contains("the game is over"), "{errors:?}");
    }

    #[test]
    fn the_course_has_no_draw_by_repetition() {
        let shuffle = "moves c1c2 e7e6 c2c1 e6e7\n".repeat(4);
        let input = format!("position 4l2/7/7/7/6p/P6/2L4 w 0\n{shuffle}go 1\n");
        let (moves, errors) = script(input.as_bytes());
        assert!(errors.is_empty(), "{errors:?}");
        assert_eq!(moves.len(), 1);
    }

    #[test]
    fn times_keep_a_margin() {
        let margin = |text| {
            let seconds: f64 = str::parse(text).unwrap();
            Duration::from_secs_f64(seconds) - time_for(text).unwrap()
        };
        assert_eq!(margin("10"), Duration::from_millis(50));
        assert_eq!(margin("0.1"), Duration::from_millis(10));
        // Without end means a month.
        let month = Duration::from_secs(2_592_000) - Duration::from_millis(50);
        assert_eq!((time_for("1e300").unwrap(), time_for("inf").unwrap()), (month, month));
    }

    #[test]
    fn no_bytes_break_a_session() {
        let mut rng = agon_core::Rng::new(5);
        for _ in 0..500 {
            let noise: Vec<u8> = (0..200).map(|_| rng.below(256) as u8).collect();
            script(&noise);
        }
    }
}
