//! The arguments of `agon records` and `agon ratings`.

use std::path::PathBuf;
use std::time::Duration;

use agon_arena::clock::read_duration;
use agon_arena::store::GameId;
use agon_arena::store::export::Format;
use clap::{Args, Subcommand};

pub(crate) const RECORDS_EXAMPLES: &str = "\
Examples:
  agon records list                       the newest games
  agon records show 7.120                 game 120 of series 7, move by move
  agon records replay 7.120               its boards, one after another
  agon records export --output games.pgn  all games in a file
  agon records delete 7                   series 7 with all its games

Every match and tournament that is stored is a series with a number; every game has a number in it.
Games lie in the data folder: --data DIR, else AGON_DATA from the environment, else the system's own
place for such data.";

#[derive(Subcommand, Debug)]
pub(crate) enum RecordsCommand {
    /// List stored games, the newest first
    List(RecordsListArgs),
    /// Show a game: who played, every move with its time and nodes, and what went wrong
    Show(RecordsShowArgs),
    /// Draw the boards of a game, one after another
    Replay(ReplayArgs),
    /// Write games for other programs: PGN, JSON lines or CSV
    Export(ExportArgs),
    /// Delete a match or a tournament with all its games
    Delete(DeleteArgs),
}

/// Which games are meant.
#[derive(Args, Debug)]
pub(crate) struct FilterArgs {
    /// Only games of this series: its number, or a tournament's name
    #[arg(long, value_name = "SERIES")]
    pub(crate) series: Option<String>,

    /// Only games in which this agent played: its text, or its name in the series
    #[arg(long, value_name = "AGENT")]
    pub(crate) agent: Option<String>,

    /// Only games of this variant: GAME[:SETUP]
    #[arg(long, value_name = "VARIANT")]
    pub(crate) variant: Option<String>,

    /// Only games that ended with somebody's fault
    #[arg(long)]
    pub(crate) faults: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  agon records list
  agon records list --series spring --agent engine --limit 50
  agon records list --variant congo --offset 20
  agon records list --faults --json | jq -r '.games[].id'

A line is a game: who sat where with what it got, how many plies, and why it ended.")]
pub(crate) struct RecordsListArgs {
    #[command(flatten)]
    pub(crate) filter: FilterArgs,

    /// No more than this many games
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) limit: usize,

    /// Leave out this many of the newest
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) offset: usize,

    /// Print JSON: {"total":N,"games":[{"id","finished","variant","players":[{"seat","name",
    /// "agent","points"}],"plies","reason","end","offender"}]}
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  agon records show 7.120
  agon records show 7.120 --json | jq '.moves'

Times are as the referee measured them; nodes are 0 where an agent does not tell.")]
pub(crate) struct RecordsShowArgs {
    /// Which game: the number of its series, a point, and its number there, such as 7.120
    pub(crate) id: GameId,

    /// Print JSON, the same object as a line of agon records export --format jsonl
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  agon records replay 7.120               Enter for the next board, b back, q to leave
  agon records replay 7.120 --speed 500ms
  agon records replay 7.120 --from 30
  agon records replay 7.120 --at 12       only the position after 12 plies
  agon records replay 7.120 | less -R     all boards

Plies are counted from the start of the game, those of the opening included; 0 is before the first.")]
pub(crate) struct ReplayArgs {
    /// Which game, such as 7.120
    pub(crate) id: GameId,

    /// Begin after this many plies
    #[arg(long, value_name = "PLY", default_value_t = 0, conflicts_with = "at")]
    pub(crate) from: usize,

    /// Show only the position after this many plies
    #[arg(long, value_name = "PLY")]
    pub(crate) at: Option<usize>,

    /// Go on by itself after this time, in a terminal: 500ms, 2s
    #[arg(long, value_name = "TIME", value_parser = read_duration, conflicts_with = "at")]
    pub(crate) speed: Option<Duration>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  agon records export --series 7 > games.pgn
  agon records export --output games.csv
  agon records export --format jsonl --variant congo --agent engine | jq .outcome.reason

pgn has tags and numbered moves, jsonl everything that is known, csv one line a game without moves.
A file is written whole or not at all.")]
pub(crate) struct ExportArgs {
    #[command(flatten)]
    pub(crate) filter: FilterArgs,

    /// pgn, jsonl or csv; as the name of the file ends if not given, else pgn
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<Format>,

    /// Write to this file; to standard output if not given
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  agon records delete 7
  agon records delete spring --yes

Its number is never used again. A series that is being played cannot be deleted.")]
pub(crate) struct DeleteArgs {
    /// Which series: its number, or a tournament's name
    pub(crate) series: String,

    /// Do not ask
    #[arg(long, short)]
    pub(crate) yes: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  agon ratings
  agon ratings --variant breakthrough:8x8
  agon ratings --json | jq -r '.groups[0][].agent'

One Elo for every agent from all its stored games at once, of all variants together or of one. Zero
is the mean of those who can be compared; the error is that of a 95 % interval. \"better\" is how
likely an agent is stronger than the one below it. An agent is its text: the same text at another
pace is the same agent.

Agents that no chain of games joins stand in separate tables. In games of three, points are also
those of the FAUhalma course, of 2 a game; \"last 50\" is its rating and \"best 50\" the best it was.")]
pub(crate) struct RatingsArgs {
    /// Only games of this variant: GAME[:SETUP]
    #[arg(long, value_name = "VARIANT")]
    pub(crate) variant: Option<String>,

    /// Print JSON: {"games":N,"variants":[{"variant","games"}],"groups":[[{"agent","elo","error",
    /// "games","score","wins","draws","losses","faults","better","course"}]]}
    #[arg(long)]
    pub(crate) json: bool,
}
