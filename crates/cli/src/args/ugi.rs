//! `agon ugi`.

use clap::Args;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  agon ugi congo
  agon ugi fauhalma:star3 --agent mcts --threads 2
  printf 'position startpos moves b2b3\\ngo depth 6\\nuginewgame\\n' | agon ugi breakthrough:6x6

The client can change these with setoption: Variant, Agent, Threads, Hash, Level, MultiPV and Seed.
docs/protocols.md describes the protocol line by line.")]
pub(crate) struct UgiArgs {
    /// The game and its setup: GAME[:SETUP]
    #[arg(default_value = "breakthrough:8x8")]
    pub(crate) variant: String,

    /// The agent: NAME[:OPTION=VALUE,…]
    #[arg(long, value_name = "AGENT", default_value = "engine")]
    pub(crate) agent: String,

    /// Search threads, if the agent can use several
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<u32>,

    /// Size of the agent's hash table in MiB
    #[arg(long, value_name = "MIB")]
    pub(crate) hash: Option<u32>,

    /// Playing strength of the engine, 1 to 10
    #[arg(long, value_name = "N")]
    pub(crate) level: Option<u32>,

    /// Report the K best moves with their lines, if the agent supports it
    #[arg(long, value_name = "K")]
    pub(crate) lines: Option<u32>,

    /// The random seed of the agent; the games of one run still differ
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u32,
}
