//! Endgame tables: layouts, retreats, known numbers, and what is part of the program.

use std::ops::ControlFlow::{Break, Continue};
use std::path::Path;
use std::sync::Arc;

use agon_core::{Notation, Rng, TableBytes, Tables};

use super::*;
use crate::congo::Congo;
use crate::endgames_of;
use crate::fenix::Fenix;

/// Builds tables with everything they need, and keeps them.
struct Library {
    family: &'static dyn EndgameFamily,
    tables: Vec<Option<TableBytes>>,
}

impl Library {
    fn of(game: &str) -> Library {
        let family = endgames_of(game).unwrap();
        Library { family, tables: vec![None; family.count()] }
    }

    fn tables(&self) -> Tables {
        Tables::default().with_endgames(self.tables.clone(), MOST_MEN as u32)
    }

    fn build_with(&self, number: usize, threads: usize) -> Result<Vec<u8>, NotBuilt> {
        self.family.build(number, &self.tables(), threads, &mut |_| Continue(()))
    }

    fn build(&mut self, name: &str) -> usize {
        let number = self.family.read(name).unwrap();
        for needed in self.family.needs(number).into_iter().chain([number]) {
            if self.tables[needed].is_none() {
                let table = self.build_with(needed, 2).unwrap();
                self.tables[needed] = Some(Arc::new(table));
            }
        }
        number
    }

    fn table(&self, number: usize) -> Vec<u8> {
        let table = self.tables[number].clone().unwrap();
        (*table).as_ref().to_vec()
    }

    fn mistake(&self, number: usize) -> Option<Mistake> {
        self.family.verify(number, &self.tables(), 2, &mut |_| Continue(())).unwrap()
    }

    /// Positions, wins, draws and losses with this side to move, and the longest win.
    fn stats(&self, number: usize, side: usize) -> (u64, u64, u64, Option<u32>) {
        let side = &self.family.stats(number, &self.table(number)).sides[side];
        assert_eq!(side.positions, side.wins + side.draws + side.losses);
        (side.wins, side.draws, side.losses, side.longest_win.as_ref().map(|win| win.plies))
    }
}

/// Some positions of a material, spread over its whole table.
fn samples<G: Tabulated>(name: &str, count: usize) -> Vec<(Men, G)> {
    let layouts = G::layouts();
    let number = layouts.number(&Material::read(name, &G::KINDS).unwrap()).unwrap();
    let mut rng = Rng::new(number as u64);
    let entries = layouts.layouts[number].entries() as u64;
    let mut found = Vec::new();
    while found.len() < count {
        let index = rng.below(entries) as usize;
        if let Some(men) = layouts.men(number, index) {
            assert_eq!(layouts.find(&men), Some((number, index)));
            layouts.positions(number, index, |image| {
                assert_eq!(layouts.find(image), Some((number, index)), "{image:?}");
            });
            let position = G::compose(&men);
            assert!(position.status().to_move() == Some(men.turn), "{men:?}");
            found.push((men, position));
        }
    }
    found
}

/// Quiet moves lead to where they could have come from, and the reverse.
fn retreats_are_quiet_moves_backwards<G: Tabulated + Notation>(name: &str) {
    let material = |men: &Men| G::layouts().find(men).map(|(number, _)| number);
    let quiet_successors = |position: &G| {
        let own = material(&position.men().unwrap());
        let children = position.moves().into_iter().map(|mv| {
            let mut child = *position;
            child.play(mv);
            child
        });
        let is_quiet = |child: &G| child.men().is_some_and(|men| material(&men) == own);
        children.filter(is_quiet).map(|child| child.men().unwrap()).collect::<Vec<_>>()
    };
    let same = |one: &Men, other: &Men| {
        one.turn == other.turn
            && one.royals == other.royals
            && one.others().iter().all(|man| other.others().contains(man))
    };
    for (men, position) in samples::<G>(name, 400) {
        for child in quiet_successors(&position) {
            let mut back = false;
            G::compose(&child).retreats(|before| back |= same(&before.men().unwrap(), &men));
            assert!(back, "{} is not reached from {}", position.position_text(), name);
        }
        position.retreats(|before| {
            let before = G::compose(&before.men().unwrap());
            let leads_here = quiet_successors(&before).iter().any(|child| same(child, &men));
            assert!(leads_here, "{} does not lead back", before.position_text());
        });
    }
}

#[test]
fn quiet_moves_can_be_taken_back() {
    for name in ["LC-L", "LG-L", "LE-LS", "LMZ-L", "LP-LP", "LPP-L", "LS-LP", "LC-LC", "LMP-LZ"] {
        retreats_are_quiet_moves_backwards::<Congo>(name);
    }
    for name in ["K-K", "KG-K", "KS-K", "KGS-K", "KG-KG", "KG-KS", "KSS-K", "KGG-KS"] {
        retreats_are_quiet_moves_backwards::<Fenix>(name);
    }
}

#[test]
fn every_entry_of_a_table_belongs_to_one_position() {
    for game in ["congo", "fenix"] {
        let family = endgames_of(game).unwrap();
        for number in (0..family.count()).filter(|&number| family.men(number) <= 3) {
            assert_eq!(family.read(&family.name(number)), Some(number));
        }
    }
    let layouts = Congo::layouts();
    for (number, layout) in layouts.layouts.iter().enumerate().take(7) {
        for index in 0..layout.entries() {
            let found = layouts.men(number, index).map(|men| layouts.find(&men));
            assert!(found.is_none_or(|found| found == Some((number, index))));
        }
    }
}

#[test]
fn materials_are_read_in_either_order_and_nothing_else_is() {
    let congo = endgames_of("congo").unwrap();
    assert_eq!(congo.name(congo.read("LE-LG").unwrap()), "LG-LE");
    assert_eq!(congo.read("lg-le"), congo.read("LE-LG"));
    assert_eq!(congo.name(congo.read("L-LZP").unwrap()), "LZP-L");
    for bad in ["", "-", "L", "L-L", "LG", "LX-L", "G-L", "LGGG-LG", "LG-L-L", "LGGGG-L", "KG-K"] {
        assert_eq!(congo.read(bad), None, "{bad}");
    }
    assert_eq!(congo.read(&format!("L{}-L", "G".repeat(256))), None, "as many as none in a byte");
    let men = |count| (0..congo.count()).filter(|&n| congo.men(n) == count).count();
    assert_eq!((men(3), men(4), men(5)), (7, 56, 280));
    let needs = |name| {
        let needs = congo.needs(congo.read(name).unwrap());
        needs.into_iter().map(|number| congo.name(number)).collect::<Vec<_>>()
    };
    assert_eq!(needs("LP-L"), ["LS-L"]);
    assert_eq!(needs("LG-LP"), ["LG-L", "LS-L", "LP-L", "LG-LS"]);
    let fenix = endgames_of("fenix").unwrap();
    let men = |count| (0..fenix.count()).filter(|&n| fenix.men(n) == count).count();
    assert_eq!((men(2), men(3), men(4)), (1, 2, 6));
}

/// The numbers in the rules of the courses' games.
#[test]
fn the_values_of_small_congo_endgames_are_known() {
    let mut congo = Library::of("congo");
    for (name, expected) in [
        ("LG-L", (3796, 11, 0, Some(11))),
        ("LZ-L", (3760, 47, 0, Some(17))),
        ("LP-L", (3252, 15, 0, Some(31))),
        ("LC-LZ", (131_247, 43_045, 830, Some(43))),
    ] {
        let number = congo.build(name);
        assert_eq!(congo.stats(number, 0), expected, "{name}");
        assert_eq!(congo.mistake(number), None, "{name}");
    }
    // Here the elephant is the first side.
    let number = congo.build("LE-LG");
    assert_eq!(congo.stats(number, 1), (97_173, 75_082, 2867, Some(19)));
}

#[test]
fn the_values_of_small_fenix_endgames_are_known() {
    let mut fenix = Library::of("fenix");
    for (name, expected) in [
        ("K-K", (284, 2796, 0, Some(1))),
        ("KS-K", (24_246, 142_074, 0, Some(5))),
        ("KG-K", (166_080, 240, 0, Some(33))),
    ] {
        let number = fenix.build(name);
        assert_eq!(fenix.stats(number, 0), expected, "{name}");
        assert_eq!(fenix.mistake(number), None, "{name}");
    }
}

/// The soak checks all tables with up to four men.
#[test]
fn every_position_of_a_table_agrees_with_its_successors() {
    for (game, few) in [("congo", ["LS-LP", "LPP-L"]), ("fenix", ["KG-K", "KS-KS"])] {
        let mut library = Library::of(game);
        let family = library.family;
        let small = (0..family.count()).filter(|&number| family.men(number) <= 4);
        let names = match std::env::var_os("AGON_SOAK") {
            Some(_) => small.map(|number| family.name(number)).collect(),
            None => few.map(str::to_string).to_vec(),
        };
        for name in names {
            let number = library.build(&name);
            assert_eq!(library.mistake(number), None, "{name}");
        }
    }
}

#[test]
fn a_table_does_not_depend_on_the_number_of_threads() {
    let mut congo = Library::of("congo");
    let number = congo.build("LM-LP");
    assert!(congo.table(number) == congo.build_with(number, 1).unwrap());
    assert!(congo.table(number) == congo.build_with(number, 5).unwrap());
}

#[test]
fn every_wrong_byte_is_found() {
    let mut congo = Library::of("congo");
    let number = congo.build("LE-L");
    let right = congo.table(number);
    let mut rng = Rng::new(3);
    for _ in 0..60 {
        let mut wrong = right.clone();
        let at = rng.below(wrong.len() as u64) as usize;
        wrong[at] = wrong[at].wrapping_add(1 + rng.below(255) as u8);
        congo.tables[number] = Some(Arc::new(wrong));
        assert!(congo.mistake(number).is_some(), "byte {at}");
    }
}

#[test]
fn a_build_can_be_stopped_and_needs_the_smaller_tables() {
    let congo = Library::of("congo");
    let number = congo.family.read("LG-LE").unwrap();
    assert_eq!(congo.build_with(number, 2), Err(NotBuilt::Incomplete));
    let number = congo.family.read("LG-L").unwrap();
    let stopped = congo.family.build(number, &Tables::default(), 2, &mut |_| Break(()));
    assert_eq!(stopped, Err(NotBuilt::Stopped));
}

/// The smallest tables are part of the program. `AGON_BLESS=1 cargo test` writes them.
#[test]
fn the_tables_in_the_program_are_those_that_are_built() {
    for game in ["congo", "fenix"] {
        let mut library = Library::of(game);
        let small = |number: &usize| library.family.men(*number) <= 3;
        let names: Vec<String> = (0..library.family.count())
            .filter(small)
            .map(|number| library.family.name(number))
            .collect();
        let numbers: Vec<usize> = names.iter().map(|name| library.build(name)).collect();
        let built = numbers.iter().map(|&number| library.table(number)).collect::<Vec<_>>();
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("src/{game}/endgames.bin"));
        if std::env::var_os("AGON_BLESS").is_some() {
            std::fs::write(&file, built.concat()).unwrap();
            continue;
        }
        assert!(library.family.embedded() == built.concat(), "{game}");
        for (&number, table) in numbers.iter().zip(&built) {
            assert!(library.family.embedded_table(number) == Some(&table[..]));
        }
        assert_eq!(library.family.embedded_table(numbers.len()), None);
    }
}
