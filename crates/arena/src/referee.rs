//! Plays one game from its beginning to the verdict, for matches and tournaments.

use agon_search::StopFlag;

use crate::clock::Pace;
use crate::player::{Breach, Player, SystemTrouble, ask};
use crate::session::{Board, Session};
use crate::verdict::Fault;

/// Plays a game, `players` in the order of the seats. `None` if it was stopped before its end; an
/// error, and no game, if the system refused what a player needs.
///
/// Whatever a player does, the game ends with a verdict. Time is checked when the answer arrives: a
/// player that never answers is never interrupted, so callers with players that may hang have to
/// end those themselves, and answer for them with a [`Breach`].
pub fn play_game<B: Board, P: Player<B>>(
    board: B,
    players: &mut [P],
    pace: &Pace,
    stop: &StopFlag,
) -> Result<Option<Session<B>>, SystemTrouble> {
    play_before(board, players, pace, stop, |_| {})
}

/// The same before an audience, which sees the game at its beginning and after every move.
pub(crate) fn play_before<B: Board, P: Player<B>>(
    board: B,
    players: &mut [P],
    pace: &Pace,
    stop: &StopFlag,
    mut audience: impl FnMut(&Session<B>),
) -> Result<Option<Session<B>>, SystemTrouble> {
    let mut session = Session::new(board, *pace);
    let mut budget = pace.budget(stop);
    players.iter_mut().for_each(|player| player.game_begins(&budget));
    while let Some(seat) = session.to_move() {
        let seated = players.len();
        let Some(player) = players.get_mut(seat.index()) else {
            let evidence = format!("{seated} players for {} seats", session.clocks().len());
            session.fault(seat, Breach::new(Fault::Absent, evidence));
            break;
        };
        audience(&session);
        budget.time = session.clocks()[seat.index()].time();
        let Some(turn) = session.turn(&budget) else { break };
        let (answer, measured) = ask(player, &turn);
        if stop.is_set() {
            break;
        }
        if let Err(trouble) = session.hear(answer, measured) {
            dismiss(players, &session);
            return Err(trouble);
        }
    }
    dismiss(players, &session);
    Ok(session.verdict().is_some().then_some(session))
}

/// Tells all players that the game is over.
fn dismiss<B: Board, P: Player<B>>(players: &mut [P], session: &Session<B>) {
    players.iter_mut().for_each(|player| player.game_over(session));
}

#[cfg(test)]
mod tests;
