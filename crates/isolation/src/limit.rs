//! Limits that the system enforces on a process and on each that it starts.

use std::io;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Sets a limit, or keeps a lower one that is already set. Allocates nothing.
pub fn restrict(resource: Resource, limit: u64) -> io::Result<()> {
    let allowed = getrlimit(resource).maximum;
    let lower = |limit: u64| allowed.map_or(limit, |allowed| limit.min(allowed));
    // One second more until the signal that cannot be caught.
    let last = if matches!(resource, Resource::Cpu) { limit.saturating_add(1) } else { limit };
    let limits = Rlimit { current: Some(lower(limit)), maximum: Some(lower(last)) };
    Ok(setrlimit(resource, limits)?)
}
