//! Intact files are used, all others are rejected. The tables here only have the right length.

use std::fs;
use std::ops::ControlFlow::{Break, Continue};

use super::*;

/// Any table will do; this is the smallest of the first game that has some.
fn subject() -> (&'static str, &'static TableInfo) {
    let (game, tables) = agon_games::games_with_tables().next().unwrap();
    (game.name, tables.iter().min_by_key(|table| (table.entries)()).unwrap())
}

/// Opens a file after a change to its bytes.
fn after(change: impl FnOnce(&mut Vec<u8>)) -> Result<Vec<u8>, String> {
    let folder = tempfile::tempdir().unwrap();
    let store = TableFolder::new(folder.path());
    let (game, info) = subject();
    store.write(&TableId::of(game, info), &pattern()).unwrap();
    let mut bytes = fs::read(store.file(&TableId::of(game, info))).unwrap();
    change(&mut bytes);
    fs::write(store.file(&TableId::of(game, info)), bytes).unwrap();
    store
        .open(&TableId::of(game, info))
        .map(|table| table.to_vec())
        .map_err(|error| error.to_string())
}

fn pattern() -> Vec<u8> {
    (0..(subject().1.entries)()).map(|rank| (rank % 21) as u8).collect()
}

#[test]
fn what_is_written_is_read() {
    assert!(after(|_| {}) == Ok(pattern()));
}

#[test]
fn every_kind_of_damage_is_found() {
    let because = |reason: &str| Err(format!("damaged: {reason}"));
    assert!(after(|bytes| bytes.truncate(40)) == because("it is too short"));
    assert!(after(Vec::clear) == because("it is too short"));
    assert!(after(|bytes| bytes[0] ^= 1) == because("it is not a table of this kind"));
    for byte in 8..HEADER {
        assert!(after(|bytes| bytes[byte] ^= 4) == because("its header has changed"));
    }
    assert!(after(|bytes| bytes.truncate(1_000_000)) == because("it has the wrong length"));
    assert!(after(|bytes| bytes.push(0)) == because("it has the wrong length"));
    for byte in [HEADER, HEADER + 6_000_001, HEADER + (subject().1.entries)() - 1] {
        assert!(after(|bytes| bytes[byte] ^= 1) == because("its contents have changed"));
    }
}

#[test]
fn another_version_or_board_is_not_taken_for_this_one() {
    let resum = |bytes: &mut [u8]| {
        let sum = crc32fast::hash(&bytes[..SUMMED]);
        bytes[SUMMED..HEADER].copy_from_slice(&sum.to_le_bytes());
    };
    let newer = after(|bytes| {
        bytes[8] = 2;
        resum(bytes);
    });
    assert!(newer == Err("damaged: it is of another version".to_string()));
    let other = after(|bytes| {
        bytes[12..16].copy_from_slice(b"star");
        resum(bytes);
    });
    assert!(other == Err("damaged: it is another table".to_string()));
}

#[test]
fn what_is_not_there_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let store = TableFolder::new(folder.path());
    let (game, info) = subject();
    assert!(matches!(store.open(&TableId::of(game, info)), Err(Unusable::Missing)));
    assert!(store.find(game, info).is_none());
}

#[test]
fn a_stopped_build_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let store = TableFolder::new(folder.path());
    let mut told = 0;
    let built = store.build(subject().0, subject().1, 1, &mut |_| {
        told += 1;
        if told == 1000 { Break(()) } else { Continue(()) }
    });
    assert!(matches!(built, Err(NotBuilt::Stopped)));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_catalog_finds_intact_tables_when_they_are_needed_and_keeps_them() {
    let folder = tempfile::tempdir().unwrap();
    let store = TableFolder::new(folder.path());
    let (game, tables) = agon_games::games_with_tables().next().unwrap();
    let number = |info: &TableInfo| tables.iter().position(|other| other.name == info.name);
    let (_, info) = subject();
    store.write(&TableId::of(game.name, info), &pattern()).unwrap();
    let catalog = agon_games::Catalog::built_in().with_tables(Arc::new(store.clone()));
    for variant in game.variants {
        let variant = variant.text.parse().unwrap();
        let found = catalog.tables(&variant);
        let table = found.get(number(info).unwrap()).map(|bytes| (**bytes).as_ref() == pattern());
        assert_eq!(table, (info.serves)(&variant).then_some(true), "{variant}");
    }
    fs::remove_file(store.file(&TableId::of(game.name, info))).unwrap();
    let served = game.variants.iter().map(|variant| variant.text.parse().unwrap());
    let served: Vec<agon_core::Variant> = served.filter(|variant| (info.serves)(variant)).collect();
    assert!(catalog.tables(&served[0]).get(number(info).unwrap()).is_some());
    let anew = agon_games::Catalog::built_in().with_tables(Arc::new(store));
    assert!(anew.tables(&served[0]).get(number(info).unwrap()).is_none());
}
