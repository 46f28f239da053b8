//! Games of the web pages: recorded once, when they end, and only while they are over.

use std::thread;

use super::*;

fn sitting(id: &str, open: bool) -> Sitting {
    Sitting { id: id.into(), document: "{}".into(), open, public: false, updated_at: 1 }
}

/// A person has finished a game against an agent.
fn finish(id: &str, rated: bool) -> SittingChange {
    let players = vec![Entrant::person(), Entrant::agent("engine:level=3")];
    let game = StoredGame { rated, ..game(99) };
    SittingChange::Finish(sitting(id, false), Box::new(PageGame { players, game }))
}

fn reopen(id: &str) -> SittingChange {
    SittingChange::Put(sitting(id, true))
}

/// The numbers of the recorded games, and whether they are rated.
fn recorded(store: &Store) -> Vec<(u64, bool)> {
    let Some(pages) = store.pages().unwrap() else { return Vec::new() };
    let games = store.games(&Filter::of(pages)).unwrap().map(Result::unwrap);
    games.map(|(_, game)| (game.number, game.rated)).collect()
}

#[test]
fn a_game_is_recorded_once_with_its_end_and_stays() {
    let (_folder, store) = empty();
    let first = begun(&store);
    store.change_sittings(&[reopen("a"), finish("a", true), finish("b", true)]).unwrap();
    let series = store.series(store.pages().unwrap().unwrap()).unwrap();
    assert_eq!((series.kind, series.name.as_str()), (SeriesKind::Pages, "pages"));
    assert_eq!(series.entrants, [Entrant::person(), Entrant::agent("engine:level=3")]);
    let stored = store.game(GameId { series: series.id, number: 1 }).unwrap();
    assert_eq!(stored, StoredGame { seats: PerSeat::from_slice(&[0, 1]), ..game(1) });
    assert!(!store.sitting("a").unwrap().unwrap().open);
    // A game that is over changes, as when its rematch begins.
    store.change_sittings(&[finish("a", false)]).unwrap();
    store.change_sittings(&[SittingChange::Delete("b".into())]).unwrap();
    assert_eq!(recorded(&store), [(0, true), (1, true)]);
    // The series never ends: its games come before those of newer series.
    let newer = begun(&store);
    for series in [first, newer] {
        store.put(series, &game(0)).unwrap();
    }
    let list = |limit, offset| {
        let listed = store.list_games(&Filter::default(), limit, offset).unwrap();
        listed.iter().map(|(series, game)| format!("{series}.{}", game.number)).collect::<Vec<_>>()
    };
    assert_eq!(list(9, 0), ["2.1", "2.0", "3.0", "1.0"]);
    assert_eq!((list(2, 1), list(9, 3)), (list(3, 0)[1..].to_vec(), list(4, 0)[3..].to_vec()));
    store.check().unwrap();
}

#[test]
fn an_end_that_is_taken_back_is_not_recorded_until_it_comes_again() {
    let (_folder, store) = empty();
    store.change_sittings(&[finish("a", true), reopen("a")]).unwrap();
    assert_eq!(recorded(&store), []);
    store.change_sittings(&[finish("b", true), reopen("c")]).unwrap();
    assert_eq!(recorded(&store), [(1, true)], "the number stays reserved");
    store.change_sittings(&[finish("a", false)]).unwrap();
    assert_eq!(recorded(&store), [(0, false), (1, true)]);
    store.delete_series(store.pages().unwrap().unwrap()).unwrap();
    assert_eq!((store.pages().unwrap(), store.count_sittings().unwrap()), (None, 3));
    store.change_sittings(&[finish("b", true), reopen("a"), finish("a", false)]).unwrap();
    assert_eq!(recorded(&store), [(0, false)], "what was deleted does not come back by itself");
    assert_eq!(store.pages().unwrap(), Some(SeriesId(2)));
    store.check().unwrap();
}

#[test]
fn sitting_and_record_are_written_both_or_neither() {
    let (_folder, store) = empty();
    let SittingChange::Finish(sitting, mut page) = finish("a", true) else { unreachable!() };
    page.game.points = PerSeat::from_slice(&[101, 0]);
    let changes = [reopen("b"), SittingChange::Finish(sitting, page)];
    assert!(message(store.change_sittings(&changes)).contains("points go up to 100"));
    assert_eq!((store.pages().unwrap(), store.count_sittings().unwrap()), (None, 0));
    store.change_sittings(&[finish("a", true)]).unwrap();
    assert_eq!(recorded(&store), [(0, true)]);
}

#[test]
fn several_servers_record_into_one_series() {
    let folder = tempfile::tempdir().unwrap();
    let server = |server: usize| {
        let store = Store::open(folder.path()).unwrap();
        for number in 0..50 {
            store.change_sittings(&[finish(&format!("{server}-{number}"), true)]).unwrap();
        }
    };
    thread::scope(|scope| (0..4).for_each(|k| drop(scope.spawn(move || server(k)))));
    let store = Store::open(folder.path()).unwrap();
    assert_eq!(recorded(&store), (0..200).map(|number| (number, true)).collect::<Vec<_>>());
    store.check().unwrap();
}
