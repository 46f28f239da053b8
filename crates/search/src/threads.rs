//! Threads that help a search.

use std::thread::{Builder, Scope, ScopedJoinHandle};

/// Starts a thread that helps, if the system has one to give: where it has none, the search goes on
/// with those it has. (`Scope::spawn` would panic, and an agent would lose its game for it.)
pub(crate) fn helper<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> Option<ScopedJoinHandle<'scope, T>> {
    Builder::new().spawn_scoped(scope, work).ok()
}
