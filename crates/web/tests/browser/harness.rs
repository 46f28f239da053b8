//! A server and a browser for a test, and the checks after every visit.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::thread;

use agon_web::Options;
use serde_json::Value;
use tempfile::TempDir;
use thirtyfour::WebDriver;
use tokio::runtime::Runtime;

use crate::common::{Client, Running};
use crate::driver::{Driver, Setup};

/// A browser, and the server it visits. After the visit the browser's console must be empty, and no
/// request may have gone to another server.
pub struct Visit {
    pub driver: WebDriver,
    pub runtime: Runtime,
    pub client: Client,
    pub origin: String,
    server: RefCell<Option<Running>>,
    folder: TempDir,
    excused: RefCell<Vec<&'static str>>,
    // Dropped last: the browser above is its child.
    _process: Driver,
}

impl Visit {
    /// The usual visit.
    pub fn new() -> Visit {
        Visit::with(Setup::default(), |_| {})
    }

    /// A visit with animations.
    pub fn with_motion() -> Visit {
        Visit::with(Setup { motion: true, ..Setup::default() }, |_| {})
    }

    /// A visit by phone.
    pub fn by_phone() -> Visit {
        Visit::with(Setup { phone: true, ..Setup::default() }, |_| {})
    }

    /// A visit to a server whose folder is filled by `prepare`.
    pub fn with(setup: Setup, prepare: impl FnOnce(&std::path::Path)) -> Visit {
        let folder = tempfile::tempdir().expect("a folder for the server");
        prepare(folder.path());
        let server = Running::start(folder.path());
        let runtime = Runtime::new().expect("a runtime");
        let process = Driver::start();
        let driver = process.open(&runtime, setup);
        Visit {
            driver,
            runtime,
            client: server.client(),
            origin: format!("http://{}", server.address),
            server: RefCell::new(Some(server)),
            folder,
            excused: RefCell::default(),
            _process: process,
        }
    }

    /// The same browser, at another server.
    pub fn at(mut self, origin: &str) -> Visit {
        self.origin = origin.to_string();
        self.client =
            Client::new(origin.trim_start_matches("http://").parse().expect("an address"));
        self
    }

    /// The server's data folder.
    pub fn folder(&self) -> &std::path::Path {
        self.folder.path()
    }

    /// Stops the server.
    pub fn stop_server(&self) {
        drop(self.server.take());
    }

    /// Restarts it at the same address, with the same games.
    pub fn start_server(&self) {
        self.start_server_with(|_| {});
    }

    /// The same with other options. Returns its secret, if it has one.
    pub fn start_server_with(&self, adjust: impl FnOnce(&mut Options)) -> Option<String> {
        let address = self.origin.trim_start_matches("http://").parse().expect("an address");
        let again = Running::start_with(self.folder.path(), |options| {
            options.listen = Some(address);
            adjust(options);
        });
        let secret = again.secret.clone();
        *self.server.borrow_mut() = Some(again);
        secret
    }

    /// Allows lines with these words in the console: the browser itself logs every answer that is an
    /// error.
    pub fn excuse(&self, words: &'static str) {
        self.excused.borrow_mut().push(words);
    }

    /// Checks the console and the requests.
    fn check(&self) {
        let complaints = self.complaints();
        assert!(complaints.is_empty(), "the console is not empty: {complaints:#?}");
        let strangers = self.strangers();
        assert!(strangers.is_empty(), "requests left the origin: {strangers:#?}");
    }

    /// The lines in the console that are not excused, including the pages' errors.
    fn complaints(&self) -> Vec<String> {
        let excused = self.excused.borrow();
        let lines = self.log("browser").into_iter();
        lines.filter(|line| !excused.iter().any(|words| line.contains(words))).collect()
    }

    /// Addresses of other servers that a page sent requests to.
    fn strangers(&self) -> BTreeSet<String> {
        let own =
            [&self.origin, &self.origin.replacen("http", "ws", 1)].map(|one| format!("{one}/"));
        // The browser's own blank page has no origin.
        let harmless = |address: &str| {
            let near = ["data:", "chrome"].into_iter();
            near.chain(own.iter().map(String::as_str)).any(|start| address.starts_with(start))
        };
        let asked = self.log("performance").into_iter().filter_map(|line| asked_for(&line));
        asked.filter(|address| !harmless(address)).collect()
    }

    /// The tasks of the pages' own threads in the last seconds: how long each computed, in milliseconds.
    /// Only a visit with a trace has any, and the trace ends here.
    pub fn tasks(&self, seconds: u64) -> Vec<f64> {
        let entries = self.log("performance");
        let events: Vec<Value> = entries.iter().filter_map(|line| traced(line)).collect();
        let thread = |event: &Value| (event["pid"].as_u64(), event["tid"].as_u64());
        let is_page = |event: &&Value| event["args"]["name"] == "CrRendererMain";
        let pages: BTreeSet<_> = events.iter().filter(is_page).map(thread).collect();
        let at = |event: &Value| event["ts"].as_f64().unwrap_or_default();
        let since = events.iter().map(at).fold(0.0, f64::max) - seconds as f64 * 1e6;
        let recent = events.iter().filter(|event| at(event) > since);
        let tasks = recent.filter(|event| {
            pages.contains(&thread(event)) && event["name"].as_str().is_some_and(is_task)
        });
        tasks.filter_map(|task| task["tdur"].as_f64()).map(|micros| micros / 1000.0).collect()
    }

    fn log(&self, kind: &str) -> Vec<String> {
        let entries = self.runtime.block_on(self.driver.get_log(kind)).expect("the browser's log");
        entries.into_iter().map(|entry| entry.message).collect()
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        if !thread::panicking() {
            self.check();
        }
        let _ = self.runtime.block_on(self.driver.clone().quit());
    }
}

/// The requested address in an entry of the network log, if it is about a request.
fn asked_for(line: &str) -> Option<String> {
    let entry: Value = serde_json::from_str(line).ok()?;
    let message = &entry["message"];
    let address = match message["method"].as_str()? {
        "Network.requestWillBeSent" => &message["params"]["request"]["url"],
        "Network.webSocketCreated" => &message["params"]["url"],
        _ => return None,
    };
    address.as_str().map(str::to_string)
}

/// What the browser did, in an entry of the trace.
fn traced(line: &str) -> Option<Value> {
    let mut entry: Value = serde_json::from_str(line).ok()?;
    let message = entry["message"].take();
    (message["method"] == "Tracing.dataCollected").then(|| message["params"].clone())
}

fn is_task(name: &str) -> bool {
    name.ends_with("RunTask")
}
