//! Wumpus battle for people.

use crate::rules::{Example, Practice, Rules, Section};

const TINY: &str = "wumpus:3";
const USUAL: &str = "wumpus:6";

pub(super) const RULES: Rules<'_> = Rules { sections: SECTIONS, practice: PRACTICE };

const SECTIONS: &[Section<'_>] = &[
    Section {
        heading: "The aim",
        text: &[
            "Destroy all enemy pieces. The player who has none left loses.",
            "Nothing is hidden: both players see all pieces and all pits.",
        ],
        examples: &[],
    },
    Section {
        heading: "The board and the pieces",
        text: &[
            "The board is a square with sides of 3, 6, 9, 12 or 15 cells. The adversary has the \
             bottom row and moves first. The agent has the top row.",
            "Both rows read wumpus, hero, mage, wumpus, hero, mage and so on from the left.",
        ],
        examples: &[Example::start("The start on 6 by 6. The holes are pits.", USUAL, &[])],
    },
    Section {
        heading: "Moving",
        text: &[
            "In your turn you move one piece by one step, in any of the eight directions. It may go \
             to an empty cell, onto an enemy piece or into a pit, but never onto a piece of your own.",
            "You have to move: passing is not allowed.",
        ],
        examples: &[Example::new(
            "The hero can go to all eight cells around it. One of them means a battle.",
            TINY,
            "W2/1h1/3 adversary 0",
            &[
                "2,2-1,1", "2,2-1,2", "2,2-1,3", "2,2-2,1", "2,2-2,3", "2,2-3,1", "2,2-3,2",
                "2,2-3,3",
            ],
        )],
    },
    Section {
        heading: "Battles",
        text: &[
            "A piece that steps onto an enemy fights it. The hero beats the wumpus, the mage \
             beats the hero, and the wumpus beats the mage. It does not matter who attacks.",
            "If the attacker wins, it takes the cell. If the defender wins, it stays and the attacker \
             is gone. Equal kinds destroy each other, and both cells are empty.",
        ],
        examples: &[
            Example::new(
                "Against the wumpus at the top left the hero wins. Against the mage at the bottom \
                 right it would die.",
                TINY,
                "W2/1h1/2M adversary 0",
                &["2,2-1,1", "2,2-3,3"],
            ),
            Example::new(
                "Hero against hero: both are gone.",
                TINY,
                "H2/1h1/w1W adversary 0",
                &["2,2-1,1"],
            ),
        ],
    },
    Section {
        heading: "Pits",
        text: &[
            "A piece that enters a pit is destroyed, and the pit stays. Nobody is kept from doing so, \
             and sometimes there is nothing better.",
            "Pits are in the inner rows only: none on the smallest board, one in each row of the \
             6 by 6, two in each row of the 9 by 9 and so on. They are placed at random from a \
             number, the seed. The same seed always gives the same pits.",
        ],
        examples: &[Example::new(
            "The last wumpus has two pits and three heroes around it. Wherever it goes, it is lost.",
            USUAL,
            "HH4/wO4/OH4/1O4/4O1/6 adversary 0",
            &["2,1-2,2", "2,1-3,1"],
        )],
    },
    Section {
        heading: "How it ends",
        text: &[
            "A player without pieces loses, also if its own last step destroyed them. If the last \
             two pieces destroy each other, the game is a draw.",
            "It is also a draw if the same position, with the same player to move, comes up for the \
             third time, or if no piece is lost in 100 moves, those of both players counted together.",
        ],
        examples: &[],
    },
];

const PRACTICE: &[Practice<'_>] = &[
    Practice::new(
        "You are the adversary. Win with this move.",
        "wumpus:6,seed=3",
        "6/1w1O2/3O1H/3Om1/5O/6 adversary 4",
        &["4,5-3,6"],
    ),
    Practice::new(
        "You are the agent. Win with an even trade.",
        TINY,
        "2M/3/wW1 agent 3",
        &["3,2-3,1"],
    ),
    Practice::new(
        "You are the agent. Bring your mage to the only safe cell.",
        TINY,
        "3/wM1/2m agent 2",
        &["2,2-1,3"],
    ),
    Practice::new(
        "You are the adversary. Get your wumpus away from the hero, and mind the pits.",
        USUAL,
        "6/1O1M2/O1H3/1Ow3/4O1/6 adversary 0",
        &["4,3-5,2", "4,3-5,3", "4,3-5,4"],
    ),
];
