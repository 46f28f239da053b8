//! Installs what the tests need besides Rust, if it is missing.

use std::ffi::OsStr;
use std::fs;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::run;

/// A program that must be installed.
struct Need {
    /// Its names; one of them is enough.
    programs: &'static [&'static str],
    /// The environment variable that names another one, if there is one.
    variable: Option<&'static str>,
    /// The arguments of the call that checks whether it is installed and suitable.
    test: &'static [&'static str],
    /// The Debian package that contains it.
    package: &'static str,
    /// Its name in messages.
    what: &'static str,
}

impl Need {
    fn is_there(&self) -> bool {
        // Whoever names a program wants that one: another that happens to be installed does not count.
        match self.variable.and_then(std::env::var_os).filter(|path| !path.is_empty()) {
            Some(path) => answers_to(path, self.test),
            None => self.programs.iter().any(|program| answers_to(program, self.test)),
        }
    }
}

const NEEDS: &[Need] = &[
    Need {
        programs: &["chromium", "chromium-browser", "google-chrome"],
        variable: None,
        test: VERSION,
        package: "chromium",
        what: "Chromium or Chrome",
    },
    Need {
        programs: &["chromedriver"],
        variable: None,
        test: VERSION,
        package: "chromium-driver",
        what: "ChromeDriver for it",
    },
    Need { programs: &["node"], variable: None, test: VERSION, package: "nodejs", what: "Node.js" },
    Need { programs: &["npm"], variable: None, test: VERSION, package: "npm", what: "npm" },
    Need {
        programs: PYTHONS,
        variable: None,
        // Debian's Python comes without venv.
        test: &["-c", "import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 9))"],
        package: "python3-venv",
        what: "Python 3.9 or later with venv",
    },
    Need {
        programs: BROKERS,
        variable: Some("NATS_SERVER"),
        test: VERSION,
        package: "nats-server",
        what: "nats-server 2.9 or later (or its path in NATS_SERVER)",
    },
];

const VERSION: &[&str] = &["--version"];

/// The names of the Python interpreter.
pub const PYTHONS: &[&str] = &["python3", "python"];

/// The names of the broker for play on many machines. Debian installs it where only root's `PATH` leads.
const BROKERS: &[&str] = &["nats-server", "/usr/sbin/nats-server"];

/// Installs what is missing. Does nothing, and needs no network, if everything is installed.
pub fn install() -> Result<()> {
    install_programs()?;
    install_packages(&root().join("crates/web/checks"))
}

/// Type-checks the pages' scripts and runs their unit tests.
pub fn check_scripts() -> Result<()> {
    let root = root();
    let client = root.join("crates/web/client");
    let checker = root.join("crates/web/checks/node_modules/typescript/bin/tsc");
    let settings = client.join("tsconfig.json");
    run(Command::new("node").arg(checker).arg("-p").arg(settings))?;
    // The files one by one: versions of Node.js differ in how they treat a folder.
    let mut tests: Vec<PathBuf> = fs::read_dir(client.join("tests"))?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    tests.retain(|file| file.to_string_lossy().ends_with(".test.js"));
    tests.sort();
    run(Command::new("node").args(["--test", "--test-reporter=dot"]).args(tests))
}

pub fn root() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own).to_path_buf()
}

fn install_programs() -> Result<()> {
    let missing: Vec<&Need> = NEEDS.iter().filter(|need| !need.is_there()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let names: Vec<&str> = missing.iter().map(|need| need.what).collect();
    let packages: Vec<&str> = missing.iter().map(|need| need.package).collect();
    let names = names.join(", ");
    println!("\n==> missing for the tests: {names}");
    if !answers("apt-get") {
        bail!("please install {names}, so that they are on the PATH, and try again");
    }
    let install = || -> Result<()> {
        let apt_get = apt_get()?;
        let install = [INSTALL, &packages].concat();
        allow(&apt_get, &[&["update"], &install])?;
        run(command(&apt_get).arg("update"))?;
        run(command(&apt_get).args(&install))
    };
    install().with_context(|| format!("please install {names} yourself and try again"))
}

const INSTALL: &[&str] = &["install", "--yes", "--no-install-recommends"];

/// The package manager, with permission to install.
fn apt_get() -> Result<Vec<&'static str>> {
    let quiet = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get"];
    match is_root() {
        true => Ok(quiet.to_vec()),
        false if answers("sudo") => Ok([&["sudo"], &quiet[..]].concat()),
        false => bail!("installing requires root, and there is no sudo"),
    }
}

/// As root or in continuous integration, running this is permission enough; everybody else is shown
/// the commands and asked.
fn allow(apt_get: &[&str], commands: &[&[&str]]) -> Result<()> {
    if is_root() || std::env::var_os("CI").is_some() {
        return Ok(());
    }
    for command in commands {
        println!("    {} {}", apt_get.join(" "), command.join(" "));
    }
    if !std::io::stdin().is_terminal() {
        bail!("cannot ask for permission without a terminal (with CI=1 they run without asking)");
    }
    print!("Run these commands? [y/N] ");
    std::io::stdout().flush()?;
    let mut answer = String::new();
    std::io::stdin().read_line(&mut answer)?;
    match answer.trim().to_lowercase().as_str() {
        "y" | "yes" => Ok(()),
        _ => bail!("nothing was installed"),
    }
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|id| id.stdout == b"0\n")
}

fn command(words: &[&str]) -> Command {
    let mut command = Command::new(words[0]);
    command.args(&words[1..]);
    command
}

/// Whether a program can be started.
pub fn answers(program: &str) -> bool {
    answers_to(program, VERSION)
}

fn answers_to(program: impl AsRef<OsStr>, arguments: &[&str]) -> bool {
    Command::new(program).args(arguments).output().is_ok_and(|output| output.status.success())
}

/// Installs exactly the versions of the lock file, unless they are installed already.
fn install_packages(folder: &Path) -> Result<()> {
    let lock = fs::read(folder.join("package-lock.json"))?;
    let installed = folder.join("node_modules/.installed.json");
    if fs::read(&installed).is_ok_and(|found| found == lock) {
        return Ok(());
    }
    run(Command::new("npm").arg("ci").current_dir(folder))?;
    fs::write(&installed, lock).with_context(|| format!("cannot write {}", installed.display()))
}
