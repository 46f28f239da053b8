//! The arguments of `agon match`.

use std::path::PathBuf;
use std::time::Duration;

use agon_arena::Openings;
use agon_arena::clock::read_duration;
use agon_arena::statistics::Sprt;
use clap::Args;

use super::{BudgetArgs, ElsewhereArgs, ProgramArgs};

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
  agon match congo engine engine:lmr=off --games 20000 --per-move 1s --nats nats://broker:4222

Every opening is played from every seat: two agents play pairs of games with the seats swapped,
three play all six orders. The same seed with --depth or --nodes gives the same games, whatever the
concurrency. Without any limit, agents search to their default depth.

A side whose clock runs out loses, unless its last move ended the game; a single move may exceed
--per-move by 50 ms. A built-in agent that is late only because other programs kept the cores busy
does not lose: the game continues and is marked as disturbed.

The error of Elo is that of a 95 % interval, computed from the pairs. With three agents, Elo is
computed from places, against the average of the other two.

Three agents are shown with their places and points as the FAUhalma course counts them: 2 for the
first place, 1 for the second. \"last 50\" is the course's rating, the mean of the last 50 games, and
\"best 50\" its maximum so far, which is what the course grades; both need 50 games. Agents that share
places all get the best of them. An agent that is given more than once is numbered.

A file of openings has one per line: a position, or the word moves followed by moves from the start.
The rest of a line after # is a comment. Ctrl-C ends the match with the games played so far.

python:FILE[#CLASS] is an agent written in Python: the class or function CLASS, else the only one in
the file that is a subclass of Agent, a class with act(self, state, remaining_time) or a function
choose(state, remaining). It runs in its own process, in the interpreter of --python.

Every game is stored in the data folder (agon records shows them), unless --no-store is given.

Each line of --log has the time in seconds, the number of the process, a mark (> sent, < received,
! from standard error, = a remark) and the text.")]
pub(crate) struct MatchArgs {
    /// The game and its setup: GAME[:SETUP]
    pub(crate) variant: String,

    /// The agents, one per seat: NAME[:OPTION=VALUE,…], python:FILE, ugi:COMMAND, …
    #[arg(value_name = "AGENT", required = true, num_args = 2..=4)]
    pub(crate) agents: Vec<String>,

    /// Number of games, rounded up so that every agent plays every seat equally often
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub(crate) games: u64,

    #[command(flatten)]
    pub(crate) budget: BudgetArgs,

    /// How games start: start, random:N (N random plies, so that deterministic agents play
    /// different games), book:N (even lines of N plies from the opening book), balanced (the even
    /// openings that come with the program) or a file
    #[arg(long, value_name = "WHICH", default_value = "random:4")]
    pub(crate) openings: Openings,

    /// The random seed of openings and agents
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,

    /// Games at a time; by default, and at most, one per core
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub(crate) concurrency: Option<u32>,

    /// Allow more games at a time than there are cores for
    #[arg(long)]
    pub(crate) oversubscribe: bool,

    /// Stop as soon as an SPRT of elo0 against elo1 is decided, for the first agent:
    /// ELO0,ELO1[,ALPHA,BETA]
    #[arg(long, value_name = "BOUNDS", allow_hyphen_values = true)]
    pub(crate) sprt: Option<Sprt>,

    /// Replay disturbed games, in which a built-in agent spent more than a quarter of its time
    /// waiting for a core
    #[arg(long)]
    pub(crate) replay_disturbed: bool,

    /// How long a program may think about a move if nothing else limits it
    #[arg(long, value_name = "TIME", value_parser = read_duration, default_value = "60s")]
    pub(crate) patience: Duration,

    #[command(flatten)]
    pub(crate) programs: ProgramArgs,

    #[command(flatten)]
    pub(crate) elsewhere: ElsewhereArgs,

    /// Scale clocks to this speed, in nodes a second of agon bench: a machine that is half as fast
    /// gives twice the time
    #[arg(long, value_name = "SPEED",
        value_parser = clap::value_parser!(u64).range(1_000..=10_000_000_000))]
    pub(crate) reference_speed: Option<u64>,

    /// Log all communication with programs to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,

    /// Do not store the games
    #[arg(long)]
    pub(crate) no_store: bool,

    /// Print JSON: {"games":N,"agents":[{"agent","wins","draws","losses","points","elo",
    /// "error","faults","places","rating":{"last_50","games","best"},…}],…}
    #[arg(long)]
    pub(crate) json: bool,
}
