//! Commands and their arguments. Help, completions and manual pages come from these definitions.

mod accounts;
mod aisysproj;
mod book;
mod check;
mod congo;
mod ggp;
mod isolation;
mod lab;
mod matches;
mod nats;
mod records;
mod review;
mod serve;
mod solve;
mod tables;
mod tournament;
mod tune;
mod ugi;

use std::path::PathBuf;
use std::time::Duration;

use agon_arena::clock::{GameTime, Pace, TimeControl, read_duration};
use agon_isolation::Level;
use clap::{Args, Parser, Subcommand, ValueEnum};

pub(crate) use accounts::{
    ACCOUNTS_EXAMPLES, AccountArgs, AccountsCommand, AccountsListArgs, NewPasswordArgs,
};
pub(crate) use aisysproj::{AisysprojArgs, AisysprojTask, TryArgs};
pub(crate) use book::{
    BOOK_EXAMPLES, BookBalancedArgs, BookBuildArgs, BookCheckArgs, BookCommand, BookExportArgs,
    BookMergeArgs, BookShowArgs, BookStatsArgs,
};
pub(crate) use check::CheckArgs;
pub(crate) use congo::{
    CONGO_EXAMPLES, CongoCommand, CongoEngineArgs, CongoEvaluation, CongoForm, CongoTask,
};
pub(crate) use ggp::{
    EXPORT_EXAMPLES, ExportCommand, ExportFenixAgentArgs, ExportGdlArgs, GgpArgs, GgpMatchArgs,
    GgpTask,
};
pub(crate) use isolation::IsolationArgs;
pub(crate) use lab::{
    LAB_EXAMPLES, LabCommand, LabListArgs, LabNewArgs, LabReportArgs, LabRunArgs, LabStatusArgs,
};
pub(crate) use matches::MatchArgs;
pub(crate) use nats::{AccessArgs, ElsewhereArgs, WorkerArgs, WorkersArgs};
pub(crate) use records::{
    DeleteArgs, ExportArgs, FilterArgs, RECORDS_EXAMPLES, RatingsArgs, RecordsCommand,
    RecordsListArgs, RecordsShowArgs, ReplayArgs,
};
pub(crate) use review::ReviewArgs;
pub(crate) use serve::{ServeArgs, ServePart};
pub(crate) use solve::SolveArgs;
pub(crate) use tables::{
    TABLES_EXAMPLES, TablesBuildArgs, TablesCheckArgs, TablesCommand, TablesStatsArgs,
};
pub(crate) use tournament::{
    CrosstableForm, TOURNAMENT_EXAMPLES, TableForm, TournamentCommand, TournamentExportArgs,
    TournamentListArgs, TournamentRunArgs, TournamentStatusArgs,
};
pub(crate) use tune::TuneArgs;
pub(crate) use ugi::UgiArgs;

/// The heading of the options that every command has.
const GLOBAL: &str = "Global options";

/// A workbench for adversarial-search agents: games for two and three players.
#[derive(Parser, Debug)]
#[command(name = "agon", version, max_term_width = 100, after_help = EXAMPLES)]
pub(crate) struct Cli {
    /// When to use colour; the environment variable NO_COLOR is respected too
    #[arg(long, value_name = "WHEN", global = true, default_value = "auto", help_heading = GLOBAL)]
    pub(crate) color: Color,

    /// The folder for tables and games; by default AGON_DATA, else the platform's data directory
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
  agon games                          list the games
  agon show congo                     draw the board
  agon play breakthrough:6x6          play in the terminal
  agon moves fenix --json             legal moves and the positions after them
  agon analyse wumpus:6               search a position
  agon review 7.120                   where was this stored game lost?
  agon solve breakthrough:5x5         who wins, exactly
  agon perft wumpus:6 5               count move sequences
  agon match congo engine greedy      who is better?
  agon tournament run spring.toml     many agents, every game stored
  agon lab run study.toml             an experiment; agon lab report writes its report
  agon check congo congo:./my-agent   does this program play by the rules and in time?
  agon check fenix python:agent.py    does this Python agent?
  agon ggp                            play Breakthrough for a GGP controller
  agon aisysproj config.json          play FAUhalma on the course's server
  agon isolation                      can this machine keep strangers' programs in check?
  agon ratings                        rate all agents from the stored games

A variant is GAME[:SETUP], such as fenix, breakthrough:8x8,classic, wumpus:6,seed=3 or
fauhalma:star3. For the options and examples of a command: agon COMMAND --help";

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Start the workbench in the browser: play, watch and replay games. Plain agon does the same
    Serve(Box<ServeArgs>),
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
    /// Play many games between agents, to see who is better and by how much
    Match(Box<MatchArgs>),
    /// Run tournaments described in a file, show their standings and export their games
    #[command(subcommand, after_help = TOURNAMENT_EXAMPLES)]
    Tournament(TournamentCommand),
    /// Run experiments described in a file, and write their reports
    #[command(subcommand, after_help = LAB_EXAMPLES)]
    Lab(LabCommand),
    /// Check an agent: rules, time, scenarios and games against random agents
    Check(CheckArgs),
    /// List, show, replay, export and delete stored games
    #[command(subcommand, after_help = RECORDS_EXAMPLES)]
    Records(RecordsCommand),
    /// Rate all agents from the stored games
    Ratings(RatingsArgs),
    /// Search a position with an agent and show what it finds
    Analyse(AnalyseArgs),
    /// Review a finished game: its turning points, and how well everybody played
    Review(ReviewArgs),
    /// Find the exact value of a position, and prove it
    Solve(SolveArgs),
    /// Run fixed searches on fixed positions: node signature and speed
    Bench(BenchArgs),
    /// Fit the weights of an evaluation to self-play games
    Tune(TuneArgs),
    /// Build and check tables of exact values, which are kept in files
    #[command(subcommand, after_help = TABLES_EXAMPLES)]
    Tables(TablesCommand),
    /// Build opening books and tell what is in them
    #[command(subcommand, after_help = BOOK_EXAMPLES)]
    Book(BookCommand),
    /// Run as an engine for another program: the Universal Game Interface on standard input and
    /// output
    Ugi(UgiArgs),
    /// The input and output formats of the Congo course
    #[command(subcommand, after_help = CONGO_EXAMPLES)]
    Congo(CongoTask),
    /// Play for general game playing (GGP) controllers over HTTP; agon ggp match is a controller
    Ggp(GgpArgs),
    /// Play FAUhalma on the server of the AI systems project
    Aisysproj(AisysprojArgs),
    /// Write files for other programs: rules as GDL, an example agent for the Fenix course
    #[command(subcommand, after_help = EXPORT_EXAMPLES)]
    Export(ExportCommand),
    /// Manage the accounts of agents that play over the network
    #[command(subcommand, after_help = ACCOUNTS_EXAMPLES)]
    Accounts(AccountsCommand),
    /// Play games for tournaments, matches and experiments on other machines
    Worker(Box<WorkerArgs>),
    /// Show the workers of a broker, and what they play
    Workers(WorkersArgs),
    /// Show how far programs of strangers can be isolated on this machine
    Isolation(IsolationArgs),
    /// Print a script that makes Tab complete variants, agents, names and options in a shell
    Completions(CompletionsArgs),
    /// Print the manual page, or write those of all commands
    Man(ManArgs),
}

impl Command {
    /// Whether engines open by the book unless told otherwise: they do wherever games are played
    /// for their own sake, in the terminal, on the pages and for other programs. Matches and
    /// everything else that measures would rather see the search.
    pub(crate) fn opens_by_the_book(&self) -> bool {
        use Command::{Aisysproj, Congo, Ggp, Play, Serve, Ugi};
        // The pages that are opened are those of a server.
        let opens_pages = matches!(self, Command::Analyse(args) if args.open);
        opens_pages
            || matches!(self, Play(_) | Serve(_) | Ugi(_) | Congo(_) | Ggp(_) | Aisysproj(_))
    }
}

/// A position.
#[derive(Args, Debug)]
pub(crate) struct PositionArgs {
    /// The game and its setup: GAME[:SETUP]
    pub(crate) variant: String,

    /// Start from this position, in the game's notation
    #[arg(long, value_name = "TEXT")]
    pub(crate) position: Option<String>,

    /// Then play these moves, separated by spaces
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

    /// Print the board as JSON: cells, regions and pieces
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

Counts the sequences of exactly DEPTH moves; finished games have no moves. Repetition does not end a
game here: only positions count, not their history.")]
pub(crate) struct PerftArgs {
    #[command(flatten)]
    pub(crate) position: PositionArgs,

    /// The depth in plies
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(crate) depth: u32,

    /// Show the count below each first move
    #[arg(long)]
    pub(crate) divide: bool,

    /// How many threads to use
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(crate) threads: u32,

    /// Play the last move of every sequence instead of only counting it; slower, but checks more
    #[arg(long)]
    pub(crate) leaves: bool,

    /// Cache the counts of positions in a table of this many MiB; 0 is none
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
  agon play wumpus:6 --against engine          at full strength, one second per move
  agon play breakthrough:5x5 --against random  against random moves
  agon play congo --against ordered:depth=4    against a textbook search four plies deep
  agon play breakthrough:6x6 --as black        as the second player
  agon play fauhalma:star2 --against human     two people at one keyboard
  agon play fenix --against python:agent.py    against your own agent in Python
  agon play fenix --save game.json             save the game to a file after every move
  agon play --load game.json                   resume it
  agon play congo --plain                      as lines of text
  agon play congo --watch engine mcts          watch two agents play
  agon play fauhalma:star3 --watch engine brs paranoid --per-move 200ms

In a terminal the game fills the window: click a piece and its target, or use the arrow keys and
Enter; ? shows the other keys. With --plain, in a pipe, or if the window is too small, type a move
or its beginning, or its number in the list; help lists the other commands.

With --watch nobody has to move: Space pauses, the arrow keys step and look back, + and - change the
speed. As lines of text, the game is printed to its end.")]
pub(crate) struct PlayArgs {
    /// The game and its setup: GAME[:SETUP]
    #[arg(required_unless_present = "load")]
    pub(crate) variant: Option<String>,

    /// Start from this position, in the game's notation
    #[arg(long, value_name = "TEXT", conflicts_with = "load")]
    pub(crate) position: Option<String>,

    /// Then play these moves, separated by spaces
    #[arg(long, value_name = "MOVES", conflicts_with = "load", allow_hyphen_values = true)]
    pub(crate) moves: Option<String>,

    /// Your seat by name, such as black or B; by default the first to move
    #[arg(long = "as", value_name = "SEAT")]
    pub(crate) seat: Option<String>,

    /// Who plays the other seats: an agent such as engine:level=4, or human; give it several times
    /// for different opponents, in the order of the seats
    #[arg(long, value_name = "AGENT", default_values_t = [String::from("engine:level=3")])]
    pub(crate) against: Vec<String>,

    /// Watch agents play by themselves: one for every seat in order, or one for all of them
    #[arg(long, value_name = "AGENT", num_args = 1..=4, conflicts_with_all = ["seat", "against"])]
    pub(crate) watch: Vec<String>,

    /// The limits of the agents; people have no clock. By default 1s per move
    #[command(flatten)]
    pub(crate) budget: BudgetArgs,

    /// The random seed of the agents; by default a new one for every game
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,

    #[command(flatten)]
    pub(crate) programs: ProgramArgs,

    /// Write the game to this file after every move
    #[arg(long, value_name = "FILE")]
    pub(crate) save: Option<PathBuf>,

    /// Resume a saved game
    #[arg(long, value_name = "FILE", conflicts_with = "variant")]
    pub(crate) load: Option<PathBuf>,

    /// Use lines of text instead of the full screen
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
  agon analyse congo --moves 'd2d3' --open    on the pages, with variations and evaluations

Prints a line for each completed depth; with --json an object for each, and a last one with
\"final\":true. Ctrl-C stops the search and shows what it found. The default limit is 5s.")]
// There is one search here, and no game.
#[command(mut_arg("time", |arg| {
    arg.help("Search as long as for one move of a game with this clock: 5m, 10s+100ms")
}))]
#[command(mut_arg("per_move", |arg| arg.help("How long to search: 1s, 250ms")))]
#[command(mut_arg("nodes", |arg| arg.help("Maximum number of nodes")))]
pub(crate) struct AnalyseArgs {
    #[command(flatten)]
    pub(crate) position: PositionArgs,

    /// The agent that searches: NAME[:OPTION=VALUE,…]; by default engine
    #[arg(long, value_name = "AGENT")]
    pub(crate) agent: Option<String>,

    /// Show the K best moves with their lines, if the agent supports it (engine)
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(crate) lines: Option<u32>,

    #[command(flatten)]
    pub(crate) budget: BudgetArgs,

    /// The random seed of the agent
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,

    /// Open the position on the analysis page in the browser, with the running server or a new one
    #[arg(long, conflicts_with_all = [
        "json", "agent", "lines", "seed", "time", "per_move", "depth", "nodes",
    ])]
    pub(crate) open: bool,

    /// Print JSON, one object per line
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  agon bench
  agon bench congo
  agon bench --json

The node counts are the same on every run and machine, so a change that should not affect what
agents play leaves them as they are. The tests compare them with
crates/search/bench-signature.txt.

The last line is the speed by which clocks are scaled (reference_speed in a tournament file,
--reference-speed of a match): short searches of the engines, the fastest of several runs.")]
pub(crate) struct BenchArgs {
    /// Only the searches of this game
    pub(crate) game: Option<String>,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// How programs are run.
#[derive(Args, Debug, Default, PartialEq)]
pub(crate) struct ProgramArgs {
    /// The Python interpreter for python:FILE agents, with Agon's package installed; by default
    /// AGON_PYTHON, else python3
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) python: Option<String>,

    /// How far programs are isolated: sandbox, weak or none. By default sandbox in tournaments and
    /// on the server, none elsewhere; agon isolation shows what this machine can give
    #[arg(long, value_name = "LEVEL")]
    pub(crate) isolation: Option<Level>,

    /// A file or folder that isolated programs may read besides their own; may be given several
    /// times
    #[arg(long, value_name = "PATH")]
    pub(crate) readable: Vec<PathBuf>,
}

/// The limits of agents.
#[derive(Args, Debug)]
pub(crate) struct BudgetArgs {
    /// Game clock of each side, with an optional increment per move: 5m, 10s+100ms
    #[arg(long, value_name = "TIME")]
    pub(crate) time: Option<GameTime>,

    /// Time per move: 1s, 250ms
    #[arg(long, value_name = "TIME", value_parser = read_duration)]
    pub(crate) per_move: Option<Duration>,

    #[command(flatten)]
    pub(crate) effort: EffortArgs,
}

/// The limits of a search besides the clock.
#[derive(Args, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct EffortArgs {
    /// Maximum search depth in plies
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) depth: Option<u32>,

    /// Maximum number of nodes per move
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

    /// The limits together, or this much time per move if there are none.
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
  echo 'source <(agon completions bash)' >> ~/.bashrc
  echo 'source <(agon completions zsh)' >> ~/.zshrc
  agon completions fish > ~/.config/fish/completions/agon.fish

From then on Tab completes commands and options, and also variants, agents with their options,
evaluations, seats, openings, and the tournaments and experiments in the data folder. The shell
asks the agon on your path. In zsh, compinit must have run before.")]
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
