//! A program that is not asked anything does not run.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use agon_isolation::{Level, use_cgroups};
use agon_wire::process::{Launch, Program};

use crate::has;
use crate::stage::Stage;
use crate::talk::{asked, greeted, launch, soon};

/// The processor time of a process and its descendants, in nanoseconds.
fn tree_time(process: u32) -> u64 {
    let tasks = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    tasks
        .map(|task| {
            let read = |name: &str| fs::read_to_string(task.path().join(name)).unwrap_or_default();
            let own = read("schedstat");
            let own = own.split(' ').next().and_then(|text| text.parse().ok()).unwrap_or(0);
            let children = read("children");
            let children = children.split_whitespace().filter_map(|child| child.parse().ok());
            own + children.map(tree_time).sum::<u64>()
        })
        .sum()
}

/// The processor time that a program with this attack used after an answer: the median of some moves,
/// as this machine may have other things to do than to freeze it in time.
fn stolen(attack: &str, pondering: bool, cgroups: bool) -> Duration {
    let stage = Stage::enter();
    use_cgroups(cgroups);
    let launch = Launch { isolation: Level::Sandbox, pondering, ..launch(attack) };
    let mut program = greeted(&launch);
    let mut used = Vec::new();
    for _ in 0..7 {
        assert!(asked(&mut program, soon()).unwrap().is_some());
        program.rest();
        let before = tree_time(program.pid());
        thread::sleep(Duration::from_millis(60));
        used.push(tree_time(program.pid()).saturating_sub(before));
    }
    drop(program);
    use_cgroups(true);
    stage.leave();
    used.sort_unstable();
    Duration::from_nanos(used[used.len() / 2])
}

#[test]
fn busy_threads_get_no_time_while_others_think() {
    if !has(Level::Sandbox) {
        return;
    }
    // By a control group, where one can be made, and by our first process.
    for cgroups in [true, false] {
        for attack in
            ["steal-cpu --amount 1", "steal-cpu", "busy-children", "thaw-itself", "cheer-on"]
        {
            let stolen = stolen(attack, false, cgroups);

            assert!(stolen < Duration::from_millis(2), "{attack} stole {stolen:?}");
        }
    }
    // Where thinking on the opponent's time is allowed, they do get it: the measurement works.
    assert!(stolen("steal-cpu --amount 2", true, true) > Duration::from_millis(20));
}

#[test]
fn a_frozen_program_answers_when_it_is_asked_again() {
    if !has(Level::Sandbox) {
        return;
    }
    [true, false].into_iter().for_each(frozen_and_asked);
}

fn frozen_and_asked(cgroups: bool) {
    let stage = Stage::enter();
    use_cgroups(cgroups);
    let launch = Launch { isolation: Level::Sandbox, ..launch("nothing --answer a1a2") };
    let mut program: Program = greeted(&launch);
    for pause in [0, 1, 2, 5, 30, 300] {
        program.rest();
        thread::sleep(Duration::from_millis(pause));
        let begun = Instant::now();
        let answer = asked(&mut program, soon()).unwrap().unwrap();
        assert_eq!(answer, "bestmove a1a2", "after {pause} ms");
        assert!(begun.elapsed() < Duration::from_secs(5));
    }
    // Frozen, it still ends when it is told to.
    program.rest();
    thread::sleep(Duration::from_millis(20));
    program.close("quit\n", Duration::from_secs(5)).unwrap();
    use_cgroups(true);
    stage.leave();
}
