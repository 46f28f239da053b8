//! Games in which the load of the machine decided how long agents could think.
//!
//! A built-in agent stops by the clock, but it can only think while it has a processor. On a busy
//! machine it waits for one, thinks less than it was allowed to, and may even be late through no
//! fault of its own. How long it waited is the time of a move minus the processor time of its
//! thread.
//!
//! A game is *disturbed* if one of its built-in agents, over all its moves, spent more than
//! [`MOST_WAITING`] of its time and more than `TOLERANCE` waiting; or if one of its moves was
//! late only because of that. Such a move does not lose the game (`Clock::spend_all_but`). Of
//! programs only the wall-clock time is known.

use std::time::{Duration, Instant};

use agon_core::{MAX_SEATS, Seat};
use agon_search::Budget;
use cpu_time::ThreadTime;

use crate::clock::TOLERANCE;

/// The share of its time that an agent may wait for a processor before its game counts as
/// disturbed.
pub const MOST_WAITING: f64 = 0.25;

/// Runs `think` in this thread and measures how long the thread waited for a processor; without a
/// time limit, that is not measured.
pub(crate) fn thinking<T>(budget: &Budget, think: impl FnOnce() -> T) -> (T, Duration) {
    let used = budget.time.and_then(|_| ThreadTime::try_now().ok());
    let begun = Instant::now();
    let thought = think();
    let (time, used) = (begun.elapsed(), used.and_then(|used| used.try_elapsed().ok()));
    (thought, used.map_or(Duration::ZERO, |used| time.saturating_sub(used)))
}

/// Whether a player waited too long, given the seat, time and waiting time of each move.
pub(crate) fn is_disturbed(moves: impl Iterator<Item = (Seat, Duration, Duration)>) -> bool {
    let mut totals = [(Duration::ZERO, Duration::ZERO); MAX_SEATS];
    for (seat, time, waited) in moves {
        let (all, waiting) = &mut totals[seat.index()];
        *all += time;
        *waiting += waited;
    }
    let too_much = |(all, waiting): &(Duration, Duration)| {
        *waiting > TOLERANCE && *waiting > all.mul_f64(MOST_WAITING)
    };
    totals.iter().any(too_much)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn waiting_is_what_the_processor_does_not_account_for() {
        let timed = Budget::per_move(ms(100));
        let ((), slept) = thinking(&timed, || std::thread::sleep(ms(20)));
        assert!(slept >= ms(15), "{slept:?}");
        let ((), unasked) = thinking(&Budget::depth(3), || std::thread::sleep(ms(2)));
        assert_eq!(unasked, Duration::ZERO);
    }

    #[test]
    fn a_game_is_disturbed_by_a_player_who_waited_for_much_of_the_time() {
        let (white, black) = (Seat::FIRST, Seat::SECOND);
        let game = |waited: u64| {
            let moves = (0..20)
                .flat_map(move |_| [(white, ms(30), Duration::ZERO), (black, ms(30), ms(waited))]);
            is_disturbed(moves)
        };
        assert!(!game(0) && !game(7));
        assert!(game(8) && game(30));
    }

    #[test]
    fn a_little_waiting_in_a_short_game_disturbs_nobody() {
        let once = |waited| is_disturbed([(Seat::FIRST, waited, waited)].into_iter());
        assert!(!once(TOLERANCE));
        assert!(once(TOLERANCE + ms(1)));
    }
}
