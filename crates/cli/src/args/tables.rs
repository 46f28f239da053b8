//! The arguments of `agon tables`.

use clap::{Args, Subcommand};

pub(crate) const TABLES_EXAMPLES: &str = "\
Examples:
  agon tables build congo                 all endgames with up to four men: a minute, 9 MB
  agon tables build fenix                 all endgames with up to four stacks: two minutes, 18 MB
  agon tables build fauhalma              both boards: a minute of processor time, 170 MB
  agon tables list                        all tables, with their state
  agon tables check                       the same for scripts: exit code 1 if one is damaged
  agon tables check --full                check every position of every endgame table
  agon tables stats congo                 wins, draws, losses and the longest win of each endgame

Endgame tables hold the exact result of every position with few men and the number of plies to it.
The tables of FAUhalma hold, for every placement of six pegs, how many moves a player alone on the
board needs to fill its home. Agents use what they find wherever a game is played.
Tables are kept in the data folder: --data DIR, else the environment variable AGON_DATA, else the
platform's data directory.";

#[derive(Subcommand, Debug)]
pub(crate) enum TablesCommand {
    /// Compute the tables of a game and store them in the data folder
    Build(TablesBuildArgs),
    /// List the tables: name, size and state
    List(TablesListArgs),
    /// Check all tables; exit code 1 if one is damaged
    Check(TablesCheckArgs),
    /// Show what is in endgame tables: results, and the longest wins with their positions
    Stats(TablesStatsArgs),
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  agon tables build congo
  agon tables build congo --material LC-LZ       one endgame, and those it leads to
  agon tables build congo --men 5 --material LCG-LE
  agon tables build fauhalma --only rhombus
  agon tables build fauhalma --data /srv/agon --threads 1

Intact tables are kept, damaged ones rebuilt. A build that was stopped continues where it was; no
incomplete file is left.")]
pub(crate) struct TablesBuildArgs {
    /// The game
    pub(crate) game: String,

    /// Only the table with this name
    #[arg(long, value_name = "NAME", visible_alias = "board", conflicts_with_all = ["men", "material"])]
    pub(crate) only: Option<String>,

    /// Endgames with up to this many men on the board, both royal pieces included [default: 4]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(3..=5))]
    pub(crate) men: Option<u32>,

    /// Only this endgame and those that it can lead to, such as LG-LE
    #[arg(long, value_name = "MEN-MEN")]
    pub(crate) material: Option<String>,

    /// The most memory to use for building, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 1024)]
    pub(crate) memory: u64,

    /// Rebuild tables that are intact
    #[arg(long)]
    pub(crate) force: bool,

    /// How many threads to use; by default one per core
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256))]
    pub(crate) threads: Option<u32>,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  agon tables list\n  agon tables list --json")]
pub(crate) struct TablesListArgs {
    /// Print JSON: {"folder","tables":[{"name","state":"ok|damaged|missing",…}],"endgames":[…]}
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  agon tables check
  agon tables check --json
  agon tables check --full              every position against the positions after its moves
  agon tables check --full --game congo")]
pub(crate) struct TablesCheckArgs {
    /// Check every position of the endgame tables against its successors, by the rules alone
    #[arg(long)]
    pub(crate) full: bool,

    /// With --full, only the tables of this game
    #[arg(long, value_name = "GAME", requires = "full")]
    pub(crate) game: Option<String>,

    /// How many threads to use for --full; by default one per core
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256))]
    pub(crate) threads: Option<u32>,

    /// Print the list as JSON
    #[arg(long, conflicts_with = "full")]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  agon tables stats congo
  agon tables stats congo --material LE-LG
  agon tables stats fenix --json

Every placement counts once, mirrored ones too. Results are those for the side to move; the side
that is named first is the first player's.")]
pub(crate) struct TablesStatsArgs {
    /// The game
    pub(crate) game: String,

    /// Only this endgame, such as LG-LE
    #[arg(long, value_name = "MEN-MEN")]
    pub(crate) material: Option<String>,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}
