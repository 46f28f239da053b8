//! Congo for people.

use crate::rules::{Example, Practice, Rules, Section};

const CONGO: &str = "congo";

pub(super) const RULES: Rules<'_> = Rules { sections: SECTIONS, practice: PRACTICE };

const SECTIONS: &[Section<'_>] = &[
    Section {
        heading: "The aim",
        text: &[
            "Capture the other lion. White, at the bottom, moves first.",
            "The board has 7 by 7 squares. The row in the middle is the river. On each side of it is \
             a castle of nine squares, where the lion lives.",
            "Unless stated otherwise, a piece captures by moving onto an enemy piece. Nothing can \
             move onto a piece of its own side, and nobody has to capture.",
        ],
        examples: &[Example::start(
            "The start. In the first row from the left: giraffe, monkey, elephant, lion, elephant, \
             crocodile, zebra.",
            CONGO,
            &[],
        )],
    },
    Section {
        heading: "The lion",
        text: &[
            "The lion moves one square in any direction and never leaves its castle.",
            "There is one exception. If the lions see each other along a column or a diagonal across \
             the river, with nothing in between, the player to move may capture the other lion right \
             away.",
        ],
        examples: &[
            Example::new(
                "The lion in the middle of its castle.",
                CONGO,
                "4l2/7/7/7/7/3L3/6P w 0",
                &["d2c1", "d2c2", "d2c3", "d2d1", "d2d3", "d2e1", "d2e2", "d2e3"],
            ),
            Example::new(
                "The lions see each other: white wins at once.",
                CONGO,
                "3l3/7/7/7/7/7/3L2P w 0",
                &["d1d7"],
            ),
        ],
    },
    Section {
        heading: "Zebra and elephant",
        text: &[
            "The zebra jumps like a knight in chess: two squares straight and one to the side.",
            "The elephant moves one or two squares along a row or a column. With two squares it \
             jumps over whatever is in between.",
        ],
        examples: &[
            Example::new(
                "The zebra.",
                CONGO,
                "4l2/7/7/7/3Z3/7/2L4 w 0",
                &["d3b2", "d3b4", "d3c5", "d3e1", "d3e5", "d3f2", "d3f4"],
            ),
            Example::new(
                "The elephant may take either pawn, or jump over the near one.",
                CONGO,
                "4l2/7/3p3/7/3E3/3p3/2L4 w 0",
                &["d3b3", "d3c3", "d3d1", "d3d2", "d3d4", "d3d5", "d3e3", "d3f3"],
            ),
        ],
    },
    Section {
        heading: "Giraffe and crocodile",
        text: &[
            "The giraffe jumps exactly two squares in any direction. It may also step one square in \
             any direction, but only the long jump captures.",
            "The crocodile steps one square in any direction. Outside the river it also moves any \
             distance along its column towards the river and into it, but not beyond. In the river \
             it also moves any distance along the river. It cannot jump.",
        ],
        examples: &[
            Example::new(
                "The giraffe jumps over the pawns beside it. It may take the far one, not these.",
                CONGO,
                "4l2/7/3p3/7/2pGp2/7/2L4 w 0",
                &["d3b3", "d3d5", "d3f3", "d3c4", "d3e4", "d3d2"],
            ),
            Example::new(
                "One crocodile slides towards the river and into it, the other along it.",
                CONGO,
                "4l2/7/7/C3p2/7/7/2L2C1 w 0",
                &["a4b4", "a4c4", "a4d4", "a4e4", "f1f2", "f1f3", "f1f4"],
            ),
        ],
    },
    Section {
        heading: "The monkey",
        text: &[
            "The monkey steps one square in any direction, but that does not capture. It captures by \
             jumping over an enemy beside it, in any direction, to the empty square right behind.",
            "It may jump on from there, over one enemy after the other, and stop whenever it likes. \
             It jumps each piece only once. The captured pieces leave the board at the end of the \
             move, so until then they are in the way. Jumping the lion ends the move, and the game.",
        ],
        examples: &[Example::new(
            "Take one pawn, or both in one move.",
            CONGO,
            "4l2/7/4p2/7/2p4/1M5/2L4 w 0",
            &["b2d4", "b2d4f6"],
        )],
    },
    Section {
        heading: "Pawn and superpawn",
        text: &[
            "The pawn steps one square forward, straight or diagonally, and captures the same way. \
             Beyond the river it may also go one or two squares straight back, without capturing or \
             jumping.",
            "On the last row a pawn becomes a superpawn. That one also steps and captures one square \
             sideways. And anywhere on the board it may go one or two squares back, straight or \
             diagonally, without capturing or jumping.",
            "In the course's 2021 edition pawns stay pawns.",
        ],
        examples: &[
            Example::new(
                "A pawn on its own side of the river, and one beyond it.",
                CONGO,
                "4l2/7/1P5/7/4p2/3P3/2L4 w 0",
                &["d2c3", "d2d3", "d2e3", "b5a6", "b5b6", "b5c6", "b5b4", "b5b3"],
            ),
            Example::new(
                "The superpawn.",
                CONGO,
                "4l2/7/7/7/3S3/7/2L4 w 0",
                &[
                    "d3b1", "d3c2", "d3c3", "d3c4", "d3d1", "d3d2", "d3d4", "d3e2", "d3e3", "d3e4",
                    "d3f1",
                ],
            ),
        ],
    },
    Section {
        heading: "The river",
        text: &[
            "A piece may enter the river and stay there until your next turn. With that turn it has \
             to leave: after each of your moves, every piece of yours that was in the river before \
             the move and still is drowns.",
            "Moving along the river does not help, nor does leaving it and coming back in one move, \
             as a monkey might. Only crocodiles never drown.",
        ],
        examples: &[Example::new(
            "The zebra and the pawn are in the river, and only one of them can leave it. Here the \
             zebra does, and the pawn drowns.",
            CONGO,
            "4l2/7/7/Z2P3/7/7/2L4 w 0",
            &["a4c5"],
        )],
    },
    Section {
        heading: "How it ends",
        text: &[
            "Whoever captures the lion wins at once. A player who has no move at all loses.",
            "The game is a draw if only the two lions are left, if the same position with the same \
             player to move comes up for the third time, and after 100 moves of each player.",
        ],
        examples: &[],
    },
];

const PRACTICE: &[Practice<'_>] = &[
    Practice::new(
        "Save the zebra from drowning.",
        CONGO,
        "3l3/7/7/Z6/7/7/2L4 w 0",
        &["a4b2", "a4b6", "a4c3", "a4c5"],
    ),
    Practice::new(
        "Take the lion with your monkey.",
        CONGO,
        "7/7/2p1l2/1M5/2p1p2/7/2L4 w 0",
        &["b4d2f4d6", "b4d6f4"],
    ),
    Practice::new(
        "You are black, and a pawn attacks your lion. Only one square is safe.",
        CONGO,
        "1e1m2z/2pp3/4l2/4P2/7/2L1p2/7 b 31",
        &["e5e6"],
    ),
    Practice::new(
        "An elephant attacks your lion, which cannot flee. Take it.",
        CONGO,
        "1m2ecz/pplpppp/g6/7/4E2/P1PPPPP/1Me1LCZ w 6",
        &["b1d1"],
    ),
];
