//! The rules text we give to players.

use std::fmt::Write;

use agon_core::Variant;
use agon_games::open_at;

use super::position::Position;
use super::{GAME, ROLES, Setup};

/// The rules of a variant of Breakthrough in GDL, from its start or another position.
///
/// ```
/// let variant = "breakthrough:5x5".parse().unwrap();
/// let text = agon_gdl::breakthrough::rules_text(&variant, None).unwrap();
/// assert!(text.contains("(width 5)\n(height 5)\n"));
/// ```
pub fn rules_text(variant: &Variant, start: Option<&str>) -> Result<String, String> {
    if variant.game() != GAME {
        return Err(format!("GDL rules are only available for {GAME}, not for {variant}"));
    }
    let usual = open_at::<&str>(variant, None, &[]).map_err(|error| error.to_string())?;
    let table = open_at::<&str>(variant, start, &[]).map_err(|error| error.to_string())?;
    let setup = Setup::of(table.variant()).ok_or("the board has no size")?;
    let read = |text: &str| Position::read(text, setup.width, setup.height);
    let position = read(&table.position()).ok_or("the position cannot be read")?;
    let is_usual = read(&usual.position()).as_ref() == Some(&position);
    let init = if is_usual { USUAL_START.to_string() } else { start_at(&position) };
    let (ways, end) = if setup.classic { CLASSIC } else { COURSE };
    Ok([&heading(setup), BOARD, STATE, &init, MOVES, ways, CHANGE, end].join("\n"))
}

fn heading(setup: Setup) -> String {
    let Setup { width, height, classic } = setup;
    let (rules, about) = if classic {
        ("classic", "steps and captures diagonally ahead; a player without pawns loses")
    } else {
        ("course's", "captures diagonally ahead; a player who cannot move draws")
    };
    format!(
        "; Breakthrough on {width} columns and {height} rows, by the {rules} rules.
;
; Columns are counted from the left and rows from white's side, both from 1. A pawn steps
; straight ahead, and {about}.
; The first pawn on the far row wins. A move names the column and row a pawn leaves, and those
; it goes to. The player who is not in control plays noop.

(role white)
(role black)

(width {width})
(height {height})
"
    )
}

const BOARD: &str = "\
; The board.

(succ 1 2)
(succ 2 3)
(succ 3 4)
(succ 4 5)
(succ 5 6)
(succ 6 7)
(succ 7 8)
(succ 8 9)
(succ 9 10)

; Columns and rows, from the last one down.
(<= (column ?x)
    (width ?x))
(<= (column ?x)
    (succ ?x ?next)
    (column ?next))
(<= (row ?y)
    (height ?y))
(<= (row ?y)
    (succ ?y ?next)
    (row ?next))

(<= (beside ?x1 ?x2)
    (succ ?x1 ?x2)
    (column ?x2))
(<= (beside ?x2 ?x1)
    (succ ?x1 ?x2)
    (column ?x2))

(other white black)
(other black white)

; The next row for each side, and its goal row.
(<= (ahead white ?y1 ?y2)
    (succ ?y1 ?y2)
    (row ?y2))
(<= (ahead black ?y2 ?y1)
    (succ ?y1 ?y2)
    (row ?y2))
(<= (far white ?y)
    (height ?y))
(far black 1)
";

const STATE: &str = "\
; The fluents and the moves.

(<= (base (pawn ?role ?x ?y))
    (role ?role)
    (column ?x)
    (row ?y))
(<= (base (control ?role))
    (role ?role))

(<= (input ?role noop)
    (role ?role))
(<= (input ?role (move ?x ?y1 ?x ?y2))
    (ahead ?role ?y1 ?y2)
    (column ?x))
(<= (input ?role (move ?x1 ?y1 ?x2 ?y2))
    (ahead ?role ?y1 ?y2)
    (beside ?x1 ?x2))
";

const USUAL_START: &str = "\
; The start: two rows of pawns on either side.

(<= (home ?role ?y)
    (other ?role ?them)
    (far ?them ?y))
(<= (home ?role ?y2)
    (other ?role ?them)
    (far ?them ?y1)
    (ahead ?role ?y1 ?y2))

(<= (init (pawn ?role ?x ?y))
    (home ?role ?y)
    (column ?x))
(init (control white))
";

/// States a position, pawn by pawn.
fn start_at(position: &Position) -> String {
    let mut text = String::from("; The start: a given position.\n\n");
    for (number, role) in ROLES.into_iter().enumerate() {
        for (x, y) in position.pawns(number) {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "(init (pawn {role} {x} {y}))");
        }
    }
    let _ = writeln!(text, "(init (control {}))", ROLES[position.to_move]);
    text
}

const MOVES: &str = "\
; The moves.

(<= (occupied ?x ?y)
    (true (pawn ?role ?x ?y)))

(<= (legal ?role noop)
    (role ?role)
    (not (true (control ?role))))
(<= (legal ?role (move ?x ?y1 ?x ?y2))
    (true (control ?role))
    (true (pawn ?role ?x ?y1))
    (ahead ?role ?y1 ?y2)
    (not (occupied ?x ?y2)))
(<= (legal ?role (move ?x1 ?y1 ?x2 ?y2))
    (true (control ?role))
    (true (pawn ?role ?x1 ?y1))
    (ahead ?role ?y1 ?y2)
    (beside ?x1 ?x2)
    (diagonal ?role ?x2 ?y2))
";

const CHANGE: &str = "\
; What a move changes.

(<= (touched ?x ?y)
    (does ?role (move ?x ?y ?x2 ?y2)))
(<= (touched ?x ?y)
    (does ?role (move ?x1 ?y1 ?x ?y)))

(<= (next (pawn ?role ?x ?y))
    (does ?role (move ?x1 ?y1 ?x ?y)))
(<= (next (pawn ?role ?x ?y))
    (true (pawn ?role ?x ?y))
    (not (touched ?x ?y)))
(<= (next (control ?role))
    (other ?role ?them)
    (true (control ?them)))
";

/// The parts specific to the course's rules: diagonal moves and the end.
const COURSE: (&str, &str) = (
    "\
; A pawn moves diagonally to capture.
(<= (diagonal ?role ?x ?y)
    (other ?role ?them)
    (true (pawn ?them ?x ?y)))
",
    "\
; The end.

(<= (won ?role)
    (far ?role ?y)
    (true (pawn ?role ?x ?y)))
(<= decided
    (won ?role))
(<= (mobile ?role)
    (legal ?role ?move))

(<= terminal
    decided)
(<= terminal
    (true (control ?role))
    (not (mobile ?role)))

(<= (goal ?role 100)
    (won ?role))
(<= (goal ?role 0)
    (other ?role ?them)
    (won ?them))
(<= (goal ?role 50)
    (role ?role)
    (not decided))
",
);

/// The same for the classic rules. A side with pawns always has a move there.
const CLASSIC: (&str, &str) = (
    "\
; A pawn moves diagonally onto any square without an own pawn.
(<= (diagonal ?role ?x ?y)
    (role ?role)
    (column ?x)
    (row ?y)
    (not (true (pawn ?role ?x ?y))))
",
    "\
; The end.

(<= (won ?role)
    (far ?role ?y)
    (true (pawn ?role ?x ?y)))

; A side without pawns loses; if there are none at all, the side not in control loses.
(<= (alive ?role)
    (true (pawn ?role ?x ?y)))
(<= (won ?role)
    (true (control ?role))
    (other ?role ?them)
    (not (alive ?them)))
(<= (won ?role)
    (alive ?role)
    (other ?role ?them)
    (not (alive ?them)))

(<= decided
    (won ?role))
(<= terminal
    decided)

(<= (goal ?role 100)
    (won ?role))
(<= (goal ?role 0)
    (other ?role ?them)
    (won ?them))
(<= (goal ?role 50)
    (role ?role)
    (not decided))
",
);
