//! Players by number. Games give them names; shared code never mentions white and black.

use std::fmt;
use std::ops::{Index, IndexMut};

/// The most players a game can have.
pub const MAX_SEATS: usize = 4;

/// A player's seat, counted from 0 in the order of their first turns.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Seat(u8);

impl Seat {
    /// The seat that opens the game.
    pub const FIRST: Seat = Seat(0);
    /// The second seat.
    pub const SECOND: Seat = Seat(1);
    /// The third seat.
    pub const THIRD: Seat = Seat(2);

    /// The seat with this number.
    ///
    /// # Panics
    /// If `index` is not below [`MAX_SEATS`].
    #[inline]
    pub const fn new(index: usize) -> Seat {
        assert!(index < MAX_SEATS, "a table has at most four seats");
        Seat(index as u8)
    }

    /// The number of this seat, from 0.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The first `count` seats in order.
    #[inline]
    pub fn all(count: usize) -> impl DoubleEndedIterator<Item = Seat> + ExactSizeIterator {
        (0..count).map(Seat::new)
    }

    /// The seat after this one, of `count` seats.
    ///
    /// ```
    /// use agon_core::Seat;
    /// assert_eq!(Seat::THIRD.next(3), Seat::FIRST);
    /// ```
    #[inline]
    pub const fn next(self, count: usize) -> Seat {
        Seat::new((self.index() + 1) % count)
    }

    /// The other seat of a two-player game.
    #[inline]
    pub const fn opponent(self) -> Seat {
        Seat(self.0 ^ 1)
    }
}

/// One value for each of up to [`MAX_SEATS`] seats.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct PerSeat<T> {
    values: [T; MAX_SEATS],
    seats: u8,
}

impl<T: Copy + Default> PerSeat<T> {
    /// The same value for each of `seats` seats.
    ///
    /// # Panics
    /// If `seats` is more than [`MAX_SEATS`].
    #[inline]
    pub fn filled(seats: usize, value: T) -> Self {
        assert!(seats <= MAX_SEATS, "a table has at most four seats");
        let mut values = [T::default(); MAX_SEATS];
        values[..seats].fill(value);
        PerSeat { values, seats: seats as u8 }
    }

    /// The given values, one per seat.
    ///
    /// # Panics
    /// If there are more than [`MAX_SEATS`].
    #[inline]
    pub fn from_slice(values: &[T]) -> Self {
        let mut all = Self::filled(values.len(), T::default());
        all.values[..values.len()].copy_from_slice(values);
        all
    }
}

impl<T> PerSeat<T> {
    /// How many seats there are.
    #[inline]
    pub fn seats(&self) -> usize {
        self.seats as usize
    }

    /// The values in seat order.
    #[inline]
    pub fn as_slice(&self) -> &[T] {
        &self.values[..self.seats()]
    }

    /// Every seat with its value.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = (Seat, &T)> {
        Seat::all(self.seats()).zip(self.as_slice())
    }
}

impl<T> Index<Seat> for PerSeat<T> {
    type Output = T;
    #[inline]
    fn index(&self, seat: Seat) -> &T {
        &self.values[..self.seats as usize][seat.index()]
    }
}

impl<T> IndexMut<Seat> for PerSeat<T> {
    #[inline]
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        &mut self.values[..self.seats as usize][seat.index()]
    }
}

impl<T: fmt::Debug> fmt::Debug for PerSeat<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.as_slice()).finish()
    }
}
