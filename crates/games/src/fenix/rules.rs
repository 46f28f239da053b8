//! Fenix for people.

use crate::rules::{Example, Practice, Rules, Section};

const FENIX: &str = "fenix";

pub(super) const RULES: Rules<'_> = Rules { sections: SECTIONS, practice: PRACTICE };

const SECTIONS: &[Section<'_>] = &[
    Section {
        heading: "The aim",
        text: &[
            "Capture the other king in such a way that it cannot rise again.",
            "The board has 7 rows of 8 squares. Each player begins with 21 soldiers in a corner. \
             Red moves first.",
            "Two soldiers on one square are a general, three are the king. In captures a soldier \
             counts 1 unit, a general 2 and a king 3.",
        ],
        examples: &[Example::start("The start: soldiers only.", FENIX, &[])],
    },
    Section {
        heading: "The setup",
        text: &[
            "In your first five turns you make your leaders. Each turn you put one soldier on a \
             neighbour in the same row or column: on a soldier to make a general, or on a general \
             to make the king.",
            "You may have only one king, and never more than four generals. The order is up to \
             you. After five turns everybody has a king, three generals and twelve soldiers.",
            "Beware of the trap: whoever has nothing to stack in the setup loses. That happens \
             with four generals, no king, and no soldier beside any of the four.",
        ],
        examples: &[
            Example::start(
                "Red has made a general. Now it may make the king from it, or another general.",
                FENIX,
                &["c7b7", "b6b7", "d6d5"],
            )
            .after(&["a7b7", "h1g1"]),
            Example::new(
                "The trap: after any of these three moves red loses with its next turn.",
                FENIX,
                "SSSSSS2/SSSSS2s/SS1S2ss/S1G2ssg/1G2ss1s/G2sss1g/2ssss1g 6 0 w 00",
                &["a5a4", "d6d5", "e7f7"],
            ),
        ],
    },
    Section {
        heading: "Moving",
        text: &[
            "After the setup a soldier steps one square along a row or a column. A general goes \
             any distance along a row or a column. The king steps one square in any of the eight \
             directions. All go onto empty squares only, and the general over empty squares only.",
        ],
        examples: &[Example::new(
            "The king on b6, the general on d4, a soldier on b2.",
            FENIX,
            "8/1K4s1/8/3G4/8/1S4k1/8 30 0 w 00",
            &[
                "b6a5", "b6a6", "b6a7", "b6b5", "b6b7", "b6c5", "b6c6", "b6c7", "d4a4", "d4d1",
                "d4d7", "d4h4", "b2a2", "b2b1", "b2b3", "b2c2",
            ],
        )],
    },
    Section {
        heading: "Capturing",
        text: &[
            "A soldier captures by jumping over an enemy beside it, along a row or a column, to \
             the empty square right behind. The king does the same in all eight directions.",
            "A general captures from afar: over empty squares, over exactly one enemy, and on to \
             any free square behind it.",
            "The piece that captured jumps on if it can, in any direction. The captured pieces \
             leave the board when the move is over. Until then they are in the way, and so is the \
             square where the move began.",
        ],
        examples: &[
            Example::new(
                "The general takes the soldier and lands on any of the four squares behind it.",
                FENIX,
                "8/8/8/G2s4/8/K7/7k 30 0 w 00",
                &["a4e4xd4", "a4f4xd4", "a4g4xd4", "a4h4xd4"],
            ),
            Example::new(
                "The king takes five pieces in one move.",
                FENIX,
                "8/1Ks5/2g5/2s1s3/5s2/8/7k 20 0 w 00",
                &["b6f2xc4,c5,c6,e4,f3"],
            ),
        ],
    },
    Section {
        heading: "You must capture the most",
        text: &[
            "If you can capture, you must. And only the moves that take the most units of all your \
             pieces' captures are allowed. Units count, not pieces: a king is worth more than two \
             soldiers.",
            "If several moves take the most, choose freely among them.",
        ],
        examples: &[Example::new(
            "Two soldiers or one general: both are two units, so red may choose. Nothing else is \
             allowed.",
            FENIX,
            "K6k/8/3g4/3S4/8/8/Ss1s4 30 0 w 00",
            &["a1e1xb1,d1", "d4d6xd5"],
        )],
    },
    Section {
        heading: "Rising again",
        text: &[
            "If the last move took your king, you may make a new one: a soldier steps onto a \
             general beside it, in the same row or column. If it took a general of yours, a \
             soldier may step onto a soldier to make a new general.",
            "This must be done at once: one turn later the right is gone. And captures come first: \
             if you can capture, you must, and nothing rises.",
        ],
        examples: &[
            Example::new(
                "Black has just taken the king. The soldier steps onto the general and red has a \
                 king again.",
                FENIX,
                "SG6/8/8/8/3Ks3/8/7k 31 0 b 00",
                &["a7b7"],
            )
            .after(&["e3c3xd3"]),
            Example::new(
                "Black has just taken a general. Either soldier may step onto the other.",
                FENIX,
                "SSK5/8/8/8/2Gs4/8/7k 31 0 b 00",
                &["a7b7", "b7a7"],
            )
            .after(&["d3b3xc3"]),
        ],
    },
    Section {
        heading: "How it ends",
        text: &[
            "If you have no king at the end of your own turn, you lose. So after the loss of your \
             king you have exactly one turn to make a new one. Taking the other king with that \
             turn does not help.",
            "A player without pieces or without a legal move loses, too.",
            "The game is a draw if the same board comes up for the fourth time since the last \
             capture, or after 50 moves without a capture, those of both players counted together.",
        ],
        examples: &[],
    },
];

const PRACTICE: &[Practice<'_>] = &[
    Practice::new(
        "You must take the most units. The soldier can take two generals; your general can do \
         better.",
        FENIX,
        "8/1Sg1g3/8/1Gk5/8/8/K7 30 0 w 00",
        &["b4e7xc4,e6"],
    ),
    Practice::new(
        "Your king was taken. Let it rise again.",
        FENIX,
        "SG6/8/8/8/3Ks3/8/7k 31 0 b 00",
        &["a7b7"],
    )
    .after(&["e3c3xd3"]),
    Practice::new(
        "Your king is in danger, and you have no general to make a new one. Save it.",
        FENIX,
        "8/8/2S5/3K4/3s4/3s4/7k 30 0 w 00",
        &["c5d5", "d4c4", "d4d5", "d4e4", "d4e5"],
    ),
    Practice::new(
        "Two captures take three units. Choose the one that wins.",
        FENIX,
        "K7/6s1/8/3Sk3/8/8/Sg1s4 30 0 w 00",
        &["d4f4xe4"],
    ),
];
