//! `agon aisysproj`.

use std::path::PathBuf;
use std::time::Duration;

use agon_arena::clock::read_duration;
use clap::{Args, Subcommand};

use super::EffortArgs;

#[derive(Args, Debug)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "\
Examples:
  agon aisysproj try                                  see it work, without a server
  agon aisysproj ws2223-2.1-rhombus.json              play until Ctrl-C
  agon aisysproj ws2223-2.1-rhombus.json --games 50   as many as a rating needs
  agon aisysproj ws2223-2.8-hardcore-3-player.json --agent mcts --per-move 1s --games 50
  agon aisysproj config.json --single --games 1       one run, every request and answer printed
  agon aisysproj config.json --json | jq .            a line for every event

CONFIG is the file that the course hands out: {\"agent\",\"env\",\"pwd\",\"url\"}. The server keeps all
games. If it cannot be reached the client waits and goes on; if the client ends, the next start
takes up what is open. Ctrl-C sends the moves that are ready and ends; a second one ends at once.

The time is for each move of each run; as many runs are thought about at once as there are threads.
The exit code is 2 for a bad config file or refused credentials and 1 for other failures.
docs/aisysproj.md tells the rest."
)]
pub(crate) struct AisysprojArgs {
    #[command(subcommand)]
    pub(crate) task: Option<AisysprojTask>,

    /// The agent's config file
    #[arg(value_name = "CONFIG", required = true)]
    pub(crate) config: Option<PathBuf>,

    /// Who thinks: NAME[:OPTION=VALUE,…]
    #[arg(long, value_name = "AGENT", default_value = "engine")]
    pub(crate) agent: String,

    /// Stop after this many finished runs; 0 is never
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) games: u64,

    /// Play at most this many runs at a time; the server has a limit of its own, mostly 5
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=100))]
    pub(crate) parallel: u16,

    /// Time for each move: 1s, 250ms; 200ms if no limit is given
    #[arg(long, value_name = "TIME", value_parser = read_duration)]
    pub(crate) per_move: Option<Duration>,

    #[command(flatten)]
    pub(crate) effort: EffortArgs,

    /// On how many threads to think, a run on each; as many as processors if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) threads: Option<u16>,

    /// One run at a time, and print every request and answer, without the password
    #[arg(long)]
    pub(crate) single: bool,

    /// Print a line of JSON for every event
    #[arg(long)]
    pub(crate) json: bool,
}

/// What else can be done.
#[derive(Subcommand, Debug)]
pub(crate) enum AisysprojTask {
    /// Play a few games in each of the course's environments, on a server of our own
    Try(TryArgs),
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  agon aisysproj try                        five games in each of the eight environments
  agon aisysproj try --games 50             as many as a rating needs
  agon aisysproj try --agent greedy --stay  leave the server running, to look at its pages
  agon aisysproj try --json | jq .          a line for every environment

A server with the eight environments is started on this machine, in a temporary folder; an account
is made in each, and an agent plays there as it would on the course's server. In the end it is checked
that the server's ratings are what the agent has counted. Nothing of it is kept.")]
pub(crate) struct TryArgs {
    /// Who plays: NAME[:OPTION=VALUE,…]
    #[arg(long, value_name = "AGENT", default_value = "engine")]
    pub(crate) agent: String,

    /// How many games in each environment
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub(crate) games: u64,

    /// Only environments with this in their names, such as 3-player
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub(crate) only: String,

    /// Time for each move: 1s, 250ms; 50ms if no limit is given
    #[arg(long, value_name = "TIME", value_parser = read_duration)]
    pub(crate) per_move: Option<Duration>,

    #[command(flatten)]
    pub(crate) effort: EffortArgs,

    /// Let the server run until Ctrl-C, so that its pages can be looked at
    #[arg(long)]
    pub(crate) stay: bool,

    /// Print a line of JSON for every environment
    #[arg(long)]
    pub(crate) json: bool,
}
