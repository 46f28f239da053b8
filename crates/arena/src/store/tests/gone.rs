//! Files that are deleted or replaced while they are in use.

use std::fs;

use super::*;

/// The error of every kind of write after a change to the file.
fn refusals_after(change: impl Fn(&Path)) -> Vec<String> {
    let (folder, store) = empty();
    let series = begun(&store);
    store.put(series, &game(0)).unwrap();
    change(&folder.path().join(FILE));
    let entrants = new_series(SeriesKind::Match, None);
    vec![
        // With known words it is one statement, with new ones several.
        message(store.put(series, &game(1))),
        message(store.put(series, &StoredGame { variant: "congo".into(), ..game(2) })),
        message(store.begin_series(&entrants)),
        message(store.finish_series(series)),
        message(store.change_sittings(&[SittingChange::Delete("x".into())])),
        message(store.delete_from(series, 0)),
    ]
}

#[test]
fn a_file_that_was_deleted_is_noticed_by_whoever_writes() {
    let delete = |file: &Path| fs::remove_file(file).unwrap();
    for error in refusals_after(delete) {
        assert!(error.contains("deleted or replaced while it was in use"), "{error}");
        assert!(error.contains(FILE), "{error}");
    }
}

#[test]
fn a_file_that_was_replaced_is_noticed_and_the_new_one_left_alone() {
    let replace = |file: &Path| {
        let copy = file.with_extension("copy");
        fs::copy(file, &copy).unwrap();
        fs::rename(copy, file).unwrap();
    };
    for error in refusals_after(replace) {
        assert!(error.contains("The file that is there now was left alone"), "{error}");
    }
}

#[test]
fn who_moves_the_file_and_puts_it_back_has_done_no_harm() {
    let (folder, store) = empty();
    let series = begun(&store);
    let (file, away) = (folder.path().join(FILE), folder.path().join("away"));
    fs::rename(&file, &away).unwrap();
    assert!(store.put(series, &game(0)).is_err());
    fs::rename(&away, &file).unwrap();
    store.put(series, &game(1)).unwrap();
    assert_eq!(Store::open(folder.path()).unwrap().finished_numbers(series).unwrap(), [0, 1]);
}
