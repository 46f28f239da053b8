use agon_games::Catalog;
use serde_json::Value;

use super::*;

const FILE: &str = r#"
    [[environment]]
    id = "star"
    variant = "fauhalma:star3"
    opponents = [{ agent = "greedy" }, { agent = "engine", nodes = 200 }]
    thresholds = [{ above = 0.5, points = 60 }, { above = 1.5, points = 70 }]

    [[environment]]
    id = "small"
    variant = "breakthrough:3x5"
    opponents = [{ agent = "random" }]
    begins = "opponent"
    points = [1, 0]
"#;

fn environments() -> Environments {
    Environments::read(&Catalog::built_in(), FILE).unwrap()
}

/// Answers with the first legal move, in its own view.
fn first_move(run: &Run) -> Value {
    let percept = run.percept();
    if let Some(moves) = percept["moves"].as_array() {
        return moves[0].clone();
    }
    let table = agon_games::open_at::<&str>(
        run.session().table().variant(),
        Some(&percept.to_string()),
        &[],
    );
    serde_json::from_str(&table.unwrap().moves()[0]).unwrap()
}

#[test]
fn a_run_is_always_the_agents_turn_until_it_is_over() {
    let environments = environments();
    for id in ["star", "small"] {
        let environment = environments.find(id).unwrap();
        let mut seats = Vec::new();
        for seed in 0..6 {
            let mut run = Run::begin(environment, seed).unwrap();
            seats.push(run.seat().index());
            let mut acts = 0;
            while run.outcome(environment).is_none() && acts < 60 {
                assert_eq!(run.session().to_move(), Some(run.seat()));
                assert!(run.act(environment, &Value::Null).is_err());
                let action = first_move(&run);
                run.act(environment, &action).unwrap();
                acts += 1;
                assert_eq!(run.acts(), acts);
            }
            if let Some(outcome) = run.outcome(environment) {
                assert!(environment.points.contains(&outcome));
                assert_eq!(run.act(environment, &Value::Null), Err(Refused::Over));
            }
        }
        assert!(id == "star" || seats.iter().all(|seat| *seat == 1), "{seats:?}");
    }
}

#[test]
fn a_run_that_is_taken_up_goes_on_as_it_would_have() {
    let environments = environments();
    let environment = environments.find("star").unwrap();
    let mut straight = Run::begin(environment, 5).unwrap();
    let mut broken = Run::begin(environment, 5).unwrap();
    for _ in 0..12 {
        let action = first_move(&straight);
        straight.act(environment, &action).unwrap();
        broken = Run::read(&Catalog::built_in(), &broken.document().unwrap()).unwrap();
        broken.act(environment, &action).unwrap();
        assert_eq!(straight.document().unwrap(), broken.document().unwrap());
    }
    assert!(Run::read(&Catalog::built_in(), "{}").is_err());
}

#[test]
fn ratings_earn_what_they_surpass() {
    let environments = environments();
    let star = environments.find("star").unwrap();
    assert_eq!(star.points, [2.0, 1.0, 0.0]);
    let earned = [0.5, 0.52, 1.5, 1.51].map(|rating| star.earned(rating));
    assert_eq!(earned, [0.0, 60.0, 60.0, 70.0]);
    assert_eq!(star.worst(), 0.0);
    let worth = |places: [u8; 3]| [0, 1, 2].map(|seat| star.worth(&places, seat).unwrap());
    assert_eq!(worth([2, 1, 3]), [1.0, 2.0, 0.0]);
    assert_eq!(worth([1, 1, 1]), [1.0; 3], "nobody came home");
    assert_eq!(worth([2, 1, 2]), [0.5, 2.0, 0.5]);
    assert_eq!(worth([1, 3, 1]), [1.5, 0.0, 1.5]);
    assert_eq!(star.worth(&[1, 2, 3], 3), None);
    let strict = Environment { ties: Ties::Lose, ..star.clone() };
    let worth = |places: [u8; 3]| [0, 1, 2].map(|seat| strict.worth(&places, seat).unwrap());
    assert_eq!(worth([1, 1, 1]), [0.0; 3], "who never leaves gets nothing");
    assert_eq!(worth([2, 1, 2]), [0.0, 2.0, 0.0]);
}

#[test]
fn bad_files_are_told_what_is_wrong() {
    let with = |line: &str| {
        let text = format!("[[environment]]\nid = \"e\"\nvariant = \"congo\"\n{line}");
        Environments::read(&Catalog::built_in(), &text).unwrap_err()
    };
    for (line, words) in [
        ("opponents = []", "congo is for 2 players"),
        ("opponents = [{ agent = \"enigne\" }]", "did you mean engine"),
        ("opponents = [{ agent = \"engine\", node = 5 }]", "node"),
        ("opponents = [{ agent = \"random\" }]\npoints = [1]", "2 places"),
        ("opponents = [{ agent = \"random\" }]\nwindow = 0", "window"),
        ("opponents = [{ agent = \"random\" }]\nbegins = \"me\"", "agent"),
    ] {
        let error = with(line);
        assert!(error.contains(words), "{line}: {error}");
    }
    assert!(Environments::built_in(&Catalog::built_in()).is_ok());
}

/// A desk of an account, with numbers and seeds for its runs.
struct Office {
    environments: Environments,
    desk: Desk,
    next: u64,
}

impl Office {
    fn new() -> Office {
        let environments = environments();
        let small = environments.find("small").unwrap();
        let desk = Desk::open(small, "ann", &[], Rating::new(50, &[], 0, None), 0).unwrap();
        Office { environments, desk, next: 1 }
    }

    fn asked(&mut self, most: usize) -> Vec<ActionRequest> {
        let small = self.environments.find("small").unwrap();
        let next = &mut self.next;
        let mut begin = || {
            *next += 1;
            *next - 1
        };
        self.desk.schedule(small, most, &mut begin).unwrap()
    }

    fn numbers(&mut self, most: usize) -> Vec<(u64, u64)> {
        self.asked(most).iter().map(|asked| (asked.run, asked.act_no)).collect()
    }

    fn answer(&mut self, run: u64, act_no: u64, action: &Value) -> Acted {
        let small = self.environments.find("small").unwrap();
        self.desk.act(small, run, act_no, action)
    }

    /// Answers with the first of the moves that are shown.
    fn go(&mut self, run: u64, act_no: u64) -> Acted {
        let asked = self.asked(5);
        let asked = asked.iter().find(|asked| asked.run == run).unwrap();
        let action = asked.percept["moves"][0].clone();
        self.answer(run, act_no, &action)
    }
}

#[test]
fn who_has_not_answered_is_asked_again_and_nothing_new_begins() {
    let mut office = Office::new();
    let first = [(1, 0), (2, 0), (3, 0), (4, 0), (5, 0)];
    assert_eq!(office.numbers(5), first);
    assert_eq!(office.numbers(5), first, "a client may crash and come back");
    assert_eq!(office.go(1, 0), Acted::Accepted);
    assert_eq!(office.go(3, 0), Acted::Accepted);
    assert_eq!(office.numbers(5), [(2, 0), (4, 0), (5, 0)]);
    assert_eq!(office.numbers(1), [(2, 0)]);
    for run in [2, 4, 5] {
        office.go(run, 0);
    }
    assert_eq!(office.numbers(1), [(1, 1)]);
    assert_eq!(office.numbers(5), [(1, 1)], "only that one was asked for");
    office.go(1, 1);
    assert_eq!(office.numbers(5).len(), 5);
}

#[test]
fn what_happens_to_an_account_does_not_depend_on_the_others() {
    let environments = environments();
    let small = environments.find("small").unwrap();
    let percepts = |agent: &str, seed: u64, first: u64| {
        let rating = Rating::new(50, &[], 0, None);
        let mut desk = Desk::open(small, agent, &[], rating, seed).unwrap();
        let mut next = first;
        let mut begin = || {
            next += 3;
            next
        };
        let asked = desk.schedule(small, 5, &mut begin).unwrap();
        asked.into_iter().map(|asked| asked.percept).collect::<Vec<_>>()
    };
    let expected = percepts("ann", 1, 0);
    assert_eq!(percepts("ann", 1, 100), expected, "other numbers, the same games");
    assert!(expected.iter().any(|percept| *percept != expected[0]), "not all alike");
    assert_ne!(percepts("ben", 1, 0), expected);
    assert_ne!(percepts("ann", 2, 0), expected);
}

#[test]
fn answers_that_do_not_fit_change_nothing() {
    let mut office = Office::new();
    office.numbers(5);
    let changes = office.desk.take_changes().unwrap();
    assert_eq!(changes.len(), 5);
    assert!(matches!(office.answer(1, 0, &Value::Null), Acted::Illegal(_)));
    assert_eq!(office.answer(1, 1, &Value::Null), Acted::WrongNumber);
    assert_eq!(office.answer(9, 0, &Value::Null), Acted::NotOpen);
    assert_eq!(office.desk.take_changes().unwrap(), []);
    assert_eq!(office.numbers(5).len(), 5);
    office.go(1, 0);
    let again = office.answer(1, 0, &Value::Null);
    assert_eq!(again, Acted::WrongNumber, "the same answer twice");
    assert_eq!(office.desk.take_changes().unwrap().len(), 1);
}

#[test]
fn runs_end_once_and_are_rated() {
    let mut office = Office::new();
    let mut outcomes = Vec::new();
    while outcomes.len() < 20 {
        for asked in office.asked(5) {
            let action = asked.percept["moves"][0].clone();
            if let Acted::Finished(outcome) = office.answer(asked.run, asked.act_no, &action) {
                outcomes.push(outcome);
                let again = office.answer(asked.run, asked.act_no + 1, &action);
                assert_eq!(again, Acted::NotOpen, "what is finished stays finished");
            }
        }
    }
    let small = office.environments.find("small").unwrap();
    let open = office.desk.open_runs().next().unwrap();
    assert_eq!(office.desk.abandon(small, open), Some(0.0));
    assert_eq!(office.desk.abandon(small, open), None);
    outcomes.push(0.0);
    let mean = outcomes.iter().sum::<f64>() / outcomes.len() as f64;
    assert_eq!(office.desk.rating().current(), Some(mean));
    let finished = office.desk.take_changes().unwrap();
    let finished =
        finished.iter().filter(|it| matches!(it, crate::store::RunChange::Finish { .. }));
    assert_eq!(finished.count(), 21);
}
