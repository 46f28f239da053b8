//! The arguments of everything that goes over a NATS broker.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use agon_arena::clock::read_duration;
use agon_isolation::Level;
use clap::Args;

/// The heading of the options of a broker.
const BROKER: &str = "Many machines";

/// How a broker is reached.
#[derive(Args, Debug, Default, PartialEq)]
pub(crate) struct AccessArgs {
    /// Credentials for the broker: a file as nsc writes it; by default AGON_NATS_CREDS
    #[arg(long, value_name = "FILE", requires = "nats", help_heading = BROKER)]
    pub(crate) nats_creds: Option<PathBuf>,

    /// The file with the seed of an nkey; by default AGON_NATS_NKEY
    #[arg(long, value_name = "FILE", requires = "nats", help_heading = BROKER)]
    pub(crate) nats_nkey: Option<PathBuf>,

    /// A user of the broker; by default AGON_NATS_USER. The password is in AGON_NATS_PASSWORD or in
    /// the file of --nats-password-file
    #[arg(long, value_name = "NAME", requires = "nats", help_heading = BROKER)]
    pub(crate) nats_user: Option<String>,

    /// The file with the password
    #[arg(long, value_name = "FILE", requires = "nats", help_heading = BROKER)]
    pub(crate) nats_password_file: Option<PathBuf>,

    /// The file with a token; by default AGON_NATS_TOKEN
    #[arg(long, value_name = "FILE", requires = "nats", help_heading = BROKER)]
    pub(crate) nats_token_file: Option<PathBuf>,

    /// A file with certificates of authorities to trust, for tls:// addresses; may be repeated
    #[arg(long, value_name = "FILE", requires = "nats", help_heading = BROKER)]
    pub(crate) nats_ca: Vec<PathBuf>,
}

/// Games that are played elsewhere.
#[derive(Args, Debug, Default, PartialEq)]
pub(crate) struct ElsewhereArgs {
    /// Play on the workers of this NATS broker, such as nats://broker:4222; several of a cluster
    /// separated by commas
    #[arg(long, value_name = "URL", help_heading = BROKER)]
    pub(crate) nats: Option<String>,

    #[command(flatten)]
    pub(crate) access: AccessArgs,

    /// On how many brokers of a cluster queues and files are kept
    #[arg(long, value_name = "N", default_value_t = 1, requires = "nats", help_heading = BROKER,
        value_parser = clap::value_parser!(u8).range(1..=5))]
    pub(crate) replicas: u8,

    /// How long a worker that is not heard of keeps its games before others get them
    #[arg(long, value_name = "TIME", default_value = "30s", requires = "nats",
        value_parser = read_duration, help_heading = BROKER)]
    pub(crate) ack_wait: Duration,

    /// Serve metrics for Prometheus at ADDRESS:PORT
    #[arg(long, value_name = "ADDRESS", requires = "nats", help_heading = BROKER)]
    pub(crate) metrics: Option<SocketAddr>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  agon worker --nats nats://broker:4222
  agon worker --nats broker:4222 --slots 2 --name lab-7
  agon worker --nats broker:4222 --allow-programs          also programs that tournaments send
  agon worker --nats broker:4222 --agents ~/engines        programs that are here already
  agon worker --nats tls://a:4222,tls://b:4222 --nats-creds lab.creds --metrics 127.0.0.1:9100

A worker takes games from the coordinators of a broker (agon tournament run, agon match and agon lab
run with --nats) as long as there are any, plays them and returns them. It is given only what it can
play: the same version and bench signature where built-in agents play, the same books and tables,
enough cores and memory, and programs only as far as it takes them and can isolate them.

It never plays more games at a time than there are cores. The first Ctrl-C or SIGTERM lets it finish
the games it is playing and give back the others; the second one makes it give back all of them. See
docs/many-machines.md.")]
pub(crate) struct WorkerArgs {
    /// The NATS broker, such as nats://broker:4222; several of a cluster separated by commas
    #[arg(long, value_name = "URL")]
    pub(crate) nats: String,

    #[command(flatten)]
    pub(crate) access: AccessArgs,

    /// Games at a time; by default, and at most, one per core
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub(crate) slots: Option<u32>,

    /// A folder of programs that this worker has and may run
    #[arg(long, value_name = "DIR")]
    pub(crate) agents: Option<PathBuf>,

    /// Run programs that come over the broker. They are strangers' programs: isolated in a sandbox
    /// unless --isolation says otherwise
    #[arg(long)]
    pub(crate) allow_programs: bool,

    /// How far programs are isolated at least: sandbox, weak or none
    #[arg(long, value_name = "LEVEL", default_value = "sandbox")]
    pub(crate) isolation: Level,

    /// The Python interpreter for python:FILE agents, with Agon's package installed; by default
    /// AGON_PYTHON, else python3
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) python: Option<String>,

    /// The name of this worker, by default that of the machine
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,

    /// Serve metrics for Prometheus at ADDRESS:PORT
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) metrics: Option<SocketAddr>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  agon workers --nats nats://broker:4222
  agon workers --nats broker:4222 --watch
  agon workers --nats broker:4222 --json | jq '.workers[].name'")]
pub(crate) struct WorkersArgs {
    /// The NATS broker, such as nats://broker:4222
    #[arg(long, value_name = "URL")]
    pub(crate) nats: String,

    #[command(flatten)]
    pub(crate) access: AccessArgs,

    /// Show it again every two seconds, until Ctrl-C
    #[arg(long, conflicts_with = "json")]
    pub(crate) watch: bool,

    /// Print JSON: {"workers":[{"id","name","abilities","slots","playing","games",…}],"runs":[…]}
    #[arg(long)]
    pub(crate) json: bool,
}
