//! ChromeDriver and a browser for one test. Both end with it, however it ends.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;
use thirtyfour::{Capabilities, WebDriver};
use tokio::runtime::Runtime;

/// How long a driver may take to exit.
const EXIT: Duration = Duration::from_secs(5);

const FLAGS: &[&str] = &[
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--window-size=1280,900",
    // Background tabs must not be throttled.
    "--disable-background-timer-throttling",
    "--disable-renderer-backgrounding",
];

/// How a browser is started.
#[derive(Clone, Copy, Debug, Default)]
pub struct Setup {
    /// Moves are animated, as for most people. Most tests do without, and are faster.
    pub motion: bool,
    /// A phone with a touch screen.
    pub phone: bool,
    /// The log of the performance has what the browser did, and for how long.
    pub trace: bool,
}

/// A running ChromeDriver.
pub struct Driver {
    process: Child,
    port: u16,
    /// The browser's profile; removed at the end.
    profile: TempDir,
}

impl Driver {
    pub fn start() -> Driver {
        let mut process = Command::new("chromedriver")
            .args(["--port=0", "--log-level=SEVERE"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| {
                panic!("chromedriver: {error}; run cargo xtask test, which installs it")
            });
        let output = process.stdout.take().expect("its output is piped");
        let port = port_from(output).expect("chromedriver prints its port");
        let profile = tempfile::tempdir().expect("a folder for the browser");
        Driver { process, port, profile }
    }

    /// Opens a browser.
    pub fn open(&self, runtime: &Runtime, setup: Setup) -> WebDriver {
        let address = format!("http://127.0.0.1:{}", self.port);
        let session = WebDriver::new(address, self.capabilities(setup));
        runtime.block_on(session).expect("a browser session; is chromium installed?")
    }

    /// The browser's settings, and the logs it has to keep.
    fn capabilities(&self, setup: Setup) -> Capabilities {
        let mut arguments: Vec<String> = FLAGS.iter().map(ToString::to_string).collect();
        arguments.push(format!("--user-data-dir={}", self.profile.path().display()));
        if !setup.motion {
            arguments.push("--force-prefers-reduced-motion".into());
        }
        let mut options = json!({
            "args": arguments,
            "perfLoggingPrefs": {"enableNetwork": true, "enablePage": false},
        });
        if setup.trace {
            options["perfLoggingPrefs"]["traceCategories"] = json!("toplevel");
        }
        if setup.phone {
            let metrics = json!({"width": 390, "height": 844, "pixelRatio": 2.0, "touch": true});
            options["mobileEmulation"] = json!({ "deviceMetrics": metrics });
        }
        let mut capabilities = Capabilities::new();
        let mut set = |name: &str, value: Value| capabilities.set(name, value).expect("plain JSON");
        set("browserName", json!("chrome"));
        set("goog:chromeOptions", options);
        set("goog:loggingPrefs", json!({"browser": "ALL", "performance": "ALL"}));
        capabilities
    }
}

impl Drop for Driver {
    /// Asks it to exit, which closes its browser, too; a driver that does not exit is killed.
    fn drop(&mut self) {
        let _ = ureq::get(format!("http://127.0.0.1:{}/shutdown", self.port)).call();
        let patience = Instant::now() + EXIT;
        while Instant::now() < patience {
            if !matches!(self.process.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The port in the line "ChromeDriver was started successfully on port 12345."
fn port_from(output: impl std::io::Read) -> Option<u16> {
    BufReader::new(output).lines().map_while(Result::ok).find_map(|line| {
        let port = line.strip_prefix("ChromeDriver was started successfully on port ")?;
        port.trim_end_matches('.').parse().ok()
    })
}
