//! Attacks in games against an honest program: it never loses by them.

use std::fs;
use std::time::Duration;

use agon_arena::clock::TimeControl;
use agon_arena::remote::Settings;
use agon_arena::{Match, News, Openings, Pace, Registry};
use agon_isolation::{Level, use_cgroups};
use agon_search::StopFlag;
use agon_wire::ugi::UgiAgents;

use crate::has;
use crate::hostile::hostile;
use crate::stage::Stage;

/// Attacks after which the attacker plays on as if nothing had happened: so does its opponent, and the
/// games are those of two honest programs.
const WITHOUT_EFFECT: &[&str] = &[
    "steal-cpu",
    "busy-children",
    "thaw-itself",
    "all-threads",
    "kill-everything",
    "stop-everything",
    "trace-everything",
    "write-to-everything",
    "limit-everything",
    "cheer-on",
    "huge-pages-in-pipes",
    "hidden-memory",
    "unseen-memory",
    "many-files",
    "memory-in-files",
    "delete-everything",
    "spy",
    // In a cell nobody gets away, so these are only processes of its own, which end with it.
    "children",
    "children-detached --pause 100",
    "children-bare --pause 100",
    "children-fleeing",
];

/// Attacks that cost the attacker its game, and what is said of it.
const PUNISHED: &[(&str, &str)] = &[
    ("fork-bomb", "processes"),
    ("memory --amount 1000", "memory"),
    ("kill-the-cell", "crash: killed by SIGKILL"),
    ("page-tables", "memory"),
    ("socket-buffers --pause 500", "memory"),
    ("flood-errors", "output"),
    ("crash", "crash"),
    ("hang", "stalled"),
];

/// What control groups stop in another way than our own processes do.
const BY_CGROUPS: &[&str] = &["steal-cpu", "all-threads", "fork-bomb", "memory --amount 1000"];

/// Plays two games of an attacker against an honest program, and says how they ended.
fn games(attack: &str, cgroups: bool) -> Vec<String> {
    let stage = Stage::enter();
    use_cgroups(cgroups);
    let folder = tempfile::tempdir().unwrap();
    let registry = Registry::built_in().with(UgiAgents).with_isolation(Level::Sandbox);
    let agent = |arguments: &str| {
        let program = shell_words::quote(hostile().to_str().unwrap()).into_owned();
        let mut settings = Settings { folder: Some(folder.path().into()), ..Settings::default() };
        settings.limits.memory = 200 << 20;
        let text = format!("ugi:{program} {arguments} --game breakthrough:5x5");
        registry.agent(&text, &settings).unwrap()
    };
    let time = TimeControl { game: None, per_move: Some(Duration::from_millis(1500)) };
    let it = Match {
        catalog: agon_games::Catalog::built_in(),
        variant: "breakthrough:5x5".parse().unwrap(),
        agents: vec![agent(attack), agent("nothing")],
        games: 2,
        pace: Pace { time, ..Pace::default() },
        openings: Openings::Start,
        seed: 1,
        concurrency: 2,
        sprt: None,
        replay_disturbed: false,
        reference_speed: None,
    };
    let mut endings = Vec::new();
    it.play(None, &StopFlag::default(), &mut |news| {
        if let News::Game { game, .. } = news {
            let summary = &game.summary;
            let blamed = summary.offence().map(|(seat, _)| summary.seating[seat]);
            assert_ne!(blamed, Some(1), "{attack}: the honest one is blamed: {}", summary.ending());
            endings.push(summary.ending().to_string());
        }
    })
    .unwrap_or_else(|error| panic!("{attack}: {error}"));
    assert_eq!(endings.len(), 2, "{attack}");
    let left = fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(left, 0, "{attack} left files");
    use_cgroups(true);
    stage.leave();
    endings
}

/// System V segments and files that exist on this machine.
fn traces() -> (usize, usize) {
    let segments = fs::read_to_string("/proc/sysvipc/shm").unwrap_or_default().lines().count();
    let files = ["/tmp", "/dev/shm", "/var/tmp"].into_iter().flat_map(fs::read_dir);
    let ours = files.flatten().flatten().filter(|file| {
        file.file_name().to_string_lossy().starts_with("agon-many")
            || file.file_name().to_string_lossy().starts_with("agon-hold")
    });
    (segments, ours.count())
}

#[test]
fn no_attack_costs_an_honest_opponent_anything() {
    if !has(Level::Sandbox) {
        return;
    }
    let (before, quiet) = (traces(), games("nothing", true));
    let with_effect = PUNISHED.iter().map(|(attack, fault)| (*attack, Some(*fault)));
    let all = WITHOUT_EFFECT.iter().map(|attack| (*attack, None)).chain(with_effect);
    for (attack, fault) in all {
        // As on machines where no control groups can be made, and with them.
        let forms: &[bool] = if BY_CGROUPS.contains(&attack) { &[false, true] } else { &[false] };
        for &cgroups in forms {
            let begun = std::time::Instant::now();
            let endings = games(attack, cgroups);
            println!("{attack} ({:.1?}): {endings:?}", begun.elapsed());
            match fault {
                None => assert_eq!(endings, quiet, "{attack}"),
                Some(fault) => {
                    let told = endings.iter().all(|it| it.contains(fault));
                    assert!(told, "{attack}: {endings:?}");
                }
            }
            assert_eq!(traces(), before, "{attack} left something behind");
        }
    }
}
