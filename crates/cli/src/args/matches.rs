//! The arguments of `agon match`.

use std::path::PathBuf;
use std::time::Duration;

use agon_arena::Openings;
use agon_arena::clock::read_duration;
use agon_arena::statistics::Sprt;
use clap::Args;

use super::{BudgetArgs, PythonArgs};

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  agon match breakthrough:6x6 greedy random --games 1000
  agon match congo alphabeta:depth=4 alphabeta:depth=2 --seed 1
  agon match wumpus:6 ordered:h=threat alphabeta --per-move 100ms
  agon match fenix engine engine:lmr=off --time 10s+100ms --concurrency 1
  agon match fauhalma:star3 engine greedy greedy --per-move 50ms --games 60
  agon match breakthrough:8x8 minimax alphabeta --nodes 10000 --openings book.txt --json
  agon match breakthrough:8x8 'ugi:./my-engine --fast' engine:level=3 --per-move 100ms
  agon match fenix python:agent.py 'python:old/agent.py#Minimax' --time 5m --games 20
  agon match congo engine engine:lmr=off --sprt 0,10 --games 20000 --per-move 50ms

Every opening is played from every seat: two agents meet in pairs of games with the seats swapped,
three in all six orders. The same seed with --depth or --nodes gives the same games, whatever the
concurrency. With no limit at all, agents use their own depth.

A side whose clock runs out loses, unless its last move ended the game; a single move may be 50 ms
over --per-move. A built-in agent that is late only because other programs kept the processors busy
has not lost: the game goes on and is marked as disturbed. The error beside Elo is that of a 95 % interval, computed from the pairs; of three
agents, Elo is against the average of the other two, by places.

Three agents are shown with their places and points as the FAUhalma course counts them: 2 for the
first place, 1 for the second. \"last 50\" is the course's rating, the mean of the last 50 games, and
\"best 50\" the best it was, which is what counts there; both need 50 games. Shared places count as
the best of them. An agent may be given more than once; it then has a number.

A file of openings has one on a line: a position, or the word moves and moves from the start. The
rest of a line after # is a comment. Ctrl-C ends the match with the games played so far.

python:FILE[#CLASS] is an agent written in Python: the file's only subclass of Agent, class with
act(self, state, remaining_time) or function choose(state, remaining), or the one of that name. It
runs in a process of its own, by the Python of --python, which must have Agon's package.

Every game is kept in the data folder (agon records shows them), unless --no-store is given. With
--log, a line of the log has the seconds, the number of the process, a mark (> sent, < said, ! on
the standard error, = a remark) and the text.")]
pub(crate) struct MatchArgs {
    /// The game and its setup: GAME[:SETUP]
    pub(crate) variant: String,

    /// Who plays, one agent for every seat: NAME[:OPTION=VALUE,…], python:FILE, ugi:COMMAND, …
    #[arg(value_name = "AGENT", required = true, num_args = 2..=4)]
    pub(crate) agents: Vec<String>,

    /// How many games; rounded up, so that everybody takes every seat equally often
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub(crate) games: u64,

    #[command(flatten)]
    pub(crate) budget: BudgetArgs,

    /// How games begin: start, random:N (N random plies, so that agents without chance play
    /// different games) or a file
    #[arg(long, value_name = "WHICH", default_value = "random:4")]
    pub(crate) openings: Openings,

    /// The seed for openings and for agents that play at random
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,

    /// Games at a time; as many as the processors bear if not given, and never more
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub(crate) concurrency: Option<u32>,

    /// Allow more games at a time than the processors bear
    #[arg(long)]
    pub(crate) oversubscribe: bool,

    /// Stop as soon as it is clear whether the first agent is better by the second number of Elo
    /// than by the first: ELO0,ELO1[,ALPHA,BETA]
    #[arg(long, value_name = "BOUNDS", allow_hyphen_values = true)]
    pub(crate) sprt: Option<Sprt>,

    /// Play games again that were disturbed: in which a built-in agent waited for a processor for
    /// more than a quarter of its time
    #[arg(long)]
    pub(crate) replay_disturbed: bool,

    /// How long somebody else's program may think where nothing else limits it
    #[arg(long, value_name = "TIME", value_parser = read_duration, default_value = "60s")]
    pub(crate) patience: Duration,

    #[command(flatten)]
    pub(crate) python: PythonArgs,

    /// Write everything that is said to programs and by them to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,

    /// Do not keep the games
    #[arg(long)]
    pub(crate) no_store: bool,

    /// Print JSON: {"games":N,"agents":[{"agent","wins","draws","losses","points","elo",
    /// "error","faults","places","rating":{"last_50","games","best"},…}],…}
    #[arg(long)]
    pub(crate) json: bool,
}
