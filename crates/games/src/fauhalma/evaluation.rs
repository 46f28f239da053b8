//! Judging a position: how far everyone still has to go.

use agon_core::outcome::WIN;
use agon_core::{Evaluate, Evaluation, Seat};

use super::board::{STEPS, Set};
use super::{Fauhalma, Standing};

/// A step of one peg.
const STEP: i32 = 100;
/// A point of the result, for places already taken: half the points are worth fifty steps, more
/// than anyone is ever ahead.
const POINT: i32 = 100;

impl<const SEATS: usize> Evaluate for Fauhalma<SEATS> {
    fn evaluations() -> &'static [Evaluation<Self>] {
        &const {
            [Evaluation {
                name: "simple",
                about: "the steps that the others' pegs have to go home, less the own ones; with \
                        three players the mean of the others still on their way, and the points \
                        of places already taken",
                judge: simple,
            }]
        }
    }
}

fn simple<const SEATS: usize>(position: &Fauhalma<SEATS>, seat: Seat) -> i32 {
    position.points_now(seat) + position.lead(seat)
}

impl<const SEATS: usize> Fauhalma<SEATS> {
    /// What the places are worth that are already taken: the points a seat would get if the game
    /// stopped now, from the middle. All have the same as long as all are on their way.
    fn points_now(&self, seat: Seat) -> i32 {
        if self.standings == [Standing::Playing; SEATS] {
            return 0;
        }
        POINT * (i32::from(self.result().points()[seat]) - i32::from(WIN / 2))
    }

    /// How many steps a seat is ahead of the mean of the others that are on their way, if it is
    /// itself.
    fn lead(&self, seat: Seat) -> i32 {
        let others = || Seat::all(SEATS).filter(|&other| other != seat && self.is_playing(other));
        let count = others().count() as i32;
        if count == 0 || !self.is_playing(seat) {
            return 0;
        }
        let theirs: i32 = others().map(|other| self.steps_to_go(other)).sum();
        STEP * theirs / count - STEP * self.steps_to_go(seat)
    }

    /// The steps to go, summed up over the pegs outside: each to the nearest space of its home
    /// that holds no own peg.
    ///
    /// Pegs at home count nothing wherever they stand there, but if one of them makes room by
    /// going deeper, that brings the nearest free space nearer to those outside. So whatever is
    /// missing, the next move towards it counts, and a player who only looks one move ahead
    /// fills its home.
    pub(super) fn steps_to_go(&self, seat: Seat) -> i32 {
        let (pegs, home) = (self.pegs[seat.index()], Self::HOMES[seat.index()]);
        let mut outside = pegs - home;
        let mut reached = home - pegs;
        let mut steps = 0;
        while outside.any() {
            steps += outside.len() as i32;
            reached = self.one_step_further(reached);
            outside -= reached;
        }
        steps
    }

    /// These spaces and all their neighbours.
    #[inline]
    fn one_step_further(&self, from: Set) -> Set {
        let around = STEPS.into_iter().fold(from, |all, by| all | (from << by) | (from >> by));
        around & self.board.spaces
    }
}
