//! The course's own forms, as functions on text.
//!
//! The course writes moves as from and to only, has no draws (two bare lions keep moving for ever),
//! and ends a game only when a lion is captured. `promotion` is `false` for its 2021 edition, in
//! which a pawn on the last rank stays a pawn.

mod game;

use std::collections::BTreeSet;

use agon_core::{Game, Notation, Seat, TextError};

use super::board::PieceKind;
use super::notation::square_name;
use super::{BLACK, Congo, WHITE};

pub use game::{CourseCongo, LION_CAPTURED};

/// Where the pieces stand: a line for each kind, white's before black's, and the side to play.
///
/// ```
/// use agon_games::congo::course;
/// let text = course::pieces("2l4/7/pp3C1/2p4/PP3P1/4Z2/2L4 w 0", true).unwrap();
/// let lines: Vec<&str> = text.lines().collect();
/// assert_eq!(lines[0], "white pawn: a3 b3 f3");
/// assert_eq!(lines[1], "black pawn: a5 b5 c4");
/// assert_eq!(lines[16], "side to play: white");
/// ```
pub fn pieces(fen: &str, promotion: bool) -> Result<String, TextError> {
    let position = read(fen, promotion)?;
    let mut lines = Vec::new();
    for kind in PieceKind::ALL {
        for owner in [WHITE, BLACK] {
            let mut line = format!("{} {kind}:", position.seat_name(owner));
            for square in position.men(owner, kind) {
                line.push(' ');
                line.push_str(&square_name(square));
            }
            lines.push(line);
        }
    }
    lines.push(format!("side to play: {}", position.seat_name(position.turn)));
    Ok(lines.join("\n"))
}

/// The moves of the side to play, or only those of one kind of its pieces: from and to of each,
/// without duplicates, in alphabetical order, separated by blanks. None after a lion was captured.
///
/// ```
/// use agon_games::congo::{PieceKind, course};
/// let fen = "7/7/4l2/7/2L4/3p3/7 w 0";
/// assert_eq!(course::moves(fen, Some(PieceKind::Lion), true).unwrap(), "c3c2 c3d2 c3d3 c3e5");
/// ```
pub fn moves(fen: &str, piece: Option<PieceKind>, promotion: bool) -> Result<String, TextError> {
    let position = read(fen, promotion)?;
    if position.without_lion().is_some() {
        return Ok(String::new());
    }
    let moves = position.moves_anyway();
    let wanted = moves.iter().filter(|mv| piece.is_none_or(|kind| mv.kind() == kind));
    let texts: BTreeSet<String> =
        wanted.map(|mv| square_name(mv.from()) + &square_name(mv.to())).collect();
    Ok(Vec::from_iter(texts).join(" "))
}

/// The position after a move, and `Continue`, `White wins` or `Black wins`.
///
/// ```
/// use agon_games::congo::course;
/// let (fen, result) = course::apply("7/7/4l2/7/2L4/3p3/7 w 0", "c3e5", true).unwrap();
/// assert_eq!(fen, "7/7/4L2/7/7/3p3/7 b 0");
/// assert_eq!(result, "White wins");
/// ```
pub fn apply(fen: &str, mv: &str, promotion: bool) -> Result<(String, &'static str), TextError> {
    let mut position = read(fen, promotion)?;
    let mv = match position.without_lion() {
        None => position.read_move_anyway(mv)?,
        Some(_) => position.read_move(mv)?,
    };
    position.play(mv);
    Ok((position.position_text(), result(position.without_lion())))
}

/// The course's static value of a position for the side to play: 0 if only the lions are left,
/// ±[`LION_CAPTURED`] if one of them is missing, otherwise the difference in material in hundredths
/// of a pawn; in the advanced form, plus the differences in the moves each side would have if it
/// were to move, and in the captures among them (1 each, 11 for the lion).
///
/// ```
/// use agon_games::congo::course;
/// let fen = "3l2z/ppppppp/7/7/7/PPP1PPP/3L2Z w 4";
/// assert_eq!(course::evaluate(fen, false, true).unwrap(), -100);
/// assert_eq!(course::evaluate(fen, true, true).unwrap(), -102);
/// ```
pub fn evaluate(fen: &str, advanced: bool, promotion: bool) -> Result<i32, TextError> {
    let position = CourseCongo::read(fen, promotion)?;
    Ok(position.value(position.turn(), advanced))
}

fn result(without_lion: Option<Seat>) -> &'static str {
    match without_lion {
        None => "Continue",
        Some(WHITE) => "Black wins",
        Some(_) => "White wins",
    }
}

fn read(fen: &str, promotion: bool) -> Result<Congo, TextError> {
    Congo::start(promotion).read_position(fen)
}
