//! The arguments of `agon book`.

use std::path::PathBuf;
use std::time::Duration;

use agon_arena::clock::read_duration;
use clap::{Args, Subcommand};

pub(crate) const BOOK_EXAMPLES: &str = "\
Examples:
  agon book build congo --time 10m            on all cores; run it again to go on
  agon book show congo --depth 2              its first moves, with values
  agon book stats congo                       how large and how deep it is
  agon book check congo                       is it sound? exit code 1 if not
  agon book export congo --plies 8            openings for matches
  agon match congo engine:book=on engine      does it help?

A book holds the best moves of the first positions of a variant, with values from long searches.
Engines open by the book in play, on the pages and for other programs, and in matches only if told
to: engine:book=on, engine:book=FILE. Congo, Fenix, Breakthrough and FAUhalma have a small book
inside the program; one that was built is kept in the data folder and replaces it.";

#[derive(Subcommand, Debug)]
pub(crate) enum BookCommand {
    /// Build the opening book of a variant, or go on with it
    Build(BookBuildArgs),
    /// Show the moves of a book with their values
    Show(BookShowArgs),
    /// Check that a book is sound: every move legal, every value right
    Check(BookCheckArgs),
    /// Show how large and deep a book is, and how it was built
    Stats(BookStatsArgs),
    /// Merge two books of one variant
    Merge(BookMergeArgs),
    /// Write the even lines of a book as openings for matches
    Export(BookExportArgs),
    /// Find random openings that lead to even positions
    Balanced(BookBalancedArgs),
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  agon book build congo
  agon book build breakthrough:6x6 --time 6m
  agon book build fenix --positions 4000 --nodes 300000 --lines 4
  agon book build congo --nodes 1000 --positions 100 --out small.book

The tree is expanded from the start of the variant, best lines first: one search for each position,
in batches. The book depends on the variant, --nodes, --lines, --seed and the number of positions
only, not on the threads. It is saved every few seconds and after Ctrl-C; the same command goes on
with it, and the result is the same as without the interruption.")]
pub(crate) struct BookBuildArgs {
    /// The game and its setup: GAME[:SETUP]
    pub(crate) variant: String,

    /// Nodes of the search of each position
    #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) nodes: u64,

    /// Stop when the book has this many positions; 1000 if there is no --time either
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub(crate) positions: Option<u32>,

    /// Stop after this time: 8m, 90s
    #[arg(long, value_name = "TIME", value_parser = read_duration)]
    pub(crate) time: Option<Duration>,

    /// How many best moves to find in each position
    #[arg(long, value_name = "K", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(crate) lines: u32,

    /// The random seed, which decides between equally good moves
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,

    /// How many threads to use; by default one per core
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256))]
    pub(crate) threads: Option<u32>,

    /// The file of the book; by default books/VARIANT.book in the data folder
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// Start over instead of going on with an existing book
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  agon book show congo
  agon book show breakthrough:8x8 --depth 1 --moves 'b2b3'
  agon book show my.book --depth 4 --json")]
pub(crate) struct BookShowArgs {
    /// A variant, or the file of a book
    #[arg(value_name = "VARIANT|FILE")]
    pub(crate) book: String,

    /// How many plies to show
    #[arg(long, value_name = "PLIES", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(crate) depth: u32,

    /// Start after these moves, separated by spaces
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    pub(crate) moves: Option<String>,

    /// Print JSON: {"variant","position","moves":[{"move","score","depth","weight",…}]}
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  agon book check congo
  agon book check my.book --json

Plays through the whole book: the checksum is right, every move is legal, every position is reached
from the start, and every value follows from those of the last positions.")]
pub(crate) struct BookCheckArgs {
    /// A variant, or the file of a book
    #[arg(value_name = "VARIANT|FILE")]
    pub(crate) book: String,

    /// Print JSON: {"book","variant","checksum","sound",…}
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  agon book stats congo\n  agon book stats my.book --json")]
pub(crate) struct BookStatsArgs {
    /// A variant, or the file of a book
    #[arg(value_name = "VARIANT|FILE")]
    pub(crate) book: String,

    /// Print JSON: {"book","variant","positions","moves","plies":[…],"checksum",…}
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  agon book merge mine.book yours.book --out ours.book
  agon book merge congo mine.book --out ours.book

Where both have a position, the deeper search counts. The values are backed up again.")]
pub(crate) struct BookMergeArgs {
    /// A variant, or the file of a book
    #[arg(value_name = "VARIANT|FILE")]
    pub(crate) first: String,

    /// The other book
    #[arg(value_name = "VARIANT|FILE")]
    pub(crate) second: String,

    /// The file of the new book
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  agon book export congo --plies 6
  agon book export my.book --plies 8 --margin 25 --out openings.txt
  agon match congo engine mcts --openings openings.txt

Writes one opening a line, for --openings FILE: the lines of the book to positions whose value is
close to even. agon match --openings book:8 uses the same lines without a file.")]
pub(crate) struct BookExportArgs {
    /// A variant, or the file of a book
    #[arg(value_name = "VARIANT|FILE")]
    pub(crate) book: String,

    /// The length of the lines
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) plies: u32,

    /// How far from even the last position may be, in hundredths of the game's unit
    #[arg(long, value_name = "N")]
    pub(crate) margin: Option<u32>,

    /// Write to this file instead of printing
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  agon book balanced congo --count 500 --out congo.txt
  agon book balanced connect4 --plies 8 --margin 50 --seed 1
  agon match congo engine mcts --openings congo.txt

Plays random moves from the start and keeps the lines to different positions that the engine values
as close to even. The same command gives the same openings on any number of threads.")]
pub(crate) struct BookBalancedArgs {
    /// The game and its setup: GAME[:SETUP]
    pub(crate) variant: String,

    /// How many openings to find
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) count: u32,

    /// The number of random plies
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub(crate) plies: u32,

    /// How far from even the last position may be, in hundredths of the game's unit
    #[arg(long, value_name = "N")]
    pub(crate) margin: Option<u32>,

    /// Nodes of the search of each position
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) nodes: u64,

    /// The random seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,

    /// How many threads to use; by default one per core
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256))]
    pub(crate) threads: Option<u32>,

    /// Write to this file instead of printing
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

impl BookBalancedArgs {
    /// The command that reproduces the openings, for the header of their file.
    pub(crate) fn command(&self) -> String {
        let BookBalancedArgs { variant, count, plies, nodes, seed, .. } = self;
        let margin = self.margin.map_or(String::new(), |margin| format!(" --margin {margin}"));
        format!(
            "agon book balanced {variant} --count {count} --plies {plies}{margin} --nodes {nodes} \
             --seed {seed}"
        )
    }
}
