//! The semantics of the language, and that no text makes a proof run for ever.

use proptest::prelude::*;

use super::*;
use crate::kif::{read, read_one};

const STEPS: u64 = 1_000_000;

fn prover(text: &str) -> Prover {
    Prover::new(&read(text).unwrap(), STEPS).unwrap()
}

/// The answers to `(next ?)` in the initial state, sorted.
fn next(text: &str) -> Result<Vec<String>, Stop> {
    let mut prover = prover(text);
    let start = prover.initial()?;
    let state = prover.next(&start, &[("you", Term::from("wait"))])?;
    let mut fluents: Vec<String> = prover.fluents(&state)?.iter().map(Term::to_string).collect();
    fluents.sort();
    Ok(fluents)
}

fn refused(text: &str) -> String {
    Prover::new(&read(text).unwrap(), STEPS).err().unwrap().to_string()
}

const NUMBERS: &str = "(num 1) (num 2) (num 3) (less 1 2) (less 2 3) (less 1 3) ";

#[test]
fn conditions_mean_what_they_say() {
    for (rule, expected) in [
        ("(num ?x)", "1 2 3"),
        ("(num ?x) (not (less ?x 3))", "3"),
        ("(not (less ?x 3)) (num ?x)", "3"),
        ("(num ?x) (distinct ?x 2)", "1 3"),
        ("(num ?x) (not (distinct ?x 2))", "2"),
        ("(or (less ?x 2) (less 2 ?x))", "1 3"),
        ("(num ?x) (not (or (less ?x 2) (less 2 ?x)))", "2"),
        ("(num ?x) (not (and (less ?x 3) (less 1 ?x)))", "1 3"),
        ("(or (and (num ?x) (less 2 ?x)) (less ?x 2))", "1 3"),
        ("(less ?x ?x)", ""),
        ("(num ?x) (true (seen ?x))", "2"),
        ("(does you ?x)", "wait"),
        ("(does me ?x)", ""),
    ] {
        let text = format!("{NUMBERS} (init (seen 2)) (<= (next ?x) {rule})");
        assert_eq!(next(&text).unwrap().join(" "), expected, "{rule}");
    }
}

#[test]
fn lists_are_taken_apart_and_put_together() {
    let text = "(init (at (a b) c)) (<= (next (swap ?y ?x)) (true (at (?x ?y) c)))
                (<= (next (pair ?x ?x)) (true (at ?x ?y))) (<= (next ?z) (eq (f ?z) (f (g 1))))
                (<= (eq ?x ?x) (thing ?x)) (thing (f (g 1))) (thing (f 2))";
    assert_eq!(next(text).unwrap(), ["(g 1)", "(pair (a b) (a b))", "(swap b a)"]);
}

#[test]
fn answers_follow_the_state() {
    let mut prover = prover(
        "(init (light off)) (<= (next (light on)) (true (light off)))
         (<= (next (light off)) (true (light on))) (<= (legal you ?x) (true (light ?x)))
         (<= terminal (true (light on))) (<= (goal YOU 100) terminal)",
    );
    let off = prover.initial().unwrap();
    let on = prover.next(&off, &[]).unwrap();
    for _ in 0..2 {
        assert!(!prover.is_terminal(&off).unwrap());
        assert!(prover.goals(&off, "you").unwrap().is_empty());
        assert!(prover.is_terminal(&on).unwrap());
        assert_eq!(prover.goals(&on, "You").unwrap(), [Term::from("100")]);
        assert_eq!(prover.legal(&on, "you").unwrap(), [Term::from("on")]);
    }
    assert_eq!(prover.next(&on, &[]).unwrap(), off);
    assert_eq!(prover.fluents(&on).unwrap(), [read_one("(light on)").unwrap()]);
}

#[test]
fn recursion_is_followed_while_it_leads_somewhere() {
    let succ: String = (1..60).map(|n| format!("(succ {n} {}) ", n + 1)).collect();
    let text = format!(
        "{succ} (<= (upto ?x ?x) (succ ?x ?y)) (<= (upto ?x ?z) (succ ?x ?y) (upto ?y ?z))
         (<= (next ?z) (upto 1 ?z))"
    );
    assert_eq!(next(&text).unwrap().len(), 59);
}

#[test]
fn endless_proofs_are_given_up() {
    let circular = "(<= (p ?x) (p ?x)) (<= (next ?x) (p ?x))";
    assert_eq!(next(circular), Err(Stop::Circular(read_one("(p ?)").unwrap())));
    let through_not = "(<= p (not q)) (<= q (not p)) (<= (next 1) p)";
    assert_eq!(next(through_not), Err(Stop::Circular(Term::from("p"))));
    let wide: String = (0..200).map(|n| format!("(num {n}) ")).collect();
    let wide = wide + "(<= (next 1) (num ?a) (num ?b) (num ?c) (num ?d) (distinct ?a ?a))";
    assert_eq!(next(&wide), Err(Stop::Steps));
    let chain: String = (0..300).map(|n| format!("(<= (p{n} ?x) (p{} ?x)) ", n + 1)).collect();
    assert_eq!(next(&(chain + "(<= (next ?x) (p0 ?x)) (p300 1)")), Err(Stop::Depth));
}

#[test]
fn terms_cannot_grow_without_end() {
    let steps: String =
        (0..40).map(|n| format!("(<= (p{} (f ?x ?x)) (p{n} ?x)) ", n + 1)).collect();
    assert_eq!(next(&(steps.clone() + "(p0 a) (<= (next ?x) (p40 ?x))")), Err(Stop::Size));
    // Many terms that share most of their parts take few steps to prove.
    let many: String = (0..1000).map(|n| format!("(num {n}) ")).collect();
    let many = steps + &many + "(p0 a) (<= (next (g ?x ?y)) (p8 ?x) (num ?y))";
    assert_eq!(next(&many), Err(Stop::Steps));
}

#[test]
fn a_prover_that_was_stopped_can_be_asked_again() {
    let mut prover = prover("(init a) (<= (next ?x) (next ?x)) (<= (legal you 1) (true a))");
    let start = prover.initial().unwrap();
    for _ in 0..2 {
        assert!(matches!(prover.next(&start, &[]), Err(Stop::Circular(_))));
        assert_eq!(prover.legal(&start, "you").unwrap(), [Term::from("1")]);
    }
}

#[test]
fn rules_that_mean_nothing_are_refused() {
    assert!(refused("(<= (p ?x) (not (q ?x)))").contains("gets no value"));
    assert!(refused("(<= (p ?x) (or (q ?x) (q ?y)))").contains("gets no value"));
    assert!(refused("(<= p (q ?x) (distinct ?x ?y))").contains("gets no value"));
    assert!(refused("(p ?x)").contains("the rule (p ?x): a variable gets no value"));
    assert!(refused("(<=)").contains("says nothing"));
    assert!(refused("(<= (true a) b)").contains("the language itself"));
    assert!(refused("((a) b)").contains("begin with a word"));
    assert!(refused("(<= a ((b)))").contains("begin with a word"));
    assert!(refused("(<= a (distinct b))").contains("not have the parts it needs"));
    let or = "(or a b c d) ".repeat(4);
    assert!(refused(&format!("(<= p {or})")).contains("too many alternatives"));
    assert!(refused(&format!("(<= p {})", "a ".repeat(300))).contains("too many conditions"));
}

/// Rules of few words, most of which are valid.
const SOME_RULE: &str = concat!(
    r"(\(<= |\()(\(next \?x\)|next|\(p \?x \(f \?y\)\)) ",
    r"(\((p|q|not|or|true) (\?x|\?y|a|\(p \?x\)|\(f \?y a\))( \?y| a)?\) ?){0,4}\)",
);

proptest! {
    #[test]
    fn any_rules_are_followed_or_refused(texts in prop::collection::vec(SOME_RULE, 0..8)) {
        let text = texts.join("\n") + "(q a) (q b) (p a (f b)) (init a)";
        if let Ok(mut prover) = Prover::new(&read(&text).unwrap(), 20_000)
            && let Ok(start) = prover.initial()
            && let Ok(next) = prover.next(&start, &[("you", Term::from("a"))])
        {
            let _ = prover.is_terminal(&next);
            prop_assert!(prover.fluents(&next).unwrap().iter().all(|fluent| !fluent.to_string().contains('?')));
        }
    }
}
