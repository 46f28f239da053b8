//! Positions set up by hand: whatever is asked for, the answer is a position or what would be right.

use std::collections::BTreeSet;
use std::sync::Arc;

use agon_core::arrange::{Draft, Stock};
use agon_core::{Invalid, Rng};

use super::soak;
use crate::sample::InARow;
use crate::{Catalog, GAMES, Table, open, open_at};

/// Every typical variant of every game, at its start.
fn tables() -> impl Iterator<Item = Box<dyn Table>> {
    let variants = GAMES.iter().flat_map(|game| game.variants);
    variants.map(|variant| open(&variant.text.parse().expect("a variant")).expect("a game"))
}

/// The draft's pieces, sorted.
fn sorted(draft: &Draft) -> Vec<(usize, char)> {
    let mut pieces = draft.pieces.clone();
    pieces.sort_unstable();
    pieces
}

/// What is accepted is that position and can be read back; what is refused, is for a reason.
fn judge(table: &dyn Table, draft: &Draft) -> bool {
    let cells = table.scene().cells.len();
    match table.arranged(draft) {
        Ok(text) => {
            let again = open_at::<&str>(table.variant(), Some(&text), &[]).expect("a position");
            assert_eq!(again.position(), text);
            assert_eq!(sorted(&again.draft()), sorted(draft), "{text}");
            assert_eq!(again.arranged(&again.draft()), Ok(text));
            true
        }
        Err(Invalid { expected, cell }) => {
            assert!(!expected.is_empty() && cell.is_none_or(|cell| cell < cells), "{expected}");
            false
        }
    }
}

/// Changes a draft a little, to something that may be wrong.
fn change(draft: &mut Draft, table: &dyn Table, palette: &[Stock], rng: &mut Rng) {
    let cell = rng.below(table.scene().cells.len() as u64) as usize;
    let letter = rng.choose(palette).expect("a piece").letter;
    match rng.below(8) {
        0..3 if !draft.pieces.is_empty() => {
            draft.pieces.swap_remove(rng.below(draft.pieces.len() as u64) as usize);
        }
        0..6 => {
            draft.pieces.retain(|(other, _)| *other != cell);
            draft.pieces.push((cell, letter));
        }
        6 => draft.to_move = rng.below(table.seats() as u64) as usize,
        _ => {
            let dials = table.dials();
            let Some(dial) = rng.choose(&dials) else { return };
            let value = dial.min + rng.below(u64::from(dial.max - dial.min) + 1) as u32;
            draft.counters.insert(dial.name.to_string(), u64::from(value.min(dial.min + 3)));
        }
    }
}

#[test]
fn changed_positions_are_accepted_as_they_are_or_refused_with_a_reason() {
    let mut rng = Rng::new(0xA88A);
    for mut table in tables() {
        let palette = table.palette();
        let (mut accepted, mut refused) = (0, 0);
        for _ in 0..60 * soak() {
            match table.random_move(&mut rng) {
                Some(mv) if rng.below(30) > 0 => drop(table.play(&mv)),
                _ => while table.undo() {},
            }
            let mut draft = table.draft();
            for _ in 0..1 + rng.below(4) {
                change(&mut draft, &*table, &palette, &mut rng);
                *(if judge(&*table, &draft) { &mut accepted } else { &mut refused }) += 1;
            }
        }
        assert!(accepted > 0, "nothing was accepted in {}", table.variant());
        let picky = ["congo", "connect4", "fauhalma"].contains(&table.variant().game());
        assert!(refused > 0 || !picky, "nothing was refused in {}", table.variant());
    }
}

#[test]
fn palettes_and_counters_are_complete_and_have_names() {
    for table in tables() {
        let palette = table.palette();
        let letters: BTreeSet<char> = palette.iter().map(|stock| stock.letter).collect();
        assert_eq!(letters.len(), palette.len(), "two pieces with one letter");
        assert!(palette.iter().all(|stock| stock.owner.index() < table.seats()));
        assert!(palette.iter().all(|stock| !stock.name.is_empty() && stock.height > 0));
        let dials = table.dials();
        let names: BTreeSet<&str> = dials.iter().map(|dial| &*dial.name).collect();
        assert_eq!(names.len(), dials.len(), "two counters with one name");
        assert!(dials.iter().all(|dial| !dial.label.is_empty() && dial.min < dial.max));
        assert_eq!(table.draft().counters.len(), dials.len());
    }
}

/// What is said of a draft that was refused.
fn refusal(table: &dyn Table, change: impl FnOnce(&mut Draft)) -> Invalid {
    let mut draft = table.draft();
    change(&mut draft);
    table.arranged(&draft).expect_err("a draft that is wrong")
}

#[test]
fn hostile_drafts_are_refused_before_anything_is_made_of_them() {
    for table in tables() {
        let (cells, letter) = (table.scene().cells.len(), table.palette()[0].letter);
        for cell in [cells, usize::MAX] {
            let outside = refusal(&*table, |draft| draft.pieces = vec![(cell, letter)]);
            assert_eq!(outside.expected, format!("a cell 0 to {}, not {cell}", cells - 1));
        }
        let many = refusal(&*table, |draft| draft.pieces = vec![(0, letter); 100_000]);
        assert!(many.expected.starts_with(&format!("at most {cells} pieces")), "{many:?}");
        for letter in ['?', '/', '.', '7', ' ', '\0', '\u{1F600}'] {
            let unknown = refusal(&*table, |draft| draft.pieces = vec![(1, letter)]);
            assert!(unknown.expected.starts_with("one of the pieces "), "{unknown:?}");
            assert_eq!(unknown.cell, Some(1));
        }
        let twice = refusal(&*table, |draft| draft.pieces = vec![(0, letter); 2]);
        assert_eq!(twice, Invalid::at(0, "at most one piece on a cell"));
        for seat in [table.seats(), usize::MAX] {
            let nobody = refusal(&*table, |draft| draft.to_move = seat);
            assert!(nobody.expected.starts_with("a player to move, 0 to "), "{nobody:?}");
        }
        let count = |name: &str, value| {
            refusal(&*table, |draft| draft.counters.extend([(name.to_string(), value)]))
        };
        assert!(count("nothing", 0).expected.contains("counters"));
        for dial in table.dials() {
            for value in [u64::from(dial.max) + 1, u64::MAX] {
                let high = count(&dial.name, value);
                let range =
                    format!("a number from {} to {} for {:?}", dial.min, dial.max, dial.label);
                assert_eq!(high.expected, range);
            }
        }
    }
}

/// The cell with this name.
fn cell(table: &dyn Table, name: &str) -> usize {
    let cells = table.scene().cells;
    cells.iter().position(|cell| cell.name == name).unwrap_or_else(|| panic!("no cell {name}"))
}

#[test]
fn a_refusal_says_what_would_be_right_and_where() {
    let cases = [
        ("congo", "b4", Some('L'), "only one lion of white", Some("d1")),
        ("congo", "d7", Some('P'), "", None),
        ("breakthrough:8x8", "a1", Some('p'), "", None),
        ("connect4:7x6", "3,3", Some('X'), "no empty cell below a disc", Some("3,3")),
        ("connect4:7x6", "1,3", Some('X'), "o to move, as X has one disc more", None),
        ("fauhalma:star3", "1,-4", None, "six pegs of A, not 5", None),
        ("fauhalma:star3", "0,0", Some('A'), "no piece here (centre)", Some("0,0")),
        ("wumpus:6,pits=2.2", "2,2", Some('H'), "no piece here (pits)", Some("2,2")),
        ("fenix", "a7", Some('K'), "", None),
        ("fenix", "d4", Some('s'), "at most 21 black pieces, not 22", None),
    ];
    for (variant, name, letter, expected, at) in cases {
        let table = open(&variant.parse().expect("a variant")).expect("a game");
        let (place, at) = (cell(&*table, name), at.map(|name| cell(&*table, name)));
        let mut draft = table.draft();
        draft.pieces.retain(|(cell, _)| *cell != place);
        draft.pieces.extend(letter.map(|letter| (place, letter)));
        let wrong = table.arranged(&draft).err();
        let words = wrong.as_ref().map_or("", |wrong| &wrong.expected);
        assert_eq!(words, expected, "{letter:?} on {name} in {variant}");
        assert_eq!(wrong.and_then(|wrong| wrong.cell), at, "{letter:?} on {name} in {variant}");
    }
}

#[test]
fn what_is_fixed_stays_as_it_is() {
    let variant = "wumpus:3,pits=2.2".parse().expect("a variant");
    let table = open_at::<&str>(&variant, Some("WHM/1OO/whm agent 7"), &[]).expect("a position");
    let mut draft = table.draft();
    draft.pieces.retain(|(_, letter)| !"Mm".contains(*letter));
    draft.counters.clear();
    assert_eq!(table.arranged(&draft).as_deref(), Ok("WH1/1OO/wh1 agent 7"));
}

#[test]
fn a_loaded_game_is_set_up_like_the_others() {
    let catalog = Catalog::built_in().with_loader(Arc::new(InARow)).expect("a catalog");
    let table = catalog.open(&"inarow:3x3,3".parse().expect("a variant")).expect("a game");
    let mut draft = table.draft();
    draft.pieces = vec![(0, 'X'), (4, 'O'), (8, 'X')];
    draft.to_move = 1;
    assert_eq!(table.arranged(&draft).as_deref(), Ok("2X/1O1/X2 O"));
    draft.to_move = 0;
    assert!(table.arranged(&draft).is_err());
}
