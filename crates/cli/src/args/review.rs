//! The arguments of `agon review`.

use clap::Args;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  agon review 7.120                       a stored game: agon records list shows their numbers
  agon review game.json                   a game saved by agon play
  agon review games.pgn --game 3          the third game of a file
  agon review 7.120 --nodes 1000000       thoroughly
  agon review 7.120 --agent mcts          as another agent sees it
  agon review 7.120 --text > review.pgn   as text with comments and variations
  agon review - < game.pgn                a game from standard input

Every position is searched with the same number of nodes, and a move costs what its player can
expect less after it. Expected points are the part of a win that a player can expect, in
hundredths: a move that loses 5 of them is an inaccuracy, 10 a mistake, 20 a blunder. The best move
costs nothing, and neither does the only one. The same nodes give the same numbers everywhere, also
on the pages. Files may hold saved games, games in the style of PGN with or without variations, or
analyses as JSON.")]
pub(crate) struct ReviewArgs {
    /// The game: its number in the store, such as 7.120, or a file; - is standard input
    #[arg(value_name = "GAME")]
    pub(crate) game: String,

    /// Which game of a file with several, from 1
    #[arg(long = "game", value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) number: u32,

    /// The agent that searches: NAME[:OPTION=VALUE,…]
    #[arg(long, value_name = "AGENT", default_value = "engine")]
    pub(crate) agent: String,

    /// The nodes for every position
    #[arg(long, value_name = "N", default_value_t = agon_arena::review::DEFAULT_NODES,
        value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) nodes: u64,

    /// Print the game as text, with evaluations, and better lines as variations
    #[arg(long, conflicts_with = "json")]
    pub(crate) text: bool,

    /// Print JSON: {"variant","agent","nodes","plies","players","phases","decided_at"}
    #[arg(long)]
    pub(crate) json: bool,
}
