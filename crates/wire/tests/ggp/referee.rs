//! Players at the arena's seats: ours, and some that do everything wrong.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use agon_arena::clock::Pace;
use agon_arena::remote::Settings;
use agon_arena::verdict::Fault;
use agon_arena::{GameSummary, Match, News, Openings, Registry};
use agon_core::Rng;
use agon_gdl::breakthrough::{move_term, recognise};
use agon_gdl::kif;
use agon_search::StopFlag;
use agon_wire::ggp::http::{read_request, reply};
use agon_wire::ggp::message::{Message, Moves};
use agon_wire::ggp::referee::{Address, Contest, ContestNews, Contestant, GgpAgents, conduct};

use crate::harness::{Stage, rules};
use crate::noise::soak;

/// A match of an agent against a GGP player, as white and black in turn.
fn games(
    variant: &str,
    rival: &str,
    ggp: &str,
    games: u64,
    settings: &Settings,
) -> Vec<GameSummary> {
    let registry = Registry::built_in().with(GgpAgents);
    let agent = |text: &str| registry.agent(text, settings).unwrap();
    let setup = Match {
        catalog: agon_games::Catalog::built_in(),
        variant: variant.parse().unwrap(),
        agents: vec![agent(rival), agent(ggp)],
        games,
        pace: Pace::default(),
        openings: Openings::Random(4),
        seed: 3,
        concurrency: 2,
        sprt: None,
        replay_disturbed: false,
        reference_speed: None,
    };
    let mut summaries = Vec::new();
    let run = setup.play(None, &StopFlag::default(), &mut |news| {
        if let News::Game { game, .. } = news {
            summaries.push(game.summary.clone());
        }
    });
    assert!(run.unwrap().is_over);
    summaries.sort_by_key(|summary| summary.number);
    summaries
}

#[test]
fn a_player_at_a_socket_plays_the_games_it_would_play_here() {
    let stage = Stage::new("engine:depth=3");
    let address = format!("ggp:{}", stage.address);
    let (variant, settings) = ("breakthrough:6x6", Settings::default());
    let count = if soak() > 1 { 400 } else { 12 };
    let over_there = games(variant, "engine:depth=2", &address, count, &settings);
    let here = games(variant, "engine:depth=2", "engine:depth=3", count, &settings);
    for (there, here) in over_there.iter().zip(&here) {
        assert_eq!(
            (there.signature, there.points, there.end),
            (here.signature, here.points, here.end)
        );
    }
    let ends = stage
        .log()
        .iter()
        .filter(|line| line.starts_with("ended") && line.contains("Some"))
        .count();
    assert_eq!(ends as u64, count, "every match was stopped properly");
}

/// How a player in a test handles a message.
type Script = dyn Fn(&Message, &mut TcpStream) + Send + Sync;

/// A player in a test, and the messages it received.
struct Actor {
    address: SocketAddr,
    heard: Arc<Mutex<Vec<String>>>,
}

impl Actor {
    fn new(script: Box<Script>) -> Actor {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let heard = Arc::<Mutex<Vec<String>>>::default();
        let told = heard.clone();
        thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let (mut bytes, mut chunk) = (Vec::new(), [0; 4096]);
                let request = loop {
                    let count = stream.read(&mut chunk).unwrap();
                    bytes.extend_from_slice(&chunk[..count]);
                    if let Some(request) = read_request(&bytes).unwrap() {
                        break request;
                    }
                };
                let word = request.body.split_whitespace().next().unwrap_or_default().to_string();
                told.lock().unwrap().push(word);
                script(&Message::read(&request.body).unwrap(), &mut stream);
            }
        });
        Actor { address, heard }
    }

    /// One that answers START and the other side's turns properly, as black, and its own turns with
    /// this.
    fn answering(own: impl Fn(&mut TcpStream) + Send + Sync + 'static) -> Actor {
        Actor::new(Box::new(move |message, stream| match message {
            Message::Play { news, .. } if matches!(&news.moves, Moves::Joint(joint) if joint[1].is("noop")) =>
            {
                own(stream);
            }
            Message::Play { .. } => say(stream, "noop"),
            Message::Start { .. } => say(stream, "READY "),
            _ => say(stream, "done"),
        }))
    }

    fn first_game(&self) -> GameSummary {
        let settings = Settings {
            patience: Duration::from_millis(300),
            start: Duration::from_millis(600),
            ..Settings::default()
        };
        let address = format!("ggp:{}", self.address);
        games("breakthrough:5x5", "engine:depth=1", &address, 2, &settings).swap_remove(0)
    }
}

fn say(stream: &mut TcpStream, text: &str) {
    let _ = stream.write_all(reply("200 OK", text).as_bytes());
}

#[test]
fn faults_are_told_apart_and_shown() {
    let cases: Vec<(Actor, Fault, &str)> = vec![
        (Actor::answering(|stream| say(stream, "(move 1 5 1 2)")), Fault::IllegalMove, "a5a2"),
        (Actor::answering(|stream| say(stream, "noop")), Fault::IllegalMove, "noop"),
        (Actor::answering(|stream| say(stream, "(move 1 2)")), Fault::IllegalMove, "(move 1 2)"),
        (Actor::answering(|stream| say(stream, "move 1 5 1 4")), Fault::Garbled, "move 1 5 1 4"),
        (Actor::answering(|stream| say(stream, "")), Fault::Garbled, "no move in"),
        (Actor::answering(|stream| say(stream, "hello (")), Fault::Garbled, "hello"),
        (
            Actor::answering(|stream| drop(stream.write_all(b"(move 1 5 1 4)\r\n\r\n"))),
            Fault::Garbled,
            "not HTTP",
        ),
        (
            Actor::answering(|stream| drop(stream.write_all(&vec![b'x'; 1 << 20]))),
            Fault::Garbled,
            "not HTTP",
        ),
        (Actor::answering(|_| {}), Fault::Disconnected, "without an answer"),
        (
            Actor::answering(|_| thread::sleep(Duration::from_millis(2500))),
            Fault::Stalled,
            "no answer in",
        ),
    ];
    thread::scope(|scope| {
        for (actor, fault, evidence) in &cases {
            scope.spawn(move || {
                let game = actor.first_game();
                let (seat, found) = game.offence().expect("a fault");
                assert_eq!((seat.index(), found), (1, *fault), "{game:?}");
                let text = game.evidence.unwrap_or_default();
                assert!(text.contains(evidence) && text.contains("(PLAY "), "{fault:?}: {text}");
                let heard = actor.heard.lock().unwrap().clone();
                let starts = heard.iter().filter(|word| *word == "(START").count();
                let ends = heard.iter().filter(|word| *word == "(ABORT").count();
                assert!(starts >= 1 && ends >= starts - 1, "{heard:?}");
            });
        }
    });
}

#[test]
fn whoever_is_not_there_could_not_be_started() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let settings = Settings { start: Duration::from_millis(100), ..Settings::default() };
    let address = format!("ggp:127.0.0.1:{port}");
    let game = games("breakthrough:5x5", "random", &address, 2, &settings).swap_remove(0);
    assert_eq!(game.offence().map(|(_, fault)| fault), Some(Fault::NoStart));
    assert!(game.evidence.unwrap().contains("cannot be reached"));
}

#[test]
fn odd_replies_of_real_players_are_read() {
    // Without a length, a space after OK, spaces and line breaks around and inside the move.
    let actor = Actor::answering(|stream| {
        let text = "HTTP/1.0 200 OK \r\nContent-Type: text/acl\r\n\r\n\n ( MOVE\t1 4 1  3 ) \r\n";
        let _ = stream.write_all(text.as_bytes());
    });
    let game = actor.first_game();
    // It gives this answer at every turn, so at some point it is illegal; but it was read.
    assert!(game.evidence.unwrap_or_default().contains("a4a3"), "{:?}", game.end);
}

#[test]
fn a_controller_notes_faults_and_goes_on() {
    let stage = Stage::new("engine:depth=2");
    let liar = Actor::answering(|stream| say(stream, "(move 9 9 9 9)"));
    let rules = kif::read(&rules("breakthrough:5x5")).unwrap();
    let reading = recognise(&rules).unwrap();
    let remote = |name: &str, address: SocketAddr, by_sight| Contestant::Remote {
        name: name.to_string(),
        address: Address::read(&address.to_string()).unwrap(),
        by_sight,
    };
    let contestants = [
        [remote("agon", stage.address, false), remote("liar", liar.address, false)],
        [remote("agon", stage.address, true), Contestant::Random(Rng::new(1))],
        [Contestant::Legal, remote("agon", stage.address, false)],
    ];
    for (number, contestants) in contestants.into_iter().enumerate() {
        let mut contest = Contest {
            id: format!("m{number}"),
            rules: rules.clone(),
            reading: reading.clone(),
            start_clock: 1,
            play_clock: 2,
            sees_all: true,
            contestants,
        };
        let (mut steps, mut faults) = (0, Vec::new());
        let session = conduct(&mut contest, &StopFlag::default(), &mut |news| match news {
            ContestNews::Step { joint, session, .. } => {
                steps += 1;
                let last = session.table().played().last().unwrap();
                assert!(joint.contains(&move_term(last).unwrap()));
            }
            ContestNews::Fault { name, text } => faults.push(format!("{name}: {text}")),
        });
        let session = session.unwrap().unwrap();
        assert_eq!(session.plies().len(), steps);
        let points = session.verdict().unwrap().outcome.points();
        let ours = if number == 2 { 1 } else { 0 };
        assert_eq!(points.as_slice()[ours], 100, "the engine beats weak players");
        if number == 0 {
            assert_eq!(faults.len(), steps / 2, "{faults:?}");
            assert!(faults.iter().all(|fault| fault.starts_with("liar: step")), "{faults:?}");
        } else {
            assert_eq!(faults, [""; 0]);
        }
        stage.wait_for_line(&format!("ended m{number} Some"));
    }
    assert_eq!(liar.heard.lock().unwrap().last().map(String::as_str), Some("(STOP"));
}
