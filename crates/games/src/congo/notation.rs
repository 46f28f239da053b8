//! Texts: `congo:no-promotion`, `gmelecz/ppppppp/7/7/7/PPPPPPP/GMELECZ w 0`, `d2d3`, `b5b3d3f5`.

use agon_core::text::Reader;
use agon_core::{
    Flow, Game, Invalid, Notation, Seat, Square, TextError, Variant, Which, fen, notation,
};

use super::board::{CASTLE, PieceKind, SIZE, Set, place, square};
use super::jumps::Jumps;
use super::moves::Emit;
use super::{BLACK, Congo, Move, WHITE};

pub(super) const NAME: &str = "congo";

const SEATS: [&str; 2] = ["white", "black"];

/// The most men a side may have while the other has a monkey, far above what a game has (14).
/// Among 20 a monkey can have some 50,000 captures, which is slow but works; among 33 there could
/// be too many to list.
pub(super) const MOST_PREY: u32 = 20;

/// Whether the variant has promotion: nothing or `no-promotion`.
pub(super) fn read_promotion(variant: &Variant) -> Result<bool, TextError> {
    match variant.setup() {
        "" => Ok(true),
        "no-promotion" => Ok(false),
        other => {
            let expected = "nothing, or no-promotion for the 2021 edition: congo or \
                            congo:no-promotion";
            Err(variant.error(other, expected))
        }
    }
}

/// The canonical text of a variant.
pub(super) fn variant(promotion: bool) -> Variant {
    Variant::new(NAME, if promotion { "" } else { "no-promotion" })
}

/// The name of a square, such as `a1`.
pub(super) fn square_name(square: Square) -> String {
    let (file, rank) = place(square);
    format!("{}{}", (b'a' + file as u8) as char, rank + 1)
}

/// The names of squares, one after the other.
fn path_text(from: Square, then: &[Square]) -> String {
    [from].iter().chain(then).map(|&square| square_name(square)).collect()
}

impl Notation for Congo {
    fn seat_name(&self, seat: Seat) -> &str {
        SEATS[seat.index()]
    }

    fn position_text(&self) -> String {
        let rows = fen::write_rows(SIZE, SIZE, |file, from_top| {
            let man = self.man_on(square(file, SIZE - 1 - from_top));
            man.map(|(owner, kind)| kind.letter(owner))
        });
        let side = if self.turn == WHITE { 'w' } else { 'b' };
        format!("{rows} {side} {}", self.number)
    }

    fn read_position(&self, text: &str) -> Result<Congo, TextError> {
        const SIDE: &str = "the side to move, w or b";
        let mut reader = Reader::new(NAME, "position", text);
        let mut position = Congo::empty(self.promotion);
        let letters = "P S G M E L C Z (white), p s g m e l c z (black)";
        fen::read_rows(&mut reader, SIZE, SIZE, letters, |file, from_top, letter| {
            let man = PieceKind::from_letter(letter);
            if let Some((kind, owner)) = man {
                position.put(owner, kind, square(file, SIZE - 1 - from_top));
            }
            man.is_some()
        })?;
        let rows = reader.at();
        reader.blanks(SIDE)?;
        let start = reader.at();
        position.turn = match reader.take() {
            Some('w' | 'W') => WHITE,
            Some('b' | 'B') => BLACK,
            _ => return Err(reader.error_since(start, SIDE)),
        };
        if reader.clone().more() {
            const NUMBER: &str = "the move number, 0 to 4294967295";
            reader.blanks(NUMBER)?;
            position.number = reader.number(u32::MAX, NUMBER)?;
        }
        reader.end()?;
        position.validate().map_err(|Invalid { expected, cell }| {
            let place = |cell| {
                let (file, rank) = place(Square::new(cell));
                fen::place_of(text, file, SIZE - 1 - rank)
            };
            let at = cell.and_then(place).map_or(0..rows, |at| at..at + 1);
            reader.error_at(at, expected)
        })?;
        Ok(position.with_key())
    }

    fn validate(&self) -> Result<(), Invalid> {
        let lions = [WHITE, BLACK].map(|seat| self.men(seat, PieceKind::Lion));
        for seat in [WHITE, BLACK] {
            // The second one as the rows are read, from the top.
            let read = |square: &Square| {
                let (file, rank) = place(*square);
                (SIZE - 1 - rank, file)
            };
            let mut found: Vec<Square> = lions[seat.index()].into_iter().collect();
            found.sort_by_key(read);
            if let Some(second) = found.get(1) {
                let expected = format!("only one lion of {}", SEATS[seat.index()]);
                return Err(Invalid::at(second.index(), expected));
            }
        }
        if lions == [Set::EMPTY; 2] {
            return Err(Invalid::new("at least one lion"));
        }
        for seat in [WHITE, BLACK] {
            self.validate_lion(seat, lions[seat.opponent().index()])?;
            let men = self.sides[seat.index()].len();
            if men > MOST_PREY && self.men(seat.opponent(), PieceKind::Monkey).any() {
                return Err(Invalid::new(format!(
                    "at most {MOST_PREY} men of {}, not {men}, for {}'s monkeys to jump over",
                    SEATS[seat.index()],
                    SEATS[seat.opponent().index()],
                )));
            }
        }
        Ok(())
    }

    fn move_text(&self, mv: Move) -> String {
        let route = Jumps::new(self, mv.from()).first_route(mv.to(), mv.jumped());
        match route {
            Some(route) if mv.jumped().any() => path_text(mv.from(), route.squares()),
            _ => path_text(mv.from(), &[mv.to()]),
        }
    }

    /// The route of a monkey over the same men depends on the other pieces.
    fn has_one_text(mv: Move) -> bool {
        mv.jumped().is_empty()
    }

    fn read_move(&self, text: &str) -> Result<Move, TextError> {
        if self.to_move().is_none() {
            return Err(notation::not_legal(NAME, self, text));
        }
        self.read_move_anyway(text)
    }
}

impl Congo {
    /// A lion stays in its castle, except at the end of the game: it may then be where it captured
    /// the other.
    fn validate_lion(&self, seat: Seat, other: Set) -> Result<(), Invalid> {
        let (lions, name) = (self.men(seat, PieceKind::Lion), SEATS[seat.index()]);
        let captured = if other.is_empty() { CASTLE[seat.opponent().index()] } else { Set::EMPTY };
        match (lions - (CASTLE[seat.index()] | captured)).first() {
            None => Ok(()),
            Some(square) => {
                let castle = ["c1 to e3", "c5 to e7"][seat.index()];
                let expected = format!("{name}'s lion in its castle, {castle}");
                Err(Invalid::at(square.index(), expected))
            }
        }
    }

    /// Reads a move of the side to move, whether or not the game is over.
    pub(super) fn read_move_anyway(&self, text: &str) -> Result<Move, TextError> {
        let mut reader = Reader::new(NAME, "move", text);
        let from = read_square(&mut reader)?;
        let mut then = vec![read_square(&mut reader)?];
        while reader.clone().more() {
            then.push(read_square(&mut reader)?);
        }
        let moves = self.moves_anyway();
        let jumps = self.men(self.turn, PieceKind::Monkey).contains(from);
        let jumped = if jumps { Jumps::new(self, from).along(&then) } else { None };
        let exact = jumped.unwrap_or_else(|| self.step(from, then[0]));
        let is_exact = jumped.is_some() || then.len() == 1;
        if is_exact && moves.contains(&exact) {
            return Ok(exact);
        }
        let fits = |mv: &&Move| then.len() == 1 && mv.from() == from && mv.to() == then[0];
        let fitting: Vec<Move> = moves.iter().filter(fits).copied().collect();
        match fitting[..] {
            [only] => Ok(only),
            [] if self.to_move().is_some() => Err(notation::not_legal(NAME, self, text)),
            [] => Err(self.expected_one_of("a legal move", text, &moves)),
            _ => Err(self.expected_one_of("every landing of the capture", text, &fitting)),
        }
    }

    /// The move of the man on `from`, whatever it is, to another square.
    fn step(&self, from: Square, to: Square) -> Move {
        Move::step(self.kind_on(from), from, to)
    }

    /// The moves of the side to move, whether or not the game is over.
    pub(super) fn moves_anyway(&self) -> agon_core::MoveList<Move> {
        let mut moves = agon_core::MoveList::new();
        let _: Flow = self.walk(Which::All, &mut Emit(&mut moves));
        moves
    }

    fn expected_one_of(&self, what: &str, text: &str, moves: &[Move]) -> TextError {
        const SHOWN: usize = 8;
        let mut texts: Vec<String> = moves.iter().map(|&mv| self.move_text(mv)).collect();
        texts.sort();
        texts.truncate(SHOWN);
        let more = if moves.len() > SHOWN { " …" } else { "" };
        let expected = format!("{what}: {}{more}", texts.join(" "));
        TextError::new(NAME, "move", text, 0..text.len(), expected)
    }
}

fn read_square(reader: &mut Reader<'_>) -> Result<Square, TextError> {
    const EXPECTED: &str = "a square a1 to g7";
    let start = reader.at();
    match (reader.take(), reader.take()) {
        (Some(file @ 'a'..='g'), Some(rank @ '1'..='7')) => {
            Ok(square(usize::from(file as u8 - b'a'), usize::from(rank as u8 - b'1')))
        }
        _ => Err(reader.error_since(start, EXPECTED)),
    }
}
