//! An analysis as text.

use std::fmt;

use agon_core::Seat;

use super::super::{Analysis, Node, after_move, before_move};
use super::{comment, lexer};
use crate::game_text::{UNKNOWN, Words, evaluation, read_score, score_text, tag_name, write_tag};
use crate::score_json::ScoreJson;

/// What the text of an analysis says about its game.
pub(super) struct Setting {
    /// The names of the seats.
    pub(super) seats: Vec<String>,
    /// Who made each move.
    pub(super) movers: Vec<Seat>,
}

/// A part of a text that is still to be written.
enum Part {
    /// A move.
    Move(usize),
    /// What follows a move, or the start: its main line and the variations.
    After(usize),
    /// The beginning of a variation.
    Open,
    /// Its end.
    Close,
}

struct Writer<'a> {
    analysis: &'a Analysis,
    setting: &'a Setting,
    plies: Vec<usize>,
    /// Whether the number of the next move is not plain from the one before it.
    interrupted: bool,
    words: Words,
    out: String,
}

/// The text of an analysis that has been checked.
pub(super) fn text(analysis: &Analysis, setting: &Setting) -> Result<String, fmt::Error> {
    let (plies, children) = shape(analysis);
    let words = Words::default();
    let mut writer =
        Writer { analysis, setting, plies, interrupted: false, words, out: String::new() };
    writer.tags()?;
    writer.comment(&[], &analysis.comment)?;
    let mut waiting = vec![Part::After(0)];
    while let Some(part) = waiting.pop() {
        match part {
            Part::Move(number) => writer.node(number)?,
            Part::Open | Part::Close => writer.parenthesis(matches!(part, Part::Open))?,
            Part::After(number) => {
                let Some((&main, others)) = children[number].split_first() else { continue };
                waiting.push(Part::After(main));
                for &other in others.iter().rev() {
                    let variation =
                        [Part::Close, Part::After(other), Part::Move(other), Part::Open];
                    waiting.extend(variation);
                }
                waiting.push(Part::Move(main));
            }
        }
    }
    writer.word(UNKNOWN)?;
    writer.out.push_str("\n\n");
    Ok(writer.out)
}

/// How many moves lead to each node, and which follow it.
fn shape(analysis: &Analysis) -> (Vec<usize>, Vec<Vec<usize>>) {
    let mut plies = vec![0];
    let mut children = vec![Vec::new(); analysis.nodes.len() + 1];
    for (number, node) in (1..).zip(&analysis.nodes) {
        plies.push(plies[node.parent] + 1);
        children[node.parent].push(number);
    }
    (plies, children)
}

impl Writer<'_> {
    fn tags(&mut self) -> fmt::Result {
        let Analysis { variant, start, title, names, opening, .. } = self.analysis;
        let out = &mut self.out;
        if !title.is_empty() {
            write_tag(out, "Event", title)?;
        }
        write_tag(out, "Variant", variant)?;
        for (seat, name) in self.setting.seats.iter().zip(names) {
            if !name.is_empty() {
                write_tag(out, &tag_name(seat), name)?;
            }
        }
        write_tag(out, "Result", UNKNOWN)?;
        if let Some(start) = start {
            write_tag(out, "Start", start)?;
        }
        if *opening > 0 {
            write_tag(out, "OpeningPlies", &opening.to_string())?;
        }
        Ok(())
    }

    fn word(&mut self, word: &str) -> fmt::Result {
        self.words.write(&mut self.out, word)
    }

    fn parenthesis(&mut self, opens: bool) -> fmt::Result {
        self.interrupted = true;
        self.word(if opens { "(" } else { ")" })
    }

    fn node(&mut self, number: usize) -> fmt::Result {
        let (ply, seats) = (self.plies[number] - 1, self.setting.seats.len().max(1));
        if ply % seats == 0 {
            self.word(&format!("{}.", ply / seats + 1))?;
        } else if self.interrupted {
            self.word(&format!("{}...", ply / seats + 1))?;
        }
        self.interrupted = false;
        let node = &self.analysis.nodes[number - 1];
        self.word(&(lexer::word(&node.mv) + node.sign.text()))?;
        let commands = commands(node, self.setting.movers[number - 1], seats);
        self.comment(&commands, &node.comment)
    }

    fn comment(&mut self, commands: &[String], text: &str) -> fmt::Result {
        let mut inside = commands.join(" ");
        if !inside.is_empty() && !text.is_empty() {
            inside.push(' ');
        }
        inside.push_str(&comment::escaped(text));
        if inside.is_empty() {
            return Ok(());
        }
        format!("{{{inside}}}").split(' ').try_for_each(|word| self.word(word))
    }
}

/// The evaluation of a move as commands in its comment.
fn commands(node: &Node, seat: Seat, seats: usize) -> Vec<String> {
    let mut commands = Vec::new();
    if let Some(score) = node.score {
        let before = before_move(score);
        commands.push(evaluation(before, node.depth.unwrap_or(0), seat, seats));
        // The evaluation counts moves, and plies are more exact.
        let read = read_score(&score_text(before, seat, seats), seat, seats);
        if let Some(plies) = plies(score).filter(|_| read.map(after_move) != Some(score)) {
            commands.push(format!("[%plies {plies}]"));
        }
    }
    if node.exact {
        commands.push("[%exact]".into());
    }
    commands
}

/// How long it takes to a forced result.
fn plies(score: ScoreJson) -> Option<u32> {
    match score {
        ScoreJson::Units(_) => None,
        ScoreJson::WinIn { win_in: plies } | ScoreJson::LossIn { loss_in: plies } => Some(plies),
    }
}
