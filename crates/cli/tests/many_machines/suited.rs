//! Workers get only what they can play: builds, and programs that travel.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::thread;

use agon_isolation::Level;
use agon_search::StopFlag;
use agon_wire::nats::{Access, Build, Worker, WorkerSettings};

use crate::broker::Broker;
use crate::room::{Room, comparable, on_one_machine};

const CUP: &str = "format = \"round-robin\"\ngames = 4\nvariant = \"breakthrough:5x5\"\nnodes = 3000\n\
                   agents = [\"alphabeta\", \"engine\", \"mcts\"]\n";

#[test]
fn a_worker_of_another_build_is_named_and_plays_nothing() {
    let broker = Broker::single();
    let folder = tempfile::tempdir().unwrap();
    let settings = WorkerSettings {
        access: Access::new(&broker.url()).unwrap(),
        name: "museum".into(),
        build: Build { version: "0.0.9".into(), signature: "00000000".into(), speed: 1 },
        slots: 2,
        agents: None,
        allow_programs: false,
        at_least: Level::Sandbox,
        registry: agon_wire::registry(None),
        python: None,
        cache: folder.path().to_path_buf(),
        metrics: None,
    };
    let (leave, halt) = (StopFlag::default(), StopFlag::default());
    let (leaves, halts) = (leave.clone(), halt.clone());
    let old = thread::spawn(move || Worker::run(settings, &leaves, &halts, |_| {}));
    let mut room = Room::new(&broker.url());
    let coordinator = room.coordinator(CUP, &[]);
    coordinator.wait_until_it_says("worker museum is not used: it is version 0.0.9");
    coordinator.wait_until_it_says("no worker can play these games yet");
    room.add_worker(&[]);
    let games = room.finished(coordinator);
    assert_eq!(comparable(&games), comparable(&on_one_machine(CUP)));
    leave.stop();
    let status = old.join().unwrap().unwrap();
    assert_eq!(status.games, 0);
}

#[test]
fn programs_travel_and_run_only_where_that_is_allowed() {
    let broker = Broker::single();
    let mut room = Room::new(&broker.url());
    let script = room.folder.path().join("bot.sh");
    let program = env!("CARGO_BIN_EXE_agon");
    fs::write(&script, format!("#!/bin/sh\nexec {program} ugi --agent greedy\n")).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    room.add_worker(&[]);
    let cup = |agents: &str| {
        format!(
            "format = \"round-robin\"\ngames = 2\nvariant = \"breakthrough:5x5\"\n\
             per_move = \"1s\"\nagents = [{agents}]\n"
        )
    };
    let options = ["--isolation", "none"];
    let coordinator = room.coordinator(&cup("\"ugi:./bot.sh\", \"random\", \"greedy\""), &options);
    coordinator.wait_until_it_says("worker pc-0 is not used: it takes no programs from others");
    room.add_worker(&["--allow-programs", "--isolation", "none"]);
    // The program is not there any more: what plays is what travelled.
    fs::remove_file(&script).unwrap();
    let games = room.finished(coordinator);
    assert_eq!(games.len(), 6);
    for game in &games {
        let has_program = game["agents"].to_string().contains("bot.sh");
        // The first worker was alone for a while, with what it may play.
        let worker = if has_program { "pc-1" } else { "pc-0" };
        assert_eq!(game["played_by"]["worker"], worker, "{game}");
        assert_eq!(game["end"], "board", "no fault: {game}");
    }
}

#[test]
fn commands_cannot_reach_into_a_worker() {
    let broker = Broker::single();
    let room = Room::new(&broker.url());
    let secret = "/etc/hostname";
    let agents = [
        format!("ugi:sh -c 'cat $0' {secret}.not-here"),
        "ugi:sh ../bot.sh".to_string(),
        "engine:book=/etc/hostname".to_string(),
    ];
    for agent in agents {
        let text = format!(
            "format = \"round-robin\"\ngames = 2\nvariant = \"breakthrough:5x5\"\nper_move = \"1s\"\n\
             agents = [\"{agent}\", \"random\"]\n"
        );
        let mut coordinator = room.coordinator(&text, &["--isolation", "none"]);
        let status = coordinator.wait();
        assert!(!status.success(), "{agent}: {}", coordinator.said());
    }
}

#[test]
fn a_game_that_kills_its_workers_is_named() {
    let broker = Broker::single();
    let mut room = Room::new(&broker.url());
    let script = room.folder.path().join("bomb.sh");
    fs::write(&script, "#!/bin/sh\nkill -9 $PPID\n").unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let options = ["--allow-programs", "--isolation", "none"];
    room.add_worker(&options);
    let text = "format = \"round-robin\"\ngames = 2\nvariant = \"breakthrough:5x5\"\n\
                per_move = \"1s\"\nagents = [\"ugi:./bomb.sh\", \"random\"]\n";
    let coordinator = room.coordinator(text, &["--isolation", "none", "--ack-wait", "1s"]);
    for _ in 0..3 {
        room.workers[0].wait();
        room.restart_worker(0);
    }
    coordinator.wait_until_it_says("begun again and again and never finished, on pc-0");
    coordinator.wait_until_it_says("bomb.sh");
}
