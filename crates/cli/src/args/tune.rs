//! The arguments of `agon tune`.

use std::path::PathBuf;

use agon_arena::files::shown;
use clap::Args;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  agon tune fauhalma:star2 --games 500
  agon tune breakthrough:8x8 breakthrough:6x6 --games 2000 --seed 1 --out tuned.txt
  agon tune congo --nodes 10000 --save positions.tsv
  agon tune congo --positions positions.tsv --blend 0.3 --json
  agon match congo engine:weights=tuned.txt engine --nodes 5000   try the new weights
  agon tune fenix --search --games 8000 --nodes 10000
  agon tune congo --search --only null_base,window --games 2000 --out congo.txt

An agent plays against itself from random openings. Positions are recorded with the result of their
game, and half as many after a random move with the score of a search; the weights are fitted so
that the evaluation predicts these best. The first feature keeps its weight, which fixes the scale.
One game in ten is held out, to measure the new weights on games they were not fitted to.

Several variants of one game are fitted together. The same command gives the same weights, byte for
byte, with any number of threads. engine:weights=FILE plays with the new weights; all agents do once
the file has replaced tuned.txt in the game's folder and the program is rebuilt. Ctrl-C stops
without writing anything.

With --search, the parameters of the engine's search are tuned instead, such as margins and
reductions: in every round all of them are moved at random, the engine moved one way plays against
the one moved the other way, and each parameter goes a little towards the winner (SPSA). The result
is printed as an option of the engine, engine:set=…, to be confirmed by a match.")]
pub(crate) struct TuneArgs {
    /// The game and its setup: GAME[:SETUP]; several of one game share the weights
    #[arg(value_name = "VARIANT", required = true)]
    pub(crate) variants: Vec<String>,

    /// Number of games of each variant
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pub(crate) games: u64,

    /// Tune the engine's search instead of an evaluation; --agent is then an engine
    #[arg(long, conflicts_with_all = ["blend", "leeway", "save", "positions"])]
    pub(crate) search: bool,

    /// Parameters of the search to tune; by default all of them
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', requires = "search")]
    pub(crate) only: Vec<String>,

    /// The agent: NAME[:OPTION=VALUE,…]
    #[arg(long, value_name = "AGENT", default_value = "engine:hash=1,solving=off")]
    pub(crate) agent: String,

    /// Maximum number of nodes per move
    #[arg(long, value_name = "N", default_value_t = 3000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) nodes: u64,

    /// Maximum number of random plies at the start of a game; the minimum is half of that
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub(crate) random_plies: u32,

    /// The random seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,

    /// Games at a time; by default one per core
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub(crate) threads: Option<u32>,

    /// Weight of the search's score against the result of the game, from 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = read_share)]
    pub(crate) blend: f64,

    /// How far weights may move from the current ones, in hundredths; smaller values stay closer
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) leeway: u32,

    /// Write the weights to this file instead of printing them
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// Write the positions with their results to this file, to fit to them again
    #[arg(long, value_name = "FILE")]
    pub(crate) save: Option<PathBuf>,

    /// Fit to the positions in this file instead of playing
    #[arg(long, value_name = "FILE", conflicts_with_all = ["save", "games", "agent", "nodes", "random_plies", "seed", "threads"])]
    pub(crate) positions: Option<PathBuf>,

    /// Print JSON: {"features":[{"name","old","new","positions"}],"loss","held_back",…}
    #[arg(long)]
    pub(crate) json: bool,
}

fn read_share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "expected a number from 0 to 1".to_string())
}

impl TuneArgs {
    /// The command that reproduces the weights, for the header of their file.
    pub(crate) fn command(&self) -> String {
        let mut words = vec!["agon tune".to_string(), self.variants.join(" ")];
        if let Some(positions) = &self.positions {
            words.push(format!("--positions {}", shown(positions)));
        } else {
            words.push(format!("--games {} --agent {}", self.games, self.agent));
            words.push(format!("--nodes {}", self.nodes));
            words.push(format!("--random-plies {} --seed {}", self.random_plies, self.seed));
        }
        words.push(format!("--blend {} --leeway {}", self.blend, self.leeway));
        words.join(" ")
    }
}
