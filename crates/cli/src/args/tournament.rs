//! The arguments of `agon tournament`.

use std::path::PathBuf;

use agon_arena::store::export::Format;
use agon_arena::tournament::Changed;
use clap::{Args, Subcommand, ValueEnum};

use super::{ElsewhereArgs, ProgramArgs};

pub(crate) const TOURNAMENT_EXAMPLES: &str = "\
Examples:
  agon tournament run spring.toml            play or resume it
  agon tournament status spring              the standings, also while it runs
  agon tournament list                       all stored tournaments
  agon tournament export spring --format csv --output spring.csv

A file describes the tournament:

  format = \"contest\"                 round-robin, gauntlet, swiss or contest
  rounds = 20                        for swiss and contest
  games = 2                          per pairing, for each of the terms
  agents = [\"engine:level=3\", \"ugi:submissions/*\", \"python:submissions/*.py\"]

  [[terms]]                          every variant with every clock
  variant = [\"breakthrough:6x6\", \"breakthrough:8x8\"]
  per_move = [\"1s\", \"5s\"]";

#[derive(Subcommand, Debug)]
pub(crate) enum TournamentCommand {
    /// Play or resume a tournament
    Run(Box<TournamentRunArgs>),
    /// Show the standings of a tournament
    Status(TournamentStatusArgs),
    /// List the stored tournaments
    List(TournamentListArgs),
    /// Export the games of a tournament, its standings or its crosstable
    Export(TournamentExportArgs),
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  agon tournament run spring.toml
  agon tournament run spring.toml --dry-run          check the file and count the games
  agon tournament run spring.toml --concurrency 1 --json
  agon tournament run spring.toml --replay-disturbed replay games that a busy machine disturbed
  agon tournament run spring.toml --changed replay   replay the games of agents that have changed
  agon tournament run spring.toml --nats nats://broker:4222    play on many machines

KEYS OF THE FILE
  name           its name in the store; by default that of the file
  format         round-robin: every agent plays every other
                 gauntlet: the first agent (champions = N: the first N) plays all others
                 swiss: agents with equal points are paired (rounds)
                 contest: agents with similar ratings are paired, until the ratings have settled
                 (rounds, settled = 10: no change of more than 10 in three rounds, groups = N)
  games          games per pairing for each of the terms: a multiple of 2, of 6 for three players
  seed           the random seed
  reference_speed  nodes a second of agon bench to which clocks are scaled: a machine that is half as
                 fast gives twice the time
  concurrency    games at a time, at most one per core unless oversubscribe = true
  agents         texts, or tables with name, agent, options = { … }, threads, patience, start and
                 limits: memory_mib, processes, cpu, file_mib, open_files; * in the name of a
                 program matches many programs
  terms          tables with variant, time, per_move, depth, nodes, openings; the keys of a single
                 table may also be at the top level; lists give every combination

Every game is stored when it ends. After any interruption or crash, the same command resumes the
tournament. After three faults in a row (in the order of the schedule) an agent is withdrawn: its
remaining games are not played and count as lost.

CHANGES OF THE FILE
Agents may be added at any time: only the missing games are played, and swiss and contest pair them
from the next round on. An agent that is removed from the file is retired: its games so far count.
rounds may be raised. Any other change is refused. An agent whose text, options or program have
changed since it played is asked about, unless --changed says what to do:
  keep           its games so far count for the new version
  replay         its games so far are deleted and played again (round-robin, gauntlet)
  enter          the new version enters as NAME-2, and the old one is retired")]
pub(crate) struct TournamentRunArgs {
    /// The tournament file
    pub(crate) file: PathBuf,

    /// Games at a time, instead of the number in the file
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub(crate) concurrency: Option<u32>,

    /// Replay disturbed games, in which a built-in agent spent more than a quarter of its time
    /// waiting for a core; in a round robin or a gauntlet those of earlier runs too
    #[arg(long)]
    pub(crate) replay_disturbed: bool,

    /// What to do about agents that have changed since they played: keep, replay or enter
    #[arg(long, value_name = "DECISION")]
    pub(crate) changed: Option<Changed>,

    #[command(flatten)]
    pub(crate) programs: ProgramArgs,

    #[command(flatten)]
    pub(crate) elsewhere: ElsewhereArgs,

    /// Log all communication with programs to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,

    /// Only check the file and show what would be played
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

    /// Show the result of every pairing instead of the leaderboard
    #[arg(long)]
    pub(crate) pairs: bool,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// The form of a table.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub(crate) enum TableForm {
    Csv,
    Json,
}

/// The form of the crosstable.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub(crate) enum CrosstableForm {
    Text,
    Csv,
    Json,
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
  agon tournament export spring --standings csv --output standings.csv
  agon tournament export spring --crosstable
  agon tournament export spring --crosstable json | jq '.totals'

In CSV, a name that begins with =, +, - or @ has an apostrophe before it, so that no
spreadsheet takes it for a formula.")]
pub(crate) struct TournamentExportArgs {
    /// The tournament's name
    pub(crate) name: String,

    /// pgn, jsonl or csv
    #[arg(long, value_name = "FORMAT", default_value = "pgn")]
    pub(crate) format: Format,

    /// Export the standings instead of the games: csv or json
    #[arg(long, value_name = "FORM", conflicts_with = "format")]
    pub(crate) standings: Option<TableForm>,

    /// Export the crosstable instead of the games: text, csv or json
    #[arg(long, value_name = "FORM", num_args = 0..=1, default_missing_value = "text",
        conflicts_with_all = ["format", "standings"])]
    pub(crate) crosstable: Option<CrosstableForm>,

    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}
