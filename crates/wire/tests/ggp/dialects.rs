use agon_wire::ggp::player::{Options, ServerLimits};

use crate::harness::{Contest, Dialect, Stage, options, rules};

#[test]
fn whole_matches_are_played_in_both_dialects_and_roles() {
    let stage = Stage::new("engine:depth=3");
    for dialect in [Dialect::Course, Dialect::Base] {
        for (variant, role) in [
            ("breakthrough:3x5", "white"),
            ("breakthrough:3x5", "black"),
            ("breakthrough:6x6", "black"),
            ("breakthrough:5x5,classic", "white"),
            ("breakthrough:10x10", "white"),
            ("breakthrough:2x4", "black"),
        ] {
            let contest =
                Contest { stage: &stage, dialect, variant, role, clock: 5, steps: 500, seed: 9 };
            let table = contest.play(&mut |_, _| {});
            let points = table.outcome().unwrap().points();
            let log = stage.log();
            let started = format!(
                "started Match.{}.{role} {variant} {role} without doubt",
                variant.replace(':', "_")
            );
            assert_eq!(log.first(), Some(&started));
            let ended = log.last().unwrap();
            assert!(ended.contains(&format!("Some({:?})", points.as_slice())), "{ended}");
            assert!(ended.contains(&format!("{} plies", table.played().len())), "{ended}");
            assert!(log.iter().all(|line| !line.starts_with("note")), "{log:?}");
        }
    }
}

#[test]
fn everything_that_is_said_beside_a_match_is_answered() {
    let stage = Stage::new("engine:depth=1");
    let base = |text: &str| stage.say(Dialect::Base, text);
    assert_eq!(base("( INFO )"), "( ( name agon ) ( status available ) )");
    let rules = rules("breakthrough:5x5");
    assert_eq!(base(&format!("( PREVIEW ({rules} ) 3 )")), "ready");
    assert_eq!(base(&Dialect::Base.start("m", "white", &rules, (1, 1))), "ready");
    assert_eq!(base("(info)"), "( ( name agon ) ( status busy ) )");
    assert_eq!(base("( ABORT m )"), "aborted");
    assert_eq!(base("(INFO)"), "( ( name agon ) ( status available ) )");
    let get = b"GET /%28%20INFO%20%29 HTTP/1.1\r\nHost: x\r\n\r\n";
    assert!(crate::harness::call(stage.address, get).body().contains("available"));
    let get = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n";
    assert!(crate::harness::call(stage.address, get).body().contains("GGP player"));
}

#[test]
fn the_second_version_of_the_language_is_understood() {
    let stage = Stage::new("engine:depth=2");
    let say = |text: &str| stage.say(Dialect::Course, text);
    let sees = "(<= (sees ?p (did ?p2 ?m)) (role ?p) (does ?p2 ?m) )";
    let rules = format!("{} {sees}", rules("breakthrough:5x5"));
    assert_eq!(say(&Dialect::Course.start("Match.X1", "black", &rules, (1, 5))), "ready");
    assert_eq!(say("(PLAY Match.X1 0 NIL NIL)"), "noop");
    let first = "(PLAY Match.X1 1 NOOP ((DID WHITE (MOVE 1 2 1 3)) (DID BLACK NOOP) ))";
    let answer = say(first);
    assert!(answer.starts_with("(move "), "{answer}");
    assert_eq!(say(first), answer, "the same question has the same answer");
    let own = answer.to_uppercase();
    let second = format!("(PLAY Match.X1 2 {own} ((DID WHITE NOOP) (DID BLACK {own}) ))");
    assert_eq!(say(&second), "noop");
    assert_eq!(say("(STOP Match.X1 3 NOOP ((DID WHITE (MOVE 2 2 2 3)) (DID BLACK NOOP)))"), "done");
    stage.wait_for_line("3 plies");
}

#[test]
fn who_does_not_see_the_opponent_plays_its_own_moves() {
    let stage = Stage::new("engine:depth=2");
    let say = |text: &str| stage.say(Dialect::Course, text);
    let start = Dialect::Course.start("m", "black", &rules("breakthrough:5x5"), (1, 5));
    assert_eq!(say(&start), "ready");
    assert_eq!(say("(PLAY m 0 NIL NIL)"), "noop");
    let answer = say("(PLAY m 1 NOOP ())");
    assert!(answer.starts_with("(move "), "{answer}");
    assert_eq!(say(&format!("(PLAY m 2 {answer} ())")), "noop");
    assert!(say("(PLAY m 3 NOOP ())").starts_with("(move "));
}

#[test]
fn who_thinks_on_the_opponents_time_answers_in_its_own() {
    let pondering = Options { ponder: true, ..options("engine") };
    let stage = Stage::with(pondering, ServerLimits::default());
    for (role, dialect) in [("white", Dialect::Base), ("black", Dialect::Course)] {
        let variant = "breakthrough:7x7";
        let contest =
            Contest { stage: &stage, dialect, variant, role, clock: 1, steps: 6, seed: 5 };
        contest.play(&mut |_, _| {});
    }
    let log = stage.log();
    assert!(log.iter().all(|line| !line.starts_with("note")), "{log:?}");
}
