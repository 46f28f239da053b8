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
  agon aisysproj ws2223-2.1-rhombus.json --games 50   enough for a rating
  agon aisysproj ws2223-2.8-hardcore-3-player.json --agent mcts --per-move 1s --games 50
  agon aisysproj config.json --single --games 1       one run, with all requests and responses
  agon aisysproj config.json --json | jq .            one line per event

CONFIG is the file that the course hands out: {\"agent\",\"env\",\"pwd\",\"url\"}. The server keeps all
games. If it cannot be reached, the client waits and retries; after a restart, the client resumes
the open runs. Ctrl-C sends the moves that are ready and stops; a second Ctrl-C stops at once.

The time limit is per move and run; each thread searches one run at a time. The exit code is 2 for
a bad config file or rejected credentials and 1 for other failures. For details see
docs/aisysproj.md."
)]
pub(crate) struct AisysprojArgs {
    #[command(subcommand)]
    pub(crate) task: Option<AisysprojTask>,

    /// The agent's config file
    #[arg(value_name = "CONFIG", required = true)]
    pub(crate) config: Option<PathBuf>,

    /// The agent: NAME[:OPTION=VALUE,…]
    #[arg(long, value_name = "AGENT", default_value = "engine")]
    pub(crate) agent: String,

    /// Stop after this many finished runs; 0 means never
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) games: u64,

    /// Maximum number of runs at a time; the server has its own limit, usually 5
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=100))]
    pub(crate) parallel: u16,

    /// Time per move: 1s, 250ms; by default 200ms if there is no other limit
    #[arg(long, value_name = "TIME", value_parser = read_duration)]
    pub(crate) per_move: Option<Duration>,

    #[command(flatten)]
    pub(crate) effort: EffortArgs,

    /// Search threads, each with a run of its own; by default one per core
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) threads: Option<u16>,

    /// One run at a time; print every request and response, without the password
    #[arg(long)]
    pub(crate) single: bool,

    /// Print one line of JSON per event
    #[arg(long)]
    pub(crate) json: bool,
}

/// The subcommands of `agon aisysproj`.
#[derive(Subcommand, Debug)]
pub(crate) enum AisysprojTask {
    /// Play a few games in each of the course's environments, on a local server
    Try(TryArgs),
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  agon aisysproj try                        five games in each of the eight environments
  agon aisysproj try --games 50             enough for a rating
  agon aisysproj try --agent greedy --stay  keep the server running, to look at its pages
  agon aisysproj try --json | jq .          one line per environment

Starts a server with the eight environments on this machine, in a temporary folder, creates an
account in each, and lets an agent play there as it would on the course's server. At the end the
server's ratings are compared with the agent's own count. Nothing is kept.")]
pub(crate) struct TryArgs {
    /// The agent: NAME[:OPTION=VALUE,…]
    #[arg(long, value_name = "AGENT", default_value = "engine")]
    pub(crate) agent: String,

    /// Number of games in each environment
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub(crate) games: u64,

    /// Only environments whose name contains this, such as 3-player
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub(crate) only: String,

    /// Time per move: 1s, 250ms; by default 50ms if there is no other limit
    #[arg(long, value_name = "TIME", value_parser = read_duration)]
    pub(crate) per_move: Option<Duration>,

    #[command(flatten)]
    pub(crate) effort: EffortArgs,

    /// Keep the server running until Ctrl-C, to look at its pages
    #[arg(long)]
    pub(crate) stay: bool,

    /// Print one line of JSON per environment
    #[arg(long)]
    pub(crate) json: bool,
}
