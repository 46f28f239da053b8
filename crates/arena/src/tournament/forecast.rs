//! How many games, and roughly how long.

use std::time::Duration;

use agon_core::PerSeat;
use agon_search::{AgentSpec, StopFlag};

use super::Tournament;
use super::schedule::Schedule;
use crate::agent::Agent;
use crate::clock::Pace;
use crate::fixture::{Fixture, Terms};
use crate::guests::Guests;
use crate::venue;

/// The size of a tournament.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Forecast {
    /// How many games there are; the most there can be where ratings may settle earlier.
    pub games: u64,
    /// How long they take one after another if agents use all their time, or `None` if time does
    /// not limit them.
    pub time: Option<Duration>,
}

impl Forecast {
    /// How long it takes with this many games at a time.
    pub fn at_a_time(&self, concurrency: usize) -> Option<Duration> {
        self.time.map(|time| time / u32::try_from(concurrency.max(1)).unwrap_or(u32::MAX))
    }
}

/// Estimates the size. Games are taken to be as long as a quick one on the same terms.
pub fn forecast(tournament: &Tournament) -> Forecast {
    let games = Schedule::games(tournament);
    let each = games / (tournament.terms.len() as u64).max(1);
    let mut total = Some(Duration::ZERO);
    for terms in &tournament.terms {
        let one = game_time(&terms.pace, tournament.seats, || typical_plies(terms));
        let all = one.map(|one| one.saturating_mul(u32::try_from(each).unwrap_or(u32::MAX)));
        total = total.zip(all).map(|(total, all)| total.saturating_add(all));
    }
    Forecast { games, time: total }
}

/// How long a game of this many plies takes if all time is used.
fn game_time(pace: &Pace, seats: usize, plies: impl FnOnce() -> u32) -> Option<Duration> {
    let (game, per_move) = (pace.time.game, pace.time.per_move);
    if game.is_none() && per_move.is_none() {
        return None;
    }
    let plies = plies();
    let clocks = game.map(|time| time.base * seats as u32 + time.increment * plies);
    let moves = per_move.map(|time| time * plies);
    [clocks, moves].into_iter().flatten().min()
}

/// The plies of a quick game; a guess if that fails.
fn typical_plies(terms: &Terms) -> u32 {
    const GUESS: u32 = 60;
    let terms = Terms { pace: Pace::default(), ..terms.clone() };
    let Ok(venue) = venue::open(&terms, 0, 0) else { return GUESS };
    let seats = venue.seat_names().len();
    let spec = AgentSpec { name: "greedy".into(), options: Vec::new() };
    let agents = vec![Agent::built_in(spec); seats];
    let numbers: Vec<u16> = (0..seats as u16).collect();
    let fixture = Fixture::alone(0, PerSeat::from_slice(&numbers));
    let played = venue.play(&fixture, &mut Guests::new(&agents), false, None, &StopFlag::default());
    match played {
        Ok(Some(game)) => game.summary.plies.max(1),
        _ => GUESS,
    }
}
