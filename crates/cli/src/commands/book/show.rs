//! `agon book show`: the moves of a book as a tree.

use std::io::Write;

use agon_arena::score_json::ScoreJson;
use agon_core::text::split_moves;
use agon_games::Table;
use agon_search::book::{Book, BookMove, mark};
use serde::Serialize;

use super::{Opened, open};
use crate::args::BookShowArgs;
use crate::data::Data;
use crate::draw::palette::{BOLD, DIM};
use crate::draw::styled;
use crate::failure::bad_input;
use crate::output::{print_json, thousands};

/// Shows the moves of a book.
pub(super) fn run(args: &BookShowArgs, data: &Data) -> anyhow::Result<()> {
    let Opened { name, book, mut start } = open(&args.book, data)?;
    for mv in split_moves(args.moves.as_deref().unwrap_or("")) {
        start.play(mv)?;
    }
    if !book.contains(start.canonical_key()) {
        let line = start.played().join(" ");
        return Err(bad_input(match line.is_empty() {
            true => format!("the start of {} is not in {name}", start.variant()),
            false => format!("the position after {line} is not in {name}"),
        }));
    }
    let shown = Showing { book: &book, depth: args.depth };
    if args.json {
        let (variant, position) = (start.variant().to_string(), start.position());
        let moves = shown.json(&*start, 1);
        return Ok(print_json(&ShowJson { book: name, variant, position, moves })?);
    }
    let mut out = anstream::stdout();
    writeln!(out, "{}", styled(DIM, &name))?;
    let header = format!("{:>16} {:>6} {:>7}  move", "score", "depth", "weight");
    writeln!(out, "{}", styled(BOLD, &header))?;
    shown.print(&*start, 1, &mut out)
}

#[derive(Serialize)]
struct ShowJson {
    book: String,
    variant: String,
    position: String,
    moves: Vec<MoveJson>,
}

#[derive(Serialize)]
struct MoveJson {
    r#move: String,
    score: ScoreJson,
    depth: u8,
    weight: u16,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    moves: Vec<MoveJson>,
}

struct Showing<'a> {
    book: &'a Book,
    depth: u32,
}

impl Showing<'_> {
    /// The moves of a position with their texts, the best first.
    fn moves(&self, table: &dyn Table) -> Vec<(String, BookMove)> {
        let legal = table.keyed_moves();
        let name = |known: BookMove| {
            let found = legal.iter().find(|(_, to)| mark(*to) == known.to);
            found.map(|(text, _)| (text.clone(), known))
        };
        let mut moves: Vec<_> = self.book.at(table.canonical_key()).filter_map(name).collect();
        moves.sort_by_key(|(_, known)| std::cmp::Reverse(known.worth));
        moves
    }

    fn after(table: &dyn Table, mv: &str) -> Box<dyn Table> {
        let mut after = table.fork();
        // It is one of the legal moves.
        let _ = after.play(mv);
        after
    }

    fn json(&self, table: &dyn Table, ply: u32) -> Vec<MoveJson> {
        let json = |(text, BookMove { worth, depth, weight, .. }): (String, BookMove)| {
            let goes_on = ply < self.depth;
            let moves =
                if goes_on { self.json(&*Self::after(table, &text), ply + 1) } else { vec![] };
            MoveJson { r#move: text, score: worth.score().into(), depth, weight, moves }
        };
        self.moves(table).into_iter().map(json).collect()
    }

    fn print(&self, table: &dyn Table, ply: u32, out: &mut impl Write) -> anyhow::Result<()> {
        for (text, BookMove { worth, depth, weight, .. }) in self.moves(table) {
            let (score, weight) = (worth.score().to_string(), thousands(weight.into()));
            let indent = "  ".repeat(ply as usize - 1);
            writeln!(out, "{score:>16} {depth:>6} {weight:>7}  {indent}{}", styled(BOLD, &text))?;
            if ply < self.depth {
                self.print(&*Self::after(table, &text), ply + 1, out)?;
            }
        }
        Ok(())
    }
}
