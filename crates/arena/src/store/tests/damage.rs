//! Files that are damaged, foreign, too new, too old or read-only.

use std::fs;

use super::*;

/// The error when opening after a change to the file, which must be left as it is.
fn opening_after(change: impl FnOnce(&Path)) -> String {
    let (folder, store) = empty();
    let series = begun(&store);
    for number in 0..100 {
        store.put(series, &game(number)).unwrap();
    }
    drop(store);
    let file = folder.path().join(FILE);
    change(&file);
    let before = fs::read(&file).unwrap();
    let error = message(Store::open(folder.path()).and_then(|store| store.check()));
    assert_eq!(message(Store::open_read_only(folder.path()).and_then(|s| s.check())), error);
    assert!(fs::read(&file).unwrap() == before, "the file was changed");
    error
}

fn sql(file: &Path, sql: &str) {
    Connection::open(file).unwrap().execute_batch(sql).unwrap();
}

#[test]
fn damage_is_reported_and_nothing_overwritten() {
    let error =
        opening_after(|file| fs::write(file, "not a database, but a text".repeat(50)).unwrap());
    assert!(error.contains("the file is damaged (file is not a database)"), "{error}");
    assert!(error.contains(FILE) && error.contains("move it away"), "{error}");
    let error = opening_after(|file| {
        let bytes = fs::read(file).unwrap();
        fs::write(file, &bytes[..bytes.len() / 2]).unwrap();
    });
    assert!(error.contains("the file is damaged"), "{error}");
    let error = opening_after(|file| {
        let mut bytes = fs::read(file).unwrap();
        let end = bytes.len();
        bytes[end - 3000..end - 1000].fill(0xAB);
        fs::write(file, bytes).unwrap();
    });
    assert!(error.contains("the file is damaged"), "{error}");
}

#[test]
fn files_of_others_and_of_the_future_are_left_alone() {
    let error = opening_after(|file| sql(file, "PRAGMA user_version = 1000"));
    assert!(error.contains("version 1000") && error.contains("up to 10"), "{error}");
    let error = opening_after(|file| {
        fs::remove_file(file).unwrap();
        sql(file, "CREATE TABLE addresses (name TEXT)");
    });
    assert!(error.contains("a file of another program"), "{error}");
    let error = opening_after(|file| sql(file, "PRAGMA application_id = 7"));
    assert!(error.contains("a file of another program"), "{error}");
}

#[test]
fn values_that_were_never_written_are_found_when_they_are_read() {
    for change in [
        "points_1 = 200",
        "movers = x'05'",
        "times = x'FF'",
        "depths = x'01'",
        "scores = x'818080800101'",
        "offender = 3",
        "round = -1",
    ] {
        let (folder, store) = empty();
        let series = begun(&store);
        store.put(series, &game(0)).unwrap();
        let change = format!("PRAGMA ignore_check_constraints = TRUE; UPDATE games SET {change}");
        sql(&folder.path().join(FILE), &change);
        let error = message(store.game(GameId { series, number: 0 }));
        assert!(error.contains("the file is damaged"), "{change}: {error}");
        let mut games = store.games(&Filter::of(series)).unwrap();
        assert!(games.next().unwrap().is_err());
        assert!(games.next().is_none(), "after an error there is no more");
    }
}

#[test]
fn folders_and_files_that_cannot_be_used_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let taken = folder.path().join("taken");
    fs::write(&taken, "a file").unwrap();
    let error = message(Store::open(&taken.join("data")));
    assert!(
        error.contains("taken") && error.contains("the data folder cannot be created"),
        "{error}"
    );
    fs::create_dir_all(folder.path().join(FILE)).unwrap();
    let error = message(Store::open(folder.path()));
    assert!(error.contains("the file cannot be opened"), "{error}");
    let error = message(Store::open_read_only(&folder.path().join("elsewhere")));
    assert!(error.contains("no games are stored here yet"), "{error}");
    assert!(!folder.path().join("elsewhere").exists(), "reading creates nothing");
}

#[test]
fn a_store_opened_to_read_is_not_written() {
    let (folder, store) = empty();
    let series = begun(&store);
    store.put(series, &game(0)).unwrap();
    let reader = Store::open_read_only(folder.path()).unwrap();
    assert_eq!(reader.finished_numbers(series).unwrap(), [0]);
    assert!(message(reader.put(series, &game(1))).contains("the file cannot be written"));
    store.put(series, &game(1)).unwrap();
    assert_eq!(reader.finished_numbers(series).unwrap(), [0, 1], "a reader sees what is new");
}

#[cfg(unix)]
#[test]
fn what_may_not_be_written_is_found_before_the_first_game() {
    use std::os::unix::fs::PermissionsExt;
    let allow = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode));
    let folder = tempfile::tempdir().unwrap();
    allow(folder.path(), 0o555).unwrap();
    // Permissions do not stop root.
    if fs::write(folder.path().join("probe"), "").is_ok() {
        return;
    }
    let error = message(Store::open(folder.path()));
    assert!(error.contains("the file cannot be opened"), "{error}");
    allow(folder.path(), 0o755).unwrap();
    let store = Store::open(folder.path()).unwrap();
    let series = begun(&store);
    store.put(series, &game(0)).unwrap();
    drop(store);
    allow(&folder.path().join(FILE), 0o444).unwrap();
    let error = message(Store::open(folder.path()));
    assert!(error.contains("the file cannot be written"), "{error}");
    let reader = Store::open_read_only(folder.path()).unwrap();
    assert_eq!(reader.finished_numbers(series).unwrap(), [0]);
}

#[test]
fn a_full_disk_costs_only_the_game_that_did_not_fit() {
    let (folder, store) = empty();
    let series = begun(&store);
    let pages: u32 =
        store.connection.pragma_query_value(None, "page_count", |row| row.get(0)).unwrap();
    store.connection.pragma_update(None, "max_page_count", pages + 4).unwrap();
    let mut stored = 0;
    let error = loop {
        match store.put(series, &game(stored)) {
            Ok(()) => stored += 1,
            Err(error) => break error.to_string(),
        }
    };
    assert!(error.contains("there is no space left") && error.contains(FILE), "{error}");
    assert!(stored > 10);
    let new_word = StoredGame { reason: "x".repeat(50_000), ..game(stored) };
    assert!(message(store.put(series, &new_word)).contains("no space left"));
    store.connection.pragma_update(None, "max_page_count", 1_000_000).unwrap();
    for game in [new_word.clone(), game(stored + 1)] {
        store.put(series, &game).unwrap();
    }
    drop(store);
    let store = Store::open(folder.path()).unwrap();
    store.check().unwrap();
    assert_eq!(store.finished_numbers(series).unwrap(), (0..stored + 2).collect::<Vec<_>>());
    assert_eq!(store.game(GameId { series, number: stored }).unwrap(), new_word);
}

#[test]
fn old_files_become_new_ones_whole_or_not_at_all() {
    let (folder, store) = empty();
    let series = begun(&store);
    store.put(series, &game(0)).unwrap();
    drop(store);
    let known = schema::MIGRATIONS;
    let broken = "ALTER TABLE series ADD COLUMN note TEXT; SELECT nonsense;";
    let broken = [known, &[broken]].concat();
    assert!(message(Store::open_with(folder.path(), &broken)).contains("nonsense"));
    let version = |store: &Store| -> u32 {
        store.connection.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap()
    };
    let now = known.len() as u32;
    assert_eq!(version(&Store::open(folder.path()).unwrap()), now, "it was rolled back");
    let steps = ["ALTER TABLE series ADD COLUMN note TEXT", "CREATE TABLE notes (x TEXT)"];
    let sound = [known, &steps].concat();
    for _ in 0..2 {
        let store = Store::open_with(folder.path(), &sound).unwrap();
        assert_eq!(version(&store), now + 2);
        assert_eq!(store.game(GameId { series, number: 0 }).unwrap(), game(0));
    }
    let newer = format!("the file has version {}", now + 2);
    assert!(message(Store::open(folder.path())).contains(&newer));
}

#[test]
fn old_files_can_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(FILE);
    fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/version-2/games.db"), &file).unwrap();
    let without_match = "DELETE FROM games WHERE series = 2; \
        DELETE FROM entrants WHERE series = 2; DELETE FROM series WHERE id = 2";
    sql(&file, without_match);
    let store = Store::open_read_only(folder.path()).unwrap();
    assert_eq!(store.finished_numbers(SeriesId(1)).unwrap(), (0..19).collect::<Vec<_>>());
    assert!(store.games(&Filter::default()).unwrap().all(|game| game.unwrap().1.rated));
    assert!(store.games(&Filter::default()).unwrap().all(|game| !game.unwrap().1.disturbed));
    assert_eq!((store.count_sittings().unwrap(), store.pages().unwrap()), (8, None));
    let store = Store::open(folder.path()).unwrap();
    store.check().unwrap();
    assert_eq!(begun(&store), SeriesId(3), "numbers of series are still not reused");
}
