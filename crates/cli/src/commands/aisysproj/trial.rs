//! `agon aisysproj try`: a local server and an agent that plays on it, in one process.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use agon_arena::contest::{Environment, Environments};
use agon_arena::store::Store;
use agon_search::StopFlag;
use agon_web::{Options as ServerOptions, Server};
use agon_wire::aisysproj::client::{Client, Config, Event, Options, Totals};
use agon_wire::aisysproj::protocol::Password;
use anyhow::{Context as _, bail};
use serde_json::json;
use tokio::sync::oneshot;

use super::{failed, limit};
use crate::args::{ProgramArgs, TryArgs};
use crate::commands::accounts::new_password;
use crate::data::Data;
use crate::draw::palette::{BOLD, DIM, HEADING};
use crate::draw::styled;
use crate::failure::bad_input;
use crate::interrupt::{self, stop_flag};
use crate::output::{count, print_json};
use crate::progress::Progress;
use crate::registry::registry;

/// The default time per move: enough for the engine to do well.
const PER_MOVE: Duration = Duration::from_millis(50);
/// The name of the agent.
const NAME: &str = "you";
/// How often to check whether to stop.
const LOOK: Duration = Duration::from_millis(100);

/// Plays in all environments and prints the results.
pub(super) fn run(args: &TryArgs, data: &Data) -> anyhow::Result<()> {
    let environments = Environments::built_in(data.catalog()).map_err(anyhow::Error::msg)?;
    let chosen: Vec<Environment> =
        environments.iter().filter(|it| it.id.contains(&args.only)).cloned().collect();
    if chosen.is_empty() {
        let ids: Vec<&str> = environments.iter().map(|it| it.id.as_str()).collect();
        let problem = format!("no environment has {:?} in its name: {}", args.only, ids.join(", "));
        return Err(bad_input(problem));
    }
    let options = options(args, data)?;
    let stop = stop_flag();
    let folder = tempfile::tempdir().context("cannot create a temporary folder")?;
    let server = Running::start(folder.path(), environments, data)?;
    let agent = &args.agent;
    if !args.json {
        let head = format!("{agent} plays on a local server");
        let pages = format!("its pages: {}/environments", server.url());
        anstream::println!("{}; {pages}\n", styled(HEADING, &head));
        let columns = format!("{:<30} {:>5} {:>7}  thresholds", "environment", "games", "rating");
        anstream::println!("{}", styled(DIM, &columns));
    }
    let store = Store::open(folder.path())?;
    for environment in &chosen {
        let totals = play(environment, &options, &store, &server, &stop)?;
        show(args, environment, &totals)?;
        if stop.is_set() {
            break;
        }
        check(environment, &totals, &store)?;
    }
    if !args.json && !stop.is_set() {
        anstream::println!("\nThe server's ratings agree.");
    }
    if args.stay && !stop.is_set() {
        let where_ = format!("{}/environments", server.url());
        anstream::eprintln!("The server runs at {} until Ctrl-C.", styled(BOLD, &where_));
        while !stop.is_set() {
            thread::sleep(LOOK);
        }
        interrupt::forget_ctrl_c();
    }
    server.end()
}

fn options(args: &TryArgs, data: &Data) -> anyhow::Result<Options> {
    let mut options = Options::new(args.agent.parse()?);
    options.catalog = data.catalog().clone();
    options.games = args.games;
    options.per_move = Some(PER_MOVE);
    limit(&mut options, args.per_move, &args.effort);
    Ok(options)
}

/// Creates an account and plays with it.
fn play(
    environment: &Environment,
    options: &Options,
    store: &Store,
    server: &Running,
    stop: &StopFlag,
) -> anyhow::Result<Totals> {
    let (password, hash) = new_password()?;
    store.add_account(&environment.id, NAME, &hash)?;
    let config = Config {
        agent: NAME.to_string(),
        env: environment.id.clone(),
        pwd: Password::new(password),
        url: server.url(),
    };
    let mut client = Client::new(config, options.clone())?;
    let mut progress = Progress::new();
    progress.begin(options.games, 0);
    let played = client.run(stop, &mut |event| {
        if let Event::Finished(finished) = event {
            progress.show(finished.totals.finished, || environment.id.clone());
        }
    });
    progress.finish();
    played.map_err(failed)
}

fn show(args: &TryArgs, environment: &Environment, totals: &Totals) -> anyhow::Result<()> {
    let passed = |above: f64| totals.mean.is_some_and(|mean| mean > above);
    if args.json {
        let thresholds: Vec<_> = environment
            .thresholds
            .iter()
            .map(|it| json!({"above": it.above, "points": it.points, "passed": passed(it.above)}))
            .collect();
        return Ok(print_json(&json!({
            "env": environment.id, "games": totals.finished, "rating": totals.mean,
            "moves": totals.moves, "requests": totals.requests, "refused": totals.refused,
            "errors": totals.errors, "thresholds": thresholds,
        }))?);
    }
    let rating = totals.mean.map_or("–".to_string(), |mean| format!("{mean:.3}"));
    let thresholds: Vec<String> = environment
        .thresholds
        .iter()
        .map(|it| {
            let passed = if passed(it.above) { "passed" } else { "not passed" };
            format!("> {}: {passed}", it.above)
        })
        .collect();
    let (id, games) = (&environment.id, totals.finished);
    let cost = format!("{}, {} refused", count(totals.moves, "move", "moves"), totals.refused);
    anstream::println!(
        "{id:<30} {games:>5} {rating:>7}  {}  {}",
        thresholds.join(", "),
        styled(DIM, &cost)
    );
    Ok(())
}

/// The server's rating must be the one that the agent has computed.
fn check(environment: &Environment, totals: &Totals, store: &Store) -> anyhow::Result<()> {
    let id = &environment.id;
    let account = store.account(id, NAME)?.context("the account is gone")?;
    let outcomes = store.outcomes(id, NAME, environment.window)?;
    let mean = outcomes.iter().sum::<f64>() / outcomes.len() as f64;
    let same = totals.mean.is_some_and(|counted| (counted - mean).abs() < 1e-9);
    if account.finished != totals.finished || !same {
        let (theirs, ours) = (account.finished, totals.finished);
        let counted = totals.mean.unwrap_or_default();
        bail!(
            "{id}: the server has counted {theirs} games with mean {mean:.3}, \
             the agent {ours} with mean {counted:.3}"
        );
    }
    Ok(())
}

/// A server in a thread of its own.
struct Running {
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    thread: JoinHandle<anyhow::Result<()>>,
}

impl Running {
    fn start(folder: &Path, environments: Environments, data: &Data) -> anyhow::Result<Running> {
        let server = Server::bind(ServerOptions {
            data: folder.to_path_buf(),
            listen: Some(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))),
            name: None,
            allow_programs: false,
            threads: None,
            registry: registry(&ProgramArgs::default(), data),
            environments,
            seed: 0,
            only_contest: false,
            lookout: None,
        })?;
        let address = server.address();
        let (stop, stopped) = oneshot::channel();
        let thread = thread::spawn(move || {
            let runtime = tokio::runtime::Runtime::new().context("cannot start threads")?;
            let asked = async {
                let _ = stopped.await;
            };
            runtime.block_on(server.run(asked))?;
            runtime.shutdown_background();
            Ok(())
        });
        Ok(Running { address, stop, thread })
    }

    fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    fn end(self) -> anyhow::Result<()> {
        drop(self.stop);
        self.thread.join().map_err(|_| anyhow::anyhow!("the server crashed"))?
    }
}
