//! Which runs are over.

use serde_json::json;

use crate::stage::{Act, Stage, none, ok, options, v0, v1};

#[test]
fn outcomes_are_counted_once_and_make_the_rating() {
    let stage = Stage::new(|number, _| match number {
        0 => ok(&v1(&[("1", 0)], &none())),
        // The same outcome reported again, as by a server that lets finished runs be played on.
        number => {
            let finished = json!({"1": 1, (number.to_string()): number % 2});
            ok(&v1(&[((number + 1).to_string().as_str(), 0)], &finished))
        }
    });
    let totals = stage.play(options(60)).totals();
    assert_eq!((totals.finished, totals.rated, totals.window), (60, 60, 50));
    // Every other one is won, and the last fifty are 11 to 60.
    assert_eq!((totals.mean, totals.best), (Some(0.5), Some(0.5)));
}

#[test]
fn in_version_0_only_a_full_list_shows_what_is_over() {
    let stage = Stage::new(|number, _| match number {
        0 => ok(&v0(&["40#1", "7#3", "8#0"])),
        // One is left over: only that is in the list.
        1 => ok(&v0(&["40#1"])),
        // 7 is over, 8 goes on; 41 is new.
        2 => ok(&v0(&["41#0", "40#2", "8#1"])),
        // More are open than are listed: nothing is known about 40 and 41.
        3 => ok(&v0(&["8#2"])),
        // 8 is over.
        4 => ok(&v0(&["40#3", "41#1"])),
        _ => Act::Reply(404, String::new()),
    });
    let mut two = options(0);
    two.parallel = 3;
    let played = stage.play(two);
    // The client answers everything that is listed, so the second list is odd, but no run is lost.
    let finished: Vec<&String> =
        played.log.iter().filter(|line| line.starts_with("Finished")).collect();
    assert_eq!(finished.len(), 2, "{finished:?}");
    assert!(finished[0].contains("run: \"7\"") && finished[0].contains("moves: 4"));
    assert!(finished[1].contains("run: \"8\"") && finished[1].contains("moves: 3"));
}

#[test]
fn what_somebody_else_has_finished_is_not_counted() {
    let stage = Stage::new(|number, _| match number {
        0 => ok(&v1(&[("1", 0), ("2", 0)], &none())),
        1 => ok(&v1(&[("1", 1)], &none())),
        _ => Act::Reply(404, String::new()),
    });
    let mut one = options(0);
    one.parallel = 1;
    let played = stage.play(one);
    assert_eq!(played.count("Finished"), 0);
}
