//! The arguments of `agon check`.

use std::path::PathBuf;
use std::time::Duration;

use agon_arena::clock::{GameTime, read_duration};
use clap::Args;

use super::ProgramArgs;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  agon check congo engine
  agon check congo 'congo:python3 agent.py'
  agon check breakthrough:6x6 'ugi:./my-engine' --per-move 500ms --games 20 --json
  agon check fenix python:agent.py --time 5m
  agon check fauhalma:star3 mcts --per-move 100ms

Each check prints a line: whether the agent starts; plays a whole game by the rules from every seat;
keeps to the time per move and per game; plays a second game in the same process; solves the game's
scenarios; how many nodes per second it reports in fixed positions; whether it scores more than 75 %
against random agents, and quits when told to. Checks that make no sense after a failure are skipped.

The games against random agents take the longest. They use the clock of --time if the agent has kept
to it in its check, else --per-move.

The exit code is 0 if nothing failed, 1 if something did, and 2 for bad usage.")]
pub(crate) struct CheckArgs {
    /// The game and its setup: GAME[:SETUP]
    pub(crate) variant: String,

    /// The agent: NAME[:OPTION=VALUE,…], ugi:COMMAND, congo:COMMAND or python:FILE
    pub(crate) agent: String,

    /// Time per move
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = read_duration)]
    pub(crate) per_move: Duration,

    /// Game clock, for the check of it and the games against random agents
    #[arg(long, value_name = "TIME", default_value = "10s")]
    pub(crate) time: GameTime,

    /// Number of games against random agents, rounded up so that every agent plays every seat
    /// equally often
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(crate) games: u64,

    /// How many of those games at a time; by default one for every two cores
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub(crate) concurrency: Option<u32>,

    /// How long a program may take to get ready
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = read_duration)]
    pub(crate) patience: Duration,

    #[command(flatten)]
    pub(crate) programs: ProgramArgs,

    /// Log all communication with programs to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,

    /// The random seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,

    /// Print JSON: {"variant","agent","passed","checks":[{"name","verdict","detail","seconds"}]}
    #[arg(long)]
    pub(crate) json: bool,
}
