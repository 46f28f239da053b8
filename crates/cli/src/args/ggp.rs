//! `agon ggp` and `agon export`.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::EffortArgs;

#[derive(Args, Debug)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  agon ggp                                 play for controllers on this machine, on port 4001
  agon ggp --agent mcts --ponder           another agent, thinking on the opponent's time too
  agon ggp --port 4002 --agent engine:level=3
  agon ggp --listen 0.0.0.0                for controllers on other machines
  agon ggp --json | jq .                   one line per event
  agon ggp match testmatch breakthrough_5x5.gdl 10 5 1 -remote 1 Me localhost 4001 1 -random 2

The player takes the size of the board from the rules that the controller sends, plays either role,
answers before the play clock runs out, and plays match after match until Ctrl-C. For each move it
prints the expansions, depth and time of every iteration and in total. While agon serve runs on the
same data folder, matches can be watched in the browser.

With --depth or --nodes the moves are the same on every machine, and the start clock is not used.
docs/ggp.md shows how to use the course's own controller."
)]
pub(crate) struct GgpArgs {
    #[command(subcommand)]
    pub(crate) task: Option<GgpTask>,

    /// The port to listen on
    #[arg(long, value_name = "PORT", default_value_t = 4001)]
    pub(crate) port: u16,

    /// The address to listen on, such as 0.0.0.0 for other machines; by default only this machine
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) listen: Option<IpAddr>,

    /// The agent: NAME[:OPTION=VALUE,…]
    #[arg(long, value_name = "AGENT", default_value = "engine")]
    pub(crate) agent: String,

    /// Think on the opponent's time too
    #[arg(long)]
    pub(crate) ponder: bool,

    #[command(flatten)]
    pub(crate) effort: EffortArgs,

    /// The random seed of the agent
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,

    /// Do not let agon serve show the matches
    #[arg(long)]
    pub(crate) no_watch: bool,

    /// Print one line of JSON per event
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Subcommand, Debug)]
pub(crate) enum GgpTask {
    /// Run the controller of a match, with the command line of the course's own
    Match(GgpMatchArgs),
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  agon ggp match testmatch breakthrough_5x5.gdl 10 5 1 -remote 1 Me localhost 4001 1 -random 2
  agon ggp match m1 breakthrough_8x8.gdl 10 5 1 -random 1 7 -remote 2 Me localhost 4001 1
  agon ggp match m2 rules.gdl 5 1 1 -remote 1 A localhost 4001 1 -remote 2 B localhost 4002 1

MATCHID GAMEFILE STARTCLOCK PLAYCLOCK GDLVERSION, then who plays each role, counted from 1:
  -remote ROLE NAME HOST PORT GDLVERSION   a running player
  -random ROLE [SEED]                      random moves
  -legal ROLE                              always the first legal move
Clocks are whole seconds, and every player has one second of grace. A late, illegal or missing
answer is reported, another legal move is played instead, and the match continues. The last line is
the result, white before black: Game over! results: 100 0

agon export gdl breakthrough:6x6 > rules.gdl writes a rules file.")]
pub(crate) struct GgpMatchArgs {
    /// The arguments of the course's controller
    #[arg(
        value_name = "WORDS",
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    pub(crate) words: Vec<String>,
}

/// The subcommands of `agon export`.
#[derive(Subcommand, Debug)]
pub(crate) enum ExportCommand {
    /// The rules of Breakthrough as GDL, for GGP controllers and players
    Gdl(ExportGdlArgs),
    /// An example agent for the Fenix course, in one Python file
    FenixAgent(ExportFenixAgentArgs),
}

pub(crate) const EXPORT_EXAMPLES: &str = "\
Examples:
  agon export gdl breakthrough:6x6 > breakthrough_6x6.gdl
  agon export gdl breakthrough:8x8,classic --output classic.gdl
  agon export fenix-agent --output agent.py";

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  agon export gdl breakthrough:6x6 > breakthrough_6x6.gdl
  agon export gdl breakthrough:8x8,classic --output classic.gdl
  agon export gdl breakthrough:5x5 --position 'pppp1/5/5/p2PP/3PP w'")]
pub(crate) struct ExportGdlArgs {
    /// The game and its setup: breakthrough:WxH or breakthrough:WxH,classic
    pub(crate) variant: String,

    /// Start from this position, in the game's notation
    #[arg(long, value_name = "TEXT")]
    pub(crate) position: Option<String>,

    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
The file follows the course's interface and needs nothing but Python: alpha-beta with move ordering,
a transposition table and a clock, written to be read and changed.

Examples:
  agon export fenix-agent > agent.py
  agon export fenix-agent --output agent.py")]
pub(crate) struct ExportFenixAgentArgs {
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}
