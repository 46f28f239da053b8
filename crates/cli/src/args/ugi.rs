//! `agon ugi`.

use clap::Args;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  agon ugi congo
  agon ugi fauhalma:star3 --agent mcts --threads 2
  printf 'position startpos moves b2b3\\ngo depth 6\\nuginewgame\\n' | agon ugi breakthrough:6x6

The client can change all of this by setoption: Variant, Agent, Threads, Hash, Level, MultiPV and
Seed. docs/protocols.md tells what is said, line by line.")]
pub(crate) struct UgiArgs {
    /// The game and its setup: GAME[:SETUP]
    #[arg(default_value = "breakthrough:8x8")]
    pub(crate) variant: String,

    /// Who thinks: NAME[:OPTION=VALUE,…]
    #[arg(long, value_name = "AGENT", default_value = "engine")]
    pub(crate) agent: String,

    /// How many threads search, where the agent can use several
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<u32>,

    /// MiB of memory for what the agent remembers
    #[arg(long, value_name = "MIB")]
    pub(crate) hash: Option<u32>,

    /// How well the engine plays, 1 to 10
    #[arg(long, value_name = "N")]
    pub(crate) level: Option<u32>,

    /// Report the K best moves with their lines, where the agent can
    #[arg(long, value_name = "K")]
    pub(crate) lines: Option<u32>,

    /// The seed for agents that play at random; the games of one run differ all the same
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u32,
}
