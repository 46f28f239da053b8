//! What the players report, as comments on the moves in PGN: `[%eval 0.35,9] [%clk 0:09:58.6] [%emt
//! 0:00:01.5]` is the evaluation with its depth, the time left on the clock and the time the move
//! took, in the form that viewers of chess games know.

use std::time::Duration;

use crate::game_text::evaluation;
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
    let evaluation =
        game.scores[at].map(|score| evaluation(score, depth, seat, game.seats.seats()));
    let clock = clock.map(|left| format!("[%clk {}]", time_text(left)));
    let took = (time > Duration::ZERO).then(|| format!("[%emt {}]", time_text(time)));
    let parts: Vec<String> = [evaluation, clock, took].into_iter().flatten().collect();
    if parts.is_empty() { String::new() } else { format!("{{{}}}", parts.join(" ")) }
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
    fn times_are_written_to_the_millisecond() {
        let text = |micros| time_text(Duration::from_micros(micros));
        assert_eq!(text(1_500_000), "0:00:01.5");
        assert_eq!(text(400), "0:00:00");
        assert_eq!(text(3_723_004_000), "1:02:03.004");
        assert_eq!(text(600_000_000), "0:10:00");
    }
}
