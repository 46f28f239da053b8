//! Landlock: the files a program may use at level `weak`, no network, no signals to others.

use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd,
    Ruleset, RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetError, RulesetStatus, Scope,
};

use crate::filter::Signals;
use crate::order::{Order, Refusal};
use crate::view;

/// The versions of Landlock that will do, the best first, with their numbers. The last knows all that
/// can be done to files; the one before also knows the network, the first signals.
const VERSIONS: [(u8, ABI); 3] = [(6, ABI::V6), (4, ABI::V4), (3, ABI::V3)];

/// Devices and information that every program may use.
const SHARED: &[&str] = &["/dev/null", "/dev/full", "/dev/random", "/dev/urandom"];
const PROCESSES: &str = "/proc";

/// Puts up the fences around this process and everything it starts. Says which signals are left to
/// the filter of system calls.
pub(crate) fn put_up(order: &Order) -> Result<Signals, Refusal> {
    let failed = |error: &dyn std::fmt::Display| Refusal {
        step: format!("use Landlock ({error})"),
        errno: 0,
    };
    let usable = VERSIONS.iter().filter(|(number, _)| *number <= order.landlock);
    let mut reason = failed(&"no version that will do");
    for &(_, version) in usable {
        match ruleset(order, version) {
            Ok(rules) => {
                let status = rules.restrict_self().map_err(|error| failed(&error))?;
                return match (status.ruleset, version) {
                    (RulesetStatus::FullyEnforced, ABI::V6) => Ok(Signals::Any),
                    (RulesetStatus::FullyEnforced, _) => Ok(Signals::ToItself),
                    _ => Err(failed(&"not all of it is supported")),
                };
            }
            Err(error) => reason = failed(&error),
        }
    }
    Err(reason)
}

/// All rules, if this version is supported.
fn ruleset(order: &Order, version: ABI) -> Result<RulesetCreated, RulesetError> {
    let mut rules = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
    rules = rules.handle_access(AccessFs::from_all(version))?;
    // Without sockets there is no network to be forbidden, except to players that need them.
    if order.network || version != ABI::V3 {
        rules = rules.handle_access(networks(order))?;
    }
    if version == ABI::V6 {
        rules = rules.scope(Scope::from_all(version))?;
    }
    let mut rules = rules.create()?;
    for (path, access) in paths(order, version) {
        // What does not exist needs no rule.
        let Ok(place) = PathFd::new(&path) else { continue };
        let access = if path.is_dir() { access } else { access & AccessFs::from_file(version) };
        rules = rules.add_rule(PathBeneath::new(place, access))?;
    }
    Ok(rules)
}

/// What it may do where.
fn paths(order: &Order, version: ABI) -> Vec<(PathBuf, BitFlags<AccessFs>)> {
    let (reading, everything) = (AccessFs::from_read(version), AccessFs::from_all(version));
    let system = view::SYSTEM.iter().chain(view::SETTINGS).map(Path::new);
    let own = order.readable.iter().chain(&order.linked).map(PathBuf::as_path);
    let readable = system.chain(own).chain([Path::new(PROCESSES)]).map(|path| (path, reading));
    let shared = SHARED.iter().map(|path| (Path::new(path), reading | AccessFs::WriteFile));
    let scratch = order.scratch.iter().map(|path| (path.as_path(), everything));
    let all = readable.chain(shared).chain(scratch);
    all.map(|(path, access)| (path.to_path_buf(), access)).collect()
}

/// What is forbidden of the network: a program that is reached through it must not reach others.
fn networks(order: &Order) -> BitFlags<AccessNet> {
    match order.network {
        true => AccessNet::ConnectTcp.into(),
        false => AccessNet::from_all(ABI::V4),
    }
}
