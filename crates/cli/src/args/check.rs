//! The arguments of `agon check`.

use std::path::PathBuf;
use std::time::Duration;

use agon_arena::clock::{GameTime, read_duration};
use clap::Args;

use super::PythonArgs;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  agon check congo engine
  agon check congo 'congo:python3 agent.py'
  agon check breakthrough:6x6 'ugi:./my-engine' --per-move 500ms --games 20 --json
  agon check fenix python:agent.py --time 5m
  agon check fauhalma:star3 mcts --per-move 100ms

What is looked at, a line each: whether the agent starts; plays a whole game by the rules from every
seat; keeps the time for a move, and for a game; plays a second game in the same process; knows and
sees what the game's scenarios ask for; gets more than 75 % of the points against random agents; and
leaves when it is told to. What makes no sense after a failure is skipped.

The games against random agents take the longest. They are played with the clock of --time by an
agent that has kept it, and with --per-move by any other.

The exit code is 0 if nothing failed, 1 if something did, and 2 if the question was wrong.")]
pub(crate) struct CheckArgs {
    /// The game and its setup: GAME[:SETUP]
    pub(crate) variant: String,

    /// Who is checked: NAME[:OPTION=VALUE,…], ugi:COMMAND, congo:COMMAND or python:FILE
    pub(crate) agent: String,

    /// Its time for each move
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = read_duration)]
    pub(crate) per_move: Duration,

    /// Its time for a whole game, where that is looked at
    #[arg(long, value_name = "TIME", default_value = "10s")]
    pub(crate) time: GameTime,

    /// How many games against random agents; rounded up, so that everybody takes every seat
    /// equally often
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(crate) games: u64,

    /// How many of those at a time; half as many as there are processors if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub(crate) concurrency: Option<u32>,

    /// How long a program may take to get ready
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = read_duration)]
    pub(crate) patience: Duration,

    #[command(flatten)]
    pub(crate) python: PythonArgs,

    /// Write everything that is said to programs and by them to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,

    /// The seed for everything that is random
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,

    /// Print JSON: {"variant","agent","passed","checks":[{"name","verdict","detail","seconds"}]}
    #[arg(long)]
    pub(crate) json: bool,
}
