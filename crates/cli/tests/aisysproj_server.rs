//! Clients and the server, as processes and over a real network that breaks: nothing is lost,
//! nothing counts twice. `AGON_SOAK` makes the tests longer.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::thread;
use std::time::Duration;

use agon_arena::contest::{Environment, Environments, Run};
use agon_arena::store::Store;
use agon_core::Rng;
use agon_search::StopFlag;
use agon_wire::aisysproj::client::{Client, Config, Event, Options, Totals};
use agon_wire::aisysproj::protocol::Password;

#[allow(dead_code, reason = "other tests use more of it")]
mod serving;

use serving::Serving;

const NAME: &str = "Ann";

/// Whether to run the long form of the tests: `AGON_SOAK=1` and more.
fn soaking() -> bool {
    std::env::var_os("AGON_SOAK").is_some()
}

/// The finished runs reported to a client, with their outcomes if known.
type Outcomes = BTreeMap<u64, Option<f64>>;

/// The environments of the course, with an account in each.
fn environments(data: &Path) -> Vec<Environment> {
    let store = Store::open(data).unwrap();
    let all = Environments::built_in(&agon_games::Catalog::built_in()).unwrap();
    for environment in all.iter() {
        let hash = Password::new("open sesame").sha256();
        assert!(store.add_account(&environment.id, NAME, &hash).unwrap());
    }
    all.iter().cloned().collect()
}

/// Plays this many games with an agent that makes the same moves every time.
fn play(environment: &Environment, address: SocketAddr, games: u64) -> (Totals, Outcomes) {
    let agent = if environment.opponents.len() == 1 { "alphabeta" } else { "paranoid" };
    let mut options = Options::new(format!("{agent}:eval=simple").parse().unwrap());
    (options.games, options.per_move, options.depth) = (games, None, Some(1));
    options.patience.shortest = Duration::from_millis(5);
    options.patience.longest = Duration::from_millis(200);
    options.patience.idle = Duration::from_millis(20);
    let config = Config {
        agent: NAME.into(),
        env: environment.id.clone(),
        pwd: Password::new("open sesame"),
        url: format!("http://{address}"),
    };
    let mut outcomes = Outcomes::new();
    let mut client = Client::new(config, options).unwrap();
    let played = client.run(&StopFlag::default(), &mut |event| {
        if let Event::Finished(finished) = event {
            let before = outcomes.insert(finished.run.parse().unwrap(), finished.outcome);
            assert_eq!(before, None, "run {} has ended twice", finished.run);
        }
    });
    (played.unwrap(), outcomes)
}

/// Plays in all environments at the same time.
fn play_all(
    environments: &[Environment],
    games: u64,
    address: impl Fn(usize) -> SocketAddr,
) -> Vec<(Totals, Outcomes)> {
    thread::scope(|scope| {
        let playing: Vec<_> = environments
            .iter()
            .enumerate()
            .map(|(number, environment)| {
                let address = address(number);
                scope.spawn(move || play(environment, address, games))
            })
            .collect();
        playing.into_iter().map(|client| client.join().expect("a client gave up")).collect()
    })
}

/// The server's records must agree with the client's, and with the rules.
fn check(store: &Store, environment: &Environment, (totals, outcomes): &(Totals, Outcomes)) {
    let id = &environment.id;
    let account = store.account(id, NAME).unwrap().unwrap();
    assert_eq!(account.finished, totals.finished, "{id}");
    let runs = store.finished_runs(id, NAME, 1000).unwrap();
    let ids: Vec<u64> = runs.iter().rev().map(|run| run.id).collect();
    assert_eq!(ids.len() as u64, account.finished, "{id}");
    assert!(ids.iter().all(|id| outcomes.contains_key(id)), "{id}: {ids:?} {outcomes:?}");
    for stored in &runs {
        let run = Run::read(&agon_games::Catalog::built_in(), &stored.document).unwrap();
        assert_eq!(run.outcome(environment), stored.outcome, "{id}: by the rules");
        let plies = run.session().plies();
        let own = plies.iter().filter(|ply| ply.seat == run.seat()).count() as u64;
        assert_eq!((run.acts(), stored.acts), (own, own), "{id}: every action once");
        if let Some(outcome) = outcomes[&stored.id] {
            assert_eq!(Some(outcome), stored.outcome, "{id}");
        }
    }
    let outcomes: Vec<f64> = runs.iter().rev().filter_map(|run| run.outcome).collect();
    assert_eq!(store.outcomes(id, NAME, 1000).unwrap(), outcomes, "{id}");
    let best = outcomes
        .windows(environment.window)
        .map(|window| window.iter().sum::<f64>() / environment.window as f64)
        .reduce(f64::max);
    assert_eq!(account.best.is_some(), best.is_some(), "{id}");
    if let (Some(stored), Some(best)) = (account.best, best) {
        assert!((stored - best).abs() < 1e-9, "{id}: {stored} is not {best}");
    }
}

#[test]
fn no_game_is_lost_or_doubled_on_a_bad_line() {
    let games = if soaking() { 25 } else { 1 };
    let data = tempfile::tempdir().unwrap();
    let environments = environments(data.path());
    let server = Serving::start(data.path(), &["serve", "--listen", "0", "--seed", "1"]);
    let address = server.base.strip_prefix("http://").unwrap().parse().unwrap();
    let lines: Vec<Line> = (0..8).map(|number| Line::open(address, number)).collect();
    let played = play_all(&environments, games, |number| lines[number].address);
    let store = Store::open(data.path()).unwrap();
    for (environment, played) in environments.iter().zip(&played) {
        check(&store, environment, played);
    }
    let errors: u64 = played.iter().map(|(totals, _)| totals.errors).sum();
    assert!(errors > 8, "the lines held");
}

/// A connection to the server that breaks sooner or later, in either direction.
struct Line {
    address: SocketAddr,
}

impl Line {
    fn open(server: SocketAddr, seed: u64) -> Line {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        thread::spawn(move || {
            let mut rng = Rng::new(seed);
            for client in listener.incoming() {
                let (Ok(client), Ok(server)) = (client, TcpStream::connect(server)) else { return };
                // Requests have some hundred bytes, responses a few thousand.
                let there = rng.below(12_000);
                let back = rng.below(60_000);
                for (from, to, left) in [(&client, &server, there), (&server, &client, back)] {
                    let (from, to) = (from.try_clone().unwrap(), to.try_clone().unwrap());
                    thread::spawn(move || carry(from, to, left));
                }
            }
        });
        Line { address }
    }
}

/// Forwards this many bytes, and then closes both directions.
fn carry(mut from: TcpStream, mut to: TcpStream, mut left: u64) {
    let mut buffer = [0; 1000];
    while left > 0 {
        let room = buffer.len().min(left as usize);
        match from.read(&mut buffer[..room]) {
            Ok(0) | Err(_) => break,
            Ok(read) => {
                if to.write_all(&buffer[..read]).is_err() {
                    break;
                }
                left -= read as u64;
            }
        }
    }
    let _ = (from.shutdown(Shutdown::Both), to.shutdown(Shutdown::Both));
}

#[test]
fn forty_runs_survive_a_server_that_is_killed_as_if_nothing_had_happened() {
    let (games, kills) = if soaking() { (10, 30) } else { (1, 3) };
    let (quiet, rough) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let arguments = |port: &str| ["serve", "--listen", port, "--seed", "7"].map(str::to_string);
    let start = |data: &Path, port: &str| {
        let arguments = arguments(port);
        Serving::start(data, &arguments.each_ref().map(String::as_str))
    };
    let all = environments(quiet.path());
    environments(rough.path());
    let server = start(quiet.path(), "0");
    let address: SocketAddr = server.base.strip_prefix("http://").unwrap().parse().unwrap();
    let expected = play_all(&all, games, |_| address);
    drop(server);

    let server = start(rough.path(), "0");
    let address: SocketAddr = server.base.strip_prefix("http://").unwrap().parse().unwrap();
    let (rough_folder, port) = (rough.path(), address.port().to_string());
    let played = thread::scope(|scope| {
        let killing = scope.spawn(move || {
            let (mut server, mut rng) = (server, Rng::new(3));
            for _ in 0..kills {
                thread::sleep(Duration::from_millis(300 + rng.below(1500)));
                server.kill();
                server = start(rough_folder, &port);
            }
            server
        });
        let played = play_all(&all, games, |_| address);
        (played, killing.join().unwrap())
    });
    let (played, _server) = played;
    let (calm, store) = (Store::open(quiet.path()).unwrap(), Store::open(rough.path()).unwrap());
    store.check().unwrap();
    for ((environment, played), expected) in all.iter().zip(&played).zip(&expected) {
        check(&store, environment, played);
        check(&calm, environment, expected);
        let of = |store: &Store| {
            let account = store.account(&environment.id, NAME).unwrap().unwrap();
            (account.finished, account.best, store.outcomes(&environment.id, NAME, 1000).unwrap())
        };
        assert_eq!(of(&store), of(&calm), "{}", environment.id);
    }
}
