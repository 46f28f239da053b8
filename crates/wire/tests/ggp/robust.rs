//! Every message has a sensible answer and a line in the log, and a match goes on unharmed.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use agon_gdl::breakthrough::rules_text;
use agon_gdl::kif::{self, Term};
use agon_wire::ggp::message::in_one_line;
use agon_wire::ggp::player::ServerLimits;

use crate::harness::{Contest, Dialect, Stage, call, options, rules};

/// A player in a match on 5×5 as white, and its first move.
fn begun(id: &str) -> (Stage, String) {
    let stage = Stage::new("engine:depth=2");
    let start = Dialect::Course.start(id, "white", &rules("breakthrough:5x5"), (1, 5));
    assert_eq!(stage.say(Dialect::Course, &start), "ready");
    let answer = stage.say(Dialect::Course, &format!("(PLAY {id} NIL)"));
    assert!(answer.starts_with("(move "), "{answer}");
    (stage, answer)
}

#[test]
fn names_of_matches_matter() {
    let (stage, first) = begun("one");
    let say = |text: &str| stage.say(Dialect::Course, text);
    for (message, reply) in [
        ("(PLAY two NIL)", "busy"),
        ("(PLAY ONE NIL)", "busy"),
        ("(STOP two ((MOVE 1 2 1 3) NOOP))", "busy"),
        ("(ABORT two)", "busy"),
    ] {
        assert_eq!(say(message), reply, "{message}");
        let log = stage.log();
        assert!(log.last().unwrap().contains("is not the one being played"), "{log:?}");
    }
    assert_eq!(say("(PLAY one NIL)"), first, "the match is still there");
    assert_eq!(say("(STOP one (NOOP NOOP))"), "done");
    assert_eq!(say("(PLAY one NIL)"), "done", "late, after the end");
    assert_eq!(say("(STOP one NIL)"), "done");
    assert_eq!(say("(PLAY two NIL)"), "busy");
    assert!(stage.log().last().unwrap().contains("was never started here"));
}

#[test]
fn a_start_takes_the_place_of_an_unfinished_match() {
    let (stage, _) = begun("one");
    let start = Dialect::Base.start("two", "black", &rules("breakthrough:6x6"), (1, 5));
    assert_eq!(stage.say(Dialect::Base, &start), "ready");
    let log = stage.log();
    assert!(
        log.iter().any(|line| line.contains("ended one None") && line.contains("another match"))
    );
    assert_eq!(stage.say(Dialect::Base, "( PLAY two NIL )"), "noop");
    assert_eq!(stage.say(Dialect::Base, "( PLAY one NIL )"), "busy");
    // The same name again is another match, too.
    assert_eq!(stage.say(Dialect::Base, &start), "ready");
    assert_eq!(stage.say(Dialect::Base, "( PLAY two NIL )"), "noop");
}

#[test]
fn doubled_late_and_odd_moves_do_not_confuse_the_board() {
    let (stage, first) = begun("m");
    let say = |text: &str| stage.say(Dialect::Course, text);
    let own = first.to_uppercase();
    let one = format!("(PLAY m ({own} NOOP))");
    assert_eq!(say(&one), "noop");
    assert_eq!(say(&one), "noop", "doubled");
    let two = "(PLAY m (NOOP (MOVE 1 4 1 3)))";
    let second = say(two);
    assert!(second.starts_with("(move "), "{second}");
    assert_eq!(say(two), second, "doubled");
    assert_eq!(say(&one), second, "an old one, late");
    assert_eq!(say("(PLAY m NIL)"), second, "the first one, later still");
    for odd in ["(PLAY m (NOOP NOOP))", "(PLAY m (HELLO WORLD))", "(PLAY m ((MOVE 1 2 99 3) NOOP))"]
    {
        assert_eq!(say(odd), second, "{odd}");
    }
    let log = stage.log();
    assert_eq!(log.iter().filter(|line| line.contains("came twice")).count(), 3, "{log:?}");
    assert_eq!(log.iter().filter(|line| line.contains("no move of Breakthrough")).count(), 3);
}

#[test]
fn the_controller_is_right_whatever_it_plays() {
    let (stage, first) = begun("m");
    let say = |text: &str| stage.say(Dialect::Course, text);
    // Another move than ours, as after a timeout.
    let other = if first.contains("1 2 1 3") { "(MOVE 2 2 2 3)" } else { "(MOVE 1 2 1 3)" };
    assert_eq!(say(&format!("(PLAY m ({other} NOOP))")), "noop");
    // An illegal move: the pawn moves anyway, and captures what is there.
    let answer = say("(PLAY m (NOOP (MOVE 3 4 3 2)))");
    assert!(answer.starts_with("(move ") && !answer.starts_with("(move 3 2"), "{answer}");
    let log = stage.log();
    assert!(log.iter().any(|line| line.contains("instead of our")), "{log:?}");
    assert!(log.iter().any(|line| line.contains("is not legal here, but was played")), "{log:?}");
}

#[test]
fn one_move_that_was_not_ours_costs_no_pawn() {
    let stage = Stage::new("random");
    let say = |text: &str| stage.say(Dialect::Course, text);
    let position = Some("p4/4p/5/3P1/3PP w");
    let text = rules_text(&"breakthrough:5x5".parse().unwrap(), position).unwrap();
    let rules = in_one_line(&kif::read(&text).unwrap());
    assert_eq!(say(&Dialect::Course.start("m", "white", &rules, (1, 5))), "ready");
    let first = say("(PLAY m NIL)");
    let other = if first == "(move 4 2 4 3)" { "(move 5 1 5 2)" } else { "(move 4 2 4 3)" };
    assert_eq!(say(&format!("(PLAY m ({other} noop))")), "noop");
    say("(PLAY m (noop (move 5 4 5 3)))");
    let log = stage.log();
    assert!(log.iter().any(|line| line.contains("which is not the usual start")), "{log:?}");
    assert!(log.iter().all(|line| !line.contains("taken off")), "{log:?}");
}

#[test]
fn a_play_that_got_lost_is_made_up_for() {
    let (stage, first) = begun("m");
    // Black has already moved: so ours was played.
    let reply = if first.starts_with("(move 1") { "(MOVE 5 4 5 3)" } else { "(MOVE 1 4 1 3)" };
    let second = stage.say(Dialect::Course, &format!("(PLAY m (NOOP {reply}))"));
    assert!(second.starts_with("(move ") && second != first, "{second}");
    let own = second.to_uppercase();
    assert_eq!(stage.say(Dialect::Course, &format!("(STOP m ({own} NOOP))")), "done");
    let log = stage.log();
    assert!(log.iter().any(|line| line.contains("a PLAY is missing")), "{log:?}");
    assert!(log.iter().all(|line| !line.contains("not legal")), "{log:?}");
}

#[test]
fn a_play_waits_for_the_start_that_is_still_being_read() {
    let stage = Stage::new("engine:depth=1");
    // Large enough to take a moment.
    let rules = format!("{} {}", rules("breakthrough:10x10"), "(nothing at all) ".repeat(20_000));
    let start = Dialect::Course.start("m", "black", &rules, (1, 5));
    thread::scope(|scope| {
        let starting = scope.spawn(|| stage.say(Dialect::Course, &start));
        thread::sleep(Duration::from_millis(30));
        let answer = stage.say(Dialect::Course, "(PLAY m NIL)");
        // Either it had not arrived yet, or it was waited for.
        assert!(answer == "noop" || stage.log().iter().any(|l| l.contains("never started")));
        assert_eq!(starting.join().unwrap(), "ready");
        assert_eq!(stage.say(Dialect::Course, "(PLAY m NIL)"), "noop");
    });
}

#[test]
fn a_start_that_cannot_be_played_leaves_the_match_alone() {
    let (stage, first) = begun("m");
    let start = Dialect::Course.start("x", "green", &rules("breakthrough:5x5"), (1, 1));
    assert_eq!(stage.say(Dialect::Course, &start), "unknown-role");
    assert_eq!(stage.say(Dialect::Course, "(PLAY x NIL)"), "unknown-role");
    assert_eq!(stage.say(Dialect::Course, "(PLAY m NIL)"), first);
    // The same name does not harm it, either.
    assert_eq!(stage.say(Dialect::Course, "(START m white ((role a)) 1 1)"), "not-breakthrough");
    assert_eq!(stage.say(Dialect::Course, "(PLAY m NIL)"), first);
    assert_eq!(stage.say(Dialect::Course, "(STOP m NIL)"), "done");
    assert!(stage.say(Dialect::Course, "(INFO)").contains("available"));
}

#[test]
fn a_lost_play_is_not_made_up_for_with_what_cannot_have_been() {
    let (stage, first) = begun("m");
    // Black goes straight to where our pawn would be: something else was played.
    let column = first.chars().nth(6).unwrap();
    let said = stage.say(Dialect::Course, &format!("(PLAY m (NOOP (MOVE {column} 4 {column} 3)))"));
    assert!(said.starts_with("(move "), "{said}");
    let log = stage.log();
    assert!(log.iter().all(|line| !line.contains("a PLAY is missing")), "{log:?}");
    assert!(log.iter().any(|line| line.contains("followed")), "{log:?}");
}

#[test]
fn questions_that_were_left_behind_do_not_lock_the_player() {
    let stage = Stage::new("engine");
    let start = Dialect::Course.start("m", "white", &rules("breakthrough:8x8"), (1, 3600));
    assert_eq!(stage.say(Dialect::Course, &start), "ready");
    let request = Dialect::Course.request("(PLAY m NIL)");
    for _ in 0..100 {
        TcpStream::connect(stage.address).unwrap().write_all(request.as_bytes()).unwrap();
    }
    stage.wait_for_line("too many PLAYs");
    assert!(stage.say(Dialect::Course, "(INFO)").contains("busy"));
    assert_eq!(stage.say(Dialect::Course, "(ABORT m)"), "aborted");
    assert!(stage.say(Dialect::Course, "(INFO)").contains("available"));
}

#[test]
fn rules_of_other_games_are_answered_honestly() {
    let stage = Stage::new("engine:depth=1");
    let other = "(role white) (role black) (init (control white)) (<= (legal ?p noop) (role ?p)) \
                 (<= terminal (true (control black))) (<= (goal ?p 50) (role ?p)) \
                 (<= (next (control black)) (true (control white)))";
    let scrambled = in_one_line(&scramble(&kif::read(&rules("breakthrough:5x5")).unwrap()));
    for (id, rules, role) in [("other", other, "white"), ("words", &scrambled, "wue")] {
        let say = |text: &str| stage.say(Dialect::Course, text);
        assert_eq!(say(&Dialect::Course.start(id, role, rules, (1, 1))), "not-breakthrough");
        assert_eq!(say(&format!("(PLAY {id} NIL)")), "not-breakthrough");
        assert_eq!(say(&format!("(STOP {id} NIL)")), "done");
        let log = stage.log();
        assert!(log.iter().any(|line| line.contains("is not played")), "{log:?}");
    }
    let start = Dialect::Base.start("m", "red", &rules("breakthrough:5x5"), (1, 1));
    assert_eq!(stage.say(Dialect::Base, &start), "unknown-role");
}

/// Renames everything but the keywords of the language.
fn scramble(terms: &[Term]) -> Vec<Term> {
    const KEPT: [&str; 14] = [
        "<=", "role", "init", "true", "does", "next", "legal", "goal", "terminal", "distinct",
        "not", "or", "base", "input",
    ];
    let word = |word: &str| match word {
        kept if KEPT.contains(&kept) || kept.parse::<u32>().is_ok() => kept.to_string(),
        "white" => "wue".to_string(),
        other => other
            .chars()
            .map(|c| if c == '?' { c } else { 'w' })
            .chain(other.chars().rev())
            .filter(|c| c.is_alphanumeric() || *c == '?')
            .collect(),
    };
    let each = |term: &Term| match term {
        Term::Word(text) => Term::Word(word(text).into()),
        Term::List(list) => Term::List(scramble(list)),
    };
    terms.iter().map(each).collect()
}

#[test]
fn broken_requests_are_told_so() {
    let (stage, first) = begun("m");
    let long = format!("POST / HTTP/1.0\r\nX: {}\r\n\r\n", "x".repeat(100_000));
    let deep = Dialect::Course.request(&"(".repeat(5000));
    let many = Dialect::Course.request(&format!("(PLAY m ({}))", "noop ".repeat(100_000)));
    for (bytes, status) in [
        ("hello\r\n\r\n", "400"),
        ("POST / HTTP/1.0\r\n\r\n", "411"),
        ("POST / HTTP/1.0\r\nContent-Length: 5000000\r\n\r\n", "413"),
        (&long, "431"),
        (&deep, "400"),
        (&Dialect::Course.request("(PLAY m"), "400"),
        (&Dialect::Course.request("(DANCE m)"), "400"),
        (&Dialect::Course.request("\u{0}\u{1}"), "400"),
        (&many, "200"),
    ] {
        let answer = call(stage.address, bytes.as_bytes());
        let expected = format!("HTTP/1.0 {status}");
        assert!(answer.whole.starts_with(&expected), "{bytes:.40}: {}", answer.whole);
        assert!(stage.log().iter().any(|l| l.starts_with("problem") || l.starts_with("note")));
    }
    assert_eq!(stage.say(Dialect::Course, "(PLAY m NIL)"), first);
}

#[test]
fn requests_that_never_end_are_given_up() {
    let limits = ServerLimits { request: Duration::from_millis(300), ..ServerLimits::default() };
    let stage = Stage::with(options("engine:depth=1"), limits);
    let mut half = TcpStream::connect(stage.address).unwrap();
    half.write_all(b"POST / HTTP/1.0\r\nContent-Length: 100\r\n\r\n(PLAY").unwrap();
    let mut answer = String::new();
    half.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.0 408"), "{answer}");
    let mut cut = TcpStream::connect(stage.address).unwrap();
    cut.write_all(b"POST / HTTP/1.0\r\nContent-Length: 100\r\n\r\n(PLAY").unwrap();
    cut.shutdown(Shutdown::Write).unwrap();
    stage.wait_for_line("was cut off");
}

#[test]
fn slow_and_large_callers_do_not_harm_a_match() {
    let stage = Stage::new("engine:depth=4");
    let address = stage.address;
    let mut slow: Vec<TcpStream> = Vec::new();
    for _ in 0..300 {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(b"POST / HTTP/1.0\r\nContent-Le").unwrap();
        slow.push(stream);
    }
    thread::scope(|scope| {
        scope.spawn(|| {
            for _ in 0..4 {
                let mut stream = TcpStream::connect(address).unwrap();
                let head = b"POST / HTTP/1.0\r\nContent-Length: 5000000\r\n\r\n";
                stream.write_all(head).unwrap();
                // It may be refused before all of it is sent.
                let _ = stream.write_all(&vec![b'('; 5_000_000]);
            }
        });
        for role in ["white", "black"] {
            let (dialect, variant) = (Dialect::Course, "breakthrough:6x6");
            let contest =
                Contest { stage: &stage, dialect, variant, role, clock: 2, steps: 500, seed: 1 };
            contest.play(&mut |_, _| {});
        }
    });
    // No slow client blocks others any more, and some have been disconnected.
    let is_gone = |stream: &mut TcpStream| {
        stream.set_nonblocking(true).unwrap();
        let read = stream.read(&mut [0; 8]);
        !read.is_err_and(|error| error.kind() == std::io::ErrorKind::WouldBlock)
    };
    let until = Instant::now() + Duration::from_secs(10);
    while slow.iter_mut().map(is_gone).filter(|gone| *gone).count() < 300 - 64 {
        assert!(Instant::now() < until, "they are still there");
        stage.say(Dialect::Course, "(INFO)");
        thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn what_nobody_will_look_at_is_not_thought_about() {
    let stage = Stage::new("engine");
    let start = Dialect::Course.start("m", "white", &rules("breakthrough:8x8"), (1, 60));
    assert_eq!(stage.say(Dialect::Course, &start), "ready");
    let body = "(PLAY m NIL)";
    let request = agon_wire::ggp::http::request("localhost", body, true);
    // With a clock of a minute, this would take one.
    assert!(call(stage.address, request.as_bytes()).body().starts_with("(move "));
}

#[test]
fn a_match_can_be_ended_while_the_player_thinks() {
    let stage = Stage::new("engine");
    let start = Dialect::Base.start("m", "white", &rules("breakthrough:8x8"), (1, 60));
    assert_eq!(stage.say(Dialect::Base, &start), "ready");
    thread::scope(|scope| {
        let thinking = scope.spawn(|| stage.say(Dialect::Base, "( PLAY m NIL )"));
        thread::sleep(Duration::from_millis(200));
        assert_eq!(stage.say(Dialect::Base, "( ABORT m )"), "aborted");
        // It does not go on thinking for a minute.
        assert_eq!(thinking.join().unwrap(), "done");
    });
}
