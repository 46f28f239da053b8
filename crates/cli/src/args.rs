//! Commands and their arguments. Help, completions and manual pages come from these definitions.

mod accounts;
mod aisysproj;
mod check;
mod congo;
mod ggp;
mod matches;
mod records;
mod serve;
mod solve;
mod tables;
mod tournament;
mod tune;
mod ugi;

use std::path::PathBuf;
use std::time::Duration;

use agon_arena::clock::{GameTime, Pace, TimeControl, read_duration};
use clap::{Args, Parser, Subcommand, ValueEnum};

pub(crate) use accounts::{
    ACCOUNTS_EXAMPLES, AccountArgs, AccountsCommand, AccountsListArgs, NewPasswordArgs,
};
pub(crate) use aisysproj::{AisysprojArgs, AisysprojTask, TryArgs};
pub(crate) use check::CheckArgs;
pub(crate) use congo::{
    CONGO_EXAMPLES, CongoCommand, CongoEngineArgs, CongoEvaluation, CongoForm, CongoTask,
};
pub(crate) use ggp::{
    EXPORT_EXAMPLES, ExportCommand, ExportFenixAgentArgs, ExportGdlArgs, GgpArgs, GgpMatchArgs,
    GgpTask,
};
pub(crate) use matches::MatchArgs;
pub(crate) use records::{
    DeleteArgs, ExportArgs, FilterArgs, RECORDS_EXAMPLES, RatingsArgs, RecordsCommand,
    RecordsListArgs, RecordsShowArgs, ReplayArgs,
};
pub(crate) use serve::{ServeArgs, ServePart};
pub(crate) use solve::SolveArgs;
pub(crate) use tables::{TABLES_EXAMPLES, TablesBuildArgs, TablesCommand, TablesListArgs};
pub(crate) use tournament::{
    TOURNAMENT_EXAMPLES, TournamentCommand, TournamentExportArgs, TournamentListArgs,
    TournamentRunArgs, TournamentStatusArgs,
};
pub(crate) use tune::TuneArgs;
pub(crate) use ugi::UgiArgs;

/// The heading of the options that every command has.
const GLOBAL: &str = "Global options";

/// The workbench for adversarial-search agents: games for two and three players.
#[derive(Parser, Debug)]
#[command(name = "agon", version, max_term_width = 100, after_help = EXAMPLES)]
pub(crate) struct Cli {
    /// When to use colour; NO_COLOR in the environment is respected too
    #[arg(long, value_name = "WHEN", global = true, default_value = "auto", help_heading = GLOBAL)]
    pub(crate) color: Color,

    /// Where tables and games are kept; AGON_DATA or the platform's data directory by default
    #[arg(long, value_name = "DIR", global = true, help_heading = GLOBAL)]
    pub(crate) data: Option<PathBuf>,

    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// When to use colour.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Color {
    /// In a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl From<Color> for anstream::ColorChoice {
    fn from(color: Color) -> Self {
        match color {
            Color::Auto => anstream::ColorChoice::Auto,
            Color::Always => anstream::ColorChoice::Always,
            Color::Never => anstream::ColorChoice::Never,
        }
    }
}

const EXAMPLES: &str = "\
Examples:
  agon                                the workbench in the browser; same as agon serve
  agon games                          what can be played
  agon show congo                     the board, drawn
  agon play breakthrough:6x6          play in the terminal
  agon moves fenix --json             legal moves and where they lead
  agon analyse wumpus:6               what a search thinks of a position
  agon solve breakthrough:5x5         who wins, exactly
  agon perft wumpus:6 5               count move sequences
  agon match congo engine greedy      who is better?
  agon tournament run spring.toml     many agents, every game stored
  agon check congo congo:./my-agent   is this program fit to play?
  agon check fenix python:agent.py    is this Python file?
  agon ggp                            play Breakthrough for a GGP controller
  agon aisysproj config.json          play FAUhalma on the course's server
  agon ratings                        how strong all agents of the stored games are

A variant is GAME[:SETUP], such as fenix, breakthrough:8x8,classic, wumpus:6,seed=3 or
fauhalma:star3. Every command explains itself: agon COMMAND --help";

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Start the workbench in the browser: play, watch, look at stored games. So does agon alone
    Serve(ServeArgs),
    /// List the games, their variants, notations and agents
    Games(GamesArgs),
    /// Draw a position
    Show(ShowArgs),
    /// List the legal moves and the positions they lead to
    Moves(MovesArgs),
    /// Count the move sequences of a given length, to check and measure the rules
    Perft(PerftArgs),
    /// Play in the terminal, against an agent or another person
    Play(PlayArgs),
    /// Let agents play many games against each other, and see who is better and by how much
    Match(MatchArgs),
    /// Many agents in one contest, from a file: run it, look at it, take the games away
    #[command(subcommand, after_help = TOURNAMENT_EXAMPLES)]
    Tournament(TournamentCommand),
    /// Find out whether an agent is fit to play: rules, time, scenarios, and random agents
    Check(CheckArgs),
    /// Look at stored games: list, show, replay, export and delete them
    #[command(subcommand, after_help = RECORDS_EXAMPLES)]
    Records(RecordsCommand),
    /// Show how strong all agents are, from all stored games together
    Ratings(RatingsArgs),
    /// Let an agent think about a position and show what it finds
    Analyse(AnalyseArgs),
    /// Find the exact value of a position, and prove it
    Solve(SolveArgs),
    /// Run fixed searches on fixed positions: node signature and speed
    Bench(BenchArgs),
    /// Fit the weights of an evaluation to games an agent plays against itself
    Tune(TuneArgs),
    /// Exact knowledge, computed once and kept in files
    #[command(subcommand, after_help = TABLES_EXAMPLES)]
    Tables(TablesCommand),
    /// Answer another program by the Universal Game Interface, on standard input and output
    Ugi(UgiArgs),
    /// The Congo course's own input and output forms
    #[command(subcommand, after_help = CONGO_EXAMPLES)]
    Congo(CongoTask),
    /// Play for the controllers of general game playing, over HTTP; agon ggp match is one of them
    Ggp(GgpArgs),
    /// Play FAUhalma on the server of the AI systems project
    Aisysproj(AisysprojArgs),
    /// Write files for other programs: the rules of a game as GDL
    #[command(subcommand, after_help = EXPORT_EXAMPLES)]
    Export(ExportCommand),
    /// Accounts of agents that play over the network
    #[command(subcommand, after_help = ACCOUNTS_EXAMPLES)]
    Accounts(AccountsCommand),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
    /// Print the manual page, or write the pages of all commands
    Man(ManArgs),
}

/// Which position is meant.
#[derive(Args, Debug)]
pub(crate) struct PositionArgs {
    /// The game and its setup: GAME[:SETUP]
    pub(crate) variant: String,

    /// Begin from this position, in the game's notation
    #[arg(long, value_name = "TEXT")]
    pub(crate) position: Option<String>,

    /// Then play these moves, separated by blanks
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    pub(crate) moves: Option<String>,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  agon games\n  agon games --json | jq '.games[].name'")]
pub(crate) struct GamesArgs {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  agon show fauhalma:star3
  agon show wumpus:9,seed=7
  agon show congo --moves 'd2d3 d6d5'
  agon show breakthrough:5x5 --position '1pppp/ppppp/5/PPPPP/PPPP1 b'")]
pub(crate) struct ShowArgs {
    #[command(flatten)]
    pub(crate) position: PositionArgs,

    /// Print the drawing as JSON: cells, regions and pieces
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  agon moves breakthrough:5x5
  agon moves congo --position '7/7/4l2/7/2L4/3p3/7 w 0'
  agon moves fenix --moves 'a7b7 h1g1' --json")]
pub(crate) struct MovesArgs {
    #[command(flatten)]
    pub(crate) position: PositionArgs,

    /// Print JSON: {"variant","position","to_move","outcome","moves":[{"move","position"}]}
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  agon perft breakthrough:8x8 8
  agon perft congo 5 --divide
  agon perft fauhalma:star3 6 --threads 2 --hash 256
  agon perft wumpus:6 6 --leaves --json

Counts the sequences of exactly DEPTH moves; finished games have no moves. Repetition does not
end a line here, since only positions are looked at.")]
pub(crate) struct PerftArgs {
    #[command(flatten)]
    pub(crate) position: PositionArgs,

    /// How many plies deep
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(crate) depth: u32,

    /// Show the count for every first move
    #[arg(long)]
    pub(crate) divide: bool,

    /// Share the work among this many threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(crate) threads: u32,

    /// Play every last move instead of counting it: slower, and measures playing too
    #[arg(long)]
    pub(crate) leaves: bool,

    /// Remember counted positions in a table of this many MiB: faster, costs memory
    #[arg(long, value_name = "MIB", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=65_536))]
    pub(crate) hash: u32,

    /// Print JSON: {"nodes":[…],"seconds","nps"}
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  agon play congo                              against the engine, weakened to level 3
  agon play congo --against engine:level=6     stronger: levels 1 to 10
  agon play wumpus:6 --against engine          as well as it can, a second for each move
  agon play breakthrough:5x5 --against random  against random moves
  agon play congo --against ordered:depth=4    against a textbook search of four plies
  agon play breakthrough:6x6 --as black        as the second player
  agon play fauhalma:star2 --against human     two people at one keyboard
  agon play fenix --against python:agent.py    against your own agent in Python
  agon play fenix --save game.json             keep the game in a file after every move
  agon play --load game.json                   go on with it
  agon play congo --plain                      in lines of text

In a terminal the game fills the window: click a piece and where it goes, or use the arrow keys and
Enter; ? shows the other keys. With --plain, in a pipe, or where the window is too small, type a
move, its number in the list, or enough of its beginning; help says the rest.")]
pub(crate) struct PlayArgs {
    /// The game and its setup: GAME[:SETUP]
    #[arg(required_unless_present = "load")]
    pub(crate) variant: Option<String>,

    /// Begin from this position, in the game's notation
    #[arg(long, value_name = "TEXT", conflicts_with = "load")]
    pub(crate) position: Option<String>,

    /// Then play these moves, separated by blanks
    #[arg(long, value_name = "MOVES", conflicts_with = "load", allow_hyphen_values = true)]
    pub(crate) moves: Option<String>,

    /// Your seat by name, such as black or B; the first to move if not given
    #[arg(long = "as", value_name = "SEAT")]
    pub(crate) seat: Option<String>,

    /// Who plays the other seats: an agent such as engine:level=4, or human; several are dealt
    /// to them in order
    #[arg(long, value_name = "AGENT", default_values_t = [String::from("engine:level=3")])]
    pub(crate) against: Vec<String>,

    /// What limits the agents; people may think as long as they like. 1s for each move if not given
    #[command(flatten)]
    pub(crate) budget: BudgetArgs,

    /// The seed for agents that play at random; another game every time if not given
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,

    #[command(flatten)]
    pub(crate) python: PythonArgs,

    /// Write the game to this file after every move
    #[arg(long, value_name = "FILE")]
    pub(crate) save: Option<PathBuf>,

    /// Go on with a saved game
    #[arg(long, value_name = "FILE", conflicts_with = "variant")]
    pub(crate) load: Option<PathBuf>,

    /// Play in lines of text instead of on the full screen
    #[arg(long)]
    pub(crate) plain: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  agon analyse congo
  agon analyse congo --lines 3 --per-move 10s
  agon analyse breakthrough:6x6 --agent alphabeta --per-move 10s
  agon analyse wumpus:6 --agent ordered:h=threat --depth 6
  agon analyse fenix --moves 'a7b7 h1g1' --nodes 1000000 --json

One line for every depth that was completed; with --json one object each, and a last one with
\"final\":true. Ctrl-C stops the search and shows what it found. 5s if no limit is given.")]
pub(crate) struct AnalyseArgs {
    #[command(flatten)]
    pub(crate) position: PositionArgs,

    /// Who thinks: NAME[:OPTION=VALUE,…]; engine if not given
    #[arg(long, value_name = "AGENT")]
    pub(crate) agent: Option<String>,

    /// Show the K best moves with their lines, where the agent can (engine)
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(crate) lines: Option<u32>,

    #[command(flatten)]
    pub(crate) budget: BudgetArgs,

    /// The seed for agents that choose at random
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,

    /// Print JSON, one object a line
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  agon bench
  agon bench congo
  agon bench --json

The nodes are the same on every run and machine: a change that should not change what agents play
leaves them alone. crates/search/bench-signature.txt holds them, and the tests compare.")]
pub(crate) struct BenchArgs {
    /// Only the searches of this game
    pub(crate) game: Option<String>,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Who runs agents that are written in Python.
#[derive(Args, Debug, Default, PartialEq)]
pub(crate) struct PythonArgs {
    /// The Python that runs python:FILE agents, which must have Agon's package; AGON_PYTHON or
    /// python3 if not given
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) python: Option<String>,
}

/// What limits agents.
#[derive(Args, Debug)]
pub(crate) struct BudgetArgs {
    /// Time of each side for a whole game, with an increment after every move if wanted: 5m,
    /// 10s+100ms
    #[arg(long, value_name = "TIME")]
    pub(crate) time: Option<GameTime>,

    /// Time for each move: 1s, 250ms
    #[arg(long, value_name = "TIME", value_parser = read_duration)]
    pub(crate) per_move: Option<Duration>,

    #[command(flatten)]
    pub(crate) effort: EffortArgs,
}

/// What limits a search wherever it runs, whatever the clock says.
#[derive(Args, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct EffortArgs {
    /// No deeper than this many plies
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) depth: Option<u32>,

    /// No more than this many nodes for each move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) nodes: Option<u64>,
}

impl BudgetArgs {
    /// The limits together.
    pub(crate) fn pace(&self) -> Pace {
        let time = TimeControl { game: self.time, per_move: self.per_move };
        let EffortArgs { depth, nodes } = self.effort;
        Pace { time, depth, nodes }
    }

    /// The limits together, or so much time for a move if there are none.
    pub(crate) fn pace_or(&self, per_move: Duration) -> Pace {
        let mut pace = self.pace();
        if pace == Pace::default() {
            pace.time.per_move = Some(per_move);
        }
        pace
    }
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  agon completions bash > ~/.local/share/bash-completion/completions/agon
  agon completions zsh > ~/.zfunc/_agon
  agon completions fish > ~/.config/fish/completions/agon.fish")]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  agon man | man -l -\n  agon man --dir ~/.local/share/man/man1"
)]
pub(crate) struct ManArgs {
    /// Write agon.1 and a page for every command into this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,
}
