//! The arguments of `agon tournament`.

use std::path::PathBuf;

use agon_arena::store::export::Format;
use clap::{Args, Subcommand};

use super::PythonArgs;

pub(crate) const TOURNAMENT_EXAMPLES: &str = "\
Examples:
  agon tournament run spring.toml            play it, or what is missing of it
  agon tournament status spring              the table so far, also while it runs
  agon tournament list                       all that are in the store
  agon tournament export spring --format csv --output spring.csv

A file says who plays, what and how:

  format = \"contest\"                 round-robin, gauntlet, swiss or contest
  rounds = 20                        of swiss and contest
  games = 2                          of every meeting, on each of the terms
  agents = [\"engine:level=3\", \"ugi:submissions/*\", \"python:submissions/*.py\"]

  [[terms]]                          every variant with every clock
  variant = [\"breakthrough:6x6\", \"breakthrough:8x8\"]
  per_move = [\"1s\", \"5s\"]";

#[derive(Subcommand, Debug)]
pub(crate) enum TournamentCommand {
    /// Play a tournament, or what is missing of it
    Run(TournamentRunArgs),
    /// Show how a tournament stands
    Status(TournamentStatusArgs),
    /// List the tournaments in the store
    List(TournamentListArgs),
    /// Write the games of a tournament, or its crosstable
    Export(TournamentExportArgs),
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  agon tournament run spring.toml
  agon tournament run spring.toml --dry-run          check the file, say how many games
  agon tournament run spring.toml --concurrency 1 --json
  agon tournament run spring.toml --replay-disturbed  games again that the machine disturbed

KEYS OF THE FILE
  name           what it is called in the store; the file's name if not given
  format         round-robin: everybody meets everybody
                 gauntlet: the first (champions = N: the first N) meet all others
                 swiss: agents with equal points meet (rounds)
                 contest: agents of similar rating meet, until ratings have settled (rounds,
                 settled = 10: no rating moved by more in three rounds, groups = N)
  games          games of a meeting on each of the terms, in whole pairs (2) or rotations (6)
  seed           what all chance comes from
  concurrency    games at a time, never more than the cores allow; oversubscribe = true forces it
  agents         texts, or tables with name, agent, options = { … }, threads, patience, start and
                 limits: memory_mib, processes, cpu, file_mib, open_files; a program's name with *
                 stands for many programs
  terms          tables with variant, time, per_move, depth, nodes, openings; one may stand at the
                 top, and lists stand for every combination

Every game is stored when it ends. Whatever ends the run, the same command goes on where it was; a
file that has changed meanwhile is refused. After three faults in a row (in the order of the
schedule) an agent is withdrawn: its remaining games count as lost and are not played.")]
pub(crate) struct TournamentRunArgs {
    /// The file
    pub(crate) file: PathBuf,

    /// Games at a time, instead of what the file says
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub(crate) concurrency: Option<u32>,

    /// Play games again that were disturbed: in which a built-in agent waited for a processor for
    /// more than a quarter of its time. In a round robin or a gauntlet those of earlier runs too
    #[arg(long)]
    pub(crate) replay_disturbed: bool,

    #[command(flatten)]
    pub(crate) python: PythonArgs,

    /// Write everything that is said to programs and by them to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,

    /// Only check the file and say what would be played
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// Print JSON at the end
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  agon tournament status spring\n  agon tournament status spring --pairs\n  agon tournament status spring --json"
)]
pub(crate) struct TournamentStatusArgs {
    /// The tournament's name
    pub(crate) name: String,

    /// How every two agents did against each other, instead of the leaderboard
    #[arg(long)]
    pub(crate) pairs: bool,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  agon tournament list\n  agon tournament list --json")]
pub(crate) struct TournamentListArgs {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  agon tournament export spring > spring.pgn
  agon tournament export spring --format jsonl --output spring.jsonl
  agon tournament export spring --crosstable")]
pub(crate) struct TournamentExportArgs {
    /// The tournament's name
    pub(crate) name: String,

    /// pgn, jsonl or csv
    #[arg(long, value_name = "FORMAT", default_value = "pgn")]
    pub(crate) format: Format,

    /// The crosstable instead of the games
    #[arg(long, conflicts_with = "format")]
    pub(crate) crosstable: bool,

    /// Write to this file instead of the terminal
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}
