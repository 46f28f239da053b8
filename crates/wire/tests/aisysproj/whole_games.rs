//! Complete games, on servers that fail now and then: none is lost.

use std::sync::{Arc, Mutex};

use agon_core::Rng;
use agon_search::StopFlag;
use agon_wire::aisysproj::client::Event;

use crate::model::Model;
use crate::stage::{Act, Stage, ok, options, play};

/// A server that fails in one of several ways, about every third time.
fn faulty(model: Arc<Mutex<Model>>, seed: u64) -> Stage {
    let mut rng = Rng::new(seed);
    Stage::new(move |_, request| {
        let mut model = model.lock().unwrap();
        match rng.below(16) {
            // It was done, but the response is lost.
            0 => {
                model.answer(request, None);
                Act::Cut
            }
            1 => {
                model.answer(request, None);
                Act::Raw(b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{\"act".to_vec())
            }
            // It was half done.
            2 => {
                let after = rng.below(5) as usize;
                let answer = model.answer(request, Some(after));
                answer.map_or(Act::Reply(500, String::new()), |answer| ok(&answer))
            }
            3 => Act::Cut,
            4 => Act::Reply(503, "<html>busy</html>".into()),
            _ => ok(&model.answer(request, None).unwrap()),
        }
    })
}

fn plays(new: bool, setup: &'static str, parallel: usize, seed: u64) {
    const GAMES: u64 = 6;
    let model = Arc::new(Mutex::new(Model::new(new, setup)));
    let stage = faulty(model.clone(), seed);
    let mut options = options(GAMES);
    options.parallel = parallel;
    options.agent = "greedy".parse().unwrap();
    let played = stage.play(options);
    let totals = played.totals();
    let model = model.lock().unwrap();
    let case = format!("{new} {setup} {parallel} {seed}");
    assert_eq!((model.illegal, totals.refused), (0, 0), "{case}");
    // The totals are those of the finished runs.
    assert!(totals.finished >= GAMES, "{case}");
    assert_eq!(totals.finished, model.outcomes.len() as u64, "{case}\n{}", played.log.join("\n"));
    assert!(totals.errors > 0, "{case}");
    for (run, outcome) in &model.outcomes {
        let told = format!("Finished(Finished {{ run: \"{run}\", outcome: ");
        let line = played.log.iter().find(|line| line.starts_with(&told));
        let line = line.unwrap_or_else(|| panic!("{case}: {run} was not told"));
        let known = format!("{told}Some({outcome:?})");
        // The outcome is unknown only if the response with it was lost, or never sent.
        assert!(line.starts_with(&known) || line.starts_with(&format!("{told}None")), "{line}");
    }
    assert_eq!(totals.rated == 0, !new, "{case}");
}

#[test]
fn no_game_is_lost_in_version_1() {
    for seed in 0..4 {
        plays(true, "star2,limit=40", 5, seed);
        plays(true, "star2,limit=40", 1, seed);
    }
    plays(true, "star3,limit=40", 3, 0);
}

#[test]
fn no_game_is_lost_in_version_0() {
    for seed in 0..4 {
        plays(false, "star2,limit=40", 5, seed);
        plays(false, "star2,limit=40", 2, seed);
    }
    plays(false, "star2,limit=40", 1, 0);
    plays(false, "star3,limit=40", 5, 0);
}

#[test]
fn a_server_that_cannot_write_for_a_while_costs_no_game() {
    for new in [true, false] {
        let model = Arc::new(Mutex::new(Model::new(new, "star2,limit=40")));
        let shared = model.clone();
        let mut failures = 30;
        // Requests are answered; whatever would change something fails.
        let stage = Stage::new(move |_, request| {
            let acts = request["actions"].as_array().is_some_and(|actions| !actions.is_empty());
            if acts && failures > 0 {
                failures -= 1;
                return Act::Reply(500, "disk full".into());
            }
            ok(&shared.lock().unwrap().answer(request, None).unwrap())
        });
        let totals = stage.play(options(3)).totals();
        let model = model.lock().unwrap();
        assert_eq!((totals.refused, model.illegal), (0, 0));
        assert_eq!(totals.finished, model.outcomes.len() as u64);
        assert!(totals.errors >= 30);
        assert!(stage.requests().iter().all(|request| request.get("to_abandon").is_none()));
    }
}

#[test]
fn a_client_that_is_started_again_goes_on_where_it_was() {
    for new in [true, false] {
        let model = Arc::new(Mutex::new(Model::new(new, "star2,limit=40")));
        let shared = model.clone();
        let stage = Stage::new(move |_, request| {
            ok(&shared.lock().unwrap().answer(request, None).unwrap())
        });
        let (mut finished, mut resumed) = (0, 0);
        while finished < 6 {
            // Each one is stopped after some moves.
            let stop = StopFlag::default();
            let mut moves = 0;
            let mut deeper = options(0);
            deeper.depth = Some(4);
            let played = play(stage.config(), deeper, &stop, &mut |event| match event {
                Event::Moved(_) => {
                    moves += 1;
                    if moves == 37 {
                        stop.stop();
                    }
                }
                Event::Taken { number, .. } => resumed += usize::from(*number > 0),
                _ => {}
            });
            finished += played.totals().finished;
        }
        let model = model.lock().unwrap();
        assert!(resumed > 5 && model.illegal == 0);
        assert_eq!(finished, model.outcomes.len() as u64);
        // The agent is far better than chance.
        let points: f64 = model.outcomes.values().sum();
        assert!(points >= finished as f64 * 0.8, "{points} of {finished}");
    }
}
