//! Positions set up by hand.

use agon_core::arrange::{Arrangement, Dial, Stock, Written};
use agon_core::{Arrange, Seat};

use super::notation::SEAT_NAMES;
use super::{Fauhalma, HIGHEST_LIMIT};

impl<const SEATS: usize> Arrange for Fauhalma<SEATS> {
    fn palette(&self) -> Vec<Stock> {
        let peg = |owner| Stock { letter: letter(owner), owner, name: "peg".into(), height: 1 };
        Seat::all(SEATS).map(peg).collect()
    }

    fn dials(&self) -> Vec<Dial> {
        let place = |mut order: Box<dyn Iterator<Item = Seat>>, seat| {
            order.position(|other| other == seat).map_or(0, |nth| nth as u32 + 1)
        };
        let of_seat = |seat: Seat| {
            let name = SEAT_NAMES[seat.index()];
            let made = self.moves_made[seat.index()].into();
            let out = place(Box::new(self.out_order()), seat);
            // Who is home shows on the board; only an unusual order has to be said.
            let home = match self.has_odd_home_order() {
                true => place(Box::new(self.home_order()), seat),
                false => 0,
            };
            let last = SEATS as u32;
            [
                Dial::new(moves(seat), format!("Moves of {name}"), HIGHEST_LIMIT.into(), made),
                Dial::new(
                    self::out(seat),
                    format!("{name} got stuck (1: first; 0: no)"),
                    last,
                    out,
                ),
                Dial::new(
                    self::home(seat),
                    format!("{name} came home (1: first; 0: as the board says)"),
                    last,
                    home,
                ),
            ]
        };
        Seat::all(SEATS).flat_map(of_seat).collect()
    }

    fn written_turn(&self) -> Seat {
        self.turn
    }

    /// The short form of a position, with the moves of each player.
    fn write(&self, arrangement: &Arrangement) -> Written {
        let mut written = Written::default();
        for (nth, row) in self.board.rows().enumerate() {
            if nth > 0 {
                written.push("/");
            }
            for space in row {
                match self.board.square(space).map(|square| self.cell_id(square)) {
                    Some(cell) => {
                        let letter = arrangement.letter(cell).unwrap_or('.');
                        written.push_cell(cell, letter.encode_utf8(&mut [0; 4]));
                    }
                    None => written.push("x"),
                }
            }
        }
        let made = Seat::all(SEATS).map(|seat| arrangement.counter(&moves(seat)).to_string());
        let made: Vec<String> = made.collect();
        let (out, home) = (ranked::<SEATS>(arrangement, out), ranked::<SEATS>(arrangement, home));
        let out = if out.is_empty() { "-" } else { &out };
        let turn = letter(arrangement.turn());
        written.push(&format!(" {turn} {out} {} {home}", made.join(",")));
        written
    }
}

/// The letter of a seat's pegs.
fn letter(seat: Seat) -> char {
    ['A', 'B', 'C'][seat.index()]
}

fn moves(seat: Seat) -> String {
    format!("moves {}", SEAT_NAMES[seat.index()])
}

fn out(seat: Seat) -> String {
    format!("out {}", SEAT_NAMES[seat.index()])
}

fn home(seat: Seat) -> String {
    format!("home {}", SEAT_NAMES[seat.index()])
}

/// The letters of the seats that have a place in some order, in this order.
fn ranked<const SEATS: usize>(arrangement: &Arrangement, name: fn(Seat) -> String) -> String {
    let place = |seat: &Seat| arrangement.counter(&name(*seat));
    let mut seats: Vec<Seat> = Seat::all(SEATS).filter(|seat| place(seat) > 0).collect();
    seats.sort_by_key(place);
    seats.into_iter().map(letter).collect()
}
