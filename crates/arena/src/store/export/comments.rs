//! What the players report, as comments on the moves in PGN: `[%eval 0.35,9] [%clk 0:09:58.6] [%emt
//! 0:00:01.5]` is the evaluation with its depth, the time left on the clock and the time the move
//! took, in the form that viewers of chess games know.

use std::time::Duration;

use agon_core::Seat;
use agon_search::{Forced, Score};

use crate::store::StoredGame;

/// The comment after every move, those of the opening included; empty if there is nothing to say.
pub(super) fn of(game: &StoredGame) -> Vec<String> {
    let clocks = game.clocks();
    let played = (0..game.movers.len()).map(|at| comment(game, at, clocks[at]));
    let opening = vec![String::new(); game.opening_moves().count()];
    let comments: Vec<String> = opening.into_iter().chain(played).collect();
    if comments.iter().all(String::is_empty) { Vec::new() } else { comments }
}

/// The comment after one of the players' moves, of which the game has lists of one length.
fn comment(game: &StoredGame, at: usize, clock: Option<Duration>) -> String {
    let (seat, time, depth) = (game.movers[at], game.times[at], game.depths[at]);
    let depth = if depth > 0 { format!(",{depth}") } else { String::new() };
    let score = game.scores[at].map(|score| score_text(score, seat, game.seats.seats()));
    let evaluation = score.map(|score| format!("[%eval {score}{depth}]"));
    let clock = clock.map(|left| format!("[%clk {}]", time_text(left)));
    let took = (time > Duration::ZERO).then(|| format!("[%emt {}]", time_text(time)));
    let parts: Vec<String> = [evaluation, clock, took].into_iter().flatten().collect();
    if parts.is_empty() { String::new() } else { format!("{{{}}}", parts.join(" ")) }
}

/// A score in units; a forced result in moves of a player. PGN has it from the point of view of the
/// first player; with more than two players, it is the mover's.
fn score_text(score: Score, seat: Seat, seats: usize) -> String {
    let turned = seats == 2 && seat != Seat::FIRST;
    let moves = |plies: u32| plies.div_ceil(seats.max(1) as u32);
    let sign = |negative: bool| if negative != turned { "-" } else { "" };
    match score.forced() {
        Some(Forced::WinIn(plies)) => format!("#{}{}", sign(false), moves(plies)),
        Some(Forced::LossIn(plies)) => format!("#{}{}", sign(true), moves(plies)),
        None => {
            let value = if turned { -score.value() } else { score.value() };
            format!("{:.2}", f64::from(value) / 100.0)
        }
    }
}

/// Hours, minutes and seconds, to the millisecond: `0:00:01.5`.
fn time_text(time: Duration) -> String {
    let millis = (time.as_micros() + 500) / 1000;
    let (seconds, rest) = (millis / 1000, millis % 1000);
    let [hours, minutes, seconds] = [seconds / 3600, seconds / 60 % 60, seconds % 60];
    let text = format!("{hours}:{minutes:02}:{seconds:02}.{rest:03}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_those_of_the_first_of_two_players() {
        let text = |score, seat, seats| score_text(score, seat, seats);
        assert_eq!(text(Score::units(-35), Seat::FIRST, 2), "-0.35");
        assert_eq!(text(Score::units(-35), Seat::SECOND, 2), "0.35");
        assert_eq!(text(Score::units(-35), Seat::SECOND, 3), "-0.35");
        assert_eq!(text(Score::win_in(3), Seat::FIRST, 2), "#2");
        assert_eq!(text(Score::win_in(3), Seat::SECOND, 2), "#-2");
        assert_eq!(text(Score::loss_in(4), Seat::FIRST, 2), "#-2");
        assert_eq!(text(Score::loss_in(4), Seat::SECOND, 2), "#2");
    }

    #[test]
    fn times_are_written_to_the_millisecond() {
        let text = |micros| time_text(Duration::from_micros(micros));
        assert_eq!(text(1_500_000), "0:00:01.5");
        assert_eq!(text(400), "0:00:00");
        assert_eq!(text(3_723_004_000), "1:02:03.004");
        assert_eq!(text(600_000_000), "0:10:00");
    }
}
