//! The arguments of `agon tables`.

use clap::{Args, Subcommand};

pub(crate) const TABLES_EXAMPLES: &str = "\
Examples:
  agon tables build fauhalma              both boards: a minute of processor time, 170 MB
  agon tables list                        all tables, with their state
  agon tables check                       the same for scripts: exit code 1 if one is damaged
  agon tables build fauhalma --force      rebuild existing tables

The tables of FAUhalma hold, for every placement of six pegs, how many moves a player alone on the
board needs to fill its home. Agents use them wherever the game is played, and make eval=race exact.
Tables are kept in the data folder: --data DIR, else the environment variable AGON_DATA, else the
platform's data directory.";

#[derive(Subcommand, Debug)]
pub(crate) enum TablesCommand {
    /// Compute the tables of a game and store them in the data folder
    Build(TablesBuildArgs),
    /// List the tables: name, size and state
    List(TablesListArgs),
    /// Check all tables; exit code 1 if one is damaged
    Check(TablesListArgs),
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  agon tables build fauhalma
  agon tables build fauhalma --only rhombus
  agon tables build fauhalma --data /srv/agon --threads 1

Intact tables are kept, damaged ones rebuilt. Ctrl-C stops without leaving incomplete files.")]
pub(crate) struct TablesBuildArgs {
    /// The game
    pub(crate) game: String,

    /// Only the table with this name
    #[arg(long, value_name = "NAME", visible_alias = "board")]
    pub(crate) only: Option<String>,

    /// Rebuild tables that are intact
    #[arg(long)]
    pub(crate) force: bool,

    /// How many threads to use; by default one per core
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
