//! Games on many machines, over NATS JetStream.
//!
//! A [`Coordinator`] is [workers](agon_arena::workers::Workers) for the arena's runner: it puts the
//! games of the schedule, in units, into a durable queue, checks what comes back by the rules, and
//! hands it on; it alone writes the store. A [`Worker`] takes units as long as there are any and
//! plays them with the arena's own referee. [`Watch`] sees who is there.
//!
//! All asynchronous code is in here; whoever uses it blocks.
//!
//! | file | what it is |
//! |---|---|
//! | `access` | how the broker is reached |
//! | `names` | streams, buckets, subjects and limits |
//! | `messages` | units and results, and what is refused at sight |
//! | `brief` | a tournament as workers need it: terms and agents, with their files |
//! | `requirement` | what a worker must have to play a unit |
//! | `files` | files by their checksums, in the object store and on disk |
//! | `lock` | one coordinator for one tournament |
//! | `coordinator` | the schedule's side |
//! | `worker` | the side that plays |
//! | `watch` | who is there |
//! | `metrics` | numbers for Prometheus |

mod access;
mod brief;
mod broker;
mod build;
mod coordinator;
mod files;
mod lock;
mod messages;
mod metrics;
mod names;
mod requirement;
mod signs;
mod travel;
mod watch;
mod worker;

use std::io;
use std::path::PathBuf;

pub use access::{Access, Credentials, Secret};
pub use build::Build;
pub use coordinator::{Coordinator, Notice, Orders};
pub use lock::host_name;
pub use watch::Watch;
pub use worker::{Settings as WorkerSettings, Worker, WorkerNews};

/// Why games cannot be played over a broker.
#[derive(thiserror::Error, Debug)]
pub enum NatsError {
    /// The address is bad.
    #[error("bad address {url:?}: {problem}")]
    Url {
        /// The address, without secrets.
        url: String,
        /// What is wrong, and what would be right.
        problem: &'static str,
    },
    /// A file with a secret cannot be used.
    #[error("cannot use {}: {problem}", .file.display())]
    Secret {
        /// The file.
        file: PathBuf,
        /// Why.
        problem: String,
    },
    /// The broker cannot be reached, or lets us not in.
    #[error("cannot reach a NATS broker at {url}: {problem}")]
    Unreachable {
        /// The addresses.
        url: String,
        /// Why.
        problem: String,
    },
    /// The broker does not let us in.
    #[error("the broker at {url} does not let anybody in {who}")]
    Unwelcome {
        /// The addresses.
        url: String,
        /// As whom we came.
        who: String,
    },
    /// The broker refused something.
    #[error("the broker refused to {what}: {problem}")]
    Broker {
        /// What was asked.
        what: String,
        /// Its answer.
        problem: String,
    },
    /// Another coordinator plays the same tournament.
    #[error(
        "{name:?} is being played by another coordinator, {holder}, which gave its last sign of \
         life {age} s ago; if it has died, its lock is free 30 s after that"
    )]
    Held {
        /// The tournament.
        name: String,
        /// Who holds the lock.
        holder: String,
        /// How old its last sign of life is, in seconds.
        age: u64,
    },
    /// Another coordinator has taken over the tournament.
    #[error("another coordinator has taken over {name:?} while the broker could not be reached")]
    TakenOver {
        /// The tournament.
        name: String,
    },
    /// A game cannot be played anywhere.
    #[error("{game} cannot be played, last on {worker}: {problem}")]
    Unplayable {
        /// Its number and players.
        game: String,
        /// The last worker that tried.
        worker: String,
        /// Why not, in its words.
        problem: String,
    },
    /// An agent cannot play on other machines.
    #[error("{agent} cannot play on other machines: {problem}")]
    Agent {
        /// Its text.
        agent: String,
        /// Why, and what would be right.
        problem: String,
    },
    /// A file cannot be sent or received.
    #[error("cannot send or receive {what}: {problem}")]
    File {
        /// The file.
        what: String,
        /// Why.
        problem: String,
    },
    /// The system refused something.
    #[error("{what}: {error}")]
    System {
        /// What was tried.
        what: &'static str,
        /// Why it failed.
        #[source]
        error: io::Error,
    },
}

/// A runtime for the asynchronous half. Its threads only wait.
fn runtime() -> Result<tokio::runtime::Runtime, NatsError> {
    let built = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    built.map_err(|error| NatsError::System { what: "cannot start a thread", error })
}
