//! The arguments of `agon tables`.

use agon_games::fauhalma::race::Shape;
use clap::{Args, Subcommand, ValueEnum};

pub(crate) const TABLES_EXAMPLES: &str = "\
Examples:
  agon tables build fauhalma              both boards: a minute of a processor, 170 MB
  agon tables list                        which there are, and whether they are sound
  agon tables check                       the same for scripts: exit code 1 if one is damaged
  agon tables build fauhalma --force      anew, whatever is there

A table of FAUhalma says for every placement of six pegs how many moves a player alone on the board
needs to fill its home. Agents use it wherever the game is played: eval=race is exact then. Tables
lie in the data folder: --data DIR, else AGON_DATA from the environment, else the system's own
place for such data.";

#[derive(Subcommand, Debug)]
pub(crate) enum TablesCommand {
    /// Compute the tables of a game and keep them in the data folder
    Build(TablesBuildArgs),
    /// List the tables: name, size and state
    List(TablesListArgs),
    /// Read all tables and see whether they are sound; exit code 1 if one is damaged
    Check(TablesListArgs),
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  agon tables build fauhalma
  agon tables build fauhalma --board rhombus
  agon tables build fauhalma --data /srv/agon --threads 1

A sound table is kept, a damaged one made anew. Ctrl-C stops, and leaves nothing half-made.")]
pub(crate) struct TablesBuildArgs {
    /// The game: fauhalma is the one that has tables
    pub(crate) game: String,

    /// Only the table of this board
    #[arg(long, value_name = "BOARD")]
    pub(crate) board: Option<BoardName>,

    /// Compute a table anew even if there is a sound one
    #[arg(long)]
    pub(crate) force: bool,

    /// Share the work among this many threads; as many as there are processors if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256))]
    pub(crate) threads: Option<u32>,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  agon tables list\n  agon tables check --json")]
pub(crate) struct TablesListArgs {
    /// Print JSON: {"folder","tables":[{"name","file","bytes","state":"ok|damaged|missing",…}]}
    #[arg(long)]
    pub(crate) json: bool,
}

/// A board of FAUhalma.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum BoardName {
    /// 72 spaces
    Star,
    /// 48 spaces
    Rhombus,
}

impl From<BoardName> for Shape {
    fn from(name: BoardName) -> Shape {
        match name {
            BoardName::Star => Shape::Star,
            BoardName::Rhombus => Shape::Rhombus,
        }
    }
}
