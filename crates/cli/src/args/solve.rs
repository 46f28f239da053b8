//! The arguments of `agon solve`.

use std::path::PathBuf;
use std::time::Duration;

use agon_arena::clock::read_duration;
use clap::Args;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  agon solve breakthrough:5x5
  agon solve breakthrough:5x5 --all                the value of every first move
  agon solve breakthrough:5x6 --hash 1024 --threads 2
  agon solve congo --time 20s                      give up after 20 seconds
  agon solve wumpus:3 --moves '3,2-2,1' --json
  agon solve breakthrough:8x8 --position '8/8/3p4/8/8/4P3/8/8 w'
  agon solve breakthrough:3x5 --proof 3x5.txt      write the whole proof
  agon solve --check 3x5.txt                       check it against the rules alone
  agon solve breakthrough:5x5 --verify 100         play it against random replies

The value is for the side to move: win, draw or loss with perfect play. In games where positions can
repeat, endless play is a draw, and a win that a move counter would cut short is unknown. Without a
limit the search ends when the value is proven or the memory is full; Ctrl-C stops it and shows what
it has. Whatever is not proven is called unproven, with the reason.")]
pub(crate) struct SolveArgs {
    /// The game and its setup: GAME[:SETUP]
    #[arg(required_unless_present = "check")]
    pub(crate) variant: Option<String>,

    /// Start from this position, in the game's notation
    #[arg(long, value_name = "TEXT", conflicts_with = "check")]
    pub(crate) position: Option<String>,

    /// Then play these moves, separated by spaces
    #[arg(long, value_name = "MOVES", conflicts_with = "check", allow_hyphen_values = true)]
    pub(crate) moves: Option<String>,

    /// Maximum size of the table of proven positions in MiB; it grows as needed
    #[arg(long, value_name = "MIB", default_value_t = 512, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    pub(crate) hash: u32,

    /// How many threads to use
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    pub(crate) threads: u32,

    /// Stop after this time, for all moves of --all together: 20s, 5m
    #[arg(long, value_name = "TIME", alias = "per-move", value_parser = read_duration)]
    pub(crate) time: Option<Duration>,

    /// Stop after this many nodes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) nodes: Option<u64>,

    /// Show the value of every legal move too
    #[arg(long, conflicts_with = "check")]
    pub(crate) all: bool,

    /// Write the whole proof to this file (small boards, in games whose positions never repeat)
    #[arg(long, value_name = "FILE", conflicts_with = "check")]
    pub(crate) proof: Option<PathBuf>,

    /// Verify the value in this many games of perfect play against random replies
    #[arg(long, value_name = "GAMES", default_value_t = 0, conflicts_with = "check")]
    pub(crate) verify: u32,

    /// Check the proof in this file
    #[arg(long, value_name = "FILE", conflicts_with = "variant")]
    pub(crate) check: Option<PathBuf>,

    /// Print JSON: {"value":"win|draw|loss|unknown","unknown":"nodes|time|memory|stopped|rules",
    /// "best","distance","line","nodes","seconds",…}
    #[arg(long)]
    pub(crate) json: bool,
}
