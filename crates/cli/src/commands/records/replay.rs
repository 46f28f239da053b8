//! `agon records replay`.

use std::io::{self, BufRead, IsTerminal, Write};
use std::thread;
use std::time::Duration;

use agon_arena::store::{GameId, StoredGame};
use agon_core::printable;
use agon_core::{Seat, Variant};
use agon_games::{Catalog, Table};
use anyhow::anyhow;

use super::find_game;
use crate::args::ReplayArgs;
use crate::data::Data;
use crate::draw;
use crate::draw::palette::{BOLD, DIM, HEADING};
use crate::draw::styled;
use crate::failure::bad_input;
use crate::output::thousands;
use crate::setup;
use crate::table::move_time;

/// Draws the boards of a game.
pub(super) fn run(args: &ReplayArgs, data: &Data) -> anyhow::Result<()> {
    let (_, game) = find_game(&data.games_to_read()?, args.id)?;
    let plies = game.plies();
    let first = args.at.unwrap_or(args.from);
    if first > plies {
        return Err(bad_input(format!(
            "game {} has no ply {first}: it has plies 0 to {plies}",
            args.id
        )));
    }
    let mut replay = Replay::new(data.catalog(), args.id, &game)?;
    replay.go_to(first)?;
    let in_terminal = io::stdout().is_terminal();
    match (args.at, args.speed) {
        (Some(_), _) => replay.show(),
        (None, Some(pause)) if in_terminal => replay.show_rest(pause),
        (None, None) if in_terminal && io::stdin().is_terminal() => replay.step(),
        _ => replay.show_rest(Duration::ZERO),
    }
}

/// A game that is replayed on a table.
struct Replay<'a> {
    id: GameId,
    game: &'a StoredGame,
    moves: Vec<&'a str>,
    table: Box<dyn Table>,
}

impl<'a> Replay<'a> {
    fn new(catalog: &Catalog, id: GameId, game: &'a StoredGame) -> anyhow::Result<Replay<'a>> {
        let open = || {
            let variant: Variant = game.variant.parse()?;
            setup::opened(catalog, &variant, game.start.as_deref(), None)
        };
        let table = open().map_err(|error| unreadable(id, &error))?;
        let moves = game.opening_moves().chain(game.played_moves()).collect();
        Ok(Replay { id, game, moves, table })
    }

    /// The current ply.
    fn ply(&self) -> usize {
        self.table.played().len()
    }

    /// Plays or takes back moves to this ply, or to the last one.
    fn go_to(&mut self, ply: usize) -> anyhow::Result<()> {
        while self.ply() > ply && self.table.undo() {}
        let missing = self.moves.iter().take(ply).skip(self.ply());
        for mv in missing {
            self.table.play(mv).map_err(|error| unreadable(self.id, &error))?;
        }
        Ok(())
    }

    /// Draws the board, with the last move.
    fn show(&self) -> anyhow::Result<()> {
        let mut out = anstream::stdout().lock();
        let (ply, plies) = (self.ply(), self.moves.len());
        let heading = format!("{}  {}  ply {ply} of {plies}", self.id, self.game.variant);
        writeln!(out, "{}", styled(HEADING, &heading))?;
        if let Some(mv) = self.last_move() {
            writeln!(out, "{mv}")?;
        }
        writeln!(out, "\n{}", draw::table(&*self.table))?;
        // The board does not show a fault or a resignation.
        if ply == plies && self.table.outcome().is_none() {
            writeln!(out, "{}\n", self.end())?;
        }
        Ok(())
    }

    /// "white plays b2b3 (1.5 ms, 120 nodes, depth 7, +0.35)", or "opening: b2b3".
    fn last_move(&self) -> Option<String> {
        let index = self.ply().checked_sub(1)?;
        let mv = styled(BOLD, self.moves.get(index)?);
        let Some(played) = index.checked_sub(self.game.opening_moves().count()) else {
            return Some(format!("opening: {mv}"));
        };
        let seat = self.table.seat_name(*self.game.movers.get(played)?);
        let time = move_time(*self.game.times.get(played)?);
        let nodes = thousands(*self.game.nodes.get(played)?);
        let depth = *self.game.depths.get(played)?;
        let depth = if depth > 0 { format!(", depth {depth}") } else { String::new() };
        let score = *self.game.scores.get(played)?;
        let score = score.map_or(String::new(), |score| format!(", {score}"));
        let effort = styled(DIM, &format!("({time}, {nodes} nodes{depth}{score})"));
        Some(format!("{seat} plays {mv}  {effort}"))
    }

    fn end(&self) -> String {
        let StoredGame { points, reason, offender, .. } = self.game;
        let name = |seat: Seat| self.table.seat_name(seat);
        let by = offender.map_or(String::new(), |seat| format!(" ({})", name(seat)));
        let points: Vec<String> =
            points.iter().map(|(seat, points)| format!("{} {points}", name(seat))).collect();
        let reason = styled(BOLD, &format!("{}{by}", printable(reason)));
        format!("{reason}: {}", points.join(", "))
    }

    /// All boards from here on.
    fn show_rest(&mut self, pause: Duration) -> anyhow::Result<()> {
        self.show()?;
        while self.ply() < self.moves.len() {
            thread::sleep(pause);
            self.go_to(self.ply() + 1)?;
            self.show()?;
        }
        Ok(())
    }

    /// Board by board, interactively.
    fn step(&mut self) -> anyhow::Result<()> {
        self.show()?;
        loop {
            anstream::print!("{}", styled(DIM, "Enter next, b back, N go to ply N, q quit> "));
            io::stdout().flush()?;
            let mut line = String::new();
            if io::stdin().lock().read_line(&mut line)? == 0 {
                println!();
                return Ok(());
            }
            let ply = match line.trim() {
                "q" | "quit" => return Ok(()),
                "b" | "back" => self.ply().saturating_sub(1),
                "" if self.ply() == self.moves.len() => return Ok(()),
                "" => self.ply() + 1,
                number => match number.parse::<usize>() {
                    Ok(ply) if ply <= self.moves.len() => ply,
                    _ => {
                        println!("plies go from 0 to {}", self.moves.len());
                        continue;
                    }
                },
            };
            self.go_to(ply)?;
            self.show()?;
        }
    }
}

/// A stored game that cannot be replayed: a failure, not bad input.
fn unreadable(id: GameId, error: &agon_core::TextError) -> anyhow::Error {
    anyhow!("game {id} cannot be replayed by the rules of this version: {error}")
}
