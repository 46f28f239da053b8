//! Texts that are not ours: other games, scrambled ones, and flawed versions of Breakthrough.

use super::*;

fn unknown(text: &str) -> Unknown {
    match recognise(&read(text).unwrap()) {
        Ok(reading) => panic!("taken for Breakthrough: {reading:?}\n{text}"),
        Err(unknown) => unknown,
    }
}

/// Replaces `from`, which must occur in the text.
fn changed(text: &str, from: &str, to: &str) -> String {
    let changed = text.replacen(from, to, 1);
    assert_ne!(changed, text, "{from}");
    changed
}

/// Changes to our text that turn it into another game: what is replaced, by what, and part of the
/// reason given.
#[rustfmt::skip]
const MUTATIONS: &[(&str, &str, &str)] = &[
    // Without noop, with noop for everybody.
    ("(not (true (control ?role)))", "(other ?role ?role)", "noop"),
    ("(not (true (control ?role)))", "(true (control white))", "noop"),
    // Pawns that go two columns aside, as knights do, and that capture straight ahead.
    ("(beside ?x1 ?x2)\n    (diagonal", "(beside ?x1 ?x) (beside ?x ?x2)\n    (diagonal", "the text allows"),
    ("(not (occupied ?x ?y2))", "(not (true (pawn ?role ?x ?y2)))", "the text allows"),
    // Captured pawns that stay, and two turns in a row.
    ("(not (touched ?x ?y))", "(not (does ?role (move ?x ?y ?x ?y)))", "the text allows"),
    ("(other ?role ?them)\n    (true (control", "(role ?role)\n    (true (control", "the text allows"),
    // Other points, and several at once.
    ("(goal ?role 100)", "(goal ?role 99)", "gets 99 by the text, not 100"),
    ("(goal ?role 0)", "(goal ?role 1)", "gets 1 by the text, not 0"),
    ("(not decided))", "(role ?role))", "and 50 by the text, not"),
    ("(<= (goal ?role 100)", "(<= (gaol ?role 100)", "gets no points by the text"),
    // Another far row.
    ("(far black 1)", "(far black 2)", ""),
    // A double step, where there is room.
    ("; The moves.", "(<= (legal white (move ?x 2 ?x 4)) (true (control white))
        (true (pawn white ?x 2)) (row 4) (not (occupied ?x 3)) (not (occupied ?x 4)))", "the text allows white"),
];

/// The same for the course's rules only.
#[rustfmt::skip]
const COURSE_MUTATIONS: &[(&str, &str, &str)] = &[
    ("(goal ?role 50)", "(goal ?role 0)", "gets 0 by the text, not 50"),
    ("(not (mobile ?role))", "(not (role ?role))", "no legal move), but not by the text"),
    ("(other ?role ?them)\n    (true (pawn ?them ?x ?y)))", "(role ?role)\n    (true (pawn ?them ?x ?y)))", "the text allows"),
    ("(true (pawn ?them ?x ?y)))", "(true (pawn ?them ?x ?y))\n    (won ?them))", "at the start it is over by the text"),
];

/// The same for the classic rules only.
#[rustfmt::skip]
const CLASSIC_MUTATIONS: &[(&str, &str, &str)] = &[
    ("(alive ?role)\n    (other", "(alive ?them)\n    (other", "no pawns left), but not by the text"),
    ("(not (true (pawn ?role ?x ?y))))", "(role ?role))", "the text allows"),
];

#[test]
fn other_games_are_not_breakthrough() {
    for size in ["5x5", "10x10", "4x9", "3x4", "2x4"] {
        for (rules, own) in [("", COURSE_MUTATIONS), (",classic", CLASSIC_MUTATIONS)] {
            let text = ours(&format!("breakthrough:{size}{rules}"));
            for (from, to, reason) in MUTATIONS.iter().chain(own) {
                let unknown = unknown(&changed(&text, from, to));
                assert!(unknown.to_string().contains(reason), "{size}{rules} {to}: {unknown}");
                assert!(!unknown.is_scrambled());
            }
        }
    }
}

#[test]
fn goals_must_not_be_swapped() {
    let text = ours("breakthrough:5x5").replace("(goal ?role 100)", "(goal ?role draw)");
    let text = text.replace("(goal ?role 0)", "(goal ?role 100)");
    let unknown = unknown(&text.replace("(goal ?role draw)", "(goal ?role 0)")).to_string();
    assert!(unknown.contains("gets 0 by the text, not 100"), "{unknown}");
}

#[test]
fn differences_are_told_in_one_line() {
    let text = changed(&ours("breakthrough:8x8"), "(not (occupied ?x ?y2))", "(column ?x)");
    assert_eq!(
        unknown(&text).to_string(),
        "on 3x4, at the start the text allows white (move 1 1 1 2), Breakthrough does not"
    );
}

#[test]
fn roles_and_sizes_must_be_stated() {
    let text = ours("breakthrough:5x5");
    let reason = |from, to| unknown(&changed(&text, from, to)).to_string();
    let swapped = changed(&text, "(role white)\n(role black)", "(role black)\n(role white)");
    let roles = "not white and black in this order";
    assert_eq!(unknown(&swapped).to_string(), format!("the roles are black, white, {roles}"));
    assert!(reason("(role white)\n", "(role white)\n(role red)\n").contains("white, red, black"));
    assert_eq!(reason("(width 5)", ""), "width is not stated");
    assert_eq!(reason("(width 5)", "(width 5) (width 6)"), "width is stated twice");
    assert_eq!(reason("(width 5)", "(width 11)"), "there is no board with width 11");
    assert_eq!(reason("(width 5)", "(width 1)"), "there is no board with 1 columns and 5 rows");
    assert!(recognise(&[]).unwrap_err().to_string().contains("the roles are missing"));
    let twice = changed(&text, "(width 5)", "(width 5) (width 5)");
    assert_eq!(known(&twice).doubt, None);
}

/// Noughts and crosses with the roles white and black and a board of 4 by 4.
const NOUGHTS: &str = "
    (role white) (role black) (width 4) (height 4)
    (index 1) (index 2) (index 3) (index 4)
    (<= (init (cell ?x ?y b)) (index ?x) (index ?y))
    (init (control white))
    (<= (legal ?r (mark ?x ?y)) (true (cell ?x ?y b)) (true (control ?r)))
    (<= (legal ?r noop) (role ?r) (not (true (control ?r))))
    (<= (next (cell ?x ?y ?r)) (does ?r (mark ?x ?y)))
    (<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)) (does ?r (mark ?m ?n))
        (or (distinct ?x ?m) (distinct ?y ?n)))
    (<= (next (control white)) (true (control black)))
    (<= (next (control black)) (true (control white)))
    (<= (line ?r) (index ?x) (role ?r) (true (cell ?x 1 ?r)) (true (cell ?x 2 ?r))
        (true (cell ?x 3 ?r)) (true (cell ?x 4 ?r)))
    (<= (goal ?r 100) (line ?r))
    (<= (goal ?r 0) (role ?r) (not (line ?r)))
    (<= open (true (cell ?x ?y b)))
    (<= terminal (line ?r))
    (<= terminal (not open))";

#[test]
fn noughts_and_crosses_is_something_else() {
    assert_eq!(
        unknown(NOUGHTS).to_string(),
        "on 3x4, at the start the text allows white (mark 1 1), Breakthrough does not"
    );
}

/// Replaces all words except keywords and numbers.
fn scrambled(text: &str) -> String {
    const KEPT: &str = "<= role init true does next legal goal terminal not or distinct";
    let other = |word: &str| -> Box<str> {
        let is_kept = KEPT.split(' ').any(|kept| kept == word);
        if is_kept || word.starts_with('?') || word.parse::<u8>().is_ok() {
            return word.into();
        }
        word.chars().rev().chain("ik".chars()).collect::<String>().into()
    };
    read(text).unwrap().iter().map(|rule| rule.map_words(&other).to_string() + "\n").collect()
}

#[test]
fn scrambled_words_are_told_from_other_games() {
    for variant in ["breakthrough:5x4", "breakthrough:9x9,classic", "breakthrough:3x7"] {
        let text = scrambled(&ours(variant));
        assert!(text.contains("(role etihwik)"), "{text}");
        let unknown = unknown(&text.to_uppercase());
        assert!(unknown.is_scrambled());
        let reason = format!("its words are scrambled; in our words it is {variant}");
        assert_eq!(unknown.to_string(), reason);
    }
    let unknown = unknown(&scrambled(NOUGHTS));
    assert!(!unknown.is_scrambled() && unknown.to_string().contains("the roles are etihwik"));
}

#[test]
fn flaws_on_large_boards_are_doubts() {
    let text = changed(
        &ours("breakthrough:10x10"),
        "(column ?next))",
        "(column ?next)\n (not (lost ?x)))\n (<= (lost 1) (width 10))",
    );
    let reading = known(&text);
    let start = "1ppppppppp/1ppppppppp/10/10/10/10/10/10/1PPPPPPPPP/1PPPPPPPPP w";
    assert_eq!(reading.start.as_deref(), Some(start));
    assert!(reading.doubt.unwrap().contains("not the usual start"));

    let text = changed(
        &ours("breakthrough:5x10"),
        "(not (touched ?x ?y))",
        "(not (touched ?x ?y))\n (not (lost ?y)))\n (<= (lost 1) (height 10)",
    );
    let reading = known(&text);
    assert_eq!((reading.variant, reading.start), (variant("breakthrough:5x10"), None));
    assert!(reading.doubt.unwrap().contains("/PPPP1/5 b by the text, not "));
}

#[test]
fn pawns_that_cannot_be_read_are_a_doubt() {
    let text = ours("breakthrough:6x6").replace("(pawn ?role", "(pawn (of ?role)");
    let reading = known(&text.replace("(pawn ?them", "(pawn (of ?them)"));
    assert_eq!((reading.variant, reading.start), (variant("breakthrough:6x6"), None));
    assert!(reading.doubt.unwrap().contains("it contains no pawns"));
}

#[test]
fn texts_that_take_too_long_are_known_with_a_doubt_or_not_at_all() {
    let text = ours("breakthrough:6x6");
    let dear = |rows: usize| {
        let rows: String = (0..rows).map(|n| format!("(row ?y{n}) ")).collect();
        format!("{text} (<= terminal (true (control ?role)) {rows} (distinct 1 1))")
    };
    let reading = known(&dear(7));
    assert_eq!(reading.variant, variant("breakthrough:6x6"));
    assert!(reading.doubt.unwrap().contains("the comparison ended after position "));
    assert_eq!(
        unknown(&dear(12)).to_string(),
        "it cannot be evaluated: a proof takes too many steps"
    );
    let circular = format!("{text} (<= terminal (ends 1)) (<= (ends ?x) (ends ?x))");
    assert!(unknown(&circular).to_string().ends_with("the rules for (ends 1) are circular"));
    let meaningless = format!("{text} (<= terminal (not (ends ?x)))");
    assert!(unknown(&meaningless).to_string().contains("gets no value"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn damaged_texts_are_read_or_refused(
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0..4u8), 1..6),
    ) {
        let mut rules = read(&ours("breakthrough:3x4")).unwrap();
        for (place, change) in changes {
            let place = place.index(rules.len());
            match change {
                0 => drop(rules.remove(place)),
                1 => rules.swap(0, place),
                2 => if let Term::List(parts) = &mut rules[place] { drop(parts.pop()) },
                _ => if let Term::List(parts) = &mut rules[place] { parts.reverse() },
            }
        }
        if let Ok(reading) = recognise(&rules) {
            prop_assert_eq!(reading.variant.game(), "breakthrough");
        }
    }
}
