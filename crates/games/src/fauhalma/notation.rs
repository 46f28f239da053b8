//! Texts: `fauhalma:star3,limit=100`, the JSON of positions, `[[-1,2],[1,0],[3,-2]]`.

use agon_core::text::Reader;
use agon_core::{Invalid, Notation, Seat, Square, TextError, Variant};

use super::board::{Board, RHOMBUS, STAR, Set, Space, space};
use super::json::{Json, Placed};
use super::{DEFAULT_LIMIT, Fauhalma, HIGHEST_LIMIT, MOST_SEATS, Move};

pub(super) const NAME: &str = "fauhalma";

/// The names of the seats.
pub(super) const SEAT_NAMES: [&str; MOST_SEATS] = ["A", "B", "C"];

/// The seat with this name, of `SEATS` seats.
pub(super) fn seat_named<const SEATS: usize>(name: &str) -> Option<Seat> {
    SEAT_NAMES[..SEATS].iter().position(|&seat| seat == name).map(Seat::new)
}

/// How many players a variant has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Seats {
    Two,
    Three,
}

/// A parsed variant.
pub(super) struct Setup {
    pub(super) board: &'static Board,
    pub(super) seats: Seats,
    pub(super) limit: u16,
}

impl Setup {
    /// The canonical text.
    pub(super) fn variant(&self) -> Variant {
        let seats = if self.seats == Seats::Two { 2 } else { 3 };
        let limit = match self.limit {
            DEFAULT_LIMIT => String::new(),
            limit => format!(",limit={limit}"),
        };
        Variant::new(NAME, &format!("{}{seats}{limit}", self.board.name))
    }
}

/// Reads `star3`, `star2`, `rhombus2` and `limit=N`, in any order.
pub(super) fn read_setup(variant: &Variant) -> Result<Setup, TextError> {
    let mut setup = Setup { board: &STAR, seats: Seats::Three, limit: DEFAULT_LIMIT };
    for part in variant.setup().split(',').filter(|_| !variant.setup().is_empty()) {
        match (part, part.strip_prefix("limit=")) {
            ("star3", _) => (setup.board, setup.seats) = (&STAR, Seats::Three),
            ("star2", _) => (setup.board, setup.seats) = (&STAR, Seats::Two),
            ("rhombus2", _) => (setup.board, setup.seats) = (&RHOMBUS, Seats::Two),
            (_, Some(limit)) => match limit.parse() {
                Ok(limit) if (1..=HIGHEST_LIMIT).contains(&limit) => setup.limit = limit,
                _ => {
                    let expected = format!("a limit of 1 to {HIGHEST_LIMIT} moves of one player");
                    return Err(variant.error(limit, expected));
                }
            },
            _ => {
                let expected = "star3, star2 or rhombus2, and limit=N for another limit on a \
                                player's moves than 300: fauhalma:star3 or \
                                fauhalma:rhombus2,limit=100";
                return Err(variant.error(part, expected));
            }
        }
    }
    Ok(setup)
}

/// Spaces as JSON.
pub(super) fn spaces_text(spaces: impl IntoIterator<Item = Space>) -> String {
    let spaces: Vec<String> = spaces.into_iter().map(|space| space.to_string()).collect();
    format!("[{}]", spaces.join(","))
}

fn seats_text(seats: impl Iterator<Item = Seat>) -> String {
    let names: Vec<String> =
        seats.map(|seat| format!("\"{}\"", SEAT_NAMES[seat.index()])).collect();
    format!("[{}]", names.join(","))
}

impl<const SEATS: usize> Fauhalma<SEATS> {
    /// The square of a space in a text, if it is on the board.
    pub(super) fn square_of(
        &self,
        placed: &Placed<Option<Space>>,
        reader: &Reader<'_>,
    ) -> Result<Square, TextError> {
        let expected = match placed.value {
            Some(Space::CENTRE) => "another space than the blocked centre".to_string(),
            _ => format!("a space of the {}", self.board.name),
        };
        let square = placed.value.and_then(|space| self.board.square(space));
        square.ok_or_else(|| reader.error_at(placed.at.clone(), expected))
    }

    /// Every player's pegs as JSON fields.
    pub(super) fn peg_fields(&self) -> Vec<String> {
        let sorted = |pegs: Set| {
            let mut spaces: Vec<Space> = pegs.into_iter().map(space).collect();
            spaces.sort();
            spaces
        };
        let field = |(name, pegs): (&str, Set)| format!("\"{name}\":{}", spaces_text(sorted(pegs)));
        SEAT_NAMES.into_iter().zip(self.pegs).map(field).collect()
    }
}

impl<const SEATS: usize> Notation for Fauhalma<SEATS> {
    fn seat_name(&self, seat: Seat) -> &str {
        SEAT_NAMES[seat.index()]
    }

    fn position_text(&self) -> String {
        let mut fields = self.peg_fields();
        fields.push(format!("\"turn\":\"{}\"", self.seat_name(self.turn)));
        if self.out_order().next().is_some() {
            fields.push(format!("\"out\":{}", seats_text(self.out_order())));
        }
        if self.has_odd_home_order() {
            fields.push(format!("\"finished\":{}", seats_text(self.home_order())));
        }
        match self.regular_total() {
            Some(0) => {}
            Some(total) => fields.push(format!("\"moves\":{total}")),
            None => {
                let each = self.moves_made.map(|made| made.to_string()).join(",");
                fields.push(format!("\"moves\":[{each}]"));
            }
        }
        format!("{{{}}}", fields.join(","))
    }

    fn validate(&self) -> Result<(), Invalid> {
        self.validate_position()
    }

    fn read_position(&self, text: &str) -> Result<Self, TextError> {
        match text.trim_start().chars().next() {
            Some('A'..='Z' | 'a'..='z' | '0'..='9' | '/' | '.') => self.read_compact(text),
            _ => self.read_json(text),
        }
    }

    fn move_text(&self, mv: Move) -> String {
        spaces_text(self.path(mv).into_iter().map(space))
    }

    fn read_move(&self, text: &str) -> Result<Move, TextError> {
        let mut json = Json::new("move", text);
        let start = json.reader.at();
        let mut path = Vec::new();
        json.list("a list of spaces such as [[2,-2],[2,-3]]", |json| {
            let placed = json.space()?;
            self.square_of(&placed, &json.reader)?;
            path.extend(placed.value.map(|value| Placed { value, at: placed.at }));
            Ok(())
        })?;
        json.end()?;
        let list = start..text.trim_end().len();
        if self.over {
            return Err(json.reader.error_at(list, "no move: the game is over"));
        }
        if path.len() < 2 {
            let expected = "two spaces at least, the first and the last of the move";
            return Err(json.reader.error_at(list, expected));
        }
        let spaces: Vec<Space> = path.iter().map(|placed| placed.value).collect();
        self.follow(&spaces)
            .map_err(|fault| json.reader.error_at(path[fault.nth].at.clone(), fault.expected))
    }

    fn percept(&self, seat: Seat) -> Option<String> {
        Some(self.seen_as_json(seat))
    }

    fn read_move_of(&self, seat: Seat, text: &str) -> Result<Move, TextError> {
        let seen = self.seen_by(seat).read_move(text)?;
        Ok(Self::move_meant_by(seat, seen))
    }
}
