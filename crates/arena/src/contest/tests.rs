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
    Environments::read(FILE).unwrap()
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
        broken = Run::read(&broken.document()).unwrap();
        broken.act(environment, &action).unwrap();
        assert_eq!(straight.document(), broken.document());
    }
    assert!(Run::read("{}").is_err());
}

#[test]
fn ratings_earn_what_they_surpass() {
    let environments = environments();
    let star = environments.find("star").unwrap();
    assert_eq!(star.points, [2.0, 1.0, 0.0]);
    let earned = [0.5, 0.52, 1.5, 1.51].map(|rating| star.earned(rating));
    assert_eq!(earned, [0.0, 60.0, 60.0, 70.0]);
    assert_eq!((star.worst(), star.worth(1), star.worth(9)), (0.0, 2.0, 0.0));
}

#[test]
fn bad_files_are_told_what_is_wrong() {
    let with = |line: &str| {
        let text = format!("[[environment]]\nid = \"e\"\nvariant = \"congo\"\n{line}");
        Environments::read(&text).unwrap_err()
    };
    for (line, words) in [
        ("opponents = []", "congo is for 2"),
        ("opponents = [{ agent = \"enigne\" }]", "did you mean engine"),
        ("opponents = [{ agent = \"engine\", node = 5 }]", "node"),
        ("opponents = [{ agent = \"random\" }]\npoints = [1]", "2 places"),
        ("opponents = [{ agent = \"random\" }]\nwindow = 0", "window"),
        ("opponents = [{ agent = \"random\" }]\nbegins = \"me\"", "agent"),
    ] {
        let error = with(line);
        assert!(error.contains(words), "{line}: {error}");
    }
    assert!(Environments::built_in().is_ok());
}
