//! What this worker can do.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::thread::available_parallelism;

use agon_arena::files::read_whole;
use agon_arena::fingerprint::checksum;
use agon_arena::fleet::Abilities;
use agon_games::{Catalog, GAMES};
use agon_isolation::{Level, try_level};
use agon_search::book::shelf;

use super::super::names::LARGEST_FILE;
use super::super::requirement::PYTHON;
use super::Settings;

/// The most files in a folder of programs, and how deep they may be.
const MOST_PROGRAMS: usize = 2000;
const DEEPEST: usize = 8;

/// Finds out what this worker can do.
pub(super) fn find(settings: &Settings) -> Abilities {
    let build = &settings.build;
    let can = |level: &Level| try_level(*level).is_ok();
    let isolation = Level::ALL.into_iter().rev().find(can).unwrap_or_default();
    let programs = settings.agents.as_deref().map(programs_in).unwrap_or_default();
    Abilities {
        version: build.version.clone(),
        signature: build.signature.clone(),
        cores: available_parallelism().map_or(1, usize::from),
        memory_mib: memory_mib(),
        isolation: isolation.name().to_string(),
        takes_programs: settings.allow_programs,
        programs: programs.into_iter().map(|(sum, _)| sum).collect(),
        resources: resources(settings.registry.catalog()),
        speed: build.speed,
    }
}

/// The memory of this machine, or of the container that this is.
fn memory_mib() -> u64 {
    let limit = fs::read_to_string("/sys/fs/cgroup/memory.max").unwrap_or_default();
    let limit = limit.trim().parse::<u64>().map_or(u64::MAX, |bytes| bytes >> 20);
    limit.min(machine_memory_mib())
}

fn machine_memory_mib() -> u64 {
    let text = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"));
    let kib = line.and_then(|rest| rest.trim().trim_end_matches("kB").trim().parse::<u64>().ok());
    kib.map_or(1024, |kib| kib >> 10)
}

/// The files in a folder and its folders, with their checksums.
pub(super) fn programs_in(folder: &Path) -> Vec<(String, PathBuf)> {
    let (mut found, mut folders) = (Vec::new(), vec![(folder.to_path_buf(), 0)]);
    while let Some((folder, depth)) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() && depth < DEEPEST {
                folders.push((path, depth + 1));
            } else if let Ok(contents) = read_whole(&path, LARGEST_FILE)
                && found.len() < MOST_PROGRAMS
            {
                found.push((checksum(&contents), path));
            }
        }
    }
    found
}

/// Books and tables, with their checksums.
fn resources(catalog: &Catalog) -> Vec<String> {
    let mut found = Vec::new();
    for game in GAMES {
        if let Some(sum) = catalog.endgame_checksum(game.name) {
            found.push(format!("endgames {} {sum:08x}", game.name));
        }
        let mut variants: Vec<&str> = game.bench.iter().map(|(variant, _)| *variant).collect();
        variants.dedup();
        for text in variants {
            let Ok(variant) = text.parse() else { continue };
            let tables = catalog.table_checksums(&variant).into_iter();
            found.extend(tables.map(|(name, sum)| format!("table {text} {name} {sum:08x}")));
            if let Some(book) = shelf::find(catalog, &variant) {
                found.push(format!("book {text} {:08x}", book.checksum()));
            }
        }
    }
    found.sort();
    found.dedup();
    found
}

/// Whether a program is installed here, or a Python that has Agon's package.
pub(super) fn finds(python: Option<&str>, command: &str) -> bool {
    static HAS_PYTHON: OnceLock<bool> = OnceLock::new();
    if command == PYTHON {
        return *HAS_PYTHON.get_or_init(|| has_package(python));
    }
    if command.contains('/') || command.is_empty() {
        return false;
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(command).is_file())
}

fn has_package(python: Option<&str>) -> bool {
    let named = std::env::var("AGON_PYTHON").ok().filter(|name| !name.is_empty());
    let python = python.map(str::to_string).or(named).unwrap_or_else(|| "python3".into());
    let mut command = Command::new(python);
    command.args(["-c", "import agon.runner"]);
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}
