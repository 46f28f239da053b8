//! Games with players that do what no built-in agent does.

use std::thread::sleep;
use std::time::Duration;

use agon_core::sample::{Nim, Walk};
use agon_core::{Game, Seat};
use agon_search::{Budget, Strategy, random::Random};

use super::*;
use crate::clock::{TOLERANCE, TimeControl};
use crate::openings::Opening;
use crate::player::{Action, Answer, NoAnswer, Turn};
use crate::session::{Played, TypedBoard};
use crate::verdict::End;

/// Does what the function says, at every turn.
struct Scripted<F>(F);

impl<G: Game, F: FnMut(&G) -> Action<G::Move> + Send> Player<TypedBoard<G>> for Scripted<F> {
    fn answer(&mut self, turn: &Turn<'_, TypedBoard<G>>) -> Result<Answer<G::Move>, NoAnswer> {
        Ok(Answer::new((self.0)(turn.board.position()), 1))
    }
}

fn scripted<G: Game>(
    script: impl FnMut(&G) -> Action<G::Move> + Send + 'static,
) -> Box<dyn Player<TypedBoard<G>>> {
    Box::new(Scripted(script))
}

/// Always plays the first legal move.
fn honest<G: Game>() -> Box<dyn Player<TypedBoard<G>>> {
    scripted(|position: &G| Action::Play(position.moves()[0]))
}

fn random<G: Game>(seed: u64) -> Box<dyn Player<TypedBoard<G>>> {
    let strategy: Box<dyn Strategy<G>> = Box::new(Random::new(seed));
    Box::new(strategy)
}

fn play<G: Game>(
    start: G,
    mut players: Vec<Box<dyn Player<TypedBoard<G>>>>,
    pace: Pace,
) -> Played<G> {
    let board = TypedBoard::new(Opening::at(start));
    let session = play_game(board, &mut players, &pace, &StopFlag::default()).unwrap().unwrap();
    session.into_played().unwrap()
}

fn per_move(millis: u64) -> Pace {
    let per_move = Some(Duration::from_millis(millis));
    Pace { time: TimeControl { game: None, per_move }, ..Pace::default() }
}

#[test]
fn an_illegal_move_loses_and_is_kept_as_evidence() {
    // Takes four where at most three are allowed.
    let wrong = || scripted(|_: &Nim| Action::Play(4));
    let game = play(Nim::new(9), vec![wrong(), honest()], Pace::default());
    assert_eq!(game.verdict.end, End::Fault(Seat::FIRST, Fault::IllegalMove));
    assert_eq!(game.verdict.outcome.points().as_slice(), [0, 100]);
    assert_eq!(game.verdict.to_string(), "illegal move: 4 at ply 1");
    assert!(game.plies.is_empty());

    let game = play(Nim::new(9), vec![honest(), wrong()], Pace::default());
    assert_eq!(game.verdict.end, End::Fault(Seat::SECOND, Fault::IllegalMove));
    assert_eq!(game.verdict.outcome.points().as_slice(), [100, 0]);
    assert_eq!(game.plies.len(), 1, "what was played before is kept");
}

#[test]
fn illegal_moves_are_caught_in_real_games_at_any_time() {
    // Honest for a while, then repeats a move of the start position that has become illegal.
    let variant: agon_core::Variant = "breakthrough:5x5".parse().unwrap();
    struct Trial;
    impl agon_games::Visitor for Trial {
        type Output = ();
        fn visit<G: agon_games::Playable>(self, _: agon_core::Variant, start: G) {
            for honest_moves in 0..5 {
                let first = start.moves()[0];
                let mut made = 0;
                let wrong = scripted(move |position: &G| {
                    made += 1;
                    let legal = position.moves();
                    let wrong = made > honest_moves && !legal.contains(&first);
                    Action::Play(if wrong { first } else { legal[0] })
                });
                let players = vec![wrong, random(honest_moves)];
                let game = play(start.clone(), players, Pace::default());
                assert_eq!(game.verdict.end, End::Fault(Seat::FIRST, Fault::IllegalMove));
            }
        }
    }
    agon_games::with_game(&variant, Trial).unwrap();
}

#[test]
fn who_resigns_has_lost() {
    let resigning = scripted(|_: &Nim| Action::Resign);
    let game = play(Nim::new(9), vec![honest(), resigning], Pace::default());
    assert_eq!(game.verdict.end, End::Resignation(Seat::SECOND));
    assert_eq!(game.verdict.outcome.points().as_slice(), [100, 0]);
    assert_eq!(game.verdict.to_string(), "resignation");
    assert_eq!(game.verdict.offence(), None);
}

#[test]
fn who_panics_has_lost() {
    let broken = scripted(|_: &Nim| -> Action<u32> { panic!("a hole in the head") });
    let game = play(Nim::new(9), vec![broken, honest()], Pace::default());
    assert_eq!(game.verdict.end, End::Fault(Seat::FIRST, Fault::Crash));
    assert_eq!(game.verdict.to_string(), "crash: a hole in the head");
}

#[test]
fn an_empty_seat_has_lost_when_its_turn_comes() {
    let game = play(Nim::new(9), vec![honest()], Pace::default());
    assert_eq!(game.verdict.end, End::Fault(Seat::SECOND, Fault::Absent));
}

fn slow(time: Duration) -> Box<dyn Player<TypedBoard<Nim>>> {
    scripted(move |position: &Nim| {
        sleep(time);
        Action::Play(position.moves()[0])
    })
}

#[test]
fn who_uses_up_the_clock_has_lost() {
    let mut pace = Pace::default();
    pace.time.game = "50ms".parse().ok();
    let game = play(Nim::new(9), vec![honest(), slow(Duration::from_millis(20))], pace);
    assert_eq!(game.verdict.end, End::Fault(Seat::SECOND, Fault::ClockOver));
    assert_eq!(game.verdict.outcome.points().as_slice(), [100, 0]);
    let slow_plies = game.plies.iter().filter(|ply| ply.seat == Seat::SECOND);
    let times: Vec<Duration> = slow_plies.map(|ply| ply.time).collect();
    assert!((1..=3).contains(&times.len()), "{times:?}");
    assert!(times.iter().all(|time| *time >= Duration::from_millis(20)));
}

#[test]
fn who_takes_too_long_for_a_move_has_lost() {
    let far_too_long = TOLERANCE + Duration::from_millis(20);
    let game = play(Nim::new(9), vec![slow(far_too_long), honest()], per_move(1));
    assert_eq!(game.verdict.end, End::Fault(Seat::FIRST, Fault::MoveTooSlow));
    assert_eq!(game.verdict.outcome.reason(), "too slow for one move");
    assert_eq!(game.plies.len(), 1, "the late move is in the record");
}

#[test]
fn the_rules_of_history_end_a_game() {
    let game = play(Walk::new(), vec![random(1), random(2)], Pace::default());
    assert_eq!(game.verdict.end, End::History);
    assert_eq!(game.verdict.outcome.points().as_slice(), [50, 50]);
    assert_eq!(game.verdict.to_string(), "third occurrence");
    let up = || scripted(|_: &Walk| Action::Play(1));
    let game = play(Walk::new(), vec![up(), up()], Pace::default());
    assert_eq!((game.plies.len(), &*game.verdict.reason), (100, "a hundred plies"));
}

#[test]
fn a_game_that_is_stopped_has_no_result() {
    let stop = StopFlag::default();
    let mut players: Vec<Box<dyn Player<TypedBoard<Nim>>>> = vec![honest(), {
        let stop = stop.clone();
        scripted(move |position: &Nim| {
            stop.stop();
            Action::Play(position.moves()[0])
        })
    }];
    let board = TypedBoard::new(Opening::at(Nim::new(9)));
    assert!(play_game(board, &mut players, &Pace::default(), &stop).unwrap().is_none());
}

/// Plays honestly, and notes when games begin and how they end.
#[derive(Default)]
struct Witness {
    seen: Vec<&'static str>,
    /// The system refuses what it needs for its first move.
    refused: bool,
}

impl Player<TypedBoard<Nim>> for Witness {
    fn game_begins(&mut self, _: &Budget) {
        self.seen.push("begins");
    }

    fn answer(&mut self, turn: &Turn<'_, TypedBoard<Nim>>) -> Result<Answer<u32>, NoAnswer> {
        if self.refused {
            return Err(SystemTrouble("no processes left".into()).into());
        }
        Ok(Answer::new(Action::Play(turn.board.position().moves()[0]), 1))
    }

    fn game_over(&mut self, session: &Session<TypedBoard<Nim>>) {
        self.seen.push(if session.verdict().is_some() { "over" } else { "abandoned" });
    }
}

#[test]
fn every_player_is_told_of_the_beginning_and_of_any_end() {
    let told = |refused: bool, stop: &StopFlag| {
        let mut players = [Witness::default(), Witness { refused, ..Witness::default() }];
        let board = TypedBoard::new(Opening::at(Nim::new(9)));
        let played = play_game(board, &mut players, &Pace::default(), stop);
        let [first, second] = players.map(|player| player.seen);
        assert_eq!(first, second);
        (played.map(|session| session.is_some()), first)
    };
    assert_eq!(told(false, &StopFlag::default()), (Ok(true), vec!["begins", "over"]));
    let stopped = StopFlag::default();
    stopped.stop();
    assert_eq!(told(false, &stopped), (Ok(false), vec!["begins", "abandoned"]));
    let (played, seen) = told(true, &StopFlag::default());
    assert!(played.is_err());
    assert_eq!(seen, ["begins", "abandoned"]);
}
