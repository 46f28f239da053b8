//! FAUhalma for people.

use crate::rules::{Example, Practice, Rules, Section};

const THREE: &str = "fauhalma:star3";
const TWO: &str = "fauhalma:star2";

pub(super) const RULES: Rules<'_> = Rules { sections: SECTIONS, practice: PRACTICE };

/// Pegs of A in a row, good for chains.
const LADDER: &str = r#"{"A":[[1,-4],[1,-1],[2,-5],[2,-4],[2,-2],[3,-5]],
    "B":[[1,3],[2,2],[2,3],[3,1],[3,2],[3,3]],
    "C":[[-6,3],[-5,2],[-5,3],[-4,1],[-4,2],[-4,3]],"turn":"A"}"#;

/// A peg of B in A's home, with pegs of A before it.
const GUEST: &str = r#"{"A":[[-2,4],[-1,2],[-1,3],[1,-4],[2,-4],[3,-5]],
    "B":[[-1,4],[1,3],[2,2],[2,3],[3,1],[3,2]],
    "C":[[-6,3],[-5,2],[-5,3],[-4,1],[-4,2],[-4,3]],"turn":"A"}"#;

/// A needs one step to be home, and then B needs one.
const NEARLY_HOME: &str = r#"{"A":[[-3,4],[-3,5],[-3,6],[-2,4],[-2,5],[-1,3]],
    "B":[[-3,-3],[-3,-2],[-3,0],[-2,-3],[-2,-2],[-1,-3]],
    "C":[[3,0],[4,-3],[4,-2],[5,-3],[5,-2],[6,-3]],"turn":"A"}"#;

const SECTIONS: &[Section<'_>] = &[
    Section {
        heading: "The aim",
        text: &[
            "Each player has six pegs in one corner of the board. Bring them all into the opposite \
             corner, your home. The first player to fill its home wins.",
            "No peg is ever captured.",
        ],
        examples: &[Example::start(
            "Three players on the star. A begins at the bottom and wants to get to the top.",
            THREE,
            &[],
        )],
    },
    Section {
        heading: "Boards and players",
        text: &[
            "Three players sit around the star: A at the bottom, B at the upper right, C at the \
             upper left. They move in this order. The corners opposite to theirs are their homes.",
            "Two players face each other, on the star or on the rhombus, which is the star without \
             its side corners. The home of one is where the other begins.",
        ],
        examples: &[Example::start("Two players on the rhombus.", "fauhalma:rhombus2", &[])],
    },
    Section {
        heading: "Steps",
        text: &[
            "In your turn you move one peg. The simplest move is a step to one of the six spaces \
             beside it, if that is empty.",
            "A peg may go anywhere: back, into any corner, and out of its home again. It may also \
             stay where it began. But you have to move: passing is not allowed.",
        ],
        examples: &[Example::start(
            "Two of the steps with which A may begin.",
            THREE,
            &["[[1,-4],[0,-3]]", "[[1,-4],[1,-3]]"],
        )],
    },
    Section {
        heading: "Hops",
        text: &[
            "Instead of a step, a peg may hop straight over a peg beside it to the empty space \
             right behind. It does not matter whose peg that is. From there it may hop on, in any \
             direction, as often as you like.",
            "A move is either one step or a chain of hops, never both. It must end on another \
             space than it began on.",
            "The centre is blocked. No peg can land on it, but all can hop over it as if a peg \
             stood there.",
        ],
        examples: &[
            Example::new(
                "Four hops in one move, the last of them over the centre.",
                THREE,
                LADDER,
                &["[[2,-5],[2,-3],[2,-1],[0,-1],[0,1]]"],
            ),
            Example::new("One hop over the centre.", THREE, LADDER, &["[[1,-1],[-1,1]]"]),
        ],
    },
    Section {
        heading: "The swap",
        text: &[
            "Somebody else's peg may stand in your home. Your move may end on its space, by a \
             step or by a hop. The two change places: the other peg goes to where your move \
             began. So nobody can keep you out.",
            "This works only in your own home and only on the last space of a move. Pegs of your \
             own are not swapped.",
        ],
        examples: &[Example::new(
            "B's peg stands in A's home. A swaps it out, with a step or with a hop.",
            THREE,
            GUEST,
            &["[[-1,3],[-1,4]]", "[[-1,2],[-1,4]]"],
        )],
    },
    Section {
        heading: "How it ends",
        text: &[
            "You are home when your own pegs stand on all six home spaces. That is checked \
             after every move of any player: a swap may bring somebody else home, too.",
            "With two players that ends the game. With three, the other two play on for the second \
             place. A player who is home is skipped; its pegs stay and can be hopped over.",
            "A player who cannot move in its turn is out. It takes the last place still free, and \
             its pegs stay.",
            "When a player has made 300 moves, the game stops. Those who are not home share the \
             places that are left.",
        ],
        examples: &[Example::new(
            "A has just come home. B can take the second place now.",
            THREE,
            NEARLY_HOME,
            &["[[-3,0],[-3,-1]]"],
        )
        .after(&["[[-1,3],[-1,4]]"])],
    },
];

const PRACTICE: &[Practice<'_>] = &[
    Practice::new(
        "You are A. Come home in one move, with three hops.",
        TWO,
        r#"{"A":[[-3,4],[-3,6],[-2,4],[-2,5],[-1,4],[1,-1]],
            "B":[[-2,2],[0,-2],[2,-5],[2,-1],[3,-6],[3,-5]],"turn":"A"}"#,
        &["[[1,-1],[-1,1],[-3,3],[-3,5]]"],
    ),
    Practice::new(
        "You are A. A peg of B stands on your last home space. Swap it out and win.",
        THREE,
        r#"{"A":[[-3,4],[-3,5],[-3,6],[-2,4],[-2,5],[-1,3]],
            "B":[[-3,-3],[-2,-3],[-1,-3],[-1,4],[0,-2],[2,-1]],
            "C":[[-2,0],[3,-1],[4,-3],[5,-3],[5,-2],[6,-3]],"turn":"A"}"#,
        &["[[-1,3],[-1,4]]"],
    ),
    Practice::new(
        "You are B, and A is home already. Take the second place.",
        THREE,
        NEARLY_HOME,
        &["[[-3,0],[-3,-1]]"],
    )
    .after(&["[[-1,3],[-1,4]]"]),
    Practice::new(
        "You are B. A wants to hop over your peg into its last home space. Move that peg away.",
        TWO,
        r#"{"A":[[-3,4],[-3,5],[-3,6],[-2,4],[-2,5],[-1,2]],
            "B":[[-1,3],[0,-2],[2,-5],[2,-1],[3,-6],[3,-5]],"turn":"B"}"#,
        &[
            "[[-1,3],[-1,1],[1,-1],[3,-1]]",
            "[[-1,3],[-1,1],[1,-1]]",
            "[[-1,3],[-1,1]]",
            "[[-1,3],[-1,4]]",
            "[[-1,3],[-2,3]]",
            "[[-1,3],[0,2]]",
            "[[-1,3],[0,3]]",
        ],
    ),
];
