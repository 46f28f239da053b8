//! The hostile program: its path, and its running processes.
//!
//! Tests of other crates use this file as well.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Its source.
const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../wire/examples/hostile");
/// What it becomes when it is started as a cell.
const CELLS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../isolation/src");
const CELLS_INSIDE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../isolation/src/cell");
/// The crate that it is an example of.
const CRATE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../wire/Cargo.toml");

/// The program. Cargo builds it with all tests, but not with those of another crate or with a
/// single one, so it is built here if it is missing or out of date.
pub fn hostile() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let test = env::current_exe().unwrap();
        let folder = test.parent().and_then(Path::parent).unwrap();
        let program = folder.join("examples/hostile");
        if !is_current(&program) {
            build(folder);
        }
        program
    })
}

fn is_current(program: &Path) -> bool {
    let changed = |file: &Path| file.metadata().and_then(|data| data.modified()).ok();
    let sources = [SOURCE, CELLS, CELLS_INSIDE].into_iter().flat_map(fs::read_dir).flatten();
    let newest = sources.flatten().map(|file| changed(&file.path())).max();
    program.exists() && newest <= Some(changed(program))
}

fn build(folder: &Path) {
    let mut build = Command::new(env!("CARGO"));
    // The profile of the tests, so that nothing else has to be rebuilt.
    let profile = if folder.ends_with("release") { "release" } else { "test" };
    build.args(["build", "--offline", "--profile", profile, "--example", "hostile"]);
    build.args(["--manifest-path", CRATE]).arg("--target-dir").arg(folder.parent().unwrap());
    assert!(build.status().unwrap().success(), "the example `hostile` does not build");
}

/// All processes of the machine that an arena with this process id started, wherever they went.
/// Those without the mark can only be identified by their parent.
pub fn started_by(arena: u32) -> Vec<String> {
    let mark = format!("AGON_PROGRAM={arena}-");
    let has_mark = |pid: &String| {
        let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environment.split(|&byte| byte == 0).any(|entry| entry.starts_with(mark.as_bytes()))
    };
    let entries = fs::read_dir("/proc").unwrap().flatten();
    entries.filter_map(|entry| entry.file_name().into_string().ok()).filter(has_mark).collect()
}
