//! The Python package: its tests, and wheels.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Result, bail};

use crate::setup::{PYTHONS, answers, root};
use crate::{run, target};

/// The tools that the tests need besides the package, in compatible versions.
const TOOLS: &[&str] = &["maturin>=1.7,<2", "pytest>=8,<10", "mypy>=1.10,<3"];

/// A virtual environment for the tests.
pub struct Environment {
    folder: PathBuf,
}

impl Environment {
    /// The environment in the target folder; created, with the tools, if it does not exist yet.
    fn prepare() -> Result<Environment> {
        let environment = Environment { folder: target().join("python-tests") };
        let (list, made) = (TOOLS.join("\n"), environment.folder.join("made.txt"));
        if fs::read_to_string(&made).is_ok_and(|found| found == list) {
            return Ok(environment);
        }
        let shown = environment.folder.display();
        println!("\n==> a virtual environment for the tests of the Python package: {shown}");
        let system = PYTHONS.iter().find(|python| answers(python));
        let Some(system) = system else {
            bail!("please install Python 3.9 or later, so that it can be started as python3");
        };
        run(Command::new(system).args(["-m", "venv", "--clear"]).arg(&environment.folder))?;
        run(environment.python().args(["-m", "pip", "install", "--quiet"]).args(TOOLS))?;
        fs::write(made, list)?;
        Ok(environment)
    }

    /// The environment with the current package installed.
    pub fn with_package() -> Result<Environment> {
        let environment = Environment::prepare()?;
        environment.install_package()?;
        Ok(environment)
    }

    /// Its interpreter.
    pub fn interpreter(&self) -> PathBuf {
        self.folder.join("bin/python")
    }

    fn python(&self) -> Command {
        let mut command = Command::new(self.interpreter());
        command.current_dir(package()).env("VIRTUAL_ENV", &self.folder);
        command
    }

    /// Builds the package like the other tests, so that their artefacts are reused: `cargo test`
    /// compiles dependencies with the profile `dev` and these settings. (Cargo's own profile `test`
    /// would build the package as a test.)
    fn install_package(&self) -> Result<()> {
        let mut maturin = self.python();
        maturin.args(["-m", "maturin", "develop", "--quiet", "--profile", "dev", "--locked"]);
        run(maturin.env("CARGO_PROFILE_DEV_OPT_LEVEL", "2"))
    }

    /// Runs the tests of the package, its examples in the documentation, and checks its types.
    pub fn test(&self) -> Result<()> {
        let tests = ["-m", "pytest", "--quiet", "--doctest-modules", "agon", "tests"];
        run(self.python().args(tests))?;
        run(self.python().args(["-m", "mypy", "--strict", "agon", "tests"]))
    }
}

/// Builds a wheel for this machine.
pub fn wheel() -> Result<()> {
    let environment = Environment::prepare()?;
    let out = target().join("wheels");
    let mut maturin = environment.python();
    maturin.args(["-m", "maturin", "build", "--release", "--locked", "--out"]).arg(&out);
    run(&mut maturin)?;
    println!("==> wheels are in {}", out.display());
    Ok(())
}

fn package() -> PathBuf {
    root().join("python")
}
