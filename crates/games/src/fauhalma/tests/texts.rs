//! Texts: what is accepted, what is rejected, and the error messages.

use agon_core::{Game, Notation};

use super::{C, rhombus2, star2, star3, vectors};
use crate::open;

const START: &str = r#"{"A":[[1,-4],[2,-5],[2,-4],[3,-6],[3,-5],[3,-4]],"B":[[1,3],[2,2],[2,3],[3,1],[3,2],[3,3]],"C":[[-6,3],[-5,2],[-5,3],[-4,1],[-4,2],[-4,3]],"turn":"A"}"#;

#[test]
fn positions_are_written_in_one_way_and_read_in_many() {
    assert_eq!(star3().position_text(), START);
    let spread = r#" { "turn" : "A",
        "C":[[-4,1],[-5,2],[-5,3],[-6,3],[-4,2],[-4,3]] , "moves":0, "out":[],
        "B":[ [1,3],[2 , 2],[2,3],[3,1],[3,2],[3,3]],
        "A":[[1,-4],[2,-5],[2,-4],[3,-6],[3,-5],[3,-4]] } "#;
    assert_eq!(star3().read_position(spread), Ok(star3()));
    let percept = START.replace(",\"turn\":\"A\"", "");
    assert_eq!(star3().read_position(&percept), Ok(star3()));
    assert_eq!(star3().percept(C), Some(percept));
}

#[test]
fn the_compact_form_says_all_that_the_json_says() {
    assert_eq!(star2().compact_text(), "B/BB/BBB/10/9/8/3x3/8/9/10/AAA/AA/A A - 0");
    assert_eq!(rhombus2().compact_text(), "B/BB/BBB/4/5/6/3x3/6/5/4/AAA/AA/A A - 0");
    assert_eq!(star3().compact_text(), "1/2/3/CCC4BBB/CC5BB/C6B/3x3/8/9/10/AAA/AA/A A - 0");
    let dotted = " B/BB/BBB/10/9/8/.2x../8/9/1.8/AAA/AA/A   A ".replace(".2x..", ".2x2.");
    assert_eq!(star2().read_position(&dotted), Ok(star2()));
    for text in vectors::positions("star3") {
        let mut position = star3().read_position(&text).unwrap();
        for _ in 0..4 {
            assert_eq!(star3().read_position(&position.compact_text()), Ok(position));
            let Some(&mv) = position.moves().last() else { break };
            position.play(mv);
        }
    }
}

/// Cut to eight bits, these would be spaces of the board.
#[test]
fn a_space_far_away_is_not_taken_for_one_on_the_board() {
    for far in [i32::MIN, i32::MAX, -256, 256, 31] {
        for text in [format!("[[{far},1],[1,1]]"), format!("[[1,{far}],[1,1]]")] {
            assert!(star3().read_move(&text).is_err(), "{text}");
        }
        let position = START.replacen("[1,-4]", &format!("[{far},-4]"), 1);
        assert!(star3().read_position(&position).is_err(), "{position}");
    }
}

#[test]
fn variants_are_read_and_written() {
    let canonical = |text: &str| open(&text.parse().unwrap()).unwrap().variant().to_string();
    assert_eq!(canonical("fauhalma"), "fauhalma:star3");
    assert_eq!(canonical("fauhalma:limit=300"), "fauhalma:star3");
    assert_eq!(canonical("fauhalma:limit=7,rhombus2"), "fauhalma:rhombus2,limit=7");
    let error = |text: &str| open(&text.parse().unwrap()).err().unwrap().to_string();
    assert_eq!(
        error("fauhalma:star2,limit=0"),
        "fauhalma: bad variant: expected a limit of 1 to 10000 moves of one player\n  \
         fauhalma:star2,limit=0\n                       ^"
    );
    assert!(error("fauhalma:star2,limit=99999999999").contains("a limit of 1 to 10000"));
    assert!(error("fauhalma:rhombus3").contains("expected star3, star2 or rhombus2"));
    assert!(error("fauhalma:star3,").contains("expected star3, star2 or rhombus2"));
}

/// What is expected instead of the marked part of a text.
fn refused(text: &str) -> (String, String) {
    let error = star3().read_position(text).expect_err(text);
    (text[error.at()].to_string(), error.expected().to_string())
}

#[test]
fn bad_positions_are_explained() {
    let bad = |from: &str, to: &str| {
        assert!(START.contains(from));
        let (marked, expected) = refused(&START.replacen(from, to, 1));
        format!("{marked}: {expected}")
    };
    assert_eq!(bad("[1,-4]", "[4,-4]"), "[4,-4]: a space of the star");
    assert_eq!(bad("[1,-4]", "[0, 0]"), "[0, 0]: another space than the blocked centre");
    assert_eq!(bad("[1,-4]", "[99999999999,1]"), "[99999999999,1]: a space of the star");
    assert_eq!(bad("[1,-4]", "[2,-4]"), "[2,-4]: at most one peg on a space");
    assert_eq!(bad("[1,3],", ""), "[[2,2],[2,3],[3,1],[3,2],[3,3]]: six pegs of B, not 5");
    assert_eq!(bad("[1,3]", "[1,0],[1,3]").split(": ").nth(1), Some("six pegs of B, not 7"));
    assert_eq!(bad("[1,3]", "[1.5,3]"), ".: ',' and a whole number y");
    assert_eq!(bad("[1,3]", "[1,3,0]"), ",: ']' after x and y");
    assert_eq!(bad("[1,3]", "7"), "7: a space [x,y]");
    assert_eq!(bad("[1,3]", "[,3]"), ",: a whole number x");
    assert_eq!(bad("\"A\"}", "\"D\"}"), "\"D\": a seat in quotes, one of A, B, C");
    assert_eq!(
        bad("turn", "tern"),
        "\"tern\": one of the fields A, B, C, turn, out, finished, moves"
    );
    assert_eq!(bad("\"B\":", "\"A\":"), "\"A\": each field only once");
    assert_eq!(
        bad("\"A\"}", "\"A\",\"out\":[\"B\",\"B\"]}"),
        "\"B\": each player at most once among those finished and out"
    );
    assert_eq!(
        bad("\"A\"}", "\"A\",\"finished\":[\"B\"]}"),
        "\"B\": a player whose six home spaces hold its own pegs"
    );
    assert_eq!(
        bad("\"A\"}", "\"A\",\"moves\":-1}"),
        "-1: the moves made, 0 to 30000, or a list of each player's"
    );
    assert_eq!(
        bad("\"A\"}", "\"A\",\"moves\":[1,2]}"),
        "[1,2]: one number of moves for each of 3 players"
    );
    assert_eq!(
        bad("\"A\"}", "\"A\",\"moves\":[1,2,10001]}"),
        "10001: the moves made by a player, 0 to 10000"
    );
    assert_eq!(bad("\"A\"}", "\"A\"} x"), "x: nothing more");
    assert_eq!(bad("\"A\"}", "\"A\""), ": ',' and another field, or '}'");
    assert_eq!(bad("\"A\"}", "\"A"), "\"A: a seat in quotes, one of A, B, C");
    assert_eq!(refused("").1, "a JSON object such as {\"A\":[[1,-4],…],…,\"turn\":\"A\"}");
    assert_eq!(refused("{}"), ("{}".into(), "a field \"A\" with the six pegs of A".into()));
    let two = star2().read_position(START).unwrap_err();
    assert_eq!(two.expected(), "one of the fields A, B, turn, out, finished, moves");
}

#[test]
fn bad_compact_positions_are_explained() {
    let start = "1/2/3/CCC4BBB/CC5BB/C6B/3x3/8/9/10/AAA/AA/A A - 0";
    let bad = |from: &str, to: &str| {
        let (marked, expected) = refused(&start.replacen(from, to, 1));
        format!("{marked}: {expected}")
    };
    assert_eq!(bad("3x3", "7"), "7: a run of 1 to 3 empty spaces");
    assert_eq!(bad("3x3", "33"), "33: a run of 1 to 3 empty spaces");
    assert_eq!(bad("3x3", "3.3"), ".: x for the centre");
    assert_eq!(bad("CCC4BBB", "CCC0BBB"), "0: a run of 1 to 7 empty spaces");
    assert_eq!(
        bad("CCC4BBB", "CCC3BBB"),
        "/: A, B, C or a number of empty spaces: row 4 from the top has 10 cells"
    );
    assert_eq!(bad("CCC4BBB", "CCC4BBBB"), "B: '/' and row 5 of 13 from the top");
    assert_eq!(bad("CCC4BBB", "CCC5BB").split(": ").nth(1), Some("six pegs of B, not 5"));
    assert_eq!(bad(" A - 0", ""), ": a blank and then the seat to move, one of A, B, C");
    assert_eq!(bad(" A - 0", " D"), "D: the seat to move, one of A, B, C");
    assert_eq!(bad(" A - 0", " A D"), "D: the seats that are out, or -");
    assert_eq!(bad(" A - 0", " A BB"), "B: each player at most once among those finished and out");
    assert_eq!(bad("- 0", "- 1,2"), "1,2: the moves of each of 3 players, 0 to 10000");
    assert_eq!(bad("- 0", "- 20000,2,3"), "20000,2,3: the moves of each of 3 players, 0 to 10000");
    assert_eq!(
        bad("- 0", "- 99999999999"),
        "99999999999: the moves made, 0 to 30000, or each player's, separated by commas"
    );
    assert_eq!(bad("- 0", "- 0 A"), "A: a player whose six home spaces hold its own pegs");
    assert_eq!(bad("- 0", "- 0 A B"), "B: nothing more");
}

/// B's peg in A's home, one of A's pegs before it.
const MIDDLE: &str = r#"{"A":[[-1,2],[-1,3],[-2,4],[3,-5],[1,-4],[2,-4]],
    "B":[[-1,4],[2,3],[3,2],[1,3],[2,2],[3,1]],
    "C":[[-6,3],[-5,3],[-5,2],[-4,3],[-4,2],[-4,1]]}"#;

#[test]
fn illegal_paths_are_explained() {
    let position = star3().read_position(MIDDLE).unwrap();
    let refused = |text: &str| {
        let error = position.read_move(text).expect_err(text);
        format!("{}: {}", &text[error.at()], error.expected())
    };
    assert_eq!(refused("[[1,2],[1,1]]"), "[1,2]: a space with one of A's pegs");
    assert_eq!(refused("[[-1,2],[1,2]]"), "[1,2]: a hop over a peg, but [0,2] is empty");
    assert_eq!(refused("[[-1,2],[2,2]]"), "[2,2]: a space one step or one hop from [-1,2]");
    assert_eq!(refused("[[-1,2],[0,3]]"), "[0,3]: a space one step or one hop from [-1,2]");
    assert_eq!(
        refused("[[-1,2],[0,2],[1,2]]"),
        "[0,2]: a hop from [-1,2]: a step is a separate move"
    );
    assert_eq!(
        refused("[[-1,2],[-1,4],[-3,4]]"),
        "[-1,4]: an empty space in the middle of a chain"
    );
    assert_eq!(
        refused("[[-1,2],[-1,3]]"),
        "[-1,3]: an empty space, or an opponent's peg in A's home"
    );
    assert_eq!(refused("[[-1,2],[0,0]]"), "[0,0]: another space than the blocked centre");
    assert_eq!(refused("[[-1,2],[-1,9]]"), "[-1,9]: a space of the star");
    assert_eq!(refused("[[-1,2],[-1,2]]"), "[-1,2]: a space one step or one hop from [-1,2]");
    assert_eq!(
        refused("[[-1,2]]"),
        "[[-1,2]]: two spaces at least, the first and the last of the move"
    );
    assert_eq!(refused("[]"), "[]: two spaces at least, the first and the last of the move");
    assert_eq!(refused("[[-1,2],[-1,4]] 7"), "7: nothing more");
    assert_eq!(refused("resign"), "r: a list of spaces such as [[2,-2],[2,-3]]");
    assert!(position.read_move(" [ [-1,2] , [-1,4] ] ").is_ok());
}

#[test]
fn any_legal_way_is_read_and_the_shortest_is_written() {
    let position = star3()
        .read_position(
            r#"{"A":[[0,-3],[1,-3],[2,-4],[1,-4],[3,-6],[3,-5]],
                "B":[[3,3],[2,3],[3,2],[1,3],[2,2],[3,1]],
                "C":[[-6,3],[-5,3],[-5,2],[-4,3],[-4,2],[-4,1]]}"#,
        )
        .unwrap();
    let there_and_back = "[[0,-3],[2,-3],[0,-3],[2,-3]]";
    let mv = position.read_move(there_and_back).unwrap();
    assert_eq!(position.move_text(mv), "[[0,-3],[2,-3]]");
}
