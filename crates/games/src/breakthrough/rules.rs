//! Breakthrough for people.

use crate::rules::{Example, Practice, Rules, Section};

const SMALL: &str = "breakthrough:5x5";

pub(super) const RULES: Rules<'_> = Rules { sections: SECTIONS, practice: PRACTICE };

const SECTIONS: &[Section<'_>] = &[
    Section {
        heading: "The aim",
        text: &[
            "Bring one of your pawns to the far row. The first player to do so wins at once.",
            "Each player begins with two full rows of pawns. White, at the bottom, moves first; \
             then the players take turns. You may choose the board: 2 to 10 columns, 4 to 10 rows.",
        ],
        examples: &[Example::start("The start on 8 by 8.", "breakthrough:8x8", &["d2d3"])],
    },
    Section {
        heading: "Moving",
        text: &[
            "A pawn steps one square straight ahead, onto an empty square. It never goes sideways \
             or back, and never two squares at once.",
            "You have to move: passing is not allowed.",
        ],
        examples: &[Example::new(
            "Each of white's pawns has one step.",
            SMALL,
            "5/1p3/5/1P1P1/5 w",
            &["b2b3", "d2d3"],
        )],
    },
    Section {
        heading: "Capturing",
        text: &[
            "A pawn captures one square diagonally ahead: it takes the place of the enemy pawn, \
             which leaves the board. You never have to capture.",
            "Straight ahead it cannot capture, so two pawns that meet head-on block each other. \
             Diagonally it can only capture, not step.",
        ],
        examples: &[Example::new(
            "White may take either pawn at the side. The one straight ahead is in the way.",
            SMALL,
            "5/1ppp1/2P2/5/5 w",
            &["c3b4", "c3d4"],
        )],
    },
    Section {
        heading: "How it ends",
        text: &[
            "A pawn on the far row wins.",
            "If the player to move has no move, the game is a draw. That happens when all its pawns \
             are blocked, and also when it has no pawns left. So do not take the last enemy pawn if \
             you can win; unless you land on the far row, that is only a draw.",
        ],
        examples: &[Example::new(
            "Taking the last pawn would draw. White walks past it and wins the race.",
            SMALL,
            "5/3p1/2P2/5/5 w",
            &["c3c4"],
        )],
    },
    Section {
        heading: "Classic rules",
        text: &[
            "Most other programs play these. A pawn may also step diagonally ahead onto an empty \
             square. Straight ahead it still cannot capture.",
            "A player without pawns has lost. There are no draws.",
        ],
        examples: &[Example::new(
            "With the classic rules the pawn steps ahead or to the right, or captures.",
            "breakthrough:5x5,classic",
            "5/1p3/2P2/5/5 w",
            &["c3b4", "c3c4", "c3d4"],
        )],
    },
];

const PRACTICE: &[Practice<'_>] = &[
    Practice::new("Win with this move.", SMALL, "1pp1p/2P2/p3p/P3P/1PP2 w", &["c4b5"]),
    Practice::new(
        "Black is about to reach your first row. Stop it.",
        SMALL,
        "ppppp/ppp1p/PP3/2PPp/PPPPP w",
        &["d1e2"],
    ),
    Practice::new(
        "Win the race instead of taking the last pawn.",
        SMALL,
        "5/3p1/2P2/5/5 w",
        &["c3c4"],
    ),
    Practice::new(
        "Black wins with its next move. Save a draw.",
        SMALL,
        "5/5/5/2p2/1P2P w",
        &["b1c2"],
    ),
];
