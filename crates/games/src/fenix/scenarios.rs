//! What an agent that plays Fenix must know and see.

use crate::{Scenario, Task};

const FENIX: &[&str] = &["fenix"];

pub(super) const SCENARIOS: &[Scenario] = &[
    Scenario {
        name: "the setup",
        about: "In the first ten plies soldiers are stacked; no other move is legal.",
        variants: FENIX,
        position: None,
        moves: &[],
        legal: 60,
        task: Task::Legal { illegal: &["f7g7", "a2b2"] },
    },
    Scenario {
        name: "the trap of the setup",
        about: "A fourth general must leave a general beside a soldier, or nothing can be stacked \
                on the next turn and the game is lost.",
        variants: FENIX,
        position: Some("SSSSSS2/SSSSS2s/SS1S2ss/S1G2ssg/1G2ss1s/G2sss1g/2ssss1g 6 0 w 00"),
        moves: &[],
        legal: 38,
        task: Task::Avoid { moves: &["a5a4", "d6d5", "e7f7"], plies: 2 },
    },
    Scenario {
        name: "forced captures of equal worth",
        about: "Two soldiers in a chain count as much as one general; quiet moves and half a chain \
                are illegal.",
        variants: FENIX,
        position: Some("K6k/8/3g4/3S4/8/8/Ss1s4 30 0 w 00"),
        moves: &[],
        legal: 2,
        task: Task::Legal { illegal: &["a1c1xb1", "a7a6", "d4c4"] },
    },
    Scenario {
        name: "units, not pieces",
        about: "A king and a general are worth more than two generals, so the soldier may not \
                capture.",
        variants: FENIX,
        position: Some("8/1Sg1g3/8/1Gk5/8/8/K7 30 0 w 00"),
        moves: &[],
        legal: 1,
        task: Task::Legal { illegal: &["b6f6xc6,e6", "b4d4xc4"] },
    },
    Scenario {
        name: "a maximal chain",
        about: "The black king must take all five pieces, one of them diagonally.",
        variants: FENIX,
        position: Some("K7/8/2S5/3S1S2/5G2/5Sk1/8 31 0 b 00"),
        moves: &[],
        legal: 1,
        task: Task::Legal { illegal: &["g2e2xf2", "g2g4xf2,f3", "g2g1"] },
    },
    Scenario {
        name: "the start square stays occupied",
        about: "A chain that would come full circle ends one jump earlier.",
        variants: FENIX,
        position: Some("8/8/2Ks4/2s1s3/3s4/8/7k 30 0 w 00"),
        moves: &[],
        legal: 2,
        task: Task::Legal { illegal: &["c5c5xc4,d3,d5,e4", "c5e5xd5"] },
    },
    Scenario {
        name: "a new general, too late",
        about: "The right to create a general is gone after one ply.",
        variants: FENIX,
        position: Some("SSK5/8/8/8/2Gs4/8/7k 31 0 b 00"),
        moves: &["d3b3xc3", "c7d7", "b3b2"],
        legal: 8,
        task: Task::Legal { illegal: &["a7b7", "b7a7"] },
    },
    Scenario {
        name: "captures come before resurrection",
        about: "The king could rise again, but a capture is possible and so it must be played.",
        variants: FENIX,
        position: Some("SS3k2/SG6/8/3Ss3/8/8/S6S 30 0 w 01"),
        moves: &[],
        legal: 1,
        task: Task::Legal { illegal: &["a6b6", "b7b6"] },
    },
    Scenario {
        name: "a resurrection",
        about: "The king was taken: the soldier must step on the general now.",
        variants: FENIX,
        position: Some("SG6/8/8/8/3Ks3/8/7k 31 0 b 00"),
        moves: &["e3c3xd3"],
        legal: 14,
        task: Task::Find { moves: &["a7b7"], plies: 1 },
    },
    Scenario {
        name: "the king in danger",
        about: "The soldier is about to jump the king, which has no general to rise from.",
        variants: FENIX,
        position: Some("8/8/2S5/3K4/3s4/3s4/7k 30 0 w 00"),
        moves: &[],
        legal: 10,
        task: Task::Find { moves: &["c5d5", "d4c4", "d4d5", "d4e4", "d4e5"], plies: 3 },
    },
    Scenario {
        name: "the capture that wins",
        about: "Of two captures of three units, the king's ends the game: it cannot rise again.",
        variants: FENIX,
        position: Some("K7/6s1/8/3Sk3/8/8/Sg1s4 30 0 w 00"),
        moves: &[],
        legal: 2,
        task: Task::Find { moves: &["d4f4xe4"], plies: 2 },
    },
];
