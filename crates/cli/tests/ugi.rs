//! `agon ugi` and `agon congo engine` as other programs use them: a process and two pipes.

// Nothing here prints JSON.
#[allow(dead_code)]
mod common;

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use common::{agon, agon_with_input};

/// An engine and the pipes to it.
struct Engine {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Engine {
    fn start(arguments: &[&str]) -> Engine {
        let mut child = Command::new(env!("CARGO_BIN_EXE_agon"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (to, from) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        Engine { child, to, from: BufReader::new(from) }
    }

    fn say(&mut self, line: &str) {
        self.to.write_all(format!("{line}\n").as_bytes()).unwrap();
    }

    /// Sends a line and waits for one that starts with `beginning`.
    fn ask(&mut self, line: &str, beginning: &str) -> String {
        self.say(line);
        loop {
            let mut heard = String::new();
            assert!(self.from.read_line(&mut heard).unwrap() > 0, "no {beginning} to {line}");
            if let Some(rest) = heard.trim_end().strip_prefix(beginning) {
                return rest.trim().to_string();
            }
            assert!(!heard.contains("error"), "{heard}");
        }
    }

    fn query(&mut self, what: &str) -> String {
        self.ask(&format!("query {what}"), "response")
    }

    fn quit(mut self) {
        self.say("quit");
        assert!(self.child.wait().unwrap().success());
    }
}

/// Plays a game of the engine against itself to its end and returns its result and moves.
fn whole_game(variant: &str, seats: usize) -> (String, Vec<String>) {
    let mut engine = Engine::start(&["ugi", variant, "--agent", "greedy"]);
    engine.ask("ugi", "ugiok");
    engine.ask("isready", "readyok");
    engine.say("uginewgame");
    let mut moves: Vec<String> = Vec::new();
    engine.say("position startpos");
    while engine.query("gameover") == "false" {
        assert_eq!(engine.query("result"), "none");
        let turns: Vec<String> =
            (1..=seats).map(|seat| engine.query(&format!("p{seat}turn"))).collect();
        assert_eq!(turns.iter().filter(|turn| *turn == "true").count(), 1, "{turns:?}");
        moves.push(engine.ask("go depth 1", "bestmove"));
        engine.say(&format!("position startpos moves {}", moves.join(" ")));
        assert!(moves.len() < 2000, "{variant} does not end");
    }
    let result = engine.query("result");
    for seat in 1..=seats {
        assert_eq!(engine.query(&format!("p{seat}turn")), "false");
    }
    assert_eq!(engine.query("points").split(' ').count(), seats);
    assert_eq!(engine.ask("go", "bestmove"), "none");
    engine.quit();
    (result, moves)
}

#[test]
fn every_game_is_played_to_its_end() {
    for (variant, seats) in [
        ("breakthrough:5x5", 2),
        ("congo", 2),
        ("fenix", 2),
        ("wumpus:6", 2),
        ("fauhalma:star2", 2),
        ("fauhalma:star3", 3),
    ] {
        let (result, moves) = whole_game(variant, seats);
        let results = ["draw", "p1win", "p2win", "p3win"];
        assert!(results[..=seats].contains(&result.as_str()), "{variant}: {result}");
        // The same moves in another process have the same result.
        let input = format!("position startpos moves {}\nquery result\n", moves.join(" "));
        let run = agon_with_input(&["ugi", variant], &input);
        assert_eq!(run.out, format!("response {result}\n"), "{variant}");
    }
}

#[test]
fn a_script_is_answered_and_the_program_ends_with_it() {
    let run = agon_with_input(&["ugi", "congo", "--level", "3"], "isready\nfoo\ngo infinite\n");
    assert_eq!(run.code, 0, "{}", run.err);
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(lines[0], "readyok");
    assert!(lines[1].starts_with("info string error: unknown command"), "{lines:?}");
    assert!(lines[lines.len() - 1].starts_with("bestmove "), "{lines:?}");
}

#[test]
fn a_closed_output_ends_the_program_although_its_input_is_open() {
    let Engine { mut child, mut to, from } = Engine::start(&["ugi", "congo"]);
    drop(from);
    to.write_all(b"go infinite\n").unwrap();
    assert!(child.wait().unwrap().success());
    drop(to);
}

#[test]
fn bad_arguments_are_refused_before_any_output() {
    for (arguments, word) in [
        (&["ugi", "chess"][..], "breakthrough"),
        (&["ugi", "congo", "--agent", "nobody"], "engine"),
        (&["ugi", "congo", "--threads", "0"], "1 to 256"),
        (&["congo", "engine", "--agent", "nobody"], "engine"),
    ] {
        let run = agon(arguments);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{arguments:?}");
        assert!(run.err.contains(word), "{}", run.err);
    }
}

#[test]
fn the_congo_course_is_answered_with_nothing_but_moves() {
    let input = "newgame\nmoves d2d3\ngo 0.05\nmoves x\nposition 3l3/7/7/7/7/6P/3L3 w 0\ngo 1\n";
    let run = agon_with_input(&["congo", "engine"], input);
    assert_eq!(run.code, 0);
    assert_eq!(run.out.lines().count(), 2, "{}", run.out);
    assert!(run.out.ends_with("\nd1d7\n"), "{}", run.out);
    assert!(run.err.starts_with("error: move 1: "), "{}", run.err);
}

#[test]
fn the_congo_engine_knows_the_edition_without_promotion() {
    // A superpawn may step back and sideways, a pawn on the last rank may not.
    let lines = ["position 7/1P1l3/7/7/7/7/2L3p w 5", "moves b6b7 d6d7", "moves b7a7", "quit", ""];
    let errors = |arguments: &[&str]| {
        let run = agon_with_input(&[&["congo", "engine"], arguments].concat(), &lines.join("\n"));
        assert_eq!(run.code, 0);
        run.err
    };
    assert_eq!(errors(&[]), "");
    assert!(errors(&["--no-promotion"]).contains("b7a7"));
    let again = ["newgame", &lines.join("\n")].join("\n");
    let run = agon_with_input(&["congo", "engine", "--no-promotion"], &again);
    assert!(run.err.contains("b7a7"), "{}", run.err);
}

#[test]
fn the_congo_engine_plays_both_sides_of_a_game() {
    let mut sides = [(); 2].map(|()| Engine::start(&["congo", "engine", "--agent", "greedy"]));
    let mut table = agon_games::open(&"congo".parse().unwrap()).unwrap();
    sides.iter_mut().for_each(|side| side.say("newgame"));
    while table.outcome().is_none() && table.played().len() < 40 {
        let side = &mut sides[table.played().len() % 2];
        if let Some(last) = table.played().last() {
            side.say(&format!("moves {last}"));
        }
        let mv = side.ask("go 0.5", "");
        table.play(&mv).unwrap();
    }
    assert!(table.played().len() > 4);
    sides.into_iter().for_each(Engine::quit);
}
