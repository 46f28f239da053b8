//! The parsed text of a position, and how it becomes a position.

use agon_core::text::Reader;
use agon_core::{Bitboard, Invalid, Seat, TextError};

use super::board::Set;
use super::json::{Json, Placed};
use super::notation::{SEAT_NAMES, seat_named};
use super::{Fauhalma, HIGHEST_LIMIT, PEGS, Standing};

/// The parsed text of a position, not yet checked as a whole.
pub(super) struct Draft<const SEATS: usize> {
    pub(super) pegs: [Set; SEATS],
    pub(super) turn: Seat,
    pub(super) out: Vec<Placed<Seat>>,
    pub(super) finished: Vec<Placed<Seat>>,
    pub(super) moves: MovesMade<SEATS>,
}

/// How many moves have been made.
pub(super) enum MovesMade<const SEATS: usize> {
    /// By all players together, in regular turns.
    Total(u32),
    /// By each player.
    Each([u16; SEATS]),
}

impl<const SEATS: usize> Draft<SEATS> {
    /// An empty board and A to move.
    pub(super) fn new() -> Self {
        Draft {
            pegs: [Bitboard::EMPTY; SEATS],
            turn: Seat::FIRST,
            out: Vec::new(),
            finished: Vec::new(),
            moves: MovesMade::Total(0),
        }
    }
}

/// The most moves all players can have made together.
pub(super) const fn most_moves(seats: usize) -> u32 {
    seats as u32 * HIGHEST_LIMIT as u32
}

/// The moves of each player if everybody had regular turns: the same for all, plus one for the
/// seats right before the one to move if there is a remainder.
fn regular_moves<const SEATS: usize>(total: u32, turn: Seat) -> [u16; SEATS] {
    let mut each = [(total / SEATS as u32) as u16; SEATS];
    for back in 1..=total as usize % SEATS {
        each[(turn.index() + SEATS - back) % SEATS] += 1;
    }
    each
}

impl<const SEATS: usize> Fauhalma<SEATS> {
    /// The moves made so far as one number, if everybody had its regular turns.
    pub(super) fn regular_total(&self) -> Option<u32> {
        let total = self.moves_made.iter().copied().map(u32::from).sum();
        (regular_moves(total, self.turn) == self.moves_made).then_some(total)
    }

    /// Whether the order in which players came home has to be written: it is not seat order.
    pub(super) fn has_odd_home_order(&self) -> bool {
        !self.home_order().is_sorted()
    }

    /// The position a text describes, on the board of this one and with its limit. Who is home
    /// follows from the pegs; a player stuck on its turn is out.
    pub(super) fn settle(
        &self,
        draft: &Draft<SEATS>,
        reader: &Reader<'_>,
    ) -> Result<Self, TextError> {
        let mut position = Fauhalma {
            pegs: draft.pegs,
            moves_made: match draft.moves {
                MovesMade::Total(total) => regular_moves(total, draft.turn),
                MovesMade::Each(each) => each,
            },
            standings: [Standing::Playing; SEATS],
            turn: draft.turn,
            ..*self
        };
        let repeated = "each player at most once among those finished and out";
        for Placed { value: seat, at } in &draft.out {
            if !position.is_playing(*seat) {
                return Err(reader.error_at(at.clone(), repeated));
            }
            position.set_out(*seat);
        }
        for Placed { value: seat, at } in &draft.finished {
            if !position.is_playing(*seat) {
                return Err(reader.error_at(at.clone(), repeated));
            }
            if position.pegs[seat.index()] != Self::HOMES[seat.index()] {
                return Err(reader.error_at(at.clone(), HOME));
            }
            position.set_home(*seat);
        }
        position.note_finished(Seat::FIRST);
        position.find_mover(draft.turn);
        Ok(position.with_key())
    }

    /// Reads the JSON form.
    pub(super) fn read_json(&self, text: &str) -> Result<Self, TextError> {
        let mut draft = Draft::new();
        let mut seen: Vec<&str> = Vec::new();
        let mut json = Json::new("position", text);
        let start = json.reader.at();
        json.object(
            "a JSON object such as {\"A\":[[1,-4],…],…,\"turn\":\"A\"}",
            |json, name| {
                if seen.contains(&name.value) {
                    return Err(json.reader.error_at(name.at, "each field only once"));
                }
                seen.push(name.value);
                self.read_field(json, &name, &mut draft)
            },
        )?;
        let closed = json.reader.at();
        json.end()?;
        if let Some(missing) = SEAT_NAMES[..SEATS].iter().find(|name| !seen.contains(name)) {
            let expected = format!("a field \"{missing}\" with the six pegs of {missing}");
            return Err(json.reader.error_at(start..closed, expected));
        }
        self.settle(&draft, &json.reader)
    }

    fn read_field(
        &self,
        json: &mut Json<'_>,
        name: &Placed<&str>,
        draft: &mut Draft<SEATS>,
    ) -> Result<(), TextError> {
        let names = SEAT_NAMES[..SEATS].join(", ");
        let seats = |json: &mut Json<'_>| -> Result<Vec<Placed<Seat>>, TextError> {
            let mut seats = Vec::new();
            json.list("a list of seats such as [\"A\"]", |json| {
                seats.push(read_seat::<SEATS>(json)?);
                Ok(())
            })?;
            Ok(seats)
        };
        match (seat_named::<SEATS>(name.value), name.value) {
            (Some(seat), _) => self.read_pegs(json, seat, draft)?,
            (None, "turn") => draft.turn = read_seat::<SEATS>(json)?.value,
            (None, "out") => draft.out = seats(json)?,
            (None, "finished") => draft.finished = seats(json)?,
            (None, "moves") => draft.moves = read_moves_made(json)?,
            _ => {
                let expected = format!("one of the fields {names}, turn, out, finished, moves");
                return Err(json.reader.error_at(name.at.clone(), expected));
            }
        }
        Ok(())
    }

    fn read_pegs(
        &self,
        json: &mut Json<'_>,
        seat: Seat,
        draft: &mut Draft<SEATS>,
    ) -> Result<(), TextError> {
        let start = json.reader.at();
        json.list("a list of six spaces [[x,y],…]", |json| {
            let placed = json.space()?;
            let square = self.square_of(&placed, &json.reader)?;
            if draft.pegs.iter().any(|pegs| pegs.contains(square)) {
                return Err(json.reader.error_at(placed.at, "at most one peg on a space"));
            }
            draft.pegs[seat.index()].insert(square);
            Ok(())
        })?;
        validate_pegs(draft.pegs[seat.index()], seat).map_err(|Invalid { expected, .. }| {
            let list = start..start + json.reader.text()[start..json.reader.at()].trim_end().len();
            json.reader.error_at(list, expected)
        })
    }

    /// Every player has six pegs, no two on one space, and who is home is.
    pub(super) fn validate_position(&self) -> Result<(), Invalid> {
        let mut taken = Set::EMPTY;
        for seat in Seat::all(SEATS) {
            let pegs = self.pegs[seat.index()];
            validate_pegs(pegs, seat)?;
            if let Some(space) = (pegs & taken).first() {
                return Err(Invalid::at(self.cell_id(space), "at most one peg on a space"));
            }
            taken |= pegs;
            let is_home = pegs == Self::HOMES[seat.index()];
            if self.home_order().any(|home| home == seat) && !is_home {
                return Err(Invalid::new(HOME));
            }
        }
        Ok(())
    }
}

/// What is expected of a player who has finished.
const HOME: &str = "a player whose six home spaces hold its own pegs";

pub(super) fn validate_pegs(pegs: Set, seat: Seat) -> Result<(), Invalid> {
    match pegs.len() as usize {
        PEGS => Ok(()),
        count => {
            let name = SEAT_NAMES[seat.index()];
            Err(Invalid::new(format!("six pegs of {name}, not {count}")))
        }
    }
}

fn read_seat<const SEATS: usize>(json: &mut Json<'_>) -> Result<Placed<Seat>, TextError> {
    let expected = format!("a seat in quotes, one of {}", SEAT_NAMES[..SEATS].join(", "));
    let Placed { value, at } = json.string(&expected)?;
    match seat_named::<SEATS>(value) {
        Some(seat) => Ok(Placed { value: seat, at }),
        None => Err(json.reader.error_at(at, expected)),
    }
}

fn read_moves_made<const SEATS: usize>(json: &mut Json<'_>) -> Result<MovesMade<SEATS>, TextError> {
    if json.reader.peek() != Some('[') {
        let most = most_moves(SEATS);
        let expected = format!("the moves made, 0 to {most}, or a list of each player's");
        return Ok(MovesMade::Total(json.count(most, &expected)?));
    }
    let start = json.reader.at();
    let mut each = Vec::new();
    json.list("a list of moves made", |json| {
        let expected = format!("the moves made by a player, 0 to {HIGHEST_LIMIT}");
        each.push(json.count(u32::from(HIGHEST_LIMIT), &expected)? as u16);
        Ok(())
    })?;
    let wrong = || {
        let list = start..start + json.reader.text()[start..json.reader.at()].trim_end().len();
        json.reader.error_at(list, format!("one number of moves for each of {SEATS} players"))
    };
    Ok(MovesMade::Each(each.try_into().map_err(|_| wrong())?))
}
