//! The arguments of `agon records` and `agon ratings`.

use std::ops::Range;
use std::path::PathBuf;
use std::time::Duration;

use agon_arena::clock::read_duration;
use agon_arena::dates::read_span;
use agon_arena::store::export::Format;
use agon_arena::store::{FaultKind, GameId, GameResult};
use clap::{Args, Subcommand};

pub(crate) const RECORDS_EXAMPLES: &str = "\
Examples:
  agon records list                       the newest games
  agon records show 7.120                 game 120 of series 7, move by move
  agon records replay 7.120               its boards, one after another
  agon records export --output games.pgn  all games in a file
  agon records delete 7                   series 7 with all its games

Every stored match or tournament is a series with a number; every game has a number within it. Games
are kept in the data folder: --data DIR, else the environment variable AGON_DATA, else the
platform's data directory.";

#[derive(Subcommand, Debug)]
pub(crate) enum RecordsCommand {
    /// List stored games, the newest first
    List(RecordsListArgs),
    /// Show a game: the players, every move with its time, nodes, depth and score, and any faults
    Show(RecordsShowArgs),
    /// Draw the boards of a game, one after another
    Replay(ReplayArgs),
    /// Export games for other programs: PGN, JSON Lines or CSV
    Export(ExportArgs),
    /// Delete a match or a tournament with all its games
    Delete(DeleteArgs),
}

/// A selection of games.
#[derive(Args, Debug)]
pub(crate) struct FilterArgs {
    /// Only games of this series: its number, or a tournament's name
    #[arg(long, value_name = "SERIES")]
    pub(crate) series: Option<String>,

    /// Only games of this agent: its text, or its name in the series
    #[arg(long, value_name = "AGENT")]
    pub(crate) agent: Option<String>,

    /// Only games of this variant: GAME[:SETUP]
    #[arg(long, value_name = "VARIANT")]
    pub(crate) variant: Option<String>,

    /// Only games of this tournament
    #[arg(long, value_name = "NAME", conflicts_with = "series")]
    pub(crate) tournament: Option<String>,

    /// Only games with this result: first, second, third or fourth for the seat that won, or draw
    #[arg(long, value_name = "RESULT")]
    pub(crate) result: Option<GameResult>,

    /// Only games that ended with a fault: any, or one kind such as illegal-move or crash
    #[arg(long, alias = "faults", value_name = "KIND", num_args = 0..=1,
        default_missing_value = FaultKind::ANY)]
    pub(crate) fault: Option<FaultKind>,

    /// Only games that ended on this day or later: 2026-01-31, or 2026-01-31T23:59, in UTC
    #[arg(long, value_name = "DATE", value_parser = read_span)]
    pub(crate) since: Option<Range<i64>>,

    /// Only games that ended on this day or earlier, or before this time
    #[arg(long, value_name = "DATE", value_parser = read_span)]
    pub(crate) until: Option<Range<i64>>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  agon records list
  agon records list --series spring --agent engine --limit 50
  agon records list --variant congo --offset 20
  agon records list --fault --json | jq -r '.games[].id'
  agon records list --tournament spring --result draw --since 2026-01-31
  agon records list --fault illegal-move --agent ugi:./my-engine

Each line is a game: the players with their seats and points, the plies, and why it ended.")]
pub(crate) struct RecordsListArgs {
    #[command(flatten)]
    pub(crate) filter: FilterArgs,

    /// Show at most this many games
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) limit: usize,

    /// Skip this many of the newest
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) offset: usize,

    /// Print JSON: {"total":N,"games":[{"id","finished","variant","players":[{"seat","name",
    /// "agent","points"}],"plies","reason","end","offender","rated","disturbed"}]}
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  agon records show 7.120
  agon records show 7.120 --json | jq '.moves'

Times are those the referee measured; clocks are what the mover had left. Nodes, depths and scores
are the agents' own; scores are for the mover.")]
pub(crate) struct RecordsShowArgs {
    /// The game, as SERIES.GAME: 7.120
    pub(crate) id: GameId,

    /// Print JSON, the same object as a line of agon records export --format jsonl
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  agon records replay 7.120               Enter for the next board, b to go back, q to quit
  agon records replay 7.120 --speed 500ms
  agon records replay 7.120 --from 30
  agon records replay 7.120 --at 12       only the position after 12 plies
  agon records replay 7.120 | less -R     all boards

Plies are counted from the start of the game, including the opening; 0 is before the first.")]
pub(crate) struct ReplayArgs {
    /// The game, as SERIES.GAME: 7.120
    pub(crate) id: GameId,

    /// Start after this many plies
    #[arg(long, value_name = "PLY", default_value_t = 0, conflicts_with = "at")]
    pub(crate) from: usize,

    /// Show only the position after this many plies
    #[arg(long, value_name = "PLY")]
    pub(crate) at: Option<usize>,

    /// Advance automatically after this time, in a terminal: 500ms, 2s
    #[arg(long, value_name = "TIME", value_parser = read_duration, conflicts_with = "at")]
    pub(crate) speed: Option<Duration>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  agon records export --series 7 > games.pgn
  agon records export --output games.csv
  agon records export --format jsonl --variant congo --agent engine | jq .outcome.reason
  agon records export --tournament spring --fault > faults.pgn

pgn has tags and numbered moves with evaluations and times as comments, jsonl everything that is
stored, csv one line per game without moves. A file is written completely or not at all.")]
pub(crate) struct ExportArgs {
    #[command(flatten)]
    pub(crate) filter: FilterArgs,

    /// pgn, jsonl or csv; by default the extension of the output file, else pgn
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<Format>,

    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  agon records delete 7
  agon records delete spring --yes

The number is never reused. A series that is still being played cannot be deleted.")]
pub(crate) struct DeleteArgs {
    /// The series: its number, or a tournament's name
    pub(crate) series: String,

    /// Do not ask for confirmation
    #[arg(long, short)]
    pub(crate) yes: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  agon ratings
  agon ratings --variant breakthrough:8x8
  agon ratings --json | jq -r '.groups[0][].agent'

Each agent gets one Elo rating from all its stored games, of all variants together or of one. Zero
is the mean of the table; the error is that of a 95 % interval. \"better\" is the likelihood that an
agent is stronger than the one below it. Agents are identified by their text: the same text with
another time control is the same agent.

Agents that no chain of games connects are in separate tables. In three-player games, points are
also those of the FAUhalma course, out of 2 per game; \"last 50\" is its rating and \"best 50\" the
maximum of that so far.")]
pub(crate) struct RatingsArgs {
    /// Only games of this variant: GAME[:SETUP]
    #[arg(long, value_name = "VARIANT")]
    pub(crate) variant: Option<String>,

    /// Print JSON: {"games":N,"variants":[{"variant","games"}],"groups":[[{"agent","elo","error",
    /// "games","score","wins","draws","losses","faults","better","course"}]]}
    #[arg(long)]
    pub(crate) json: bool,
}
