//! What an agent that plays Connect Four must know and see.

use crate::{Scenario, Task};

const USUAL: &[&str] = &["connect4:7x6"];
const SMALL: &[&str] = &["connect4:5x4"];

pub(super) const SCENARIOS: &[Scenario] = &[
    Scenario {
        name: "a full column",
        about: "No disc fits into the middle column any more.",
        variants: USUAL,
        position: None,
        moves: &["4", "4", "4", "4", "4", "4"],
        legal: 6,
        task: Task::Legal { illegal: &["4"] },
    },
    Scenario {
        name: "a win in one",
        about: "Two discs, a gap and a third: the gap wins.",
        variants: USUAL,
        position: Some("7/7/7/7/O5O/XX1X2O x"),
        moves: &[],
        legal: 7,
        task: Task::Find { moves: &["3"], plies: 1 },
    },
    Scenario {
        name: "a loss in one",
        about: "O is about to complete four in the bottom row, at the only open end.",
        variants: USUAL,
        position: Some("7/7/7/7/1XX4/XOOO3 x"),
        moves: &[],
        legal: 7,
        task: Task::Find { moves: &["5"], plies: 2 },
    },
    Scenario {
        name: "the cell above",
        about: "A disc in column 4 would let O complete four on top of it.",
        variants: USUAL,
        position: Some("7/7/7/7/X3OOO/X3XOX x"),
        moves: &[],
        legal: 7,
        task: Task::Avoid { moves: &["4"], plies: 2 },
    },
    Scenario {
        name: "two ends",
        about: "Three in the bottom row with both ends open cannot be stopped.",
        variants: USUAL,
        position: Some("7/7/7/7/2OO3/2XX3 x"),
        moves: &[],
        legal: 7,
        task: Task::Find { moves: &["2", "5"], plies: 3 },
    },
    Scenario {
        name: "a full column",
        about: "No disc fits into the middle column any more.",
        variants: SMALL,
        position: None,
        moves: &["3", "3", "3", "3"],
        legal: 4,
        task: Task::Legal { illegal: &["3"] },
    },
    Scenario {
        name: "a win in one",
        about: "Two discs, a gap and a third: the gap wins.",
        variants: SMALL,
        position: Some("5/5/OO3/XX1XO x"),
        moves: &[],
        legal: 5,
        task: Task::Find { moves: &["3"], plies: 1 },
    },
    Scenario {
        name: "a loss in one",
        about: "O is about to complete four in the bottom row, at the only open end.",
        variants: SMALL,
        position: Some("5/5/1XX2/XOOO1 x"),
        moves: &[],
        legal: 5,
        task: Task::Find { moves: &["5"], plies: 2 },
    },
];
