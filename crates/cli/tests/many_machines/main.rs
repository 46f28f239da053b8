//! Games on many machines: real brokers, workers and coordinators on this one.

#[path = "../common/mod.rs"]
mod common;

mod broker;
mod hostile;
mod killed;
mod room;
mod seen;
mod suited;

/// Whether to run the long form of the tests: `AGON_SOAK=1` and more.
fn soaking() -> bool {
    std::env::var("AGON_SOAK").is_ok_and(|times| times.parse().is_ok_and(|times: u32| times > 0))
}
