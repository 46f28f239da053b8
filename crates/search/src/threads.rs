//! Helper threads of a search.

use std::thread::{Builder, Scope, ScopedJoinHandle};

/// Starts a helper thread, if the system allows: otherwise the search continues with those it has.
/// (`Scope::spawn` would panic, and an agent would lose its game because of it.)
pub(crate) fn helper<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> Option<ScopedJoinHandle<'scope, T>> {
    Builder::new().spawn_scoped(scope, work).ok()
}
