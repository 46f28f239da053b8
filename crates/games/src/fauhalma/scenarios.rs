//! What an agent that plays FAUhalma must know and see.

use crate::{Scenario, Task};

const THREE: &[&str] = &["fauhalma:star3"];
const STAR_FOR_TWO: &[&str] = &["fauhalma:star2"];
const RHOMBUS: &[&str] = &["fauhalma:rhombus2", "fauhalma:rhombus2,limit=25"];
const LIMITED: &[&str] = &["fauhalma:rhombus2,limit=25"];
const TWO: &[&str] = &["fauhalma:star2", "fauhalma:rhombus2", "fauhalma:rhombus2,limit=25"];

pub(super) const SCENARIOS: &[Scenario] = &[
    Scenario {
        name: "no landing on the centre",
        about: "The blocked centre can be hopped over and never landed on.",
        variants: THREE,
        position: Some(
            r#"{"A":[[1,-4],[1,-1],[2,-5],[2,-4],[2,-2],[3,-5]],
                "B":[[1,3],[2,2],[2,3],[3,1],[3,2],[3,3]],
                "C":[[-6,3],[-5,2],[-5,3],[-4,1],[-4,2],[-4,3]],"turn":"A"}"#,
        ),
        moves: &[],
        legal: 27,
        task: Task::Legal { illegal: &["[[1,-1],[0,0]]", "[[2,-2],[0,0]]"] },
    },
    Scenario {
        name: "no swap outside the home",
        about: "Pegs are swapped in the mover's own home only; elsewhere an occupied space is out \
                of bounds.",
        variants: THREE,
        position: Some(
            r#"{"A":[[-2,2],[1,-4],[2,-5],[2,-4],[3,-6],[3,-5]],
                "B":[[-2,3],[1,3],[2,2],[2,3],[3,1],[3,2]],
                "C":[[-6,3],[-5,2],[-5,3],[-4,1],[-4,2],[-4,3]],"turn":"A"}"#,
        ),
        moves: &[],
        legal: 17,
        task: Task::Legal { illegal: &["[[-2,2],[-2,3]]"] },
    },
    Scenario {
        name: "a swap ends the move",
        about: "The space of a swap is the last of a chain, and own pegs are not swapped.",
        variants: THREE,
        position: Some(
            r#"{"A":[[-2,4],[-1,2],[-1,3],[1,-4],[2,-4],[3,-5]],
                "B":[[-1,4],[1,3],[2,2],[2,3],[3,1],[3,2]],
                "C":[[-6,3],[-5,2],[-5,3],[-4,1],[-4,2],[-4,3]],"turn":"A"}"#,
        ),
        moves: &[],
        legal: 33,
        task: Task::Legal { illegal: &["[[-1,2],[-1,4],[-3,4]]", "[[-1,3],[-2,4]]"] },
    },
    Scenario {
        name: "a player who is out",
        about: "B cannot move and is out; C is next, and B's pegs stay where they are.",
        variants: THREE,
        position: Some(
            r#"{"A":[[-1,3],[0,1],[0,2],[1,0],[1,1],[2,0]],
                "B":[[1,3],[2,2],[2,3],[3,1],[3,2],[3,3]],
                "C":[[-4,1],[-1,4],[1,2],[2,1],[3,-1],[3,0]],"turn":"C"}"#,
        ),
        moves: &["[[-1,4],[0,3]]", "[[1,0],[1,-1]]"],
        legal: 25,
        task: Task::Legal { illegal: &["[[3,0],[3,1]]", "[[3,0],[3,2]]"] },
    },
    Scenario {
        name: "a swap that wins",
        about: "A peg of B stands on the last home space; the swap sends it out.",
        variants: THREE,
        position: Some(
            r#"{"A":[[-3,4],[-3,5],[-3,6],[-2,4],[-2,5],[-1,3]],
                "B":[[-3,-3],[-2,-3],[-1,-3],[-1,4],[0,-2],[2,-1]],
                "C":[[-2,0],[3,-1],[4,-3],[5,-3],[5,-2],[6,-3]],"turn":"A"}"#,
        ),
        moves: &[],
        legal: 16,
        task: Task::Find { moves: &["[[-1,3],[-1,4]]"], plies: 1 },
    },
    Scenario {
        name: "over the centre and home",
        about: "A chain of three hops, the first over the centre, fills the home.",
        variants: THREE,
        position: Some(
            r#"{"A":[[-3,4],[-3,6],[-2,4],[-2,5],[-1,4],[1,-1]],
                "B":[[-3,-3],[-2,-3],[-2,2],[-1,-3],[0,-2],[2,-1]],
                "C":[[-2,0],[3,-1],[4,-3],[5,-3],[5,-2],[6,-3]],"turn":"A"}"#,
        ),
        moves: &[],
        legal: 22,
        task: Task::Find { moves: &["[[1,-1],[-1,1],[-3,3],[-3,5]]"], plies: 1 },
    },
    Scenario {
        name: "the second place",
        about: "A is home and the others go on: B takes the second place at once.",
        variants: THREE,
        position: Some(
            r#"{"A":[[-3,4],[-3,5],[-3,6],[-2,4],[-2,5],[-1,3]],
                "B":[[-3,-3],[-3,-2],[-3,0],[-2,-3],[-2,-2],[-1,-3]],
                "C":[[3,0],[4,-3],[4,-2],[5,-3],[5,-2],[6,-3]],"turn":"A"}"#,
        ),
        moves: &["[[-1,3],[-1,4]]"],
        legal: 19,
        task: Task::Find { moves: &["[[-3,0],[-3,-1]]"], plies: 1 },
    },
    Scenario {
        name: "a player who is home",
        about: "A is home and skipped, so C has one move before B is home too.",
        variants: THREE,
        position: Some(
            r#"{"A":[[-3,4],[-3,5],[-3,6],[-2,4],[-2,5],[-1,3]],
                "B":[[-3,-3],[-3,-2],[-3,0],[-2,-3],[-2,-2],[-1,-3]],
                "C":[[1,0],[3,0],[4,-3],[5,-3],[5,-2],[6,-3]],"turn":"A"}"#,
        ),
        moves: &["[[-1,3],[-1,4]]", "[[-3,0],[-3,1]]", "[[1,0],[2,0]]"],
        legal: 17,
        task: Task::Find { moves: &["[[-3,1],[-3,0]]"], plies: 3 },
    },
    Scenario {
        name: "steps and hops do not mix",
        about: "After a hop only hops follow, and no chain ends where it began.",
        variants: TWO,
        position: Some(
            r#"{"A":[[1,-4],[2,-4],[2,-2],[2,-1],[3,-6],[3,-5]],
                "B":[[-3,5],[-3,6],[-2,4],[-2,5],[-1,4],[1,-1]],"turn":"A"}"#,
        ),
        moves: &[],
        legal: 27,
        task: Task::Legal { illegal: &["[[2,-1],[0,-1],[-1,-1]]", "[[2,-1],[2,-3],[2,-1]]"] },
    },
    Scenario {
        name: "a side corner",
        about: "On the star the side corners are open to everybody, one step at a time.",
        variants: STAR_FOR_TWO,
        position: Some(
            r#"{"A":[[1,-4],[2,-5],[2,-4],[3,-6],[3,-5],[3,0]],
                "B":[[-3,4],[-3,5],[-3,6],[-2,4],[-2,5],[-1,4]],"turn":"A"}"#,
        ),
        moves: &[],
        legal: 16,
        task: Task::Legal { illegal: &["[[3,0],[3,2]]", "[[3,0],[5,-2]]"] },
    },
    Scenario {
        name: "no side corners",
        about: "The rhombus ends where the star's side corners begin.",
        variants: RHOMBUS,
        position: Some(
            r#"{"A":[[1,-4],[2,-5],[2,-4],[3,-6],[3,-5],[3,0]],
                "B":[[-3,4],[-3,5],[-3,6],[-2,4],[-2,5],[-1,4]],"turn":"A"}"#,
        ),
        moves: &[],
        legal: 14,
        task: Task::Legal { illegal: &["[[3,0],[3,1]]", "[[3,0],[4,-1]]"] },
    },
    Scenario {
        name: "a swap that wins",
        about: "A peg of B stands on the last home space; the swap sends it out.",
        variants: TWO,
        position: Some(
            r#"{"A":[[-3,4],[-3,5],[-3,6],[-2,4],[-2,5],[-1,3]],
                "B":[[-1,4],[0,-2],[2,-5],[2,-1],[3,-6],[3,-5]],"turn":"A"}"#,
        ),
        moves: &[],
        legal: 16,
        task: Task::Find { moves: &["[[-1,3],[-1,4]]"], plies: 1 },
    },
    Scenario {
        name: "a swap that loses",
        about: "The long chain ends in a swap that sends B's last peg home.",
        variants: TWO,
        position: Some(
            r#"{"A":[[-2,1],[-1,3],[0,1],[1,-4],[1,-3],[1,-1]],
                "B":[[-1,4],[2,-5],[2,-4],[3,-6],[3,-5],[3,-4]],"turn":"A"}"#,
        ),
        moves: &[],
        legal: 38,
        task: Task::Avoid { moves: &["[[1,-4],[1,-2],[1,0],[-1,2],[-1,4]]"], plies: 1 },
    },
    Scenario {
        name: "over the centre and home",
        about: "A chain of three hops, the first over the centre, fills the home.",
        variants: TWO,
        position: Some(
            r#"{"A":[[-3,4],[-3,6],[-2,4],[-2,5],[-1,4],[1,-1]],
                "B":[[-2,2],[0,-2],[2,-5],[2,-1],[3,-6],[3,-5]],"turn":"A"}"#,
        ),
        moves: &[],
        legal: 22,
        task: Task::Find { moves: &["[[1,-1],[-1,1],[-3,3],[-3,5]]"], plies: 1 },
    },
    Scenario {
        name: "the ladder away",
        about: "A needs B's peg to hop over for the last space: B must move that one.",
        variants: TWO,
        position: Some(
            r#"{"A":[[-3,4],[-3,5],[-3,6],[-2,4],[-2,5],[-1,2]],
                "B":[[-1,3],[0,-2],[2,-5],[2,-1],[3,-6],[3,-5]],"turn":"B"}"#,
        ),
        moves: &[],
        legal: 25,
        task: Task::Find {
            moves: &[
                "[[-1,3],[-1,1],[1,-1],[3,-1]]",
                "[[-1,3],[-1,1],[1,-1]]",
                "[[-1,3],[-1,1]]",
                "[[-1,3],[-1,4]]",
                "[[-1,3],[-2,3]]",
                "[[-1,3],[0,2]]",
                "[[-1,3],[0,3]]",
            ],
            plies: 2,
        },
    },
    Scenario {
        name: "the last move",
        about: "The limit stops the game after this move: home now, or a draw.",
        variants: LIMITED,
        position: Some(
            r#"{"A":[[-3,4],[-3,5],[-3,6],[-2,4],[-2,5],[-1,3]],
                "B":[[0,-2],[2,-5],[2,-1],[2,0],[3,-6],[3,-5]],"turn":"A","moves":48}"#,
        ),
        moves: &[],
        legal: 18,
        task: Task::Find { moves: &["[[-1,3],[-1,4]]"], plies: 1 },
    },
];
