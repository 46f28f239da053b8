//! What goes in comes out, in order and once, whatever happens to the processes.

mod accounts;
mod damage;
mod exporting;
mod filtering;
#[cfg(unix)]
mod gone;
#[cfg(unix)]
mod killing;
mod pages;
mod several;

use std::time::Duration;

use agon_core::{PerSeat, Seat};
use agon_search::Score;
use tempfile::TempDir;

use super::*;

/// An empty store in a temporary folder.
pub(super) fn empty() -> (TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    (folder, store)
}

pub(super) fn new_series(kind: SeriesKind, name: Option<&str>) -> NewSeries {
    let entrant = |name: &str| Entrant { name: name.into(), agent: format!("engine:eval={name}") };
    let entrants = ["simple", "tuned", "net"].map(entrant).to_vec();
    let plan = r#"{"games":6}"#.to_string();
    NewSeries { kind, name: name.map(String::from), plan, seed: u64::MAX - 3, entrants }
}

pub(super) fn begun(store: &Store) -> SeriesId {
    store.begin_series(&new_series(SeriesKind::Match, None)).unwrap()
}

/// A two-player game that ended on the board.
pub(super) fn game(number: u64) -> StoredGame {
    StoredGame {
        number,
        round: 1,
        pairing: 2,
        leg: 3,
        variant: "fenix".into(),
        pace: "10s+100ms a game".into(),
        seats: PerSeat::from_slice(&[1, 0]),
        start: None,
        opening: "b6c6 f2e2".into(),
        moves: "c6d6 e2d2 d6e6".into(),
        movers: vec![Seat::FIRST, Seat::SECOND, Seat::FIRST],
        times: [1500, 0, 2_000_000].map(Duration::from_micros).to_vec(),
        nodes: vec![10, 20, 1 << 40],
        latencies: [5, 0, 1_000_000].map(Duration::from_micros).to_vec(),
        depths: vec![7, 0, 12],
        scores: vec![Some(Score::units(-35)), None, Some(Score::win_in(3))],
        points: PerSeat::from_slice(&[100, 0]),
        reason: "the king is taken".into(),
        end: "board".into(),
        offender: None,
        evidence: None,
        signature: u64::MAX,
        finished_at: 1_700_000_000_123,
        rated: true,
        disturbed: false,
        resources: None,
        played_by: None,
    }
}

/// A three-player game with turns out of order, which ended with a fault.
pub(super) fn faulty(number: u64) -> StoredGame {
    StoredGame {
        variant: "fauhalma:star3".into(),
        seats: PerSeat::from_slice(&[2, 0, 1]),
        start: Some(r#"{"A":[[0,1]],"turn":"A"}"#.into()),
        opening: String::new(),
        moves: "[[0,1],[0,2]] [[1,1],[1,2]] [[0,2],[0,3]]".into(),
        movers: vec![Seat::FIRST, Seat::THIRD, Seat::FIRST],
        nodes: vec![0; 3],
        latencies: vec![Duration::ZERO; 3],
        depths: vec![0; 3],
        scores: vec![None; 3],
        points: PerSeat::from_slice(&[75, 75, 0]),
        reason: "illegal move".into(),
        end: "fault:illegal-move".into(),
        offender: Some(Seat::THIRD),
        evidence: Some("the move \"7\"".into()),
        rated: false,
        disturbed: true,
        resources: Some("seat 1: book 1a2b3c4d".into()),
        played_by: Some(PlayedBy { worker: "lab 7".into(), speed: 2_000_000, scale: 1.25 }),
        ..game(number)
    }
}

fn message(result: Result<impl Sized, StoreError>) -> String {
    result.err().map(|error| error.to_string()).unwrap_or_default()
}

#[test]
fn games_come_back_as_they_were() {
    let (folder, store) = empty();
    let series = begun(&store);
    let lazy = StoredGame {
        moves: "".into(),
        movers: vec![],
        times: vec![],
        nodes: vec![],
        latencies: vec![],
        depths: vec![],
        scores: vec![],
        ..game(9)
    };
    for game in [game(0), faulty(1), lazy.clone()] {
        store.put(series, &game).unwrap();
    }
    drop(store);
    let store = Store::open(folder.path()).unwrap();
    assert_eq!(store.game(GameId { series, number: 0 }).unwrap(), game(0));
    assert_eq!(store.game("1.1".parse().unwrap()).unwrap(), faulty(1));
    assert_eq!(store.game(GameId { series, number: 9 }).unwrap(), lazy);
    store.check().unwrap();
}

#[test]
fn a_series_comes_back_as_it_was() {
    let (_folder, store) = empty();
    let new = new_series(SeriesKind::Tournament, Some("spring"));
    let id = store.begin_series(&new).unwrap();
    let found = store.find_tournament("spring").unwrap().unwrap();
    assert_eq!((found.id, found.kind, found.name.as_str()), (id, SeriesKind::Tournament, "spring"));
    assert_eq!((&found.plan, found.seed), (&new.plan, new.seed));
    assert_eq!(found.entrants, new.entrants);
    assert_eq!(found.finished_at, None);
    store.finish_series(id).unwrap();
    assert!(store.series(id).unwrap().finished_at >= Some(found.started_at));
    assert_eq!(store.find_tournament("autumn").unwrap(), None);
}

#[test]
fn a_series_knows_its_file_and_whether_a_server_plays_it() {
    let (_folder, store) = empty();
    let id = begun(&store);
    let found = store.series(id).unwrap();
    assert_eq!((found.file, found.hosting), (None, None));
    let file = Some("games = 2".into());
    store.enrol(id, &Enrolment { file, plan: "{}".into(), ..Enrolment::default() }).unwrap();
    for hosting in [Some(Hosting::Running), Some(Hosting::Paused), None] {
        store.set_hosting(id, hosting).unwrap();
        let found = store.series(id).unwrap();
        assert_eq!((found.file.as_deref(), found.hosting), (Some("games = 2"), hosting));
    }
    let absent = store.set_hosting(SeriesId(99), Some(Hosting::Running));
    assert!(message(absent).contains("99"));
}

#[test]
fn only_tournaments_need_names_of_their_own() {
    let (_folder, store) = empty();
    let named = new_series(SeriesKind::Tournament, Some("cup"));
    store.begin_series(&named).unwrap();
    assert!(message(store.begin_series(&named)).contains("tournament \"cup\" already exists"));
    for _ in 0..2 {
        store.begin_series(&new_series(SeriesKind::Match, Some("cup"))).unwrap();
    }
    let id = begun(&store);
    assert_eq!(store.series(id).unwrap().name, format!("match-{id}"));
}

#[test]
fn a_game_is_not_stored_twice_unless_it_is_said() {
    let (_folder, store) = empty();
    let series = begun(&store);
    store.put(series, &game(4)).unwrap();
    let error = message(store.put(series, &faulty(4)));
    assert!(error.ends_with("games.db: game 1.4 is already stored"), "{error}");
    assert_eq!(store.game(GameId { series, number: 4 }).unwrap(), game(4));
    store.replace(series, &faulty(4)).unwrap();
    assert_eq!(store.game(GameId { series, number: 4 }).unwrap(), faulty(4));
    assert_eq!(store.finished_numbers(series).unwrap(), [4]);
}

#[test]
fn games_are_stored_together_or_as_far_as_they_can_be() {
    let (_folder, store) = empty();
    let series = begun(&store);
    let games: Vec<StoredGame> = (0..5).map(game).collect();
    let (first, rest) = games.split_at(2);
    store.put_all(series, &first.iter().collect::<Vec<_>>()).unwrap();
    store.put(series, &game(3)).unwrap();
    let error = message(store.put_all(series, &rest.iter().collect::<Vec<_>>()));
    assert!(error.ends_with("game 1.3 is already stored"), "{error}");
    assert_eq!(store.finished_numbers(series).unwrap(), [0, 1, 2, 3]);
    let odd = StoredGame { moves: "a b".into(), ..game(5) };
    assert!(message(store.put_all(series, &[&games[4], &odd])).contains("game 5 cannot be stored"));
    let stored = store.games(&Filter::of(series)).unwrap().map(|stored| stored.unwrap().1);
    assert_eq!(stored.collect::<Vec<_>>(), games);
    store.put_all(series, &[]).unwrap();
}

#[test]
fn what_is_no_game_is_refused_with_the_reason() {
    let (_folder, store) = empty();
    let series = begun(&store);
    let seats = |seats: &[u32]| StoredGame { seats: PerSeat::from_slice(seats), ..game(1) };
    let bad = [
        (StoredGame { number: u64::MAX, ..game(1) }, "its number is too large"),
        (seats(&[]), "it has no players"),
        (seats(&[0, 1, 2]), "points for every seat"),
        (StoredGame { points: PerSeat::from_slice(&[101, 0]), ..game(1) }, "points go up to 100"),
        (StoredGame { moves: "a b".into(), ..game(1) }, "movers, times and nodes"),
        (StoredGame { offender: Some(Seat::THIRD), ..game(1) }, "there is no such seat"),
        (seats(&[0, 7]), "series 1 has no such entrants"),
    ];
    for (game, reason) in bad {
        let error = message(store.put(series, &game));
        assert!(error.contains(reason), "{error}");
    }
    let error = message(store.put(SeriesId(5), &game(1)));
    assert!(error.ends_with("there is no series 5"), "{error}");
    // Words of refused games do not count as stored.
    store.put(series, &game(1)).unwrap();
    store.check().unwrap();
}

#[test]
fn games_are_read_in_the_order_of_their_numbers_over_many_pages() {
    let (_folder, store) = empty();
    let series = begun(&store);
    let other = begun(&store);
    let numbers: Vec<u64> = (0..1000).map(|k| k * 7919 % 1000).collect();
    for &number in &numbers {
        store.put(series, &game(number)).unwrap();
    }
    store.put(other, &faulty(0)).unwrap();
    let read: Vec<_> = store.games(&Filter::default()).unwrap().map(Result::unwrap).collect();
    let ids: Vec<_> = read.iter().map(|(series, game)| (*series, game.number)).collect();
    let expected: Vec<_> = (0..1000).map(|n| (series, n)).chain([(other, 0)]).collect();
    assert_eq!(ids, expected);
    assert_eq!(store.finished_numbers(series).unwrap(), (0..1000).collect::<Vec<_>>());
    assert_eq!(store.games(&Filter::of(other)).unwrap().count(), 1);
}

#[test]
fn filters_leave_out_what_does_not_fit() {
    let (_folder, store) = empty();
    let (first, second) = (begun(&store), begun(&store));
    for (series, game) in [(first, game(0)), (first, faulty(1)), (second, game(0))] {
        store.put(series, &game).unwrap();
    }
    let ids = |filter: &Filter| -> Vec<String> {
        let listed = store.list_games(filter, 10, 0).unwrap();
        let ids = listed.iter().map(|(series, game)| format!("{series}.{}", game.number));
        let ids: Vec<String> = ids.collect();
        let streamed = store.games(filter).unwrap().map(Result::unwrap);
        let streamed: Vec<String> =
            streamed.map(|(s, game)| format!("{s}.{}", game.number)).collect();
        assert!(ids.iter().rev().eq(&streamed), "both ways give the same games");
        assert_eq!(store.count_games(filter).unwrap().0, ids.len() as u64);
        ids
    };
    let all = Filter::default();
    assert_eq!(ids(&all), ["2.0", "1.1", "1.0"]);
    assert_eq!(ids(&Filter::of(first)), ["1.1", "1.0"]);
    assert_eq!(ids(&Filter { agent: Some("net".into()), ..all.clone() }), ["1.1"]);
    assert_eq!(ids(&Filter { agent: Some("engine:eval=net".into()), ..all.clone() }), ["1.1"]);
    assert_eq!(ids(&Filter { variant: Some("fenix".into()), ..all.clone() }), ["2.0", "1.0"]);
    assert_eq!(ids(&Filter { fault: Some(FaultKind::Any), ..all.clone() }), ["1.1"]);
    assert!(ids(&Filter { variant: Some("chess".into()), ..all.clone() }).is_empty());
    let page = store.list_games(&all, 1, 1).unwrap();
    assert_eq!((page.len(), page[0].0, page[0].1.number), (1, first, 1));
    assert_eq!(store.list_games(&all, usize::MAX, 2).unwrap().len(), 1);
    assert_eq!(store.count_games(&all).unwrap(), (3, 3));
}

#[test]
fn lists_count_games_and_faults() {
    let (_folder, store) = empty();
    let (first, second) = (begun(&store), begun(&store));
    store.put(first, &game(0)).unwrap();
    store.put(first, &faulty(1)).unwrap();
    let listed = store.list_series().unwrap();
    let counts: Vec<_> = listed.iter().map(|l| (l.series.id, l.games, l.faults)).collect();
    assert_eq!(counts, [(second, 0, 0), (first, 2, 1)]);
    assert_eq!(listed[0].series, store.series(second).unwrap());
}

#[test]
fn what_is_deleted_is_gone_and_nothing_else() {
    let (_folder, store) = empty();
    let (first, second) = (begun(&store), begun(&store));
    for number in 0..5 {
        store.put(first, &game(number)).unwrap();
        store.put(second, &game(number)).unwrap();
    }
    store.finish_series(first).unwrap();
    assert_eq!(store.delete_from(first, 3).unwrap(), 2);
    assert_eq!(store.finished_numbers(first).unwrap(), [0, 1, 2]);
    assert_eq!(store.series(first).unwrap().finished_at, None);
    store.delete_series(second).unwrap();
    assert!(message(store.series(second)).contains("there is no series 2"));
    assert!(message(store.game(GameId { series: second, number: 0 })).contains("no game 2.0"));
    assert_eq!(store.count_games(&Filter::default()).unwrap().0, 3);
    assert_eq!(begun(&store), SeriesId(3), "numbers of series are not reused");
    store.check().unwrap();
}

#[test]
fn names_of_games_and_series_are_read_back() {
    let id = GameId { series: SeriesId(7), number: 120 };
    assert_eq!(id.to_string().parse(), Ok(id));
    for bad in ["", "7", "7.", ".1", "7.x", "-1.2", "7.1.1"] {
        let error = bad.parse::<GameId>().unwrap_err();
        assert!(error.contains("such as 7.120"), "{error}");
    }
    assert!("x".parse::<SeriesId>().unwrap_err().contains("expected a number"));
}

#[test]
fn effort_goes_to_who_moved() {
    let effort = faulty(0).effort();
    let moves: Vec<u64> = effort.iter().map(|(_, effort)| effort.moves).collect();
    assert_eq!(moves, [2, 0, 1]);
    assert_eq!(effort[Seat::FIRST].time, Duration::from_micros(2_001_500));
    assert_eq!(game(0).effort()[Seat::FIRST].nodes, 10 + (1 << 40));
    assert_eq!(game(0).plies(), 5);
    assert_eq!(faulty(0).places().as_slice(), [1, 1, 3]);
}
