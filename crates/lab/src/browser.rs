//! Printing a page to PDF by an installed Chromium, Chrome or Edge.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf, absolute};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The names under which browsers are installed, the most usual first.
const NAMES: &[&str] = &[
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
    "microsoft-edge-stable",
    "msedge",
];

/// Where they are when they are not in the path.
const PLACES: &[&str] = &[
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
    "C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe",
    "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
    "C:\\Program Files\\Microsoft\\Edge\\Application\\msedge.exe",
];

/// How long a page may take.
const PATIENCE: Duration = Duration::from_secs(120);

/// How long between two looks at the browser.
const PAUSE: Duration = Duration::from_millis(20);

/// A browser that can print.
#[derive(Clone, Debug)]
pub struct Browser {
    program: PathBuf,
}

/// Why a page was not printed.
#[derive(thiserror::Error, Debug)]
pub enum PrintError {
    /// The browser cannot be started.
    #[error("cannot start {}: {problem}; --browser PROGRAM names another", program.display())]
    Start {
        /// The browser.
        program: PathBuf,
        /// Why.
        #[source]
        problem: io::Error,
    },
    /// It did not print.
    #[error("{} printed nothing: {problem}; any browser can print report.html", program.display())]
    Nothing {
        /// The browser.
        program: PathBuf,
        /// Why, as far as known.
        problem: String,
    },
}

/// What to do where there is no browser.
pub const NO_BROWSER: &str = "no PDF: found no Chromium, Chrome or Edge; install one, name one with \
                              --browser PROGRAM, or print report.html from any browser";

impl Browser {
    /// This program.
    pub fn at(program: PathBuf) -> Browser {
        Browser { program }
    }

    /// The first that is installed.
    pub fn find() -> Option<Browser> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
        let in_path = NAMES.iter().flat_map(|name| folders.iter().map(move |it| it.join(name)));
        let places = PLACES.iter().map(PathBuf::from);
        in_path.chain(places).find(|file| file.is_file()).map(Browser::at)
    }

    /// Prints a page to a PDF.
    pub fn print(&self, page: &Path, pdf: &Path) -> Result<(), PrintError> {
        let start = |problem| PrintError::Start { program: self.program.clone(), problem };
        let failed =
            |problem: String| PrintError::Nothing { program: self.program.clone(), problem };
        let page = absolute(page).map_err(start)?;
        let pdf = absolute(pdf).map_err(start)?;
        // A PDF of before must not be taken for this one.
        let _ = fs::remove_file(&pdf);
        let profile = Profile::new(&pdf).map_err(start)?;
        let mut child = self.command(&page, &pdf, &profile.0).spawn().map_err(start)?;
        wait(&mut child, PATIENCE).map_err(|problem| failed(problem.to_string()))?;
        match fs::metadata(&pdf) {
            Ok(file) if file.len() > 0 => Ok(()),
            _ => Err(failed("there is no file".into())),
        }
    }

    fn command(&self, page: &Path, pdf: &Path, profile: &Path) -> Command {
        let with = |option: &str, value: &Path| {
            let mut text = OsString::from(option);
            text.push(value);
            text
        };
        let mut command = Command::new(&self.program);
        command.args([
            "--headless",
            "--disable-gpu",
            "--no-first-run",
            "--no-default-browser-check",
            "--disable-extensions",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--no-pdf-header-footer",
            // Tags would treble the size; the page itself is there for those who need them.
            "--disable-pdf-tagging",
        ]);
        // Chromium's own sandbox does not work for root; the page is ours and runs no script.
        #[cfg(target_os = "linux")]
        if is_root() {
            command.arg("--no-sandbox");
        }
        command.arg(with("--user-data-dir=", profile));
        command.arg(with("--print-to-pdf=", pdf));
        command.arg(address(page));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }
}

#[cfg(target_os = "linux")]
fn is_root() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ids = status.lines().find_map(|line| line.strip_prefix("Uid:"));
    ids.and_then(|ids| ids.split_whitespace().nth(1)) == Some("0")
}

/// Waits for a program, which is stopped if it takes too long.
fn wait(child: &mut Child, patience: Duration) -> io::Result<()> {
    let begun = Instant::now();
    loop {
        if child.try_wait()?.is_some() {
            return Ok(());
        }
        if begun.elapsed() > patience {
            child.kill()?;
            child.wait()?;
            return Err(io::Error::new(io::ErrorKind::TimedOut, "it took too long"));
        }
        sleep(PAUSE);
    }
}

/// The address of a file.
fn address(file: &Path) -> String {
    let byte = |&byte: &u8| match byte {
        b'/' | b'-' | b'.' | b'_' | b'~' | b':' => char::from(byte).to_string(),
        b'\\' => "/".to_string(),
        _ if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    let path: String = file.as_os_str().as_encoded_bytes().iter().map(byte).collect();
    format!("file://{}{path}", if path.starts_with('/') { "" } else { "/" })
}

/// A folder for the browser's own files, which is removed.
struct Profile(PathBuf);

impl Profile {
    fn new(pdf: &Path) -> io::Result<Profile> {
        let name = format!("agon-browser-{}-{}", std::process::id(), agon_arena::store::now());
        let stem = pdf.file_stem().unwrap_or_default().to_string_lossy();
        let folder = std::env::temp_dir().join(format!("{name}-{stem}"));
        fs::create_dir(&folder)?;
        Ok(Profile(folder))
    }
}

impl Drop for Profile {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_addresses() {
        assert_eq!(address(Path::new("/a b/ü.html")), "file:///a%20b/%C3%BC.html");
    }

    #[test]
    fn a_program_that_is_no_browser_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let page = folder.path().join("page.html");
        fs::write(&page, "<p>x").unwrap();
        let error =
            Browser::at("no-such-browser".into()).print(&page, &folder.path().join("x.pdf"));
        assert!(error.unwrap_err().to_string().contains("cannot start no-such-browser"));
        let error = Browser::at("true".into()).print(&page, &folder.path().join("x.pdf"));
        assert!(error.unwrap_err().to_string().contains("there is no file"));
    }
}
