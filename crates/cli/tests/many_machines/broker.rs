//! Real brokers, started with the files in `deploy`.

use std::fs::File;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// How long anything may take that should take a moment.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// Waits until something is so.
pub fn wait_for<T>(what: &str, mut found: impl FnMut() -> Option<T>) -> T {
    let until = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = found() {
            return found;
        }
        assert!(Instant::now() < until, "not in {PATIENCE:?}: {what}");
        sleep(Duration::from_millis(20));
    }
}

/// A port that nobody uses.
pub fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// What an HTTP server on this machine answers.
pub fn get(port: u16, path: &str) -> Option<String> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(5))).ok()?;
    // Not 1.1: an answer in chunks would have to be put together.
    write!(stream, "GET {path} HTTP/1.0\r\n\r\n").ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    let (head, body) = answer.split_once("\r\n\r\n")?;
    head.contains(" 200 ").then(|| body.to_string())
}

/// A broker that can be killed and started again.
pub struct Broker {
    pub port: u16,
    http: u16,
    folder: TempDir,
    arguments: Vec<String>,
    variables: Vec<(&'static str, String)>,
    process: Option<Child>,
}

impl Broker {
    /// The only one.
    pub fn single() -> Broker {
        let (port, http) = (free_port(), free_port());
        let arguments = ["-c", &deployed("single.conf"), "--addr", "127.0.0.1", "--port"]
            .map(String::from)
            .into_iter()
            .chain([port.to_string(), "--http_port".into(), http.to_string()]);
        let mut broker = Broker {
            port,
            http,
            folder: tempfile::tempdir().unwrap(),
            arguments: arguments.collect(),
            variables: Vec::new(),
            process: None,
        };
        broker.start();
        broker
    }

    /// Three that form a cluster.
    pub fn three() -> Vec<Broker> {
        let ports: Vec<u16> = (0..3).map(|_| free_port()).collect();
        let routes: Vec<String> =
            ports.iter().map(|port| format!("nats://127.0.0.1:{port}")).collect();
        let mut brokers: Vec<Broker> = ports
            .iter()
            .enumerate()
            .map(|(index, cluster)| {
                let (port, http) = (free_port(), free_port());
                let folder = tempfile::tempdir().unwrap();
                let variables = vec![
                    ("BROKER_NAME", format!("broker-{index}")),
                    ("BROKER_LISTEN", format!("127.0.0.1:{port}")),
                    ("BROKER_HTTP", format!("127.0.0.1:{http}")),
                    ("BROKER_CLUSTER_LISTEN", format!("127.0.0.1:{cluster}")),
                    ("BROKER_ROUTES", format!("[{}]", routes.join(", "))),
                    ("BROKER_STORE", folder.path().display().to_string()),
                ];
                let arguments = vec!["-c".into(), deployed("cluster.conf")];
                Broker { port, http, folder, arguments, variables, process: None }
            })
            .collect();
        brokers.iter_mut().for_each(Broker::launch);
        brokers.iter().for_each(Broker::wait);
        brokers
    }

    /// Its address.
    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Starts it again, and waits until it is ready.
    pub fn start(&mut self) {
        self.launch();
        self.wait();
    }

    pub fn launch(&mut self) {
        let log = File::options().create(true).append(true).open(self.folder.path().join("log"));
        let log = log.unwrap();
        let started = Command::new(program())
            .args(&self.arguments)
            .envs(self.variables.iter().map(|(name, value)| (*name, value)))
            .current_dir(self.folder.path())
            .stdin(Stdio::null())
            .stdout(log.try_clone().unwrap())
            .stderr(log)
            .spawn();
        self.process = Some(started.expect("nats-server: cargo xtask test installs it"));
    }

    fn wait(&self) {
        wait_for("a healthy broker", || get(self.http, "/healthz"));
    }

    /// Ends it without a warning, as a power cut does.
    pub fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            let _ = process.kill();
            process.wait().unwrap();
        }
    }

    /// Everything that it has stored is lost.
    pub fn forget(&mut self) {
        self.kill();
        std::fs::remove_dir_all(self.folder.path().join("agon-broker")).unwrap();
    }

    /// Which broker of a cluster leads a stream, by its name.
    pub fn leader(&self, stream: &str) -> Option<String> {
        let body = get(self.http, "/jsz?streams=1&accounts=1")?;
        let all: Value = serde_json::from_str(&body).ok()?;
        let accounts = all["account_details"].as_array()?;
        let mut streams =
            accounts.iter().filter_map(|account| account["stream_detail"].as_array()).flatten();
        let found = streams.find(|it| it["name"] == stream)?;
        found["cluster"]["leader"].as_str().map(str::to_string)
    }
}

impl Drop for Broker {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A file for brokers that people get.
fn deployed(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy/nats");
    root.join(name).canonicalize().unwrap().display().to_string()
}

/// Debian installs it where only root's PATH leads.
fn program() -> PathBuf {
    let named = std::env::var_os("NATS_SERVER").filter(|name| !name.is_empty());
    let debian = Path::new("/usr/sbin/nats-server");
    match named {
        Some(named) => named.into(),
        None if debian.exists() => debian.into(),
        None => "nats-server".into(),
    }
}
