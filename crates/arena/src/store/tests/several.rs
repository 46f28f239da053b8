//! Several processes and one store.

use std::thread;

use super::*;

#[test]
fn several_connections_write_and_read_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let writer = |writer: u64| {
        let store = Store::open(path).unwrap();
        let series = begun(&store);
        for number in 0..300 {
            // Each thread adds new words, some of them the same.
            let reason = format!("reason {}", (number + writer) / 10);
            store.put(series, &StoredGame { reason, ..game(number) }).unwrap();
            if number % 50 == 0 {
                assert_eq!(store.games(&Filter::of(series)).unwrap().count() as u64, number + 1);
            }
        }
        series
    };
    let series: Vec<SeriesId> = thread::scope(|scope| {
        let writers: Vec<_> = (0..4).map(|k| scope.spawn(move || writer(k))).collect();
        writers.into_iter().map(|writer| writer.join().unwrap()).collect()
    });
    let store = Store::open(path).unwrap();
    store.check().unwrap();
    for series in series {
        assert_eq!(store.finished_numbers(series).unwrap(), (0..300).collect::<Vec<_>>());
    }
}

#[test]
fn one_at_a_time_plays_a_series() {
    let (folder, store) = empty();
    let (first, second) = (begun(&store), begun(&store));
    let lock = store.lock_series(first).unwrap();
    let other = Store::open(folder.path()).unwrap();
    let error = message(other.lock_series(first));
    let process = std::process::id();
    let file = lock.file().display();
    let expected =
        format!("series 1 is already being played, by process {process}; it holds {file}");
    assert!(error.ends_with(&expected), "{error}");
    assert!(message(other.delete_series(first)).ends_with(&expected));
    drop(other.lock_series(second).unwrap());
    let file = lock.file().to_path_buf();
    drop(lock);
    other.lock_series(first).unwrap();
    other.delete_series(first).unwrap();
    assert!(!file.exists(), "a deleted series leaves no lock file");
    assert!(message(other.lock_series(first)).contains("there is no series 1"));
}
