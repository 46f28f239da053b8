//! Noise instead of tables: in files, and in what they hold. Much of it has the right checksums, so
//! that the inside is reached.

use std::fs;
use std::ops::ControlFlow::Continue;

use agon_core::{Rng, Tables, Variant};
use agon_games::endgame::EndgameFamily;
use agon_games::{Playable, Visitor, endgames_by_game, with_game};

use super::*;
use crate::noise::{Texts, damaged_bytes, soak};

/// A table as a file.
fn file(info: &TableId<'_>, table: &[u8]) -> Vec<u8> {
    [&header(info, table)[..], table].concat()
}

/// States the right checksums, of the table or only of the header.
fn resum(file: &mut [u8], of_table: bool) {
    let Some((header, table)) = file.split_at_mut_checked(HEADER) else { return };
    if of_table {
        let sum = crc32fast::hash(table).to_le_bytes();
        header[CHECKSUM..CHECKSUM + sum.len()].copy_from_slice(&sum);
    }
    let own = crc32fast::hash(&header[..SUMMED]).to_le_bytes();
    header[SUMMED..].copy_from_slice(&own);
}

fn spoilt(corpus: &[Vec<u8>], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = damaged_bytes(corpus, rng);
    if rng.below(4) > 0 {
        resum(&mut bytes, rng.below(4) > 0);
    }
    bytes
}

#[test]
fn no_bytes_break_the_check_of_a_file() {
    let mut rng = Rng::new(1);
    let id = |name, kind, entries| TableId { game: "g", name, kind, entries };
    let tables = [
        id("rhombus", "race", 40),
        id("star", "race", 40),
        id("LG-LE", "endgame", 40),
        id("a name that is too long", "race", 0),
        id("", "", 300),
    ];
    let bytes = |rng: &mut Rng, count| (0..count).map(|_| rng.below(256) as u8).collect();
    let corpus = tables.each_ref().map(|table| {
        let bytes: Vec<u8> = bytes(&mut rng, table.entries);
        file(table, &bytes)
    });
    let mut accepted = 0;
    for _ in 0..20_000 * soak() {
        let bytes = spoilt(&corpus, &mut rng);
        for table in &tables {
            if check(&bytes, table).is_ok() {
                accepted += 1;
                let (_, inside) = bytes.split_at(HEADER);
                assert_eq!(inside.len(), table.entries);
                assert!(bytes == file(table, inside), "{bytes:?}");
            }
        }
    }
    assert!(accepted > 500, "too little of this noise is a table: {accepted}");
}

/// The smallest endgame table of a game, and its number.
fn smallest(family: &dyn EndgameFamily) -> usize {
    (0..family.count()).min_by_key(|&number| family.entries(number)).unwrap()
}

#[test]
fn no_file_breaks_a_folder() {
    let (folder, mut rng) = (tempfile::tempdir().unwrap(), Rng::new(2));
    let store = TableFolder::new(folder.path());
    fs::create_dir_all(&store.folder).unwrap();
    for (game, family) in endgames_by_game() {
        let number = smallest(family);
        let whole = family.embedded_table(number).unwrap();
        let (name, entries) = (family.name(number), family.entries(number));
        let id = TableId { game: game.name, name: &name, kind: "endgame", entries };
        let corpus = [file(&id, whole), Vec::new(), b"AGON".to_vec()];
        for _ in 0..250 * soak() {
            fs::write(store.file(&id), spoilt(&corpus, &mut rng)).unwrap();
            let opened = store.open_endgame(game.name, family, number);
            assert!(opened.as_ref().is_ok_and(|table| table.len() == entries) || opened.is_err());
            store.endgame_checksum(game.name, family, number);
            assert_eq!(store.endgame_files(game.name, family), [number]);
            let lazy = endgames::Lazy::new(&store, game.name, family, number);
            assert_eq!(lazy.as_ref().len(), opened.map_or(0, |table| table.len()));
        }
    }
}

#[test]
fn no_text_breaks_the_names_of_endgames() {
    for (game, family) in endgames_by_game() {
        let names = (0..family.count()).map(|number| family.name(number)).collect();
        let mut texts = Texts::new(names, &["L", "K", "-L", "G", "lg", "-"], 3);
        let mut read = 0;
        for _ in 0..10_000 * soak() {
            let text = texts.damaged();
            if let Some(number) = family.read(&text) {
                read += 1;
                assert_eq!(family.read(&family.name(number)), Some(number), "{text}");
            }
        }
        assert!(read > 100, "{}: too little of this noise is a material: {read}", game.name);
    }
}

/// Tables of a game with noise in them, some too short.
fn noisy(family: &dyn EndgameFamily, rng: &mut Rng) -> Tables {
    let small = |&number: &usize| family.embedded_table(number).is_some();
    let tables = (0..family.count()).map(|number| {
        let length = family.entries(number) / (1 + rng.below(2) as usize);
        let bytes = (0..length).map(|_| rng.below(256) as u8);
        Some(number).filter(small).map(|_| Arc::new(bytes.collect::<Vec<u8>>()) as TableBytes)
    });
    Tables::default().with_endgames(tables.collect::<Vec<_>>(), 3)
}

/// Looks up these positions and others like them, and those after some moves.
struct LookUp<'a> {
    texts: Texts,
    tables: &'a Tables,
    inputs: usize,
}

impl Visitor for LookUp<'_> {
    type Output = usize;

    fn visit<G: Playable>(mut self, _: Variant, start: G) -> usize {
        let mut found = 0;
        for input in 0..self.inputs {
            let text = match input % 2 {
                0 => self.texts.damaged(),
                _ => self.texts.intact().to_string(),
            };
            let Ok(mut position) = start.read_position(&text) else { continue };
            for _ in 0..8 {
                found += usize::from(position.tabled(self.tables).is_some());
                let Some(&mv) = self.texts.rng().choose(&position.moves()) else { break };
                position.play(mv);
            }
        }
        found
    }
}

#[test]
fn whatever_endgame_tables_hold_they_can_be_asked() {
    for (seed, (game, family)) in (1..).zip(endgames_by_game()) {
        let tables = noisy(family, &mut Rng::new(seed));
        let embedded = (0..family.count()).filter_map(|n| Some((n, family.embedded_table(n)?)));
        let mut positions = Vec::new();
        for (number, whole) in embedded {
            for side in family.stats(number, whole).sides {
                let extremes = [side.longest_win, side.longest_loss].into_iter().flatten();
                positions.extend(extremes.map(|extreme| extreme.position));
            }
            let noise = tables.endgame(number).unwrap();
            family.stats(number, noise);
            family.verify(number, &tables, 2, &mut |_| Continue(())).unwrap();
        }
        let texts = Texts::new(positions, &["1", "2", "3", "/", " w", " b"], seed);
        let look_up = LookUp { texts, tables: &tables, inputs: 10_000 * soak() };
        let found = with_game(&game.variants[0].text.parse().unwrap(), look_up).unwrap();
        assert!(found > 100, "{}: too few of these positions are in tables: {found}", game.name);
    }
}

/// Asks a race table about games in which everybody hurries, and counts what it advises.
struct Race<'a>(&'a Tables, Rng);

impl Visitor for Race<'_> {
    type Output = usize;

    fn visit<G: Playable>(self, variant: Variant, start: G) -> usize {
        let Race(tables, mut rng) = self;
        let evaluator = start.evaluator(G::evaluation("race").unwrap(), tables);
        let mut runs = 0;
        for _ in 0..20 * soak() {
            let mut position = start.clone();
            for _ in 0..200 {
                let moves = position.moves();
                let some: Vec<G::Move> =
                    (0..4).filter_map(|_| rng.choose(&moves).copied()).collect();
                let Some(&fast) = some.iter().max_by_key(|mv| position.bias(**mv)) else { break };
                let run = position.race_move(tables);
                assert!(run.is_none_or(|run| moves.contains(&run)), "{variant}");
                runs += usize::from(run.is_some());
                position.judge_all(&evaluator);
                position.play(run.unwrap_or(fast));
            }
        }
        runs
    }
}

/// The smallest race table with noise in it; the others are missing.
#[test]
fn whatever_a_race_table_holds_it_can_be_asked() {
    let mut rng = Rng::new(4);
    let (game, infos) = agon_games::games_with_tables().next().unwrap();
    let smallest = infos.iter().min_by_key(|info| (info.entries)()).unwrap();
    let bytes: Vec<u8> = (0..(smallest.entries)()).map(|_| rng.below(20) as u8).collect();
    let bytes: TableBytes = Arc::new(bytes);
    let tables =
        Tables::new(infos.iter().map(|info| (info.name == smallest.name).then(|| bytes.clone())));
    let variants = game.variants.iter().map(|variant| variant.text.parse().unwrap());
    let mut runs = 0;
    for variant in variants.filter(|variant| (smallest.serves)(variant)) {
        runs += with_game(&variant, Race(&tables, rng.clone())).unwrap();
    }
    assert!(runs > 0, "nobody ever ran home by this table");
}
