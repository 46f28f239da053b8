//! Programs of strangers at every level of isolation: what they cannot do, whom they cannot hurt,
//! and that ordinary ones do not notice.
//!
//! A machine that cannot give a level is told so loudly; with `AGON_ISOLATION=required`
//! (`cargo xtask test --isolation`) it fails the tests.
#![cfg(target_os = "linux")]

mod attacks;
mod attempts;
mod freezing;
#[path = "../process/hostile.rs"]
mod hostile;
mod languages;
#[path = "../process/stage.rs"]
mod stage;
#[path = "../process/talk.rs"]
mod talk;

use agon_isolation::{Level, set_launcher, try_level};

/// Whether this machine can give a level. If not, that is said, and may not be.
fn has(level: Level) -> bool {
    set_launcher(hostile::hostile());
    let Err(unavailable) = try_level(level) else { return true };
    let required = std::env::var_os("AGON_ISOLATION").is_some_and(|it| it == "required");
    assert!(!required, "level {level} is not available on this machine: {unavailable}");
    eprintln!("\n*** NOT TESTED: level {level} is not available on this machine: {unavailable}\n");
    false
}
