//! One coordinator for one tournament: a lock on the broker that its holder renews, and that the
//! broker drops when it is not renewed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use async_nats::jetstream::Context;
use async_nats::jetstream::kv::Store;
use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};
use serde::{Deserialize, Serialize};
use tokio::task::JoinHandle;
use tokio::time::sleep;

use super::NatsError;
use super::broker::refused;
use super::names::{LOCK_AGE, LOCKS};

/// Who holds a lock.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Holder {
    /// This holder and no other.
    id: String,
    host: String,
    /// The machine with its space of process numbers: only there does a number mean anything.
    place: String,
    process: u32,
}

impl Holder {
    fn here(id: &str) -> Holder {
        let (host, place, process) = (host_name(), place(), std::process::id());
        Holder { id: id.to_string(), host, place, process }
    }

    /// Whether it is a process of this machine that has ended.
    fn is_dead(&self) -> bool {
        let here = place();
        !here.is_empty() && self.place == here && !is_running(self.process)
    }
}

/// Whether a process of this machine runs. One that nobody has waited for since it ended does not.
fn is_running(process: u32) -> bool {
    let Some(id) = i32::try_from(process).ok().and_then(Pid::from_raw) else { return false };
    // A process of somebody else may not be asked, but is there.
    if test_kill_process(id) == Err(Errno::SRCH) {
        return false;
    }
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let state = stat.rsplit_once(')').map_or("", |(_, rest)| rest.trim_start());
    !state.starts_with(['Z', 'X'])
}

/// The name of this machine.
pub fn host_name() -> String {
    let name = rustix::system::uname().nodename().to_string_lossy().into_owned();
    if name.is_empty() { "unknown".into() } else { name }
}

fn place() -> String {
    let machine = std::fs::read_to_string("/etc/machine-id").unwrap_or_default();
    let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let numbers = std::fs::read_link("/proc/self/ns/pid").unwrap_or_default();
    match boot.is_empty() {
        true => String::new(),
        false => format!("{}/{}/{}", machine.trim(), boot.trim(), numbers.display()),
    }
}

/// A lock that this process holds and renews until it is released.
#[derive(Debug)]
pub(crate) struct Lock {
    store: Store,
    key: String,
    id: String,
    lost: Arc<AtomicBool>,
    renewing: JoinHandle<()>,
}

impl Lock {
    /// Takes the lock of a tournament, or says who holds it.
    pub async fn take(
        broker: &Context,
        key: &str,
        name: &str,
        id: &str,
    ) -> Result<Lock, NatsError> {
        let store = broker.get_key_value(LOCKS).await.map_err(refused("open the locks"))?;
        let me = Holder::here(id);
        let text = serde_json::to_vec(&me).unwrap_or_default();
        let revision = match store.create(key, text.clone().into()).await {
            Ok(revision) => revision,
            Err(_) => take_over(&store, key, name, &text).await?,
        };
        let lost = Arc::new(AtomicBool::new(false));
        let (kept, to, flag) = (store.clone(), key.to_string(), lost.clone());
        let renewing = tokio::spawn(renew(kept, to, me, revision, flag));
        Ok(Lock { store, key: key.to_string(), id: id.to_string(), lost, renewing })
    }

    /// Whether somebody else has taken it over.
    pub fn is_lost(&self) -> bool {
        self.lost.load(Relaxed)
    }

    /// Asks the broker whether it is still ours.
    pub async fn is_held(&self) -> bool {
        self.renewing.abort();
        self.revision().await.is_some()
    }

    /// Gives it back.
    pub async fn release(&self) {
        self.renewing.abort();
        if let Some(revision) = self.revision().await {
            // If the broker does not hear this, the lock gets old by itself.
            let _ = self.store.purge_expect_revision(&self.key, Some(revision)).await;
        }
    }

    /// The revision of our entry, if the entry is ours.
    async fn revision(&self) -> Option<u64> {
        let entry = self.store.entry(&self.key).await.ok().flatten()?;
        let holder: Holder = serde_json::from_slice(&entry.value).ok()?;
        (holder.id == self.id && !self.is_lost()).then_some(entry.revision)
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        self.renewing.abort();
    }
}

/// Takes over the lock of a process that has ended here.
async fn take_over(store: &Store, key: &str, name: &str, text: &[u8]) -> Result<u64, NatsError> {
    let entry = store.entry(key).await.map_err(refused("look at the lock"))?;
    let Some(entry) = entry else {
        // It has just become free.
        let created = store.create(key, text.to_vec().into()).await;
        return created.map_err(refused("take the lock"));
    };
    let holder: Option<Holder> = serde_json::from_slice(&entry.value).ok();
    if holder.as_ref().is_some_and(Holder::is_dead) {
        let updated = store.update(key, text.to_vec().into(), entry.revision).await;
        return updated.map_err(refused("take over the lock"));
    }
    let holder = holder.map_or_else(
        || "somebody".to_string(),
        |it| format!("process {} on {}", it.process, agon_core::printable(&it.host)),
    );
    let now = agon_arena::store::now() / 1000;
    let age = u64::try_from(now - entry.created.unix_timestamp()).unwrap_or(0);
    Err(NatsError::Held { name: name.to_string(), holder, age })
}

/// Renews the lock until it is lost.
async fn renew(store: Store, key: String, me: Holder, mut revision: u64, lost: Arc<AtomicBool>) {
    let text = serde_json::to_vec(&me).unwrap_or_default();
    loop {
        sleep(renewal()).await;
        if let Ok(next) = store.update(&key, text.clone().into(), revision).await {
            revision = next;
            continue;
        }
        // The broker may be away, may have dropped it meanwhile, or may have heard us before.
        match store.entry(&key).await {
            Ok(Some(entry)) => match serde_json::from_slice::<Holder>(&entry.value) {
                Ok(holder) if holder == me => revision = entry.revision,
                _ if entry.value.is_empty() => {
                    revision = store.create(&key, text.clone().into()).await.unwrap_or(revision);
                }
                // Damaged: nobody holds it, and it is written again.
                Err(_) => revision = entry.revision,
                Ok(_) => {
                    lost.store(true, Relaxed);
                    return;
                }
            },
            Ok(None) => {
                revision = store.create(&key, text.clone().into()).await.unwrap_or(revision);
            }
            Err(_) => {}
        }
    }
}

fn renewal() -> Duration {
    LOCK_AGE / 6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_that_has_ended_does_not_hold_a_lock() {
        let me = Holder::here("me");
        assert!(!me.is_dead());
        assert!(!Holder { place: "elsewhere".into(), process: 0, ..me.clone() }.is_dead());
        let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let holder = Holder { process: child.id(), ..me };
        assert!(!holder.is_dead());
        child.kill().unwrap();
        // Nobody has waited for it yet.
        let until = std::time::Instant::now() + Duration::from_secs(10);
        while !holder.is_dead() && std::time::Instant::now() < until {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(holder.is_dead());
        child.wait().unwrap();
        assert!(holder.is_dead());
    }
}
