//! What happens in a game, whoever drives it.

use std::thread::sleep;

use agon_core::Rng;
use agon_games::{Playable, Visitor, open, with_game};
use proptest::prelude::*;

use super::*;
use crate::verdict::End;

fn session(variant: &str, time: Option<&str>) -> TableSession {
    let mut pace = Pace::default();
    pace.time.game = time.map(|text| text.parse().unwrap());
    Session::at_table(open(&variant.parse().unwrap()).unwrap(), pace)
}

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn play(session: &mut TableSession, mv: &str, took: u64) {
    session.play(mv.to_string(), seconds(took)).unwrap();
}

fn table(variant: &str, position: &str) -> Box<dyn Table> {
    agon_games::open_at::<&str>(&variant.parse().unwrap(), Some(position), &[]).unwrap()
}

#[test]
fn a_player_without_a_move_ends_the_game() {
    // Black stands before the only white pawn.
    let blocked = Session::at_table(table("breakthrough:2x4", "2/p1/P1/2 w"), Pace::default());
    let verdict = blocked.verdict().unwrap();
    assert_eq!((verdict.end, &*verdict.reason), (End::NoMove, "white has no legal move"));
}

#[test]
fn a_late_move_loses_unless_it_ends_the_game() {
    let mut pace = Pace::default();
    pace.time.game = "5s".parse().ok();
    let table = |position| table("breakthrough:5x5", position);
    let mut last = Session::at_table(table("5/1P3/5/p4/5 w"), pace);
    play(&mut last, "b4b5", 6);
    assert_eq!(last.verdict().unwrap().end, End::Board);
    let mut other = Session::at_table(table("5/5/1P3/p4/5 w"), pace);
    play(&mut other, "b3b4", 6);
    let verdict = other.verdict().unwrap();
    assert_eq!(verdict.end, End::Fault(Seat::FIRST, Fault::ClockOver));
    assert_eq!(verdict.to_string(), "clock over: took 6000.0 ms of 5000.0 ms");
    assert_eq!(other.plies().len(), 1, "the late move is in the record");
    assert_eq!(other.play("a2a1".into(), seconds(0)), Err(NoMove::Over));
}

#[test]
fn who_is_late_only_by_waiting_for_a_processor_plays_on() {
    let played = |waited: u64| {
        let start = open(&"breakthrough:5x5".parse().unwrap()).unwrap();
        let mut pace = Pace::default();
        pace.time.per_move = Some(Duration::from_millis(30));
        let mut session = Session::at_table(start, pace);
        let answer = Answer {
            waited: Duration::from_millis(waited),
            ..Answer::new(Action::Play("a2a3".to_string()), 1)
        };
        session.hear(Ok(answer), Duration::from_millis(230)).unwrap();
        (session.to_move().is_some(), session.excused)
    };
    assert_eq!(played(200), (true, true));
    assert_eq!(played(100), (false, false), "130 ms of computing are too much");
    assert_eq!(played(0), (false, false));
}

#[test]
fn moves_taken_back_give_their_time_back() {
    let mut session = session("congo", Some("1m+1s"));
    play(&mut session, "d2d3", 10);
    play(&mut session, "d6d5", 20);
    play(&mut session, "d3d4", 30);
    let left = |session: &TableSession| Seat::all(2).map(|seat| session.time_left(seat)).collect();
    let before: Vec<_> = left(&session);
    assert_eq!(before, [Some(seconds(22)), Some(seconds(41))]);
    assert!(session.take_back_to(1) && !session.take_back_to(1));
    let after: Vec<_> = left(&session);
    assert_eq!(after, [Some(seconds(51)), Some(seconds(60))]);
    assert_eq!(session.table().played(), ["d2d3"]);
    session.resign(Seat::FIRST).unwrap();
    assert!(!session.take_back_to(0), "not once somebody gave up");
    assert!(session.resign(Seat::SECOND).is_err(), "once is enough");
}

#[test]
fn a_draw_needs_everybody_and_a_move_declines_it() {
    let mut session = session("fauhalma:star3", None);
    session.agree_to_draw(Seat::SECOND).unwrap();
    assert!(session.offers_draw(Seat::SECOND) && !session.offers_draw(Seat::FIRST));
    session.decline_draw().unwrap();
    assert!(!session.offers_draw(Seat::SECOND), "declined");
    session.agree_to_draw(Seat::SECOND).unwrap();
    let mv = session.table().moves()[0].clone();
    play(&mut session, &mv, 1);
    assert!(!session.offers_draw(Seat::SECOND));
    for seat in Seat::all(3) {
        assert_eq!(session.verdict(), None);
        session.agree_to_draw(seat).unwrap();
    }
    let verdict = session.verdict().unwrap();
    assert_eq!((verdict.end, verdict.to_string().as_str()), (End::Agreement, "draw agreed"));
    assert_eq!(verdict.outcome.points().as_slice(), [50, 50, 50]);
}

#[test]
fn a_clock_ends_the_game_when_it_runs_out() {
    let mut session = session("congo", Some("20ms"));
    play(&mut session, "d2d3", 0);
    session.start_clock();
    while !session.call_time() {
        sleep(Duration::from_millis(1));
    }
    let verdict = session.verdict().unwrap();
    assert_eq!(verdict.end, End::Fault(Seat::SECOND, Fault::ClockOver));
    assert_eq!(session.time_left(Seat::SECOND), Some(Duration::ZERO));
    let again = TableSession::resume(&agon_games::Catalog::built_in(), &session.stored()).unwrap();
    assert_eq!(again.time_left(Seat::SECOND), Some(Duration::ZERO));
    assert_eq!(again.verdict(), session.verdict());
}

#[test]
fn a_clock_runs_in_the_turn_for_which_it_was_started() {
    let mut session = session("congo", Some("1m"));
    assert_eq!((session.clock_runs(), session.turn_time()), (false, Duration::ZERO));
    session.start_clock();
    sleep(Duration::from_millis(3));
    assert!(session.clock_runs() && session.turn_time() >= Duration::from_millis(3));
    assert!(session.time_left(Seat::FIRST).unwrap() <= Duration::from_millis(59_997));
    assert_eq!(session.time_left(Seat::SECOND), Some(seconds(60)));
    session.restart_turn();
    assert_eq!((session.clock_runs(), session.turn_time()), (false, Duration::ZERO));
    session.start_clock();
    play(&mut session, "d2d3", 0);
    assert!(!session.clock_runs(), "the next turn begins when its player is asked");
    session.start_clock();
    session.resign(Seat::FIRST).unwrap();
    session.start_clock();
    assert!(!session.clock_runs(), "not after the end");
}

#[test]
fn players_are_told_the_game_and_its_limits() {
    let mut session = session("fauhalma:star3", Some("1m"));
    let mv = session.table().moves()[0].clone();
    play(&mut session, &mv, 10);
    assert_eq!(session.pace().time.game, "1m".parse().ok());
    let budget = session.pace().budget(&Default::default());
    let turn = session.turn(&budget).unwrap();
    assert_eq!((turn.seat, turn.plies.len(), turn.pace), (Seat::SECOND, 1, session.pace()));
    let left: Vec<_> = turn.clocks.iter().map(Clock::remaining).collect();
    assert_eq!(left, [Some(seconds(50)), Some(seconds(60)), Some(seconds(60))]);
    session.resign(Seat::FIRST).unwrap();
    assert!(session.turn(&budget).is_none());
}

#[test]
fn the_first_fault_counts_and_keeps_its_evidence() {
    let mut session = session("congo", Some("1s"));
    let exchange = " in: go out: d2d3".to_string();
    let answer = Answer { exchange, ..Answer::new(Action::Play("d2d3".to_string()), 1) };
    session.hear(Ok(answer), seconds(2)).unwrap();
    let told = "clock over: took 2000.0 ms of 1000.0 ms in: go out: d2d3";
    assert_eq!(session.verdict().unwrap().to_string(), told);
    session.fault(Seat::SECOND, Breach::new(Fault::Crash, "later"));
    assert_eq!(session.verdict().unwrap().to_string(), told);
    let mut other = self::session("congo", None);
    other.fault(Seat::SECOND, Breach::new(Fault::Crash, "at once"));
    assert_eq!(other.verdict().unwrap().end, End::Fault(Seat::SECOND, Fault::Crash));
}

#[test]
fn a_stored_game_that_cannot_be_is_refused() {
    let mut session = session("congo", None);
    session.resign(Seat::SECOND).unwrap();
    let good = session.stored();
    assert_eq!(
        TableSession::resume(&agon_games::Catalog::built_in(), &good).unwrap().verdict(),
        session.verdict()
    );
    let refused = |stored| {
        TableSession::resume(&agon_games::Catalog::built_in(), &stored).map(drop).unwrap_err()
    };
    let seat = StoredEnd::Resigned { seat: 2 };
    let bad = refused(StoredSession { end: Some(seat), ..good.clone() });
    assert_eq!(bad, "seat 2 at a table for 2");
    let bad = refused(StoredSession { time: Some("5".into()), ..good.clone() });
    assert!(bad.contains("such as 5m"), "{bad}");
    let bad = refused(StoredSession { variant: "con go".into(), ..good });
    assert!(bad.contains("bad variant"), "{bad}");
}

#[test]
fn a_game_is_recorded_when_it_is_over() {
    let start = "3l3/7/7/7/7/6P/3L3 w 0";
    let mut session = Session::at_table(table("congo", start), Pace::default());
    assert!(session.record().is_none());
    play(&mut session, "d1d7", 1);
    let record = session.record().unwrap();
    assert_eq!((record.start.as_deref(), &*record.moves), (Some(start), "d1d7"));
    assert_eq!((record.variant.as_str(), record.signature), ("congo", session.table().signature()));
}

#[test]
fn a_game_is_disturbed_by_waiting_alone() {
    let played = |waited: u64| {
        let board = TypedBoard::new(Opening::at(agon_core::sample::Nim::new(1)));
        let mut session = Session::new(board, Pace::default());
        let waited = Duration::from_millis(waited);
        let answer = Answer { waited, ..Answer::new(Action::Play(1), 1) };
        session.hear(Ok(answer), Duration::from_millis(500)).unwrap();
        session.into_played().unwrap()
    };
    assert!(played(400).disturbed && !played(10).disturbed);
}

#[test]
fn a_game_that_is_too_long_is_a_draw() {
    let mut session = session("congo", None).ending_after(2);
    play(&mut session, "d2d3", 0);
    play(&mut session, "d6d5", 0);
    assert_eq!(session.verdict().unwrap().end, End::TooLong);
}

#[test]
fn trouble_of_the_system_changes_nothing() {
    let mut session = session("congo", Some("1m"));
    let trouble = SystemTrouble("cannot start another process".into());
    assert_eq!(session.hear(Err(trouble.clone().into()), seconds(99)), Err(trouble));
    assert_eq!((session.to_move(), session.plies().len()), (Some(Seat::FIRST), 0));
}

/// What a player does at some ply.
#[derive(Clone, Debug)]
enum Deed {
    Move { choice: usize, ms: u64 },
    Resign,
    Breach,
}

/// The same deeds on a typed board and on a table that is stored and resumed on the way.
struct Twice<'a>(&'a [Deed], Pace);

impl Visitor for Twice<'_> {
    type Output = Result<(), TestCaseError>;

    fn visit<G: Playable>(self, variant: agon_core::Variant, start: G) -> Self::Output {
        let Twice(deeds, pace) = self;
        let mut typed = Session::new(TypedBoard::new(Opening::at(start)), pace);
        let mut table = Session::at_table(open(&variant).unwrap(), pace);
        for (index, deed) in deeds.iter().enumerate() {
            prop_assert_eq!(typed.to_move(), table.to_move());
            prop_assert_eq!(typed.verdict(), table.verdict());
            prop_assert_eq!(typed.board().signature(), table.board().signature());
            if typed.to_move().is_none() {
                break;
            }
            let (one, other) = match deed {
                Deed::Move { choice, ms } => {
                    let moves = typed.board().position().moves();
                    let mv = moves[choice % moves.len()];
                    let text = typed.board().position().move_text(mv);
                    let time = Some(Duration::from_millis(*ms));
                    let (one, other) = (Action::Play(mv), Action::Play(text));
                    let one = Answer { time, ..Answer::new(one, 7) };
                    (Ok(one), Ok(Answer { time, ..Answer::new(other, 7) }))
                }
                Deed::Resign => {
                    (Ok(Answer::new(Action::Resign, 0)), Ok(Answer::new(Action::Resign, 0)))
                }
                Deed::Breach => {
                    let breach = || Breach::new(Fault::Garbled, "what?").into();
                    (Err(breach()), Err(breach()))
                }
            };
            typed.hear(one, Duration::ZERO).unwrap();
            table.hear(other, Duration::ZERO).unwrap();
            if index % 5 == 0 {
                table = TableSession::resume(&agon_games::Catalog::built_in(), &table.stored())
                    .unwrap();
            }
        }
        Ok(())
    }
}

fn deeds() -> impl Strategy<Value = Vec<Deed>> {
    let deed = prop_oneof![
        200 => (0..1000usize, 0..400u64).prop_map(|(choice, ms)| Deed::Move { choice, ms }),
        1 => Just(Deed::Resign),
        1 => Just(Deed::Breach),
    ];
    prop::collection::vec(deed, 0..150)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn typed_positions_and_tables_end_with_the_same_verdict(deeds in deeds(), which in 0..5usize) {
        let variants =
            ["breakthrough:5x5", "congo", "fenix", "wumpus:3", "fauhalma:star3,limit=20"];
        let mut pace = Pace::default();
        pace.time.game = "3s+100ms".parse().ok();
        with_game(&variants[which].parse().unwrap(), Twice(&deeds, pace)).unwrap()?;
    }

    #[test]
    fn a_fork_goes_its_own_way(seed in any::<u64>()) {
        let mut rng = Rng::new(seed);
        let mut session = session("congo", Some("1m"));
        for _ in 0..8 {
            let Some(mv) = session.table().random_move(&mut rng) else { break };
            play(&mut session, &mv, 1);
        }
        let before = session.stored();
        let mut fork = session.fork();
        fork.take_back_to(2);
        prop_assert_eq!(session.stored(), before);
    }
}
