//! Connect Four for people.

use crate::rules::{Example, Practice, Rules, Section};

const USUAL: &str = "connect4:7x6";

pub(super) const RULES: Rules<'_> = Rules { sections: SECTIONS, practice: PRACTICE };

const SECTIONS: &[Section<'_>] = &[
    Section {
        heading: "The aim",
        text: &[
            "Get four of your discs in a row: next to each other, on top of each other or along a \
             diagonal. The first player to do so wins at once.",
            "The board stands upright and is empty at first. X begins; then the players take \
             turns. You may choose its size: 4 to 9 columns, 4 to 8 rows.",
        ],
        examples: &[Example::start("The usual board. X begins.", USUAL, &["4"])],
    },
    Section {
        heading: "Dropping a disc",
        text: &[
            "In your turn you choose a column. The disc falls onto the lowest empty cell of it. \
             Discs never move again.",
            "A full column cannot be chosen. You have to play: passing is not allowed.",
        ],
        examples: &[Example::start(
            "Column 4 is full. A disc in column 3 falls to the bottom, one in column 5 onto \
                 another disc.",
            USUAL,
            &["3", "5"],
        )
        .after(&["4", "4", "4", "4", "4", "4", "5", "6"])],
    },
    Section {
        heading: "Four in a row",
        text: &[
            "A row may lie, stand or slant. It does not matter which of its discs comes last, so \
             look for gaps, too.",
        ],
        examples: &[
            Example::new("X fills the gap and wins.", USUAL, "7/7/7/7/O5O/XX1X2O x", &["3"]),
            Example::new("X wins with a fourth on top.", USUAL, "7/7/7/3X3/3X3/OO1X2O x", &["4"]),
            Example::new(
                "X completes a diagonal and wins.",
                USUAL,
                "7/7/7/2XO3/1XOX3/XOXOO2 x",
                &["4"],
            ),
        ],
    },
    Section {
        heading: "How it ends",
        text: &[
            "Four in a row win.",
            "If the board is full and nobody has four in a row, the game is a draw.",
        ],
        examples: &[],
    },
    Section {
        heading: "What to look for",
        text: &[
            "When your opponent has three in a row and the fourth cell can be reached, you have to \
             take it. Two such cells at once cannot both be taken.",
            "Every disc makes room for another one on top of it. So do not play right below a cell \
             where your opponent wins.",
        ],
        examples: &[
            Example::new(
                "O threatens the bottom of column 5. X has to play there.",
                USUAL,
                "7/7/7/7/1XX4/XOOO3 x",
                &["5"],
            ),
            Example::new(
                "With either of these discs X has three in a row with two open ends.",
                USUAL,
                "7/7/7/7/2OO3/2XX3 x",
                &["2", "5"],
            ),
        ],
    },
];

const PRACTICE: &[Practice<'_>] = &[
    Practice::new("Win with this move.", USUAL, "7/7/7/2XO3/1XOX3/XOXOO2 x", &["4"]),
    Practice::new(
        "O wins with its next disc. Take the cell it needs.",
        USUAL,
        "7/7/7/7/1XX4/XOOO3 x",
        &["5"],
    ),
    Practice::new("Make two threats at once.", USUAL, "7/7/7/7/2OO3/2XX3 x", &["2", "5"]),
    Practice::new(
        "One column lets O win on top of your disc. Play in another.",
        USUAL,
        "7/7/7/7/X3OOO/X3XOX x",
        &["1", "2", "3", "5", "6", "7"],
    ),
];
