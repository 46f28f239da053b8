//! `agon` alone: what there is and how to begin.

use std::io::Write;

use agon_games::GAMES;

use crate::draw::palette::{BOLD, DIM, HEADING};
use crate::draw::styled;

/// Lists the games and shows how to play.
pub(crate) fn run() -> anyhow::Result<()> {
    let mut out = anstream::stdout().lock();
    writeln!(out, "{}", styled(HEADING, "Agon, the workbench for adversarial-search agents"))?;
    writeln!(out, "\n{}", styled(BOLD, "Games"))?;
    for game in GAMES {
        writeln!(out, "  {:<14}{}", game.name, game.summary)?;
    }
    writeln!(out, "\n{}", styled(BOLD, "Try"))?;
    let examples = [
        ("agon play breakthrough:6x6", "play in the terminal, right now"),
        ("agon show congo", "look at a board"),
        ("agon moves fenix", "the legal moves"),
        ("agon perft wumpus:6 6", "count move sequences, and see how fast"),
        ("agon games", "variants, notations and agents"),
        ("agon help", "all commands; agon COMMAND --help explains one"),
    ];
    for (command, about) in examples {
        writeln!(out, "  {command:<30}{}", styled(DIM, about))?;
    }
    let from_source =
        "From the source folder, cargo run --release -- play breakthrough:6x6 does the same.";
    writeln!(out, "\n{}", styled(DIM, from_source))?;
    Ok(())
}
