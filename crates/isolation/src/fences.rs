//! Landlock: the files a program may use at level `weak`, no network, no signals to others.

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd,
    Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetStatus, Scope,
};

use crate::order::{Order, Refusal};
use crate::view;

/// The version of Landlock with everything that level `weak` promises: signals are in it.
const NEEDED: ABI = ABI::V6;

/// Devices and information that every program may use.
const SHARED: &[&str] =
    &["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/proc"];

/// Puts up the fences around this process and everything it starts.
pub(crate) fn put_up(order: &Order) -> Result<(), Refusal> {
    let failed = |error: &dyn std::fmt::Display| Refusal {
        step: format!("use Landlock ({error})"),
        errno: 0,
    };
    let reading = AccessFs::from_read(NEEDED);
    let mut rules = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(NEEDED))
        .and_then(|rules| rules.handle_access(networks(order)))
        .and_then(|rules| rules.scope(Scope::from_all(NEEDED)))
        .and_then(|rules| rules.create())
        .map_err(|error| failed(&error))?;
    let system = view::SYSTEM.iter().chain(view::SETTINGS).map(std::path::Path::new);
    let own = order.readable.iter().map(std::path::PathBuf::as_path);
    let everything = AccessFs::from_all(NEEDED);
    let readable = system.chain(own).map(|path| (path, reading));
    let shared =
        SHARED.iter().map(|path| (std::path::Path::new(path), reading | AccessFs::WriteFile));
    let scratch = order.scratch.iter().map(|path| (path.as_path(), everything));
    for (path, access) in readable.chain(shared).chain(scratch) {
        // What does not exist needs no rule.
        let Ok(place) = PathFd::new(path) else { continue };
        let access = if path.is_dir() { access } else { access & AccessFs::from_file(NEEDED) };
        rules = rules.add_rule(PathBeneath::new(place, access)).map_err(|error| failed(&error))?;
    }
    let status = rules.restrict_self().map_err(|error| failed(&error))?;
    match status.ruleset {
        RulesetStatus::FullyEnforced => Ok(()),
        _ => Err(failed(&"not all of it is supported")),
    }
}

/// What is forbidden of the network: without sockets there is nothing to forbid, but a program that
/// is reached through one must not reach others.
fn networks(order: &Order) -> BitFlags<AccessNet> {
    match order.network {
        true => AccessNet::ConnectTcp.into(),
        false => AccessNet::from_all(NEEDED),
    }
}
