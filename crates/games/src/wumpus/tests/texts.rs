//! What is read and written: variants with their pits, positions, moves, and errors.

use agon_core::Game;

use super::{small, table, table_at};
use crate::battery::plain;
use crate::open;

/// A seed always means the same board: these texts must never change.
#[test]
fn seeds_dig_the_same_pits_for_ever() {
    let rows = |variant: &str| table(variant).position();
    assert_eq!(rows("wumpus:3,seed=7"), "WHM/3/whm adversary 0");
    assert_eq!(rows("wumpus:6"), "WHMWHM/1O4/O5/1O4/4O1/whmwhm adversary 0");
    assert_eq!(rows("wumpus:6,seed=1"), "WHMWHM/5O/1O4/O5/5O/whmwhm adversary 0");
    assert_eq!(rows("wumpus:6,seed=3"), "WHMWHM/3O2/3O2/3O2/5O/whmwhm adversary 0");
    assert_eq!(
        rows("wumpus:6,seed=18446744073709551615"),
        "WHMWHM/2O3/3O2/1O4/O5/whmwhm adversary 0"
    );
    assert_eq!(
        rows("wumpus:9"),
        "WHMWHMWHM/5O1O1/1O3O3/3OO4/O4O3/7OO/1O5O1/O7O/whmwhmwhm adversary 0"
    );
    assert_eq!(
        rows("wumpus:9,seed=3"),
        "WHMWHMWHM/O1O6/3O4O/O7O/3O3O1/3O1O3/O7O/1O2O4/whmwhmwhm adversary 0"
    );
    assert_eq!(
        rows("wumpus:12,seed=1"),
        "WHMWHMWHMWHM/2O2O3O2/8O1OO/2O1O4O2/2O5O1O1/O1O5O3/3O6OO/2OO4O3/O3O3O3/3O3O3O/6O3OO/whmwhmwhmwhm adversary 0"
    );
    assert_eq!(
        rows("wumpus:15,seed=2"),
        "WHMWHMWHMWHMWHM/1O1O4O1O4/4O5O1O1O/O2O5OO4/2O8OOO1/1O6O2O2O/2O2O3O4O/3OO4O3O1/3OO6OO2/2O2O3O4O/1O4O5O1O/3O2O1O4O1/3O3O1OO4/1O1O2O7O/whmwhmwhmwhmwhm adversary 0"
    );
}

#[test]
fn every_inner_row_has_its_pits_and_all_columns_get_some() {
    for size in [3, 6, 9, 12, 15] {
        let mut used = vec![0; size];
        for seed in 0..200 {
            let position = table(&format!("wumpus:{size},seed={seed}")).position();
            let board = plain::read_rows(position.split(' ').next().unwrap());
            for row in &board[1..size - 1] {
                assert_eq!(row.iter().filter(|&&c| c == 'O').count(), size / 3 - 1);
                used.iter_mut().zip(row).for_each(|(used, &c)| *used += u32::from(c == 'O'));
            }
        }
        let mean = 200 * (size - 2) * (size / 3 - 1) / size;
        let fair = (mean * 3 / 4) as u32..=(mean * 5 / 4) as u32;
        assert!(used.iter().all(|count| fair.contains(count)), "{size}: {used:?}");
    }
}

#[test]
fn variants_have_one_canonical_text() {
    for (text, canonical) in [
        ("wumpus", "wumpus:6"),
        ("wumpus:6,seed=0", "wumpus:6"),
        ("wumpus:seed=3,9", "wumpus:9,seed=3"),
        ("wumpus:15,seed=007", "wumpus:15,seed=7"),
        ("wumpus:6,pits=5.3+2.2+2.1", "wumpus:6,pits=2.1+2.2+5.3"),
        ("wumpus:pits=11.12,12", "wumpus:12,pits=11.12"),
        ("wumpus:6,pits=", "wumpus:6,pits=none"),
        ("wumpus:6,pits=none", "wumpus:6,pits=none"),
    ] {
        assert_eq!(table(text).variant().to_string(), canonical);
        assert_eq!(table(canonical).variant().to_string(), canonical);
        assert_eq!(table(canonical).position(), table(text).position());
    }
    assert_eq!(table("wumpus:6,pits=none").position(), "WHMWHM/6/6/6/6/whmwhm adversary 0");
}

#[test]
fn positions_are_read_in_other_spellings() {
    let read = |text: &str| table_at("wumpus:3", text).position();
    assert_eq!(read("W.M/O../whm agent"), "W1M/O2/whm agent 0");
    assert_eq!(read("WHM/3/2O  adversary   12 "), "WHM/3/2O adversary 12");
    assert_eq!(small("3/3/3 agent").status(), small("OOO/3/3 adversary 100").status());
}

fn variant_error(text: &str) -> String {
    open(&text.parse().unwrap()).err().unwrap_or_else(|| panic!("{text} was read")).to_string()
}

#[test]
fn bad_variants_are_explained() {
    assert_eq!(
        variant_error("wumpus:7"),
        "wumpus: bad variant: expected a size 3, 6, 9, 12 or 15, and `,seed=N` or `,pits=…` for \
         the pits: wumpus:6,seed=3 or wumpus:6,pits=2.2+3.5+4.1+5.3\n  wumpus:7\n         ^"
    );
    assert_eq!(
        variant_error("wumpus:6,pits=2.2+6.1"),
        "wumpus: bad variant: expected a pit as row.column, row 2 to 5 and column 1 to 6, or \
         `none`\n  wumpus:6,pits=2.2+6.1\n                    ^^^"
    );
    assert_eq!(
        variant_error("wumpus:6,pits=2.2+3.1+2.2"),
        "wumpus: bad variant: expected every pit only once\n  wumpus:6,pits=2.2+3.1+2.2\n                        ^^^"
    );
    for (text, part) in [
        ("wumpus:6,", "a size 3, 6"),
        ("wumpus:+6", "a size 3, 6"),
        ("wumpus:6x6", "a size 3, 6"),
        ("wumpus:6,seed=", "seed=N with a number"),
        ("wumpus:6,seed=-1", "seed=N with a number"),
        ("wumpus:6,seed=18446744073709551616", "seed=N with a number"),
        ("wumpus:6,seed=1,pits=none", "either seed=N or pits=…"),
        ("wumpus:6,pits=none,seed=1", "either seed=N or pits=…"),
        ("wumpus:6,seed=1,seed=1", "only once"),
        ("wumpus:6,9", "only once"),
        ("wumpus:6,wells=3", "seed=N or pits="),
        ("wumpus:6,pits=2.2+", "a pit as row.column"),
        ("wumpus:6,pits=1.2", "a pit as row.column"),
        ("wumpus:6,pits=2.0", "a pit as row.column"),
        ("wumpus:6,pits=2.7", "a pit as row.column"),
        ("wumpus:6,pits=2.99999999999999999999", "a pit as row.column"),
        ("wumpus:6,pits=2.2.2", "a pit as row.column"),
        ("wumpus:6,pits=2.ü", "a pit as row.column"),
        ("wumpus:3,pits=2.4", "row 2 to 2 and column 1 to 3"),
    ] {
        assert!(variant_error(text).contains(part), "{}", variant_error(text));
    }
}

#[test]
fn bad_positions_are_explained() {
    let mut table = table("wumpus:3");
    let mut error = |text: &str| table.set_position(text).unwrap_err().to_string();
    assert_eq!(
        error("WHM/2x/whm agent"),
        "wumpus: bad position: expected one of W H M w h m O or a number of empty squares\n  \
         WHM/2x/whm agent\n       ^"
    );
    assert_eq!(
        error("WHM/3/whm Agent"),
        "wumpus: bad position: expected the side to move, adversary or agent\n  \
         WHM/3/whm Agent\n            ^^^^^"
    );
    for (text, part) in [
        ("", "3 squares in row 1 from the top, not 0"),
        ("WHMWHM/6/6/6/6/whmwhm agent", "'/' after the 3 squares of row 1"),
        ("WHM/3/whm", "a blank and then the side to move"),
        ("WHM/3/whm ", "the side to move"),
        ("WHM/3/whm agent x", "the plies without a loss, 0 to 65535"),
        ("WHM/3/whm agent 65536", "the plies without a loss, 0 to 65535"),
        ("WHM/3/whm agent 99999999999999999999", "the plies without a loss"),
        ("WHM/3/whm agent 0 0", "nothing more"),
        ("WHM/3/whm agent0", "the side to move"),
    ] {
        assert!(error(text).contains(part), "{}", error(text));
    }
}

#[test]
fn bad_moves_are_explained() {
    let mut table = table("wumpus:3");
    let mut error = |text: &str| table.play(text).unwrap_err().to_string();
    assert_eq!(
        error("3,2-1,2"),
        "wumpus: bad move: expected a legal move: 3,1-2,1 3,1-2,2 3,2-2,1 3,2-2,2 3,2-2,3 \
         3,3-2,2 3,3-2,3\n  3,2-1,2\n  ^^^^^^^"
    );
    assert_eq!(
        error("3,2-4,2"),
        "wumpus: bad move: expected a cell 1,1 to 3,3 (row,column)\n  3,2-4,2\n      ^"
    );
    for (text, part) in [
        ("", "a cell 1,1 to 3,3"),
        ("0,1-1,1", "a cell 1,1 to 3,3"),
        ("99999999999999999999,1-1,1", "a cell 1,1 to 3,3"),
        ("3", "',' and then a column 1 to 3"),
        ("3.2-2,1", "',' and then a column 1 to 3"),
        ("3,2", "'-' and then the cell to go to"),
        ("3,2-2,1 x", "nothing more"),
        ("2,1-3,2", "a legal move"),
        ("3,1-3,1", "a legal move"),
    ] {
        assert!(error(text).contains(part), "{}", error(text));
    }
    let mut over = table_at("wumpus:3", "WHM/3/whm agent 100");
    assert!(over.play("1,1-2,1").unwrap_err().to_string().contains("no move: the game is over"));
}
