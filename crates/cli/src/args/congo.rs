//! The arguments of `agon congo`.

use agon_games::congo::PieceKind;
use clap::{Args, Subcommand, ValueEnum};

pub(crate) const CONGO_EXAMPLES: &str = "\
Examples:
  printf '1\\ngmelecz/ppppppp/7/7/7/PPPPPPP/GMELECZ w 0\\n' | agon congo pieces
  agon congo moves --piece zebra < positions.txt
  agon congo apply < positions-and-moves.txt
  agon congo evaluate --advanced < positions.txt
  agon congo alphabeta --depth 4 < positions.txt
  agon congo engine

All but the engine read a number N and then N positions, one FEN per line, from standard input;
blank lines are ignored.";

const ENGINE_EXAMPLES: &str = "\
Examples:
  printf 'newgame\\nmoves d2d3\\ngo 1\\n' | agon congo engine
  agon congo engine --agent engine:level=3
  agon congo engine --no-promotion                 the course's 2021 edition

Reads newgame, position FEN, moves M1 M2 … (the opponent's since the last answer), go SECONDS and
quit. It answers every go with a move, which it also plays on its own board. Errors go to standard
error and leave the game as it is.";

/// The subcommands of `agon congo`.
#[derive(Subcommand, Debug)]
pub(crate) enum CongoTask {
    #[command(flatten)]
    Form(CongoCommand),
    /// Play in the course's tournaments: moves and times in, moves out
    #[command(after_help = ENGINE_EXAMPLES)]
    Engine(CongoEngineArgs),
}

#[derive(Args, Debug)]
pub(crate) struct CongoEngineArgs {
    /// The agent: NAME[:OPTION=VALUE,…]
    #[arg(long, value_name = "AGENT", default_value = "engine")]
    pub(crate) agent: String,

    #[command(flatten)]
    pub(crate) form: CongoForm,

    /// The random seed of the agent
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
}

/// The course's exercises.
#[derive(Subcommand, Debug)]
pub(crate) enum CongoCommand {
    /// The squares of all pieces, and the side to play
    #[command(after_help = CONGO_EXAMPLES)]
    Pieces(CongoForm),
    /// The legal moves in alphabetical order without duplicates, one line per position
    #[command(after_help = CONGO_EXAMPLES)]
    Moves(CongoMovesArgs),
    /// Play the move given on the line after each position: the new FEN and the result
    #[command(after_help = CONGO_EXAMPLES)]
    Apply(CongoForm),
    /// The course's static evaluation for the side to play
    #[command(after_help = CONGO_EXAMPLES)]
    Evaluate(CongoEvaluateArgs),
    /// The minimax value for the side to play
    #[command(after_help = CONGO_EXAMPLES)]
    Minimax(CongoSearchArgs),
    /// The alpha-beta value for the side to play
    #[command(after_help = CONGO_EXAMPLES)]
    Alphabeta(CongoSearchArgs),
}

impl CongoCommand {
    /// The options that all exercises share.
    pub(crate) fn form(&self) -> &CongoForm {
        match self {
            CongoCommand::Pieces(form) | CongoCommand::Apply(form) => form,
            CongoCommand::Moves(args) => &args.form,
            CongoCommand::Evaluate(args) => &args.form,
            CongoCommand::Minimax(args) | CongoCommand::Alphabeta(args) => &args.form,
        }
    }
}

#[derive(Args, Debug)]
pub(crate) struct CongoForm {
    /// The 2021 edition: a pawn on the last rank stays a pawn
    #[arg(long)]
    pub(crate) no_promotion: bool,
}

#[derive(Args, Debug)]
pub(crate) struct CongoEvaluateArgs {
    #[command(flatten)]
    pub(crate) form: CongoForm,

    /// Count moves and attacks, not only material
    #[arg(long)]
    pub(crate) advanced: bool,

    /// The value of a kind of piece, such as monkey=250; may be given several times
    #[arg(long, value_name = "KIND=N", value_parser = read_worth)]
    pub(crate) worth: Vec<(PieceKind, i32)>,
}

#[derive(Args, Debug)]
pub(crate) struct CongoSearchArgs {
    #[command(flatten)]
    pub(crate) form: CongoForm,

    /// Search depth in plies; by default 2 for minimax and 4 for alphabeta
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(0..=100))]
    pub(crate) depth: Option<u32>,

    /// The evaluation; by default simple for minimax and advanced for alphabeta
    #[arg(long, value_name = "NAME")]
    pub(crate) evaluation: Option<CongoEvaluation>,

    /// The value of a kind of piece, such as monkey=250; may be given several times
    #[arg(long, value_name = "KIND=N", value_parser = read_worth)]
    pub(crate) worth: Vec<(PieceKind, i32)>,
}

/// The course's two evaluations.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum CongoEvaluation {
    /// Material
    Simple,
    /// Material, moves and attacks
    Advanced,
}

/// Reads `monkey=250`.
fn read_worth(text: &str) -> Result<(PieceKind, i32), String> {
    let (kind, worth) = text.split_once('=').ok_or("expected KIND=N, such as monkey=250")?;
    let kind = kind.parse().map_err(|error: agon_core::TextError| error.to_string())?;
    let worth = worth.parse().ok().filter(|worth| (0..=2000).contains(worth));
    Ok((kind, worth.ok_or("expected a value from 0 to 2000, such as monkey=250")?))
}

#[derive(Args, Debug)]
pub(crate) struct CongoMovesArgs {
    #[command(flatten)]
    pub(crate) form: CongoForm,

    /// Only the moves of this kind of piece: pawn, superpawn, giraffe, monkey, elephant, lion,
    /// crocodile or zebra
    #[arg(long, value_name = "KIND")]
    pub(crate) piece: Option<PieceKind>,
}
